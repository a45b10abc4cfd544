/* SPDX-License-Identifier: MIT */
/*
 * Encoding: resolves branch targets to instruction indices and packs instructions into words.
 */

#include "ir/sgc_ir.h"

static enum sgpu_stage
stage_of(gl_shader_stage stage)
{
   return stage == MESA_SHADER_VERTEX      ? SGPU_STAGE_VERTEX
          : stage == MESA_SHADER_TESS_CTRL ? SGPU_STAGE_TESS_CTRL
          : stage == MESA_SHADER_TESS_EVAL ? SGPU_STAGE_TESS_EVAL
          : stage == MESA_SHADER_GEOMETRY  ? SGPU_STAGE_GEOMETRY
          : stage == MESA_SHADER_COMPUTE   ? SGPU_STAGE_COMPUTE
                                           : SGPU_STAGE_PIXEL;
}

/* Sets the swizzle components that the instruction doesn't read such that the disassembler can
 * print the shortest possible swizzle.
 */
static void
tidy_swizzles(struct sgc_instr *instr)
{
   sgc_foreach_src(instr, s) {
      struct sgc_src *src = &instr->src[s];
      const unsigned positions = sgc_src_positions(instr, s);
      const unsigned last = positions ? util_last_bit(positions) - 1 : 0;
      bool identity = true, same = true;

      if (!positions || (sgc_info(instr)->src_scalar & (1u << s)))
         continue;
      const unsigned fill = sgpu_swizzle_get(src->swizzle, last);
      u_foreach_bit(pos, positions) {
         identity &= sgpu_swizzle_get(src->swizzle, pos) == pos;
         same &= sgpu_swizzle_get(src->swizzle, pos) == fill;
      }
      for (unsigned pos = 0; pos < 4; pos++) {
         if (positions & (1u << pos))
            continue;
         src->swizzle &= ~(3u << (2 * pos));
         src->swizzle |= (identity && !same ? pos : fill) << (2 * pos);
      }
   }
}

bool
sgc_encode(struct sgc_program *p)
{
   struct sgpu_shader *shader = p->shader;
   struct sgpu_program *program = &shader->program;
   unsigned ip = 0;

   sgc_foreach_block(p, block) {
      sgc_foreach_instr(block, instr) {
         tidy_swizzles(instr);
         instr->ip = ip++;
      }
   }
   if (ip > SGPU_MAX_INSTRUCTIONS || (p->vp1 && ip > SGPU_VP1_INSTRUCTIONS)) {
      if (p->vp1)
         sgc_error(p, "more than 128 instructions");
      else
         sgc_errorf(p, "%u instructions, more than the %u of a program", ip, SGPU_MAX_INSTRUCTIONS);
      return false;
   }

   /* Index of the first instruction of each block. For an empty block, this is the index of the
    * next instruction in the program.
    */
   unsigned *start = sgc_zalloc_array(p, p, unsigned, p->num_blocks + 1);
   unsigned next = ip;
   sgc_foreach_block_rev(p, block) {
      if (!list_is_empty(&block->instrs))
         next = list_first_entry(&block->instrs, struct sgc_instr, link)->ip;
      start[block->index] = next;
   }

   memset(program, 0, sizeof(*program));
   program->stage = stage_of(p->stage);
   program->vp1 = p->vp1;
   program->num_temps = p->num_temps;
   program->scratch_size = p->scratch_size;
   program->literal_base = p->num_literals ? p->num_user_constants : 0;
   program->num_literals = p->num_literals;
   program->literals = sgc_alloc(p, shader, sizeof(*p->literals), p->num_literals);
   if (p->num_literals)
      memcpy(program->literals, p->literals, p->num_literals * sizeof(*p->literals));
   program->num_instrs = ip;
   program->instrs = sgc_alloc(p, shader, sizeof(*program->instrs), ip);

   sgc_foreach_block(p, block) {
      sgc_foreach_instr(block, instr) {
         struct sgpu_instr isa = sgc_instr_isa(instr);
         if (instr->target)
            isa.target = start[instr->target->index];
         const char *error = p->vp1 ? sgpu_instr_check_vp1(&isa) : NULL;
         if (!error)
            error = sgpu_instr_pack(&isa, program->instrs[instr->ip]);
         if (error) {
            sgc_error(p, error);
            return false;
         }
      }
   }

   uint32_t where;
   const char *error = sgpu_program_gather(program, &where);
   if (error)
      sgc_errorf(p, "%s (instruction %u)", error, where);
   return true;
}
