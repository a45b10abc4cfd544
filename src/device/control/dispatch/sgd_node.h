/* SPDX-License-Identifier: MIT */
/*
 * Operations of the dispatch unit: draws, transfers, grids, timestamps, and ends and results of
 * queries. The command processor creates a node without the lock, and adds it with the lock held.
 * The dispatch unit frees the node after it has ended.
 */
#ifndef SGD_NODE_H
#define SGD_NODE_H

#include "geometry/cut/sgd_ia_cut.h"
#include "common/sgd_batch.h"
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

/* A batch between its creation by the cutter and its end. */
struct sgd_pending_batch {
   struct list_head link; /* link in node->batches, in the order in which the batches were cut */
   struct sgd_batch batch;
   struct sgd_node *node; /* draw that the batch belongs to */
   uint32_t number;       /* index of the batch among the batches that the draw was cut into */
   /* 0 for a batch made by the cutter; index of the continuation for a batch that continues another
    * one
    */
   uint32_t part;
   bool ready;   /* the front end has run */
   size_t bytes; /* arena size in bytes; only valid once the front end has run */
   /* number of tile entries that have not ended, plus 1 for a pending transform feedback write */
   uint32_t entries;
   /* number of tiles in which the batch is not at the head yet; only for batches that run as a
    * whole (sgd_node_is_whole())
    */
   uint32_t heads_missing;
   /* rasterizes the batch as a whole, once it is at the head of all its tiles */
   struct sgd_work raster;
   struct list_head rest_link; /* link in node->rests */
   struct list_head xfb_link;  /* link in node->xfb_batches */
   struct sgd_work xfb; /* writes transform feedback, once the offsets in the buffers are known */
};

/* Progress of a draw in tile entries, or of a grid in workgroups. */
struct sgd_progress {
   uint64_t total, begun, done;
};

struct sgd_node {
   enum sgd_node_kind kind;
   struct sgd_dispatch *dispatch;
   uint64_t seq; /* position in program order among all queues */
   /* CPU time spent on the operation in ns: sum over all checks by the watch, each adding the time
    * of the worker that worked the most (sgd_budget.c)
    */
   uint64_t spent_ns;
   /* value of spent_ns when the watch first saw tile work of the draw, or the grid; 0 before that
    */
   uint64_t since_ns;
   uint64_t done_before; /* value of progress.done at that time */
   struct sgd_progress progress;
   /* the operation has exceeded its time limit, or is predicted to exceed it by far */
   bool overdue;
   bool slow; /* the grid's chunks take long, so that each chunk is limited to one workgroup */
   struct sgd_submission *sub;
   uint32_t index; /* index of the operation in its submission */
   /* index of the packet in the submission; 1-based index of the draw in the submission, or 0 if
    * the operation is not a draw
    */
   uint32_t packet, draw_number;
   struct list_head link;        /* link in dispatch->nodes */
   struct list_head client_link; /* link in client->nodes */
   struct list_head order_link;  /* link in array->order, until all work is in the tile queues */
   struct sgd_tile_array *array; /* tile array of the targets, or NULL for work without tiles */
   struct sgd_work work; /* front end of a draw; all the work of an operation without tiles */

   struct sgd_draw draw;
   struct sgd_ia_cutter cutter;
   bool cut_all, cutting; /* the draw has been cut completely; a worker is cutting a batch */
   /* number of batches that were cut from the draw; number of batches that continue other batches
    */
   uint32_t batches_cut, batches_continued;
   struct list_head batches; /* batches that are not in the tile queues yet */
   struct list_head rests;   /* continuation batches in `batches` whose front end has not run yet */
   uint64_t evaluated;       /* number of vertices evaluated by tessellation */
   uint32_t batches_out;     /* number of committed batches that have not ended */
   /* committed batches that have no offsets in the transform feedback buffers yet, in order */
   struct list_head xfb_batches;
   uint16_t stipple; /* line stipple counter after all committed batches */

   struct sgd_compute *compute;
   bool groups_known;   /* the number of workgroups of the grid has been read */
   uint64_t groups;     /* number of workgroups of the grid */
   uint64_t groups_cut; /* number of leading workgroups that have started, or will be skipped */
   uint32_t chunks_out; /* number of chunks of workgroups that are running */

   struct sgd_xfer *xfer;
   /* Surface of *xfer that orders the operation's tiles, or NULL. Tile (x, y) of the operation only
    * accesses tile (x, y) of the first layer of this surface.
    */
   const struct sgd_surface *followed;
   uint64_t *timestamp;     /* host address at which a timestamp is written */
   struct sgd_query *query; /* query that END QUERY ends */
   struct sgd_result result;
   /* predicate that must hold for the node to have any effect, or NULL */
   struct sgd_predicate *predicate;

   /* number of dependences that the front end waits for; number that all other work waits for */
   uint32_t wait_front, wait_raster;
   bool committed;                   /* all work is in the tile queues */
   uint32_t entries;                 /* number of tile entries of a transfer that have not ended */
   struct sgd_tile *stalled;         /* list of tiles whose head waits until wait_raster is 0 */
   struct util_dynarray dependences; /* sets that contain this operation, struct sgd_dependence * */
   struct util_dynarray accesses;    /* regions that the operation accesses, struct sgd_access */
   struct util_dynarray queries;     /* queries that count this operation, struct sgd_query * */
   struct sgd_stats stats;
   struct sgd_xfb_stats xfb_stats;
   bool skip;              /* the node has no effect, because its submission has failed */
   _Atomic uint32_t stops; /* number of pieces of work in which the watchdog stopped a warp */
   bool out_of_memory;     /* an access or query could not be allocated, so the node must not run */
   /* bitmask of the kinds of dependences (enum sgpu_dependence) that the node has waited for */
   uint8_t stalls;
   bool writes_buffer; /* draws may read the destination as input */
};

/* Creates an operation of a submission. Returns NULL on allocation failure. */
struct sgd_node *sgd_node_create(struct sgd_dispatch *d, enum sgd_node_kind kind,
                                 struct sgd_submission *sub);
void sgd_node_destroy(struct sgd_node *node); /* only for nodes that were not added */
/* Frees the memory that a spare node still owns (sgd_spares.finish). */
void sgd_node_finish_spare(void *node);
/* Adds an access, to be filled in by the caller. Returns NULL on allocation failure. This function
 * and sgd_node_query() set node->out_of_memory on failure.
 */
struct sgd_access *sgd_node_access(struct sgd_node *node);
/* Makes a query count the operation. */
void sgd_node_query(struct sgd_node *node, struct sgd_query *query);

/* The following functions are called with the scheduler's lock held. */
/* Adds the node to the dispatch unit. Returns false and changes nothing on allocation failure, or
 * if there are too many tiles. If a later allocation fails, the submission fails and the node is
 * skipped.
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
/* Called when wait_raster has reached 0: starts the raster work, or an operation without tiles. */
void sgd_node_raster_ready(struct sgd_dispatch *d, struct sgd_node *node);
/* Called when wait_front has reached 0: starts the front end. */
void sgd_node_front_ready(struct sgd_dispatch *d, struct sgd_node *node);
/* Ends the node if all its work has ended. */
void sgd_node_check_end(struct sgd_dispatch *d, struct sgd_node *node);
/* Returns a unique ID of the node for the lifetime of the device, never 0. */
static inline uint64_t
sgd_node_number(const struct sgd_node *node)
{
   return node->seq + 1;
}
/* Fails the node's submission with an error. */
void sgd_node_fail(struct sgd_node *node, const char *message);
/* Frees all nodes that have ended. */
void sgd_nodes_reap(struct sgd_dispatch *d);
/* Returns true if the draw reads any byte of [first, last) as an index, or as an indirect parameter
 * that has not been read yet.
 */
bool sgd_draw_reads(const struct sgd_draw *draw, const uint8_t *first, const uint8_t *last);
/* Returns true if draws with this state read any byte of [first, last) as vertex data or constants.
 */
bool sgd_state_reads(const struct sgd_state *st, const uint8_t *first, const uint8_t *last);

/* Returns false if the predicate disables the node. Only valid once wait_front is 0. */
static inline bool
sgd_node_happens(const struct sgd_node *node)
{
   return !node->predicate || node->predicate->holds;
}

#endif
