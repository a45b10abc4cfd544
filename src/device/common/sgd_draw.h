/* SPDX-License-Identifier: MIT */
/*
 * A draw: its packet, and the state that it was issued with.
 */
#ifndef SGD_DRAW_H
#define SGD_DRAW_H

#include <stdbool.h>
#include <stdint.h>

#include "common/sgd_state.h"
#include "sgpu_packets.h"

/* One of several draws that were joined into one operation. */
struct sgd_draw_part {
   struct sgd_span indices; /* index buffer, starting at Index Address */
   uint32_t first, count;   /* index of the first element, and number of elements */
   int32_t bias;            /* value added to each index */
};

/* Maximum number of elements in an operation that joins several draws, including one restart
 * element between two draws. The whole operation fits in one batch.
 */
#define SGD_JOIN_ELEMENTS 256
/* Maximum number of draws in a joined operation, since each draw has at least one element. */
#define SGD_JOIN_PARTS (SGD_JOIN_ELEMENTS / 2)

struct sgd_draw {
   struct sgd_state *state;
   /* For joined draws, the packet of the first draw, with Count replaced by the total number of
    * elements.
    */
   struct SGPU_DRAW packet;
   struct sgd_span indices; /* index buffer, starting at Index Address */
   /* Joined draws in order, allocated with malloc(). If num_parts is 0, the packet is the only
    * draw. A restart element separates consecutive draws.
    */
   struct sgd_draw_part *parts;
   unsigned num_parts;
   /* Memory that the device reads before it cuts the draw, or NULL. `count` is the byte counter
    * that replaces Count of the packet, `numbers` are the parameters of an indirect draw, and
    * `limit` is the number of draws of an indirect multi-draw.
    */
   const uint64_t *count;
   const uint32_t *numbers, *limit;
   bool count_stats; /* a statistics query is active */
   /* Batches and their tiles run one at a time, since programs read data that other invocations
    * have written.
    */
   bool ordered;
};

/* Returns the number of 32-bit parameters per indirect draw (see DRAW INDIRECT). */
static inline unsigned
sgd_draw_numbers(enum sgpu_index_size size)
{
   return size == SGPU_INDEX_SIZE_NONE ? 4 : 5;
}

#endif
