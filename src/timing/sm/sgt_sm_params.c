/* SPDX-License-Identifier: MIT */
/*
 * Streaming multiprocessor: parameters.
 */
#include "sgt_sm_params.h"

#include <inttypes.h>
#include <stdio.h>

#include "util/macros.h"
#include "util/u_math.h"

void
sgt_sm_params_init(struct sgt_sm_params *p)
{
   *p = (struct sgt_sm_params){
      .warps = 24,
      .threads = 768,
      .groups = 8,
      .launch = 4,
      .sps = 8,
      .sfus = 2,
      .interp = 4,
      .multipliers = 4,
      .dual = SGT_SM_DUAL_BUSY,
      .alu_latency = 12,
      .sfu_latency = 14,
      .interp_latency = 14,
      .shared_latency = 18,
      .const_latency = 12,
      .tex_return = 2,
      .mem_return = 2,
      .bank_cycles = 2,
      .level_class = { [SGT_SM_VERTEX] = 2, [SGT_SM_GEOMETRY] = 1, [SGT_SM_COMPUTE] = 2 },
      .level_alu = 2,
      .level_mul = 3,
      .level_sfu = 1,
      .order = SGT_SM_OLDEST,
      .patience = 64,
      .buffer = 8,
      .fetch_width = 4,
      .fetch_latency = 2,
      .jump = 4,
      .op_bytes = 8,
      .icache_bytes = 4096,
      .icache_ways = 4,
      .const_bytes = 8192,
      .const_ways = 2,
      .prologue = SGT_SM_PROLOGUE_PERSPECTIVE,
      .barrier = 2,
      .textures = 64,
      .accesses = 64,
      .coalesce = SGT_SM_COALESCE_HALF,
   };
}

bool
sgt_sm_params_check(const struct sgt_sm_params *p, char *error, size_t error_size)
{
   const uint32_t level = SGT_SM_LEVELS - 1;
   const struct {
      const char *name;
      uint64_t value, low, high;
   } ranges[] = {
      { "warps", p->warps, 1, SGT_SM_MAX_WARPS },
      { "threads", p->threads, 32, 32 * SGT_SM_MAX_WARPS },
      { "groups", p->groups, 1, SGT_SM_MAX_WARPS },
      { "launch", p->launch, 0, 1000 },
      { "sps", p->sps, 1, 32 },
      { "sfus", p->sfus, 1, 32 },
      { "interp", p->interp, 1, 32 },
      { "multipliers", p->multipliers, 1, 32 },
      { "dual", p->dual, 0, SGT_SM_DUAL_FIRST },
      { "alu_latency", p->alu_latency, 1, 1000 },
      { "sfu_latency", p->sfu_latency, 1, 1000 },
      { "interp_latency", p->interp_latency, 1, 1000 },
      { "shared_latency", p->shared_latency, 1, 1000 },
      { "const_latency", p->const_latency, 1, 1000 },
      { "tex_return", p->tex_return, 1, 1000 },
      { "mem_return", p->mem_return, 1, 1000 },
      { "banks", p->banks, 0, 1024 },
      { "bank_cycles", p->bank_cycles, 0, 16 },
      { "level_vertex", p->level_class[SGT_SM_VERTEX], 0, level },
      { "level_geometry", p->level_class[SGT_SM_GEOMETRY], 0, level },
      { "level_pixel", p->level_class[SGT_SM_PIXEL], 0, level },
      { "level_compute", p->level_class[SGT_SM_COMPUTE], 0, level },
      { "level_alu", p->level_alu, 0, level },
      { "level_mul", p->level_mul, 0, level },
      { "level_sfu", p->level_sfu, 0, level },
      { "level_transfer", p->level_transfer, 0, level },
      { "order", p->order, 0, SGT_SM_GREEDY },
      { "patience", p->patience, 0, 100000 },
      { "fetch_width", p->fetch_width, 1, 8 },
      { "buffer", p->buffer, p->fetch_width, 64 },
      { "fetch_latency", p->fetch_latency, 1, 1000 },
      { "jump", p->jump, 1, 1000 },
      { "op_bytes", p->op_bytes, 4, 16 },
      { "icache_ways", p->icache_ways, 1, 64 },
      { "icache_bytes", p->icache_bytes, 64 * p->icache_ways, 1 << 24 },
      { "const_ways", p->const_ways, 1, 64 },
      { "const_bytes", p->const_bytes, 64 * p->const_ways, 1 << 24 },
      { "const_scope", p->const_scope, 0, SGT_CONST_VERSION },
      { "prologue", p->prologue, 0, SGT_SM_PROLOGUE_PERSPECTIVE },
      { "barrier", p->barrier, 1, 1000 },
      { "textures", p->textures, 1, SGT_SM_MAX_ACCESSES },
      { "accesses", p->accesses, 1, SGT_SM_MAX_ACCESSES },
      { "coalesce", p->coalesce, 0, SGT_SM_COALESCE_WARP },
   };
   for (unsigned i = 0; i < ARRAY_SIZE(ranges); i++) {
      if (ranges[i].value >= ranges[i].low && ranges[i].value <= ranges[i].high)
         continue;
      snprintf(error, error_size, "sm.%s: %" PRIu64 " is not from %" PRIu64 " to %" PRIu64,
               ranges[i].name, ranges[i].value, ranges[i].low, ranges[i].high);
      return false;
   }
   const struct {
      const char *name;
      uint32_t value, unit;
   } powers[] = {
      { "op_bytes", p->op_bytes, 1 },
      { "icache_bytes", p->icache_bytes, 64 * p->icache_ways },
      { "const_bytes", p->const_bytes, 64 * p->const_ways },
   };
   for (unsigned i = 0; i < ARRAY_SIZE(powers); i++) {
      if (powers[i].value % powers[i].unit == 0 &&
          util_is_power_of_two_nonzero(powers[i].value / powers[i].unit))
         continue;
      snprintf(error, error_size, "sm.%s: %" PRIu32 " is not a power of two times %" PRIu32,
               powers[i].name, powers[i].value, powers[i].unit);
      return false;
   }
   return true;
}
