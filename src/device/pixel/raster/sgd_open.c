/* SPDX-License-Identifier: MIT */
/*
 * Raster engine: prepares a tile's render targets for drawing, and writes the clear values of
 * pending fast clears.
 */
#include "pixel/raster/sgd_open.h"

#include <string.h>

#include "common/sgd_lanes.h"
#include "common/sgd_shader.h"
#include "common/sgd_worker.h"
#include "util/bitscan.h"
#include "xfer/sgd_element.h"
#include "xfer/sgd_tile_expand.h"

/* Prepares a render target for drawing. `replaced` is true if fragments overwrite whole elements of
 * the colour target. `constant` is true if the draw writes only the depth bits, so that the other
 * bits keep the same value in the whole tile.
 */
static void
open_target(struct sgd_raster *r, const struct sgd_surface *s, bool replaced, bool constant)
{
   struct sgd_tile_meta *m = sgd_tile_meta(s, r->x, r->y, r->layer);

   if (!m)
      return;
   sgd_tile_written(m, s);
   if (!constant)
      m->constant = SGPU_FORMAT_NONE;
   if (sgd_cleared_tile_begin(&r->targets.cleared[r->targets.num_cleared], r->pixel.worker, s, r->x,
                              r->y, r->layer)) {
      r->targets.unstored |= ~m->stored;
      r->targets.replaced |= (uint32_t)replaced << r->targets.num_cleared;
      r->targets.num_cleared++;
   }
}

void
sgd_open_targets(struct sgd_raster *r)
{
   const struct sgd_state *st = r->pixel.state;
   const unsigned read = r->pixel.ps ? r->pixel.ps->targets_read : 0;

   r->targets.num_cleared = 0;
   r->targets.unstored = 0;
   r->targets.replaced = 0;
   for (unsigned i = 0; i < st->num_colors; i++) {
      if ((r->pixel.color && st->plan.color_write_mask[i]) || (read >> i & 1))
         open_target(r, &st->color[i], st->plan.replaced >> i & 1, false);
   }
   if (r->early || r->pixel.late || (read >> SGD_MAX_COLORS & 1))
      open_target(r, &st->zs, false, !st->plan.rop.zs.stencil);
   r->targets.open = true;
}

__attribute__((noinline)) void
sgd_open_store(struct sgd_raster *r, unsigned k)
{
   if (!r->targets.open)
      sgd_open_targets(r);
   if (!(r->targets.unstored >> k & 1))
      return;
   for (unsigned i = 0; i < r->targets.num_cleared; i++)
      sgd_cleared_tile_store(&r->targets.cleared[i], k);
   r->targets.unstored &= ~(1u << k);
}

uint32_t
sgd_open_replace(struct sgd_raster *r, unsigned k, bool depth)
{
   const uint32_t colors = r->waits ? 0 : r->targets.replaced;
   uint32_t replaced = 0;

   for (unsigned i = 0; i < r->targets.num_cleared; i++) {
      const struct sgd_cleared_tile *t = &r->targets.cleared[i];
      if (!(colors >> i & 1) && !(depth && t->surface == &r->pixel.state->zs)) {
         sgd_cleared_tile_store(t, k);
         continue;
      }
      if (!(t->meta->stored >> k & 1))
         replaced |= colors & 1u << i;
      t->meta->stored |= 1u << k;
   }
   r->targets.unstored &= ~(1u << k);
   return replaced;
}

void
sgd_open_restore(const struct sgd_raster *r, uint32_t replaced, uint32_t x, uint32_t y,
                 uint32_t lanes)
{
   while (replaced) {
      const struct sgd_cleared_tile *t = &r->targets.cleared[u_bit_scan(&replaced)];
      for (uint32_t left = lanes; left;) {
         const unsigned l = u_bit_scan(&left);
         memcpy(sgd_surface_element(t->surface, x + sgd_lane_x(l), y + sgd_lane_y(l), t->layer, 0),
                t->meta->value, t->surface->bpe);
      }
   }
}
