/* SPDX-License-Identifier: MIT */
/*
 * Blits of the same size whose elements keep their bits, or whose bytes only change their places,
 * at every host level: with any mask, and with depth and stencil each alone. No other bits may
 * change.
 */
#include "rop_test.h"

#define WIDTH 45
#define HEIGHT 27

static struct sgd_worker worker;
static struct rop_level levels[3];
static unsigned num_levels;

static uint8_t *
element(const struct sgd_surface *s, uint8_t *memory, int x, int y, unsigned sample)
{
   return memory + sample * s->sample_stride + sgpu_tiled_offset(x, y, s->pitch, s->bpe);
}

/* Returns the byte of an element that stores component k, or 4 if there is none. */
static unsigned
byte_of(const struct util_format_description *desc, unsigned k)
{
   const bool stored = desc->swizzle[k] <= PIPE_SWIZZLE_W;
   return stored ? desc->channel[desc->swizzle[k]].shift / 8 : 4;
}

static void
expect_bytes(const struct sgd_xfer *x, uint8_t *to, const uint8_t *from)
{
   const struct util_format_description *src = x->u.blit.src.desc, *dst = x->u.blit.dst.desc;
   bool used[4] = { false }, any = false;

   for (unsigned k = 0; k < 4; k++) {
      const unsigned s = byte_of(src, k), d = byte_of(dst, k);
      if (d == 4)
         continue;
      used[d] = true;
      any |= x->u.blit.packet.mask >> k & 1;
      if (x->u.blit.packet.mask >> k & 1)
         to[d] = s < 4 ? from[s] : k == 3 ? 0xff : 0;
   }
   for (unsigned d = 0; d < 4; d++)
      to[d] = used[d] || !any ? to[d] : 0xff;
}

static void
expect_bits(const struct sgd_xfer *x, uint8_t *to, const uint8_t *from)
{
   const struct util_format_description *desc = x->u.blit.dst.desc;
   const struct SGPU_BLIT *p = &x->u.blit.packet;
   uint8_t bits[16] = { 0 };

   for (unsigned k = 0; k < 4; k++) {
      const unsigned i = desc->swizzle[k];
      const bool zs = desc->colorspace == UTIL_FORMAT_COLORSPACE_ZS;
      const bool wanted = zs ? k == 0 ? p->depth : k == 1 && p->stencil : p->mask >> k & 1;
      if (i > PIPE_SWIZZLE_W || !wanted)
         continue;
      for (unsigned b = desc->channel[i].shift; b < desc->channel[i].shift + desc->channel[i].size;
           b++)
         bits[b / 8] |= 1 << b % 8;
   }
   for (unsigned b = 0; b < x->u.blit.dst.bpe; b++)
      to[b] = (to[b] & ~bits[b]) | (from[b] & bits[b]);
}

static void
run(enum pipe_format source, enum pipe_format target, unsigned samples, uint64_t *seed)
{
   struct sgd_xfer x = { .kind = SGD_XFER_BLIT, .layers = 1 };
   struct sgd_surface *src = &x.u.blit.src, *dst = &x.u.blit.dst;
   struct rop_memory from, to;

   rop_surface(src, &from, source, WIDTH, HEIGHT, 1, samples);
   rop_surface(dst, &to, target, WIDTH, HEIGHT, 1, samples);
   rop_noise(&from, seed);
   rop_noise(&to, seed);
   uint8_t *const before = malloc(to.size), *const want = malloc(to.size);
   memcpy(before, to.data, to.size);
   memcpy(want, to.data, to.size);

   x.rect = (struct SGPU_RECT){ .x0 = rop_below(seed, WIDTH), .y0 = rop_below(seed, HEIGHT) };
   x.rect.x1 = x.rect.x0 + 1 + rop_below(seed, WIDTH - x.rect.x0);
   x.rect.y1 = x.rect.y0 + 1 + rop_below(seed, HEIGHT - x.rect.y0);
   /* Half of the sources are at the same place, so that whole micro tiles are copied. */
   const bool same = rop_below(seed, 2);
   const int w = x.rect.x1 - x.rect.x0, h = x.rect.y1 - x.rect.y0;
   const int sx = same ? x.rect.x0 : (int)rop_below(seed, WIDTH - w + 1);
   const int sy = same ? x.rect.y0 : (int)rop_below(seed, HEIGHT - h + 1);
   x.u.blit.packet = (struct SGPU_BLIT){
      .mask = rop_below(seed, 2) ? 15 : rop_below(seed, 16),
      .depth = rop_below(seed, 4),
      .stencil = rop_below(seed, 4),
      .layers = 1,
      .source_rect = { sx, sy, sx + w, sy + h },
      .destination_rect = x.rect,
      .source_z1 = 1,
   };
   const bool zs = util_format_is_depth_or_stencil(source);
   if (!zs && !x.u.blit.packet.mask)
      x.u.blit.packet.mask = 1;
   for (unsigned n = 0; n < samples; n++) {
      for (int py = 0; py < h; py++) {
         for (int px = 0; px < w; px++) {
            uint8_t *const e = element(dst, want, x.rect.x0 + px, x.rect.y0 + py, n);
            const uint8_t *const s = element(src, from.data, sx + px, sy + py, n);
            if (source == target)
               expect_bits(&x, e, s);
            else
               expect_bytes(&x, e, s);
         }
      }
   }
   for (unsigned l = 0; l < num_levels; l++) {
      memcpy(to.data, before, to.size);
      levels[l].xfer_run(&worker, &x, &x.rect, 0);
      if (memcmp(to.data, want, to.size))
         fail_msg("level %s: %s to %s, %u samples, mask %u, depth %d, stencil %d", levels[l].name,
                  util_format_name(source), util_format_name(target), samples, x.u.blit.packet.mask,
                  x.u.blit.packet.depth, x.u.blit.packet.stencil);
   }
   free(before);
   free(want);
   free(from.data);
   free(to.data);
}

static void
test_same_format(void **state)
{
   static const enum pipe_format formats[] = {
      PIPE_FORMAT_R8G8B8A8_UNORM,    PIPE_FORMAT_B8G8R8A8_UNORM,
      PIPE_FORMAT_R8_UNORM,          PIPE_FORMAT_R8G8_UNORM,
      PIPE_FORMAT_R10G10B10A2_UNORM, PIPE_FORMAT_B5G6R5_UNORM,
      PIPE_FORMAT_R16G16_UNORM,      PIPE_FORMAT_R32G32B32A32_UINT,
      PIPE_FORMAT_R16G16B16A16_SINT, PIPE_FORMAT_R8_UINT,
      PIPE_FORMAT_Z16_UNORM,         PIPE_FORMAT_Z24X8_UNORM,
      PIPE_FORMAT_Z24_UNORM_S8_UINT, PIPE_FORMAT_S8_UINT_Z24_UNORM,
      PIPE_FORMAT_Z32_FLOAT,         PIPE_FORMAT_Z32_FLOAT_S8X24_UINT,
      PIPE_FORMAT_S8_UINT,
   };
   uint64_t seed = 1;

   (void)state;
   for (unsigned n = 0; n < 20 * ARRAY_SIZE(formats); n++) {
      const enum pipe_format format = formats[n % ARRAY_SIZE(formats)];
      run(format, format, rop_below(&seed, 2) ? 4 : 1, &seed);
   }
}

static void
test_four_bytes(void **state)
{
   static const enum pipe_format formats[] = {
      PIPE_FORMAT_R8G8B8A8_UNORM, PIPE_FORMAT_B8G8R8A8_UNORM, PIPE_FORMAT_A8R8G8B8_UNORM,
      PIPE_FORMAT_R8G8B8X8_UNORM, PIPE_FORMAT_B8G8R8X8_UNORM, PIPE_FORMAT_X8B8G8R8_UNORM,
   };
   uint64_t seed = 2;

   (void)state;
   for (unsigned n = 0; n < 300; n++) {
      const unsigned a = rop_below(&seed, ARRAY_SIZE(formats));
      const unsigned b = rop_below(&seed, ARRAY_SIZE(formats));
      if (a != b)
         run(formats[a], formats[b], rop_below(&seed, 2) ? 4 : 1, &seed);
   }
}

int
main(void)
{
   num_levels = rop_levels(levels);

   const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_same_format),
      cmocka_unit_test(test_four_bytes),
   };
   return cmocka_run_group_tests(tests, NULL, NULL);
}
