/* SPDX-License-Identifier: MIT */
/* Runs the points of a sweep on the engine of 1999.  A unit of work is the run of one frame at one
 * point.  All units share the traces, which are read-only.
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "sim.h"

struct work {
   struct sim_run *run;
   const struct sim_options *options;
   struct sgt_timeline *timeline;
   /* Set if the results must keep their time series and operations because an output file contains
    * them.
    */
   bool keep;
};

static void
drop_arrays(struct sgt_engine_result *r)
{
   /* sgt_engine_result_finish() frees the rest. */
   free(r->series);
   r->series = NULL;
   r->intervals = 0;
   free(r->operations);
   r->operations = NULL;
   r->num_operations = 0;
   free(r->busy_cycles);
   r->busy_cycles = NULL;
   free(r->candidate_cycles);
   r->candidate_cycles = NULL;
}

static bool
run_unit(struct sim_work *work, uint64_t unit, char *error, size_t error_size)
{
   struct work *w = work->data;
   const struct sim_frames *frames = w->run->frames;
   const uint32_t frame = unit % frames->count, point = unit / frames->count;
   const struct sgt_config *config = &w->run->points->points[point].config;
   const struct sgt_trace *trace = sim_frame_trace(&frames->frames[frame], config);
   struct sgt_engine_result *result = &w->run->results[point].frames[frame];
   struct sim_verified *verified = w->options->verify ? &w->run->results[point].verified[frame]
                                                      : NULL;
   struct sgt_engine_observer observer = { 0 };
   struct sgt_shadow *shadow = NULL;
   struct sim_both both;
   struct sgt_engine_params params;

   if (!sgt_config_engine(config, &params, error, error_size))
      return false;
   params.shuffle = w->options->shuffle != 0;
   params.shuffle_seed = w->options->shuffle;
   if (w->timeline)
      observer = sgt_timeline_begin(w->timeline, frames->frames[frame].number, trace,
                                    params.accelerators);
   if (verified) {
      const struct sim_frame *f = &frames->frames[frame];
      shadow = sgt_shadow_create(f->plan, f->image, f->trace->states, params.breaking);
      if (!shadow) {
         snprintf(error, error_size, "--verify: out of memory");
         return false;
      }
      both = (struct sim_both){ observer, sgt_shadow_observer(shadow) };
      observer = w->timeline ? sim_both_observe(&both) : both.second;
   }
   bool ok = sgt_engine_run(trace, &params, w->timeline || shadow ? &observer : NULL, result, error,
                            error_size);
   if (!ok)
      memset(result, 0, sizeof *result);
   else if (shadow)
      ok = sim_verify_finish(shadow, &frames->frames[frame], w->options, point, verified, error,
                             error_size);
   sgt_shadow_destroy(shadow);
   if (!ok)
      return false;
   if (!w->keep)
      drop_arrays(result);
   return true;
}

static bool
make_results(struct sim_run *run, bool verify)
{
   run->results = calloc(run->points->count, sizeof *run->results);
   for (uint32_t i = 0; run->results && i < run->points->count; i++) {
      run->results[i].frames = calloc(run->frames->count, sizeof *run->results[i].frames);
      if (verify)
         run->results[i].verified = calloc(run->frames->count, sizeof *run->results[i].verified);
      if (!run->results[i].frames || (verify && !run->results[i].verified))
         return false;
   }
   return run->results != NULL;
}

bool
sim_run_all(struct sim_run *run, const struct sim_options *o, struct sgt_timeline *timeline)
{
   struct work data = {
      .run = run,
      .options = o,
      .timeline = timeline,
      .keep = run->points->count == 1 || o->draws || o->over_time || o->csv_draws ||
              o->csv_intervals,
   };
   struct sim_work w = {
      .count = (uint64_t)run->points->count * run->frames->count,
      /* Use one thread if there is a timeline, since frames must be written to it in order. */
      .threads = timeline ? 1 : o->threads,
      .quiet = o->quiet,
      .data = &data,
      .run = run_unit,
   };

   if (!make_results(run, o->verify)) {
      fprintf(stderr, "sgpu: out of memory\n");
      return false;
   }
   if (!sim_work_run(&w)) {
      if (w.failed != UINT64_MAX)
         fprintf(stderr, "sgpu: frame %" PRIu64 ": %s\n",
                 run->frames->frames[w.failed % run->frames->count].number, w.error);
      return false;
   }
   run->run_ns = w.run_ns;
   for (uint32_t i = 0; i < run->points->count; i++) {
      for (uint32_t f = 0; f < run->frames->count; f++) {
         run->results[i].cycles += run->results[i].frames[f].cycles;
         run->results[i].work += run->results[i].frames[f].work;
      }
   }
   return true;
}

void
sim_run_free(struct sim_run *run)
{
   for (uint32_t i = 0; run->results && i < run->points->count; i++) {
      for (uint32_t f = 0; run->results[i].frames && f < run->frames->count; f++)
         sgt_engine_result_finish(&run->results[i].frames[f]);
      for (uint32_t f = 0; run->results[i].verified && f < run->frames->count; f++)
         free(run->results[i].verified[f].text);
      free(run->results[i].verified);
      free(run->results[i].frames);
   }
   free(run->results);
   run->results = NULL;
}

bool
sim_run_is_wrong(const struct sim_run *run)
{
   for (uint32_t i = 0; i < run->points->count; i++) {
      if (run->points->points[i].config.engine.breaking == SGT_BREAK_PAPER)
         continue;
      for (uint32_t f = 0; run->results[i].verified && f < run->frames->count; f++) {
         if (!run->results[i].verified[f].report.proved)
            return true;
      }
   }
   return false;
}
