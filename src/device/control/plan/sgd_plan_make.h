/* SPDX-License-Identifier: MIT */
/*
 * Plan of a draw: decides once for each state how draws with this state are executed.
 */
#ifndef SGD_PLAN_MAKE_H
#define SGD_PLAN_MAKE_H

#include "common/sgd_state.h"

/* Computes the plan of a state. `off` is a bitmask of paths (enum sgpu_path) to leave out. */
void sgd_plan_make(struct sgd_state *state, uint32_t off);

/* Second part of sgd_plan_make(): computes everything in the plan that depends on other members of
 * the plan, such as zs_mode and rop. These are the coverage mode, how primitives are
 * set up, the stages that run, and the paths.
 */
void sgd_plan_choose(struct sgd_state *state, uint32_t off);

/* Returns true if any program of a draw can write storage buffers or images. */
bool sgd_plan_writes_memory(const struct sgd_state *state);

/* These return `paths` and `left` of the plan for draws of one primitive type. If these aren't
 * polygons, paths that only apply to polygons are left out.
 */
uint32_t sgd_plan_draw_paths(const struct sgd_plan *plan, enum sgpu_primitive primitive);
uint32_t sgd_plan_draw_left(const struct sgd_plan *plan, enum sgpu_primitive primitive);

/* Fills in a description of the plan for draws of this primitive type. */
struct sgpu_draw_plan;
void sgd_plan_describe(const struct sgd_plan *plan, enum sgpu_primitive primitive,
                       struct sgpu_draw_plan *out);

/* Determines the facts about a state, and the paths that these allow (in sgd_plan_paths.c). */
void sgd_plan_find_paths(struct sgd_state *state, uint32_t off);

/* Returns those facts that describe if programs can read the memory of render targets. */
uint64_t sgd_plan_target_facts(const struct sgd_state *state);

#endif
