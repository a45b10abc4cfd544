/* SPDX-License-Identifier: MIT */
/*
 * Streaming multiprocessor: names of states, and its statistics in the registry.
 */
#include "sgt_sm_stats.h"

#include "util/macros.h"

const char *const sgt_sm_wait_names[SGT_SM_WAITS] = {
   [SGT_SM_READY] = "ready",          [SGT_SM_WAIT_ALU] = "alu",
   [SGT_SM_WAIT_SFU] = "sfu",         [SGT_SM_WAIT_SHARED] = "shared",
   [SGT_SM_WAIT_LDC] = "ldc",         [SGT_SM_WAIT_FETCH] = "fetch",
   [SGT_SM_WAIT_ICACHE] = "icache",   [SGT_SM_WAIT_CONST] = "const",
   [SGT_SM_WAIT_TEXTURE] = "texture", [SGT_SM_WAIT_MEMORY] = "memory",
   [SGT_SM_WAIT_BARRIER] = "barrier", [SGT_SM_WAIT_LAUNCH] = "launch",
   [SGT_SM_WAIT_DRAIN] = "drain",
};

const char *const sgt_sm_state_names[SGT_SM_STATES] = {
   [SGT_SM_ISSUE_ALU] = "issue-alu",
   [SGT_SM_ISSUE_MUL] = "issue-mul",
   [SGT_SM_ISSUE_SFU_MUL] = "issue-sfu-mul",
   [SGT_SM_ISSUE_SFU] = "issue-sfu",
   [SGT_SM_ISSUE_INTERP] = "issue-interp",
   [SGT_SM_ISSUE_TEXTURE] = "issue-texture",
   [SGT_SM_ISSUE_MEMORY] = "issue-memory",
   [SGT_SM_ISSUE_SHARED] = "issue-shared",
   [SGT_SM_ISSUE_CONST] = "issue-const",
   [SGT_SM_ISSUE_CONTROL] = "issue-control",
   [SGT_SM_BUSY_ALU] = "busy-alu",
   [SGT_SM_BUSY_SFU] = "busy-sfu",
   [SGT_SM_BUSY_TEXTURE] = "busy-texture",
   [SGT_SM_BUSY_MEMORY] = "busy-memory",
   [SGT_SM_BUSY_SHARED] = "busy-shared",
   [SGT_SM_BUSY_CONST] = "busy-const",
   [SGT_SM_STALL + SGT_SM_WAIT_ALU - 1] = "wait-alu",
   [SGT_SM_STALL + SGT_SM_WAIT_SFU - 1] = "wait-sfu",
   [SGT_SM_STALL + SGT_SM_WAIT_SHARED - 1] = "wait-shared",
   [SGT_SM_STALL + SGT_SM_WAIT_LDC - 1] = "wait-ldc",
   [SGT_SM_STALL + SGT_SM_WAIT_FETCH - 1] = "wait-fetch",
   [SGT_SM_STALL + SGT_SM_WAIT_ICACHE - 1] = "wait-icache",
   [SGT_SM_STALL + SGT_SM_WAIT_CONST - 1] = "wait-const",
   [SGT_SM_STALL + SGT_SM_WAIT_TEXTURE - 1] = "wait-texture",
   [SGT_SM_STALL + SGT_SM_WAIT_MEMORY - 1] = "wait-memory",
   [SGT_SM_STALL + SGT_SM_WAIT_BARRIER - 1] = "wait-barrier",
   [SGT_SM_STALL + SGT_SM_WAIT_LAUNCH - 1] = "wait-launch",
   [SGT_SM_STALL + SGT_SM_WAIT_DRAIN - 1] = "drain",
   [SGT_SM_IDLE] = "idle",
};

const char *const sgt_sm_class_names[SGT_SM_CLASSES] = { "vertex", "geometry", "pixel", "compute" };

const char *const sgt_sm_unit_names[SGT_SM_UNITS] = {
   "alu", "mul", "sfu", "interp", "texture", "memory", "shared", "const", "control",
};

static const char *const lookup_names[SGT_SM_LOOKUPS] = { "hit", "miss", "join" };

static uint64_t
sum(const uint64_t *values, uint32_t num)
{
   uint64_t total = 0;
   for (uint32_t i = 0; i < num; i++)
      total += values[i];
   return total;
}

void
sgt_sm_stats_register(const struct sgt_sm_stats *s, const char *unit, struct sgt_stats *stats)
{
   const struct {
      const char *name, *of;
      uint32_t num;
      const uint64_t *values;
      const char *const *names;
      uint64_t total;
      const char *text;
   } parts[] = {
      { "states", "cycles", SGT_SM_STATES, s->states, sgt_sm_state_names, s->cycles,
        "What the multiprocessor does in each cycle." },
      { "vertex-warps", "warps", SGT_SM_WAITS, s->waits[SGT_SM_VERTEX], sgt_sm_wait_names,
        s->residence[SGT_SM_VERTEX], "What vertex and tessellation warps do in each cycle." },
      { "geometry-warps", "warps", SGT_SM_WAITS, s->waits[SGT_SM_GEOMETRY], sgt_sm_wait_names,
        s->residence[SGT_SM_GEOMETRY], "What geometry warps do in each cycle." },
      { "pixel-warps", "warps", SGT_SM_WAITS, s->waits[SGT_SM_PIXEL], sgt_sm_wait_names,
        s->residence[SGT_SM_PIXEL], "What pixel warps do in each cycle." },
      { "compute-warps", "warps", SGT_SM_WAITS, s->waits[SGT_SM_COMPUTE], sgt_sm_wait_names,
        s->residence[SGT_SM_COMPUTE], "What compute warps do in each cycle." },
      { "ops", "operations", SGT_SM_CLASSES, s->ops, sgt_sm_class_names,
        sum(s->states, SGT_SM_BUSY_ALU), "Scalar operations of warps, by type of warp." },
      { "unit-ops", "operations", SGT_SM_UNITS, s->unit_ops, sgt_sm_unit_names,
        sum(s->ops, SGT_SM_CLASSES), "Scalar operations of warps, by unit." },
      { "fetch-results", "fetches", SGT_SM_LOOKUPS, s->icache, lookup_names, s->fetches,
        "What fetches found in the instruction cache." },
   };
   const struct {
      const char *name, *of;
      enum sgt_stat_kind kind;
      uint32_t num;
      const uint64_t *values;
      const char *text;
   } histograms[] = {
      { "occupancy", "cycles", SGT_STAT_HISTOGRAM, ARRAY_SIZE(s->occupancy), s->occupancy,
        "Cycles, by warps." },
      { "active-lanes", "operations", SGT_STAT_HISTOGRAM, ARRAY_SIZE(s->active), s->active,
        "Scalar operations of warps, by active lanes." },
      { "warp-length", "warps", SGT_STAT_LOG2, ARRAY_SIZE(s->warp_cycles), s->warp_cycles,
        "Warps, by cycles from launch to end." },
   };
   const struct {
      const char *name, *of;
      const uint64_t *value;
      const char *text;
   } counts[] = {
      { "cycles", "cycles", &s->cycles, "Cycles of the scheduler, half as many as of the SPs." },
      { "vertex-launches", "warps", &s->warps[SGT_SM_VERTEX],
        "Vertex and tessellation warps that were launched." },
      { "geometry-launches", "warps", &s->warps[SGT_SM_GEOMETRY],
        "Geometry warps that were launched." },
      { "pixel-launches", "warps", &s->warps[SGT_SM_PIXEL], "Pixel warps that were launched." },
      { "compute-launches", "warps", &s->warps[SGT_SM_COMPUTE],
        "Compute warps that were launched." },
      { "vertex-ends", "warps", &s->done[SGT_SM_VERTEX],
        "Vertex and tessellation warps that have ended." },
      { "geometry-ends", "warps", &s->done[SGT_SM_GEOMETRY], "Geometry warps that have ended." },
      { "pixel-ends", "warps", &s->done[SGT_SM_PIXEL], "Pixel warps that have ended." },
      { "compute-ends", "warps", &s->done[SGT_SM_COMPUTE], "Compute warps that have ended." },
      { "vertex-instructions", "instructions", &s->instrs[SGT_SM_VERTEX],
        "Instructions of vertex and tessellation warps." },
      { "geometry-instructions", "instructions", &s->instrs[SGT_SM_GEOMETRY],
        "Instructions of geometry warps." },
      { "pixel-instructions", "instructions", &s->instrs[SGT_SM_PIXEL],
        "Instructions of pixel warps, those of their prologue too." },
      { "compute-instructions", "instructions", &s->instrs[SGT_SM_COMPUTE],
        "Instructions of compute warps." },
      { "vertex-lanes", "lanes", &s->lanes[SGT_SM_VERTEX],
        "Active lanes of vertex and tessellation warps, summed over operations." },
      { "geometry-lanes", "lanes", &s->lanes[SGT_SM_GEOMETRY],
        "Active lanes of geometry warps, summed over operations." },
      { "pixel-lanes", "lanes", &s->lanes[SGT_SM_PIXEL],
        "Active lanes of pixel warps, summed over operations." },
      { "compute-lanes", "lanes", &s->lanes[SGT_SM_COMPUTE],
        "Active lanes of compute warps, summed over operations." },
      { "prologue-ops", "operations", &s->prologue, "Operations that interpolate inputs." },
      { "alu-busy", "cycles", &s->alu_busy, "Cycles of the MAD units." },
      { "sfu-busy", "cycles", &s->sfu_busy, "Cycles of the SFUs." },
      { "shared-busy", "cycles", &s->shared_busy, "Cycles of shared memory." },
      { "const-busy", "cycles", &s->const_busy, "Cycles of loads from the constant cache." },
      { "bank-conflicts", "cycles", &s->bank_conflicts, "Cycles of conflicts of registers." },
      { "shared-conflicts", "cycles", &s->shared_conflicts,
        "Cycles of shared memory beyond one for 16 lanes." },
      { "urgent-ops", "operations", &s->urgent, "Operations of warps that had waited too long." },
      { "jumps", "jumps", &s->jumps, "Changes of a warp's way that throw its buffer away." },
      { "flushed-ops", "operations", &s->flushed, "Operations that jumps threw away." },
      { "fetches", "fetches", &s->fetches, "Fetches of operations." },
      { "fetched-ops", "operations", &s->fetched, "Operations that were fetched." },
      { "const-hits", "lookups", &s->constants[SGT_SM_HIT],
        "Lookups of lines in the constant cache that hit." },
      { "const-misses", "lookups", &s->constants[SGT_SM_MISS],
        "Lookups of lines in the constant cache that missed." },
      { "const-joins", "lookups", &s->constants[SGT_SM_JOIN],
        "Lookups of lines of constants that were under way." },
      { "icache-requests", "requests", &s->icache_requests,
        "Lines that the instruction cache read from memory." },
      { "const-requests", "requests", &s->const_requests,
        "Lines that the constant cache read from memory." },
      { "textures", "accesses", &s->accesses[SGT_ACCESS_TEXTURE], "Texture accesses of warps." },
      { "loads", "accesses", &s->accesses[SGT_ACCESS_LOAD], "Loads of warps." },
      { "stores", "accesses", &s->accesses[SGT_ACCESS_STORE], "Stores of warps." },
      { "atomics", "accesses", &s->accesses[SGT_ACCESS_ATOMIC], "Atomic accesses of warps." },
      { "shared-accesses", "accesses", &s->accesses[SGT_ACCESS_SHARED],
        "Accesses of warps to shared memory." },
      { "const-loads", "accesses", &s->accesses[SGT_ACCESS_CONST],
        "Loads of warps through the constant cache." },
      { "texture-lines", "lines", &s->lines[SGT_ACCESS_TEXTURE],
        "Lines that quads touch by texture accesses." },
      { "load-lines", "lines", &s->lines[SGT_ACCESS_LOAD], "Lines that quads load." },
      { "store-lines", "lines", &s->lines[SGT_ACCESS_STORE], "Lines that quads store to." },
      { "atomic-lines", "lines", &s->lines[SGT_ACCESS_ATOMIC],
        "Lines that quads touch by atomic accesses." },
      { "load-requests", "requests", &s->requests[SGT_ACCESS_LOAD],
        "Requests to memory for loads, after coalescing." },
      { "store-requests", "requests", &s->requests[SGT_ACCESS_STORE],
        "Requests to memory for stores, after coalescing." },
      { "atomic-requests", "requests", &s->requests[SGT_ACCESS_ATOMIC],
        "Requests to memory for atomic accesses, after coalescing." },
      { "texture-wait", "cycles", &s->texture_wait,
        "From issue to response, summed over texture accesses." },
      { "memory-wait", "cycles", &s->memory_wait,
        "From issue to the last response, of stores the last request, summed over accesses." },
      { "texture-max", "accesses", &s->texture_max, "The most texture accesses in flight." },
      { "memory-max", "accesses", &s->memory_max, "The most accesses of memory in flight." },
      { "barriers", "warps", &s->barriers, "Arrivals of warps at barriers." },
      { "barrier-releases", "barriers", &s->barrier_releases,
        "Barriers that let their workgroups go on." },
      { "groups-max", "groups", &s->groups_max, "The most workgroups at a time." },
   };
   for (unsigned i = 0; i < ARRAY_SIZE(parts); i++)
      sgt_stats_add(stats, &(struct sgt_stat){ .kind = SGT_STAT_PARTS,
                                               .unit = unit,
                                               .name = parts[i].name,
                                               .of = parts[i].of,
                                               .text = parts[i].text,
                                               .num = parts[i].num,
                                               .values = parts[i].values,
                                               .names = parts[i].names,
                                               .total = parts[i].total });
   for (unsigned i = 0; i < ARRAY_SIZE(histograms); i++)
      sgt_stats_add(stats, &(struct sgt_stat){ .kind = histograms[i].kind,
                                               .unit = unit,
                                               .name = histograms[i].name,
                                               .of = histograms[i].of,
                                               .text = histograms[i].text,
                                               .num = histograms[i].num,
                                               .values = histograms[i].values });
   for (unsigned i = 0; i < ARRAY_SIZE(counts); i++)
      sgt_stats_add(stats, &(struct sgt_stat){ .kind = SGT_STAT_COUNT,
                                               .unit = unit,
                                               .name = counts[i].name,
                                               .of = counts[i].of,
                                               .text = counts[i].text,
                                               .num = 1,
                                               .values = counts[i].value });
}
