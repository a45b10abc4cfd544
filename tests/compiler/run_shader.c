/* SPDX-License-Identifier: MIT */
/*
 * For tests: runs compiled shaders on the device's interpreter and as machine code.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "run_shader.h"
#include "control/core/sgd_params.h"
#include "shader/translate/sgd_translate.h"
#include "sgpu_disasm.h"

#define CHECKED SGPU_COMPILER_VALIDATE

const struct way ways[] = {
   { "usual", CHECKED },
   { "noopt", CHECKED | SGPU_COMPILER_NOOPT },
   { "novp1", CHECKED | SGPU_COMPILER_NOVP1 },
   { "spillall", CHECKED | SGPU_COMPILER_NOVP1 | SGPU_COMPILER_SPILLALL },
   { "spillall,noopt",
     CHECKED | SGPU_COMPILER_NOVP1 | SGPU_COMPILER_SPILLALL | SGPU_COMPILER_NOOPT },
};
const unsigned num_ways = sizeof(ways) / sizeof(ways[0]);

struct loaded
load_shader(void *mem_ctx, const nir_shader *nir, const struct way *way)
{
   const struct sgpu_shader_key key = { 0 };
   const char *error = NULL;
   struct loaded loaded;

   loaded.shader = sgpu_compile(mem_ctx, nir, &key, way->debug, &error);
   if (!loaded.shader)
      fail_msg("%s: %s", way->name, error);

   const struct sgpu_program *program = &loaded.shader->program;
   const size_t instrs = 16 * (size_t)program->num_instrs;
   const size_t literals = 16 * (size_t)program->num_literals;
   uint8_t *words = malloc(instrs + literals + 1);
   memcpy(words, program->instrs, instrs);
   if (literals)
      memcpy(words + instrs, program->literals, literals);
   const struct SGPU_SHADER desc = {
      .address = 4096,
      .instructions = program->num_instrs,
      .stage = program->stage,
      .vp1 = program->vp1,
      .literals = program->num_literals,
      .literal_base = program->literal_base,
      .temps = program->num_temps,
      .scratch = program->scratch_size,
   };
   loaded.device = sgd_shader_create(&desc, (const uint32_t *)words, NULL, &error);
   free(words);
   if (!loaded.device)
      fail_msg("%s: the device refuses it: %s", way->name, error);
   if (sgd_can_translate())
      sgd_translate(loaded.device, NULL, sgd_host_level(SGPU_HOST_BEST) >= SGPU_HOST_V4);
   return loaded;
}

void
unload_shader(struct loaded *loaded)
{
   sgd_shader_destroy(loaded->device);
   ralloc_free(loaded->shader);
}

static int
find(const struct sgpu_varying_info *list, unsigned count, unsigned location)
{
   for (unsigned i = 0; i < count; i++) {
      if (list[i].location == location)
         return list[i].reg;
   }
   return -1;
}

int
input_register(const struct loaded *loaded, unsigned location)
{
   return find(loaded->shader->inputs, loaded->shader->num_inputs, location);
}

int
output_register(const struct loaded *loaded, unsigned location)
{
   return find(loaded->shader->outputs, loaded->shader->num_outputs, location);
}

void
print_listing(const struct loaded *loaded)
{
   char *text = sgpu_disasm_program(&loaded->shader->program);
   print_message("%s", text);
   free(text);
}
