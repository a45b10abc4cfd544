/* SPDX-License-Identifier: MIT */
/*
 * The superscalar engine of Wolfe and Noonburg (MICRO-32, 1999), cycle by cycle, over a trace. It
 * has a fetch unit that splits items, an issue unit with reservation stations and candidate
 * buffers, and accelerators.
 *
 * The steps of a cycle t use the registers as they were at its start:
 *
 *    1. issue    a candidate without dependences goes to a free accelerator, which is busy
 *                from t on
 *    2. retire   accelerators whose last busy cycle is t return the tags of their slices;
 *                their bits in the vectors and their stations are cleared
 *    3. enter    a slice enters if stations and a candidate buffer were free at the start
 *                of the cycle; it is compared with the slices that are left after 2
 *
 * Therefore, a candidate whose last dependence is cleared in t issues at t + 1 at the earliest.
 * Stations, candidate buffers and accelerators that become free in t can be used from t + 1 on.
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

/* State of an accelerator in a cycle. Each idle accelerator has the reason of one candidate: first
 * of the candidates that could have issued, then of the others, oldest first. With in-order issue,
 * all of them have the reason of the oldest candidate. If a candidate waits for several slices, its
 * reason is the first kind of RAW, WAW, WAR.
 */
enum sgt_state {
   SGT_STATE_BUSY,   /* has a slice */
   SGT_STATE_MEMORY, /* has a slice whose pixels wait for memory */
   SGT_STATE_RAW,    /* idle: a candidate waits to read data that another slice writes */
   SGT_STATE_WAW,    /* idle: a candidate waits to write data that another slice writes */
   SGT_STATE_WAR,    /* idle: a candidate waits to write data that another slice reads */
   /* idle: a candidate may run in any order with another slice, but not at the same time (breaking)
    */
   SGT_STATE_CONFLICT,
   SGT_STATE_ISSUE_RATE, /* idle: a candidate could issue, but the issue rate was used by others */
   /* idle: no candidate is left, and none could enter, since no station or candidate buffer was
    * free
    */
   SGT_STATE_WINDOW_FULL,
   SGT_STATE_STARVED, /* idle: no candidate is left, since the fetch unit is too slow */
   SGT_STATE_DRAIN,   /* idle: no candidate is left, and the trace is at its end */
   SGT_STATES,
};
extern const char *const sgt_state_names[SGT_STATES];

/* State of the fetch unit in a cycle. */
enum sgt_fetch_state {
   SGT_FETCH_ENTERED,        /* at least one slice entered */
   SGT_FETCH_NO_DESTINATION, /* no destination station is free */
   SGT_FETCH_NO_CANDIDATE,   /* no candidate buffer is free */
   SGT_FETCH_NO_SOURCE,      /* too few source stations are free */
   /* an item has more source regions than there are stations: it enters when all others have
    * retired, and no other slice enters until it has retired
    */
   SGT_FETCH_ALONE,
   SGT_FETCH_EMPTY, /* the trace is at its end */
   SGT_FETCH_STATES,
};
extern const char *const sgt_fetch_state_names[SGT_FETCH_STATES];

/* State of the issue unit in a cycle. */
enum sgt_issue_state {
   SGT_ISSUE_ISSUED,         /* at least one slice issued */
   SGT_ISSUE_NO_ACCELERATOR, /* a candidate could issue, but all accelerators are busy */
   /* all candidates depend on other slices; with in-order issue, the oldest does */
   SGT_ISSUE_DEPENDENCE,
   SGT_ISSUE_CONFLICT, /* all candidates wait, and at least one only for a conflict */
   SGT_ISSUE_EMPTY,    /* there is no candidate */
   SGT_ISSUE_STATES,
};
extern const char *const sgt_issue_state_names[SGT_ISSUE_STATES];

/* Callbacks for events in the order in which they happen. Functions may be NULL. */
struct sgt_engine_observer {
   /* first argument of the functions */
   void *data;
   /* A slice enters destination station `tag`. */
   void (*enter)(void *data, uint64_t cycle, uint32_t tag, const struct sgt_slice *slice);
   /* A slice is busy on the accelerator from `cycle` on. */
   void (*start)(void *data, uint64_t cycle, uint32_t tag, uint32_t accelerator,
                 const struct sgt_slice *slice);
   /* `cycle` is the slice's last one. All slices that depend on it start later. Starts in a cycle
    * are reported before ends in the same cycle.
    */
   void (*end)(void *data, uint64_t cycle, uint32_t tag, uint32_t accelerator,
               const struct sgt_slice *slice);
   /* Called after every `progress_items` fetched items, or never if 0. The run stops if it returns
    * false.
    */
   bool (*progress)(void *data, uint64_t cycle, uint32_t items);
   uint32_t progress_items;
};

/* Results of an operation of the trace. */
struct sgt_engine_operation {
   uint32_t slices;      /* number of slices */
   uint64_t first, last; /* first cycle of its first slice, and last cycle of its last slice */
   uint64_t busy;        /* accelerator cycles with its slices, including those in state MEMORY */
   uint64_t memory;      /* number of these cycles in state MEMORY */
   /* Idle accelerator cycles that were charged to its candidates, in the states RAW, WAW, WAR,
    * CONFLICT and ISSUE_RATE.
    */
   uint64_t stalls[SGT_STATES];
   /* Idle accelerator cycles in which candidates waited for this operation. A candidate is charged
    * to the operation of the oldest slice that it waits for.
    */
   uint64_t blocks;
};

/* This file is generated. Its arrays have the sizes of the enums above. */
#include "stats/sgt_engine_result.h"

/* Returns the part of the parameters that describes slices. */
struct sgt_split_params sgt_engine_split_params(const struct sgt_engine_params *p);

/* Runs the trace. `observer` may be NULL. Returns false and writes a message if parameters are
 * invalid, memory runs out, max_cycles is exceeded, or the observer stops the run. There is no
 * result then. The same trace and parameters give the same result on every host.
 */
bool sgt_engine_run(const struct sgt_trace *trace, const struct sgt_engine_params *params,
                    const struct sgt_engine_observer *observer, struct sgt_engine_result *result,
                    char *error, size_t error_size);
/* Frees the arrays of a result. */
void sgt_engine_result_finish(struct sgt_engine_result *result);

#endif
