/* SPDX-License-Identifier: MIT */
/*
 * Shadows: random draws, clears and copies leave the same bytes in the device's memory and in a
 * shadow. Fragments whose order the depths decide do so in any order. Differences are reported at
 * their pixels.
 */
#include "color_warps.h"
#include "control/memory/sgd_memory.h"
#include "common/sgd_tile_meta.h"
#include "sgpu_device.h"
#include "sgpu_fp.h"
#include "sgpu_shadow.h"

#define WIDTH 76 /* width and height are no multiples of tiles or blocks */
#define HEIGHT 70
#define BLOCKS_X ((WIDTH + 7) / 8)
#define BLOCKS_Y ((HEIGHT + 3) / 4)

static const enum pipe_format zs_formats[] = {
   PIPE_FORMAT_Z16_UNORM,         PIPE_FORMAT_Z24_UNORM_S8_UINT,
   PIPE_FORMAT_S8_UINT_Z24_UNORM, PIPE_FORMAT_Z24X8_UNORM,
   PIPE_FORMAT_Z32_UNORM,         PIPE_FORMAT_Z32_FLOAT,
   PIPE_FORMAT_S8_UINT,           PIPE_FORMAT_Z32_FLOAT_S8X24_UINT,
};

/* Targets in buffers of a device, and the image of their contents. */
struct fixture {
   struct sgpu_device *dev;
   struct sgpu_bo *bo[2]; /* buffers of colour and depth */
   struct sgpu_shadow_image *image;
   struct sgd_state *st;
   struct sgd_worker worker;
};

static void
place_surface(struct fixture *f, unsigned index, struct sgd_surface *s, enum pipe_format format,
              unsigned layers, unsigned samples, uint64_t *seed)
{
   struct rop_memory m;

   rop_surface(s, &m, format, WIDTH, HEIGHT, layers, samples);
   const bool meta = samples == 1 && rop_below(seed, 2);
   const uint32_t records = sgpu_metadata_layer(WIDTH, HEIGHT);
   const uint64_t size = m.size + (meta ? layers * records : 0);
   rop_noise(&m, seed);
   assert_int_equal(sgpu_bo_create(f->dev, size, NULL, &f->bo[index]), 0);
   memcpy(sgpu_bo_map(f->bo[index]), m.data, m.size);
   free(m.data);
   s->base = sgpu_bo_map(f->bo[index]);
   s->begin = sgpu_bo_address(f->bo[index]);
   s->end = s->begin + size;
   s->format = sgpu_format_from_pipe(format);
   if (meta) {
      s->meta = s->base + m.size;
      s->meta_layer = records;
      s->fast_clear = true;
   }
}

static void
begin(struct fixture *f, enum pipe_format color, enum pipe_format zs, unsigned layers,
      unsigned samples, uint64_t *seed)
{
   const struct sgpu_device_params params = { .threads = 1 };

   memset(f, 0, sizeof(*f));
   assert_int_equal(sgpu_device_create(&params, &f->dev), 0);
   f->st = calloc(1, sizeof(*f->st));
   f->st->num_colors = 1;
   f->st->samples = samples;
   f->st->plan.color_write_mask[0] = 0xf;
   place_surface(f, 0, &f->st->color[0], color, layers, samples, seed);
   place_surface(f, 1, &f->st->zs, zs, layers, samples, seed);
   assert_int_equal(sgpu_shadow_image_create(f->dev, &f->image), 0);
   for (unsigned i = 0; i < 2; i++)
      assert_int_equal(sgpu_shadow_image_add_buffer(f->image, f->bo[i]), 0);
}

static void
end(struct fixture *f)
{
   sgpu_shadow_image_destroy(f->image);
   for (unsigned i = 0; i < 2; i++)
      sgpu_bo_destroy(f->bo[i]);
   sgpu_device_destroy(f->dev);
   free(f->st);
}

/* Returns the number of pixels that differ, and one difference. Checks that it is marked. */
static uint64_t
differences(const struct fixture *f, struct sgpu_shadow *shadow,
            struct sgpu_shadow_difference *first)
{
   uint64_t count = 0;

   memset(first, 0, sizeof(*first));
   for (unsigned i = 0; i < sgpu_shadow_image_num_surfaces(f->image); i++) {
      struct sgpu_shadow_difference diff;
      uint8_t wrong[WIDTH * HEIGHT];
      uint64_t marked = 0;
      sgpu_shadow_compare(shadow, i, &diff, NULL, 0);
      if (diff.count) {
         sgpu_shadow_compare(shadow, i, &diff, wrong, diff.layer);
         for (unsigned p = 0; p < sizeof(wrong); p++)
            marked += wrong[p];
         assert_true(marked && wrong[diff.y * WIDTH + diff.x]);
         *first = diff;
      }
      count += diff.count;
   }
   return count;
}

/* -- everything, in program order ----------------------------------------------- */

struct operation {
   bool transfer;
   uint32_t record;
   struct SGPU_RECT rect;
   struct sgpu_shadow_draw draw;
   struct sgpu_shadow_block block;
   uint32_t depth[SGD_MAX_SAMPLES][SGD_WARP];
   uint32_t color[SGD_MAX_SAMPLES][4][SGD_WARP];
   uint32_t stencil[SGD_MAX_SAMPLES][SGD_WARP];
   uint32_t cover[3][SGD_MAX_SAMPLES];
};

static void
random_face(struct SGPU_STENCIL_FACE *face, uint64_t *seed)
{
   face->enable = rop_below(seed, 3) == 0;
   face->func = rop_below(seed, 8);
   face->fail = rop_below(seed, 8);
   face->depth_fail = rop_below(seed, 8);
   face->pass = rop_below(seed, 8);
   face->read_mask = rop_random(seed);
   face->write_mask = rop_random(seed);
}

/* Sets a random state for the next draws. Returns its record. */
static uint32_t
random_state(struct fixture *f, const struct model_format *color, uint64_t *seed)
{
   struct sgd_state *st = f->st;

   memset(&st->dsa, 0, sizeof(st->dsa));
   st->dsa.depth_test = rop_below(seed, 4) != 0;
   st->dsa.depth_write = rop_below(seed, 4) != 0;
   st->dsa.depth_func = rop_below(seed, 8);
   random_face(&st->dsa.front, seed);
   random_face(&st->dsa.back, seed);
   st->stencil_ref.front = rop_random(seed);
   st->stencil_ref.back = rop_random(seed);
   st->plan.color_write_mask[0] = rop_below(seed, 2) ? 0xf : rop_below(seed, 16);
   st->blend_target[0].enable = false;
   if (!color->is_int && rop_below(seed, 2))
      color_random_blend(st, seed);
   st->plan.zs_mode.active = rop_below(seed, 8) != 0;
   st->plan.zs_mode.test_late = rop_below(seed, 2);
   st->plan.zs_mode.test_early = !st->plan.zs_mode.test_late;
   sgd_rop_prepare(st);
   st->plan.rop.color[0].dual = false; /* only one output has values */
   for (unsigned c = 0; c < 4; c++) {
      struct sgd_blend_term *t[2] = { &st->plan.rop.color[0].src[c],
                                      &st->plan.rop.color[0].dst[c] };
      for (unsigned i = 0; i < 2; i++)
         if (t[i]->operand == SGD_BLEND_SRC1 || t[i]->operand == SGD_BLEND_SRC1_ALPHA)
            t[i]->operand = SGD_BLEND_SRC_ALPHA;
   }
   return sgpu_shadow_image_add_state(f->image, st);
}

static void
random_draw(const struct fixture *f, const struct model_format *color, uint32_t record,
            struct operation *op, uint64_t *seed)
{
   const unsigned samples = f->st->samples;
   const bool per_sample = samples > 1 && rop_below(seed, 2);
   struct sgpu_shadow_block *b = &op->block;

   op->draw = (struct sgpu_shadow_draw){
      .record = record,
      .layer = rop_below(seed, f->st->zs.layers),
      .front = rop_below(seed, 2),
      .colors = 1,
      .depth_samples = samples > 1 && rop_below(seed, 2) ? samples : 1,
      .color_samples = per_sample ? samples : 1,
   };
   b->x = 8 * rop_below(seed, BLOCKS_X);
   b->y = 4 * rop_below(seed, BLOCKS_Y);
   b->mask = rop_below(seed, 3) ? ~0u : rop_random(seed);
   b->dropped = rop_below(seed, 2) ? 0 : b->mask & rop_random(seed);
   b->colored = b->mask & ~b->dropped;
   for (unsigned s = 0; s < samples; s++) {
      color_random(color, true, seed);
      memcpy(op->color[s], color_out[SGPU_PO_COLR0].c, sizeof(op->color[s]));
      for (unsigned l = 0; l < SGD_WARP; l++) {
         op->depth[s][l] = sgpu_f2bits(rop_below(seed, 17) / 16.0f);
         op->stencil[s][l] = rop_random(seed);
      }
      op->cover[0][s] = rop_random(seed);
      op->cover[1][s] = b->dropped & rop_random(seed);
      op->cover[2][s] = ~op->cover[1][s];
   }
   b->depth = op->depth[0];
   b->color = op->color[0][0];
   b->stencil = rop_below(seed, 4) ? NULL : op->stencil[0];
   if (samples > 1) {
      /* Pack the masks as [3][samples] without gaps. */
      memcpy(op->cover[0] + samples, op->cover[1], samples * sizeof(uint32_t));
      uint32_t colored[SGD_MAX_SAMPLES];
      memcpy(colored, op->cover[2], sizeof(colored));
      memmove(op->cover[0] + 2 * samples, colored, samples * sizeof(uint32_t));
      b->cover = op->cover[0];
   }
}

/* Draws to the device's memory, sample by sample. */
static void
draw_device(struct fixture *f, const struct rop_level *level, const struct operation *op)
{
   const struct sgpu_shadow_block *b = &op->block;
   const unsigned samples = f->st->samples;
   struct sgd_quads quads = {
      .count = SGD_QUADS,
      .front = op->draw.front ? 0xff : 0,
      .block = true,
      .distinct = true,
      .layer = op->draw.layer,
   };
   const struct SGPU_RECT pixel = { .x0 = b->x, .y0 = b->y, .x1 = b->x + 1, .y1 = b->y + 1 };
   const struct sgd_surface *targets[2] = { &f->st->color[0], &f->st->zs };

   /* Before a draw, elements of fast clears must be stored. */
   for (unsigned i = 0; i < 2; i++) {
      const struct sgd_xfer resolve = { .kind = SGD_XFER_RESOLVE, .u.resolve = *targets[i] };
      level->xfer_run(&f->worker, &resolve, &pixel, op->draw.layer);
   }
   for (unsigned q = 0; q < SGD_QUADS; q++) {
      quads.x[q] = b->x + (q & 3) * 2;
      quads.y[q] = b->y + (q >> 2) * 2;
   }
   for (unsigned s = 0; s < samples; s++) {
      const uint32_t covered = b->mask & (b->cover ? b->cover[s] : ~0u);
      const uint32_t dropped = b->cover ? b->cover[samples + s] : b->dropped;
      const bool late = f->st->plan.zs_mode.test_late;
      uint32_t lanes = f->st->plan.zs_mode.active && late ? covered & ~dropped : covered;
      const unsigned run = op->draw.color_samples > 1 ? s : 0;
      const unsigned depth = op->draw.depth_samples > 1 ? s : 0;

      quads.sample = s;
      quads.mask = lanes;
      if (f->st->plan.zs_mode.active)
         lanes = level->zs_test(&f->worker, f->st, &quads, (const float *)op->depth[depth],
                                b->stencil ? op->stencil[run] : NULL, lanes);
      memcpy(color_out[SGPU_PO_COLR0].c, op->color[run], sizeof(op->color[run]));
      level->color_write(&f->worker, f->st, &quads, color_out, lanes & ~dropped);
   }
}

static void
random_transfer(struct fixture *f, const struct rop_level *level, struct operation *op,
                uint64_t *seed)
{
   struct sgd_xfer x = { 0 };
   struct SGPU_RECT r = { 0 };

   if (rop_below(seed, 3)) {
      r.x0 = rop_below(seed, WIDTH);
      r.y0 = rop_below(seed, HEIGHT);
   }
   r.x1 = rop_below(seed, 3) ? WIDTH : r.x0 + 1 + rop_below(seed, WIDTH - r.x0);
   r.y1 = rop_below(seed, 3) ? HEIGHT : r.y0 + 1 + rop_below(seed, HEIGHT - r.y0);
   x.rect = r;
   x.layers = f->st->zs.layers;
   if (rop_below(seed, 2) && x.layers == 2) {
      /* Copy from layer to layer, since source and destination of a copy must not overlap. */
      x.kind = SGD_XFER_COPY_SURFACE;
      x.u.copy.src = x.u.copy.dst = f->st->color[0];
      x.u.copy.src.base += x.u.copy.src.layer_stride;
      if (x.u.copy.src.meta)
         x.u.copy.src.meta += x.u.copy.src.meta_layer;
      x.layers = x.u.copy.src.layers = x.u.copy.dst.layers = 1;
   } else {
      x.kind = SGD_XFER_CLEAR;
      x.u.clear.color[0] = f->st->color[0];
      x.u.clear.zs = f->st->zs;
      x.u.clear.colors = rop_below(seed, 2);
      x.u.clear.clear_depth = rop_below(seed, 2);
      x.u.clear.clear_stencil = rop_below(seed, 2);
      x.u.clear.depth = rop_below(seed, 17) / 16.0;
      x.u.clear.stencil = rop_random(seed);
      for (unsigned c = 0; c < 4; c++)
         x.u.clear.color_value[c] = sgpu_f2bits(rop_below(seed, 17) / 16.0f);
   }
   op->transfer = true;
   op->rect = r;
   op->record = sgpu_shadow_image_add_xfer(f->image, &x);
   for (unsigned layer = 0; layer < x.layers; layer++) {
      for (int ty = 0; ty < HEIGHT; ty += SGD_TILE) {
         for (int tx = 0; tx < WIDTH; tx += SGD_TILE) {
            const struct SGPU_RECT part = { MAX2(r.x0, tx), MAX2(r.y0, ty),
                                            MIN2(r.x1, tx + SGD_TILE), MIN2(r.y1, ty + SGD_TILE) };
            if (part.x0 < part.x1 && part.y0 < part.y1)
               level->xfer_run(&f->worker, &x, &part, layer);
         }
      }
   }
}

/* Transfers in two parts, like slices of a timing model. */
static void
transfer_shadow(struct sgpu_shadow *shadow, const struct operation *op)
{
   const int32_t middle = (op->rect.y0 + op->rect.y1) / 2;

   assert_true(
      sgpu_shadow_transfer(shadow, op->record, op->rect.x0, middle, op->rect.x1, op->rect.y1));
   assert_true(
      sgpu_shadow_transfer(shadow, op->record, op->rect.x0, op->rect.y0, op->rect.x1, middle));
}

#define OPERATIONS 60

static void
run_program_order(unsigned round, enum pipe_format format, uint64_t seed)
{
   struct operation *ops = calloc(OPERATIONS, sizeof(*ops));
   const unsigned samples = 1u << rop_below(&seed, 3);
   struct sgpu_shadow_result result = { 0 };
   struct sgpu_shadow_difference first;
   struct sgpu_shadow *shadow;
   struct rop_level levels[3];
   struct model_format color;
   struct fixture f;

   rop_levels(levels);
   assert_true(model_format(&color, format));
   begin(&f, format, zs_formats[round % ARRAY_SIZE(zs_formats)], 1 + rop_below(&seed, 2), samples,
         &seed);
   for (unsigned i = 0; i < OPERATIONS;) {
      const uint32_t record = random_state(&f, &color, &seed);
      for (unsigned n = 1 + rop_below(&seed, 4); n && i < OPERATIONS; n--, i++) {
         random_draw(&f, &color, record, &ops[i], &seed);
         ops[i].draw.number = i;
         draw_device(&f, &levels[0], &ops[i]);
      }
      if (i < OPERATIONS && rop_below(&seed, 2))
         random_transfer(&f, &levels[0], &ops[i++], &seed);
   }
   assert_int_equal(sgpu_shadow_image_finish(f.image), 0);

   assert_int_equal(sgpu_shadow_create(f.image, &shadow), 0);
   for (unsigned i = 0; i < OPERATIONS; i++) {
      if (ops[i].transfer)
         transfer_shadow(shadow, &ops[i]);
      else
         assert_true(sgpu_shadow_draw(shadow, &ops[i].draw, &ops[i].block, 1, &result));
   }
   const uint64_t count = differences(&f, shadow, &first);
   if (count)
      fail_msg("round %u, %s, %u samples: %lu pixels differ, the first at %u, %u, layer %u, "
               "sample %u",
               round, util_format_name(format), samples, (unsigned long)count, first.x, first.y,
               first.layer, first.sample);
   assert_int_equal(result.poisoned, 0);
   sgpu_shadow_destroy(shadow);
   end(&f);
   free(ops);
}

static void
test_program_order(void **state)
{
   unsigned round = 0;

   for (unsigned i = 0; i < color_num_targets; i++) {
      struct model_format color;
      if (!model_format(&color, color_targets[i]))
         continue;
      for (unsigned n = 0; n < ROUNDS; n++, round++)
         run_program_order(round, color_targets[i], 1000 + round);
   }
   assert_true(round > 25 * ROUNDS);
}

/* -- any order ------------------------------------------------------------------ */

/* Draws to one block in random orders. If `settle`, draw numbers decide about equal depths. */
static void
run_any_order(unsigned round, enum sgpu_compare func, bool settle)
{
   enum { COUNT = 12 };
   struct operation *ops = calloc(COUNT, sizeof(*ops));
   uint64_t seed = round;
   struct sgpu_shadow_result result = { 0 };
   struct sgpu_shadow_difference first;
   struct sgpu_shadow *shadow;
   struct rop_level levels[3];
   struct model_format color;
   struct fixture f;
   unsigned order[COUNT];

   rop_levels(levels);
   assert_true(model_format(&color, PIPE_FORMAT_B8G8R8A8_UNORM));
   begin(&f, PIPE_FORMAT_B8G8R8A8_UNORM, zs_formats[round % 6], 1, 1u << round % 3, &seed);
   f.st->dsa.depth_test = f.st->dsa.depth_write = true;
   f.st->dsa.depth_func = func;
   f.st->plan.zs_mode.active = f.st->plan.zs_mode.test_early = true;
   sgd_rop_prepare(f.st);
   const uint32_t record = sgpu_shadow_image_add_state(f.image, f.st);
   for (unsigned i = 0; i < COUNT; i++) {
      random_draw(&f, &color, record, &ops[i], &seed);
      ops[i].draw.number = i;
      ops[i].block.x = ops[i].block.y = 32;
      ops[i].block.stencil = NULL;
      ops[i].block.dropped = 0;
      ops[i].block.colored = ops[i].block.mask;
      memset(ops[i].cover[0] + f.st->samples, 0, f.st->samples * sizeof(uint32_t));
      memset(ops[i].cover[0] + 2 * f.st->samples, 0xff, f.st->samples * sizeof(uint32_t));
      const bool last = func == SGPU_COMPARE_LEQUAL || func == SGPU_COMPARE_GEQUAL;
      ops[i].draw.ties = !settle ? SGPU_SHADOW_TIES_TEST
                         : last  ? SGPU_SHADOW_TIES_LAST
                                 : SGPU_SHADOW_TIES_FIRST;
      for (unsigned s = 0; s < f.st->samples; s++) {
         for (unsigned l = 0; l < SGD_WARP; l++)
            ops[i].depth[s][l] = sgpu_f2bits(0.25f + 0.25f * rop_below(&seed, 3));
      }
      draw_device(&f, &levels[0], &ops[i]);
      order[i] = i;
   }
   assert_int_equal(sgpu_shadow_image_finish(f.image), 0);
   uint64_t wrong = 0;
   for (unsigned n = 0; n < 10; n++) {
      for (unsigned i = COUNT; i > 1; i--) {
         const unsigned k = rop_below(&seed, i), t = order[k];
         order[k] = order[i - 1];
         order[i - 1] = t;
      }
      assert_int_equal(sgpu_shadow_create(f.image, &shadow), 0);
      for (unsigned i = 0; i < COUNT; i++)
         assert_true(
            sgpu_shadow_draw(shadow, &ops[order[i]].draw, &ops[order[i]].block, 1, &result));
      wrong += differences(&f, shadow, &first);
      sgpu_shadow_destroy(shadow);
   }
   if (settle ? wrong != 0 : wrong == 0)
      fail_msg("round %u, function %u, %s: %lu wrong pixels", round, func,
               settle ? "by numbers" : "by the test", (unsigned long)wrong);
   end(&f);
   free(ops);
}

static void
test_any_order(void **state)
{
   static const enum sgpu_compare funcs[] = { SGPU_COMPARE_LESS, SGPU_COMPARE_LEQUAL,
                                              SGPU_COMPARE_GREATER, SGPU_COMPARE_GEQUAL };

   for (unsigned round = 0; round < 12 * ROUNDS; round++)
      run_any_order(round, funcs[round % 4], true);
   /* If only the depth test decides, equal depths depend on the order. */
   for (unsigned round = 0; round < 12; round++)
      run_any_order(round, funcs[round % 4], false);
}

/* -- differences ---------------------------------------------------------------- */

/* A fragment that the device did not shade has the poison colour in the shadow, at its pixel. */
static void
test_poison(void **state)
{
   static const float poison[4] = SGPU_SHADOW_POISON;
   struct operation *op = calloc(1, sizeof(*op));
   struct sgpu_shadow_result result = { 0 };
   struct sgpu_shadow_difference first;
   uint8_t *rgba = malloc(WIDTH * HEIGHT * 4);
   struct sgpu_shadow *shadow;
   struct model_format color;
   uint64_t seed = 3, hash[2];
   struct fixture f;

   assert_true(model_format(&color, PIPE_FORMAT_R8G8B8A8_UNORM));
   begin(&f, PIPE_FORMAT_R8G8B8A8_UNORM, PIPE_FORMAT_Z24X8_UNORM, 1, 1, &seed);
   f.st->plan.zs_mode.active = false;
   sgd_rop_prepare(f.st);
   random_draw(&f, &color, sgpu_shadow_image_add_state(f.image, f.st), op, &seed);
   op->block.x = 16;
   op->block.y = 8;
   op->block.mask = 1u << 6; /* pixel x + 2, y + 1 */
   op->block.colored = op->block.dropped = 0;
   assert_int_equal(sgpu_shadow_image_finish(f.image), 0);

   assert_int_equal(sgpu_shadow_create(f.image, &shadow), 0);
   assert_int_equal(differences(&f, shadow, &first), 0);
   hash[0] = sgpu_shadow_hash(shadow);
   assert_true(sgpu_shadow_draw(shadow, &op->draw, &op->block, 1, &result));
   assert_int_equal(result.fragments, 1);
   assert_int_equal(result.passed, 1);
   assert_int_equal(result.poisoned, 1);
   assert_int_equal(differences(&f, shadow, &first), 1);
   assert_int_equal(first.x, 18);
   assert_int_equal(first.y, 9);
   assert_int_equal(first.bytes, 4);
   for (unsigned c = 0; c < 4; c++)
      assert_int_equal(first.got[c], (uint8_t)(poison[c] * 255.0f + 0.5f));
   hash[1] = sgpu_shadow_hash(shadow);
   assert_true(hash[0] != hash[1]);

   assert_int_equal(sgpu_shadow_image_num_surfaces(f.image), 1);
   assert_true(sgpu_shadow_picture(shadow, 0, 0, false, rgba));
   assert_memory_equal(rgba + (9 * WIDTH + 18) * 4, first.got, 4);
   assert_true(sgpu_shadow_picture(shadow, 0, 0, true, rgba));
   assert_memory_equal(rgba + (9 * WIDTH + 18) * 4, first.expected, 4);
   sgpu_shadow_destroy(shadow);
   end(&f);
   free(rgba);
   free(op);
}

/* Transfers between buffers and writes by the CPU, with a buffer that is destroyed in the range. */
static void
test_buffers(void **state)
{
   const struct sgpu_device_params params = { .threads = 1 };
   struct sgpu_shadow_image *image;
   struct sgpu_shadow_difference diff;
   struct sgpu_shadow *shadow;
   struct sgpu_device *dev;
   struct sgpu_bo *bo[3]; /* the last one is only read */
   uint32_t record[6];

   assert_int_equal(sgpu_device_create(&params, &dev), 0);
   for (unsigned i = 0; i < 3; i++) {
      assert_int_equal(sgpu_bo_create(dev, 30000, NULL, &bo[i]), 0);
      memset(sgpu_bo_map(bo[i]), 0x11 * (i + 1), 30000);
   }
   assert_int_equal(sgpu_shadow_image_create(dev, &image), 0);
   for (unsigned i = 0; i < 3; i++)
      assert_int_equal(sgpu_shadow_image_add_buffer(image, bo[i]), 0);
   uint8_t *const a = sgpu_bo_map(bo[0]), *const b = sgpu_bo_map(bo[1]);

   memset(a + 100, 7, 5000);
   record[0] = sgpu_shadow_image_add_write(image, sgpu_bo_address(bo[0]) + 100, 5000, a + 100);
   const struct sgd_xfer copy = {
      .kind = SGD_XFER_COPY_BUFFER,
      .rect = { .x1 = 1, .y1 = 1 },
      .layers = 1,
      .u.buffer = { .src = { a + 50, 3000 }, .dst = { b + 4000, 3000 } },
   };
   memcpy(b + 4000, a + 50, 3000);
   record[1] = sgpu_shadow_image_add_xfer(image, &copy);
   const struct sgd_xfer fill = {
      .kind = SGD_XFER_FILL_BUFFER,
      .rect = { .x1 = 1, .y1 = 1 },
      .layers = 1,
      .u.buffer = { .dst = { a + 64, 600 }, .pattern = { 0x01020304 }, .pattern_size = 4 },
   };
   for (unsigned i = 0; i < 600; i += 4)
      memcpy(a + 64 + i, fill.u.buffer.pattern, 4);
   record[2] = sgpu_shadow_image_add_xfer(image, &fill);
   const struct sgd_xfer other = {
      .kind = SGD_XFER_COPY_BUFFER,
      .rect = { .x1 = 1, .y1 = 1 },
      .layers = 1,
      .u.buffer = { .src = { (uint8_t *)sgpu_bo_map(bo[2]) + 14000, 5000 },
                    .dst = { b + 20000, 5000 } },
   };
   memset(b + 20000, 0x33, 5000);
   record[3] = sgpu_shadow_image_add_xfer(image, &other);
   assert_int_equal(sgpu_shadow_image_remove_buffer(image, bo[0]), 0);
   const uint64_t address = sgpu_bo_address(bo[0]);
   sgpu_bo_destroy(bo[0]);
   /* A new buffer with the same address, which is written in part. */
   assert_int_equal(sgpu_bo_create_at(dev, address, 20000, NULL, &bo[0]), 0);
   assert_int_equal(sgpu_shadow_image_add_buffer(image, bo[0]), 0);
   memset((uint8_t *)sgpu_bo_map(bo[0]) + 4000, 9, 64);
   record[4] = sgpu_shadow_image_add_write(image, address + 4000, 64,
                                           (uint8_t *)sgpu_bo_map(bo[0]) + 4000);
   const struct sgd_xfer again = {
      .kind = SGD_XFER_COPY_BUFFER,
      .rect = { .x1 = 1, .y1 = 1 },
      .layers = 1,
      .u.buffer = { .src = { (uint8_t *)sgpu_bo_map(bo[0]) + 3900, 200 },
                    .dst = { b + 28000, 200 } },
   };
   memcpy(b + 28000, (uint8_t *)sgpu_bo_map(bo[0]) + 3900, 200);
   record[5] = sgpu_shadow_image_add_xfer(image, &again);
   assert_int_equal(sgpu_shadow_image_finish(image), 0);

   assert_int_equal(sgpu_shadow_create(image, &shadow), 0);
   sgpu_shadow_compare_buffers(shadow, &diff);
   assert_true(diff.count > 0);
   for (unsigned i = 0; i < 6; i++)
      assert_true(sgpu_shadow_transfer(shadow, record[i], 0, 0, INT32_MAX, INT32_MAX));
   sgpu_shadow_compare_buffers(shadow, &diff);
   assert_int_equal(diff.count, 0);
   sgpu_shadow_destroy(shadow);

   /* If the fill comes before the copy, 550 bytes of it are copied. */
   assert_int_equal(sgpu_shadow_create(image, &shadow), 0);
   assert_true(sgpu_shadow_transfer(shadow, record[0], 0, 0, 1, 1));
   assert_true(sgpu_shadow_transfer(shadow, record[2], 0, 0, 1, 1));
   assert_true(sgpu_shadow_transfer(shadow, record[1], 0, 0, 1, 1));
   for (unsigned i = 3; i < 6; i++)
      assert_true(sgpu_shadow_transfer(shadow, record[i], 0, 0, 1, 1));
   sgpu_shadow_compare_buffers(shadow, &diff);
   assert_int_equal(diff.count, 600);
   assert_int_equal(diff.address, sgpu_bo_address(bo[1]) + 4000 + 14);
   sgpu_shadow_destroy(shadow);

   sgpu_shadow_image_destroy(image);
   for (unsigned i = 0; i < 3; i++)
      sgpu_bo_destroy(bo[i]);
   sgpu_device_destroy(dev);
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_program_order),
      cmocka_unit_test(test_any_order),
      cmocka_unit_test(test_poison),
      cmocka_unit_test(test_buffers),
   };
   return color_run_tests(tests);
}
