/* SPDX-License-Identifier: MIT */
/*
 * Hazards: the regions of buffers that operations under way read and write, and
 * the operations that a new one depends on.
 *
 * A region is a part of a surface (storage, levels, layers, and a rectangle of
 * one level) or a range of bytes.  Each buffer that operations access holds lists
 * of its readers and writers.  Index, vertex and constant buffers of draws are in no list, since
 * hardly any buffer is written while draws read it: a writer looks for them in
 * the draws under way and their states, and a draw lists its
 * inputs where a writer of buffers is under way.
 */
#ifndef SGD_HAZARD_H
#define SGD_HAZARD_H

#include <stdbool.h>
#include <stdint.h>

#include "util/list.h"

struct sgpu_bo;
struct sgd_dependence;
struct sgd_dispatch;
struct sgd_node;
struct sgd_tile_array;

/* Elements of a level (pixels, or compressed blocks), half open.  Nothing where
 * x1 is 0.
 */
struct sgd_area {
   uint16_t x0, y0, x1, y1;
};

/* All of any level: no surface has a larger width or height. */
#define SGD_AREA_ALL ((struct sgd_area){ 0, 0, UINT16_MAX, UINT16_MAX })

static inline bool
sgd_areas_meet(struct sgd_area a, struct sgd_area b)
{
   return a.x0 < b.x1 && b.x0 < a.x1 && a.y0 < b.y1 && b.y0 < a.y1;
}

/* Where elements of a level lie.  Areas are compared between accesses with equal
 * grids; `origin` 0: no grid, the area is that of everything.
 */
struct sgd_grid {
   uint64_t origin; /* device address of element (0, 0) of layer 0 of the level */
   uint32_t pitch;
   uint16_t bpe;
   bool tiled;
};

static inline bool
sgd_grids_equal(const struct sgd_grid *a, const struct sgd_grid *b)
{
   return a->origin && a->origin == b->origin && a->pitch == b->pitch && a->bpe == b->bpe &&
          a->tiled == b->tiled;
}

/* One region that an operation reads or writes. */
struct sgd_access {
   struct list_head link; /* hazards->readers or ->writers */
   struct sgd_node *node;
   struct sgpu_bo *bo;
   uint64_t begin, end; /* device addresses: all bytes of the surface or of the range */
   uint64_t storage;    /* surfaces: SURFACE.Storage; 0: bytes */
   struct sgd_grid grid;
   struct sgd_area area; /* whole blocks of 8x4, and tiles where the surface has metadata */
   uint16_t levels;      /* mask */
   uint16_t first_layer, last_layer;
   bool write, target; /* target: ordered by tile within the node's tile array */
   bool front;         /* read by the front end of the draw */
   bool xfb;           /* a buffer or a counter of transform feedback */
   bool feeds;         /* written, and draws may read it as input */
   bool memory;        /* a storage buffer or an image of a program */
   uint8_t commutes;   /* struct sgd_commutes, of an operation that is not ordered: it does
                        * not wait for others that do the same */
   bool counted;       /* in hazards->num_targets */
};

/* The regions share a byte, as far as the device can tell. */
static inline bool
sgd_accesses_meet(const struct sgd_access *a, const struct sgd_access *b)
{
   if (!a->storage || a->storage != b->storage)
      return a->begin < b->end && b->begin < a->end;
   if (!(a->levels & b->levels) || a->first_layer > b->last_layer || b->first_layer > a->last_layer)
      return false;
   return !sgd_grids_equal(&a->grid, &b->grid) || sgd_areas_meet(a->area, b->area);
}

/* The order of the two cannot be seen. */
static inline bool
sgd_accesses_commute(const struct sgd_access *a, const struct sgd_access *b)
{
   return a->commutes && a->commutes == b->commutes;
}

/* The dependence on a list of readers or writers for the latest region. */
struct sgd_hazard_cache {
   bool valid;
   struct sgd_dependence *dep; /* NULL: no operation's region meets it */
   uint32_t stamp;             /* of the list, as it was then */
   uint64_t region[8];
};

struct sgd_hazards {
   struct list_head link;               /* dispatch->free_hazards */
   struct list_head readers, writers;   /* struct sgd_access */
   uint32_t reader_stamp, writer_stamp; /* change when one is added */
   uint32_t num_writers;
   uint32_t num_targets; /* writers that are tile work of target_array */
   struct sgd_tile_array *target_array;
   struct sgd_hazard_cache read_cache, write_cache;
};

/* All with the scheduler's lock held. */
/* Memory for the node's accesses; false: out of memory. */
bool sgd_hazards_reserve(struct sgd_dispatch *d, struct sgd_node *node);
/* The node waits for the operations that its regions depend on, and later ones
 * find its regions.  False: out of memory; the node must do nothing then.
 */
bool sgd_hazards_add(struct sgd_dispatch *d, struct sgd_node *node);
void sgd_hazards_remove(struct sgd_dispatch *d, struct sgd_node *node);
/* Records that are not in use. */
void sgd_hazards_finish(struct sgd_dispatch *d);

#endif
