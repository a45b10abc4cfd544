/* SPDX-License-Identifier: MIT */
/*
 * Names of the states of all units in the vertex engine of 2001.
 */
#include "nv20/sgt_nv20.h"

#include <assert.h>

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

static_assert(SGPU_OP_LIT - SGPU_OP_ARL == 16 && SGPU_OP_RCP - SGPU_OP_ARL == 12,
              "opcodes are in the order of the names of stats_engines.py");
