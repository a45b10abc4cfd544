/* SPDX-License-Identifier: MIT */
/*
 * Operations of the dispatch unit: draws, transfers, grids, timestamps, ends and
 * results of queries.  The command processor makes a node without the lock and adds it
 * under the lock; it ends on its own.
 */
#ifndef SGD_NODE_H
#define SGD_NODE_H

#include "ia/sgd_ia_cut.h"
#include "sgd_batch.h"
#include "sgd_compute.h"
#include "sgd_hazard.h"
#include "sgd_query.h"
#include "sgd_sched.h"
#include "sgd_submission.h"
#include "sgd_tile_array.h"
#include "sgd_xfer.h"
#include "util/u_dynarray.h"

enum sgd_node_kind {
   SGD_NODE_DRAW,
   SGD_NODE_XFER,
   SGD_NODE_GRID,
   SGD_NODE_TIMESTAMP,
   SGD_NODE_QUERY,  /* END QUERY */
   SGD_NODE_RESULT, /* STORE RESULT, PREDICATE */
};

/* A batch between the cutter and its end. */
struct sgd_pending_batch {
   struct list_head link; /* of node->batches, in order of cutting */
   struct sgd_batch batch;
   struct sgd_node *node;
   uint32_t number;            /* of the draw's that were cut, from 0 */
   uint32_t part;              /* 0, or how many batches have gone on with it before */
   bool ready;                 /* its front end has run */
   size_t bytes;               /* of its arena, once that has run */
   uint32_t entries;           /* tile entries that have not run, and its xfb write */
   uint32_t heads_missing;     /* sgd_node_is_whole: tiles in which it is not first */
   struct sgd_work raster;     /* likewise: first in all its tiles */
   struct list_head rest_link; /* of node->rests */
   struct list_head xfb_link;  /* of node->xfb_batches */
   struct sgd_work xfb;        /* its primitives have their place in the buffers */
};

/* How far the tiles of a draw are, or the groups of a grid. */
struct sgd_progress {
   uint64_t total, begun, done;
};

struct sgd_node {
   enum sgd_node_kind kind;
   struct sgd_dispatch *dispatch;
   uint64_t seq;         /* program order over all queues */
   uint64_t spent_ns;    /* time in which a worker worked for it, as the watch has seen */
   uint64_t since_ns;    /* spent_ns where tile work of a draw or a grid was first seen; or 0 */
   uint64_t done_before; /* of its progress, then */
   struct sgd_progress progress;
   bool overdue; /* that was too much, or will be */
   bool slow;    /* a grid whose chunks take long */
   struct sgd_submission *sub;
   uint32_t index;               /* among the submission's operations, from 0 */
   uint32_t packet, draw_number; /* in the submission: packets from 0; draws from 1 */
   struct list_head link;        /* dispatch->nodes */
   struct list_head client_link; /* client->nodes */
   struct list_head order_link;  /* array->order, until all is in the tile queues */
   struct sgd_tile_array *array;
   struct sgd_work work; /* draws: batches to cut; others without tiles: all of it */

   struct sgd_draw draw;
   struct sgd_ia_cutter cutter;
   bool cut_all, cutting;
   uint32_t batches_cut, batches_continued;
   struct list_head batches;     /* cut, not yet in the tile queues */
   struct list_head rests;       /* of these, those that go on with what others have left */
   uint64_t evaluated;           /* vertices of tessellation */
   uint32_t batches_out;         /* batches whose tile work or xfb write is not over */
   struct list_head xfb_batches; /* in order, without a place in the xfb buffers */
   uint16_t stipple;             /* line stipple counter behind the batches committed */

   struct sgd_compute *compute;
   bool groups_known;   /* the grid's numbers of groups were read */
   uint64_t groups;     /* of the grid */
   uint64_t groups_cut; /* the first so many have begun, or do not run */
   uint32_t chunks_out; /* that run */

   struct sgd_xfer *xfer;
   const struct sgd_surface *followed; /* that of *xfer whose tile (x, y) of the first layer the
                                        * operation's tile (x, y) accesses, and no other of its
                                        * tiles; or NULL */
   uint64_t *timestamp;
   struct sgd_query *query;
   struct sgd_result result;
   struct sgd_predicate *predicate; /* the node does nothing where it does not hold; or NULL */

   uint32_t wait_front, wait_raster; /* dependences that hold it back */
   bool committed;
   uint32_t entries;                 /* tile entries that have not run */
   struct sgd_tile *stalled;         /* tiles that wait for this operation */
   struct util_dynarray dependences; /* struct sgd_dependence *: count this operation */
   struct util_dynarray accesses;    /* struct sgd_access */
   struct util_dynarray queries;     /* struct sgd_query * */
   struct sgd_stats stats;
   struct sgd_xfb_stats xfb_stats;
   bool skip;              /* does nothing: its submission has failed */
   _Atomic uint32_t stops; /* batches and tile entries in which the watchdog stopped a warp */
   bool out_of_memory;     /* something of it is missing: it must not run */
   uint8_t stalls;         /* mask of enum sgpu_dependence: what it waited for */
   bool writes_buffer;     /* draws may read its destination as input */
};

struct sgd_node *sgd_node_create(struct sgd_dispatch *d, enum sgd_node_kind kind,
                                 struct sgd_submission *sub);
void sgd_node_destroy(struct sgd_node *node); /* one that was not added */
/* Of the dispatch unit's spare ones. */
void sgd_node_finish_spare(void *node);
/* Both set node->out_of_memory where they fail.  The access that is added is to be filled
 * by the caller; NULL: out of memory.
 */
struct sgd_access *sgd_node_access(struct sgd_node *node);
void sgd_node_query(struct sgd_node *node, struct sgd_query *query);

/* Scheduler's lock held: */
/* Adds the node.  False where there is no memory for it or its tiles; nothing
 * has happened then.  Where memory ends later, the submission fails and the
 * node is skipped.
 */
bool sgd_node_add(struct sgd_dispatch *d, struct sgd_node *node,
                  const struct sgd_tile_array_key *key, uint32_t layers);
/* No more groups of the grid begin. */
static inline void
sgd_node_end_groups(struct sgd_node *node)
{
   node->groups_known = true;
   node->groups_cut = node->groups;
}
/* Its dependences allow raster work. */
void sgd_node_raster_ready(struct sgd_dispatch *d, struct sgd_node *node);
/* Its dependences allow its front end. */
void sgd_node_front_ready(struct sgd_dispatch *d, struct sgd_node *node);
/* Ends the node if nothing of it is left. */
void sgd_node_check_end(struct sgd_dispatch *d, struct sgd_node *node);
/* Names the node for as long as the device lives; not 0. */
static inline uint64_t
sgd_node_number(const struct sgd_node *node)
{
   return node->seq + 1;
}
/* Its submission ends with an error. */
void sgd_node_fail(struct sgd_node *node, const char *message);
/* Frees the nodes that have ended. */
void sgd_nodes_reap(struct sgd_dispatch *d);
/* The draw reads a byte of [first, last) as indices, or as numbers of an indirect draw
 * that it has not taken; draws with the state read one as vertices or constants.
 */
bool sgd_draw_reads(const struct sgd_draw *draw, const uint8_t *first, const uint8_t *last);
bool sgd_state_reads(const struct sgd_state *st, const uint8_t *first, const uint8_t *last);

/* The node does something.  Valid once wait_front is 0. */
static inline bool
sgd_node_happens(const struct sgd_node *node)
{
   return !node->predicate || node->predicate->holds;
}

#endif
