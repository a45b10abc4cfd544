/* SPDX-License-Identifier: MIT */
#include "asm_work.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sgpu_asm.h"

struct sgt_program *
test_program(const char *text)
{
   struct sgpu_program program;
   struct sgpu_asm_error error;

   if (!sgpu_asm_program(text, strlen(text), &program, &error)) {
      fprintf(stderr, "%u:%u: %s\n%s\n", error.line, error.column, error.text, text);
      abort();
   }
   struct sgt_program *p = sgt_program_create(&program);
   if (!p)
      abort();
   sgpu_program_finish(&program);
   return p;
}
