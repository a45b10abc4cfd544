/* SPDX-License-Identifier: MIT */
/*
 * The dispatch unit (Wolfe and Noonburg 1999): a data structure, not a thread.
 *
 * An operation (struct sgd_node) is a draw, clear, copy, blit, fill, grid, timestamp
 * or result of a query.  It has destination and source regions.  Two operations
 * with the same targets share a tile array: one queue of entries per 64x64
 * tile, worked off in order, one worker at a time per tile; nothing else orders
 * them.  Where regions of different tile arrays meet, or one operation reads a
 * region that another writes,
 *     depend(P, D) = S_P n D_D  +  D_P n D_D  +  D_P n S_D
 * the later waits for the earlier as a whole (sgd_hazard.h, sgd_dependence.h).
 *
 * The front end of a draw works on batches that run in parallel; their tile
 * lists are put into the tile queues in the order of operations and batches.
 */
#ifndef SGD_DISPATCH_H
#define SGD_DISPATCH_H

#include "arena/sgd_spares.h"
#include "sgd_node.h"

/* A draw's copy of the state (sgd_cp_snapshot). */
struct sgd_snapshot {
   struct sgd_state state;
   struct sgd_spares *home;
};

struct sgd_dispatch {
   struct sgd_sched *sched;
   struct sgd_memory *memory;
   const struct sgd_arch_ops *ops;
   const struct sgpu_device_params *params;
   uint64_t next_seq;
   uint64_t submissions;     /* so far */
   uint32_t observed_states; /* that the observer was told of */
   struct list_head nodes;   /* that have not ended, in order */
   uint32_t num_nodes;
   struct list_head ended; /* to be freed */
   struct list_head arrays;
   unsigned num_arrays;
   struct sgd_tile_entry *free_entries;
   uint32_t num_free_entries;
   uint32_t reserved_entries; /* of the free ones: for work under way */
   uint32_t queued_entries;   /* in the queues of all tiles */
   struct sgd_entry_block *entry_blocks;
   struct sgd_arena_pool arenas; /* of batches */
   struct sgd_spares spare_nodes, spare_batches, spare_snapshots;
   struct list_head free_hazards;
   atomic_int breaks;  /* tiles in which waiting has paid lately, less those in which it has not */
   size_t batch_bytes; /* of the batches whose front end has run */
   _Atomic uint32_t buffer_writers; /* operations under way with writes_buffer */
};

/* Operations under way per queue; the command processor waits beyond. */
#define SGD_MAX_IN_FLIGHT 512
/* Arena blocks (64 KiB) in use, and bytes of batches for each thread, from which on tile work
 * goes first: more would not stay in the caches from the front end to the raster engine.
 */
#define SGD_ARENA_PRESSURE 1024
#define SGD_BATCH_PRESSURE (512 * 1024)

/* Memory is taken where a submission can still end with an error: when an
 * operation is made or added, and when a batch is made or has run.  Ready work
 * and tile entries, which are certain to follow, use room that is reserved then,
 * so that nothing in between can fail.
 */
void sgd_dispatch_init(struct sgd_dispatch *d, struct sgd_sched *sched, struct sgd_memory *memory,
                       const struct sgd_arch_ops *ops, const struct sgpu_device_params *params);
void sgd_dispatch_finish(struct sgd_dispatch *d);

/* Batches of the draw run as one, each when it is first in all its tiles. */
static inline bool
sgd_node_is_whole(const struct sgd_dispatch *d, const struct sgd_node *node)
{
   return d->params->dispatch == SGPU_DISPATCH_OOO || node->draw.ordered;
}

/* The client's operations under way allow for more.  Lock held. */
bool sgd_client_has_room(const struct sgd_dispatch *d, const struct sgd_client *client);

/* sgd_run.c, sgd_grid_run.c, sgd_tile_run.c: the work of nodes, tiles and batches */
void sgd_run_node(struct sgd_work *work, struct sgd_worker *worker);
void sgd_run_grid(struct sgd_work *work, struct sgd_worker *worker);
void sgd_run_front(struct sgd_work *work, struct sgd_worker *worker);
void sgd_run_tile(struct sgd_work *work, struct sgd_worker *worker);
/* One of the batch's tile entries, or its xfb write, is over; lock held. */
void sgd_batch_done(struct sgd_dispatch *d, struct sgd_pending_batch *batch);
/* The batch's tile work and xfb write are over; lock held. */
void sgd_batch_end(struct sgd_dispatch *d, struct sgd_pending_batch *batch);

#endif
