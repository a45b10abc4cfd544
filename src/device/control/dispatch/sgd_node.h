/* SPDX-License-Identifier: MIT */
/*
 * Operations of the dispatch unit: draws, transfers, grids, timestamps, ends and results of
 * queries.  The command processor creates a node without the lock, and adds it with the lock held.
 * The dispatch unit frees the node after its end.
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

/* A batch between its cut and its end. */
struct sgd_pending_batch {
   struct list_head link; /* link in node->batches, in the order of cuts */
   struct sgd_batch batch;
   struct sgd_node *node;      /* draw */
   uint32_t number;            /* index among the batches that the draw was cut into */
   uint32_t part;              /* 0 for the batch as it was cut; number of the continuation for a
                                * batch that continues it */
   bool ready;                 /* the front end has run */
   size_t bytes;               /* size of the arena in bytes, valid once the front end has run */
   uint32_t entries;           /* number of tile entries that have not ended, plus 1 for a transform
                                * feedback write */
   uint32_t heads_missing;     /* number of tiles in which the batch is not first; for batches
                                * that run as a whole (sgd_node_is_whole()) */
   struct sgd_work raster;     /* rasterizes such a batch, once it is first in all its tiles */
   struct list_head rest_link; /* link in node->rests */
   struct list_head xfb_link;  /* link in node->xfb_batches */
   struct sgd_work xfb; /* writes transform feedback, once the place in the buffers is known */
};

/* Numbers of tile entries of a draw, or of groups of a grid. */
struct sgd_progress {
   uint64_t total, begun, done;
};

struct sgd_node {
   enum sgd_node_kind kind;
   struct sgd_dispatch *dispatch;
   uint64_t seq;         /* position in program order over all queues */
   uint64_t spent_ns;    /* processor time spent on the operation, in ns: the sum over the looks of
                          * the watch of the time of the worker that worked most (sgd_budget.c) */
   uint64_t since_ns;    /* spent_ns when the watch first saw tile work of the draw, or the grid; 0
                          * before that */
   uint64_t done_before; /* progress.done at that time */
   struct sgd_progress progress;
   bool overdue; /* the operation has exceeded its budget, or would exceed it by far */
   bool slow;    /* chunks of the grid take long, so each has only one group */
   struct sgd_submission *sub;
   uint32_t index;               /* index among the submission's operations */
   uint32_t packet, draw_number; /* index of the packet in the submission; number of the draw in the
                                  * submission, from 1, or 0 if this is no draw */
   struct list_head link;        /* link in dispatch->nodes */
   struct list_head client_link; /* link in client->nodes */
   struct list_head order_link;  /* link in array->order, until all work is in the tile queues */
   struct sgd_tile_array *array; /* tile array of the targets, or NULL for work without tiles */
   struct sgd_work work;         /* front end of a draw; all work of an operation without tiles */

   struct sgd_draw draw;
   struct sgd_ia_cutter cutter;
   bool cut_all, cutting;                   /* all batches are cut; a worker cuts a batch */
   uint32_t batches_cut, batches_continued; /* numbers of batches that were cut, and of batches that
                                             * continue others */
   struct list_head batches;                /* batches that are not in the tile queues yet */
   struct list_head rests;       /* those of them that continue another batch, before their front
                                  * end has run */
   uint64_t evaluated;           /* number of vertices that tessellation has evaluated */
   uint32_t batches_out;         /* number of committed batches that have not ended */
   struct list_head xfb_batches; /* committed batches without a place in the transform feedback
                                  * buffers, in order */
   uint16_t stipple;             /* line stipple counter after the committed batches */

   struct sgd_compute *compute;
   bool groups_known;   /* the number of groups of the grid is known */
   uint64_t groups;     /* number of groups of the grid */
   uint64_t groups_cut; /* number of leading groups that have begun, or will not run */
   uint32_t chunks_out; /* number of chunks that are running */

   struct sgd_xfer *xfer;
   /* Surface of *xfer that orders the operation's tiles: tile (x, y) of the operation accesses only
    * tile (x, y) of this surface's first layer.  NULL if there is none.
    */
   const struct sgd_surface *followed;
   uint64_t *timestamp;     /* address to write a timestamp to */
   struct sgd_query *query; /* query that END QUERY ends */
   struct sgd_result result;
   struct sgd_predicate *predicate; /* predicate without which the node does nothing, or NULL */

   uint32_t wait_front, wait_raster; /* numbers of dependences that the front end, and all other
                                      * work, wait for */
   bool committed;                   /* all work is in the tile queues */
   uint32_t entries;                 /* number of tile entries of a transfer that have not ended */
   struct sgd_tile *stalled;         /* list of tiles whose head waits for wait_raster to be 0 */
   struct util_dynarray dependences; /* struct sgd_dependence *: sets that contain this operation */
   struct util_dynarray accesses;    /* struct sgd_access: regions */
   struct util_dynarray queries;     /* struct sgd_query *: queries that count this operation */
   struct sgd_stats stats;
   struct sgd_xfb_stats xfb_stats;
   bool skip;              /* the node does nothing, because its submission has failed */
   _Atomic uint32_t stops; /* number of pieces of work in which the watchdog stopped a warp */
   bool out_of_memory;     /* accesses or queries are missing, so the node must not run */
   uint8_t stalls;         /* bit mask of enum sgpu_dependence: kinds that the node waited for */
   bool writes_buffer;     /* draws may read the destination as input */
};

/* Returns NULL if out of memory. */
struct sgd_node *sgd_node_create(struct sgd_dispatch *d, enum sgd_node_kind kind,
                                 struct sgd_submission *sub);
void sgd_node_destroy(struct sgd_node *node); /* only for a node that is not in the lists */
/* Frees what a spare node keeps (sgd_spares.finish). */
void sgd_node_finish_spare(void *node);
/* Adds an access, which the caller must fill.  Returns NULL if out of memory.  This function and
 * the next one set node->out_of_memory if they fail.
 */
struct sgd_access *sgd_node_access(struct sgd_node *node);
/* Makes a query count the operation. */
void sgd_node_query(struct sgd_node *node, struct sgd_query *query);

/* The following functions are called with the scheduler's lock held. */
/* Adds the node to the dispatch unit.  Returns false and changes nothing if out of memory, or if
 * there are too many tiles.  If memory runs out later, the submission fails and the node is
 * skipped.
 */
bool sgd_node_add(struct sgd_dispatch *d, struct sgd_node *node,
                  const struct sgd_tile_array_key *key, uint32_t layers);
/* Lets no more groups of the grid begin. */
static inline void
sgd_node_end_groups(struct sgd_node *node)
{
   node->groups_known = true;
   node->groups_cut = node->groups;
}
/* Called when wait_raster has become 0: starts raster work, or an operation without tiles. */
void sgd_node_raster_ready(struct sgd_dispatch *d, struct sgd_node *node);
/* Called when wait_front has become 0: starts the front end. */
void sgd_node_front_ready(struct sgd_dispatch *d, struct sgd_node *node);
/* Ends the node if all its work has ended. */
void sgd_node_check_end(struct sgd_dispatch *d, struct sgd_node *node);
/* Returns a number that identifies the node during the life of the device; never 0. */
static inline uint64_t
sgd_node_number(const struct sgd_node *node)
{
   return node->seq + 1;
}
/* Ends the node's submission with an error. */
void sgd_node_fail(struct sgd_node *node, const char *message);
/* Frees the nodes that have ended. */
void sgd_nodes_reap(struct sgd_dispatch *d);
/* Returns true if the draw reads a byte of [first, last) as an index, or as a parameter of an
 * indirect draw that was not read yet.
 */
bool sgd_draw_reads(const struct sgd_draw *draw, const uint8_t *first, const uint8_t *last);
/* Returns true if draws with the state read a byte of [first, last) as a vertex or constant. */
bool sgd_state_reads(const struct sgd_state *st, const uint8_t *first, const uint8_t *last);

/* Returns false if the predicate makes the node do nothing.  Valid once wait_front is 0. */
static inline bool
sgd_node_happens(const struct sgd_node *node)
{
   return !node->predicate || node->predicate->holds;
}

#endif
