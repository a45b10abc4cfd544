/* SPDX-License-Identifier: MIT */
/*
 * Execution unit: pre-decoders, and the arbiters of the constant cache, the attribute cache and the
 * register files.
 */
#include "chip_eu/sgt_eu_core.h"
#include "chip_memory/sgt_mem.h"

/* Returns the first cycle in which an instruction with this latency can issue without its result
 * overtaking an earlier result, which is ready in cycle `before`.
 */
static uint64_t
eu_after(uint64_t before, uint32_t latency)
{
   return before == SGT_NEVER ? before : before > latency ? before - latency : 0;
}

uint64_t
sgt_eu_depends(const struct sgt_eu *eu, const struct thread *t, const struct sgt_eu_op *op,
               const struct sgt_eu_op *second)
{
   const uint32_t latency = sgt_eu_latency(eu, op);
   uint64_t at = 0;
   for (unsigned i = 0; i < op->num_waits; i++)
      at = MAX2(at, t->ready[op->waits[i]]);
   if (op->write != SGT_EU_REG_NONE)
      at = MAX2(at, eu_after(t->ready[op->write], latency));
   if (second && second->write != SGT_EU_REG_NONE)
      at = MAX2(at, eu_after(t->ready[second->write], latency));
   if (op->flags & SGT_EU_OP_ALL)
      at = t->accesses ? SGT_NEVER : MAX2(at, t->last_result);
   return at;
}

void
sgt_eu_next_run(struct sgt_eu_core *core, uint32_t thread)
{
   struct thread *t = &core->threads[thread];
   t->done = 0;
   while (t->next_run < t->last_run) {
      const struct sgt_run *run = &core->work->runs[t->next_run++];
      if ((run->lanes & t->lanes) && run->count) {
         t->run = *run;
         return;
      }
      t->next_access += t->code->accesses[run->pc + run->count] - t->code->accesses[run->pc];
   }
   core->over |= 1ull << thread;
}

/* Returns the number of requests that an access to constants needs. Adjacent elements in the same
 * line share a request.
 */
static uint32_t
count_lines(const struct sgt_work *work, const struct sgt_access *access)
{
   uint32_t num = 0;
   for (uint32_t i = 0; i < access->num_lines; i++) {
      const sgt_line *line = &work->lines[access->first_line + i];
      num += !i || sgt_line_address(line[0]) != sgt_line_address(line[-1]);
   }
   return num;
}

static uint64_t
access_line(const struct sgt_work *work, const struct sgt_access *access, uint32_t number)
{
   for (uint32_t i = 0;; i++) {
      const sgt_line *line = &work->lines[access->first_line + i];
      if (i && sgt_line_address(line[0]) == sgt_line_address(line[-1]))
         continue;
      if (!number--)
         return sgt_line_address(line[0]);
   }
}

static const struct sgt_access *
staged_access(const struct sgt_eu_core *core, const struct thread *t)
{
   return &core->work->accesses[thread_warp(core, t)->first_access + t->access];
}

/* Returns the number of threads of a warp that contain at least one of `lanes`. Each thread is
 * `width` lanes wide.
 */
static uint32_t
count_parts(uint32_t lanes, uint32_t width)
{
   uint32_t num = 0;
   for (uint32_t i = 0; i < 32; i += width)
      num += (lanes >> i & (~0u >> (32 - width))) != 0;
   return num;
}

static void
take_instruction(struct sgt_eu *eu, uint32_t i)
{
   struct sgt_eu_core *core = eu->core;
   struct thread *t = &core->threads[i];
   t->head++;
   t->arrived >>= 1;
   if (++t->done == t->run.count)
      sgt_eu_next_run(core, i);
}

static void
eu_stage(struct sgt_eu *eu, uint64_t cycle, uint32_t i)
{
   struct sgt_eu_core *core = eu->core;
   struct thread *t = &core->threads[i];
   const uint64_t bit = 1ull << i;
   const struct sgt_eu_op *op = &t->code->ops[t->head];

   assert(t->head == t->run.pc + t->done);
   t->op = op;
   t->second = NULL;
   t->pc = t->head;
   t->access = t->next_access;
   if ((op->flags & SGT_EU_OP_ACCESS) && eu->params.width < 32)
      t->parts = count_parts(t->run.lanes & thread_warp(core, t)->lanes, eu->params.width);
   else
      t->parts = 1;
   t->next_access += !!(op->flags & SGT_EU_OP_ACCESS);
   if (eu->params.fuse && (op->flags & SGT_EU_OP_FUSES) && (t->arrived & 2) &&
       t->done + 1 < t->run.count) {
      t->second = op + 1;
      if (t->second->flags & SGT_EU_OP_ACCESS) {
         t->parts = count_parts(t->run.lanes & thread_warp(core, t)->lanes, eu->params.width);
         t->next_access++;
      }
   }
   const uint32_t last_pc = t->pc + !!t->second;
   take_instruction(eu, i);
   if (t->second)
      take_instruction(eu, i);
   const bool over = core->over & bit;
   t->redirect = !over && t->run.pc + t->done != last_pc + 1;
   if (t->redirect || (!over && (op->flags & SGT_EU_OP_JUMP)))
      t->hold = SGT_NEVER;
   update_room(eu, i);

   t->dep_at = sgt_eu_depends(eu, t, op, t->second);
   t->const_all = op->consts;
   if (op->flags & SGT_EU_OP_LOAD)
      t->const_all = MIN2(count_lines(core->work, staged_access(core, t)), UINT8_MAX);
   t->const_ask = t->const_left = t->const_all;
   t->attr_ask = t->attr_left = op->attrs;
   t->attr_at = 0;
   t->reg_ask = op->regs != 0;
   t->regs_at = t->reg_ask ? SGT_NEVER : 0;
   core->staged |= bit;
   core->const_ask |= t->const_ask ? bit : 0;
   core->attr_ask |= t->attr_ask ? bit : 0;
   core->reg_ask |= t->reg_ask ? bit : 0;
   core->decoded |= bit;
   core->active = true;
   log_event(eu, cycle, SGT_EU_EVENT_DECODE, i, t->pc);
}

static void
eu_redirect(struct sgt_eu *eu, uint32_t i)
{
   struct thread *t = &eu->core->threads[i];
   eu->stats.taken++;
   eu->stats.flushed += t->fetched - t->head;
   sgt_eu_forget_fetches(eu, i);
   t->redirect = false;
   t->head = t->fetched = t->run.pc + t->done;
   t->arrived = 0;
   update_room(eu, i);
   eu->core->active = true;
}

/* Returns an ALU that is neither busy nor reserved, or -1 if there is none. Only used without
 * pre-decoders.
 */
static int
free_alu(const struct sgt_eu *eu, uint64_t cycle)
{
   const struct sgt_eu_core *core = eu->core;
   for (uint32_t a = 0; a < eu->params.alus; a++)
      if (!(core->alu_taken >> a & 1) && core->alu_busy[a] <= cycle)
         return a;
   return -1;
}

void
sgt_eu_decode(struct sgt_eu *eu, uint64_t cycle)
{
   struct sgt_eu_core *core = eu->core;
   uint64_t ready = 0;
   u_foreach_bit64(i, core->live & ~core->staged & ~core->over & ~core->barrier) {
      struct thread *t = &core->threads[i];
      if (t->hold > cycle)
         continue;
      if (t->redirect)
         eu_redirect(eu, i);
      if (t->arrived & 1)
         ready |= 1ull << i;
   }
   if (eu->params.predecode) {
      u_foreach_bit64(i, ready)
         eu_stage(eu, cycle, i);
      return;
   }
   while (ready) {
      const uint32_t i = oldest(core, ready);
      struct thread *t = &core->threads[i];
      const struct sgt_eu_op *op = &t->code->ops[t->head];
      ready &= ~(1ull << i);
      /* Don't reserve an ALU while the thread's access waits for other threads of the warp, which
       * may need the ALU before they can issue the access.
       */
      if (t->gathers || sgt_eu_depends(eu, t, op, NULL) > cycle)
         continue;
      t->alu = UINT32_MAX;
      if (op->class != SGT_EU_CLASS_CONTROL) {
         const int alu = free_alu(eu, cycle);
         if (alu < 0)
            continue;
         t->alu = alu;
         core->alu_taken |= 1ull << alu;
      }
      eu_stage(eu, cycle, i);
   }
}

static struct waiting_operand *
const_entry(const struct sgt_eu *eu, uint32_t i)
{
   struct sgt_eu_core *core = eu->core;
   return &core->const_fifo[ring(core->const_first + i, eu->params.const_fifo)];
}

void
sgt_eu_const_arrives(struct sgt_eu *eu, uint64_t cycle, uint64_t address)
{
   struct sgt_eu_core *core = eu->core;
   sgt_tags_insert(&core->constants.store, address / 64, NULL);
   for (uint32_t i = 0; i < core->const_num; i++) {
      struct waiting_operand *w = const_entry(eu, i);
      if (w->ready == SGT_NEVER && w->address == address) {
         w->ready = cycle;
         core->const_misses--;
      }
   }
}

/* Delivers the oldest constant that is ready. With in-order delivery, only the oldest entry of the
 * FIFO can be delivered.
 */
static void
deliver_constant(struct sgt_eu *eu, uint64_t cycle)
{
   struct sgt_eu_core *core = eu->core;
   const uint32_t num = eu->params.const_in_order ? MIN2(core->const_num, 1) : core->const_num;
   uint32_t i = 0;
   while (i < num && const_entry(eu, i)->ready > cycle)
      i++;
   if (i == num)
      return;
   core->threads[const_entry(eu, i)->thread].const_left--;
   for (; i; i--)
      *const_entry(eu, i) = *const_entry(eu, i - 1);
   core->const_first = ring(core->const_first + 1, eu->params.const_fifo);
   core->const_num--;
   core->active = true;
   eu->stats.const_delivered++;
}

void
sgt_eu_deliver(struct sgt_eu *eu, uint64_t cycle)
{
   struct sgt_eu_core *core = eu->core;
   deliver_constant(eu, cycle);
   core->now.interp = core->interp_busy > cycle ? SGT_EU_PORT_BUSY : SGT_EU_PORT_IDLE;
   const struct waiting_operand *a = &core->attr_fifo[core->attr_first];
   if (core->attr_num && a->ready <= cycle) {
      struct thread *t = &core->threads[a->thread];
      uint64_t at = cycle;
      if (t->code->interpolates) {
         if (core->interp_busy > cycle)
            return;
         core->interp_busy = cycle + eu->params.interp_interval;
         core->now.interp = SGT_EU_PORT_GRANT;
         at = cycle + eu->params.interp_latency;
         eu->stats.interpolations++;
      }
      t->attr_left--;
      t->attr_at = MAX2(t->attr_at, at);
      core->attr_first = ring(core->attr_first + 1, eu->params.attr_fifo);
      core->attr_num--;
      core->active = true;
      eu->stats.attr_delivered++;
   }
}

/* The following functions return true if the thread can request operands of one kind in this cycle.
 * Without pre-decoders, a thread requests only one kind of operand at a time.
 */
static bool
may_ask_const(const struct sgt_eu *eu, const struct thread *t, uint64_t cycle)
{
   return !(t->op->flags & SGT_EU_OP_LOAD) || t->regs_at <= cycle;
}

static bool
may_ask_attr(const struct sgt_eu *eu, const struct thread *t, uint64_t cycle)
{
   if ((t->op->flags & SGT_EU_OP_LATE) && t->regs_at > cycle)
      return false;
   return eu->params.predecode || !t->const_left || (t->op->flags & SGT_EU_OP_LOAD);
}

static bool
may_ask_regs(const struct sgt_eu *eu, const struct thread *t, uint64_t cycle)
{
   if (t->dep_at > cycle)
      return false;
   if (eu->params.predecode)
      return true;
   return (!t->const_left || (t->op->flags & SGT_EU_OP_LOAD)) &&
          ((!t->attr_left && t->attr_at <= cycle) || (t->op->flags & SGT_EU_OP_LATE));
}

static bool
const_pending(const struct sgt_eu *eu, uint64_t address)
{
   const struct sgt_eu_core *core = eu->core;
   for (uint32_t i = 0; i < core->const_num; i++) {
      const struct waiting_operand *w = const_entry(eu, i);
      if (w->ready == SGT_NEVER && w->address == address)
         return true;
   }
   return false;
}

static enum sgt_eu_port_state
request_constant(struct sgt_eu *eu, uint64_t now, uint64_t cycle)
{
   struct sgt_eu_core *core = eu->core;
   uint64_t asks = 0;
   if (!core->const_ask)
      return SGT_EU_PORT_IDLE;
   u_foreach_bit64(i, core->const_ask)
      if (may_ask_const(eu, &core->threads[i], cycle))
         asks |= 1ull << i;
   if (!asks)
      return SGT_EU_PORT_DEPENDS;
   if (core->const_num == eu->params.const_fifo)
      return SGT_EU_PORT_FULL;

   const uint32_t i = oldest(core, asks);
   struct thread *t = &core->threads[i];
   const uint32_t number = t->const_all - t->const_ask;
   const uint64_t address = t->op->flags & SGT_EU_OP_LOAD
                               ? access_line(core->work, staged_access(core, t), number)
                               : sgt_eu_const_address(&core->constants, t->key,
                                                      t->op->const_index[number]);
   struct waiting_operand w = { .address = address, .thread = i, .ready = SGT_NEVER };
   if (sgt_tags_find(&core->constants.store, address / 64) != SGT_TAGS_NONE) {
      w.ready = cycle + eu->params.const_latency;
      eu->stats.const_hits++;
   } else {
      if (!const_pending(eu, address)) {
         if (!sgt_eu_send_memory(eu, now, address, TAG_CONST, SGT_MEM_READ, 0))
            return SGT_EU_PORT_FULL;
         eu->stats.const_line_reads++;
      }
      core->const_misses++;
      eu->stats.const_misses++;
   }
   core->const_fifo[ring(core->const_first + core->const_num++, eu->params.const_fifo)] = w;
   eu->stats.max_const_fifo = MAX2(eu->stats.max_const_fifo, core->const_num);
   eu->stats.const_requests++;
   if (!--t->const_ask)
      core->const_ask &= ~(1ull << i);
   log_event(eu, cycle, SGT_EU_EVENT_CONST, i, t->pc);
   return SGT_EU_PORT_GRANT;
}

static enum sgt_eu_port_state
request_attribute(struct sgt_eu *eu, uint64_t cycle)
{
   struct sgt_eu_core *core = eu->core;
   uint64_t asks = 0;
   if (!core->attr_ask)
      return SGT_EU_PORT_IDLE;
   u_foreach_bit64(i, core->attr_ask)
      if (may_ask_attr(eu, &core->threads[i], cycle))
         asks |= 1ull << i;
   if (!asks)
      return SGT_EU_PORT_DEPENDS;
   if (core->attr_num == eu->params.attr_fifo)
      return SGT_EU_PORT_FULL;
   const uint32_t i = oldest(core, asks);
   struct thread *t = &core->threads[i];
   core->attr_fifo[ring(core->attr_first + core->attr_num++, eu->params.attr_fifo)] =
      (struct waiting_operand){ .thread = i, .ready = cycle + eu->params.attr_latency };
   eu->stats.max_attr_fifo = MAX2(eu->stats.max_attr_fifo, core->attr_num);
   eu->stats.attr_requests++;
   if (!--t->attr_ask)
      core->attr_ask &= ~(1ull << i);
   log_event(eu, cycle, SGT_EU_EVENT_ATTR, i, t->pc);
   return SGT_EU_PORT_GRANT;
}

static enum sgt_eu_port_state
request_registers(struct sgt_eu *eu, uint64_t cycle, uint32_t file, uint64_t group)
{
   struct sgt_eu_core *core = eu->core;
   const uint64_t mask = core->reg_ask & group;
   uint64_t asks = 0;
   if (core->file_busy[file] > cycle)
      return SGT_EU_PORT_BUSY;
   if (!mask)
      return SGT_EU_PORT_IDLE;
   u_foreach_bit64(i, mask)
      if (may_ask_regs(eu, &core->threads[i], cycle))
         asks |= 1ull << i;
   if (!asks)
      return SGT_EU_PORT_DEPENDS;
   const uint32_t i = oldest(core, asks);
   struct thread *t = &core->threads[i];
   core->file_busy[file] = cycle + t->op->reg_cycles;
   t->regs_at = cycle + t->op->reg_cycles - 1 + eu->params.reg_latency;
   t->reg_ask = false;
   core->reg_ask &= ~(1ull << i);
   eu->stats.reg_requests[file]++;
   eu->stats.reg_reads += t->op->regs;
   eu->stats.reg_conflicts += t->op->reg_cycles - 1;
   log_event(eu, cycle, SGT_EU_EVENT_REGS, i, t->pc);
   return SGT_EU_PORT_GRANT;
}

void
sgt_eu_request_operands(struct sgt_eu *eu, uint64_t now, uint64_t cycle)
{
   struct sgt_eu_core *core = eu->core;
   struct cycle *n = &core->now;
   n->constant = request_constant(eu, now, cycle);
   n->attribute = request_attribute(eu, cycle);
   if (eu->params.two_files) {
      n->file[0] = request_registers(eu, cycle, 0, core->even);
      n->file[1] = request_registers(eu, cycle, 1, ~core->even);
   } else {
      n->file[0] = request_registers(eu, cycle, 0, ~0ull);
      n->file[1] = SGT_EU_PORT_IDLE;
   }
   const uint32_t num = (n->constant == SGT_EU_PORT_GRANT) + (n->attribute == SGT_EU_PORT_GRANT) +
                        (n->file[0] == SGT_EU_PORT_GRANT) + (n->file[1] == SGT_EU_PORT_GRANT);
   n->operations += num;
   if (num)
      core->active = true;
}
