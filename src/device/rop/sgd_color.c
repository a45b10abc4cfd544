/* SPDX-License-Identifier: MIT */
/*
 * ROP: colours of pixel warps into render targets.
 */
#include "sgd_arch.h"
#include "sgd_blend.h"
#include "sgd_lanes.h"
#include "sgd_rop.h"
#include "sgd_worker.h"
#include "util/bitscan.h"
#include "util/compiler.h"
#include "util/macros.h"

/* A four-byte unorm target: where its bytes come from. */
struct unorm8 {
   uint8_t shift[4];       /* of red, green, blue, alpha */
   bool alpha;             /* stored; else it reads as 1 */
   bool is;
};

static struct unorm8
unorm8_format(enum pipe_format format)
{
   switch (format) {
   case PIPE_FORMAT_R8G8B8A8_UNORM:
      return (struct unorm8){ { 0, 8, 16, 24 }, true, true };
   case PIPE_FORMAT_R8G8B8X8_UNORM:
      return (struct unorm8){ { 0, 8, 16, 24 }, false, true };
   case PIPE_FORMAT_B8G8R8A8_UNORM:
      return (struct unorm8){ { 16, 8, 0, 24 }, true, true };
   case PIPE_FORMAT_B8G8R8X8_UNORM:
      return (struct unorm8){ { 16, 8, 0, 24 }, false, true };
   case PIPE_FORMAT_A8R8G8B8_UNORM:
      return (struct unorm8){ { 8, 16, 24, 0 }, true, true };
   case PIPE_FORMAT_X8R8G8B8_UNORM:
      return (struct unorm8){ { 8, 16, 24, 0 }, false, true };
   case PIPE_FORMAT_A8B8G8R8_UNORM:
      return (struct unorm8){ { 24, 16, 8, 0 }, true, true };
   case PIPE_FORMAT_X8B8G8R8_UNORM:
      return (struct unorm8){ { 24, 16, 8, 0 }, false, true };
   default:
      return (struct unorm8){ .is = false };
   }
}

/* x in [0, 1] to 0..255, nearest, ties to even: the sum's low byte. */
static inline uint32_t
to_unorm8(float x)
{
   return sgpu_f2bits(sgpu_fadd(sgpu_fmul(x, 255.0f), 0x1.8p23f)) & 0xff;
}

struct target {
   const struct sgd_surface *surface;
   struct sgd_blend blend;
   struct unorm8 unorm8;
   unsigned write_mask;
   bool blends, logic, is_int, is_sint;
   enum sgpu_logic_op logic_op;
};

/* The range that colours of the format have. */
static void
target_init(struct target *t, const struct sgd_state *st, unsigned rt)
{
   const struct sgd_surface *s = &st->color[rt];
   const int c = util_format_get_first_non_void_channel(s->pformat);
   const struct util_format_channel_description *channel = c >= 0 ? &s->desc->channel[c] : NULL;
   const bool normalized = channel && channel->normalized;
   const bool is_signed = channel && channel->type == UTIL_FORMAT_TYPE_SIGNED;

   t->surface = s;
   t->unorm8 = unorm8_format(s->pformat);
   t->write_mask = st->color_write_mask[rt];
   t->is_int = util_format_is_pure_integer(s->pformat);
   t->is_sint = util_format_is_pure_sint(s->pformat);
   t->blend.target = &st->blend_target[rt];
   t->blend.constant = st->blend_color;
   t->blend.clamp = normalized;
   t->blend.lo = is_signed ? -1.0f : 0.0f;
   t->blend.hi = 1.0f;
   /* Logic operations have no meaning for floats and sRGB (GL 4.6, 17.3.9). */
   t->logic = st->blend.logic_op_enable && !util_format_is_srgb(s->pformat) &&
              (normalized || t->is_int);
   t->logic_op = st->blend.logic_op;
   t->blends = t->blend.target->enable && !t->logic && !st->blend.logic_op_enable && !t->is_int;
}

static void
load_color(struct sgd_color *restrict o, const struct target *t, const struct sgd_vec *v,
           bool alpha_one)
{
   for (unsigned c = 0; c < 4; c++) {
      const uint32_t *restrict in = v->c[c];
      float *restrict f = o->c[c];
      if (t->blend.clamp && t->blend.lo == 0.0f) {
         for (unsigned l = 0; l < SGD_WARP; l++)
            f[l] = sgpu_fsat(sgpu_bits2f(in[l]));
      } else if (t->blend.clamp) {
         for (unsigned l = 0; l < SGD_WARP; l++)
            f[l] = sgpu_fmax(sgpu_fmin(sgpu_bits2f(in[l]), 1.0f), -1.0f);
      } else {
         for (unsigned l = 0; l < SGD_WARP; l++)
            f[l] = sgpu_bits2f(in[l]);
      }
   }
   if (alpha_one) {
      for (unsigned l = 0; l < SGD_WARP; l++)
         o->c[3][l] = 1.0f;
   }
}

static uint32_t
logic_word(enum sgpu_logic_op op, uint32_t s, uint32_t d)
{
   uint32_t r = 0;
   if (op & 1)
      r |= ~s & ~d;
   if (op & 2)
      r |= ~s & d;
   if (op & 4)
      r |= s & ~d;
   if (op & 8)
      r |= s & d;
   return r;
}

/* -- four-byte unorm targets --------------------------------------------- */

static ALWAYS_INLINE void
unorm8_load(const struct target *t, const struct sgd_quads *quads, unsigned layer,
            uint32_t word[SGD_WARP], unsigned q0, unsigned nq)
{
   for (unsigned q = q0; q < q0 + nq && q < quads->count; q++)
      memcpy(word + q * 4, sgd_surface_quad(t->surface, quads->x[q], quads->y[q], layer, 0), 16);
}

static ALWAYS_INLINE void
unorm8_quads(const struct target *t, const struct sgd_quads *quads, const struct sgd_color *src,
             const struct sgd_color *src1, uint32_t mask, unsigned q0, unsigned nq)
{
   const struct unorm8 *f = &t->unorm8;
   _Alignas(64) uint32_t old[SGD_WARP], word[SGD_WARP];
   struct sgd_color blended;
   const struct sgd_color *color = src;

   memset(old, 0, sizeof(old));
   unorm8_load(t, quads, quads->layer, old, q0, nq);
   if (t->blends) {
      struct sgd_color dst;
      for (unsigned c = 0; c < 4; c++) {
         const unsigned shift = f->shift[c];
         for (unsigned l = 0; l < SGD_WARP; l++)
            dst.c[c][l] = (float)(int32_t)((old[l] >> shift) & 0xff) * (1.0f / 255.0f);
      }
      if (!f->alpha) {
         for (unsigned l = 0; l < SGD_WARP; l++)
            dst.c[3][l] = 1.0f;
      }
      sgd_blend_colors(&blended, &t->blend, src, src1, &dst);
      for (unsigned c = 0; c < 4; c++) {
         for (unsigned l = 0; l < SGD_WARP; l++)
            blended.c[c][l] = sgpu_fsat(blended.c[c][l]);
      }
      color = &blended;
   }

   for (unsigned l = 0; l < SGD_WARP; l++) {
      word[l] = to_unorm8(color->c[0][l]) << f->shift[0] |
                to_unorm8(color->c[1][l]) << f->shift[1] |
                to_unorm8(color->c[2][l]) << f->shift[2] |
                to_unorm8(color->c[3][l]) << f->shift[3];
   }
   if (t->logic) {
      for (unsigned l = 0; l < SGD_WARP; l++)
         word[l] = logic_word(t->logic_op, word[l], old[l]);
   }

   uint32_t bits = 0;
   for (unsigned c = 0; c < 4; c++)
      bits |= t->write_mask & (1 << c) ? 0xffu << f->shift[c] : 0;
   _Alignas(64) uint32_t m[SGD_WARP];
   sgd_mask_expand(mask, m);

   for (unsigned q = q0; q < q0 + nq && q < quads->count; q++) {
      if (!(mask & sgd_quad_lanes(q)))
         continue;
      uint8_t *p = sgd_surface_quad(t->surface, quads->x[q], quads->y[q], quads->layer, 0);
      uint32_t now[4];
      /* Read again: a quad before may have been here. */
      memcpy(now, p, 16);
      for (unsigned i = 0; i < 4; i++) {
         const uint32_t w = m[q * 4 + i] & bits;
         now[i] = (word[q * 4 + i] & w) | (now[i] & ~w);
      }
      memcpy(p, now, 16);
   }
}

/* -- any other target, by Mesa's format functions -------------------------- */

static void
generic_quad(const struct target *t, const struct sgd_quads *quads, const struct sgd_vec *out,
             const struct sgd_color *src, const struct sgd_color *src1, uint32_t mask, unsigned q)
{
   const struct sgd_surface *s = t->surface;
   const unsigned bpe = s->bpe;
   uint8_t *p = sgd_surface_quad(s, quads->x[q], quads->y[q], quads->layer, 0);
   uint8_t element[4 * 16];
   union {
      float f[4][4];
      uint32_t u[4][4];
      int32_t i[4][4];
   } pixel, old;
   const bool partial = t->write_mask != 0xf;

   if (t->blends || partial)
      util_format_unpack_rgba(s->pformat, &old, p, 4);

   if (t->is_int) {
      for (unsigned i = 0; i < 4; i++) {
         for (unsigned c = 0; c < 4; c++)
            pixel.u[i][c] = out->c[c][q * 4 + i];
      }
   } else {
      const struct sgd_color *color = src;
      struct sgd_color blended;
      if (t->blends) {
         struct sgd_color dst;
         memset(&dst, 0, sizeof(dst));
         for (unsigned i = 0; i < 4; i++) {
            for (unsigned c = 0; c < 4; c++)
               dst.c[c][q * 4 + i] = old.f[i][c];
         }
         sgd_blend_colors(&blended, &t->blend, src, src1, &dst);
         color = &blended;
      }
      for (unsigned i = 0; i < 4; i++) {
         for (unsigned c = 0; c < 4; c++)
            pixel.f[i][c] = color->c[c][q * 4 + i];
      }
   }

   if (partial && !t->logic) {
      for (unsigned i = 0; i < 4; i++) {
         for (unsigned c = 0; c < 4; c++) {
            if (!(t->write_mask & (1 << c)))
               pixel.u[i][c] = old.u[i][c];
         }
      }
   }
   util_format_pack_rgba(s->pformat, element, &pixel, 4);
   if (t->logic) {
      for (unsigned b = 0; b < 4 * bpe; b++)
         element[b] = logic_word(t->logic_op, element[b], p[b]);
      if (partial) {
         util_format_unpack_rgba(s->pformat, &pixel, element, 4);
         for (unsigned i = 0; i < 4; i++) {
            for (unsigned c = 0; c < 4; c++) {
               if (!(t->write_mask & (1 << c)))
                  pixel.u[i][c] = old.u[i][c];
            }
         }
         util_format_pack_rgba(s->pformat, element, &pixel, 4);
      }
   }
   for (unsigned i = 0; i < 4; i++) {
      if (mask & (1u << (q * 4 + i)))
         memcpy(p + i * bpe, element + i * bpe, bpe);
   }
}

void
sgd_color_write(struct sgd_worker *worker, const struct sgd_state *st,
                const struct sgd_quads *quads, const struct sgd_vec *out, uint32_t mask)
{
   const struct SGPU_SHADER *desc = &st->shader_desc[SGPU_STAGE_PIXEL];

   worker->counters[SGPU_COUNTER_COLOR_WRITES] += util_bitcount(mask);
   for (unsigned rt = 0; rt < st->num_colors; rt++) {
      if (!st->color_write_mask[rt])
         continue;

      const struct sgd_vec *v = &out[SGPU_PO_COLR0 + (desc->broadcast_color ? 0 : rt)];
      const bool alpha_one = st->blend.alpha_to_one && st->rast.multisample;
      struct target t;
      struct sgd_color src, src1;
      target_init(&t, st, rt);
      if (!t.is_int)
         load_color(&src, &t, v, alpha_one);
      if (desc->dual_source && t.blends)
         load_color(&src1, &t, &out[SGPU_PO_COLR0 + 1], alpha_one);
      else if (t.blends)
         memset(&src1, 0, sizeof(src1));

      if (!t.unorm8.is) {
         for (unsigned q = 0; q < quads->count; q++) {
            if (mask & sgd_quad_lanes(q))
               generic_quad(&t, quads, v, &src, &src1, mask, q);
         }
      } else if (quads->block || quads->distinct || !(t.blends || t.logic)) {
         unorm8_quads(&t, quads, &src, &src1, mask, 0, SGD_QUADS);
      } else {
         /* Each quad sees what the one before has left. */
         for (unsigned q = 0; q < quads->count; q++) {
            if (mask & sgd_quad_lanes(q))
               unorm8_quads(&t, quads, &src, &src1, mask, q, 1);
         }
      }
   }
}
