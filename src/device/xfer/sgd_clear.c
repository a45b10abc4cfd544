/* SPDX-License-Identifier: MIT */
/*
 * Copy engine: clears.
 */
#include "sgd_depth_format.h"
#include "sgd_element.h"
#include "sgd_worker.h"
#include "util/macros.h"

/* Sets the bits of `mask` of every element of the rectangle to those of
 * `value`; both are of the surface's element size.
 */
static void
fill(const struct sgd_surface *s, const struct SGPU_RECT *r, unsigned layer, unsigned sample,
     const uint8_t *value, const uint8_t *mask)
{
   const unsigned bpe = s->bpe;
   bool whole = true;
   for (unsigned i = 0; i < bpe; i++)
      whole &= mask[i] == 0xff;

   /* A row of a micro tile and a half of it are the same 32 elements. */
   uint8_t run[32 * 16];
   for (unsigned i = 0; i < 32; i++)
      memcpy(run + i * bpe, value, bpe);

   for (int32_t y = r->y0; y < r->y1;) {
      const bool rows = s->tiled && whole && !(y & 3) && y + 4 <= r->y1;
      for (int32_t x = r->x0; x < r->x1;) {
         uint8_t *p = sgd_surface_element(s, x, y, layer, sample);
         if (rows && !(x & 7) && x + 8 <= r->x1) {
            memcpy(p, run, 32 * bpe);
            x += 8;
            continue;
         }
         for (unsigned j = 0; j < (rows ? 4 : 1); j++) {
            p = sgd_surface_element(s, x, y + j, layer, sample);
            for (unsigned i = 0; i < bpe; i++)
               p[i] = (p[i] & ~mask[i]) | (value[i] & mask[i]);
         }
         x++;
      }
      y += rows ? 4 : 1;
   }
}

static void
clear_color(const struct sgd_surface *s, const struct SGPU_RECT *r, unsigned layer,
            const uint32_t color[4])
{
   uint8_t element[16] = { 0 }, mask[16];

   memset(mask, 0xff, sizeof(mask));
   util_format_pack_rgba(s->pformat, element, color, 1);
   for (unsigned sample = 0; sample < s->samples; sample++)
      fill(s, r, layer, sample, element, mask);
}

static void
clear_zs(const struct sgd_xfer *x, const struct SGPU_RECT *r, unsigned layer)
{
   const struct sgd_surface *s = &x->u.clear.zs;
   const struct sgd_zs_format f = sgd_zs_format(s->pformat);
   uint64_t mask;
   const uint64_t value = sgd_zs_element(&f, x->u.clear.depth, x->u.clear.stencil,
                                         x->u.clear.clear_depth, x->u.clear.clear_stencil, &mask);

   for (unsigned sample = 0; sample < s->samples; sample++)
      fill(s, r, layer, sample, (const uint8_t *)&value, (const uint8_t *)&mask);
}

void
sgd_clear_rect(struct sgd_worker *worker, const struct sgd_xfer *x, const struct SGPU_RECT *rect,
               unsigned layer)
{
   for (unsigned i = 0; i < SGD_MAX_COLORS; i++) {
      if (x->u.clear.colors & (1 << i))
         clear_color(&x->u.clear.color[i], rect, layer, x->u.clear.color_value);
   }
   if (x->u.clear.clear_depth || x->u.clear.clear_stencil)
      clear_zs(x, rect, layer);
}
