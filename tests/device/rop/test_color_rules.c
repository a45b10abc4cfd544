/* SPDX-License-Identifier: MIT */
/*
 * Rules for all colours. Logic operations act on the value that is stored without one. Quads of a
 * warp are in order. Blending leaves certain values unchanged. Targets are independent of each
 * other.
 */
#include "../../rounds.h"
#include "color_warps.h"
#include "sgpu_fp.h"

static uint8_t
model_logic(enum sgpu_logic_op op, uint8_t s, uint8_t d)
{
   switch (op) {
   case SGPU_LOGIC_OP_CLEAR:
      return 0;
   case SGPU_LOGIC_OP_NOR:
      return ~(s | d);
   case SGPU_LOGIC_OP_AND_INVERTED:
      return ~s & d;
   case SGPU_LOGIC_OP_COPY_INVERTED:
      return ~s;
   case SGPU_LOGIC_OP_AND_REVERSE:
      return s & ~d;
   case SGPU_LOGIC_OP_INVERT:
      return ~d;
   case SGPU_LOGIC_OP_XOR:
      return s ^ d;
   case SGPU_LOGIC_OP_NAND:
      return ~(s & d);
   case SGPU_LOGIC_OP_AND:
      return s & d;
   case SGPU_LOGIC_OP_EQUIV:
      return ~(s ^ d);
   case SGPU_LOGIC_OP_NOOP:
      return d;
   case SGPU_LOGIC_OP_OR_INVERTED:
      return ~s | d;
   case SGPU_LOGIC_OP_COPY:
      return s;
   case SGPU_LOGIC_OP_OR_REVERSE:
      return s | ~d;
   case SGPU_LOGIC_OP_OR:
      return s | d;
   case SGPU_LOGIC_OP_SET:
      return 0xff;
   }
   abort();
}

/* A logic operation acts on the value that the same warp stores without one. Floats and sRGB have
 * no logic operations, but an enabled logic operation disables blending there as well.
 */
static void
run_logic(enum pipe_format format, uint64_t seed)
{
   struct model_format f;
   struct rop_memory m;
   struct sgd_quads quads;

   if (!model_format(&f, format))
      return;
   struct sgd_state *st = color_state(format, &m);
   uint8_t *before = malloc(m.size), *plain = malloc(m.size), *first = malloc(m.size);
   uint8_t *expected = malloc(m.size);

   for (unsigned op = 0; op < 16 * TEST_ROUNDS(3); op++) {
      color_fill(&f, &m, &seed);
      memcpy(before, m.data, m.size);
      color_random(&f, true, &seed);
      rop_random_quads(&quads, op % 2, &st->color[0], &seed);
      st->plan.color_write_mask[0] = op % 3 ? 0xf : rop_random(&seed) & 0xf;
      st->blend.logic_op_enable = false;
      st->blend_target[0].enable = false;
      sgd_rop_prepare(st);
      color_run_levels(st, &m, &quads, before, first);
      memcpy(plain, m.data, m.size);

      color_random_blend(st, &seed);
      st->blend.logic_op_enable = true;
      st->blend.logic_op = op / 6;
      sgd_rop_prepare(st);
      color_run_levels(st, &m, &quads, before, first);

      memcpy(expected, plain, m.size);
      for (unsigned l = 0; f.logic && l < quads.count * 4; l++) {
         if (!(quads.mask >> l & 1))
            continue;
         const size_t at = rop_element(&st->color[0], &quads, l) - m.data;
         for (unsigned i = 0; i < f.channels; i++) {
            const struct model_channel *c = &f.channel[i];
            if (c->comp >= 0 && !(st->plan.color_write_mask[0] & (1 << c->comp)))
               continue;
            for (unsigned b = c->shift; b < c->shift + c->size; b++) {
               const uint8_t bit = 1 << (b % 8);
               uint8_t *e = &expected[at + b / 8];
               *e = (*e & ~bit) |
                    (model_logic(op / 6, plain[at + b / 8], before[at + b / 8]) & bit);
            }
         }
      }
      /* Bits without a component have no defined value. */
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
                     st->color[0].desc->name, op / 6, m.data[i], plain[i], before[i], expected[i]);
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
   for (unsigned i = 0; i < color_num_targets; i++)
      run_logic(color_targets[i], seed++);
}

/* A warp leaves the same elements as its quads drawn one after the other. */
static void
run_order(enum pipe_format format, uint64_t seed)
{
   struct model_format f;
   struct rop_memory m;
   struct sgd_quads quads, one;

   if (!model_format(&f, format))
      return;
   struct sgd_state *st = color_state(format, &m);
   uint8_t *before = malloc(m.size), *first = malloc(m.size);

   for (unsigned i = 0; i < TEST_ROUNDS(150); i++) {
      if (i % 8 == 0)
         color_fill(&f, &m, &seed);
      memcpy(before, m.data, m.size);
      st->plan.color_write_mask[0] = i % 3 ? 0xf : rop_random(&seed) & 0xf;
      st->blend.logic_op_enable = i % 4 == 3;
      st->blend.logic_op = rop_below(&seed, 16);
      st->blend_target[0].enable = false;
      if (i & 1)
         color_random_blend(st, &seed);
      color_random(&f, true, &seed);
      sgd_rop_prepare(st);
      rop_random_quads(&quads, ROP_OVERLAPPING, &st->color[0], &seed);
      color_run_levels(st, &m, &quads, before, first);

      memcpy(m.data, before, m.size);
      for (unsigned q = 0; q < quads.count; q++) {
         static struct sgd_vec saved[64];
         memcpy(saved, color_out, sizeof(color_out));
         rop_one_quad(&one, &quads, q);
         for (unsigned n = 0; n < 2; n++) {
            for (unsigned c = 0; c < 4; c++)
               memcpy(color_out[SGPU_PO_COLR0 + n].c[c], saved[SGPU_PO_COLR0 + n].c[c] + q * 4, 16);
         }
         color_levels[0].color_write(&color_worker, st, &one, color_out, one.mask);
         memcpy(color_out, saved, sizeof(color_out));
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
   for (unsigned i = 0; i < color_num_targets; i++)
      run_order(color_targets[i], seed++);
}

/* Blending leaves certain values unchanged. An opaque source is stored as without blending. A
 * transparent source and factors (0, 1) keep every stored value.
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
   struct sgd_state *st = color_state(format, &m);
   uint8_t *before = malloc(m.size), *plain = malloc(m.size), *first = malloc(m.size);
   struct SGPU_BLEND_TARGET *t = &st->blend_target[0];

   for (unsigned i = 0; i < TEST_ROUNDS(600); i++) {
      rop_noise(&m, &seed);
      memcpy(before, m.data, m.size);
      color_random(&f, true, &seed);
      rop_random_quads(&quads, ROP_BLOCK, &st->color[0], &seed);
      quads.mask = ~0u;
      const bool opaque = i % 3 == 0, transparent = i % 3 == 1;
      for (unsigned l = 0; l < SGD_WARP; l++)
         color_out[SGPU_PO_COLR0].c[3][l] = sgpu_f2bits(opaque ? 1.0f : transparent ? 0.0f : 0.5f);

      t->enable = false;
      sgd_rop_prepare(st);
      color_run_levels(st, &m, &quads, before, first);
      memcpy(plain, opaque ? m.data : before, m.size);

      memset(t, 0, sizeof(*t));
      t->enable = true;
      t->rgb_src = t->alpha_src = opaque || transparent ? SGPU_BLEND_FACTOR_SRC_ALPHA
                                                        : SGPU_BLEND_FACTOR_ZERO;
      t->rgb_dst = t->alpha_dst = opaque || transparent ? SGPU_BLEND_FACTOR_INV_SRC_ALPHA
                                                        : SGPU_BLEND_FACTOR_ONE;
      sgd_rop_prepare(st);
      color_run_levels(st, &m, &quads, before, first);
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
   for (unsigned i = 0; i < color_num_targets; i++)
      run_exact(color_targets[i]);
}

/* A component that blending keeps is not computed, since any blending gives the same byte. This is
 * tested for all bytes, with random sources.
 */
static void
test_kept(void **state)
{
   uint64_t seed = 77;
   struct model_format f;
   struct rop_memory m;
   struct sgd_state *st = color_state(PIPE_FORMAT_B8G8R8A8_UNORM, &m);
   struct SGPU_BLEND_TARGET *t = &st->blend_target[0];
   struct sgd_color_plan *p = &st->plan.rop.color[0];
   struct sgd_quads quads;

   assert_true(model_format(&f, PIPE_FORMAT_B8G8R8A8_UNORM));
   uint8_t *before = malloc(m.size), *first = malloc(m.size);

   t->enable = true;
   t->rgb_dst = t->alpha_dst = SGPU_BLEND_FACTOR_ONE;
   for (unsigned value = 0; value < 256; value++) {
      memset(before, value, m.size);
      color_random(&f, false, &seed);
      t->rgb_src = SGPU_BLEND_FACTOR_ONE;
      t->alpha_src = SGPU_BLEND_FACTOR_ZERO;
      sgd_rop_prepare(st);
      assert_int_equal(p->bits[3], 0);
      assert_int_equal(p->bits[0] & p->bits[1] & p->bits[2], 0xff);

      t->rgb_src = SGPU_BLEND_FACTOR_ZERO;
      sgd_rop_prepare(st);
      p->form = SGD_BLEND_ANY;
      p->opaque_replaces = false;
      p->zeros = 0;
      memset(p->bits, 0xff, 4);
      rop_random_quads(&quads, ROP_BLOCK, &st->color[0], &seed);
      color_run_levels(st, &m, &quads, before, first);
      assert_memory_equal(m.data, before, m.size);
   }
   free(before);
   free(first);
   free(m.data);
   free(st);
}

/* Several targets, each with a separate output, mask and blending, or one output for all. Also
 * outputs without a target, and targets without an output.
 */
static void
test_targets(void **state)
{
   static const enum pipe_format formats[4] = {
      PIPE_FORMAT_R8G8B8A8_UNORM,
      PIPE_FORMAT_R32G32B32A32_FLOAT,
      PIPE_FORMAT_R16G16_UINT,
      PIPE_FORMAT_B5G6R5_UNORM,
   };
   uint64_t seed = 7;
   struct rop_memory m[4], alone;
   struct sgd_quads quads;

   for (unsigned i = 0; i < TEST_ROUNDS(200); i++) {
      struct sgd_state *st = calloc(1, sizeof(*st)), *one = calloc(1, sizeof(*one));
      const bool broadcast = i & 1;
      const struct model_format any = { 0 };
      color_random(&any, true, &seed);
      color_random_blend(st, &seed);
      st->shader_desc[SGPU_STAGE_PIXEL].broadcast_color = broadcast;
      st->num_colors = 4;
      for (unsigned rt = 0; rt < 4; rt++) {
         color_surface(&st->color[rt], &m[rt], formats[rt]);
         st->plan.color_write_mask[rt] = rop_below(&seed, 3) ? 0xf : rop_random(&seed) & 0xf;
         st->blend_target[rt] = st->blend_target[0];
         st->blend_target[rt].enable = rop_random(&seed) & 1;
      }
      st->color[3].valid = i % 8 != 0;
      sgd_rop_prepare(st);
      rop_random_quads(&quads, ROP_DISTINCT, &st->color[0], &seed);
      color_levels[color_num_levels - 1].color_write(&color_worker, st, &quads, color_out,
                                                     quads.mask);

      for (unsigned rt = 0; rt < 4; rt++) {
         const struct sgd_vec saved = color_out[SGPU_PO_COLR0];
         *one = *st;
         one->num_colors = 1;
         one->plan.color_write_mask[0] = st->color[rt].valid ? st->plan.color_write_mask[rt] : 0;
         one->blend_target[0] = st->blend_target[rt];
         color_surface(&one->color[0], &alone, formats[rt]);
         if (!broadcast)
            color_out[SGPU_PO_COLR0] = color_out[SGPU_PO_COLR0 + rt];
         sgd_rop_prepare(one);
         color_levels[0].color_write(&color_worker, one, &quads, color_out, quads.mask);
         color_out[SGPU_PO_COLR0] = saved;
         assert_memory_equal(alone.data, m[rt].data, alone.size);
         free(alone.data);
         free(m[rt].data);
      }
      free(st);
      free(one);
   }
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_logic), cmocka_unit_test(test_order),   cmocka_unit_test(test_exact),
      cmocka_unit_test(test_kept),  cmocka_unit_test(test_targets),
   };
   return color_run_tests(tests);
}
