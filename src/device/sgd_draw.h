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

struct sgd_draw {
   struct sgd_state *state;
   struct SGPU_DRAW packet;
   struct sgd_span indices; /* the index buffer, from Index Address on */
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
