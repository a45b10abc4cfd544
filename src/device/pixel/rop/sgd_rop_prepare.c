/* SPDX-License-Identifier: MIT */
/*
 * ROP: computes state->plan.rop, which has the ROP's decisions for a state.
 */
#include "pixel/rop/sgd_rop.h"

#include <string.h>

#include "pixel/rop/sgd_codec.h"
#include "pixel/rop/sgd_depth_format.h"
#include "common/sgd_rop_state.h"
#include "common/sgd_shader.h"
#include "util/bitscan.h"
#include "util/macros.h"

/* Converts a bound of the depth bounds test to the surface's format, and returns its depth key. */
static uint32_t
bound_key(const struct sgd_zs_format *f, double bound)
{
   bound = bound > 0.0 ? bound : 0.0;
   bound = bound < 1.0 ? bound : 1.0;
   if (f->is_float)
      return sgd_depth_key(f, sgpu_f2bits(sgd_depth_float((float)bound)));
   return sgd_depth_unorm(bound, f->depth_bits);
}

static void
prepare_zs(struct sgd_zs_plan *p, const struct sgd_state *st)
{
   memset(p, 0, sizeof(*p));
   if (!st->zs.valid)
      return;
   p->format = sgd_zs_format(st->zs.pformat);
   p->func = st->dsa.depth_func;
   p->depth = p->format.has_depth && st->dsa.depth_test;
   p->write = p->depth && st->dsa.depth_write;
   p->stencil = p->format.has_stencil && st->dsa.front.enable;
   p->bounds = p->format.has_depth && st->dsa.bounds_test;
   if (p->bounds) {
      p->low = bound_key(&p->format, st->depth_bounds.min);
      p->high = bound_key(&p->format, st->depth_bounds.max);
   }

   const struct sgd_zs_format *f = &p->format;
   if (!p->depth && !p->stencil && !p->bounds)
      p->path = SGD_ZS_PASS;
   else if (p->stencil || p->bounds)
      p->path = SGD_ZS_ANY;
   else if (f->bytes == 4 && f->depth_bits == 24 && f->depth_shift == 0)
      p->path = SGD_ZS_Z24;
   else if (f->bytes == 2)
      p->path = SGD_ZS_Z16;
   else if (f->bytes == 4 && f->is_float)
      p->path = SGD_ZS_Z32F;
   else if (f->bytes == 4 && f->depth_bits == 32)
      p->path = SGD_ZS_Z32;
   else
      p->path = SGD_ZS_ANY;
}

/* Clamps a blend constant to the format's range. NaN becomes 0 in normalized formats. */
static float
constant(const struct sgd_codec *codec, float k)
{
   if (k != k)
      return codec->normalized ? 0.0f : k;
   return codec->normalized ? CLAMP(k, codec->is_signed ? -1.0f : 0.0f, 1.0f) : k;
}

static struct sgd_blend_term
term_of(const struct sgd_codec *codec, enum sgpu_blend_factor factor, unsigned c,
        const float blend_color[4])
{
   struct sgd_blend_term t = { .operand = SGD_BLEND_CONSTANT };

   switch (factor) {
   case SGPU_BLEND_FACTOR_ZERO:
      break;
   case SGPU_BLEND_FACTOR_ONE:
      t.constant = 1.0f;
      break;
   case SGPU_BLEND_FACTOR_SRC_COLOR:
   case SGPU_BLEND_FACTOR_INV_SRC_COLOR:
      t.operand = SGD_BLEND_SRC;
      t.invert = factor == SGPU_BLEND_FACTOR_INV_SRC_COLOR;
      break;
   case SGPU_BLEND_FACTOR_SRC_ALPHA:
   case SGPU_BLEND_FACTOR_INV_SRC_ALPHA:
      t.operand = SGD_BLEND_SRC_ALPHA;
      t.invert = factor == SGPU_BLEND_FACTOR_INV_SRC_ALPHA;
      break;
   case SGPU_BLEND_FACTOR_DST_COLOR:
   case SGPU_BLEND_FACTOR_INV_DST_COLOR:
      t.operand = c == 3 ? SGD_BLEND_DST_ALPHA : SGD_BLEND_DST;
      t.invert = factor == SGPU_BLEND_FACTOR_INV_DST_COLOR;
      break;
   case SGPU_BLEND_FACTOR_DST_ALPHA:
   case SGPU_BLEND_FACTOR_INV_DST_ALPHA:
      t.operand = SGD_BLEND_DST_ALPHA;
      t.invert = factor == SGPU_BLEND_FACTOR_INV_DST_ALPHA;
      break;
   case SGPU_BLEND_FACTOR_SRC_ALPHA_SATURATE:
      if (c == 3)
         t.constant = 1.0f;
      else if (codec->alpha || !codec->normalized || codec->is_signed)
         t.operand = SGD_BLEND_SATURATE;
      break;
   case SGPU_BLEND_FACTOR_CONST_COLOR:
   case SGPU_BLEND_FACTOR_CONST_ALPHA:
   case SGPU_BLEND_FACTOR_INV_CONST_COLOR:
   case SGPU_BLEND_FACTOR_INV_CONST_ALPHA: {
      const bool alpha = factor == SGPU_BLEND_FACTOR_CONST_ALPHA ||
                         factor == SGPU_BLEND_FACTOR_INV_CONST_ALPHA;
      t.constant = constant(codec, blend_color[alpha ? 3 : c]);
      if (factor == SGPU_BLEND_FACTOR_INV_CONST_COLOR ||
          factor == SGPU_BLEND_FACTOR_INV_CONST_ALPHA)
         t.constant = sgpu_fsub(1.0f, t.constant);
      break;
   }
   case SGPU_BLEND_FACTOR_SRC1_COLOR:
   case SGPU_BLEND_FACTOR_INV_SRC1_COLOR:
      t.operand = SGD_BLEND_SRC1;
      t.invert = factor == SGPU_BLEND_FACTOR_INV_SRC1_COLOR;
      break;
   case SGPU_BLEND_FACTOR_SRC1_ALPHA:
   case SGPU_BLEND_FACTOR_INV_SRC1_ALPHA:
      t.operand = SGD_BLEND_SRC1_ALPHA;
      t.invert = factor == SGPU_BLEND_FACTOR_INV_SRC1_ALPHA;
      break;
   }
   if (t.operand == SGD_BLEND_DST_ALPHA && !codec->alpha)
      t = (struct sgd_blend_term){ SGD_BLEND_CONSTANT, false, t.invert ? 0.0f : 1.0f };
   return t;
}

static bool
is_constant(const struct sgd_blend_term *t, float k)
{
   return t->operand == SGD_BLEND_CONSTANT && t->constant == k;
}

static bool
is_destination(const struct sgd_blend_term *t)
{
   return t->operand == SGD_BLEND_DST || t->operand == SGD_BLEND_DST_ALPHA ||
          t->operand == SGD_BLEND_SATURATE;
}

static bool
is_second(const struct sgd_blend_term *t)
{
   return t->operand == SGD_BLEND_SRC1 || t->operand == SGD_BLEND_SRC1_ALPHA;
}

/* Returns true if the blend factor t of component c equals `factor`. */
static bool
is_factor(const struct sgd_blend_term *t, enum sgd_form_factor factor, unsigned c)
{
   const bool alpha = c == 3;

   switch (factor) {
   case SGD_FORM_ZERO:
      return is_constant(t, 0.0f);
   case SGD_FORM_ONE:
      return is_constant(t, 1.0f);
   case SGD_FORM_SRC:
   case SGD_FORM_INV_SRC:
      return t->invert == (factor == SGD_FORM_INV_SRC) &&
             (t->operand == SGD_BLEND_SRC || (alpha && t->operand == SGD_BLEND_SRC_ALPHA));
   case SGD_FORM_SRC_ALPHA:
   case SGD_FORM_INV_SRC_ALPHA:
      return t->invert == (factor == SGD_FORM_INV_SRC_ALPHA) &&
             (t->operand == SGD_BLEND_SRC_ALPHA || (alpha && t->operand == SGD_BLEND_SRC));
   case SGD_FORM_DST:
      return !t->invert &&
             (t->operand == SGD_BLEND_DST || (alpha && t->operand == SGD_BLEND_DST_ALPHA));
   case SGD_FORM_DST_ALPHA:
      return !t->invert && t->operand == SGD_BLEND_DST_ALPHA;
   }
   return false;
}

/* Returns true if component c is blended as a sum with these factors. The product of source and
 * destination can come from either factor: SRC * DST + DST * ZERO equals SRC * ZERO + DST * SRC.
 */
static bool
is_sum(const struct sgd_color_plan *p, enum sgd_form_factor src, enum sgd_form_factor dst,
       unsigned c)
{
   const struct sgd_blend_term *const s = &p->src[c], *const d = &p->dst[c];

   return (is_factor(s, src, c) && is_factor(d, dst, c)) ||
          (src == SGD_FORM_DST && dst == SGD_FORM_ZERO && is_constant(s, 0.0f) &&
           is_factor(d, SGD_FORM_SRC, c));
}

/* Returns the blend form that matches all components in the mask `sums`, or SGD_BLEND_ANY. */
static enum sgd_blend_form
form_of(const struct sgd_color_plan *p, unsigned sums)
{
   static const struct {
      /* blend form; factors for colour (index 0) and alpha (index 1) */
      uint8_t form, src[2], dst[2];
   } forms[] = {
#define FORM(name, function, rgb_src, rgb_dst, alpha_src, alpha_dst) \
   { SGD_BLEND_##name,                                               \
     { SGD_FORM_##rgb_src, SGD_FORM_##alpha_src },                   \
     { SGD_FORM_##rgb_dst, SGD_FORM_##alpha_dst } },
      SGD_BLEND_FORMS(FORM)
#undef FORM
   };

   for (unsigned i = 0; i < ARRAY_SIZE(forms); i++) {
      bool all = true;
      u_foreach_bit(c, sums)
         all &= p->func[c] == SGPU_BLEND_FUNC_ADD &&
                is_sum(p, forms[i].src[c == 3], forms[i].dst[c == 3], c);
      if (all)
         return forms[i].form;
   }
   return SGD_BLEND_ANY;
}

/* Expresses a blend factor as a linear function of its operand: base + slope * operand. */
static void
set_line(struct sgd_blend_term *t, bool negative)
{
   const bool is_constant = t->operand == SGD_BLEND_CONSTANT;

   t->base = is_constant ? t->constant : t->invert ? 1.0f : 0.0f;
   t->slope = is_constant ? 0.0f : t->invert ? -1.0f : 1.0f;
   if (negative) {
      t->base = -t->base;
      t->slope = -t->slope;
   }
}

/* Returns true if blending leaves component c of the target unchanged, i.e. if the source factor is
 * 0 and the destination factor is 1. Converting a byte to a float and back gives the same byte.
 */
static bool
keeps(const struct sgd_color_plan *p, unsigned c)
{
   return p->func[c] == SGPU_BLEND_FUNC_ADD && is_constant(&p->src[c], 0.0f) &&
          is_constant(&p->dst[c], 1.0f);
}

/* Returns the value of a blend factor (0 or 1) for a source alpha of `a` (0 or 1). Returns -1 if
 * the factor depends on other operands.
 */
static int
factor_at(const struct sgd_blend_term *t, unsigned c, int a)
{
   if (t->operand == SGD_BLEND_SRC_ALPHA || (c == 3 && t->operand == SGD_BLEND_SRC))
      return t->invert ? 1 - a : a;
   return is_constant(t, 0.0f) ? 0 : is_constant(t, 1.0f) ? 1 : -1;
}

/* Returns true if component c of a source with alpha 1 is stored unchanged. The destination factor
 * of alpha can have any value, because sums above 1 saturate.
 */
static bool
replaces(const struct sgd_color_plan *p, unsigned c)
{
   return p->func[c] == SGPU_BLEND_FUNC_ADD && factor_at(&p->src[c], c, 1) == 1 &&
          (c == 3 || factor_at(&p->dst[c], c, 1) == 0);
}

/* Returns a mask of the source components that must be 0 for blending to compute 0 + 1 *
 * destination, which leaves component c unchanged. Returns 0 if there is no such condition.
 */
static unsigned
zeros_of(const struct sgd_color_plan *p, unsigned c)
{
   const struct sgd_blend_term *const s = &p->src[c], *const d = &p->dst[c];
   unsigned zeros = 0;

   if (p->func[c] != SGPU_BLEND_FUNC_ADD)
      return 0;
   if (!is_constant(s, 0.0f))
      zeros |= s->operand == SGD_BLEND_SRC_ALPHA && !s->invert ? 1u << 3 : 1u << c;
   if (is_constant(d, 1.0f))
      return zeros;
   if (d->operand == SGD_BLEND_SRC_ALPHA && d->invert)
      return zeros | 1u << 3;
   if (d->operand == SGD_BLEND_SRC && d->invert)
      return zeros | 1u << c;
   return 0;
}

/* Selects the blend form. `sums` is the mask of the components that blending can change. */
static void
prepare_form(struct sgd_color_plan *p, unsigned sums)
{
   bool can_keep = true;

   p->form = form_of(p, sums);
   p->opaque_replaces = true;
   u_foreach_bit(c, sums) {
      const unsigned zeros = zeros_of(p, c);
      p->opaque_replaces &= replaces(p, c);
      p->zeros |= zeros;
      can_keep &= zeros != 0;
   }
   if (!can_keep)
      p->zeros = 0;
}

static void
prepare_blend(struct sgd_color_plan *p, const struct sgd_state *st, unsigned rt)
{
   const struct SGPU_BLEND_TARGET *t = &st->blend_target[rt];
   unsigned sums = 0;
   bool plain = true;

   for (unsigned c = 0; c < 4; c++) {
      const bool alpha = c == 3;
      struct sgd_blend_term *src = &p->src[c], *dst = &p->dst[c];
      p->func[c] = alpha ? t->alpha_func : t->rgb_func;
      *src = term_of(&p->codec, alpha ? t->alpha_src : t->rgb_src, c, st->blend_color);
      *dst = term_of(&p->codec, alpha ? t->alpha_dst : t->rgb_dst, c, st->blend_color);

      /* MIN and MAX ignore the blend factors (GL 4.6, table 17.1). */
      const bool extreme = p->func[c] == SGPU_BLEND_FUNC_MIN || p->func[c] == SGPU_BLEND_FUNC_MAX;
      if (extreme)
         *src = *dst = (struct sgd_blend_term){ SGD_BLEND_CONSTANT, false, 1.0f };
      plain &= p->func[c] == SGPU_BLEND_FUNC_ADD && is_constant(src, 1.0f) &&
               is_constant(dst, 0.0f);
      set_line(src, p->func[c] == SGPU_BLEND_FUNC_REVERSE_SUBTRACT);
      set_line(dst, p->func[c] == SGPU_BLEND_FUNC_SUBTRACT);
      p->reads |= !is_constant(dst, 0.0f) || is_destination(src);
      p->dual |= is_second(src) || is_second(dst);

      /* Components that blending leaves unchanged match any form. So does alpha if the format has
       * none.
       */
      if (alpha && !p->codec.alpha)
         continue;
      if (p->codec.path == SGD_CODEC_UNORM8 && keeps(p, c))
         p->bits[p->codec.comp_shift[c] / 8] = 0;
      else
         sums |= 1u << c;
   }
   p->blend = !plain;
   p->reads &= p->blend;
   p->dual &= p->blend;
   if (p->blend && p->codec.path == SGD_CODEC_UNORM8)
      prepare_form(p, sums);
}

static void
prepare_color(struct sgd_color_plan *p, const struct sgd_state *st, unsigned rt)
{
   const struct sgd_surface *s = &st->color[rt];
   const struct SGPU_SHADER *desc = &st->shader_desc[SGPU_STAGE_PIXEL];

   const struct sgd_shader *ps = st->shader[SGPU_STAGE_PIXEL];
   const bool read = ps && (ps->targets_read >> rt & 1);

   memset(p, 0, sizeof(*p));
   if (!s->valid || (!st->plan.color_write_mask[rt] && !read))
      return;
   p->codec = sgd_codec(s->pformat);
   if (!st->plan.color_write_mask[rt])
      return;
   p->whole = sgd_codec_bits(&p->codec, st->plan.color_write_mask[rt], p->bits);
   p->source = SGPU_PO_COLR0 + (desc->broadcast_color ? 0 : rt);
   p->alpha_one = st->blend.alpha_to_one && st->rast.multisample;
   for (unsigned i = 0; i < p->codec.bytes; i++)
      p->active |= p->bits[i] != 0;

   /* Logic ops don't apply to float and sRGB formats, but enabling them disables blending even for
    * those formats (GL 4.6, section 17.3.9).
    */
   if (st->blend.logic_op_enable) {
      p->logic = (p->codec.normalized || p->codec.is_int) && !util_format_is_srgb(s->pformat);
      p->logic_op = st->blend.logic_op;
   } else if (st->blend_target[rt].enable && !p->codec.is_int) {
      prepare_blend(p, st, rt);
   }
   p->bytes = p->codec.path == SGD_CODEC_UNORM8 && !p->logic;
}

void
sgd_rop_prepare(struct sgd_state *st)
{
   prepare_zs(&st->plan.rop.zs, st);
   for (unsigned rt = 0; rt < SGD_MAX_COLORS; rt++) {
      if (rt < st->num_colors)
         prepare_color(&st->plan.rop.color[rt], st, rt);
      else
         memset(&st->plan.rop.color[rt], 0, sizeof(st->plan.rop.color[rt]));
   }
}

bool
sgd_rop_renders(enum pipe_format format)
{
   if (util_format_is_depth_or_stencil(format))
      return sgd_zs_format(format).bytes != 0;
   /* The components of formats with a shared exponent can't be masked. */
   return format != PIPE_FORMAT_R9G9B9E5_FLOAT && sgd_codec(format).path != SGD_CODEC_NONE;
}
