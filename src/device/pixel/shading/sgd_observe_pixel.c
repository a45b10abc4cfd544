/* SPDX-License-Identifier: MIT */
/*
 * Pixel stage: records the results of fragments for the observer. A warp can have quads of several
 * primitives, so each quad is recorded in the VALUES record of its primitive and block.
 */
#include "pixel/shading/sgd_observe_pixel.h"

#include "observe/records/sgd_observation.h"
#include "observe/records/sgd_observe_work.h"
#include "common/sgd_lanes.h"
#include "common/sgd_prim.h"
#include "common/sgd_shader.h"
#include "common/sgd_worker.h"
#include "sgpu_fp.h"
#include "util/bitscan.h"
#include "util/macros.h"

/* Returns a mask of the colour outputs o[COLRn] that the ROP reads. */
static uint32_t
outputs_used(const struct sgd_pixel_stage *px)
{
   uint32_t used = 0;

   for (unsigned i = 0; px->color && i < px->state->num_colors; i++) {
      const struct sgd_color_plan *p = &px->state->plan.rop.color[i];
      if (p->active)
         used |= 1u << (p->source - SGPU_PO_COLR0) | (p->dual ? 2 : 0);
   }
   return used;
}

unsigned
sgd_observe_colors(const struct sgd_pixel_stage *px)
{
   return util_last_bit(outputs_used(px));
}

/* Returns the VALUES record of quad q, or NULL if there is none. Sets *lane to the index of the
 * quad's first lane in its block.
 */
static struct sgpu_event_values *
find_values(const struct sgd_pixel_stage *px, const struct sgd_pixels *pixels, unsigned q,
            unsigned *lane)
{
   const struct sgd_observation *o = px->worker->observation;
   const unsigned x = pixels->quads.x[q], y = pixels->quads.y[q];

   *lane = (y / 2 % 2 * 4 + x / 2 % 4) * 4;
   for (uint64_t at = o->values[sgd_observation_block(x, y)]; at;) {
      struct sgpu_event_values *v = (struct sgpu_event_values *)(o->records.words + at - 1);
      const struct sgpu_event_block *block = (const struct sgpu_event_block *)v - 1;
      if (block->primitive == pixels->prim[q]->number)
         return v;
      at = v->link ? at - v->link : 0;
   }
   return NULL;
}

static uint32_t *
values_words(struct sgpu_event_values *v)
{
   return (uint32_t *)(v + 1);
}

static uint32_t *
values_stencil(struct sgpu_event_values *v)
{
   return values_words(v) + v->depths * SGD_WARP;
}

static uint32_t *
values_cover(struct sgpu_event_values *v)
{
   return values_stencil(v) + v->stencils * SGD_WARP;
}

static uint32_t *
values_color(struct sgpu_event_values *v)
{
   return values_cover(v) + v->covers * 3;
}

void
sgd_observe_late(const struct sgd_pixel_stage *px, const struct sgd_pixels *pixels, unsigned sample,
                 const float z[SGD_WARP], const uint32_t *stencil, uint32_t lanes)
{
   unsigned first;

   if (!px->ps->writes_depth && !stencil)
      return;
   for (uint32_t left = lanes; left;) {
      const unsigned l = u_bit_scan(&left);
      struct sgpu_event_values *v = find_values(px, pixels, l / 4, &first);
      if (!v)
         continue;
      const unsigned to = first + l % 4;
      if (px->ps->writes_depth && v->depths)
         values_words(v)[(v->depths > 1 ? sample : 0) * SGD_WARP + to] = sgpu_f2bits(z[l]);
      if (stencil && v->stencils)
         values_stencil(v)[(v->stencils > 1 ? sample : 0) * SGD_WARP + to] = stencil[l];
   }
}

static void
copy_colors(const struct sgd_pixel_stage *px, struct sgpu_event_values *v, unsigned run,
            unsigned from, unsigned to, uint32_t lanes)
{
   const struct sgd_vec *out = px->worker->core->warp.out;
   uint32_t used = outputs_used(px);

   while (used) {
      const unsigned n = u_bit_scan(&used);
      uint32_t *color = values_color(v) + (run * v->colors + n) * 4 * SGD_WARP;
      for (unsigned c = 0; c < 4; c++) {
         for (unsigned i = 0; i < 4; i++) {
            if (lanes >> i & 1)
               color[c * SGD_WARP + to + i] = out[SGPU_PO_COLR0 + n].c[c][from + i];
         }
      }
   }
}

/* Records lanes of a sample as kept or as dropped. The colours of kept lanes are recorded as well.
 */
static void
record_lanes(const struct sgd_pixel_stage *px, const struct sgd_pixels *pixels, unsigned sample,
             uint32_t lanes, bool kept)
{
   unsigned first;

   for (uint32_t left = sgd_lanes_quads(lanes); left;) {
      const unsigned q = u_bit_scan(&left) / 4;
      struct sgpu_event_values *v = find_values(px, pixels, q, &first);
      if (!v)
         continue;
      const uint32_t quad = lanes >> 4 * q & 15;
      *(kept ? &v->colored : &v->dropped) |= quad << first;
      if (v->covers)
         values_cover(v)[(kept ? 2 : 1) * v->covers + sample] |= quad << first;
      if (kept && v->colors)
         copy_colors(px, v, v->runs > 1 ? sample : 0, 4 * q, first, quad);
   }
}

void
sgd_observe_dropped(const struct sgd_pixel_stage *px, const struct sgd_pixels *pixels,
                    unsigned sample, uint32_t lanes)
{
   record_lanes(px, pixels, sample, lanes, false);
}

void
sgd_observe_kept(const struct sgd_pixel_stage *px, const struct sgd_pixels *pixels, unsigned sample,
                 uint32_t lanes)
{
   record_lanes(px, pixels, sample, lanes, true);
}

void
sgd_observe_passed(const struct sgd_pixel_stage *px, const struct sgd_pixels *pixels)
{
   if (!pixels->samples) {
      sgd_observe_kept(px, pixels, 0, pixels->quads.mask);
      return;
   }
   for (unsigned s = 0; s < px->mode.samples; s++)
      sgd_observe_kept(px, pixels, s, pixels->samples->live[s]);
}

/* -- work -------------------------------------------------------------------------------------- */

void
sgd_observe_quads(const struct sgd_pixel_stage *px, const struct sgd_pixels *pixels)
{
   struct sgd_work_observation *o = px->worker->work;
   const struct sgd_quads *quads = &pixels->quads;

   if (!o)
      return;
   o->quads = o->records.num;
   for (unsigned q = 0; q < quads->count; q++) {
      struct sgpu_event_quad *e = sgd_records_add(&o->records, SGPU_EVENT_QUAD, 0, sizeof(*e) / 4);
      if (!e)
         return;
      e->x = quads->x[q];
      e->y = quads->y[q];
      e->primitive = pixels->prim[q]->number;
      e->covered = quads->mask >> 4 * q & 15;
   }
}

void
sgd_observe_quads_kept(const struct sgd_pixel_stage *px, uint32_t lanes)
{
   struct sgd_work_observation *o = px->worker->work;

   if (!o || o->records.failed)
      return;
   for (unsigned q = 0; lanes >> 4 * q; q++) {
      struct sgpu_event_quad *e = (struct sgpu_event_quad *)(o->records.words + o->quads) + q;
      e->kept |= lanes >> 4 * q & 15;
      if (q == SGD_QUADS - 1)
         break;
   }
}

void
sgd_observe_target(const struct sgd_pixel_stage *px, unsigned target, const struct sgd_quads *quads)
{
   const struct sgd_surface *s = target < SGD_MAX_COLORS ? &px->state->color[target]
                                                         : &px->state->zs;
   struct sgd_work_observation *o = px->worker->work;
   const uint8_t *layer = s->base + quads->layer * s->layer_stride +
                          quads->sample * s->sample_stride;

   if (!o || !s->valid || (target < SGD_MAX_COLORS && target >= px->state->num_colors))
      return;
   o->bytes = s->bpe;
   for (uint32_t left = sgd_whole_quads(quads->mask); left;) {
      const unsigned l = u_bit_scan(&left);
      const uint32_t x = quads->x[l / 4] + (l & 1), y = quads->y[l / 4] + (l >> 1 & 1);
      sgd_observe_bytes(px->worker, l,
                        layer +
                           sgpu_element_offset(s->tiled ? SGPU_LAYOUT_TILED : SGPU_LAYOUT_LINEAR, x,
                                               y, s->pitch, s->bpe),
                        s->bpe);
   }
}
