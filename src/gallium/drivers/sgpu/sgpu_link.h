/* SPDX-License-Identifier: MIT */
/*
 * The link of a vertex and a pixel program, with a geometry program between or
 * without.
 */
#ifndef SGPU_LINK_H
#define SGPU_LINK_H

#include "compiler/sgpu_compiler.h"
#include "sgpu_packets.h"

struct sgpu_link_key {
   uint32_t vs, gs, fs;            /* sgpu_shader_state::id; 0: none */
   uint16_t sprites;               /* bit n: TEXn is the point's coordinate */
   uint16_t per_sample;            /* all inputs are taken at the samples */
};

struct sgpu_link {
   struct sgpu_link_key key;
   unsigned words;
   uint32_t packed[SGPU_VARYINGS_LENGTH + SGPU_MAX_VARYINGS * SGPU_VARYING_LENGTH];
   unsigned inputs_words;          /* of the geometry program */
   uint32_t inputs[SGPU_STAGE_INPUTS_LENGTH + SGPU_MAX_INPUTS * SGPU_STAGE_INPUT_LENGTH];
};

#endif
