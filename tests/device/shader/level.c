/* SPDX-License-Identifier: MIT */
/*
 * Tests of the shader cores: the functions of one host level.
 */
#include "machine.h"

extern const struct level test_level;

const struct level test_level = {
   .interpret = sgd_interpret,
   .run_translated = sgd_run_translated,
   .begin = sgd_shader_begin,
   .run = sgd_shader_run,
   .warp_init = sgd_warp_init,
   .warp_start = sgd_warp_start,
   .warp_run = sgd_warp_run,
   .warp_abandon = sgd_warp_abandon,
};
