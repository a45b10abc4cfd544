/* SPDX-License-Identifier: MIT */
/*
 * Shader core: storage buffers, and the memory that a workgroup shares.
 *
 * Words are checked as in sgd_memory.c.  Lanes store in the order of their numbers, each
 * all of its words.  Eight lanes that want consecutive words, or the same one, are served
 * at once: rows of a workgroup are often that long.
 */
#include "sgd_atomic.h"
#include "sgd_exec.h"
#include "sgd_gather.h"

#define GROUP 8

/* The words of an instruction: addresses of the lanes and their memory. */
struct words {
   uint8_t *ptr;
   uint64_t size;
   _Alignas(64) uint32_t at[SGD_WARP]; /* of other lanes: those of some lane in `lanes` */
   uint32_t lanes;
   uint32_t last; /* the greatest address */
   bool inside;   /* all of them, to the last word of the mask */
   bool shared;
};

/* How the addresses of lanes follow each other. */
enum steps {
   STEPS_ANY,
   STEPS_NONE, /* all are the same */
   STEPS_WORD, /* one word each */
};

static ALWAYS_INLINE enum steps
steps_of(const uint32_t *at, unsigned count)
{
   const uint32_t first = at[0];
   uint32_t other = 0, apart = 0;
   for (unsigned k = 0; k < count; k++) {
      other |= at[k] ^ first;
      apart |= (at[k] - first) ^ (4 * k);
   }
   return !apart ? STEPS_WORD : !other ? STEPS_NONE : STEPS_ANY;
}

/* Addresses of `lanes`; `words`: how many from there on are wanted. */
static void
set_addresses(struct words *m, const uint32_t *base, uint32_t offset, unsigned words)
{
   const uint32_t lanes = m->lanes;
   uint32_t last = 0;

   if (base) {
      const uint32_t some = base[__builtin_ctz(lanes)];
      SGD_EACH_LANE(l) {
         const uint32_t from = sgd_select(lanes & sgd_lane_bit[l], base[l], some);
         m->at[l] = (from + offset) & ~3u;
      }
      for (unsigned l = 0; l < SGD_WARP; l++)
         last = m->at[l] > last ? m->at[l] : last;
   } else {
      last = offset & ~3u;
      SGD_EACH_LANE(l) {
         m->at[l] = last;
      }
   }
   m->last = last;
   m->inside = (uint64_t)last + 4 * words <= m->size;
}

static uint32_t
load_word(const struct words *m, uint64_t at)
{
   uint32_t value = 0;
   if (at + 4 <= m->size)
      memcpy(&value, m->ptr + at, 4);
   return value;
}

/* One word of each lane, all inside. */
static void
load_words(const struct words *m, unsigned plus, uint32_t *d)
{
   const uint8_t *ptr = m->ptr + plus;
   if (steps_of(m->at, SGD_WARP) == STEPS_WORD) {
      memcpy(d, ptr + m->at[0], 4 * SGD_WARP);
      return;
   }
   for (unsigned g = 0; g < SGD_WARP; g += GROUP) {
      const uint32_t *at = m->at + g;
      switch (steps_of(at, GROUP)) {
      case STEPS_WORD:
         memcpy(d + g, ptr + at[0], 4 * GROUP);
         break;
      case STEPS_NONE: {
         uint32_t value;
         memcpy(&value, ptr + at[0], 4);
         for (unsigned k = 0; k < GROUP; k++)
            d[g + k] = value;
         break;
      }
      default:
         for (unsigned k = 0; k < GROUP; k++)
            memcpy(&d[g + k], ptr + at[k], 4);
         break;
      }
   }
}

/* All lanes of to[c], for the components of the mask. */
static void
load(const struct words *m, unsigned mask, uint32_t *const to[4])
{
   if (steps_of(m->at, SGD_WARP) == STEPS_NONE) {
      for (unsigned c = 0; c < 4; c++) {
         if (!(mask & (1 << c)))
            continue;
         const uint32_t value = load_word(m, (uint64_t)m->at[0] + 4 * c);
         uint32_t *d = to[c];
         SGD_EACH_LANE(l) {
            d[l] = value;
         }
      }
   } else if (!m->inside) {
      for (unsigned c = 0; c < 4; c++) {
         for (unsigned l = 0; (mask & (1 << c)) && l < SGD_WARP; l++)
            to[c][l] = load_word(m, (uint64_t)m->at[l] + 4 * c);
      }
   } else if (mask == 3) {
      sgd_gather_pairs(m->ptr, m->at, to);
   } else if ((mask & (mask - 1)) && (uint64_t)m->last + 16 <= m->size) {
      uint32_t unused[SGD_WARP];
      uint32_t *const all[4] = { mask & 1 ? to[0] : unused, mask & 2 ? to[1] : unused,
                                 mask & 4 ? to[2] : unused, mask & 8 ? to[3] : unused };
      sgd_gather_quads(m->ptr, m->at, all);
   } else {
      for (unsigned c = 0; c < 4; c++) {
         if (mask & (1 << c))
            load_words(m, 4 * c, to[c]);
      }
   }
}

static void
store_words(const struct words *m, unsigned plus, const uint32_t *from)
{
   uint8_t *ptr = m->ptr + plus;
   if (m->lanes == ~0u && steps_of(m->at, SGD_WARP) == STEPS_WORD) {
      memcpy(ptr + m->at[0], from, 4 * SGD_WARP);
      return;
   }
   for (unsigned g = 0; g < SGD_WARP; g += GROUP) {
      const uint32_t *at = m->at + g;
      if ((m->lanes >> g & 255) == 255 && steps_of(at, GROUP) == STEPS_WORD) {
         memcpy(ptr + at[0], from + g, 4 * GROUP);
         continue;
      }
      for (unsigned k = 0; k < GROUP; k++) {
         if (m->lanes >> (g + k) & 1)
            memcpy(ptr + at[k], &from[g + k], 4);
      }
   }
}

/* Four words of each lane, lane by lane. */
static void
store_quads(const struct words *m, const uint32_t *const from[4])
{
   for (unsigned l = 0; l < SGD_WARP; l += 4) {
      sgd_quad_words t[4];
      for (unsigned k = 0; k < 4; k++)
         memcpy(&t[k], &from[k][l], 16);
      sgd_transpose(t);
      for (unsigned k = 0; k < 4; k++) {
         if (m->lanes >> (l + k) & 1)
            memcpy(m->ptr + m->at[l + k], &t[k], 16);
      }
   }
}

static void
store(const struct words *m, unsigned mask, const uint32_t *const from[4])
{
   if (m->inside && mask == 15) {
      store_quads(m, from);
      return;
   }
   if (m->inside && !(mask & (mask - 1))) {
      const unsigned c = (unsigned)__builtin_ctz(mask);
      store_words(m, 4 * c, from[c]);
      return;
   }
   for (uint32_t left = m->lanes; left; left &= left - 1) {
      const unsigned l = (unsigned)__builtin_ctz(left);
      for (unsigned c = 0; c < 4; c++) {
         const uint64_t at = (uint64_t)m->at[l] + 4 * c;
         if ((mask & (1 << c)) && at + 4 <= m->size)
            memcpy(m->ptr + at, &from[c][l], 4);
      }
   }
}

/* old[l] of all lanes: 0 where nothing is done. */
static void
atomic(const struct words *m, const struct sgd_atomic_op *a, uint32_t old[SGD_WARP])
{
   uint32_t *word[SGD_WARP];
   uint32_t lanes = m->lanes;

   memset(old, 0, sizeof(uint32_t[SGD_WARP]));
   for (unsigned l = 0; !m->inside && l < SGD_WARP; l++) {
      if ((uint64_t)m->at[l] + 4 > m->size)
         lanes &= ~(1u << l);
   }
   /* The device's packets have only buffers at multiples of 4. */
   if (!lanes || ((uintptr_t)m->ptr & 3))
      return;
   for (unsigned l = 0; l < SGD_WARP; l++)
      word[l] = (uint32_t *)(m->ptr + m->at[l]);
   sgd_atomic_lanes(a, word, lanes, old);
}

/* An operation on one binding for the lanes of m->lanes.  Results go to all lanes of
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
   const unsigned words = atomics ? 1 : 32 - (unsigned)__builtin_clz(i->mask);

   set_addresses(m, base, instr->offset, words);
   if (atomics) {
      struct sgd_atomic_op a = {
         .op = instr->aop,
         .alone = m->shared,
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

/* An operation on one memory for the lanes of `lanes`. */
static void
run(struct sgd_warp *w, const struct sgd_ins *i, struct sgd_span span, bool shared, uint32_t lanes,
    uint32_t *const to[4])
{
   /* Addresses that wrap are never inside. */
   const uint32_t size = span.size > UINT32_MAX ? UINT32_MAX : (uint32_t)span.size;

   if (sgd_instr(w, i)->opcode != SGPU_OP_SZB) {
      struct words m;
      m.ptr = span.ptr;
      m.size = size;
      m.lanes = lanes;
      m.shared = shared;
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

/* Bindings that differ by lane: the results of one after the other go to core->result. */
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
      run(w, i, buffer(w, unit), false, same, to);
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
      /* Of lanes that do nothing, the result is 0. */
      if (instr->urel || !lanes)
         memset(to[i->dcomp[n]], 0, sizeof(uint32_t[SGD_WARP]));
   }
   if (!lanes)
      ;
   else if (instr->urel)
      run_relative(w, i, lanes);
   else if (info->mod == SGPU_MOD_RES)
      run(w, i, buffer(w, instr->unit), false, lanes, to);
   else
      run(w, i, (struct sgd_span){ w->shared, w->shared_size }, true, lanes, to);
   if (i->num_comps && !direct)
      sgd_merge(w, i, mask);
}
