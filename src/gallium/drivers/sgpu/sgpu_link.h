/* SPDX-License-Identifier: MIT */
/* Maps the inputs of each shader stage to the outputs of the previous stage. */
#ifndef SGPU_LINK_H
#define SGPU_LINK_H

#include "compiler/sgpu_compiler.h"
#include "sgpu_stage.h"

struct sgpu_link_key {
   /* sgpu_shader_state::id of each stage, or 0 for stages without a shader */
   uint32_t program[SGPU_NUM_DRAW_STAGES];
   /* bitmask of the texture coordinates TEXn that the point coordinate replaces for points */
   uint16_t sprites;
   /* 1 if pixel shader inputs are interpolated at the samples, 0 otherwise */
   uint16_t per_sample;
};

/* VARYINGS packet of the pixel stage, or STAGE INPUTS packet of another stage.  The vertex stage
 * has no packet.
 */
struct sgpu_link_inputs {
   unsigned words;
   uint32_t packed[SGPU_STAGE_LINK_WORDS];
};

struct sgpu_link {
   struct sgpu_link_key key;
   struct sgpu_link_inputs inputs[SGPU_NUM_DRAW_STAGES];
};

#endif
