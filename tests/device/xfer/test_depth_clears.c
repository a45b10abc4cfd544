/* SPDX-License-Identifier: MIT */
/*
 * Clears of depth and stencil with records of tiles, at every host level. Random clears of both or
 * one, draws, copies and RESOLVE SURFACE leave every element with its value. Clears of depth alone
 * change only the record where stencil is constant. Clears of textures store only elements that
 * have changed.
 */
#include "rop_test.h"
#include "common/sgd_tile_meta.h"

#define LAYERS 2
#define MAX_TILES (LAYERS * 3 * 2)

static struct sgd_worker worker;
static struct rop_level levels[3];
static unsigned num_levels;

/* Places of depth and stencil in an element, for formats whose depths this test can set. */
struct zs_layout {
   enum sgpu_format format;
   uint64_t depth, stencil; /* bit masks of depth and stencil in an element */
   uint64_t one;            /* bits of depth 1.0 */
   uint64_t of_stencil;     /* factor that moves a stencil value to its place */
};

static const struct zs_layout formats[] = {
   { SGPU_FORMAT_Z24_UNORM_S8_UINT, 0xffffff, 0xff000000, 0xffffff, 1 << 24 },
   { SGPU_FORMAT_S8_UINT_Z24_UNORM, 0xffffff00, 0xff, 0xffffff00, 1 },
   { SGPU_FORMAT_Z32_FLOAT_S8X24_UINT, 0xffffffff, 0xff00000000, 0x3f800000, 1ull << 32 },
   { SGPU_FORMAT_Z24X8_UNORM, 0xffffff, 0, 0xffffff, 0 },
   { SGPU_FORMAT_Z16_UNORM, 0xffff, 0, 0xffff, 0 },
   { SGPU_FORMAT_Z32_FLOAT, 0xffffffff, 0, 0x3f800000, 0 },
};

struct fixture {
   const struct zs_layout *layout;
   struct sgd_surface s;
   struct rop_memory m;
   struct sgd_tile_meta records[MAX_TILES];
   uint8_t *model; /* copy of the memory with all elements stored */
   const struct rop_level *level;
};

static uint8_t *
element(const struct fixture *f, uint8_t *base, uint32_t x, uint32_t y, uint32_t layer)
{
   return base + layer * f->s.layer_stride + sgpu_tiled_offset(x, y, f->s.pitch, f->s.bpe);
}

static void
begin(struct fixture *f, const struct zs_layout *layout, const struct rop_level *level,
      uint32_t width, uint32_t height, bool fast)
{
   memset(f, 0, sizeof(*f));
   f->layout = layout;
   f->level = level;
   rop_surface(&f->s, &f->m, sgpu_format_to_pipe(layout->format), width, height, LAYERS, 1);
   f->s.format = layout->format;
   memset(f->m.data, 0, f->m.size);
   f->s.meta = (uint8_t *)f->records;
   f->s.meta_layer = sgpu_metadata_layer(width, height);
   f->s.fast_clear = fast;
   assert_true(LAYERS * f->s.meta_layer <= sizeof(f->records));
   f->model = calloc(1, f->m.size);
}

static void
end(struct fixture *f)
{
   free(f->model);
   free(f->m.data);
}

/* Runs an operation tile by tile. */
static void
run(const struct fixture *f, const struct sgd_xfer *x)
{
   for (unsigned layer = 0; layer < LAYERS; layer++) {
      for (int32_t y = x->rect.y0 & ~(SGD_TILE - 1); y < x->rect.y1; y += SGD_TILE) {
         for (int32_t i = x->rect.x0 & ~(SGD_TILE - 1); i < x->rect.x1; i += SGD_TILE) {
            const struct SGPU_RECT part = { MAX2(i, x->rect.x0), MAX2(y, x->rect.y0),
                                            MIN2(i + SGD_TILE, x->rect.x1),
                                            MIN2(y + SGD_TILE, x->rect.y1) };
            f->level->xfer_run(&worker, x, &part, layer);
         }
      }
   }
}

static struct SGPU_RECT
whole(const struct fixture *f)
{
   return (struct SGPU_RECT){ 0, 0, f->s.width, f->s.height };
}

static void
clear(struct fixture *f, struct SGPU_RECT r, bool depth, bool stencil, unsigned one, uint8_t value)
{
   const struct zs_layout *l = f->layout;
   struct sgd_xfer x = { .kind = SGD_XFER_CLEAR, .rect = r, .layers = LAYERS };
   uint64_t mask = (depth ? l->depth : 0) | (stencil ? l->stencil : 0);
   const uint64_t bits = ((one ? l->one : 0) | value * l->of_stencil) & mask;

   x.u.clear.zs = f->s;
   x.u.clear.clear_depth = depth;
   x.u.clear.clear_stencil = stencil;
   x.u.clear.depth = one;
   x.u.clear.stencil = value;
   run(f, &x);
   /* A clear of all components also clears bits without a component. */
   if (mask == (l->depth | l->stencil))
      mask = UINT64_MAX;
   for (unsigned layer = 0; layer < LAYERS && mask; layer++) {
      for (int32_t y = r.y0; y < r.y1; y++) {
         for (int32_t i = r.x0; i < r.x1; i++) {
            uint8_t *p = element(f, f->model, i, y, layer);
            uint64_t e = 0;
            memcpy(&e, p, f->s.bpe);
            e = (e & ~mask) | bits;
            memcpy(p, &e, f->s.bpe);
         }
      }
   }
}

/* Changes a block of a tile and its record like a draw: pixel/raster/sgd_open.c. */
static void
draw(struct fixture *f, uint32_t x, uint32_t y, uint32_t layer, bool stencil, uint64_t *seed)
{
   struct sgd_tile_meta *m = sgd_tile_meta(&f->s, x, y, layer);
   const unsigned k = sgd_meta_block(x, y);
   const uint64_t mask = stencil ? f->layout->depth | f->layout->stencil : f->layout->depth;

   for (uint32_t py = y; py < MIN2(y + 16, f->s.height); py++) {
      for (uint32_t px = x; px < MIN2(x + 16, f->s.width); px++) {
         uint8_t *const p = element(f, f->m.data, px, py, layer);
         uint64_t e = 0;
         if (m->cleared == SGD_TILE_CLEARED && !(m->stored >> k & 1))
            memcpy(p, m->value, f->s.bpe);
         memcpy(&e, p, f->s.bpe);
         if (rop_below(seed, 2))
            e = (e & ~mask) | ((rop_random(seed) | (uint64_t)rop_random(seed) << 32) & mask);
         memcpy(p, &e, f->s.bpe);
         memcpy(element(f, f->model, px, py, layer), &e, f->s.bpe);
      }
   }
   if (m->cleared)
      m->stored |= 1u << k;
   m->ranges = 0;
   if (stencil)
      m->constant = SGPU_FORMAT_NONE;
}

static void
overwrite(struct fixture *f, struct SGPU_RECT r, uint64_t *seed)
{
   struct sgd_xfer x = { .kind = SGD_XFER_COPY_SURFACE, .rect = r, .layers = LAYERS };
   struct rop_memory from;

   x.u.copy.dst = f->s;
   rop_surface(&x.u.copy.src, &from, f->s.pformat, f->s.width, f->s.height, LAYERS, 1);
   rop_noise(&from, seed);
   run(f, &x);
   for (unsigned layer = 0; layer < LAYERS; layer++) {
      for (int32_t y = r.y0; y < r.y1; y++) {
         for (int32_t i = r.x0; i < r.x1; i++)
            memcpy(element(f, f->model, i, y, layer), element(f, from.data, i, y, layer), f->s.bpe);
      }
   }
   free(from.data);
}

static void
resolve(struct fixture *f)
{
   struct sgd_xfer x = { .kind = SGD_XFER_RESOLVE, .rect = whole(f), .layers = LAYERS };

   x.u.resolve = f->s;
   run(f, &x);
}

/* Compares every element, found by its record and memory, with the model. */
static void
check(struct fixture *f, unsigned step)
{
   for (unsigned layer = 0; layer < LAYERS; layer++) {
      for (uint32_t y = 0; y < f->s.height; y++) {
         for (uint32_t x = 0; x < f->s.width; x++) {
            const struct sgd_tile_meta *m = sgd_tile_meta(&f->s, x, y, layer);
            const bool stored = m->stored >> sgd_meta_block(x, y) & 1;
            const uint8_t *memory = element(f, f->m.data, x, y, layer);
            const uint8_t *want = element(f, f->model, x, y, layer);
            if ((m->cleared && !stored && memcmp(m->value, want, f->s.bpe)) ||
                ((m->cleared != SGD_TILE_CLEARED || stored) && memcmp(memory, want, f->s.bpe)))
               fail_msg("%s, %s, step %u: %u %u", f->level->name, f->s.desc->name, step, x, y);
         }
      }
   }
}

static struct SGPU_RECT
random_rect(const struct fixture *f, uint64_t *seed)
{
   struct SGPU_RECT r = whole(f);

   if (rop_below(seed, 4))
      return r;
   r.x0 = rop_below(seed, f->s.width);
   r.y0 = rop_below(seed, f->s.height);
   r.x1 = r.x0 + 1 + rop_below(seed, f->s.width - r.x0);
   r.y1 = r.y0 + 1 + rop_below(seed, f->s.height - r.y0);
   return r;
}

static void
test_sequences(void **state)
{
   uint64_t seed = 1;

   for (unsigned n = 0; n < 8 * ARRAY_SIZE(formats) * num_levels; n++) {
      const uint32_t width = 1 + rop_below(&seed, 150), height = 1 + rop_below(&seed, 100);
      struct fixture f;

      begin(&f, &formats[n % ARRAY_SIZE(formats)], &levels[n / ARRAY_SIZE(formats) % num_levels],
            width, height, n & 1);
      for (unsigned step = 0; step < 24; step++) {
         const uint32_t kind = rop_below(&seed, 16);
         if (kind < 8) {
            const unsigned what = kind < 4 ? 1 : kind < 7 ? 3 : 2;
            clear(&f, random_rect(&f, &seed), what & 1, what >> 1, rop_below(&seed, 2),
                  rop_below(&seed, 3) * 85);
         } else if (kind < 14) {
            draw(&f, rop_below(&seed, width) & ~15u, rop_below(&seed, height) & ~15u,
                 rop_below(&seed, LAYERS), rop_below(&seed, 8) == 0, &seed);
         } else if (kind == 14) {
            resolve(&f);
         } else if (rop_below(&seed, 3) == 0) {
            overwrite(&f, random_rect(&f, &seed), &seed);
         }
         check(&f, step);
      }
      end(&f);
   }
}

/* The first clear of depth finds that stencil is constant. The following ones change records only.
 */
static void
test_depth_alone(void **state)
{
   uint64_t seed = 2;

   for (unsigned n = 0; n < 3 * num_levels; n++) {
      const struct zs_layout *layout = &formats[n % 3];
      struct fixture f;

      begin(&f, layout, &levels[n / 3], 150, 70, true);
      clear(&f, whole(&f), true, false, 1, 0);
      draw(&f, 16, 16, 0, false, &seed);
      clear(&f, whole(&f), true, false, 1, 0);
      check(&f, 0);
      for (unsigned i = 0; i < MAX_TILES; i++) {
         assert_int_equal(f.records[i].cleared, SGD_TILE_CLEARED);
         assert_int_equal(f.records[i].stored, 0);
      }

      draw(&f, 16, 16, 0, true, &seed);
      clear(&f, whole(&f), true, false, 1, 0);
      check(&f, 1);
      assert_int_equal(f.records[0].cleared, SGD_TILE_DRAWN);
      assert_int_equal(f.records[1].cleared, SGD_TILE_CLEARED);
      end(&f);
   }
}

/* Blocks that were not drawn to since the last clear to the same value are not stored again. */
static void
test_kept(void **state)
{
   uint64_t seed = 3;

   for (unsigned n = 0; n < ARRAY_SIZE(formats) * num_levels; n++) {
      const struct zs_layout *layout = &formats[n % ARRAY_SIZE(formats)];
      struct fixture f;

      begin(&f, layout, &levels[n / ARRAY_SIZE(formats)], 100, 64, false);
      clear(&f, whole(&f), true, true, 1, 0);
      draw(&f, 16, 16, 0, true, &seed);
      memset(element(&f, f.m.data, 0, 0, 0), 0x5a, f.s.bpe);
      clear(&f, whole(&f), true, true, 1, 0);
      assert_int_equal(*element(&f, f.m.data, 0, 0, 0), 0x5a);
      memcpy(element(&f, f.m.data, 0, 0, 0), f.records[0].value, f.s.bpe);
      check(&f, 0);
      clear(&f, whole(&f), true, true, 0, 0);
      check(&f, 1);
      resolve(&f);
      check(&f, 2);
      end(&f);
   }
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_sequences),
      cmocka_unit_test(test_depth_alone),
      cmocka_unit_test(test_kept),
   };

   num_levels = rop_levels(levels);
   return cmocka_run_group_tests(tests, NULL, NULL);
}
