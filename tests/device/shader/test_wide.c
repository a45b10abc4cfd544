/* SPDX-License-Identifier: MIT */
/*
 * Doubles and 64-bit integers on all host levels, compared with exact results (wide_model.h): each
 * operation on corner values, random bits, subnormal numbers, and sums that cancel, in threads that
 * flush floats.
 */
#include <stdio.h>

#include "../../unit.h"
#include "machine.h"
#include "wide_model.h"

#define ROUNDS 300

static uint64_t
word(s128 v)
{
   return (uint64_t)v;
}

/* The sources as integers, and the low word, taken as a float, as a double. */
struct sources {
   uint64_t a, b, c;
   int64_t ia, ib;
   uint64_t f;
   unsigned cond;
};

static uint64_t
mask(bool holds)
{
   return holds ? ~0u : 0;
}

static uint64_t
bits_of(float x)
{
   return sgpu_f2bits(x);
}

static bool
compare(const struct sources *s)
{
   const double x = sgpu_bits2d(s->a), y = sgpu_bits2d(s->b);
   if (wide_is_nan(s->a) || wide_is_nan(s->b))
      return s->cond == 5 || s->cond == 7;
   return ((s->cond & 1) && x < y) || ((s->cond & 2) && x == y) || ((s->cond & 4) && x > y);
}

static bool
compare_integers(const struct sources *s, bool is_signed)
{
   const bool less = is_signed ? s->ia < s->ib : s->a < s->b;
   return ((s->cond & 1) && less) || ((s->cond & 2) && s->a == s->b) ||
          ((s->cond & 4) && !less && s->a != s->b);
}

static uint64_t
least(uint64_t a, uint64_t b)
{
   if (wide_is_nan(a) || wide_is_nan(b))
      return wide_canon(wide_is_nan(a) ? b : a);
   if (!(~SIGN64 & (a | b)))
      return a | b;
   return sgpu_bits2d(a) < sgpu_bits2d(b) ? a : b;
}

static uint64_t
whole(uint64_t a, double (*function)(double))
{
   return wide_canon(sgpu_d2bits(function(sgpu_bits2d(a))));
}

static uint64_t
expected(enum sgpu_opcode op, const struct sources *s)
{
   const uint64_t a = s->a, b = s->b, one = 0x3ff0000000000000;
   const s128 wa = s->ia, wb = s->ib;

   switch (op) {
   case SGPU_OP_DMOV:
      return a;
   case SGPU_OP_DADD:
      return sgpu_dfma_integer(a, one, b);
   case SGPU_OP_DMUL:
      return sgpu_dfma_integer(a, b, (a ^ b) & SIGN64);
   case SGPU_OP_DFMA:
      return sgpu_dfma_integer(a, b, s->c);
   case SGPU_OP_DDIV:
      return model_div(a, b);
   case SGPU_OP_DSQRT:
      return model_sqrt(a);
   case SGPU_OP_DMIN:
      return least(a, b);
   case SGPU_OP_DMAX: {
      const uint64_t r = least(a ^ SIGN64, b ^ SIGN64);
      return wide_is_nan(r) ? r : r ^ SIGN64;
   }
   case SGPU_OP_DFLR:
      return whole(a, floor);
   case SGPU_OP_DCEIL:
      return whole(a, ceil);
   case SGPU_OP_DTRUNC:
      return whole(a, trunc);
   case SGPU_OP_DROUND:
      return whole(a, rint);
   case SGPU_OP_DFRC:
      return sgpu_dfma_integer(a, one, whole(a, floor) ^ SIGN64);
   case SGPU_OP_DSSG:
      return wide_is_nan(a) ? 0 : (a & SIGN64) | (a & ~SIGN64 ? one : 0);
   case SGPU_OP_DSET:
   case SGPU_OP_DSETP:
      return mask(compare(s));
   case SGPU_OP_F2D:
      return wide_canon(s->f);
   case SGPU_OP_D2F:
      return model_d2f(a);
   case SGPU_OP_I2D:
      return model_from_integer((int32_t)a);
   case SGPU_OP_U2D:
      return model_from_integer((uint32_t)a);
   case SGPU_OP_D2I:
      return (uint32_t)model_integer(a, INT32_MIN, INT32_MAX);
   case SGPU_OP_D2U:
      return (uint32_t)model_integer(a, 0, UINT32_MAX);
   case SGPU_OP_L2D:
      return model_from_integer(s->ia);
   case SGPU_OP_Q2D:
      return model_from_integer(a);
   case SGPU_OP_D2L:
      return word(model_integer(a, INT64_MIN, INT64_MAX));
   case SGPU_OP_D2Q:
      return word(model_integer(a, 0, UINT64_MAX));
   case SGPU_OP_L2F:
      return bits_of(model_float_from_integer(s->ia));
   case SGPU_OP_Q2F:
      return bits_of(model_float_from_integer(a));
   case SGPU_OP_F2L:
      return word(model_integer(s->f, INT64_MIN, INT64_MAX));
   case SGPU_OP_F2Q:
      return word(model_integer(s->f, 0, UINT64_MAX));
   case SGPU_OP_LADD:
      return a + b;
   case SGPU_OP_LSUB:
      return a - b;
   case SGPU_OP_LMUL:
      return a * b;
   case SGPU_OP_LNEG:
      return 0 - a;
   case SGPU_OP_LABS:
      return word(wa < 0 ? -wa : wa);
   case SGPU_OP_LSSG:
      return word((wa > 0) - (wa < 0));
   case SGPU_OP_LDIV:
      return b ? word(wa / wb) : ~0ull;
   case SGPU_OP_QDIV:
      return b ? a / b : ~0ull;
   case SGPU_OP_LREM:
      return b ? word(wa % wb) : a;
   case SGPU_OP_LMOD:
      return b ? word((wa % wb + wb) % wb) : a;
   case SGPU_OP_QMOD:
      return b ? a % b : a;
   case SGPU_OP_LSHL:
      return a << (b & 63);
   case SGPU_OP_QSHR:
      return a >> (b & 63);
   case SGPU_OP_LASHR:
      return word(wa >> (b & 63));
   case SGPU_OP_LMIN:
      return word(wa < wb ? wa : wb);
   case SGPU_OP_LMAX:
      return word(wa > wb ? wa : wb);
   case SGPU_OP_QMIN:
      return a < b ? a : b;
   case SGPU_OP_QMAX:
      return a > b ? a : b;
   case SGPU_OP_LSET:
   case SGPU_OP_LSETP:
      return mask(compare_integers(s, true));
   case SGPU_OP_QSET:
   case SGPU_OP_QSETP:
      return mask(compare_integers(s, false));
   default:
      fail_msg("no model of %s", sgpu_opcode_info(op)->name);
      return 0;
   }
}

/* Chooses three values for a pair of components of a lane. */
static void
choose(struct isa_random *r, uint64_t v[3])
{
   for (unsigned s = 0; s < 3; s++)
      v[s] = wide_pick(r);
   switch (isa_random_below(r, 8)) {
   case 0: { /* the product cancels, exactly or nearly */
      const uint64_t product = sgpu_dfma_integer(v[0], v[1], 0);
      v[2] = (product ^ SIGN64) + isa_random_below(r, 3) - 1;
      break;
   }
   case 1: /* the sum cancels */
      v[1] = (v[0] ^ SIGN64) + isa_random_below(r, 5) - 2;
      break;
   case 2: /* products and quotients near to the smallest numbers */
      v[0] = (v[0] & (SIGN64 | SGPU_FP64_MANTISSA)) | (uint64_t)(1 + isa_random_below(r, 60)) << 52;
      v[1] = (v[1] & (SIGN64 | SGPU_FP64_MANTISSA)) | (uint64_t)(970 + isa_random_below(r, 110))
                                                         << 52;
      break;
   case 3: /* shift counts, small divisors */
      v[1] = isa_random_below(r, 70);
      break;
   default:
      break;
   }
}

static uint64_t
pair(const struct sgd_vec *v, unsigned p, unsigned l)
{
   return v->c[2 * p][l] | (uint64_t)v->c[2 * p + 1][l] << 32;
}

static struct sgd_shader *
program(enum sgpu_opcode op, unsigned cond, struct code *code)
{
   const struct sgpu_opcode_info *info = sgpu_opcode_info(op);
   const bool predicate = info->dst_type == SGPU_TYPE_PRED;
   struct sgpu_instr i = op_dst(op, predicate ? dst(SGPU_FILE_PRED, 0) : dst(SGPU_FILE_TEMP, 0));
   const char *error;

   code_init(code, SGPU_STAGE_PIXEL);
   code->temps = 1;
   for (unsigned s = 0; s < info->num_srcs; s++)
      i.src[s] = src(SGPU_FILE_INPUT, s);
   i.cond = cond;
   if (predicate)
      code_add(code, op1(SGPU_OP_MOV, dst(SGPU_FILE_TEMP, 0), src(SGPU_FILE_INPUT, 3)));
   code_add(code, i);
   for (unsigned c = 0; predicate && c < 4; c++) {
      code_add(code,
               guarded(op1(SGPU_OP_MOV, dst_m(SGPU_FILE_TEMP, 0, 1 << c), src(SGPU_FILE_INPUT, 4)),
                       0, c, false));
   }
   code_add(code, op1(SGPU_OP_MOV, dst(SGPU_FILE_OUTPUT, SGPU_PO_COLR0), src(SGPU_FILE_TEMP, 0)));
   struct sgd_shader *shader = code_load(code, &error);
   if (!shader)
      fail_msg("%s: %s", info->name, error);
   return shader;
}

static void
check(const struct level *level, enum sgpu_opcode op, unsigned cond, const struct warp *w)
{
   const struct sgpu_opcode_info *info = sgpu_opcode_info(op);

   for (unsigned l = 0; l < SGD_WARP; l++) {
      for (unsigned p = 0; p < 2; p++) {
         struct sources s = {
            .a = pair(&w->in[0], p, l),
            .b = pair(&w->in[1], p, l),
            .c = pair(&w->in[2], p, l),
            .cond = cond,
         };
         s.ia = (int64_t)s.a;
         s.ib = (int64_t)s.b;
         const uint32_t f = (uint32_t)s.a;
         const bool tiny = !(f & SGPU_FP_INF_BITS);
         s.f = sgpu_d2bits((double)sgpu_bits2f(tiny ? f & SGPU_FP_SIGN_BIT : f));
         const uint64_t exact = expected(op, &s), found = pair(&w->out[SGPU_PO_COLR0], p, l);
         /* A 32-bit result is in both components of the pair. */
         const uint64_t want = sgpu_type_is_wide(info->dst_type) ? exact : exact | exact << 32;
         if (found != want)
            fail_msg("%s: %s (condition %u) of %016llx, %016llx, %016llx is %016llx, not %016llx",
                     level->name, info->name, cond, (unsigned long long)s.a,
                     (unsigned long long)s.b, (unsigned long long)s.c, (unsigned long long)found,
                     (unsigned long long)want);
      }
   }
}

static void
exact(void **state)
{
   struct test_worker *tw = test_worker_create();
   struct code *code = malloc(sizeof(*code));
   struct warp *warp = malloc(sizeof(*warp));
   struct isa_random r = { 77 };
   struct level levels[MAX_LEVELS];
   const unsigned num_levels = test_levels(levels);
   unsigned num_ops = 0;

   for (unsigned op = 0; op < SGPU_NUM_OPCODES; op++) {
      const struct sgpu_opcode_info *info = sgpu_opcode_info(op);
      if (!info->name || info->kind != SGPU_KIND_PAIR)
         continue;
      num_ops++;
      for (unsigned cond = 0; cond < (info->mod == SGPU_MOD_COND ? 8 : 1); cond++) {
         struct sgd_shader *shader = program(op, cond, code);
         for (unsigned n = 0; n < (info->mod == SGPU_MOD_COND ? ROUNDS / 4 : ROUNDS); n++) {
            memset(warp, 0, sizeof(*warp));
            warp->active = warp->live = ~0u;
            for (unsigned l = 0; l < SGD_WARP; l++) {
               for (unsigned p = 0; p < 2; p++) {
                  uint64_t v[3];
                  choose(&r, v);
                  for (unsigned s = 0; s < 3; s++) {
                     warp->in[s].c[2 * p][l] = (uint32_t)v[s];
                     warp->in[s].c[2 * p + 1][l] = (uint32_t)(v[s] >> 32);
                  }
               }
               for (unsigned c = 0; c < 4; c++)
                  warp->in[4].c[c][l] = ~0u;
            }
            for (unsigned v = 0; v < num_levels; v++) {
               test_run(tw, &levels[v], shader, warp);
               assert_true(warp->ok);
               check(&levels[v], op, cond, warp);
            }
         }
         sgd_shader_destroy(shader);
      }
   }
   assert_true(num_ops > 50);
   free(warp);
   free(code);
   test_worker_destroy(tw);
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
      cmocka_unit_test(exact),
   };
   return cmocka_run_group_tests(tests, NULL, NULL);
}
