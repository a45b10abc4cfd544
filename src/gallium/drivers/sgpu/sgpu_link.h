/* SPDX-License-Identifier: MIT */
/*
 * The link of the programs of a draw: maps the inputs of each stage to the outputs of
 * the stage before it.
 */
#ifndef SGPU_LINK_H
#define SGPU_LINK_H

#include "compiler/sgpu_compiler.h"
#include "sgpu_stage.h"

struct sgpu_link_key {
   uint32_t program[SGPU_NUM_DRAW_STAGES]; /* sgpu_shader_state::id, or 0 if there is none */
   uint16_t sprites;                       /* bit mask of TEXn replaced by the point coordinate */
   uint16_t per_sample;                    /* bool: inputs are interpolated at the samples */
};

/* Packet VARYINGS of the pixel stage, or STAGE INPUTS of others; the first stage has none. */
struct sgpu_link_inputs {
   unsigned words;
   uint32_t packed[SGPU_STAGE_LINK_WORDS];
};

struct sgpu_link {
   struct sgpu_link_key key;
   struct sgpu_link_inputs inputs[SGPU_NUM_DRAW_STAGES];
};

#endif
