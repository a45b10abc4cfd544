/* SPDX-License-Identifier: MIT */
/*
 * Command processor of a queue: its position in the current submission, and the state set by
 * packets so far.
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
   const uint8_t *base; /* address of line 0; without a version, all lines are contiguous */
   uint32_t size;       /* size in bytes, or 0 if the context is not open */
   uint8_t line_log2;   /* log2 of the line size in bytes */
   struct sgd_const_version *version; /* latest version, or NULL if no line has changed yet */
};

struct sgd_cp {
   struct sgd_sched *sched;
   struct sgd_memory *memory;
   struct sgd_dispatch *dispatch;
   struct sgd_shader_cache *cache;
   const struct sgpu_device_params *params;

   struct sgd_submission *sub; /* submission being parsed, or NULL */
   uint32_t pos;               /* offset of the current packet in the stream, in words */
   uint32_t packet;            /* index of the current packet in the submission */
   uint32_t draws;             /* number of draw packets of the submission that were read so far */
   bool end;                   /* the END packet was read */
   unsigned made;              /* number of operations created by this call of sgd_cp_run() */
   /* the queue can have more operations in flight; updated whenever an operation is added */
   bool room;
   /* number of draw packets after the current packet that were joined into its operation */
   unsigned joined;
   struct util_dynarray printed; /* plans that were printed already, struct sgpu_draw_plan */
   uint32_t paths;               /* bitmask of the paths (enum sgpu_path) of the current draw */
   /* number of draws per path that have not been added to the counters yet */
   uint32_t path_draws[SGPU_PATHS];
   /* paths of the latest draws, which all have the same paths; number of these draws, not yet
    * included in path_draws
    */
   uint32_t same_paths, same_draws;
   struct sgd_query *slots[SGD_QUERY_SLOTS]; /* active query of each slot, or NULL */

   /* State is reset after each submission, because each submission has a separate buffer list. */
   struct sgd_state cur;
   bool have_framebuffer;
   struct sgd_xfb_config xfb;
   bool dirty;                                 /* `cur` has changed since `snapshot` was created */
   bool replan;                                /* changes since then can affect the plan of draws */
   struct sgd_state *snapshot;                 /* latest copy of `cur` that draws use, or NULL */
   struct sgd_draw_part parts[SGD_JOIN_PARTS]; /* scratch array of sgd_cp_join() */
   /* Current predicate, or NULL if Conditional has no effect. */
   struct sgd_predicate *predicate;
   struct sgd_const_context contexts[SGD_CONST_CONTEXTS];
   unsigned num_contexts;         /* highest index of the contexts in use, plus 1 */
   struct sgd_tile_array_key key; /* tile array key of the current framebuffer */
};

struct sgd_cp *sgd_cp_create(struct sgd_dispatch *dispatch, struct sgd_shader_cache *cache);
void sgd_cp_destroy(struct sgd_cp *cp);
/* Parses packets of the submission. Returns true at the end of the submission, or false if it
 * yields early because it has created enough operations. The next call must then be for the same
 * submission. Called without the lock, by one worker at a time.
 */
bool sgd_cp_run(struct sgd_cp *cp, struct sgd_submission *sub, struct sgd_worker *worker);
/* Adds the path counts of recent draws to the device's counters. Must be called with the
 * scheduler's lock held.
 */
void sgd_cp_count_paths(struct sgd_cp *cp);

#endif
