/* SPDX-License-Identifier: MIT */
/*
 * Translator: converts a program's instructions to the nodes of its regions.
 */
#include "shader/translate/sgd_regions.h"

#include <stdlib.h>
#include <string.h>

#include "shader/program/sgd_decode.h"
#include "shader/translate/sgd_ir_order.h"
#include "shader/translate/sgd_piece.h"
#include "shader/translate/sgd_uniform.h"
#include "sgpu_fp.h"
#include "util/macros.h"

/* Maximum number of nodes that an instruction can add. A region ends if it has room for fewer
 * nodes.
 */
#define INSTRUCTION_NODES 1024
/* If a region has this number of constants, further literals are read from the register file
 * instead.
 */
#define LITERAL_CONSTS (SGD_IR_MAX_CONSTS - 2 * SGD_PIECE_CONSTS)
/* Maximum number of instructions that a region includes after a branch. They are also part of other
 * regions, so there should be few of them.
 */
#define MAX_FOLLOWED 64

/* -- operands ------------------------------------------------------------------- */

/* Returns true if the temporary at this offset has the same value in all lanes before the region. */
static bool
is_uniform(const struct sgd_regions *rs, uint32_t offset)
{
   const uint32_t first = rs->decoded->code.layout.base[SGPU_FILE_TEMP];
   const uint32_t component = (offset - first) / (uint32_t)sizeof(uint32_t[SGD_WARP]);
   return rs->differ && offset >= first && component < 4 * rs->shader->num_temps &&
          !sgd_is_live(rs->differ, component);
}

static uint16_t
lanes_at(struct sgd_regions *rs, uint32_t offset)
{
   const uint16_t node = rs->value[offset / SGD_FILE_PLACE];
   if (node != SGD_IR_NONE)
      return node;
   return sgd_ir_leaf(&rs->ir, is_uniform(rs, offset) ? SGD_IR_UNIFORM : SGD_IR_LOAD, offset);
}

static uint16_t
pred_at(struct sgd_regions *rs, unsigned pred)
{
   return rs->pred[pred] != SGD_IR_NONE
             ? rs->pred[pred]
             : sgd_ir_leaf(&rs->ir, SGD_IR_PRED, SGD_FILE_PRED + 4 * pred);
}

static uint16_t
constant(struct sgd_regions *rs, uint32_t c, unsigned comp)
{
   if (c >= rs->shader->literal_base && rs->ir.num_consts < LITERAL_CONSTS)
      return sgd_ir_word(&rs->ir, sgd_literal_word(rs->shader, c, comp));
   return sgd_ir_leaf(&rs->ir, SGD_IR_SPLAT, rs->const_offset[c] + 4 * comp);
}

/* Returns true for operations that treat floats as bits, but whose results don't depend on the
 * payload of NaNs, have only canonical NaNs, and are never subnormal. For all other operations,
 * these properties follow from their pieces.
 */
static bool
is_function(unsigned opcode)
{
   switch (opcode) {
   case SGPU_OP_MIN:
   case SGPU_OP_MAX:
   case SGPU_OP_EXP:
   case SGPU_OP_LOG:
   case SGPU_OP_LIT:
   case SGPU_OP_EX2:
   case SGPU_OP_LG2:
   case SGPU_OP_SIN:
   case SGPU_OP_COS:
   case SGPU_OP_SSG:
      return true;
   default:
      return false;
   }
}

/* Returns further properties of an operation's result (mask of enum sgd_ir_fact), given those of
 * its first source.
 */
static uint8_t
function_facts(unsigned opcode, uint8_t source)
{
   switch (opcode) {
   case SGPU_OP_EX2:
      return source & SGD_FACT_NUMBER ? SGD_FACT_NUMBER | SGD_FACT_POSITIVE : 0;
   case SGPU_OP_LG2:
      return source & SGD_FACT_POSITIVE ? SGD_FACT_NUMBER : 0;
   default:
      return 0;
   }
}

/* Returns a position of a source that has been loaded to its slot. */
static uint16_t
slot(struct sgd_regions *rs, const struct sgpu_instr *instr, unsigned s, unsigned position)
{
   const uint32_t offset = sgd_operand_offset(&rs->decoded->code.layout, s, position);
   const uint16_t node = sgd_ir_leaf(&rs->ir, SGD_IR_LOAD, offset);
   return is_function(instr->opcode) ? sgd_ir_free(&rs->ir, node) : node;
}

static uint16_t
source(struct sgd_regions *rs, const struct sgpu_instr *instr, unsigned s, unsigned position)
{
   const struct sgpu_src *src = &instr->src[s];
   const unsigned comp = sgpu_swizzle_get(src->swizzle, position);
   struct sgd_ir *ir = &rs->ir;
   uint16_t node;
   /* Modifiers have been applied to what is in the slot. */
   if (src->rel)
      return slot(rs, instr, s, position);
   if (src->file == SGPU_FILE_CONST)
      node = constant(rs, (unsigned)src->index, comp);
   else
      node = lanes_at(rs, sgd_reg_offset(&rs->decoded->code.layout, src->file, (unsigned)src->index,
                                         comp));
   if (is_function(instr->opcode))
      node = sgd_ir_free(ir, node);
   if (src->abs)
      node = sgd_ir_op(ir, SGD_VPAND, 0, node, sgd_ir_word(ir, ~SGPU_FP_SIGN_BIT), 0);
   if (src->neg)
      node = sgd_ir_op(ir, SGD_VPXOR, 0, node, sgd_ir_word(ir, SGPU_FP_SIGN_BIT), 0);
   return node;
}

static const struct sgd_piece *
find_piece(unsigned opcode, bool zmul, unsigned cond, unsigned comp)
{
   for (unsigned i = 0; i < sgd_num_pieces; i++) {
      const struct sgd_piece *p = &sgd_pieces[i];
      if (p->opcode == opcode && p->zmul == zmul && p->cond == cond && p->components & 1 << comp)
         return p;
   }
   return NULL;
}

static uint16_t
piece_ref(struct sgd_regions *rs, const struct sgd_piece *p, const uint16_t *inputs,
          const uint16_t *results, unsigned ref)
{
   if (ref < SGD_PIECE_CONST)
      return inputs[ref];
   if (ref < SGD_PIECE_INS)
      return sgd_ir_const(&rs->ir, sgd_piece_consts[p->consts[ref - SGD_PIECE_CONST]]);
   return results[ref - SGD_PIECE_INS];
}

/* Adds the instructions of a piece to the region, with the given inputs. Returns the node of the
 * result.
 */
static uint16_t
expand(struct sgd_regions *rs, const struct sgd_piece *p, const uint16_t *inputs)
{
   uint16_t results[256 - SGD_PIECE_INS];
   for (unsigned i = 0; i < p->num_ins; i++) {
      const struct sgd_piece_ins *ins = &p->ins[i];
      uint16_t src[3] = { 0 };
      for (unsigned s = 0; s < sgd_x86_info[ins->op].num_srcs; s++)
         src[s] = piece_ref(rs, p, inputs, results, ins->src[s]);
      results[i] = sgd_ir_op(&rs->ir, ins->op, ins->imm, src[0], src[1], src[2]);
   }
   return piece_ref(rs, p, inputs, results, p->result);
}

/* -- instructions ----------------------------------------------------------------- */

static bool
is_copy(unsigned opcode)
{
   return opcode == SGPU_OP_MOV || opcode == SGPU_OP_ARI;
}

static bool
is_constant(const struct sgpu_instr *instr)
{
   return sgpu_opcode_info(instr->opcode)->mod == SGPU_MOD_COND &&
          (instr->cond == SGPU_COND_F || instr->cond == SGPU_COND_T);
}

/* Returns true if the instruction accesses scratch memory at an address that is known here. */
static bool
is_fixed_scratch(const struct sgpu_instr *instr)
{
   return (instr->opcode == SGPU_OP_LDL || instr->opcode == SGPU_OP_STL) &&
          instr->src[0].file == SGPU_FILE_NONE;
}

static bool
can_translate_scratch(const struct sgd_regions *rs, const struct sgpu_instr *instr)
{
   const struct sgpu_src *src = &instr->src[1];
   if (instr->dst.rel || instr->offset / 4 + 4 > SGD_REGION_SCRATCH)
      return false;
   return instr->opcode == SGPU_OP_LDL ||
          (!src->rel && (src->file != SGPU_FILE_CONST || rs->const_offset[src->index]));
}

/* Returns the offset of word `c` of an access to scratch memory from the start of the register file,
 * or 0 if it is out of bounds.
 */
static uint32_t
scratch_offset(const struct sgd_regions *rs, const struct sgpu_instr *instr, unsigned c)
{
   const uint32_t word = instr->offset / 4 + c;
   return word < rs->shader->scratch_size / 4
             ? rs->decoded->code.layout.size + word * (uint32_t)SGD_SCRATCH_WORD
             : 0;
}

/* Returns true if regions include the texture operation. */
static bool
looks_up(const struct sgd_regions *rs, uint32_t n)
{
   const struct sgd_ins *ins = &rs->decoded->ins[n];
   if (ins->kind != SGD_INS_TEX)
      return false;
   const unsigned lookup = rs->decoded->tex[ins->target].lookup;
   return lookup != SGD_NO_LOOKUP && rs->lookups.form[lookup];
}

/* Returns component c of the result of a texture operation. */
static uint16_t
look_up(struct sgd_regions *rs, uint32_t n, unsigned c)
{
   const struct sgpu_instr *instr = &rs->decoded->instr[n];
   const struct sgd_tex_op *op = &rs->decoded->tex[rs->decoded->ins[n].target];
   const struct sgd_texel_lookup l = {
      .at = rs->decoded->code.layout.lookup + op->lookup * (uint32_t)sizeof(struct sgd_lookup),
      .form = rs->lookups.form[op->lookup],
      .kind = rs->decoded->lookup[op->lookup].kind,
      .wide = rs->avx512,
      .offset = { op->offset[0], op->offset[1] },
      .gather_comp = op->gather_comp,
   };
   return sgd_regions_texel(&rs->ir, &l, source(rs, instr, 0, 0), source(rs, instr, 0, 1), c);
}

/* Returns true if the operands of instruction n must be loaded to their slots before it. */
static bool
loads_operands(const struct sgd_regions *rs, uint32_t n)
{
   const struct sgpu_instr *instr = &rs->decoded->instr[n];
   bool relative = false;
   for (unsigned s = 0; s < sgpu_opcode_info(instr->opcode)->num_srcs; s++)
      relative |= instr->src[s].rel;
   return relative;
}

/* Returns true if instruction n has machine code, after its operands have been loaded. */
static bool
can_translate(const struct sgd_regions *rs, uint32_t n)
{
   const struct sgd_ins *ins = &rs->decoded->ins[n];
   const struct sgpu_instr *instr = &rs->decoded->instr[n];
   const struct sgpu_opcode_info *info = sgpu_opcode_info(instr->opcode);

   if (is_fixed_scratch(instr))
      return can_translate_scratch(rs, instr);
   const bool texels = looks_up(rs, n);
   if ((ins->kind != SGD_INS_ALU && ins->kind != SGD_INS_PRED && !texels) || instr->dst.rel)
      return false;
   for (unsigned s = 0; s < info->num_srcs; s++) {
      const struct sgpu_src *src = &instr->src[s];
      if (!src->rel && src->file == SGPU_FILE_CONST && !rs->const_offset[src->index])
         return false;
   }
   if (instr->sat && !find_piece(SGD_PIECE_SAT, false, 0, 0))
      return false;
   if (is_copy(instr->opcode) || is_constant(instr) || texels)
      return true;
   for (unsigned c = 0; c < 4; c++)
      if (instr->dst.mask & 1 << c && !find_piece(instr->opcode, instr->zmul, instr->cond, c))
         return false;
   return true;
}

static uint16_t
result(struct sgd_regions *rs, const struct sgpu_instr *instr, unsigned comp)
{
   struct sgd_ir *ir = &rs->ir;
   uint16_t node;

   if (is_fixed_scratch(instr)) {
      if (instr->opcode == SGPU_OP_STL)
         return source(rs, instr, 1, comp);
      const uint32_t offset = scratch_offset(rs, instr, comp);
      return offset ? lanes_at(rs, offset) : sgd_ir_word(ir, 0);
   }
   const uint32_t n = (uint32_t)(instr - rs->decoded->instr);
   if (is_copy(instr->opcode)) {
      node = source(rs, instr, 0, comp);
   } else if (looks_up(rs, n)) {
      node = look_up(rs, n, comp);
   } else if (is_constant(instr)) {
      node = sgd_ir_word(ir, instr->cond == SGPU_COND_T ? ~0u : 0);
   } else {
      const struct sgd_piece *p = find_piece(instr->opcode, instr->zmul, instr->cond, comp);
      uint16_t inputs[SGD_PIECE_INPUTS];
      for (unsigned k = 0; k < p->num_inputs; k++) {
         const struct sgd_piece_input *in = &p->inputs[k];
         inputs[k] = source(rs, instr, in->source,
                            in->position == SGD_PIECE_SAME ? comp : in->position);
         if (in->lanes != SGD_PIECE_OWN)
            inputs[k] = sgd_ir_op(ir, SGD_VPERMILPS, in->lanes, inputs[k], 0, 0);
      }
      /* MIN and MAX are commutative. The code is simpler if the first source is the one that can be
       * NaN.
       */
      if ((instr->opcode == SGPU_OP_MIN || instr->opcode == SGPU_OP_MAX) &&
          ir->nodes[inputs[0]].facts & ~ir->nodes[inputs[1]].facts & SGD_FACT_NUMBER) {
         const uint16_t first = inputs[0];
         inputs[0] = inputs[1];
         inputs[1] = first;
      }
      node = expand(rs, p, inputs);
      if (is_function(instr->opcode)) {
         const uint8_t source = p->num_inputs ? ir->nodes[inputs[0]].facts : 0;
         ir->nodes[node].facts |= SGD_FACT_FLUSHED | SGD_FACT_CANON |
                                  function_facts(instr->opcode, source);
      }
   }
   if (instr->sat)
      node = expand(rs, find_piece(SGD_PIECE_SAT, false, 0, 0), &node);
   return node;
}

/* Returns the register file offset of component c of a result that is not a predicate, or 0 if it
 * has none.
 */
static uint32_t
result_offset(const struct sgd_regions *rs, const struct sgpu_instr *instr, unsigned c)
{
   if (instr->opcode == SGPU_OP_STL)
      return scratch_offset(rs, instr, c);
   return sgd_reg_offset(&rs->decoded->code.layout, instr->dst.file, instr->dst.index, c);
}

static void
translate_instr(struct sgd_regions *rs, uint32_t n)
{
   const struct sgpu_instr *instr = &rs->decoded->instr[n];
   const bool store = instr->opcode == SGPU_OP_STL;
   const bool pred = !store && instr->dst.file == SGPU_FILE_PRED;
   struct sgd_ir *ir = &rs->ir;
   uint16_t nodes[4] = { 0 }, guard = 0;

   /* Read all sources before writing the first result. */
   for (unsigned c = 0; c < 4; c++)
      if (instr->dst.mask & 1 << c)
         nodes[c] = result(rs, instr, c);
   if (instr->guard.en)
      guard = pred_at(rs, 4 * instr->guard.reg + instr->guard.comp);
   for (unsigned c = 0; c < 4; c++) {
      if (!(instr->dst.mask & 1 << c))
         continue;
      const unsigned p = 4 * instr->dst.index + c;
      const uint32_t offset = pred ? 0 : result_offset(rs, instr, c);
      if (!pred && !offset)
         continue;
      if (instr->guard.en) {
         const uint16_t old = pred ? pred_at(rs, p) : lanes_at(rs, offset);
         nodes[c] = instr->guard.not ? sgd_ir_op(ir, SGD_VBLENDVPS, 0, nodes[c], old, guard)
                                     : sgd_ir_op(ir, SGD_VBLENDVPS, 0, old, nodes[c], guard);
      }
      if (pred) {
         rs->pred[p] = nodes[c];
         continue;
      }
      if (rs->value[offset / SGD_FILE_PLACE] == SGD_IR_NONE && rs->num_touched < SGD_IR_MAX_STORES)
         rs->touched[rs->num_touched++] = (struct sgd_touched){
            .offset = offset,
            .live = !store && instr->dst.file == SGPU_FILE_TEMP ? p : SGD_LIVE_NONE,
         };
      rs->value[offset / SGD_FILE_PLACE] = nodes[c];
   }
   /* Lookups need no level of detail. */
   rs->quad |= rs->decoded->ins[n].kind != SGD_INS_TEX &&
               (sgpu_opcode_info(instr->opcode)->flags & SGPU_OPF_QUAD) != 0;
}

/* -- regions ---------------------------------------------------------------------- */

static void
start_region(struct sgd_regions *rs)
{
   sgd_ir_init(&rs->ir);
   sgd_ir_leaf(&rs->ir, SGD_IR_KEEP, 0);
   const size_t places = DIV_ROUND_UP(rs->shader->file_size, SGD_FILE_PLACE);
   memset(rs->value, 0xff, MIN2(places, SGD_REGION_PLACES) * sizeof(*rs->value));
   memset(rs->pred, 0xff, sizeof(rs->pred));
   rs->num_touched = 0;
   rs->quad = false;
}

/* Adds a store for each result that instructions after the region can read. The first of these
 * instructions is `end`.
 */
static void
store_results(struct sgd_regions *rs, uint32_t end)
{
   const struct sgd_live *live = rs->live ? &rs->live[end] : NULL;
   for (uint32_t i = 0; i < rs->num_touched; i++) {
      const uint32_t offset = rs->touched[i].offset;
      if (live && !sgd_is_live(live, rs->touched[i].live))
         continue;
      const uint16_t node = rs->value[offset / SGD_FILE_PLACE];
      const struct sgd_ir_node *n = &rs->ir.nodes[node];
      if ((n->kind != SGD_IR_LOAD && n->kind != SGD_IR_UNIFORM) || n->where != offset)
         sgd_ir_store(&rs->ir, offset, node, false);
   }
   for (unsigned p = 0; p < ARRAY_SIZE(rs->pred); p++)
      if (rs->pred[p] != SGD_IR_NONE && (!live || sgd_is_live(live, SGD_LIVE_PRED + p)))
         sgd_ir_store(&rs->ir, SGD_FILE_PRED + 4 * p, rs->pred[p], true);
}

/* Returns true if n is an unconditional branch to an instruction that can be part of a region. */
static bool
can_follow(const struct sgd_regions *rs, uint32_t n)
{
   const struct sgd_ins *ins = &rs->decoded->ins[n];
   return ins->kind == SGD_INS_BRA && !(ins->flags & SGD_INS_GUARD) &&
          ins->target < rs->num_instrs && can_translate(rs, ins->target) &&
          !loads_operands(rs, ins->target);
}

/* A region may include one branch and instructions at its target, which is typically the head of a
 * loop.
 */
struct sgd_region
sgd_regions_gather(struct sgd_regions *rs, uint32_t first)
{
   struct sgd_region r = { .first = first };
   uint32_t n = first, end = rs->num_instrs;
   /* set at the first instruction and after the branch, where other jumps to n do no harm */
   bool entered = true;

   if (!can_translate(rs, first))
      return r;
   start_region(rs);
   r.operands = loads_operands(rs, first);
   rs->differ = rs->differing ? &rs->differing[first] : NULL;
   while (n < end && (entered || !rs->target[n]) && r.length < UINT16_MAX &&
          rs->ir.num_nodes + INSTRUCTION_NODES < SGD_IR_MAX_NODES &&
          rs->num_touched + 4 < SGD_IR_MAX_STORES - 16 &&
          rs->ir.num_consts + SGD_PIECE_CONSTS < SGD_IR_MAX_CONSTS) {
      entered = false;
      if (!r.jump && can_follow(rs, n)) {
         r.length++;
         r.span = r.length;
         r.jump = true;
         n = rs->decoded->ins[n].target;
         end = MIN2(end, n + MAX_FOLLOWED);
         entered = true;
      } else if (can_translate(rs, n) && (!r.length || !loads_operands(rs, n))) {
         rs->ir.instr = (uint16_t)n;
         r.textures += rs->decoded->ins[n].kind == SGD_INS_TEX;
         translate_instr(rs, n++);
         r.length++;
      } else {
         break;
      }
   }
   if (!r.jump)
      r.span = r.length;
   r.next = n;
   r.quad = rs->quad;
   store_results(rs, n);
   sgd_ir_optimize(&rs->ir);
   /* 32 registers hold more values than that order saves. */
   if (r.textures && !rs->avx512 && !rs->ir.full)
      sgd_ir_order(&rs->ir);
   for (uint32_t i = 0; i < rs->ir.num_nodes; i++)
      r.uniform |= rs->ir.nodes[i].kind == SGD_IR_UNIFORM && rs->ir.nodes[i].uses;
   return rs->ir.full ? (struct sgd_region){ 0 } : r;
}

/* -- programs --------------------------------------------------------------------- */

static void
find_targets(struct sgd_regions *rs)
{
   for (uint32_t n = 0; n < rs->num_instrs; n++) {
      switch (rs->decoded->instr[n].opcode) {
      case SGPU_OP_BRA:
      case SGPU_OP_SSY:
      case SGPU_OP_PBK:
      case SGPU_OP_PCNT:
         rs->target[rs->decoded->instr[n].target] = true;
         break;
      default:
         break;
      }
   }
}

static void
find_constants(struct sgd_regions *rs)
{
   const struct sgd_code *code = &rs->decoded->code;
   memset(rs->const_offset, 0, sizeof(rs->const_offset));
   for (uint32_t n = 0; n < code->num_consts; n++)
      rs->const_offset[code->consts[n]] = code->layout.base[SGPU_FILE_CONST] + 16 * n;
}

bool
sgd_regions_init(struct sgd_regions *rs, const struct sgd_shader *shader)
{
   rs->shader = shader;
   rs->num_instrs = shader->num_instrs;
   rs->decoded = (const struct sgd_decoded *)shader->code;
   rs->live = rs->differing = NULL;
   rs->lookups = (struct sgd_lookup_forms){ 0 };
   rs->avx512 = false;
   rs->target = calloc(rs->num_instrs + 1, sizeof(*rs->target));
   rs->points = malloc((rs->num_instrs + 1) * sizeof(*rs->points));
   if (!rs->target || !rs->points || !sgd_find_points(shader, rs->points))
      return false;
   rs->differing = sgd_find_differing(shader, rs->points);
   rs->live = sgd_liveness(rs->decoded, rs->num_instrs);
   find_targets(rs);
   find_constants(rs);
   return true;
}

void
sgd_regions_finish(struct sgd_regions *rs)
{
   free(rs->target);
   free(rs->live);
   free(rs->points);
   free(rs->differing);
}
