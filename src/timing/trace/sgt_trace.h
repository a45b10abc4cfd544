/* SPDX-License-Identifier: MIT */
/*
 * Trace: the work of a range of frames in program order, the input of timing models.
 * sgt_trace_builder.h makes a trace from the device's events or, in tests, by hand. A finished
 * trace is read-only and can be shared by models.
 */
#ifndef SGT_TRACE_H
#define SGT_TRACE_H

#include <stdbool.h>
#include <stdint.h>

#include "trace/sgt_target.h"

/* A rectangle of pixels of a surface, half open. For a buffer, a range of one row, in units of 64
 * bytes from the start of the buffer.
 */
struct sgt_rect {
   int32_t x0, y0, x1, y1;
};

static inline bool
sgt_rects_meet(const struct sgt_rect *a, const struct sgt_rect *b)
{
   return a->x0 < b->x1 && b->x0 < a->x1 && a->y0 < b->y1 && b->y0 < a->y1;
}

/* Rectangle of a region that covers everything. It cannot be divided into parts, since regions of
 * other sets that share its memory have other coordinates.
 */
#define SGT_RECT_ALL ((struct sgt_rect){ 0, 0, INT32_MAX, INT32_MAX })
#define SGT_ALL_LAYERS UINT16_MAX

static inline bool
sgt_rect_is_all(const struct sgt_rect *r)
{
   return r->x1 == INT32_MAX && r->y1 == INT32_MAX;
}

/* Memory that an item reads or writes. `set` is the number of a set of pieces of memory, such as
 * the colour and depth surfaces of a draw, a level of a texture, or a buffer. Two regions overlap
 * if their sets share memory (sgt_sets_meet()), and their layers and rectangles overlap. If pieces
 * overlap in memory without common coordinates, the regions of one of them have the rectangle
 * SGT_RECT_ALL and the layers 0 to SGT_ALL_LAYERS.
 */
struct sgt_region {
   uint32_t set;
   uint16_t first_layer, last_layer;
   struct sgt_rect rect;
};

enum sgt_item_kind {
   SGT_ITEM_TRIANGLE,
   SGT_ITEM_LINE,
   SGT_ITEM_POINT,
   SGT_ITEM_CLEAR,
   SGT_ITEM_COPY, /* copies, blits, resolves, mipmap generation */
   SGT_ITEM_FILL,
   SGT_ITEM_DIRECT, /* access by the CPU */
   SGT_ITEM_KINDS,
};

/* Coverage of a primitive in an aligned block of 8x4 pixels. Lanes have the order of elements in
 * micro tiles (sgpu_layout.h). A primitive has each block at most once.
 */
struct sgt_block {
   uint16_t x, y;   /* position of the first pixel */
   uint32_t mask;   /* bit mask of the covered lanes */
   uint32_t values; /* index in trace->values, or SGT_NO_VALUES */
};
#define SGT_NO_VALUES UINT32_MAX

/* Fragments of a block, if the trace has values (sgt_trace::has_values). The last four members are
 * the index of the block's first word in trace->words, or SGT_NO_VALUES.
 */
struct sgt_values {
   /* Lanes whose fragments the functional device kept, after shading if there is a program. */
   uint32_t colored;
   /* Lanes that the program, or the alpha or coverage test, dropped; with several samples, lanes
    * that lost at least one sample this way.
    */
   uint32_t dropped;
   /* Float depths that were tested: 32 lanes for each of operation->depth_samples. SGT_NO_VALUES if
    * no depth is tested.
    */
   uint32_t depth;
   /* 4 components of 32 lanes for each of operation->colors outputs, for each of
    * operation->color_samples. Only `colored` lanes are valid. SGT_NO_VALUES if no lane is
    * coloured.
    */
   uint32_t color;
   /* Lane masks of each of operation->samples: first the covered lanes of all samples, then the
    * dropped lanes, then the coloured lanes. SGT_NO_VALUES if there is one sample.
    */
   uint32_t cover;
   /* Stencil reference values of 32 lanes for each of operation->color_samples. SGT_NO_VALUES if
    * the program does not write them, or they were not recorded.
    */
   uint32_t stencil;
};

/* A primitive or a transfer: the unit of work that a dispatch engine issues. */
struct sgt_item {
   uint32_t operation; /* index in trace->operations */
   uint32_t number;    /* number of the item in its operation */
   uint8_t kind;       /* enum sgt_item_kind */
   uint8_t front;      /* nonzero if the primitive is front facing */
   struct sgt_region destination;
   /* Range in trace->sources. It contains only memory that an item of the trace writes. */
   uint32_t first_source, num_sources;
   /* Range in trace->blocks, sorted by y, then x. Empty for transfers. */
   uint32_t first_block, num_blocks;
   uint32_t layer; /* layer of the blocks */
   /* Number of covered pixels; for transfers, number of pixels in the rectangle and layers. */
   uint32_t pixels;
   uint32_t spans; /* number of rows with coverage */
};

/* Rule that decides between fragments of the same pixel (sgd_decide_order()). */
enum sgt_order {
   SGT_ORDER_PROGRAM, /* fragments are in program order */
   /* The lowest depth; of equal depths, the first fragment in program order. */
   SGT_ORDER_LOWEST,
   SGT_ORDER_LOWEST_LAST,  /* the lowest depth; of equal depths, the last fragment */
   SGT_ORDER_HIGHEST,      /* the highest depth; of equal depths, the first fragment */
   SGT_ORDER_HIGHEST_LAST, /* the highest depth; of equal depths, the last fragment */
};

/* A draw or a transfer. */
struct sgt_operation {
   uint64_t ordinal; /* position in program order over the trace, the same for every thread count */
   uint32_t submission, packet;
   /* Number of the draw in the capture, from 0, or UINT32_MAX for other operations. */
   uint32_t draw;
   uint32_t frame; /* number of the frame in the capture */
   uint32_t first_item, num_items;
   bool blends;   /* the draw reads stored colours: "alpha blended" in the paper */
   uint8_t order; /* enum sgt_order */
   /* Items with equal order and order_key may run in any order, but not at the same time. */
   uint32_t order_key;
   uint32_t state; /* index in trace->states, or UINT32_MAX */
   uint8_t colors; /* number of colour outputs with values: o[COLR0] to o[COLR0 + colors - 1] */
   uint8_t samples;
   uint8_t depth_samples; /* number of depths per fragment: 1, or `samples` */
   /* Number of runs of the program per fragment: 1, or `samples`. */
   uint8_t color_samples;
   /* Range in trace->targets. For a draw, the depth surface is first. For a transfer, the targets
    * that it writes are first.
    */
   uint32_t first_target, num_targets;
};

struct sgt_trace {
   struct sgt_operation *operations;
   struct sgt_item *items; /* items in program order */
   struct sgt_region *sources;
   struct sgt_target *targets;
   struct sgt_block *blocks;
   uint32_t *zculled; /* bit mask of blocks that zcull dropped (sgt_block_zculled()) */
   struct sgt_values *values;
   uint32_t *words;
   uint32_t num_operations, num_items, num_sources, num_targets, num_blocks, num_values;
   uint64_t num_words;
   /* In the order of first use: index of the state, transfer or write in the image of
    * sgpu_shadow.h, or the value that the caller of the builder passed.
    */
   uint32_t *states;
   uint32_t num_states;
   uint32_t num_sets;
   uint32_t *sets_meet;    /* bit matrix of num_sets x num_sets; each row starts at a word */
   uint32_t width, height; /* size of the largest presented surface, in pixels */
   uint64_t hash;          /* hash of the trace, equal for every thread count and policy */
   bool has_values;
};

static inline bool
sgt_sets_meet(const struct sgt_trace *t, uint32_t a, uint32_t b)
{
   const uint64_t row = (uint64_t)a * ((t->num_sets + 31) / 32);
   return t->sets_meet[row + b / 32] >> (b % 32) & 1;
}

static inline bool
sgt_regions_meet(const struct sgt_trace *t, const struct sgt_region *a, const struct sgt_region *b)
{
   return sgt_rects_meet(&a->rect, &b->rect) && a->first_layer <= b->last_layer &&
          b->first_layer <= a->last_layer && sgt_sets_meet(t, a->set, b->set);
}

/* Returns true if zcull of the functional device dropped block `i` before its pixels were tested.
 */
static inline bool
sgt_block_zculled(const struct sgt_trace *t, uint32_t i)
{
   return t->zculled[i / 32] >> (i % 32) & 1;
}

/* Frees the arrays but not the structure, for the builder. */
void sgt_trace_free_arrays(struct sgt_trace *trace);
void sgt_trace_destroy(struct sgt_trace *trace);

#endif
