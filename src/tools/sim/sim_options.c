/* SPDX-License-Identifier: MIT */
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sim_microbenchmark.h"
#include "sim_sample.h"

static const char help[] =
   "usage: sgpu sim [OPTION...] FILE.sgcap\n"
   "\n"
   "Replays a capture and runs a model of hardware over its frames, cycle by cycle.\n"
   "Parameters: docs/timing-parameters.md; examples: docs/timing.md.\n"
   "\n"
   "  --config FILE|NAME       a parameter file, or one that is built in: micro32\n"
   "                           (the engine of 1999), micro32-dram, modern, nv20\n"
   "                           (the vertex engine of 2001), g80 (the Tesla chip),\n"
   "                           via-g80 (the same with the execution units of\n"
   "                           US 8,564,604), ga104 (with the sizes of a present-day\n"
   "                           GPU); several apply in order\n"
   "  --set SECTION.KEY=VALUE  set a parameter, after the files\n"
   "  --list-params            print all parameters as a parameter file, and exit\n"
   "  --frame N|A-B            only these frames, numbered as in the capture\n"
   "  --sweep KEY=LIST         run all values of a list: 1,2,4 or 2..8 or 2..8+2 or\n"
   "                           1..16*2; several sweeps make all combinations\n"
   "  --sensitivity            run each assumed parameter 50 % lower and higher\n"
   "  --sample                 chip.model=g80: estimate the cycles of all frames from\n"
   "                           some of them (docs/sampling.md)\n"
   "  --sample-error P%        maximum error, with 95 % confidence\n"
   "                           (default: 1%)\n"
   "  --sample-frames N|all    instead, simulate about N frames, or all\n"
   "  --sample-seed N          seed for the choice of frames\n"
   "  --json F                 write results as JSON; - is stdout\n"
   "  --csv F                  write a row per frame\n"
   "  --csv-draws F            write a row per draw and transfer\n"
   "  --csv-intervals F        write a row per interval (run.interval cycles)\n"
   "  --draws, --over-time     add draws, or intervals, to the JSON of a sweep, and\n"
   "                           draws to the text\n"
   "  --plot DIR               write plots of parallelism and stalls (python3-matplotlib)\n"
   "  --flame F                write a flame graph of draws and of the states of the cores\n"
   "                           in them: F.svg, or F.folded for other viewers\n"
   "  --experiment NAME        run the experiment of a paper (micro32, nv20, tesla,\n"
   "                           via); its options: --experiment micro32 --help\n"
   "  --microbenchmark NAME    run microbenchmarks of a model, and write JSON: nv20,\n"
   "                           the vertex engine of 2001, and the vertex programs of\n"
   "                           captures, if given; via, the execution unit of\n"
   "                           US 8,564,604; tesla, the chip of 2008: all, or those that\n"
   "                           are named in place of captures\n"
   "  --timeline F             write a trace for ui.perfetto.dev: tracks of accelerators and\n"
   "                           the issue unit, or of operations and classes of units\n"
   "  --verify                 apply fragments and transfers in the model's order\n"
   "                           and compare the frame with the functional one\n"
   "  --wrong DIR              with --verify: write pictures of the pixels that differ\n"
   "  --no-cpu-writes          ignore writes by the CPU between submissions of a\n"
   "                           frame, as SGPU_TIMING does\n"
   "  --shuffle-units SEED     tick units in random order; results are the same\n"
   "  --threads N              number of threads of the device, and of points that are\n"
   "                           simulated at once (default: number of CPUs)\n"
   "  --force                  replace files that exist\n"
   "  --quiet                  print no progress\n"
   "  --help, --version        print this text, or the version\n"
   "\n"
   "The exit status is 1 if the capture is damaged, a frame is missing, or\n"
   "--verify finds a difference.\n";

static int
wrong(const char *name, const char *value, const char *why)
{
   fprintf(stderr, "sgpu: sim: %s%s%s: %s\n", name, value ? " " : "", value ? value : "", why);
   return 2;
}

/* Parses a frame range "N", "A-" or "A-B". */
static bool
read_frames(struct sim_options *o, const char *text)
{
   char *copy = strdup(text), *dash = copy ? strchr(copy, '-') : NULL;

   if (dash)
      *dash = 0;
   bool ok = copy && sgt_read_number(copy, &o->first_frame);
   o->last_frame = dash ? UINT64_MAX : o->first_frame;
   if (ok && dash && dash[1])
      ok = sgt_read_number(dash + 1, &o->last_frame);
   free(copy);
   o->some_frames = true;
   return ok && o->last_frame >= o->first_frame;
}

/* Parses a percentage, e.g. "1%" or "0.25%", and converts it to millionths. */
static bool
read_percent(const char *text, uint64_t *millionths)
{
   uint64_t whole = 0, part = 0, unit = 10000;
   const char *c = text;

   for (; *c >= '0' && *c <= '9' && whole < 1000; c++)
      whole = whole * 10 + (*c - '0');
   if (c == text)
      return false;
   if (*c == '.') {
      for (c++; *c >= '0' && *c <= '9' && unit > 1; c++) {
         unit /= 10;
         part += (*c - '0') * unit;
      }
   }
   *millionths = whole * 10000 + part;
   return !strcmp(c, "%") && *millionths && *millionths <= 1000000;
}

static unsigned
default_threads(void)
{
   cpu_set_t set;

   return sched_getaffinity(0, sizeof set, &set) ? 1 : CPU_COUNT(&set);
}

/* Returns a pointer to the flag for an option without a value, or NULL if there is no such option.
 */
static bool *
flag_of(struct sim_options *o, const char *name)
{
   const struct {
      const char *name;
      bool *flag;
   } flags[] = {
      { "--sensitivity", &o->sensitivity },
      { "--verify", &o->verify },
      { "--draws", &o->draws },
      { "--over-time", &o->over_time },
      { "--force", &o->force },
      { "--quiet", &o->quiet },
      { "--list-params", &o->list_params },
      { "--bench", &o->bench },
      { "--no-cpu-writes", &o->no_cpu_writes },
      { "--sample", &o->sample },
   };

   for (unsigned i = 0; i < sizeof flags / sizeof *flags; i++) {
      if (!strcmp(flags[i].name, name))
         return flags[i].flag;
   }
   return NULL;
}

static const char **
path_of(struct sim_options *o, const char *name)
{
   const struct {
      const char *name;
      const char **path;
   } paths[] = {
      { "--json", &o->json },           { "--csv", &o->csv },
      { "--csv-draws", &o->csv_draws }, { "--csv-intervals", &o->csv_intervals },
      { "--timeline", &o->timeline },   { "--wrong", &o->wrong },
   };

   for (unsigned i = 0; i < sizeof paths / sizeof *paths; i++) {
      if (!strcmp(paths[i].name, name))
         return paths[i].path;
   }
   return NULL;
}

/* Parses an option with a value, except for --config and --set. Returns the exit status on failure,
 * and -1 otherwise.
 */
static int
parse_value(struct sim_options *o, const char *name, const char *value)
{
   char error[512];
   uint64_t n;

   const char **path = path_of(o, name);
   if (path) {
      *path = value;
   } else if (!strcmp(name, "--microbenchmark")) {
      o->microbenchmark = sim_microbenchmark_find(value);
      if (!o->microbenchmark) {
         snprintf(error, sizeof error, "expected ");
         sim_microbenchmark_names(error + strlen(error), sizeof error - strlen(error));
         return wrong(name, value, error);
      }
   } else if (!strcmp(name, "--frame")) {
      if (!read_frames(o, value))
         return wrong(name, value, "expected N, A- or A-B");
   } else if (!strcmp(name, "--sample-error")) {
      if (!read_percent(value, &o->sample_error))
         return wrong(name, value, "expected a percentage, as in 1% or 0.5%");
   } else if (!strcmp(name, "--sample-frames")) {
      o->sample_frames = UINT64_MAX;
      if (strcmp(value, "all") && (!sgt_read_number(value, &o->sample_frames) || !o->sample_frames))
         return wrong(name, value, "expected a number from 1 on, or all");
   } else if (!strcmp(name, "--sample-seed")) {
      if (!sgt_read_number(value, &o->sample_seed))
         return wrong(name, value, "expected a number");
   } else if (!strcmp(name, "--threads")) {
      if (!sgt_read_number(value, &n) || n < 1 || n > 1024)
         return wrong(name, value, "expected a number from 1 to 1024");
      o->threads = n;
   } else if (!strcmp(name, "--shuffle-units")) {
      if (!sgt_read_number(value, &o->shuffle) || !o->shuffle)
         return wrong(name, value, "expected a number from 1 on");
   } else if (!strcmp(name, "--sweep")) {
      if (o->num_sweeps == SIM_MAX_SWEEPS)
         return wrong(name, value, "at most eight sweeps are possible");
      if (!sim_sweep_parse(&o->sweeps[o->num_sweeps], value, error, sizeof error))
         return wrong(name, value, error);
      for (unsigned i = 0; i < o->num_sweeps; i++) {
         if (o->sweeps[i].key == o->sweeps[o->num_sweeps].key) {
            sim_sweep_free(&o->sweeps[o->num_sweeps]);
            return wrong(name, value, "another sweep has the same key");
         }
      }
      o->num_sweeps++;
   } else {
      return wrong(name, NULL, "there is no such option");
   }
   return -1;
}

static bool
takes_parameters(const char *name)
{
   return !strcmp(name, "--config") || !strcmp(name, "--set");
}

/* Returns true if the option takes a value that is not a number. */
static bool
takes_text(struct sim_options *o, const char *name)
{
   return takes_parameters(name) || path_of(o, name) || !strcmp(name, "--microbenchmark");
}

/* Applies all --config options, followed by all --set options. Returns the exit status on failure,
 * and -1 otherwise.
 */
static int
parse_parameters(struct sim_options *o, int argc, char **argv)
{
   char error[512];

   sgt_config_init(&o->config);
   if (o->microbenchmark)
      o->config.chip.model = o->microbenchmark->model;
   for (unsigned pass = 0; pass < 2; pass++) {
      for (int i = 1; i + 1 < argc; i++) {
         const char *value = argv[i + 1];
         if (flag_of(o, argv[i]) || argv[i][0] != '-')
            continue;
         i++;
         if (pass == 0 && !strcmp(argv[i - 1], "--config")) {
            if (!sgt_config_load(&o->config, value, error, sizeof error))
               return wrong("--config", NULL, error);
         } else if (pass == 1 && !strcmp(argv[i - 1], "--set")) {
            if (!sgt_config_set(&o->config, value, error, sizeof error))
               return wrong("--set", NULL, error);
         }
      }
   }
   /* With sweeps, check the points instead, since a sweep may replace an invalid value. */
   if (!o->num_sweeps && !sgt_config_check(&o->config, error, sizeof error))
      return wrong("the parameters", NULL, error);
   return -1;
}

/* Returns the name of an option that was given although chip.model=nv20 does not support it, or
 * NULL.
 */
static const char *
engine_option(const struct sim_options *o)
{
   const struct {
      bool there;
      const char *name;
   } options[] = {
      { o->csv, "--csv" },           { o->csv_draws, "--csv-draws" },
      { o->draws, "--draws" },       { o->csv_intervals, "--csv-intervals" },
      { o->verify, "--verify" },     { o->over_time, "--over-time" },
      { o->timeline, "--timeline" }, { o->bench, "--bench" },
   };

   for (unsigned i = 0; i < sizeof options / sizeof *options; i++) {
      if (options[i].there)
         return options[i].name;
   }
   return NULL;
}

static int
check(const struct sim_options *o)
{
   if (!o->sample && (o->sample_seed || o->sample_frames || o->sample_error))
      return wrong(o->sample_seed     ? "--sample-seed"
                   : o->sample_frames ? "--sample-frames"
                                      : "--sample-error",
                   NULL, "it needs --sample");
   if (o->sample && !o->list_params && sim_sample_check(o) >= 0)
      return 2;
   if (o->list_params)
      return -1;
   if (o->microbenchmark) {
      if (o->config.chip.model != o->microbenchmark->model) {
         char needs[64] = "it needs chip.model=";
         sgt_config_print_value(SGT_KEY_CHIP_MODEL, o->microbenchmark->model, needs + strlen(needs),
                                sizeof needs - strlen(needs));
         return wrong("--microbenchmark", o->microbenchmark->name, needs);
      }
      if (o->sensitivity && o->num_sweeps)
         return wrong("--sensitivity", NULL, "it cannot be used with --sweep");
      return -1;
   }
   if (!o->num_captures) {
      fputs(help, stderr);
      return 2;
   }
   if (o->num_captures > 1 && !o->bench)
      return wrong(o->captures[1], NULL, "only one capture is possible");
   const char *engine_only = engine_option(o);
   if (o->config.chip.model == SGT_CHIP_MODEL_NV20 && engine_only)
      return wrong(engine_only, NULL, "chip.model=nv20 does not support it");
   if (o->wrong && !o->verify)
      return wrong("--wrong", NULL, "it needs --verify");
   if (o->verify && o->no_cpu_writes)
      return wrong("--no-cpu-writes", NULL, "--verify needs all writes");
   if (o->sensitivity && o->num_sweeps)
      return wrong("--sensitivity", NULL, "it cannot be used with --sweep");
   if (o->timeline && (o->sensitivity || o->num_sweeps))
      return wrong("--timeline", NULL, "it cannot be used with --sweep and --sensitivity");
   return -1;
}

int
sim_options_parse(struct sim_options *o, int argc, char **argv)
{
   int status = -1;

   *o = (struct sim_options){ .last_frame = UINT64_MAX, .threads = default_threads() };
   o->captures = calloc(argc, sizeof *o->captures);
   if (!o->captures)
      return wrong("out of memory", NULL, "");
   for (int i = 1; i < argc && status < 0; i++) {
      const char *arg = argv[i];
      bool *flag = flag_of(o, arg);
      if (!strcmp(arg, "--help") || !strcmp(arg, "-h")) {
         fputs(help, stdout);
         status = 0;
      } else if (flag) {
         *flag = true;
      } else if (arg[0] != '-') {
         o->captures[o->num_captures++] = arg;
      } else if (i + 1 == argc) {
         status = wrong(arg, NULL,
                        takes_text(o, arg) ? "expected a value"
                                           : "there is no such option, or its value is missing");
      } else if (takes_parameters(arg)) {
         i++;
      } else {
         status = parse_value(o, arg, argv[++i]);
      }
   }
   if (status < 0)
      status = parse_parameters(o, argc, argv);
   if (status < 0)
      status = check(o);
   if (status >= 0)
      sim_options_free(o);
   return status;
}

void
sim_options_free(struct sim_options *o)
{
   for (unsigned i = 0; i < o->num_sweeps; i++)
      sim_sweep_free(&o->sweeps[i]);
   o->num_sweeps = 0;
   free(o->captures);
   o->captures = NULL;
}
