/* SPDX-License-Identifier: MIT */
/*
 * ROP: fetches the stored render target elements of a warp's pixels, for the instruction LDT.
 */
#include "pixel/rop/sgd_rop_warp.h"

#include <string.h>

#include "pixel/rop/sgd_codec_lanes.h"
#include "pixel/rop/sgd_depth_format.h"
#include "pixel/rop/sgd_quad_memory.h"
#include "common/sgd_rop_state.h"
#include "common/sgd_shader.h"

static void
fetch_color(const struct sgd_state *st, unsigned rt, const struct sgd_quads *quads, uint32_t lanes,
            struct sgd_vec *out)
{
   const struct sgd_codec *codec = &st->plan.rop.color[rt].codec;
   struct sgd_quad_memory m;
   struct sgd_elements e;

   sgd_place_quads(&m, &st->color[rt], quads, lanes, codec->bytes);
   sgd_load_elements(&e, &m, codec->bytes);
   sgd_codec_unpack(codec, &e, out->c, lanes);
}

static void
fetch_zs(const struct sgd_state *st, const struct sgd_quads *quads, uint32_t lanes,
         struct sgd_vec *out)
{
   const struct sgd_zs_format *f = &st->plan.rop.zs.format;
   const double max = f->has_depth ? (double)sgd_depth_max(f) : 0.0;
   uint8_t elements[SGD_WARP * 16]; /* elements in lane order; an element has up to 16 bytes */
   struct sgd_quad_memory m;

   sgd_place_quads(&m, &st->zs, quads, lanes, f->bytes);
   sgd_load_elements(elements, &m, f->bytes);
   for (unsigned l = 0; l < SGD_WARP; l++) {
      uint64_t element = 0;
      memcpy(&element, elements + l * f->bytes, f->bytes);
      if (f->has_depth) {
         const uint32_t d = (uint32_t)(element >> f->depth_shift) & sgd_depth_max(f);
         out->c[0][l] = f->is_float ? d : sgpu_f2bits((float)((double)d / max));
      }
      if (f->has_stencil)
         out->c[1][l] = (uint32_t)(element >> f->stencil_shift) & 0xff;
   }
}

void
sgd_target_fetch(const struct sgd_state *st, unsigned target, const struct sgd_quads *quads,
                 struct sgd_vec *out)
{
   const uint32_t lanes = sgd_whole_quads(quads->mask);

   memset(out, 0, sizeof(*out));
   if (target < st->num_colors && st->color[target].valid &&
       st->plan.rop.color[target].codec.path != SGD_CODEC_NONE)
      fetch_color(st, target, quads, lanes, out);
   else if (target == SGD_MAX_COLORS && st->zs.valid)
      fetch_zs(st, quads, lanes, out);
}
