/* SPDX-License-Identifier: MIT */
/*
 * Translator: from a program's instructions to regions, and their code in executable memory.
 */
#include "sgd_translate.h"

#include <stdlib.h>
#include <string.h>

#include "sgd_decode.h"
#include "sgd_emit.h"
#include "sgd_emit_program.h"
#include "sgd_exec_memory.h"
#include "sgd_liveness.h"
#include "sgd_piece.h"
#include "util/macros.h"

#define NO_NODE 0xffff
#define PLACE 64 /* granularity of offsets in the register file */
/* Nodes that an instruction may add; a region ends before there are too few. */
#define INSTRUCTION_NODES 1024
/* Literals beyond so many constants of a region are read from the register file. */
#define LITERAL_CONSTS (SGD_IR_MAX_CONSTS - 2 * SGD_PIECE_CONSTS)

/* A place that has a value. */
struct touched {
   uint32_t offset;
   uint32_t live; /* the component, as sgd_is_live knows it */
};

/* Instructions of a region behind a branch; other regions have them, too. */
#define MAX_FOLLOWED 64

struct translator {
   const struct sgd_shader *shader;
   uint32_t num_instrs;
   struct sgd_interp *interp;
   struct sgd_ir ir;
   struct sgd_x86 x;
   uint32_t const_offset[SGPU_CONST_SIZE]; /* of c[n]; 0: none */
   uint16_t value[SGD_FILE_SIZE / PLACE];  /* of lanes by place; NO_NODE: as in memory */
   uint16_t pred[16];
   struct touched touched[SGD_IR_MAX_STORES];
   uint32_t num_touched;
   struct sgd_live *live; /* before each instruction; NULL: everything is */
   bool *target;          /* instructions to which control may come otherwise than from before */
   bool quad;
   bool divergent; /* some lanes may wait while others execute */
};

/* -- operands ------------------------------------------------------------------- */

static uint16_t
lanes_at(struct translator *t, uint32_t offset)
{
   const uint16_t node = t->value[offset / PLACE];
   return node != NO_NODE ? node : sgd_ir_leaf(&t->ir, SGD_IR_LOAD, offset);
}

static uint16_t
pred_at(struct translator *t, unsigned pred)
{
   return t->pred[pred] != NO_NODE ? t->pred[pred]
                                   : sgd_ir_leaf(&t->ir, SGD_IR_PRED, SGD_FILE_PRED + 4 * pred);
}

static uint16_t
constant(struct translator *t, uint32_t c, unsigned comp)
{
   if (c >= t->shader->literal_base && t->ir.num_consts < LITERAL_CONSTS)
      return sgd_ir_word(&t->ir, sgd_literal_word(t->shader, c, comp));
   return sgd_ir_leaf(&t->ir, SGD_IR_SPLAT, t->const_offset[c] + 4 * comp);
}

/* Operations on bits of floats whose results are the same for all NaNs, canonical, and no
 * subnormals; of others, pieces show what they are.
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

/* Facts of such a result, by those of the first source. */
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

static uint16_t
source(struct translator *t, const struct sgpu_instr *instr, unsigned s, unsigned position)
{
   const struct sgpu_src *src = &instr->src[s];
   const unsigned comp = sgpu_swizzle_get(src->swizzle, position);
   struct sgd_ir *ir = &t->ir;
   uint16_t node;
   if (src->file == SGPU_FILE_CONST)
      node = constant(t, (unsigned)src->index, comp);
   else
      node = lanes_at(t, sgd_reg_offset(&t->interp->code.layout, src->file, (unsigned)src->index,
                                        comp));
   if (is_function(instr->opcode))
      node = sgd_ir_free(ir, node);
   if (src->abs)
      node = sgd_ir_op(ir, SGD_VPAND, 0, node, sgd_ir_word(ir, 0x7fffffff), 0);
   if (src->neg)
      node = sgd_ir_op(ir, SGD_VPXOR, 0, node, sgd_ir_word(ir, 0x80000000), 0);
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
piece_ref(struct translator *t, const struct sgd_piece *p, const uint16_t *inputs,
          const uint16_t *results, unsigned ref)
{
   if (ref < SGD_PIECE_CONST)
      return inputs[ref];
   if (ref < SGD_PIECE_INS)
      return sgd_ir_const(&t->ir, sgd_piece_consts[p->consts[ref - SGD_PIECE_CONST]]);
   return results[ref - SGD_PIECE_INS];
}

/* The piece's instructions over these inputs. */
static uint16_t
expand(struct translator *t, const struct sgd_piece *p, const uint16_t *inputs)
{
   uint16_t results[256 - SGD_PIECE_INS];
   for (unsigned i = 0; i < p->num_ins; i++) {
      const struct sgd_piece_ins *ins = &p->ins[i];
      uint16_t src[3] = { 0 };
      for (unsigned s = 0; s < sgd_x86_info[ins->op].num_srcs; s++)
         src[s] = piece_ref(t, p, inputs, results, ins->src[s]);
      results[i] = sgd_ir_op(&t->ir, ins->op, ins->imm, src[0], src[1], src[2]);
   }
   return piece_ref(t, p, inputs, results, p->result);
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

static bool
can_translate(const struct translator *t, uint32_t n)
{
   const struct sgd_ins *ins = &t->interp->ins[n];
   const struct sgpu_instr *instr = &t->interp->instr[n];
   const struct sgpu_opcode_info *info = sgpu_opcode_info(instr->opcode);

   if ((ins->kind != SGD_INS_ALU && ins->kind != SGD_INS_PRED) || instr->dst.rel)
      return false;
   for (unsigned s = 0; s < info->num_srcs; s++) {
      const struct sgpu_src *src = &instr->src[s];
      if (src->rel || (src->file == SGPU_FILE_CONST && !t->const_offset[src->index]))
         return false;
   }
   if (instr->sat && !find_piece(SGD_PIECE_SAT, false, 0, 0))
      return false;
   if (is_copy(instr->opcode) || is_constant(instr))
      return true;
   for (unsigned c = 0; c < 4; c++)
      if (instr->dst.mask & 1 << c && !find_piece(instr->opcode, instr->zmul, instr->cond, c))
         return false;
   return true;
}

static uint16_t
result(struct translator *t, const struct sgpu_instr *instr, unsigned comp)
{
   struct sgd_ir *ir = &t->ir;
   uint16_t node;

   if (is_copy(instr->opcode)) {
      node = source(t, instr, 0, comp);
   } else if (is_constant(instr)) {
      node = sgd_ir_word(ir, instr->cond == SGPU_COND_T ? ~0u : 0);
   } else {
      const struct sgd_piece *p = find_piece(instr->opcode, instr->zmul, instr->cond, comp);
      uint16_t inputs[SGD_PIECE_INPUTS];
      for (unsigned k = 0; k < p->num_inputs; k++) {
         const struct sgd_piece_input *in = &p->inputs[k];
         inputs[k] = source(t, instr, in->source,
                            in->position == SGD_PIECE_SAME ? comp : in->position);
         if (in->lanes != SGD_PIECE_OWN)
            inputs[k] = sgd_ir_op(ir, SGD_VPERMILPS, in->lanes, inputs[k], 0, 0);
      }
      /* Both take either order, and the simpler code has the one that may be NaN first. */
      if ((instr->opcode == SGPU_OP_MIN || instr->opcode == SGPU_OP_MAX) &&
          ir->nodes[inputs[0]].facts & ~ir->nodes[inputs[1]].facts & SGD_FACT_NUMBER) {
         const uint16_t first = inputs[0];
         inputs[0] = inputs[1];
         inputs[1] = first;
      }
      node = expand(t, p, inputs);
      if (is_function(instr->opcode)) {
         const uint8_t source = p->num_inputs ? ir->nodes[inputs[0]].facts : 0;
         ir->nodes[node].facts |= SGD_FACT_FLUSHED | SGD_FACT_CANON |
                                  function_facts(instr->opcode, source);
      }
   }
   if (instr->sat)
      node = expand(t, find_piece(SGD_PIECE_SAT, false, 0, 0), &node);
   return node;
}

static void
translate_instr(struct translator *t, uint32_t n)
{
   const struct sgpu_instr *instr = &t->interp->instr[n];
   const bool pred = instr->dst.file == SGPU_FILE_PRED;
   struct sgd_ir *ir = &t->ir;
   uint16_t nodes[4] = { 0 }, guard = 0;

   /* All sources are read before the first result is written. */
   for (unsigned c = 0; c < 4; c++)
      if (instr->dst.mask & 1 << c)
         nodes[c] = result(t, instr, c);
   if (instr->guard.en)
      guard = pred_at(t, 4 * instr->guard.reg + instr->guard.comp);
   for (unsigned c = 0; c < 4; c++) {
      if (!(instr->dst.mask & 1 << c))
         continue;
      const unsigned p = 4 * instr->dst.index + c;
      const uint32_t offset = pred ? 0
                                   : sgd_reg_offset(&t->interp->code.layout, instr->dst.file,
                                                    instr->dst.index, c);
      if (instr->guard.en) {
         const uint16_t old = pred ? pred_at(t, p) : lanes_at(t, offset);
         nodes[c] = instr->guard.not ? sgd_ir_op(ir, SGD_VBLENDVPS, 0, nodes[c], old, guard)
                                     : sgd_ir_op(ir, SGD_VBLENDVPS, 0, old, nodes[c], guard);
      }
      if (pred) {
         t->pred[p] = nodes[c];
         continue;
      }
      if (t->value[offset / PLACE] == NO_NODE && t->num_touched < SGD_IR_MAX_STORES)
         t->touched[t->num_touched++] = (struct touched){
            .offset = offset,
            .live = instr->dst.file == SGPU_FILE_TEMP ? p : SGD_LIVE_NONE,
         };
      t->value[offset / PLACE] = nodes[c];
   }
   t->quad |= (sgpu_opcode_info(instr->opcode)->flags & SGPU_OPF_QUAD) != 0;
}

/* -- regions ---------------------------------------------------------------------- */

static void
start_region(struct translator *t)
{
   sgd_ir_init(&t->ir);
   sgd_ir_leaf(&t->ir, SGD_IR_KEEP, 0);
   const size_t places = DIV_ROUND_UP(t->interp->code.layout.size, PLACE);
   memset(t->value, 0xff, places * sizeof(*t->value));
   memset(t->pred, 0xff, sizeof(t->pred));
   t->num_touched = 0;
   t->quad = false;
}

/* `end`: the instruction behind the region.  What no instruction reads from there on stays as
 * it is.
 */
static void
store_results(struct translator *t, uint32_t end)
{
   const struct sgd_live *live = t->live ? &t->live[end] : NULL;
   for (uint32_t i = 0; i < t->num_touched; i++) {
      const uint32_t offset = t->touched[i].offset;
      if (live && !sgd_is_live(live, t->touched[i].live))
         continue;
      const uint16_t node = t->value[offset / PLACE];
      const struct sgd_ir_node *n = &t->ir.nodes[node];
      if (n->kind != SGD_IR_LOAD || n->where != offset)
         sgd_ir_store(&t->ir, offset, node, false);
   }
   for (unsigned p = 0; p < ARRAY_SIZE(t->pred); p++)
      if (t->pred[p] != NO_NODE && (!live || sgd_is_live(live, SGD_LIVE_PRED + p)))
         sgd_ir_store(&t->ir, SGD_FILE_PRED + 4 * p, t->pred[p], true);
}

/* A branch that all lanes take, to code that a region may have. */
static bool
can_follow(const struct translator *t, uint32_t n)
{
   const struct sgd_ins *ins = &t->interp->ins[n];
   return ins->kind == SGD_INS_BRA && !(ins->flags & SGD_INS_GUARD) &&
          ins->target < t->num_instrs && can_translate(t, ins->target);
}

/* The region from instruction `first` on, with its code still to be made: length 0 if there is
 * none.  A region goes on behind one branch, most often to the head of a loop.
 */
static struct sgd_region
gather(struct translator *t, uint32_t first)
{
   struct sgd_region r = { .first = first };
   uint32_t n = first, end = t->num_instrs;
   bool entered = true; /* control comes to n from before, in this region */

   if (!can_translate(t, first))
      return r;
   start_region(t);
   while (n < end && (entered || !t->target[n]) && r.length < UINT16_MAX &&
          t->ir.num_nodes + INSTRUCTION_NODES < SGD_IR_MAX_NODES &&
          t->num_touched + 4 < SGD_IR_MAX_STORES - 16 &&
          t->ir.num_consts + SGD_PIECE_CONSTS < SGD_IR_MAX_CONSTS) {
      entered = false;
      if (!r.jump && can_follow(t, n)) {
         r.length++;
         r.span = r.length;
         r.jump = true;
         n = t->interp->ins[n].target;
         end = MIN2(end, n + MAX_FOLLOWED);
         entered = true;
      } else if (can_translate(t, n)) {
         translate_instr(t, n++);
         r.length++;
      } else {
         break;
      }
   }
   if (!r.jump)
      r.span = r.length;
   r.next = n;
   r.quad = t->quad;
   store_results(t, n);
   sgd_ir_optimize(&t->ir);
   return t->ir.full ? (struct sgd_region){ 0 } : r;
}

static void
find_targets(struct translator *t)
{
   for (uint32_t n = 0; n < t->num_instrs; n++) {
      switch (t->interp->instr[n].opcode) {
      case SGPU_OP_BRA:
      case SGPU_OP_SSY:
      case SGPU_OP_PBK:
      case SGPU_OP_PCNT:
         t->target[t->interp->instr[n].target] = true;
         break;
      default:
         break;
      }
   }
}

/* Whether lanes that keep their registers can be absent from an instruction. */
static bool
diverges(const struct translator *t)
{
   for (uint32_t n = 0; n < t->num_instrs; n++) {
      const struct sgpu_instr *instr = &t->interp->instr[n];
      switch (instr->opcode) {
      case SGPU_OP_BRA:
      case SGPU_OP_EXIT:
         if (!instr->guard.en)
            break;
         return true;
      case SGPU_OP_SYNC:
      case SGPU_OP_BRK:
      case SGPU_OP_CONT:
         return true;
      default:
         break;
      }
   }
   return false;
}

static void
find_constants(struct translator *t)
{
   const struct sgd_code *code = &t->interp->code;
   for (uint32_t n = 0; n < code->num_consts; n++)
      t->const_offset[code->consts[n]] = code->layout.base[SGPU_FILE_CONST] + 16 * n;
}

/* All regions, with their code in t->x.  False without memory. */
static bool
make_regions(struct translator *t, struct sgd_region *regions, uint32_t *num)
{
   *num = 0;
   for (uint32_t n = 0; n < t->num_instrs;) {
      struct sgd_region *r = &regions[*num];
      *r = gather(t, n);
      if (!r->length) {
         n++;
         continue;
      }
      r->full = t->x.size;
      unsigned pinned = SGD_EMIT_ANY;
      if (!sgd_emit(&t->x, &t->ir, false, &pinned))
         return false;
      r->masked = t->x.size;
      if (t->divergent && !sgd_emit(&t->x, &t->ir, true, &pinned))
         return false;
      sgd_x86_place_consts(&t->x, t->ir.consts, t->ir.num_consts);
      ++*num;
      n += r->span;
   }
   return !t->x.out_of_memory;
}

bool
sgd_can_translate(void)
{
   if (!__builtin_cpu_supports("avx2"))
      return false;
   /* Systems may forbid executable memory. */
   static const uint8_t ret = 0xc3;
   struct sgd_exec_block *block;
   const bool allowed = sgd_exec_add(&ret, sizeof(ret), &block) != NULL;
   if (allowed)
      sgd_exec_remove(block);
   return allowed;
}

struct sgd_translation *
sgd_translate(const struct sgd_shader *shader)
{
   struct sgd_interp *interp = (struct sgd_interp *)shader->code;
   const uint32_t num_instrs = shader->num_instrs;
   struct translator *t = malloc(sizeof(*t)); /* much of it is never used */
   struct sgd_translation *made = calloc(1, sizeof(*made));
   struct sgd_region *regions = calloc(num_instrs + 1, sizeof(*regions));
   bool ok = t && made && regions;
   uint32_t num = 0;
   size_t place = 0;
   if (ok) {
      sgd_x86_init(&t->x);
      memset(t->const_offset, 0, sizeof(t->const_offset));
      t->live = NULL;
      t->shader = shader;
      t->num_instrs = num_instrs;
      t->interp = interp;
      t->target = calloc(num_instrs + 1, sizeof(*t->target));
      ok = t->target;
   }
   if (ok) {
      t->live = sgd_liveness(interp, num_instrs);
      t->divergent = diverges(t);
      find_targets(t);
      find_constants(t);
      ok = make_regions(t, regions, &num) && num;
   }
   if (ok) {
      made->num_regions = num;
      made->whole = !regions[0].first && !regions[0].jump && regions[0].length == num_instrs;
   }
   if (ok && !made->whole) {
      made->ways = calloc(num_instrs + 1, sizeof(*made->ways));
      ok = made->ways &&
           sgd_emit_program(&t->x, shader, regions, num, t->target, made->ways, &place);
   }
   if (ok) {
      made->size = t->x.size;
      made->code = sgd_exec_add(t->x.code, t->x.size, &made->block);
      made->regions = calloc(num, sizeof(*made->regions));
      ok = made->code && made->regions;
   }
   for (uint32_t i = 0; ok && i < num; i++) {
      const struct sgd_region *r = &regions[i];
      const uint8_t *code = made->code;
      made->regions[i] = (struct sgd_native){
         .full = (sgd_native_fn *)(code + r->full),
         .masked = t->divergent ? (sgd_native_fn *)(code + r->masked) : NULL,
         .length = r->length,
         .span = r->span,
         .next = r->next,
         .jump = r->jump,
         .quad = r->quad,
      };
      made->quad |= r->quad;
      interp->ins[r->first].native = i + 1;
   }
   if (ok && !made->whole)
      made->program = (sgd_program_fn *)((const uint8_t *)made->code + place);
   if (t) {
      sgd_x86_finish(&t->x);
      free(t->target);
      free(t->live);
   }
   free(t);
   free(regions);
   if (!ok) {
      sgd_translation_destroy(made);
      return NULL;
   }
   return made;
}

void
sgd_translation_destroy(struct sgd_translation *t)
{
   if (!t)
      return;
   if (t->code)
      sgd_exec_remove(t->block);
   free(t->regions);
   free(t->ways);
   free(t);
}
