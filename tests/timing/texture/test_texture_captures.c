/* SPDX-License-Identifier: MIT */
/*
 * A texture unit on all texture accesses of a capture, which two SMs send in turn.
 *
 *    sgt_test_texture_captures FILE.sgcap
 *
 * All are answered, the laws of conservation hold, and the order of units does not matter.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cap_player.h"
#include "events.h"
#include "sgt_stats.h"
#include "sgt_tex.h"
#include "util/macros.h"

#define MEMORY_LATENCY 100 /* cycles */
#define SMS 2

static void
die(const char *what)
{
   fprintf(stderr, "%s\n", what);
   exit(1);
}

/* Sends every second access. */
struct sm {
   struct sgt_unit unit;
   struct sgt_channel requests, responses;
   const struct sgt_work *work;
   uint32_t next; /* in work->accesses */
   bool other;    /* the next one is the other SM's */
   uint64_t sent, answered;
   uint16_t number;
};

static void
skip(struct sm *s)
{
   for (; s->next < s->work->num_accesses; s->next++) {
      if (s->work->accesses[s->next].kind != SGT_ACCESS_TEXTURE)
         continue;
      s->other = !s->other;
      if (!s->other)
         return;
   }
}

static uint64_t
sm_tick(struct sgt_unit *unit, uint64_t now)
{
   struct sm *s = container_of(unit, struct sm, unit);

   while (sgt_channel_peek(&s->responses, now)) {
      const struct sgt_tex_response *r = sgt_channel_peek(&s->responses, now);
      if (r->tag != (uint32_t)s->answered++ || r->sm != s->number)
         die("a response is not in order");
      sgt_channel_take(&s->responses, now);
   }
   if (s->next < s->work->num_accesses && sgt_channel_can_send(&s->requests, now)) {
      sgt_channel_send(&s->requests, now,
                       &(struct sgt_tex_request){ s->next++, s->sent++, s->number });
      skip(s);
   }
   return s->next < s->work->num_accesses ? now + unit->clock->period : SGT_NEVER;
}

struct memory {
   struct sgt_unit unit;
   struct sgt_channel requests, responses;
   uint64_t reads;
};

static uint64_t
memory_tick(struct sgt_unit *unit, uint64_t now)
{
   struct memory *m = container_of(unit, struct memory, unit);
   const struct sgt_mem_request *r = sgt_channel_peek(&m->requests, now);

   if (!r || !sgt_channel_can_send(&m->responses, now))
      return SGT_NEVER;
   sgt_channel_send(&m->responses, now,
                    &(struct sgt_mem_response){ r->address, r->tag, r->client });
   m->reads++;
   sgt_channel_take(&m->requests, now);
   return now + unit->clock->period;
}

static struct sgt_tex_stats
run(const struct sgt_work *work, uint64_t shuffle)
{
   struct sgt_clock clock = { .mhz = 600 };
   struct sgt_tex_params p;
   struct sgt_sched sched;
   struct sgt_stats stats;
   struct sgt_tex tex;
   struct sm sms[SMS];
   struct memory m = { .unit = { "memory", &clock, memory_tick } };
   char error[256];

   sgt_tex_params_init(&p);
   sgt_sched_init(&sched);
   if (shuffle)
      sgt_sched_shuffle(&sched, shuffle);
   if (!sgt_clocks_init(&clock, 1) || !sgt_tex_init(&tex, &sched, &clock, &p, work, 0, SMS, 0) ||
       !sgt_sched_add(&sched, &m.unit, 0) ||
       !sgt_channel_init(&m.requests, &sched, &tex.unit, &m.unit, sizeof(struct sgt_mem_request), 4,
                         1) ||
       !sgt_channel_init(&m.responses, &sched, &m.unit, &tex.unit, sizeof(struct sgt_mem_response),
                         MEMORY_LATENCY + 4, MEMORY_LATENCY))
      die("out of memory");
   for (unsigned i = 0; i < SMS; i++) {
      struct sm *s = &sms[i];
      *s = (struct sm){
         .unit = { "sm", &clock, sm_tick },
         .work = work,
         .other = i == 0,
         .number = i,
      };
      skip(s);
      if (!sgt_sched_add(&sched, &s->unit, 0) ||
          !sgt_channel_init(&s->requests, &sched, &s->unit, &tex.unit,
                            sizeof(struct sgt_tex_request), 4, 1) ||
          !sgt_channel_init(&s->responses, &sched, &tex.unit, &s->unit,
                            sizeof(struct sgt_tex_response), 4, 1))
         die("out of memory");
      tex.requests[i] = &s->requests;
      tex.responses[i] = &s->responses;
   }
   tex.memory = &m.requests;
   tex.fetched = &m.responses;
   while (sgt_sched_step(&sched, UINT64_MAX - 1))
      ;
   sgt_tex_end(&tex, sched.now);

   const struct sgt_tex_stats s = tex.stats;
   if (!sgt_tex_idle(&tex) || s.requests != sms[0].sent + sms[1].sent ||
       s.responses != s.requests || s.responses != sms[0].answered + sms[1].answered)
      die("accesses are left");
   if (s.memory_reads != m.reads || s.fills != m.reads ||
       s.filled_lines != s.outcomes[SGT_TEX_MISS])
      die("lines of memory do not add up");
   if (s.fifo_wait != s.fifo_occupancy || s.fills_wait != s.fills_occupancy ||
       s.pipe_wait != s.pipe_occupancy || s.out_wait != s.out_occupancy)
      die("Little's law does not hold");
   sgt_stats_init(&stats);
   sgt_tex_register(&tex, &stats, "texture");
   if (!sgt_stats_check(&stats, error, sizeof(error)))
      die(error);
   sgt_stats_finish(&stats);
   for (unsigned i = 0; i < SMS; i++) {
      sgt_channel_finish(&sms[i].requests);
      sgt_channel_finish(&sms[i].responses);
   }
   sgt_channel_finish(&m.requests);
   sgt_channel_finish(&m.responses);
   sgt_tex_finish(&tex);
   sgt_sched_finish(&sched);
   return s;
}

int
main(int argc, char **argv)
{
   static const struct events_way way = {
      .threads = 2,
      .policy = SGPU_DISPATCH_OOO_SPLIT,
      .classes = SGPU_OBSERVE_COVERAGE,
      .work = true,
   };
   struct sgt_store *store = events_store(&way);
   struct sgpu_device_params params = events_params(&way, store);
   struct sgcap_record rec;
   struct cap_player p;
   char error[256] = "";

   if (argc != 2 || !cap_player_open(&p, argv[1], &params, true))
      die("usage: sgt_test_texture_captures FILE.sgcap");
   sgt_store_submissions(store, SGT_STORE_RECORD, 0);
   while (cap_player_next(&p, &rec)) {
      if (rec.type == SGCAP_SUBMIT && !cap_player_submit(&p, &rec))
         die("a submission failed");
   }
   cap_player_wait(&p);
   cap_player_close(&p);
   struct sgt_trace *trace = sgt_store_finish(store, error, sizeof(error));
   struct sgt_work *work = trace ? sgt_store_work(store) : NULL;
   if (!trace || !work)
      die(error);
   uint64_t accesses = 0, samples = 0, lines = 0;
   for (uint32_t i = 0; i < work->num_accesses; i++) {
      const struct sgt_access *a = &work->accesses[i];
      if (a->kind != SGT_ACCESS_TEXTURE)
         continue;
      accesses++;
      samples += a->work;
      lines += a->num_lines;
   }
   if (!accesses)
      die("the capture has no textures");
   const struct sgt_tex_stats a = run(work, 0), b = run(work, 7);
   if (memcmp(&a, &b, sizeof(a)))
      die("the order of units matters");
   if (a.requests != accesses || a.samples != samples || a.lines != lines)
      die("accesses do not add up");
   printf("%" PRIu64 " accesses, %" PRIu64 " samples: %" PRIu64 " cycles, filters %" PRIu64
          "; lookups %" PRIu64 ": %" PRIu64 " hits, %" PRIu64 " on their way, %" PRIu64 " misses\n",
          accesses, samples, a.cycles, a.filter_cycles, a.lookups, a.outcomes[SGT_TEX_HIT],
          a.outcomes[SGT_TEX_PENDING], a.outcomes[SGT_TEX_MISS]);
   sgt_trace_destroy(trace);
   sgt_work_destroy(work);
   sgt_store_destroy(store);
   return 0;
}
