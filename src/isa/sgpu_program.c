/* SPDX-License-Identifier: MIT */

/* Derives properties of a program from its instructions, and checks the rules that involve several
 * instructions.
 */

#include <stdlib.h>
#include <string.h>

#include "sgpu_flow.h"
#include "sgpu_program.h"

const char *
sgpu_stage_name(enum sgpu_stage stage)
{
   static const char *const names[] = {
      [SGPU_STAGE_VERTEX] = "vertex",
      [SGPU_STAGE_TESS_CTRL] = "tessellation control",
      [SGPU_STAGE_TESS_EVAL] = "tessellation evaluation",
      [SGPU_STAGE_GEOMETRY] = "geometry",
      [SGPU_STAGE_PIXEL] = "pixel",
      [SGPU_STAGE_COMPUTE] = "compute",
   };
   return names[stage];
}

bool
sgpu_output_run(enum sgpu_stage stage, unsigned index, unsigned *first, unsigned *count)
{
   for (unsigned i = 0; i < SGPU_NUM_OUTPUT_RUNS; i++) {
      const struct sgpu_output_run *run = &sgpu_output_runs[i];
      if (run->stage == (unsigned)stage && index >= run->first &&
          index < (unsigned)run->first + run->count) {
         *first = run->first;
         *count = run->count;
         return true;
      }
   }
   return false;
}

static bool
output_exists(enum sgpu_stage stage, unsigned index)
{
   if (sgpu_stage_makes_vertices(stage))
      return index < SGPU_NUM_VS_OUTPUTS && sgpu_vs_output_names[index];
   return stage == SGPU_STAGE_PIXEL && index < SGPU_NUM_PS_OUTPUTS && sgpu_ps_output_names[index];
}

static const char *
gather_dst(struct sgpu_program *program, const struct sgpu_dst *dst)
{
   struct sgpu_program_info *info = &program->info;

   if (dst->file == SGPU_FILE_TEMP) {
      if (dst->index + 1u > info->num_temps)
         info->num_temps = dst->index + 1u;
      info->relative_temps |= dst->rel;
   } else if (dst->file == SGPU_FILE_OUTPUT) {
      unsigned first = dst->index, count = 1;
      if (!output_exists(program->stage, dst->index))
         return "the stage has no such output";
      if (dst->rel && !sgpu_output_run(program->stage, dst->index, &first, &count))
         return "relative addressing does not reach this output";
      for (unsigned i = first; i < first + count; i++) {
         info->outputs_written |= 1ull << i;
         info->output_mask[i] |= dst->mask;
      }
      info->relative_outputs |= dst->rel;
   }
   return NULL;
}

static const char *
gather_constant(struct sgpu_program *program, const struct sgpu_src *src)
{
   struct sgpu_program_info *info = &program->info;
   if (src->rel) {
      info->relative_constants = true;
      return NULL;
   }
   const uint32_t index = (uint32_t)src->index;
   if (program->num_literals && index >= program->literal_base)
      return index < program->literal_base + program->num_literals ? NULL
                                                                   : "constant beyond the literals";
   if (index >= info->num_constants)
      info->num_constants = index + 1;
   return NULL;
}

static const char *
gather_src(struct sgpu_program *program, const struct sgpu_src *src, unsigned mask)
{
   struct sgpu_program_info *info = &program->info;

   switch (src->file) {
   case SGPU_FILE_TEMP:
      if (!src->rel && (uint32_t)src->index + 1 > info->num_temps)
         info->num_temps = (uint32_t)src->index + 1;
      info->relative_temps |= src->rel;
      break;
   case SGPU_FILE_INPUT:
      if (program->stage == SGPU_STAGE_COMPUTE || sgpu_stage_reads_vertices(program->stage))
         return "the stage has no inputs";
      info->relative_inputs |= src->rel;
      for (unsigned i = 0; i < SGPU_INPUT_SIZE; i++) {
         if ((src->rel || (unsigned)src->index == i) && mask) {
            info->inputs_read |= 1u << i;
            info->input_mask[i] |= mask;
         }
      }
      break;
   case SGPU_FILE_CONST:
      return gather_constant(program, src);
   case SGPU_FILE_SYS:
      if (!(sgpu_sysval_stages[src->index] & (1u << program->stage)))
         return "the stage has no such system value";
      info->sysvals_read |= mask ? 1u << src->index : 0;
      info->sysval_mask[src->index] |= mask;
      break;
   default:
      break;
   }
   return NULL;
}

/* Returns a mask of the bindings that an instruction may use. A relative unit may select any
 * binding, because the address may be negative.
 */
static uint32_t
units_of(const struct sgpu_instr *instr)
{
   return instr->urel ? ~0u : 1u << instr->unit;
}

static void
gather_resources(struct sgpu_program_info *info, const struct sgpu_opcode_info *op,
                 const struct sgpu_instr *instr)
{
   if (op->payload == SGPU_PAYLOAD_TEX) {
      const struct sgpu_tex_op_info *tex = sgpu_tex_op_info(instr->opcode);
      info->relative_textures |= instr->urel;
      for (unsigned i = instr->unit; i < SGPU_MAX_TEXTURES; i++) {
         if (instr->urel || i == instr->unit)
            info->textures[i / 32] |= 1u << (i % 32);
      }
      if (tex->sampler)
         info->samplers |= instr->urel ? ~0u << instr->sampler : 1u << instr->sampler;
   } else if (instr->opcode == SGPU_OP_LDC) {
      info->banks |= units_of(instr);
   } else if (instr->opcode == SGPU_OP_LDB) {
      info->buffers_read |= units_of(instr);
   } else if (instr->opcode == SGPU_OP_STB) {
      info->buffers_written |= units_of(instr);
   } else if (instr->opcode == SGPU_OP_ATB || instr->opcode == SGPU_OP_ATBW) {
      info->buffers_read |= units_of(instr);
      info->buffers_written |= units_of(instr);
   } else if (op->kind == SGPU_KIND_IMG && instr->opcode != SGPU_OP_SZI) {
      info->images_read |= instr->opcode != SGPU_OP_STI ? units_of(instr) : 0;
      info->images_written |= instr->opcode != SGPU_OP_LDI ? units_of(instr) : 0;
   } else if (instr->opcode == SGPU_OP_LDO) {
      info->outputs_loaded |= instr->urel ? ~0ull : 1ull << instr->unit;
   } else if (instr->opcode == SGPU_OP_LDL || instr->opcode == SGPU_OP_STL) {
      if (instr->src[0].file != SGPU_FILE_NONE) {
         info->dynamic_scratch = true;
      } else {
         uint32_t end = instr->offset & ~3u;
         for (unsigned c = 0; c < 4; c++)
            end = instr->dst.mask & (1u << c) ? (instr->offset & ~3u) + 4 * (c + 1) : end;
         if (end > info->scratch_used)
            info->scratch_used = end;
      }
   }
}

static const char *
gather_instr(struct sgpu_program *program, const struct sgpu_instr *instr)
{
   struct sgpu_program_info *info = &program->info;
   const struct sgpu_opcode_info *op = sgpu_opcode_info(instr->opcode);
   const char *error = NULL;

   if (program->vp1 && (error = sgpu_instr_check_vp1(instr)))
      return error;
   if ((op->flags & SGPU_OPF_PS) && program->stage != SGPU_STAGE_PIXEL)
      return "the operation is for pixel programs alone";
   if ((op->flags & SGPU_OPF_QUAD) && program->stage != SGPU_STAGE_PIXEL &&
       program->stage != SGPU_STAGE_COMPUTE)
      return "the operation is for pixel and compute programs alone";
   if ((op->flags & SGPU_OPF_GS) && program->stage != SGPU_STAGE_GEOMETRY)
      return "the operation is for geometry programs alone";
   if ((op->flags & SGPU_OPF_CS) && program->stage != SGPU_STAGE_COMPUTE)
      return "the operation is for compute programs alone";
   if ((op->flags & SGPU_OPF_TC) && program->stage != SGPU_STAGE_TESS_CTRL)
      return "the operation is for tessellation control programs alone";
   if ((op->flags & SGPU_OPF_PATCH) && program->stage != SGPU_STAGE_TESS_CTRL &&
       program->stage != SGPU_STAGE_TESS_EVAL)
      return "the operation is for tessellation programs alone";
   if ((op->flags & SGPU_OPF_PRIM) && !sgpu_stage_reads_vertices(program->stage))
      return "the operation is for tessellation and geometry programs alone";

   if ((op->flags & SGPU_OPF_DST) && (error = gather_dst(program, &instr->dst)))
      return error;
   for (unsigned s = 0; s < op->num_srcs && !error; s++)
      error = gather_src(program, &instr->src[s], sgpu_src_read_mask(op, instr, s));
   if (error)
      return error;

   gather_resources(info, op, instr);
   info->uses_derivatives |= (op->flags & SGPU_OPF_QUAD) != 0;
   info->interpolates |= op->kind == SGPU_KIND_IPA;
   info->reads_clock |= instr->opcode == SGPU_OP_CLK;
   info->reads_warp |= op->kind == SGPU_KIND_WARP;
   info->uses_kill |= instr->opcode == SGPU_OP_KIL || instr->opcode == SGPU_OP_DMT;
   info->vertex_streams |= instr->opcode == SGPU_OP_EMITV ? 1u << instr->unit : 0;
   info->targets_read |= instr->opcode == SGPU_OP_LDT ? 1u << instr->unit : 0;
   info->num_loops += instr->opcode == SGPU_OP_PBK;
   info->branches |= instr->opcode == SGPU_OP_BRA || instr->opcode == SGPU_OP_SSY ||
                     instr->opcode == SGPU_OP_PBK || instr->opcode == SGPU_OP_PCNT;
   info->has_barrier |= instr->opcode == SGPU_OP_BAR;
   return NULL;
}

static const char *
check_header(const struct sgpu_program *program)
{
   const bool vp1 = program->vp1;
   if (program->stage > SGPU_STAGE_COMPUTE)
      return "the stage has no programs";
   if (vp1 && program->stage != SGPU_STAGE_VERTEX)
      return "vp1: only vertex programs";
   if (program->num_instrs > SGPU_MAX_INSTRUCTIONS)
      return "too many instructions";
   if (vp1 && program->num_instrs > SGPU_VP1_INSTRUCTIONS)
      return "vp1: more than 128 instructions";
   if (program->num_temps > SGPU_TEMP_SIZE)
      return "more temporaries than there are";
   if (vp1 && program->num_temps > SGPU_VP1_TEMPS)
      return "vp1: temporaries are R0 to R11";
   if (program->scratch_size > SGPU_MAX_SCRATCH)
      return "too much scratch memory";
   if (vp1 && program->scratch_size)
      return "vp1: no scratch memory";
   if (program->num_literals == 0 && program->literal_base)
      return "a literal base without literals";
   if (program->literal_base > SGPU_CONST_SIZE ||
       program->num_literals > SGPU_CONST_SIZE - program->literal_base)
      return "literals beyond the constants";
   if (vp1 && program->literal_base + program->num_literals > SGPU_VP1_CONSTANTS)
      return "vp1: literals beyond c[95]";
   return NULL;
}

/* Checks that the declarations in the header match their use in instructions. */
static const char *
check_declared(struct sgpu_program *program)
{
   const struct sgpu_program_info *info = &program->info;
   if (program->num_temps == 0) {
      if (info->relative_temps)
         return "relative temporaries need their number declared";
      program->num_temps = info->num_temps;
   }
   if (program->num_temps < info->num_temps)
      return "more temporaries are used than declared";

   if (program->scratch_size == 0) {
      if (info->dynamic_scratch)
         return "scratch memory with an address needs its size declared";
      program->scratch_size = info->scratch_used;
   }
   if (program->scratch_size < info->scratch_used)
      return "more scratch memory is used than declared";
   if (program->scratch_size > SGPU_MAX_SCRATCH)
      return "too much scratch memory";
   return NULL;
}

const char *
sgpu_program_gather(struct sgpu_program *program, uint32_t *where)
{
   *where = program->num_instrs;
   memset(&program->info, 0, sizeof(program->info));
   const char *error = check_header(program);
   if (error)
      return error;

   const uint32_t num = program->num_instrs;
   struct sgpu_flow_instr *flow = calloc((size_t)num + 1, sizeof(*flow));
   if (!flow)
      return "out of memory";

   for (uint32_t i = 0; i < num; i++) {
      struct sgpu_instr instr;
      error = sgpu_instr_unpack(program->instrs[i], &instr);
      if (!error)
         error = gather_instr(program, &instr);
      if (error) {
         *where = i;
         free(flow);
         return error;
      }
      flow[i].opcode = instr.opcode;
      flow[i].guarded = instr.guard.en;
      flow[i].target = instr.target;
   }

   error = check_declared(program);
   if (!error)
      error = sgpu_flow_check(flow, num, &program->info.max_stack_depth, where, NULL);
   free(flow);
   return error;
}

void
sgpu_program_finish(struct sgpu_program *program)
{
   free(program->instrs);
   free(program->literals);
   memset(program, 0, sizeof(*program));
}
