/* SPDX-License-Identifier: MIT */
/*
 * Command processor: what the profiler stores about operations and programs. All functions do
 * nothing if there is no profiler.
 */
#ifndef SGD_CP_PROFILE_H
#define SGD_CP_PROFILE_H

#include <stdint.h>

struct sgd_cp;
struct sgd_node;
struct sgd_profile;
struct sgd_shader;

/* Sets node->place: the frame, the index in the frame, and the shape. Operations have the same shape
 * if they have the same programs, sizes and targets. The first operation of each shape is described
 * in the profiler's text.
 */
void sgd_cp_profile_node(struct sgd_cp *cp, struct sgd_node *node);
/* Describes a program, with its instructions. */
void sgd_profile_program(struct sgd_profile *profile, const struct sgd_shader *shader);
/* Describes the machine code of a program. */
void sgd_profile_code(struct sgd_profile *profile, const struct sgd_shader *shader, uint64_t ns);

#endif
