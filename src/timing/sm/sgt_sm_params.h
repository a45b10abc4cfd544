/* SPDX-License-Identifier: MIT */
/*
 * Streaming multiprocessor: parameters.
 *
 * The unit's clock is that of the warp scheduler, half the SP clock; all times are in its
 * cycles.  Rates are in lanes an SP clock, of which a cycle has two.
 */
#ifndef SGT_SM_PARAMS_H
#define SGT_SM_PARAMS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "sgt_const_lines.h"

#define SGT_SM_MAX_WARPS 32
#define SGT_SM_MAX_ACCESSES 64
#define SGT_SM_LEVELS 4 /* of priority, 0 first */

/* Types of warps. */
enum sgt_sm_class {
   SGT_SM_VERTEX, /* and tessellation */
   SGT_SM_GEOMETRY,
   SGT_SM_PIXEL,
   SGT_SM_COMPUTE,
   SGT_SM_CLASSES,
};

/* Where the SFU's multipliers take products. */
enum sgt_sm_dual {
   SGT_SM_DUAL_NEVER,
   SGT_SM_DUAL_BUSY,  /* while the MAD units are busy */
   SGT_SM_DUAL_FIRST, /* whenever the SFUs are free */
};

/* Which warp of equal priority issues. */
enum sgt_sm_order {
   SGT_SM_OLDEST,      /* that was launched first */
   SGT_SM_ROUND_ROBIN, /* the next slot after the one that issued last */
   SGT_SM_GREEDY,      /* the one that issued last, else the oldest */
};

/* Which accesses of a warp one memory request serves. */
enum sgt_sm_coalesce {
   SGT_SM_COALESCE_NONE, /* those of a quad */
   SGT_SM_COALESCE_HALF, /* those of 16 lanes */
   SGT_SM_COALESCE_WARP,
};

/* What a pixel warp does before its program. */
enum sgt_sm_prologue {
   SGT_SM_PROLOGUE_NONE,
   SGT_SM_PROLOGUE_LINEAR,      /* interpolates each component */
   SGT_SM_PROLOGUE_PERSPECTIVE, /* 1/W, its reciprocal, and a product for each component too */
};

struct sgt_sm_params {
   uint32_t warps;   /* slots, 1 to SGT_SM_MAX_WARPS */
   uint32_t threads; /* of all slots, from 32 */
   uint32_t groups;  /* workgroups, from 1 */
   uint32_t launch;  /* launch to first fetch */

   uint32_t sps;         /* lanes of the MAD units */
   uint32_t sfus;        /* lanes of the SFUs: a result each */
   uint32_t interp;      /* samples that an SFU interpolates */
   uint32_t multipliers; /* of an SFU */
   uint32_t dual;        /* enum sgt_sm_dual */
   /* Issue to issue of a dependent operation, from 1. */
   uint32_t alu_latency, sfu_latency, interp_latency, shared_latency, const_latency;
   uint32_t tex_return, mem_return; /* response to issue of a dependent operation, from 1 */
   uint32_t banks;                  /* of the register file; 0: no conflicts */
   uint32_t bank_cycles;            /* for each further operand of a bank */

   uint32_t level_class[SGT_SM_CLASSES];                     /* priorities, below SGT_SM_LEVELS */
   uint32_t level_alu, level_mul, level_sfu, level_transfer; /* textures and memory */
   uint32_t order;                                           /* enum sgt_sm_order */
   uint32_t patience; /* a warp that is ready for so long goes first; 0: never */

   uint32_t buffer;        /* operations of a warp's instruction buffer, from fetch_width */
   uint32_t fetch_width;   /* operations of a fetch, 1 to 8 */
   uint32_t fetch_latency; /* fetch to issue, from 1 */
   uint32_t jump;          /* a jump's issue to the fetch of its target, from 1 */
   uint32_t op_bytes;      /* of an operation in memory: 4, 8 or 16 */
   uint32_t icache_bytes, icache_ways;
   uint32_t const_bytes, const_ways;
   uint32_t const_scope; /* enum sgt_const_scope */

   uint32_t prologue; /* enum sgt_sm_prologue */
   uint32_t barrier;  /* the last arrival to the first issue, from 1 */
   uint32_t textures; /* in flight, 1 to SGT_SM_MAX_ACCESSES */
   uint32_t accesses; /* of memory in flight, 1 to SGT_SM_MAX_ACCESSES */
   uint32_t coalesce; /* enum sgt_sm_coalesce */
};

void sgt_sm_params_init(struct sgt_sm_params *p);
/* If a value is illegal, false and a message that names the member. */
bool sgt_sm_params_check(const struct sgt_sm_params *p, char *error, size_t error_size);

#endif
