/* SPDX-License-Identifier: MIT */
/*
 * Records the result of a run of the Tesla chip, broken down by operation.
 */
#include "chip/sgt_chip_state.h"

#include <stdlib.h>
#include <string.h>

#include "util/macros.h"

#define LAST SGT_RECORDER_LAST
#define UNIT(name, unit, stat, work, idle, domain, ticks, text)    \
   {                                                               \
      name, unit, stat, text, work, idle, SGT_CHIP_##domain, ticks \
   }
static const struct sgt_recorder_class classes[] = {
   UNIT("host", "host", "states", BITFIELD_MASK(SGT_IA_HOST_AHEAD), LAST, CORE, true,
        "Host interface."),
   UNIT("assembler", "assembler", "states", BITFIELD_MASK(SGT_IA_MEMORY), LAST, CORE, true,
        "Input assembler."),
   UNIT("dist-vertex", "distribution", "vertex-states", 1, LAST, CORE, true,
        "Distribution of vertex, tessellation and geometry warps."),
   UNIT("dist-pixel", "distribution", "pixel-states", 1, LAST, CORE, true,
        "Distribution of pixel warps."),
   UNIT("dist-grid", "distribution", "grid-states", 1, LAST, CORE, true,
        "Distribution of workgroups."),
   UNIT("setup", "setup", "states", 1, LAST, CORE, true, "Setup."),
   UNIT("coarse", "coarse", "states", 1, LAST, CORE, true, "Coarse raster."),
   UNIT("zcull", "zcull", "states", BITFIELD_MASK(SGT_ZCULL_FULL), LAST, CORE, true, "Zcull."),
   UNIT("fine", "fine", "states", 1, LAST, CORE, true, "Fine raster."),
   UNIT("early", "early", "states", 1, LAST, CORE, true, "Early tests."),
   UNIT("sm", "sm#", "states", BITFIELD_MASK(SGT_SM_STALL), LAST, SM, false, "Multiprocessors."),
   UNIT("eu", "eu#", "states", BITFIELD_BIT(SGT_EU_ISSUE), SGT_EU_EMPTY, SM, false,
        "Execution units."),
   UNIT("tex", "tex#", "front", 1, LAST, CORE, false, "Texture units: addresses and tags."),
   UNIT("tex-filters", "tex#", "filters", 1, LAST, CORE, false, "Texture units: filters."),
   UNIT("output", "output#", "states", 1, LAST, CORE, true, "Pixel outputs."),
   UNIT("transfer", "transfer", "states", 1, LAST, CORE, true, "Transfer unit."),
   UNIT("rop-switch", "rop-switch#", "states", 1, LAST, CORE, true, "Networks of ROPs."),
   UNIT("rop-depth", "rop#-depth", "states", BITFIELD_MASK(SGT_ROP_HAZARD), LAST, CORE, false,
        "ROPs: depths."),
   UNIT("rop-color", "rop#-color", "states", BITFIELD_MASK(SGT_ROP_HAZARD), LAST, CORE, false,
        "ROPs: colours."),
   UNIT("xbar-requests", "xbar.requests", "states", 1, LAST, XBAR, false,
        "Network of memory: requests."),
   UNIT("xbar-responses", "xbar.responses", "states", 1, LAST, XBAR, false,
        "Network of memory: answers."),
   UNIT("partition", "partition.#", "states", BITFIELD_MASK(SGT_PARTITION_STALL_SET), LAST, L2,
        false, "Partitions."),
   UNIT("gddr", "gddr.#", "bus", BITFIELD_MASK(SGT_GDDR_TURN), LAST, GDDR, false,
        "Buses of the GDDR3."),
};
#undef LAST
#undef UNIT

static const struct sgt_recorder_counter counters[] = {
   { "vertex-warps", "distribution", "vertex-warps" },
   { "pixel-warps", "distribution", "pixel-warps" },
   { "grid-warps", "distribution", "grid-warps" },
   { "vertex-instructions", "sm#", "vertex-instructions" },
   { "geometry-instructions", "sm#", "geometry-instructions" },
   { "pixel-instructions", "sm#", "pixel-instructions" },
   { "compute-instructions", "sm#", "compute-instructions" },
   { "bank-conflicts", "sm#", "bank-conflicts" },
   { "instructions", "eu#", "instructions" },
   { "primitives", "setup", "primitives" },
   { "covered-pixels", "coarse", "pixels" },
   { "zculled-pixels", "zcull", "pixels-dropped" },
   { "written-pixels", "distribution", "pixels-kept" },
   { "texture-samples", "tex#", "samples" },
   { "texture-lines", "tex#", "lines" },
   { "texture-reads", "tex#", "memory-reads" },
   { "rop-reads", "rop#", "memory-reads" },
   { "rop-writes", "rop#", "memory-writes" },
   { "requests-bytes", "xbar.requests", "bytes" },
   { "responses-bytes", "xbar.responses", "bytes" },
   { "dram-reads", "partition.#", "dram-reads" },
   { "dram-writes", "partition.#", "dram-writes" },
};

static void
chip_begins(void *data, uint32_t operation, uint64_t now)
{
   sgt_recorder_begins(data, operation, now);
}

static void
chip_ends(void *data, uint32_t operation, uint64_t now)
{
   sgt_recorder_ends(data, operation, now);
}

static bool
make_recorder(struct sgt_chip *c, const struct sgt_chip_observe *observe,
              struct sgt_chip_result *result)
{
   struct sgt_stats stats;
   uint32_t mhz[SGT_CHIP_CLOCKS];
   uint64_t periods[SGT_CHIP_CLOCKS];

   for (unsigned i = 0; i < SGT_CHIP_CLOCKS; i++) {
      mhz[i] = c->clocks[i].mhz;
      periods[i] = c->clocks[i].period;
   }
   /* No cycle has run yet. The statistics are only registered here so that the recorder can find
    * their names and arrays.
    */
   sgt_stats_init(&stats);
   sgt_chip_register(c, &stats);
   const bool ok = !stats.out_of_memory &&
                   sgt_recorder_init(c->recorder, result, observe,
                                     c->front.plan.trace->num_operations, &stats, classes,
                                     ARRAY_SIZE(classes), counters, ARRAY_SIZE(counters), mhz,
                                     periods);
   sgt_stats_finish(&stats);
   return ok;
}

bool
sgt_chip_observe(struct sgt_chip *c, const struct sgt_chip_observe *observe,
                 struct sgt_chip_result *result)
{
   *result = (struct sgt_chip_result){ 0 };
   c->recorder = calloc(1, sizeof(*c->recorder));
   c->bus = calloc(c->num_rops, sizeof(*c->bus));
   if (!c->recorder || !c->bus || !make_recorder(c, observe, result)) {
      sgt_chip_free_recorder(c);
      return false;
   }
   for (uint32_t i = 0; i < c->num_rops; i++)
      sgt_recorder_replace(c->recorder, c->memory.partitions[i].gddr.stats.states, c->bus[i]);
   for (uint32_t i = 0; i < result->num_classes; i++) {
      struct sgt_chip_class *k = &result->classes[i];
      if (k->states == sgt_switch_state_names)
         k->units = !strcmp(k->name, "xbar-requests") ? c->num_rops : c->memory.xbar.params.clients;
   }
   c->front.ia.begins = chip_begins;
   c->front.ia.ends = chip_ends;
   c->front.ia.told_data = c->recorder;
   return true;
}

void
sgt_chip_free_recorder(struct sgt_chip *c)
{
   if (c->recorder)
      sgt_recorder_finish(c->recorder);
   free(c->recorder);
   free(c->bus);
   c->recorder = NULL;
   c->bus = NULL;
}

/* Updates the state counters of all units to include the cycles before `time`, which is in ticks
 * and must be the start of a core cycle.
 */
static void
chip_account(struct sgt_chip *c, uint64_t time)
{
   sgt_chip_front_account(&c->front, time);
   sgt_unit_states_account(&c->early.states, time);
   sgt_unit_states_account(&c->transfer.states, time);
   sgt_xbar_account(&c->memory.xbar, time);
   for (uint32_t i = 0; i < c->num_sms; i++)
      sgt_core_states(&c->sms[i], time);
   for (uint32_t i = 0; i < c->num_tpcs; i++) {
      sgt_tex_end(&c->texs[i], time);
      sgt_unit_states_account(&c->outputs[i].states, time);
   }
   for (uint32_t i = 0; i < c->num_rops; i++) {
      sgt_rop_end(&c->rops[i], time);
      sgt_unit_states_account(&c->switches[i].states, time);
      sgt_partition_account_pipe(&c->memory.partitions[i], time);
      sgt_gddr_states(&c->memory.partitions[i].gddr, time, c->bus[i]);
   }
}

static void
tell_warps(const struct sgt_chip *c)
{
   const struct sgt_chip_observe *observe = &c->recorder->observe;
   uint64_t ended = 0;

   for (unsigned i = 0; observe->warps && i < SGT_DIST_KINDS; i++)
      ended += c->front.dist.counters.ended[i];
   if (observe->warps)
      observe->warps(observe->data, ended);
}

bool
sgt_chip_step(struct sgt_chip *c, uint64_t limit)
{
   uint64_t due;

   while (c->recorder && (due = sgt_recorder_due(c->recorder)) <= limit) {
      if (sgt_sched_step(&c->sched, due - 1))
         return true;
      /* The scheduler has no calls left. sgt_chip_end_recorder() will record the last row. */
      if (!sgt_sched_pending(&c->sched))
         return false;
      if (c->recorder->now)
         chip_account(c, due);
      sgt_recorder_take(c->recorder, due);
      tell_warps(c);
   }
   return sgt_sched_step(&c->sched, limit);
}

bool
sgt_chip_end_recorder(struct sgt_chip *c)
{
   struct sgt_recorder *r = c->recorder;

   if (!r)
      return true;
   if (r->now)
      chip_account(c, c->end);
   r->result->sm_cycles = sgt_chip_sm_cycles(c);
   r->result->ns = sgt_chip_ns(c);
   return sgt_recorder_end(r, c->end);
}
