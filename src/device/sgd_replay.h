/* SPDX-License-Identifier: MIT */
/*
 * Fragments whose depths and colours are known, as the engines test and write them: the
 * part of a draw of a shadow (sgpu_shadow.h).
 */
#ifndef SGD_REPLAY_H
#define SGD_REPLAY_H

#include "sgd_state.h"
#include "sgpu_shadow.h"

enum sgd_replay_part {
   SGD_REPLAY_ALL,
   SGD_REPLAY_TEST,  /* of depth and stencil, without colours */
   SGD_REPLAY_COLOR, /* of one target, without tests */
};

struct sgd_replay {
   /* Surfaces, rop, dsa and stencil_ref count.  rop.zs changes during the call. */
   struct sgd_state *state;
   bool test, late; /* of depth and stencil */
   const struct sgpu_shadow_draw *draw;
   const struct sgpu_shadow_block *blocks;
   unsigned count;
   /* Unless ties are left to the test: number plus 1 of the primitive that each depth is of,
    * 0: contents from before.  32 for each block, of a layer's samples as planes.
    */
   uint32_t *owners;
   uint32_t blocks_across;
   uint64_t owners_plane; /* numbers of a plane */
   struct sgpu_shadow_result *result;
   /* Parts: one block, no owners. */
   enum sgd_replay_part part;
   unsigned sample, target;
   uint32_t *lanes; /* in: those of the part; out, of a test: those that pass and are not dropped */
};

#endif
