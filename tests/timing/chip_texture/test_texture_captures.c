/* SPDX-License-Identifier: MIT */
/*
 * Runs a texture unit with all texture accesses of a capture, which two SMs send alternately.
 *
 *    sgt_test_texture_captures FILE.sgcap
 *
 * All accesses must be answered, conservation laws must hold, and the order of units must not
 * matter.
 */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "capture_rig.h"
#include "chip_texture/sgt_tex.h"
#include "unit_rig.h"
#include "util/macros.h"

#define MEMORY_LATENCY 100 /* cycles */
#define SMS 2

/* Sends every second access. */
struct sm {
   struct sgt_unit unit;
   struct sgt_channel requests, responses;
   const struct sgt_work *work;
   uint32_t next; /* index of the next access in work->accesses */
   bool other;    /* the next access belongs to the other SM */
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
      unit_rig_require(r->tag == (uint32_t)s->answered++ && r->sm == s->number,
                       "a response is not in order");
      sgt_channel_take(&s->responses, now);
   }
   if (s->next < s->work->num_accesses && sgt_channel_can_send(&s->requests, now)) {
      sgt_channel_send(&s->requests, now,
                       &(struct sgt_tex_request){ s->next++, s->sent++, s->number });
      skip(s);
   }
   return s->next < s->work->num_accesses ? now + unit->clock->period : SGT_NEVER;
}

static struct sgt_tex_stats
run(const struct sgt_work *work, uint64_t shuffle)
{
   struct sgt_tex_params p;
   struct sgt_stats stats;
   struct unit_rig rig;
   struct unit_rig_memory memory;
   struct sgt_tex tex;
   struct sm sms[SMS];

   sgt_tex_params_init(&p);
   unit_rig_begin(&rig, shuffle);
   unit_rig_require(sgt_tex_init(&tex, &rig.sched, rig.clock, &p, work, 0, SMS, 0),
                    "out of memory");
   unit_rig_memory(&rig, &memory, &tex.unit, 0, 4, MEMORY_LATENCY);
   for (unsigned i = 0; i < SMS; i++) {
      struct sm *s = &sms[i];
      *s = (struct sm){ .work = work, .other = i == 0, .number = i };
      skip(s);
      unit_rig_add(&rig, &s->unit, "sm", sm_tick);
      unit_rig_connect(&rig, &s->requests, &s->unit, &tex.unit, sizeof(struct sgt_tex_request), 4,
                       1);
      unit_rig_connect(&rig, &s->responses, &tex.unit, &s->unit, sizeof(struct sgt_tex_response), 4,
                       1);
      tex.requests[i] = &s->requests;
      tex.responses[i] = &s->responses;
   }
   tex.memory = &memory.requests;
   tex.fetched = &memory.responses;
   unit_rig_run(&rig);
   sgt_tex_end(&tex, rig.sched.now);

   const struct sgt_tex_stats s = tex.stats;
   unit_rig_require(sgt_tex_idle(&tex) && s.requests == sms[0].sent + sms[1].sent &&
                       s.responses == s.requests &&
                       s.responses == sms[0].answered + sms[1].answered,
                    "accesses are left");
   unit_rig_require(s.memory_reads == memory.reads && s.fills == memory.reads &&
                       s.filled_lines == s.outcomes[SGT_TEX_MISS],
                    "lines of memory do not add up");
   unit_rig_require(s.fifo_wait == s.fifo_occupancy && s.fills_wait == s.fills_occupancy &&
                       s.pipe_wait == s.pipe_occupancy && s.out_wait == s.out_occupancy,
                    "Little's law does not hold");
   sgt_stats_init(&stats);
   sgt_tex_register(&tex, &stats, "texture");
   unit_rig_check(&stats);
   sgt_stats_finish(&stats);
   unit_rig_end(&rig);
   sgt_tex_finish(&tex);
   return s;
}

int
main(int argc, char **argv)
{
   struct sgt_work *work;

   capture_rig_load(argv[1], NULL, &work);
   uint64_t accesses = 0, samples = 0, lines = 0;
   for (uint32_t i = 0; i < work->num_accesses; i++) {
      const struct sgt_access *a = &work->accesses[i];
      if (a->kind != SGT_ACCESS_TEXTURE)
         continue;
      accesses++;
      samples += a->work;
      lines += a->num_lines;
   }
   unit_rig_require(accesses, "the capture has no textures");
   const struct sgt_tex_stats a = run(work, 0), b = run(work, 7);
   unit_rig_require(!memcmp(&a, &b, sizeof(a)), "the order of units matters");
   unit_rig_require(a.requests == accesses && a.samples == samples && a.lines == lines,
                    "accesses do not add up");
   printf("%" PRIu64 " accesses, %" PRIu64 " samples: %" PRIu64 " cycles, filters %" PRIu64
          "; lookups %" PRIu64 ": %" PRIu64 " hits, %" PRIu64 " on their way, %" PRIu64 " misses\n",
          accesses, samples, a.cycles, a.filter_cycles, a.lookups, a.outcomes[SGT_TEX_HIT],
          a.outcomes[SGT_TEX_PENDING], a.outcomes[SGT_TEX_MISS]);
   sgt_work_destroy(work);
   return 0;
}
