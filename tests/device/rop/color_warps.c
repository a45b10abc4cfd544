/* SPDX-License-Identifier: MIT */
/* Random warps for tests of colours. */
#include "color_warps.h"

#include <math.h>

#include "sgpu_fp.h"

struct rop_level color_levels[3];
unsigned color_num_levels;
struct sgd_worker color_worker;
struct sgd_vec color_out[64];

enum pipe_format color_targets[SGPU_FORMAT_COUNT];
unsigned color_num_targets;

static uint64_t fp_mode;

static void
find_targets(void)
{
   for (unsigned i = 1; i < SGPU_FORMAT_COUNT; i++) {
      const enum pipe_format format = sgpu_format_to_pipe(i);
      if (format != PIPE_FORMAT_NONE && !util_format_is_depth_or_stencil(format) &&
          sgpu_layout_can_tile(i) && sgd_rop_renders(format))
         color_targets[color_num_targets++] = format;
   }
}

void
color_surface(struct sgd_surface *s, struct rop_memory *m, enum pipe_format format)
{
   rop_surface(s, m, format, 24, 8, 2, 2);
}

struct sgd_state *
color_state(enum pipe_format format, struct rop_memory *m)
{
   struct sgd_state *st = calloc(1, sizeof(*st));
   color_surface(&st->color[0], m, format);
   st->num_colors = 1;
   st->plan.color_write_mask[0] = 0xf;
   return st;
}

static float
random_component(uint64_t *seed, bool finite)
{
   static const float corners[] = {
      0.0f,  -0.0f,  1.0f,           0.5f,     -1.0f,    2.0f,  0x1p-149f,
      1e30f, -1e30f, 0x1.fffffep-1f, 65504.0f, 65520.0f, 6e-8f,
   };
   switch (rop_below(seed, 8)) {
   case 0:
      return corners[rop_below(seed, ARRAY_SIZE(corners))];
   case 1:
      return (float)rop_below(seed, 256) / 255.0f;
   case 2:
      if (!finite)
         return sgpu_bits2f(rop_below(seed, 4) ? rop_random(seed) : SGPU_FP_NAN_BITS);
      return 0.25f;
   case 3:
      if (!finite)
         return rop_random(seed) & 1 ? INFINITY : -INFINITY;
      return 0.75f;
   case 4:
      return (float)(rop_random(seed) * 0x1p-31) - 0.5f;
   default:
      return (float)(rop_random(seed) * 0x1p-32);
   }
}

/* Sets alpha to 1 or above in all lanes, or sets alpha or a random set of components to 0 or below.
 * Afterwards, one component of one lane may get another value.
 */
static void
random_whole(struct sgd_vec *v, bool finite, uint64_t *seed)
{
   static const float opaque[] = { 1.0f, 1.0f, 1.5f, 1e30f, INFINITY };
   static const float transparent[] = { 0.0f, -0.0f, -1.0f, 0x1p-149f, NAN };
   const float *values = rop_below(seed, 2) ? opaque : transparent;

   const unsigned chosen = values == transparent && rop_below(seed, 2) ? rop_below(seed, 16) : 8;

   for (unsigned c = 0; c < 4; c++) {
      for (unsigned l = 0; l < SGD_WARP && chosen >> c & 1; l++)
         v->c[c][l] = sgpu_f2bits(values[rop_below(seed, finite ? 3 : 5)]);
   }
   if (rop_below(seed, 2))
      v->c[rop_below(seed, 4)][rop_below(seed, SGD_WARP)] = sgpu_f2bits(
         random_component(seed, finite));
}

void
color_random(const struct model_format *f, bool finite, uint64_t *seed)
{
   for (unsigned n = 0; n < SGD_MAX_COLORS; n++) {
      for (unsigned c = 0; c < 4; c++) {
         for (unsigned l = 0; l < SGD_WARP; l++) {
            /* GL does not define integers beyond the range of the format. */
            const unsigned bits = 8 + 8 * rop_below(seed, 4);
            color_out[SGPU_PO_COLR0 + n].c[c][l] = f->is_int
                                                      ? rop_random(seed) >> (32 - bits)
                                                      : sgpu_f2bits(random_component(seed, finite));
         }
      }
   }
   if (!f->is_int && rop_below(seed, 3) == 0)
      random_whole(&color_out[SGPU_PO_COLR0], finite, seed);
}

void
color_random_blend(struct sgd_state *st, uint64_t *seed)
{
   struct SGPU_BLEND_TARGET *t = &st->blend_target[0];

   memset(t, 0, sizeof(*t));
   t->enable = true;
   t->rgb_func = rop_below(seed, 3) ? 0 : rop_below(seed, 5);
   t->alpha_func = rop_below(seed, 3) ? t->rgb_func : rop_below(seed, 5);
   t->rgb_src = rop_below(seed, 19);
   t->rgb_dst = rop_below(seed, 19);
   t->alpha_src = rop_below(seed, 2) ? t->rgb_src : rop_below(seed, 19);
   t->alpha_dst = rop_below(seed, 2) ? t->rgb_dst : rop_below(seed, 19);
   if (rop_below(seed, 3) == 0) {
      /* Combinations with specialized code (enum sgd_blend_form), and similar ones without. */
      static const uint8_t factors[][4] = {
#define F(rgb_src, rgb_dst, alpha_src, alpha_dst)                                             \
   { SGPU_BLEND_FACTOR_##rgb_src, SGPU_BLEND_FACTOR_##rgb_dst, SGPU_BLEND_FACTOR_##alpha_src, \
     SGPU_BLEND_FACTOR_##alpha_dst }
         F(SRC_ALPHA, INV_SRC_ALPHA, SRC_ALPHA, INV_SRC_ALPHA),
         F(SRC_ALPHA, INV_SRC_ALPHA, ONE, INV_SRC_ALPHA),
         F(ONE, INV_SRC_ALPHA, ONE, INV_SRC_ALPHA),
         F(ONE, INV_SRC_ALPHA, ONE, ONE),
         F(ONE, INV_SRC_COLOR, ONE, INV_SRC_COLOR),
         F(ONE, ONE, ONE, ONE),
         F(SRC_ALPHA, ONE, SRC_ALPHA, ONE),
         F(DST_COLOR, ZERO, DST_COLOR, ZERO),
         F(ZERO, SRC_COLOR, ZERO, SRC_COLOR),
         F(DST_COLOR, ZERO, ZERO, SRC_ALPHA),
         F(DST_ALPHA, ZERO, DST_ALPHA, ZERO),
         F(ONE, ONE, ZERO, ONE),
         F(SRC_ALPHA, INV_SRC_ALPHA, ZERO, ONE),
         F(DST_COLOR, ONE, DST_COLOR, ONE),
         F(DST_COLOR, DST_ALPHA, DST_COLOR, DST_ALPHA),
         F(ONE, SRC_ALPHA, ONE, SRC_ALPHA),
         F(ZERO, INV_SRC_COLOR, ZERO, INV_SRC_COLOR),
         F(DST_COLOR, SRC_COLOR, DST_COLOR, SRC_COLOR),
         F(DST_COLOR, SRC_COLOR, DST_ALPHA, SRC_ALPHA),
         F(DST_COLOR, INV_SRC_COLOR, DST_COLOR, INV_SRC_COLOR),
#undef F
      };
      const uint8_t *f = factors[rop_below(seed, ARRAY_SIZE(factors))];
      t->rgb_func = t->alpha_func = SGPU_BLEND_FUNC_ADD;
      t->rgb_src = f[0];
      t->rgb_dst = f[1];
      t->alpha_src = f[2];
      t->alpha_dst = f[3];
   }
   for (unsigned c = 0; c < 4; c++)
      st->blend_color[c] = random_component(seed, true);
}

void
color_fill(const struct model_format *f, struct rop_memory *m, uint64_t *seed)
{
   rop_noise(m, seed);
   if (!f->is_float)
      return;
   for (size_t i = 0; i < m->size; i += f->bytes) {
      for (unsigned k = 0; k < f->channels; k++) {
         const struct model_channel *c = &f->channel[k];
         const float x = (float)(rop_random(seed) * 0x1p-31) - (c->size < 16 ? 0.0f : 0.5f);
         uint8_t *p = m->data + i + c->shift / 8;
         if (c->kind != MODEL_FLOAT)
            continue;
         if (c->size == 64) {
            const double d = x;
            memcpy(p, &d, 8);
         } else if (c->size == 32) {
            memcpy(p, &x, 4);
         } else if (c->size == 16) {
            const uint16_t h = sgpu_f2h(x);
            memcpy(p, &h, 2);
         }
      }
      if (f->channel[0].size == 11) {
         /* Exponents below 16 limit numbers to 2. */
         uint32_t *p = (uint32_t *)(m->data + i);
         *p &= ~(1u << 10 | 1u << 21 | 1u << 31);
      }
   }
}

/* Compares specialized blending with the code for any blending, whose result must be `expected`. */
static void
check_form(const struct rop_level *level, const struct sgd_state *st, struct rop_memory *m,
           const struct sgd_quads *quads, const uint8_t *before, const uint8_t *expected)
{
   struct sgd_state *any = malloc(sizeof(*any));

   memcpy(any, st, sizeof(*any));
   any->plan.rop.color[0].form = SGD_BLEND_ANY;
   any->plan.rop.color[0].opaque_replaces = false;
   any->plan.rop.color[0].zeros = 0;
   memcpy(m->data, before, m->size);
   level->color_write(&color_worker, any, quads, color_out, quads->mask);
   if (memcmp(expected, m->data, m->size))
      fail_msg("%s, %s: form %u differs from general blending", st->color[0].desc->name,
               level->name, st->plan.rop.color[0].form);
   free(any);
}

void
color_run_levels(const struct sgd_state *st, struct rop_memory *m, const struct sgd_quads *quads,
                 const uint8_t *before, uint8_t *first)
{
   for (unsigned k = 0; k < color_num_levels; k++) {
      memcpy(m->data, before, m->size);
      color_levels[k].color_write(&color_worker, st, quads, color_out, quads->mask);
      if (k == 0)
         memcpy(first, m->data, m->size);
      else if (memcmp(first, m->data, m->size))
         fail_msg("%s: %s and %s differ", st->color[0].desc->name, color_levels[0].name,
                  color_levels[k].name);
      if (st->plan.rop.color[0].blend)
         check_form(&color_levels[k], st, m, quads, before, first);
   }
   memcpy(m->data, first, m->size);
}

void
color_begin(void)
{
   color_num_levels = rop_levels(color_levels);
   find_targets();
   fp_mode = sgpu_fp_enter();
}

int
color_end(int result)
{
   sgpu_fp_leave(fp_mode);
   return result;
}
