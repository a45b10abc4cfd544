/* SPDX-License-Identifier: MIT */
/*
 * The multiprocessor and the units around it.
 */
#include "scene.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "kernel/sgt_stats.h"
#include "unit_rig.h"
#include "util/bitscan.h"
#include "util/macros.h"
#include "util/u_math.h"

void *
more(void *array, uint32_t num, size_t size)
{
   /* The capacity is a power of two. */
   if (num & (num - 1) || (num && num < 16))
      return array;
   array = realloc(array, MAX2(num * 2, 16) * size);
   if (!array)
      abort();
   return array;
}

/* Launches the warps of the work in order as soon as they fit.  The warps of a group are launched
 * together.
 */
struct distributor {
   struct sgt_unit unit;
   const struct sgt_work *work;
   struct sgt_sm_params params;
   struct sgt_channel launch, done;
   uint32_t next, resident, threads, groups;
   bool careless;
   uint32_t *left; /* for the first warp of a group: number of warps that have not ended */
   uint32_t *first;
   struct machine_result *result;
};

/* A request that is answered after a time. */
struct waiting {
   uint64_t due, address;
   uint32_t tag;
   bool used;
};

struct memory {
   struct sgt_unit unit;
   struct sgt_channel requests, responses;
   bool texture;
   uint32_t latency, spread, rate;
   struct waiting *waiting;
   uint32_t num;
   struct machine_result *result;
};

static bool
fits(const struct distributor *d)
{
   const struct sgt_warp *w = &d->work->warps[d->next];
   const bool compute = d->work->programs[w->program]->stage == SGPU_STAGE_COMPUTE;
   const bool first = compute && d->first[d->next] == d->next;
   const uint32_t warps = first ? d->left[d->next] : 1;
   return d->careless ||
          (d->resident + warps <= d->params.warps && d->threads + 32 * warps <= d->params.threads &&
           (!first || d->groups < d->params.groups));
}

static uint64_t
distribute(struct sgt_unit *unit, uint64_t now)
{
   struct distributor *d = container_of(unit, struct distributor, unit);
   struct machine_result *r = d->result;
   const struct sgt_sm_done *done;
   while ((done = sgt_channel_peek(&d->done, now))) {
      const struct sgt_warp *w = &d->work->warps[done->warp];
      d->resident--;
      d->threads -= 32;
      if (d->work->programs[w->program]->stage == SGPU_STAGE_COMPUTE &&
          --d->left[d->first[done->warp]] == 0)
         d->groups--;
      r->done[r->num_done] = done->warp;
      r->done_at[r->num_done++] = now;
      r->end = now + 1;
      sgt_channel_take(&d->done, now);
   }
   if (d->next == d->work->num_warps || !fits(d))
      return SGT_NEVER;
   if (!sgt_channel_can_send(&d->launch, now))
      return SGT_NEVER;
   const struct sgt_sm_launch launch = { d->next };
   sgt_channel_send(&d->launch, now, &launch);
   if (d->work->programs[d->work->warps[d->next].program]->stage == SGPU_STAGE_COMPUTE)
      d->groups += d->first[d->next] == d->next;
   d->resident++;
   d->threads += 32;
   d->next++;
   return now + 1;
}

static uint64_t
answer(struct sgt_unit *unit, uint64_t now)
{
   struct memory *m = container_of(unit, struct memory, unit);
   struct machine_result *r = m->result;
   const void *message;
   for (uint32_t i = 0; !m->rate || i < m->rate; i++) {
      message = sgt_channel_peek(&m->requests, now);
      if (!message)
         break;
      struct waiting w = { .due = now + m->latency, .used = true };
      if (m->texture) {
         const struct sgt_tex_request *t = message;
         w.tag = t->tag;
         w.due += m->spread ? t->access * 2654435761u % m->spread : 0;
         r->tex_requests++;
      } else {
         const struct sgt_mem_request *q = message;
         w.tag = q->tag;
         w.address = q->address;
         w.due += m->spread ? (q->address / 64 * 2654435761u + r->mem_requests[0]) % m->spread : 0;
         w.used = q->kind != SGT_MEM_WRITE;
         r->mem_requests[q->kind]++;
         r->mem_lanes += q->lanes;
      }
      sgt_channel_take(&m->requests, now);
      if (!w.used)
         continue;
      m->waiting = more(m->waiting, m->num, sizeof(*m->waiting));
      m->waiting[m->num++] = w;
   }
   uint64_t next = sgt_channel_peek(&m->requests, now) ? now + 1 : SGT_NEVER;
   uint32_t left = 0;
   for (uint32_t i = 0; i < m->num; i++) {
      struct waiting *w = &m->waiting[i];
      if (w->due <= now && sgt_channel_can_send(&m->responses, now)) {
         const struct sgt_tex_response t = { .tag = w->tag };
         const struct sgt_mem_response q = { .tag = w->tag, .address = w->address };
         sgt_channel_send(&m->responses, now, m->texture ? (const void *)&t : &q);
         continue;
      }
      next = MIN2(next, MAX2(w->due, now + 1));
      m->waiting[left++] = *w;
   }
   m->num = left;
   return next;
}

static void
log_issue(void *data, uint64_t cycle, uint32_t slot, uint32_t warp, uint32_t op, bool prologue,
          enum sgt_sm_state state)
{
   struct machine_result *r = data;
   r->issues = more(r->issues, r->num_issues, sizeof(*r->issues));
   r->issues[r->num_issues++] = (struct issue){ cycle, slot, warp, op, prologue, state, 0 };
}

void
machine_defaults(struct machine_params *m)
{
   *m = (struct machine_params){
      .tex_latency = 100, .mem_latency = 100, .capacity = 4, .limit = 10000000
   };
}

void
machine_run(const struct sgt_work *work, const struct sgt_sm_params *params,
            const struct machine_params *m, struct machine_result *result)
{
   struct unit_rig rig;
   struct sgt_sm_code code;
   char error[256] = "";
   memset(result, 0, sizeof(*result));
   result->done = calloc(work->num_warps + 1, sizeof(*result->done));
   result->done_at = calloc(work->num_warps + 1, sizeof(*result->done_at));
   unit_rig_begin_alone(&rig, 750, m->shuffle);
   unit_rig_require(sgt_sm_code_init(&code, work, params, error, sizeof(error)), error);
   struct sgt_sm *sm = NULL;
   struct sm_reference *reference = NULL;
   struct sgt_unit *unit;
   if (m->reference) {
      reference = sm_reference_create(&rig.sched, rig.clock, &code, 0);
      unit_rig_require(reference, "memory");
      unit = sm_reference_unit(reference);
   } else {
      sm = sgt_sm_create(&rig.sched, rig.clock, &code, 0);
      unit_rig_require(sm, "memory");
      unit = sgt_sm_unit(sm);
   }
   struct distributor d = {
      .work = work, .params = *params, .careless = m->careless, .result = result
   };
   d.left = calloc(work->num_warps + 1, sizeof(*d.left));
   d.first = calloc(work->num_warps + 1, sizeof(*d.first));
   for (uint32_t i = 0; i < work->num_warps; i++) {
      const struct sgt_warp *w = &work->warps[i];
      d.first[i] = i && w[-1].operation == w->operation && w[-1].group == w->group ? d.first[i - 1]
                                                                                   : i;
      d.left[d.first[i]]++;
   }
   struct memory tex = { .texture = true,
                         .latency = m->tex_latency,
                         .spread = m->spread,
                         .rate = m->tex_rate,
                         .result = result };
   struct memory mem = {
      .latency = m->mem_latency, .spread = m->spread, .rate = m->mem_rate, .result = result
   };
   const uint32_t late = m->late_responses ? 1 : 4096;
   unit_rig_add(&rig, &d.unit, "distributor", distribute);
   unit_rig_add(&rig, &tex.unit, "texture", answer);
   unit_rig_add(&rig, &mem.unit, "memory", answer);
   unit_rig_connect(&rig, &d.launch, &d.unit, unit, sizeof(struct sgt_sm_launch), 4, 1);
   unit_rig_connect(&rig, &d.done, unit, &d.unit, sizeof(struct sgt_sm_done), 1, 1);
   unit_rig_connect(&rig, &tex.requests, unit, &tex.unit, sizeof(struct sgt_tex_request),
                    m->capacity, 1);
   unit_rig_connect(&rig, &tex.responses, &tex.unit, unit, sizeof(struct sgt_tex_response), late,
                    1);
   unit_rig_connect(&rig, &mem.requests, unit, &mem.unit, sizeof(struct sgt_mem_request),
                    m->capacity, 1);
   unit_rig_connect(&rig, &mem.responses, &mem.unit, unit, sizeof(struct sgt_mem_response), late,
                    1);
   const struct sgt_sm_ports ports = {
      &d.launch, &d.done, &tex.requests, &tex.responses, &mem.requests, &mem.responses, 0
   };
   const struct sgt_sm_observer observer = { result, log_issue };
   if (m->reference) {
      sm_reference_connect(reference, &ports);
      if (m->log)
         sm_reference_observe(reference, &observer);
   } else {
      sgt_sm_connect(sm, &ports);
      if (m->log)
         sgt_sm_observe(sm, &observer);
   }
   while (result->num_done < work->num_warps && sgt_sched_step(&rig.sched, m->limit))
      ;
   /* Lines that no unit waits for any more arrive, too. */
   const uint64_t end = rig.sched.now + 2 * (m->mem_latency + m->spread) + 100;
   while (sgt_sched_step(&rig.sched, end))
      ;
   result->calls = rig.sched.calls;
   if (sm && sgt_sm_error(sm)) {
      snprintf(result->error, sizeof(result->error), "%s", sgt_sm_error(sm));
   } else {
      if (result->num_done != work->num_warps)
         fprintf(stderr, "%u of %u warps have ended at %" PRIu64 ", %u are launched\n",
                 result->num_done, work->num_warps, rig.sched.now, d.next);
      unit_rig_require(result->num_done == work->num_warps, "the run takes too long");
      unit_rig_require(!sm || sgt_sm_idle(sm), "something is left");
      unit_rig_require(sgt_channel_empty(&tex.requests) && sgt_channel_empty(&tex.responses) &&
                          sgt_channel_empty(&mem.requests) && sgt_channel_empty(&mem.responses),
                       "a message is left");
   }
   result->stats = sm ? *sgt_sm_results(sm, end + 1) : *sm_reference_results(reference);
   unit_rig_end(&rig);
   free(tex.waiting);
   free(mem.waiting);
   free(d.left);
   free(d.first);
   sgt_sm_destroy(sm);
   sm_reference_destroy(reference);
   sgt_sm_code_finish(&code);
}

void
machine_finish(struct machine_result *r)
{
   free(r->issues);
   free(r->done);
   free(r->done_at);
}

#define LAW(condition)                    \
   if (!(condition)) {                    \
      printf("not so: %s\n", #condition); \
      return false;                       \
   }

bool
machine_sound(const struct sgt_work *work, const struct sgt_sm_params *params,
              const struct machine_result *r)
{
   const struct sgt_sm_stats *s = &r->stats;
   struct sgt_stats stats;
   char error[256] = "";
   sgt_stats_init(&stats);
   sgt_sm_stats_register(s, &stats, "sm");
   const bool adds_up = !stats.out_of_memory && sgt_stats_check(&stats, error, sizeof(error));
   uint32_t counters = 0;
   for (uint32_t i = 0; i < stats.num; i++)
      counters += stats.stats[i].kind <= SGT_STAT_PARTS ? stats.stats[i].num : 1;
   sgt_stats_finish(&stats);
   printf("%s", error);
   LAW(adds_up);
   LAW(counters >= 60);

   /* Everything in the work must be executed once. */
   uint64_t ops = 0, lanes = 0, accesses[SGT_ACCESS_KINDS] = { 0 }, prologue = 0;
   struct sgt_sm_code code;
   unit_rig_require(sgt_sm_code_init(&code, work, params, error, sizeof(error)), error);
   for (uint32_t i = 0; i < work->num_warps; i++) {
      const struct sgt_warp *w = &work->warps[i];
      const struct sgt_program *p = work->programs[w->program];
      prologue += code.programs[w->program].num_prologue;
      lanes += (uint64_t)code.programs[w->program].num_prologue * util_bitcount(w->lanes);
      for (uint32_t n = 0; n < w->num_runs; n++) {
         const struct sgt_run *run = &work->runs[w->first_run + n];
         for (uint32_t pc = run->pc; pc < run->pc + run->count; pc++) {
            ops += p->instrs[pc].num_uops;
            lanes += (uint64_t)p->instrs[pc].num_uops * util_bitcount(run->lanes);
         }
      }
   }
   sgt_sm_code_finish(&code);
   uint64_t textures = 0;
   for (uint32_t i = 0; i < work->num_accesses; i++) {
      accesses[work->accesses[i].kind]++;
      textures += work->accesses[i].kind == SGT_ACCESS_TEXTURE && work->accesses[i].lanes;
   }
   uint64_t done_ops = 0, done_lanes = 0, launched = 0, done = 0, active = 0, occupancy = 0;
   uint64_t residence = 0, length = 0;
   for (uint32_t i = 0; i < SGT_SM_CLASSES; i++) {
      done_ops += s->ops[i];
      done_lanes += s->lanes[i];
      launched += s->warps[i];
      done += s->done[i];
      residence += s->residence[i];
   }
   for (uint32_t i = 0; i <= 32; i++) {
      active += s->active[i];
      occupancy += i * s->occupancy[i];
   }
   for (uint32_t i = 0; i < 64; i++)
      length += s->warp_cycles[i];
   LAW(done_ops == ops + prologue);
   LAW(s->prologue == prologue);
   LAW(done_lanes == lanes);
   LAW(launched == work->num_warps && done == work->num_warps && length == work->num_warps);
   LAW(active == done_ops);
   LAW(occupancy == residence);
   for (uint32_t i = 0; i < SGT_ACCESS_KINDS; i++)
      LAW(s->accesses[i] == accesses[i]);
   LAW(textures == r->tex_requests);
   LAW(s->requests[SGT_ACCESS_STORE] == r->mem_requests[SGT_MEM_WRITE]);
   LAW(s->requests[SGT_ACCESS_ATOMIC] == r->mem_requests[SGT_MEM_ATOMIC]);
   LAW(s->requests[SGT_ACCESS_LOAD] + s->icache_requests + s->const_requests ==
       r->mem_requests[SGT_MEM_READ]);
   LAW(s->icache_requests == s->icache[SGT_SM_MISS]);
   LAW(s->const_requests == s->constants[SGT_SM_MISS]);
   LAW(s->fetched >= s->flushed);
   /* No unit can be busy for longer than the run. */
   LAW(s->alu_busy <= s->cycles && s->sfu_busy <= s->cycles && s->shared_busy <= s->cycles);
   LAW(s->texture_max <= params->textures && s->memory_max <= params->accesses);
   return true;
}
