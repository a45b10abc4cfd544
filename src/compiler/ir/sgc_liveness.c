/* SPDX-License-Identifier: MIT */
/*
 * Liveness of register components, by backward data flow analysis for a single lane. An instruction
 * with a guard doesn't kill the old contents of its destination.
 *
 * The analysis handles one register at a time. It starts at the blocks that read the register and
 * walks backwards to the blocks that write it. Hence time and memory are proportional to the size
 * of the result, which lists the live registers at both ends of each block.
 */

#include "ir/sgc_ir.h"

/* Uses of a register in a block. */
struct use {
   unsigned block; /* index of the block */
   /* 1 + index into `uses` of the same register's use in another block, or 0 if there is none */
   unsigned next;
   uint8_t read;    /* bitmask of the components that are read before the block writes them */
   uint8_t written; /* bitmask of the components that the block writes unconditionally */
};

/* State of the current register in a block, as bitmasks of components. in: live at the start of the
 * block; out: live at its end; written: written by the block. All three are 0 until the analysis of
 * the register reaches the block.
 */
struct flow {
   uint8_t in, out, written;
   bool touched; /* set if the block is in liveness::touched */
};

struct liveness {
   struct sgc_program *p;
   struct sgc_block **blocks; /* blocks by index */
   struct util_dynarray uses; /* array of struct use */
   unsigned *last;            /* for each register, 1 + index into `uses` of its last use, or 0 */
   struct flow *flow;         /* state of the current register in each block */
   /* touched: indices of the blocks with a nonzero state; queue: indices of the blocks whose
    * predecessors must be updated
    */
   struct util_dynarray touched, queue;
};

static struct use *
use_of(struct liveness *l, unsigned reg, unsigned block)
{
   if (l->last[reg]) {
      struct use *use = util_dynarray_element(&l->uses, struct use, l->last[reg] - 1);
      if (use->block == block)
         return use;
   }
   const struct use use = { .block = block, .next = l->last[reg] };
   sgc_append(l->p, &l->uses, struct use, use);
   l->last[reg] = util_dynarray_num_elements(&l->uses, struct use);
   return util_dynarray_top_ptr(&l->uses, struct use);
}

static void
find_uses(struct liveness *l)
{
   sgc_foreach_block(l->p, block) {
      sgc_foreach_instr(block, instr) {
         sgc_foreach_src(instr, s) {
            if (instr->src[s].file != SGPU_FILE_TEMP)
               continue;
            struct use *use = use_of(l, instr->src[s].index, block->index);
            use->read |= sgc_src_read_mask(instr, s) & ~use->written;
         }
         if (instr->dst.file == SGPU_FILE_TEMP && !instr->guard.en)
            use_of(l, instr->dst.index, block->index)->written |= instr->dst.mask;
      }
   }
}

static struct flow *
touch(struct liveness *l, unsigned block)
{
   struct flow *flow = &l->flow[block];
   if (!flow->touched)
      sgc_append(l->p, &l->touched, unsigned, block);
   flow->touched = true;
   return flow;
}

static void
follow(struct liveness *l, unsigned reg)
{
   for (unsigned u = l->last[reg]; u;) {
      const struct use *use = util_dynarray_element(&l->uses, struct use, u - 1);
      struct flow *flow = touch(l, use->block);
      flow->written = use->written;
      flow->in = use->read;
      if (use->read)
         sgc_append(l->p, &l->queue, unsigned, use->block);
      u = use->next;
   }
   while (util_dynarray_num_elements(&l->queue, unsigned)) {
      const unsigned b = util_dynarray_pop(&l->queue, unsigned);
      sgc_foreach_pred(l->blocks[b], pred) {
         struct flow *flow = touch(l, (*pred)->index);
         const uint8_t in = flow->in;
         flow->out |= l->flow[b].in;
         flow->in |= flow->out & ~flow->written;
         if (flow->in != in)
            sgc_append(l->p, &l->queue, unsigned, (*pred)->index);
         l->p->work++;
      }
   }
   util_dynarray_foreach(&l->touched, unsigned, b) {
      struct flow *flow = &l->flow[*b];
      struct sgc_block *block = l->blocks[*b];
      const struct sgc_live_reg in = { reg, flow->in }, out = { reg, flow->out };
      if (flow->in)
         sgc_append(l->p, &block->live_in, struct sgc_live_reg, in);
      if (flow->out)
         sgc_append(l->p, &block->live_out, struct sgc_live_reg, out);
      memset(flow, 0, sizeof(*flow));
   }
   util_dynarray_clear(&l->touched);
}

void
sgc_compute_liveness(struct sgc_program *p)
{
   struct liveness *l = sgc_zalloc(p, p, struct liveness);

   l->p = p;
   l->blocks = sgc_zalloc_array(p, l, struct sgc_block *, p->num_blocks);
   l->last = sgc_zalloc_array(p, l, unsigned, p->num_regs);
   l->flow = sgc_zalloc_array(p, l, struct flow, p->num_blocks);
   util_dynarray_init(&l->uses, l);
   util_dynarray_init(&l->touched, l);
   util_dynarray_init(&l->queue, l);
   sgc_foreach_block(p, block) {
      l->blocks[block->index] = block;
      util_dynarray_clear(&block->live_in);
      util_dynarray_clear(&block->live_out);
   }
   find_uses(l);
   for (unsigned reg = 0; reg < p->num_regs; reg++)
      follow(l, reg);
   ralloc_free(l);
}

/*
 * Set of registers that are live at some point
 */

struct sgc_live *
sgc_live_create(struct sgc_program *p, void *mem_ctx)
{
   struct sgc_live *live = sgc_zalloc(p, mem_ctx, struct sgc_live);

   live->regs = sgc_zalloc_array(p, live, unsigned, p->num_regs);
   live->place = sgc_zalloc_array(p, live, unsigned, p->num_regs);
   live->mask = sgc_zalloc_array(p, live, uint8_t, p->num_regs);
   return live;
}

void
sgc_live_set(struct sgc_live *live, unsigned reg, unsigned mask)
{
   if (mask && !live->mask[reg]) {
      live->place[reg] = live->num;
      live->regs[live->num++] = reg;
   } else if (!mask && live->mask[reg]) {
      const unsigned last = live->regs[--live->num];
      live->regs[live->place[reg]] = last;
      live->place[last] = live->place[reg];
   }
   live->num_components += util_bitcount(mask) - util_bitcount(live->mask[reg]);
   live->mask[reg] = mask;
}

void
sgc_live_start(struct sgc_live *live, const struct util_dynarray *regs)
{
   while (live->num)
      sgc_live_set(live, live->regs[live->num - 1], 0);
   util_dynarray_foreach(regs, struct sgc_live_reg, r)
      sgc_live_set(live, r->reg, r->mask);
}

void
sgc_live_step(struct sgc_live *live, const struct sgc_instr *instr)
{
   if (instr->dst.file == SGPU_FILE_TEMP && !instr->guard.en)
      sgc_live_set(live, instr->dst.index, live->mask[instr->dst.index] & ~instr->dst.mask);
   sgc_foreach_src(instr, s) {
      if (instr->src[s].file != SGPU_FILE_TEMP)
         continue;
      const unsigned reg = instr->src[s].index;
      sgc_live_set(live, reg, live->mask[reg] | sgc_src_read_mask(instr, s));
   }
}
