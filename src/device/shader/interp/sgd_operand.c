/* SPDX-License-Identifier: MIT */
/*
 * Shader core: operands and results that are more than a register at a fixed address. Handles
 * relative addressing, modifiers, broadcast of constants, saturation and write masks.
 */
#include "shader/interp/sgd_exec.h"
#include "shader/interp/sgd_rows.h"
#include "sgpu_fp.h"
#include "sgpu_program.h"

static void
broadcast(uint32_t *to, uint32_t value)
{
   SGD_EACH_LANE(l) {
      to[l] = value;
   }
}

/* Returns component `comp` of constant c[index], or 0 if the index is out of range. */
static uint32_t
constant(const struct sgd_warp *w, int64_t index, unsigned comp)
{
   const struct sgd_shader *shader = w->shader;
   if (index < 0 || index >= SGPU_CONST_SIZE)
      return 0;
   const uint32_t c = (uint32_t)index;
   if (c >= shader->literal_base)
      return sgd_literal_word(shader, c, comp);
   return sgd_bank_word(&w->env->banks[0], 16 * (uint64_t)c + 4 * comp);
}

/* Returns the number of registers in a file, for the bounds check of relative addresses. */
static uint32_t
file_size(const struct sgd_warp *w, enum sgpu_file file)
{
   return file == SGPU_FILE_TEMP ? w->shader->num_temps : w->code->layout.num_in;
}

/* Loads constants c[index[l]] of a bank without lines. Overwrites the indices. */
static void
load_contiguous(const struct sgd_bank *bank, const struct sgpu_src *src, unsigned positions,
                uint32_t *index, struct sgd_vec *to)
{
   SGD_EACH_LANE(l) {
      index[l] *= 16;
   }
   if (positions == 0xf && src->swizzle == SGPU_SWIZZLE_XYZW) {
      uint32_t *const all[4] = { to->c[0], to->c[1], to->c[2], to->c[3] };
      sgd_rows_load_all_at(bank->ptr, index, all);
      return;
   }
   for (unsigned p = 0; p < 4; p++) {
      if (positions & (1 << p))
         sgd_words_load_at(bank->ptr + 4 * sgpu_swizzle_get(src->swizzle, p), index, to->c[p]);
   }
}

static void
load_relative_const(const struct sgd_warp *w, const struct sgpu_src *src, unsigned positions,
                    struct sgd_vec *to)
{
   const int32_t *addr = sgd_addr(w, src->relcomp);

   /* Fast path for the common case in which all lanes read the same constant. */
   if (sgd_same_words((const uint32_t *)addr, ~0u, 0)) {
      for (unsigned p = 0; p < 4; p++) {
         if (positions & (1 << p))
            broadcast(to->c[p], constant(w, (int64_t)addr[0] + src->index,
                                         sgpu_swizzle_get(src->swizzle, p)));
      }
      return;
   }
   struct sgd_rows rows;
   const struct sgd_bank *bank = &w->env->banks[0];
   const uint32_t limit = MIN2(w->shader->literal_base, bank->size / 16);
   uint32_t index[SGD_WARP], outside = 0;
   SGD_EACH_LANE(l) {
      index[l] = (uint32_t)addr[l] + (uint32_t)src->index;
      outside |= index[l] >= limit;
   }
   if (likely(!outside && !bank->line_log2)) {
      load_contiguous(bank, src, positions, index, to);
      return;
   }
   if (likely(!outside)) {
      sgd_rows_set_constants(&rows, bank, index);
   } else {
      const unsigned comps = sgpu_swizzle_mask(src->swizzle, positions);
      for (unsigned l = 0; l < SGD_WARP; l++) {
         for (unsigned comp = 0; comp < 4; comp++) {
            if (comps & 1 << comp)
               rows.copy[l][comp] = constant(w, (int64_t)addr[l] + src->index, comp);
         }
         rows.row[l] = (const uint8_t *)rows.copy[l];
      }
   }
   if (positions == 0xf && src->swizzle == SGPU_SWIZZLE_XYZW) {
      uint32_t *const all[4] = { to->c[0], to->c[1], to->c[2], to->c[3] };
      sgd_rows_load_all(&rows, all);
      return;
   }
   for (unsigned p = 0; p < 4; p++) {
      if (positions & (1 << p))
         sgd_rows_load(&rows, sgpu_swizzle_get(src->swizzle, p), to->c[p]);
   }
}

#define VEC_WORDS (sizeof(struct sgd_vec) / 4)

/* Loads a component of register addr[l] + plus of each lane, or 0 if there are not that many. Sums
 * that wrap around are out of bounds, too.
 */
static void
load_words(const uint32_t *first, const uint32_t *addr, uint32_t plus, uint32_t size, uint32_t *to)
{
#ifdef __AVX2__
   const __m256i most = _mm256_set1_epi32((int)size - 1);
   const __m256i lanes = _mm256_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7);
   for (unsigned l = 0; size && l < SGD_WARP; l += 8) {
      const __m256i index = _mm256_add_epi32(_mm256_load_si256((const __m256i *)(addr + l)),
                                             _mm256_set1_epi32((int)plus));
      const __m256i inside = _mm256_cmpeq_epi32(_mm256_min_epu32(index, most), index);
      const __m256i word = _mm256_add_epi32(_mm256_mullo_epi32(index, _mm256_set1_epi32(VEC_WORDS)),
                                            lanes);
      const __m256i value = _mm256_mask_i32gather_epi32(_mm256_setzero_si256(),
                                                        (const int *)(first + l), word, inside, 4);
      _mm256_store_si256((__m256i *)(to + l), value);
   }
   if (size)
      return;
#endif
   for (unsigned l = 0; l < SGD_WARP; l++) {
      const uint32_t index = addr[l] + plus;
      to[l] = index < size ? first[index * VEC_WORDS + l] : 0;
   }
}

static void
load_relative_register(const struct sgd_warp *w, const struct sgpu_src *src, unsigned positions,
                       struct sgd_vec *to)
{
   const int32_t *addr = sgd_addr(w, src->relcomp);
   const uint32_t size = file_size(w, src->file);
   for (unsigned p = 0; p < 4; p++) {
      if (!(positions & (1 << p)))
         continue;
      const uint8_t *first = sgd_reg(w, src->file, 0, sgpu_swizzle_get(src->swizzle, p));
      load_words(sgd_lanes(first, 0), (const uint32_t *)addr, (uint32_t)src->index, size, to->c[p]);
   }
}

void
sgd_load_operands(struct sgd_warp *w, const struct sgd_ins *i)
{
   const struct sgpu_instr *instr = sgd_instr(w, i);
   const struct sgpu_opcode_info *info = sgpu_opcode_info(instr->opcode);
   const struct sgd_file_layout *layout = &w->code->layout;
   uint8_t *file = w->file;
   for (unsigned s = 0; s < 3; s++) {
      const struct sgpu_src *src = &instr->src[s];
      /* The sign of a double is in the high word, i.e. in component y or w. */
      const unsigned signs = sgpu_type_is_wide(info->src_type[s]) ? 0xa : 0xf;
      if (!i->load[s])
         continue;
      struct sgd_vec *to = (struct sgd_vec *)sgd_lanes(file, sgd_operand_offset(layout, s, 0));
      if (src->rel && src->file == SGPU_FILE_CONST)
         load_relative_const(w, src, i->load[s], to);
      else if (src->rel)
         load_relative_register(w, src, i->load[s], to);

      for (unsigned p = 0; p < 4; p++) {
         if (!(i->load[s] & (1 << p)))
            continue;
         const unsigned comp = sgpu_swizzle_get(src->swizzle, p);
         const bool sign = signs & (1 << p);
         const uint32_t and_mask = sign && src->abs ? 0x7fffffffu : ~0u;
         const uint32_t xor_mask = sign && src->neg ? 0x80000000u : 0u;
         uint32_t *lanes = to->c[p];
         const uint32_t *from = lanes;
         if (!src->rel && src->file == SGPU_FILE_CONST)
            broadcast(lanes, constant(w, src->index, comp));
         else if (!src->rel)
            from = sgd_lanes(file, sgd_reg_offset(layout, src->file, (unsigned)src->index, comp));
         if (from != lanes || src->abs || src->neg) {
            SGD_EACH_LANE(l) {
               lanes[l] = (from[l] & and_mask) ^ xor_mask;
            }
         }
      }
   }
}

void
sgd_saturate(const struct sgd_ins *i, uint8_t *dst)
{
   for (unsigned n = 0; n < i->num_comps; n++) {
      uint32_t *d = sgd_lanes(dst, i->comp[n].d);
      SGD_EACH_LANE(l) {
         d[l] = sgpu_f2bits(sgpu_fsat(sgpu_bits2f(d[l])));
      }
   }
}

/* Stores a result to a relative destination, where each lane has a different register. Drops stores
 * outside the register file, or outside the output array that contains dst->index.
 */
static void
scatter(struct sgd_warp *w, const struct sgd_ins *i, uint32_t mask)
{
   const struct sgpu_dst *dst = &sgd_instr(w, i)->dst;
   const int32_t *addr = sgd_addr(w, dst->relcomp);
   unsigned first = 0, count = w->shader->num_temps;
   if (dst->file == SGPU_FILE_OUTPUT &&
       !sgpu_output_run(w->shader->stage, dst->index, &first, &count))
      return;

   for (unsigned n = 0; n < i->num_comps; n++) {
      const unsigned comp = i->dcomp[n];
      const uint32_t *from = w->worker->core->result.c[comp];
      uint32_t *to = sgd_lanes(sgd_reg(w, dst->file, first, comp), 0);
      for (unsigned l = 0; l < SGD_WARP; l++) {
         /* Addresses that wrap around are out of bounds, too. */
         const uint32_t index = (uint32_t)addr[l] + dst->index - first;
         if (mask & sgd_lane_bit[l] && index < count)
            to[index * VEC_WORDS + l] = from[l];
      }
   }
}

void
sgd_merge(struct sgd_warp *w, const struct sgd_ins *i, uint32_t mask)
{
   uint8_t *m = w->file;
   const uint8_t *result = sgd_result_base(w, i);

   if (i->kind == SGD_INS_PRED) {
      for (unsigned n = 0; n < i->num_comps; n++) {
         uint32_t *to = sgd_word(m, i->comp[n].d);
         *to = (*to & ~mask) | (*sgd_word(result, i->comp[n].d) & mask);
      }
      return;
   }
   if (i->flags & SGD_INS_REL_DST) {
      scatter(w, i, mask);
      return;
   }
   for (unsigned n = 0; n < i->num_comps; n++) {
      const uint32_t *from = sgd_lanes(result, i->comp[n].d);
      uint32_t *to = sgd_lanes(m, i->comp[n].d);
      SGD_EACH_LANE(l) {
         to[l] = sgd_select(mask & sgd_lane_bit[l], from[l], to[l]);
      }
   }
}
