/* SPDX-License-Identifier: MIT */
/*
 * A hash of compiled programs, to compare hosts: the same shaders must give the same words
 * everywhere.
 */
#ifndef PROGRAM_HASH_H
#define PROGRAM_HASH_H

#include "sgpu_compiler.h"

/* FNV-1a. */
#define PROGRAM_HASH_INIT 0xcbf29ce484222325ull

static inline uint64_t
hash_word(uint64_t hash, uint32_t word)
{
   for (unsigned i = 0; i < 4; i++)
      hash = (hash ^ (word >> (8 * i) & 0xff)) * 0x100000001b3ull;
   return hash;
}

static inline uint64_t
program_hash(uint64_t hash, const struct sgpu_shader *shader)
{
   const struct sgpu_program *p = &shader->program;

   hash = hash_word(hash, p->vp1 | p->num_temps << 8);
   hash = hash_word(hash, p->scratch_size);
   hash = hash_word(hash, p->num_instrs);
   for (unsigned i = 0; i < p->num_instrs; i++) {
      for (unsigned w = 0; w < 4; w++)
         hash = hash_word(hash, p->instrs[i][w]);
   }
   for (unsigned i = 0; i < p->num_literals; i++) {
      for (unsigned c = 0; c < 4; c++)
         hash = hash_word(hash, p->literals[i][c]);
   }
   return hash;
}

#endif
