/* SPDX-License-Identifier: MIT */
/*
 * The dispatch unit (Wolfe and Noonburg 1999), which is a data structure, not a thread.
 *
 * An operation (struct sgd_node) is a draw, clear, copy, blit, fill, grid, timestamp or query
 * result. It has destination regions D and source regions S. Operations with the same targets share
 * a tile array, which has a queue of entries for each 64x64 tile. One worker at a time runs the
 * entries of a tile, in order; nothing else orders these operations.
 *
 * If regions of operations in different tile arrays overlap, or an operation P reads a region that
 * an earlier operation D writes or vice versa,
 *     depend(P, D) = S_P n D_D  +  D_P n D_D  +  D_P n S_D
 * the later operation waits for the end of the earlier one (sgd_hazard.h, sgd_dependence.h).
 *
 * The batches of a draw run through the front end in parallel. Their tile lists are appended to the
 * tile queues in the order of operations and batches.
 */
#ifndef SGD_DISPATCH_H
#define SGD_DISPATCH_H

#include "control/arena/sgd_spares.h"
#include "control/dispatch/sgd_node.h"

/* Copy of the state for draws, made by sgd_cp_snapshot(). */
struct sgd_snapshot {
   struct sgd_state state;
   struct sgd_spares *home; /* free list to which the copy is returned */
};

struct sgd_dispatch {
   struct sgd_sched *sched;
   struct sgd_memory *memory;
   const struct sgd_arch_ops *ops;
   const struct sgpu_device_params *params;
   uint64_t next_seq;        /* sequence number of the next operation */
   uint64_t submissions;     /* number of submissions so far, used for submission IDs */
   uint32_t observed_states; /* number of states reported to the observer so far */
   struct list_head nodes;   /* operations that have not ended, in program order */
   uint32_t num_nodes;       /* number of operations in `nodes` */
   struct list_head ended;   /* operations that have ended and must be freed */
   struct list_head arrays;  /* struct sgd_tile_array, most recently used first */
   unsigned num_arrays;
   struct sgd_tile_entry *free_entries;
   uint32_t num_free_entries;
   uint32_t reserved_entries; /* number of free entries that are reserved for work in flight */
   uint32_t queued_entries;   /* number of entries in the queues of all tiles */
   struct sgd_entry_block *entry_blocks; /* memory that contains all entries */
   struct sgd_arena_pool arenas;         /* pool of memory blocks for batches */
   struct sgd_spares spare_nodes, spare_batches, spare_snapshots;
   struct list_head free_hazards; /* unused struct sgd_hazards */
   /* number of recent tile runs in which delayed shading saved time, minus the runs in which it
    * cost time (sgd_tile_run.c)
    */
   atomic_int breaks;
   size_t batch_bytes; /* arena memory of the batches whose front end has run, in bytes */
   _Atomic uint32_t buffer_writers; /* number of operations in flight with writes_buffer set */
};

/* Maximum number of operations in flight per queue, at which the command processor pauses. */
#define SGD_MAX_IN_FLIGHT 512
/* Limits above which tile work is preferred: arena blocks (64 KiB) in use, and bytes of batches per
 * thread. With more memory, data would be evicted from the caches between the front end and the
 * raster engine.
 */
#define SGD_ARENA_PRESSURE 1024
#define SGD_BATCH_PRESSURE (512 * 1024)

/* Memory is only allocated where a submission can still fail with an error: when an operation is
 * created or added, and when a batch is created or leaves the front end. Heap space for the ready
 * work and the tile entries that follow are reserved at these points, so that nothing can fail in
 * between.
 */
void sgd_dispatch_init(struct sgd_dispatch *d, struct sgd_sched *sched, struct sgd_memory *memory,
                       const struct sgd_arch_ops *ops, const struct sgpu_device_params *params);
void sgd_dispatch_finish(struct sgd_dispatch *d);

/* Returns true if each batch of the draw is rasterized as a whole, once it is first in all its
 * tiles.
 */
static inline bool
sgd_node_is_whole(const struct sgd_dispatch *d, const struct sgd_node *node)
{
   return d->params->dispatch == SGPU_DISPATCH_OOO || node->draw.ordered;
}

/* Returns true if the client can have more operations in flight. Called with the lock held. */
bool sgd_client_has_room(const struct sgd_dispatch *d, const struct sgd_client *client);

/* Functions in sgd_run.c, sgd_grid_run.c and sgd_tile_run.c: */
/* Run the work of an operation without tiles, a grid, a front end, or a tile. */
void sgd_run_node(struct sgd_work *work, struct sgd_worker *worker);
void sgd_run_grid(struct sgd_work *work, struct sgd_worker *worker);
void sgd_run_front(struct sgd_work *work, struct sgd_worker *worker);
void sgd_run_tile(struct sgd_work *work, struct sgd_worker *worker);
/* Called with the lock held whenever a tile entry of the batch, or its transform feedback write,
 * has ended.
 */
void sgd_batch_done(struct sgd_dispatch *d, struct sgd_pending_batch *batch);
/* Ends a batch once all its tile entries and its transform feedback write have ended. Called with
 * the lock held.
 */
void sgd_batch_end(struct sgd_dispatch *d, struct sgd_pending_batch *batch);

#endif
