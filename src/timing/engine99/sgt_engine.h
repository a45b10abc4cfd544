/* SPDX-License-Identifier: MIT */
/*
 * Cycle-accurate model of the superscalar engine of Wolfe and Noonburg (MICRO-32, 1999). The engine
 * consists of a fetch unit that splits items, an issue unit with reservation stations and candidate
 * buffers, and accelerators.
 *
 * In each cycle t, the following steps use the register values from the start of the cycle:
 *
 *    1. issue    a candidate without dependences is issued to a free accelerator, which is busy
 *                from cycle t on
 *    2. retire   accelerators whose last busy cycle is t return the tags of their slices; the
 *                stations of these slices and their bits in all vectors are cleared
 *    3. enter    a slice enters if enough stations and a candidate buffer were free at the start
 *                of the cycle; it is compared with all slices that are left after step 2
 *
 * Therefore, a candidate whose last dependence is cleared in cycle t issues in t + 1 at the
 * earliest. Stations, candidate buffers and accelerators that become free in t can be reused in t +
 * 1.
 */
#ifndef SGT_ENGINE_H
#define SGT_ENGINE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "dram/sgt_dram.h"
#include "params/sgt_engine_params.h"
#include "engine99/sgt_split.h"
#include "trace/sgt_trace.h"

/* Returns the number of candidate buffers. */
static inline uint32_t
sgt_engine_candidates(const struct sgt_engine_params *p)
{
   return p->candidates ? p->candidates : p->window * p->accelerators;
}

/* State of an accelerator in a cycle. Each idle accelerator is assigned the stall reason of one
 * candidate: first those that could have issued, then all others, from oldest to youngest. With
 * in-order issue, all idle accelerators are assigned the reason of the oldest candidate. If a
 * candidate waits for several slices, its reason is the first kind that applies of RAW, WAW and
 * WAR.
 */
enum sgt_state {
   SGT_STATE_BUSY,   /* processes a slice */
   SGT_STATE_MEMORY, /* processes a slice whose pixels are waiting for memory */
   SGT_STATE_RAW,    /* idle: a candidate is waiting to read data that another slice writes */
   SGT_STATE_WAW,    /* idle: a candidate is waiting to write data that another slice writes */
   SGT_STATE_WAR,    /* idle: a candidate is waiting to write data that another slice reads */
   /* idle: a candidate is waiting for a slice that it can be reordered with, but that it can't run
    * at the same time as (sgt_breaking.h)
    */
   SGT_STATE_CONFLICT,
   /* idle: a candidate could issue, but the issue rate limit has been reached */
   SGT_STATE_ISSUE_RATE,
   /* idle: no candidate is left, because no station or candidate buffer was free for another slice
    */
   SGT_STATE_WINDOW_FULL,
   SGT_STATE_STARVED, /* idle: no candidate is left because the fetch unit is too slow */
   SGT_STATE_DRAIN,   /* idle: no candidate is left at the end of the trace */
   SGT_STATES,
};
extern const char *const sgt_state_names[SGT_STATES];

/* State of the fetch unit in a cycle. */
enum sgt_fetch_state {
   SGT_FETCH_ENTERED,        /* at least one slice has entered the issue unit */
   SGT_FETCH_NO_DESTINATION, /* no destination station is free */
   SGT_FETCH_NO_CANDIDATE,   /* no candidate buffer is free */
   SGT_FETCH_NO_SOURCE,      /* too few source stations are free */
   /* An item has more source regions than there are source stations. It only enters after all other
    * slices have retired, and no other slice can enter until it has retired.
    */
   SGT_FETCH_ALONE,
   SGT_FETCH_EMPTY, /* the end of the trace has been reached */
   SGT_FETCH_STATES,
};
extern const char *const sgt_fetch_state_names[SGT_FETCH_STATES];

/* State of the issue unit in a cycle. */
enum sgt_issue_state {
   SGT_ISSUE_ISSUED,         /* at least one slice was issued */
   SGT_ISSUE_NO_ACCELERATOR, /* a candidate could issue, but all accelerators are busy */
   /* all candidates depend on other slices (with in-order issue: the oldest candidate does) */
   SGT_ISSUE_DEPENDENCE,
   /* all candidates are waiting, but at least one of them only because of a conflict */
   SGT_ISSUE_CONFLICT,
   SGT_ISSUE_EMPTY, /* there are no candidates */
   SGT_ISSUE_STATES,
};
extern const char *const sgt_issue_state_names[SGT_ISSUE_STATES];

/* Callbacks that report events in the order of simulated time. Each of them can be NULL. */
struct sgt_engine_observer {
   /* first argument of the callbacks */
   void *data;
   /* Called when a slice enters the destination station `tag`. */
   void (*enter)(void *data, uint64_t cycle, uint32_t tag, const struct sgt_slice *slice);
   /* Called when a slice starts. `cycle` is its first cycle on the accelerator. */
   void (*start)(void *data, uint64_t cycle, uint32_t tag, uint32_t accelerator,
                 const struct sgt_slice *slice);
   /* Called when a slice ends. `cycle` is its last cycle, and all dependent slices start later. If
    * some slices start and others end in the same cycle, the starts are reported first.
    */
   void (*end)(void *data, uint64_t cycle, uint32_t tag, uint32_t accelerator,
               const struct sgt_slice *slice);
   /* Called after every `progress_items` fetched items, or never if progress_items is 0. Returns
    * false to stop the run.
    */
   bool (*progress)(void *data, uint64_t cycle, uint32_t items);
   uint32_t progress_items;
};

/* Results of an operation of the trace. */
struct sgt_engine_operation {
   uint32_t slices; /* number of slices */
   /* first: first cycle of the first slice;
    * last: last cycle of the last slice
    */
   uint64_t first, last;
   /* number of accelerator cycles spent on the operation, including those in state MEMORY */
   uint64_t busy;
   uint64_t memory; /* accelerator cycles in state MEMORY */
   /* Number of idle accelerator cycles that are charged to candidates of this operation. Only the
    * states RAW, WAW, WAR, CONFLICT and ISSUE_RATE are used.
    */
   uint64_t stalls[SGT_STATES];
   /* Number of idle accelerator cycles in which a candidate was waiting for a slice of this
    * operation. If a candidate waits for several slices, only the oldest of them is charged.
    */
   uint64_t blocks;
};

/* This generated header must be included here, because it declares arrays with the sizes of the
 * enums above.
 */
#include "stats/sgt_engine_result.h"

/* Returns the parameters that control the splitting of items into slices. */
struct sgt_split_params sgt_engine_split_params(const struct sgt_engine_params *p);

/* Simulates the trace. `observer` can be NULL. Returns false and writes a message if parameters are
 * invalid, allocation fails, max_cycles is exceeded, or the observer stops the run. In this case,
 * *result is not valid. The result only depends on the trace and the parameters, not on the host.
 */
bool sgt_engine_run(const struct sgt_trace *trace, const struct sgt_engine_params *params,
                    const struct sgt_engine_observer *observer, struct sgt_engine_result *result,
                    char *error, size_t error_size);
/* Frees the arrays of a result. */
void sgt_engine_result_finish(struct sgt_engine_result *result);

#endif
