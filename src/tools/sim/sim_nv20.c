/* SPDX-License-Identifier: MIT */
/* Microbenchmarks of the vertex engine of 2001: creates vertex streams and measures them. */
#include "sim_nv20.h"

#include <stdlib.h>
#include <string.h>

#include "sgpu_isa.h"
#include "kernel/sgt_dump.h"
#include "nv20/sgt_nv20_programs.h"
#include "report/sgt_report.h"
#include "kernel/sgt_stats.h"
#include "sim_microbenchmark.h"
#include "util/macros.h"

struct taken {
   /* first: cycle in which the next stage accepted the first measured vertex; last: cycle in which
    * it accepted the vertex after the last measured vertex
    */
   uint64_t first, last;
};

static void
on_vertex(void *data, uint64_t vertex, const struct sgt_nv20_times *times)
{
   struct taken *t = data;

   if (vertex == SIM_NV20_SKIPPED)
      t->first = times->taken;
   if (vertex == SIM_NV20_SKIPPED + SIM_NV20_MEASURED)
      t->last = times->taken;
}

bool
sim_nv20_measure(const struct sgt_vertex_stream *stream, const struct sgt_nv20_params *params,
                 struct sim_nv20_measured *m)
{
   struct taken taken = { 0 };
   const struct sgt_nv20_observer observer = { .data = &taken, .vertex = on_vertex };
   struct sgt_stats stats;
   char error[SGT_ERROR_BYTES];

   bool ok = sgt_nv20_run(stream, params, &observer, &m->result, error, sizeof error);
   if (ok) {
      sgt_stats_init(&stats);
      sgt_nv20_result_register(&m->result, &stats);
      ok = sgt_stats_check(&stats, error, sizeof error);
      sgt_stats_finish(&stats);
   }
   if (!ok)
      fprintf(stderr, "sgpu: sim: %s\n", error);
   m->cycles = taken.last - taken.first;
   return ok;
}

static bool
out_of_memory(void)
{
   fprintf(stderr, "sgpu: out of memory\n");
   return false;
}

bool
sim_nv20_measure_program(const struct sgt_vertex_program *program,
                         const struct sgt_nv20_params *params, struct sim_nv20_measured *m)
{
   struct sgt_vertex_stream s;

   sgt_vertex_stream_init(&s);
   bool ok = sgt_vertex_stream_program(&s, program);
   for (unsigned i = 0; ok && i < SIM_NV20_VERTICES; i++)
      ok = sgt_vertex_stream_add_mask(&s, program->inputs);
   ok = ok ? sim_nv20_measure(&s, params, m) : out_of_memory();
   sgt_vertex_stream_finish(&s);
   return ok;
}

void
sim_nv20_opcodes(struct sgt_json *j, const char *key, const uint64_t counts[SGT_VERTEX_OPCODES + 1])
{
   sgt_json_object(j, key, true);
   for (unsigned i = 0; i <= SGT_VERTEX_OTHER; i++) {
      const char *name = i == SGT_VERTEX_OTHER
                            ? "other"
                            : sgpu_opcode_info(SGT_VERTEX_FIRST_OPCODE + i)->name;
      if (counts[i])
         sgt_json_u64(j, name, counts[i]);
   }
   sgt_json_end(j);
}

void
sim_nv20_classes(struct sgt_json *j, const char *key, const uint64_t counts[SGT_VERTEX_OPCODES + 1])
{
   uint64_t classes[SGT_VERTEX_CLASSES] = { 0 };

   for (unsigned i = 0; i <= SGT_VERTEX_OTHER; i++)
      classes[sgt_vertex_class_of(i)] += counts[i];
   sgt_json_object(j, key, true);
   for (unsigned i = 0; i < SGT_VERTEX_CLASSES; i++)
      sgt_json_u64(j, sgt_vertex_class_names[i], classes[i]);
   sgt_json_end(j);
}

bool
sim_nv20_counters(struct sgt_json *j, const struct sgt_nv20_result *r)
{
   struct sgt_stats stats;
   char name[128];

   sgt_stats_init(&stats);
   sgt_nv20_result_register(r, &stats);
   const bool ok = !stats.out_of_memory;
   sgt_json_object(j, "counters", false);
   for (uint32_t i = 0; ok && i < stats.num; i++) {
      const struct sgt_stat *s = &stats.stats[i];
      uint32_t num = s->num;
      snprintf(name, sizeof name, "%s.%s", s->unit, s->name);
      switch (s->kind) {
      case SGT_STAT_COUNT:
         sgt_json_u64(j, name, s->values[0]);
         break;
      case SGT_STAT_PARTS:
         sgt_json_object(j, name, true);
         for (uint32_t n = 0; n < num; n++)
            sgt_json_u64(j, s->names[n], s->values[n]);
         sgt_json_end(j);
         break;
      case SGT_STAT_HISTOGRAM:
      case SGT_STAT_LOG2:
         while (num > 1 && !s->values[num - 1])
            num--;
         sgt_json_array(j, name, true);
         for (uint32_t n = 0; n < num; n++)
            sgt_json_u64(j, NULL, s->values[n]);
         sgt_json_end(j);
         break;
      }
   }
   sgt_json_end(j);
   sgt_stats_finish(&stats);
   return ok || out_of_memory();
}

/* Runs a microbenchmark, and writes its group, parameters and results as a JSON object. */
static bool
row(struct sgt_json *j, const char *group, const char *name, uint32_t x,
    const struct sgt_vertex_stream *s, const struct sgt_nv20_params *params, bool counters)
{
   struct sim_nv20_measured m;

   if (!sim_nv20_measure(s, params, &m))
      return false;
   sgt_json_object(j, NULL, !counters);
   sgt_json_string(j, "group", group);
   if (name)
      sgt_json_string(j, "name", name);
   sgt_json_u64(j, "x", x);
   sgt_json_u64(j, "instructions", s->vertices[0].instructions);
   sgt_json_u64(j, "writes", s->vertices[0].num_writes);
   sgt_json_u64(j, "outputs", s->programs[0].outputs);
   sgt_json_u64(j, "vertices", SIM_NV20_MEASURED);
   sgt_json_u64(j, "cycles", m.cycles);
   sgt_json_quotient(j, "cycles_a_vertex", m.cycles, SIM_NV20_MEASURED);
   sgt_json_quotient(j, "moved_a_vertex", m.result.moved, m.result.vertices);
   sgt_json_quotient(j, "pushed_a_vertex", m.result.pushed, m.result.vertices);
   sgt_json_quotient(j, "life_of_a_vertex",
                     m.result.fill_sum + m.result.wait_sum + m.result.run_sum + m.result.out_sum,
                     m.result.vertices);
   sgt_json_object(j, "core", true);
   for (unsigned i = 0; i < SGT_VCORE_STATES; i++)
      sgt_json_u64(j, sgt_vcore_names[i], m.result.core[i]);
   sgt_json_end(j);
   const bool ok = !counters || sim_nv20_counters(j, &m.result);
   sgt_json_end(j);
   return ok;
}

/* Runs vertices with a program that consists of MOVs.  Before attribute 0 of each vertex, the
 * stream writes the `num` attributes in `writes`.  If `rotate` is true, it writes only one of them
 * per vertex, in turn.
 */
static bool
simple(struct sgt_json *j, const char *group, const char *name, uint32_t x, uint32_t instructions,
       const uint8_t *writes, uint32_t num, bool rotate, const struct sgt_nv20_params *params)
{
   struct sgt_vertex_program p = { .base = true, .outputs = 1, .instructions = instructions };
   struct sgt_vertex_stream s;

   p.opcodes[SGPU_OP_MOV - SGT_VERTEX_FIRST_OPCODE] = instructions;
   sgt_vertex_stream_init(&s);
   bool ok = sgt_vertex_stream_program(&s, &p);
   for (unsigned i = 0; ok && i < SIM_NV20_VERTICES; i++)
      ok = rotate ? sgt_vertex_stream_add(&s, &writes[i % num], 1)
                  : sgt_vertex_stream_add(&s, writes, num);
   ok = ok ? row(j, group, name, x, &s, params, false) : out_of_memory();
   sgt_vertex_stream_finish(&s);
   return ok;
}

static bool
programs(struct sgt_json *j, const struct sgt_nv20_params *params)
{
   for (const struct sgt_nv20_text *t = sgt_nv20_texts; t->name; t++) {
      struct sgpu_program program;
      struct sgt_vertex_program p;
      struct sgt_vertex_stream s;
      sgt_vertex_stream_init(&s);
      bool ok = sgt_nv20_assemble(t->name, &program) && sgt_vertex_program_describe(&p, &program) &&
                sgt_vertex_stream_program(&s, &p);
      for (unsigned i = 0; ok && i < SIM_NV20_VERTICES; i++)
         ok = sgt_vertex_stream_add_mask(&s, p.inputs);
      ok = ok ? row(j, "programs", t->name, p.instructions, &s, params, true) : out_of_memory();
      sgt_vertex_stream_finish(&s);
      sgpu_program_finish(&program);
      if (!ok)
         return false;
   }
   return true;
}

/* Runs all microbenchmarks at one point. */
static bool
benchmarks(struct sgt_json *j, const struct sgt_nv20_params *params)
{
   static const uint32_t lengths[] = { 1, 2, 4, 8, 16, 20, 32, 64, 128 };
   static const uint32_t some[] = { 1, 4, 8, 12, 24 };
   uint8_t up[15], down[15];
   bool ok = true;

   for (unsigned i = 0; i < 15; i++) {
      up[i] = i + 1;
      down[i] = 15 - i;
   }
   for (unsigned i = 0; ok && i < ARRAY_SIZE(lengths); i++)
      ok = simple(j, "instructions", NULL, lengths[i], lengths[i], up, MIN2(lengths[i], 16) - 1,
                  false, params);
   for (unsigned i = 0; ok && i < ARRAY_SIZE(some); i++) {
      for (uint32_t num = 1; ok && num <= 16; num++)
         ok = simple(j, "attributes", NULL, num, some[i], up, num - 1, false, params);
   }
   for (uint32_t num = 1; ok && num <= 15; num++)
      ok = simple(j, "changes", NULL, num, 4, up, num, true, params);
   ok = ok && simple(j, "order", "up", 16, 1, up, 15, false, params);
   ok = ok && simple(j, "order", "down", 16, 1, down, 15, false, params);
   return ok && programs(j, params);
}

static bool
write_point(struct sgt_json *j, const struct sim_point *point)
{
   struct sgt_nv20_params params;
   char error[256];

   if (!sgt_config_nv20(&point->config, &params, error, sizeof error)) {
      fprintf(stderr, "sgpu: sim: %s\n", error);
      return false;
   }
   sgt_json_object(j, NULL, false);
   sim_json_change_texts(j, point);
   sgt_json_array(j, "benchmarks", false);
   const bool ok = benchmarks(j, &params);
   sgt_json_end(j);
   sgt_json_end(j);
   return ok;
}

static bool
has_section(const struct sgt_config *config, const char *section)
{
   return !strcmp(section, "nv20");
}

/* Runs the microbenchmarks and the vertex programs of captures, at all points. */
static bool
run(struct sgt_json *j, const struct sim_options *o, const struct sim_points *points,
    sim_load *load)
{
   struct sgt_nv20_params params;
   char error[256];
   bool ok = true;

   sim_microbenchmark_begin(j, &sim_nv20);
   sgt_json_parameters(j, &o->config);
   sgt_json_array(j, "points", false);
   for (uint32_t i = 0; ok && i < points->count; i++)
      ok = write_point(j, &points->points[i]);
   sgt_json_end(j);
   sgt_json_array(j, "captures", false);
   ok = ok && sgt_config_nv20(&points->points[0].config, &params, error, sizeof error);
   for (unsigned i = 0; ok && i < o->num_captures; i++)
      ok = sim_nv20_capture(j, o->captures[i], &params);
   sgt_json_end(j);
   sgt_json_end(j);
   return ok;
}

const struct sim_microbenchmark sim_nv20 = {
   .name = "nv20",
   .format = "sgpu-sim-nv20",
   .model = SGT_CHIP_MODEL_NV20,
   .has_section = has_section,
   .run = run,
};
