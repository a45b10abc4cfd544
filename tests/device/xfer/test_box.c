/* SPDX-License-Identifier: MIT */
/*
 * Linear blits to half the size, at every host level. Every pixel must be the result of the ISA's
 * arithmetic on its four texels, inside the source and at its edge. No other bytes may change.
 */
#include "rop_test.h"
#include "sgpu_fp.h"

#define LAYERS 2

static struct sgd_worker worker;
static struct rop_level levels[3];
static unsigned num_levels;

static uint8_t *
element(const struct sgd_surface *s, uint8_t *base, int x, int y, unsigned layer)
{
   return base + layer * s->layer_stride + sgpu_tiled_offset(x, y, s->pitch, s->bpe);
}

/* Returns a channel of a texel. Texels outside are clamped to the surface. */
static float
texel(const struct sgd_surface *s, int x, int y, unsigned layer, unsigned byte)
{
   const int cx = CLAMP(x, 0, s->width - 1), cy = CLAMP(y, 0, s->height - 1);

   return sgpu_fmul((float)element(s, s->base, cx, cy, layer)[byte], 1.0f / 255.0f);
}

static float
middle(float a, float b)
{
   return sgpu_fadd(a, sgpu_fmul(sgpu_fsub(b, a), 0.5f));
}

static uint8_t
mean(const struct sgd_surface *s, int x, int y, unsigned layer, unsigned byte)
{
   const float upper = middle(texel(s, x, y, layer, byte), texel(s, x + 1, y, layer, byte));
   const float lower = middle(texel(s, x, y + 1, layer, byte), texel(s, x + 1, y + 1, layer, byte));

   return sgpu_f2bits(sgpu_fadd(sgpu_fmul(middle(upper, lower), 255.0f), 0x1.8p23f));
}

/* Makes a blit to rectangle r of the destination. The source rectangle begins at sx, sy. */
static struct sgd_xfer
half_blit(const struct sgd_surface *src, const struct sgd_surface *dst, struct SGPU_RECT r, int sx,
          int sy)
{
   struct sgd_xfer x = { .kind = SGD_XFER_BLIT, .rect = r, .layers = LAYERS };

   x.u.blit.src = *src;
   x.u.blit.dst = *dst;
   x.u.blit.packet = (struct SGPU_BLIT){
      .mask = 15,
      .filter = SGPU_FILTER_LINEAR,
      .layers = LAYERS,
      .source_rect = { sx, sy, sx + 2 * (r.x1 - r.x0), sy + 2 * (r.y1 - r.y0) },
      .destination_rect = r,
      .source_z1 = LAYERS,
   };
   return x;
}

/* Writes the expected result of the blit to memory. */
static void
expect(const struct sgd_xfer *x, uint8_t *memory, unsigned mask)
{
   const struct sgd_surface *src = &x->u.blit.src, *dst = &x->u.blit.dst;
   const struct SGPU_RECT *s = &x->u.blit.packet.source_rect, *r = &x->rect;

   for (unsigned layer = 0; layer < LAYERS; layer++) {
      for (int py = r->y0; py < r->y1; py++) {
         for (int px = r->x0; px < r->x1; px++) {
            for (unsigned byte = 0; byte < 4; byte++) {
               if (mask >> byte & 1)
                  element(dst, memory, px, py, layer)[byte] = mean(src, s->x0 + 2 * (px - r->x0),
                                                                   s->y0 + 2 * (py - r->y0), layer,
                                                                   byte);
            }
         }
      }
   }
}

static void
run(struct sgd_xfer *x, const struct rop_memory *to, uint64_t *seed)
{
   uint8_t *const before = malloc(to->size), *const want = malloc(to->size);

   rop_noise((struct rop_memory *)to, seed);
   memcpy(before, to->data, to->size);
   memcpy(want, to->data, to->size);
   expect(x, want, x->u.blit.packet.mask);
   for (unsigned l = 0; l < num_levels; l++) {
      memcpy(to->data, before, to->size);
      for (unsigned layer = 0; layer < LAYERS; layer++)
         levels[l].xfer_run(&worker, x, &x->rect, layer);
      if (memcmp(to->data, want, to->size))
         fail_msg("level %s: source %d %d, destination %d %d to %d %d", levels[l].name,
                  x->u.blit.packet.source_rect.x0, x->u.blit.packet.source_rect.y0, x->rect.x0,
                  x->rect.y0, x->rect.x1, x->rect.y1);
   }
   free(before);
   free(want);
}

/* Rectangles of random sizes and places, some of which extend over the edge of the source. */
static void
test_rectangles(void **state)
{
   static const enum pipe_format formats[] = { PIPE_FORMAT_R8G8B8A8_UNORM,
                                               PIPE_FORMAT_B8G8R8A8_UNORM };
   uint64_t seed = 1;

   for (unsigned n = 0; n < 200; n++) {
      const enum pipe_format format = formats[n & 1];
      const int w = 1 + rop_below(&seed, 48), h = 1 + rop_below(&seed, 24);
      const int over = n % 5 == 0;
      struct rop_memory from, to;
      struct sgd_surface src, dst;

      rop_surface(&src, &from, format, 2 * w - over, 2 * h - over, LAYERS, 1);
      rop_surface(&dst, &to, format, w + 16, h + 8, LAYERS, 1);
      rop_noise(&from, &seed);
      struct SGPU_RECT r = { 0, 0, w, h };
      int sx = 0, sy = 0;
      if (n & 2) {
         r.x0 = rop_below(&seed, w);
         r.y0 = rop_below(&seed, h);
         sx = 2 * r.x0;
         sy = 2 * r.y0;
      }
      if (n & 4) {
         const int dx = n & 8 ? 8 : rop_below(&seed, 16), dy = n & 8 ? 4 : rop_below(&seed, 8);
         r = (struct SGPU_RECT){ r.x0 + dx, r.y0 + dy, r.x1 + dx, r.y1 + dy };
      }
      struct sgd_xfer x = half_blit(&src, &dst, r, sx, sy);
      if (n % 7 == 0 && format == PIPE_FORMAT_R8G8B8A8_UNORM)
         x.u.blit.packet.mask = 1 + rop_below(&seed, 15);
      run(&x, &to, &seed);
      free(from.data);
      free(to.data);
   }
}

/* All pairs of values of two texels; the other two are random. */
static void
test_values(void **state)
{
   struct rop_memory from, to;
   struct sgd_surface src, dst;
   uint64_t seed = 2;

   rop_surface(&src, &from, PIPE_FORMAT_R8G8B8A8_UNORM, 512, 256, LAYERS, 1);
   rop_surface(&dst, &to, PIPE_FORMAT_R8G8B8A8_UNORM, 256, 128, LAYERS, 1);
   for (int i = 0; i < 256 * 128 * LAYERS; i++) {
      const int x = i % 256, y = i / 256 % 128, layer = i / (256 * 128);
      for (unsigned t = 0; t < 4; t++) {
         uint8_t *p = element(&src, src.base, 2 * x + (t & 1), 2 * y + (t >> 1), layer);
         for (unsigned byte = 0; byte < 4; byte++)
            p[byte] = t == 0 ? x : t == 1 ? y + 128 * layer : rop_random(&seed) >> byte;
      }
   }
   struct sgd_xfer x = half_blit(&src, &dst, (struct SGPU_RECT){ 0, 0, 256, 128 }, 0, 0);
   run(&x, &to, &seed);
   free(from.data);
   free(to.data);
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_rectangles),
      cmocka_unit_test(test_values),
   };

   num_levels = rop_levels(levels);
   return cmocka_run_group_tests(tests, NULL, NULL);
}
