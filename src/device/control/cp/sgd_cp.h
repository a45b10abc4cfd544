/* SPDX-License-Identifier: MIT */
/*
 * Command processor of a queue, with its position in the command stream and the current state.
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

/* A constant context, as described in sgd_constants.h. */
struct sgd_const_context {
   /* host address of line 0; all lines are contiguous until there is a version */
   const uint8_t *base;
   uint32_t size;                     /* size in bytes, or 0 if the context is not open */
   uint8_t line_log2;                 /* base-2 logarithm of the line size in bytes */
   struct sgd_const_version *version; /* latest version, or NULL if no line has changed yet */
};

struct sgd_cp {
   struct sgd_sched *sched;
   struct sgd_memory *memory;
   struct sgd_dispatch *dispatch;
   struct sgd_shader_cache *cache;
   const struct sgpu_device_params *params;

   struct sgd_submission *sub; /* submission being parsed, or NULL */
   uint32_t pos;               /* offset of the current packet in the command stream, in words */
   uint32_t packet;            /* index of the current packet in the submission */
   uint32_t draws; /* number of draw packets that were read from the submission so far */
   bool end;       /* the END packet has been read */
   unsigned made;  /* number of operations that the current call of sgd_cp_run() has created */
   /* False if the queue has reached its limit of operations in flight. Updated whenever an
    * operation is added.
    */
   bool room;
   /* number of draw packets that were joined with the current draw packet into one operation */
   unsigned joined;
   struct util_dynarray printed; /* struct sgpu_draw_plan: plans that have been printed */
   uint32_t paths; /* bitmask of the paths (enum sgpu_path) that the current draw uses */
   /* number of draws that used each path, until the counts are added to the device's counters */
   uint32_t path_draws[SGPU_PATHS];
   /* The most recent draws all used the paths in same_paths. same_draws is the number of these
    * draws, which path_draws doesn't include yet.
    */
   uint32_t same_paths, same_draws;
   /* for the profiler: current frame, number of operations in it so far, and the last marker */
   uint32_t frame, in_frame;
   char label[64];
   struct sgd_query *slots[SGD_QUERY_SLOTS]; /* active query in each query slot, or NULL */

   /* Each submission has its own buffer list, so the state is reset after each submission. */
   struct sgd_state cur;
   bool have_framebuffer;
   struct sgd_xfb_config xfb;
   bool dirty;                 /* the state has changed since `snapshot` was created */
   bool replan;                /* one of these changes can affect the plan of draws */
   struct sgd_state *snapshot; /* most recent copy of the state, shared by draws, or NULL */
   struct sgd_draw_part parts[SGD_JOIN_PARTS]; /* temporary array for sgd_cp_join() */
   /* Predicate for packets with the Conditional bit, or NULL if they are always executed. */
   struct sgd_predicate *predicate;
   struct sgd_const_context contexts[SGD_CONST_CONTEXTS];
   unsigned num_contexts;         /* highest index of a context in use, plus 1 */
   struct sgd_tile_array_key key; /* key of the tile array for the current framebuffer */
};

struct sgd_cp *sgd_cp_create(struct sgd_dispatch *dispatch, struct sgd_shader_cache *cache);
void sgd_cp_destroy(struct sgd_cp *cp);
/* Parses packets until the end of the submission, and then returns true. Returns false if it stops
 * earlier, because it has created enough operations for now. The next call must then be for the
 * same submission. Must be called without the lock, and only by one worker at a time.
 */
bool sgd_cp_run(struct sgd_cp *cp, struct sgd_submission *sub, struct sgd_worker *worker);
/* Adds the number of draws that used each path to the device's counters. Must be called with the
 * scheduler's lock held.
 */
void sgd_cp_count_paths(struct sgd_cp *cp);

#endif
