/* SPDX-License-Identifier: MIT */
/*
 * Tile arrays: the 64x64 tiles of a set of targets.  Operations with the same
 * targets share an array; each tile has a queue of entries that one worker at a
 * time works off in order, which is the only order within an array.
 */
#ifndef SGD_TILE_ARRAY_H
#define SGD_TILE_ARRAY_H

#include <stdbool.h>
#include <stdint.h>

#include "sgd_sched.h"
#include "sgd_state.h"
#include "util/list.h"

struct sgd_dispatch;
struct sgd_node;
struct sgd_pending_batch;
struct sgd_tile_list;
struct sgd_xfer;

/* Tiles of an array; the largest surface of one layer has 2^16. */
#define SGD_MAX_TILES (UINT64_C(1) << 22)
/* In a row, as struct sgd_tile counts them: 256 GiB of a buffer. */
#define SGD_MAX_TILES_X (UINT16_MAX + 1)

/* Entry of a tile's queue. */
struct sgd_tile_entry {
   struct sgd_tile_entry *next;
   struct sgd_node *node;
   struct sgd_pending_batch *batch; /* draws; else NULL */
   const struct sgd_tile_list *list;
};

struct sgd_tile {
   struct sgd_tile_entry *head, *tail;
   struct sgd_tile_array *array;
   struct sgd_tile *next_stalled; /* of head->node */
   uint16_t x, y, layer;
   bool running, stalled;
   /* Policy ooo+split+break, for the worker that runs the tile: runs to shade in order, since
    * waiting has cost more than it saved; as many as that after the next such run.
    */
   uint8_t straight_runs, next_straight_runs;
   uint8_t credit;       /* such runs without that consequence, earned by those that paid */
   bool learned;         /* fragments have waited before */
   struct sgd_work work; /* its first entry can run */
};

/* Equal for equal targets; unused slots and padding are zero. */
struct sgd_tile_array_key {
   struct {
      uint64_t storage, begin;
      uint32_t pitch;
      uint16_t level, first_layer, layers, format;
   } surface[SGD_MAX_COLORS + 1];
   uint32_t width, height;
};

struct sgd_tile_array {
   struct list_head link; /* dispatch->arrays, most recently used first */
   struct sgd_dispatch *dispatch;
   struct sgd_tile_array_key key;
   uint32_t nodes; /* operations that have not ended */
   uint32_t tiles_x, tiles_y, layers;
   struct sgd_tile *tiles;
   struct list_head order; /* nodes whose work is not all in the tile queues */
};

/* Names a surface as target `slot` of an array. */
void sgd_tile_array_key_surface(struct sgd_tile_array_key *key, unsigned slot,
                                const struct sgd_surface *s);

/* Scheduler's lock held: */
/* Room for n more tile entries; false: out of memory. */
bool sgd_entries_reserve(struct sgd_dispatch *d, uint32_t n);
void sgd_entries_finish(struct sgd_dispatch *d);
/* Tiles of an operation of the copy engine. */
uint32_t sgd_xfer_tiles(const struct sgd_xfer *xfer);
/* The array of these targets.  NULL: too many tiles, or out of memory. */
struct sgd_tile_array *sgd_tile_array_get(struct sgd_dispatch *d,
                                          const struct sgd_tile_array_key *key, uint32_t layers);
/* The array has the surface as a target, and tile (x, y) of the surface's first layer is the
 * array's.
 */
bool sgd_tile_array_has(const struct sgd_tile_array *array, const struct sgd_surface *s);
/* Frees arrays without operations until `keep` are left. */
void sgd_tile_array_trim(struct sgd_dispatch *d, unsigned keep);
/* Puts work that is ready into the tile queues, in program order. */
void sgd_tile_array_commit(struct sgd_dispatch *d, struct sgd_tile_array *array);
struct sgd_tile *sgd_tile_at(struct sgd_tile_array *array, unsigned x, unsigned y, unsigned layer);
/* Makes the tile ready, or stalls it, by its first entry. */
void sgd_tile_check(struct sgd_dispatch *d, struct sgd_tile *tile);
/* The tile's first entry has run. */
void sgd_tile_pop(struct sgd_dispatch *d, struct sgd_tile *tile);
/* Batches of the draw whose buffers are free get their place in them. */
void sgd_node_place_xfb(struct sgd_dispatch *d, struct sgd_node *node);

#endif
