/* SPDX-License-Identifier: MIT */
/* Prints the results as text to stdout, and writes them to the output files. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "sim.h"

bool
sim_outputs_open(struct sim_outputs *out, const struct sim_options *o)
{
   const struct {
      struct sim_output *output;
      const char *path;
   } files[] = {
      { &out->json, o->json },           { &out->csv, o->csv },
      { &out->csv_draws, o->csv_draws }, { &out->csv_intervals, o->csv_intervals },
      { &out->timeline, o->timeline },
   };

   memset(out, 0, sizeof *out);
   for (unsigned i = 0; i < sizeof files / sizeof *files; i++) {
      for (unsigned n = 0; files[i].path && n < i; n++) {
         if (files[n].path && !strcmp(files[n].path, files[i].path)) {
            fprintf(stderr, "sgpu: %s: two outputs would be written there\n", files[i].path);
            sim_outputs_discard(out);
            return false;
         }
      }
      if (files[i].path && !sim_output_open(files[i].output, files[i].path, o->force)) {
         sim_outputs_discard(out);
         return false;
      }
   }
   return true;
}

bool
sim_outputs_close(struct sim_outputs *out)
{
   bool ok = sim_output_close(&out->json);

   ok = sim_output_close(&out->csv) && ok;
   ok = sim_output_close(&out->csv_draws) && ok;
   ok = sim_output_close(&out->csv_intervals) && ok;
   return sim_output_close(&out->timeline) && ok;
}

void
sim_outputs_discard(struct sim_outputs *out)
{
   sim_output_discard(&out->json);
   sim_output_discard(&out->csv);
   sim_output_discard(&out->csv_draws);
   sim_output_discard(&out->csv_intervals);
   sim_output_discard(&out->timeline);
}

bool
sim_outputs_on_stdout(const struct sim_outputs *out)
{
   return out->json.fp == stdout || out->csv.fp == stdout || out->csv_draws.fp == stdout ||
          out->csv_intervals.fp == stdout || out->timeline.fp == stdout;
}

static void
key_name(enum sgt_key key, char *text, size_t size)
{
   snprintf(text, size, "%s.%s", sgt_keys[key].section, sgt_keys[key].name);
}

const char *
sim_base_name(const char *path)
{
   const char *slash = strrchr(path, '/');
   return slash ? slash + 1 : path;
}

void
sim_json_changes(struct sgt_json *j, const struct sim_point *point)
{
   char name[64], value[64];

   sgt_json_object(j, "changes", true);
   for (unsigned i = 0; i < point->num_changes; i++) {
      const struct sim_change *c = &point->changes[i];
      key_name(c->key, name, sizeof name);
      if (sgt_keys[c->key].kind == SGT_VALUE_INT) {
         sgt_json_u64(j, name, c->value);
      } else if (sgt_keys[c->key].kind == SGT_VALUE_BOOL) {
         sgt_json_bool(j, name, c->value);
      } else {
         sgt_config_print_value(c->key, c->value, value, sizeof value);
         sgt_json_string(j, name, value);
      }
   }
   sgt_json_end(j);
}

static void
write_json(FILE *fp, const struct sim_run *run, const struct sim_options *o)
{
   const bool single = run->points->count == 1;
   struct sgt_json j = { .fp = fp };

   sgt_json_object(&j, NULL, false);
   sgt_json_string(&j, "format", "sgpu-sim");
   sgt_json_u64(&j, "version", 1);
   sgt_json_object(&j, "capture", true);
   sgt_json_string(&j, "file", sim_base_name(o->captures[0]));
   sgt_json_string(&j, "program", run->frames->program);
   sgt_json_end(&j);
   sgt_json_array(&j, "frames", false);
   for (uint32_t f = 0; f < run->frames->count; f++) {
      sgt_json_object(&j, NULL, true);
      sgt_json_facts(&j, &run->frames->frames[f].facts);
      sgt_json_end(&j);
   }
   sgt_json_end(&j);
   sgt_json_array(&j, "points", false);
   for (uint32_t i = 0; i < run->points->count; i++) {
      const struct sim_point *point = &run->points->points[i];
      sgt_json_object(&j, NULL, false);
      sim_json_changes(&j, point);
      sgt_json_parameters(&j, &point->config);
      sgt_json_u64(&j, "accelerators", run->results[i].frames[0].accelerators);
      sgt_json_u64(&j, "candidates", run->results[i].frames[0].candidates);
      sgt_json_u64(&j, "cycles", run->results[i].cycles);
      sgt_json_array(&j, "frames", false);
      for (uint32_t f = 0; f < run->frames->count; f++) {
         sgt_json_object(&j, NULL, false);
         sgt_json_result(&j, sim_frame_trace(&run->frames->frames[f], &point->config),
                         &run->results[i].frames[f], single || o->draws, single || o->over_time);
         if (run->results[i].verified)
            sim_verify_json(&j, &run->results[i].verified[f].report);
         sgt_json_end(&j);
      }
      sgt_json_end(&j);
      sgt_json_end(&j);
   }
   sgt_json_end(&j);
   sgt_json_end(&j);
}

/* Writes the first cells of a row.  See sim_make_cells() for these cells. */
static void
write_cells(FILE *fp, const struct sim_points *points, const char *capture, uint32_t point)
{
   char value[64];

   fprintf(fp, "%s", point == UINT32_MAX ? "capture" : sim_base_name(capture));
   for (unsigned key = 0; key < SGT_NUM_KEYS; key++) {
      bool changed = false;
      for (uint32_t i = 0; i < points->count && !changed; i++) {
         for (unsigned n = 0; n < points->points[i].num_changes; n++)
            changed |= points->points[i].changes[n].key == key;
      }
      if (!changed)
         continue;
      if (point == UINT32_MAX)
         key_name(key, value, sizeof value);
      else
         sgt_config_print_value(key, sgt_config_get(&points->points[point].config, key), value,
                                sizeof value);
      fprintf(fp, ",%s", value);
   }
}

char *
sim_make_cells(const struct sim_points *points, const char *capture, uint32_t point)
{
   char *text = NULL;
   size_t size;
   FILE *fp = open_memstream(&text, &size);

   if (!fp)
      return NULL;
   write_cells(fp, points, capture, point);
   fclose(fp);
   return text;
}

static void
write_csv(const struct sim_run *run, const struct sim_options *o, struct sim_outputs *out)
{
   const struct {
      FILE *fp;
      void (*header)(FILE *fp);
   } tables[] = {
      { out->csv.fp, sgt_csv_frame_header },
      { out->csv_draws.fp, sgt_csv_draw_header },
      { out->csv_intervals.fp, sgt_csv_interval_header },
   };
   for (unsigned i = 0; i < 3; i++) {
      if (tables[i].fp) {
         write_cells(tables[i].fp, run->points, o->captures[0], UINT32_MAX);
         tables[i].header(tables[i].fp);
      }
   }
   for (uint32_t i = 0; i < run->points->count; i++) {
      char *cells = sim_make_cells(run->points, o->captures[0], i);
      for (uint32_t f = 0; cells && f < run->frames->count; f++) {
         const struct sim_frame *frame = &run->frames->frames[f];
         const struct sgt_engine_result *r = &run->results[i].frames[f];
         if (out->csv.fp) {
            fputs(cells, out->csv.fp);
            sgt_csv_frame(out->csv.fp, &frame->facts, r);
         }
         if (out->csv_draws.fp)
            sgt_csv_draws(out->csv_draws.fp, cells, &frame->facts,
                          sim_frame_trace(frame, &run->points->points[i].config), r);
         if (out->csv_intervals.fp)
            sgt_csv_intervals(out->csv_intervals.fp, cells, &frame->facts, r);
      }
      free(cells);
   }
}

static void
print_detail(const struct sim_run *run, const struct sim_options *o)
{
   sgt_text_config(stdout, &run->points->points[0].config, &run->results[0].frames[0]);
   for (uint32_t f = 0; f < run->frames->count; f++) {
      const struct sim_frame *frame = &run->frames->frames[f];
      const struct sgt_engine_result *r = &run->results[0].frames[f];
      putchar('\n');
      sgt_text_frame(stdout, &frame->facts, r);
      if (run->frames->count == 1 || o->over_time)
         sgt_text_over_time(stdout, r);
      if (o->draws)
         sgt_text_draws(stdout, sim_frame_trace(frame, &run->points->points[0].config), r);
   }
}

/* Prints the result of --verify for each run. */
static void
print_verified(FILE *fp, const struct sim_run *run)
{
   uint64_t proved = 0;
   const uint64_t count = (uint64_t)run->points->count * run->frames->count;

   for (uint32_t i = 0; i < run->points->count; i++) {
      for (uint32_t f = 0; f < run->frames->count; f++) {
         const struct sim_verified *v = &run->results[i].verified[f];
         proved += v->report.proved;
         if (v->report.proved && count > 1)
            continue;
         fprintf(fp, "frame %" PRIu64, run->frames->frames[f].number);
         if (run->points->count > 1)
            fprintf(fp, ", point %u", i);
         fprintf(fp, ": %s", v->text ? v->text : "not verified: out of memory\n");
      }
   }
   if (count > 1)
      fprintf(fp, "%" PRIu64 " of %" PRIu64 " runs verified\n", proved, count);
}

static double
quotient(uint64_t part, uint64_t whole)
{
   return whole ? (double)part / whole : 0;
}

void
sim_print_sweep(FILE *fp, const struct sim_options *o, const struct sgt_config *config)
{
   char value[64], name[64];

   for (unsigned i = 0; i < o->num_sweeps; i++) {
      key_name(o->sweeps[i].key, name, sizeof name);
      const int width = strlen(name) > 12 ? strlen(name) : 12;
      if (config)
         sgt_config_print_value(o->sweeps[i].key, sgt_config_get(config, o->sweeps[i].key), value,
                                sizeof value);
      fprintf(fp, "%-*s ", width, config ? value : name);
   }
}

/* Prints a table with a row for each point and frame. */
static void
print_table(const struct sim_run *run, const struct sim_options *o)
{
   sim_print_sweep(stdout, o, NULL);
   printf("%8s %12s %8s %6s  %s\n", "frame", "cycles", "TLP", "use %", "most idle cycles by");
   for (uint32_t i = 0; i < run->points->count; i++) {
      for (uint32_t f = 0; f < run->frames->count; f++) {
         const struct sgt_engine_result *r = &run->results[i].frames[f];
         unsigned most = SGT_STATE_RAW;
         uint32_t shares[SGT_STATES];
         sim_print_sweep(stdout, o, &run->points->points[i].config);
         sgt_shares(r->states, SGT_STATES, shares);
         for (unsigned s = SGT_STATE_RAW; s < SGT_STATES; s++)
            most = shares[s] > shares[most] ? s : most;
         printf("%8" PRIu64 " %12" PRIu64 " %8.3f %6.1f  ", run->frames->frames[f].number,
                r->cycles, quotient(r->work, r->cycles),
                100 * quotient(r->work, r->cycles * r->accelerators));
         if (shares[most])
            printf("%s (%u.%u %%)", sgt_state_names[most], shares[most] / 10, shares[most] % 10);
         putchar('\n');
      }
   }
}

void
sim_print_sensitivity(const struct sim_points *points, const uint64_t *all)
{
   const uint64_t base = all[0];
   char name[64], value[64];

   printf("%-28s %12s %14s %9s\n", "assumed parameter", "value", "cycles", "change");
   printf("%-28s %12s %14" PRIu64 "\n", "all as given", "", base);
   for (unsigned key = 0; key < SGT_NUM_KEYS; key++) {
      bool varied = false;
      if (!sgt_config_assumed(&points->points[0].config, key))
         continue;
      key_name(key, name, sizeof name);
      for (uint32_t i = 1; i < points->count; i++) {
         if (points->points[i].changes[0].key != key)
            continue;
         const uint64_t cycles = all[i];
         sgt_config_print_value(key, points->points[i].changes[0].value, value, sizeof value);
         printf("%-28s %12s %14" PRIu64 " %+8.2f%%\n", name, value, cycles,
                base ? 100.0 * ((double)cycles / base - 1) : 0);
         varied = true;
      }
      if (!varied) {
         sgt_config_print_value(key, sgt_config_get(&points->points[0].config, key), value,
                                sizeof value);
         printf("%-28s %12s %14s\n", name, value, "as given only");
      }
   }
}

static void
print_sensitivity(const struct sim_run *run)
{
   uint64_t *cycles = calloc(run->points->count, sizeof *cycles);

   for (uint32_t i = 0; cycles && i < run->points->count; i++)
      cycles[i] = run->results[i].cycles;
   if (cycles)
      sim_print_sensitivity(run->points, cycles);
   else
      fprintf(stderr, "sgpu: out of memory\n");
   free(cycles);
}

void
sim_report(const struct sim_run *run, const struct sim_options *o, struct sim_outputs *out)
{
   uint64_t cycles = 0;

   if (out->json.fp)
      write_json(out->json.fp, run, o);
   write_csv(run, o, out);
   /* Print text to stdout only if no output file is stdout.  Differences go to stderr. */
   if (o->verify && sim_run_is_wrong(run))
      print_verified(stderr, run);
   if (sim_outputs_on_stdout(out))
      return;
   if (o->sensitivity)
      print_sensitivity(run);
   else if (run->points->count > 1)
      print_table(run, o);
   else
      print_detail(run, o);
   if (o->verify && !sim_run_is_wrong(run)) {
      putchar('\n');
      print_verified(stdout, run);
   }
   for (uint32_t i = 0; i < run->points->count; i++)
      cycles += run->results[i].cycles;
   printf("\n%" PRIu64 " cycles simulated, %.2f million a second and thread\n", cycles,
          run->run_ns ? cycles * 1e3 / run->run_ns : 0);
}
