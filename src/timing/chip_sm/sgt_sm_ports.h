/* SPDX-License-Identifier: MIT */
/*
 * Messages between the shader cores of a chip and the other units. Warps and accesses are passed as
 * indices into the arrays of struct sgt_work, which all units can read.
 */
#ifndef SGT_SM_PORTS_H
#define SGT_SM_PORTS_H

#include <stdint.h>

/* Message from the work distributor to a core: launches a warp. The distributor keeps track of the
 * warps, threads, registers and shared memory of the core, and only sends warps that fit.
 */
struct sgt_sm_launch {
   uint32_t warp; /* index into work->warps */
};

/* Message from a core to the distributor: a warp and all of its accesses have finished, and the
 * resources of the warp are free again.
 */
struct sgt_sm_done {
   uint32_t warp; /* index into work->warps */
   uint16_t sm;   /* index of the core */
};

/* Message from a core to its texture unit: a texture access (SGT_ACCESS_TEXTURE). */
struct sgt_tex_request {
   uint32_t access; /* index into work->accesses */
   uint32_t tag;    /* ID that the core chooses and that the response contains */
   uint16_t sm;     /* index of the core */
};

struct sgt_tex_response {
   uint32_t tag;
   uint16_t sm;
};

struct sgt_channel;

/* Channels to and from a core, which must be connected after creating the core. */
struct sgt_sm_ports {
   struct sgt_channel *launch;        /* carries struct sgt_sm_launch */
   struct sgt_channel *done;          /* carries struct sgt_sm_done */
   struct sgt_channel *tex_requests;  /* carries struct sgt_tex_request */
   struct sgt_channel *tex_responses; /* carries struct sgt_tex_response */
   struct sgt_channel *mem_requests;  /* carries struct sgt_mem_request */
   struct sgt_channel *mem_responses; /* carries struct sgt_mem_response */
   uint16_t client;                   /* ID of the core as a client of the memory system */
};

#endif
