/* SPDX-License-Identifier: MIT */
/*
 * Execution unit: data path, output buffer, accesses and barriers.
 */
#include "chip_eu/sgt_eu_core.h"
#include "chip_memory/sgt_mem.h"
#include "chip_sm/sgt_sm_ports.h"

/* Distance between the scratch memories of consecutive warp slots, in bytes. */
#define SCRATCH_STRIDE (1ull << 24)

bool
sgt_eu_send_memory(struct sgt_eu *eu, uint64_t now, uint64_t address, uint32_t tag, uint8_t kind,
                   uint8_t lanes)
{
   struct sgt_eu_core *core = eu->core;
   if (core->mem_used || !sgt_channel_can_send(eu->ports.mem_requests, now))
      return false;
   core->mem_used = true;
   core->active = true;
   const struct sgt_mem_request request = {
      .address = address,
      .tag = tag,
      .client = eu->ports.client,
      .kind = kind,
      .sectors = 3,
      .lanes = lanes,
   };
   sgt_channel_send(eu->ports.mem_requests, now, &request);
   eu->stats.memory_requests++;
   return true;
}

static const struct sgt_access *
work_access(const struct sgt_eu_core *core, const struct access *a)
{
   const struct sgt_warp *warp = &core->work->warps[core->warps[a->warp].index];
   return &core->work->accesses[warp->first_access + a->number];
}

/* Returns the access that another thread of the warp has already started for the same instruction,
 * or NULL.
 */
static struct access *
find_access(struct sgt_eu_core *core, const struct thread *t)
{
   for (uint32_t i = 0; t->parts > 1 && i < ROOM_ACCESSES; i++) {
      struct access *a = &core->accesses[i];
      if (a->used && a->warp == t->warp && a->number == t->access)
         return a;
   }
   return NULL;
}

static bool
is_access(const struct sgt_eu_op *op)
{
   return (op->flags & (SGT_EU_OP_ACCESS | SGT_EU_OP_LOAD)) == SGT_EU_OP_ACCESS;
}

bool
sgt_eu_has_place(const struct sgt_eu *eu, const struct thread *t)
{
   struct sgt_eu_core *core = eu->core;
   const uint32_t flags = t->op->flags | (t->second ? t->second->flags : 0);
   if (!(flags & SGT_EU_OP_OUTPUT))
      return true;
   if (core->output_num == eu->params.output)
      return false;
   if (!is_access(t->op) && !(t->second && is_access(t->second)))
      return true;
   if (t->gathers)
      return false;
   const struct access *a = find_access(core, t);
   return (a ? a->arrived : 0) + 1 < t->parts || core->num_accesses < eu->params.accesses;
}

static struct access *
begin_access(struct sgt_eu *eu, struct thread *t)
{
   struct sgt_eu_core *core = eu->core;
   struct access *a = find_access(core, t);
   if (a)
      return a;
   unsigned word = 0;
   while (!core->free_accesses[word])
      word++;
   const unsigned i = ffsll(core->free_accesses[word]) - 1;
   core->free_accesses[word] &= core->free_accesses[word] - 1;
   a = &core->accesses[word * 64 + i];
   *a = (struct access){ .used = true, .warp = t->warp, .number = t->access };
   const struct sgt_access *access = work_access(core, a);
   if (access->kind == SGT_ACCESS_SHARED)
      a->left = MAX2(access->work, 1);
   return a;
}

/* Completes an access, whose result is available in cycle `at`. */
static void
end_access(struct sgt_eu *eu, struct access *a, uint64_t at)
{
   struct sgt_eu_core *core = eu->core;
   const uint32_t index = a - core->accesses;
   for (uint32_t w = 0; w < a->arrived; w++) {
      struct thread *t = &core->threads[a->waiters[w].thread];
      t->accesses--;
      t->last_result = MAX2(t->last_result, at);
      if (a->waiters[w].reg != SGT_EU_REG_NONE)
         t->ready[a->waiters[w].reg] = at;
      if (core->staged >> a->waiters[w].thread & 1)
         t->dep_at = sgt_eu_depends(eu, t, t->op, t->second);
   }
   a->used = false;
   core->free_accesses[index / 64] |= 1ull << (index % 64);
   core->num_accesses--;
   core->active = true;
}

void
sgt_eu_access_arrives(struct sgt_eu *eu, uint64_t cycle, uint32_t access)
{
   struct access *a = &eu->core->accesses[access];
   assert(a->used && a->responses);
   eu->stats.responses++;
   if (!--a->responses && a->sent)
      end_access(eu, a, cycle);
}

/* Returns the memory address of a line. Scratch addresses are relocated, because each warp slot has
 * separate scratch memory.
 */
static uint64_t
address_of(const struct sgt_eu *eu, const struct access *a, sgt_line line)
{
   const uint64_t address = sgt_line_address(line);
   if (address < SGT_SCRATCH)
      return address;
   return SGT_EU_SCRATCH + ((uint64_t)eu->number * SGT_EU_MAX_THREADS + a->warp) * SCRATCH_STRIDE +
          (address - SGT_SCRATCH);
}

/* Sends the request for the next line of an access. Returns true if there are no more lines. Sets
 * *sent to false if the request could not be sent.
 */
static bool
send_line(struct sgt_eu *eu, uint64_t now, struct access *a, const struct sgt_access *access,
          bool *sent)
{
   static const uint8_t kinds[SGT_ACCESS_KINDS] = {
      [SGT_ACCESS_LOAD] = SGT_MEM_READ,
      [SGT_ACCESS_STORE] = SGT_MEM_WRITE,
      [SGT_ACCESS_ATOMIC] = SGT_MEM_ATOMIC,
   };
   struct sgt_eu_core *core = eu->core;
   const sgt_line *lines = &core->work->lines[access->first_line];
   const uint8_t kind = kinds[access->kind];

   *sent = true;
   if (a->line == access->num_lines)
      return true;
   if (!sgt_eu_send_memory(eu, now, address_of(eu, a, lines[a->line]), a - core->accesses, kind,
                           MIN2(access->work, UINT8_MAX))) {
      *sent = false;
      return false;
   }
   eu->stats.memory_reads += kind == SGT_MEM_READ;
   eu->stats.memory_writes += kind == SGT_MEM_WRITE;
   eu->stats.memory_atomics += kind == SGT_MEM_ATOMIC;
   a->responses += kind != SGT_MEM_WRITE;
   /* Adjacent quads that access the same line share a request. */
   do
      a->line++;
   while (a->line < access->num_lines &&
          sgt_line_address(lines[a->line]) == sgt_line_address(lines[a->line - 1]));
   return a->line == access->num_lines;
}

/* Processes the oldest entry of the output buffer. Returns true if the entry is complete. Sets
 * *sent to false if a channel is full.
 */
static bool
eu_drain(struct sgt_eu *eu, uint64_t now, uint64_t cycle, const struct output *o, bool *sent)
{
   struct sgt_eu_core *core = eu->core;
   *sent = true;
   if (o->access == UINT32_MAX)
      return true;
   struct access *a = &core->accesses[o->access];
   const struct sgt_access *access = work_access(core, a);
   if (access->kind == SGT_ACCESS_TEXTURE && !access->lanes) {
      end_access(eu, a, cycle);
      return true;
   }
   if (access->kind == SGT_ACCESS_TEXTURE) {
      if (!sgt_channel_can_send(eu->ports.tex_requests, now)) {
         *sent = false;
         return false;
      }
      const struct sgt_tex_request request = {
         .access = access - core->work->accesses,
         .tag = o->access,
         .sm = eu->number,
      };
      sgt_channel_send(eu->ports.tex_requests, now, &request);
      eu->stats.samples++;
      a->responses = 1;
      a->sent = true;
      return true;
   }
   if (access->kind == SGT_ACCESS_SHARED) {
      if (--a->left)
         return false;
      eu->stats.shared++;
      end_access(eu, a, cycle + eu->params.attr_latency);
      return true;
   }
   if (!send_line(eu, now, a, access, sent))
      return false;
   a->sent = true;
   if (!a->responses)
      end_access(eu, a, cycle);
   return true;
}

void
sgt_eu_drain_output(struct sgt_eu *eu, uint64_t now, uint64_t cycle)
{
   struct sgt_eu_core *core = eu->core;
   const struct output *o = &core->outputs[core->output_first];
   bool sent = false;
   if (!core->output_num) {
      core->now.output = SGT_EU_OUTPUT_IDLE;
      return;
   }
   if (o->at > cycle) {
      core->now.output = SGT_EU_OUTPUT_WAIT;
      return;
   }
   const bool through = eu_drain(eu, now, cycle, o, &sent);
   core->now.output = sent ? SGT_EU_OUTPUT_SEND : SGT_EU_OUTPUT_BLOCKED;
   core->now.operations += sent;
   if (sent) {
      core->active = true;
      log_event(eu, cycle, SGT_EU_EVENT_OUTPUT, o->thread, 0);
   }
   if (!through)
      return;
   core->threads[o->thread].outputs--;
   core->output_first = ring(core->output_first + 1, eu->params.output);
   core->output_num--;
   eu->stats.outputs++;
}

static void
put_output(struct sgt_eu *eu, uint32_t i, uint64_t at)
{
   struct sgt_eu_core *core = eu->core;
   struct thread *t = &core->threads[i];
   const struct sgt_eu_op *sender = t->second ? t->second : t->op;
   struct output o = { .at = at, .thread = i, .access = UINT32_MAX };
   if (is_access(sender)) {
      struct access *a = begin_access(eu, t);
      a->waiters[a->arrived++] = (struct access_waiter){ i, sender->write };
      t->accesses++;
      if (sender->write != SGT_EU_REG_NONE)
         t->ready[sender->write] = SGT_NEVER;
      t->gathers = a->arrived < t->parts;
      if (!t->gathers) {
         o.access = a - core->accesses;
         for (uint32_t w = 0; w < a->arrived; w++)
            core->threads[a->waiters[w].thread].gathers = false;
         core->num_accesses++;
         eu->stats.max_accesses = MAX2(eu->stats.max_accesses, core->num_accesses);
      }
   }
   t->outputs++;
   core->outputs[ring(core->output_first + core->output_num++, eu->params.output)] = o;
   eu->stats.max_output = MAX2(eu->stats.max_output, core->output_num);
}

static void
eu_count(struct sgt_eu *eu, const struct thread *t)
{
   struct sgt_eu_stats *s = &eu->stats;
   s->instructions += 1 + !!t->second;
   if (t->second) {
      s->fused++;
      s->fused_samples += t->second->pipe == SGT_PIPE_TEXTURE;
      s->fused_moves += t->second->pipe != SGT_PIPE_TEXTURE;
   }
   s->operations_alu += t->op->class == SGT_EU_CLASS_ALU;
   s->operations_sfu += t->op->class == SGT_EU_CLASS_SFU;
   s->operations_control += t->op->class == SGT_EU_CLASS_CONTROL;
   s->jumps += !!(t->op->flags & SGT_EU_OP_JUMP);
   s->barriers += !!(t->op->flags & SGT_EU_OP_BARRIER);
}

void
sgt_eu_meet(struct sgt_eu *eu, uint32_t group)
{
   struct sgt_eu_core *core = eu->core;
   struct group *g = &core->groups[group];
   if (!g->waiting || g->waiting + g->ended != g->total)
      return;
   g->waiting = 0;
   u_foreach_bit64(i, core->barrier)
      if (core->warps[core->threads[i].warp].group == group)
         core->barrier &= ~(1ull << i);
   core->active = true;
}

static void
eu_issue(struct sgt_eu *eu, uint64_t cycle, uint32_t i, uint32_t alu)
{
   struct sgt_eu_core *core = eu->core;
   const struct sgt_eu_params *p = &eu->params;
   struct thread *t = &core->threads[i];
   const struct sgt_eu_op *op = t->op, *second = t->second;
   const uint64_t at = cycle + sgt_eu_latency(eu, op);

   if (op->class != SGT_EU_CLASS_CONTROL) {
      const bool sfu = op->class == SGT_EU_CLASS_SFU;
      core->alu_busy[alu] = cycle + (sfu ? p->sfu_interval : p->alu_interval);
      core->alu_taken &= ~(1ull << alu);
   }
   if (op->write != SGT_EU_REG_NONE && !is_access(op))
      t->ready[op->write] = at;
   if (second && second->write != SGT_EU_REG_NONE && !is_access(second))
      t->ready[second->write] = at;
   t->last_result = MAX2(t->last_result, at);
   if ((op->flags | (second ? second->flags : 0)) & SGT_EU_OP_OUTPUT)
      put_output(eu, i, at);
   eu_count(eu, t);
   core->staged &= ~(1ull << i);
   core->issued |= 1ull << i;
   core->active = true;
   if (t->hold == SGT_NEVER)
      t->hold = cycle + p->jump_latency;
   log_event(eu, cycle, SGT_EU_EVENT_ISSUE, i, t->pc);
   if (op->flags & SGT_EU_OP_BARRIER) {
      const uint32_t group = core->warps[t->warp].group;
      core->barrier |= 1ull << i;
      core->groups[group].waiting++;
      sgt_eu_meet(eu, group);
   }
}

static bool
operands_there(const struct thread *t, uint64_t cycle)
{
   return t->dep_at <= cycle && !t->const_left && !t->attr_left && t->attr_at <= cycle &&
          t->regs_at <= cycle;
}

void
sgt_eu_issue(struct sgt_eu *eu, uint64_t cycle)
{
   struct sgt_eu_core *core = eu->core;
   uint64_t ready = 0, control = 0;
   u_foreach_bit64(i, core->staged) {
      const struct thread *t = &core->threads[i];
      if (!operands_there(t, cycle))
         continue;
      if (t->op->class == SGT_EU_CLASS_CONTROL)
         control |= 1ull << i;
      else
         ready |= 1ull << i;
   }
   for (uint32_t a = 0; a < eu->params.alus; a++) {
      if (core->alu_busy[a] > cycle)
         continue;
      uint64_t mask = ready;
      while (mask) {
         const uint32_t i = oldest(core, mask);
         const struct thread *t = &core->threads[i];
         mask &= ~(1ull << i);
         if ((!eu->params.predecode && t->alu != a) || !sgt_eu_has_place(eu, t))
            continue;
         eu_issue(eu, cycle, i, a);
         ready &= ~(1ull << i);
         break;
      }
   }
   u_foreach_bit64(i, control)
      if (sgt_eu_has_place(eu, &core->threads[i]))
         eu_issue(eu, cycle, i, 0);
}
