/* SPDX-License-Identifier: MIT */
/*
 * Spilling: replaces a register with 16 bytes of per-lane scratch memory. Each instruction that
 * writes the register writes a new register instead, followed by a store with the same writemask.
 * Each instruction that reads the register is preceded by a load of the components it reads. The
 * new registers are only live between two adjacent instructions.
 */

#include <stdlib.h>

#include "ir/sgc_builder.h"
#include "util/u_qsort.h"

struct spill {
   struct sgc_program *p;
   const unsigned *regs; /* registers to spill */
   /* count: number of registers to spill; num_regs: number of all registers before spilling */
   unsigned count, num_regs;
   /* for each register, 1 + its index into `regs`, or 0; the array is NULL if `count` is 1 */
   unsigned *number;
   bool *used;          /* set for each register in `regs` that is read or written */
   unsigned first_slot; /* scratch address of the first register, in bytes */
};

/* Returns the index of a register in `regs`, or -1 if it isn't being spilled. */
static int
index_of(const struct spill *s, uint8_t file, unsigned reg)
{
   if (file != SGPU_FILE_TEMP || reg >= s->num_regs)
      return -1;
   if (!s->number)
      return reg == s->regs[0] ? 0 : -1;
   return (int)s->number[reg] - 1;
}

static void
load_operands(struct spill *s, struct sgc_instr *instr)
{
   sgc_foreach_src(instr, i) {
      const int index = index_of(s, instr->src[i].file, instr->src[i].index);
      unsigned read = 0;
      if (index < 0)
         continue;
      const unsigned reg = s->regs[index];
      sgc_foreach_src(instr, other) {
         if (index_of(s, instr->src[other].file, instr->src[other].index) == index)
            read |= sgc_src_read_mask(instr, other);
      }
      if (!read)
         continue;
      struct sgc_builder b = sgc_builder_before(s->p, instr);
      const unsigned loaded = sgc_new_reg(s->p);
      sgc_ldl_to(&b, sgc_dst_reg(loaded, read), sgc_none())->offset = s->first_slot + 16 * index;
      sgc_foreach_src(instr, other) {
         struct sgc_src *src = &instr->src[other];
         if (src->file == SGPU_FILE_TEMP && (unsigned)src->index == reg)
            src->index = loaded;
      }
      s->used[index] = true;
   }
}

static void
store_result(struct spill *s, struct sgc_instr *instr)
{
   const int index = index_of(s, instr->dst.file, instr->dst.index);
   if (index < 0)
      return;
   assert(!instr->guard.en && "results under a guard are not stored");
   struct sgc_builder b = sgc_builder_after(s->p, instr);
   const unsigned result = sgc_new_reg(s->p);
   instr->dst.index = result;
   struct sgc_dst mask = sgc_dst_none();
   mask.mask = instr->dst.mask;
   sgc_stl_to(&b, mask, sgc_none(), sgc_reg(result))->offset = s->first_slot + 16 * index;
   s->used[index] = true;
}

void
sgc_spill(struct sgc_program *p, const unsigned *regs, unsigned count)
{
   struct spill s = {
      .p = p,
      .regs = regs,
      .count = count,
      .num_regs = p->num_regs,
      .used = sgc_zalloc_array(p, p, bool, count),
      .first_slot = p->scratch_size,
   };

   if (count > 1) {
      s.number = sgc_zalloc_array(p, s.used, unsigned, p->num_regs);
      for (unsigned i = 0; i < count; i++)
         s.number[regs[i]] = i + 1;
   }
   sgc_foreach_block(p, block) {
      sgc_foreach_instr_safe(block, instr) {
         load_operands(&s, instr);
         store_result(&s, instr);
         p->work++;
      }
   }
   for (unsigned i = 0; i < count; i++) {
      if (s.used[i])
         p->scratch_size = s.first_slot + 16 * (i + 1);
   }
   ralloc_free(s.used);
}

/*
 * Register pressure reduction
 */

/* Live range of a register. Times are counted in instructions that measure() has visited. */
struct life {
   float cost;      /* number of reads and writes, weighted by loop depth */
   unsigned length; /* length of the live range, in instructions */
   unsigned since;  /* time at which the backward walk through the block found the register live */
   unsigned rank;   /* lower ranks are spilled first */
   /* fixed: the register can't be spilled because of a predicated write; spilled: it will be
    * spilled
    */
   bool fixed, spilled;
};

struct pressure {
   struct sgc_program *p;
   struct life *lives; /* live range of each register */
   /* num_regs: number of registers; peak: maximum number of live components */
   unsigned num_regs, peak;
   uint64_t edges;            /* number of interferences */
   struct util_dynarray heap; /* binary min-heap of the ranks of live registers */
   unsigned *by_rank;         /* registers in order of rank */
};

static void
use(struct pressure *s, unsigned file, unsigned reg, float weight)
{
   if (file == SGPU_FILE_TEMP)
      s->lives[reg].cost += weight;
}

/* Computes the live ranges of all registers, the peak pressure and the number of interferences. */
static void
measure(struct pressure *s, struct sgc_live *live)
{
   unsigned time = 0;

   sgc_foreach_block(s->p, block) {
      float weight = 1.0f;
      for (unsigned d = 0; d < MIN2(block->loop_depth, 5); d++)
         weight *= 10.0f;
      sgc_live_start(live, &block->live_out);
      for (unsigned i = 0; i < live->num; i++)
         s->lives[live->regs[i]].since = time;
      sgc_foreach_instr_rev(block, instr) {
         const unsigned dst = instr->dst.index;
         const bool temp = instr->dst.file == SGPU_FILE_TEMP;
         bool was_live[4] = { false };
         s->peak = MAX2(s->peak, live->num_components);
         s->edges += temp ? live->num : 0;
         if (temp) {
            was_live[3] = live->mask[dst];
            s->lives[dst].fixed |= instr->guard.en;
         }
         sgc_foreach_src(instr, i)
            was_live[i] = instr->src[i].file == SGPU_FILE_TEMP && live->mask[instr->src[i].index];
         use(s, instr->dst.file, dst, weight);
         sgc_foreach_src(instr, i)
            use(s, instr->src[i].file, instr->src[i].index, weight);
         sgc_live_step(live, instr);
         if (temp && was_live[3] && !live->mask[dst])
            s->lives[dst].length += time + 1 - s->lives[dst].since;
         time++;
         sgc_foreach_src(instr, i) {
            const bool now = instr->src[i].file == SGPU_FILE_TEMP &&
                             live->mask[instr->src[i].index];
            if (now && !was_live[i])
               s->lives[instr->src[i].index].since = time;
         }
      }
      for (unsigned i = 0; i < live->num; i++)
         s->lives[live->regs[i]].length += time - s->lives[live->regs[i]].since;
   }
}

/* Sorts registers by the length of their live range divided by their cost, in descending order. */
static int
compare_lives(const void *a, const void *b, void *data)
{
   const struct life *lives = data;
   const unsigned x = *(const unsigned *)a, y = *(const unsigned *)b;
   const float p = (float)lives[x].length * lives[y].cost;
   const float q = (float)lives[y].length * lives[x].cost;
   if (p != q)
      return p > q ? -1 : 1;
   return x < y ? -1 : x > y;
}

static void
push_rank(struct pressure *s, unsigned reg)
{
   const unsigned rank = s->lives[reg].rank;
   if (s->lives[reg].fixed || s->lives[reg].spilled)
      return;
   sgc_append(s->p, &s->heap, unsigned, rank);
   unsigned *n = s->heap.data;
   unsigned at = util_dynarray_num_elements(&s->heap, unsigned) - 1;
   while (at && rank < n[(at - 1) / 2]) {
      n[at] = n[(at - 1) / 2];
      at = (at - 1) / 2;
   }
   n[at] = rank;
}

static unsigned
pop_rank(struct pressure *s)
{
   unsigned *n = s->heap.data;
   const unsigned top = n[0], last = util_dynarray_pop(&s->heap, unsigned);
   const unsigned num = util_dynarray_num_elements(&s->heap, unsigned);
   unsigned at = 0;
   for (unsigned child; (child = 2 * at + 1) < num; at = child) {
      if (child + 1 < num && n[child + 1] < n[child])
         child++;
      if (n[child] >= last)
         break;
      n[at] = n[child];
   }
   if (num)
      n[at] = last;
   return top;
}

/* Marks registers as spilled until at most `most` components are live at the current point. */
static void
lower(struct pressure *s, struct sgc_live *live, unsigned most)
{
   while (live->num_components > most && s->heap.size) {
      const unsigned reg = s->by_rank[pop_rank(s)];
      if (!live->mask[reg])
         continue;
      s->lives[reg].spilled = true;
      sgc_live_set(live, reg, 0);
   }
}

/* Marks registers as spilled such that at most `most` components are live at any point. */
static void
mark_spills(struct pressure *s, struct sgc_live *live, unsigned most)
{
   sgc_foreach_block(s->p, block) {
      sgc_live_start(live, &block->live_out);
      util_dynarray_clear(&s->heap);
      for (unsigned i = live->num; i-- > 0;) {
         push_rank(s, live->regs[i]);
         if (s->lives[live->regs[i]].spilled)
            sgc_live_set(live, live->regs[i], 0);
      }
      lower(s, live, most);
      sgc_foreach_instr_rev(block, instr) {
         sgc_live_step(live, instr);
         sgc_foreach_src(instr, i) {
            if (instr->src[i].file != SGPU_FILE_TEMP)
               continue;
            if (s->lives[instr->src[i].index].spilled)
               sgc_live_set(live, instr->src[i].index, 0);
            else
               push_rank(s, instr->src[i].index);
         }
         lower(s, live, most);
      }
   }
}

void
sgc_limit_live(struct sgc_program *p, unsigned most, unsigned least, uint64_t edges)
{
   struct pressure *s = sgc_zalloc(p, p, struct pressure);

   s->p = p;
   s->num_regs = p->num_regs;
   s->lives = sgc_zalloc_array(p, s, struct life, p->num_regs);
   sgc_compute_liveness(p);
   struct sgc_live *live = sgc_live_create(p, s);
   measure(s, live);
   if (s->edges > edges)
      most = MIN2(most, MAX2(least, most * edges / s->edges));

   if (s->peak > most) {
      most -= most / 16;
      util_dynarray_init(&s->heap, s);
      s->by_rank = sgc_zalloc_array(p, s, unsigned, p->num_regs);
      for (unsigned r = 0; r < p->num_regs; r++)
         s->by_rank[r] = r;
      util_qsort_r(s->by_rank, p->num_regs, sizeof(*s->by_rank), compare_lives, s->lives);
      for (unsigned i = 0; i < p->num_regs; i++)
         s->lives[s->by_rank[i]].rank = i;
      mark_spills(s, live, most);

      unsigned *regs = sgc_zalloc_array(p, s, unsigned, p->num_regs), count = 0;
      for (unsigned r = 0; r < s->num_regs; r++) {
         if (s->lives[r].spilled)
            regs[count++] = r;
      }
      p->first_spill_reg = p->num_regs;
      sgc_spill(p, regs, count);
   }
   ralloc_free(s);
}
