/* SPDX-License-Identifier: MIT */
/*
 * A draw: the packet, and the state that the draw was issued under.
 */
#ifndef SGD_DRAW_H
#define SGD_DRAW_H

#include <stdbool.h>
#include <stdint.h>

#include "common/sgd_state.h"
#include "sgpu_packets.h"

/* One of several draws that are joined into one operation. */
struct sgd_draw_part {
   struct sgd_span indices; /* index buffer, starting at Index Address */
   uint32_t first, count;   /* first element, and number of elements */
   int32_t bias;            /* added to each index */
};

/* Maximum number of elements in an operation that joins several draws. This includes one
 * element between two draws. The operation is one batch.
 */
#define SGD_JOIN_ELEMENTS 256
/* Maximum number of draws in such an operation, since each has at least one element. */
#define SGD_JOIN_PARTS (SGD_JOIN_ELEMENTS / 2)

struct sgd_draw {
   struct sgd_state *state;
   /* For joined draws, the packet of the first draw, with the total number of elements as Count. */
   struct SGPU_DRAW packet;
   struct sgd_span indices; /* index buffer, starting at Index Address */
   /* Joined draws in order, allocated by malloc(). If num_parts is 0, the packet is the
    * only draw. The element between two draws is a restart.
    */
   struct sgd_draw_part *parts;
   unsigned num_parts;
   /* Memory that is read before the draw is cut, or NULL. `count` is a counter of bytes
    * that replaces the packet's Count, `numbers` are the parameters of an indirect draw,
    * and `limit` is the number of draws.
    */
   const uint64_t *count;
   const uint32_t *numbers, *limit;
   bool count_stats; /* a statistics query is active */
   /* Batches and their tiles run one after the other, because programs read data that
    * other invocations have written.
    */
   bool ordered;
};

/* Returns the number of 32-bit parameters of an indirect draw (see DRAW INDIRECT). */
static inline unsigned
sgd_draw_numbers(enum sgpu_index_size size)
{
   return size == SGPU_INDEX_SIZE_NONE ? 4 : 5;
}

#endif
