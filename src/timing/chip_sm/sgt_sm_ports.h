/* SPDX-License-Identifier: MIT */
/*
 * Messages between the shader cores of a chip and the other units. Warps and accesses are indices
 * in the work (sgt_work.h), which all units can read.
 */
#ifndef SGT_SM_PORTS_H
#define SGT_SM_PORTS_H

#include <stdint.h>

/* From the work distribution to a core: launches a warp. The distributor counts the warps, threads,
 * registers and shared memory of the core, and sends only warps that fit.
 */
struct sgt_sm_launch {
   uint32_t warp; /* index in work->warps */
};

/* From a core to the distributor: a warp and all of its accesses have ended, and its resources are
 * free.
 */
struct sgt_sm_done {
   uint32_t warp; /* index in work->warps */
   uint16_t sm;   /* number of the core */
};

/* From a core to its texture unit: an access of the kind SGT_ACCESS_TEXTURE. */
struct sgt_tex_request {
   uint32_t access; /* index in work->accesses */
   uint32_t tag;    /* number that the core chooses, and that the response returns */
   uint16_t sm;     /* number of the core */
};

struct sgt_tex_response {
   uint32_t tag;
   uint16_t sm;
};

struct sgt_channel;

/* Channels to and from a core. They must be initialized after the core. */
struct sgt_sm_ports {
   struct sgt_channel *launch;        /* messages: struct sgt_sm_launch */
   struct sgt_channel *done;          /* messages: struct sgt_sm_done */
   struct sgt_channel *tex_requests;  /* messages: struct sgt_tex_request */
   struct sgt_channel *tex_responses; /* messages: struct sgt_tex_response */
   struct sgt_channel *mem_requests;  /* messages: struct sgt_mem_request */
   struct sgt_channel *mem_responses; /* messages: struct sgt_mem_response */
   uint16_t client;                   /* number of the core's client of memory */
};

#endif
