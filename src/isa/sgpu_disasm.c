/* SPDX-License-Identifier: MIT */

/*
 * Disassembler: prints instructions and programs as text. docs/isa.md has the grammar.
 */

#define _GNU_SOURCE
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "sgpu_disasm.h"
#include "sgpu_text.h"

/* Output buffer for the text of an instruction. */
struct out {
   char *text;
   unsigned length;
   enum sgpu_stage stage;
   bool vp1;
   /* bitmask of instructions that need a label, or NULL if there are none */
   const uint32_t *labels;
};

static void __attribute__((format(printf, 2, 3))) put(struct out *o, const char *format, ...)
{
   va_list args;
   va_start(args, format);
   const int n = vsnprintf(o->text + o->length, SGPU_DISASM_MAX - o->length, format, args);
   va_end(args);
   if (n > 0)
      o->length += (unsigned)n;
   if (o->length >= SGPU_DISASM_MAX)
      o->length = SGPU_DISASM_MAX - 1;
}

static void
put_mask(struct out *o, unsigned mask)
{
   if (mask == SGPU_MASK_XYZW)
      return;
   put(o, ".");
   for (unsigned c = 0; c < 4; c++) {
      if (mask & (1u << c))
         put(o, "%c", "xyzw"[c]);
   }
}

static void
put_swizzle(struct out *o, unsigned swizzle)
{
   if (swizzle == SGPU_SWIZZLE_XYZW)
      return;
   const unsigned n = sgpu_swizzle_is_scalar(swizzle) ? 1 : 4;
   put(o, ".");
   for (unsigned c = 0; c < n; c++)
      put(o, "%c", "xyzw"[sgpu_swizzle_get(swizzle, c)]);
}

/* Prints an index inside brackets: a name, a number, or A0.x with an offset. */
static void
put_index(struct out *o, bool rel, unsigned comp, int index, const char *name)
{
   if (rel)
      put(o, "A0.%c", "xyzw"[comp]);
   if (rel && index == 0 && !name)
      return;
   if (rel)
      put(o, index < 0 ? " - " : " + ");
   if (name)
      put(o, "%s", name);
   else
      put(o, "%d", index < 0 ? -index : index);
}

static const char *
input_name(const struct out *o, int index)
{
   return o->vp1 && index >= 0 && index < SGPU_VP1_INPUTS ? sgpu_vp1_input_names[index] : NULL;
}

static const char *
output_name(const struct out *o, unsigned index)
{
   if (sgpu_stage_makes_vertices(o->stage))
      return index < SGPU_NUM_VS_OUTPUTS ? sgpu_vs_output_names[index] : NULL;
   return o->stage == SGPU_STAGE_PIXEL && index < SGPU_NUM_PS_OUTPUTS ? sgpu_ps_output_names[index]
                                                                      : NULL;
}

static void
put_dst(struct out *o, const struct sgpu_dst *dst)
{
   switch (dst->file) {
   case SGPU_FILE_TEMP:
      if (!dst->rel) {
         put(o, "R%u", dst->index);
         break;
      }
      put(o, "R[");
      put_index(o, true, dst->relcomp, dst->index, NULL);
      put(o, "]");
      break;
   case SGPU_FILE_OUTPUT:
      put(o, "o[");
      put_index(o, dst->rel, dst->relcomp, dst->index, output_name(o, dst->index));
      put(o, "]");
      break;
   case SGPU_FILE_ADDR:
      put(o, "A%u", dst->index);
      break;
   case SGPU_FILE_PRED:
      put(o, "P%u", dst->index);
      break;
   default:
      break;
   }
   put_mask(o, dst->mask);
}

static void
put_src(struct out *o, const struct sgpu_src *src)
{
   if (src->neg)
      put(o, "-");
   if (src->abs)
      put(o, "|");

   const char *open = "", *close = "]", *name = NULL;
   switch (src->file) {
   case SGPU_FILE_TEMP:
      open = src->rel ? "R[" : "R";
      close = src->rel ? "]" : "";
      break;
   case SGPU_FILE_INPUT:
      open = "v[";
      name = src->rel ? NULL : input_name(o, src->index);
      break;
   case SGPU_FILE_CONST:
      open = "c[";
      break;
   case SGPU_FILE_SYS:
      open = "s[";
      name = sgpu_sysval_names[src->index];
      break;
   case SGPU_FILE_ADDR:
      open = "A";
      close = "";
      break;
   default:
      break;
   }
   put(o, "%s", open);
   put_index(o, src->rel, src->relcomp, src->index, name);
   put(o, "%s", close);

   put_swizzle(o, src->swizzle);
   if (src->abs)
      put(o, "|");
}

static void
put_resource(struct out *o, const struct sgpu_instr *instr, const char *file, unsigned index)
{
   put(o, "%s[", file);
   put_index(o, instr->urel, instr->urelcomp, (int)index,
             instr->opcode == SGPU_OP_LDO ? output_name(o, index) : NULL);
   put(o, "]");
}

static void
put_tex(struct out *o, const struct sgpu_instr *instr)
{
   const struct sgpu_tex_op_info *op = sgpu_tex_op_info(instr->opcode);
   const struct sgpu_tex_target_info *target = &sgpu_tex_target_infos[instr->tex_target];

   put(o, ", ");
   put_resource(o, instr, "tex", instr->unit);
   if (instr->opcode == SGPU_OP_TG4 && !instr->shadow)
      put(o, ".%c", "xyzw"[instr->gcomp]);
   if (op->sampler) {
      put(o, ", ");
      put_resource(o, instr, "smp", instr->sampler);
   }
   put(o, ", %s%s", instr->shadow ? "SHADOW" : "", target->name);

   if (instr->off[0] || instr->off[1] || instr->off[2]) {
      for (unsigned i = 0; i < target->offsets; i++)
         put(o, "%s%d", i ? ", " : ", (", instr->off[i]);
      put(o, ")");
   }
}

/* Prints a memory operand, e.g. cb[2][R1.x + 16], va[2][R1.x + 1], vo[HPOS][0], pa[R1.x + 2], l[16]
 * or buf[2].
 */
static void
put_mem(struct out *o, const struct sgpu_instr *instr)
{
   const bool patch = instr->opcode == SGPU_OP_LDP || instr->opcode == SGPU_OP_STP;
   const struct sgpu_mem_info *place = sgpu_mem_info(instr->opcode);
   if (place->units)
      put_resource(o, instr, place->name, instr->unit);
   else
      put(o, "%s", place->name);
   if (sgpu_opcode_info(instr->opcode)->num_srcs == 0)
      return;
   put(o, "[");
   if (instr->src[0].file == SGPU_FILE_NONE && patch && instr->offset < SGPU_NUM_PATCH_NAMES) {
      put(o, "%s", sgpu_patch_output_names[instr->offset]);
   } else if (instr->src[0].file == SGPU_FILE_NONE) {
      put(o, "%u", instr->offset);
   } else {
      put_src(o, &instr->src[0]);
      if (instr->offset)
         put(o, " + %u", instr->offset);
   }
   put(o, "]");
}

static void
put_operands(struct out *o, const struct sgpu_opcode_info *info, const struct sgpu_instr *instr)
{
   const char *separator = " ";
   const bool mem = info->kind == SGPU_KIND_MEM;
   if (info->flags & SGPU_OPF_DST) {
      put(o, " ");
      if (instr->dst.file == SGPU_FILE_NONE)
         put(o, "_");
      else
         put_dst(o, &instr->dst);
      separator = ", ";
   }
   if (mem) {
      put(o, "%s", separator);
      put_mem(o, instr);
      if (info->flags & SGPU_OPF_WMASK)
         put_mask(o, instr->dst.mask);
      separator = ", ";
   }
   for (unsigned s = mem; s < info->num_srcs; s++) {
      if (instr->src[s].file == SGPU_FILE_NONE)
         continue;
      put(o, "%s", separator);
      put_src(o, &instr->src[s]);
      separator = ", ";
   }
   if (info->payload == SGPU_PAYLOAD_TEX)
      put_tex(o, instr);
   if (info->payload == SGPU_PAYLOAD_IMAGE) {
      put(o, "%s", separator);
      put_resource(o, instr, "img", instr->unit);
      put(o, ", %s", sgpu_tex_target_infos[instr->tex_target].name);
   }
   if (info->payload == SGPU_PAYLOAD_VERTEX_STREAM)
      put(o, " %u", instr->unit);
   if (info->payload == SGPU_PAYLOAD_FETCH)
      put(o, "%s%u", separator, instr->unit);
   if (info->payload == SGPU_PAYLOAD_REDUCE)
      put(o, ", %u", 1u << instr->cluster);
   if (info->payload == SGPU_PAYLOAD_BRANCH)
      put(o, o->labels ? " L%u" : " %u", instr->target);
}

static void
put_instr(struct out *o, const struct sgpu_instr *instr)
{
   const struct sgpu_opcode_info *info = sgpu_opcode_info(instr->opcode);
   if (instr->guard.en) {
      put(o, "(%sP%u.%c) ", instr->guard.not ? "!" : "", instr->guard.reg,
          "xyzw"[instr->guard.comp]);
   }
   put(o, "%s", info->name);
   if (instr->sat)
      put(o, "_SAT");
   if (instr->zmul && !o->vp1)
      put(o, "_Z");
   if (info->mod == SGPU_MOD_COND)
      put(o, ".%s", sgpu_cond_names[instr->cond]);
   if (info->flags & SGPU_OPF_ATOMIC)
      put(o, ".%s", sgpu_atomic_names[instr->aop]);
   if (info->payload == SGPU_PAYLOAD_REDUCE)
      put(o, ".%s", sgpu_reduction_names[instr->reduction]);
   put_operands(o, info, instr);
   put(o, ";");
}

unsigned
sgpu_disasm_instr(const struct sgpu_instr *instr, enum sgpu_stage stage, bool vp1,
                  char out[SGPU_DISASM_MAX])
{
   struct out o = { .text = out, .stage = stage, .vp1 = vp1 };
   out[0] = '\0';
   put_instr(&o, instr);
   return o.length;
}

static bool
has_label(const uint32_t *labels, uint32_t i)
{
   return (labels[i / 32] >> (i % 32)) & 1;
}

/* Returns a bitmask of the instructions that are branch targets, or NULL on allocation failure. */
static uint32_t *
find_labels(const struct sgpu_program *program)
{
   uint32_t *labels = calloc((size_t)program->num_instrs / 32 + 1, sizeof(*labels));
   for (uint32_t i = 0; labels && i < program->num_instrs; i++) {
      struct sgpu_instr instr;
      if (!sgpu_instr_unpack(program->instrs[i], &instr) &&
          sgpu_opcode_info(instr.opcode)->payload == SGPU_PAYLOAD_BRANCH &&
          instr.target <= program->num_instrs)
         labels[instr.target / 32] |= 1u << (instr.target % 32);
   }
   return labels;
}

static void
print_header(FILE *fp, const struct sgpu_program *program)
{
   for (unsigned i = 0; i < SGPU_NUM_TEXT_HEADERS; i++) {
      const struct sgpu_text_header *header = &sgpu_text_headers[i];
      if (header->stage == program->stage && header->vp1 == program->vp1)
         fprintf(fp, "%s\n", header->text);
   }
   if (program->num_temps && !program->vp1)
      fprintf(fp, "TEMPS %u;\n", program->num_temps);
   if (program->scratch_size && !program->vp1)
      fprintf(fp, "SCRATCH %u;\n", program->scratch_size);
   for (uint32_t i = 0; i < program->num_literals; i++) {
      fprintf(fp, "DEF c[%u] = {", program->literal_base + i);
      for (unsigned c = 0; c < 4; c++) {
         char number[SGPU_NUMBER_MAX];
         sgpu_number_print(number, program->literals[i][c]);
         fprintf(fp, "%s %s", c ? "," : "", number);
      }
      fprintf(fp, " };\n");
   }
}

/* Returns false if an instruction does not decode or an allocation fails. */
static bool
print_program(FILE *fp, const struct sgpu_program *program)
{
   uint32_t *labels = find_labels(program);
   if (!labels)
      return false;

   bool ok = true;
   print_header(fp, program);
   for (uint32_t i = 0; i < program->num_instrs; i++) {
      const uint32_t *words = program->instrs[i];
      struct sgpu_instr instr;
      char text[SGPU_DISASM_MAX] = "";
      struct out o = { text, 0, program->stage, program->vp1, labels };

      if (has_label(labels, i))
         fprintf(fp, "L%u:\n", i);
      const char *error = sgpu_instr_unpack(words, &instr);
      if (error) {
         fprintf(fp, "# %08x %08x %08x %08x: %s\n", words[0], words[1], words[2], words[3], error);
         ok = false;
         continue;
      }
      put_instr(&o, &instr);
      fprintf(fp, "%s%s\n", program->vp1 ? "" : "   ", text);
   }
   if (has_label(labels, program->num_instrs))
      fprintf(fp, "L%u:\n", program->num_instrs);
   fprintf(fp, "END\n");
   free(labels);
   return ok;
}

char *
sgpu_disasm_program(const struct sgpu_program *program)
{
   char *text = NULL;
   size_t size = 0;
   FILE *fp = open_memstream(&text, &size);
   if (!fp)
      return NULL;
   const bool ok = print_program(fp, program);
   if (fclose(fp) != 0 || !ok) {
      free(text);
      return NULL;
   }
   return text;
}

void
sgpu_disasm_print(FILE *fp, const struct sgpu_program *program)
{
   print_program(fp, program);
}
