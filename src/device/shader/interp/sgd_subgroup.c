/* SPDX-License-Identifier: MIT */
/*
 * Shader core: operations over the lanes of a warp, and the clock. The operations are votes,
 * ballots, reads of other lanes, reductions and scans. `mask` is the set of active lanes. All other
 * lanes contribute nothing to an operation and get no result.
 */
#include "shader/interp/sgd_exec.h"
#include "sgpu_isa_expr.h"

/* Returns the lanes in `mask` in which the value is nonzero. */
static uint32_t
nonzero(const uint32_t *value, uint32_t mask)
{
   uint32_t lanes = 0;
   for (unsigned l = 0; l < SGD_WARP; l++)
      lanes |= value[l] ? sgd_lane_bit[l] : 0;
   return lanes & mask;
}

static bool
all_equal(const uint32_t *value, uint32_t mask, bool floats)
{
   const uint32_t first = value[__builtin_ctz(mask)];
   for (uint32_t left = mask; left; left &= left - 1) {
      const uint32_t other = value[__builtin_ctz(left)];
      if (floats ? !sgpu_fcmp(SGPU_COND_EQ, sgpu_bits2f(first), sgpu_bits2f(other))
                 : first != other)
         return false;
   }
   return true;
}

static void
fill_lanes(uint32_t *to, uint32_t value)
{
   SGD_EACH_LANE(l) {
      to[l] = value;
   }
}

static void
read_lanes(uint32_t *to, const uint32_t *value, const uint32_t *lane, uint32_t mask)
{
   for (unsigned l = 0; l < SGD_WARP; l++) {
      const uint32_t from = lane[l];
      to[l] = from < SGD_WARP && mask >> from & 1 ? value[from] : 0;
   }
}

/* Executes RED, SCANI or SCANX separately for each cluster of lanes, in ascending lane order. */
static void
reduce(uint32_t *to, const uint32_t *value, uint32_t mask, const struct sgpu_instr *instr)
{
   const unsigned lanes = 1u << instr->cluster;
   const uint32_t identity = sgpu_reduction_identities[instr->reduction];

   for (unsigned first = 0; first < SGD_WARP; first += lanes) {
      uint32_t sum = identity;
      bool any = false;
      for (unsigned l = first; l < first + lanes; l++) {
         if (!(mask >> l & 1))
            continue;
         const uint32_t before = sum;
         sum = any ? sgpu_isa_reduce(instr->reduction, sum, value[l]) : value[l];
         any = true;
         to[l] = instr->opcode == SGPU_OP_SCANX ? before : sum;
      }
      if (instr->opcode == SGPU_OP_RED) {
         for (unsigned l = first; l < first + lanes; l++)
            to[l] = sum;
      }
   }
}

/* Executes REDW, SCANIW or SCANXW, whose values have a low and a high word. */
static void
reduce_wide(uint32_t *to_low, uint32_t *to_high, const uint32_t *low, const uint32_t *high,
            uint32_t mask, const struct sgpu_instr *instr)
{
   const unsigned lanes = 1u << instr->cluster;
   const uint64_t identity = sgpu_wide_reduction_identities[instr->reduction];
   const uint32_t mode = sgpu_fp64_enter();

   sgpu_fp64_fence(low);
   sgpu_fp64_fence(high);
   for (unsigned first = 0; first < SGD_WARP; first += lanes) {
      uint64_t sum = identity;
      bool any = false;
      for (unsigned l = first; l < first + lanes; l++) {
         if (!(mask >> l & 1))
            continue;
         const uint64_t before = sum, value = sgpu_pair(low[l], high[l]);
         sum = any ? sgpu_isa_reduce_wide(instr->reduction, sum, value) : value;
         any = true;
         const uint64_t result = instr->opcode == SGPU_OP_SCANXW ? before : sum;
         to_low[l] = (uint32_t)result;
         to_high[l] = (uint32_t)(result >> 32);
      }
      for (unsigned l = first; instr->opcode == SGPU_OP_REDW && l < first + lanes; l++) {
         to_low[l] = (uint32_t)sum;
         to_high[l] = (uint32_t)(sum >> 32);
      }
   }
   sgpu_fp64_fence(to_low);
   sgpu_fp64_fence(to_high);
   sgpu_fp64_leave(mode);
}

/* Stores `value` to the components of the destination register, for the lanes in `mask`. */
static void
store(struct sgd_warp *w, const struct sgd_ins *i, uint32_t mask, const struct sgd_vec *value)
{
   uint8_t *dst = sgd_result_base(w, i);

   for (unsigned n = 0; n < i->num_comps; n++)
      memcpy(dst + i->comp[n].d, value->c[i->dcomp[n]], sizeof(value->c[0]));
   sgd_merge(w, i, mask);
}

void
sgd_run_subgroup(struct sgd_warp *w, const struct sgd_ins *i, uint32_t mask)
{
   const struct sgpu_instr *instr = sgd_instr(w, i);
   struct sgd_vec result;

   if (i->flags & SGD_INS_LOAD)
      sgd_load_operands(w, i);
   for (unsigned n = 0; n < i->num_comps; n++) {
      const uint32_t *a = sgd_lanes(w->file, i->comp[n].a);
      uint32_t *to = result.c[i->dcomp[n]];

      memset(to, 0, sizeof(result.c[0]));
      switch ((enum sgpu_opcode)instr->opcode) {
      case SGPU_OP_VALL:
         fill_lanes(to, nonzero(a, mask) == mask ? ~0u : 0);
         break;
      case SGPU_OP_VANY:
         fill_lanes(to, nonzero(a, mask) ? ~0u : 0);
         break;
      case SGPU_OP_VEQ:
      case SGPU_OP_VFEQ:
         fill_lanes(to, all_equal(a, mask, instr->opcode == SGPU_OP_VFEQ) ? ~0u : 0);
         break;
      case SGPU_OP_BALLOT:
         fill_lanes(to, nonzero(a, mask));
         break;
      case SGPU_OP_RDLANE:
         read_lanes(to, a, sgd_lanes(w->file, i->comp[n].b), mask);
         break;
      case SGPU_OP_RDFIRST:
         fill_lanes(to, a[__builtin_ctz(mask)]);
         break;
      case SGPU_OP_REDW:
      case SGPU_OP_SCANIW:
      case SGPU_OP_SCANXW: {
         /* The components are whole pairs in ascending order. */
         const uint32_t *high = sgd_lanes(w->file, i->comp[++n].a);
         uint32_t *to_high = result.c[i->dcomp[n]];
         memset(to_high, 0, sizeof(result.c[0]));
         reduce_wide(to, to_high, a, high, mask, instr);
         break;
      }
      default:
         reduce(to, a, mask, instr);
         break;
      }
   }
   store(w, i, mask, &result);
}

void
sgd_run_clock(struct sgd_warp *w, const struct sgd_ins *i, uint32_t mask, uint64_t issued)
{
   struct sgd_vec result;

   memset(&result, 0, sizeof(result));
   fill_lanes(result.c[0], (uint32_t)issued);
   fill_lanes(result.c[1], w->env->clock);
   store(w, i, mask, &result);
}
