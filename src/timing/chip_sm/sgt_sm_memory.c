/* SPDX-License-Identifier: MIT */
/*
 * Streaming multiprocessor: instruction fetch, the instruction and constant caches, and the paths
 * to the texture unit and to memory.
 */
#include "chip_sm/sgt_sm_state.h"

#include "util/bitscan.h"
#include "util/u_math.h"

#define TAG(kind, number) ((uint32_t)(kind) << 24 | (number))

bool
sgt_sm_repeats(const struct sgt_work *work, const struct sgt_access *a, uint32_t first, uint32_t i)
{
   const sgt_line *lines = &work->lines[a->first_line];
   for (uint32_t j = first; j < i; j++)
      if (sgt_line_address(lines[j]) == sgt_line_address(lines[i]))
         return true;
   return false;
}

/* Makes the warp wait for a line, and queues a request for the line unless it is already being
 * fetched.
 */
static enum sgt_sm_lookup
sm_miss(struct sgt_sm *sm, struct sgt_sm_misses *m, uint64_t address, uint32_t slot)
{
   uint32_t free = 0;
   for (uint32_t i = ARRAY_SIZE(m->lines); i-- > 0;) {
      if (!m->lines[i].used) {
         free = i;
      } else if (m->lines[i].address == address) {
         m->lines[i].warps |= 1u << slot;
         return SGT_SM_JOIN;
      }
   }
   m->lines[free] = (struct sgt_sm_miss){ address, 1u << slot, true };
   m->queue[(m->first + m->num++) % ARRAY_SIZE(m->queue)] = free;
   m->open++;
   sm->to_send++;
   return SGT_SM_MISS;
}

void
sgt_sm_fetch(struct sgt_sm *sm)
{
   /* Don't fetch if all entries for missing lines are in use. The line of a warp that has jumped
    * elsewhere keeps its entry until the line arrives.
    */
   if (!sm->want_fetch || sm->icache_misses.open == ARRAY_SIZE(sm->icache_misses.lines))
      return;
   const uint32_t warps = sm->want_fetch & sm->empty ? sm->want_fetch & sm->empty : sm->want_fetch;
   const uint32_t later = warps & ~BITFIELD_MASK(sm->last_fetch + 1);
   const uint32_t slot = ffs(later ? later : warps) - 1;
   struct sgt_sm_slot *w = &sm->slots[slot];
   const uint32_t bytes = sm->params.op_bytes;
   const uint64_t address = w->program->address + (uint64_t)w->fetch_pos * bytes;
   const uint32_t in_line = (64 - address % 64) / bytes;
   w->fetch_num = MIN3(sm->params.fetch_width, in_line, w->program->num_ops - w->fetch_pos);
   sm->last_fetch = slot;
   sm->want_fetch &= ~(1u << slot);
   sm->stats.fetches++;
   sm->stats.fetched += w->fetch_num;
   if (sgt_tags_find(&sm->icache, address / 64) != SGT_TAGS_NONE) {
      sm->stats.icache[SGT_SM_HIT]++;
      w->fetching = true;
      w->fetch_at = sm->cycle + sm->params.fetch_latency;
      sgt_sm_wake(sm, slot, w->fetch_at);
      return;
   }
   w->missed = true;
   sm->stats.icache[sm_miss(sm, &sm->icache_misses, address & ~63ull, slot)]++;
   sgt_sm_wake(sm, slot, sm->cycle + 1); /* needed to change the state of the warp to WAIT_ICACHE */
}

void
sgt_sm_cancel_fetch(struct sgt_sm *sm, uint32_t slot)
{
   struct sgt_sm_slot *w = &sm->slots[slot];
   for (uint32_t i = 0; w->missed && i < ARRAY_SIZE(sm->icache_misses.lines); i++)
      sm->icache_misses.lines[i].warps &= ~(1u << slot);
   w->missed = w->fetching = false;
   sm->want_fetch &= ~(1u << slot);
}

bool
sgt_sm_constants(struct sgt_sm *sm, uint32_t slot, const struct sgt_sm_op *op)
{
   struct sgt_sm_slot *w = &sm->slots[slot];
   if (w->const_there || w->const_miss)
      return w->const_there;
   const struct sgt_access *a = op->unit == SGT_SM_UNIT_CONST ? sgt_sm_access(sm, w) : NULL;
   const uint32_t num = op->num_consts + (a ? a->num_lines : 0);
   for (; w->const_next < num; w->const_next++) {
      uint64_t address;
      if (w->const_next < op->num_consts) {
         address = sgt_sm_const_address(sm->code, w->info, op->consts[w->const_next]);
      } else {
         const uint32_t i = w->const_next - op->num_consts;
         if (sgt_sm_repeats(sm->work, a, 0, i))
            continue;
         address = sgt_line_address(sm->work->lines[a->first_line + i]);
      }
      if (sgt_tags_find(&sm->constants, address / 64) != SGT_TAGS_NONE) {
         sm->stats.constants[SGT_SM_HIT]++;
         continue;
      }
      sm->stats.constants[sm_miss(sm, &sm->const_misses, address, slot)]++;
      w->const_miss = true;
      return false;
   }
   w->const_there = true;
   return true;
}

const struct sgt_access *
sgt_sm_access(struct sgt_sm *sm, const struct sgt_sm_slot *w)
{
   const struct sgt_sm_op *op = w->op;
   if (w->access - w->info->first_access == w->info->num_accesses) {
      sgt_sm_fail(sm, "warp %u has too few accesses", w->warp);
      return NULL;
   }
   const struct sgt_access *a = &sm->work->accesses[w->access];
   const bool right = op->unit == SGT_SM_UNIT_TEXTURE  ? a->kind == SGT_ACCESS_TEXTURE
                      : op->unit == SGT_SM_UNIT_SHARED ? a->kind == SGT_ACCESS_SHARED
                      : op->unit == SGT_SM_UNIT_CONST  ? a->kind == SGT_ACCESS_CONST
                      : op->unit == SGT_SM_UNIT_MEMORY
                         ? a->kind == SGT_ACCESS_LOAD || a->kind == SGT_ACCESS_STORE ||
                              a->kind == SGT_ACCESS_ATOMIC
                         : a->kind < SGT_ACCESS_KINDS;
   if (right)
      return a;
   sgt_sm_fail(sm, "warp %u: access %u is of another kind than its operation", w->warp,
               w->access - w->info->first_access);
   return NULL;
}

void
sgt_sm_send_texture(struct sgt_sm *sm, uint32_t slot, const struct sgt_sm_op *op)
{
   struct sgt_sm_slot *w = &sm->slots[slot];
   const uint32_t place = ffsll(sm->tex_places) - 1;
   if (!sgt_sm_access(sm, w))
      return;
   sm->tex_places &= ~(1ull << place);
   sm->textures[place] = (struct sgt_sm_open){
      .since = sm->cycle, .access = w->access, .dst = op->dst, .dsts = op->dsts, .slot = slot
   };
   w->open_textures++;
   const struct sgt_tex_request request = { .access = w->access, .tag = place, .sm = sm->number };
   sgt_channel_send(sm->ports.tex_requests, sm->time, &request);
   sm->stats.texture_max = MAX2(sm->stats.texture_max,
                                sm->params.textures - sgt_bitcount(sm->tex_places));
}

void
sgt_sm_queue_access(struct sgt_sm *sm, uint32_t slot, const struct sgt_sm_op *op)
{
   struct sgt_sm_slot *w = &sm->slots[slot];
   const uint32_t place = ffsll(sm->mem_places) - 1;
   if (!sgt_sm_access(sm, w))
      return;
   sm->mem_places &= ~(1ull << place);
   sm->accesses[place] = (struct sgt_sm_open){
      .since = sm->cycle, .access = w->access, .dst = op->dst, .dsts = op->dsts, .slot = slot
   };
   w->open_accesses++;
   sm->queue[(sm->queue_first + sm->queue_num++) % ARRAY_SIZE(sm->queue)] = place;
   sm->to_send++;
   sm->stats.memory_max = MAX2(sm->stats.memory_max,
                               sm->params.accesses - sgt_bitcount(sm->mem_places));
}

/* Completes an access, whose results can be read after `latency` cycles. */
static void
end_access(struct sgt_sm *sm, const struct sgt_sm_open *o, uint32_t latency,
           enum sgt_sm_wait producer)
{
   struct sgt_sm_slot *w = &sm->slots[o->slot];
   sgt_sm_set_regs(w, o->dst, o->dsts, sm->cycle + latency, producer);
   if (sm->cycle + latency > w->last_write) {
      w->last_write = sm->cycle + latency;
      w->last_producer = producer;
   }
   sm->dirty |= 1u << o->slot;
   sgt_sm_wake(sm, o->slot, sm->cycle + 1);
}

static void
end_memory(struct sgt_sm *sm, uint32_t place)
{
   const struct sgt_sm_open *o = &sm->accesses[place];
   sm->slots[o->slot].open_accesses--;
   sm->mem_places |= 1ull << place;
   sm->stats.memory_wait += sm->cycle - o->since;
   const bool store = sm->work->accesses[o->access].kind == SGT_ACCESS_STORE;
   end_access(sm, o, store ? 0 : sm->params.mem_return, SGT_SM_WAIT_MEMORY);
}

/* Inserts a line that has arrived into the cache. Returns a bitmask of the slots that wait for this
 * line.
 */
static uint32_t
sm_fill(struct sgt_sm_misses *m, struct sgt_tags *cache, uint32_t number)
{
   struct sgt_sm_miss *line = &m->lines[number];
   sgt_tags_insert(cache, line->address / 64, NULL);
   line->used = false;
   m->open--;
   return line->warps;
}

void
sgt_sm_take_responses(struct sgt_sm *sm)
{
   const struct sgt_tex_response *t;
   while ((t = sgt_channel_peek(sm->ports.tex_responses, sm->time))) {
      const struct sgt_sm_open *o = &sm->textures[t->tag];
      sm->slots[o->slot].open_textures--;
      sm->tex_places |= 1ull << t->tag;
      sm->stats.texture_wait += sm->cycle - o->since;
      end_access(sm, o, sm->params.tex_return, SGT_SM_WAIT_TEXTURE);
      sgt_channel_take(sm->ports.tex_responses, sm->time);
   }
   const struct sgt_mem_response *r;
   while ((r = sgt_channel_peek(sm->ports.mem_responses, sm->time))) {
      const uint32_t number = r->tag & 0xffffff;
      switch ((enum sgt_sm_tag)(r->tag >> 24)) {
      case SGT_SM_TAG_ICACHE:
         sgt_foreach_bit(i, sm_fill(&sm->icache_misses, &sm->icache, number)) {
            struct sgt_sm_slot *w = &sm->slots[i];
            w->missed = false;
            w->fetching = true;
            w->fetch_at = sm->cycle + sm->params.fetch_latency;
            sm->dirty |= 1u << i;
            sgt_sm_wake(sm, i, w->fetch_at);
         }
         break;
      case SGT_SM_TAG_CONST:
         sgt_foreach_bit(i, sm_fill(&sm->const_misses, &sm->constants, number)) {
            sm->slots[i].const_miss = false;
            sm->slots[i].const_next++;
            sm->dirty |= 1u << i;
         }
         break;
      case SGT_SM_TAG_DATA: {
         struct sgt_sm_open *o = &sm->accesses[number];
         o->requests--;
         if (o->sent && !o->requests)
            end_memory(sm, number);
         break;
      }
      }
      sgt_channel_take(sm->ports.mem_responses, sm->time);
   }
}

/* Generates the memory requests of the first access in the ring buffer sm->queue. */
static void
make_requests(struct sgt_sm *sm)
{
   const uint32_t place = sm->queue[sm->queue_first];
   const struct sgt_access *a = &sm->work->accesses[sm->accesses[place].access];
   const sgt_line *lines = &sm->work->lines[a->first_line];
   const uint32_t rule = sm->params.coalesce;
   const uint8_t kind = a->kind == SGT_ACCESS_LOAD    ? SGT_MEM_READ
                        : a->kind == SGT_ACCESS_STORE ? SGT_MEM_WRITE
                                                      : SGT_MEM_ATOMIC;
   sm->num_requests = sm->next_request = 0;
   /* log2 of the number of quads whose lanes can share requests (1, 4 or 8 quads) */
   const uint32_t shift = rule == SGT_SM_COALESCE_WARP ? 3 : rule == SGT_SM_COALESCE_HALF ? 2 : 0;
   for (uint32_t part = 0; part < 8u >> shift; part++) {
      const uint32_t first = sm->num_requests;
      for (uint32_t i = 0; i < a->num_lines; i++) {
         if (sgt_line_quad(lines[i]) >> shift != part)
            continue;
         const uint64_t address = sgt_sm_line_address(sm->code, sm->number,
                                                      sm->accesses[place].slot, lines[i]);
         uint32_t r = first;
         while (r < sm->num_requests && sm->requests[r].address != address)
            r++;
         if (r == sm->num_requests)
            sm->requests[sm->num_requests++] = (struct sgt_mem_request){
               .address = address,
               .tag = TAG(SGT_SM_TAG_DATA, place),
               .client = sm->ports.client,
               .kind = kind,
               .sectors = 3,
            };
         sm->requests[r].lanes++; /* number of quads for now; converted to lanes below */
      }
   }
   for (uint32_t r = 0; r < sm->num_requests; r++)
      sm->requests[r].lanes = kind == SGT_MEM_ATOMIC
                                 ? MAX2(DIV_ROUND_UP(sm->requests[r].lanes * a->lanes,
                                                     a->num_lines),
                                        1)
                                 : 0;
}

/* Requests the oldest line in the miss queue m->queue from memory. */
static void
send_miss(struct sgt_sm *sm, struct sgt_sm_misses *m, enum sgt_sm_tag kind)
{
   const uint32_t number = m->queue[m->first];
   const struct sgt_mem_request request = {
      .address = m->lines[number].address,
      .tag = TAG(kind, number),
      .client = sm->ports.client,
      .kind = SGT_MEM_READ,
      .sectors = 3,
   };
   sgt_channel_send(sm->ports.mem_requests, sm->time, &request);
   m->first = (m->first + 1) % ARRAY_SIZE(m->queue);
   m->num--;
   sm->to_send--;
}

/* Sends the next memory request of the first access in the ring buffer sm->queue. */
static void
send_access(struct sgt_sm *sm)
{
   const uint32_t place = sm->queue[sm->queue_first];
   struct sgt_sm_open *o = &sm->accesses[place];
   const struct sgt_access *a = &sm->work->accesses[o->access];
   if (sm->next_request < sm->num_requests) {
      sgt_channel_send(sm->ports.mem_requests, sm->time, &sm->requests[sm->next_request++]);
      sm->stats.requests[a->kind]++;
      o->requests += a->kind != SGT_ACCESS_STORE;
   }
   if (sm->next_request < sm->num_requests)
      return;
   sm->num_requests = sm->next_request = 0;
   sm->queue_first = (sm->queue_first + 1) % ARRAY_SIZE(sm->queue);
   sm->queue_num--;
   sm->to_send--;
   o->sent = true;
   if (!o->requests)
      end_memory(sm, place);
}

bool
sgt_sm_send_memory(struct sgt_sm *sm)
{
   if (!sgt_channel_can_send(sm->ports.mem_requests, sm->time))
      return false;
   if (sm->icache_misses.num) {
      send_miss(sm, &sm->icache_misses, SGT_SM_TAG_ICACHE);
      sm->stats.icache_requests++;
   } else if (sm->const_misses.num) {
      send_miss(sm, &sm->const_misses, SGT_SM_TAG_CONST);
      sm->stats.const_requests++;
   } else {
      if (!sm->num_requests)
         make_requests(sm);
      send_access(sm);
   }
   return sm->to_send && sgt_channel_can_send(sm->ports.mem_requests, sm->time);
}
