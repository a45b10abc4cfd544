/* SPDX-License-Identifier: MIT */
/*
 * Random schedules of a trace's slices, which are legal or ignore one kind of dependence, and a
 * search for errors in them, pair by pair.
 */
#ifndef SCHEDULE_H
#define SCHEDULE_H

#include "scene.h"

#define SCHEDULE_ROWS ((SCENE_WIDTH + 31) / 32)

enum dependence {
   DEPENDENCE_NONE,
   DEPENDENCE_RAW,
   DEPENDENCE_WAW,
   DEPENDENCE_WAR,
   DEPENDENCE_CONFLICT,
   DEPENDENCES,
};

struct schedule_slice {
   uint32_t item;
   struct sgt_rect cut;
   uint32_t start, end; /* numbers of the slice's events, starting at 1 */
   uint32_t pixels[SCENE_HEIGHT][SCHEDULE_ROWS];
   bool any;
};

struct schedule {
   const struct sgt_trace *trace;
   enum sgt_breaking breaking;
   struct schedule_slice *slices; /* in program order */
   uint32_t num_slices;
   uint32_t *events; /* slice * 2, plus 1 for its end */
   uint32_t num_events;
};

/* Makes a schedule with slices of random height and up to `accelerators` running slices.
 * Dependences of the kind `dropped` are ignored.
 */
void schedule_begin(struct schedule *s, const struct sgt_trace *trace, enum sgt_breaking breaking,
                    unsigned accelerators, enum dependence dropped, uint64_t seed);
void schedule_end(struct schedule *s);

/* Passes the events to the shadow memory. */
void schedule_run(const struct schedule *s, struct sgt_shadow *shadow);

/* Counts pairs of slices that are in the wrong order or run at the same time: by rectangles, and by
 * pixels that both access.
 */
void schedule_check(const struct schedule *s, uint64_t *rects, uint64_t *pixels);

#endif
