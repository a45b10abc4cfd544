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
   /* Only surfaces, rop, dsa and stencil_ref are used. The call modifies rop.zs. */
   struct sgd_state *state;
   bool test, late; /* depth and stencil are tested; the tests run after the pixel program */
   const struct sgpu_shadow_draw *draw;
   const struct sgpu_shadow_block *blocks;
   unsigned count; /* number of blocks */
   /* For each stored depth, the number of its primitive plus 1, or 0 if the depth was stored
    * before. There are 32 owners per block, and one plane per sample of a layer. Unused if the
    * depth test resolves ties.
    */
   uint32_t *owners;
   uint32_t blocks_across; /* number of blocks per row of the surface */
   uint64_t owners_plane;  /* number of elements of owners[] per plane */
   struct sgpu_shadow_result *result;
   /* Members for calls that only test fragments or only write colours. These calls use one block
    * and no owners.
    */
   enum sgd_replay_part part;
   unsigned sample, target; /* index of the sample; index of the colour target */
   /* On entry, mask of the lanes to test or write. A test replaces it by the mask of the lanes that
    * passed and were not dropped.
    */
   uint32_t *lanes;
};

#endif
