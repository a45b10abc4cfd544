/* SPDX-License-Identifier: MIT */
/*
 * Tile arrays: the 64x64 tiles of a set of render targets. All operations with the same targets use
 * the same array. Each tile has a queue of entries, and one worker at a time runs these in order.
 * Nothing else orders operations in the same array.
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

/* Maximum number of tiles in an array. The largest surface has 2^16 tiles per layer. */
#define SGD_MAX_TILES (UINT64_C(1) << 22)
/* Maximum number of tiles in a row of a surface: sgd_tile.x has 16 bits. A buffer is treated as a
 * surface with one row, which covers up to 256 GiB.
 */
#define SGD_MAX_TILES_X (UINT16_MAX + 1)

/* An entry in a tile queue. A worker runs it when it is at the head. */
struct sgd_tile_entry {
   struct sgd_tile_entry *next;
   struct sgd_node *node;            /* draw or transfer that the entry belongs to */
   struct sgd_pending_batch *batch;  /* batch of the draw; NULL for transfers */
   const struct sgd_tile_list *list; /* primitives of the batch in this tile; NULL for transfers */
};

struct sgd_tile {
   struct sgd_tile_entry *head, *tail;
   struct sgd_tile_array *array;
   struct sgd_tile *next_stalled; /* next in the list of tiles at head->node->stalled */
   uint16_t x, y, layer;          /* x, y: position in tiles; layer: layer of the targets */
   /* running: a worker runs entries of the tile, or the batch at the head; stalled: the head must
    * wait for earlier operations
    */
   bool running, stalled;
   /* Only for policy ooo+split+break, and only used by the worker that runs the tile. In the next
    * straight_runs runs, fragments are shaded immediately, because delayed shading was slower
    * before. next_straight_runs is the last value that straight_runs was set to. It grows each
    * time, and is reset when delayed shading was faster.
    */
   uint8_t straight_runs, next_straight_runs;
   /* Number of times that delayed shading may be slower before it is disabled for some runs.
    * Incremented when it was faster.
    */
   uint8_t credit;
   bool learned;         /* earlier runs of the tile have shown whether delayed shading is faster */
   struct sgd_work work; /* ready when the entry at the head can run */
};

/* Identifies a set of render targets. Keys are compared with memcmp(), so all unused bytes must be
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
   uint32_t nodes; /* number of operations in the array that have not ended */
   /* tiles_x, tiles_y: size of a layer in tiles; layers: number of layers */
   uint32_t tiles_x, tiles_y, layers;
   struct sgd_tile *tiles;
   /* struct sgd_node: operations that are not completely in the tile queues, in program order */
   struct list_head order;
};

/* Sets target `slot` of a key to a surface. */
void sgd_tile_array_key_surface(struct sgd_tile_array_key *key, unsigned slot,
                                const struct sgd_surface *s);

/* The scheduler's lock must be held for the following functions. */
/* Reserves `n` additional tile entries. Returns false if out of memory. */
bool sgd_entries_reserve(struct sgd_dispatch *d, uint32_t n);
void sgd_entries_finish(struct sgd_dispatch *d);
/* Returns the number of tiles that the rectangle of the transfer overlaps, in all layers. */
uint32_t sgd_xfer_tiles(const struct sgd_xfer *xfer);
/* Returns the tile array for a set of targets with at least `layers` layers. Returns NULL if out of
 * memory, or if there would be too many tiles.
 */
struct sgd_tile_array *sgd_tile_array_get(struct sgd_dispatch *d,
                                          const struct sgd_tile_array_key *key, uint32_t layers);
/* Returns true if the surface is one of the array's targets, such that tile (x, y) of the array
 * covers the same memory as tile (x, y) in the first layer of the surface.
 */
bool sgd_tile_array_has(const struct sgd_tile_array *array, const struct sgd_surface *s);
/* Frees unused tile arrays until at most `keep` arrays are left. */
void sgd_tile_array_trim(struct sgd_dispatch *d, unsigned keep);
/* Appends everything that is ready to the tile queues, in program order. */
void sgd_tile_array_commit(struct sgd_dispatch *d, struct sgd_tile_array *array);
struct sgd_tile *sgd_tile_at(struct sgd_tile_array *array, unsigned x, unsigned y, unsigned layer);
/* If the tile is idle, makes it ready to run, or marks it as stalled if the head must wait. */
void sgd_tile_check(struct sgd_dispatch *d, struct sgd_tile *tile);
/* Removes the entry at the head after it was executed. */
void sgd_tile_pop(struct sgd_dispatch *d, struct sgd_tile *tile);
/* Determines where in the transform feedback buffers the batches of the draw are written. Does
 * nothing while the draw must wait for earlier operations.
 */
void sgd_node_place_xfb(struct sgd_dispatch *d, struct sgd_node *node);

#endif
