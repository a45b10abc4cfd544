/* SPDX-License-Identifier: MIT */
/*
 * Operations of the dispatch unit: draws, transfers, grids, timestamps and query results. The
 * command processor creates a node without holding the lock, and adds it with the lock held. The
 * dispatch unit frees the node when the operation has ended.
 */
#ifndef SGD_NODE_H
#define SGD_NODE_H

#include "geometry/cut/sgd_ia_cut.h"
#include "common/sgd_batch.h"
#include "common/sgd_position.h"
#include "shader/grid/sgd_compute.h"
#include "control/dispatch/sgd_hazard.h"
#include "control/dispatch/sgd_query.h"
#include "control/sched/sgd_sched.h"
#include "control/dispatch/sgd_submission.h"
#include "control/dispatch/sgd_tile_array.h"
#include "common/sgd_xfer.h"
#include "util/u_dynarray.h"

enum sgd_node_kind {
   SGD_NODE_DRAW,
   SGD_NODE_XFER,
   SGD_NODE_GRID,
   SGD_NODE_TIMESTAMP,
   SGD_NODE_QUERY,  /* END QUERY */
   SGD_NODE_RESULT, /* STORE RESULT, PREDICATE */
};

/* A batch of a draw, from its creation until all its work has ended. */
struct sgd_pending_batch {
   struct list_head link; /* link in node->batches, in the order of the primitives */
   struct sgd_batch batch;
   struct sgd_node *node; /* draw that the batch belongs to */
   uint32_t number;       /* index of the batch in the draw */
   /* If the front end splits a batch into parts, index of this part. 0 for the first part. */
   uint32_t part;
   bool ready;   /* the front end has finished this batch */
   size_t bytes; /* size of the arena in bytes; not valid before `ready` is set */
   /* number of tile entries that have not ended, plus 1 until transform feedback is written */
   uint32_t entries;
   /* Number of tile queues in which another entry is before this batch. Only used if the batch runs
    * in all tiles at the same time (sgd_node_is_whole()).
    */
   uint32_t heads_missing;
   /* rasterizes all tiles; ready when the batch is at the head of their queues */
   struct sgd_work raster;
   struct list_head rest_link; /* link in node->rests */
   struct list_head xfb_link;  /* link in node->xfb_batches */
   struct sgd_work xfb; /* writes transform feedback; ready when the buffer offsets are known */
};

/* How many tile entries of a draw, or workgroups of a grid, have started and ended. */
struct sgd_progress {
   uint64_t total, begun, done;
};

struct sgd_node {
   enum sgd_node_kind kind;
   struct sgd_dispatch *dispatch;
   uint64_t seq; /* position in the program order of all queues */
   /* CPU time of the operation in ns. Each check by the watch adds the time of one worker, the one
    * that used the most CPU time for the operation (sgd_budget.c).
    */
   uint64_t spent_ns;
   /* spent_ns at the first check after all batches of the draw were in the tile queues, or after
    * the grid started; 0 before that
    */
   uint64_t since_ns;
   uint64_t done_before; /* progress.done at the time of this check */
   struct sgd_progress progress;
   /* the operation has exceeded its time budget, or is predicted to exceed it by far */
   bool overdue;
   /* the last chunk of the grid took too long, so later chunks have only one workgroup */
   bool slow;
   struct sgd_submission *sub;
   uint32_t index; /* index of the operation in the submission */
   /* packet: index of the packet in the submission; draw_number: 1-based index of the draw packet
    * in the submission, or 0 if this is not a draw
    */
   uint32_t packet, draw_number;
   struct sgd_place place;       /* for the profiler */
   struct list_head link;        /* link in dispatch->nodes */
   struct list_head client_link; /* link in client->nodes */
   /* link in array->order; removed when all work is in the tile queues */
   struct list_head order_link;
   /* tile array of the render targets, or NULL for operations without tiles */
   struct sgd_tile_array *array;
   struct sgd_work work; /* runs the front end of a draw, or an operation without tiles */

   struct sgd_draw draw;
   struct sgd_ia_cutter cutter;
   /* cut_all: no more batches will be cut; cutting: a worker is currently cutting a batch */
   bool cut_all, cutting;
   /* batches_cut: number of batches that the draw was cut into; batches_continued: number of
    * batches that continue another batch
    */
   uint32_t batches_cut, batches_continued;
   /* struct sgd_pending_batch: batches that are not in the tile queues yet */
   struct list_head batches;
   /* those of `batches` that continue another batch and have not entered the front end */
   struct list_head rests;
   uint64_t evaluated;   /* number of vertices that tessellation evaluation has processed */
   uint32_t batches_out; /* number of batches that are in the tile queues and have not ended */
   /* Batches in the tile queues that still need offsets in the transform feedback buffers, in
    * order.
    */
   struct list_head xfb_batches;
   uint16_t stipple; /* line stipple counter after the last batch in the tile queues */

   struct sgd_compute *compute;
   bool groups_known;   /* the grid's number of workgroups was read, so `groups` is valid */
   uint64_t groups;     /* number of workgroups of the grid */
   uint64_t groups_cut; /* workgroups 0 to groups_cut - 1 have started, or will be skipped */
   uint32_t chunks_out; /* number of chunks that workers are currently running */

   struct sgd_xfer *xfer;
   /* A surface of the transfer, or NULL. Each tile of the transfer accesses only the same tile in
    * the first layer of this surface, so the tile queues of the surface can keep the order.
    */
   const struct sgd_surface *followed;
   uint64_t *timestamp;     /* host address to which the timestamp is written */
   struct sgd_query *query; /* query that END QUERY ends */
   struct sgd_result result;
   /* If not NULL, the node only has an effect if this predicate is true. */
   struct sgd_predicate *predicate;

   /* wait_front: number of dependences that the front end waits for; wait_raster: number of those
    * that all other work waits for
    */
   uint32_t wait_front, wait_raster;
   bool committed;           /* everything has been added to the tile queues */
   uint32_t entries;         /* number of tile entries of the transfer that have not ended */
   struct sgd_tile *stalled; /* list of tiles that wait until wait_raster is 0 */
   struct util_dynarray dependences; /* struct sgd_dependence *: sets that contain this operation */
   /* struct sgd_access: regions of memory that the operation accesses */
   struct util_dynarray accesses;
   struct util_dynarray queries; /* struct sgd_query *: queries that count this operation */
   struct sgd_stats stats;
   struct sgd_xfb_stats xfb_stats;
   bool skip;              /* do nothing, because the submission has failed */
   _Atomic uint32_t stops; /* number of work items in which the watchdog has stopped a warp */
   /* an allocation has failed, so the list of accesses or queries is incomplete */
   bool out_of_memory;
   /* bitmask of enum sgpu_dependence: the kinds of dependences that the node had to wait for */
   uint8_t stalls;
   bool writes_buffer; /* a later draw may read the memory that this node writes */
};

/* Creates an operation as part of a submission. Returns NULL if out of memory. */
struct sgd_node *sgd_node_create(struct sgd_dispatch *d, enum sgd_node_kind kind,
                                 struct sgd_submission *sub);
void sgd_node_destroy(struct sgd_node *node); /* only for nodes that were never added */
/* Callback for sgd_spares.finish: frees the memory that a spare node has kept. */
void sgd_node_finish_spare(void *node);
/* Adds an access, which the caller must fill in. If out of memory, this function and
 * sgd_node_query() set node->out_of_memory.
 */
struct sgd_access *sgd_node_access(struct sgd_node *node);
/* Makes a query count the operation. */
void sgd_node_query(struct sgd_node *node, struct sgd_query *query);

/* The scheduler's lock must be held for the following functions. */
/* Adds the node to the dispatch unit. Returns false and changes nothing if out of memory, or if
 * there are too many tiles. If memory runs out at a later point, the submission fails and the node
 * is skipped.
 */
bool sgd_node_add(struct sgd_dispatch *d, struct sgd_node *node,
                  const struct sgd_tile_array_key *key, uint32_t layers);
/* Prevents more workgroups of the grid from starting. */
static inline void
sgd_node_end_groups(struct sgd_node *node)
{
   node->groups_known = true;
   node->groups_cut = node->groups;
}
/* Called when wait_raster has become 0. Starts rasterization, or an operation without tiles. */
void sgd_node_raster_ready(struct sgd_dispatch *d, struct sgd_node *node);
/* Called when wait_front has become 0. Starts the front end of a draw. */
void sgd_node_front_ready(struct sgd_dispatch *d, struct sgd_node *node);
/* Ends the node if all its work is done. */
void sgd_node_check_end(struct sgd_dispatch *d, struct sgd_node *node);
/* Returns a nonzero ID, which is unique for the lifetime of the device. */
static inline uint64_t
sgd_node_number(const struct sgd_node *node)
{
   return node->seq + 1;
}
/* Makes the submission of the node fail with this error message. */
void sgd_node_fail(struct sgd_node *node, const char *message);
/* Frees all nodes that have ended. */
void sgd_nodes_reap(struct sgd_dispatch *d);
/* Returns true if the draw reads any byte in [first, last) as an index. Also returns true for
 * indirect parameters, as long as they have not been read yet.
 */
bool sgd_draw_reads(const struct sgd_draw *draw, const uint8_t *first, const uint8_t *last);
/* Returns true if a draw with this state reads a byte in [first, last) as a vertex or constant. */
bool sgd_state_reads(const struct sgd_state *st, const uint8_t *first, const uint8_t *last);

/* Returns false if the node must do nothing because its predicate is false. Must not be called
 * before wait_front is 0.
 */
static inline bool
sgd_node_happens(const struct sgd_node *node)
{
   return !node->predicate || node->predicate->holds;
}

#endif
