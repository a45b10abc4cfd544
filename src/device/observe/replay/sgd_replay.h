/* SPDX-License-Identifier: MIT */
/*
 * Fragments whose depths and colours are known, which the engines test and write: the
 * input for a draw of a shadow (sgpu_shadow.h).
 */
#ifndef SGD_REPLAY_H
#define SGD_REPLAY_H

#include "common/sgd_state.h"
#include "sgpu_shadow.h"

enum sgd_replay_part {
   SGD_REPLAY_ALL,
   SGD_REPLAY_TEST,  /* depth and stencil test, without colours */
   SGD_REPLAY_COLOR, /* colours of one target, without tests */
};

struct sgd_replay {
   /* Only surfaces, rop, dsa and stencil_ref are used. rop.zs changes during the call. */
   struct sgd_state *state;
   bool test, late; /* depth and stencil are tested; this happens after the program */
   const struct sgpu_shadow_draw *draw;
   const struct sgpu_shadow_block *blocks;
   unsigned count; /* number of blocks */
   /* For each stored depth, the number of its primitive plus 1, or 0 if it was stored
    * before. Each block has 32 owners. The samples of a layer are separate planes. Not
    * used if the depth test decides about ties.
    */
   uint32_t *owners;
   uint32_t blocks_across; /* number of blocks in a row of the surface */
   uint64_t owners_plane;  /* number of elements of owners[] per plane */
   struct sgpu_shadow_result *result;
   /* Parts use one block and no owners. */
   enum sgd_replay_part part;
   unsigned sample, target; /* index of the sample; index of the colour target */
   uint32_t *lanes;         /* input: lanes of the part; output of a test: lanes that pass and are
                             * not dropped */
};

#endif
