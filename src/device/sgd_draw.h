/* SPDX-License-Identifier: MIT */
/*
 * A draw: the packet and the state that it was issued under.
 */
#ifndef SGD_DRAW_H
#define SGD_DRAW_H

#include <stdbool.h>
#include <stdint.h>

#include "sgd_state.h"
#include "sgpu_packets.h"

/* One of several draws that are one operation. */
struct sgd_draw_part {
   struct sgd_span indices; /* the index buffer, from Index Address on */
   uint32_t first, count;
   int32_t bias;
};

/* Elements of an operation of several draws, one between two draws included: it is one batch. */
#define SGD_JOIN_ELEMENTS 256
/* The least that a draw has is an element. */
#define SGD_JOIN_PARTS (SGD_JOIN_ELEMENTS / 2)

struct sgd_draw {
   struct sgd_state *state;
   /* Of several draws, that of the first, and Count is the number of elements. */
   struct SGPU_DRAW packet;
   struct sgd_span indices; /* the index buffer, from Index Address on */
   /* Several draws in order, from malloc; no part: the packet's alone.  The element between
    * two draws is a restart.
    */
   struct sgd_draw_part *parts;
   unsigned num_parts;
   /* Read before the draw is cut, or NULL: a counter of bytes that replaces the
    * packet's Count; the numbers of an indirect draw, and the number of draws.
    */
   const uint64_t *count;
   const uint32_t *numbers, *limit;
   bool count_stats; /* a statistics query is active */
   /* Batches, and their tiles, run one after the other: what programs read depends on
    * what others have written.
    */
   bool ordered;
};

/* Words of an indirect draw, see DRAW INDIRECT. */
static inline unsigned
sgd_draw_numbers(enum sgpu_index_size size)
{
   return size == SGPU_INDEX_SIZE_NONE ? 4 : 5;
}

#endif
