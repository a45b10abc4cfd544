/* SPDX-License-Identifier: MIT */
/*
 * The superscalar engine of Wolfe and Noonburg (MICRO-32, 1999), cycle by cycle, over a
 * trace: a fetch unit that splits items, an issue unit with reservation stations and
 * candidate buffers, and accelerators.
 *
 * A cycle t, all of it from the registers at its begin:
 *
 *    1. issue    a candidate without dependences goes to a free accelerator, which is busy
 *                from t on
 *    2. retire   accelerators whose last busy cycle is t return the tags of their slices;
 *                bits and stations clear
 *    3. enter    a slice enters if stations and a candidate buffer were free at the begin
 *                of the cycle; it is compared with the slices that are left after 2
 *
 * So a candidate whose last dependence clears in t issues at t + 1 at the earliest, and
 * stations, candidate buffers and accelerators that are freed in t are taken again from
 * t + 1 on.
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

/* An accelerator in a cycle.  Idle ones take, one each, the reasons of candidates: first of
 * those that could have issued, then of the others from the oldest on; with in-order issue
 * all take that of the oldest.  A candidate that waits for several slices has the first kind
 * of RAW, WAW, WAR.
 */
enum sgt_state {
   SGT_STATE_BUSY,        /* has a slice */
   SGT_STATE_MEMORY,      /* has a slice whose pixels wait for memory */
   SGT_STATE_RAW,         /* a candidate waits to read what another slice writes */
   SGT_STATE_WAW,         /* to write what another slice writes */
   SGT_STATE_WAR,         /* to write what another slice reads */
   SGT_STATE_CONFLICT,    /* to be alone, in any order (breaking) */
   SGT_STATE_ISSUE_RATE,  /* a candidate could issue, but others did */
   SGT_STATE_WINDOW_FULL, /* no candidate is left, and none could enter: no free station or
                           * candidate buffer */
   SGT_STATE_STARVED,     /* no candidate is left: the fetch unit hands over too few a cycle */
   SGT_STATE_DRAIN,       /* no candidate is left, and the trace is at its end */
   SGT_STATES,
};
extern const char *const sgt_state_names[SGT_STATES];

/* The fetch unit in a cycle. */
enum sgt_fetch_state {
   SGT_FETCH_ENTERED,        /* at least one slice entered */
   SGT_FETCH_NO_DESTINATION, /* no free destination station */
   SGT_FETCH_NO_CANDIDATE,   /* no free candidate buffer */
   SGT_FETCH_NO_SOURCE,      /* too few free source stations */
   SGT_FETCH_ALONE,          /* an item with more source regions than there are stations
                              * enters when all others have retired, and is alone until then */
   SGT_FETCH_EMPTY,          /* the trace is at its end */
   SGT_FETCH_STATES,
};
extern const char *const sgt_fetch_state_names[SGT_FETCH_STATES];

/* The issue unit in a cycle. */
enum sgt_issue_state {
   SGT_ISSUE_ISSUED,         /* at least one slice issued */
   SGT_ISSUE_NO_ACCELERATOR, /* a candidate could issue, but all accelerators are busy */
   SGT_ISSUE_DEPENDENCE,     /* all candidates (in order: the oldest) depend on others */
   SGT_ISSUE_CONFLICT,       /* likewise, and at least one waits for a conflict alone */
   SGT_ISSUE_EMPTY,          /* there is no candidate */
   SGT_ISSUE_STATES,
};
extern const char *const sgt_issue_state_names[SGT_ISSUE_STATES];

/* What happens, in order; functions may be NULL. */
struct sgt_engine_observer {
   void *data;
   /* The slice enters destination station `tag`. */
   void (*enter)(void *data, uint64_t cycle, uint32_t tag, const struct sgt_slice *slice);
   /* The slice is busy on the accelerator from `cycle` on. */
   void (*start)(void *data, uint64_t cycle, uint32_t tag, uint32_t accelerator,
                 const struct sgt_slice *slice);
   /* `cycle` is its last.  All slices that depend on it start later; what starts in a cycle
    * is reported before what ends in it.
    */
   void (*end)(void *data, uint64_t cycle, uint32_t tag, uint32_t accelerator,
               const struct sgt_slice *slice);
   /* Every `progress_items` items (0: never) that are fetched; false stops the run. */
   bool (*progress)(void *data, uint64_t cycle, uint32_t items);
   uint32_t progress_items;
};

/* Of an operation of the trace. */
struct sgt_engine_operation {
   uint32_t slices;
   uint64_t first, last; /* cycles of its first start and of its last end */
   uint64_t busy;        /* accelerator cycles with its slices, MEMORY included */
   uint64_t memory;      /* of these, in state MEMORY */
   /* Idle accelerator cycles that were charged to its candidates, in the states RAW, WAW,
    * WAR, CONFLICT and ISSUE_RATE.
    */
   uint64_t stalls[SGT_STATES];
   /* Idle accelerator cycles of others that waited for the operation: for the oldest slice
    * that the candidate waits for.
    */
   uint64_t blocks;
};

/* Generated; its arrays have the sizes of the enums above. */
#include "stats/sgt_engine_result.h"

/* The part that is about slices. */
struct sgt_split_params sgt_engine_split_params(const struct sgt_engine_params *p);

/* Runs the trace.  `observer` may be NULL.  False, with a message: illegal parameters, no
 * memory, max_cycles exceeded, or stopped by the observer; there is no result then.  The same
 * trace and parameters give the same result on every host.
 */
bool sgt_engine_run(const struct sgt_trace *trace, const struct sgt_engine_params *params,
                    const struct sgt_engine_observer *observer, struct sgt_engine_result *result,
                    char *error, size_t error_size);
void sgt_engine_result_finish(struct sgt_engine_result *result);

#endif
