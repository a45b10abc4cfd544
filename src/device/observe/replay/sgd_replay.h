/* SPDX-License-Identifier: MIT */
/*
 * Fragments with known depths and colours, which the engines test and write when a shadow executes
 * a draw (sgpu_shadow.h).
 */
#ifndef SGD_REPLAY_H
#define SGD_REPLAY_H

#include "common/sgd_state.h"
#include "sgpu_shadow.h"

enum sgd_replay_part {
   SGD_REPLAY_ALL,
   SGD_REPLAY_TEST,  /* only depth and stencil tests, without colours */
   SGD_REPLAY_COLOR, /* only colours of one target, without tests */
};

struct sgd_replay {
   /* State of the draw. Only the members that struct sgd_shadow_state also has are used. The replay
    * temporarily modifies plan.rop.
    */
   struct sgd_state *state;
   /* test: depth or stencil is tested; late: the tests run after the pixel program */
   bool test, late;
   const struct sgpu_shadow_draw *draw;
   const struct sgpu_shadow_block *blocks;
   unsigned count; /* number of blocks */
   /* For each stored depth, the number of the primitive that wrote it plus 1, or 0 if no replayed
    * primitive wrote it. There is one plane per layer and sample, with 32 owners for each block.
    * NULL if the depth test decides between equal depths.
    */
   uint32_t *owners;
   uint32_t blocks_across; /* number of blocks per row of the surface */
   uint64_t owners_plane;  /* number of elements of owners[] per plane */
   struct sgpu_shadow_result *result;
   /* The members below are used by replays that only test fragments or only write colours. Such
    * replays have a single block and no owners.
    */
   enum sgd_replay_part part;
   unsigned sample, target; /* sample: index of the sample; target: index of the colour target */
   /* On entry, mask of the lanes to test or write. A test replaces it with the mask of the lanes
    * that passed and were not dropped.
    */
   uint32_t *lanes;
};

#endif
