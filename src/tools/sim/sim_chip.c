/* SPDX-License-Identifier: MIT */
/*
 * sgpu sim with chip.model=g80: frames on a whole chip.
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "sgt_config_chip.h"
#include "sgt_stats.h"
#include "sim.h"
#include "util/macros.h"

bool
sim_chip_check(const struct sim_options *o, const struct sim_points *points)
{
   const struct {
      const char *name;
      bool given;
   } options[] = {
      { "--csv", o->csv && !o->sample },
      { "--csv-draws", o->csv_draws },
      { "--csv-intervals", o->csv_intervals },
      { "--timeline", o->timeline },
      { "--verify", o->verify },
      { "--draws", o->draws },
      { "--over-time", o->over_time },
   };
   const uint64_t model = o->config.v.chip.model;

   for (uint32_t i = 0; i < points->count; i++) {
      if (points->points[i].config.v.chip.model == model)
         continue;
      fprintf(stderr, "sgpu: sim: chip.model must be the same at all points\n");
      return false;
   }
   for (unsigned i = 0; model == SGT_CHOICE_CHIP_MODEL_G80 && i < ARRAY_SIZE(options); i++) {
      if (!options[i].given)
         continue;
      fprintf(stderr, "sgpu: sim: %s: chip.model=g80 does not have it; it has text and --json\n",
              options[i].name);
      return false;
   }
   return true;
}

static void
put_stat(struct sgt_json *j, const struct sgt_stat *s)
{
   uint32_t num = s->num;

   switch (s->kind) {
   case SGT_STAT_COUNT:
      sgt_json_u64(j, s->name, s->values[0]);
      break;
   case SGT_STAT_PARTS:
      sgt_json_object(j, s->name, true);
      for (uint32_t i = 0; i < num; i++)
         sgt_json_u64(j, s->names[i], s->values[i]);
      sgt_json_end(j);
      break;
   default:
      while (num && !s->values[num - 1])
         num--;
      sgt_json_array(j, s->name, true);
      for (uint32_t i = 0; i < num; i++)
         sgt_json_u64(j, NULL, s->values[i]);
      sgt_json_end(j);
   }
}

/* An object for each unit: its statistics stand one after the other. */
static void
put_stats(struct sgt_json *j, const struct sgt_stats *stats)
{
   const char *unit = NULL;

   sgt_json_object(j, "units", false);
   for (uint32_t i = 0; i < stats->num; i++) {
      const struct sgt_stat *s = &stats->stats[i];
      if (!unit || strcmp(unit, s->unit)) {
         if (unit)
            sgt_json_end(j);
         sgt_json_object(j, s->unit, false);
         unit = s->unit;
      }
      put_stat(j, s);
   }
   if (unit)
      sgt_json_end(j);
   sgt_json_end(j);
}

/* States of units, in percent of their cycles. */
static void
print_states(const struct sgt_stats *stats)
{
   for (uint32_t i = 0; i < stats->num; i++) {
      const struct sgt_stat *s = &stats->stats[i];
      if (s->kind != SGT_STAT_PARTS || !s->total || strcmp(s->of, "cycles"))
         continue;
      printf("  %-16s %-14s", s->unit, s->name);
      for (uint32_t k = 0; k < s->num; k++) {
         const uint64_t permille = (s->values[k] * 1000 + s->total / 2) / s->total;
         if (permille)
            printf(" %s %" PRIu64 ".%" PRIu64 "%%", s->names[k], permille / 10, permille % 10);
      }
      printf("\n");
   }
}

static bool
run_frame(const struct sim_options *o, const struct sim_frame *frame,
          const struct sgt_config *config, struct sgt_json *j, char *error, size_t error_size)
{
   struct sgt_chip_params params;
   struct sgt_stats stats;

   if (!frame->work) {
      snprintf(error, error_size, "the frame has no record of what programs do");
      return false;
   }
   if (!sgt_config_chip(config, &params, error, error_size))
      return false;
   params.shuffle = o->shuffle != 0;
   params.shuffle_seed = o->shuffle;
   struct sgt_chip *chip = sgt_chip_create(&params, frame->trace, frame->work, error, error_size);
   if (!chip || !sgt_chip_run(chip, error, error_size)) {
      sgt_chip_destroy(chip);
      return false;
   }
   sgt_stats_init(&stats);
   sgt_chip_register(chip, &stats);
   bool ok = !stats.out_of_memory && sgt_stats_check(&stats, error, error_size);
   if (stats.out_of_memory)
      snprintf(error, error_size, "out of memory");
   const uint64_t ns = sgt_chip_ns(chip);
   if (ok && j) {
      sgt_json_object(j, NULL, false);
      sgt_json_facts(j, &frame->facts);
      sgt_json_u64(j, "cycles", sgt_chip_cycles(chip));
      sgt_json_u64(j, "sm_cycles", sgt_chip_sm_cycles(chip));
      sgt_json_u64(j, "ns", ns);
      put_stats(j, &stats);
      sgt_json_end(j);
   }
   if (ok && !(j && j->fp == stdout)) {
      printf("frame %" PRIu64 ": %" PRIu64 " core cycles, %" PRIu64 " SM cycles, %" PRIu64
             ".%03" PRIu64 " ms, %" PRIu32 " warps\n",
             frame->number, sgt_chip_cycles(chip), sgt_chip_sm_cycles(chip), ns / 1000000,
             ns / 1000 % 1000, frame->work->num_warps);
      print_states(&stats);
   }
   sgt_stats_finish(&stats);
   sgt_chip_destroy(chip);
   return ok;
}

bool
sim_chip_run(const struct sim_options *o, const struct sim_frames *frames,
             const struct sim_points *points, struct sim_outputs *out)
{
   struct sgt_json json = { .fp = out->json.fp };
   struct sgt_json *j = json.fp ? &json : NULL;
   char error[512] = "";
   bool ok = true;

   if (j) {
      sgt_json_object(j, NULL, false);
      sgt_json_string(j, "program", frames->program);
      sgt_json_array(j, "points", false);
   }
   for (uint32_t i = 0; ok && i < points->count; i++) {
      if (j) {
         sgt_json_object(j, NULL, false);
         sgt_json_parameters(j, &points->points[i].config);
         sgt_json_array(j, "frames", false);
      }
      for (uint32_t f = 0; ok && f < frames->count; f++) {
         ok = run_frame(o, &frames->frames[f], &points->points[i].config, j, error, sizeof error);
         if (!ok)
            fprintf(stderr, "sgpu: frame %" PRIu64 ": %s\n", frames->frames[f].number, error);
      }
      if (j) {
         sgt_json_end(j);
         sgt_json_end(j);
      }
   }
   if (j) {
      sgt_json_end(j);
      sgt_json_end(j);
   }
   return ok;
}
