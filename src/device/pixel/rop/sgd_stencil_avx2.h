/* SPDX-License-Identifier: MIT */
/*
 * ROP: AVX2 version of the stencil test of sgd_zs.c, for elements of four bytes with 24 bits of
 * depth and 8 of stencil above, and for warps whose quads all have the stencil state of one face.
 * Elements stay in registers between load and store. Its results are bit-identical to those of the
 * loops in sgd_zs.c.
 */
#ifndef SGD_STENCIL_AVX2_H
#define SGD_STENCIL_AVX2_H

#include <immintrin.h>

#include "pixel/rop/sgd_depth_avx2.h"

/* A stencil operation on values s: min(max(((s & keep) ^ flip) + add, low), high), of which the
 * low 8 bits that the write mask has are stored.
 */
struct sgd_v8_stencil_op {
   bool changes;
   __m256i keep, flip, add, low, high;
};

static inline struct sgd_v8_stencil_op
sgd_v8_stencil_op(enum sgpu_stencil_op op, uint32_t ref)
{
   const bool clears = op == SGPU_STENCIL_OP_ZERO || op == SGPU_STENCIL_OP_REPLACE;
   const bool up = op == SGPU_STENCIL_OP_INCR_SAT || op == SGPU_STENCIL_OP_INCR_WRAP;
   const bool down = op == SGPU_STENCIL_OP_DECR_SAT || op == SGPU_STENCIL_OP_DECR_WRAP;

   return (struct sgd_v8_stencil_op){
      .changes = op != SGPU_STENCIL_OP_KEEP,
      .keep = _mm256_set1_epi32(clears ? 0 : 0xff),
      .flip = _mm256_set1_epi32(op == SGPU_STENCIL_OP_REPLACE  ? (int)ref
                                : op == SGPU_STENCIL_OP_INVERT ? 0xff
                                                               : 0),
      .add = _mm256_set1_epi32(up - down),
      .low = _mm256_set1_epi32(op == SGPU_STENCIL_OP_DECR_SAT ? 0 : -1),
      .high = _mm256_set1_epi32(op == SGPU_STENCIL_OP_INCR_SAT ? 0xff : 0x100),
   };
}

/* Applies the operation to the lanes in `lanes` (a mask of words) of the stencil values s. */
static ALWAYS_INLINE __m256i
sgd_v8_stencil_apply(const struct sgd_v8_stencil_op *op, __m256i s, __m256i now, __m256i lanes)
{
   const __m256i moved = _mm256_add_epi32(_mm256_xor_si256(_mm256_and_si256(s, op->keep), op->flip),
                                          op->add);
   const __m256i r = _mm256_min_epi32(_mm256_max_epi32(moved, op->low), op->high);
   return _mm256_blendv_epi8(now, r, lanes);
}

/* Tests and updates a group of quads. `depths` has the depths in the stored format; it is not read
 * if depth is not tested or written. `block` is a constant.
 */
static ALWAYS_INLINE uint32_t
sgd_v8_stencil_quads(const struct sgd_state *st, const struct sgd_quads *quads,
                     const struct SGPU_STENCIL_FACE *face, uint32_t ref,
                     const uint32_t depths[SGD_WARP], uint32_t lanes, bool block)
{
   const struct sgd_zs_plan *p = &st->plan.rop.zs;
   const struct sgd_v8_stencil_op fail = sgd_v8_stencil_op(face->fail, ref);
   const struct sgd_v8_stencil_op depth_fail = sgd_v8_stencil_op(face->depth_fail, ref);
   const struct sgd_v8_stencil_op pass = sgd_v8_stencil_op(face->pass, ref);
   const struct sgd_v8_func depth_func = sgd_v8_func(p->func);
   const __m256i bit = _mm256_setr_epi32(1, 2, 4, 8, 16, 32, 64, 128);
   const __m256i low24 = _mm256_set1_epi32(0xffffff);
   const __m256i read = _mm256_set1_epi32(face->read_mask & 0xff);
   const __m256i masked_ref = _mm256_set1_epi32((int)(ref & face->read_mask & 0xff));
   const __m256i less = sgd_v8_all(face->func & 1), equal = sgd_v8_all(face->func >> 1 & 1);
   const __m256i greater = sgd_v8_all(face->func >> 2 & 1);
   const __m256i write = _mm256_set1_epi32((int)((uint32_t)face->write_mask << 24));
   const bool stores = ((fail.changes || depth_fail.changes || pass.changes) && face->write_mask) ||
                       p->write;
   struct sgd_quad_memory m;
   uint8_t *run = NULL;
   uint32_t passed = 0;

   if (block)
      run = sgd_block_memory(&st->zs, quads, 4);
   else
      sgd_v8_place_first(&m, &st->zs, quads, lanes, 4, SGD_QUADS);
   for (unsigned l = 0; l < SGD_WARP; l += 8) {
      uint8_t *const *q = &m.quad[l / 4];
      if (!(lanes >> l & 0xff))
         continue;
      const __m256i old = block ? sgd_v8_run_elements(run + 4 * l, 4) : sgd_v8_elements(q, 4);
      const __m256i on = _mm256_cmpeq_epi32(_mm256_and_si256(_mm256_set1_epi32((int)(lanes >> l)),
                                                             bit),
                                            bit);
      const __m256i s = _mm256_srli_epi32(old, 24), b = _mm256_and_si256(s, read);
      const __m256i yes = _mm256_or_si256(
         _mm256_and_si256(_mm256_cmpgt_epi32(b, masked_ref), less),
         _mm256_or_si256(_mm256_and_si256(_mm256_cmpeq_epi32(b, masked_ref), equal),
                         _mm256_and_si256(_mm256_cmpgt_epi32(masked_ref, b), greater)));
      const __m256i tested = _mm256_and_si256(yes, on);
      __m256i good = tested, in = old;
      if (p->depth || p->write)
         in = _mm256_loadu_si256((const __m256i *)(depths + l));
      if (p->depth)
         good = _mm256_and_si256(good, sgd_v8_compare(in, _mm256_and_si256(old, low24), SGD_ZS_Z24,
                                                      SGPU_COMPARE_NEVER, &depth_func));
      passed |= (uint32_t)_mm256_movemask_ps(_mm256_castsi256_ps(good)) << l;
      if (!stores)
         continue;
      __m256i now = s;
      if (fail.changes)
         now = sgd_v8_stencil_apply(&fail, s, now, _mm256_andnot_si256(yes, on));
      if (depth_fail.changes && p->depth)
         now = sgd_v8_stencil_apply(&depth_fail, s, now, _mm256_andnot_si256(good, tested));
      if (pass.changes)
         now = sgd_v8_stencil_apply(&pass, s, now, good);
      /* The stencil value's bits above the write mask, and the depth, stay. */
      __m256i word = _mm256_or_si256(_mm256_and_si256(_mm256_slli_epi32(now, 24), write),
                                     _mm256_andnot_si256(write, old));
      if (p->write)
         word = _mm256_blendv_epi8(word, _mm256_or_si256(in, _mm256_andnot_si256(low24, word)),
                                   good);
      if (block)
         _mm256_storeu_si256((__m256i *)(run + 4 * l), word);
      else
         _mm256_storeu2_m128i((__m128i *)q[1], (__m128i *)q[0], word);
   }
   return passed;
}

/* Returns true if the functions of this file can test the group, and sets `face` to the face whose
 * stencil state all quads have: 0 for the front.
 */
static inline bool
sgd_v8_stencil_fits(const struct sgd_state *st, const struct sgd_quads *quads, uint32_t lanes,
                    unsigned *face)
{
   const struct sgd_zs_plan *p = &st->plan.rop.zs;
   const uint32_t front = sgd_stencil_front_lanes(st, quads);

   *face = !(front & lanes);
   return p->stencil && !p->bounds && p->format.bytes == 4 && p->format.stencil_shift == 24 &&
          p->format.depth_bits == 24 && p->format.depth_shift == 0 && (*face || !(lanes & ~front));
}

static __attribute__((noinline)) uint32_t
sgd_v8_stencil_group(const struct sgd_state *st, const struct sgd_quads *quads,
                     const uint32_t depths[SGD_WARP], uint32_t lanes, unsigned face)
{
   const struct SGPU_STENCIL_FACE *f = face ? &st->dsa.back : &st->dsa.front;
   const uint32_t ref = (face ? st->stencil_ref.back : st->stencil_ref.front) & 0xff;

   if (quads->block)
      return sgd_v8_stencil_quads(st, quads, f, ref, depths, lanes, true);
   return sgd_v8_stencil_quads(st, quads, f, ref, depths, lanes, false);
}

#endif
