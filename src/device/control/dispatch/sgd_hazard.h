/* SPDX-License-Identifier: MIT */
/*
 * Hazards: the buffer regions that operations in flight read and write, and the operations that a
 * new operation depends on. A region is a part of a surface (storage, levels, layers, and a
 * rectangle of one level) or a range of bytes.
 *
 * Each buffer that operations access has lists of its readers and writers. Index, vertex and
 * constant buffers of draws are usually not in these lists, because few buffers are written while
 * draws read them. Instead, a writer searches the draws in flight and their states for its buffer.
 * A draw only adds its inputs to the lists if a writer of buffers is in flight.
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

/* Half-open rectangle of elements of a level (pixels, or compressed blocks). Empty if x1 is 0. */
struct sgd_area {
   uint16_t x0, y0, x1, y1;
};

/* The whole of any level, since no surface is wider or higher than this. */
#define SGD_AREA_ALL ((struct sgd_area){ 0, 0, UINT16_MAX, UINT16_MAX })

static inline bool
sgd_areas_meet(struct sgd_area a, struct sgd_area b)
{
   return a.x0 < b.x1 && b.x0 < a.x1 && a.y0 < b.y1 && b.y0 < a.y1;
}

/* Addressing of the elements of a level. Areas can only be compared between accesses with equal
 * grids.
 */
struct sgd_grid {
   /* device address of element (0, 0) of the level's layer 0; 0 if there is no grid, in which case
    * the area is SGD_AREA_ALL
    */
   uint64_t origin;
   uint32_t pitch; /* bytes per row of elements, or of micro tiles if tiled */
   uint16_t bpe;   /* bytes per element */
   bool tiled;
};

static inline bool
sgd_grids_equal(const struct sgd_grid *a, const struct sgd_grid *b)
{
   return a->origin && a->origin == b->origin && a->pitch == b->pitch && a->bpe == b->bpe &&
          a->tiled == b->tiled;
}

/* A region that an operation reads or writes. */
struct sgd_access {
   struct list_head link; /* link in hazards->readers or hazards->writers */
   struct sgd_node *node; /* operation that accesses the region */
   struct sgpu_bo *bo;    /* buffer that contains the region */
   uint64_t begin, end;   /* device address range of the whole surface, or of the range of bytes */
   uint64_t storage;      /* SURFACE.Storage of a surface, or 0 for a range of bytes */
   struct sgd_grid grid;
   /* rectangle, rounded to blocks of 8x4 elements, or to tiles if the surface has metadata */
   struct sgd_area area;
   uint16_t levels; /* bitmask of mipmap levels */
   uint16_t first_layer, last_layer;
   /* the access is a write; the tile queues of the node's array order the access */
   bool write, target;
   bool front;  /* the front end of the draw reads the region */
   bool xfb;    /* transform feedback buffer or counter */
   bool feeds;  /* the region is written, and draws may read it as input */
   bool memory; /* storage buffer or image of a program */
   /* value from struct sgd_commutes: the only atomic operation on the region, if the node is not
    * ordered; the node doesn't wait for nodes with the same value
    */
   uint8_t commutes;
   bool counted; /* the access is included in hazards->num_targets */
};

/* Returns true if the regions may overlap. */
static inline bool
sgd_accesses_meet(const struct sgd_access *a, const struct sgd_access *b)
{
   if (!a->storage || a->storage != b->storage)
      return a->begin < b->end && b->begin < a->end;
   if (!(a->levels & b->levels) || a->first_layer > b->last_layer || b->first_layer > a->last_layer)
      return false;
   return !sgd_grids_equal(&a->grid, &b->grid) || sgd_areas_meet(a->area, b->area);
}

/* Returns true if the order of the two accesses can't be observed. */
static inline bool
sgd_accesses_commute(const struct sgd_access *a, const struct sgd_access *b)
{
   return a->commutes && a->commutes == b->commutes;
}

/* Cached dependence that a list of readers or writers produced for the latest region. */
struct sgd_hazard_cache {
   bool valid;
   /* dependence, or NULL if nothing in the list overlapped the region */
   struct sgd_dependence *dep;
   uint32_t stamp; /* reader_stamp or writer_stamp of the list when the dependence was created */
   uint64_t region[8]; /* packed region, for comparison */
};

/* The accesses to a buffer, allocated while there are any. */
struct sgd_hazards {
   struct list_head link;             /* link in dispatch->free_hazards while unused */
   struct list_head readers, writers; /* struct sgd_access */
   /* incremented whenever an access is added to the respective list */
   uint32_t reader_stamp, writer_stamp;
   uint32_t num_writers;
   uint32_t num_targets; /* number of writers that are tile work of target_array */
   struct sgd_tile_array *target_array;
   struct sgd_hazard_cache read_cache, write_cache;
};

/* All functions are called with the scheduler's lock held. */
/* Allocates memory for the node's accesses. Returns false on allocation failure. */
bool sgd_hazards_reserve(struct sgd_dispatch *d, struct sgd_node *node);
/* Makes the node wait for all operations that its regions depend on, and adds its regions to the
 * lists. Returns false on allocation failure, in which case the node must be skipped.
 */
bool sgd_hazards_add(struct sgd_dispatch *d, struct sgd_node *node);
/* Removes the regions of an ended node from the lists. */
void sgd_hazards_remove(struct sgd_dispatch *d, struct sgd_node *node);
/* Frees all unused records. */
void sgd_hazards_finish(struct sgd_dispatch *d);

#endif
