/* SPDX-License-Identifier: MIT */
/*
 * Prints the intermediate representation in a syntax similar to the assembler's. Register n is
 * printed as %n, and array n as @n.
 */

#include "ir/sgc_ir.h"

static void
print_mask(FILE *fp, unsigned mask)
{
   if (mask == 15)
      return;
   fputc('.', fp);
   u_foreach_bit(c, mask)
      fputc("xyzw"[c], fp);
}

static void
print_index(FILE *fp, int index, bool rel, unsigned relcomp)
{
   if (rel)
      fprintf(fp, "[A0.%c%+d]", "xyzw"[relcomp], index);
   else
      fprintf(fp, "[%d]", index);
}

static void
print_register(FILE *fp, unsigned file, int index, bool rel, unsigned relcomp, unsigned array)
{
   static const char letters[] = { [SGPU_FILE_INPUT] = 'v',
                                   [SGPU_FILE_OUTPUT] = 'o',
                                   [SGPU_FILE_CONST] = 'c',
                                   [SGPU_FILE_SYS] = 's' };
   switch (file) {
   case SGPU_FILE_TEMP:
      if (rel)
         fputc('R', fp), print_index(fp, index, rel, relcomp);
      else
         fprintf(fp, "%%%d", index);
      break;
   case SGC_FILE_ARRAY:
      fprintf(fp, "@%u", array);
      print_index(fp, index, rel, relcomp);
      break;
   case SGPU_FILE_ADDR:
      fprintf(fp, "A%d", index);
      break;
   case SGPU_FILE_PRED:
      fprintf(fp, "P%d", index);
      break;
   case SGPU_FILE_NONE:
      fputc('_', fp);
      break;
   default:
      fputc(letters[file], fp);
      print_index(fp, index, rel, relcomp);
      break;
   }
}

static void
print_src(FILE *fp, const struct sgc_src *src)
{
   if (src->neg)
      fputc('-', fp);
   if (src->abs)
      fputc('|', fp);
   if (src->file == SGC_FILE_IMM) {
      fputc('{', fp);
      for (unsigned c = 0; c < 4; c++) {
         const uint32_t value = src->imm[c];
         const float f = uif(value);
         if (value == 0 || (fabsf(f) > 1e-9f && fabsf(f) < 1e9f))
            fprintf(fp, "%s%g", c ? ", " : "", f);
         else
            fprintf(fp, "%s0x%x", c ? ", " : "", value);
      }
      fputc('}', fp);
   } else {
      print_register(fp, src->file, src->index, src->rel, src->relcomp, src->array);
   }
   if (src->file != SGPU_FILE_NONE && src->swizzle != SGPU_SWIZZLE_XYZW) {
      fputc('.', fp);
      const unsigned n = sgpu_swizzle_is_scalar(src->swizzle) ? 1 : 4;
      for (unsigned c = 0; c < n; c++)
         fputc("xyzw"[sgpu_swizzle_get(src->swizzle, c)], fp);
   }
   if (src->abs)
      fputc('|', fp);
}

void
sgc_print_instr(FILE *fp, const struct sgc_instr *instr)
{
   const struct sgpu_opcode_info *info = sgc_info(instr);
   const char *separator = " ";

   if (instr->guard.en)
      fprintf(fp, "(%sP%d.%c) ", instr->guard.not ? "!" : "", instr->guard.reg,
              "xyzw"[instr->guard.comp]);
   fputs(info->name, fp);
   if (info->mod == SGPU_MOD_COND)
      fprintf(fp, ".%s", sgpu_cond_names[instr->cond]);
   if (info->flags & SGPU_OPF_ATOMIC)
      fprintf(fp, ".%s", sgpu_atomic_names[instr->aop]);
   if (info->payload == SGPU_PAYLOAD_REDUCE)
      fprintf(fp, ".%s", sgpu_reduction_names[instr->reduction]);
   if (instr->sat)
      fputs("_SAT", fp);
   if (info->flags & (SGPU_OPF_DST | SGPU_OPF_WMASK)) {
      fputs(separator, fp);
      print_register(fp, instr->dst.file, instr->dst.index, instr->dst.rel, instr->dst.relcomp,
                     instr->dst.array);
      print_mask(fp, instr->dst.mask);
      separator = ", ";
   }
   sgc_foreach_src(instr, s) {
      fputs(separator, fp);
      print_src(fp, &instr->src[s]);
      separator = ", ";
   }
   if (instr->target)
      fprintf(fp, "%sblock %u", separator, instr->target->index);
   if (info->mod == SGPU_MOD_RES) {
      fprintf(fp, "%sunit %u", separator, instr->unit);
      if (instr->urel)
         fprintf(fp, "+A0.%c", "xyzw"[instr->urelcomp]);
   }
   if (info->payload == SGPU_PAYLOAD_TEX)
      fprintf(fp, ", sampler %u, %s%s", instr->sampler,
              sgpu_tex_target_infos[instr->tex_target].name, instr->shadow ? ", shadow" : "");
   if (info->payload == SGPU_PAYLOAD_REDUCE)
      fprintf(fp, "%s%u", separator, 1u << instr->cluster);
   if (info->kind == SGPU_KIND_IMG)
      fprintf(fp, ", %s", sgpu_tex_target_infos[instr->tex_target].name);
   if (info->kind == SGPU_KIND_MEM)
      fprintf(fp, "%s+%u", separator, instr->offset);
   fputc('\n', fp);
}

void
sgc_print_program(FILE *fp, struct sgc_program *p)
{
   sgc_foreach_block(p, block) {
      fprintf(fp, "block %u (depth %u):\n", block->index, block->loop_depth);
      sgc_foreach_instr(block, instr) {
         fputs("   ", fp);
         sgc_print_instr(fp, instr);
      }
      fputs("   ->", fp);
      for (unsigned i = 0; i < 2; i++) {
         if (block->succ[i])
            fprintf(fp, " block %u", block->succ[i]->index);
      }
      fputc('\n', fp);
   }
}
