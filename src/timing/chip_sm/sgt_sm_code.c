/* SPDX-License-Identifier: MIT */
/*
 * Streaming multiprocessor: translates programs into the form that the multiprocessors execute.
 */
#include "chip_sm/sgt_sm_code.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "util/bitscan.h"
#include "util/macros.h"
#include "util/u_math.h"

static enum sgt_sm_class
class_of(enum sgpu_stage stage)
{
   switch (stage) {
   case SGPU_STAGE_GEOMETRY:
      return SGT_SM_GEOMETRY;
   case SGPU_STAGE_PIXEL:
      return SGT_SM_PIXEL;
   case SGPU_STAGE_COMPUTE:
      return SGT_SM_COMPUTE;
   default:
      return SGT_SM_VERTEX;
   }
}

static enum sgt_sm_unit
unit_of(const struct sgt_uop *uop, const struct sgt_instr *instr)
{
   const bool access = uop->flags & SGT_UOP_ACCESS;
   switch ((enum sgt_pipe)uop->pipe) {
   case SGT_PIPE_ALU:
      return instr->opcode == SGPU_OP_MUL ? SGT_SM_UNIT_MUL : SGT_SM_UNIT_ALU;
   case SGT_PIPE_SFU:
      return SGT_SM_UNIT_SFU;
   case SGT_PIPE_INTERP:
      return SGT_SM_UNIT_INTERP;
   /* Only the last operation of an access uses the unit. Earlier operations just transfer an
    * operand.
    */
   case SGT_PIPE_TEXTURE:
      return access ? SGT_SM_UNIT_TEXTURE : SGT_SM_UNIT_CONTROL;
   case SGT_PIPE_MEMORY:
      return access ? SGT_SM_UNIT_MEMORY : SGT_SM_UNIT_CONTROL;
   case SGT_PIPE_SHARED:
      return access ? SGT_SM_UNIT_SHARED : SGT_SM_UNIT_CONTROL;
   case SGT_PIPE_CONST:
      return access ? SGT_SM_UNIT_CONST : SGT_SM_UNIT_CONTROL;
   case SGT_PIPE_CONTROL:
   case SGT_PIPE_COUNT:
      break;
   }
   return SGT_SM_UNIT_CONTROL;
}

static void
add_source(struct sgt_sm_op *op, uint32_t reg)
{
   if (reg == SGT_REG_NONE)
      return;
   for (uint32_t i = 0; i < op->num_src; i++)
      if (op->src[i] == reg)
         return;
   op->src[op->num_src++] = reg;
}

static void
add_const(struct sgt_sm_op *op, uint32_t index)
{
   const uint32_t line = index * 16 / 64;
   for (uint32_t i = 0; i < op->num_consts; i++)
      if (op->consts[i] == line)
         return;
   op->consts[op->num_consts++] = line;
}

/* Returns the number of extra cycles that bank conflicts cause. Each bank of the register file can
 * read one operand at a time. The slot of a warp shifts all of its registers by the same number of
 * banks, so the conflicts don't depend on the slot.
 */
static uint32_t
sm_conflicts(const struct sgt_sm_op *op, const struct sgt_sm_params *p)
{
   uint32_t most = 1;
   if (!p->banks || op->unit == SGT_SM_UNIT_CONTROL || op->flags & SGT_SM_OP_ACCESS)
      return 0;
   for (uint32_t i = 0; i < op->num_src; i++) {
      uint32_t same = 0;
      for (uint32_t j = 0; j < op->num_src; j++)
         same += op->src[i] < SGT_REG_ADDR && op->src[j] < SGT_REG_ADDR &&
                 op->src[i] % p->banks == op->src[j] % p->banks;
      most = MAX2(most, same);
   }
   return (most - 1) * p->bank_cycles;
}

/* Translates the operations of a program. */
static void
sm_crack(struct sgt_sm_program *sp, const struct sgt_sm_params *p)
{
   const struct sgt_program *program = sp->program;
   /* index of the last instruction whose constants were added to an operation */
   uint32_t consts_of = UINT32_MAX;
   for (uint32_t i = 0; i < program->num_uops; i++) {
      const struct sgt_uop *uop = &program->uops[i];
      const struct sgt_instr *instr = &program->instrs[uop->instr];
      struct sgt_sm_op *op = &sp->ops[i];
      memset(op, 0, sizeof(*op));
      op->unit = unit_of(uop, instr);
      op->dst = uop->dst;
      op->dsts = uop->dst == SGT_REG_NONE ? 0 : uop->dsts;
      for (unsigned s = 0; s < 3; s++)
         for (unsigned r = 0; r < sgt_uop_reads(uop, s); r++)
            add_source(op, uop->src[s] + r);
      add_source(op, instr->guard);
      u_foreach_bit(c, instr->address & 15)
         add_source(op, SGT_REG_ADDR + c);
      if (uop->flags & SGT_UOP_ACCESS)
         op->flags |= SGT_SM_OP_ACCESS;
      if (uop->flags & SGT_UOP_ANY)
         op->flags |= SGT_SM_OP_ALL | SGT_SM_OP_FENCE;
      if (uop->flags & SGT_UOP_LAST) {
         op->flags |= SGT_SM_OP_LAST;
         if (instr->flags & SGT_INSTR_BARRIER)
            op->flags |= SGT_SM_OP_BARRIER;
      }
      if (uop->flags & SGT_UOP_CONST && consts_of != uop->instr) {
         consts_of = uop->instr;
         for (unsigned s = 0; s < 3; s++)
            if (instr->src[s].file == SGPU_FILE_CONST)
               add_const(op, MAX2(instr->src[s].index, 0));
      }
      op->extra = sm_conflicts(op, p);
   }
}

/* Builds the prologue of a pixel program, which interpolates the inputs. Returns false on
 * allocation failure.
 */
static bool
make_prologue(struct sgt_sm_program *sp, const struct sgt_sm_params *p)
{
   const uint32_t inputs = sp->program->num_inputs;
   const bool perspective = p->prologue == SGT_SM_PROLOGUE_PERSPECTIVE;
   if (sp->warp_class != SGT_SM_PIXEL || p->prologue == SGT_SM_PROLOGUE_NONE || !inputs)
      return true;
   sp->num_prologue = perspective ? 2 + 2 * inputs : inputs;
   sp->prologue = calloc(sp->num_prologue, sizeof(*sp->prologue));
   if (!sp->prologue)
      return false;
   /* The INNER registers hold 1/W and W. Input i is written to register i, which the program has
    * not used yet.
    */
   struct sgt_sm_op *op = sp->prologue;
   const uint16_t w = SGT_REG_INNER;
   if (perspective) {
      *op++ = (struct sgt_sm_op){
         .unit = SGT_SM_UNIT_INTERP, .flags = SGT_SM_OP_LAST, .dst = w, .dsts = 1
      };
      *op++ = (struct sgt_sm_op){ .unit = SGT_SM_UNIT_SFU,
                                  .flags = SGT_SM_OP_LAST,
                                  .num_src = 1,
                                  .src = { w },
                                  .dst = w + 1,
                                  .dsts = 1 };
   }
   for (uint32_t i = 0; i < inputs; i++)
      *op++ = (struct sgt_sm_op){
         .unit = SGT_SM_UNIT_INTERP, .flags = SGT_SM_OP_LAST, .dst = i, .dsts = 1
      };
   for (uint32_t i = 0; perspective && i < inputs; i++)
      *op++ = (struct sgt_sm_op){ .unit = SGT_SM_UNIT_MUL,
                                  .flags = SGT_SM_OP_LAST,
                                  .num_src = 2,
                                  .src = { i, w + 1 },
                                  .dst = i,
                                  .dsts = 1 };
   return true;
}

bool
sgt_sm_code_init(struct sgt_sm_code *code, const struct sgt_work *work,
                 const struct sgt_sm_params *params, char *error, size_t error_size)
{
   memset(code, 0, sizeof(*code));
   if (!sgt_sm_params_check(params, error, error_size))
      return false;
   code->work = work;
   code->params = *params;
   code->programs = calloc(MAX2(work->num_programs, 1), sizeof(*code->programs));
   if (!code->programs)
      goto no_memory;
   uint64_t address = SGT_SM_CODE_ADDRESS;
   for (uint32_t i = 0; i < work->num_programs; i++) {
      struct sgt_sm_program *sp = &code->programs[code->num_programs++];
      sp->program = work->programs[i];
      sp->num_ops = sp->program->num_uops;
      sp->warp_class = class_of(sp->program->stage);
      sp->address = address;
      code->scratch_bytes = MAX2(code->scratch_bytes, align64(32ull * sp->program->scratch, 64));
      address += align64((uint64_t)sp->num_ops * params->op_bytes, 64);
      sp->ops = calloc(MAX2(sp->num_ops, 1), sizeof(*sp->ops));
      if (!sp->ops || sp->program->num_inputs > SGT_REG_ADDR || !make_prologue(sp, params))
         goto no_memory;
      sm_crack(sp, params);
      /* The program starts only after all inputs have been interpolated. */
      if (sp->num_prologue && sp->num_ops)
         sp->ops[0].flags |= SGT_SM_OP_ALL;
   }
   if (params->const_scope == SGT_CONST_VERSION &&
       !sgt_const_lines_init(&code->constants, work, SGT_CONST_VERSION))
      goto no_memory;
   for (uint32_t i = 0; i < work->num_accesses; i++)
      code->max_lines = MAX2(code->max_lines, work->accesses[i].num_lines);
   return true;

no_memory:
   snprintf(error, error_size, "out of memory");
   sgt_sm_code_finish(code);
   return false;
}

void
sgt_sm_code_finish(struct sgt_sm_code *code)
{
   for (uint32_t i = 0; i < code->num_programs; i++) {
      free(code->programs[i].ops);
      free(code->programs[i].prologue);
   }
   free(code->programs);
   sgt_const_lines_finish(&code->constants);
   memset(code, 0, sizeof(*code));
}

struct sgt_sm_range
sgt_sm_code_run(const struct sgt_sm_program *sp, const struct sgt_run *run)
{
   const struct sgt_instr *instrs = sp->program->instrs;
   if (!run->count)
      return (struct sgt_sm_range){ 0, 0 };
   const struct sgt_instr *last = &instrs[run->pc + run->count - 1];
   return (struct sgt_sm_range){ instrs[run->pc].first_uop, last->first_uop + last->num_uops };
}

uint64_t
sgt_sm_const_address(const struct sgt_sm_code *code, const struct sgt_warp *warp, uint32_t line)
{
   const enum sgpu_stage stage = code->programs[warp->program].program->stage;
   uint64_t bank = warp->program;
   if (code->params.const_scope == SGT_CONST_OPERATION)
      bank = (uint64_t)warp->operation * 8 + stage;
   else if (code->params.const_scope == SGT_CONST_VERSION)
      bank = sgt_const_lines_from(&code->constants,
                                  sgt_const_lines_version(&code->constants, warp->operation, stage),
                                  line);
   return SGT_SM_CONST_ADDRESS + bank * SGPU_CONST_SIZE * 16 + line * 64;
}

uint64_t
sgt_sm_line_address(const struct sgt_sm_code *code, uint32_t sm, uint32_t slot, sgt_line line)
{
   const uint64_t address = sgt_line_address(line);
   if (address < SGT_SCRATCH)
      return address;
   const uint64_t place = (uint64_t)sm * SGT_SM_MAX_WARPS + slot;
   return SGT_SM_SCRATCH_ADDRESS + place * code->scratch_bytes + (address - SGT_SCRATCH);
}
