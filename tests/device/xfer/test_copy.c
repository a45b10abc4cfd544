/* SPDX-License-Identifier: MIT */
/*
 * Random copies between tiled and linear surfaces, of every element size and at every host level,
 * compared with copies of single elements. Also clears.
 *
 *    sgd_xfer_test_copy bench    prints GB/s of whole copies and ns per pixel of blits instead
 */
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

#include "rop_test.h"

static struct sgd_worker worker;
static struct rop_level levels[3];
static unsigned num_levels;

static const enum pipe_format formats[] = {
   PIPE_FORMAT_R8_UNORM,           PIPE_FORMAT_R8G8_UNORM,         PIPE_FORMAT_R8G8B8A8_UNORM,
   PIPE_FORMAT_R16G16B16A16_FLOAT, PIPE_FORMAT_R32G32B32A32_FLOAT,
};

static void
new_surface(struct sgd_surface *s, struct rop_memory *m, enum pipe_format format, bool tiled,
            uint64_t *seed)
{
   rop_surface(s, m, format, 40 + rop_below(seed, 30), 12 + rop_below(seed, 30), 2, 1);
   if (!tiled) {
      s->tiled = false;
      /* The rows fit, since the memory of the tiles is at least as large. */
      s->pitch = s->width * s->bpe + s->bpe * rop_below(seed, 2);
      s->layer_stride = m->size / 2;
      if ((uint64_t)s->pitch * s->height > s->layer_stride)
         s->pitch = s->width * s->bpe;
   }
   rop_noise(m, seed);
}

static uint8_t *
element(const struct sgd_surface *s, uint32_t x, uint32_t y, uint32_t layer)
{
   uint8_t *p = s->base + layer * s->layer_stride;
   return p + sgpu_element_offset(s->tiled ? SGPU_LAYOUT_TILED : SGPU_LAYOUT_LINEAR, x, y, s->pitch,
                                  s->bpe);
}

static void
test_copies(void **state)
{
   uint64_t seed = 1;

   for (unsigned n = 0; n < 4000; n++) {
      const enum pipe_format format = formats[n % ARRAY_SIZE(formats)];
      struct sgd_xfer x = { .kind = SGD_XFER_COPY_SURFACE, .layers = 2 };
      struct sgd_surface *src = &x.u.copy.src, *dst = &x.u.copy.dst;
      struct rop_memory from, to, model;

      new_surface(src, &from, format, n & 8, &seed);
      new_surface(dst, &to, format, n & 16, &seed);
      uint32_t w = 1 + rop_below(&seed, MIN2(src->width, dst->width));
      uint32_t h = 1 + rop_below(&seed, MIN2(src->height, dst->height));
      /* Whole micro tiles. */
      if (n & 256) {
         w = MAX2(w & ~7u, 8);
         h = MAX2(h & ~3u, 4);
      }
      const uint32_t sx = rop_below(&seed, src->width - w + 1) & (n & 32 ? ~0u : ~7u);
      const uint32_t sy = rop_below(&seed, src->height - h + 1) & (n & 32 ? ~0u : ~3u);
      const uint32_t dx = rop_below(&seed, dst->width - w + 1) & (n & 64 ? ~0u : ~7u);
      const uint32_t dy = rop_below(&seed, dst->height - h + 1) & (n & 64 ? ~0u : ~3u);
      const uint32_t layer = rop_below(&seed, 2);

      x.rect = (struct SGPU_RECT){ dx, dy, dx + w, dy + h };
      x.u.copy.shift_x = (int32_t)sx - (int32_t)dx;
      x.u.copy.shift_y = (int32_t)sy - (int32_t)dy;

      /* A part of the rectangle, like that of a tile. */
      struct SGPU_RECT part = x.rect;
      if (n & 128) {
         part.x0 += rop_below(&seed, w);
         part.y1 -= rop_below(&seed, h);
      }

      model.size = to.size;
      model.data = malloc(to.size);
      uint8_t *const before = malloc(to.size);
      memcpy(before, to.data, to.size);
      for (int32_t y = part.y0; y < part.y1; y++) {
         for (int32_t i = part.x0; i < part.x1; i++)
            memcpy(element(dst, i, y, layer), element(src, sx + i - dx, sy + y - dy, layer),
                   dst->bpe);
      }
      memcpy(model.data, to.data, to.size);

      for (unsigned l = 0; l < num_levels; l++) {
         memcpy(to.data, before, to.size);
         levels[l].xfer_run(&worker, &x, &part, layer);
         if (memcmp(to.data, model.data, to.size))
            fail_msg("%s: copy %u of %ux%u elements of %u bytes, %s to %s", levels[l].name, n, w, h,
                     dst->bpe, src->tiled ? "tiled" : "linear", dst->tiled ? "tiled" : "linear");
      }
      free(before);
      free(model.data);
      free(from.data);
      free(to.data);
   }
}

/* The device copies from memory of the program, after which there may be no page. So it must not
 * read anything after the last element of a linear source.
 */
static void
test_ends(void **state)
{
   const size_t size = 64 * 1024, page = sysconf(_SC_PAGESIZE);
   uint8_t *const memory = mmap(NULL, size + page, PROT_READ | PROT_WRITE,
                                MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
   uint64_t seed = 3;

   assert_ptr_not_equal(memory, MAP_FAILED);
   assert_int_equal(mprotect(memory + size, page, PROT_NONE), 0);
   for (unsigned n = 0; n < 1000; n++) {
      const uint32_t w = 1 + rop_below(&seed, 40), h = 1 + rop_below(&seed, 12);
      const uint32_t x0 = rop_below(&seed, 9), y0 = rop_below(&seed, 5);
      struct sgd_xfer x = { .kind = SGD_XFER_COPY_SURFACE, .layers = 1 };
      struct sgd_surface *src = &x.u.copy.src, *dst = &x.u.copy.dst;
      struct rop_memory to;

      rop_surface(dst, &to, formats[n % ARRAY_SIZE(formats)], w + x0, h + y0, 1, 1);
      *src = *dst;
      src->tiled = false;
      src->width = w;
      src->height = h;
      src->pitch = (w + rop_below(&seed, 3)) * src->bpe;
      src->base = memory + size - (h - 1) * src->pitch - w * src->bpe;
      for (uint8_t *p = src->base; p < memory + size; p++)
         *p = rop_random(&seed);
      x.rect = (struct SGPU_RECT){ x0, y0, x0 + w, y0 + h };
      x.u.copy.shift_x = -(int32_t)x0;
      x.u.copy.shift_y = -(int32_t)y0;
      for (unsigned l = 0; l < num_levels; l++) {
         memset(to.data, 0, to.size);
         levels[l].xfer_run(&worker, &x, &x.rect, 0);
         for (uint32_t y = 0; y < h; y++) {
            for (uint32_t i = 0; i < w; i++)
               assert_memory_equal(element(dst, x0 + i, y0 + y, 0), element(src, i, y, 0),
                                   src->bpe);
         }
      }
      free(to.data);
   }
   munmap(memory, size + page);
}

/* Clears of parts. Bits that are not cleared keep their values, and nothing else changes. */
static void
test_clears(void **state)
{
   uint64_t seed = 2;

   for (unsigned n = 0; n < 1000; n++) {
      const bool zs = n & 1;
      struct sgd_xfer x = { .kind = SGD_XFER_CLEAR, .layers = 2 };
      struct sgd_surface *s = zs ? &x.u.clear.zs : &x.u.clear.color[0];
      struct rop_memory m;

      new_surface(s, &m, zs ? PIPE_FORMAT_Z24_UNORM_S8_UINT : PIPE_FORMAT_R32G32_UINT, true, &seed);
      x.u.clear.colors = !zs;
      x.u.clear.clear_depth = zs && n & 2;
      x.u.clear.clear_stencil = zs && n & 4;
      x.u.clear.depth = 1.0;
      x.u.clear.stencil = rop_random(&seed);
      for (unsigned c = 0; c < 4; c++)
         x.u.clear.color_value[c] = rop_random(&seed);
      struct SGPU_RECT r = { .x0 = rop_below(&seed, s->width), .y0 = rop_below(&seed, s->height) };
      r.x1 = r.x0 + 1 + rop_below(&seed, s->width - r.x0);
      r.y1 = r.y0 + 1 + rop_below(&seed, s->height - r.y0);
      const uint32_t layer = rop_below(&seed, 2);

      uint8_t *const before = malloc(m.size), *const model = malloc(m.size);
      memcpy(before, m.data, m.size);
      for (int32_t y = r.y0; y < r.y1; y++) {
         for (int32_t i = r.x0; i < r.x1; i++) {
            uint32_t e[2];
            memcpy(e, element(s, i, y, layer), s->bpe);
            if (!zs)
               memcpy(e, x.u.clear.color_value, sizeof(e));
            if (x.u.clear.clear_depth)
               e[0] |= 0xffffff;
            if (x.u.clear.clear_stencil)
               e[0] = (e[0] & 0xffffff) | (uint32_t)x.u.clear.stencil << 24;
            memcpy(element(s, i, y, layer), e, s->bpe);
         }
      }
      memcpy(model, m.data, m.size);
      for (unsigned l = 0; l < num_levels; l++) {
         memcpy(m.data, before, m.size);
         levels[l].xfer_run(&worker, &x, &r, layer);
         if (memcmp(m.data, model, m.size))
            fail_msg("%s: clear %u of %s", levels[l].name, n, zs ? "depth" : "colours");
      }
      free(before);
      free(model);
      free(m.data);
   }
}

static void
bench(void)
{
   enum { WIDTH = 800, HEIGHT = 600, RUNS = 300 };
   static const char *const names[] = { "linear", "tiled" };

   for (unsigned l = 0; l < num_levels; l++) {
      for (unsigned f = 0; f < ARRAY_SIZE(formats); f++) {
         for (unsigned way = 1; way < 4; way++) {
            struct sgd_xfer x = { .kind = SGD_XFER_COPY_SURFACE, .layers = 1 };
            struct sgd_surface *s[2] = { &x.u.copy.src, &x.u.copy.dst };
            struct rop_memory m[2];
            for (unsigned i = 0; i < 2; i++) {
               rop_surface(s[i], &m[i], formats[f], WIDTH, HEIGHT, 1, 1);
               s[i]->tiled = way >> i & 1;
               if (!s[i]->tiled)
                  s[i]->pitch = WIDTH * s[i]->bpe;
            }
            x.rect = (struct SGPU_RECT){ 0, 0, WIDTH, HEIGHT };
            struct timespec t0, t1;
            clock_gettime(CLOCK_MONOTONIC, &t0);
            for (unsigned n = 0; n < RUNS; n++)
               levels[l].xfer_run(&worker, &x, &x.rect, 0);
            clock_gettime(CLOCK_MONOTONIC, &t1);
            const double ns = (t1.tv_sec - t0.tv_sec) * 1e9 + (t1.tv_nsec - t0.tv_nsec);
            printf("%s %-20s %6s to %-6s %6.2f GB/s\n", levels[l].name,
                   util_format_short_name(formats[f]), names[way & 1], names[way >> 1],
                   (double)WIDTH * HEIGHT * s[0]->bpe * RUNS / ns);
            free(m[0].data);
            free(m[1].data);
         }
      }
   }
}

/* Measures blits from a level of a mipmap to the next smaller one. */
static void
bench_blit(void)
{
   enum { SIZE = 512, RUNS = 20 };
   static const enum pipe_format blit_formats[] = {
      PIPE_FORMAT_B8G8R8A8_UNORM,
      PIPE_FORMAT_B8G8R8A8_SRGB,
      PIPE_FORMAT_B5G6R5_UNORM,
      PIPE_FORMAT_R16G16B16A16_FLOAT,
   };

   for (unsigned l = 0; l < num_levels; l++) {
      for (unsigned f = 0; f < ARRAY_SIZE(blit_formats); f++) {
         struct sgd_xfer x = { .kind = SGD_XFER_BLIT, .layers = 1 };
         struct rop_memory m[2];
         rop_surface(&x.u.blit.src, &m[0], blit_formats[f], 2 * SIZE, 2 * SIZE, 1, 1);
         rop_surface(&x.u.blit.dst, &m[1], blit_formats[f], SIZE, SIZE, 1, 1);
         x.u.blit.packet.mask = 15;
         x.u.blit.packet.filter = SGPU_FILTER_LINEAR;
         x.u.blit.packet.layers = 1;
         x.u.blit.packet.source_z1 = 1.0f;
         x.u.blit.packet.source_rect = (struct SGPU_RECT){ 0, 0, 2 * SIZE, 2 * SIZE };
         x.u.blit.packet.destination_rect = x.rect = (struct SGPU_RECT){ 0, 0, SIZE, SIZE };
         struct timespec t0, t1;
         clock_gettime(CLOCK_MONOTONIC, &t0);
         for (unsigned n = 0; n < RUNS; n++)
            levels[l].xfer_run(&worker, &x, &x.rect, 0);
         clock_gettime(CLOCK_MONOTONIC, &t1);
         const double ns = (t1.tv_sec - t0.tv_sec) * 1e9 + (t1.tv_nsec - t0.tv_nsec);
         printf("%s %-20s LINEAR, 2 to 1     %6.1f ns/pixel\n", levels[l].name,
                util_format_short_name(blit_formats[f]), ns / RUNS / SIZE / SIZE);
         free(m[0].data);
         free(m[1].data);
      }
   }
}

int
main(int argc, char **argv)
{
   const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_copies),
      cmocka_unit_test(test_ends),
      cmocka_unit_test(test_clears),
   };
   num_levels = rop_levels(levels);
   if (argc == 2 && !strcmp(argv[1], "bench")) {
      bench();
      bench_blit();
      return 0;
   }
   return cmocka_run_group_tests_name("copy engine", tests, NULL, NULL);
}
