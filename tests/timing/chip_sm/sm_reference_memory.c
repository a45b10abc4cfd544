/* SPDX-License-Identifier: MIT */
/*
 * Streaming multiprocessor, reference implementation: caches, and paths to texture unit and memory.
 */
#include "sm_reference_state.h"

#include <stdlib.h>
#include <string.h>

#include "util/macros.h"
#include "util/u_math.h"

/* -- caches ------------------------------------------------------------------------------- */

static struct ref_cached *
set_of(struct ref_cached *cache, uint32_t bytes, uint32_t ways, uint64_t address)
{
   return &cache[address / 64 % (bytes / 64 / ways) * ways];
}

bool
sm_reference_cached(struct sm_reference *r, bool code, uint64_t address)
{
   const uint32_t ways = code ? r->p.icache_ways : r->p.const_ways;
   struct ref_cached *set = set_of(code ? r->icache : r->constants,
                                   code ? r->p.icache_bytes : r->p.const_bytes, ways, address);
   for (uint32_t i = 0; i < ways; i++) {
      if (set[i].there && set[i].address == address) {
         set[i].used = ++r->uses;
         return true;
      }
   }
   return false;
}

static void
put_line(struct sm_reference *r, bool code, uint64_t address)
{
   const uint32_t ways = code ? r->p.icache_ways : r->p.const_ways;
   struct ref_cached *set = set_of(code ? r->icache : r->constants,
                                   code ? r->p.icache_bytes : r->p.const_bytes, ways, address);
   struct ref_cached *oldest = set;
   for (uint32_t i = 0; i < ways; i++)
      if (set[i].used < oldest->used)
         oldest = &set[i];
   *oldest = (struct ref_cached){ address, ++r->uses, true };
}

enum sgt_sm_lookup
sm_reference_miss(struct sm_reference *r, struct ref_line *lines, uint64_t address, uint32_t slot)
{
   for (uint32_t i = 0; i < 64; i++) {
      if (lines[i].used && lines[i].address == address) {
         lines[i].waits[slot] = true;
         return SGT_SM_JOIN;
      }
   }
   struct ref_line *line = lines;
   while (line->used)
      line++;
   memset(line, 0, sizeof(*line));
   line->used = true;
   line->address = address;
   line->order = r->orders++;
   line->waits[slot] = true;
   return SGT_SM_MISS;
}

/* -- fetch and memory --------------------------------------------------------------------- */

void
sm_reference_fetch(struct sm_reference *r)
{
   uint32_t best = SGT_SM_MAX_WARPS, open = 0;
   for (uint32_t i = 0; i < 64; i++)
      open += r->ilines[i].used;
   if (open == 64)
      return;
   for (uint32_t n = 0; n < 32; n++) {
      const uint32_t i = (r->last_fetch + 1 + n) % 32;
      const struct ref_warp *w = &r->warps[i];
      if (w->used && w->wants && (best == SGT_SM_MAX_WARPS || (w->empty && !r->warps[best].empty)))
         best = i;
   }
   if (best == SGT_SM_MAX_WARPS)
      return;
   struct ref_warp *w = &r->warps[best];
   r->last_fetch = best;
   const uint64_t address = w->program->address + (uint64_t)w->place * r->p.op_bytes;
   w->coming = 0;
   for (uint32_t i = w->place; i < w->program->num_ops && w->coming < r->p.fetch_width; i++) {
      if (w->coming && (address + w->coming * r->p.op_bytes) % 64 == 0)
         break;
      w->coming++;
   }
   r->stats.fetches++;
   r->stats.fetched += w->coming;
   if (sm_reference_cached(r, true, address / 64 * 64)) {
      r->stats.icache[SGT_SM_HIT]++;
      w->fetch = FETCHING;
      w->arrival = r->cycle + r->p.fetch_latency;
   } else {
      w->fetch = MISSED;
      r->stats.icache[sm_reference_miss(r, r->ilines, address / 64 * 64, best)]++;
   }
}

/* Makes the requests of an access: each line once per quad, per 16 lanes or per warp. Returns their
 * number.
 */
static uint32_t
list_requests(const struct sm_reference *r, uint32_t number, struct sgt_mem_request *list)
{
   static const uint32_t quads[] = {
      [SGT_SM_COALESCE_NONE] = 1, [SGT_SM_COALESCE_HALF] = 4, [SGT_SM_COALESCE_WARP] = 8
   };
   const struct sgt_access *a = r->accesses[number].access;
   const uint32_t together = quads[r->p.coalesce];
   uint32_t num = 0;
   for (uint32_t quad = 0; quad < 8; quad += together) {
      const uint32_t first = num;
      for (uint32_t i = 0; i < a->num_lines; i++) {
         const sgt_line line = r->work->lines[a->first_line + i];
         const uint64_t address = sgt_sm_line_address(r->code, r->number, r->accesses[number].warp,
                                                      line);
         uint32_t j = first;
         if (sgt_line_quad(line) < quad || sgt_line_quad(line) >= quad + together)
            continue;
         while (j < num && list[j].address != address)
            j++;
         if (j == num)
            list[num++] = (struct sgt_mem_request){ .address = address };
         list[j].lanes++;
      }
   }
   for (uint32_t i = 0; i < num; i++) {
      list[i].tag = 2 << 24 | number;
      list[i].client = r->ports.client;
      list[i].sectors = 3;
      if (a->kind == SGT_ACCESS_ATOMIC) {
         list[i].kind = SGT_MEM_ATOMIC;
         /* The lanes of the access are distributed over its lines by their quads, rounded up. */
         uint32_t lanes = 1;
         while (lanes * a->num_lines < (uint32_t)list[i].lanes * a->lanes)
            lanes++;
         list[i].lanes = lanes;
      } else {
         list[i].kind = a->kind == SGT_ACCESS_STORE ? SGT_MEM_WRITE : SGT_MEM_READ;
         list[i].lanes = 0;
      }
   }
   return num;
}

static void
end_access(struct sm_reference *r, struct ref_access *a, uint32_t latency,
           enum sgt_sm_wait producer)
{
   struct ref_warp *w = &r->warps[a->warp];
   const struct ref_value value = { r->cycle + latency, producer };
   for (uint32_t i = 0; i < a->op->dsts; i++)
      w->values[a->op->dst + i] = value;
   if (value.from > w->latest.from)
      w->latest = value;
   a->used = false;
}

static void
end_memory(struct sm_reference *r, struct ref_access *a)
{
   const bool store = a->access->kind == SGT_ACCESS_STORE;
   r->warps[a->warp].accesses--;
   r->stats.memory_wait += r->cycle - a->since;
   end_access(r, a, store ? 0 : r->p.mem_return, SGT_SM_WAIT_MEMORY);
}

static struct ref_line *
oldest_line(struct ref_line *lines)
{
   struct ref_line *oldest = NULL;
   for (uint32_t i = 0; i < 64; i++)
      if (lines[i].used && !lines[i].sent && (!oldest || lines[i].order < oldest->order))
         oldest = &lines[i];
   return oldest;
}

void
sm_reference_send(struct sm_reference *r)
{
   struct ref_line *lines[] = { r->ilines, r->clines };
   if (!sgt_channel_can_send(r->ports.mem_requests, r->now))
      return;
   for (uint32_t i = 0; i < 2; i++) {
      struct ref_line *line = oldest_line(lines[i]);
      if (!line)
         continue;
      const struct sgt_mem_request request = {
         .address = line->address,
         .tag = i << 24 | (line - lines[i]),
         .client = r->ports.client,
         .kind = SGT_MEM_READ,
         .sectors = 3,
      };
      sgt_channel_send(r->ports.mem_requests, r->now, &request);
      line->sent = true;
      if (i == 0)
         r->stats.icache_requests++;
      else
         r->stats.const_requests++;
      return;
   }
   struct ref_access *oldest = NULL;
   for (uint32_t i = 0; i < r->p.accesses; i++) {
      struct ref_access *a = &r->accesses[i];
      if (a->used && !a->sent && (!oldest || a->order < oldest->order))
         oldest = a;
   }
   if (!oldest)
      return;
   struct sgt_mem_request *list = calloc(oldest->access->num_lines + 1, sizeof(*list));
   if (!list)
      abort();
   const uint32_t num = list_requests(r, oldest - r->accesses, list);
   if (oldest->requests < num) {
      sgt_channel_send(r->ports.mem_requests, r->now, &list[oldest->requests++]);
      r->stats.requests[oldest->access->kind]++;
   }
   free(list);
   oldest->sent = oldest->requests == num;
   if (oldest->sent && (oldest->access->kind == SGT_ACCESS_STORE || oldest->answers == num))
      end_memory(r, oldest);
}

void
sm_reference_respond(struct sm_reference *r)
{
   const struct sgt_tex_response *t;
   while ((t = sgt_channel_peek(r->ports.tex_responses, r->now))) {
      struct ref_access *a = &r->textures[t->tag];
      r->warps[a->warp].textures--;
      r->stats.texture_wait += r->cycle - a->since;
      end_access(r, a, r->p.tex_return, SGT_SM_WAIT_TEXTURE);
      sgt_channel_take(r->ports.tex_responses, r->now);
   }
   const struct sgt_mem_response *m;
   while ((m = sgt_channel_peek(r->ports.mem_responses, r->now))) {
      const uint32_t number = m->tag & 0xffffff, kind = m->tag >> 24;
      if (kind == 2) {
         struct ref_access *a = &r->accesses[number];
         a->answers++;
         if (a->sent && a->answers == a->requests)
            end_memory(r, a);
      } else {
         struct ref_line *line = kind ? &r->clines[number] : &r->ilines[number];
         put_line(r, !kind, line->address);
         line->used = false;
         for (uint32_t i = 0; i < r->p.warps; i++) {
            struct ref_warp *w = &r->warps[i];
            if (!line->waits[i])
               continue;
            if (kind) {
               w->const_miss = false;
               w->constants++;
            } else {
               w->fetch = FETCHING;
               w->arrival = r->cycle + r->p.fetch_latency;
            }
         }
      }
      sgt_channel_take(r->ports.mem_responses, r->now);
   }
}
