/* SPDX-License-Identifier: MIT */

/*
 * Fuzz target: arbitrary bytes as a serialized program, with valid magic, version and hash, so that
 * header and instructions are reached. Words that decode must encode to the same words.
 */

#include <assert.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sgpu_disasm.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
bool fuzz_tested(void);

static unsigned long accepted;

bool
fuzz_tested(void)
{
   printf("fuzz_program: %lu programs accepted\n", accepted);
   return accepted > 0;
}

/* Writes a valid magic, version and hash. Magic and version are those of an empty program; the hash
 * is FNV-1a.
 */
#define HASH_AT 12
#define HASHED_FROM 16

static void
put_right(uint8_t *data, size_t size)
{
   const struct sgpu_program empty = { .stage = SGPU_STAGE_PIXEL };
   size_t empty_size;
   void *model = sgpu_program_serialize(&empty, &empty_size);
   assert(model);
   memcpy(data, model, HASH_AT);
   free(model);

   uint32_t h = 2166136261u;
   for (size_t i = HASHED_FROM; i < size; i++)
      h = (h ^ data[i]) * 16777619u;
   for (unsigned i = 0; i < 4; i++)
      data[HASH_AT + i] = (uint8_t)(h >> (8 * i));
}

static void
check_words(const uint32_t words[4])
{
   struct sgpu_instr instr;
   uint32_t again[4] = { 0 };
   char text[SGPU_DISASM_MAX];
   if (sgpu_instr_unpack(words, &instr))
      return;
   const char *error = sgpu_instr_pack(&instr, again);
   assert(!error);
   (void)error;
   assert(memcmp(words, again, sizeof(again)) == 0);
   const unsigned length = sgpu_disasm_instr(&instr, SGPU_STAGE_PIXEL, false, text);
   assert(length > 0 && length < SGPU_DISASM_MAX - 1);
   (void)length;
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
   for (size_t at = 0; at + 16 <= size; at += 4) {
      uint32_t words[4];
      memcpy(words, data + at, sizeof(words));
      check_words(words);
   }

   if (size < HASHED_FROM)
      return 0;
   uint8_t *copy = malloc(size);
   assert(copy);
   memcpy(copy, data, size);
   put_right(copy, size);

   struct sgpu_program program;
   if (!sgpu_program_deserialize(copy, size, &program)) {
      accepted++;
      size_t again_size;
      void *again = sgpu_program_serialize(&program, &again_size);
      char *text = sgpu_disasm_program(&program);
      assert(again && text);
      /* Serialization may replace numbers that were 0, so only the size must be the same. */
      assert(again_size == size);
      free(text);
      free(again);
      sgpu_program_finish(&program);
   }
   free(copy);
   return 0;
}
