/* SPDX-License-Identifier: MIT */
/*
 * Trace: all draws, transfers and CPU accesses in a range of frames, in program order. This is the
 * input of timing models. sgt_trace_builder.h creates a trace from the device's events or, in
 * tests, by hand. A finished trace is read-only and can be shared by models.
 */
#ifndef SGT_TRACE_H
#define SGT_TRACE_H

#include <stdbool.h>
#include <stdint.h>

#include "trace/sgt_target.h"

/* A half-open rectangle of pixels in a surface. For a buffer, this is a one-dimensional range in
 * units of 64 bytes from the start of the buffer.
 */
struct sgt_rect {
   int32_t x0, y0, x1, y1;
};

static inline bool
sgt_rects_meet(const struct sgt_rect *a, const struct sgt_rect *b)
{
   return a->x0 < b->x1 && b->x0 < a->x1 && a->y0 < b->y1 && b->y0 < a->y1;
}

/* Rectangle of a region that covers all memory of its set. The region can't be split into smaller
 * rectangles, since overlapping regions of other sets use different coordinates.
 */
#define SGT_RECT_ALL ((struct sgt_rect){ 0, 0, INT32_MAX, INT32_MAX })
#define SGT_ALL_LAYERS UINT16_MAX

static inline bool
sgt_rect_is_all(const struct sgt_rect *r)
{
   return r->x1 == INT32_MAX && r->y1 == INT32_MAX;
}

/* Memory that an item reads or writes. `set` is the index of a set of memory pieces, e.g. the
 * colour and depth surfaces of a draw, a texture level, or a buffer. Two regions overlap if their
 * sets share memory (sgt_sets_meet()) and their layers and rectangles overlap. If two pieces
 * overlap in memory but have no common coordinates, all regions of one piece have the rectangle
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
   SGT_ITEM_COPY, /* copy, blit, resolve or mipmap generation */
   SGT_ITEM_FILL,
   SGT_ITEM_DIRECT, /* CPU access */
   SGT_ITEM_KINDS,
};

/* Coverage of a primitive in an aligned block of 8x4 pixels. Lanes are in the order of elements in
 * micro tiles (sgpu_layout.h). A primitive has at most one entry per block.
 */
struct sgt_block {
   uint16_t x, y; /* position of the block's top left pixel */
   uint32_t mask; /* bitmask of the covered lanes */
   /* index of the fragment values in trace->values, or SGT_NO_VALUES if there are none */
   uint32_t values;
};
#define SGT_NO_VALUES UINT32_MAX

/* Fragment values of a block, if the trace has values (sgt_trace::has_values). Each of the last
 * four members is the index of the first word of an array in trace->words, or SGT_NO_VALUES.
 */
struct sgt_values {
   /* Bitmask of the lanes whose fragments the functional device kept. If there is a pixel shader,
    * it has run for these lanes.
    */
   uint32_t colored;
   /* Bitmask of the lanes that the shader, the alpha test or the coverage test dropped. With
    * multisampling, this includes lanes that lost only some of their samples.
    */
   uint32_t dropped;
   /* Fragment depths that the depth test uses, as floats. There are 32 lanes for each of
    * operation->depth_samples depths. SGT_NO_VALUES if there is no depth test.
    */
   uint32_t depth;
   /* Colours: 4 components of 32 lanes, for each of operation->colors outputs and
    * operation->color_samples shader invocations. Only lanes in `colored` are valid. SGT_NO_VALUES
    * if `colored` is 0.
    */
   uint32_t color;
   /* Lane masks for each of operation->samples samples: first the covered lanes of all samples,
    * then the dropped lanes, then the coloured lanes. SGT_NO_VALUES without multisampling.
    */
   uint32_t cover;
   /* Stencil reference values: 32 lanes for each of operation->color_samples shader invocations.
    * SGT_NO_VALUES if the shader doesn't write them or if they were not recorded.
    */
   uint32_t stencil;
};

/* A primitive or a transfer, i.e. the unit of work that a dispatch engine issues. */
struct sgt_item {
   uint32_t operation; /* index in trace->operations */
   uint32_t number;    /* index of the item within its operation */
   uint8_t kind;       /* enum sgt_item_kind */
   uint8_t front;      /* nonzero if the primitive is front-facing */
   struct sgt_region destination;
   /* Range in trace->sources. Sources that no item of the trace writes are omitted. */
   uint32_t first_source, num_sources;
   /* Range in trace->blocks. The blocks are in order of y, then x. Transfers have no blocks. */
   uint32_t first_block, num_blocks;
   uint32_t layer; /* layer of the surface that contains the blocks */
   /* Number of covered pixels. For a transfer, this is the number of pixels in the rectangle,
    * summed over all layers.
    */
   uint32_t pixels;
   uint32_t spans; /* number of pixel rows with coverage */
};

/* Rule that determines which of several fragments at the same pixel remains (see
 * sgd_decide_order()).
 */
enum sgt_order {
   SGT_ORDER_PROGRAM, /* fragments must be processed in program order */
   /* lowest depth wins; if depths are equal, the first fragment in program order */
   SGT_ORDER_LOWEST,
   SGT_ORDER_LOWEST_LAST,  /* lowest depth wins; if depths are equal, the last fragment */
   SGT_ORDER_HIGHEST,      /* highest depth wins; if depths are equal, the first fragment */
   SGT_ORDER_HIGHEST_LAST, /* highest depth wins; if depths are equal, the last fragment */
};

/* A draw or a transfer. */
struct sgt_operation {
   /* position in program order within the trace; doesn't depend on the number of threads */
   uint64_t ordinal;
   uint32_t submission, packet;
   /* Index of the draw in the capture, or UINT32_MAX for other operations. */
   uint32_t draw;
   uint32_t frame; /* index of the frame in the capture */
   uint32_t first_item, num_items;
   /* set if the draw reads stored colours ("alpha blended" in the terms of Wolfe and Noonburg) */
   bool blends;
   uint8_t order; /* enum sgt_order */
   /* Items with the same `order` and order_key may execute in any order, but not at the same time.
    */
   uint32_t order_key;
   uint32_t state; /* index in trace->states, or UINT32_MAX for none */
   uint8_t colors; /* number of recorded colour outputs, from o[COLR0] to o[COLR0 + colors - 1] */
   uint8_t samples;
   uint8_t depth_samples; /* number of depths per fragment: 1 or `samples` */
   /* Number of shader invocations per fragment: 1 or `samples`. */
   uint8_t color_samples;
   /* Range in trace->targets. The depth surface of a draw comes first. For a transfer, written
    * targets come first.
    */
   uint32_t first_target, num_targets;
};

struct sgt_trace {
   struct sgt_operation *operations;
   struct sgt_item *items; /* all items in program order */
   struct sgt_region *sources;
   struct sgt_target *targets;
   struct sgt_block *blocks;
   uint32_t *zculled; /* bitmask of the blocks that zcull dropped, see sgt_block_zculled() */
   struct sgt_values *values;
   uint32_t *words;
   uint32_t num_operations, num_items, num_sources, num_targets, num_blocks, num_values;
   uint64_t num_words;
   /* One value per draw state, transfer and CPU write, in the order of first use: an index in the
    * shadow image (sgpu_shadow.h), or another value that the user of the trace builder chooses.
    */
   uint32_t *states;
   uint32_t num_states;
   uint32_t num_sets;
   /* bit matrix [num_sets][num_sets] of sets that share memory; each row is padded to whole words
    */
   uint32_t *sets_meet;
   uint32_t width, height; /* size in pixels of the largest presented surface */
   /* hash of the trace, which doesn't depend on the number of threads or the scheduling policy */
   uint64_t hash;
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

/* Returns true if the functional device's zcull dropped block `i` before testing its pixels. */
static inline bool
sgt_block_zculled(const struct sgt_trace *t, uint32_t i)
{
   return t->zculled[i / 32] >> (i % 32) & 1;
}

/* Frees the arrays but not the struct itself. Only used by the trace builder. */
void sgt_trace_free_arrays(struct sgt_trace *trace);
void sgt_trace_destroy(struct sgt_trace *trace);

#endif
