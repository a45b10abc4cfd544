/* SPDX-License-Identifier: MIT */
/*
 * Execution unit: parameters.
 */
#include <stdio.h>

#include "sgt_eu.h"
#include "util/bitscan.h"
#include "util/macros.h"
#include "util/u_math.h"

void
sgt_eu_params_init(struct sgt_eu_params *p)
{
   *p = (struct sgt_eu_params){
      .threads = 16,
      .width = 32,
      .two_arbiters = true,
      .broadcast = true,
      .fetch_select = SGT_EU_FETCH_OLDEST,
      .queue = 4,
      .code_sets = 16,
      .code_ways = 4,
      .fetch_latency = 3,
      .predecode = true,
      .fuse = true,
      .const_latency = 2,
      .const_fifo = 8,
      .const_in_order = false,
      .const_blocking = false,
      .const_scope = SGT_CONST_VERSION,
      .constants = { .sets = 16, .ways = 8, .contexts = 2, .versions = 2, .mapping = 16 },
      .attr_latency = 2,
      .attr_fifo = 8,
      .attr_entries = 256,
      .two_files = true,
      .banks = 4,
      .reg_latency = 1,
      .alus = 2,
      .alu_interval = 1,
      .alu_latency = 4,
      .sfu_interval = 4,
      .sfu_latency = 8,
      .interp_interval = 1,
      .interp_latency = 4,
      .jump_latency = 2,
      .output = 8,
      .accesses = 32,
   };
}

static bool
expect(bool ok, const char *name, uint64_t value, const char *expected, char *error, size_t size)
{
   if (!ok)
      snprintf(error, size, "eu.%s = %llu: expected %s", name, (unsigned long long)value, expected);
   return ok;
}

bool
sgt_eu_params_check(const struct sgt_eu_params *p, char *error, size_t size)
{
   const struct {
      const char *name;
      uint64_t value, low, high;
   } ranges[] = {
      { "threads", p->threads, 2, SGT_EU_MAX_THREADS },
      { "width", p->width, 4, 32 },
      { "queue", p->queue, 1, SGT_EU_MAX_QUEUE },
      { "code_sets", p->code_sets, 1, 1 << 16 },
      { "code_ways", p->code_ways, 1, 64 },
      { "fetch_latency", p->fetch_latency, 1, 1 << 16 },
      { "const_latency", p->const_latency, 1, 1 << 16 },
      { "const_fifo", p->const_fifo, 1, SGT_EU_MAX_FIFO },
      { "const_sets", p->constants.sets, 1, 1 << 16 },
      { "const_ways", p->constants.ways, 1, 64 },
      { "contexts", p->constants.contexts, 1, SGT_EU_MAX_CONTEXTS },
      { "versions", p->constants.versions, 1, SGT_EU_MAX_VERSIONS },
      { "attr_latency", p->attr_latency, 1, 1 << 16 },
      { "attr_fifo", p->attr_fifo, 1, SGT_EU_MAX_FIFO },
      { "banks", p->banks, 1, 16 },
      { "reg_latency", p->reg_latency, 1, 1 << 16 },
      { "alus", p->alus, 1, SGT_EU_MAX_ALUS },
      { "alu_interval", p->alu_interval, 1, 1 << 16 },
      { "alu_latency", p->alu_latency, 1, 1 << 16 },
      { "sfu_interval", p->sfu_interval, 1, 1 << 16 },
      { "sfu_latency", p->sfu_latency, 1, 1 << 16 },
      { "interp_interval", p->interp_interval, 1, 1 << 16 },
      { "interp_latency", p->interp_latency, 1, 1 << 16 },
      { "jump_latency", p->jump_latency, 1, 1 << 16 },
      { "output", p->output, 1, SGT_EU_MAX_OUTPUT },
      { "accesses", p->accesses, 1, SGT_EU_MAX_ACCESSES },
   };
   const struct {
      const char *name;
      uint64_t value;
   } powers[] = {
      { "width", p->width },
      { "code_sets", p->code_sets },
      { "const_sets", p->constants.sets },
      { "banks", p->banks },
   };
   for (unsigned i = 0; i < ARRAY_SIZE(ranges); i++) {
      char text[64];
      snprintf(text, sizeof(text), "%llu to %llu", (unsigned long long)ranges[i].low,
               (unsigned long long)ranges[i].high);
      if (!expect(ranges[i].value >= ranges[i].low && ranges[i].value <= ranges[i].high,
                  ranges[i].name, ranges[i].value, text, error, size))
         return false;
   }
   for (unsigned i = 0; i < ARRAY_SIZE(powers); i++)
      if (!expect(util_is_power_of_two_nonzero(powers[i].value), powers[i].name, powers[i].value,
                  "a power of 2", error, size))
         return false;
   return expect(!(p->threads & 1), "threads", p->threads, "an even number", error, size) &&
          expect(p->threads * p->width >= 32, "threads", p->threads,
                 "slots for the threads of a warp: 32 / eu.width", error, size);
}
