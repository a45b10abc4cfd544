/* SPDX-License-Identifier: MIT */
/*
 * Input assembler: reads index memory.
 */
#ifndef SGD_IA_INDEX_H
#define SGD_IA_INDEX_H

#include <stdint.h>

#include "common/sgd_draw.h"
#include "common/sgd_once.h"

/* Returns the index of an element, or 0 if the element is past the end of the index buffer. */
static inline uint32_t
sgd_ia_index(const struct sgd_draw *draw, uint32_t element)
{
   const unsigned shift = draw->packet.index_size - SGPU_INDEX_SIZE_U8;
   const uint64_t offset = ((uint64_t)draw->packet.first + element) << shift;

   if (offset + (1u << shift) > draw->indices.size)
      return 0;
   const uint8_t *p = draw->indices.ptr + offset;
   switch (draw->packet.index_size) {
   case SGPU_INDEX_SIZE_U8:
      return sgd_read_once8(p);
   case SGPU_INDEX_SIZE_U16:
      return sgd_read_once16(p);
   default:
      return sgd_read_once32(p);
   }
}

#endif
