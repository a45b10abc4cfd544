/* SPDX-License-Identifier: MIT */
/*
 * Fuzz target: a compiled shader of a cache, as bytes: a stage, then the format of
 * sgpu_shader_write(). Each input must be refused, or give a shader whose numbers the driver can
 * use as indices, and which is written again with the same bytes.
 */
#include <assert.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sgpu_compiler.h"
#include "util/blob.h"
#include "util/macros.h"
#include "util/ralloc.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
bool fuzz_tested(void);

static unsigned long runs, accepted;

bool
fuzz_tested(void)
{
   printf("fuzz_shader: %lu runs, %lu shaders accepted\n", runs, accepted);
   return accepted > 0;
}

static void
check(const struct sgpu_shader *s)
{
   assert(s->num_inputs <= ARRAY_SIZE(s->inputs) && s->num_outputs <= ARRAY_SIZE(s->outputs));
   for (unsigned i = 0; i < s->num_inputs; i++) {
      const struct sgpu_varying_info *in = &s->inputs[i];
      assert(in->reg < (s->stage == MESA_SHADER_VERTEX || s->stage == MESA_SHADER_FRAGMENT
                           ? SGPU_INPUT_SIZE
                           : SGPU_MAX_INPUTS));
      assert(s->stage != MESA_SHADER_VERTEX || in->location < 64);
   }
   for (unsigned i = 0; i < s->num_outputs; i++)
      assert(s->outputs[i].reg < SGPU_OUTPUT_SIZE && s->outputs[i].mask < 16);
   assert(s->fs_color_outputs <= 8 && s->gs_invocations <= 32 && s->tcs_vertices <= 32);
   assert(!s->not_vp1 || strlen(s->not_vp1) > 0);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
   runs++;
   if (!size)
      return 0;
   struct sgpu_shader *s = sgpu_shader_read(data + 1, size - 1, data[0] % 6);
   if (!s)
      return 0;
   accepted++;
   check(s);
   struct blob blob;
   blob_init(&blob);
   const bool ok = sgpu_shader_write(&blob, s);
   assert(ok && blob.size == size - 1);
   (void)ok;
   blob_finish(&blob);
   ralloc_free(s);
   return 0;
}
