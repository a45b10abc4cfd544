/* SPDX-License-Identifier: MIT */
/*
 * The copy engine on surfaces with samples, at every host level. Resolves are compared with means
 * in double precision of the values that Mesa unpacks, all other transfers with copies of bytes.
 */
#include <math.h>

#include "rop_test.h"

#define WIDTH 45
#define HEIGHT 27
#define LAYERS 2

static struct sgd_worker worker;
static struct rop_level levels[3];
static unsigned num_levels;

static uint8_t *
element(const struct sgd_surface *s, uint32_t x, uint32_t y, uint32_t layer, uint32_t sample)
{
   return s->base + layer * s->layer_stride + sample * s->sample_stride +
          sgpu_tiled_offset(x, y, s->pitch, s->bpe);
}

/* Makes a blit of the same size, moved by `dx`, `dy`. The whole source is inside the surface. */
static struct sgd_xfer
blit_of(const struct sgd_surface *src, const struct sgd_surface *dst, struct SGPU_RECT rect, int dx,
        int dy)
{
   struct sgd_xfer x = { .kind = SGD_XFER_BLIT, .rect = rect, .layers = LAYERS };

   x.u.blit.src = *src;
   x.u.blit.dst = *dst;
   x.u.blit.packet = (struct SGPU_BLIT){
      .mask = 15,
      .depth = true,
      .stencil = true,
      .layers = LAYERS,
      .source_rect = { rect.x0 + dx, rect.y0 + dy, rect.x1 + dx, rect.y1 + dy },
      .destination_rect = rect,
      .source_z1 = LAYERS,
   };
   return x;
}

static struct SGPU_RECT
random_rect(uint64_t *seed, int *dx, int *dy)
{
   struct SGPU_RECT r = { .x0 = rop_below(seed, WIDTH), .y0 = rop_below(seed, HEIGHT) };

   r.x1 = r.x0 + 1 + rop_below(seed, WIDTH - r.x0);
   r.y1 = r.y0 + 1 + rop_below(seed, HEIGHT - r.y0);
   *dx = (int)rop_below(seed, WIDTH - (r.x1 - r.x0) + 1) - r.x0;
   *dy = (int)rop_below(seed, HEIGHT - (r.y1 - r.y0) + 1) - r.y0;
   return r;
}

/* Fills the surface with random colours of moderate size. In one of four pixels, all samples have
 * the same colour.
 */
static void
fill(struct sgd_surface *s, struct rop_memory *m, uint64_t *seed)
{
   rop_noise(m, seed);
   if (util_format_is_float(s->pformat) || util_format_has_depth(s->desc)) {
      for (size_t i = 0; i + 4 <= m->size; i += 4) {
         const float f = (float)(rop_random(seed) >> 8) * 0x1p-24f;
         const uint32_t half = 0x3c003800 ^ (rop_random(seed) & 0x83ff83ff);
         memcpy(m->data + i, s->desc->channel[0].size == 16 ? (const void *)&half : &f, 4);
      }
   }
   for (unsigned y = 0; y < HEIGHT; y++) {
      for (unsigned x = 0; x < WIDTH; x++) {
         for (unsigned n = 1; (x ^ y) % 4 == 0 && n < s->samples; n++) {
            for (unsigned layer = 0; layer < LAYERS; layer++)
               memcpy(element(s, x, y, layer, n), element(s, x, y, layer, 0), s->bpe);
         }
      }
   }
}

static void
unpack(enum pipe_format format, const uint8_t *p, float rgba[4])
{
   util_format_unpack_rgba(format, rgba, p, 1);
}

/* Returns the maximum error of a component: half a step of the format, and three roundings of
 * single precision.
 */
static double
allowed(const struct sgd_surface *s, double value)
{
   const struct util_format_channel_description *c = &s->desc->channel[0];

   if (c->type == UTIL_FORMAT_TYPE_FLOAT)
      return fabs(value) * (c->size == 16 ? 0x1p-11 : 0x1p-22) + 1e-8;
   return 0.5 / ((1u << c->size) - 1) + 0x1p-22;
}

/* Returns whether `stored` is the 8-bit sRGB code of a linear value, within the 0.6 steps that
 * Direct3D 10 allows.
 */
static bool
is_srgb_code(double linear, unsigned stored)
{
   const double code = 255.0 * (linear <= 0.0031308 ? 12.92 * linear
                                                    : 1.055 * pow(linear, 1 / 2.4) - 0.055);
   return fabs(code - stored) <= 0.6;
}

static void
test_resolves(void **state)
{
   static const enum pipe_format formats[] = {
      PIPE_FORMAT_R8G8B8A8_UNORM, PIPE_FORMAT_B8G8R8A8_UNORM,     PIPE_FORMAT_R8G8B8A8_SRGB,
      PIPE_FORMAT_R8_UNORM,       PIPE_FORMAT_R16G16B16A16_FLOAT, PIPE_FORMAT_R32G32B32A32_FLOAT,
      PIPE_FORMAT_R16G16_UNORM,   PIPE_FORMAT_R32_FLOAT,
   };
   uint64_t seed = 1;

   for (unsigned n = 0; n < 32 * ARRAY_SIZE(formats); n++) {
      const enum pipe_format format = formats[n % ARRAY_SIZE(formats)];
      const unsigned samples = 2u << n / ARRAY_SIZE(formats) % 4;
      struct sgd_surface src, dst;
      struct rop_memory from, to;
      int dx, dy;

      rop_surface(&src, &from, format, WIDTH, HEIGHT, LAYERS, samples);
      rop_surface(&dst, &to, format, WIDTH, HEIGHT, LAYERS, 1);
      fill(&src, &from, &seed);
      const struct SGPU_RECT r = random_rect(&seed, &dx, &dy);
      const struct sgd_xfer x = blit_of(&src, &dst, r, dx, dy);
      uint8_t *first = malloc(to.size);

      for (unsigned l = 0; l < num_levels; l++) {
         memset(to.data, 0x5a, to.size);
         for (unsigned layer = 0; layer < LAYERS; layer++)
            levels[l].xfer_run(&worker, &x, &r, layer);
         if (l == 0)
            memcpy(first, to.data, to.size);
         assert_memory_equal(to.data, first, to.size);
      }
      for (unsigned i = 0; i < LAYERS * WIDTH * HEIGHT; i++) {
         const int px = i % WIDTH, py = i / WIDTH % HEIGHT, layer = i / (WIDTH * HEIGHT);
         const uint8_t *stored = element(&dst, px, py, layer, 0);
         double mean[4] = { 0 };
         bool equal = true;
         float rgba[4];

         if (px < r.x0 || px >= r.x1 || py < r.y0 || py >= r.y1) {
            for (unsigned b = 0; b < dst.bpe; b++)
               assert_int_equal(stored[b], 0x5a);
            continue;
         }
         for (unsigned s = 0; s < samples; s++) {
            const uint8_t *p = element(&src, px + dx, py + dy, layer, s);
            unpack(format, p, rgba);
            for (unsigned c = 0; c < 4; c++)
               mean[c] += (double)rgba[c] / samples;
            equal &= !memcmp(p, element(&src, px + dx, py + dy, layer, 0), src.bpe);
         }
         if (equal)
            assert_memory_equal(stored, element(&src, px + dx, py + dy, layer, 0), src.bpe);
         unpack(format, stored, rgba);
         for (unsigned c = 0; c < 4; c++) {
            if (util_format_is_srgb(format) && c < 3)
               assert_true(is_srgb_code(mean[c], stored[c]));
            else if (fabs(rgba[c] - mean[c]) > allowed(&dst, mean[c]))
               fail_msg("%s, %u samples: %g, not %g", dst.desc->name, samples, rgba[c], mean[c]);
         }
      }
      free(first);
      free(from.data);
      free(to.data);
   }
}

/* Transfers that copy bytes: sample 0 of integers, depth and stencil; one sample to all; blits
 * between equal numbers of samples; copies.
 */
static void
test_bytes(void **state)
{
   static const enum pipe_format formats[] = {
      PIPE_FORMAT_R32G32_UINT,
      PIPE_FORMAT_R8_SINT,
      PIPE_FORMAT_Z24_UNORM_S8_UINT,
      PIPE_FORMAT_Z32_FLOAT,
      PIPE_FORMAT_Z16_UNORM,
      PIPE_FORMAT_S8_UINT,
      PIPE_FORMAT_Z32_FLOAT_S8X24_UINT,
      PIPE_FORMAT_R8G8B8A8_UNORM,
   };
   uint64_t seed = 2;

   for (unsigned n = 0; n < 64 * ARRAY_SIZE(formats); n++) {
      const unsigned f = n % ARRAY_SIZE(formats), kind = n / ARRAY_SIZE(formats) % 4;
      const unsigned samples = 2u << rop_below(&seed, 4);
      /* kind is 0 (resolve), 1 (one to all), 2 (blit) or 3 (copy). */
      const unsigned src_samples = kind == 1 ? 1 : samples, dst_samples = kind == 0 ? 1 : samples;
      struct sgd_surface src, dst;
      struct rop_memory from, to;
      int dx, dy;

      if (kind == 0 && formats[f] == PIPE_FORMAT_R8G8B8A8_UNORM)
         continue;
      rop_surface(&src, &from, formats[f], WIDTH, HEIGHT, LAYERS, src_samples);
      rop_surface(&dst, &to, formats[f], WIDTH, HEIGHT, LAYERS, dst_samples);
      rop_noise(&from, &seed);
      const struct SGPU_RECT r = random_rect(&seed, &dx, &dy);
      struct sgd_xfer x = blit_of(&src, &dst, r, dx, dy);
      if (kind == 3) {
         x = (struct sgd_xfer){ .kind = SGD_XFER_COPY_SURFACE, .rect = r, .layers = LAYERS };
         x.u.copy.src = src;
         x.u.copy.dst = dst;
         x.u.copy.shift_x = dx;
         x.u.copy.shift_y = dy;
      }
      /* Bits that are neither depth nor stencil have no defined value. */
      uint64_t mine = ~0ull;
      if (formats[f] == PIPE_FORMAT_Z32_FLOAT_S8X24_UINT)
         mine = 0xffffffffffull;

      for (unsigned l = 0; l < num_levels; l++) {
         memset(to.data, 0xa5, to.size);
         for (unsigned layer = 0; layer < LAYERS; layer++)
            levels[l].xfer_run(&worker, &x, &r, layer);
         for (unsigned i = 0; i < LAYERS * dst_samples * WIDTH * HEIGHT; i++) {
            const int px = i % WIDTH, py = i / WIDTH % HEIGHT;
            const unsigned sample = i / (WIDTH * HEIGHT) % dst_samples;
            const unsigned layer = i / (WIDTH * HEIGHT * dst_samples);
            uint64_t got = 0, want = 0xa5a5a5a5a5a5a5a5ull;

            memcpy(&got, element(&dst, px, py, layer, sample), dst.bpe);
            if (px >= r.x0 && px < r.x1 && py >= r.y0 && py < r.y1)
               memcpy(&want,
                      element(&src, px + dx, py + dy, layer,
                              src_samples > 1 && dst_samples > 1 ? sample : 0),
                      src.bpe);
            if (((got ^ want) & mine & (dst.bpe == 8 ? ~0ull : (1ull << 8 * dst.bpe) - 1)))
               fail_msg("%s, %s, kind %u, %u samples: sample %u of %d %d", levels[l].name,
                        dst.desc->name, kind, samples, sample, px, py);
         }
      }
      free(from.data);
      free(to.data);
   }
}

/* Clears write all samples. */
static void
test_clears(void **state)
{
   uint64_t seed = 3;

   for (unsigned n = 0; n < 200; n++) {
      struct sgd_xfer x = { .kind = SGD_XFER_CLEAR, .layers = LAYERS };
      struct sgd_surface *s = &x.u.clear.color[0];
      struct rop_memory m;
      int dx, dy;

      rop_surface(s, &m, PIPE_FORMAT_R32_UINT, WIDTH, HEIGHT, LAYERS, 2u << n % 4);
      x.u.clear.colors = 1;
      x.u.clear.color_value[0] = rop_random(&seed);
      const struct SGPU_RECT r = random_rect(&seed, &dx, &dy);
      levels[n % num_levels].xfer_run(&worker, &x, &r, 1);
      for (unsigned i = 0; i < LAYERS * s->samples * WIDTH * HEIGHT; i++) {
         const int px = i % WIDTH, py = i / WIDTH % HEIGHT;
         const unsigned sample = i / (WIDTH * HEIGHT) % s->samples;
         const unsigned layer = i / (WIDTH * HEIGHT * s->samples);
         const bool in = layer == 1 && px >= r.x0 && px < r.x1 && py >= r.y0 && py < r.y1;
         uint32_t got;

         memcpy(&got, element(s, px, py, layer, sample), 4);
         assert_int_equal(got, in ? x.u.clear.color_value[0] : 0);
      }
      free(m.data);
   }
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_resolves),
      cmocka_unit_test(test_bytes),
      cmocka_unit_test(test_clears),
   };

   num_levels = rop_levels(levels);
   return cmocka_run_group_tests(tests, NULL, NULL);
}
