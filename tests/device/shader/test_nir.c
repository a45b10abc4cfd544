/* SPDX-License-Identifier: MIT */
/*
 * The interpreter compared with NIR: each NIR operation that the instruction set has directly, by
 * NIR's constant folding and by the device. Exact operations on normal values must have equal bits;
 * functions must be within the bounds of docs/accuracy.md. Operations that NIR does not define, or
 * defines differently (flushing, 0 times anything, NaNs, division by zero), are compared with an
 * oracle in double precision and integers.
 */
#include <math.h>
#include <stdio.h>

#include "../../unit.h"
#include "machine.h"
#include "nir_constant_expressions.h"
#include "sgpu_fp.h"

/* Kinds of random operands. Results that are NaNs need not have equal bits. */
enum draw {
   ANY,         /* FLOAT or INT, depending on the operation */
   FLOAT,       /* normal number with a moderate exponent */
   FLOAT_WIDE,  /* normal number with any exponent */
   FLOAT_SMALL, /* number in [-8, 8] */
   FLOAT_POSITIVE,
   FLOAT_WHOLE, /* integers whose sums and products are exact in any order */
   INT,
   INT_NONZERO, /* integer other than 0, for divisors */
   HALF_BITS,
   BOOL,
};

struct row {
   nir_op nir;
   enum sgpu_opcode op;
   enum draw usual;
   enum draw draw, second; /* kinds of the first and second source; ANY: the usual one */
   enum sgpu_cond cond;
   bool swap; /* exchange the first two sources */
   bool neg, abs, sat, zmul;
   uint8_t at;      /* component of the device's source for NIR's first component */
   double ulps;     /* maximum error in ulps, 0: equal bits */
   double absolute; /* absolute error that is accepted as well, 0: none */
};

#define F(n, o, ...)                                                      \
   {                                                                      \
      .nir = nir_op_##n, .op = SGPU_OP_##o, .usual = FLOAT, ##__VA_ARGS__ \
   }
#define I(n, o, ...)                                                    \
   {                                                                    \
      .nir = nir_op_##n, .op = SGPU_OP_##o, .usual = INT, ##__VA_ARGS__ \
   }
/* NIR does not define the order of the sum. The device's order is tested below. */
#define EXACT .draw = FLOAT_WHOLE, .second = FLOAT_WHOLE

static const struct row rows[] = {
   F(fmul, MUL),
   F(fmulz, MUL, .zmul = true),
   F(fadd, ADD),
   F(fmin, MIN),
   F(fmax, MAX),
   F(slt, SLT),
   F(sge, SGE),
   F(seq, SEQ),
   F(sne, SNE),
   F(mov, MOV),
   F(fneg, MOV, .neg = true),
   F(fabs, MOV, .abs = true),
   F(fsat, MOV, .sat = true),
   F(ffloor, FLR),
   F(fceil, CEIL),
   F(ftrunc, TRUNC),
   F(fround_even, ROUND),
   F(ffract, FRC),
   F(fsign, SSG),
   F(frcp, RCP),
   F(fsqrt, SQRT),
   F(frsq, RSQ, .ulps = 2.5), /* 0.85 by the device, 1.5 by the two roundings of NIR */
   F(fexp2, EX2, .draw = FLOAT_SMALL, .ulps = 2.0),
   F(flog2, LG2, .ulps = 2.5),
   F(fsin, SIN, .draw = FLOAT_SMALL, .absolute = 0x1p-22),
   F(fcos, COS, .draw = FLOAT_SMALL, .absolute = 0x1p-22),
   F(fdot2_replicated, DP2),
   F(fdot3_replicated, DP3, EXACT),
   F(fdot4_replicated, DP4, EXACT),
   F(fdph_replicated, DPH),
   F(flt32, FSET, .cond = SGPU_COND_LT),
   F(fge32, FSET, .cond = SGPU_COND_GE),
   F(feq32, FSET, .cond = SGPU_COND_EQ),
   F(fneu32, FSET, .cond = SGPU_COND_NE),
   F(flt32, FSET, .cond = SGPU_COND_GT, .swap = true),
   F(fge32, FSET, .cond = SGPU_COND_LE, .swap = true),
   I(ilt32, ISET, .cond = SGPU_COND_LT),
   I(ige32, ISET, .cond = SGPU_COND_GE),
   I(ieq32, ISET, .cond = SGPU_COND_EQ),
   I(ine32, ISET, .cond = SGPU_COND_NE),
   I(ult32, USET, .cond = SGPU_COND_LT),
   I(uge32, USET, .cond = SGPU_COND_GE),
   I(b32csel, SEL, .draw = BOOL),
   I(iadd, IADD),
   I(isub, ISUB),
   I(imul, IMUL),
   I(imul_high, IMULH),
   I(umul_high, UMULH),
   I(idiv, IDIV, .second = INT_NONZERO),
   I(udiv, UDIV, .second = INT_NONZERO),
   I(irem, IREM, .second = INT_NONZERO),
   I(umod, UMOD, .second = INT_NONZERO),
   I(imod, IMOD, .second = INT_NONZERO),
   I(iand, AND),
   I(ior, OR),
   I(ixor, XOR),
   I(inot, NOT),
   I(ishl, SHL),
   I(ushr, SHR),
   I(ishr, ASHR),
   I(imin, IMIN),
   I(imax, IMAX),
   I(umin, UMIN),
   I(umax, UMAX),
   I(ineg, INEG),
   I(iabs, IABS),
   I(isign, ISSG),
   I(ubfe, UBFE),
   I(ibfe, IBFE),
   I(bfm, BFM),
   I(bfi, BFI),
   I(bitfield_reverse, BREV),
   I(bit_count, BCNT),
   I(find_lsb, FBL),
   I(ufind_msb, FBHU),
   I(ifind_msb, FBHI),
   F(f2i32, F2I),
   F(f2u32, F2U, .draw = FLOAT_POSITIVE),
   I(i2f32, I2F),
   I(u2f32, U2F),
   F(pack_half_2x16, PK2H, .draw = FLOAT_WIDE),
   /* in Mesa 22.3, constant folding of unpack_half_2x16 has a wrong second half */
   I(unpack_half_2x16_split_x, UP2H, .draw = HALF_BITS),
   I(unpack_half_2x16_split_y, UP2H, .draw = HALF_BITS, .at = 1),
};

static uint32_t
draw_one(struct rng *r, enum draw d)
{
   switch (d) {
   case FLOAT: {
      const uint32_t e = 127 - 20 + rng_below(r, 40);
      return rng_chance(r, 10) ? sgpu_f2bits((float)(int)(rng_below(r, 9) - 4))
                               : (rng_u32(r) & 0x807fffff) | e << 23;
   }
   case FLOAT_WIDE: {
      const uint32_t e = 1 + rng_below(r, 254);
      return (rng_u32(r) & 0x807fffff) | e << 23;
   }
   case FLOAT_SMALL:
      return sgpu_f2bits((float)((rng_u32(r) * 0x1p-32 - 0.5) * 16));
   case INT: {
      static const uint32_t corners[] = { 0, 1, ~0u, 0x80000000, 0x7fffffff, 31, 32, 33 };
      return rng_chance(r, 20) ? corners[rng_below(r, 8)]
                               : (uint32_t)((int32_t)rng_u32(r) >> rng_below(r, 32));
   }
   case INT_NONZERO: {
      const uint32_t v = draw_one(r, INT);
      return v == 0 || v == ~0u ? 7 : v;
   }
   case FLOAT_POSITIVE:
      return draw_one(r, FLOAT) & 0x7fffffff;
   case FLOAT_WHOLE:
      return sgpu_f2bits((float)(int)(rng_below(r, 2001) - 1000));
   default:
      return 0;
   case HALF_BITS:
      /* no half NaN, since NIR keeps its payload */
      return rng_u32(r) & 0xfbfffbff;
   case BOOL:
      return rng_chance(r, 50) ? ~0u : 0;
   }
   abort();
}

static double
ulp_of(float x)
{
   int e;
   frexp(x, &e);
   return ldexp(1.0, e - 24);
}

static void
check_result(const struct row *row, uint32_t got, uint32_t want, const char *level)
{
   if (got == want)
      return;
   const float g = sgpu_bits2f(got), w = sgpu_bits2f(want);
   if (row->ulps && fabs((double)g - w) <= row->ulps * ulp_of(w))
      return;
   if (row->absolute && fabs((double)g - w) <= row->absolute)
      return;
   fail_msg("%s on %s: %08x (%.9g), NIR has %08x (%.9g)", nir_op_infos[row->nir].name, level, got,
            g, want, w);
}

/* Returns whether rules about flushing and NaNs cannot change the result. */
static bool
is_normal_result(const nir_op_info *info, uint32_t bits)
{
   if (nir_alu_type_get_base_type(info->output_type) != nir_type_float)
      return true;
   const uint32_t mag = bits & 0x7fffffff;
   return mag == 0 || (mag > 0x00800000 && mag < 0x7f800000);
}

static struct sgpu_instr
build(const struct row *row)
{
   const struct sgpu_opcode_info *op = sgpu_opcode_info(row->op);
   struct sgpu_instr i = op_dst(row->op, dst(SGPU_FILE_OUTPUT, 0));
   for (unsigned s = 0; s < op->num_srcs; s++) {
      const unsigned from = row->swap && s < 2 ? 1 - s : s;
      i.src[s] = op->src_scalar & (1 << s) ? src_x(SGPU_FILE_INPUT, from, 0)
                                           : src(SGPU_FILE_INPUT, from);
   }
   i.src[0].neg = row->neg;
   i.src[0].abs = row->abs;
   i.sat = row->sat;
   i.zmul = row->zmul;
   i.cond = row->cond;
   return i;
}

static void
check_row(struct test_worker *tw, const struct row *row, struct rng *r)
{
   const nir_op_info *info = &nir_op_infos[row->nir];
   const struct sgpu_opcode_info *op = sgpu_opcode_info(row->op);
   struct level levels[MAX_LEVELS];
   const unsigned num_levels = test_levels(levels);
   struct code *code = malloc(sizeof(*code));
   struct warp *warp = calloc(1, sizeof(*warp));
   const char *error;

   code_init(code, SGPU_STAGE_VERTEX);
   code_add(code, build(row));
   struct sgd_shader *shader = code_load(code, &error);
   if (!shader)
      fail_msg("%s: %s", info->name, error);

   warp->active = warp->live = ~0u;
   for (unsigned round = 0; round < 200; round++) {
      for (unsigned s = 0; s < 3; s++) {
         for (unsigned c = 0; c < 4; c++) {
            for (unsigned l = 0; l < SGD_WARP; l++) {
               const enum draw d = s == 0 ? row->draw : row->second;
               warp->in[s].c[c][l] = draw_one(r, d == ANY ? row->usual : d);
            }
         }
      }
      for (unsigned v = 0; v < num_levels; v++) {
         test_run(tw, &levels[v], shader, warp);
         assert_true(warp->ok);
         for (unsigned l = 0; l < SGD_WARP; l++) {
            nir_const_value in[3][4], out[4];
            nir_const_value *srcs[3] = { in[0], in[1], in[2] };
            for (unsigned s = 0; s < 3; s++) {
               for (unsigned c = 0; c < 4; c++)
                  in[s][c] = nir_const_value_for_raw_uint(warp->in[s].c[c][l], 32);
            }
            const unsigned comps = info->output_size ? info->output_size : 4;
            nir_eval_const_opcode(row->nir, out, comps, 32, srcs, 0);
            const bool scalar = op->kind == SGPU_KIND_SCAL || op->kind == SGPU_KIND_SCALV ||
                                row->op == SGPU_OP_PK2H;
            for (unsigned c = 0; c < (scalar ? 1 : comps); c++) {
               if (is_normal_result(info, out[c].u32))
                  check_result(row, warp->out[0].c[c + row->at][l], out[c].u32, levels[v].name);
            }
         }
      }
   }
   sgd_shader_destroy(shader);
   free(warp);
   free(code);
}

static void
test_nir(void **state)
{
   struct test_worker *tw = test_worker_create();
   struct rng r = { 21 };
   for (unsigned n = 0; n < sizeof(rows) / sizeof(rows[0]); n++)
      check_row(tw, &rows[n], &r);
   test_worker_destroy(tw);
}

/*
 * Operations that NIR leaves open.
 */

static double
flushed(uint32_t bits)
{
   const float x = sgpu_bits2f(bits);
   return fabsf(x) < 0x1p-126f ? copysign(0.0, x) : x;
}

/* Rounds to 24 bits and flushes a value that is exact in double precision, or has at least 53 bits.
 */
static uint32_t
rounded(double x)
{
   if (isnan(x))
      return 0x7fc00000;
   int e;
   const double m = frexp(x, &e);
   const double r = ldexp(nearbyint(ldexp(m, 24)), e - 24);
   if (fabs(r) < 0x1p-126)
      return sgpu_f2bits((float)copysign(0.0, x));
   return sgpu_f2bits((float)r);
}

static double
product(double a, double b, bool zmul)
{
   return zmul && (a == 0 || b == 0) ? 0.0 : a * b;
}

static uint32_t
minimum(uint32_t ab, uint32_t bb, bool max)
{
   const double a = flushed(ab), b = flushed(bb);
   if (isnan(a) || isnan(b))
      return isnan(a) ? rounded(b) : rounded(a);
   if (a == b)
      return rounded(signbit(a) == max ? b : a);
   return rounded((a < b) != max ? a : b);
}

static double
sum(double a, double b)
{
   return flushed(rounded(a + b));
}

/* ((x + y) + z) + w of rounded products. DPH adds b.w. */
static uint32_t
oracle_dot(const struct sgpu_instr *i, const struct warp *w, unsigned l)
{
   double p[4];
   for (unsigned c = 0; c < 4; c++) {
      const double a = flushed(w->in[0].c[c][l]), b = flushed(w->in[1].c[c][l]);
      p[c] = flushed(rounded(product(a, b, i->zmul)));
   }
   switch (i->opcode) {
   case SGPU_OP_DP2:
      return rounded(p[0] + p[1]);
   case SGPU_OP_DP3:
      return rounded(sum(p[0], p[1]) + p[2]);
   case SGPU_OP_DP4:
      return rounded(sum(sum(p[0], p[1]), p[2]) + p[3]);
   default:
      return rounded(sum(sum(p[0], p[1]), p[2]) + flushed(w->in[1].c[3][l]));
   }
}

static uint32_t
oracle(const struct sgpu_instr *i, const uint32_t v[3])
{
   const double a = flushed(v[0]), b = flushed(v[1]), c = flushed(v[2]);
   const int32_t ia = (int32_t)v[0], ib = (int32_t)v[1];
   switch (i->opcode) {
   case SGPU_OP_MUL:
      return rounded(product(a, b, i->zmul));
   case SGPU_OP_ADD:
      return rounded(a + b);
   case SGPU_OP_MAD:
      return rounded(flushed(rounded(product(a, b, i->zmul))) + c);
   case SGPU_OP_MIN:
      return minimum(v[0], v[1], false);
   case SGPU_OP_MAX:
      return minimum(v[0], v[1], true);
   case SGPU_OP_SLT:
      return a < b ? 0x3f800000 : 0;
   case SGPU_OP_SGE:
      return a >= b ? 0x3f800000 : 0;
   case SGPU_OP_SNE:
      return a != b ? 0x3f800000 : 0;
   case SGPU_OP_RCP:
      return rounded(1.0 / a);
   case SGPU_OP_SQRT:
      return rounded(sqrt(a));
   case SGPU_OP_FLR:
      return rounded(floor(a));
   case SGPU_OP_F2I:
      return isnan(a)       ? 0
             : a >= 0x1p31  ? 0x7fffffff
             : a <= -0x1p31 ? 0x80000000
                            : (uint32_t)(int32_t)a;
   case SGPU_OP_F2U:
      return isnan(a) || a <= 0 ? 0 : a >= 0x1p32 ? ~0u : (uint32_t)a;
   case SGPU_OP_IDIV:
      return v[1] == 0 ? ~0u : ib == -1 ? 0u - v[0] : (uint32_t)(ia / ib);
   case SGPU_OP_UDIV:
      return v[1] == 0 ? ~0u : v[0] / v[1];
   case SGPU_OP_IREM:
      return v[1] == 0 ? v[0] : ib == -1 ? 0 : (uint32_t)(ia % ib);
   case SGPU_OP_UMOD:
      return v[1] == 0 ? v[0] : v[0] % v[1];
   case SGPU_OP_SEL:
      return v[0] ? v[1] : v[2];
   default:
      abort();
   }
}

static void
test_exceptions(void **state)
{
   static const enum sgpu_opcode ops[] = {
      SGPU_OP_MUL, SGPU_OP_ADD,  SGPU_OP_MAD,  SGPU_OP_MIN,  SGPU_OP_MAX,  SGPU_OP_SLT,
      SGPU_OP_SGE, SGPU_OP_SNE,  SGPU_OP_RCP,  SGPU_OP_SQRT, SGPU_OP_FLR,  SGPU_OP_F2I,
      SGPU_OP_F2U, SGPU_OP_IDIV, SGPU_OP_UDIV, SGPU_OP_IREM, SGPU_OP_UMOD, SGPU_OP_SEL,
      SGPU_OP_DP2, SGPU_OP_DP3,  SGPU_OP_DP4,  SGPU_OP_DPH,
   };
   struct test_worker *tw = test_worker_create();
   struct code *code = malloc(sizeof(*code));
   struct warp *warp = calloc(1, sizeof(*warp));
   struct level levels[MAX_LEVELS];
   const unsigned num_levels = test_levels(levels);
   struct rng r = { 22 };
   const char *error;

   warp->active = warp->live = ~0u;
   for (unsigned n = 0; n < 2 * sizeof(ops) / sizeof(ops[0]); n++) {
      const struct row row = { .op = ops[n / 2] };
      struct sgpu_instr i = build(&row);
      const bool zmul = n & 1;
      if (zmul && !(sgpu_opcode_info(i.opcode)->flags & SGPU_OPF_ZMUL))
         continue;
      i.zmul = zmul;
      code_init(code, SGPU_STAGE_VERTEX);
      code_add(code, i);
      struct sgd_shader *shader = code_load(code, &error);
      assert_non_null(shader);
      const bool scalar = sgpu_opcode_info(i.opcode)->src_scalar;
      for (unsigned round = 0; round < 300; round++) {
         for (unsigned k = 0; k < 3 * 4 * SGD_WARP; k++)
            warp->in[k / (4 * SGD_WARP)].c[k / SGD_WARP % 4][k % SGD_WARP] =
               rng_chance(&r, 30) ? draw_one(&r, FLOAT_WIDE) : rng_value(&r);
         for (unsigned v = 0; v < num_levels; v++) {
            test_run(tw, &levels[v], shader, warp);
            for (unsigned c = 0; c < (scalar ? 1 : 4); c++) {
               for (unsigned l = 0; l < SGD_WARP; l++) {
                  const uint32_t in[3] = { warp->in[0].c[c][l], warp->in[1].c[c][l],
                                           warp->in[2].c[c][l] };
                  const bool dot = sgpu_opcode_info(i.opcode)->kind == SGPU_KIND_DOT;
                  const uint32_t want = dot ? oracle_dot(&i, warp, l) : oracle(&i, in);
                  const uint32_t got = warp->out[0].c[c][l];
                  if (got != want)
                     fail_msg("%s%s(%08x, %08x, %08x) on %s: %08x, should be %08x",
                              sgpu_opcode_info(i.opcode)->name, i.zmul ? " zmul" : "", in[0], in[1],
                              in[2], levels[v].name, got, want);
               }
            }
         }
      }
      sgd_shader_destroy(shader);
   }
   free(warp);
   free(code);
   test_worker_destroy(tw);
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_nir),
      cmocka_unit_test(test_exceptions),
   };
   return cmocka_run_group_tests(tests, NULL, NULL);
}
