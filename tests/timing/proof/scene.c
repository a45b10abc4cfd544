/* SPDX-License-Identifier: MIT */
/* Random scenes; see scene.h. */
#include "scene.h"

#include "control/memory/sgd_memory.h"
#include "sgpu_fp.h"
#include "util/macros.h"

/* Kinds of operations of a scene. */
enum operation {
   OPAQUE_FIRST, /* LESS: of fragments with equal depths, the first one stays */
   OPAQUE_LAST,  /* LEQUAL */
   BLENDED,      /* tests depth but does not write it */
   SAMPLED_A,    /* draws to B and samples A */
   SAMPLED_B,    /* draws to A and samples B */
   CLEAR,
   COPY_TO_B,
   COPY_TO_A,
   OPERATIONS,
   LATE = OPERATIONS, /* tested and written after the program, which drops fragments */
};

struct maker {
   struct scene *s;
   struct sgt_trace_builder *b;
   struct rop_level level;
   struct sgd_worker worker;
   uint32_t set_draw, set_a, set_b;
   /* Work of the scene, or NULL if it has no targets and no work. */
   struct sgt_work_builder *work;
   uint32_t plain, sampling, items; /* numbers of the two programs; number of items of the trace */
   uint64_t seed;
};

static struct sgt_piece
piece(const struct sgd_surface *s)
{
   return (struct sgt_piece){ s->begin, s->end, s->begin, s->width, s->height, 0, 1 };
}

static void
place(struct scene *s, unsigned index, struct sgd_surface *surface, enum pipe_format format,
      uint64_t *seed)
{
   struct rop_memory m;

   rop_surface(surface, &m, format, s->width, s->height, 1, 1);
   rop_noise(&m, seed);
   assert_int_equal(sgpu_bo_create(s->dev, m.size, NULL, &s->bo[index]), 0);
   memcpy(sgpu_bo_map(s->bo[index]), m.data, m.size);
   free(m.data);
   surface->base = sgpu_bo_map(s->bo[index]);
   surface->begin = sgpu_bo_address(s->bo[index]);
   surface->end = surface->begin + m.size;
   surface->format = sgpu_format_from_pipe(format);
   assert_int_equal(sgpu_shadow_image_add_buffer(s->image, s->bo[index]), 0);
}

static struct sgt_rect
random_rect(struct maker *m)
{
   const int width = m->s->width, height = m->s->height;
   uint64_t *seed = &m->seed;
   struct sgt_rect r = { rop_below(seed, width), rop_below(seed, height), 0, 0 };

   r.x1 = r.x0 + 1 + rop_below(seed, MIN2(width - r.x0, 40));
   r.y1 = r.y0 + 1 + rop_below(seed, MIN2(height - r.y0, 40));
   return r;
}

static void
make_state(struct sgd_state *st, const struct scene *s, enum operation op)
{
   const bool depth = op != SAMPLED_A;

   memset(st, 0, sizeof(*st));
   st->num_colors = 1;
   st->samples = 1;
   st->plan.color_write_mask[0] = 0xf;
   st->color[0] = op == SAMPLED_A ? s->b : s->a;
   if (depth)
      st->zs = s->zs;
   st->dsa.depth_test = depth;
   st->dsa.depth_write = op == OPAQUE_FIRST || op == OPAQUE_LAST || op == LATE;
   st->dsa.depth_func = op == OPAQUE_FIRST ? SGPU_COMPARE_LESS : SGPU_COMPARE_LEQUAL;
   st->plan.zs_mode.active = depth;
   st->plan.zs_mode.test_late = op == LATE;
   st->plan.zs_mode.test_early = depth && op != LATE;
   if (op == BLENDED || op == SAMPLED_B) {
      struct SGPU_BLEND_TARGET *t = &st->blend_target[0];
      t->enable = true;
      t->rgb_src = t->alpha_src = SGPU_BLEND_FACTOR_SRC_ALPHA;
      t->rgb_dst = t->alpha_dst = SGPU_BLEND_FACTOR_INV_SRC_ALPHA;
      t->rgb_func = t->alpha_func = SGPU_BLEND_FUNC_ADD;
   }
   sgd_rop_prepare(st);
}

/* Adds a pixel warp for a block. */
static void
add_warp(struct maker *m, enum operation op, unsigned x, unsigned y, uint32_t covered,
         uint32_t kept)
{
   const bool samples = op == SAMPLED_A || op == SAMPLED_B;
   const struct sgd_surface *source = op == SAMPLED_A ? &m->s->a : &m->s->b;
   const uint64_t tile = source->begin + sgpu_tiled_offset(x, y, source->pitch, source->bpe);
   const struct sgt_access access = {
      .kind = SGT_ACCESS_TEXTURE, .lanes = 32, .work = 32, .bytes = source->bpe
   };
   sgt_line lines[SGD_QUADS];

   if (!m->work || !covered)
      return;
   sgt_work_builder_warp(m->work, samples ? m->sampling : m->plain, UINT32_MAX, 0);
   for (unsigned q = 0; q < SGD_QUADS; q++) {
      const struct sgt_quad quad = {
         .x = x + (q & 3) * 2,
         .y = y + (q >> 2) * 2,
         .item = m->items - 1,
         .covered = covered >> (4 * q) & 15,
         .kept = kept >> (4 * q) & 15,
      };
      lines[q] = SGT_LINE(tile + (q >> 2) * 64, q);
      if (quad.covered)
         sgt_work_builder_quad(m->work, &quad);
   }
   if (samples)
      sgt_work_builder_access(m->work, &access, lines, SGD_QUADS);
}

static void
add_target(struct maker *m, const struct sgd_surface *s, const struct sgt_rect *r, unsigned flags)
{
   const struct sgt_target target = {
      .origin = s->begin,
      .layer_stride = s->layer_stride,
      .sample_stride = s->sample_stride,
      .pitch = s->pitch,
      .width = s->width,
      .height = s->height,
      .x0 = r->x0,
      .y0 = r->y0,
      .x1 = r->x1,
      .y1 = r->y1,
      .layers = 1,
      .samples = 1,
      .bytes = s->bpe,
      .flags = flags | SGT_TARGET_TILED,
   };

   if (m->work)
      sgt_trace_builder_target(m->b, &target);
}

static void
begin_operation(struct maker *m, const struct sgt_operation *operation)
{
   sgt_trace_builder_operation(m->b, operation);
   if (m->work)
      sgt_work_builder_operation(m->work, 0, 0);
}

static void
add_item(struct maker *m, const struct sgt_item *item)
{
   sgt_trace_builder_item(m->b, item);
   m->items++;
}

/* Draws a block of a primitive on the device and records it in the trace. */
static void
draw_block(struct maker *m, const struct sgd_state *st, enum operation op, unsigned x, unsigned y,
           uint32_t mask)
{
   const uint32_t dropped = op == LATE ? mask & rop_random(&m->seed) & rop_random(&m->seed) : 0;
   uint32_t color[4][SGD_WARP], depth[SGD_WARP];
   struct sgd_vec out[SGPU_PO_COLR0 + 1];
   struct sgd_quads quads = {
      .count = SGD_QUADS,
      .block = true,
      .distinct = true,
      .mask = mask,
   };

   for (unsigned q = 0; q < SGD_QUADS; q++) {
      quads.x[q] = x + (q & 3) * 2;
      quads.y[q] = y + (q >> 2) * 2;
   }
   for (unsigned l = 0; l < SGD_WARP; l++) {
      /* There are few depth values, so that many are equal. */
      depth[l] = sgpu_f2bits(rop_below(&m->seed, 6) / 8.0f);
      for (unsigned c = 0; c < 4; c++)
         color[c][l] = sgpu_f2bits(rop_random(&m->seed) * 0x1p-32f);
   }
   uint32_t passed = mask & ~dropped;
   quads.mask = passed;
   if (st->plan.zs_mode.active)
      passed = m->level.zs_test(&m->worker, st, &quads, (const float *)depth, NULL, passed);
   memcpy(out[SGPU_PO_COLR0].c, color, sizeof(color));
   m->level.color_write(&m->worker, st, &quads, out, passed);

   /* The colours of other lanes are not known. */
   for (unsigned l = 0; l < SGD_WARP; l++) {
      for (unsigned c = 0; c < 4; c++)
         color[c][l] = passed & 1u << l ? color[c][l] : 0x12345678;
   }
   sgt_trace_builder_block(m->b, x, y, mask, false);
   const struct sgt_block_values values = {
      .colored = passed,
      .dropped = dropped,
      .depth = st->plan.zs_mode.active ? depth : NULL,
      .color = color[0],
   };
   sgt_trace_builder_values(m->b, &values);
   add_warp(m, op, x, y, st->plan.zs_mode.test_early ? passed : mask, passed);
}

static void
draw(struct maker *m, enum operation op)
{
   struct sgd_state *st = malloc(sizeof(*st));
   const uint32_t set = op == SAMPLED_A ? m->set_b : m->set_draw;

   make_state(st, m->s, op);
   const struct sgt_operation operation = {
      .blends = op == BLENDED || op == SAMPLED_B,
      .order = op == OPAQUE_FIRST  ? SGT_ORDER_LOWEST
               : op == OPAQUE_LAST ? SGT_ORDER_LOWEST_LAST
                                   : SGT_ORDER_PROGRAM,
      .order_key = 7,
      .state = sgpu_shadow_image_add_state(m->s->image, st),
      .colors = 1,
      .samples = 1,
      .depth_samples = 1,
      .color_samples = 1,
   };
   const struct sgt_rect all = { 0, 0, m->s->width, m->s->height };
   begin_operation(m, &operation);
   if (st->plan.zs_mode.active)
      add_target(m, &m->s->zs, &all,
                 SGT_TARGET_DEPTH | SGT_TARGET_READ | (st->dsa.depth_write ? SGT_TARGET_WRITE : 0) |
                    (st->plan.zs_mode.test_early ? SGT_TARGET_EARLY : 0));
   add_target(m, &st->color[0], &all,
              SGT_TARGET_WRITE | (operation.blends ? SGT_TARGET_READ | SGT_TARGET_BLEND : 0));
   if (op == SAMPLED_A || op == SAMPLED_B) {
      const struct sgt_region source = {
         .set = op == SAMPLED_A ? m->set_a : m->set_b,
         .rect = !m->work && rop_below(&m->seed, 2) ? random_rect(m) : all,
      };
      sgt_trace_builder_sources(m->b, &source, 1);
   }
   for (unsigned n = 1 + rop_below(&m->seed, 5); n; n--) {
      const struct sgt_rect r = random_rect(m);
      const struct sgt_item item = {
         .kind = SGT_ITEM_TRIANGLE,
         .destination = { .set = set, .rect = r },
      };
      const unsigned holes = rop_below(&m->seed, 3);
      add_item(m, &item);
      for (int y = r.y0 & ~3; y < r.y1; y += 4) {
         for (int x = r.x0 & ~7; x < r.x1; x += 8) {
            uint32_t mask = 0;
            for (unsigned l = 0; l < SGD_WARP; l++) {
               const int px = x + (l >> 2 & 3) * 2 + (l & 1), py = y + (l >> 4) * 2 + (l >> 1 & 1);
               if (px >= r.x0 && px < r.x1 && py >= r.y0 && py < r.y1 &&
                   (!holes || rop_below(&m->seed, holes + 1)))
                  mask |= 1u << l;
            }
            if (mask && rop_below(&m->seed, 5))
               draw_block(m, st, op, x, y, mask);
         }
      }
   }
   free(st);
}

static void
transfer(struct maker *m, enum operation op)
{
   const struct scene *s = m->s;
   struct sgt_rect r = random_rect(m);
   struct sgd_xfer x = { .layers = 1, .rect = { r.x0, r.y0, r.x1, r.y1 } };
   struct sgt_item item = {
      .kind = op == CLEAR ? SGT_ITEM_CLEAR : SGT_ITEM_COPY,
      .destination = {
         .set = op == CLEAR ? m->set_draw : op == COPY_TO_B ? m->set_b : m->set_a,
         .rect = r,
      },
   };

   if (op == CLEAR) {
      x.kind = SGD_XFER_CLEAR;
      x.u.clear.color[0] = s->a;
      x.u.clear.zs = s->zs;
      x.u.clear.colors = 1;
      x.u.clear.clear_depth = true;
      x.u.clear.depth = 1.0;
      for (unsigned c = 0; c < 4; c++)
         x.u.clear.color_value[c] = sgpu_f2bits(rop_below(&m->seed, 256) / 256.0f);
   } else {
      x.kind = SGD_XFER_COPY_SURFACE;
      x.u.copy.src = op == COPY_TO_B ? s->a : s->b;
      x.u.copy.dst = op == COPY_TO_B ? s->b : s->a;
   }
   const struct sgt_operation operation = {
      .state = sgpu_shadow_image_add_xfer(s->image, &x),
      .samples = 1,
   };
   begin_operation(m, &operation);
   if (op == CLEAR) {
      add_target(m, &s->a, &r, SGT_TARGET_WRITE);
      add_target(m, &s->zs, &r, SGT_TARGET_DEPTH | SGT_TARGET_WRITE);
   } else {
      add_target(m, &x.u.copy.dst, &r, SGT_TARGET_WRITE);
      add_target(m, &x.u.copy.src, &r, SGT_TARGET_READ);
   }
   if (op != CLEAR) {
      const struct sgt_region source = {
         .set = op == COPY_TO_B ? m->set_a : m->set_b,
         .rect = r,
      };
      sgt_trace_builder_sources(m->b, &source, 1);
   }
   add_item(m, &item);
   for (int ty = 0; ty < (int)s->height; ty += SGD_TILE) {
      for (int tx = 0; tx < (int)s->width; tx += SGD_TILE) {
         const struct SGPU_RECT part = { MAX2(r.x0, tx), MAX2(r.y0, ty), MIN2(r.x1, tx + SGD_TILE),
                                         MIN2(r.y1, ty + SGD_TILE) };
         if (part.x0 < part.x1 && part.y0 < part.y1)
            m->level.xfer_run(&m->worker, &x, &part, 0);
      }
   }
}

/* Makes a program with a few sums, after a texture access if `samples` is set. */
static struct sgt_program *
make_program(bool samples)
{
   const uint32_t num = 6;
   struct sgt_program *p = calloc(1, sizeof(*p));

   assert_non_null(p);
   p->stage = SGPU_STAGE_PIXEL;
   p->num_scalars = 8;
   p->num_temps = 2;
   p->num_instrs = p->num_uops = num;
   p->instrs = calloc(num, sizeof(*p->instrs));
   p->uops = calloc(num, sizeof(*p->uops));
   assert_true(p->instrs && p->uops);
   for (uint32_t i = 0; i < num; i++) {
      const bool texture = samples && !i;
      p->instrs[i] = (struct sgt_instr){
         .opcode = texture ? SGPU_OP_TEX : SGPU_OP_ADD,
         .pipe = texture ? SGT_PIPE_TEXTURE : SGT_PIPE_ALU,
         .flags = texture ? SGT_INSTR_ACCESS : 0,
         .guard = SGT_REG_NONE,
         .first_uop = i,
         .num_uops = 1,
      };
      p->uops[i] = (struct sgt_uop){
         .pipe = p->instrs[i].pipe,
         .flags = SGT_UOP_LAST | (texture ? SGT_UOP_ACCESS : 0),
         .dst = texture ? 4 : i % 4,
         .dsts = texture ? 4 : 1,
         .src = { samples ? 4 : 0, SGT_REG_NONE, SGT_REG_NONE },
         .instr = i,
      };
   }
   return p;
}

void
scene_begin(struct scene *s, enum scene_kind kind, unsigned operations, uint64_t seed)
{
   scene_begin_sized(s, kind, SCENE_WIDTH, SCENE_HEIGHT, operations, seed);
}

void
scene_begin_sized(struct scene *s, enum scene_kind kind, unsigned width, unsigned height,
                  unsigned operations, uint64_t seed)
{
   const struct sgpu_device_params params = { .threads = 1 };
   struct maker *m = calloc(1, sizeof(*m));
   struct rop_level levels[3];

   memset(s, 0, sizeof(*s));
   s->width = width;
   s->height = height;
   assert_int_equal(sgpu_device_create(&params, &s->dev), 0);
   assert_int_equal(sgpu_shadow_image_create(s->dev, &s->image), 0);
   place(s, 0, &s->a, PIPE_FORMAT_B8G8R8A8_UNORM, &seed);
   place(s, 1, &s->b, PIPE_FORMAT_B8G8R8A8_UNORM, &seed);
   place(s, 2, &s->zs, PIPE_FORMAT_Z24X8_UNORM, &seed);
   rop_levels(levels);
   m->s = s;
   m->b = sgt_trace_builder_create();
   m->level = levels[0];
   m->seed = seed;
   if (kind == SCENE_CHIP) {
      m->work = sgt_work_builder_create();
      assert_non_null(m->work);
      m->plain = sgt_work_builder_program(m->work, make_program(false));
      m->sampling = sgt_work_builder_program(m->work, make_program(true));
   }
   const struct sgt_piece a = piece(&s->a), b = piece(&s->b);
   const struct sgt_piece both[2] = { a, piece(&s->zs) };
   m->set_draw = sgt_trace_builder_set(m->b, both, 2);
   m->set_a = sgt_trace_builder_set(m->b, &a, 1);
   m->set_b = sgt_trace_builder_set(m->b, &b, 1);

   const uint64_t fp = sgpu_fp_enter();
   transfer(m, CLEAR);
   for (unsigned i = 1; i < operations; i++) {
      enum operation op = rop_below(&m->seed, kind == SCENE_CHIP ? LATE + 1 : OPERATIONS);
      if (kind == SCENE_OPAQUE)
         op = seed & 1 ? OPAQUE_FIRST : OPAQUE_LAST;
      if (kind == SCENE_BLENDED)
         op = BLENDED;
      if (op >= CLEAR && op != LATE)
         transfer(m, op);
      else
         draw(m, op);
   }
   sgpu_fp_leave(fp);
   assert_int_equal(sgpu_shadow_image_finish(s->image), 0);
   s->trace = sgt_trace_builder_finish(m->b);
   assert_non_null(s->trace);
   sgt_trace_builder_destroy(m->b);
   if (m->work) {
      s->work = sgt_work_builder_finish(m->work);
      assert_non_null(s->work);
      assert_null(sgt_work_check(s->work));
      sgt_work_builder_destroy(m->work);
   }
   free(m);
   s->plan = sgt_audit_plan_create(s->trace, s->image, NULL);
   assert_non_null(s->plan);
}

void
scene_end(struct scene *s)
{
   sgt_audit_plan_destroy(s->plan);
   sgt_trace_destroy(s->trace);
   sgt_work_destroy(s->work);
   sgpu_shadow_image_destroy(s->image);
   for (unsigned i = 0; i < 3; i++)
      sgpu_bo_destroy(s->bo[i]);
   sgpu_device_destroy(s->dev);
}
