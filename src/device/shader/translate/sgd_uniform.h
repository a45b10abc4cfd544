/* SPDX-License-Identifier: MIT */
/*
 * Translator: analysis of the components that have the same value in all lanes.
 */
#ifndef SGD_UNIFORM_H
#define SGD_UNIFORM_H

#include <stdbool.h>
#include <stdint.h>

#include "shader/translate/sgd_liveness.h"

struct sgd_shader;

/* Finds the innermost open point at each instruction and at the end of the program (see
 * sgpu_flow_check()). Returns false if an allocation fails.
 */
bool sgd_find_points(const struct sgd_shader *shader, int32_t *points);

/* Computes the temporaries and predicates that can differ, before each instruction, between lanes
 * that have not ended. Returns an array of num_instrs + 1 sets, which the caller must free. Returns NULL
 * if an allocation fails or if the analysis would take too long. In these cases, the caller must
 * assume that all differ.
 */
struct sgd_live *sgd_find_differing(const struct sgd_shader *shader, const int32_t *points);

#endif
