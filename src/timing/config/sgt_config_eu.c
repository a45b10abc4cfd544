/* SPDX-License-Identifier: MIT */
/*
 * Parameters of the execution unit from those of the configuration.
 */
#include "sgt_config.h"
#include "sgt_eu.h"
#include "util/macros.h"

static_assert((int)SGT_CHOICE_EU_FETCH_SELECT_OLDEST == SGT_EU_FETCH_OLDEST &&
                 (int)SGT_CHOICE_EU_FETCH_SELECT_LONGEST == SGT_EU_FETCH_LONGEST &&
                 (int)SGT_CHOICE_EU_CONST_SCOPE_OPERATION == SGT_CONST_OPERATION &&
                 (int)SGT_CHOICE_EU_CONST_SCOPE_PROGRAM == SGT_CONST_PROGRAM &&
                 (int)SGT_CHOICE_EU_CONST_SCOPE_VERSION == SGT_CONST_VERSION,
              "choices are in the order of the enum");

bool
sgt_config_eu(const struct sgt_config *c, struct sgt_eu_params *p, char *error, size_t error_size)
{
   *p = (struct sgt_eu_params){
      .threads = c->v.eu.threads,
      .width = c->v.eu.width,
      .two_arbiters = c->v.eu.two_arbiters,
      .broadcast = c->v.eu.broadcast,
      .fetch_select = c->v.eu.fetch_select,
      .queue = c->v.eu.queue,
      .code_sets = c->v.eu.code_sets,
      .code_ways = c->v.eu.code_ways,
      .fetch_latency = c->v.eu.fetch_latency,
      .predecode = c->v.eu.predecode,
      .fuse = c->v.eu.fuse,
      .const_latency = c->v.eu.const_latency,
      .const_fifo = c->v.eu.const_fifo,
      .const_in_order = c->v.eu.const_in_order,
      .const_blocking = c->v.eu.const_blocking,
      .const_scope = c->v.eu.const_scope,
      .constants = {
         .sets = c->v.eu.const_sets,
         .ways = c->v.eu.const_ways,
         .contexts = c->v.eu.contexts,
         .versions = c->v.eu.versions,
         .mapping = c->v.eu.mapping,
      },
      .attr_latency = c->v.eu.attr_latency,
      .attr_fifo = c->v.eu.attr_fifo,
      .attr_entries = c->v.eu.attr_entries,
      .two_files = c->v.eu.two_files,
      .banks = c->v.eu.banks,
      .reg_latency = c->v.eu.reg_latency,
      .alus = c->v.eu.alus,
      .alu_interval = c->v.eu.alu_interval,
      .alu_latency = c->v.eu.alu_latency,
      .sfu_interval = c->v.eu.sfu_interval,
      .sfu_latency = c->v.eu.sfu_latency,
      .interp_interval = c->v.eu.interp_interval,
      .interp_latency = c->v.eu.interp_latency,
      .jump_latency = c->v.eu.jump_latency,
      .output = c->v.eu.output,
      .accesses = c->v.eu.accesses,
   };
   return sgt_eu_params_check(p, error, error_size);
}
