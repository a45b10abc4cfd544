/* SPDX-License-Identifier: MIT */
/*
 * Operands of texture, image and atomic operations that combine several NIR sources.
 *
 * If all parts come from the same register, the operand reads that register directly. Otherwise,
 * MOVs assemble the parts in a new register.
 */

#include "select/sgc_select.h"

void
sgc_put(struct sgc_parts *parts, unsigned pos, struct sgc_src src, unsigned n)
{
   for (unsigned i = 0; i < n; i++) {
      parts->piece[pos + i] = sgc_comp(src, i);
      parts->mask |= 1u << (pos + i);
   }
}

static bool
same_kind(const struct sgc_src *a, const struct sgc_src *b)
{
   if (a->file == SGC_FILE_IMM || b->file == SGC_FILE_IMM)
      return a->file == b->file;
   return sgc_same_operand(a, b) && a->neg == b->neg && a->abs == b->abs;
}

struct sgc_src
sgc_join(struct sgc_select *sel, const struct sgc_parts *parts)
{
   if (!parts->mask)
      return sgc_none();

   const unsigned first = ffs(parts->mask) - 1;
   bool same = true;
   u_foreach_bit(i, parts->mask)
      same &= same_kind(&parts->piece[i], &parts->piece[first]);
   if (same) {
      struct sgc_src src = parts->piece[first];
      unsigned swizzle = 0;
      for (unsigned i = 0; i < 4; i++) {
         const unsigned from = parts->mask & (1u << i) ? i : first;
         const unsigned comp = parts->piece[from].swizzle & 3;
         src.imm[i] = parts->piece[from].imm[comp];
         swizzle |= (src.file == SGC_FILE_IMM ? i : comp) << (2 * i);
      }
      src.swizzle = swizzle;
      return src;
   }

   const unsigned reg = sgc_new_reg(sel->p);
   unsigned done = 0;
   u_foreach_bit(i, parts->mask) {
      if (done & (1u << i))
         continue;
      struct sgc_src src = parts->piece[i];
      unsigned swizzle = sgpu_swizzle_replicate(src.swizzle & 3);
      unsigned mask = 0;
      uint32_t imm[4];
      for (unsigned j = 0; j < 4; j++)
         imm[j] = src.imm[src.swizzle & 3];
      for (unsigned j = i; j < 4; j++) {
         if (!(parts->mask & ~done & (1u << j)) || !same_kind(&parts->piece[j], &src))
            continue;
         const unsigned comp = parts->piece[j].swizzle & 3;
         mask |= 1u << j;
         imm[j] = parts->piece[j].imm[comp];
         swizzle = (swizzle & ~(3u << (2 * j))) | comp << (2 * j);
      }
      if (src.file == SGC_FILE_IMM) {
         memcpy(src.imm, imm, sizeof(imm));
         swizzle = SGPU_SWIZZLE_XYZW;
      }
      src.swizzle = swizzle;
      sgc_mov_to(&sel->b, sgc_dst_reg(reg, mask), src);
      done |= mask;
   }
   return sgc_reg(reg);
}
