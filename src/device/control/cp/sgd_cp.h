/* SPDX-License-Identifier: MIT */
/*
 * Command processor of a queue: its position in the submission that it parses, and the state
 * that packets have set.
 */
#ifndef SGD_CP_H
#define SGD_CP_H

#include "control/cp/sgd_cp_state.h"
#include "control/dispatch/sgd_dispatch.h"
#include "control/cp/sgd_shader_cache.h"
#include "sgpu_packets_unpack.h"

#define SGD_QUERY_SLOTS (SGPU_BEGIN_QUERY_SLOT_MAX + 1)
static_assert(SGPU_END_QUERY_SLOT_MAX == SGPU_BEGIN_QUERY_SLOT_MAX, "");
#define SGD_CONST_CONTEXTS (SGPU_CONSTANT_VERSION_CONTEXT_MAX + 1)

/* Entry of the header table (sgd_constants.h). */
struct sgd_const_context {
   const uint8_t *base; /* address of line 0; without a version, all lines are contiguous there */
   uint32_t size;       /* size in bytes, or 0 if there is no context with this number */
   uint8_t line_log2;   /* log2 of the size of a line in bytes */
   struct sgd_const_version *version; /* latest version, or NULL if no line has changed */
};

struct sgd_cp {
   struct sgd_sched *sched;
   struct sgd_memory *memory;
   struct sgd_dispatch *dispatch;
   struct sgd_shader_cache *cache;
   const struct sgpu_device_params *params;

   struct sgd_submission *sub; /* submission that is being parsed, or NULL */
   uint32_t pos;               /* position of the current packet in the stream, in words */
   uint32_t packet;            /* index of the current packet in the submission */
   uint32_t draws;             /* number of draw packets in the submission so far */
   bool end;                   /* END was read */
   unsigned made;              /* number of operations made in this call of sgd_cp_run() */
   bool room;                  /* the queue may have more operations in flight; updated when an
                                * operation is added */
   unsigned joined;            /* number of draw packets after the current one that are part of its
                                * operation */
   struct util_dynarray printed;    /* printed plans, struct sgpu_draw_plan */
   uint32_t paths;                  /* paths of the current draw, bit n: enum sgpu_path */
   uint32_t path_draws[SGPU_PATHS]; /* draws with each path that are not in the counters yet */
   uint32_t same_paths, same_draws; /* the latest draws, which all have the same paths; not in
                                     * path_draws yet */
   struct sgd_query *slots[SGD_QUERY_SLOTS]; /* active query of each slot, or NULL */

   /* State is reset after each submission, since each submission lists its buffers. */
   struct sgd_state cur;
   bool have_framebuffer;
   struct sgd_xfb_config xfb;
   bool dirty;                 /* `cur` has changed since `snapshot` was made */
   bool replan;                /* the plan of draws may have changed since then, too */
   struct sgd_state *snapshot; /* latest copy of `cur` for draws, or NULL */
   struct sgd_draw_part parts[SGD_JOIN_PARTS]; /* temporary array of sgd_cp_join() */
   /* Current predicate, or NULL if Conditional has no effect. */
   struct sgd_predicate *predicate;
   struct sgd_const_context contexts[SGD_CONST_CONTEXTS];
   unsigned num_contexts;         /* highest number of a context that was used, plus 1 */
   struct sgd_tile_array_key key; /* key of the current framebuffer */
};

struct sgd_cp *sgd_cp_create(struct sgd_dispatch *dispatch, struct sgd_shader_cache *cache);
void sgd_cp_destroy(struct sgd_cp *cp);
/* Parses packets of the submission.  Returns true at the end of the submission, or false if it
 * stops earlier because it has made enough operations.  Called without the lock, by one worker at
 * a time.  After a call that returns false, the next call must be for the same submission.
 */
bool sgd_cp_run(struct sgd_cp *cp, struct sgd_submission *sub, struct sgd_worker *worker);
/* Adds the paths of the latest draws to the device's counters. Must be called with the
 * scheduler's lock held.
 */
void sgd_cp_count_paths(struct sgd_cp *cp);

#endif
