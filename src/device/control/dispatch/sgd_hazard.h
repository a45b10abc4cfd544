/* SPDX-License-Identifier: MIT */
/*
 * Hazards: tracks which regions of buffers the operations in flight read and write, to find out
 * which operations a new operation must wait for. A region is a range of bytes, or part of a
 * surface: levels, layers, and a rectangle of one level.
 *
 * Each buffer has a list of accesses that read it and a list of accesses that write it. Index,
 * vertex and constant buffers of draws are usually missing in these lists, because they are rarely
 * written while draws read them. Instead, an operation that writes such a buffer searches all draws
 * in flight. A draw only adds these buffers to the lists if an operation in flight may write them.
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

/* Rectangle of elements (pixels, or blocks if compressed) in a mipmap level. x1 and y1 are
 * exclusive.
 */
struct sgd_area {
   uint16_t x0, y0, x1, y1;
};

/* A rectangle that covers any level, because no surface is wider or higher than UINT16_MAX. */
#define SGD_AREA_ALL ((struct sgd_area){ 0, 0, UINT16_MAX, UINT16_MAX })

static inline bool
sgd_areas_meet(struct sgd_area a, struct sgd_area b)
{
   return a.x0 < b.x1 && b.x0 < a.x1 && a.y0 < b.y1 && b.y0 < a.y1;
}

/* How the elements of a level are addressed. The rectangles of two accesses can only be compared if
 * their grids are equal.
 */
struct sgd_grid {
   /* device address of element (0, 0) in layer 0 of the level. 0 if there is no grid; the rectangle
    * is then SGD_AREA_ALL.
    */
   uint64_t origin;
   /* bytes from one row of elements to the next; if tiled, from one row of micro tiles */
   uint32_t pitch;
   uint16_t bpe; /* bytes per element */
   bool tiled;
};

static inline bool
sgd_grids_equal(const struct sgd_grid *a, const struct sgd_grid *b)
{
   return a->origin && a->origin == b->origin && a->pitch == b->pitch && a->bpe == b->bpe &&
          a->tiled == b->tiled;
}

/* A region of memory that an operation reads or writes, with details of the access. */
struct sgd_access {
   struct list_head link; /* link in hazards->readers or hazards->writers */
   struct sgd_node *node; /* operation that accesses the region */
   struct sgpu_bo *bo;    /* buffer that contains the region */
   uint64_t begin, end;   /* range of device addresses that contains the surface or the bytes */
   uint64_t storage;      /* storage ID of the surface, from the packet; 0 for a range of bytes */
   struct sgd_grid grid;
   /* accessed rectangle, aligned to 8x4 elements, or to tiles if the surface has metadata */
   struct sgd_area area;
   uint16_t levels; /* bitmask of mipmap levels */
   uint16_t first_layer, last_layer;
   /* write: the region is written; target: it is a render target, ordered by tile queues */
   bool write, target;
   bool front;  /* the front end of a draw reads the region */
   bool xfb;    /* transform feedback buffer or counter */
   bool feeds;  /* the region is written, and later draws may read it as input */
   bool memory; /* a program accesses the region as a storage buffer or image */
   /* If not 0, identifies the only type of atomic operation that is executed on the region (struct
    * sgd_commutes). The node doesn't wait for nodes with the same value. Always 0 for ordered
    * nodes.
    */
   uint8_t commutes;
   bool counted; /* the access is counted in hazards->num_targets */
};

/* Returns true if the two accessed regions may overlap. */
static inline bool
sgd_accesses_meet(const struct sgd_access *a, const struct sgd_access *b)
{
   if (!a->storage || a->storage != b->storage)
      return a->begin < b->end && b->begin < a->end;
   if (!(a->levels & b->levels) || a->first_layer > b->last_layer || b->first_layer > a->last_layer)
      return false;
   return !sgd_grids_equal(&a->grid, &b->grid) || sgd_areas_meet(a->area, b->area);
}

/* Returns true if the result doesn't depend on the order of the two accesses. */
static inline bool
sgd_accesses_commute(const struct sgd_access *a, const struct sgd_access *b)
{
   return a->commutes && a->commutes == b->commutes;
}

/* The result of the last search in a list of accesses, reused if the next access has the same
 * region.
 */
struct sgd_hazard_cache {
   bool valid;
   /* operations to wait for, or NULL if no region in the list overlapped */
   struct sgd_dependence *dep;
   uint32_t stamp;     /* value of reader_stamp or writer_stamp at the time of the search */
   uint64_t region[8]; /* description of the region, which is compared with memcmp() */
};

/* All accesses to a buffer by operations in flight. Only allocated while there are any. */
struct sgd_hazards {
   struct list_head link;             /* link in dispatch->free_hazards while unused */
   struct list_head readers, writers; /* struct sgd_access */
   /* incremented when an access is added to `readers` or `writers`, respectively */
   uint32_t reader_stamp, writer_stamp;
   uint32_t num_writers;
   /* number of elements of `writers` that are render targets in target_array */
   uint32_t num_targets;
   struct sgd_tile_array *target_array;
   struct sgd_hazard_cache read_cache, write_cache;
};

/* All functions are called with the scheduler's lock held. */
/* Allocates memory for all accesses of the node. Returns false if out of memory. */
bool sgd_hazards_reserve(struct sgd_dispatch *d, struct sgd_node *node);
/* Makes the node wait for all earlier operations that it conflicts with, and adds its accesses to
 * the lists of the buffers. If this returns false, memory has run out and the node must be skipped.
 */
bool sgd_hazards_add(struct sgd_dispatch *d, struct sgd_node *node);
/* Removes the accesses of a node from the lists, after the node has ended. */
void sgd_hazards_remove(struct sgd_dispatch *d, struct sgd_node *node);
/* Frees all unused records. */
void sgd_hazards_finish(struct sgd_dispatch *d);

#endif
