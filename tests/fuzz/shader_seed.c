/* SPDX-License-Identifier: MIT */
/*
 * Writes the seeds of the fuzz target "shader": a shader of each stage.
 *
 * usage: shader_seed OUT...     (six files)
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sgpu_asm.h"
#include "sgpu_compiler.h"
#include "util/blob.h"

int
main(int argc, char **argv)
{
   static const char *const texts[] = {
      [MESA_SHADER_VERTEX] = "!!SGVP1.0\nMOV o[HPOS], v[0];\nMOV o[7], v[1];\nEND\n",
      [MESA_SHADER_TESS_CTRL] = "!!SGTC1.0\nMOV R0, c[0];\nEND\n",
      [MESA_SHADER_TESS_EVAL] = "!!SGTE1.0\nMOV o[HPOS], c[0];\nEND\n",
      [MESA_SHADER_GEOMETRY] = "!!SGGP1.0\nMOV o[HPOS], c[0];\nEND\n",
      [MESA_SHADER_FRAGMENT] = "!!SGFP1.0\nMOV o[COLR0], v[0];\nEND\n",
      [MESA_SHADER_COMPUTE] = "!!SGCP1.0\nMOV R0, c[0];\nEND\n",
   };

   for (unsigned stage = 0; stage < 6 && stage + 1 < (unsigned)argc; stage++) {
      struct sgpu_shader s = {
         .stage = stage,
         .num_inputs = 2,
         .num_outputs = 2,
         .inputs = { { .location = 0, .reg = 0, .mask = 15 }, { .location = 33, .reg = 1 } },
         .outputs = { { .location = 0, .reg = 0, .mask = 15 }, { .location = 33, .reg = 7 } },
         .gs_invocations = 1,
         .not_vp1 = stage == MESA_SHADER_VERTEX ? "a reason" : NULL,
      };
      struct sgpu_asm_error error;
      struct blob blob;
      if (!sgpu_asm_program(texts[stage], strlen(texts[stage]), &s.program, &error)) {
         fprintf(stderr, "stage %u: %u:%u: %s\n", stage, error.line, error.column, error.text);
         return 1;
      }
      blob_init(&blob);
      FILE *fp = fopen(argv[stage + 1], "wb");
      if (!fp || !sgpu_shader_write(&blob, &s) || fputc((int)stage, fp) == EOF ||
          fwrite(blob.data, 1, blob.size, fp) != blob.size || fclose(fp))
         return 1;
      blob_finish(&blob);
      sgpu_program_finish(&s.program);
   }
   return 0;
}
