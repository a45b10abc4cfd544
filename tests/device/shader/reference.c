/* SPDX-License-Identifier: MIT */
/*
 * Tests of the shader cores: a machine that executes lanes one after the other, each on its own
 * path through the program, with sgpu_isa_eval for arithmetic. The synchronization stack of a lane
 * is the list of points that it has passed.
 */
#include <stdlib.h>
#include <string.h>

#include "machine.h"
#include "sgpu_isa_expr.h"
#include "sgpu_program.h"

#define MAX_POINTS 1024

struct lane {
   uint32_t r[256][4];
   int32_t a[4];
   uint32_t p[4][4];
   uint32_t o[64][4];
   uint8_t *scratch;
   uint32_t pc;
   bool ended;
   uint32_t points[MAX_POINTS]; /* numbers of the SSY, PBK and PCNT instructions on the stack */
   unsigned depth;
};

struct reference {
   const struct code *code;
   const struct warp *in;
   struct lane *lanes;
   uint32_t num_temps, scratch;
   uint32_t live;
};

static uint32_t
bank_word(const struct sgd_env *env, int64_t bank, uint64_t at)
{
   uint32_t v = 0;
   if (bank >= 0 && bank < SGD_MAX_BANKS && at + 4 <= env->banks[bank].size) {
      const struct sgd_bank *b = &env->banks[bank];
      memcpy(&v,
             b->line_log2 ? b->version->line[at >> b->line_log2] + at % (1u << b->line_log2)
                          : b->ptr + at,
             4);
   }
   return v;
}

static uint32_t
read_comp(const struct reference *ref, unsigned l, const struct sgpu_src *src, unsigned comp)
{
   const struct lane *lane = &ref->lanes[l];
   const int64_t index = (int64_t)src->index + (src->rel ? lane->a[src->relcomp] : 0);
   switch (src->file) {
   case SGPU_FILE_TEMP:
      return index >= 0 && index < ref->num_temps ? lane->r[index][comp] : 0;
   case SGPU_FILE_INPUT:
      return index >= 0 && index < 32 ? ref->in->in[index].c[comp][l] : 0;
   case SGPU_FILE_SYS:
      return ref->in->sys[index].c[comp][l];
   case SGPU_FILE_ADDR:
      return (uint32_t)lane->a[comp];
   case SGPU_FILE_CONST: {
      if (index < 0 || index >= SGPU_CONST_SIZE)
         return 0;
      const int64_t literal = index - ref->code->literal_base;
      if (literal >= 0 && ref->code->num_literals)
         return literal < ref->code->num_literals ? ref->code->literals[literal][comp] : 0;
      return bank_word(&ref->in->env, 0, 16 * (uint64_t)index + 4 * comp);
   }
   default:
      return 0;
   }
}

static void
read_srcs(const struct reference *ref, unsigned l, const struct sgpu_instr *instr,
          uint32_t raw[3][4])
{
   for (unsigned s = 0; s < 3; s++) {
      for (unsigned c = 0; c < 4; c++)
         raw[s][c] = read_comp(ref, l, &instr->src[s], sgpu_swizzle_get(instr->src[s].swizzle, c));
   }
}

static bool
takes_part(const struct lane *lane, const struct sgpu_instr *instr)
{
   return !instr->guard.en ||
          (lane->p[instr->guard.reg][instr->guard.comp] != 0) != instr->guard.not ;
}

static void
write_result(const struct reference *ref, unsigned l, const struct sgpu_instr *instr,
             const uint32_t value[4])
{
   struct lane *lane = &ref->lanes[l];
   const struct sgpu_dst *d = &instr->dst;
   int64_t index = (int64_t)d->index + (d->rel ? lane->a[d->relcomp] : 0);
   unsigned first = 0, count = d->file == SGPU_FILE_TEMP ? ref->num_temps : 64;
   if (d->rel && d->file == SGPU_FILE_OUTPUT &&
       !sgpu_output_run(ref->code->stage, d->index, &first, &count))
      return;
   if (index < first || index >= first + count)
      return;
   for (unsigned c = 0; c < 4; c++) {
      if (!(d->mask & (1 << c)))
         continue;
      switch (d->file) {
      case SGPU_FILE_TEMP:
         lane->r[index][c] = value[c];
         break;
      case SGPU_FILE_OUTPUT:
         lane->o[index][c] = value[c];
         break;
      case SGPU_FILE_ADDR:
         lane->a[c] = (int32_t)value[c];
         break;
      case SGPU_FILE_PRED:
         lane->p[index][c] = value[c];
         break;
      }
   }
}

static void
memory(const struct reference *ref, unsigned l, const struct sgpu_instr *instr)
{
   struct lane *lane = &ref->lanes[l];
   uint32_t raw[3][4], value[4] = { 0 };
   read_srcs(ref, l, instr, raw);
   const uint32_t base = instr->src[0].file == SGPU_FILE_NONE ? 0 : raw[0][0];
   const uint64_t at = (uint32_t)(base + instr->offset) & ~3u;
   for (unsigned c = 0; c < 4; c++) {
      const uint64_t word = at + 4 * c;
      if (instr->opcode == SGPU_OP_LDC) {
         const int64_t bank = (int64_t)instr->unit + (instr->urel ? lane->a[instr->urelcomp] : 0);
         value[c] = bank_word(&ref->in->env, bank, word);
      } else if (word + 4 > ref->scratch) {
         continue;
      } else if (instr->opcode == SGPU_OP_LDL) {
         memcpy(&value[c], lane->scratch + word, 4);
      } else if (instr->dst.mask & (1 << c)) {
         memcpy(lane->scratch + word, &raw[1][c], 4);
      }
   }
   if (instr->opcode != SGPU_OP_STL)
      write_result(ref, l, instr, value);
}

/* Removes the innermost point of a kind from the stack, and all inside of it, and jumps to its
 * target.
 */
static void
go_to_point(const struct reference *ref, struct lane *lane, enum sgpu_opcode kind)
{
   while (lane->depth) {
      const struct sgpu_instr *point = &ref->code->instr[lane->points[--lane->depth]];
      if (point->opcode == kind) {
         lane->pc = point->target;
         return;
      }
   }
   abort();
}

static void
step(struct reference *ref, unsigned l)
{
   struct lane *lane = &ref->lanes[l];
   const struct sgpu_instr *instr = &ref->code->instr[lane->pc];
   const bool part = takes_part(lane, instr);
   const uint32_t here = lane->pc++;
   if (!part)
      return;

   switch (instr->opcode) {
   case SGPU_OP_NOP:
      return;
   case SGPU_OP_BRA:
      lane->pc = instr->target;
      return;
   case SGPU_OP_SSY:
   case SGPU_OP_PBK:
   case SGPU_OP_PCNT:
      lane->points[lane->depth++] = here;
      return;
   case SGPU_OP_SYNC:
      go_to_point(ref, lane, SGPU_OP_SSY);
      return;
   case SGPU_OP_BRK:
      go_to_point(ref, lane, SGPU_OP_PBK);
      return;
   case SGPU_OP_CONT:
      go_to_point(ref, lane, SGPU_OP_PCNT);
      return;
   case SGPU_OP_EXIT:
      lane->ended = true;
      return;
   case SGPU_OP_KIL:
      lane->ended = true;
      ref->live &= ~(1u << l);
      return;
   case SGPU_OP_DMT:
      ref->live &= ~(1u << l);
      return;
   case SGPU_OP_LDC:
   case SGPU_OP_LDL:
   case SGPU_OP_STL:
      memory(ref, l, instr);
      return;
   default: {
      uint32_t raw[3][4], value[4];
      read_srcs(ref, l, instr, raw);
      if (!sgpu_isa_eval(instr, (const uint32_t(*)[4])raw, value))
         abort();
      write_result(ref, l, instr, value);
      return;
   }
   }
}

/* Returns the result of a subgroup operation in lane l. value[] is a component of the first source
 * for the active lanes, and `lane` is the second source.
 */
static uint32_t
subgroup_result(const struct sgpu_instr *instr, unsigned l, uint32_t active,
                const uint32_t value[SGD_WARP], uint32_t lane)
{
   const unsigned size = 1u << instr->cluster;
   unsigned first = 0, votes = 0, equal = 0, floats = 0, num = 0;
   uint32_t ballot = 0;

   while (!(active >> first & 1))
      first++;
   for (unsigned k = 0; k < SGD_WARP; k++) {
      if (!(active >> k & 1))
         continue;
      num++;
      votes += value[k] != 0;
      ballot |= (uint32_t)(value[k] != 0) << k;
      equal += value[k] == value[first];
      floats += sgpu_fcmp(SGPU_COND_EQ, sgpu_bits2f(value[first]), sgpu_bits2f(value[k])) != 0;
   }
   switch (instr->opcode) {
   case SGPU_OP_VALL:
      return votes == num ? ~0u : 0;
   case SGPU_OP_VANY:
      return votes ? ~0u : 0;
   case SGPU_OP_VEQ:
      return equal == num ? ~0u : 0;
   case SGPU_OP_VFEQ:
      return floats == num ? ~0u : 0;
   case SGPU_OP_BALLOT:
      return ballot;
   case SGPU_OP_RDLANE:
      return lane < SGD_WARP && active >> lane & 1 ? value[lane] : 0;
   case SGPU_OP_RDFIRST:
      return value[first];
   default: {
      const unsigned from = l / size * size;
      const unsigned end = instr->opcode == SGPU_OP_RED     ? from + size
                           : instr->opcode == SGPU_OP_SCANI ? l + 1
                                                            : l;
      uint32_t sum = sgpu_reduction_identities[instr->reduction];
      bool any = false;
      for (unsigned k = from; k < end; k++) {
         if (!(active >> k & 1))
            continue;
         sum = any ? sgpu_isa_reduce(instr->reduction, sum, value[k]) : value[k];
         any = true;
      }
      return sum;
   }
   }
}

/* Returns the result of one step of a 64-bit reduction, computed by the opcode of the same operation. */
static uint64_t
wide_step(unsigned reduction, uint64_t a, uint64_t b)
{
   static const uint16_t opcodes[SGPU_NUM_REDUCTIONS] = {
      [SGPU_REDUCE_IADD] = SGPU_OP_LADD, [SGPU_REDUCE_IMUL] = SGPU_OP_LMUL,
      [SGPU_REDUCE_FADD] = SGPU_OP_DADD, [SGPU_REDUCE_FMUL] = SGPU_OP_DMUL,
      [SGPU_REDUCE_IMIN] = SGPU_OP_LMIN, [SGPU_REDUCE_UMIN] = SGPU_OP_QMIN,
      [SGPU_REDUCE_FMIN] = SGPU_OP_DMIN, [SGPU_REDUCE_IMAX] = SGPU_OP_LMAX,
      [SGPU_REDUCE_UMAX] = SGPU_OP_QMAX, [SGPU_REDUCE_FMAX] = SGPU_OP_DMAX,
      [SGPU_REDUCE_AND] = SGPU_OP_AND,   [SGPU_REDUCE_OR] = SGPU_OP_OR,
      [SGPU_REDUCE_XOR] = SGPU_OP_XOR,
   };
   const struct sgpu_instr instr = sgpu_instr_init(opcodes[reduction]);
   const uint32_t src[3][4] = { { (uint32_t)a, (uint32_t)(a >> 32) },
                                { (uint32_t)b, (uint32_t)(b >> 32) } };
   uint32_t r[4];

   if (!sgpu_isa_eval(&instr, src, r))
      abort();
   return (uint64_t)r[1] << 32 | r[0];
}

/* Returns the result of a 64-bit reduction or scan in lane l. */
static uint64_t
wide_subgroup_result(const struct sgpu_instr *instr, unsigned l, uint32_t active,
                     const uint32_t low[SGD_WARP], const uint32_t high[SGD_WARP])
{
   const unsigned size = 1u << instr->cluster, from = l / size * size;
   const unsigned end = instr->opcode == SGPU_OP_REDW     ? from + size
                        : instr->opcode == SGPU_OP_SCANIW ? l + 1
                                                          : l;
   uint64_t sum = sgpu_wide_reduction_identities[instr->reduction];
   bool any = false;

   for (unsigned k = from; k < end; k++) {
      const uint64_t value = (uint64_t)high[k] << 32 | low[k];
      if (!(active >> k & 1))
         continue;
      sum = any ? wide_step(instr->reduction, sum, value) : value;
      any = true;
   }
   return sum;
}

static void
subgroup(struct reference *ref, const struct sgpu_instr *instr)
{
   const bool wide = sgpu_type_is_wide(sgpu_opcode_info(instr->opcode)->dst_type);
   uint32_t value[4][SGD_WARP], lane[4][SGD_WARP], active = 0;

   for (unsigned l = 0; l < SGD_WARP; l++) {
      struct lane *of = &ref->lanes[l];
      uint32_t raw[3][4];
      of->pc++;
      active |= (uint32_t)(!of->ended && takes_part(of, instr)) << l;
      read_srcs(ref, l, instr, raw);
      for (unsigned c = 0; c < 4; c++) {
         value[c][l] = sgpu_isa_modify(&instr->src[0], raw[0][c]);
         lane[c][l] = raw[1][c];
      }
   }
   for (unsigned l = 0; l < SGD_WARP; l++) {
      uint32_t result[4];
      if (!(active >> l & 1))
         continue;
      for (unsigned c = 0; !wide && c < 4; c++)
         result[c] = subgroup_result(instr, l, active, value[c], lane[c][l]);
      for (unsigned c = 0; wide && c < 4; c += 2) {
         const uint64_t r = wide_subgroup_result(instr, l, active, value[c], value[c + 1]);
         result[c] = (uint32_t)r;
         result[c + 1] = (uint32_t)(r >> 32);
      }
      write_result(ref, l, instr, result);
   }
}

/* Executes straight code for all lanes together. */
static void
run_lockstep(struct reference *ref)
{
   for (uint32_t pc = 0; pc < ref->code->count; pc++) {
      const struct sgpu_instr *instr = &ref->code->instr[pc];
      if (sgpu_opcode_info(instr->opcode)->kind == SGPU_KIND_WARP) {
         subgroup(ref, instr);
         continue;
      }
      if (sgpu_opcode_info(instr->opcode)->kind != SGPU_KIND_QUAD) {
         for (unsigned l = 0; l < SGD_WARP; l++) {
            if (!ref->lanes[l].ended)
               step(ref, l);
         }
         continue;
      }
      for (unsigned q = 0; q < SGD_WARP; q += 4) {
         uint32_t raw[4][4], value[4][4];
         for (unsigned k = 0; k < 4; k++) {
            for (unsigned c = 0; c < 4; c++) {
               raw[k][c] = ref->lanes[q + k].ended
                              ? 0
                              : read_comp(ref, q + k, &instr->src[0],
                                          sgpu_swizzle_get(instr->src[0].swizzle, c));
            }
         }
         sgpu_isa_eval_quad(instr, (const uint32_t(*)[4])raw, value);
         for (unsigned k = 0; k < 4; k++) {
            struct lane *lane = &ref->lanes[q + k];
            if (!lane->ended && takes_part(lane, instr))
               write_result(ref, q + k, instr, value[k]);
            lane->pc++;
         }
      }
   }
}

bool
reference_run(const struct code *code, const struct warp *in, bool lockstep, uint32_t limit,
              struct sgd_vec out[64], uint32_t *live)
{
   struct reference ref = { .code = code, .in = in, .live = in->live & in->active };
   ref.lanes = calloc(SGD_WARP, sizeof(*ref.lanes));
   ref.num_temps = code->temps;
   ref.scratch = code->scratch;
   bool ok = true;

   const uint64_t saved = sgpu_fp_enter();
   for (unsigned l = 0; l < SGD_WARP; l++) {
      ref.lanes[l].ended = !(in->active & (1u << l));
      ref.lanes[l].scratch = calloc(1, code->scratch + 4);
      for (unsigned o = 0; o < 64; o++)
         ref.lanes[l].o[o][3] = 0x3f800000;
   }
   if (lockstep) {
      run_lockstep(&ref);
   } else {
      for (unsigned l = 0; l < SGD_WARP; l++) {
         struct lane *lane = &ref.lanes[l];
         uint32_t steps = 0;
         while (ok && !lane->ended && lane->pc < code->count) {
            step(&ref, l);
            ok = ++steps < limit;
         }
      }
   }
   for (unsigned l = 0; l < SGD_WARP; l++) {
      for (unsigned o = 0; o < 64; o++) {
         for (unsigned c = 0; c < 4; c++)
            out[o].c[c][l] = ref.lanes[l].o[o][c];
      }
      free(ref.lanes[l].scratch);
   }
   sgpu_fp_leave(saved);
   free(ref.lanes);
   *live = ref.live;
   return ok;
}
