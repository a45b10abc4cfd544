/* SPDX-License-Identifier: MIT */
/*
 * Every format that a texture can have, texel by texel, compared with Mesa's unpacking. Bits must
 * be equal, except for fixed-point channels of more than 8 bits, which the device rounds correctly
 * and Mesa within one unit in the last place.
 */
#include <math.h>
#include <stdio.h>

#include "../../unit.h"
#include "sgpu_fp.h"
#include "texture.h"

static bool
close_enough(uint32_t got, uint32_t want, bool integer)
{
   const float g = sgpu_bits2f(got), w = sgpu_bits2f(want);
   if (got == want)
      return true;
   if (integer)
      return false;
   if (isnan(g) || isnan(w))
      return isnan(g) && isnan(w);
   return fabsf(g - w) <= fabsf(w) * 0x1.8p-23f;
}

static bool
readable(enum sgpu_format format)
{
   const struct util_format_description *f = util_format_description(sgpu_format_to_pipe(format));
   const struct util_format_unpack_description *u = util_format_unpack_description(
      sgpu_format_to_pipe(format));
   if (!sgpu_format_info(format)->block_bytes || !f || !u)
      return false;
   /* Formats of doubles are for vertices only. */
   if (f->layout == UTIL_FORMAT_LAYOUT_PLAIN && f->channel[0].size == 64)
      return false;
   return util_format_has_depth(f) || util_format_has_stencil(f) || u->unpack_rgba ||
          util_format_fetch_rgba_func(f->format);
}

/* Fills memory with random bytes, instead of the moderate numbers of tex_create(). */
static void
fill(struct tex *t, uint64_t *rng)
{
   for (uint64_t i = 0; i < t->size; i++)
      t->memory[i] = (uint8_t)tex_rand(rng);
   /* all bits 0, and all bits 1 */
   memset(t->memory, 0, MIN2(t->size, 32));
   if (t->size >= 64)
      memset(t->memory + 32, 0xff, 32);
}

static void
check_format(enum sgpu_format format, bool buffer, uint64_t *rng)
{
   const struct sgpu_format_info *info = sgpu_format_info(format);
   const bool integer = info->flags & SGPU_FORMAT_FLAG_INTEGER;
   const bool snorm = util_format_is_snorm(sgpu_format_to_pipe(format));
   struct tex_params p = tex_params(buffer ? SGPU_TEXTURE_TYPE_BUFFER : SGPU_TEXTURE_TYPE_2D,
                                    format, buffer ? 201 : 37, buffer ? 1 : 21);
   p.linear_layout = buffer;
   struct tex *t = tex_create(&p, rng);
   const struct sgd_sampler s = tex_sampler(SGPU_WRAP_CLAMP_TO_EDGE, SGPU_FILTER_NEAREST);
   const struct sgd_tex_op txf = tex_op(SGPU_OP_TXF,
                                        buffer ? SGPU_TEX_TARGET_BUFFER : SGPU_TEX_TARGET_2D);
   const struct sgd_tex_op txl = tex_op(SGPU_OP_TXL, SGPU_TEX_TARGET_2D);
   fill(t, rng);

   for (unsigned k = 0; k < 30; k++) {
      struct sgd_vec at = { { { 0 } } }, st = { { { 0 } } }, none = { { { 0 } } };
      struct sgd_vec fetched, sampled;
      for (unsigned l = 0; l < SGD_WARP; l++) {
         at.c[0][l] = k == 0 ? l : tex_rand(rng) % p.width;
         at.c[1][l] = k == 0 ? 0 : tex_rand(rng) % p.height;
         st.c[0][l] = sgpu_f2bits(((float)at.c[0][l] + 0.5f) / (float)p.width);
         st.c[1][l] = sgpu_f2bits(((float)at.c[1][l] + 0.5f) / (float)p.height);
      }
      tex_run(t, &s, &txf, &at, &none, ~0u, &fetched);
      if (!buffer)
         tex_run(t, &s, &txl, &st, &none, ~0u, &sampled);
      for (unsigned l = 0; l < SGD_WARP; l++) {
         uint32_t want[4];
         tex_texel(t, 0, 0, 0, (int)at.c[0][l], (int)at.c[1][l], want);
         /* The lowest code is also -1. Mesa returns a number below -1. */
         for (unsigned c = 0; snorm && c < 4; c++)
            want[c] = sgpu_f2bits(fmaxf(-1.0f, sgpu_bits2f(want[c])));
         for (unsigned c = 0; c < 4; c++) {
            if (!close_enough(fetched.c[c][l], want[c], integer)) {
               fail_msg("%s: TXF texel (%u, %u).%c is %08x, should be %08x", info->name, at.c[0][l],
                        at.c[1][l], "xyzw"[c], fetched.c[c][l], want[c]);
            }
            if (!buffer && !close_enough(sampled.c[c][l], want[c], integer)) {
               fail_msg("%s: sampled texel (%u, %u).%c is %08x, should be %08x", info->name,
                        at.c[0][l], at.c[1][l], "xyzw"[c], sampled.c[c][l], want[c]);
            }
         }
      }
   }
   tex_destroy(t);
}

static void
test_formats(void **state)
{
   uint64_t rng = 1;
   unsigned count = 0;
   for (unsigned f = 1; f < SGPU_FORMAT_COUNT; f++) {
      if (!readable(f)) {
         if (sgpu_format_info(f)->block_bytes)
            print_message("not readable: %s\n", sgpu_format_info(f)->name);
         continue;
      }
      check_format(f, false, &rng);
      if (sgpu_format_info(f)->block_width == 1)
         check_format(f, true, &rng);
      count++;
   }
   print_message("%u formats\n", count);
   assert_true(count >= 190);
}

int
main(void)
{
   const struct CMUnitTest tests[] = { cmocka_unit_test(test_formats) };
   return cmocka_run_group_tests(tests, NULL, NULL);
}
