/* SPDX-License-Identifier: MIT */
/*
 * Parameters of the constant cache from those of the configuration.
 */
#include "sgt_config.h"
#include "sgt_const_cache.h"

void
sgt_config_const(const struct sgt_config *c, struct sgt_const_params *p)
{
   *p = (struct sgt_const_params){
      .contexts = c->v.constants.contexts,
      .versions = c->v.constants.versions,
      .lines = c->v.constants.lines,
      .mapping = c->v.constants.mapping,
      .fifo = c->v.constants.fifo,
      .misses = c->v.constants.misses,
      .latency = c->v.constants.latency,
   };
}
