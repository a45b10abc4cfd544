/* SPDX-License-Identifier: MIT */
/*
 * Colours of random warps in every format that can be rendered to, stored and blended, compared
 * with a model in double precision.
 */
#include "../../rounds.h"
#include "color_warps.h"
#include "sgpu_fp.h"

/* Returns whether the element `is` may result from lane l and the old element `was`. Otherwise,
 * writes the reason to text.
 */
static bool
check_element(const struct model_format *f, const struct sgd_state *st, const uint8_t *was,
              const uint8_t *is, unsigned l, char *text)
{
   const unsigned mask = st->plan.color_write_mask[0];
   const struct SGPU_BLEND_TARGET *t = &st->blend_target[0];
   double s[4], s1[4], d[4];

   model_read(f, was, d);
   for (unsigned k = 0; k < 4; k++) {
      s[k] = model_clamp(f, sgpu_fflush(sgpu_bits2f(color_out[SGPU_PO_COLR0].c[k][l])));
      s1[k] = model_clamp(f, sgpu_fflush(sgpu_bits2f(color_out[SGPU_PO_COLR0 + 1].c[k][l])));
   }
   if (st->blend.alpha_to_one && st->rast.multisample)
      s[3] = s1[3] = 1.0;

   for (unsigned i = 0; i < f->channels; i++) {
      const struct model_channel *c = &f->channel[i];
      if (c->comp < 0)
         continue;
      const uint64_t a = model_bits(was, c->shift, c->size);
      const uint64_t b = model_bits(is, c->shift, c->size);
      if (!(mask & (1 << c->comp))) {
         if (a != b) {
            sprintf(text, "component %d changed", c->comp);
            return false;
         }
         continue;
      }
      if (f->is_int) {
         const uint32_t u = color_out[SGPU_PO_COLR0].c[c->comp][l];
         const uint64_t most = UINT64_MAX >> (64 - c->size + c->is_signed);
         const uint64_t least = c->is_signed ? ~most : 0;
         const int64_t v = c->is_signed ? (int64_t)(int32_t)u : (int64_t)u;
         const int64_t x = CLAMP(v, (int64_t)least, (int64_t)most);
         if (b != ((uint64_t)x & UINT64_MAX >> (64 - c->size))) {
            sprintf(text, "component %d: %llx stored for %x", c->comp, (unsigned long long)b, u);
            return false;
         }
         continue;
      }
      double error = 0.0, x = s[c->comp];
      if (t->enable)
         x = model_blend(f, t, st->blend_color, c->comp, s, s1, d, &error);
      if (!model_may_store(c, b, x, error)) {
         sprintf(text, "component %d: %llx stored for %g +- %g, from %g and %g, blending %d %d %d",
                 c->comp, (unsigned long long)b, x, error, s[c->comp], d[c->comp],
                 c->comp == 3 ? t->alpha_func : t->rgb_func,
                 c->comp == 3 ? t->alpha_src : t->rgb_src,
                 c->comp == 3 ? t->alpha_dst : t->rgb_dst);
         return false;
      }
   }
   return true;
}

static void
check_warp(const struct model_format *f, const struct sgd_state *st, const struct rop_memory *m,
           const struct sgd_quads *quads, const uint8_t *before)
{
   const struct sgd_surface *s = &st->color[0];
   uint8_t *touched = calloc(1, m->size);
   char text[200];

   for (unsigned l = 0; l < quads->count * 4; l++) {
      if (!(quads->mask >> l & 1))
         continue;
      uint8_t *p = rop_element(s, quads, l);
      memset(touched + (p - m->data), 1, f->bytes);
      if (!check_element(f, st, before + (p - m->data), p, l, text))
         fail_msg("%s, lane %u: %s", s->desc->name, l, text);
   }
   for (size_t i = 0; i < m->size; i++) {
      if (!touched[i] && m->data[i] != before[i])
         fail_msg("%s: a pixel outside the warp changed", s->desc->name);
   }
   free(touched);
}

enum mode { STORE, BLEND };

static void
run_format(enum pipe_format format, enum mode mode, unsigned rounds, uint64_t seed)
{
   struct model_format f;
   struct rop_memory m;
   struct sgd_quads quads;

   if (!model_format(&f, format) || (mode == BLEND && f.is_int))
      return;
   struct sgd_state *st = color_state(format, &m);
   uint8_t *before = malloc(m.size), *first = malloc(m.size);

   for (unsigned i = 0; i < rounds; i++) {
      if (i % 16 == 0)
         color_fill(&f, &m, &seed);
      memcpy(before, m.data, m.size);
      st->plan.color_write_mask[0] = rop_below(&seed, 2) ? 0xf : rop_random(&seed) & 0xf;
      st->blend.alpha_to_one = rop_below(&seed, 8) == 0;
      st->rast.multisample = rop_below(&seed, 2);
      if (mode == BLEND)
         color_random_blend(st, &seed);
      color_random(&f, mode == BLEND, &seed);
      sgd_rop_prepare(st);
      rop_random_quads(&quads, rop_below(&seed, 2) ? ROP_BLOCK : ROP_DISTINCT, &st->color[0],
                       &seed);
      color_run_levels(st, &m, &quads, before, first);
      check_warp(&f, st, &m, &quads, before);
      if (mode == BLEND && f.is_float)
         memcpy(m.data, before, m.size);
   }
   free(before);
   free(first);
   free(m.data);
   free(st);
}

static void
test_store(void **state)
{
   uint64_t seed = 1;
   for (unsigned i = 0; i < color_num_targets; i++)
      run_format(color_targets[i], STORE, TEST_ROUNDS(500), seed++);
}

static void
test_blend(void **state)
{
   uint64_t seed = 1000;
   for (unsigned i = 0; i < color_num_targets; i++)
      run_format(color_targets[i], BLEND, TEST_ROUNDS(1000), seed++);
}

/* The formats that GL's core profile requires as targets, and formats that cannot be targets. */
static void
test_formats(void **state)
{
   static const enum pipe_format yes[] = {
      PIPE_FORMAT_R8_UNORM,
      PIPE_FORMAT_R8G8_UNORM,
      PIPE_FORMAT_R8G8B8A8_UNORM,
      PIPE_FORMAT_R8G8B8A8_SRGB,
      PIPE_FORMAT_R16G16B16A16_UNORM,
      PIPE_FORMAT_R16G16B16A16_FLOAT,
      PIPE_FORMAT_R32G32B32A32_FLOAT,
      PIPE_FORMAT_R11G11B10_FLOAT,
      PIPE_FORMAT_R10G10B10A2_UNORM,
      PIPE_FORMAT_R10G10B10A2_UINT,
      PIPE_FORMAT_R32G32B32A32_SINT,
      PIPE_FORMAT_R8_UINT,
      PIPE_FORMAT_B5G6R5_UNORM,
      PIPE_FORMAT_L8_UNORM,
      PIPE_FORMAT_A8_UNORM,
      PIPE_FORMAT_I16_FLOAT,
      PIPE_FORMAT_R8G8B8A8_SNORM,
      PIPE_FORMAT_Z24_UNORM_S8_UINT,
      PIPE_FORMAT_S8_UINT,
   };
   static const enum pipe_format no[] = {
      PIPE_FORMAT_NONE,           PIPE_FORMAT_DXT1_RGB,           PIPE_FORMAT_YUYV,
      PIPE_FORMAT_R9G9B9E5_FLOAT, PIPE_FORMAT_R64G64B64A64_FLOAT, PIPE_FORMAT_R8G8_B8G8_UNORM,
   };
   for (unsigned i = 0; i < ARRAY_SIZE(yes); i++)
      assert_true(sgd_rop_renders(yes[i]));
   for (unsigned i = 0; i < ARRAY_SIZE(no); i++)
      assert_false(sgd_rop_renders(no[i]));
   assert_true(color_num_targets > 100);
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_formats),
      cmocka_unit_test(test_store),
      cmocka_unit_test(test_blend),
   };
   return color_run_tests(tests);
}
