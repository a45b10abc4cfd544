/* SPDX-License-Identifier: MIT */
/* --sample: scans the capture and simulates some frames of each stratum.  Then simulates more
 * frames until the confidence interval of the estimate is narrow enough.
 */
#include "sim_sample.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "report/sgt_chip_report.h"
#include "config/sgt_config.h"
#include "sample/sgt_sample.h"
#include "sim_work.h"
#include "util/macros.h"

/* Number of frames per stratum, and maximum number of strata.  Since each stratum needs at least
 * two frames in the sample, few strata keep the sample small.
 */
#define STRATUM_FRAMES 32
#define MAX_STRATA 32
/* Minimum number of frames in the first round. */
#define FIRST_FRAMES 6
/* If a stratum has at least 1 / LARGE_PART of all frames or cycles, at least LARGE_FRAMES of its
 * frames must be in the sample.
 */
#define LARGE_PART 16
#define LARGE_FRAMES 4
/* Default value of --sample-error, in millionths. */
#define DEFAULT_ERROR 10000

struct sampler {
   const struct sim_options *options;
   struct sgt_chip_params chip;
   struct sim_scan scan;
   /* first: index in the scan of the first frame that --frame selects; num: number of selected
    * frames
    */
   uint32_t first, num;
   uint32_t strata;               /* number of strata that the frames are divided into */
   struct sgt_sample_unit *units; /* stratum, sizes and cycles of each selected frame */
   /* Totals of the chip's hardware units for each selected frame, or NULL if the frame was not
    * simulated.
    */
   uint64_t **rows;
   /* result of the first simulated frame, which defines the classes of hardware units */
   struct sgt_chip_result result;
   bool *chosen; /* for each selected frame: true if it is in the sample */
   /* `all_writers`: true to also run all submissions that may write memory that the chosen frames
    * need (sim_scan_needed()).  `whole`: true to run all submissions.
    */
   bool all_writers, whole;
   /* `wanted`: number of frames to simulate in this round.  `done`: number of finished frames. */
   uint32_t wanted, done;
   time_t told; /* time of the latest progress message */
   struct sgt_sample_estimate estimate;
};

/* A batch of frames that are simulated concurrently. */
struct batch {
   struct sampler *sampler;
   const struct sim_frames *frames;
   struct sgt_chip_result *results; /* results, one per frame */
};

static bool
run_chip(struct sim_work *w, uint64_t unit, char *error, size_t error_size)
{
   const struct sgt_chip_observe observe = { .stacks = true };
   const struct batch *batch = w->data;
   const struct sim_frame *frame = &batch->frames->frames[unit];

   struct sgt_chip *chip = sgt_chip_create(&batch->sampler->chip, frame->trace, frame->work, error,
                                           error_size);
   bool ok = chip != NULL;
   if (ok && !sgt_chip_observe(chip, &observe, &batch->results[unit])) {
      snprintf(error, error_size, "out of memory");
      ok = false;
   }
   ok = ok && sgt_chip_run(chip, error, error_size);
   if (ok && batch->results[unit].cycles >= SGT_SAMPLE_CYCLES) {
      snprintf(error, error_size, "it has too many cycles for --sample");
      ok = false;
   }
   sgt_chip_destroy(chip);
   return ok;
}

static void
tell(struct sampler *s, bool last)
{
   const bool terminal = isatty(STDERR_FILENO);
   const time_t now = time(NULL);

   /* Don't print progress for rounds that take less than a second. */
   if (s->options->quiet || now == s->told || (!terminal && !last && now - s->told < 10))
      return;
   s->told = now;
   fprintf(stderr, "%ssgpu: %" PRIu32 " of %" PRIu32 " frames simulated%s", terminal ? "\r" : "",
           s->done, s->wanted, terminal && !last ? " " : "\n");
}

/* Saves the totals and the cycles of a simulated frame.  On failure, prints a message and returns
 * false.
 */
static bool
take_result(struct sampler *s, uint64_t number, struct sgt_chip_result *result)
{
   uint32_t i = 0;

   while (s->scan.frames[s->first + i].number != number)
      i++;
   s->rows[i] = calloc(result->num_values, sizeof *s->rows[i]);
   if (!s->rows[i]) {
      fprintf(stderr, "sgpu: out of memory\n");
      return false;
   }
   sgt_chip_result_total(result, s->rows[i]);
   s->units[i].cycles = result->cycles;
   s->units[i].simulated = true;
   if (!s->result.num_values) {
      s->result = *result;
      *result = (struct sgt_chip_result){ 0 };
   }
   s->done++;
   tell(s, s->done == s->wanted);
   return true;
}

static bool
take_frames(void *data, const struct sim_frames *frames)
{
   struct sampler *s = data;
   struct batch batch = { s, frames, calloc(frames->count, sizeof *batch.results) };
   struct sim_work work = {
      .count = frames->count,
      .threads = s->options->threads,
      .quiet = true,
      .data = &batch,
      .run = run_chip,
   };

   bool ok = batch.results != NULL;
   if (!ok)
      fprintf(stderr, "sgpu: out of memory\n");
   if (ok && !sim_work_run(&work)) {
      if (work.failed != UINT64_MAX)
         fprintf(stderr, "sgpu: frame %" PRIu64 ": %s\n", frames->frames[work.failed].number,
                 work.error);
      ok = false;
   }
   for (uint32_t i = 0; ok && i < frames->count; i++)
      ok = take_result(s, frames->frames[i].number, &batch.results[i]);
   for (uint32_t i = 0; batch.results && i < frames->count; i++)
      sgt_chip_result_finish(&batch.results[i]);
   free(batch.results);
   return ok;
}

/* Simulates the chosen frames that have not been simulated yet.  If the frames turn out to need
 * more submissions, repeats the round with these.  On failure, prints a message and returns false.
 */
static bool
run_round(struct sampler *s, const char *path)
{
   bool *wanted = calloc(s->scan.num_frames + 1, sizeof *wanted), *needed = NULL;
   bool ok = wanted != NULL;

   s->wanted = s->done = 0;
   s->told = time(NULL);
   for (uint32_t i = 0; ok && i < s->num; i++) {
      wanted[s->first + i] = s->chosen[i] && !s->units[i].simulated;
      s->wanted += wanted[s->first + i];
   }
   if (ok) {
      needed = sim_scan_needed(&s->scan, wanted, s->all_writers);
      ok = needed != NULL;
   }
   if (!ok)
      fprintf(stderr, "sgpu: out of memory\n");
   for (uint32_t i = 0; ok && s->whole && i < s->scan.num_submissions; i++)
      needed[i] = true;
   struct sim_part part = {
      .scan = &s->scan,
      .wanted = wanted,
      .needed = needed,
      .whole = s->whole,
      .frames = take_frames,
      .data = s,
   };
   ok = ok && sim_replay_part(&part, s->options, path);
   /* Wanted frames that were not passed to the callback have no work, so count them as simulated.
    */
   for (uint32_t i = 0; ok && i < s->num; i++)
      s->units[i].simulated |= wanted[s->first + i];
   free(wanted);
   free(needed);
   if (!ok && part.strayed) {
      s->whole = s->all_writers;
      s->all_writers = true;
      if (!s->options->quiet)
         fprintf(stderr, "sgpu: frames need what was drawn before them: %s\n",
                 s->whole ? "all are replayed" : "what others may read is replayed");
      return run_round(s, path);
   }
   return ok;
}

/* Raises wanted[] to the minimum number of frames that each stratum needs in the sample, based on
 * the current estimate.
 */
static void
demand(const struct sampler *s, uint32_t *wanted)
{
   const struct sgt_sample_estimate *e = &s->estimate;
   uint32_t sizes[SGT_SAMPLE_STRATA] = { 0 };

   for (uint32_t i = 0; i < s->num; i++)
      sizes[s->units[i].stratum]++;
   for (uint32_t h = 0; h < s->strata; h++) {
      const bool large = sizes[h] >= s->num / LARGE_PART ||
                         (e->simulated && e->strata[h].cycles >= e->cycles / LARGE_PART);
      uint32_t least = MAX2(DIV_ROUND_UP(FIRST_FRAMES, s->strata), large ? LARGE_FRAMES : 2);
      if (s->options->sample_frames)
         least = DIV_ROUND_UP((uint64_t)MIN2(s->options->sample_frames, s->num) * sizes[h], s->num);
      wanted[h] = MAX2(wanted[h], MIN2(least, sizes[h]));
   }
}

/* Returns true if a stratum has fewer simulated frames than wanted[] requires. */
static bool
lacks(const struct sgt_sample_estimate *e, uint32_t strata, const uint32_t *wanted)
{
   for (uint32_t h = 0; h < strata; h++) {
      if (e->strata[h].simulated < wanted[h])
         return true;
   }
   return false;
}

static void
choose(struct sampler *s, const uint32_t *wanted)
{
   for (uint32_t h = 0; h < s->strata; h++)
      sgt_sample_choose(s->units, s->num, h, wanted[h], s->options->sample_seed, s->chosen);
}

static bool
run_rounds(struct sampler *s, const char *path)
{
   const struct sim_options *o = s->options;
   struct sgt_sample_estimate *e = &s->estimate;
   const uint64_t error = o->sample_error ? o->sample_error : DEFAULT_ERROR;
   uint32_t wanted[SGT_SAMPLE_STRATA] = { 0 };

   demand(s, wanted);
   for (;;) {
      choose(s, wanted);
      if (!run_round(s, path))
         return false;
      sgt_sample_estimate(s->units, s->num, s->strata, e);
      const uint64_t limit = (uint64_t)((unsigned __int128)e->cycles * error / 1000000);
      const bool enough = o->sample_frames || e->simulated == s->num ||
                          (e->known && e->error <= limit);
      if (!enough)
         sgt_sample_more(e, s->strata, limit * 4 / 5, wanted);
      demand(s, wanted);
      if (enough && !lacks(e, s->strata, wanted))
         return true;
   }
}

/* Returns an estimate of the totals of the chip's units over all frames.  The totals of the
 * simulated frames in each stratum are scaled to the estimated cycles of the stratum.  The caller
 * must free the array.  Returns NULL on allocation failure, or if no frame was simulated.
 */
static uint64_t *
estimate_row(const struct sampler *s)
{
   const uint32_t num = s->result.num_values;
   const struct sgt_sample_estimate *e = &s->estimate;
   uint64_t *all = calloc(num, sizeof *all), *part = calloc(num, sizeof *part);

   for (uint32_t h = 0; all && part && h < s->strata; h++) {
      uint64_t cycles = 0;
      memset(part, 0, num * sizeof *part);
      for (uint32_t i = 0; i < s->num; i++) {
         if (s->units[i].stratum != h || !s->rows[i])
            continue;
         cycles += s->units[i].cycles;
         for (uint32_t v = 0; v < num; v++)
            part[v] += s->rows[i][v];
      }
      for (uint32_t v = 0; cycles && v < num; v++)
         all[v] += (uint64_t)((unsigned __int128)part[v] * e->strata[h].cycles / cycles);
   }
   if (!part) {
      free(all);
      all = NULL;
   }
   free(part);
   return all;
}

/* Prints a CSV row for each frame.  The column for cycles is empty if the frame was not simulated.
 */
static void
print_csv(const struct sampler *s, FILE *fp)
{
   fprintf(fp, "frame,stratum,operations,amount,cycles\n");
   for (uint32_t i = 0; i < s->num; i++) {
      const struct sgt_sample_unit *u = &s->units[i];
      fprintf(fp, "%" PRIu64 ",%" PRIu32 ",%" PRIu64 ",%" PRIu64 ",",
              s->scan.frames[s->first + i].number, u->stratum, u->sizes[0], u->sizes[1]);
      if (u->simulated)
         fprintf(fp, "%" PRIu64, u->cycles);
      fprintf(fp, "\n");
   }
}

/* Returns the number that the first frame of a stratum has in the capture. */
static uint64_t
first_frame(const struct sampler *s, uint32_t stratum)
{
   uint32_t i = 0;

   while (s->units[i].stratum != stratum)
      i++;
   return s->scan.frames[s->first + i].number;
}

static void
print_text(const struct sampler *s, const uint64_t *row, FILE *fp)
{
   const struct sgt_sample_estimate *e = &s->estimate;

   fprintf(fp, "stratum  first frame  frames  simulated  cycles a frame  spread %%  of all %%\n");
   for (uint32_t h = 0; h < s->strata; h++) {
      const struct sgt_sample_stratum *t = &e->strata[h];
      fprintf(fp,
              "%7" PRIu32 "  %11" PRIu64 "  %6" PRIu32 "  %9" PRIu32 "  %14" PRIu64
              "  %8.2f  %8.2f\n",
              h, first_frame(s, h), t->units, t->simulated, t->cycles / t->units,
              t->spread * 100.0 / SGT_SAMPLE_ONE, e->cycles ? t->cycles * 100.0 / e->cycles : 0);
   }
   fprintf(fp, "%" PRIu64 " cycles", e->cycles);
   if (e->known)
      fprintf(fp, " +- %.2f %% (95 %%)", e->cycles ? e->error * 100.0 / e->cycles : 0);
   fprintf(fp, ", %" PRIu32 " of %" PRIu32 " frames\n", e->simulated, s->num);
   sgt_chip_text_classes(fp, &s->result, row);
}

static void
print_json(const struct sampler *s, const uint64_t *row, FILE *fp)
{
   const struct sgt_sample_estimate *e = &s->estimate;
   struct sgt_json json = { .fp = fp }, *j = &json;

   sgt_json_object(j, NULL, false);
   sgt_json_string(j, "format", "sgpu-sim-sample");
   sgt_json_u64(j, "version", 1);
   sgt_json_string(j, "program", s->scan.program);
   sgt_json_parameters(j, &s->options->config);
   sgt_json_u64(j, "seed", s->options->sample_seed);
   sgt_json_u64(j, "frames", s->num);
   sgt_json_u64(j, "simulated", e->simulated);
   sgt_json_u64(j, "cycles", e->cycles);
   if (e->known)
      sgt_json_u64(j, "error", e->error);
   sgt_json_array(j, "strata", false);
   for (uint32_t h = 0; h < s->strata; h++) {
      const struct sgt_sample_stratum *t = &e->strata[h];
      sgt_json_object(j, NULL, true);
      sgt_json_u64(j, "first_frame", first_frame(s, h));
      sgt_json_u64(j, "frames", t->units);
      sgt_json_u64(j, "simulated", t->simulated);
      sgt_json_u64(j, "cycles", t->cycles);
      sgt_json_quotient(j, "spread", t->spread, SGT_SAMPLE_ONE);
      sgt_json_end(j);
   }
   sgt_json_end(j);
   sgt_json_array(j, "sample", false);
   for (uint32_t i = 0; i < s->num; i++) {
      if (!s->units[i].simulated)
         continue;
      sgt_json_object(j, NULL, true);
      sgt_json_u64(j, "frame", s->scan.frames[s->first + i].number);
      sgt_json_u64(j, "stratum", s->units[i].stratum);
      sgt_json_u64(j, "cycles", s->units[i].cycles);
      sgt_json_end(j);
   }
   sgt_json_end(j);
   sgt_chip_json_classes(j, &s->result, row);
   sgt_json_end(j);
}

static bool
prepare(struct sampler *s, const char *path)
{
   const struct sim_options *o = s->options;
   char error[512];

   if (!sgt_config_chip(&o->config, &s->chip, error, sizeof error)) {
      fprintf(stderr, "sgpu: sim: %s\n", error);
      return false;
   }
   s->chip.shuffle = o->shuffle != 0;
   s->chip.shuffle_seed = o->shuffle;
   if (!sim_scan_create(&s->scan, o, path))
      return false;
   while (s->first < s->scan.num_frames && s->scan.frames[s->first].number < o->first_frame)
      s->first++;
   s->num = s->scan.num_frames - s->first;
   if (!s->num || s->num > SGT_SAMPLE_UNITS) {
      fprintf(stderr, "sgpu: %s: %s\n", path,
              s->num ? "it has too many frames for --sample"
                     : "it has no frame, or none of those that --frame names");
      return false;
   }
   uint32_t *strata = calloc(s->num, sizeof *strata);
   s->units = calloc(s->num, sizeof *s->units);
   s->rows = calloc(s->num, sizeof *s->rows);
   s->chosen = calloc(s->num, sizeof *s->chosen);
   if (strata && s->units && s->rows && s->chosen)
      s->strata = sgt_strata_make(s->scan.work + s->first * (uint64_t)SIM_SCAN_KINDS, s->num,
                                  SIM_SCAN_KINDS, s->scan.num_kinds,
                                  MIN2(1 + s->num / STRATUM_FRAMES, MAX_STRATA), strata);
   for (uint32_t i = 0; i < s->num && s->strata; i++) {
      const struct sim_scan_frame *f = &s->scan.frames[s->first + i];
      s->units[i] = (struct sgt_sample_unit){
         .stratum = strata[i],
         .sizes = { MIN2(f->operations, SGT_SAMPLE_CYCLES - 1),
                    MIN2(f->amount, SGT_SAMPLE_CYCLES - 1) },
      };
   }
   free(strata);
   if (!s->strata)
      fprintf(stderr, "sgpu: out of memory\n");
   return s->strata != 0;
}

int
sim_sample_check(const struct sim_options *o)
{
   const struct {
      bool given;
      const char *text;
   } refused[] = {
      { o->config.chip.model != SGT_CHIP_MODEL_G80, "it needs chip.model=g80" },
      { o->num_sweeps || o->sensitivity, "it cannot be used with --sweep and --sensitivity" },
      { o->verify, "it cannot be used with --verify" },
      { o->timeline || o->csv_draws || o->csv_intervals || o->draws || o->over_time,
        "it supports only text, --json and --csv" },
   };

   for (unsigned i = 0; i < ARRAY_SIZE(refused); i++) {
      if (refused[i].given) {
         fprintf(stderr, "sgpu: sim: --sample: %s\n", refused[i].text);
         return 2;
      }
   }
   return -1;
}

bool
sim_sample(const struct sim_options *o, struct sim_outputs *out)
{
   struct sampler s = { .options = o };
   const char *path = o->captures[0];

   bool ok = prepare(&s, path) && run_rounds(&s, path);
   uint64_t *row = ok ? estimate_row(&s) : NULL;
   if (ok && !row) {
      fprintf(stderr, "sgpu: out of memory\n");
      ok = false;
   }
   if (ok && out->csv.fp)
      print_csv(&s, out->csv.fp);
   if (ok && out->json.fp)
      print_json(&s, row, out->json.fp);
   if (ok && out->json.fp != stdout && out->csv.fp != stdout)
      print_text(&s, row, stdout);
   free(row);
   for (uint32_t i = 0; s.rows && i < s.num; i++)
      free(s.rows[i]);
   free(s.rows);
   sgt_chip_result_finish(&s.result);
   sim_scan_finish(&s.scan);
   free(s.units);
   free(s.chosen);
   return ok;
}
