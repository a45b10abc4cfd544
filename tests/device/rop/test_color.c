/* SPDX-License-Identifier: MIT */
/*
 * Colours of random warps in every format that can be rendered to, at every
 * host level, against a model in double precision.
 */
#include <math.h>

#include "color_model.h"
#include "rop_test.h"
#include "sgpu_fp.h"

#define WIDTH 24
#define HEIGHT 8
#define LAYERS 2
#define SAMPLES 2

static struct rop_level levels[3];
static unsigned num_levels;
static struct sgd_worker worker;
static struct sgd_vec out[64];

static enum pipe_format targets[SGPU_FORMAT_COUNT];
static unsigned num_targets;

static void
find_targets(void)
{
   for (unsigned i = 1; i < SGPU_FORMAT_COUNT; i++) {
      const enum pipe_format format = sgpu_format_to_pipe(i);
      if (format != PIPE_FORMAT_NONE && !util_format_is_depth_or_stencil(format) &&
          sgpu_layout_can_tile(i) && sgd_rop_renders(format))
         targets[num_targets++] = format;
   }
}

/* -- states and inputs ------------------------------------------------------------ */

static struct sgd_state *
new_state(enum pipe_format format, struct rop_memory *m, uint64_t *seed)
{
   struct sgd_state *st = calloc(1, sizeof(*st));
   rop_surface(&st->color[0], m, format, WIDTH, HEIGHT, LAYERS, SAMPLES);
   st->num_colors = 1;
   st->color_write_mask[0] = 0xf;
   return st;
}

static float
random_component(uint64_t *seed, bool finite)
{
   static const float corners[] = {
      0.0f, -0.0f, 1.0f, 0.5f, -1.0f, 2.0f, 0x1p-149f, 1e30f, -1e30f, 0x1.fffffep-1f, 65504.0f,
      65520.0f, 6e-8f,
   };
   switch (rop_below(seed, 8)) {
   case 0:
      return corners[rop_below(seed, ARRAY_SIZE(corners))];
   case 1:
      return (float)rop_below(seed, 256) / 255.0f;
   case 2:
      if (!finite)
         return sgpu_bits2f(rop_below(seed, 4) ? rop_random(seed) : SGPU_FP_NAN_BITS);
      return 0.25f;
   case 3:
      if (!finite)
         return rop_random(seed) & 1 ? INFINITY : -INFINITY;
      return 0.75f;
   case 4:
      return (float)(rop_random(seed) * 0x1p-31) - 0.5f;
   default:
      return (float)(rop_random(seed) * 0x1p-32);
   }
}

static void
random_colors(const struct model_format *f, bool finite, uint64_t *seed)
{
   for (unsigned n = 0; n < SGD_MAX_COLORS; n++) {
      for (unsigned c = 0; c < 4; c++) {
         for (unsigned l = 0; l < SGD_WARP; l++) {
            /* Integers beyond the format are not defined by GL. */
            const unsigned bits = 8 + 8 * rop_below(seed, 4);
            out[SGPU_PO_COLR0 + n].c[c][l] =
               f->is_int ? rop_random(seed) >> (32 - bits)
                         : sgpu_f2bits(random_component(seed, finite));
         }
      }
   }
}

static void
random_blend(struct sgd_state *st, uint64_t *seed)
{
   struct SGPU_BLEND_TARGET *t = &st->blend_target[0];

   memset(t, 0, sizeof(*t));
   t->enable = true;
   t->rgb_func = rop_below(seed, 3) ? 0 : rop_below(seed, 5);
   t->alpha_func = rop_below(seed, 3) ? t->rgb_func : rop_below(seed, 5);
   t->rgb_src = rop_below(seed, 19);
   t->rgb_dst = rop_below(seed, 19);
   t->alpha_src = rop_below(seed, 2) ? t->rgb_src : rop_below(seed, 19);
   t->alpha_dst = rop_below(seed, 2) ? t->rgb_dst : rop_below(seed, 19);
   if (rop_below(seed, 5) == 0) {
      t->rgb_func = t->alpha_func = SGPU_BLEND_FUNC_ADD;
      t->rgb_src = t->alpha_src = SGPU_BLEND_FACTOR_SRC_ALPHA;
      t->rgb_dst = t->alpha_dst = SGPU_BLEND_FACTOR_INV_SRC_ALPHA;
   }
   for (unsigned c = 0; c < 4; c++)
      st->blend_color[c] = random_component(seed, true);
   st->shader_desc[SGPU_STAGE_PIXEL].dual_source = true;
}

/* Floats in memory that are numbers and not too large to compute with. */
static void
fill_memory(const struct model_format *f, struct rop_memory *m, uint64_t *seed)
{
   rop_noise(m, seed);
   if (!f->is_float)
      return;
   for (size_t i = 0; i < m->size; i += f->bytes) {
      for (unsigned k = 0; k < f->channels; k++) {
         const struct model_channel *c = &f->channel[k];
         const float x = (float)(rop_random(seed) * 0x1p-31) - (c->size < 16 ? 0.0f : 0.5f);
         uint8_t *p = m->data + i + c->shift / 8;
         if (c->kind != MODEL_FLOAT)
            continue;
         if (c->size == 64) {
            const double d = x;
            memcpy(p, &d, 8);
         } else if (c->size == 32) {
            memcpy(p, &x, 4);
         } else if (c->size == 16) {
            const uint16_t h = sgpu_f2h(x);
            memcpy(p, &h, 2);
         }
      }
      if (f->channel[0].size == 11) {
         /* Exponents below 16: numbers up to 2. */
         uint32_t *p = (uint32_t *)(m->data + i);
         *p &= ~(1u << 10 | 1u << 21 | 1u << 31);
      }
   }
}

/* -- what is expected ---------------------------------------------------------------- */

/* Checks one element.  `soft`: the color is not exact, only near. */
static bool
check_element(const struct model_format *f, const struct sgd_state *st, const uint8_t *was,
              const uint8_t *is, unsigned l, char *text)
{
   const unsigned mask = st->color_write_mask[0];
   const struct SGPU_BLEND_TARGET *t = &st->blend_target[0];
   double s[4], s1[4], d[4];

   model_read(f, was, d);
   for (unsigned k = 0; k < 4; k++) {
      s[k] = model_clamp(f, sgpu_fflush(sgpu_bits2f(out[SGPU_PO_COLR0].c[k][l])));
      s1[k] = model_clamp(f, sgpu_fflush(sgpu_bits2f(out[SGPU_PO_COLR0 + 1].c[k][l])));
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
         const uint32_t u = out[SGPU_PO_COLR0].c[c->comp][l];
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

/* Runs the warp at all levels, which must agree, and leaves the result. */
static void
run_levels(const struct sgd_state *st, struct rop_memory *m, const struct sgd_quads *quads,
           const uint8_t *before, uint8_t *first)
{
   for (unsigned k = 0; k < num_levels; k++) {
      memcpy(m->data, before, m->size);
      levels[k].color_write(&worker, st, quads, out, quads->mask);
      if (k == 0)
         memcpy(first, m->data, m->size);
      else if (memcmp(first, m->data, m->size))
         fail_msg("%s: %s and %s differ", st->color[0].desc->name, levels[0].name,
                  levels[k].name);
   }
}

static void
check_warp(const struct model_format *f, const struct sgd_state *st,
           const struct rop_memory *m, const struct sgd_quads *quads, const uint8_t *before)
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
   struct sgd_state *st = new_state(format, &m, &seed);
   uint8_t *before = malloc(m.size), *first = malloc(m.size);

   for (unsigned i = 0; i < rounds; i++) {
      if (i % 16 == 0)
         fill_memory(&f, &m, &seed);
      memcpy(before, m.data, m.size);
      st->color_write_mask[0] = rop_below(&seed, 2) ? 0xf : rop_random(&seed) & 0xf;
      st->blend.alpha_to_one = rop_below(&seed, 8) == 0;
      st->rast.multisample = rop_below(&seed, 2);
      if (mode == BLEND)
         random_blend(st, &seed);
      random_colors(&f, mode == BLEND, &seed);
      sgd_rop_prepare(st);
      rop_random_quads(&quads, rop_below(&seed, 2) ? ROP_BLOCK : ROP_DISTINCT, &st->color[0],
                       &seed);
      run_levels(st, &m, &quads, before, first);
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
   for (unsigned i = 0; i < num_targets; i++)
      run_format(targets[i], STORE, 500, seed++);
}

static void
test_blend(void **state)
{
   uint64_t seed = 1000;
   for (unsigned i = 0; i < num_targets; i++)
      run_format(targets[i], BLEND, 1000, seed++);
}

/* -- logic operations ------------------------------------------------------------------ */

static uint8_t
model_logic(enum sgpu_logic_op op, uint8_t s, uint8_t d)
{
   switch (op) {
   case SGPU_LOGIC_OP_CLEAR:         return 0;
   case SGPU_LOGIC_OP_NOR:           return ~(s | d);
   case SGPU_LOGIC_OP_AND_INVERTED:  return ~s & d;
   case SGPU_LOGIC_OP_COPY_INVERTED: return ~s;
   case SGPU_LOGIC_OP_AND_REVERSE:   return s & ~d;
   case SGPU_LOGIC_OP_INVERT:        return ~d;
   case SGPU_LOGIC_OP_XOR:           return s ^ d;
   case SGPU_LOGIC_OP_NAND:          return ~(s & d);
   case SGPU_LOGIC_OP_AND:           return s & d;
   case SGPU_LOGIC_OP_EQUIV:         return ~(s ^ d);
   case SGPU_LOGIC_OP_NOOP:          return d;
   case SGPU_LOGIC_OP_OR_INVERTED:   return ~s | d;
   case SGPU_LOGIC_OP_COPY:          return s;
   case SGPU_LOGIC_OP_OR_REVERSE:    return s | ~d;
   case SGPU_LOGIC_OP_OR:            return s | d;
   case SGPU_LOGIC_OP_SET:           return 0xff;
   }
   abort();
}

/* The operation on what the same warp stores without one.  Floats and sRGB
 * have none, but blending ends all the same.
 */
static void
run_logic(enum pipe_format format, uint64_t seed)
{
   struct model_format f;
   struct rop_memory m;
   struct sgd_quads quads;

   if (!model_format(&f, format))
      return;
   struct sgd_state *st = new_state(format, &m, &seed);
   uint8_t *before = malloc(m.size), *plain = malloc(m.size), *first = malloc(m.size);
   uint8_t *expected = malloc(m.size);

   for (unsigned op = 0; op < 16 * 6; op++) {
      fill_memory(&f, &m, &seed);
      memcpy(before, m.data, m.size);
      random_colors(&f, true, &seed);
      rop_random_quads(&quads, op % 2, &st->color[0], &seed);
      st->color_write_mask[0] = op % 3 ? 0xf : rop_random(&seed) & 0xf;
      st->blend.logic_op_enable = false;
      st->blend_target[0].enable = false;
      sgd_rop_prepare(st);
      run_levels(st, &m, &quads, before, first);
      memcpy(plain, m.data, m.size);

      random_blend(st, &seed);
      st->blend.logic_op_enable = true;
      st->blend.logic_op = op / 6;
      sgd_rop_prepare(st);
      run_levels(st, &m, &quads, before, first);

      memcpy(expected, plain, m.size);
      for (unsigned l = 0; f.logic && l < quads.count * 4; l++) {
         if (!(quads.mask >> l & 1))
            continue;
         const size_t at = rop_element(&st->color[0], &quads, l) - m.data;
         for (unsigned i = 0; i < f.channels; i++) {
            const struct model_channel *c = &f.channel[i];
            if (c->comp >= 0 && !(st->color_write_mask[0] & (1 << c->comp)))
               continue;
            for (unsigned b = c->shift; b < c->shift + c->size; b++) {
               const uint8_t bit = 1 << (b % 8);
               uint8_t *e = &expected[at + b / 8];
               *e = (*e & ~bit) |
                    (model_logic(op / 6, plain[at + b / 8], before[at + b / 8]) & bit);
            }
         }
      }
      /* Bits without a component are nobody's. */
      for (size_t i = 0; i < m.size; i++) {
         uint8_t known = f.channels ? 0 : 0xff;
         for (unsigned k = 0; k < f.channels; k++) {
            for (unsigned b = 0; b < f.channel[k].size; b++) {
               const unsigned at = f.channel[k].shift + b;
               if (f.channel[k].comp >= 0 && at / 8 == i % f.bytes)
                  known |= 1 << (at % 8);
            }
         }
         if ((expected[i] ^ m.data[i]) & known)
            fail_msg("%s, operation %u: %02x is stored for %02x and %02x, not %02x",
                     st->color[0].desc->name, op / 6, m.data[i], plain[i], before[i],
                     expected[i]);
      }
   }
   free(before);
   free(plain);
   free(first);
   free(expected);
   free(m.data);
   free(st);
}

static void
test_logic(void **state)
{
   uint64_t seed = 2000;
   for (unsigned i = 0; i < num_targets; i++)
      run_logic(targets[i], seed++);
}

/* -- order within a warp ------------------------------------------------------------------ */

/* A warp leaves what its quads leave one after the other. */
static void
run_order(enum pipe_format format, uint64_t seed)
{
   struct model_format f;
   struct rop_memory m;
   struct sgd_quads quads, one;

   if (!model_format(&f, format))
      return;
   struct sgd_state *st = new_state(format, &m, &seed);
   uint8_t *before = malloc(m.size), *first = malloc(m.size);

   for (unsigned i = 0; i < 150; i++) {
      if (i % 8 == 0)
         fill_memory(&f, &m, &seed);
      memcpy(before, m.data, m.size);
      st->color_write_mask[0] = i % 3 ? 0xf : rop_random(&seed) & 0xf;
      st->blend.logic_op_enable = i % 4 == 3;
      st->blend.logic_op = rop_below(&seed, 16);
      st->blend_target[0].enable = false;
      if (i & 1)
         random_blend(st, &seed);
      random_colors(&f, true, &seed);
      sgd_rop_prepare(st);
      rop_random_quads(&quads, ROP_OVERLAPPING, &st->color[0], &seed);
      run_levels(st, &m, &quads, before, first);

      memcpy(m.data, before, m.size);
      for (unsigned q = 0; q < quads.count; q++) {
         static struct sgd_vec saved[64];
         memcpy(saved, out, sizeof(out));
         rop_one_quad(&one, &quads, q);
         for (unsigned n = 0; n < 2; n++) {
            for (unsigned c = 0; c < 4; c++)
               memcpy(out[SGPU_PO_COLR0 + n].c[c], saved[SGPU_PO_COLR0 + n].c[c] + q * 4, 16);
         }
         levels[0].color_write(&worker, st, &one, out, one.mask);
         memcpy(out, saved, sizeof(out));
      }
      if (memcmp(first, m.data, m.size))
         fail_msg("%s, round %u: order within the warp is lost", st->color[0].desc->name, i);
      if (f.is_float)
         memcpy(m.data, before, m.size);
   }
   free(before);
   free(first);
   free(m.data);
   free(st);
}

static void
test_order(void **state)
{
   uint64_t seed = 3000;
   for (unsigned i = 0; i < num_targets; i++)
      run_order(targets[i], seed++);
}

/* -- exactness ------------------------------------------------------------------------------ */

/* What blending need not change stays: opaque sources come out as if there
 * was no blending, transparent ones and (0, 1) leave every value.
 */
static void
run_exact(enum pipe_format format)
{
   uint64_t seed = 5;
   struct model_format f;
   struct rop_memory m;
   struct sgd_quads quads;

   if (!model_format(&f, format) || !f.normalized || f.channel[0].size > 16)
      return;
   struct sgd_state *st = new_state(format, &m, &seed);
   uint8_t *before = malloc(m.size), *plain = malloc(m.size), *first = malloc(m.size);
   struct SGPU_BLEND_TARGET *t = &st->blend_target[0];

   for (unsigned i = 0; i < 600; i++) {
      rop_noise(&m, &seed);
      memcpy(before, m.data, m.size);
      random_colors(&f, true, &seed);
      rop_random_quads(&quads, ROP_BLOCK, &st->color[0], &seed);
      quads.mask = ~0u;
      const bool opaque = i % 3 == 0, transparent = i % 3 == 1;
      for (unsigned l = 0; l < SGD_WARP; l++)
         out[SGPU_PO_COLR0].c[3][l] = sgpu_f2bits(opaque ? 1.0f : transparent ? 0.0f : 0.5f);

      t->enable = false;
      sgd_rop_prepare(st);
      run_levels(st, &m, &quads, before, first);
      memcpy(plain, opaque ? m.data : before, m.size);

      memset(t, 0, sizeof(*t));
      t->enable = true;
      t->rgb_src = t->alpha_src =
         opaque || transparent ? SGPU_BLEND_FACTOR_SRC_ALPHA : SGPU_BLEND_FACTOR_ZERO;
      t->rgb_dst = t->alpha_dst =
         opaque || transparent ? SGPU_BLEND_FACTOR_INV_SRC_ALPHA : SGPU_BLEND_FACTOR_ONE;
      sgd_rop_prepare(st);
      run_levels(st, &m, &quads, before, first);
      for (size_t at = 0; at < m.size; at += f.bytes) {
         for (unsigned k = 0; k < f.channels; k++) {
            const struct model_channel *c = &f.channel[k];
            uint64_t a = model_bits(plain + at, c->shift, c->size);
            const uint64_t b = model_bits(m.data + at, c->shift, c->size);
            /* -1 has two codes. */
            if (c->kind == MODEL_SNORM && a == UINT64_C(1) << (c->size - 1) && a != b)
               a++;
            if (c->comp >= 0 && a != b)
               fail_msg("%s: blending made %llx of %llx", st->color[0].desc->name,
                        (unsigned long long)b, (unsigned long long)a);
         }
      }
   }
   free(before);
   free(plain);
   free(first);
   free(m.data);
   free(st);
}

static void
test_exact(void **state)
{
   for (unsigned i = 0; i < num_targets; i++)
      run_exact(targets[i]);
}

/* Several targets: each its own output, mask and blending; or one output for
 * all; outputs without a target and targets without an output.
 */
static void
test_targets(void **state)
{
   static const enum pipe_format formats[4] = {
      PIPE_FORMAT_R8G8B8A8_UNORM, PIPE_FORMAT_R32G32B32A32_FLOAT, PIPE_FORMAT_R16G16_UINT,
      PIPE_FORMAT_B5G6R5_UNORM,
   };
   uint64_t seed = 7;
   struct rop_memory m[4], alone;
   struct sgd_quads quads;

   for (unsigned i = 0; i < 200; i++) {
      struct sgd_state *st = calloc(1, sizeof(*st)), *one = calloc(1, sizeof(*one));
      const bool broadcast = i & 1;
      const struct model_format any = { 0 };
      random_colors(&any, true, &seed);
      random_blend(st, &seed);
      st->shader_desc[SGPU_STAGE_PIXEL].dual_source = false;
      st->shader_desc[SGPU_STAGE_PIXEL].broadcast_color = broadcast;
      st->num_colors = 4;
      for (unsigned rt = 0; rt < 4; rt++) {
         rop_surface(&st->color[rt], &m[rt], formats[rt], WIDTH, HEIGHT, LAYERS, SAMPLES);
         st->color_write_mask[rt] = rop_below(&seed, 3) ? 0xf : rop_random(&seed) & 0xf;
         st->blend_target[rt] = st->blend_target[0];
         st->blend_target[rt].enable = rop_random(&seed) & 1;
      }
      st->color[3].valid = i % 8 != 0;
      sgd_rop_prepare(st);
      rop_random_quads(&quads, ROP_DISTINCT, &st->color[0], &seed);
      levels[num_levels - 1].color_write(&worker, st, &quads, out, quads.mask);

      for (unsigned rt = 0; rt < 4; rt++) {
         const struct sgd_vec saved = out[SGPU_PO_COLR0];
         *one = *st;
         one->num_colors = 1;
         one->color_write_mask[0] = st->color[rt].valid ? st->color_write_mask[rt] : 0;
         one->blend_target[0] = st->blend_target[rt];
         rop_surface(&one->color[0], &alone, formats[rt], WIDTH, HEIGHT, LAYERS, SAMPLES);
         if (!broadcast)
            out[SGPU_PO_COLR0] = out[SGPU_PO_COLR0 + rt];
         sgd_rop_prepare(one);
         levels[0].color_write(&worker, one, &quads, out, quads.mask);
         out[SGPU_PO_COLR0] = saved;
         assert_memory_equal(alone.data, m[rt].data, alone.size);
         free(alone.data);
         free(m[rt].data);
      }
      free(st);
      free(one);
   }
}

/* The formats that GL's core profile requires, and what no target can be. */
static void
test_formats(void **state)
{
   static const enum pipe_format yes[] = {
      PIPE_FORMAT_R8_UNORM, PIPE_FORMAT_R8G8_UNORM, PIPE_FORMAT_R8G8B8A8_UNORM,
      PIPE_FORMAT_R8G8B8A8_SRGB, PIPE_FORMAT_R16G16B16A16_UNORM, PIPE_FORMAT_R16G16B16A16_FLOAT,
      PIPE_FORMAT_R32G32B32A32_FLOAT, PIPE_FORMAT_R11G11B10_FLOAT, PIPE_FORMAT_R10G10B10A2_UNORM,
      PIPE_FORMAT_R10G10B10A2_UINT, PIPE_FORMAT_R32G32B32A32_SINT, PIPE_FORMAT_R8_UINT,
      PIPE_FORMAT_B5G6R5_UNORM, PIPE_FORMAT_L8_UNORM, PIPE_FORMAT_A8_UNORM, PIPE_FORMAT_I16_FLOAT,
      PIPE_FORMAT_R8G8B8A8_SNORM, PIPE_FORMAT_Z24_UNORM_S8_UINT, PIPE_FORMAT_S8_UINT,
   };
   static const enum pipe_format no[] = {
      PIPE_FORMAT_NONE, PIPE_FORMAT_DXT1_RGB, PIPE_FORMAT_YUYV, PIPE_FORMAT_R9G9B9E5_FLOAT,
      PIPE_FORMAT_R64G64B64A64_FLOAT, PIPE_FORMAT_R8G8_B8G8_UNORM,
   };
   for (unsigned i = 0; i < ARRAY_SIZE(yes); i++)
      assert_true(sgd_rop_renders(yes[i]));
   for (unsigned i = 0; i < ARRAY_SIZE(no); i++)
      assert_false(sgd_rop_renders(no[i]));
   assert_true(num_targets > 100);
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_formats), cmocka_unit_test(test_store),
      cmocka_unit_test(test_blend),   cmocka_unit_test(test_logic),
      cmocka_unit_test(test_order),   cmocka_unit_test(test_exact),
      cmocka_unit_test(test_targets),
   };
   num_levels = rop_levels(levels);
   find_targets();
   const uint64_t fp = sgpu_fp_enter();
   const int ret = cmocka_run_group_tests_name("colours", tests, NULL, NULL);
   sgpu_fp_leave(fp);
   return ret;
}
