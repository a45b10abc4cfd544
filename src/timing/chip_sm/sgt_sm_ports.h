/* SPDX-License-Identifier: MIT */
/*
 * Messages between the shader cores of a chip and the units around them.  Warps and accesses
 * are indices in the work (sgt_work.h), which all units can read.
 */
#ifndef SGT_SM_PORTS_H
#define SGT_SM_PORTS_H

#include <stdint.h>

/* Work distribution to a core: it executes the warp.  The distributor keeps count of the
 * core's warps, threads, registers and shared memory, and sends what fits.
 */
struct sgt_sm_launch {
   uint32_t warp; /* in work->warps */
};

/* A core to the distributor: the warp has ended, and all of its accesses; its resources are
 * free.
 */
struct sgt_sm_done {
   uint32_t warp;
   uint16_t sm;
};

/* A core to the texture unit that it shares: an access with SGT_ACCESS_TEXTURE. */
struct sgt_tex_request {
   uint32_t access; /* in work->accesses */
   uint32_t tag;    /* the core's; the response has it */
   uint16_t sm;
};

struct sgt_tex_response {
   uint32_t tag;
   uint16_t sm;
};

struct sgt_channel;

/* Channels to and from a core, made after it. */
struct sgt_sm_ports {
   struct sgt_channel *launch;        /* struct sgt_sm_launch */
   struct sgt_channel *done;          /* struct sgt_sm_done */
   struct sgt_channel *tex_requests;  /* struct sgt_tex_request */
   struct sgt_channel *tex_responses; /* struct sgt_tex_response */
   struct sgt_channel *mem_requests;  /* struct sgt_mem_request */
   struct sgt_channel *mem_responses; /* struct sgt_mem_response */
   uint16_t client;                   /* of memory requests */
};

#endif
