/* SPDX-License-Identifier: MIT */
/*
 * Runs the vertex engine of 2001 and its reference in lockstep, on random streams with random
 * parameters: the same cycles of each vertex and the same accounts, in any order of units.
 *
 * usage: test_nv20_lockstep [SECONDS [SEED]]
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "nv20_reference.h"
#include "kernel/sgt_random.h"
#include "kernel/sgt_stats.h"
#include "util/macros.h"

struct log {
   struct sgt_nv20_times *times;
   uint64_t num;
};

static void
on_vertex(void *data, uint64_t vertex, const struct sgt_nv20_times *times)
{
   struct log *log = data;
   if (vertex != log->num)
      abort();
   log->times[log->num++] = *times;
}

static void
random_program(struct sgt_random *r, struct sgt_vertex_program *p)
{
   static const uint32_t lengths[] = { 1, 2, 4, 12, 40 };
   *p = (struct sgt_vertex_program){ .base = sgt_random_below(r, 2) };
   p->instructions = 1 + sgt_random_below(r, lengths[sgt_random_below(r, ARRAY_SIZE(lengths))]);
   p->outputs = 1 + sgt_random_below(r, 15);
   for (uint32_t i = 0; i < p->instructions; i++)
      p->opcodes[sgt_random_below(r, SGT_VERTEX_OPCODES + 1)]++;
}

/* Makes a random stream: runs of vertices with the same attributes, single changes, or attributes
 * in any order.
 */
static bool
random_stream(struct sgt_random *r, struct sgt_vertex_stream *s)
{
   const uint32_t num = 1 + sgt_random_below(r, 120);
   const uint32_t kind = sgt_random_below(r, 4);
   uint16_t mask = sgt_random_next(r);
   bool ok = true;

   sgt_vertex_stream_init(s);
   for (uint32_t i = 0; ok && i < num; i++) {
      struct sgt_vertex_program p;
      uint8_t writes[40];
      uint32_t n = 0;
      if (!i || !sgt_random_below(r, 30)) {
         random_program(r, &p);
         ok = sgt_vertex_stream_program(s, &p);
      }
      if (!sgt_random_below(r, 10))
         mask = sgt_random_next(r);
      if (kind == 0) {
         ok = ok && sgt_vertex_stream_add_mask(s, mask);
         continue;
      }
      const uint32_t most = kind == 1 ? 3 : kind == 2 ? 15 : ARRAY_SIZE(writes);
      const uint32_t wanted = sgt_random_below(r, most + 1);
      while (n < wanted)
         writes[n++] = 1 + sgt_random_below(r, 15);
      ok = ok && sgt_vertex_stream_add(s, writes, n);
   }
   /* Divergent vertices execute different numbers of instructions. */
   for (uint64_t i = 0; ok && i < s->num_vertices && !sgt_random_below(r, 2); i++) {
      s->instructions -= s->vertices[i].instructions;
      s->vertices[i].instructions = 1 + sgt_random_below(r, 30);
      s->instructions += s->vertices[i].instructions;
   }
   return ok;
}

static void
random_params(struct sgt_random *r, struct sgt_nv20_params *p)
{
   static const uint32_t sizes[] = { 1, 2, 3, 6, 8, 16, 64 };
#define SIZE sizes[sgt_random_below(r, ARRAY_SIZE(sizes))]
   sgt_nv20_params_init(p);
   p->threads = SIZE;
   p->latency = SIZE;
   p->select = sgt_random_below(r, 2);
   p->input_buffers = SIZE;
   p->output_buffers = SIZE;
   p->host_fifo = SIZE;
   p->host_clocks = sgt_random_below(r, 3) ? 1 : SIZE;
   p->next_fifo = SIZE;
   p->next_clocks = sgt_random_below(r, 3) ? 1 : SIZE;
   p->push_out = sgt_random_below(r, 4);
   p->dirty = sgt_random_below(r, 4);
   p->flush = sgt_random_below(r, 2);
#undef SIZE
}

static bool
same(const struct sgt_nv20_result *a, const struct sgt_nv20_result *b)
{
   struct sgt_nv20_result x = *a, y = *b;
   memset(x.channels, 0, sizeof(x.channels));
   memset(y.channels, 0, sizeof(y.channels));
   memset(&x.params, 0, sizeof(x.params));
   memset(&y.params, 0, sizeof(y.params));
   x.calls = y.calls = 0;
   const uint64_t *p = (const uint64_t *)&x, *q = (const uint64_t *)&y;
   for (size_t i = 0; i < sizeof(x) / sizeof(*p); i++) {
      if (p[i] != q[i])
         printf("word %zu of the result: model %" PRIu64 ", reference %" PRIu64 "\n", i, p[i],
                q[i]);
   }
   return !memcmp(&x, &y, sizeof(x));
}

static bool
same_times(const struct log *model, const struct log *reference)
{
   for (uint64_t i = 0; i < MIN2(model->num, reference->num); i++) {
      const struct sgt_nv20_times *a = &model->times[i], *b = &reference->times[i];
      if (!memcmp(a, b, sizeof(*a)))
         continue;
      printf("vertex %" PRIu64 ": written, filled, started, ended, sent, taken\n", i);
      const struct sgt_nv20_times *both[] = { a, b };
      for (unsigned n = 0; n < 2; n++)
         printf("  %s: %" PRIu64 " %" PRIu64 " %" PRIu64 " %" PRIu64 " %" PRIu64 " %" PRIu64 "\n",
                n ? "reference" : "model", both[n]->written, both[n]->filled, both[n]->started,
                both[n]->ended, both[n]->sent, both[n]->taken);
      return false;
   }
   return model->num == reference->num;
}

/* Checks conditions that hold in every run. */
static bool
is_sound(const struct sgt_vertex_stream *s, const struct sgt_nv20_result *r)
{
   char error[200];
   struct sgt_stats stats;
   uint64_t vertices = 0, most = 0, instructions = 0;

   sgt_stats_init(&stats);
   sgt_nv20_result_register(r, &stats);
   bool ok = !stats.out_of_memory;
   for (uint32_t i = 0; ok && i < stats.num; i++) {
      /* Opcodes are counted for the programs; divergent vertices execute others. */
      if (!strcmp(stats.stats[i].name, "opcodes") || !strcmp(stats.stats[i].name, "classes"))
         continue;
      struct sgt_stats one = { .stats = &stats.stats[i], .num = 1 };
      if (!sgt_stats_check(&one, error, sizeof(error))) {
         printf("%s\n", error);
         ok = false;
      }
   }
   sgt_stats_finish(&stats);
   for (unsigned i = 0; i <= SGT_VERTEX_ATTRIBUTES; i++)
      vertices += r->dirty[i];
   for (unsigned i = 0; i < SGT_NV20_MAX_THREADS; i++)
      instructions += r->issued[i];
   /* No unit can do more than its share of work in a cycle. */
   most = MAX2(MAX2(r->instructions, r->moved), MAX2(r->writes, r->outputs));
   return ok && vertices == s->num_vertices && r->vertices == s->num_vertices &&
          r->writes == s->num_writes && instructions == s->instructions &&
          r->instructions == s->instructions && r->cycles >= most &&
          r->core[SGT_VCORE_ISSUE] == r->instructions &&
          r->vab_drain[SGT_VAB_DRAIN] + r->vab_drain[SGT_VAB_PUSH] == r->moved &&
          r->vab_write[SGT_VAB_WRITE] == r->writes && r->out[SGT_VOUT_SEND] == r->outputs;
}

static bool
run(uint64_t seed)
{
   struct sgt_random random = { seed };
   struct sgt_vertex_stream stream;
   struct sgt_nv20_params params;
   struct sgt_nv20_result model, reference, shuffled;
   char error[200] = "out of memory";
   struct log logs[3] = { 0 };

   random_params(&random, &params);
   bool ok = random_stream(&random, &stream);
   for (unsigned i = 0; i < ARRAY_SIZE(logs); i++) {
      logs[i].times = calloc(stream.num_vertices, sizeof(*logs[i].times));
      ok = ok && logs[i].times;
   }
   const struct sgt_nv20_observer observers[] = {
      { .data = &logs[0], .vertex = on_vertex },
      { .data = &logs[1], .vertex = on_vertex },
      { .data = &logs[2], .vertex = on_vertex },
   };
   ok = ok && sgt_nv20_run(&stream, &params, &observers[0], &model, error, sizeof(error)) &&
        nv20_reference(&stream, &params, &observers[1], &reference, error, sizeof(error));
   params.shuffle = seed + 1;
   ok = ok && sgt_nv20_run(&stream, &params, &observers[2], &shuffled, error, sizeof(error));
   if (!ok)
      printf("%s\n", error);
   ok = ok && same_times(&logs[0], &logs[1]) && same(&model, &reference) &&
        same_times(&logs[0], &logs[2]) && same(&model, &shuffled) && is_sound(&stream, &model);
   ok = ok && !memcmp(model.channels, shuffled.channels, sizeof(model.channels));
   if (!ok)
      printf("seed %" PRIu64 ": %u threads, latency %u, select %u, buffers %u and %u, fifos %u and "
             "%u, clocks %u and %u, push %d, dirty %d, flush %d, %" PRIu64 " vertices\n",
             seed, params.threads, params.latency, params.select, params.input_buffers,
             params.output_buffers, params.host_fifo, params.next_fifo, params.host_clocks,
             params.next_clocks, params.push_out, params.dirty, params.flush, stream.num_vertices);
   for (unsigned i = 0; i < ARRAY_SIZE(logs); i++)
      free(logs[i].times);
   sgt_vertex_stream_finish(&stream);
   return ok;
}

int
main(int argc, char **argv)
{
   const time_t end = time(NULL) + (argc > 1 ? atoi(argv[1]) : 0);
   uint64_t seed = argc > 2 ? strtoull(argv[2], NULL, 0) : 1, runs = 0;

   do {
      if (!run(seed++))
         return 1;
      runs++;
   } while (argc > 1 ? time(NULL) < end : runs < 400);
   printf("%" PRIu64 " runs\n", runs);
   return 0;
}
