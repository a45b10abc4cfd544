/* SPDX-License-Identifier: MIT */
/*
 * ROP: writes the colours of pixel warps to render targets.
 *
 * 4x8-bit unorm formats have specialized code for writes without blending and for common blend
 * equations. Everything else uses sgd_codec_lanes.h and sgd_blend.h.
 */
#include "pixel/rop/sgd_rop_warp.h"

#include <string.h>

#include "pixel/rop/sgd_blend.h"
#include "pixel/rop/sgd_codec_lanes.h"
#include "pixel/rop/sgd_quad_memory.h"
#include "pixel/rop/sgd_unorm8.h"
#include "common/sgd_rop_state.h"
#include "common/sgd_shader.h"
#include "common/sgd_worker.h"
#include "util/bitscan.h"
#include "util/macros.h"

static ALWAYS_INLINE uint32_t
logic(enum sgpu_logic_op op, uint32_t s, uint32_t d)
{
   return (op & 1 ? ~s & ~d : 0) | (op & 2 ? ~s & d : 0) | (op & 4 ? s & ~d : 0) |
          (op & 8 ? s & d : 0);
}

/* -- 4x8-bit unorm formats --------------------------------------------------- */

/* Writes the colours of a warp in which several quads can have the same position. Groups of quads
 * with distinct positions are written in order.
 */
static __attribute__((noinline)) void
write_groups(const struct sgd_unorm8 *u, uint32_t mask)
{
   unsigned next = 0;

   for (uint32_t lanes; (lanes = sgd_next_group(u->quads, mask, &next));)
      sgd_unorm8_group(u, lanes);
}

/* Writes the colours of a warp, with the alpha of each pixel replaced by 1. */
static __attribute__((noinline)) void
write_alpha_one(const struct sgd_unorm8 *u, uint32_t mask)
{
   struct sgd_vec color = *u->color, second = *u->second;
   struct sgd_unorm8 opaque = *u;

   for (unsigned l = 0; l < SGD_WARP; l++)
      color.c[3][l] = second.c[3][l] = SGPU_FP_ONE_BITS;
   opaque.color = &color;
   opaque.second = &second;
   write_groups(&opaque, mask);
}

static ALWAYS_INLINE void
write_unorm8(const struct sgd_color_plan *p, const struct sgd_surface *s,
             const struct sgd_quads *quads, const struct sgd_vec *out, uint32_t mask)
{
   const struct sgd_unorm8 u = {
      .plan = p,
      .surface = s,
      .quads = quads,
      .color = &out[p->source],
      .second = &out[p->dual ? SGPU_PO_COLR0 + 1 : p->source],
   };

   if (unlikely(p->alpha_one))
      write_alpha_one(&u, mask);
   else if (likely(sgd_is_group(quads)))
      sgd_unorm8_group(&u, mask);
   else
      write_groups(&u, mask);
}

/* -- any format ---------------------------------------------------------------- */

/* Copies the old elements of the lanes outside `lanes` to `e`. Each element has `words` words of
 * type `type`.
 */
#define KEEP(type, words)                                     \
   do {                                                       \
      type *restrict to = (type *)e->b;                       \
      const type *restrict from = (const type *)old->b;       \
      for (unsigned i = 0; i < SGD_WARP * words; i++)         \
         to[i] = lanes & (1u << i / words) ? to[i] : from[i]; \
   } while (0)

/* Copies the old elements of the lanes outside `lanes` to `e`, in a loop without branches. Returns
 * false if there is no such loop for elements of this size.
 */
static bool
keep_others(struct sgd_elements *restrict e, const struct sgd_elements *restrict old,
            unsigned bytes, uint32_t lanes)
{
   switch (bytes) {
   case 1:
      KEEP(uint8_t, 1);
      return true;
   case 2:
      KEEP(uint16_t, 1);
      return true;
   case 4:
      KEEP(uint32_t, 1);
      return true;
   case 8:
      KEEP(uint64_t, 1);
      return true;
   case 16:
      KEEP(uint64_t, 2);
      return true;
   default:
      return false;
   }
}

/* Replaces everything in `e` that must not be written by the old contents: lanes outside `lanes`,
 * and bits that aren't in p->bits.
 */
static void
merge(const struct sgd_color_plan *p, struct sgd_elements *restrict e,
      const struct sgd_elements *restrict old, uint32_t lanes)
{
   const unsigned bytes = p->codec.bytes;

   if (p->whole && keep_others(e, old, bytes, lanes))
      return;
   for (unsigned l = 0; l < SGD_WARP; l++) {
      uint8_t *restrict to = e->b + l * bytes;
      const uint8_t *restrict from = old->b + l * bytes;
      if (!(lanes & (1u << l))) {
         memcpy(to, from, bytes);
      } else if (!p->whole) {
         for (unsigned i = 0; i < bytes; i++)
            to[i] = (to[i] & p->bits[i]) | (from[i] & ~p->bits[i]);
      }
   }
}

static void
load_source(const struct sgd_color_plan *p, const struct sgd_vec *v, struct sgd_color *color)
{
   sgd_codec_clamp(&p->codec, v->c, color);
   if (p->alpha_one && !p->codec.is_int) {
      for (unsigned l = 0; l < SGD_WARP; l++)
         color->c[3][l] = 1.0f;
   }
}

static __attribute__((noinline)) void
write_any(const struct sgd_color_plan *p, const struct sgd_surface *s,
          const struct sgd_quads *quads, const struct sgd_vec *out, uint32_t mask)
{
   const struct sgd_codec *codec = &p->codec;
   const unsigned bytes = codec->bytes;
   struct sgd_color src, src1, dst, blended;
   struct sgd_elements e, old;
   struct sgd_quad_memory m;
   unsigned next = 0;

   load_source(p, &out[p->source], &src);
   if (p->dual)
      load_source(p, &out[SGPU_PO_COLR0 + 1], &src1);

   for (uint32_t lanes; (lanes = sgd_next_group(quads, mask, &next));) {
      const struct sgd_color *color = &src;
      const bool covered = lanes == ~0u && p->whole;

      sgd_place_quads(&m, s, quads, lanes, bytes);
      if (!covered || p->reads || p->logic)
         sgd_load_elements(&old, &m, bytes);
      if (p->blend) {
         if (p->reads)
            sgd_codec_unpack(codec, &old, (uint32_t(*)[SGD_WARP])dst.c, lanes);
         else
            memset(&dst, 0, sizeof(dst));
         sgd_blend_colors(&blended, p, &src, p->dual ? &src1 : &src, &dst);
         color = &blended;
      }
      sgd_codec_pack(codec, (const uint32_t(*)[SGD_WARP])color->c, &e, lanes);
      if (p->logic) {
         for (unsigned i = 0; i < SGD_WARP * bytes; i++)
            e.b[i] = logic(p->logic_op, e.b[i], old.b[i]);
      }
      if (!covered)
         merge(p, &e, &old, lanes);
      sgd_store_elements(&e, &m, bytes);
   }
}

static ALWAYS_INLINE void
write_target(const struct sgd_state *st, unsigned rt, const struct sgd_quads *quads,
             const struct sgd_vec *out, uint32_t mask)
{
   const struct sgd_color_plan *p = &st->plan.rop.color[rt];

   if (!p->active)
      return;
   if (p->bytes)
      write_unorm8(p, &st->color[rt], quads, out, mask);
   else
      write_any(p, &st->color[rt], quads, out, mask);
}

static __attribute__((noinline)) void
write_targets(const struct sgd_state *st, const struct sgd_quads *quads, const struct sgd_vec *out,
              uint32_t mask)
{
   for (unsigned rt = 0; rt < st->num_colors; rt++)
      write_target(st, rt, quads, out, mask);
}

/* -- several samples ------------------------------------------------------------ */

/* Replaces the elements of the lanes in `mask` (4 bits) of a quad. */
#define REPLACE(type, words)                                    \
   do {                                                         \
      for (unsigned i = 0; i < 4 * words; i++) {                \
         const type on = (type) - (int)(mask >> i / words & 1); \
         type a, b;                                             \
         memcpy(&a, to + i * sizeof(type), sizeof(a));          \
         memcpy(&b, from + i * sizeof(type), sizeof(b));        \
         a = (a & ~on) | (b & on);                              \
         memcpy(to + i * sizeof(type), &a, sizeof(a));          \
      }                                                         \
   } while (0)

static ALWAYS_INLINE void
replace_quad(uint8_t *restrict to, const uint8_t *restrict from, unsigned mask, unsigned bytes)
{
   if (mask == 15)
      memcpy(to, from, 4 * bytes);
   else if (bytes == 1)
      REPLACE(uint8_t, 1);
   else if (bytes == 2)
      REPLACE(uint16_t, 1);
   else if (bytes == 4)
      REPLACE(uint32_t, 1);
   else
      REPLACE(uint64_t, (bytes / 8));
}

/* Stores the elements of the samples that live[] has, plane by plane. */
static ALWAYS_INLINE void
store_samples(const struct sgd_surface *s, const struct sgd_quads *quads,
              const struct sgd_elements *restrict e, const uint32_t *live, unsigned count,
              uint32_t any, unsigned bytes)
{
   struct sgd_quad_memory m;
   uint64_t plane = 0;

   sgd_place_quads(&m, s, quads, any, bytes);
   for (unsigned n = 0; n < count; n++, plane += s->sample_stride) {
      if (quads->block && live[n] == ~0u) {
         memcpy(m.quad[0] + plane, e->b, SGD_WARP * bytes);
         continue;
      }
      for (uint32_t left = sgd_lanes_quads(live[n]); left; left &= left - 1) {
         const unsigned l = __builtin_ctz(left);
         replace_quad(m.quad[l / 4] + plane, e->b + l * bytes, live[n] >> l & 15, bytes);
      }
   }
}

/* Converts the colours of a warp to elements. */
static void
pack_colors(const struct sgd_color_plan *p, const struct sgd_vec *v, struct sgd_elements *e,
            uint32_t lanes)
{
   struct sgd_color src;

#if defined(__AVX2__)
   if (p->bytes && !p->alpha_one) {
      sgd_v8_pack_words(&p->codec, v, (uint32_t *)e->b);
      return;
   }
#endif
   load_source(p, v, &src);
   sgd_codec_pack(&p->codec, (const uint32_t(*)[SGD_WARP])src.c, e, lanes);
}

/* Stores one colour in all samples of a pixel, for targets that replace whole elements: the colours
 * are converted once. `quads` must have the first sample. Returns false if it does nothing.
 */
static bool
write_once(const struct sgd_color_plan *p, const struct sgd_surface *s,
           const struct sgd_quads *quads, const struct sgd_vec *out, const uint32_t *live,
           unsigned count, uint32_t any)
{
   const struct sgd_unorm8 u = { .plan = p, .color = &out[p->source] };
   struct sgd_elements e;

   if (!p->whole || p->logic || !sgd_is_group(quads))
      return false;
   if (p->blend && (!p->bytes || p->alpha_one || sgd_unorm8_source(&u, any) != SGD_UNORM8_REPLACES))
      return false;
   pack_colors(p, &out[p->source], &e, any);
   switch (p->codec.bytes) {
   case 1:
      store_samples(s, quads, &e, live, count, any, 1);
      return true;
   case 2:
      store_samples(s, quads, &e, live, count, any, 2);
      return true;
   case 4:
      store_samples(s, quads, &e, live, count, any, 4);
      return true;
   case 8:
      store_samples(s, quads, &e, live, count, any, 8);
      return true;
   case 16:
      store_samples(s, quads, &e, live, count, any, 16);
      return true;
   default:
      return false;
   }
}

void
sgd_color_write_samples(struct sgd_worker *worker, const struct sgd_state *st,
                        struct sgd_quads *quads, const struct sgd_vec *out, const uint32_t *live,
                        unsigned first, unsigned count)
{
   uint32_t any = 0;

   for (unsigned n = 0; n < count; n++) {
      any |= live[n];
      worker->counters[SGPU_COUNTER_COLOR_WRITES] += util_bitcount(live[n]);
   }
   if (!any)
      return;
   for (unsigned rt = 0; rt < st->num_colors; rt++) {
      const struct sgd_color_plan *p = &st->plan.rop.color[rt];
      quads->sample = first;
      if (p->active && count > 1 && write_once(p, &st->color[rt], quads, out, live, count, any))
         continue;
      for (unsigned n = 0; n < count; n++) {
         quads->sample = first + n;
         if (live[n])
            write_target(st, rt, quads, out, live[n]);
      }
   }
}

void
sgd_color_write(struct sgd_worker *worker, const struct sgd_state *st,
                const struct sgd_quads *quads, const struct sgd_vec *out, uint32_t mask)
{
   worker->counters[SGPU_COUNTER_COLOR_WRITES] += util_bitcount(mask);
   if (likely(st->num_colors == 1))
      write_target(st, 0, quads, out, mask);
   else
      write_targets(st, quads, out, mask);
}
