/* SPDX-License-Identifier: MIT */
/*
 * Records the index reads of the input assembler for the observer. This file is only compiled into
 * the observed level (sgd_observe.h).
 */
#include "geometry/vertex/sgd_vertex_observe.h"

#include "geometry/front/sgd_front.h"
#include "observe/records/sgd_observe_work.h"

void
sgd_vertex_observe_indices(const struct sgd_front *f, unsigned end)
{
   struct sgd_work_observation *o = f->worker->work;
   const struct sgd_draw *draw = f->draw;
   const unsigned shift = draw->packet.index_size - SGPU_INDEX_SIZE_U8;

   if (!o || draw->packet.index_size == SGPU_INDEX_SIZE_NONE)
      return;
   while (o->element < f->batch->num_elements) {
      const uint16_t slot = f->slot[o->element];
      if (slot != SGD_SLOT_RESTART && slot >= end)
         break;
      const uint64_t element = (uint64_t)draw->packet.first + f->batch->first_element +
                               o->element++;
      if ((element + 1) << shift <= draw->indices.size)
         sgd_observe_fetch_bytes(f->worker, draw->indices.ptr + (element << shift), 1u << shift);
   }
}
