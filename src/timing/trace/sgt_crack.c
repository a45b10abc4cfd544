/* SPDX-License-Identifier: MIT */
/*
 * Splits instructions into scalar operations according to the table in sgpu_scalar.py.
 */
#include "trace/sgt_crack.h"

#include <assert.h>
#include <string.h>

#include "util/bitscan.h"
#include "util/macros.h"

static_assert((int)SGPU_SCALAR_ALU == (int)SGT_PIPE_ALU, "one order");
static_assert((int)SGPU_SCALAR_SFU == (int)SGT_PIPE_SFU, "one order");
static_assert((int)SGPU_SCALAR_INTERP == (int)SGT_PIPE_INTERP, "one order");
static_assert((int)SGPU_SCALAR_TEXTURE == (int)SGT_PIPE_TEXTURE, "one order");
static_assert((int)SGPU_SCALAR_MEMORY == (int)SGT_PIPE_MEMORY, "one order");
static_assert((int)SGPU_SCALAR_SHARED == (int)SGT_PIPE_SHARED, "one order");
static_assert((int)SGPU_SCALAR_CONST == (int)SGT_PIPE_CONST, "one order");
static_assert((int)SGPU_SCALAR_CONTROL == (int)SGT_PIPE_CONTROL, "one order");

/* Inner registers pass values between the operations of a single instruction. The first
 * SGPU_SCALAR_INNERS of them contain temporary values. The last of these, CARRIED, can also contain
 * a result that is copied to several components. SAVED and the following registers hold the values
 * of up to four components that would be overwritten too early.
 */
#define INNER(n) (SGT_REG_INNER + (n))
#define CARRIED INNER(SGPU_SCALAR_INNERS - 1)
#define SAVED INNER(SGPU_SCALAR_INNERS)
static_assert(SGPU_SCALAR_INNERS + 4 <= SGT_REG_INNERS, "room for saved values");

/* -- operands --------------------------------------------------------------------------- */

static uint16_t
file_register(unsigned file, unsigned index, bool relative, unsigned component)
{
   if (relative)
      return SGT_REG_NONE;
   switch (file) {
   case SGPU_FILE_TEMP:
      return SGT_REG_TEMP + 4 * index + component;
   case SGPU_FILE_ADDR:
      return SGT_REG_ADDR + component;
   case SGPU_FILE_PRED:
      return SGT_REG_PRED + 4 * index + component;
   default:
      return SGT_REG_NONE;
   }
}

static uint16_t
dst_register(const struct sgpu_instr *instr, unsigned component)
{
   return file_register(instr->dst.file, instr->dst.index, instr->dst.rel, component);
}

static bool
is_relative_temp(unsigned file, bool relative)
{
   return file == SGPU_FILE_TEMP && relative;
}

static unsigned
src_flags(const struct sgpu_src *src)
{
   return (src->file == SGPU_FILE_CONST ? SGT_UOP_CONST : 0) |
          (is_relative_temp(src->file, src->rel) ? SGT_UOP_ANY : 0);
}

static unsigned
dst_flags(const struct sgpu_instr *instr)
{
   return is_relative_temp(instr->dst.file, instr->dst.rel) ? SGT_UOP_ANY : 0;
}

/* -- steps ------------------------------------------------------------------------------ */

static struct sgt_uop *
crack_add(struct sgt_crack *k, unsigned pipe, uint16_t dst)
{
   assert(k->num < SGT_CRACK_MOST);
   struct sgt_uop *uop = &k->uops[k->num];
   k->old[k->num++] = 0;
   *uop = (struct sgt_uop){
      .pipe = pipe,
      .dst = dst,
      .dsts = dst == SGT_REG_NONE ? 0 : 1,
      .src = { SGT_REG_NONE, SGT_REG_NONE, SGT_REG_NONE },
   };
   return uop;
}

static void
crack_move(struct sgt_crack *k, uint16_t dst, uint16_t src)
{
   crack_add(k, SGT_PIPE_ALU, dst)->src[0] = src;
}

/* Sets source n of the operation that was added last. `code` is the source in the encoding of
 * sgpu_scalar.py. `part` is the current component, or the first component of the current pair.
 */
static void
add_src(struct sgt_crack *k, unsigned n, unsigned code, unsigned part)
{
   const struct sgpu_instr *instr = k->instr;
   struct sgt_uop *uop = &k->uops[k->num - 1];
   unsigned s, position;

   if (code == SGPU_SCALAR_NOTHING)
      return;
   if (code >= SGPU_SCALAR_LOW) {
      uop->src[n] = dst_register(instr, part + (code - SGPU_SCALAR_LOW));
      return;
   }
   if (code >= SGPU_SCALAR_INNER) {
      uop->src[n] = INNER(code - SGPU_SCALAR_INNER);
      return;
   }
   if (code >= SGPU_SCALAR_WORD) {
      s = (code - SGPU_SCALAR_WORD) / 2;
      position = part + (code - SGPU_SCALAR_WORD) % 2;
   } else if (code >= SGPU_SCALAR_OWN) {
      s = code - SGPU_SCALAR_OWN;
      position = part;
   } else {
      s = code / 4;
      position = code % 4;
   }
   const struct sgpu_src *src = &instr->src[s];
   uop->src[n] = file_register(src->file, src->index, src->rel,
                               sgpu_swizzle_get(src->swizzle, position));
   uop->flags |= src_flags(src);
   k->old[k->num - 1] |= 1u << n;
}

/* Makes the operation that was added last write the first component in `mask`. Adds moves that copy
 * the result to all other components in `mask`.
 */
static void
crack_spread(struct sgt_crack *k, unsigned mask)
{
   const unsigned first = ffs(mask) - 1, rest = mask & (mask - 1);
   struct sgt_uop *uop = &k->uops[k->num - 1];
   uint16_t from = dst_register(k->instr, first);

   if (rest && from == SGT_REG_NONE) {
      uop->dst = CARRIED;
      uop->dsts = 1;
      u_foreach_bit(c, mask) {
         crack_move(k, SGT_REG_NONE, CARRIED);
         k->uops[k->num - 1].flags |= dst_flags(k->instr);
      }
      return;
   }
   uop->dst = from;
   uop->dsts = from == SGT_REG_NONE ? 0 : 1;
   uop->flags |= dst_flags(k->instr);
   u_foreach_bit(c, rest)
      crack_move(k, dst_register(k->instr, c), from);
}

/* Adds the operation for a step. `part` is the component, or the first component of the pair, that
 * the operation computes. `inner` is the index of the first inner register that it can use.
 */
static void
add_step(struct sgt_crack *k, const struct sgpu_scalar_step *step, unsigned part, unsigned mask,
         unsigned inner)
{
   crack_add(k, step->unit, SGT_REG_NONE);
   for (unsigned n = 0; n < 3; n++) {
      const bool moved = step->src[n] >= SGPU_SCALAR_INNER &&
                         step->src[n] < SGPU_SCALAR_INNER + k->scalar->inners;
      add_src(k, n, step->src[n] + (moved ? inner : 0), part);
   }

   struct sgt_uop *uop = &k->uops[k->num - 1];
   if (step->dst < SGPU_SCALAR_RESULT) {
      const unsigned n = step->dst - SGPU_SCALAR_INNER;
      uop->dst = INNER(n + (n < k->scalar->inners ? inner : 0));
      uop->dsts = 1;
   } else if (step->dst == SGPU_SCALAR_RESULT) {
      crack_spread(k, mask);
   } else if (step->dst >= SGPU_SCALAR_LOW) {
      crack_spread(k, 1u << (part + step->dst - SGPU_SCALAR_LOW));
   } else {
      crack_spread(k, 1u << (step->dst - SGPU_SCALAR_PLACE));
   }
}

/* Stores the indices of the instruction's steps in `sequence`, in execution order and with all
 * loops unrolled. Returns the number of indices.
 */
static unsigned
write_out(const struct sgt_crack *k, uint8_t *sequence)
{
   const struct sgpu_scalar_step *steps = k->scalar->steps;
   unsigned num = 0;

   for (unsigned i = 0; i < k->scalar->num_steps;) {
      unsigned end = i + 1, times = 1;
      if (steps[i].when == SGPU_SCALAR_REPEAT) {
         while (end < k->scalar->num_steps && steps[end].when == SGPU_SCALAR_REPEAT)
            end++;
         times = k->instr->cluster;
      }
      for (; times; times--) {
         for (unsigned s = i; s < end; s++)
            sequence[num++] = s;
      }
      i = end;
   }
   return num;
}

/* Adds the operations for all parts in the given order. A part is a component, or the first
 * component of a pair. If there are enough inner registers, interleaves the operations of different
 * parts, like the scheduler of a compiler would.
 */
static void
add_steps(struct sgt_crack *k, const uint8_t *parts, unsigned num_parts)
{
   const unsigned way = k->scalar->way, written = k->instr->dst.mask;
   const unsigned inners = k->scalar->inners;
   const bool alternate = inners * num_parts <= SGPU_SCALAR_INNERS - 2;
   uint8_t sequence[SGT_CRACK_MOST];
   const unsigned num = write_out(k, sequence);

   k->num = 0;
   for (unsigned n = 0; n < num * num_parts; n++) {
      const unsigned p = alternate ? n % num_parts : n / num;
      const struct sgpu_scalar_step *step =
         &k->scalar->steps[sequence[alternate ? n / num_parts : n % num]];
      unsigned mask = written;
      if (way == SGPU_SCALAR_EACH)
         mask = 1u << parts[p];
      else if (way == SGPU_SCALAR_PAIR)
         mask = written & 3u << parts[p];
      if (way == SGPU_SCALAR_WHOLE && step->when && !(step->when & written))
         continue;
      if (step->when == SGPU_SCALAR_ONCE && p != 0)
         continue;
      add_step(k, step, parts[p], mask, alternate ? p * inners : 0);
   }
}

/* -- values from before the instruction --------------------------------------------------- */

/* Returns a register that an operation overwrites before a later operation of the instruction has
 * read its old value. Returns SGT_REG_NONE if there is no such register.
 */
static uint16_t
find_lost(const struct sgt_crack *k)
{
   for (unsigned i = 0; i < k->num; i++) {
      if (k->uops[i].dst >= SGT_REG_INNER)
         continue;
      for (unsigned j = i + 1; j < k->num; j++) {
         for (unsigned n = 0; n < 3; n++) {
            if (k->old[j] >> n & 1 && k->uops[j].src[n] == k->uops[i].dst)
               return k->uops[i].dst;
         }
      }
   }
   return SGT_REG_NONE;
}

static void
crack_save(struct sgt_crack *k, uint16_t lost, uint16_t saved)
{
   for (unsigned i = 0; i < k->num; i++) {
      for (unsigned n = 0; n < 3; n++) {
         if (k->old[i] >> n & 1 && k->uops[i].src[n] == lost) {
            k->uops[i].src[n] = saved;
            k->old[i] &= ~(1u << n);
         }
      }
   }
   crack_move(k, saved, lost);
   const struct sgt_uop first = k->uops[k->num - 1];
   memmove(&k->uops[1], &k->uops[0], (k->num - 1) * sizeof(k->uops[0]));
   memmove(&k->old[1], &k->old[0], k->num - 1);
   k->uops[0] = first;
   k->old[0] = 0;
}

/* Tries several orders of the parts, and adds the operations in the first order that overwrites no
 * component too early. If there is none, adds the operations in the given order.
 */
static void
add_in_order(struct sgt_crack *k, uint8_t *parts, unsigned num)
{
   static const uint8_t orders[24][4] = {
      { 0, 1, 2, 3 }, { 1, 0, 2, 3 }, { 0, 2, 1, 3 }, { 1, 2, 0, 3 }, { 2, 0, 1, 3 },
      { 2, 1, 0, 3 }, { 0, 1, 3, 2 }, { 1, 0, 3, 2 }, { 0, 2, 3, 1 }, { 1, 2, 3, 0 },
      { 2, 0, 3, 1 }, { 2, 1, 3, 0 }, { 0, 3, 1, 2 }, { 1, 3, 0, 2 }, { 0, 3, 2, 1 },
      { 1, 3, 2, 0 }, { 2, 3, 0, 1 }, { 2, 3, 1, 0 }, { 3, 0, 1, 2 }, { 3, 1, 0, 2 },
      { 3, 0, 2, 1 }, { 3, 1, 2, 0 }, { 3, 2, 0, 1 }, { 3, 2, 1, 0 },
   };

   for (unsigned o = 0; o < ARRAY_SIZE(orders); o++) {
      uint8_t order[4];
      unsigned n = 0;
      for (unsigned i = 0; i < 4; i++) {
         if (orders[o][i] < num)
            order[n++] = parts[orders[o][i]];
      }
      add_steps(k, order, num);
      if (find_lost(k) == SGT_REG_NONE)
         return;
   }
   add_steps(k, parts, num);
}

/* -- vectors ------------------------------------------------------------------------------ */

static void
add_vector(struct sgt_crack *k)
{
   const struct sgpu_instr *instr = k->instr;
   const struct sgpu_scalar_step *step = k->scalar->steps;
   const bool writes = k->op->flags & SGPU_OPF_DST && instr->dst.file != SGPU_FILE_NONE;
   const unsigned first = writes ? ffs(instr->dst.mask) - 1 : 0;
   struct sgt_uop *uop = crack_add(k, step->unit,
                                   writes ? dst_register(instr, first) : SGT_REG_NONE);

   if (uop->dst != SGT_REG_NONE)
      uop->dsts = util_last_bit(instr->dst.mask) - first;
   uop->flags |= dst_flags(instr);
   if (step->unit != SGT_PIPE_CONTROL)
      uop->flags |= SGT_UOP_ACCESS;
   for (unsigned s = 0; s < k->op->num_srcs; s++) {
      const struct sgpu_src *src = &instr->src[s];
      const unsigned mask = sgpu_src_read_mask(k->op, instr, s);
      if (!mask)
         continue;
      uop->src[s] = file_register(src->file, src->index, src->rel, ffs(mask) - 1);
      uop->flags |= src_flags(src);
      if (uop->src[s] != SGT_REG_NONE)
         uop->more |= (util_last_bit(mask) - ffs(mask)) << (2 * s);
   }
}

/* -- instructions ------------------------------------------------------------------------- */

void
sgt_crack(struct sgt_crack *k, const struct sgpu_instr *instr)
{
   uint8_t parts[4] = { 0 };
   unsigned num = 0, saved = 0;
   uint16_t lost;

   k->instr = instr;
   k->op = sgpu_opcode_info(instr->opcode);
   k->scalar = &sgpu_scalar_infos[instr->opcode];
   k->num = 0;
   switch ((enum sgpu_scalar_way)k->scalar->way) {
   case SGPU_SCALAR_FOLDED:
      return;
   case SGPU_SCALAR_VECTOR:
      add_vector(k);
      return;
   case SGPU_SCALAR_EACH:
      u_foreach_bit(c, instr->dst.mask)
         parts[num++] = c;
      break;
   case SGPU_SCALAR_PAIR:
      for (unsigned c = 0; c < 4; c += 2) {
         if (instr->dst.mask & 3u << c)
            parts[num++] = c;
      }
      break;
   case SGPU_SCALAR_ONE:
   case SGPU_SCALAR_WHOLE:
      num = 1;
      break;
   }
   add_in_order(k, parts, num);
   while ((lost = find_lost(k)) != SGT_REG_NONE) {
      assert(saved < 4);
      crack_save(k, lost, SAVED + saved++);
   }
}
