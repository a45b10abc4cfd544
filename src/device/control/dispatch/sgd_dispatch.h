/* SPDX-License-Identifier: MIT */
/*
 * The dispatch unit, which keeps operations in order where necessary (Wolfe and Noonburg 1999). It
 * is a data structure, not a thread.
 *
 * An operation (struct sgd_node) is a draw, clear, copy, blit, fill, grid, timestamp or query
 * result. It has destination regions D, which it writes, and source regions S, which it reads.
 * Operations with the same render targets share a tile array, which has a queue of entries for each
 * 64x64 tile. One worker at a time runs the entries of a tile, in order. Nothing else orders these
 * operations.
 *
 * Operations in different tile arrays can access the same memory, and an operation P can read what
 * an earlier operation D writes, or the other way round:
 *     depend(P, D) = S_P n D_D  +  D_P n D_D  +  D_P n S_D
 * In these cases, the later operation waits until the earlier one has ended (sgd_hazard.h,
 * sgd_dependence.h).
 *
 * The batches of a draw go through the front end in parallel. Their tile lists are then appended to
 * the tile queues in the order of operations and batches.
 */
#ifndef SGD_DISPATCH_H
#define SGD_DISPATCH_H

#include "control/arena/sgd_spares.h"
#include "control/dispatch/sgd_node.h"

/* Immutable copy of the state that draws share, made by sgd_cp_snapshot(). */
struct sgd_snapshot {
   struct sgd_state state;
   struct sgd_spares *home; /* free list that the copy is returned to */
};

struct sgd_dispatch {
   struct sgd_sched *sched;
   struct sgd_memory *memory;
   const struct sgd_arch_ops *ops;
   const struct sgpu_device_params *params;
   uint64_t next_seq;        /* sequence number for the next operation */
   uint64_t submissions;     /* number of submissions so far; becomes the ID of the next one */
   uint32_t observed_states; /* number of state IDs that have been assigned for the observer */
   struct list_head nodes;   /* struct sgd_node: operations that have not ended, in program order */
   uint32_t num_nodes;       /* number of operations in `nodes` */
   struct list_head ended;   /* struct sgd_node: operations that have ended but are not freed yet */
   struct list_head arrays;  /* all tile arrays (struct sgd_tile_array), most recently used first */
   unsigned num_arrays;
   struct sgd_tile_entry *free_entries;
   uint32_t num_free_entries;
   /* how many of the free entries are reserved for operations in flight */
   uint32_t reserved_entries;
   uint32_t queued_entries;              /* total number of entries in all tile queues */
   struct sgd_entry_block *entry_blocks; /* memory that contains all entries */
   struct sgd_arena_pool arenas;         /* memory blocks for the arenas of batches */
   struct sgd_spares spare_nodes, spare_batches, spare_snapshots;
   struct list_head free_hazards; /* unused struct sgd_hazards */
   /* Number of recent tile runs in which it was faster to delay the shading of fragments, minus the
    * number of runs in which it was slower. See sgd_tile_run.c.
    */
   atomic_int breaks;
   size_t batch_bytes; /* total arena size of all batches that have left the front end, in bytes */
   /* number of operations in flight that write a buffer which draws may read */
   _Atomic uint32_t buffer_writers;
};

/* Maximum number of operations in flight per queue. The command processor stops at this limit. */
#define SGD_MAX_IN_FLIGHT 512
/* If batches use more memory than this, tile work runs before front ends. SGD_ARENA_PRESSURE is the
 * number of arena blocks (of 64 KiB) in use, and SGD_BATCH_PRESSURE is the number of bytes per
 * worker. With more memory, the output of the front end would be evicted from the caches before it
 * is rasterized.
 */
#define SGD_ARENA_PRESSURE 1024
#define SGD_BATCH_PRESSURE (512 * 1024)

/* Memory is only allocated where the submission can still fail with an error: when an operation is
 * created or added, and when a batch is created or leaves the front end. At these points, space for
 * all following work items and tile entries is reserved, so that nothing can fail later.
 */
void sgd_dispatch_init(struct sgd_dispatch *d, struct sgd_sched *sched, struct sgd_memory *memory,
                       const struct sgd_arch_ops *ops, const struct sgpu_device_params *params);
void sgd_dispatch_finish(struct sgd_dispatch *d);

/* Returns true if a worker rasterizes each batch of the draw in all tiles, once the batch is at the
 * head of all these tile queues.
 */
static inline bool
sgd_node_is_whole(const struct sgd_dispatch *d, const struct sgd_node *node)
{
   return d->params->dispatch == SGPU_DISPATCH_OOO || node->draw.ordered;
}

/* Returns true if the queue may have more operations in flight. Called with the lock held. */
bool sgd_client_has_room(const struct sgd_dispatch *d, const struct sgd_client *client);

/* Functions in sgd_run.c, sgd_grid_run.c and sgd_tile_run.c: */
/* Callbacks for work items: run an operation without tiles, a part of a grid, the front end of a
 * draw, or entries of a tile.
 */
void sgd_run_node(struct sgd_work *work, struct sgd_worker *worker);
void sgd_run_grid(struct sgd_work *work, struct sgd_worker *worker);
void sgd_run_front(struct sgd_work *work, struct sgd_worker *worker);
void sgd_run_tile(struct sgd_work *work, struct sgd_worker *worker);
/* Called when a tile entry of the batch, or the transform feedback write of the batch, has ended.
 * The lock must be held.
 */
void sgd_batch_done(struct sgd_dispatch *d, struct sgd_pending_batch *batch);
/* Ends a batch after all its tile entries and its transform feedback write have ended. The lock
 * must be held.
 */
void sgd_batch_end(struct sgd_dispatch *d, struct sgd_pending_batch *batch);

#endif
