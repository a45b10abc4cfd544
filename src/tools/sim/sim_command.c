/* SPDX-License-Identifier: MIT */
/* The command sgpu sim. The options select which model it runs on which input. */
#include <stdio.h>

#include "sim_microbenchmark.h"
#include "sim_sample.h"

/* Returns false, after printing a message, if the points are incompatible with the options. In
 * particular, --verify needs all items.
 */
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
   /* With chip.model=nv20, the model is also needed for frames, where --microbenchmark is not
    * given.
    */
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
