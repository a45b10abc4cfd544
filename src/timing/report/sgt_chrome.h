/* SPDX-License-Identifier: MIT */
/*
 * Writes events in Chrome's trace event format, which ui.perfetto.dev can display.
 */
#ifndef SGT_CHROME_H
#define SGT_CHROME_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

struct sgt_chrome {
   FILE *fp;
   bool filled;      /* true if an event has been written, i.e. if the next event needs a comma */
   uint64_t process; /* ID of the current process */
};

/* These functions write the opening and the closing bracket of the file. */
void sgt_chrome_open(FILE *fp);
void sgt_chrome_close(FILE *fp);

/* Begins a process with this ID and name. Subsequent events belong to this process. */
void sgt_chrome_process(struct sgt_chrome *c, uint64_t process, const char *name);
/* Sets the name of a track. Tracks are displayed in the order of their IDs. */
void sgt_chrome_track(struct sgt_chrome *c, unsigned track, const char *name);
/* Writes the first part of a slice event. The caller must write the name, any additional members,
 * and the closing brace.
 */
void sgt_chrome_slice(struct sgt_chrome *c, unsigned track, uint64_t begin, uint64_t length);
/* Writes the value of a counter. */
void sgt_chrome_counter(struct sgt_chrome *c, const char *name, uint64_t time, uint64_t value);

#endif
