/* SPDX-License-Identifier: MIT */
/*
 * Copy engine: copies of elements between surfaces, which change nothing but
 * the layout.
 */
#include "sgd_element.h"
#include "sgd_worker.h"
#include "util/macros.h"

/* A run of n elements of a row; two neighbours of one row of a quad lie
 * together in a tiled surface.
 */
static ALWAYS_INLINE void
copy_run(const struct sgd_surface *dst, uint32_t dx, uint32_t dy, uint32_t dlayer,
         const struct sgd_surface *src, uint32_t sx, uint32_t sy, uint32_t slayer,
         uint32_t sample, uint32_t n, unsigned bpe)
{
   uint32_t i = 0;

   if (!dst->tiled && !src->tiled) {
      memcpy(sgd_surface_element(dst, dx, dy, dlayer, sample),
             sgd_surface_element(src, sx, sy, slayer, sample), (size_t)n * bpe);
      return;
   }
   if (((dx ^ sx) & 1) == 0 || !dst->tiled || !src->tiled) {
      /* Pairs begin at even elements of what is tiled. */
      const uint32_t odd = (dst->tiled ? dx : sx) & 1;
      if (odd && n) {
         memcpy(sgd_surface_element(dst, dx, dy, dlayer, sample),
                sgd_surface_element(src, sx, sy, slayer, sample), bpe);
         i = 1;
      }
      for (; i + 2 <= n; i += 2)
         memcpy(sgd_surface_element(dst, dx + i, dy, dlayer, sample),
                sgd_surface_element(src, sx + i, sy, slayer, sample), 2 * bpe);
   }
   for (; i < n; i++)
      memcpy(sgd_surface_element(dst, dx + i, dy, dlayer, sample),
             sgd_surface_element(src, sx + i, sy, slayer, sample), bpe);
}

void
sgd_copy_rect(struct sgd_worker *worker, const struct sgd_xfer *x, const struct SGPU_RECT *rect,
              unsigned layer)
{
   const struct sgd_surface *src = &x->u.copy.src, *dst = &x->u.copy.dst;
   const struct SGPU_COPY_SURFACE *p = &x->u.copy.packet;
   const unsigned dbw = dst->desc->block.width, dbh = dst->desc->block.height;
   const unsigned sbw = src->desc->block.width, sbh = src->desc->block.height;

   /* In elements: where the whole copy begins, and this part of it. */
   const uint32_t dx0 = p->rect.x0 / dbw, dy0 = p->rect.y0 / dbh;
   const uint32_t sx0 = p->source_x / sbw, sy0 = p->source_y / sbh;
   const uint32_t x0 = rect->x0 / dbw, x1 = DIV_ROUND_UP(rect->x1, dbw);
   const uint32_t y0 = rect->y0 / dbh, y1 = DIV_ROUND_UP(rect->y1, dbh);

   for (unsigned sample = 0; sample < dst->samples; sample++) {
      for (uint32_t y = y0; y < y1; y++) {
         const uint32_t sx = sx0 + (x0 - dx0), sy = sy0 + (y - dy0);
         switch (dst->bpe) {
         case 1:
            copy_run(dst, x0, y, layer, src, sx, sy, layer, sample, x1 - x0, 1);
            break;
         case 2:
            copy_run(dst, x0, y, layer, src, sx, sy, layer, sample, x1 - x0, 2);
            break;
         case 4:
            copy_run(dst, x0, y, layer, src, sx, sy, layer, sample, x1 - x0, 4);
            break;
         case 8:
            copy_run(dst, x0, y, layer, src, sx, sy, layer, sample, x1 - x0, 8);
            break;
         case 16:
            copy_run(dst, x0, y, layer, src, sx, sy, layer, sample, x1 - x0, 16);
            break;
         default:
            copy_run(dst, x0, y, layer, src, sx, sy, layer, sample, x1 - x0, dst->bpe);
            break;
         }
      }
   }
}
