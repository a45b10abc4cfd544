/* SPDX-License-Identifier: MIT */
/*
 * Random traces and parameters for comparisons of the engine with its reference.  There are few
 * items on a small screen, so that all kinds of hazards are frequent.
 */
#ifndef RANDOM_TRACE_H
#define RANDOM_TRACE_H

#include "engine99/sgt_engine.h"
#include "kernel/sgt_random.h"

#define RANDOM_MAX_ITEMS 40
#define RANDOM_MAX_SOURCES 3
#define RANDOM_OPERATIONS 6
#define RANDOM_SETS 3
#define RANDOM_SCREEN 32 /* width and height in pixels */
#define RANDOM_MAX_BLOCKS (RANDOM_SCREEN / 8 * RANDOM_SCREEN / 4)

struct random_trace {
   struct sgt_trace trace;
   struct sgt_operation operations[RANDOM_OPERATIONS];
   struct sgt_item items[RANDOM_MAX_ITEMS];
   struct sgt_region sources[RANDOM_MAX_ITEMS * RANDOM_MAX_SOURCES];
   struct sgt_block blocks[RANDOM_MAX_ITEMS * RANDOM_MAX_BLOCKS];
   uint32_t sets_meet[RANDOM_SETS];
};

/* Makes a random trace.  It refers to the arrays of `t`. */
void random_trace_make(struct random_trace *t, struct sgt_random *r);
/* Makes random parameters with ideal memory. */
void random_params_make(struct sgt_engine_params *p, struct sgt_random *r);
void random_dram_make(struct sgt_dram_params *p, struct sgt_random *r);

#endif
