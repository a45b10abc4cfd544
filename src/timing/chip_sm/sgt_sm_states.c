/* SPDX-License-Identifier: MIT */
/*
 * Streaming multiprocessor: names of the states, classes and units.
 */
#include "chip_sm/sgt_sm_states.h"

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
