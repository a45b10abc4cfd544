/* SPDX-License-Identifier: MIT */
/*
 * Raster engine: records coverage for the observer. Adds BLOCK records, and VALUES records that the
 * pixel stage fills in later.
 */
#include "pixel/raster/sgd_raster_observe.h"

#include "observe/records/sgd_observation.h"
#include "pixel/shading/sgd_observe_pixel.h"
#include "pixel/shading/sgd_pixel.h"
#include "pixel/raster/sgd_collect.h"
#include "common/sgd_lanes.h"
#include "common/sgd_prim.h"
#include "common/sgd_shader.h"
#include "common/sgd_worker.h"
#include "sgpu_fp.h"

bool
sgd_observe_rejected_begin(struct sgd_raster *r)
{
   struct sgd_observation *o = r->pixel.worker->observation;

   if (o->classes < SGPU_OBSERVE_COVERAGE)
      return false;
   o->rejected = true;
   r->zcull.active = false;
   return true;
}

void
sgd_observe_rejected_end(struct sgd_raster *r)
{
   r->pixel.worker->observation->rejected = false;
   r->zcull.active = true;
}

/* Records the depths of a block that the depth test compares: one depth per pixel, or one per
 * sample with multisampling. Must not be called if the pixel program writes depth.
 */
static void
add_depths(const struct sgd_raster *r, struct sgpu_event_values *v, const struct sgd_prim *prim,
           int x, int y, uint32_t mask, const struct sgd_samples *samples)
{
   uint32_t *depth = (uint32_t *)(v + 1);
   struct sgd_pixels pixels = {
      .quads = { .count = SGD_QUADS, .block = true, .layer = r->layer, .mask = mask },
   };

   for (unsigned q = 0; q < SGD_QUADS; q++) {
      pixels.quads.x[q] = x + (q & 3) * 2;
      pixels.quads.y[q] = y + (q >> 2) * 2;
      pixels.prim[q] = prim;
   }
   for (unsigned s = 0; s < v->depths; s++) {
      const uint32_t lanes = v->depths > 1 ? samples->cover[s] : mask;
      float z[SGD_WARP];

      sgd_pixel_depth(&r->pixel, &pixels, s, z);
      for (unsigned l = 0; l < SGD_WARP; l++)
         depth[s * SGD_WARP + l] = lanes >> l & 1 ? sgpu_f2bits(z[l]) : 0;
   }
}

static void
add_values(struct sgd_raster *r, const struct sgd_prim *prim, int x, int y, uint32_t mask,
           const struct sgd_samples *samples)
{
   struct sgd_observation *o = r->pixel.worker->observation;
   const bool tested = (r->early || r->pixel.late) && r->pixel.state->plan.rop.zs.depth;
   const bool shaded = r->pixel.ps && !o->rejected;
   const unsigned depths = !tested ? 0 : r->pixel.mode.multisample ? r->pixel.mode.samples : 1;
   const unsigned runs = r->pixel.mode.per_sample ? r->pixel.mode.samples : 1;
   const unsigned stencils = shaded && r->pixel.late && r->pixel.ps->writes_stencil ? runs : 0;
   const unsigned covers = r->pixel.mode.samples > 1 ? r->pixel.mode.samples : 0;
   const unsigned colors = shaded ? sgd_observe_colors(&r->pixel) : 0;
   struct sgpu_event_values *v;
   uint64_t *latest = &o->values[sgd_observation_block(x, y)];
   const uint64_t at = o->records.num + 1;

   v = sgd_records_add(&o->records, SGPU_EVENT_VALUES, 0,
                       sizeof(*v) / 4 + (depths + stencils + runs * colors * 4) * SGD_WARP +
                          3 * covers);
   if (!v)
      return;
   v->link = *latest ? at - *latest : 0;
   *latest = at;
   v->depths = depths;
   v->stencils = stencils;
   v->covers = covers;
   v->runs = runs;
   v->colors = colors;
   if (!(r->pixel.late && r->pixel.ps->writes_depth))
      add_depths(r, v, prim, x, y, mask, samples);
   uint32_t *cover = (uint32_t *)(v + 1) + (depths + stencils) * SGD_WARP;
   for (unsigned s = 0; s < covers; s++)
      cover[s] = samples->cover[s];
}

bool
sgd_observe_block(struct sgd_raster *r, const struct sgd_prim *prim, int x, int y, uint32_t mask,
                  const struct sgd_samples *samples)
{
   struct sgd_observation *o = r->pixel.worker->observation;
   struct sgpu_event_block *e;

   if (o->classes < SGPU_OBSERVE_COVERAGE)
      return false;
   e = sgd_records_add(&o->records, SGPU_EVENT_BLOCK, o->rejected ? SGPU_EVENT_BLOCK_ZCULLED : 0,
                       sizeof(*e) / 4);
   if (!e)
      return o->rejected;
   e->primitive = prim->number;
   e->mask = mask;
   e->x = x;
   e->y = y;
   if (o->classes >= SGPU_OBSERVE_VALUES)
      add_values(r, prim, x, y, mask, samples);
   return o->rejected;
}

bool
sgd_observe_whole(struct sgd_raster *r, const struct sgd_prim *prim, unsigned k)
{
   const int x = r->x + (k & 3) * SGD_META_BLOCK, y = r->y + (k >> 2) * SGD_META_BLOCK;
   const uint8_t writes = r->zcull.writes[k];

   for (int by = y; by < y + SGD_META_BLOCK; by += SGD_BLOCK_H) {
      for (int bx = x; bx < x + SGD_META_BLOCK; bx += SGD_BLOCK_W)
         sgd_raster_block(r, prim, bx, by, ~0u);
   }
   r->zcull.writes[k] = writes;
   r->zcull.dirty &= ~(1u << k);
   return true;
}
