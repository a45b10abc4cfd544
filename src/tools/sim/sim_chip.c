/* SPDX-License-Identifier: MIT */
/* sgpu sim with chip.model=g80: simulates frames on a whole chip.  A unit of work is the run of one
 * frame at one point.  The thread that runs a unit also formats its text for all outputs, because
 * the statistics are freed together with the chip.  The texts are written to the files in the order
 * of the units.
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "report/sgt_chip_report.h"
#include "report/sgt_chrome.h"
#include "config/sgt_config.h"
#include "kernel/sgt_stats.h"
#include "sim.h"
#include "util/macros.h"

#define MAX_INTERVALS 1024
#define TOP_DRAWS 10
/* JSON nesting depth of an element of points[].frames[]. */
#define FRAMES_DEPTH 4

enum text { TEXT_JSON, TEXT_CSV, TEXT_DRAWS, TEXT_INTERVALS, TEXT_TIMELINE, TEXT_PEOPLE, TEXTS };

struct texts {
   char *text[TEXTS];
   char *titles[TEXTS]; /* column titles of the first unit; NULL in all other units */
   uint64_t cycles;     /* number of core cycles of the run */
};

struct chip_run {
   const struct sim_options *o;
   const struct sim_frames *frames;
   const struct sim_points *points;
   struct sim_outputs *out;
   FILE *files[TEXTS]; /* open output files, or NULL */
   /* draws: true if the JSON output contains draws; over_time: true if it contains intervals */
   bool draws, over_time;
   struct texts *units;           /* output texts of each run, i.e. of each frame at each point */
   struct sim_verified *verified; /* verification result of each run, or NULL without --verify */
   uint64_t *cycles;              /* total number of cycles of each point */
   struct sgt_json json;
   bool events; /* true if the timeline file already contains events */
};

/* A unit of work, while a thread runs it. */
struct unit {
   struct chip_run *run;
   struct sim_work *work;
   const struct sim_frame *frame;
   uint32_t point;
   uint64_t warps; /* number of finished warps that were already reported as progress */
   struct texts *texts;
   struct sim_verified *verified; /* verification result, or NULL without --verify */
};

bool
sim_chip_check(const struct sim_options *o, const struct sim_points *points)
{
   const uint64_t model = o->config.chip.model;

   for (uint32_t i = 0; i < points->count; i++) {
      const struct sgt_config *config = &points->points[i].config;
      if (config->chip.model != model) {
         fprintf(stderr, "sgpu: sim: chip.model must be the same at all points\n");
         return false;
      }
      if (model == SGT_CHIP_MODEL_G80 && (o->csv || o->csv_draws || o->csv_intervals) &&
          config->chip.core != points->points[0].config.chip.core) {
         fprintf(stderr, "sgpu: sim: CSV has one set of columns, and chip.core is not the same at "
                         "all points; use --json, or a run for each kind of core\n");
         return false;
      }
   }
   return true;
}

/* Prints a row of the table that compares the points of a sweep. */
static void
print_line(FILE *fp, const struct unit *u, const struct sgt_chip_report *r)
{
   sim_print_sweep(fp, u->run->o, &u->run->points->points[u->point].config);
   fprintf(fp, "%8" PRIu64 " %12" PRIu64 " %12" PRIu64 " %9" PRIu64 ".%03" PRIu64 "  ",
           u->frame->number, r->result->cycles, r->result->sm_cycles, r->result->ns / 1000000,
           r->result->ns / 1000 % 1000);
   const uint32_t busiest = sgt_chip_busiest(r->result, r->total);
   if (busiest != UINT32_MAX) {
      const struct sgt_chip_class *c = &r->result->classes[busiest];
      const struct sgt_chip_use use = sgt_chip_use(c, r->total);
      fprintf(fp, "%s (%.1f %%)", c->name, 100.0 * use.work / use.all);
   }
   fputc('\n', fp);
}

static bool
write_text(FILE *fp, enum text kind, const struct unit *u, const struct sgt_chip_report *r,
           const char *cells)
{
   const struct chip_run *run = u->run;
   struct sgt_json j = sgt_json_fragment(fp, FRAMES_DEPTH);

   switch (kind) {
   case TEXT_JSON:
      sgt_json_object(&j, NULL, false);
      sgt_chip_json(&j, r, run->draws, run->over_time);
      if (u->verified)
         sim_verify_json(&j, &u->verified->report);
      sgt_json_end(&j);
      break;
   case TEXT_CSV:
      fputs(cells, fp);
      sgt_chip_csv_frame(fp, r);
      break;
   case TEXT_DRAWS:
      sgt_chip_csv_draws(fp, cells, r);
      break;
   case TEXT_INTERVALS:
      sgt_chip_csv_intervals(fp, cells, r);
      break;
   case TEXT_TIMELINE:
      return sgt_chip_timeline(fp, r);
   default:
      if (run->points->count > 1) {
         print_line(fp, u, r);
         break;
      }
      if (u->frame != run->frames->frames)
         fputc('\n', fp);
      sgt_chip_text_frame(fp, r, run->o->draws ? 0 : TOP_DRAWS);
      if (run->frames->count == 1 || run->o->over_time)
         sgt_chip_text_over_time(fp, r);
      if (run->o->draws)
         sgt_chip_text_draws(fp, r);
   }
   return true;
}

static bool
write_titles(struct unit *u, const struct sgt_chip_result *r)
{
   static void (*const headers[TEXTS])(FILE * fp, const struct sgt_chip_result *r) = {
      [TEXT_CSV] = sgt_chip_csv_frame_header,
      [TEXT_DRAWS] = sgt_chip_csv_draw_header,
      [TEXT_INTERVALS] = sgt_chip_csv_interval_header,
   };
   const struct chip_run *run = u->run;
   char *cells = sim_make_cells(run->points, run->o->captures[0], UINT32_MAX);
   bool ok = cells != NULL;

   for (unsigned i = 0; ok && i < TEXTS; i++) {
      size_t size;
      if (!headers[i] || !run->files[i])
         continue;
      FILE *fp = open_memstream(&u->texts->titles[i], &size);
      ok = fp != NULL;
      if (!ok)
         break;
      fputs(cells, fp);
      headers[i](fp, r);
      ok = !fclose(fp);
   }
   free(cells);
   return ok;
}

static bool
write_texts(struct unit *u, const struct sgt_chip_report *r, char *error, size_t error_size)
{
   const struct chip_run *run = u->run;
   char *cells = sim_make_cells(run->points, run->o->captures[0], u->point);
   bool ok = cells && (u->texts != run->units || write_titles(u, r->result));

   for (unsigned i = 0; ok && i < TEXTS; i++) {
      size_t size;
      if (!run->files[i])
         continue;
      FILE *fp = open_memstream(&u->texts->text[i], &size);
      ok = fp != NULL;
      if (!ok)
         break;
      ok = write_text(fp, i, u, r, cells);
      ok = !fclose(fp) && ok;
   }
   free(cells);
   if (!ok)
      snprintf(error, error_size, "out of memory");
   return ok;
}

/* Returns how many parts an operation adds to the progress, in addition to its warps.  Each warp is
 * one part.  So are 64 pixels of a transfer, since these take about as much time as a warp.
 */
static uint64_t
weight(const struct sim_frame *frame, uint32_t operation)
{
   const struct sgt_operation *op = &frame->trace->operations[operation];
   uint64_t pixels = 0;

   for (uint32_t i = 0; i < op->num_items; i++) {
      const struct sgt_item *item = &frame->trace->items[op->first_item + i];
      pixels += item->kind == SGT_ITEM_DIRECT ? 0 : item->pixels;
   }
   return 1 + pixels / 64;
}

static void
operation_ended(void *data, uint32_t operation)
{
   const struct unit *u = data;
   sim_work_parts(u->work, weight(u->frame, operation));
}

static void
warps_ended(void *data, uint64_t warps)
{
   struct unit *u = data;
   sim_work_parts(u->work, warps - u->warps);
   u->warps = warps;
}

static bool
report(struct unit *u, struct sgt_chip *chip, const struct sgt_chip_result *result, char *error,
       size_t error_size)
{
   uint64_t *total = calloc(result->num_values, sizeof *total);
   struct sgt_stats stats;

   sgt_stats_init(&stats);
   sgt_chip_register(chip, &stats);
   bool ok = total && !stats.out_of_memory;
   if (!ok)
      snprintf(error, error_size, "out of memory");
   ok = ok && sgt_stats_check(&stats, error, error_size);
   if (ok) {
      sgt_chip_result_total(result, total);
      ok = write_texts(u,
                       &(struct sgt_chip_report){
                          .facts = &u->frame->facts,
                          .trace = u->frame->trace,
                          .work = u->frame->work,
                          .result = result,
                          .total = total,
                          .stats = &stats,
                       },
                       error, error_size);
   }
   sgt_stats_finish(&stats);
   free(total);
   return ok;
}

static bool
run_unit(struct sim_work *w, uint64_t unit, char *error, size_t error_size)
{
   struct chip_run *run = w->data;
   struct unit u = {
      .run = run,
      .work = w,
      .frame = &run->frames->frames[unit % run->frames->count],
      .point = unit / run->frames->count,
      .texts = &run->units[unit],
      .verified = run->verified ? &run->verified[unit] : NULL,
   };
   const struct sgt_config *config = &run->points->points[u.point].config;
   const struct sgt_chip_observe observe = {
      .stacks = true,
      .interval = run->over_time || run->files[TEXT_INTERVALS] || run->files[TEXT_TIMELINE]
                     ? config->run.interval
                     : 0,
      .max_intervals = MAX_INTERVALS,
      .ended = operation_ended,
      .warps = warps_ended,
      .data = &u,
   };
   struct sgt_chip_result result = { 0 };
   struct sgt_chip_shadow *shadow = NULL;
   struct sgt_chip_params params;

   if (!u.frame->work) {
      snprintf(error, error_size, "the frame has no record of what programs do");
      return false;
   }
   if (!sgt_config_chip(config, &params, error, error_size))
      return false;
   params.shuffle = run->o->shuffle != 0;
   params.shuffle_seed = run->o->shuffle;
   if (u.verified && !(shadow = sim_verify_chip(u.frame, &params, error, error_size)))
      return false;
   struct sgt_chip *chip = sgt_chip_create(&params, u.frame->trace, u.frame->work, error,
                                           error_size);
   bool ok = chip != NULL;
   if (ok && !sgt_chip_observe(chip, &observe, &result)) {
      snprintf(error, error_size, "out of memory");
      ok = false;
   }
   ok = ok && sgt_chip_run(chip, error, error_size);
   ok = ok && (!shadow || sim_verify_finish(sgt_chip_shadow_end(shadow), u.frame, run->o, u.point,
                                            u.verified, error, error_size));
   ok = ok && report(&u, chip, &result, error, error_size);
   u.texts->cycles = result.cycles;
   sgt_chip_destroy(chip);
   sgt_chip_shadow_destroy(shadow);
   sgt_chip_result_finish(&result);
   return ok;
}

static void
free_text(struct texts *t, enum text kind)
{
   free(t->text[kind]);
   free(t->titles[kind]);
   t->text[kind] = t->titles[kind] = NULL;
}

static void
unit_done(struct sim_work *w, uint64_t unit)
{
   struct chip_run *run = w->data;
   struct texts *t = &run->units[unit];
   const uint32_t point = unit / run->frames->count, frame = unit % run->frames->count;

   run->cycles[point] += t->cycles;
   if (run->json.fp && !frame) {
      const struct sim_point *p = &run->points->points[point];
      sgt_json_object(&run->json, NULL, false);
      sim_json_changes(&run->json, p);
      sgt_json_parameters(&run->json, &p->config);
      sgt_json_array(&run->json, "frames", false);
   }
   for (unsigned i = 0; i < TEXTS; i++) {
      if (i == TEXT_JSON && run->json.fp) {
         sgt_json_add(&run->json, t->text[i]);
      } else if (run->files[i]) {
         fputs(i == TEXT_TIMELINE && run->events ? "," : "", run->files[i]);
         run->events |= i == TEXT_TIMELINE;
         fputs(t->titles[i] ? t->titles[i] : "", run->files[i]);
         fputs(t->text[i], run->files[i]);
      }
      free_text(t, i);
   }
   if (run->json.fp && frame + 1 == run->frames->count) {
      sgt_json_end(&run->json);
      sgt_json_end(&run->json);
   }
}

static void
begin_files(struct chip_run *run)
{
   struct sgt_json *j = &run->json;

   if (run->files[TEXT_TIMELINE])
      sgt_chrome_open(run->files[TEXT_TIMELINE]);
   if (!j->fp)
      return;
   sgt_json_object(j, NULL, false);
   sgt_json_string(j, "format", "sgpu-sim-chip");
   sgt_json_u64(j, "version", 1);
   sgt_json_string(j, "model", "g80");
   sgt_json_object(j, "capture", true);
   sgt_json_string(j, "file", sim_base_name(run->o->captures[0]));
   sgt_json_string(j, "program", run->frames->program);
   sgt_json_end(j);
   sgt_json_array(j, "points", false);
}

static void
end_files(struct chip_run *run)
{
   if (run->json.fp) {
      sgt_json_end(&run->json);
      sgt_json_end(&run->json);
   }
   if (run->files[TEXT_TIMELINE])
      sgt_chrome_close(run->files[TEXT_TIMELINE]);
}

static void
print_people(const struct chip_run *run, const char *text, uint64_t run_ns)
{
   const struct sim_options *o = run->o;
   uint64_t cycles = 0;

   for (uint32_t i = 0; i < run->points->count; i++)
      cycles += run->cycles[i];
   if (o->sensitivity) {
      sim_print_sensitivity(run->points, run->cycles);
   } else {
      if (run->points->count > 1) {
         sim_print_sweep(stdout, o, NULL);
         printf("%8s %12s %12s %13s  %s\n", "frame", "core cycles", "SM cycles", "ms", "busiest");
      }
      fputs(text, stdout);
   }
   printf("\n%" PRIu64 " core cycles simulated, %.2f million a second and thread\n", cycles,
          run_ns ? cycles * 1e3 / run_ns : 0);
}

/* Prints the results of --verify.  Returns false if there is a difference. */
static bool
print_verified(const struct chip_run *run, uint64_t count)
{
   uint64_t proved = 0;

   for (uint64_t i = 0; i < count; i++)
      proved += sim_verify_print(&run->verified[i], &run->frames->frames[i % run->frames->count],
                                 run->o, i / run->frames->count,
                                 count > 1 || sim_outputs_on_stdout(run->out));
   if (count > 1 && !sim_outputs_on_stdout(run->out))
      printf("%" PRIu64 " of %" PRIu64 " runs verified\n", proved, count);
   return proved == count;
}

static bool
run_all(struct chip_run *run, struct sim_work *w)
{
   begin_files(run);
   if (!sim_work_run(w)) {
      if (w->failed != UINT64_MAX)
         fprintf(stderr, "sgpu: frame %" PRIu64 ": %s\n",
                 run->frames->frames[w->failed % run->frames->count].number, w->error);
      return false;
   }
   end_files(run);
   return true;
}

bool
sim_chip_run(const struct sim_options *o, struct sim_frames *frames,
             const struct sim_points *points, struct sim_outputs *out, bool *wrong)
{
   const bool single = points->count == 1;
   char *people = NULL;
   size_t size;
   struct chip_run run = {
      .o = o,
      .frames = frames,
      .points = points,
      .out = out,
      .files = { out->json.fp, out->csv.fp, out->csv_draws.fp, out->csv_intervals.fp,
                 out->timeline.fp },
      .draws = single || o->draws,
      .over_time = single || o->over_time,
      .json.fp = out->json.fp,
   };
   struct sim_work w = {
      .count = (uint64_t)points->count * frames->count,
      .threads = o->threads,
      .quiet = o->quiet,
      .data = &run,
      .run = run_unit,
      .done = unit_done,
   };

   for (uint32_t i = 0; i < frames->count; i++) {
      const struct sim_frame *frame = &frames->frames[i];
      for (uint32_t op = 0; frame->work && op < frame->trace->num_operations; op++)
         w.parts += weight(frame, op);
      w.parts += frame->work ? frame->work->num_warps : 0;
   }
   w.parts *= points->count;
   run.units = calloc(w.count, sizeof *run.units);
   run.cycles = calloc(points->count, sizeof *run.cycles);
   run.verified = o->verify ? calloc(w.count, sizeof *run.verified) : NULL;
   run.files[TEXT_PEOPLE] = open_memstream(&people, &size);
   bool ok = run.units && run.cycles && run.files[TEXT_PEOPLE] && (run.verified || !o->verify);
   if (!ok)
      fprintf(stderr, "sgpu: out of memory\n");
   ok = ok && (!o->verify || sim_verify_prepare(frames)) && run_all(&run, &w);
   if (run.files[TEXT_PEOPLE])
      fclose(run.files[TEXT_PEOPLE]);
   if (ok && !sim_outputs_on_stdout(out))
      print_people(&run, people, w.run_ns);
   if (ok && o->verify)
      *wrong |= !print_verified(&run, w.count);
   for (uint64_t i = 0; run.units && i < w.count; i++) {
      for (unsigned n = 0; n < TEXTS; n++)
         free_text(&run.units[i], n);
      if (run.verified)
         free(run.verified[i].text);
   }
   free(run.verified);
   free(run.units);
   free(run.cycles);
   free(people);
   return ok;
}
