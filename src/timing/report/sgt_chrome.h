/* SPDX-License-Identifier: MIT */
/*
 * Chrome's trace-event format, which ui.perfetto.dev shows: events one after the other.
 */
#ifndef SGT_CHROME_H
#define SGT_CHROME_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

struct sgt_chrome {
   FILE *fp;
   bool filled; /* an event is there */
   uint64_t process;
};

/* The brackets of a file around the events. */
void sgt_chrome_open(FILE *fp);
void sgt_chrome_close(FILE *fp);

/* The next events are those of a process with this number and name. */
void sgt_chrome_process(struct sgt_chrome *c, uint64_t process, const char *name);
/* Names a track; tracks are shown in the order of their numbers. */
void sgt_chrome_track(struct sgt_chrome *c, unsigned track, const char *name);
/* Begins a slice; the caller writes its last members and the brace. */
void sgt_chrome_slice(struct sgt_chrome *c, unsigned track, uint64_t begin, uint64_t length);
void sgt_chrome_counter(struct sgt_chrome *c, const char *name, uint64_t time, uint64_t value);

#endif
