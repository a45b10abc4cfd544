/* SPDX-License-Identifier: MIT */
/*
 * The link of the programs of a draw: which outputs of the stage before each input
 * of a stage reads.
 */
#ifndef SGPU_LINK_H
#define SGPU_LINK_H

#include "compiler/sgpu_compiler.h"
#include "sgpu_stage.h"

struct sgpu_link_key {
   uint32_t program[SGPU_NUM_DRAW_STAGES]; /* sgpu_shader_state::id; 0: none */
   uint16_t sprites;                       /* bit n: TEXn is the point's coordinate */
   uint16_t per_sample;                    /* all inputs are taken at the samples */
};

/* The packet for one stage: VARYINGS, or STAGE INPUTS.  No words for the first. */
struct sgpu_link_inputs {
   unsigned words;
   uint32_t packed[SGPU_STAGE_LINK_WORDS];
};

struct sgpu_link {
   struct sgpu_link_key key;
   struct sgpu_link_inputs inputs[SGPU_NUM_DRAW_STAGES];
};

#endif
