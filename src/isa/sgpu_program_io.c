/* SPDX-License-Identifier: MIT */

/*
 * Serialization of programs, for files and caches. All words are little endian:
 *
 *    8 bytes   magic
 *    1 word    version of this layout and of the instruction set
 *    1 word    FNV-1a hash of all following bytes
 *    7 words   header
 *    4 words   for each literal, then for each instruction
 */

#include <stdlib.h>
#include <string.h>

#include "sgpu_program.h"

static const char magic[8] = { 's', 'g', 'p', 'u', 'p', 'r', 'o', 'g' };
#define FORMAT_VERSION 1
#define VERSION (FORMAT_VERSION << 16 | SGPU_ISA_VERSION)

#define HASHED_FROM 16
#define HEADER_WORDS 7
#define HEADER_BYTES (HASHED_FROM + 4 * HEADER_WORDS)

static void
put_word(uint8_t **at, uint32_t value)
{
   for (unsigned i = 0; i < 4; i++)
      *(*at)++ = (uint8_t)(value >> (8 * i));
}

static uint32_t
get_word(const uint8_t **at)
{
   uint32_t value = 0;
   for (unsigned i = 0; i < 4; i++)
      value |= (uint32_t) * (*at)++ << (8 * i);
   return value;
}

static uint32_t
hash(const uint8_t *data, size_t size)
{
   uint32_t h = 2166136261u;
   for (size_t i = 0; i < size; i++)
      h = (h ^ data[i]) * 16777619u;
   return h;
}

static void
put_vectors(uint8_t **at, uint32_t (*const vectors)[4], uint32_t count)
{
   for (uint32_t i = 0; i < count; i++) {
      for (unsigned c = 0; c < 4; c++)
         put_word(at, vectors[i][c]);
   }
}

/* Reads `count` vectors and advances *at. Returns NULL on allocation failure. */
static uint32_t (*get_vectors(const uint8_t **at, uint32_t count))[4]
{
   uint32_t(*vectors)[4] = malloc(((size_t)count + 1) * sizeof(*vectors));
   for (uint32_t i = 0; vectors && i < count; i++) {
      for (unsigned c = 0; c < 4; c++)
         vectors[i][c] = get_word(at);
   }
   return vectors;
}

void *
sgpu_program_serialize(const struct sgpu_program *program, size_t *size)
{
   *size = HEADER_BYTES + 16 * ((size_t)program->num_literals + program->num_instrs);
   uint8_t *data = malloc(*size);
   if (!data)
      return NULL;

   uint8_t *at = data + HASHED_FROM;
   put_word(&at, program->stage);
   put_word(&at, program->vp1);
   put_word(&at, program->num_temps);
   put_word(&at, program->scratch_size);
   put_word(&at, program->literal_base);
   put_word(&at, program->num_literals);
   put_word(&at, program->num_instrs);
   put_vectors(&at, program->literals, program->num_literals);
   put_vectors(&at, program->instrs, program->num_instrs);

   memcpy(data, magic, sizeof(magic));
   at = data + sizeof(magic);
   put_word(&at, VERSION);
   put_word(&at, hash(data + HASHED_FROM, *size - HASHED_FROM));
   return data;
}

const char *
sgpu_program_deserialize(const void *data, size_t size, struct sgpu_program *program)
{
   const uint8_t *bytes = data, *at = bytes + sizeof(magic);
   memset(program, 0, sizeof(*program));

   if (size < sizeof(magic) || memcmp(bytes, magic, sizeof(magic)) != 0)
      return "not a program";
   if (size < HEADER_BYTES)
      return "the program is cut off";
   if (get_word(&at) != VERSION)
      return "the program is of another version";
   if (get_word(&at) != hash(bytes + HASHED_FROM, size - HASHED_FROM))
      return "the program is damaged";

   const uint32_t stage = get_word(&at), vp1 = get_word(&at);
   const uint32_t num_temps = get_word(&at), scratch_size = get_word(&at);
   const uint32_t literal_base = get_word(&at);
   const uint32_t num_literals = get_word(&at), num_instrs = get_word(&at);
   if (stage > SGPU_STAGE_COMPUTE || vp1 > 1 || num_literals > SGPU_CONST_SIZE ||
       num_instrs > SGPU_MAX_INSTRUCTIONS ||
       size != HEADER_BYTES + 16 * ((size_t)num_literals + num_instrs))
      return "the program's header is wrong";

   program->stage = (enum sgpu_stage)stage;
   program->vp1 = vp1;
   program->num_temps = num_temps;
   program->scratch_size = scratch_size;
   program->literal_base = literal_base;
   program->num_literals = num_literals;
   program->num_instrs = num_instrs;
   program->literals = get_vectors(&at, num_literals);
   program->instrs = get_vectors(&at, num_instrs);

   uint32_t where;
   const char *error = "out of memory";
   if (program->literals && program->instrs)
      error = sgpu_program_gather(program, &where);
   if (error)
      sgpu_program_finish(program);
   return error;
}
