/* SPDX-License-Identifier: MIT */
/*
 * Decodes programs for the pre-decoders of the execution unit.
 */
#include "chip_eu/sgt_eu_code.h"

#include <stdlib.h>
#include <string.h>

#include "util/macros.h"

/* Distance between the addresses of consecutive programs, in bytes. */
#define CODE_STRIDE (1u << 20)

bool
sgt_eu_fuses(const struct sgt_instr *a, const struct sgt_instr *b)
{
   if ((a->pipe != SGT_PIPE_ALU && a->pipe != SGT_PIPE_SFU) || a->dst.file != SGPU_FILE_TEMP ||
       a->dst.relative || a->guard != SGT_REG_NONE || (a->flags & (SGT_INSTR_JUMP | SGT_INSTR_END)))
      return false;
   const bool sample = b->pipe == SGT_PIPE_TEXTURE;
   const bool move = b->opcode == SGPU_OP_MOV &&
                     (b->dst.file == SGPU_FILE_TEMP || b->dst.file == SGPU_FILE_OUTPUT);
   if ((!sample && !move) || b->guard != SGT_REG_NONE || b->address || b->dst.relative ||
       (b->flags & (SGT_INSTR_JUMP | SGT_INSTR_END)))
      return false;
   bool reads = false;
   for (unsigned s = 0; s < 3; s++) {
      const struct sgt_operand *src = &b->src[s];
      if (src->file == SGPU_FILE_NONE)
         continue;
      if (src->file != SGPU_FILE_TEMP || src->relative || src->index != a->dst.index ||
          (src->mask & ~a->dst.mask))
         return false;
      reads = true;
   }
   return reads;
}

static void
wait_for(struct sgt_eu_op *op, uint16_t reg)
{
   for (unsigned i = 0; i < op->num_waits; i++)
      if (op->waits[i] == reg)
         return;
   op->waits[op->num_waits++] = reg;
}

static uint16_t
eu_written(const struct sgt_operand *dst)
{
   switch (dst->file) {
   case SGPU_FILE_TEMP:
      return dst->relative ? SGT_EU_REG_NONE : dst->index;
   case SGPU_FILE_ADDR:
      return SGT_EU_REG_ADDR;
   case SGPU_FILE_PRED:
      return SGT_EU_REG_PRED + dst->index;
   default:
      return SGT_EU_REG_NONE;
   }
}

static bool
eu_again(const struct sgt_instr *instr, unsigned s)
{
   for (unsigned i = 0; i < s; i++)
      if (instr->src[i].file == instr->src[s].file && instr->src[i].index == instr->src[s].index)
         return true;
   return false;
}

static void
eu_decode(struct sgt_eu_op *op, const struct sgt_instr *instr, uint32_t banks)
{
   uint8_t in_bank[16] = { 0 };

   *op = (struct sgt_eu_op){
      .pipe = instr->pipe,
      .class = instr->pipe == SGT_PIPE_CONTROL ? SGT_EU_CLASS_CONTROL
               : instr->pipe == SGT_PIPE_SFU   ? SGT_EU_CLASS_SFU
                                               : SGT_EU_CLASS_ALU,
      .write = eu_written(&instr->dst),
   };
   for (unsigned s = 0; s < 3; s++) {
      const struct sgt_operand *src = &instr->src[s];
      if (src->relative)
         op->flags |= SGT_EU_OP_ALL;
      if (src->file == SGPU_FILE_ADDR)
         wait_for(op, SGT_EU_REG_ADDR);
      if (src->file == SGPU_FILE_PRED)
         wait_for(op, SGT_EU_REG_PRED + src->index);
      if (eu_again(instr, s))
         continue;
      if (src->file == SGPU_FILE_CONST) {
         op->const_index[op->consts++] = MAX2(src->index, 0);
      } else if (src->file == SGPU_FILE_INPUT) {
         op->attrs++;
      } else if (src->file == SGPU_FILE_TEMP) {
         if (!src->relative)
            wait_for(op, src->index);
         op->regs++;
         in_bank[src->index & (banks - 1)]++;
      }
   }
   for (unsigned i = 0; i < banks; i++)
      op->reg_cycles = MAX2(op->reg_cycles, in_bank[i]);
   if (instr->guard != SGT_REG_NONE)
      wait_for(op, SGT_EU_REG_PRED + (instr->guard - SGT_REG_PRED) / 4);
   if (instr->address)
      wait_for(op, SGT_EU_REG_ADDR);
   if (instr->dst.relative || (instr->flags & (SGT_INSTR_END | SGT_INSTR_BARRIER)))
      op->flags |= SGT_EU_OP_ALL;
   if (instr->flags & SGT_INSTR_ACCESS)
      op->flags |= SGT_EU_OP_ACCESS;
   if (instr->pipe == SGT_PIPE_CONST)
      op->flags |= SGT_EU_OP_LOAD;
   else if ((instr->flags & SGT_INSTR_ACCESS) || instr->dst.file == SGPU_FILE_OUTPUT)
      op->flags |= SGT_EU_OP_OUTPUT;
   if (instr->flags & (SGT_INSTR_JUMP | SGT_INSTR_END))
      op->flags |= SGT_EU_OP_JUMP;
   if (instr->flags & SGT_INSTR_BARRIER)
      op->flags |= SGT_EU_OP_BARRIER;
   if (instr->pipe == SGT_PIPE_INTERP && op->regs)
      op->flags |= SGT_EU_OP_LATE;
}

bool
sgt_eu_code_init(struct sgt_eu_code *code, const struct sgt_program *program, uint32_t number,
                 uint32_t banks)
{
   *code = (struct sgt_eu_code){
      .program = program,
      .num = program->num_instrs,
      .address = SGT_EU_CODE + (uint64_t)number * CODE_STRIDE,
      .interpolates = program->stage == SGPU_STAGE_PIXEL,
   };
   code->ops = calloc(code->num + 1, sizeof(*code->ops));
   code->accesses = calloc(code->num + 1, sizeof(*code->accesses));
   if (!code->ops || !code->accesses) {
      sgt_eu_code_finish(code);
      return false;
   }
   for (uint32_t i = 0; i < code->num; i++) {
      const struct sgt_instr *instr = &program->instrs[i];
      eu_decode(&code->ops[i], instr, banks);
      code->barrier |= !!(instr->flags & SGT_INSTR_BARRIER);
      code->accesses[i + 1] = code->accesses[i] + !!(instr->flags & SGT_INSTR_ACCESS);
      if (i + 1 < code->num && sgt_eu_fuses(instr, instr + 1))
         code->ops[i].flags |= SGT_EU_OP_FUSES;
   }
   /* If the program writes registers with relative addressing, the destination is unknown until the
    * instruction executes, so make all instructions wait for all pending results.
    */
   bool spreads = false;
   for (uint32_t i = 0; i < code->num; i++) {
      const struct sgt_operand *dst = &program->instrs[i].dst;
      spreads |= dst->file == SGPU_FILE_TEMP && dst->relative;
   }
   for (uint32_t i = 0; spreads && i < code->num; i++)
      code->ops[i].flags |= SGT_EU_OP_ALL;
   for (unsigned i = 0; i < SGPU_INPUT_SIZE; i++)
      code->inputs += program->inputs[i] != 0;
   return true;
}

void
sgt_eu_code_finish(struct sgt_eu_code *code)
{
   free(code->ops);
   free(code->accesses);
   code->ops = NULL;
   code->accesses = NULL;
}
