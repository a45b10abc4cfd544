/* SPDX-License-Identifier: MIT */
/*
 * Tile arrays: the 64x64 tiles of a set of render targets. Operations with the same targets share
 * an array. Each tile has a queue of entries, which one worker at a time runs in order. Nothing
 * else orders operations in an array.
 */
#ifndef SGD_TILE_ARRAY_H
#define SGD_TILE_ARRAY_H

#include <stdbool.h>
#include <stdint.h>

#include "control/sched/sgd_sched.h"
#include "common/sgd_state.h"
#include "util/list.h"

struct sgd_dispatch;
struct sgd_node;
struct sgd_pending_batch;
struct sgd_tile_list;
struct sgd_xfer;

/* Maximum number of tiles per array. The largest single-layer surface has 2^16 tiles. */
#define SGD_MAX_TILES (UINT64_C(1) << 22)
/* Maximum number of tiles per row, limited by the type of sgd_tile.x. For a buffer, this
 * corresponds to 256 GiB.
 */
#define SGD_MAX_TILES_X (UINT16_MAX + 1)

/* An entry in the queue of a tile. */
struct sgd_tile_entry {
   struct sgd_tile_entry *next;
   struct sgd_node *node;            /* operation that the entry belongs to */
   struct sgd_pending_batch *batch;  /* batch of a draw, or NULL for a transfer */
   const struct sgd_tile_list *list; /* the batch's primitives in the tile, or NULL */
};

struct sgd_tile {
   struct sgd_tile_entry *head, *tail;
   struct sgd_tile_array *array;
   struct sgd_tile *next_stalled; /* next tile in the list head->node->stalled */
   uint16_t x, y, layer;          /* coordinates of the tile in units of tiles; layer */
   /* a worker is running entries of the tile, or a batch whose entry is the head; the head waits
    * for dependences
    */
   bool running, stalled;
   /* For policy ooo+split+break; only used by the worker that runs the tile. straight_runs is the
    * number of upcoming runs in which no fragments wait, because waiting cost more than it saved.
    * next_straight_runs is the value that straight_runs was last set to; it grows each time, and is
    * reset when waiting saves time.
    */
   uint8_t straight_runs, next_straight_runs;
   /* number of runs in which waiting may cost time before it is suspended; incremented by each run
    * in which waiting saves time
    */
   uint8_t credit;
   bool learned;         /* earlier runs of this tile have shown whether waiting saves time */
   struct sgd_work work; /* ready if the head can run */
};

/* Key of a set of targets. Keys are compared with memcmp(), so unused slots and padding must be
 * zero.
 */
struct sgd_tile_array_key {
   struct {
      uint64_t storage, begin;
      uint32_t pitch;
      uint16_t level, first_layer, layers, format;
   } surface[SGD_MAX_COLORS + 1];
   uint32_t width, height;
};

struct sgd_tile_array {
   struct list_head link; /* link in dispatch->arrays, most recently used first */
   struct sgd_dispatch *dispatch;
   struct sgd_tile_array_key key;
   uint32_t nodes;                    /* number of operations that have not ended */
   uint32_t tiles_x, tiles_y, layers; /* size in tiles; number of layers */
   struct sgd_tile *tiles;
   /* list of struct sgd_node with work that is not in the tile queues yet, in program order */
   struct list_head order;
};

/* Sets target `slot` of a key to a surface. */
void sgd_tile_array_key_surface(struct sgd_tile_array_key *key, unsigned slot,
                                const struct sgd_surface *s);

/* The following functions are called with the scheduler's lock held. */
/* Reserves n more tile entries. Returns false on allocation failure. */
bool sgd_entries_reserve(struct sgd_dispatch *d, uint32_t n);
void sgd_entries_finish(struct sgd_dispatch *d);
/* Returns the number of tiles that a transfer covers. */
uint32_t sgd_xfer_tiles(const struct sgd_xfer *xfer);
/* Returns the array for a set of targets with at least `layers` layers. Returns NULL if there would
 * be too many tiles, or on allocation failure.
 */
struct sgd_tile_array *sgd_tile_array_get(struct sgd_dispatch *d,
                                          const struct sgd_tile_array_key *key, uint32_t layers);
/* Returns true if the surface is a target of the array, and tile (x, y) of the array contains
 * exactly the elements of tile (x, y) of the surface's first layer.
 */
bool sgd_tile_array_has(const struct sgd_tile_array *array, const struct sgd_surface *s);
/* Frees arrays without operations until at most `keep` arrays are left. */
void sgd_tile_array_trim(struct sgd_dispatch *d, unsigned keep);
/* Appends all ready work to the tile queues, in program order. */
void sgd_tile_array_commit(struct sgd_dispatch *d, struct sgd_tile_array *array);
struct sgd_tile *sgd_tile_at(struct sgd_tile_array *array, unsigned x, unsigned y, unsigned layer);
/* Makes an idle tile ready if its head can run, or stalled if its head must wait for dependences.
 */
void sgd_tile_check(struct sgd_dispatch *d, struct sgd_tile *tile);
/* Removes the head, which has been executed. */
void sgd_tile_pop(struct sgd_dispatch *d, struct sgd_tile *tile);
/* Assigns offsets in the transform feedback buffers to the committed batches of a draw, once the
 * draw no longer waits for earlier operations.
 */
void sgd_node_place_xfb(struct sgd_dispatch *d, struct sgd_node *node);

#endif
