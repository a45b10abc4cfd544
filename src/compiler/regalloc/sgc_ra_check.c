/* SPDX-License-Identifier: MIT */
/*
 * Independent validation of register allocation, without using liveness, interference or colours.
 * It compares the operands before and after allocation, and does a forward dataflow analysis of the
 * contents of hardware components, with two sets of virtual components:
 *
 *    written   components that have been written on some path
 *    lost      components that have been written, but whose hardware component has since been
 *              overwritten by another component on some path
 *
 * Reading a lost component is an error, and so is reading a component from somewhere other than
 * where it was written.
 */

#include "ir/sgc_ir.h"

#define NOWHERE 0xffff

/* Virtual and hardware components are numbered 4 * register + component. */
struct check {
   struct sgc_program *p;
   unsigned n;      /* number of virtual components */
   uint16_t *place; /* hardware component of each virtual component, or NOWHERE */
   /* for each hardware component, the virtual components that were assigned to it */
   struct util_dynarray tenants[4 * SGPU_TEMP_SIZE];
   /* sets of written and of lost virtual components at the current instruction */
   BITSET_WORD *written, *lost;
   const char *error; /* first error, or NULL */
};

struct sgc_instr *
sgc_record_operands(struct sgc_program *p, void *mem_ctx, unsigned *count)
{
   unsigned n = 0;
   sgc_foreach_block(p, block) {
      sgc_foreach_instr(block, instr)
         instr->ip = n++;
   }
   struct sgc_instr *record = sgc_zalloc_array(p, mem_ctx, struct sgc_instr, n);
   sgc_foreach_block(p, block) {
      sgc_foreach_instr(block, instr)
         record[instr->ip] = *instr;
   }
   *count = n;
   return record;
}

static void
fail_check(struct check *c, const char *error)
{
   if (!c->error)
      c->error = error;
}

/* Records the hardware component that a virtual component was assigned to. */
static void
learn_place(struct check *c, unsigned v, unsigned machine)
{
   if (machine >= 4 * SGPU_TEMP_SIZE) {
      fail_check(c, "allocation: a register beyond the file");
      return;
   }
   if (c->place[v] == NOWHERE) {
      c->place[v] = machine;
      sgc_append(c->p, &c->tenants[machine], unsigned, v);
   } else if (c->place[v] != machine) {
      fail_check(c, "allocation: a component is in two places");
   }
}

/* Records where a result was placed. The components of a result keep their order, so the n-th bit
 * of the old write mask corresponds to the n-th bit of the new one.
 */
static void
learn_result(struct check *c, const struct sgc_instr *before, const struct sgc_instr *after)
{
   unsigned mask = after->dst.mask;

   if (util_bitcount(mask) != util_bitcount(before->dst.mask)) {
      fail_check(c, "allocation: a write mask has changed its size");
      return;
   }
   u_foreach_bit(i, before->dst.mask) {
      const unsigned to = u_bit_scan(&mask);
      learn_place(c, 4 * before->dst.index + i, 4 * after->dst.index + to);
   }
}

/* Checks that source s reads the right hardware components. If allocation moved the result to other
 * components, it also moved the positions of the source.
 */
static void
read_source(struct check *c, const struct sgc_instr *before, const struct sgc_instr *after,
            unsigned s)
{
   const struct sgc_src *old = &before->src[s], *new = &after->src[s];
   const unsigned positions = sgc_src_positions(before, s);
   unsigned moved = sgc_is_componentwise(before) ? after->dst.mask
                    : sgc_is_pairwise(before)    ? sgc_src_positions(after, s)
                                                 : positions;

   u_foreach_bit(pos, positions) {
      const unsigned v = 4 * old->index + sgpu_swizzle_get(old->swizzle, pos);
      const unsigned to = u_bit_scan(&moved);
      const unsigned machine = 4 * new->index + sgpu_swizzle_get(new->swizzle, to);
      if (c->place[v] != machine)
         fail_check(c, "allocation: an operand reads another component's place");
      if (BITSET_TEST(c->lost, v))
         fail_check(c, "allocation: an operand has been overwritten");
   }
}

/* Records that an instruction writes virtual component v, or an array element if v is -1, to a
 * hardware component.
 */
static void
write_place(struct check *c, unsigned machine, int v)
{
   util_dynarray_foreach(&c->tenants[machine], unsigned, other) {
      if ((int)*other != v && BITSET_TEST(c->written, *other))
         BITSET_SET(c->lost, *other);
   }
   if (v >= 0) {
      BITSET_SET(c->written, v);
      BITSET_CLEAR(c->lost, v);
   }
}

/* Updates the sets for one instruction. If `final` is set, the sets have converged, so the sources
 * of the instruction are checked, too.
 */
static void
step(struct check *c, const struct sgc_instr *before, const struct sgc_instr *after, bool final)
{
   if (final) {
      for (unsigned s = 0; s < 3; s++) {
         if (before->src[s].file == SGPU_FILE_TEMP && sgc_src_positions(before, s))
            read_source(c, before, after, s);
      }
   }
   if (before->dst.file == SGPU_FILE_TEMP) {
      unsigned mask = after->dst.mask;
      u_foreach_bit(i, before->dst.mask) {
         const unsigned to = u_bit_scan(&mask);
         write_place(c, 4 * after->dst.index + to, 4 * before->dst.index + i);
      }
   } else if (before->dst.file == SGC_FILE_ARRAY) {
      /* An indirect write can hit any element of the array. */
      const struct sgc_array *array = &c->p->arrays[before->dst.array];
      const unsigned first = before->dst.rel ? 0 : before->dst.index;
      const unsigned last = before->dst.rel ? array->size : first + 1;
      for (unsigned e = first; e < last; e++) {
         for (unsigned i = 0; i < 4; i++)
            write_place(c, 4 * (array->base + e) + i, -1);
      }
   }
}

/* Checks that no virtual register was assigned to the registers of an array. */
static void
check_arrays(struct check *c)
{
   for (unsigned i = 0; i < c->p->num_arrays; i++) {
      const struct sgc_array *array = &c->p->arrays[i];
      for (unsigned m = 4 * array->base; m < 4 * (array->base + array->size); m++) {
         if (util_dynarray_num_elements(&c->tenants[m], unsigned))
            fail_check(c, "allocation: a register inside an array");
      }
   }
}

const char *
sgc_check_allocation(struct sgc_program *p, const struct sgc_instr *before, unsigned count,
                     unsigned num_regs)
{
   struct check *c = sgc_zalloc(p, p, struct check);
   const unsigned words = BITSET_WORDS(4 * MAX2(num_regs, 1));

   c->p = p;
   c->n = 4 * MAX2(num_regs, 1);
   c->place = sgc_zalloc_array(p, c, uint16_t, c->n);
   memset(c->place, 0xff, c->n * sizeof(*c->place));
   for (unsigned i = 0; i < ARRAY_SIZE(c->tenants); i++)
      util_dynarray_init(&c->tenants[i], c);
   c->written = sgc_zalloc_array(p, c, BITSET_WORD, words);
   c->lost = sgc_zalloc_array(p, c, BITSET_WORD, words);
   BITSET_WORD *out_written = sgc_zalloc_array(p, c, BITSET_WORD, words * p->num_blocks);
   BITSET_WORD *out_lost = sgc_zalloc_array(p, c, BITSET_WORD, words * p->num_blocks);

   unsigned n = 0;
   sgc_foreach_block(p, block) {
      sgc_foreach_instr(block, instr) {
         if (n < count && before[n].dst.file == SGPU_FILE_TEMP)
            learn_result(c, &before[n], instr);
         n++;
      }
   }
   if (n != count)
      fail_check(c, "allocation: the number of instructions has changed");
   check_arrays(c);

   bool progress = !c->error, final = false;
   while (progress) {
      progress = false;
      n = 0;
      sgc_foreach_block(p, block) {
         memset(c->written, 0, words * sizeof(*c->written));
         memset(c->lost, 0, words * sizeof(*c->lost));
         sgc_foreach_pred(block, pred) {
            for (unsigned w = 0; w < words; w++) {
               c->written[w] |= out_written[(*pred)->index * words + w];
               c->lost[w] |= out_lost[(*pred)->index * words + w];
            }
         }
         sgc_foreach_instr(block, instr)
            step(c, &before[n++], instr, final);
         BITSET_WORD *w = &out_written[block->index * words];
         BITSET_WORD *l = &out_lost[block->index * words];
         if (memcmp(w, c->written, words * sizeof(*w)) || memcmp(l, c->lost, words * sizeof(*l))) {
            memcpy(w, c->written, words * sizeof(*w));
            memcpy(l, c->lost, words * sizeof(*l));
            progress = true;
         }
      }
      if (final)
         break;
      if (!progress)
         progress = final = true;
   }

   const char *error = c->error;
   ralloc_free(c);
   return error;
}
