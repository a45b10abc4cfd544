/* SPDX-License-Identifier: MIT */
/*
 * Trace: the work of a range of frames in program order, as timing models read it.
 * sgt_trace_builder.h makes one, from the device's events or by hand (tests).  A
 * finished trace is read-only, so any number of models share it.
 */
#ifndef SGT_TRACE_H
#define SGT_TRACE_H

#include <stdbool.h>
#include <stdint.h>

#include "trace/sgt_target.h"

/* Pixels of surfaces, half open.  Bytes of buffers: one row, in units of 64 bytes
 * from the begin of the buffer.
 */
struct sgt_rect {
   int32_t x0, y0, x1, y1;
};

static inline bool
sgt_rects_meet(const struct sgt_rect *a, const struct sgt_rect *b)
{
   return a->x0 < b->x1 && b->x0 < a->x1 && a->y0 < b->y1 && b->y0 < a->y1;
}

/* Of a region that is everything.  No part of it can be taken for itself: regions of other
 * sets that share its memory count in other coordinates.
 */
#define SGT_RECT_ALL ((struct sgt_rect){ 0, 0, INT32_MAX, INT32_MAX })
#define SGT_ALL_LAYERS UINT16_MAX

static inline bool
sgt_rect_is_all(const struct sgt_rect *r)
{
   return r->x1 == INT32_MAX && r->y1 == INT32_MAX;
}

/* What an item reads or writes.  `set` numbers a set of pieces of memory: the colour and
 * depth surfaces of a draw, a level of a texture, a buffer.  Two regions meet where their
 * sets share memory (sgt_sets_meet), their layers meet and their rectangles meet.  Where
 * pieces overlap in memory without common coordinates, the regions of one of them have the
 * rectangle SGT_RECT_ALL and the layers 0 to SGT_ALL_LAYERS.
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
   SGT_ITEM_DIRECT, /* an access by the CPU */
   SGT_ITEM_KINDS,
};

/* Coverage of a primitive in an aligned block of 8x4 pixels; lanes in the order of
 * sgpu_layout.h.  A primitive has a block once.
 */
struct sgt_block {
   uint16_t x, y; /* first pixel */
   uint32_t mask;
   uint32_t values; /* index in trace->values; SGT_NO_VALUES: none */
};
#define SGT_NO_VALUES UINT32_MAX

/* Fragments of a block, where the trace has values (struct sgt_trace.has_values).  The
 * last four are the index of the block's first word in trace->words, or SGT_NO_VALUES.
 */
struct sgt_values {
   uint32_t colored; /* lanes that the functional device kept, shaded where a program runs */
   uint32_t dropped; /* lanes that the program, or a test of alpha or coverage, dropped; with
                      * several samples: that have lost a sample so */
   uint32_t depth;   /* float depths as tested: 32 lanes for each of operation->depth_samples;
                      * none: no depth is tested */
   uint32_t color;   /* 4 components x 32 lanes for each of operation->colors outputs, for each
                      * of operation->color_samples; valid in `colored` lanes; none: no lane is
                      * colored */
   uint32_t cover;   /* masks of lanes for each of operation->samples: covered; then as many
                      * dropped; then as many colored; none: one sample */
   uint32_t stencil; /* reference values of 32 lanes for each of operation->color_samples, where
                      * the program writes them; none: it does not, or they are not known */
};

/* A primitive or a transfer: the unit that a dispatch engine issues. */
struct sgt_item {
   uint32_t operation; /* index in trace->operations */
   uint32_t number;    /* of the primitive in its operation */
   uint8_t kind;       /* enum sgt_item_kind */
   uint8_t front;      /* the primitive faces the viewer */
   struct sgt_region destination;
   uint32_t first_source, num_sources; /* in trace->sources: only memory that some item of the
                                        * trace writes */
   uint32_t first_block, num_blocks;   /* in trace->blocks, by y, then x; transfers: none */
   uint32_t layer;                     /* of the blocks */
   uint32_t pixels;                    /* covered; transfers: of the rectangle and layers */
   uint32_t spans;                     /* rows with coverage */
};

/* How the order of an item's fragments is decided (sgd_decide_order). */
enum sgt_order {
   SGT_ORDER_PROGRAM,     /* by program order */
   SGT_ORDER_LOWEST,      /* the lowest depth stays; of equal ones the first in program order */
   SGT_ORDER_LOWEST_LAST, /* the last */
   SGT_ORDER_HIGHEST,
   SGT_ORDER_HIGHEST_LAST,
};

/* A draw or a transfer. */
struct sgt_operation {
   uint64_t ordinal; /* program order over the trace, the same for every thread count */
   uint32_t submission, packet;
   uint32_t draw;  /* number of the draw in the capture, from 0; UINT32_MAX: no draw */
   uint32_t frame; /* of the capture */
   uint32_t first_item, num_items;
   bool blends;   /* reads stored colours: the paper's "alpha blended" */
   uint8_t order; /* enum sgt_order */
   /* Items of equal order and equal order_key may run in any order, but not at once. */
   uint32_t order_key;
   uint32_t state; /* index in trace->states; UINT32_MAX: none */
   uint8_t colors; /* colour outputs with values: o[COLR0] to o[COLR0 + colors - 1] */
   uint8_t samples;
   uint8_t depth_samples;              /* depths of a fragment: 1, or `samples` */
   uint8_t color_samples;              /* runs of the program for a fragment: 1, or `samples` */
   uint32_t first_target, num_targets; /* in trace->targets: of a draw the depth surface first;
                                        * of a transfer those that it writes first */
};

struct sgt_trace {
   struct sgt_operation *operations;
   struct sgt_item *items; /* in program order */
   struct sgt_region *sources;
   struct sgt_target *targets;
   struct sgt_block *blocks;
   uint32_t *zculled; /* bit mask of blocks that zcull dropped: sgt_block_zculled */
   struct sgt_values *values;
   uint32_t *words;
   uint32_t num_operations, num_items, num_sources, num_targets, num_blocks, num_values;
   uint64_t num_words;
   uint32_t *states; /* by order of first use: the number of the state, transfer or write in the
                      * image of sgpu_shadow.h, or what the caller of the builder says */
   uint32_t num_states;
   uint32_t num_sets;
   uint32_t *sets_meet;    /* bit matrix of num_sets x num_sets, rows of whole words */
   uint32_t width, height; /* of the largest presented surface */
   uint64_t hash;          /* of the events: equal for every thread count and policy */
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

/* Whether the functional device dropped block `i` by zcull, before its pixels were tested. */
static inline bool
sgt_block_zculled(const struct sgt_trace *t, uint32_t i)
{
   return t->zculled[i / 32] >> (i % 32) & 1;
}

/* For the builder: the arrays alone. */
void sgt_trace_free_arrays(struct sgt_trace *trace);
void sgt_trace_destroy(struct sgt_trace *trace);

#endif
