/* SPDX-License-Identifier: MIT */
/*
 * Tests 64-bit arithmetic, compiled and run: random expressions of doubles and integers on both
 * sides of a branch are compared with the functions that define the machine's operations.
 */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "compiler/nir/nir_builder.h"
#include "run_shader.h"
#include "sgpu_fp64.h"
#include "sgpu_int64.h"

#define INPUTS 4
#define NODES 24
#define PROGRAMS 60

/* Returns the integer as if it was stored in a register.  Otherwise, GCC without -ftrapping-math
 * replaces (double)(int)x by the truncation of x, which is -0 for x in (-1, -0].
 */
static int32_t
stored(int32_t i)
{
   __asm__ volatile("" : "+r"(i));
   return i;
}

/* Returns the double infinity if a is negative, or 0 otherwise. It is made of bits, since NIR would
 * fold an operation on a selection of constants.
 */
static nir_def *
zero_or_infinity(nir_builder *n, nir_def *a)
{
   return nir_iand(n, nir_ishr(n, a, nir_imm_int(n, 63)), nir_imm_int64(n, SGPU_FP64_INF_BITS));
}

/* The value in NIR of a, b and c, and the same value in C, of the bits (a) or of the numbers (x,
 * i).
 */
#define OPS(OP)                                                                        \
   OP(nir_fadd(n, a, b), D(sgpu_dadd(x, y)))                                           \
   OP(nir_fsub(n, a, b), D(sgpu_dadd(x, -y)))                                          \
   OP(nir_fmul(n, a, b), D(sgpu_dmul(x, y)))                                           \
   OP(nir_fdiv(n, a, b), D(sgpu_ddiv(x, y)))                                           \
   OP(nir_ffma(n, a, b, c), D(sgpu_dfma(x, y, z)))                                     \
   OP(nir_ffma(n, a, nir_fneg(n, b), c), D(sgpu_dfma(x, -y, z)))                       \
   OP(nir_fsqrt(n, nir_fabs(n, a)), D(sgpu_dsqrt(sgpu_fp64_abs(x))))                   \
   OP(nir_fmin(n, a, b), D(sgpu_dmin(x, y)))                                           \
   OP(nir_fmax(n, a, nir_fneg(n, b)), D(sgpu_dmax(x, -y)))                             \
   OP(nir_ffloor(n, a), D(sgpu_dfloor(x)))                                             \
   OP(nir_fceil(n, a), D(sgpu_dceil(x)))                                               \
   OP(nir_ftrunc(n, a), D(sgpu_dtrunc(x)))                                             \
   OP(nir_fround_even(n, a), D(sgpu_dround(x)))                                        \
   OP(nir_ffract(n, a), D(sgpu_dfract(x)))                                             \
   OP(nir_f2f64(n, nir_f2f32(n, a)), D(sgpu_f2d(sgpu_d2f(x))))                         \
   OP(nir_i2f64(n, nir_f2i32(n, a)), D(sgpu_i2d(stored(sgpu_d2i(x)))))                 \
   OP(nir_u2f64(n, nir_f2u32(n, a)), D(sgpu_u2d(sgpu_d2u(x))))                         \
   OP(nir_f2i64(n, a), (uint64_t)sgpu_d2l(x))                                          \
   OP(nir_u2f64(n, a), D(sgpu_q2d(u)))                                                 \
   OP(nir_bcsel(n, nir_flt(n, a, b), b, c), x < y ? v : w)                             \
   OP(nir_bcsel(n, nir_fge(n, a, b), c, a), x >= y ? w : u)                            \
   OP(nir_bcsel(n, nir_fneu(n, a, b), a, c), x != y ? u : w)                           \
   OP(nir_iadd(n, a, b), u + v)                                                        \
   OP(nir_isub(n, a, b), u - v)                                                        \
   OP(nir_imul(n, a, b), u *v)                                                         \
   OP(nir_ineg(n, a), 0 - u)                                                           \
   OP(nir_iand(n, a, b), u &v)                                                         \
   OP(nir_ior(n, a, b), u | v)                                                         \
   OP(nir_ixor(n, a, nir_inot(n, b)), u ^ ~v)                                          \
   OP(nir_ishl(n, a, nir_unpack_64_2x32_split_x(n, b)), u << (v & 63))                 \
   OP(nir_ushr(n, a, nir_unpack_64_2x32_split_y(n, b)), u >> (v >> 32 & 63))           \
   OP(nir_ishr(n, a, nir_iand_imm(n, nir_u2u32(n, b), 63)),                            \
      (uint64_t)sgpu_lashr((int64_t)u, v & 63))                                        \
   OP(nir_imin(n, a, b), (int64_t)u < (int64_t)v ? u : v)                              \
   OP(nir_umax(n, a, b), u > v ? u : v)                                                \
   OP(nir_bcsel(n, nir_ilt(n, a, b), b, c), (int64_t)u < (int64_t)v ? v : w)           \
   OP(nir_bcsel(n, nir_ult(n, a, b), a, c), u < v ? u : w)                             \
   OP(nir_bcsel(n, nir_uge(n, a, b), c, a), u >= v ? w : u)                            \
   OP(nir_frsq(n, zero_or_infinity(n, a)), D((int64_t)u < 0 ? 0.0 : (double)INFINITY)) \
   OP(nir_pack_64_2x32_split(n, nir_unpack_64_2x32_split_y(n, a),                      \
                             nir_unpack_64_2x32_split_x(n, b)),                        \
      u >> 32 | v << 32)                                                               \
   OP(nir_i2i64(n, nir_u2u32(n, a)), (uint64_t)(int64_t)(int32_t)u)

#define COUNT(build, value) +1
enum { NUM_OPS = 0 OPS(COUNT) };

#define D(number) sgpu_d2bits(number)

struct node {
   unsigned op, src[3];
};

static nir_def *
build(nir_builder *n, unsigned op, nir_def *a, nir_def *b, nir_def *c)
{
   unsigned i = 0;
#define BUILD(build, value) \
   if (op == i++)           \
      return build;
   OPS(BUILD)
#undef BUILD
   abort();
}

/* Computes an operation on the host.  It takes and returns bits, so that the compiler cannot move
 * computations across a change of the floating-point mode.
 */
static uint64_t
evaluate(unsigned op, uint64_t u, uint64_t v, uint64_t w)
{
   const double x = sgpu_bits2d(u), y = sgpu_bits2d(v), z = sgpu_bits2d(w);
   unsigned i = 0;
#define EVALUATE(build, value) \
   if (op == i++)              \
      return value;
   OPS(EVALUATE)
#undef EVALUATE
   abort();
}

static nir_def *
input(nir_builder *b, unsigned n)
{
   nir_variable *var = nir_variable_create(b->shader, nir_var_shader_in, glsl_uvec4_type(), "in");
   var->data.location = VARYING_SLOT_VAR0 + n;
   var->data.interpolation = INTERP_MODE_FLAT;
   return nir_load_var(b, var);
}

static void
output(nir_builder *b, unsigned location, nir_def *one, nir_def *two)
{
   nir_variable *var = nir_variable_create(b->shader, nir_var_shader_out, glsl_uvec4_type(), "out");
   var->data.location = location;
   nir_store_var(b, var,
                 nir_vec4(b, nir_unpack_64_2x32_split_x(b, one), nir_unpack_64_2x32_split_y(b, one),
                          nir_unpack_64_2x32_split_x(b, two), nir_unpack_64_2x32_split_y(b, two)),
                 15);
}

/* Makes a shader with the first half of the nodes.  Where input 0 is negative, the second half
 * follows; elsewhere, only a sum with the last node of the first half.
 */
static nir_shader *
make_shader(const struct node *nodes)
{
   nir_builder shader = nir_builder_init_simple_shader(MESA_SHADER_FRAGMENT, &sgpu_nir_options,
                                                       "wide");
   nir_builder *b = &shader;
   nir_def *value[INPUTS + NODES];

   b->exact = true;
   for (unsigned i = 0; i < INPUTS; i += 2) {
      nir_def *words = input(b, i / 2);
      for (unsigned k = 0; k < 2; k++)
         value[i + k] = nir_pack_64_2x32_split(b, nir_channel(b, words, 2 * k),
                                               nir_channel(b, words, 2 * k + 1));
   }
   for (unsigned i = 0; i < NODES; i++) {
      if (i == NODES / 2)
         nir_push_if(b, nir_ilt(b, value[0], nir_imm_int64(b, 0)));
      const unsigned *src = nodes[i].src;
      value[INPUTS + i] = build(b, nodes[i].op, value[src[0]], value[src[1]], value[src[2]]);
   }
   nir_push_else(b, NULL);
   nir_def *other = nir_iadd(b, value[INPUTS + NODES / 2 - 1], value[1]);
   nir_pop_if(b, NULL);
   output(b, FRAG_RESULT_DATA0, nir_if_phi(b, value[INPUTS + NODES - 1], other),
          nir_if_phi(b, value[INPUTS + NODES - 2], value[2]));
   output(b, FRAG_RESULT_DATA1, value[INPUTS + NODES / 2 - 1], value[INPUTS + NODES / 2 - 2]);
   nir_shader_gather_info(b->shader, b->impl);
   sgpu_finalize_nir(b->shader);
   return b->shader;
}

static uint64_t
random_bits(struct rng *r)
{
   const uint64_t any = (uint64_t)rng_u32(r) << 32 | rng_u32(r);

   switch (rng_below(r, 5)) {
   case 0:
      return (uint64_t)rng_value(r) << 32 | (rng_chance(r, 50) ? rng_value(r) : 0);
   case 1:
      return any >> (1 + rng_below(r, 63)) | (any & SGPU_FP64_SIGN_BIT);
   case 2:
      return D((double)((int)rng_below(r, 200) - 100));
   default:
      return (any & 0x800fffffffffffff) | (uint64_t)(1010 + rng_below(r, 40)) << 52;
   }
}

static bool
is_nan(uint64_t a)
{
   return (a & ~SGPU_FP64_SIGN_BIT) > SGPU_FP64_INF_BITS;
}

/* Computes the expected values of outputs 0 and 1.  Returns false if a value is NaN: Mesa replaces
 * |x| by the maximum of x and -x, so the bits of a NaN are not defined.
 */
static bool
expect(const struct node *nodes, const uint64_t *in, uint64_t want[4])
{
   uint64_t value[INPUTS + NODES];

   memcpy(value, in, INPUTS * sizeof(*in));
   for (unsigned i = 0; i < NODES; i++) {
      const unsigned *src = nodes[i].src;
      value[INPUTS + i] = evaluate(nodes[i].op, value[src[0]], value[src[1]], value[src[2]]);
   }
   for (unsigned i = 0; i < INPUTS + NODES; i++) {
      if (is_nan(value[i]))
         return false;
   }
   const bool then = (int64_t)value[0] < 0;
   const uint64_t half = value[INPUTS + NODES / 2 - 1];
   want[0] = then ? value[INPUTS + NODES - 1] : half + value[1];
   want[1] = then ? value[INPUTS + NODES - 2] : value[2];
   want[2] = half;
   want[3] = value[INPUTS + NODES / 2 - 2];
   return true;
}

static unsigned compared;

static void
check_way(struct test_worker *tw, const struct node *nodes, nir_shader *nir, const struct way *way,
          unsigned seed)
{
   struct level levels[MAX_LEVELS];
   const unsigned num_levels = test_levels(levels);
   struct loaded loaded = load_shader(NULL, nir, way);
   struct warp *warp = calloc(1, sizeof(*warp));
   struct rng r = { seed };

   for (unsigned round = 0; round < 4; round++) {
      uint64_t in[SGD_WARP][INPUTS];
      memset(warp, 0, sizeof(*warp));
      warp->active = warp->live = ~0u;
      for (unsigned l = 0; l < SGD_WARP; l++) {
         for (unsigned i = 0; i < INPUTS; i++) {
            const int reg = input_register(&loaded, VARYING_SLOT_VAR0 + i / 2);
            in[l][i] = random_bits(&r);
            if (reg < 0)
               continue;
            warp->in[reg].c[i % 2 * 2][l] = (uint32_t)in[l][i];
            warp->in[reg].c[i % 2 * 2 + 1][l] = (uint32_t)(in[l][i] >> 32);
         }
      }
      for (unsigned v = 0; v < num_levels; v++) {
         test_run(tw, &levels[v], loaded.device, warp);
         assert_true(warp->ok);
         for (unsigned l = 0; l < SGD_WARP; l++) {
            uint64_t want[4];
            if (!expect(nodes, in[l], want))
               continue;
            compared++;
            for (unsigned o = 0; o < 4; o++) {
               const struct sgd_vec *out = &warp->out[SGPU_PO_COLR0 + o / 2];
               const uint64_t got = sgpu_pair(out->c[o % 2 * 2][l], out->c[o % 2 * 2 + 1][l]);
               if (got == want[o])
                  continue;
               print_listing(&loaded);
               fail_msg("seed %u, %s, %s: lane %u: value %u is %016llx, should be %016llx", seed,
                        way->name, levels[v].name, l, o, (unsigned long long)got,
                        (unsigned long long)want[o]);
            }
         }
      }
   }
   free(warp);
   unload_shader(&loaded);
}

static void
expressions(void **state)
{
   struct test_worker *tw = test_worker_create();
   struct rng r = { 5 };

   glsl_type_singleton_init_or_ref();
   for (unsigned seed = 0; seed < PROGRAMS; seed++) {
      struct node nodes[NODES];
      for (unsigned i = 0; i < NODES; i++) {
         /* Each operation occurs at least twice; the remaining ones are random. */
         const unsigned turn = seed * NODES + i;
         nodes[i].op = turn < 2 * NUM_OPS ? turn % NUM_OPS : rng_below(&r, NUM_OPS);
         for (unsigned s = 0; s < 3; s++) {
            const unsigned known = INPUTS + i;
            nodes[i].src[s] = rng_chance(&r, 60) && i ? known - 1 - rng_below(&r, i < 4 ? i : 4)
                                                      : rng_below(&r, known);
         }
      }
      nir_shader *nir = make_shader(nodes);
      for (unsigned w = 0; w < num_ways; w++)
         check_way(tw, nodes, nir, &ways[w], seed);
      ralloc_free(nir);
   }
   glsl_type_singleton_decref();
   assert_true(compared > 10000);
   test_worker_destroy(tw);
}

int
main(void)
{
   const struct CMUnitTest tests[] = { cmocka_unit_test(expressions) };
   return cmocka_run_group_tests(tests, NULL, NULL);
}
