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

/* A draw that was joined with other draws into one operation. */
struct sgd_draw_part {
   struct sgd_span indices; /* index buffer, starting at Index Address */
   uint32_t first, count;   /* first: index of the first element; count: number of elements */
   int32_t bias;            /* value added to each index */
};

/* Maximum number of elements in an operation that joins several draws, including the restart
 * elements between consecutive draws. Such an operation always fits in one batch.
 */
#define SGD_JOIN_ELEMENTS 256
/* Maximum number of draws in a joined operation. Each draw has at least one element, and needs a
 * restart element before the next draw.
 */
#define SGD_JOIN_PARTS (SGD_JOIN_ELEMENTS / 2)

struct sgd_draw {
   struct sgd_state *state;
   /* Packet of the draw. For joined draws, this is the packet of the first draw, with Count
    * replaced by the total number of elements.
    */
   struct SGPU_DRAW packet;
   struct sgd_span indices; /* index buffer, starting at Index Address */
   /* Joined draws in order, allocated with malloc(). A restart element separates consecutive draws.
    * If num_parts is 0, the draw was not joined, and only the packet is used.
    */
   struct sgd_draw_part *parts;
   unsigned num_parts;
   /* Addresses of parameters that the device reads before it divides the draw into batches, or
    * NULL. `count` is the byte counter that replaces Count of the packet, `numbers` are the
    * parameters of an indirect draw, and `limit` is the number of draws of an indirect multi-draw.
    */
   const uint64_t *count;
   const uint32_t *numbers, *limit;
   bool count_stats; /* a statistics query is active */
   /* Set if the batches of the draw and their tiles must run one at a time, because programs read
    * data that other invocations have written.
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
