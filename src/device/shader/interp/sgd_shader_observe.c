/* SPDX-License-Identifier: MIT */
/*
 * Shader core: records the instructions that warps run, and the memory that loads, stores and
 * atomics access, for the observer. Compiled only for the observed level (see sgd_observe.h).
 *
 * Addresses are computed as in sgd_memory.c, sgd_storage.c and sgd_patch_memory.c.
 */
#include "shader/interp/sgd_shader_observe.h"

#include "shader/interp/sgd_exec.h"
#include "util/bitscan.h"
#include "util/macros.h"

#define BANKS 16
/* Fictitious address of a warp's scratch memory. The words that the 32 lanes have at the same
 * offset are adjacent.
 */
#define SCRATCH_ADDRESS (UINT64_C(1) << 62)

void
sgd_shader_observe_run(const struct sgd_warp *w, const struct sgd_ins *first,
                       const struct sgd_ins *end, uint32_t lanes)
{
   if (w->worker->work && first != end)
      sgd_observe_run(w->worker, sgd_instr_index(w, first), end - first, lanes);
}

void
sgd_shader_observe_control(const struct sgd_warp *w, const struct sgd_ins *at,
                           const struct sgd_ins *next, const struct sgd_ins **first,
                           uint32_t *lanes)
{
   if (next == at + 1 && w->exec == *lanes)
      return;
   sgd_shader_observe_run(w, *first, at->kind == SGD_INS_END ? at : at + 1, *lanes);
   *first = next;
   *lanes = w->exec;
}

/* -- accesses --------------------------------------------------------------------------------- */

static enum sgpu_access
kind_of(enum sgpu_opcode opcode)
{
   switch (opcode) {
   case SGPU_OP_LDC:
      return SGPU_ACCESS_CONST;
   case SGPU_OP_STL:
   case SGPU_OP_STB:
   case SGPU_OP_STI:
      return SGPU_ACCESS_STORE;
   case SGPU_OP_ATB:
   case SGPU_OP_ATBW:
   case SGPU_OP_ATI:
      return SGPU_ACCESS_ATOMIC;
   case SGPU_OP_LDS:
   case SGPU_OP_STS:
   case SGPU_OP_ATS:
   case SGPU_OP_ATSW:
   case SGPU_OP_LDV:
   case SGPU_OP_LDO:
   case SGPU_OP_LDP:
   case SGPU_OP_STP:
      return SGPU_ACCESS_SHARED;
   case SGPU_OP_LDL:
   case SGPU_OP_LDB:
   case SGPU_OP_LDI:
   case SGPU_OP_LDT:
      return SGPU_ACCESS_LOAD;
   default:
      return SGPU_ACCESS_TEXTURE;
   }
}

/* Returns the lanes that take part in a memory access. */
static uint32_t
lanes_of(const struct sgd_warp *w, const struct sgpu_instr *instr, enum sgpu_access kind,
         uint32_t mask)
{
   const bool live = instr->opcode != SGPU_OP_STL && instr->opcode != SGPU_OP_STP &&
                     (sgpu_opcode_info(instr->opcode)->flags & SGPU_OPF_EFFECT);

   if (kind == SGPU_ACCESS_TEXTURE)
      return sgd_whole_quads(mask);
   return live ? mask & w->live : mask;
}

void
sgd_shader_observe_access(const struct sgd_warp *w, const struct sgd_ins *i, uint32_t mask)
{
   const struct sgpu_instr *instr = sgd_instr(w, i);

   /* Size queries don't access memory. */
   if (!w->worker->work || instr->opcode == SGPU_OP_SZB || instr->opcode == SGPU_OP_SZI)
      return;
   const enum sgpu_access kind = kind_of(instr->opcode);
   sgd_observe_access(w->worker, sgd_instr_index(w, i), kind, lanes_of(w, instr, kind, mask));
}

/* Computes the address src0.x + offset for all lanes. */
static void
find_places(const struct sgd_warp *w, const struct sgd_ins *i, uint32_t at[SGD_WARP])
{
   const struct sgpu_instr *instr = sgd_instr(w, i);
   const uint32_t *base = instr->src[0].file == SGPU_FILE_NONE ? NULL
                                                               : sgd_lanes(w->file, i->comp[0].a);

   for (unsigned l = 0; l < SGD_WARP; l++)
      at[l] = (base ? base[l] : 0) + instr->offset;
}

/* Records an access to the words of the components in the mask `comps`, starting at offset `at`.
 * Words outside of `size` bytes are ignored.
 */
static void
add_words(struct sgd_work_observation *o, unsigned lane, const uint8_t *ptr, uint64_t size,
          uint32_t at, unsigned comps)
{
   for (unsigned c = 0; c < 4; c++) {
      const uint64_t word = (uint64_t)at + 4 * c;
      if ((comps >> c & 1) && word + 4 <= size)
         sgd_observe_lines(o, lane, (uint64_t)(ptr + word - o->memory), 4);
   }
}

static void
add_constants(struct sgd_work_observation *o, unsigned lane, const struct sgd_bank *bank,
              uint32_t at, unsigned comps)
{
   for (unsigned c = 0; c < 4; c++) {
      const uint64_t word = (uint64_t)at + 4 * c;
      if ((comps >> c & 1) && word + 4 <= bank->size)
         sgd_observe_lines(o, lane, (uint64_t)(sgd_bank_byte(bank, word) - o->memory), 4);
   }
}

static void
add_scratch(struct sgd_work_observation *o, unsigned lane, uint64_t size, uint32_t at,
            unsigned comps)
{
   for (unsigned c = 0; c < 4; c++) {
      const uint64_t word = (uint64_t)at + 4 * c;
      if ((comps >> c & 1) && word + 4 <= size)
         sgd_observe_lines(o, lane, SCRATCH_ADDRESS + word * SGD_WARP + 4 * lane, 4);
   }
}

/* Returns the number of passes that an access to shared memory takes. Each pass accesses one word
 * per bank. Lanes that access the same word share a pass, except for atomic operations.
 */
static unsigned
count_passes(const uint32_t at[SGD_WARP], uint32_t lanes, unsigned comps, bool atomic)
{
   unsigned passes = 0;

   for (unsigned half = 0; half < 2; half++) {
      uint32_t words[BANKS][SGD_WARP / 2 * 4];
      unsigned num[BANKS] = { 0 }, most = 0;

      for (uint32_t left = lanes >> 16 * half & 0xffff; left;) {
         const unsigned l = 16 * half + u_bit_scan(&left);
         for (unsigned c = 0; c < 4; c++) {
            const uint32_t word = at[l] / 4 + c, bank = word % BANKS;
            unsigned n = 0;
            if (!(comps >> c & 1))
               continue;
            while (n < num[bank] && (atomic || words[bank][n] != word))
               n++;
            if (n < num[bank])
               continue;
            words[bank][num[bank]++] = word;
            most = MAX2(most, num[bank]);
         }
      }
      passes += most;
   }
   return passes;
}

void
sgd_shader_observe_storage(const struct sgd_warp *w, const struct sgd_ins *i, const uint8_t *ptr,
                           uint64_t size, bool shared, uint32_t lanes)
{
   struct sgd_work_observation *o = w->worker->work;
   const struct sgpu_instr *instr = sgd_instr(w, i);
   const bool atomic = sgpu_opcode_info(instr->opcode)->flags & SGPU_OPF_ATOMIC;
   const unsigned words = sgpu_atomic_words(instr->opcode);
   const unsigned comps = atomic ? (1u << words) - 1 : instr->dst.mask;
   uint8_t *word[SGD_WARP];
   uint32_t at[SGD_WARP];
   uint32_t inside = 0;

   if (!o)
      return;
   find_places(w, i, at);
   o->bytes = 4 * util_bitcount(comps);
   for (uint32_t left = lanes; left;) {
      const unsigned l = u_bit_scan(&left);
      at[l] &= ~(4 * words - 1);
      word[l] = (uint8_t *)ptr + at[l];
      inside |= (uint64_t)at[l] + 4 * words <= size ? 1u << l : 0;
      if (!shared && !atomic)
         add_words(o, l, ptr, size, at[l], comps);
   }
   if (shared)
      o->work += count_passes(at, lanes, comps, atomic);
   else if (atomic)
      sgd_observe_atomics(w->worker, word, inside, 4 * words);
}

/* Returns the byte address at which a lane accesses a vertex or an output in the on-chip memory of
 * the geometry and tessellation stages.
 */
static uint32_t
stage_address(const struct sgd_warp *w, const struct sgpu_instr *instr, unsigned lane, uint32_t at)
{
   const struct sgd_stage_io *io = w->worker->stage_io;
   const uint32_t unit = instr->unit + (instr->urel ? sgd_addr(w, instr->urelcomp)[lane] : 0);

   switch (instr->opcode) {
   case SGPU_OP_LDV:
      return io->vertex[at][lane] * io->stride + 16 * unit;
   case SGPU_OP_LDO:
      return (io->first_lane[lane] + at) * w->code->layout.num_out * 16 + 16 * unit;
   default:
      return io->patch[lane] * sizeof(struct sgd_patch) + 16 * at;
   }
}

static bool
stage_has(const struct sgd_warp *w, const struct sgpu_instr *instr, uint32_t at)
{
   const struct sgd_stage_io *io = w->worker->stage_io;

   if (!io)
      return false;
   return at < (instr->opcode == SGPU_OP_LDV   ? io->num_vertices
                : instr->opcode == SGPU_OP_LDO ? io->output_vertices
                : io->patches                  ? SGPU_MAX_PATCH_OUTPUTS
                                               : 0);
}

static void
add_stage(const struct sgd_warp *w, const struct sgpu_instr *instr, uint32_t at[SGD_WARP],
          uint32_t lanes)
{
   struct sgd_work_observation *o = w->worker->work;

   for (uint32_t left = lanes; left;) {
      const unsigned l = u_bit_scan(&left);
      if (stage_has(w, instr, at[l]))
         at[l] = stage_address(w, instr, l, at[l]);
      else
         lanes &= ~(1u << l);
   }
   o->work += count_passes(at, lanes, instr->dst.mask, false);
}

void
sgd_shader_observe_memory(const struct sgd_warp *w, const struct sgd_ins *i, uint32_t mask)
{
   struct sgd_work_observation *o = w->worker->work;
   const struct sgpu_instr *instr = sgd_instr(w, i);
   const unsigned comps = instr->dst.mask;
   uint32_t at[SGD_WARP];

   if (!o || instr->opcode == SGPU_OP_LDT)
      return;
   find_places(w, i, at);
   o->bytes = 4 * util_bitcount(comps);
   if (instr->opcode != SGPU_OP_LDC && instr->opcode != SGPU_OP_LDL &&
       instr->opcode != SGPU_OP_STL) {
      add_stage(w, instr, at, mask);
      return;
   }
   for (uint32_t left = mask; left;) {
      const unsigned l = u_bit_scan(&left);
      const int64_t unit = (int64_t)instr->unit +
                           (instr->urel ? sgd_addr(w, instr->urelcomp)[l] : 0);
      if (instr->opcode != SGPU_OP_LDC)
         add_scratch(o, l, w->shader->scratch_size, at[l] & ~3u, comps);
      else if (unit >= 0 && unit < SGD_MAX_BANKS)
         add_constants(o, l, &w->env->banks[unit], at[l] & ~3u, comps);
   }
}
