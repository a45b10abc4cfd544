/* SPDX-License-Identifier: MIT */
/*
 * Tests operations over subgroups on 64-bit values, which are compiled and run in a branch and after
 * it.  Results are compared with those of the operation on the set of active lanes.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "compiler/nir/nir_builder.h"
#include "run_shader.h"

enum way_of { REDUCE, CLUSTER_4, CLUSTER_16, UPTO, BEFORE, NUM_WAYS };

static const nir_op reductions[] = {
   nir_op_iadd, nir_op_imul, nir_op_fadd, nir_op_fmul, nir_op_imin, nir_op_umin, nir_op_fmin,
   nir_op_imax, nir_op_umax, nir_op_fmax, nir_op_iand, nir_op_ior,  nir_op_ixor,
};

enum other { SHUFFLE, SHUFFLE_XOR, READ, READ_FIRST, QUAD_SWAP, VOTE_IEQ, VOTE_FEQ, NUM_OTHERS };

static bool
is_float(nir_op op)
{
   return nir_op_infos[op].output_type == nir_type_float;
}

static double
to_double(uint64_t bits)
{
   double value;
   memcpy(&value, &bits, sizeof value);
   return value;
}

static uint64_t
from_double(double value)
{
   uint64_t bits;
   memcpy(&bits, &value, sizeof bits);
   return bits;
}

static uint64_t
combine(nir_op op, uint64_t a, uint64_t b)
{
   switch (op) {
   case nir_op_iadd:
      return a + b;
   case nir_op_imul:
      return a * b;
   case nir_op_fadd:
      return from_double(to_double(a) + to_double(b));
   case nir_op_fmul:
      return from_double(to_double(a) * to_double(b));
   case nir_op_imin:
      return (int64_t)a < (int64_t)b ? a : b;
   case nir_op_umin:
      return a < b ? a : b;
   case nir_op_fmin:
      return to_double(a) < to_double(b) ? a : b;
   case nir_op_imax:
      return (int64_t)a > (int64_t)b ? a : b;
   case nir_op_umax:
      return a > b ? a : b;
   case nir_op_fmax:
      return to_double(a) > to_double(b) ? a : b;
   case nir_op_iand:
      return a & b;
   case nir_op_ior:
      return a | b;
   case nir_op_ixor:
      return a ^ b;
   default:
      abort();
   }
}

static uint64_t
identity(nir_op op)
{
   switch (op) {
   case nir_op_imul:
      return 1;
   case nir_op_fmul:
      return from_double(1.0);
   case nir_op_imin:
      return INT64_MAX;
   case nir_op_umin:
   case nir_op_iand:
      return UINT64_MAX;
   case nir_op_fmin:
      return from_double(INFINITY);
   case nir_op_imax:
      return (uint64_t)INT64_MIN;
   case nir_op_fmax:
      return from_double(-INFINITY);
   default:
      return 0;
   }
}

static unsigned
cluster_of(enum way_of way)
{
   return way == CLUSTER_4 ? 4 : way == CLUSTER_16 ? 16 : 32;
}

static uint64_t
reduced(nir_op op, enum way_of way, const uint64_t *value, uint32_t lanes, unsigned l)
{
   const unsigned size = cluster_of(way), from = l / size * size;
   const unsigned end = way == UPTO ? l + 1 : way == BEFORE ? l : from + size;
   uint64_t result = identity(op);
   bool any = false;

   for (unsigned k = from; k < end; k++) {
      if (!(lanes >> k & 1))
         continue;
      result = any ? combine(op, result, value[k]) : value[k];
      any = true;
   }
   return result;
}

static nir_def *
build_reduction(nir_builder *b, nir_op op, enum way_of way, nir_def *value)
{
   switch (way) {
   case UPTO:
      return nir_inclusive_scan(b, value, .reduction_op = op);
   case BEFORE:
      return nir_exclusive_scan(b, value, .reduction_op = op);
   default:
      return nir_reduce(b, value, .reduction_op = op,
                        .cluster_size = way == REDUCE ? 0 : cluster_of(way));
   }
}

static nir_def *
build_other(nir_builder *b, enum other op, nir_def *value, nir_def *number)
{
   switch (op) {
   case SHUFFLE:
      return nir_shuffle(b, value, number);
   case SHUFFLE_XOR:
      return nir_shuffle_xor(b, value, nir_imm_int(b, 9));
   case READ:
      return nir_read_invocation(b, value, nir_imm_int(b, 4));
   case READ_FIRST:
      return nir_read_first_invocation(b, value);
   case QUAD_SWAP:
      return nir_quad_swap_vertical(b, value);
   case VOTE_IEQ:
      return nir_b2i64(b, nir_vote_ieq(b, 1, value));
   default:
      return nir_b2i64(b, nir_vote_feq(b, 1, value));
   }
}

/* Returns the lane that the operation in lane l reads, or l if it reads none in particular. */
static unsigned
source_lane(enum other op, const uint32_t *number, unsigned l)
{
   switch (op) {
   case SHUFFLE:
      return number[l];
   case SHUFFLE_XOR:
      return l ^ 9;
   case READ:
      return 4;
   case QUAD_SWAP:
      return l ^ 2;
   default:
      return l;
   }
}

/* Returns true if the operation reads a lane that is not in `lanes`.  In a branch, the result is then
 * undefined, because the operation may be moved before the branch.
 */
static bool
reads_other_lane(unsigned op, const uint32_t *number, uint32_t lanes, unsigned l)
{
   const unsigned from = op < NUM_OTHERS ? source_lane(op, number, l) : l;

   return from >= 32 || !(lanes >> from & 1);
}

static uint64_t
moved(enum other op, const uint64_t *value, const uint32_t *number, uint32_t lanes, unsigned l)
{
   const unsigned first = (unsigned)__builtin_ctz(lanes);
   bool same = true, equal = true;

   for (unsigned k = 0; k < 32; k++) {
      if (lanes >> k & 1) {
         same &= value[k] == value[first];
         equal &= to_double(value[k]) == to_double(value[first]);
      }
   }
   const unsigned from = op == READ_FIRST ? first : source_lane(op, number, l);
   if (op >= VOTE_IEQ)
      return op == VOTE_IEQ ? same : equal;
   return from < 32 && lanes >> from & 1 ? value[from] : 0;
}

static nir_variable *
output(nir_builder *b, unsigned location)
{
   nir_variable *var = nir_variable_create(b->shader, nir_var_shader_out, glsl_uvec4_type(), "out");
   var->data.location = location;
   return var;
}

/* Makes a shader.  COLR0.xy has the result of the operation in the lanes whose in.w is set, and
 * COLR0.zw its result after the branch.
 */
static nir_shader *
make_shader(unsigned n)
{
   nir_builder builder = nir_builder_init_simple_shader(MESA_SHADER_FRAGMENT, &sgpu_nir_options,
                                                        "wide subgroup"),
               *b = &builder;
   nir_variable *in = nir_variable_create(b->shader, nir_var_shader_in, glsl_uvec4_type(), "in");
   in->data.location = VARYING_SLOT_VAR0;
   in->data.interpolation = INTERP_MODE_FLAT;

   nir_def *all = nir_load_var(b, in), *result[2];
   nir_def *value = nir_pack_64_2x32_split(b, nir_channel(b, all, 0), nir_channel(b, all, 1));
   nir_def *zero = nir_imm_int64(b, 0);
   nir_if *branch = NULL;
   for (unsigned i = 0; i < 2; i++) {
      if (i == 0)
         branch = nir_push_if(b, nir_ine_imm(b, nir_channel(b, all, 3), 0));
      result[i] = n < NUM_WAYS * ARRAY_SIZE(reductions)
                     ? build_reduction(b, reductions[n / NUM_WAYS], n % NUM_WAYS, value)
                     : build_other(b, n - NUM_WAYS * ARRAY_SIZE(reductions), value,
                                   nir_channel(b, all, 2));
      if (i == 0) {
         nir_pop_if(b, branch);
         result[0] = nir_if_phi(b, result[0], zero);
      }
   }
   nir_store_var(b, output(b, FRAG_RESULT_DATA0),
                 nir_vec4(b, nir_unpack_64_2x32_split_x(b, result[0]),
                          nir_unpack_64_2x32_split_y(b, result[0]),
                          nir_unpack_64_2x32_split_x(b, result[1]),
                          nir_unpack_64_2x32_split_y(b, result[1])),
                 15);
   nir_shader_gather_info(b->shader, b->impl);
   sgpu_finalize_nir(b->shader);
   return b->shader;
}

/* Returns a value for operation n: a number whose products and sums are no NaN, or any bits. */
static uint64_t
draw_value(struct rng *r, unsigned n)
{
   const bool floats = n < NUM_WAYS * ARRAY_SIZE(reductions)
                          ? is_float(reductions[n / NUM_WAYS])
                          : n == NUM_WAYS * ARRAY_SIZE(reductions) + VOTE_FEQ;
   if (floats)
      return from_double(((int)rng_below(r, 2000001) - 1000000) / 1048576.0 *
                         (1 + rng_below(r, 3)));
   return (uint64_t)rng_u32(r) << 32 | rng_u32(r);
}

static void
check_way(struct test_worker *tw, unsigned n, nir_shader *nir, const struct way *way)
{
   struct level levels[MAX_LEVELS];
   const unsigned num_levels = test_levels(levels), other = NUM_WAYS * ARRAY_SIZE(reductions);
   struct loaded loaded = load_shader(NULL, nir, way);
   struct warp *warp = calloc(1, sizeof(*warp));
   struct rng r = { 7 + n };
   const int in = input_register(&loaded, VARYING_SLOT_VAR0);

   assert_true(in >= 0);
   for (unsigned round = 0; round < 12; round++) {
      uint64_t value[32];
      uint32_t number[32], side = 0;
      memset(warp, 0, sizeof(*warp));
      for (unsigned l = 0; l < 32; l++) {
         value[l] = n >= other + VOTE_IEQ && round & 1 && l ? value[0] : draw_value(&r, n);
         number[l] = rng_below(&r, 34);
         side |= (uint32_t)rng_chance(&r, round % 3 * 50) << l;
         warp->in[in].c[0][l] = (uint32_t)value[l];
         warp->in[in].c[1][l] = (uint32_t)(value[l] >> 32);
         warp->in[in].c[2][l] = number[l];
         warp->in[in].c[3][l] = side >> l & 1;
         warp->sys[SGPU_SYS_LANE].c[0][l] = l;
      }
      warp->active = warp->live = round % 4 ? rng_u32(&r) | 1u << round : ~0u;
      for (unsigned v = 0; v < num_levels; v++) {
         test_run(tw, &levels[v], loaded.device, warp);
         assert_true(warp->ok);
         for (unsigned l = 0; l < 32; l++) {
            for (unsigned i = 0; i < 2; i++) {
               const uint32_t lanes = warp->active & (i ? ~0u : side);
               if (!(warp->active >> l & 1) ||
                   (i == 0 && reads_other_lane(n - other, number, lanes, l)))
                  continue;
               const uint64_t want = !(lanes >> l & 1) ? 0
                                     : n < other ? reduced(reductions[n / NUM_WAYS], n % NUM_WAYS,
                                                           value, lanes, l)
                                                 : moved(n - other, value, number, lanes, l);
               const uint64_t got = warp->out[SGPU_PO_COLR0].c[2 * i][l] |
                                    (uint64_t)warp->out[SGPU_PO_COLR0].c[2 * i + 1][l] << 32;
               if (got == want)
                  continue;
               print_listing(&loaded);
               fail_msg("operation %u, %s, %s: lane %u of %08x: result %u is %016llx, should be "
                        "%016llx",
                        n, way->name, levels[v].name, l, lanes, i, (unsigned long long)got,
                        (unsigned long long)want);
            }
         }
      }
   }
   free(warp);
   unload_shader(&loaded);
}

static void
operations(void **state)
{
   struct test_worker *tw = test_worker_create();

   glsl_type_singleton_init_or_ref();
   for (unsigned n = 0; n < NUM_WAYS * ARRAY_SIZE(reductions) + NUM_OTHERS; n++) {
      nir_shader *nir = make_shader(n);
      for (unsigned w = 0; w < num_ways; w++)
         check_way(tw, n, nir, &ways[w]);
      ralloc_free(nir);
   }
   glsl_type_singleton_decref();
   test_worker_destroy(tw);
}

int
main(void)
{
   const struct CMUnitTest tests[] = { cmocka_unit_test(operations) };
   return cmocka_run_group_tests(tests, NULL, NULL);
}
