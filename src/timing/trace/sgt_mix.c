/* SPDX-License-Identifier: MIT */
#include "trace/sgt_mix.h"

#include "util/bitscan.h"

const char *const sgt_class_names[SGT_CLASS_COUNT] = {
   [SGT_CLASS_MOV] = "MOV",
   [SGT_CLASS_MUL] = "MUL",
   [SGT_CLASS_ADD] = "ADD",
   [SGT_CLASS_MAD] = "MAD",
   [SGT_CLASS_DP3] = "DP3",
   [SGT_CLASS_DP4] = "DP4",
   [SGT_CLASS_SPECIAL] = "special",
   [SGT_CLASS_ALU] = "other arithmetic",
   [SGT_CLASS_INTERP] = "interpolation",
   [SGT_CLASS_TEXTURE] = "texture",
   [SGT_CLASS_MEMORY] = "memory",
   [SGT_CLASS_CONTROL] = "control",
};

enum sgt_class
sgt_instr_class(const struct sgt_instr *instr)
{
   switch (instr->opcode) {
   case SGPU_OP_MOV:
      return SGT_CLASS_MOV;
   case SGPU_OP_MUL:
      return SGT_CLASS_MUL;
   case SGPU_OP_ADD:
      return SGT_CLASS_ADD;
   case SGPU_OP_MAD:
      return SGT_CLASS_MAD;
   case SGPU_OP_DP3:
      return SGT_CLASS_DP3;
   case SGPU_OP_DP4:
      return SGT_CLASS_DP4;
   default:
      break;
   }
   switch ((enum sgt_pipe)instr->pipe) {
   case SGT_PIPE_SFU:
      return SGT_CLASS_SPECIAL;
   case SGT_PIPE_INTERP:
      return SGT_CLASS_INTERP;
   case SGT_PIPE_TEXTURE:
      return SGT_CLASS_TEXTURE;
   case SGT_PIPE_MEMORY:
   case SGT_PIPE_SHARED:
   case SGT_PIPE_CONST:
      return SGT_CLASS_MEMORY;
   case SGT_PIPE_CONTROL:
      return SGT_CLASS_CONTROL;
   default:
      return SGT_CLASS_ALU;
   }
}

void
sgt_program_mix(const struct sgt_program *program, uint32_t pc, uint32_t count, uint64_t times,
                struct sgt_mix *mix)
{
   for (uint32_t i = pc; i < pc + count; i++) {
      const struct sgt_instr *instr = &program->instrs[i];
      mix->instrs += times;
      mix->classes[sgt_instr_class(instr)] += times;
      mix->vp1 += instr->flags & SGT_INSTR_VP1 ? times : 0;
      mix->uops += instr->num_uops * times;
      for (uint32_t n = 0; n < instr->num_uops; n++)
         mix->pipes[program->uops[instr->first_uop + n].pipe] += times;
   }
}

void
sgt_work_mix(const struct sgt_work *work, uint32_t operation, bool by_lane, struct sgt_mix *mix)
{
   const struct sgt_operation_work *o = &work->operations[operation];

   for (uint32_t w = o->first_warp; w < o->first_warp + o->num_warps; w++) {
      const struct sgt_warp *warp = &work->warps[w];
      for (uint32_t r = warp->first_run; r < warp->first_run + warp->num_runs; r++) {
         const struct sgt_run *run = &work->runs[r];
         sgt_program_mix(work->programs[warp->program], run->pc, run->count,
                         by_lane ? util_bitcount(run->lanes) : 1, mix);
      }
   }
}
