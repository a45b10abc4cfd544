/* SPDX-License-Identifier: MIT */
/* Runs the microbenchmarks of the Tesla chip at all points, and writes how many cycles they take.
 */
#include <ctype.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "config/sgt_config.h"
#include "kernel/sgt_stats.h"
#include "sim_microbenchmark.h"
#include "sim_tesla.h"
#include "util/macros.h"

/* Maximum number of core cycles per run. */
#define LIMIT 20000000
/* Maximum number of benchmarks. */
#define MOST 128

/* A benchmark at one of its sizes.  All points share it. */
struct made {
   const struct tesla_benchmark *benchmark;
   struct sgt_trace *trace;
   struct sgt_work *work;
   uint64_t amount; /* amount of work in units of benchmark->of */
};

/* A count, or one part of a statistic, summed over all units of a class. */
struct total {
   char unit[48], name[48], part[32];
   uint64_t value;
};

struct result {
   /* Number of core cycles and SM cycles of the run. */
   uint64_t cycles, sm_cycles;
   struct total *totals;
   unsigned num_totals;
   char error[256];
};

struct runs {
   const struct sim_options *options;
   const struct sim_points *points;
   struct made *made;
   struct result *results; /* results, as an array [points][num_made] */
   unsigned num_made;
   bool totals; /* the results include `totals` */
};

/* -- sums over units ------------------------------------------------------------------------- */

/* Sets `name` to the class of a unit, e.g.  "sm" for "sm12", "rop-color" for "rop3-color" and
 * "gddr" for "gddr.0".
 */
static void
class_of(const char *unit, char *name, size_t size)
{
   size_t n = 0;

   for (; *unit && n + 1 < size; unit++)
      if (!isdigit((unsigned char)*unit) && *unit != '.')
         name[n++] = *unit;
   name[n] = 0;
}

static bool
add_total(struct result *r, const char *unit, const char *name, const char *part, uint64_t value)
{
   for (unsigned i = r->num_totals; i-- > 0;) {
      struct total *t = &r->totals[i];
      if (strcmp(t->unit, unit) || strcmp(t->name, name) || strcmp(t->part, part))
         continue;
      t->value += value;
      return true;
   }
   if (!(r->num_totals & 63)) {
      struct total *more = realloc(r->totals, (r->num_totals + 64) * sizeof(*more));
      if (!more)
         return false;
      r->totals = more;
   }
   struct total *t = &r->totals[r->num_totals++];
   *t = (struct total){ .value = value };
   snprintf(t->unit, sizeof(t->unit), "%s", unit);
   snprintf(t->name, sizeof(t->name), "%s", name);
   snprintf(t->part, sizeof(t->part), "%s", part);
   return true;
}

/* Adds up the states and counts of the units in each class.  Returns false on allocation failure.
 */
static bool
add_totals(struct result *r, const struct sgt_stats *stats)
{
   bool ok = true;

   for (uint32_t i = 0; ok && i < stats->num; i++) {
      const struct sgt_stat *s = &stats->stats[i];
      char unit[48];
      class_of(s->unit, unit, sizeof(unit));
      if (s->kind == SGT_STAT_COUNT)
         ok = add_total(r, unit, s->name, "", s->values[0]);
      for (uint32_t n = 0; ok && s->kind == SGT_STAT_PARTS && n < s->num; n++)
         ok = add_total(r, unit, s->name, s->names[n], s->values[n]);
   }
   return ok;
}

/* -- runs ------------------------------------------------------------------------------------ */

static bool
run_chip(const struct runs *all, const struct made *m, const struct sgt_config *config,
         struct result *r)
{
   struct sgt_config own = *config;
   struct sgt_chip_params params;
   struct sgt_stats stats;

   if (m->benchmark->set && !sgt_config_set(&own, m->benchmark->set, r->error, sizeof(r->error)))
      return false;
   if (!sgt_config_chip(&own, &params, r->error, sizeof(r->error)))
      return false;
   params.shuffle = all->options->shuffle != 0;
   params.shuffle_seed = all->options->shuffle;
   params.max_cycles = LIMIT;
   struct sgt_chip *chip = sgt_chip_create(&params, m->trace, m->work, r->error, sizeof(r->error));
   bool ok = chip && sgt_chip_run(chip, r->error, sizeof(r->error));
   if (ok) {
      sgt_stats_init(&stats);
      sgt_chip_register(chip, &stats);
      ok = !stats.out_of_memory && sgt_stats_check(&stats, r->error, sizeof(r->error)) &&
           (!all->totals || add_totals(r, &stats));
      if (!ok && !r->error[0])
         snprintf(r->error, sizeof(r->error), "out of memory");
      r->cycles = sgt_chip_cycles(chip);
      r->sm_cycles = sgt_chip_sm_cycles(chip);
      sgt_stats_finish(&stats);
   }
   sgt_chip_destroy(chip);
   return ok;
}

/* Runs a unit of work: a benchmark at one of its sizes, at one point. */
static bool
run_unit(struct sim_work *w, uint64_t unit, char *error, size_t error_size)
{
   const struct runs *all = w->data;
   struct result *r = &all->results[unit];

   if (run_chip(all, &all->made[unit % all->num_made],
                &all->points->points[unit / all->num_made].config, r) ||
       all->options->sensitivity)
      return true;
   snprintf(error, error_size, "%s", r->error);
   return false;
}

static bool
run_all(struct runs *all)
{
   struct sim_work w = {
      .count = (uint64_t)all->points->count * all->num_made,
      .threads = all->options->threads,
      .quiet = all->options->quiet,
      .data = all,
      .run = run_unit,
   };

   const bool ok = sim_work_run(&w);
   if (!ok && w.failed != UINT64_MAX)
      fprintf(stderr, "sgpu: sim: %s: %s\n", all->made[w.failed % all->num_made].benchmark->name,
              w.error);
   return ok;
}

/* -- benchmarks ------------------------------------------------------------------------------ */

static const struct tesla_benchmark *
benchmark(unsigned i)
{
   return i < tesla_num_peaks ? &tesla_peaks[i] : &tesla_probes[i - tesla_num_peaks];
}

/* Returns true if `name` is the name of the benchmark, or the part of its name before a dash. */
static bool
names(const char *name, const struct tesla_benchmark *b)
{
   const size_t length = strlen(name);

   return !strcmp(name, b->name) || (!strncmp(name, b->name, length) && b->name[length] == '-');
}

static bool
wanted(const struct sim_options *o, const struct tesla_benchmark *b)
{
   bool found = !o->num_captures;

   for (unsigned i = 0; i < o->num_captures; i++)
      found |= names(o->captures[i], b);
   return found;
}

static bool
check_names(const struct sim_options *o)
{
   for (unsigned i = 0; i < o->num_captures; i++) {
      bool found = false;
      for (unsigned k = 0; k < tesla_num_peaks + tesla_num_probes; k++)
         found |= names(o->captures[i], benchmark(k));
      if (found)
         continue;
      fprintf(stderr,
              "sgpu: sim: %s: there is no such microbenchmark; --microbenchmark tesla "
              "without names runs all, and its JSON has their names\n",
              o->captures[i]);
      return false;
   }
   return true;
}

static bool
make_all(struct runs *all)
{
   for (unsigned i = 0; i < tesla_num_peaks + tesla_num_probes; i++) {
      const struct tesla_benchmark *b = benchmark(i);
      for (unsigned n = 0; wanted(all->options, b) && n < ARRAY_SIZE(b->sizes); n++) {
         struct made *m = &all->made[all->num_made];
         struct tesla_scene scene;
         tesla_begin(&scene);
         m->benchmark = b;
         m->amount = scene.failed ? 0 : b->make(&scene, b->sizes[n], b->argument);
         if (!tesla_finish(&scene, &m->trace, &m->work))
            return false;
         all->num_made++;
      }
   }
   return true;
}

static bool
has_section(const struct sgt_config *config, const char *section)
{
   static const char *const sections[] = { "chip", "front", "distribution", "raster", "xbar",
                                           "l2",   "gddr",  "texture",      "rop" };

   for (unsigned n = 0; n < ARRAY_SIZE(sections); n++) {
      if (!strcmp(section, sections[n]))
         return true;
   }
   return !strcmp(section, config->chip.core == SGT_CORE_SM ? "sm" : "eu");
}

/* -- results --------------------------------------------------------------------------------- */

static void
write_totals(struct sgt_json *j, const struct result *r)
{
   for (unsigned i = 0; i < r->num_totals; i++) {
      const struct total *t = &r->totals[i], *before = i ? t - 1 : NULL;
      const struct total *after = i + 1 < r->num_totals ? t + 1 : NULL;
      if (!before || strcmp(before->unit, t->unit))
         sgt_json_object(j, t->unit, false);
      if (t->part[0] && (!before || strcmp(before->unit, t->unit) || strcmp(before->name, t->name)))
         sgt_json_object(j, t->name, true);
      sgt_json_u64(j, t->part[0] ? t->part : t->name, t->value);
      if (t->part[0] && (!after || strcmp(after->unit, t->unit) || strcmp(after->name, t->name)))
         sgt_json_end(j);
      if (!after || strcmp(after->unit, t->unit))
         sgt_json_end(j);
   }
}

static int
compare_totals(const void *a, const void *b)
{
   const struct total *p = a, *q = b;
   const int unit = strcmp(p->unit, q->unit), name = strcmp(p->name, q->name);

   return unit ? unit : name ? name : strcmp(p->part, q->part);
}

static void
write_point(struct sgt_json *j, const struct runs *all, uint32_t point)
{
   sgt_json_object(j, NULL, false);
   sim_json_change_texts(j, &all->points->points[point]);
   sgt_json_array(j, "benchmarks", false);
   for (unsigned i = 0; i < all->num_made; i++) {
      struct result *r = &all->results[point * all->num_made + i];
      const struct made *m = &all->made[i];
      sgt_json_object(j, NULL, false);
      sgt_json_string(j, "name", m->benchmark->name);
      sgt_json_string(j, "of", m->benchmark->of);
      sgt_json_u64(j, "amount", m->amount);
      /* At a point of --sensitivity, the changed value may be incompatible with other values. */
      if (r->error[0]) {
         sgt_json_string(j, "error", r->error);
      } else {
         sgt_json_u64(j, "cycles", r->cycles);
         sgt_json_u64(j, "sm_cycles", r->sm_cycles);
      }
      if (r->num_totals) {
         qsort(r->totals, r->num_totals, sizeof(*r->totals), compare_totals);
         sgt_json_object(j, "units", false);
         write_totals(j, r);
         sgt_json_end(j);
      }
      sgt_json_end(j);
   }
   sgt_json_end(j);
   sgt_json_end(j);
}

/* Runs all benchmarks, or only the benchmarks that the command line names. */
static bool
run(struct sgt_json *j, const struct sim_options *o, const struct sim_points *points,
    sim_load *load)
{
   struct made made[2 * MOST] = { { NULL } };
   struct runs all = {
      .options = o,
      .points = points,
      .made = made,
      .totals = points->count == 1,
   };

   bool ok = check_names(o) &&
             (tesla_num_peaks + tesla_num_probes <= MOST ||
              sim_failed("there are too many microbenchmarks")) &&
             make_all(&all);
   if (ok) {
      all.results = calloc((size_t)points->count * all.num_made, sizeof(*all.results));
      ok = all.results || sim_failed("out of memory");
   }
   ok = ok && run_all(&all);
   if (ok) {
      sim_microbenchmark_begin(j, &sim_tesla);
      sgt_json_parameters(j, &o->config);
      sgt_json_array(j, "points", false);
      for (uint32_t i = 0; i < points->count; i++)
         write_point(j, &all, i);
      sgt_json_end(j);
      sgt_json_end(j);
   }
   for (uint32_t i = 0; all.results && i < points->count * all.num_made; i++)
      free(all.results[i].totals);
   free(all.results);
   for (unsigned i = 0; i < all.num_made; i++) {
      sgt_trace_destroy(made[i].trace);
      sgt_work_destroy(made[i].work);
   }
   return ok;
}

const struct sim_microbenchmark sim_tesla = {
   .name = "tesla",
   .format = "sgpu-sim-tesla",
   .model = SGT_CHIP_MODEL_G80,
   .has_section = has_section,
   .run = run,
};
