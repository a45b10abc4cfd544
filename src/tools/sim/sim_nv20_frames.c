/* SPDX-License-Identifier: MIT */
/* Runs the frames of a capture on the vertex engine of 2001. The vertices are those that the device
 * processed.
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "kernel/sgt_dump.h"
#include "kernel/sgt_stats.h"
#include "sim_microbenchmark.h"
#include "sim_nv20.h"

/* Runs the vertices of a frame, without gaps between draws. */
static bool
run_frame(const struct sim_frame *frame, const struct sgt_vertex_stream *stream,
          const struct sgt_nv20_params *params, struct sgt_nv20_result *result)
{
   struct sgt_stats stats;
   char error[SGT_ERROR_BYTES];

   bool ok = sgt_nv20_run(stream, params, NULL, result, error, sizeof error);
   if (ok) {
      sgt_stats_init(&stats);
      sgt_nv20_result_register(result, &stats);
      ok = !stats.out_of_memory && sgt_stats_check(&stats, error, sizeof error);
      sgt_stats_finish(&stats);
   }
   if (!ok)
      fprintf(stderr, "sgpu: frame %" PRIu64 ": %s\n", frame->number, error);
   return ok;
}

static void
print_changes(const struct sim_point *point)
{
   char name[64], value[64];

   for (unsigned i = 0; i < point->num_changes; i++) {
      sim_change_text(&point->changes[i], name, value, sizeof name);
      printf("%s%s=%s%s", i ? " " : "", name, value, i + 1 == point->num_changes ? "\n" : "");
   }
}

static void
print_states(const char *title, const uint64_t *states, const char *const *names, unsigned num)
{
   uint32_t shares[SGT_VCORE_STATES];

   sgt_shares(states, num, shares);
   printf("   %-18s", title);
   for (unsigned i = 0; i < num; i++) {
      if (shares[i])
         printf(" %s %u.%u %%", names[i], shares[i] / 10, shares[i] % 10);
   }
   putchar('\n');
}

static double
quotient(uint64_t part, uint64_t whole)
{
   return whole ? (double)part / whole : 0;
}

static void
print_frame(const struct sim_frame *frame, const struct sgt_nv20_result *r)
{
   printf("frame %" PRIu64 ": %" PRIu64 " vertices, %" PRIu64
          " of programs of the base profile, %" PRIu64 " programs\n",
          frame->number, r->vertices, r->base_vertices, r->programs);
   printf("   %-18s %" PRIu64 "\n", "cycles", r->cycles);
   printf("   %-18s %.2f (instructions %.2f, writes %.2f, moved %.2f)\n", "cycles a vertex",
          quotient(r->cycles, r->vertices), quotient(r->instructions, r->vertices),
          quotient(r->writes, r->vertices), quotient(r->moved, r->vertices));
   printf("   %-18s %.3f\n", "IPC", quotient(r->instructions, r->cycles));
   print_states("core", r->core, sgt_vcore_names, SGT_VCORE_STATES);
   print_states("writes", r->vab_write, sgt_vab_write_names, SGT_VAB_WRITE_STATES);
   print_states("drains", r->vab_drain, sgt_vab_drain_names, SGT_VAB_DRAIN_STATES);
   print_states("output", r->out, sgt_vout_names, SGT_VOUT_STATES);
}

static bool
run_point(struct sgt_json *j, const struct sim_frames *frames,
          const struct sgt_vertex_stream *streams, const struct sim_point *point,
          const struct sim_options *o, bool text)
{
   struct sgt_nv20_params params;
   struct sgt_nv20_result result;
   char error[256];
   bool ok = sgt_config_nv20(&point->config, &params, error, sizeof error);

   params.shuffle = o->shuffle;
   if (!ok)
      fprintf(stderr, "sgpu: sim: %s\n", error);
   if (text)
      print_changes(point);
   if (j) {
      sgt_json_object(j, NULL, false);
      sim_json_change_texts(j, point);
      sgt_json_array(j, "frames", false);
   }
   for (uint32_t i = 0; ok && i < frames->count; i++) {
      const struct sim_frame *frame = &frames->frames[i];
      if (!streams[i].num_vertices) {
         if (text)
            printf("frame %" PRIu64 ": no vertices\n", frame->number);
         continue;
      }
      ok = run_frame(frame, &streams[i], &params, &result);
      if (ok && text)
         print_frame(frame, &result);
      if (ok && j) {
         sgt_json_object(j, NULL, false);
         sgt_json_u64(j, "frame", frame->number);
         ok = sim_nv20_counters(j, &result);
         sgt_json_end(j);
      }
   }
   if (j) {
      sgt_json_end(j);
      sgt_json_end(j);
   }
   return ok;
}

static bool
run_frames(const struct sim_frames *frames, const struct sim_points *points,
           const struct sim_options *o, FILE *fp)
{
   struct sgt_vertex_stream *streams = calloc(frames->count, sizeof *streams);
   struct sgt_json json = { .fp = fp }, *j = fp ? &json : NULL;
   char error[256] = "out of memory";
   bool ok = streams != NULL;

   for (uint32_t i = 0; ok && i < frames->count; i++)
      ok = sgt_vertex_stream_add_work(&streams[i], frames->frames[i].work, error, sizeof error);
   if (!ok)
      fprintf(stderr, "sgpu: %s: %s\n", o->captures[0], error);
   if (j) {
      sgt_json_object(j, NULL, false);
      sgt_json_string(j, "format", "sgpu-sim-nv20");
      sgt_json_u64(j, "version", 1);
      sgt_json_parameters(j, &o->config);
      sgt_json_array(j, "points", false);
   }
   for (uint32_t i = 0; ok && i < points->count; i++)
      ok = run_point(j, frames, streams, &points->points[i], o, !fp || fp != stdout);
   if (j) {
      sgt_json_end(j);
      sgt_json_end(j);
   }
   for (uint32_t i = 0; streams && i < frames->count; i++)
      sgt_vertex_stream_finish(&streams[i]);
   free(streams);
   return ok;
}

int
sim_nv20_frames(const struct sim_options *o, const struct sim_points *points, sim_load *load)
{
   struct sim_output out = { .fp = NULL };
   struct sim_frames frames;

   if (o->json && !sim_output_open(&out, o->json, o->force))
      return 1;
   bool ok = sim_frames_load(&frames, o, o->captures[0], load) &&
             run_frames(&frames, points, o, out.fp);
   sim_frames_free(&frames);
   if (ok)
      return sim_output_close(&out) ? 0 : 1;
   sim_output_discard(&out);
   return 1;
}
