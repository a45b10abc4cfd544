/* SPDX-License-Identifier: MIT */
/*
 * Tests --verify of the Tesla chip on a capture.  Configurations of all kinds must produce the
 * device's memory contents; chips that omit a part of the order must not.
 *
 *    sgt_test_verify FILE.sgcap [FAULT...]
 *
 * FAULT: order, tests, early, late, barrier, hazard, textures.  The chip without this part must not
 * be proved.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "config/sgt_config.h"
#include "sim.h"
#include "util/macros.h"

static const char *const fault_names[SGT_CHIP_FAULTS] = {
   [SGT_CHIP_FAULT_NONE] = "none",     [SGT_CHIP_FAULT_ORDER] = "order",
   [SGT_CHIP_FAULT_TESTS] = "tests",   [SGT_CHIP_FAULT_EARLY] = "early",
   [SGT_CHIP_FAULT_LATE] = "late",     [SGT_CHIP_FAULT_BARRIER] = "barrier",
   [SGT_CHIP_FAULT_HAZARD] = "hazard", [SGT_CHIP_FAULT_TEXTURES] = "textures",
};

static void
die(const char *what)
{
   fprintf(stderr, "%s\n", what);
   exit(1);
}

static void
one_tpc(struct sgt_chip_params *p)
{
   p->front.dist.tpcs = 1;
   p->front.dist.tpc_sms = 1;
}

static void
many_tpcs(struct sgt_chip_params *p)
{
   p->front.dist.tpcs = 12;
   p->front.dist.tile_skew = 5;
   p->output.rate = 4;
   p->front.raster.early_rate = 8;
}

static void
small_queues(struct sgt_chip_params *p)
{
   p->front.dist.tpcs = 3;
   p->output.warps = 2;
   p->front.raster.early_queue = 2;
   p->rop.queue = 1;
   p->rop.waiting = 1;
   p->rop.cache_sets = 1;
   p->rop.cache_ways = 2;
   p->transfer.reads = p->transfer.writes = 2;
   p->tex.sets = 1;
   p->rop_cycles = 1;
}

static void
slow_rops(struct sgt_chip_params *p)
{
   p->memory.xbar.partitions = 2;
   p->rop.latency = 60;
   p->rop.compression = false;
   p->transfer.fast_clear = false;
   p->rop_cycles = 40;
}

static void
shuffled(struct sgt_chip_params *p)
{
   p->shuffle = true;
   p->shuffle_seed = 11;
}

static const struct {
   const char *name;
   void (*change)(struct sgt_chip_params *p);
} variants[] = {
   { "as published", NULL },         { "1 TPC", one_tpc },       { "12 TPCs", many_tpcs },
   { "small queues", small_queues }, { "slow ROPs", slow_rops }, { "shuffled", shuffled },
};

/* Verifies a frame.  Prints the errors unless `quiet` is set. */
static bool
proves(const struct sim_frame *f, const struct sgt_chip_params *params, bool quiet, uint64_t *hash)
{
   struct sgt_chip_params p = *params;
   struct sgt_shadow_report report;
   char error[512] = "";

   struct sgt_chip_shadow *shadow = sgt_chip_shadow_create(f->plan, f->image, f->trace->states,
                                                           f->work, &p, error, sizeof(error));
   if (!shadow)
      die(error);
   p.observer = sgt_chip_shadow_observer(shadow);
   struct sgt_chip *chip = sgt_chip_create(&p, f->trace, f->work, error, sizeof(error));
   if (!chip || !sgt_chip_run(chip, error, sizeof(error)))
      die(error);
   struct sgt_shadow *model = sgt_chip_shadow_end(shadow);
   if (!sgt_shadow_finish(model, &report) || !report.values)
      die("no report");
   if (!quiet && !report.proved)
      sgt_shadow_print(model, &report, stderr);
   *hash = report.hash;
   sgt_chip_destroy(chip);
   sgt_chip_shadow_destroy(shadow);
   return report.proved;
}

/* Returns true if a frame reveals the fault. */
static bool
shows(const struct sim_frames *frames, const struct sgt_chip_params *params,
      enum sgt_chip_fault fault)
{
   struct sgt_chip_params p = *params;
   bool found = false;
   uint64_t hash;

   p.fault = fault;
   for (uint32_t i = 0; i < frames->count && !found; i++)
      found = !proves(&frames->frames[i], &p, true, &hash);
   printf("without %s: %s\n", fault_names[fault], found ? "not proved" : "proved");
   return found;
}

static enum sgt_chip_fault
find_fault(const char *name)
{
   for (unsigned i = 0; i < SGT_CHIP_FAULTS; i++) {
      if (!strcmp(fault_names[i], name))
         return i;
   }
   die("no such fault");
   return SGT_CHIP_FAULT_NONE;
}

int
main(int argc, char **argv)
{
   const char *args[] = { "sim", "--config", "g80", "--verify", "--quiet", argv[1], NULL };
   struct sim_frames frames = { 0 };
   struct sgt_chip_params params;
   struct sim_options o;
   bool ok = true;
   char error[512];

   if (argc < 2 || sim_options_parse(&o, ARRAY_SIZE(args) - 1, (char **)args) >= 0 ||
       !sim_frames_load(&frames, &o, argv[1], sim_replay_load) || !sim_verify_prepare(&frames) ||
       !sgt_config_chip(&o.config, &params, error, sizeof(error)))
      die("the capture was not loaded");
   for (uint32_t i = 0; i < frames.count; i++) {
      uint64_t first = 0, hash;
      for (unsigned k = 0; k < ARRAY_SIZE(variants); k++) {
         struct sgt_chip_params p = params;
         if (variants[k].change)
            variants[k].change(&p);
         const bool good = proves(&frames.frames[i], &p, false, &hash);
         first = k ? first : hash;
         if (!good || hash != first)
            fprintf(stderr, "frame %" PRIu64 ", %s: not proved\n", frames.frames[i].number,
                    variants[k].name);
         ok &= good && hash == first;
      }
   }
   for (int i = 2; i < argc; i++)
      ok &= shows(&frames, &params, find_fault(argv[i]));
   sim_frames_free(&frames);
   sim_options_free(&o);
   return ok ? 0 : 1;
}
