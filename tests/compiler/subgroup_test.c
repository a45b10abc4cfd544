/* SPDX-License-Identifier: MIT */
/*
 * Tests operations over subgroups, which are compiled and run on both sides of a divergent branch
 * and after it.  Results are compared with those of the operation on each set of lanes.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "compiler/nir/nir_builder.h"
#include "run_shader.h"

enum operation {
   VOTE_ALL,
   VOTE_ANY,
   VOTE_IEQ,
   VOTE_FEQ,
   BALLOT,
   BALLOT_64,
   READ_INVOCATION,
   READ_FIRST,
   ELECT,
   SHUFFLE_XOR,
   QUAD_SWAP,
   REDUCE_IADD,
   REDUCE_UMAX_8,
   REDUCE_OR,
   SCAN_IADD,
   SCAN_BEFORE_XOR,
   LT_MASK,
   VOTE_BOOL_EQ,
   INVERSE_BALLOT,
   BIT_EXTRACT,
   BIT_COUNT,
   BIT_COUNT_UPTO,
   BIT_COUNT_BEFORE,
   FIND_LSB,
   FIND_MSB,
   SHUFFLE_UP,
   SHUFFLE_DOWN,
   SHUFFLE_BOOL,
   QUAD_BROADCAST,
   QUAD_DIAGONAL,
   REDUCE_BOOL_AND,
   REDUCE_BOOL_OR_4,
   SCAN_BOOL_XOR,
   NUM_OPERATIONS,
};

/* Builds the operation.  Value and number are integers. */
static nir_def *
build(nir_builder *b, enum operation op, nir_def *value, nir_def *number)
{
   nir_def *condition = nir_ine_imm(b, nir_iand_imm(b, value, 1), 0);

   switch (op) {
   case VOTE_ALL:
      return nir_b2i32(b, nir_vote_all(b, 1, condition));
   case VOTE_ANY:
      return nir_b2i32(b, nir_vote_any(b, 1, condition));
   case VOTE_IEQ:
      return nir_b2i32(b, nir_vote_ieq(b, 1, nir_iand_imm(b, value, 1)));
   case VOTE_FEQ:
      return nir_b2i32(b, nir_vote_feq(b, 1, nir_i2f32(b, nir_iand_imm(b, value, 1))));
   case BALLOT:
      return nir_ballot(b, 1, 32, condition);
   case BALLOT_64:
      return nir_unpack_64_2x32_split_x(b, nir_ballot(b, 1, 64, condition));
   case READ_INVOCATION:
      return nir_read_invocation(b, value, number);
   case READ_FIRST:
      return nir_read_first_invocation(b, value);
   case ELECT:
      return nir_b2i32(b, nir_elect(b, 1));
   case SHUFFLE_XOR:
      return nir_shuffle_xor(b, value, nir_imm_int(b, 5));
   case QUAD_SWAP:
      return nir_quad_swap_horizontal(b, value);
   case REDUCE_IADD:
      return nir_reduce(b, value, .reduction_op = nir_op_iadd);
   case REDUCE_UMAX_8:
      return nir_reduce(b, value, .reduction_op = nir_op_umax, .cluster_size = 8);
   case REDUCE_OR:
      return nir_reduce(b, value, .reduction_op = nir_op_ior);
   case SCAN_IADD:
      return nir_inclusive_scan(b, value, .reduction_op = nir_op_iadd);
   case SCAN_BEFORE_XOR:
      return nir_exclusive_scan(b, value, .reduction_op = nir_op_ixor);
   case LT_MASK:
      return nir_iand(b, nir_ballot(b, 1, 32, nir_imm_true(b)),
                      nir_load_subgroup_lt_mask(b, 1, 32));
   case VOTE_BOOL_EQ:
      /* the form in which GLSL's subgroupAllEqual(bool) arrives */
      return nir_b2i32(b, nir_vote_feq(b, 1, condition));
   case INVERSE_BALLOT:
      return nir_b2i32(b, nir_inverse_ballot(b, 1, nir_ballot(b, 4, 32, condition)));
   case BIT_EXTRACT:
      return nir_b2i32(b, nir_ballot_bitfield_extract(b, 1, nir_ballot(b, 4, 32, condition),
                                                      nir_iand_imm(b, number, 31)));
   case BIT_COUNT:
      return nir_ballot_bit_count_reduce(b, 32, nir_ballot(b, 4, 32, condition));
   case BIT_COUNT_UPTO:
      return nir_ballot_bit_count_inclusive(b, 32, nir_ballot(b, 4, 32, condition));
   case BIT_COUNT_BEFORE:
      return nir_ballot_bit_count_exclusive(b, 32, nir_ballot(b, 4, 32, condition));
   case FIND_LSB:
      return nir_ballot_find_lsb(b, 32, nir_ballot(b, 4, 32, condition));
   case FIND_MSB:
      return nir_ballot_find_msb(b, 32, nir_ballot(b, 4, 32, condition));
   case SHUFFLE_UP:
      return nir_shuffle_up(b, value, nir_imm_int(b, 3));
   case SHUFFLE_DOWN:
      return nir_shuffle_down(b, value, nir_imm_int(b, 3));
   case SHUFFLE_BOOL:
      return nir_b2i32(b, nir_shuffle(b, condition, number));
   case QUAD_BROADCAST:
      return nir_quad_broadcast(b, value, nir_imm_int(b, 2));
   case QUAD_DIAGONAL:
      return nir_quad_swap_diagonal(b, value);
   case REDUCE_BOOL_AND:
      return nir_b2i32(b, nir_reduce(b, condition, .reduction_op = nir_op_iand));
   case REDUCE_BOOL_OR_4:
      return nir_b2i32(b, nir_reduce(b, condition, .reduction_op = nir_op_ior, .cluster_size = 4));
   case SCAN_BOOL_XOR:
      return nir_b2i32(b, nir_exclusive_scan(b, condition, .reduction_op = nir_op_ixor));
   default:
      abort();
   }
}

/* Returns the lane that the operation in lane l reads, or l if it is no operation of this kind.  The
 * result is 32 or more if there is no such lane.
 */
static uint32_t
source_lane(enum operation op, const uint32_t *number, unsigned l)
{
   switch (op) {
   case READ_INVOCATION:
   case SHUFFLE_BOOL:
      return number[l];
   case SHUFFLE_XOR:
      return l ^ 5;
   case QUAD_SWAP:
      return l ^ 1;
   case SHUFFLE_UP:
      return l - 3;
   case SHUFFLE_DOWN:
      return l + 3;
   case QUAD_BROADCAST:
      return (l & ~3u) | 2;
   case QUAD_DIAGONAL:
      return l ^ 3;
   default:
      return l;
   }
}

static uint32_t
lane_or_zero(const uint32_t *value, uint32_t lanes, uint32_t lane)
{
   return lane < 32 && lanes >> lane & 1 ? value[lane] : 0;
}

/* Returns true if the operation in lane l reads a lane that is not in `lanes`.  In a branch, the
 * result is then undefined, because the operation may be moved before the branch.
 */
static bool
reads_other_lane(enum operation op, const uint32_t *number, uint32_t lanes, unsigned l)
{
   const uint32_t from = source_lane(op, number, l);

   return from >= 32 || !(lanes >> from & 1);
}

/* Returns the result of the operation in lane l of the active `lanes`. */
static uint32_t
expected(enum operation op, const uint32_t *value, const uint32_t *number, uint32_t lanes,
         unsigned l)
{
   uint32_t odd = 0, sum = 0, upto = 0, before = 0, any = 0, most = 0;
   unsigned first = 32;

   for (unsigned k = 0; k < 32; k++) {
      if (!(lanes >> k & 1))
         continue;
      first = first == 32 ? k : first;
      odd |= (value[k] & 1) << k;
      sum += value[k];
      any |= value[k];
      upto += k <= l ? value[k] : 0;
      before ^= k < l ? value[k] : 0;
      most = k / 8 == l / 8 && value[k] > most ? value[k] : most;
   }
   switch (op) {
   case VOTE_ALL:
      return odd == lanes;
   case VOTE_ANY:
      return odd != 0;
   case VOTE_IEQ:
   case VOTE_FEQ:
      return odd == lanes || odd == 0;
   case BALLOT:
   case BALLOT_64:
      return odd;
   case READ_INVOCATION:
   case SHUFFLE_XOR:
   case QUAD_SWAP:
   case SHUFFLE_UP:
   case SHUFFLE_DOWN:
   case QUAD_BROADCAST:
   case QUAD_DIAGONAL:
      return lane_or_zero(value, lanes, source_lane(op, number, l));
   case SHUFFLE_BOOL:
      return lane_or_zero(value, lanes, source_lane(op, number, l)) & 1;
   case READ_FIRST:
      return value[first];
   case ELECT:
      return l == first;
   case REDUCE_IADD:
      return sum;
   case REDUCE_UMAX_8:
      return most;
   case REDUCE_OR:
      return any;
   case SCAN_IADD:
      return upto;
   case SCAN_BEFORE_XOR:
      return before;
   case LT_MASK:
      return lanes & ((1u << l) - 1);
   case VOTE_BOOL_EQ:
      return odd == lanes || odd == 0;
   case INVERSE_BALLOT:
      return odd >> l & 1;
   case BIT_EXTRACT:
      return odd >> (number[l] & 31) & 1;
   case BIT_COUNT:
      return __builtin_popcount(odd);
   case BIT_COUNT_UPTO:
      return __builtin_popcount(odd & ((2u << l) - 1));
   case BIT_COUNT_BEFORE:
      return __builtin_popcount(odd & ((1u << l) - 1));
   case FIND_LSB:
      return odd ? __builtin_ctz(odd) : ~0u;
   case FIND_MSB:
      return odd ? 31 - __builtin_clz(odd) : ~0u;
   case REDUCE_BOOL_AND:
      return odd == lanes;
   case REDUCE_BOOL_OR_4:
      return (odd >> (l & ~3u) & 15) != 0;
   case SCAN_BOOL_XOR:
      return __builtin_popcount(odd & ((1u << l) - 1)) & 1;
   default:
      abort();
   }
}

static void
store(nir_builder *b, unsigned location, nir_def *value)
{
   nir_variable *var = nir_variable_create(b->shader, nir_var_shader_out, glsl_vec4_type(), "out");
   var->data.location = location;
   nir_store_var(b, var, nir_vec4(b, value, value, value, value), 15);
}

/* Makes a shader.  COLR0 has the result of the operation on the side of the branch that in.w
 * selects, and COLR1 its result after the branch.
 */
static nir_shader *
make_shader(enum operation op)
{
   nir_builder builder = nir_builder_init_simple_shader(MESA_SHADER_FRAGMENT, &sgpu_nir_options,
                                                        "subgroup"),
               *b = &builder;
   nir_variable *in = nir_variable_create(b->shader, nir_var_shader_in, glsl_vec4_type(), "in");
   in->data.location = VARYING_SLOT_VAR0;
   in->data.interpolation = INTERP_MODE_FLAT;

   nir_def *all = nir_load_var(b, in);
   nir_def *value = nir_channel(b, all, 0), *number = nir_channel(b, all, 1);
   nir_if *branch = nir_push_if(b, nir_ine_imm(b, nir_channel(b, all, 3), 0));
   nir_def *then = build(b, op, value, number);
   nir_push_else(b, branch);
   nir_def *other = build(b, op, nir_iadd_imm(b, value, 1), number);
   nir_pop_if(b, branch);
   store(b, FRAG_RESULT_DATA0, nir_if_phi(b, then, other));
   store(b, FRAG_RESULT_DATA1, build(b, op, value, number));
   nir_shader_gather_info(b->shader, b->impl);
   sgpu_finalize_nir(b->shader);
   return b->shader;
}

static void
check_way(struct test_worker *tw, enum operation op, nir_shader *nir, const struct way *way)
{
   struct level levels[MAX_LEVELS];
   const unsigned num_levels = test_levels(levels);
   struct loaded loaded = load_shader(NULL, nir, way);
   struct warp *warp = calloc(1, sizeof(*warp));
   struct rng r = { 11 + (unsigned)op };
   const int in = input_register(&loaded, VARYING_SLOT_VAR0);

   assert_true(in >= 0);
   for (unsigned n = 0; n < 30; n++) {
      uint32_t value[32], one_more[32], number[32], side = 0;
      memset(warp, 0, sizeof(*warp));
      for (unsigned l = 0; l < 32; l++) {
         value[l] = n < 10 ? rng_below(&r, 2) * (n & 1) + (n < 5) : rng_u32(&r) >> 8;
         one_more[l] = value[l] + 1;
         number[l] = rng_chance(&r, 90) ? rng_below(&r, 32) : rng_u32(&r);
         const bool then = rng_chance(&r, n % 3 * 50);
         side |= (uint32_t)then << l;
         warp->in[in].c[0][l] = value[l];
         warp->in[in].c[1][l] = number[l];
         warp->in[in].c[3][l] = then;
         warp->sys[SGPU_SYS_LANE].c[0][l] = l;
      }
      warp->active = warp->live = n % 4 ? rng_u32(&r) | 1u << n : ~0u;
      for (unsigned v = 0; v < num_levels; v++) {
         test_run(tw, &levels[v], loaded.device, warp);
         assert_true(warp->ok);
         for (unsigned l = 0; l < 32; l++) {
            if (!(warp->active >> l & 1))
               continue;
            const bool then = side >> l & 1;
            const uint32_t lanes = warp->active & (then ? side : ~side);
            const uint32_t want[2] = {
               expected(op, then ? value : one_more, number, lanes, l),
               expected(op, value, number, warp->active, l),
            };
            for (unsigned o = reads_other_lane(op, number, lanes, l); o < 2; o++) {
               const uint32_t got = warp->out[SGPU_PO_COLR0 + o].c[2][l];
               if (got == want[o])
                  continue;
               print_listing(&loaded);
               fail_msg("operation %d, %s, %s: lane %u of %08x (%08x): COLR%u is %08x, should be "
                        "%08x",
                        op, way->name, levels[v].name, l, warp->active, side, o, got, want[o]);
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
   for (unsigned op = 0; op < NUM_OPERATIONS; op++) {
      nir_shader *nir = make_shader(op);
      for (unsigned w = 0; w < num_ways; w++)
         check_way(tw, op, nir, &ways[w]);
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
