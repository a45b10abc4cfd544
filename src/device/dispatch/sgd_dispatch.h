/* SPDX-License-Identifier: MIT */
/*
 * The dispatch unit (Wolfe and Noonburg 1999): a data structure, not a thread.
 *
 * An operation (struct sgd_node) is a draw, clear, copy, blit, fill, timestamp
 * or result of a query.  It has destination and source regions.  Two operations with the
 * same targets share a grid: one queue of entries per 64x64 tile, worked off
 * in order, one worker at a time per tile; nothing else orders them.  Where
 * regions of different grids meet, or one operation reads what another writes,
 *     depend(P, D) = S_P n D_D  +  D_P n D_D  +  D_P n S_D
 * the later waits for the earlier as a whole, through an event.
 *
 * Geometry of a draw is cut in batches that run in parallel; their tile lists
 * are put into the grid's queues in the order of operations and batches.
 */
#ifndef SGD_DISPATCH_H
#define SGD_DISPATCH_H

#include <stdbool.h>
#include <stdint.h>

#include "ia/sgd_ia_cut.h"
#include "sgd_batch.h"
#include "sgd_xfer.h"
#include "util/list.h"
#include "util/u_dynarray.h"

struct sgpu_bo;
struct sgpu_device;
struct sgpu_queue;
struct sgd_submission;
struct sgd_grid;
struct sgd_node;
struct sgd_worker;

/* Work that a worker can take.  Lives inside its owner. */
enum sgd_item_kind {
   SGD_ITEM_CP,          /* a queue with packets to parse */
   SGD_ITEM_GEOMETRY,    /* a draw with batches to cut and run */
   SGD_ITEM_TILE,        /* a tile whose first entry can run */
   SGD_ITEM_BATCH,       /* policy ooo: a batch that is first in all its tiles */
   SGD_ITEM_CAPTURE,     /* a batch whose captured primitives have their place */
   SGD_ITEM_NODE,        /* an operation without tiles */
};

struct sgd_item {
   enum sgd_item_kind kind;
   uint64_t key;         /* oldest first */
   uint32_t index;       /* in its heap, plus 1; 0: not in one */
};

struct sgd_heap {
   struct sgd_item **items;
   uint32_t count, capacity;
   uint32_t reserved;    /* items that may ever be in it at once; at most capacity */
};

/* "These operations have ended", waited for by others. */
struct sgd_event {
   uint32_t refs;
   uint32_t pending;
   struct util_dynarray waiters;      /* struct sgd_wait */
};

struct sgd_wait {
   struct sgd_node *node;
   bool geometry;        /* holds back the geometry too, not the raster work alone */
};

/* One region that an operation reads or writes. */
struct sgd_access {
   struct list_head link;             /* bo->readers or bo->writers */
   struct sgd_node *node;
   struct sgpu_bo *bo;
   uint64_t storage;                  /* surfaces: SURFACE.Storage; 0: bytes begin to end - 1 */
   uint64_t begin, end;               /* of the address space, where storage is 0 */
   uint16_t levels;                   /* mask */
   uint16_t first_layer, last_layer;
   bool write, target;                /* target: ordered by tile within its grid */
   bool geometry;                     /* read by the geometry of the draw */
   bool counted;                      /* in bo->num_targets */
};

struct sgd_query {
   uint32_t refs;                     /* slot, and operations that count into it */
   enum sgpu_query_type type;
   struct sgd_submission *sub;        /* of its END, outstanding until stored */
   uint64_t *result;
   struct sgd_stats stats;
   struct sgd_xfb_stats streams;
   uint32_t pending;                  /* operations */
   bool ended;
};

enum sgd_node_kind { SGD_NODE_DRAW, SGD_NODE_XFER, SGD_NODE_TIMESTAMP, SGD_NODE_RESULT };

/* What a PREDICATE has set: decided by an operation of its own, for which those
 * that it concerns wait.
 */
struct sgd_predicate {
   uint32_t refs;                     /* atomic */
   struct sgd_event *event;           /* its operation has ended; NULL: it has, or was not added */
   bool holds;
};

/* What is made of queries' numbers, for memory or a predicate. */
struct sgd_result {
   const uint64_t *numbers;           /* sgd_result_numbers of them */
   enum sgpu_query_value value;
   unsigned triples;
   bool inverted;
   struct sgd_predicate *decides;     /* or NULL */
   uint8_t *to;                       /* not aligned; or NULL */
   enum sgpu_number_type type;
};

/* A batch on its way from the cutter to the tile queues. */
struct sgd_flight {
   struct list_head link;             /* of node->flights, in order of cutting */
   struct sgd_batch batch;
   struct sgd_node *node;
   bool ready;                        /* front end has run */
   uint32_t entries;                  /* tile entries not yet run, and its capture */
   uint32_t heads_missing;            /* policy ooo: tiles in which it is not first */
   struct sgd_item item;
   struct list_head capture_link;     /* of node->captures */
   struct sgd_item capture;
};

struct sgd_node {
   enum sgd_node_kind kind;
   uint64_t seq;                      /* program order over all queues */
   struct sgd_submission *sub;
   struct list_head link;             /* dispatch->nodes */
   struct list_head queue_link;       /* queue->nodes */
   struct list_head grid_link;        /* grid->order, until all is in the tile queues */
   struct sgd_grid *grid;
   struct sgd_item item;

   struct sgd_draw draw;
   struct sgd_ia_cutter cutter;
   bool cut_all, cutting;
   struct list_head flights;          /* cut, not yet in the tile queues */
   uint32_t flights_out;              /* batches whose tile work or capture is not over */
   struct list_head captures;         /* in order, without a place in the stream buffers */
   uint16_t stipple;                  /* line stipple counter behind the batches committed */

   struct sgd_xfer *xfer;
   uint64_t *timestamp;
   struct sgd_result result;
   struct sgd_predicate *predicate;   /* nothing happens where it does not hold; or NULL */

   uint32_t wait_geometry, wait_raster;   /* events not yet signalled */
   bool committed;
   uint32_t entries;                  /* tile entries not yet run */
   struct sgd_tile *stalled;          /* tiles that wait for this operation */
   struct util_dynarray events;       /* struct sgd_event *: count this operation */
   struct util_dynarray accesses;     /* struct sgd_access */
   struct util_dynarray queries;      /* struct sgd_query * */
   struct sgd_stats stats;
   struct sgd_xfb_stats streams;
   bool skip;                         /* does nothing: its queue is lost */
   bool out_of_memory;                /* something of it is missing: it must not run */
   bool stalled_once;
   bool writes_buffer;
   bool inputs_unknown;               /* a draw whose vertices, indices and constants are not in
                                       * its accesses: nobody wrote buffers */
   bool wait_all;                     /* what it writes may be such an input */
};

/* Entry of a tile's queue. */
struct sgd_tile_entry {
   struct sgd_tile_entry *next;
   struct sgd_node *node;
   struct sgd_flight *flight;         /* draws */
   const struct sgd_tile_list *list;
};

struct sgd_tile {
   struct sgd_tile_entry *head, *tail;
   struct sgd_grid *grid;
   struct sgd_tile *next_stalled;     /* of head->node */
   uint16_t x, y, layer;
   bool running, stalled;
   struct sgd_item item;
};

struct sgd_grid_key {
   struct {
      uint64_t storage;
      uint16_t level, first_layer, layers, format;
   } surface[SGD_MAX_COLORS + 1];
   uint32_t width, height;
};

struct sgd_grid {
   struct list_head link;             /* dispatch->grids, most recently used first */
   struct sgd_grid_key key;
   uint32_t nodes;                    /* operations not yet ended */
   uint32_t tiles_x, tiles_y, layers;
   struct sgd_tile *tiles;
   struct list_head order;            /* nodes whose work is not all in the tile queues */
};

struct sgd_dispatch {
   struct sgpu_device *dev;
   uint64_t next_seq;
   struct list_head nodes;            /* not yet ended, in order */
   struct list_head ended;            /* nodes to be freed */
   struct sgd_heap early;             /* command processors, geometry */
   struct sgd_heap late;              /* tiles, batches, operations without tiles */
   struct list_head grids;
   unsigned num_grids;
   unsigned engines_busy;
   struct sgd_tile_entry *free_entries;
   uint32_t num_free_entries;
   uint32_t reserved_entries;         /* of the free ones: what is under way will take them */
   struct sgd_entry_block *entry_blocks;
   struct sgd_arena_block *free_blocks;
   uint32_t blocks_used;
   _Atomic uint32_t buffer_writers;   /* operations under way that write buffers */
   _Atomic bool draws_write;          /* some have, since the device was made */
   uint32_t unknown_readers;          /* draws under way with inputs_unknown */
   uint64_t random;                   /* state of the shuffle */
};

/* Geometry runs this many operations ahead of older tile work, so that a tile
 * finds several entries at once.
 */
#define SGD_GEOMETRY_LEAD 64
/* Operations under way per queue; the command processor waits beyond. */
#define SGD_MAX_IN_FLIGHT 512
/* Arena blocks (64 KiB) in use from which on tile work goes first. */
#define SGD_ARENA_PRESSURE 1024
#define SGD_ARENA_BLOCK (64 * 1024)
/* Tiles of a grid; the largest surface of one layer has 2^16. */
#define SGD_MAX_TILES (UINT64_C(1) << 22)
/* In a row, as struct sgd_tile counts them: 256 GiB of a buffer. */
#define SGD_MAX_TILES_X (UINT16_MAX + 1)

/* Memory is taken where a submission can still end with an error: when an
 * operation is made or added, and when a batch is made or has run.  What is
 * certain to follow (ready work, tile entries) finds its room reserved, so
 * that nothing in between can fail.
 */
void sgd_dispatch_init(struct sgd_dispatch *d, struct sgpu_device *dev);
void sgd_dispatch_finish(struct sgd_dispatch *d);

/* sgd_node.c */
/* Operations.  A node is made by the command processor without the lock, then
 * added under it; it ends on its own.
 */
struct sgd_node *sgd_node_create(enum sgd_node_kind kind, struct sgd_submission *sub);
void sgd_node_destroy(struct sgd_node *node);     /* one that was not added */
/* Both set node->out_of_memory where they fail. */
void sgd_node_access(struct sgd_node *node, const struct sgd_access *access);
void sgd_node_query(struct sgd_node *node, struct sgd_query *query);
/* Names a surface as target `slot` of a grid. */
void sgd_grid_key_surface(struct sgd_grid_key *key, unsigned slot, const struct sgd_surface *s);
/* Lock held.  False where there is no memory for it or its tiles; nothing has
 * happened then.  Where memory ends later, the queue is lost and the node is
 * skipped.
 */
bool sgd_node_add(struct sgd_dispatch *d, struct sgd_node *node, const struct sgd_grid_key *key,
                  uint32_t layers);
/* Ends it if nothing of it is left; lock held. */
void sgd_node_check_end(struct sgd_dispatch *d, struct sgd_node *node);

/* Whether it does anything; known when it need not wait for geometry any more. */
static inline bool
sgd_node_happens(const struct sgd_node *node)
{
   return !node->predicate || node->predicate->holds;
}

/* sgd_dispatch.c */
/* Takes the next work and runs it.  Called with the lock held, which is
 * dropped while it runs; false when nothing is ready.
 */
bool sgd_dispatch_work(struct sgd_dispatch *d, struct sgd_worker *worker);
/* The batch's tile work and capture are over; lock held. */
void sgd_flight_end(struct sgd_dispatch *d, struct sgd_flight *flight);

/* sgd_ready.c; lock held */
/* Room for n more items of the kind; what is not reserved must not be pushed. */
bool sgd_ready_reserve(struct sgd_dispatch *d, enum sgd_item_kind kind, uint32_t n);
void sgd_ready_release(struct sgd_dispatch *d, enum sgd_item_kind kind, uint32_t n);
void sgd_ready_push(struct sgd_dispatch *d, struct sgd_item *item, uint64_t key);
void sgd_ready_remove(struct sgd_dispatch *d, struct sgd_item *item);
struct sgd_item *sgd_ready_pop(struct sgd_dispatch *d);

/* sgd_event.c; lock held */
/* NULL or false: out of memory; the event then counts, or the node waits for,
 * less than it should.
 */
struct sgd_event *sgd_event_create(void);
bool sgd_event_add_node(struct sgd_event *event, struct sgd_node *node);
bool sgd_event_wait(struct sgd_dispatch *d, struct sgd_event *event, struct sgd_node *node,
                    bool geometry);
void sgd_event_unref(struct sgd_event *event);
/* The node waits for what it depends on, unless memory ends (false), and
 * others can depend on it.
 */
bool sgd_node_depend(struct sgd_dispatch *d, struct sgd_node *node);
void sgd_node_forget(struct sgd_dispatch *d, struct sgd_node *node);

/* sgd_tiles.c; lock held */
/* Room for n more tile entries. */
bool sgd_entries_reserve(struct sgd_dispatch *d, uint32_t n);
void sgd_entries_finish(struct sgd_dispatch *d);
/* Tiles of an operation of the copy engine. */
uint32_t sgd_xfer_tiles(const struct sgd_xfer *xfer);
/* NULL: too many tiles, or out of memory. */
struct sgd_grid *sgd_grid_get(struct sgd_dispatch *d, const struct sgd_grid_key *key,
                              uint32_t layers);
void sgd_grid_trim(struct sgd_dispatch *d, unsigned keep);
void sgd_grid_commit(struct sgd_dispatch *d, struct sgd_grid *grid);
struct sgd_tile *sgd_tile_at(struct sgd_grid *grid, unsigned x, unsigned y, unsigned layer);
void sgd_tile_check(struct sgd_dispatch *d, struct sgd_tile *tile);
void sgd_tile_pop(struct sgd_dispatch *d, struct sgd_tile *tile);
/* One of the flight's entries is over. */
void sgd_flight_done(struct sgd_dispatch *d, struct sgd_flight *flight);
void sgd_node_raster_ready(struct sgd_dispatch *d, struct sgd_node *node);

/* sgd_query.c */
void sgd_stats_add(struct sgd_stats *sum, const struct sgd_stats *s);
void sgd_xfb_stats_add(struct sgd_xfb_stats *sum, const struct sgd_xfb_stats *s);
/* How many 64-bit numbers END QUERY writes. */
unsigned sgd_query_numbers(enum sgpu_query_type type);
/* lock held */
/* Stores the result of a query that has ended and that nothing counts into any
 * more.
 */
void sgd_query_check(struct sgd_query *query);
void sgd_query_unref(struct sgd_query *query);
/* How many 64-bit numbers a value is made of. */
unsigned sgd_result_numbers(enum sgpu_query_value value, unsigned triples);
void sgd_result_run(const struct sgd_result *result);
/* Any thread. */
void sgd_predicate_unref(struct sgd_predicate *predicate);

/* sgd_arena.c; lock held */
void sgd_arena_free(struct sgd_arena *arena);
void sgd_arena_finish(struct sgd_dispatch *d);

#endif
