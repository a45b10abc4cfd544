/* SPDX-License-Identifier: MIT */
/*
 * Parameters of a chip's front: host interface, input assembler, work distribution.
 */
#ifndef SGT_FRONT_PARAMS_H
#define SGT_FRONT_PARAMS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define SGT_MAX_TPCS 64
#define SGT_MAX_TPC_SMS 8
#define SGT_MAX_SMS (SGT_MAX_TPCS * SGT_MAX_TPC_SMS)
#define SGT_MAX_SM_WARPS 128
#define SGT_MAX_SM_GROUPS 32

struct sgt_ia_params {
   uint32_t operations;  /* that have begun and not ended, from 1 */
   uint32_t command;     /* cycles of the host interface for an operation, from 1 */
   uint32_t flush;       /* cycles of a barrier after the chip is idle */
   uint32_t primitives;  /* a cycle, from 1 */
   uint32_t attributes;  /* scalars a cycle, from 1 */
   uint32_t fetch_lines; /* requests a cycle, from 1 */
   uint32_t fetch_open;  /* requests without a response, from 1 */
   uint32_t ahead;       /* vertex warps whose inputs are under way, from 1 */
};

enum sgt_dist_turn {
   SGT_DIST_STRICT, /* a TPC that has no room is waited for */
   SGT_DIST_FREE,   /* the next that has room */
};

enum sgt_dist_balance {
   SGT_DIST_STATIC,  /* a kind never has more than its limit */
   SGT_DIST_DYNAMIC, /* it may, while no warp of the other kind waits for the TPC */
};

enum sgt_dist_prefer {
   SGT_DIST_PIXEL,
   SGT_DIST_VERTEX,
};

struct sgt_dist_params {
   uint32_t tpcs, tpc_sms; /* from 1 */
   enum sgt_dist_turn turn;
   uint32_t vertex_rate; /* vertex, tessellation and geometry warps a cycle, from 1 */
   uint32_t grid_rate;   /* warps of grids a cycle, from 1 */
   uint32_t pixel_rate;  /* pixel warps a cycle into the queues of the TPCs, from 1 */
   uint32_t reorder;     /* warps whose outputs are kept for those before them, from 1 */
   uint32_t tile;        /* pixels, a power of 2 from 8 to 4096: a tile's pixels go to one TPC */
   uint32_t tile_skew;   /* a row of tiles begins so many TPCs further than the one above */
   uint32_t pixel_queue; /* pixel warps that wait for a TPC, from 1 */
   uint32_t pixel_order; /* of a TPC: started, and not all written, from 1 */
   enum sgt_dist_balance balance;
   enum sgt_dist_prefer prefer;
   uint32_t vertex_limit, pixel_limit; /* warps of a SM, from 1 */
   bool inputs_shared;                 /* inputs of vertices and primitives are in shared memory */
   /* Of a SM. */
   uint32_t sm_warps;     /* 1 to SGT_MAX_SM_WARPS */
   uint32_t sm_threads;   /* from 32 */
   uint32_t sm_registers; /* of 32 bits */
   uint32_t sm_groups;    /* workgroups, 1 to SGT_MAX_SM_GROUPS */
   uint32_t sm_shared;    /* bytes */
};

void sgt_ia_params_init(struct sgt_ia_params *p);
void sgt_dist_params_init(struct sgt_dist_params *p);
/* Whether the values are legal; if not, false and a message that names the key. */
bool sgt_ia_params_check(const struct sgt_ia_params *p, char *error, size_t error_size);
bool sgt_dist_params_check(const struct sgt_dist_params *p, char *error, size_t error_size);

#endif
