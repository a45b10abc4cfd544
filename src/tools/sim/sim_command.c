/* SPDX-License-Identifier: MIT */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "sim_microbenchmark.h"
#include "sim_sample.h"
#include "util/macros.h"

bool
sim_frames_add(struct sim_frames *frames, uint64_t number, struct sgt_trace *trace)
{
   struct sim_frame *more = realloc(frames->frames, (frames->count + 1) * sizeof *more);

   if (!more) {
      fprintf(stderr, "sgpu: out of memory\n");
      sgt_trace_destroy(trace);
      return false;
   }
   frames->frames = more;
   more[frames->count] = (struct sim_frame){ .number = number, .trace = trace };
   sgt_frame_facts_count(&more[frames->count].facts, number, trace);
   frames->count++;
   return true;
}

void
sim_frames_see(struct sim_frames *frames, uint64_t number)
{
   frames->first_there = MIN2(number, frames->first_there);
   frames->last_there = MAX2(number, frames->last_there);
}

bool
sim_frames_load(struct sim_frames *frames, const struct sim_options *o, const char *path,
                sim_load *load)
{
   *frames = (struct sim_frames){ .first_there = UINT64_MAX };
   if (!load(frames, o, path))
      return false;
   if (frames->count)
      return true;
   if (frames->first_there > frames->last_there)
      fprintf(stderr, "sgpu: %s: no such frame: the file has none\n", path);
   else
      fprintf(stderr,
              "sgpu: %s: no such frame: the file has frames from %" PRIu64 " to %" PRIu64 "%s\n",
              path, frames->first_there, frames->last_there,
              frames->last_there > o->last_frame ? ", or more" : "");
   return false;
}

void
sim_frames_free(struct sim_frames *frames)
{
   for (uint32_t i = 0; i < frames->count; i++) {
      for (unsigned n = 0; n < ARRAY_SIZE(frames->frames[i].filtered); n++)
         sim_filter_destroy(frames->frames[i].filtered[n]);
      sgt_audit_plan_destroy(frames->frames[i].plan);
      sgpu_shadow_image_destroy(frames->frames[i].image);
      sgt_work_destroy(frames->frames[i].work);
      sgt_trace_destroy(frames->frames[i].trace);
   }
   free(frames->frames);
   *frames = (struct sim_frames){ 0 };
}

bool
sim_frames_filter(struct sim_frames *frames, const struct sgt_config *config)
{
   const uint64_t items = config->engine.items;

   for (uint32_t i = 0; i < frames->count && items != SGT_FETCH_ITEMS_ALL; i++) {
      struct sim_frame *frame = &frames->frames[i];
      if (!frame->filtered[items])
         frame->filtered[items] = sim_filter_create(frame->trace, items);
      if (!frame->filtered[items]) {
         fprintf(stderr, "sgpu: out of memory\n");
         return false;
      }
   }
   return true;
}

const struct sgt_trace *
sim_frame_trace(const struct sim_frame *frame, const struct sgt_config *config)
{
   const uint64_t items = config->engine.items;

   return items == SGT_FETCH_ITEMS_ALL ? frame->trace : frame->filtered[items];
}

/* Returns false after a message if the points do not fit the options: --verify needs all items. */
static bool
check_points(const struct sim_options *o, const struct sim_points *points)
{
   if (!sim_chip_check(o, points))
      return false;
   for (uint32_t i = 0; o->verify && i < points->count; i++) {
      if (points->points[i].config.engine.items != SGT_FETCH_ITEMS_ALL) {
         fprintf(stderr,
                 "sgpu: sim: --verify needs fetch.items=all: without the others the picture "
                 "cannot be the same\n");
         return false;
      }
   }
   return true;
}

static bool
run(const struct sim_options *o, struct sim_frames *frames, const struct sim_points *points,
    struct sim_outputs *out, bool *wrong)
{
   struct sim_run r = { .frames = frames, .points = points };
   struct sgt_timeline *timeline = NULL;
   bool ok = true;

   if (o->config.chip.model == SGT_CHIP_MODEL_G80)
      return sim_chip_run(o, frames, points, out, wrong);
   if (out->timeline.fp) {
      timeline = sgt_timeline_create(out->timeline.fp);
      ok = timeline != NULL;
      if (!ok)
         fprintf(stderr, "sgpu: out of memory\n");
   }
   for (uint32_t i = 0; ok && i < points->count; i++)
      ok = sim_frames_filter(frames, &points->points[i].config);
   ok = ok && (!o->verify || sim_verify_prepare(frames));
   ok = ok && sim_run_all(&r, o, timeline);
   if (timeline && !sgt_timeline_finish(timeline) && ok) {
      fprintf(stderr, "sgpu: %s: out of memory\n", o->timeline);
      ok = false;
   }
   if (ok)
      sim_report(&r, o, out);
   *wrong = ok && sim_run_is_wrong(&r);
   sim_run_free(&r);
   return ok;
}

int
sim_command(int argc, char **argv, sim_load *load)
{
   struct sim_frames frames = { 0 };
   struct sim_points points = { 0 };
   struct sim_outputs out;
   struct sim_options o;
   char error[512];

   int status = sim_options_parse(&o, argc, argv);
   if (status >= 0)
      return status;
   const bool chip = o.config.chip.model == SGT_CHIP_MODEL_G80;
   if (o.bench && chip && o.verify) {
      fprintf(stderr, "sgpu: bench sim: --verify needs chip.model=engine\n");
      sim_options_free(&o);
      return 2;
   }
   if (o.list_params || o.bench) {
      if (o.list_params)
         sgt_config_write(&o.config, stdout);
      status = !o.bench ? 0 : chip ? sim_chip_bench(&o, load) : sim_bench(&o, load);
      sim_options_free(&o);
      return status;
   }

   const bool made = o.sensitivity ? sim_points_sensitivity(&points, &o.config, error, sizeof error)
                                   : sim_points_product(&points, &o.config, o.sweeps, o.num_sweeps,
                                                        error, sizeof error);
   if (!made)
      fprintf(stderr, "sgpu: sim: %s\n", error);
   /* Also applies to frames on chip.model=nv20, which have no --microbenchmark. */
   const struct sim_microbenchmark *model = o.config.chip.model == SGT_CHIP_MODEL_NV20
                                               ? &sim_nv20
                                               : o.microbenchmark;
   if (made && o.sensitivity && model)
      sim_points_keep(&points, model);
   if (made && o.microbenchmark) {
      status = sim_microbenchmark_run(&o, &points, load);
      sim_points_free(&points);
      sim_options_free(&o);
      return status;
   }
   if (!made || !check_points(&o, &points)) {
      sim_points_free(&points);
      sim_options_free(&o);
      return 2;
   }
   if (o.config.chip.model == SGT_CHIP_MODEL_NV20) {
      status = sim_nv20_frames(&o, &points, load);
      sim_points_free(&points);
      sim_options_free(&o);
      return status;
   }
   bool wrong = false;
   status = 1;
   if (sim_outputs_open(&out, &o)) {
      if (o.sample ? sim_sample(&o, &out)
                   : sim_frames_load(&frames, &o, o.captures[0], load) &&
                        run(&o, &frames, &points, &out, &wrong))
         status = sim_outputs_close(&out) && !wrong ? 0 : 1;
      else
         sim_outputs_discard(&out);
   }
   sim_frames_free(&frames);
   sim_points_free(&points);
   sim_options_free(&o);
   return status;
}
