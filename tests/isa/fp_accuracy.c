/* SPDX-License-Identifier: MIT */

/*
 * Measures the accuracy, reproducibility and cost of the arithmetic in src/isa/sgpu_fp.h.
 *
 *    gcc -std=c11 -O3 -ffp-contract=off -fno-math-errno -fno-trapping-math -march=x86-64-v3 \
 *       -Isrc/isa -Itests/isa tests/isa/fp_accuracy.c tests/isa/fp_lanes_hw.c \
 *       tests/isa/fp_lanes_soft.c -lm -o fp_accuracy
 *
 *    fp_accuracy [--quick] [--soft] [all | table | range | hash | fullhash | bench]
 *
 * table: tests every float in the intervals of Table 1 of Lindholm 2008 and reports whether the
 *    figures of the table are met.  --quick tests one of 61 floats.
 * range: tests samples of the rest of the input range.
 * hash: prints one hash per function over sampled inputs, to compare hosts and builds.  --quick
 *    uses a 16th of the inputs.  fullhash: uses all 2^32 inputs of each function with one operand.
 * bench: measures the time of each function per warp of 32 lanes.
 *
 * Without an argument, table, range and hash run.  --soft measures the functions that flush
 * explicitly.  The exit status is 1 if a bound is missed.
 */

#define _POSIX_C_SOURCE 199309L

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "fp_lanes.h"

#define BLOCK_WARPS 32
#define BLOCK (BLOCK_WARPS * FP_LANES)

static const struct fp_lanes *lanes = &fp_lanes_hw;
static bool failed;

static const struct fp_lanes_op *
find_op(const char *name)
{
   for (unsigned i = 0; i < lanes->num_ops; i++) {
      if (!strcmp(lanes->ops[i].name, name))
         return &lanes->ops[i];
   }
   fprintf(stderr, "no operation %s\n", name);
   exit(2);
}

/* Computes d[i] = op(a[i], b[i]) for a block.  The references must run outside of the device's
 * floating-point mode.
 */
static void
run_block(const struct fp_lanes_op *op, uint32_t *d, const uint32_t *a, const uint32_t *b)
{
   static uint32_t s[8][FP_LANES];
   const uint64_t saved = lanes->enter();
   for (unsigned w = 0; w < BLOCK; w += FP_LANES) {
      memcpy(s[0], a + w, sizeof(s[0]));
      if (b)
         memcpy(s[1], b + w, sizeof(s[1]));
      op->fn(d + w, (const uint32_t(*)[FP_LANES])s);
   }
   lanes->leave(saved);
}

/*
 * References.  The double functions of libm have errors of about 2^-52.  If this could affect how
 * a result is rounded, the long double function is used.
 */

struct ref {
   const char *op;
   double (*d)(double);
   long double (*l)(long double);
};

static double
rcp_d(double x)
{
   return 1.0 / x;
}
static long double
rcp_l(long double x)
{
   return 1.0L / x;
}
static double
rsq_d(double x)
{
   return 1.0 / sqrt(x);
}
static long double
rsq_l(long double x)
{
   return 1.0L / sqrtl(x);
}

static const struct ref ref_rcp = { "frcp", rcp_d, rcp_l };
static const struct ref ref_rsq = { "frsq", rsq_d, rsq_l };
static const struct ref ref_sqrt = { "fsqrt", sqrt, sqrtl };
static const struct ref ref_ex2 = { "fex2", exp2, exp2l };
static const struct ref ref_lg2 = { "flg2", log2, log2l };
static const struct ref ref_sin = { "fsin", sin, sinl };
static const struct ref ref_cos = { "fcos", cos, cosl };

/* Returns the float nearest to the exact value, of which d is an approximation. */
static float
round_ref(const struct ref *ref, double x, double d)
{
   uint64_t u;
   memcpy(&u, &d, sizeof(u));
   /* The lower 29 bits are rounded off.  In a tie, only the highest of them is set. */
   const uint32_t tail = u & 0x1fffffff;
   if (tail - 0x0ffffff8u <= 16u)
      return (float)ref->l(x);
   return (float)d;
}

struct stats {
   uint64_t n;
   double abs_err, abs_at;
   double ulp_err, ulp_at;
   uint64_t uniform, uniform_exact;
   /* Number of neighbouring inputs whose results are in the wrong order. */
   uint64_t falls;
   uint32_t fall_at;
};

/* Returns an error in units in the last place of a float in d's binade. */
static inline double
ulp_error(double err, double d)
{
   uint64_t u;
   memcpy(&u, &d, sizeof(u));
   const int e = (int)((u >> 52) & 0x7ff) - 1023;
   /* Results below 2^-126 are zero by definition. */
   if (e < -126)
      return 0;
   const uint64_t inv = (uint64_t)(1023 - (e - 23)) << 52;
   double scale;
   memcpy(&scale, &inv, sizeof(scale));
   return err * scale;
}

/*
 * Measures all floats from lo to hi (bits, without hi, same sign), or one of every `step`.
 * uniform: exactly rounded results are counted over multiples of 1 / uniform.
 * direction: 1 for an increasing function, -1 for a decreasing one, 0 for neither.
 */
static struct stats
measure(const struct ref *ref, uint32_t lo, uint32_t hi, uint32_t step, double uniform,
        int direction)
{
   const struct fp_lanes_op *op = find_op(ref->op);
   struct stats st = { 0 };
   static uint32_t a[BLOCK], d[BLOCK];
   float last = NAN;
   const bool negative = lo >> 31;

   for (uint64_t base = lo; base < hi; base += (uint64_t)BLOCK * step) {
      unsigned count = 0;
      for (unsigned i = 0; i < BLOCK; i++) {
         const uint64_t u = base + (uint64_t)i * step;
         a[i] = u < hi ? (uint32_t)u : lo;
         count += u < hi;
      }
      run_block(op, d, a, NULL);

      for (unsigned i = 0; i < count; i++) {
         const float x = bits2f(a[i]), y = bits2f(d[i]);
         const double exact = ref->d(x);
         const double err = fabs((double)y - exact);
         if (err > st.abs_err) {
            st.abs_err = err;
            st.abs_at = x;
         }
         const double u = ulp_error(err, exact);
         if (u > st.ulp_err) {
            st.ulp_err = u;
            st.ulp_at = x;
         }
         if (uniform != 0) {
            const double k = (double)x * uniform;
            if (k == (double)(int64_t)k) {
               st.uniform++;
               st.uniform_exact += round_ref(ref, x, exact) == y;
            }
         }
         const float rise = (negative ? last - y : y - last) * (float)direction;
         if (rise < 0.0f) {
            st.falls++;
            st.fall_at = a[i];
         }
         last = y;
      }
      st.n += count;
   }
   return st;
}

static double
good_bits(double err)
{
   return err > 0 ? -log2(err) : INFINITY;
}

/* A row of Table 1 of Lindholm 2008.  Figures that the table does not have are zero. */
struct row {
   const struct ref *ref;
   const char *label, *interval;
   /* Interval of inputs, without hi. */
   float lo, hi;
   /* Reciprocal of the spacing of evenly spaced inputs. */
   double uniform;
   int direction;
   double bits, ulp, exact;
};

static const struct row table[] = {
   { &ref_rcp, "1/x", "[1, 2)", 1, 2, 0x1p23, -1, 24.02, 0.98, 87 },
   { &ref_rsq, "1/sqrt(x)", "[1, 4)", 1, 4, 0x1p22, -1, 23.40, 1.52, 78 },
   { &ref_ex2, "2^x", "[0, 1)", 0, 1, 0x1p24, 1, 22.51, 1.41, 74 },
   { &ref_lg2, "log2(x)", "[1, 2)", 1, 2, 0x1p23, 1, 22.57, 0, 0 },
   { &ref_sin, "sin(x)", "[0, pi/2)", 0, 0x1.921fb6p0f, 0x1p23, 0, 22.47, 0, 0 },
   { &ref_cos, "cos(x)", "[0, pi/2)", 0, 0x1.921fb6p0f, 0x1p23, 0, 22.47, 0, 0 },
   { &ref_sin, "sin(x)", "[pi/2, pi]", 0x1.921fb6p0f, 0x1.921fb8p1f, 0x1p22, 0, 22.47, 0, 0 },
   { &ref_cos, "cos(x)", "[pi/2, pi]", 0x1.921fb6p0f, 0x1.921fb8p1f, 0x1p22, 0, 22.47, 0, 0 },
};

static void
run_table(uint32_t step)
{
   printf("%-10s %-11s %11s  %9s %9s %8s %9s   Table 1\n", "function", "interval", "floats",
          "good bits", "max ulp", "% exact", "monotonic");
   for (unsigned i = 0; i < sizeof(table) / sizeof(table[0]); i++) {
      const struct row *r = &table[i];
      /* The order of neighbours is only meaningful without gaps, so --quick does not test it. */
      const struct stats st = measure(r->ref, f2bits(r->lo), f2bits(r->hi), step, r->uniform,
                                      r->direction);
      const double exact = 100.0 * (double)st.uniform_exact / (double)st.uniform;
      char mono[32] = "n/a";
      if (r->direction && st.falls)
         snprintf(mono, sizeof(mono), "%" PRIu64 " falls", st.falls);
      else if (r->direction)
         snprintf(mono, sizeof(mono), "yes");

      printf("%-10s %-11s %11" PRIu64 "  %9.2f %9.3f %8.2f %9s   %.2f", r->label, r->interval, st.n,
             good_bits(st.abs_err), st.ulp_err, exact, mono, r->bits);
      if (r->ulp != 0)
         printf(" %.2f %.0f%%", r->ulp, r->exact);

      const bool ok = good_bits(st.abs_err) >= r->bits && (r->ulp == 0 || st.ulp_err <= r->ulp) &&
                      exact >= r->exact && (!r->direction || !st.falls);
      printf("  %s\n", ok ? "ok" : "BELOW");
      failed |= !ok;
      fflush(stdout);
   }
}

/*
 * The rest of the range.
 */

static void
verdict(const char *what, double value, double limit, bool ok)
{
   printf("   %-52s %10.3f (limit %.3f) %s\n", what, value, limit, ok ? "ok" : "BELOW");
   failed |= !ok;
}

static void
range_ulp(const struct ref *ref, const char *what, float lo, float hi, uint32_t step, double limit)
{
   const uint32_t a = f2bits(lo), b = f2bits(hi);
   const struct stats st = a < b ? measure(ref, a, b, step, 0, 0) : measure(ref, b, a, step, 0, 0);
   verdict(what, st.ulp_err, limit, st.ulp_err <= limit);
}

static void
range_bits(const struct ref *ref, const char *what, float lo, float hi, uint32_t step, double limit)
{
   const struct stats st = measure(ref, f2bits(lo), f2bits(hi), step, 0, 0);
   const double bits = good_bits(st.abs_err);
   verdict(what, bits, limit, bits >= limit);
}

/* Compares f(-x) with f(x) for all x, bit by bit: sine must be odd, cosine even. */
static void
symmetry(const char *name, uint32_t flip, uint32_t step)
{
   const struct fp_lanes_op *op = find_op(name);
   static uint32_t a[BLOCK], b[BLOCK], da[BLOCK], db[BLOCK];
   uint64_t bad = 0;
   for (uint64_t base = 0; base <= 0x7f800000u; base += (uint64_t)BLOCK * step) {
      for (unsigned i = 0; i < BLOCK; i++) {
         const uint64_t u = base + (uint64_t)i * step;
         a[i] = u < 0x7f800000u ? (uint32_t)u : 0;
         b[i] = a[i] | 0x80000000u;
      }
      run_block(op, da, a, NULL);
      run_block(op, db, b, NULL);
      for (unsigned i = 0; i < BLOCK; i++) {
         bad += db[i] != (da[i] ^ flip);
         bad += (da[i] & 0x7fffffffu) > 0x3f800000u;
      }
   }
   printf("   %-52s %10" PRIu64 " %s\n",
          flip ? "odd and within [-1, 1], violations" : "even and within [-1, 1], violations", bad,
          bad ? "BELOW" : "ok");
   failed |= bad != 0;
}

/* Prints the largest relative error of pow, in bits, of n random pairs of inputs. */
static void
range_pow(const char *what, float xlo, float xhi, float ylo, float yhi, unsigned n, double limit)
{
   const struct fp_lanes_op *op = find_op("fpow");
   static uint32_t a[BLOCK], b[BLOCK], d[BLOCK];
   uint64_t rng = 0x9e3779b97f4a7c15u;
   double worst = 0;
   for (unsigned k = 0; k < n; k += BLOCK) {
      for (unsigned i = 0; i < BLOCK; i++) {
         rng = rng * 6364136223846793005u + 1442695040888963407u;
         a[i] = f2bits(xlo + (xhi - xlo) * (float)(rng >> 40) * 0x1p-24f);
         rng = rng * 6364136223846793005u + 1442695040888963407u;
         b[i] = f2bits(ylo + (yhi - ylo) * (float)(rng >> 40) * 0x1p-24f);
      }
      run_block(op, d, a, b);
      for (unsigned i = 0; i < BLOCK; i++) {
         const double exact = pow(bits2f(a[i]), bits2f(b[i]));
         if (exact < 0x1p-126 || exact >= 0x1p128)
            continue;
         const double e = fabs(bits2f(d[i]) - exact) / exact;
         worst = e > worst ? e : worst;
      }
   }
   verdict(what, good_bits(worst), limit, good_bits(worst) >= limit);
}

static void
run_range(bool quick)
{
   const uint32_t step = quick ? 997 : 17;
   printf("\nfull range (one float in %" PRIu32 ")\n", step);
   printf(" frcp\n");
   range_ulp(&ref_rcp, "x in [2^-126, 2^126], ulp", 0x1p-126f, 0x1p126f, step, 0.5000001);
   printf(" fsqrt\n");
   range_ulp(&ref_sqrt, "x in [2^-126, inf), ulp", 0x1p-126f, INFINITY, step, 0.5000001);
   printf(" frsq\n");
   range_ulp(&ref_rsq, "x in [2^-126, inf), ulp", 0x1p-126f, INFINITY, step, 1.0);
   printf(" fex2\n");
   range_ulp(&ref_ex2, "x in [2^-30, 128), ulp", 0x1p-30f, 128, step, 1.41);
   range_ulp(&ref_ex2, "x in (-126, -2^-30], ulp", -126, -0x1p-30f, step, 1.41);
   printf(" flg2\n");
   range_ulp(&ref_lg2, "x in [2^-126, 1/2), ulp", 0x1p-126f, 0.5f, step, 2);
   range_ulp(&ref_lg2, "x in [1/2, 1), ulp", 0.5f, 1, quick ? step : 1, 2);
   range_ulp(&ref_lg2, "x in [1, 2), ulp", 1, 2, quick ? step : 1, 2);
   range_ulp(&ref_lg2, "x in [2, inf), ulp", 2, INFINITY, step, 2);
   for (unsigned i = 0; i < 2; i++) {
      const struct ref *ref = i ? &ref_cos : &ref_sin;
      printf(" %s\n", ref->op);
      range_bits(ref, "|x| up to 2^20, good bits", 0, 0x1p20f, step, 22.47);
      range_bits(ref, "|x| from 2^20 to 2^24, good bits", 0x1p20f, 0x1p24f, step, 22.47);
      range_bits(ref, "|x| from 2^24 to 2^28, good bits", 0x1p24f, 0x1p28f, step, 22.47);
      symmetry(ref->op, i ? 0 : 0x80000000u, quick ? step : 1);
   }
   printf(" fsin\n");
   range_ulp(&ref_sin, "|x| up to pi, ulp", 0x1p-30f, 3.14159f, step, 2);
   printf(" fpow\n");
   const unsigned n = quick ? 1u << 18 : 1u << 22;
   range_pow("x in [0, 1], y in [0, 1], relative, good bits", 0, 1, 0, 1, n, 17);
   range_pow("x in [0.5, 1], y in [0, 128], relative, good bits", 0.5f, 1, 0, 128, n, 16);
   range_pow("x in [0, 8], y in [0, 4], relative, good bits", 0, 8, 0, 4, n, 17);
}

/*
 * Hashes.
 */

/* Inputs for which implementations are most likely to differ. */
static const uint32_t corners[] = {
   0x00000000, 0x00000001, 0x00400000, 0x007fffff, 0x00800000, 0x00800001, 0x00ffffff, 0x01000000,
   0x1fffffff, 0x20000000, 0x33800000, 0x387fe000, 0x38800000, 0x3effffff, 0x3f000000, 0x3f000001,
   0x3f3504f3, 0x3f7fffff, 0x3f800000, 0x3f800001, 0x3fb504f3, 0x3fc00000, 0x40000000, 0x40490fdb,
   0x42fe0000, 0x43000000, 0x477fe000, 0x477ff000, 0x4affffff, 0x4b000001, 0x4effffff, 0x4f000000,
   0x4f7fffff, 0x4f800000, 0x5f000000, 0x7e800000, 0x7effffff, 0x7f000000, 0x7f7fffff, 0x7f800000,
   0x7f800001, 0x7fc00000, 0x7fffffff,
};
#define NUM_CORNERS (sizeof(corners) / sizeof(corners[0]))

static uint64_t
finish_hash(const uint32_t h[FP_LANES])
{
   uint64_t r = 0xcbf29ce484222325u;
   for (unsigned i = 0; i < FP_LANES; i++)
      r = (r ^ h[i]) * 0x100000001b3u;
   return r;
}

static uint64_t rng_state;

/* Returns random bits, a corner case or a neighbour of a corner case. */
static uint32_t
random_operand(void)
{
   rng_state = rng_state * 6364136223846793005u + 1442695040888963407u;
   const uint32_t r = (uint32_t)(rng_state >> 32);
   const uint32_t kind = (uint32_t)(rng_state >> 28) & 7;
   const uint32_t c = corners[r % NUM_CORNERS];
   if (kind == 0)
      return c | (r & 0x80000000u);
   if (kind == 1)
      return c + (r >> 8) % 9 - 4 + (r & 0x80000000u);
   if (kind <= 4) /* moderate exponents, so that sums and products stay finite */
      return (r & 0x807fffffu) | ((100u + (r >> 23) % 54u) << 23);
   return r;
}

static uint64_t
hash_op(const struct fp_lanes_op *op, uint64_t first, uint64_t last, uint64_t step)
{
   uint32_t h[FP_LANES] = { 0 }, s[8][FP_LANES], d[FP_LANES];
   const uint64_t saved = lanes->enter();
   rng_state = 0x853c49e6748fea9bu;
   for (uint64_t u = first; u < last; u += step * FP_LANES) {
      if (op->num_srcs == 1) {
         for (unsigned i = 0; i < FP_LANES; i++)
            s[0][i] = (uint32_t)(u + i * step);
      } else {
         for (unsigned k = 0; k < op->num_srcs; k++) {
            for (unsigned i = 0; i < FP_LANES; i++)
               s[k][i] = random_operand();
         }
      }
      op->fn(d, (const uint32_t(*)[FP_LANES])s);
      for (unsigned i = 0; i < FP_LANES; i++)
         h[i] = (h[i] ^ d[i]) * 0x01000193u;
   }
   lanes->leave(saved);
   return finish_hash(h);
}

/* Hashes every step-th input.  A prime step reaches every alignment of exponents and mantissas. */
static void
run_hash(const char *inputs, uint64_t step)
{
   uint64_t all = 0;
   printf("\nhashes (%s)\n", inputs);
   for (unsigned i = 0; i < lanes->num_ops; i++) {
      const struct fp_lanes_op *op = &lanes->ops[i];
      if (step == 1 && op->num_srcs != 1)
         continue;
      const uint64_t h = hash_op(op, 0, 1ull << 32, step);
      printf("   %-8s %016" PRIx64 "\n", op->name, h);
      all = (all ^ h) * 0x100000001b3u;
      fflush(stdout);
   }
   printf("   %-8s %016" PRIx64 "\n", "all", all);
}

/*
 * Cost.
 */

static double
now(void)
{
   struct timespec ts;
   clock_gettime(CLOCK_MONOTONIC, &ts);
   return (double)ts.tv_sec + 1e-9 * (double)ts.tv_nsec;
}

static void
run_bench(void)
{
   static uint32_t s[8][FP_LANES], d[FP_LANES];
   printf("\nns per warp of %d lanes, operands in the first-level cache\n", FP_LANES);
   for (unsigned i = 0; i < lanes->num_ops; i++) {
      const struct fp_lanes_op *op = &lanes->ops[i];
      for (unsigned k = 0; k < 8; k++) {
         for (unsigned l = 0; l < FP_LANES; l++)
            s[k][l] = f2bits(0.37f + 0.61f * (float)l + (float)k);
      }
      const uint64_t saved = lanes->enter();
      double best = 1e9;
      for (unsigned rep = 0; rep < 15; rep++) {
         const unsigned n = 20000;
         const double start = now();
         for (unsigned j = 0; j < n; j++)
            op->fn(d, (const uint32_t(*)[FP_LANES])s);
         const double t = (now() - start) / n;
         best = t < best ? t : best;
      }
      lanes->leave(saved);
      printf("   %-8s %7.1f\n", op->name, best * 1e9);
   }
}

int
main(int argc, char **argv)
{
   bool quick = false, any = false;
   const char *what = "default";
   for (int i = 1; i < argc; i++) {
      if (!strcmp(argv[i], "--quick")) {
         quick = true;
      } else if (!strcmp(argv[i], "--soft")) {
         lanes = &fp_lanes_soft;
      } else if (argv[i][0] != '-' && !any) {
         what = argv[i];
         any = true;
      } else {
         fprintf(stderr, "usage: fp_accuracy [--quick] [--soft] "
                         "[all | table | range | hash | fullhash | bench]\n");
         return 2;
      }
   }

   const uint64_t saved = lanes->enter();
   const bool ok = lanes->check();
   lanes->leave(saved);
   if (!ok) {
      fprintf(stderr, "fp_accuracy: floating-point mode or build flags are wrong\n");
      return 1;
   }

   const bool all = !strcmp(what, "all"), def = !any;
   if (all || def || !strcmp(what, "table"))
      run_table(quick ? 61 : 1);
   if (all || def || !strcmp(what, "range"))
      run_range(quick);
   if (all || def || !strcmp(what, "hash"))
      run_hash(quick ? "quick" : "sampled", quick ? 16381 : 1021);
   if (all || !strcmp(what, "fullhash"))
      run_hash("all 2^32 inputs", 1);
   if (all || !strcmp(what, "bench"))
      run_bench();
   return failed ? 1 : 0;
}
