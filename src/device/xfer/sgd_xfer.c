/* SPDX-License-Identifier: MIT */
/*
 * Copy engine: runs the part of an operation that is inside a tile, or part of a buffer operation.
 */
#include <string.h>

#include "common/sgd_worker.h"
#include "common/sgd_xfer.h"
#include "util/macros.h"
#include "xfer/sgd_element.h"
#include "xfer/sgd_tile_expand.h"

static void
buffer_span(const struct sgd_xfer *x, const struct SGPU_RECT *rect)
{
   uint8_t *dst = x->u.buffer.dst.ptr;
   const uint64_t begin = (uint64_t)rect->x0 * SGD_XFER_SPAN;
   const uint64_t end = MIN2((uint64_t)rect->x1 * SGD_XFER_SPAN, x->u.buffer.dst.size);

   if (x->kind == SGD_XFER_COPY_BUFFER) {
      memcpy(dst + begin, x->u.buffer.src.ptr + begin, end - begin);
      return;
   }

   const unsigned n = x->u.buffer.pattern_size;
   const uint8_t *pattern = (const uint8_t *)x->u.buffer.pattern;
   if (n == 1) {
      memset(dst + begin, pattern[0], end - begin);
      return;
   }
   /* The pattern can have 1 to 16 bytes. 48 is a multiple of all possible sizes, so blocks of 48
    * bytes can be copied. The start of a span isn't always a multiple of 12 bytes, so the block may
    * have to start in the middle of the pattern.
    */
   uint8_t block[48];
   for (unsigned i = 0; i < sizeof(block); i++)
      block[i] = pattern[(begin + i) % n];
   uint64_t at = begin;
   for (; at + sizeof(block) <= end; at += sizeof(block))
      memcpy(dst + at, block, sizeof(block));
   memcpy(dst + at, block, end - at);
}

void
sgd_xfer_run(struct sgd_worker *worker, const struct sgd_xfer *x, const struct SGPU_RECT *rect,
             unsigned layer)
{
   worker->counters[SGPU_COUNTER_TRANSFERS]++;
   switch (x->kind) {
   case SGD_XFER_CLEAR:
      sgd_clear_rect(worker, x, rect, layer);
      break;
   case SGD_XFER_COPY_SURFACE:
      sgd_tile_overwrite(worker, &x->u.copy.dst, rect, layer, true);
      sgd_copy_rect(worker, x, rect, layer);
      break;
   case SGD_XFER_BLIT:
      sgd_tile_overwrite(worker, &x->u.blit.dst, rect, layer, false);
      sgd_blit_rect(worker, x, rect, layer);
      break;
   case SGD_XFER_RESOLVE:
      sgd_tile_resolve(worker, &x->u.resolve, rect->x0, rect->y0, layer);
      break;
   case SGD_XFER_COPY_BUFFER:
   case SGD_XFER_FILL_BUFFER:
      buffer_span(x, rect);
      break;
   }
}
