/* SPDX-License-Identifier: MIT */

/*
 * Fuzz target: arbitrary text to the assembler. An accepted program must print as a
 * text that assembles to the same program.
 */

#include <assert.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sgpu_asm.h"
#include "sgpu_disasm.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
bool fuzz_tested(void);

static unsigned long accepted;

bool
fuzz_tested(void)
{
   printf("fuzz_asm: %lu texts accepted\n", accepted);
   return accepted > 0;
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
   struct sgpu_program program, again;
   struct sgpu_asm_error error;

   if (!sgpu_asm_program((const char *)data, size, &program, &error)) {
      assert(error.line > 0 && error.column > 0);
      assert(error.text[0] && memchr(error.text, '\0', sizeof(error.text)));
      return 0;
   }

   accepted++;
   char *text = sgpu_disasm_program(&program);
   assert(text);
   const bool ok = sgpu_asm_program(text, strlen(text), &again, &error);
   assert(ok);
   (void)ok;
   assert(again.num_instrs == program.num_instrs && again.num_literals == program.num_literals);
   assert(again.num_instrs == 0 ||
          memcmp(again.instrs, program.instrs, 16 * (size_t)program.num_instrs) == 0);
   assert(again.num_literals == 0 ||
          memcmp(again.literals, program.literals, 16 * (size_t)program.num_literals) == 0);
   assert(memcmp(&again.info, &program.info, sizeof(again.info)) == 0);
   free(text);
   sgpu_program_finish(&again);
   sgpu_program_finish(&program);
   return 0;
}
