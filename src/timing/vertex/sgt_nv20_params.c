/* SPDX-License-Identifier: MIT */
/*
 * The vertex engine of 2001: parameters, names of states.
 */
#include "sgt_nv20.h"

#include <inttypes.h>
#include <stdio.h>

#include "util/macros.h"

const char *const sgt_nv20_host_names[SGT_HOST_STATES] = {
   [SGT_HOST_SEND] = "send",
   [SGT_HOST_PACE] = "pace",
   [SGT_HOST_FULL] = "full",
   [SGT_HOST_DONE] = "done",
};

const char *const sgt_vab_write_names[SGT_VAB_WRITE_STATES] = {
   [SGT_VAB_WRITE] = "write",
   [SGT_VAB_WAITS_DRAIN] = "waits-drain",
   [SGT_VAB_WAITS_BUFFER] = "waits-buffer",
   [SGT_VAB_NO_WRITE] = "no-write",
};

const char *const sgt_vab_drain_names[SGT_VAB_DRAIN_STATES] = {
   [SGT_VAB_DRAIN] = "drain",
   [SGT_VAB_PUSH] = "push",
   [SGT_VAB_NO_BUFFER] = "no-buffer",
   [SGT_VAB_NO_VERTEX] = "no-vertex",
};

const char *const sgt_vcore_names[SGT_VCORE_STATES] = {
   [SGT_VCORE_ISSUE] = "issue",   [SGT_VCORE_LATENCY] = "latency", [SGT_VCORE_INPUT] = "input",
   [SGT_VCORE_OUTPUT] = "output", [SGT_VCORE_PROGRAM] = "program", [SGT_VCORE_DRAIN] = "drain",
};

const char *const sgt_vout_names[SGT_VOUT_STATES] = {
   [SGT_VOUT_SEND] = "send",
   [SGT_VOUT_BLOCKED] = "blocked",
   [SGT_VOUT_ORDER] = "order",
   [SGT_VOUT_IDLE] = "idle",
};

const char *const sgt_vnext_names[SGT_VNEXT_STATES] = {
   [SGT_VNEXT_BUSY] = "busy",
   [SGT_VNEXT_IDLE] = "idle",
};

void
sgt_nv20_params_init(struct sgt_nv20_params *p)
{
   *p = (struct sgt_nv20_params){
      .threads = 6,
      .latency = 6,
      .select = SGT_NV20_OLDEST,
      .input_buffers = 8,
      .output_buffers = 8,
      .host_fifo = 16,
      .host_clocks = 1,
      .next_fifo = 4,
      .next_clocks = 1,
      .push_out = true,
      .dirty = true,
      .flush = true,
   };
}

bool
sgt_nv20_params_check(const struct sgt_nv20_params *p, char *error, size_t error_size)
{
   const struct {
      const char *name;
      uint64_t value, low, high;
   } ranges[] = {
      { "threads", p->threads, 1, SGT_NV20_MAX_THREADS },
      { "latency", p->latency, 1, SGT_NV20_MAX_LATENCY },
      { "select", p->select, SGT_NV20_ROTATE, SGT_NV20_OLDEST },
      { "input_buffers", p->input_buffers, 1, SGT_NV20_MAX_BUFFERS },
      { "output_buffers", p->output_buffers, 1, SGT_NV20_MAX_BUFFERS },
      { "host_fifo", p->host_fifo, 1, SGT_NV20_MAX_FIFO },
      { "host_clocks", p->host_clocks, 1, SGT_NV20_MAX_CLOCKS },
      { "next_fifo", p->next_fifo, 1, SGT_NV20_MAX_FIFO },
      { "next_clocks", p->next_clocks, 1, SGT_NV20_MAX_CLOCKS },
   };
   for (unsigned i = 0; i < ARRAY_SIZE(ranges); i++) {
      if (ranges[i].value >= ranges[i].low && ranges[i].value <= ranges[i].high)
         continue;
      snprintf(error, error_size, "%s: %" PRIu64 " is not from %" PRIu64 " to %" PRIu64,
               ranges[i].name, ranges[i].value, ranges[i].low, ranges[i].high);
      return false;
   }
   return true;
}
