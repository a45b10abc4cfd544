/* SPDX-License-Identifier: MIT */
/*
 * Shader core: accesses to storage buffers and to the shared memory of a workgroup.
 *
 * Words are bounds-checked as in sgd_memory.c. Lanes store in ascending order, and each lane stores
 * all of its words before the next lane. There are fast paths for warps and for groups of eight
 * lanes that access consecutive words or a single word. Groups of eight are useful because
 * workgroups often have rows of eight invocations.
 */
#if defined(__AVX2__)
#include <immintrin.h>
#endif

#include "shader/atomic/sgd_atomic.h"
#include "shader/interp/sgd_exec.h"
#include "common/sgd_gather.h"
#include "common/sgd_observe.h"
#include "shader/interp/sgd_shader_observe.h"

#define GROUP 8

/* Words that an instruction accesses in a buffer or in shared memory. */
struct words {
   uint8_t *ptr;
   uint64_t size;
   /* byte offsets of all lanes; undefined for lanes that aren't in `lanes` */
   const struct sgd_pattern *p;
   uint32_t lanes;
   bool inside; /* set if all words are in bounds, up to the last component in the mask */
   bool shared;
   struct sgd_pattern own;
};

/* Checks in each group of eight lanes if the addresses increase by `step` from lane to lane.
 * Returns a mask with all lanes of the groups for which this is true. From other groups, the mask
 * may have only the first lane.
 */
static ALWAYS_INLINE uint32_t
lanes_in_steps(const uint32_t *at, uint32_t step)
{
   uint32_t lanes = 0;

   for (unsigned g = 0; g < SGD_WARP; g += GROUP) {
#if defined(__AVX2__)
      const __m256i ramp = _mm256_mullo_epi32(_mm256_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7),
                                              _mm256_set1_epi32((int)step));
      const __m256i v = _mm256_loadu_si256((const __m256i *)(at + g));
      const __m256i from = _mm256_set1_epi32((int)at[g]);
      const __m256i equal = _mm256_cmpeq_epi32(_mm256_sub_epi32(v, from), ramp);
      lanes |= (uint32_t)_mm256_movemask_ps(_mm256_castsi256_ps(equal)) << g;
#else
      uint32_t other = 0;
      for (unsigned k = 0; k < GROUP; k++)
         other |= (at[g + k] - at[g]) ^ (step * k);
      lanes |= (other ? 1u : 255u) << g;
#endif
   }
   return lanes;
}

static ALWAYS_INLINE bool
group_is(uint32_t lanes, unsigned g)
{
   return (lanes >> g & 255) == 255;
}

/* Returns true if the addresses of the groups' first lanes increase by `step` from group to group.
 */
static ALWAYS_INLINE bool
groups_in_steps(const uint32_t *at, uint32_t step)
{
   return at[8] - at[0] == step && at[16] - at[0] == 2 * step && at[24] - at[0] == 3 * step;
}

/* Computes the other members of *p from the addresses p->at. */
static ALWAYS_INLINE void
find_pattern(struct sgd_pattern *p)
{
   const uint32_t *at = p->at;

   p->same = 0;
   p->one = false;
   p->next = lanes_in_steps(at, 4);
   p->row = p->next == ~0u && groups_in_steps(at, 4 * GROUP) && at[0] <= UINT32_MAX - 4 * SGD_WARP;
   if (p->row) {
      p->last = at[0] + 4 * (SGD_WARP - 1);
   } else {
      p->same = lanes_in_steps(at, 0);
      p->one = p->same == ~0u && groups_in_steps(at, 0);
      uint32_t last = 0;
      for (unsigned l = 0; l < SGD_WARP; l++)
         last = at[l] > last ? at[l] : last;
      p->last = last;
   }
}

/* Sets the addresses of the lanes that aren't in `lanes`. They increase by `step` bytes per lane,
 * and continue the address of lane `first`.
 */
static ALWAYS_INLINE void
fill_others(struct sgd_pattern *p, uint32_t lanes, unsigned first, uint32_t step)
{
   const uint32_t some = p->at[first];

   SGD_EACH_LANE(l) {
      p->at[l] = sgd_select(lanes & sgd_lane_bit[l], p->at[l], some + step * (l - first));
   }
}

static bool
is_inside(const struct words *m, unsigned words)
{
   return (uint64_t)m->p->last + 4 * words <= m->size;
}

/* Implements set_addresses() for the general case. Lanes outside m->lanes get addresses that
 * continue the row of the first active lanes if these addresses are in bounds, so that the fast
 * paths can be used.
 */
static __attribute__((noinline)) void
set_own_addresses(struct words *m, const uint32_t *base, uint32_t offset, unsigned words)
{
   const uint32_t lanes = m->lanes, others = lanes & (lanes - 1);
   const unsigned first = (unsigned)__builtin_ctz(lanes);
   struct sgd_pattern *p = &m->own;
   bool steps = false;

   m->p = p;
   SGD_EACH_LANE(l) {
      p->at[l] = ((base ? base[l] : 0) + offset) & ~3u;
   }
   if (lanes != ~0u) {
      steps = others && p->at[__builtin_ctz(others)] != p->at[first];
      fill_others(p, lanes, first, steps ? 4 : 0);
   }
   find_pattern(p);
   m->inside = is_inside(m, words);
   if (!m->inside && steps) {
      fill_others(p, lanes, first, 0);
      find_pattern(p);
      m->inside = is_inside(m, words);
   }
}

/* Computes the address base[l] + offset of each lane. The lanes in m->lanes access `words` words
 * there.
 */
static ALWAYS_INLINE void
set_addresses(struct words *m, struct sgd_pattern *kept, const uint32_t *base, uint32_t offset,
              unsigned words)
{
   if (m->lanes != ~0u || !base || (offset & 3)) {
      set_own_addresses(m, base, offset, words);
      return;
   }
   /* Reuse the previous pattern if the base addresses are the same. Programs often use the same
    * base addresses with different offsets.
    */
   uint32_t other = 0;
   for (unsigned l = 0; l < SGD_WARP; l++)
      other |= base[l] ^ kept->at[l];
   if (other || !kept->next) {
      SGD_EACH_LANE(l) {
         kept->at[l] = base[l] & ~3u;
      }
      find_pattern(kept);
   }
   if (kept->last > UINT32_MAX - offset) {
      set_own_addresses(m, base, offset, words);
      return;
   }
   m->p = kept;
   if (m->size > offset) {
      m->ptr += offset;
      m->size -= offset;
   } else {
      m->size = 0;
   }
   m->inside = is_inside(m, words);
}

static uint32_t
load_word(const struct words *m, uint64_t at)
{
   uint32_t value = 0;
   if (at + 4 <= m->size)
      memcpy(&value, m->ptr + at, 4);
   return value;
}

static ALWAYS_INLINE void
spread(uint32_t value, unsigned count, uint32_t *d)
{
   for (unsigned k = 0; k < count; k++)
      d[k] = value;
}

/* Loads several words per lane, which must all be in bounds. `safe` is set if it is possible to
 * load four words per lane.
 */
static ALWAYS_INLINE void
load_vectors(const struct words *m, unsigned mask, bool safe, uint32_t *const to[4])
{
   uint32_t unused[SGD_WARP];
   uint32_t *const all[4] = { mask & 1 ? to[0] : unused, mask & 2 ? to[1] : unused,
                              mask & 4 ? to[2] : unused, mask & 8 ? to[3] : unused };

   for (unsigned g = 0; g < SGD_WARP; g += GROUP) {
      const uint32_t *at = m->p->at + g;
      if (group_is(m->p->same, g)) {
         for (unsigned c = 0; c < 4; c++) {
            uint32_t value;
            if (!(mask & (1 << c)))
               continue;
            memcpy(&value, m->ptr + at[0] + 4 * c, 4);
            spread(value, GROUP, to[c] + g);
         }
      } else if (mask == 3) {
         sgd_gather_pairs_at(m->ptr, m->p->at, g, to);
         sgd_gather_pairs_at(m->ptr, m->p->at, g + 4, to);
      } else if (safe) {
         sgd_gather_quads_at(m->ptr, m->p->at, g, all);
         sgd_gather_quads_at(m->ptr, m->p->at, g + 4, all);
      } else {
         for (unsigned c = 0; c < 4; c++) {
            for (unsigned k = 0; mask & (1 << c) && k < GROUP; k++)
               memcpy(&to[c][g + k], m->ptr + at[k] + 4 * c, 4);
         }
      }
   }
}

/* Loads one word per lane. All words must be in bounds. */
static ALWAYS_INLINE void
load_words(const struct words *m, const uint8_t *ptr, uint32_t *d)
{
   for (unsigned g = 0; g < SGD_WARP; g += GROUP) {
      const uint32_t *at = m->p->at + g;
      if (group_is(m->p->next, g)) {
         memcpy(d + g, ptr + at[0], 4 * GROUP);
      } else if (group_is(m->p->same, g)) {
         uint32_t value;
         memcpy(&value, ptr + at[0], 4);
         spread(value, GROUP, d + g);
      } else {
         for (unsigned k = 0; k < GROUP; k++)
            memcpy(&d[g + k], ptr + at[k], 4);
      }
   }
}

/* Loads the components in the mask. The words of component c are stored to all lanes of to[c]. */
static ALWAYS_INLINE void
load(const struct words *m, unsigned mask, uint32_t *const to[4])
{
   if (m->p->row && m->inside) {
      for (unsigned c = 0; c < 4; c++) {
         if (mask & (1 << c))
            memcpy(to[c], m->ptr + m->p->at[0] + 4 * c, sizeof(uint32_t[SGD_WARP]));
      }
   } else if (m->p->one) {
      for (unsigned c = 0; c < 4; c++) {
         if (mask & (1 << c))
            spread(load_word(m, (uint64_t)m->p->at[0] + 4 * c), SGD_WARP, to[c]);
      }
   } else if (!m->inside) {
      for (unsigned c = 0; c < 4; c++) {
         for (unsigned l = 0; (mask & (1 << c)) && l < SGD_WARP; l++)
            to[c][l] = load_word(m, (uint64_t)m->p->at[l] + 4 * c);
      }
   } else if (mask & (mask - 1)) {
      load_vectors(m, mask, (uint64_t)m->p->last + 16 <= m->size, to);
   } else {
      const unsigned c = (unsigned)__builtin_ctz(mask);
      load_words(m, m->ptr + 4 * c, to[c]);
   }
}

/* Stores one word per lane. All words must be in bounds. */
static ALWAYS_INLINE void
store_words(const struct words *m, uint8_t *ptr, const uint32_t *from)
{
   if (m->lanes == ~0u && m->p->row) {
      memcpy(ptr + m->p->at[0], from, sizeof(uint32_t[SGD_WARP]));
      return;
   }
   for (unsigned g = 0; g < SGD_WARP; g += GROUP) {
      const uint32_t *at = m->p->at + g;
      if (group_is(m->lanes & m->p->next, g)) {
         memcpy(ptr + at[0], from + g, 4 * GROUP);
         continue;
      }
      for (unsigned k = 0; k < GROUP; k++) {
         if (m->lanes >> (g + k) & 1)
            memcpy(ptr + at[k], &from[g + k], 4);
      }
   }
}

/* Stores the first `count` words of each lane, one lane after the other. All words must be in
 * bounds.
 */
static ALWAYS_INLINE void
store_vectors(const struct words *m, const unsigned count, const uint32_t *const from[4])
{
   for (unsigned l = 0; l < SGD_WARP; l += 4) {
      sgd_row t[4];
      for (unsigned k = 0; k < 4; k++)
         memcpy(&t[k], &from[k < count ? k : 0][l], 16);
      sgd_transpose4(t, t);
      for (unsigned k = 0; k < 4; k++) {
         if (m->lanes >> (l + k) & 1)
            memcpy(m->ptr + m->p->at[l + k], &t[k], 4 * (size_t)count);
      }
   }
}

static ALWAYS_INLINE void
store(const struct words *m, unsigned mask, const uint32_t *const from[4])
{
   if (m->inside && !(mask & (mask - 1))) {
      const unsigned c = (unsigned)__builtin_ctz(mask);
      store_words(m, m->ptr + 4 * c, from[c]);
   } else if (m->inside && mask == 15) {
      store_vectors(m, 4, from);
   } else if (m->inside && mask == 7) {
      store_vectors(m, 3, from);
   } else if (m->inside && mask == 3) {
      store_vectors(m, 2, from);
   } else {
      for (uint32_t left = m->lanes; left; left &= left - 1) {
         const unsigned l = (unsigned)__builtin_ctz(left);
         for (unsigned c = 0; c < 4; c++) {
            const uint64_t at = (uint64_t)m->p->at[l] + 4 * c;
            if ((mask & (1 << c)) && at + 4 <= m->size)
               memcpy(m->ptr + at, &from[c][l], 4);
         }
      }
   }
}

/* Executes the atomic operations of all lanes that are in bounds. Other lanes get 0 in old[l]. */
static void
atomic(const struct words *m, const struct sgd_atomic_op *a, uint32_t old[SGD_WARP])
{
   uint32_t *word[SGD_WARP];
   uint32_t lanes = m->lanes;

   memset(old, 0, sizeof(uint32_t[SGD_WARP]));
   for (unsigned l = 0; !m->inside && l < SGD_WARP; l++) {
      if ((uint64_t)m->p->at[l] + 4 > m->size)
         lanes &= ~(1u << l);
   }
   /* Packets can bind buffers only at multiples of 4, but check the pointer anyway. */
   if (!lanes || ((uintptr_t)m->ptr & 3))
      return;
   for (unsigned l = 0; l < SGD_WARP; l++)
      word[l] = (uint32_t *)(m->ptr + m->p->at[l]);
   sgd_atomic_lanes(a, word, lanes, old);
}

/* Executes an atomic operation on 64-bit values for the lanes in m->lanes. */
static void
atomic_wide(struct sgd_warp *w, const struct sgd_ins *i, struct words *m, const uint32_t *base,
            uint32_t *const to[4])
{
   const struct sgpu_instr *instr = sgd_instr(w, i);
   struct sgd_wide_atomic_op a = {
      .op = instr->aop,
      .alone = m->shared || w->worker->alone,
   };
   uint64_t *value[SGD_WARP], old[SGD_WARP] = { 0 };
   uint32_t lanes = 0;

   for (unsigned n = 0; n < 2; n++) {
      a.data[n] = sgd_lanes(w->file, i->comp[n].b);
      if (a.op == SGPU_ATOMIC_CAS)
         a.second[n] = sgd_lanes(w->file, i->comp[2 + n].b);
   }
   /* The value must be aligned for atomic operations of the host. */
   for (uint32_t left = (uintptr_t)m->ptr & 7 ? 0 : m->lanes; left; left &= left - 1) {
      const unsigned l = (unsigned)__builtin_ctz(left);
      const uint32_t at = ((base ? base[l] : 0) + instr->offset) & ~7u;
      if ((uint64_t)at + 8 > m->size)
         continue;
      value[l] = (uint64_t *)(m->ptr + at);
      lanes |= sgd_lane_bit[l];
   }
   sgd_atomic_wide_lanes(&a, value, lanes, old);
   for (unsigned c = 0; c < 4; c++) {
      for (unsigned l = 0; (i->mask & (1 << c)) && l < SGD_WARP; l++)
         to[c][l] = (uint32_t)(old[l] >> 32 * (c & 1));
   }
}

/* Executes an operation on one buffer for the lanes in m->lanes. Results are stored to all lanes of
 * to[c].
 */
static void
perform(struct sgd_warp *w, const struct sgd_ins *i, struct words *m, uint32_t *const to[4])
{
   const struct sgpu_instr *instr = sgd_instr(w, i);
   const uint8_t *file = w->file;
   const uint32_t *base = instr->src[0].file == SGPU_FILE_NONE ? NULL
                                                               : sgd_lanes(file, i->comp[0].a);
   const bool atomics = sgpu_opcode_info(instr->opcode)->flags & SGPU_OPF_ATOMIC;

   if (atomics && sgpu_atomic_words(instr->opcode) == 2) {
      atomic_wide(w, i, m, base, to);
      return;
   }
   const unsigned words = atomics ? 1 : 32 - (unsigned)__builtin_clz(i->mask);
   const unsigned reg = i->comp[0].a / sizeof(uint32_t[SGD_WARP]);
   set_addresses(m, &w->worker->core->pattern[reg % SGD_PATTERNS], base, instr->offset, words);
   if (atomics) {
      struct sgd_atomic_op a = {
         .op = instr->aop,
         .alone = m->shared || w->worker->alone,
         .returned = i->mask,
         .data = sgd_lanes(file, i->comp[0].b),
         .second = instr->aop == SGPU_ATOMIC_CAS ? sgd_lanes(file, i->comp[1].b) : NULL,
      };
      uint32_t old[SGD_WARP];
      atomic(m, &a, old);
      for (unsigned c = 0; c < 4; c++) {
         if (i->mask & (1 << c))
            memcpy(to[c], old, sizeof(old));
      }
   } else if (instr->opcode == SGPU_OP_STB || instr->opcode == SGPU_OP_STS) {
      const uint32_t *from[4];
      for (unsigned c = 0; c < 4; c++)
         from[c] = sgd_lanes(file, i->mask & (1 << c) ? i->comp[c].b : 0);
      store(m, i->mask, from);
   } else {
      load(m, i->mask, to);
   }
}

static struct sgd_span
buffer(const struct sgd_warp *w, int64_t unit)
{
   if (!w->env->buffers || unit < 0 || unit >= SGD_MAX_BUFFERS)
      return (struct sgd_span){ NULL, 0 };
   return w->env->buffers[unit];
}

/* Executes an operation on a storage buffer or on shared memory for the lanes in `lanes`. */
static void
access_span(struct sgd_warp *w, const struct sgd_ins *i, struct sgd_span span, bool shared,
            uint32_t lanes, uint32_t *const to[4])
{
   /* Limit the size, so that addresses that wrap around are out of bounds. */
   const uint32_t size = span.size > UINT32_MAX ? UINT32_MAX : (uint32_t)span.size;

   if (sgd_instr(w, i)->opcode != SGPU_OP_SZB) {
      struct words m;
      m.ptr = span.ptr;
      m.size = size;
      m.lanes = lanes;
      m.shared = shared;
      if (SGD_OBSERVED_LEVEL)
         sgd_shader_observe_storage(w, i, span.ptr, size, shared, lanes);
      perform(w, i, &m, to);
      return;
   }
   for (unsigned c = 0; c < 4; c++) {
      if (!(i->mask & (1 << c)))
         continue;
      uint32_t *d = to[c];
      SGD_EACH_LANE(l) {
         d[l] = size;
      }
   }
}

/* Executes an operation on a buffer whose binding is relative to an address register. Lanes with
 * the same binding are processed together, and the results are collected in core->result.
 */
static void
run_relative(struct sgd_warp *w, const struct sgd_ins *i, uint32_t lanes)
{
   const struct sgpu_instr *instr = sgd_instr(w, i);
   const int32_t *rel = sgd_addr(w, instr->urelcomp);
   struct sgd_vec *result = &w->worker->core->result, part;
   uint32_t *const to[4] = { part.c[0], part.c[1], part.c[2], part.c[3] };

   for (uint32_t left = lanes; left;) {
      const int64_t unit = (int64_t)instr->unit + rel[__builtin_ctz(left)];
      const uint32_t same = sgd_same_lanes(rel, left);

      left &= ~same;
      access_span(w, i, buffer(w, unit), false, same, to);
      for (unsigned c = 0; c < 4; c++) {
         if (!(i->num_comps && (i->mask & (1 << c))))
            continue;
         uint32_t *d = result->c[c];
         SGD_EACH_LANE(l) {
            d[l] = sgd_select(same & sgd_lane_bit[l], to[c][l], d[l]);
         }
      }
   }
}

void
sgd_run_storage(struct sgd_warp *w, const struct sgd_ins *i, uint32_t mask)
{
   const struct sgpu_instr *instr = sgd_instr(w, i);
   const struct sgpu_opcode_info *info = sgpu_opcode_info(instr->opcode);
   const uint32_t lanes = info->flags & SGPU_OPF_EFFECT ? mask & w->live : mask;
   const bool direct = !instr->urel && !(w->keep & ~mask) && !(i->flags & SGD_INS_REL_DST);
   uint8_t *dst = direct ? w->file : sgd_result_base(w, i);
   uint32_t *to[4] = { NULL, NULL, NULL, NULL };

   if (i->flags & SGD_INS_LOAD)
      sgd_load_operands(w, i);
   for (unsigned n = 0; n < i->num_comps; n++) {
      to[i->dcomp[n]] = sgd_lanes(dst, i->comp[n].d);
      /* Lanes that don't access memory get 0 as their result. */
      if (instr->urel || !lanes)
         memset(to[i->dcomp[n]], 0, sizeof(uint32_t[SGD_WARP]));
   }
   if (!lanes)
      ;
   else if (instr->urel)
      run_relative(w, i, lanes);
   else if (info->mod == SGPU_MOD_RES)
      access_span(w, i, buffer(w, instr->unit), false, lanes, to);
   else
      access_span(w, i, (struct sgd_span){ w->shared, w->shared_size }, true, lanes, to);
   if (i->num_comps && !direct)
      sgd_merge(w, i, mask);
}
