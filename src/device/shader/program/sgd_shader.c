/* SPDX-License-Identifier: MIT */
/*
 * Programs: copies the code of a SHADER packet, validates it as a whole, and decodes it.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "shader/program/sgd_decode.h"
#include "sgpu_program.h"
#define XXH_INLINE_ALL
#include "util/xxhash.h"

static _Thread_local char error_text[192];

static struct sgd_shader *
refuse(const char **error, const char *what)
{
   if (error)
      *error = what;
   return NULL;
}

/* Reports an error in an instruction, with its index, its code, and its mnemonic if the opcode is
 * valid.
 */
static struct sgd_shader *
refuse_instr(const char **error, const uint32_t *code, uint32_t num_instrs, uint32_t where,
             const char *what)
{
   if (where < num_instrs) {
      const uint32_t *w = code + 4 * where;
      const struct sgpu_opcode_info *info = sgpu_opcode_info(w[0] & (SGPU_NUM_OPCODES - 1));
      snprintf(error_text, sizeof(error_text), "instruction %u (%s, %08x %08x %08x %08x): %s",
               where, info->name ? info->name : "no such opcode", w[0], w[1], w[2], w[3], what);
   } else {
      snprintf(error_text, sizeof(error_text), "program: %s", what);
   }
   return refuse(error, error_text);
}

static void
copy_facts(struct sgd_shader *shader, const struct sgpu_program *program)
{
   const struct sgpu_program_info *info = &program->info;
   shader->inputs_read = info->inputs_read;
   memcpy(shader->input_mask, info->input_mask, sizeof(shader->input_mask));
   shader->outputs_written = info->outputs_written;
   shader->sysvals_read = info->sysvals_read;
   memcpy(shader->sysval_mask, info->sysval_mask, sizeof(shader->sysval_mask));
   shader->streams = info->vertex_streams;
   shader->uses_kill = info->uses_kill;
   shader->uses_derivatives = info->uses_derivatives;
   shader->interpolates = info->interpolates;
   shader->targets_read = info->targets_read;
   shader->buffers_read = info->buffers_read;
   shader->buffers_written = info->buffers_written;
   shader->images_read = info->images_read;
   shader->images_written = info->images_written;
   shader->writes_memory = info->buffers_written || info->images_written;
   shader->accesses_memory = shader->writes_memory || info->buffers_read || info->images_read;
   shader->has_barrier = info->has_barrier;
   shader->memory_order = sgd_memory_order(program);
   sgd_memory_commutes(program, &shader->commutes);
   memcpy(shader->textures, info->textures, sizeof(shader->textures));
   shader->relative_textures = info->relative_textures;
   shader->reads_warp = info->reads_warp;
   shader->branches = info->branches;
   shader->num_temps = program->num_temps;
   shader->scratch_size = program->scratch_size;
   shader->stack_size = info->max_stack_depth + SGD_WARP;
   if (program->stage == SGPU_STAGE_PIXEL) {
      shader->writes_depth = info->outputs_written & (1ull << SGPU_PO_DEPR);
      shader->writes_stencil = info->outputs_written & (1ull << SGPU_PO_STEN);
      shader->writes_sample_mask = info->outputs_written & (1ull << SGPU_PO_SMASK);
   }
}

/* Returns true if a validated pixel program consists only of MOV o[COLR0], v[n], and sets *input to
 * n.
 */
static bool
find_copy(const struct sgpu_program *program, uint8_t *input)
{
   struct sgpu_instr mov;

   if (program->stage != SGPU_STAGE_PIXEL || program->num_instrs != 1 ||
       sgpu_instr_unpack(program->instrs[0], &mov))
      return false;
   const struct sgpu_dst *dst = &mov.dst;
   const struct sgpu_src *src = &mov.src[0];
   *input = src->index;
   return mov.opcode == SGPU_OP_MOV && !mov.sat && !mov.guard.en && dst->file == SGPU_FILE_OUTPUT &&
          dst->index == SGPU_PO_COLR0 && dst->mask == 15 && !dst->rel &&
          src->file == SGPU_FILE_INPUT && !src->rel && !src->neg && !src->abs &&
          src->swizzle == SGPU_SWIZZLE_XYZW;
}

struct sgd_shader *
sgd_shader_create(const struct SGPU_SHADER *desc, const uint32_t *code, sgd_execute_fn *interpret,
                  const char **error)
{
   const uint32_t num_instrs = desc->instructions, num_literals = desc->literals;
   if (num_instrs == 0 || num_instrs > SGPU_MAX_INSTRUCTIONS)
      return refuse(error, "program: number of instructions");
   if (num_literals > SGPU_CONST_SIZE)
      return refuse(error, "program: number of literals");

   const size_t words = 4 * ((size_t)num_instrs + num_literals);
   struct sgd_shader *shader = calloc(1, sizeof(*shader));
   uint32_t *copy = malloc(words * sizeof(*copy));
   if (!shader || !copy) {
      free(shader);
      free(copy);
      return refuse(error, "program: no memory");
   }
   /* Use only the copy from here on. The application can modify the original at any time. */
   memcpy(copy, code, words * sizeof(*copy));

   struct sgpu_program program = {
      .stage = desc->stage,
      .vp1 = desc->vp1,
      .num_temps = desc->temps,
      .scratch_size = desc->scratch,
      .literal_base = desc->literal_base,
      .num_literals = num_literals,
      .literals = (uint32_t(*)[4])(copy + 4 * (size_t)num_instrs),
      .num_instrs = num_instrs,
      .instrs = (uint32_t(*)[4])copy,
   };
   uint32_t where = num_instrs;
   const char *what = sgpu_program_gather(&program, &where);
   if (what) {
      refuse_instr(error, copy, num_instrs, where, what);
      free(shader);
      free(copy);
      return NULL;
   }

   shader->refs = 1;
   shader->stage = program.stage;
   shader->num_instrs = num_instrs;
   shader->words = copy;
   shader->num_literals = num_literals;
   /* If there are no literals, all constants are in the bank. */
   if (!num_literals)
      program.literal_base = SGPU_CONST_SIZE;
   shader->literal_base = program.literal_base;
   copy_facts(shader, &program);
   shader->copies = find_copy(&program, &shader->copied);
   shader->code = sgd_decode(&program, interpret);
   if (shader->code)
      shader->file_size = shader->code->layout.size +
                          shader->scratch_size / 4 * (uint32_t)sizeof(uint32_t[SGD_WARP]);
   if (!shader->code) {
      free(shader);
      free(copy);
      return refuse(error, "program: no memory");
   }
   if (error)
      *error = NULL;
   return shader;
}

void
sgd_shader_destroy(struct sgd_shader *shader)
{
   if (!shader)
      return;
   shader->code->destroy(shader->code);
   free(shader->words);
   free(shader);
}

void
sgd_heat_add(struct sgd_heat *heat, uint64_t instructions)
{
   const int64_t left = __atomic_sub_fetch(&heat->left, (int64_t)instructions, __ATOMIC_RELAXED);
   if (left < 0 && left + (int64_t)instructions >= 0)
      heat->hot(heat);
}

/* Returns a number that is never 0. Sets of lookups with the same hash share the first one's code, if
 * it fits.
 */
static uint32_t
hash_forms(const struct sgd_lookup_forms *forms)
{
   return XXH32(forms, sizeof(*forms), 0) | 1;
}

void
sgd_heat_ask(struct sgd_heat *heat, const struct sgd_lookup_forms *forms)
{
   const uint32_t hash = hash_forms(forms);

   for (unsigned n = 0; n < SGD_HEAT_ASKS; n++) {
      const uint32_t asked = __atomic_load_n(&heat->asked[n], __ATOMIC_RELAXED);
      if (asked == hash)
         return;
      if (!asked) {
         heat->ask(heat, forms, hash);
         return;
      }
   }
}
