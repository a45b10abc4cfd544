/* SPDX-License-Identifier: MIT */
/*
 * The link of a vertex and a pixel program.
 */
#ifndef SGPU_LINK_H
#define SGPU_LINK_H

#include "compiler/sgpu_compiler.h"
#include "sgpu_packets.h"

struct sgpu_link_key {
   uint32_t vs, fs;                /* sgpu_shader_state::id */
   uint16_t sprites;               /* bit n: TEXn is the point's coordinate */
   uint16_t per_sample;            /* all inputs are taken at the samples */
};

struct sgpu_link {
   struct sgpu_link_key key;
   unsigned words;
   uint32_t packed[SGPU_VARYINGS_LENGTH + SGPU_MAX_VARYINGS * SGPU_VARYING_LENGTH];
};

#endif
