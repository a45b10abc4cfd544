/* SPDX-License-Identifier: MIT */
/*
 * Programs: the part of the decoder that finds the register components and the scratch memory that
 * must be initialized before the first instruction.
 *
 * Temporaries start as 0 and outputs as (0, 0, 0, 1). But a component need not be initialized if
 * all paths write it before they read it or leave it as a result, i.e. end or emit a vertex. A
 * component counts as written if every path to the instruction has an unguarded write. Edges along
 * the synchronization stack are approximated: SYNC can jump to any meeting point, BRK to any break
 * point, and CONT to any continue point.
 *
 * Scratch memory starts as 0, too. A load at a variable address reads all of it, and only stores at
 * constant addresses are known to write a word.
 */
#include <stdlib.h>
#include <string.h>

#include "shader/program/sgd_decode.h"
#include "sgpu_program.h"
#include "util/macros.h"

/* Bits of a set: the components of all temporaries, followed by those of A0 and those of the
 * outputs, and the first words of scratch memory.
 */
#define FIRST_ADDR (4 * SGPU_TEMP_SIZE)
#define FIRST_OUTPUT (FIRST_ADDR + 4)
#define NUM_BITS (FIRST_OUTPUT + 4 * SGPU_OUTPUT_SIZE)
#define FIRST_SCRATCH ((NUM_BITS + 63) / 64 * 64)
#define NUM_SCRATCH 512
#define WORDS ((FIRST_SCRATCH + NUM_SCRATCH) / 64)

/* After this number of iterations, the analysis gives up, and everything is initialized. */
#define MAX_ROUNDS 32

struct set {
   uint64_t w[WORDS];
};

struct block {
   /* index of the first instruction (first), and of the instruction after the last one (end) */
   uint32_t first, end;
   struct set in;
};

struct analysis {
   const struct sgpu_program *program;
   const struct sgpu_instr *instr;
   /* index of the block that starts at each instruction; the last element is the end block */
   uint32_t *block_of;
   struct block *blocks; /* basic blocks; the last block is the end of the program */
   unsigned num_blocks;
   unsigned num_words;   /* number of words of a set that the program needs */
   unsigned num_scratch; /* number of words of scratch memory in a set */
   /* components that all paths to any SYNC (0), BRK (1) or CONT (2) have written */
   struct set join[3];
   struct set missing; /* result of the analysis: components that must be initialized */
   bool changed;
};

static bool
ends_block(const struct sgpu_instr *instr)
{
   return sgpu_opcode_info(instr->opcode)->flags & SGPU_OPF_ENDS;
}

static bool
has_target(const struct sgpu_instr *instr)
{
   return sgpu_opcode_info(instr->opcode)->payload == SGPU_PAYLOAD_BRANCH;
}

static void
add_bits(struct set *set, unsigned first, unsigned mask)
{
   /* The four bits of a register never span two words. */
   set->w[first / 64] |= (uint64_t)mask << (first % 64);
}

static void
intersect(struct analysis *a, struct set *set, const struct set *other)
{
   for (unsigned i = 0; i < a->num_words; i++) {
      const uint64_t w = set->w[i] & other->w[i];
      a->changed |= w != set->w[i];
      set->w[i] = w;
   }
}

/* Adds components of a register to a->missing: those in `mask` that aren't in the set `have`. */
static void
need(struct analysis *a, const struct set *have, unsigned first, unsigned mask)
{
   a->missing.w[first / 64] |= ((uint64_t)mask << (first % 64)) & ~have->w[first / 64];
}

static bool
has_bit(const struct set *set, unsigned bit)
{
   return set->w[bit / 64] >> (bit % 64) & 1;
}

/* Adds the words of scratch memory that LDL reads to a->missing, unless they are in `have`. */
static void
need_scratch(struct analysis *a, const struct sgpu_instr *instr, const struct set *have)
{
   if (instr->src[0].file != SGPU_FILE_NONE) {
      for (unsigned i = FIRST_SCRATCH / 64; i < a->num_words; i++)
         a->missing.w[i] |= ~have->w[i];
      return;
   }
   for (unsigned c = 0; c < 4; c++) {
      const uint32_t word = instr->offset / 4 + c;
      if (instr->dst.mask & 1 << c && word < a->num_scratch)
         need(a, have, FIRST_SCRATCH + word, 1);
   }
}

static void
need_results(struct analysis *a, const struct set *have)
{
   for (unsigned o = 0; o < SGPU_OUTPUT_SIZE; o++) {
      if (a->program->info.outputs_written & (1ull << o))
         need(a, have, FIRST_OUTPUT + 4 * o, 15);
   }
}

static void
read_sources(struct analysis *a, const struct sgpu_instr *instr, const struct set *have)
{
   const struct sgpu_opcode_info *info = sgpu_opcode_info(instr->opcode);
   for (unsigned s = 0; s < info->num_srcs; s++) {
      const struct sgpu_src *src = &instr->src[s];
      const unsigned mask = sgpu_src_read_mask(info, instr, s);
      if (src->file == SGPU_FILE_TEMP && src->rel) {
         for (unsigned r = 0; r < a->program->num_temps; r++)
            need(a, have, 4 * r, 15);
      } else if (src->file == SGPU_FILE_TEMP) {
         need(a, have, 4 * (unsigned)src->index, mask);
      } else if (src->file == SGPU_FILE_ADDR) {
         need(a, have, FIRST_ADDR, mask);
      }
   }
   need(a, have, FIRST_ADDR, sgpu_instr_addr_read_mask(instr));
   if (instr->opcode == SGPU_OP_LDL)
      need_scratch(a, instr, have);
}

static void
write_result(const struct analysis *a, const struct sgpu_instr *instr, struct set *have)
{
   if (instr->guard.en || instr->dst.rel)
      return;
   if (instr->opcode == SGPU_OP_STL && instr->src[0].file == SGPU_FILE_NONE) {
      for (unsigned c = 0; c < 4; c++) {
         const uint32_t word = instr->offset / 4 + c;
         if (instr->dst.mask & 1 << c && word < a->num_scratch)
            add_bits(have, FIRST_SCRATCH + word, 1);
      }
      return;
   }
   if (instr->dst.file == SGPU_FILE_TEMP && (sgpu_opcode_info(instr->opcode)->flags & SGPU_OPF_DST))
      add_bits(have, 4 * instr->dst.index, instr->dst.mask);
   else if (instr->dst.file == SGPU_FILE_ADDR)
      add_bits(have, FIRST_ADDR, instr->dst.mask);
   else if (instr->dst.file == SGPU_FILE_OUTPUT)
      add_bits(have, FIRST_OUTPUT + 4 * instr->dst.index, instr->dst.mask);
}

/* Propagates the set of written components through a block. If `collect` is set, components that
 * are used before they are written are added to a->missing.
 */
static void
walk(struct analysis *a, const struct block *block, bool collect)
{
   struct set have = block->in;
   bool falls = true;
   for (unsigned n = block->first; n < block->end; n++) {
      const struct sgpu_instr *instr = &a->instr[n];
      if (collect)
         read_sources(a, instr, &have);
      if (collect && instr->opcode == SGPU_OP_EMITV)
         need_results(a, &have);
      write_result(a, instr, &have);

      switch (instr->opcode) {
      case SGPU_OP_BRA:
         intersect(a, &a->blocks[a->block_of[instr->target]].in, &have);
         falls = instr->guard.en;
         break;
      case SGPU_OP_SYNC:
         intersect(a, &a->join[0], &have);
         falls = false;
         break;
      case SGPU_OP_BRK:
         intersect(a, &a->join[1], &have);
         falls = instr->guard.en;
         break;
      case SGPU_OP_CONT:
         intersect(a, &a->join[2], &have);
         falls = instr->guard.en;
         break;
      case SGPU_OP_EXIT:
         if (collect)
            need_results(a, &have);
         falls = instr->guard.en;
         break;
      default:
         break;
      }
   }
   if (falls)
      intersect(a, &a->blocks[a->block_of[block->end]].in, &have);
}

static void
propagate(struct analysis *a)
{
   for (unsigned round = 0; a->changed; round++) {
      a->changed = false;
      if (round == MAX_ROUNDS) {
         for (unsigned b = 0; b < a->num_blocks; b++)
            memset(&a->blocks[b].in, 0, sizeof(struct set));
         return;
      }
      for (unsigned b = 0; b + 1 < a->num_blocks; b++)
         walk(a, &a->blocks[b], false);
      for (unsigned n = 0; n < a->program->num_instrs; n++) {
         const unsigned op = a->instr[n].opcode;
         if (op == SGPU_OP_SSY || op == SGPU_OP_PBK || op == SGPU_OP_PCNT) {
            intersect(a, &a->blocks[a->block_of[a->instr[n].target]].in,
                      &a->join[op == SGPU_OP_SSY   ? 0
                               : op == SGPU_OP_PBK ? 1
                                                   : 2]);
         }
      }
   }
}

static bool
make_blocks(struct analysis *a)
{
   const unsigned count = a->program->num_instrs;
   a->block_of = calloc(count + 1, sizeof(*a->block_of));
   if (!a->block_of)
      return false;

   a->block_of[0] = a->block_of[count] = 1;
   for (unsigned n = 0; n < count; n++) {
      if (has_target(&a->instr[n]))
         a->block_of[a->instr[n].target] = 1;
      if (ends_block(&a->instr[n]))
         a->block_of[n + 1] = 1;
   }
   for (unsigned n = 0; n <= count; n++)
      a->num_blocks += a->block_of[n];
   a->blocks = malloc(a->num_blocks * sizeof(*a->blocks));
   if (!a->blocks)
      return false;

   unsigned b = 0;
   for (unsigned n = 0; n <= count; n++) {
      if (!a->block_of[n])
         continue;
      if (b)
         a->blocks[b - 1].end = n;
      a->blocks[b].first = a->blocks[b].end = n;
      memset(&a->blocks[b].in, b ? 0xff : 0, sizeof(struct set));
      a->block_of[n] = b++;
   }
   memset(a->join, 0xff, sizeof(a->join));
   return true;
}

/* Operations over quads can read registers of other lanes. If these lanes wait elsewhere, they may
 * not have written the registers yet.
 */
static void
need_quad_sources(struct analysis *a)
{
   const struct set none = { { 0 } };
   bool divergent = false;
   for (unsigned n = 0; n < a->program->num_instrs; n++)
      divergent |= a->instr[n].guard.en || ends_block(&a->instr[n]);
   if (!divergent)
      return;
   for (unsigned n = 0; n < a->program->num_instrs; n++) {
      if (sgpu_opcode_info(a->instr[n].opcode)->flags & SGPU_OPF_QUAD)
         read_sources(a, &a->instr[n], &none);
   }
}

/* LDO can read outputs of other lanes, which may be anywhere in the program and may not have
 * written them yet.
 */
static void
need_loaded_outputs(struct analysis *a)
{
   const struct set none = { { 0 } };

   if (a->program->info.outputs_loaded & a->program->info.outputs_written)
      need_results(a, &none);
}

/* Finds a range of scratch memory that has all words that must be cleared. */
static void
find_scratch(const struct analysis *a, struct sgd_code *code)
{
   const uint32_t size = a->program->scratch_size / 4;
   uint32_t first = a->num_scratch, end = 0;

   for (unsigned word = 0; word < a->num_scratch; word++) {
      if (!has_bit(&a->missing, FIRST_SCRATCH + word))
         continue;
      first = MIN2(first, word);
      end = word + 1;
   }
   if (size > a->num_scratch)
      end = size;
   code->scratch_first = first;
   code->scratch_count = end > first ? end - first : 0;
}

static bool
emit(struct analysis *a, struct sgd_code *code)
{
   unsigned count = 0;
   for (unsigned i = 0; i < FIRST_SCRATCH / 64; i++)
      count += __builtin_popcountll(a->missing.w[i]);
   code->presets = malloc((count + 1) * sizeof(*code->presets));
   if (!code->presets)
      return false;

   for (unsigned bit = 0; bit < NUM_BITS; bit++) {
      if (!has_bit(&a->missing, bit))
         continue;
      struct sgd_preset *p = &code->presets[code->num_presets++];
      if (bit < FIRST_ADDR)
         p->offset = sgd_reg_offset(&code->layout, SGPU_FILE_TEMP, bit / 4, bit % 4);
      else if (bit < FIRST_OUTPUT)
         p->offset = sgd_reg_offset(&code->layout, SGPU_FILE_ADDR, 0, bit - FIRST_ADDR);
      else
         p->offset = sgd_reg_offset(&code->layout, SGPU_FILE_OUTPUT, (bit - FIRST_OUTPUT) / 4,
                                    bit % 4);
      /* FIRST_OUTPUT is a multiple of 4, so bit % 4 is the component. */
      p->value = bit >= FIRST_OUTPUT && bit % 4 == 3 ? 0x3f800000u : 0;
   }
   return true;
}

bool
sgd_find_presets(const struct sgpu_program *program, struct sgd_decoded *decoded)
{
   struct analysis a = { .program = program, .instr = decoded->instr, .changed = true };
   a.num_scratch = MIN2(program->scratch_size / 4, NUM_SCRATCH);
   a.num_words = FIRST_SCRATCH / 64 + DIV_ROUND_UP(a.num_scratch, 64);
   bool ok = make_blocks(&a);
   if (ok) {
      propagate(&a);
      for (unsigned b = 0; b + 1 < a.num_blocks; b++)
         walk(&a, &a.blocks[b], true);
      need_results(&a, &a.blocks[a.num_blocks - 1].in);
      need_quad_sources(&a);
      need_loaded_outputs(&a);
      find_scratch(&a, &decoded->code);
      ok = emit(&a, &decoded->code);
   }
   free(a.block_of);
   free(a.blocks);
   return ok;
}
