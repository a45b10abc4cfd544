/* SPDX-License-Identifier: MIT */
/*
 * Cleared tiles, some blocks of which have been stored since: random records, at every host level.
 * Copies read the clear value or memory. Clears of parts and RESOLVE SURFACE leave every element
 * with its value. Nothing outside of the surface changes.
 */
#include "rop_test.h"
#include "common/sgd_tile_meta.h"
#include "sgpu_fp.h"

static struct sgd_worker worker;
static struct rop_level levels[3];
static unsigned num_levels;

static const enum pipe_format formats[] = {
   PIPE_FORMAT_R8_UNORM,           PIPE_FORMAT_R8G8_UNORM,         PIPE_FORMAT_R8G8B8A8_UNORM,
   PIPE_FORMAT_R16G16B16A16_FLOAT, PIPE_FORMAT_R32G32B32A32_FLOAT,
};

#define LAYERS 2
#define MAX_TILES (LAYERS * 3 * 2)

struct fixture {
   struct sgd_surface s;
   struct rop_memory m;
   struct sgd_tile_meta records[MAX_TILES];
   uint8_t *elements; /* copy of the memory with all elements stored */
};

static uint8_t *
element(const struct sgd_surface *s, uint8_t *base, uint32_t x, uint32_t y, uint32_t layer)
{
   return base + layer * s->layer_stride +
          sgpu_element_offset(s->tiled ? SGPU_LAYOUT_TILED : SGPU_LAYOUT_LINEAR, x, y, s->pitch,
                              s->bpe);
}

static uint32_t
random_blocks(uint64_t *seed)
{
   switch (rop_below(seed, 4)) {
   case 0:
      return 0;
   case 1:
      return 0xffff;
   case 2:
      return 0x0660;
   default:
      return rop_random(seed) & 0xffff;
   }
}

static bool
in_memory(const struct fixture *f, uint32_t x, uint32_t y, uint32_t layer)
{
   const struct sgd_tile_meta *m = sgd_tile_meta(&f->s, x, y, layer);

   return !m->cleared || (m->stored >> (y % SGD_TILE / 16 * 4 + x % SGD_TILE / 16) & 1);
}

/* Computes f->elements from the memory and the records. */
static void
find_elements(struct fixture *f)
{
   memcpy(f->elements, f->m.data, f->m.size);
   for (uint32_t layer = 0; layer < LAYERS; layer++) {
      for (uint32_t y = 0; y < f->s.height; y++) {
         for (uint32_t x = 0; x < f->s.width; x++) {
            if (!in_memory(f, x, y, layer))
               memcpy(element(&f->s, f->elements, x, y, layer),
                      sgd_tile_meta(&f->s, x, y, layer)->value, f->s.bpe);
         }
      }
   }
}

static void
begin(struct fixture *f, enum pipe_format format, uint64_t *seed)
{
   const uint32_t width = 1 + rop_below(seed, 3 * SGD_TILE), height = 1 + rop_below(seed, 100);

   memset(f, 0, sizeof(*f));
   rop_surface(&f->s, &f->m, format, width, height, LAYERS, 1);
   rop_noise(&f->m, seed);
   f->s.meta = (uint8_t *)f->records;
   f->s.meta_layer = sgpu_metadata_layer(width, height);
   f->s.fast_clear = true;
   assert_true(LAYERS * f->s.meta_layer <= sizeof(f->records));
   for (unsigned i = 0; i < MAX_TILES; i++) {
      struct sgd_tile_meta *m = &f->records[i];
      m->cleared = rop_below(seed, 4) != 0;
      for (unsigned k = 0; k < sizeof(m->value); k++)
         m->value[k] = rop_random(seed);
      m->stored = random_blocks(seed);
   }

   f->elements = malloc(f->m.size);
   find_elements(f);
}

static void
end(struct fixture *f)
{
   free(f->elements);
   free(f->m.data);
}

static struct SGPU_RECT
random_rect(const struct sgd_surface *s, uint64_t *seed)
{
   struct SGPU_RECT r = { .x0 = rop_below(seed, s->width), .y0 = rop_below(seed, s->height) };

   if (rop_below(seed, 2))
      r.x0 = r.y0 = 0;
   r.x1 = rop_below(seed, 2) ? s->width : r.x0 + 1 + rop_below(seed, s->width - r.x0);
   r.y1 = rop_below(seed, 2) ? s->height : r.y0 + 1 + rop_below(seed, s->height - r.y0);
   return r;
}

static void
test_copies(void **state)
{
   uint64_t seed = 1;

   for (unsigned n = 0; n < 600; n++) {
      struct fixture f;
      struct rop_memory to;
      begin(&f, formats[n % ARRAY_SIZE(formats)], &seed);

      struct sgd_xfer x = { .kind = SGD_XFER_COPY_SURFACE, .layers = LAYERS, .u.copy.src = f.s };
      struct sgd_surface *dst = &x.u.copy.dst;
      const uint32_t layer = rop_below(&seed, LAYERS);
      const struct SGPU_RECT r = random_rect(&f.s, &seed);
      rop_surface(dst, &to, formats[n % ARRAY_SIZE(formats)], f.s.width + 9, f.s.height + 5, LAYERS,
                  1);
      if (n & 1) {
         /* The rows fit, since the memory of the tiles is at least as large. */
         dst->tiled = false;
         dst->pitch = dst->width * dst->bpe;
         dst->layer_stride = to.size / LAYERS;
      }
      const int32_t dx = rop_below(&seed, 10), dy = rop_below(&seed, 6);
      x.rect = (struct SGPU_RECT){ r.x0 + dx, r.y0 + dy, r.x1 + dx, r.y1 + dy };
      x.u.copy.shift_x = -dx;
      x.u.copy.shift_y = -dy;

      rop_noise(&to, &seed);
      uint8_t *const model = malloc(to.size), *const before = malloc(to.size);
      memcpy(model, to.data, to.size);
      memcpy(before, to.data, to.size);
      for (int32_t y = r.y0; y < r.y1; y++) {
         for (int32_t i = r.x0; i < r.x1; i++)
            memcpy(element(dst, model, i + dx, y + dy, layer),
                   element(&f.s, f.elements, i, y, layer), dst->bpe);
      }
      for (unsigned l = 0; l < num_levels; l++) {
         memcpy(to.data, before, to.size);
         levels[l].xfer_run(&worker, &x, &x.rect, layer);
         if (memcmp(to.data, model, to.size))
            fail_msg("%s: copy %u of %ux%u elements of %u bytes", levels[l].name, n, r.x1 - r.x0,
                     r.y1 - r.y0, dst->bpe);
      }
      free(model);
      free(before);
      free(to.data);
      end(&f);
   }
}

/* Changes records and memory like clears, draws and other writes between two pictures. */
static void
change(struct fixture *f, uint64_t *seed)
{
   rop_noise(&f->m, seed);
   for (unsigned i = 0; i < MAX_TILES; i++) {
      struct sgd_tile_meta *m = &f->records[i];
      switch (rop_below(seed, 5)) {
      case 1:
      case 2:
         if (rop_below(seed, 2))
            m->value[rop_below(seed, f->s.bpe)] = rop_random(seed);
         m->cleared = 1;
         m->stored = 0;
         break;
      case 3:
         m->stored |= random_blocks(seed);
         break;
      case 4:
         m->cleared = 0;
         break;
      }
   }
   find_elements(f);
}

static void
contents_of_level(unsigned l)
{
   uint64_t seed = 3;

   for (unsigned n = 0; n < 60; n++) {
      struct fixture f;
      struct rop_memory to;
      begin(&f, formats[n % ARRAY_SIZE(formats)], &seed);
      struct sgd_xfer x = { .kind = SGD_XFER_COPY_SURFACE, .layers = 1, .u.copy.src = f.s };
      struct sgd_surface *dst = &x.u.copy.dst;
      const uint32_t layer = rop_below(&seed, LAYERS);

      rop_surface(dst, &to, formats[n % ARRAY_SIZE(formats)], f.s.width, f.s.height, LAYERS, 1);
      if (n & 1) {
         dst->tiled = false;
         dst->pitch = dst->width * dst->bpe;
         dst->layer_stride = to.size / LAYERS;
      }
      uint8_t *const model = malloc(to.size);
      for (unsigned picture = 0; picture < 12; picture++) {
         if (picture == 0 || rop_below(&seed, 6) == 0) {
            x.u.copy.contents++;
            rop_noise(&to, &seed);
            memcpy(model, to.data, to.size);
         }
         x.rect = random_rect(&f.s, &seed);
         for (int32_t y = x.rect.y0; y < x.rect.y1; y++) {
            for (int32_t i = x.rect.x0; i < x.rect.x1; i++)
               memcpy(element(dst, model, i, y, layer), element(&f.s, f.elements, i, y, layer),
                      dst->bpe);
         }
         levels[l].xfer_run(&worker, &x, &x.rect, layer);
         if (memcmp(to.data, model, to.size))
            fail_msg("%s: picture %u of %u", levels[l].name, picture, n);
         change(&f, &seed);
      }

      /* Cleared blocks are not copied again, although the destination was overwritten, which
       * callers promise not to do.
       */
      x.rect = (struct SGPU_RECT){ 0, 0, f.s.width, f.s.height };
      levels[l].xfer_run(&worker, &x, &x.rect, layer);
      rop_noise(&to, &seed);
      memcpy(model, to.data, to.size);
      levels[l].xfer_run(&worker, &x, &x.rect, layer);
      for (int32_t y = 0; y < f.s.height; y++) {
         for (int32_t i = 0; i < f.s.width; i++) {
            if (in_memory(&f, i, y, layer))
               memcpy(element(dst, model, i, y, layer), element(&f.s, f.elements, i, y, layer),
                      dst->bpe);
         }
      }
      if (memcmp(to.data, model, to.size))
         fail_msg("%s: a picture without changes, %u", levels[l].name, n);
      free(model);
      free(to.data);
      end(&f);
   }
}

/* Copies with a number of contents: parts of a picture may be the same as in an earlier one. */
static void
test_contents(void **state)
{
   for (unsigned l = 0; l < num_levels; l++)
      contents_of_level(l);
}

/* Some tiles are cleared again, in part or as a whole; then all are resolved. */
static void
test_clears(void **state)
{
   uint64_t seed = 2;

   for (unsigned n = 0; n < 600; n++) {
      const bool zs = n & 1;
      struct fixture f;
      begin(&f, zs ? PIPE_FORMAT_Z24_UNORM_S8_UINT : PIPE_FORMAT_R32G32_UINT, &seed);
      struct sgd_xfer clear = { .kind = SGD_XFER_CLEAR, .layers = LAYERS };
      const struct sgd_xfer resolve = { .kind = SGD_XFER_RESOLVE, .u.resolve = f.s };
      const struct SGPU_RECT r = random_rect(&f.s, &seed);
      const uint32_t layer = rop_below(&seed, LAYERS);
      uint8_t *const before = malloc(f.m.size);
      struct sgd_tile_meta records[MAX_TILES];

      *(zs ? &clear.u.clear.zs : &clear.u.clear.color[0]) = f.s;
      clear.u.clear.colors = !zs;
      clear.u.clear.clear_depth = zs && n & 2;
      clear.u.clear.clear_stencil = zs && n & 4;
      clear.u.clear.depth = 1.0;
      clear.u.clear.stencil = rop_random(&seed);
      for (unsigned c = 0; c < 2; c++)
         clear.u.clear.color_value[c] = rop_random(&seed);
      for (int32_t y = r.y0; y < r.y1; y++) {
         for (int32_t i = r.x0; i < r.x1; i++) {
            uint32_t e[2];
            memcpy(e, element(&f.s, f.elements, i, y, layer), f.s.bpe);
            if (!zs)
               memcpy(e, clear.u.clear.color_value, sizeof(e));
            if (clear.u.clear.clear_depth)
               e[0] |= 0xffffff;
            if (clear.u.clear.clear_stencil)
               e[0] = (e[0] & 0xffffff) | (uint32_t)clear.u.clear.stencil << 24;
            memcpy(element(&f.s, f.elements, i, y, layer), e, f.s.bpe);
         }
      }

      memcpy(before, f.m.data, f.m.size);
      memcpy(records, f.records, sizeof(records));
      for (unsigned l = 0; l < num_levels; l++) {
         memcpy(f.m.data, before, f.m.size);
         memcpy(f.records, records, sizeof(records));
         for (int32_t y = 0; y < f.s.height; y += SGD_TILE) {
            for (int32_t i = 0; i < f.s.width; i += SGD_TILE) {
               const struct SGPU_RECT part = {
                  .x0 = MAX2(r.x0, i),
                  .y0 = MAX2(r.y0, y),
                  .x1 = MIN2(r.x1, i + SGD_TILE),
                  .y1 = MIN2(r.y1, y + SGD_TILE),
               };
               const struct SGPU_RECT pixel = { .x0 = i, .y0 = y, .x1 = i + 1, .y1 = y + 1 };
               if (part.x0 < part.x1 && part.y0 < part.y1)
                  levels[l].xfer_run(&worker, &clear, &part, layer);
               for (unsigned k = 0; k < LAYERS; k++) {
                  levels[l].xfer_run(&worker, &resolve, &pixel, k);
                  assert_int_equal(sgd_tile_meta(&f.s, i, y, k)->cleared, 0);
               }
            }
         }
         if (memcmp(f.m.data, f.elements, f.m.size))
            fail_msg("%s: clear %u of %s", levels[l].name, n, zs ? "depth" : "colours");
      }
      free(before);
      end(&f);
   }
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_copies),
      cmocka_unit_test(test_contents),
      cmocka_unit_test(test_clears),
   };
   num_levels = rop_levels(levels);
   const uint64_t fp = sgpu_fp_enter();
   const int ret = cmocka_run_group_tests_name("cleared tiles", tests, NULL, NULL);
   sgpu_fp_leave(fp);
   return ret;
}
