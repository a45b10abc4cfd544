/* SPDX-License-Identifier: MIT */
/*
 * Programs in the form that timing models use.
 */
#include "trace/sgt_program.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "trace/sgt_crack.h"
#include "trace/sgt_hash.h"
#include "util/bitscan.h"
#include "util/macros.h"

/* -- instructions ------------------------------------------------------------------------- */

static unsigned
main_pipe(const struct sgpu_opcode_info *op, const struct sgpu_scalar_info *scalar)
{
   unsigned pipe = SGT_PIPE_CONTROL;

   for (unsigned i = 0; i < scalar->num_steps; i++) {
      if (i == 0 || (scalar->steps[i].unit != SGT_PIPE_ALU && pipe == SGT_PIPE_ALU))
         pipe = scalar->steps[i].unit;
   }
   return pipe;
}

static unsigned
instr_flags(const struct sgpu_instr *instr)
{
   const struct sgpu_opcode_info *op = sgpu_opcode_info(instr->opcode);
   unsigned flags = op->flags & SGPU_OPF_VP1 ? SGT_INSTR_VP1 : 0;

   switch (instr->opcode) {
   case SGPU_OP_BAR:
      return flags | SGT_INSTR_BARRIER;
   case SGPU_OP_EXIT:
      return flags | SGT_INSTR_JUMP | SGT_INSTR_END;
   case SGPU_OP_KIL:
   case SGPU_OP_DMT:
      return flags | SGT_INSTR_JUMP;
   default:
      return op->flags & SGPU_OPF_ENDS ? flags | SGT_INSTR_JUMP : flags;
   }
}

static struct sgt_instr
program_describe(const struct sgt_crack *k)
{
   const struct sgpu_instr *instr = k->instr;
   const struct sgpu_guard *guard = &instr->guard;
   struct sgt_instr i = {
      .opcode = instr->opcode,
      .pipe = main_pipe(k->op, k->scalar),
      .flags = instr_flags(instr),
      .dst.file = SGPU_FILE_NONE,
      .guard = guard->en ? SGT_REG_PRED + 4 * guard->reg + guard->comp : SGT_REG_NONE,
      .address = sgpu_instr_addr_read_mask(instr),
      .latency = k->op->latency,
      .num_uops = k->num,
   };

   if (k->op->flags & SGPU_OPF_DST && instr->dst.file != SGPU_FILE_NONE) {
      i.dst = (struct sgt_operand){ instr->dst.file, instr->dst.mask, instr->dst.index,
                                    instr->dst.rel };
   }
   for (unsigned s = 0; s < 3; s++) {
      const struct sgpu_src *src = &instr->src[s];
      const unsigned mask = sgpu_src_read_mask(k->op, instr, s);
      i.src[s].file = SGPU_FILE_NONE;
      if (mask)
         i.src[s] = (struct sgt_operand){ src->file, mask, src->index, src->rel };
      i.flags |= i.src[s].file == SGPU_FILE_CONST ? SGT_INSTR_CONST : 0;
   }
   for (unsigned n = 0; n < k->num; n++)
      i.flags |= k->uops[n].flags & SGT_UOP_ACCESS ? SGT_INSTR_ACCESS : 0;
   return i;
}

/* -- programs ----------------------------------------------------------------------------- */

struct registers {
   /* for each temporary, a bitmask of the components that the program uses */
   uint8_t temps[SGPU_TEMP_SIZE];
   uint32_t inners; /* maximum number of inner registers that an instruction uses */
};

static void
use_registers(struct registers *r, const struct sgt_crack *k, const struct sgt_instr *instr)
{
   uint32_t inners = 0;

   for (unsigned o = 0; o < 4; o++) {
      const struct sgt_operand *operand = o ? &instr->src[o - 1] : &instr->dst;
      if (operand->file == SGPU_FILE_TEMP && !operand->relative)
         r->temps[operand->index] |= operand->mask;
   }
   for (unsigned n = 0; n < k->num; n++) {
      if (k->uops[n].dst != SGT_REG_NONE && k->uops[n].dst >= SGT_REG_INNER)
         inners |= 1u << (k->uops[n].dst - SGT_REG_INNER);
   }
   r->inners = MAX2(r->inners, util_bitcount(inners));
}

static uint64_t
hash_binary(const struct sgpu_program *p)
{
   const uint32_t header[] = { p->stage,        p->vp1,          p->num_temps, p->scratch_size,
                               p->literal_base, p->num_literals, p->num_instrs };
   XXH64_state_t state;

   XXH64_reset(&state, 0);
   XXH64_update(&state, header, sizeof(header));
   XXH64_update(&state, p->literals, p->num_literals * sizeof(*p->literals));
   XXH64_update(&state, p->instrs, p->num_instrs * sizeof(*p->instrs));
   return XXH64_digest(&state);
}

static void
count_operands(struct sgt_program *p, const struct sgpu_program *program)
{
   const struct sgpu_program_info *info = &program->info;

   for (unsigned i = 0; i < SGPU_INPUT_SIZE; i++) {
      p->inputs[i] = info->input_mask[i];
      p->num_inputs += util_bitcount(info->input_mask[i]);
   }
   for (unsigned i = 0; i < SGPU_OUTPUT_SIZE; i++)
      p->num_outputs += util_bitcount(info->output_mask[i]);
}

static bool
program_append(struct sgt_program *p, uint64_t *max, struct sgt_crack *k)
{
   const uint32_t instr = p->num_instrs - 1;

   if (p->num_uops + k->num > *max) {
      const uint64_t most = MAX2(2 * *max, p->num_uops + SGT_CRACK_MOST);
      struct sgt_uop *more = realloc(p->uops, most * sizeof(*more));
      if (!more)
         return false;
      p->uops = more;
      *max = most;
   }
   p->instrs[instr].first_uop = p->num_uops;
   if (!k->num)
      return true;
   for (unsigned n = 0; n < k->num; n++)
      k->uops[n].instr = instr;
   k->uops[k->num - 1].flags |= SGT_UOP_LAST;
   memcpy(p->uops + p->num_uops, k->uops, k->num * sizeof(*k->uops));
   p->num_uops += k->num;
   return true;
}

struct sgt_program *
sgt_program_create(const struct sgpu_program *program)
{
   struct sgt_program *p = calloc(1, sizeof(*p));
   struct sgt_crack *k = malloc(sizeof(*k));
   struct registers registers = { { 0 } };
   uint64_t max = 0;

   if (p)
      p->instrs = calloc(program->num_instrs + 1, sizeof(*p->instrs));
   if (!p || !k || !p->instrs)
      goto failed;
   p->stage = program->stage;
   p->vp1 = program->vp1;
   p->num_temps = program->num_temps;
   p->scratch = program->scratch_size;
   p->hash = hash_binary(program);
   count_operands(p, program);
   for (uint32_t i = 0; i < program->num_instrs; i++) {
      struct sgpu_instr instr;
      ASSERTED const char *error = sgpu_instr_unpack(program->instrs[i], &instr);
      assert(!error);
      sgt_crack(k, &instr);
      p->instrs[p->num_instrs++] = program_describe(k);
      use_registers(&registers, k, &p->instrs[i]);
      if (!program_append(p, &max, k))
         goto failed;
   }
   for (unsigned t = 0; t < SGPU_TEMP_SIZE; t++)
      p->num_scalars += util_bitcount(registers.temps[t]);
   if (program->info.relative_temps)
      p->num_scalars = 4 * p->num_temps;
   p->num_scalars += registers.inners;
   free(k);
   return p;

failed:
   free(k);
   sgt_program_destroy(p);
   return NULL;
}

void
sgt_program_destroy(struct sgt_program *program)
{
   if (!program)
      return;
   free(program->instrs);
   free(program->uops);
   free(program);
}
