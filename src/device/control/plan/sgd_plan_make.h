/* SPDX-License-Identifier: MIT */
/*
 * Plan of a draw: decisions that are made once per state.
 */
#ifndef SGD_PLAN_MAKE_H
#define SGD_PLAN_MAKE_H

#include "common/sgd_state.h"

/* Computes state->plan from the other members of the state. `off` is a bitmask of paths (enum
 * sgpu_path) that the plan must not have.
 */
void sgd_plan_make(struct sgd_state *state, uint32_t off);

/* Sets all members of state->plan that follow from the modes (zs_mode, alpha, order, rop,
 * color_write_mask): the coverage mode, which stages run, and the paths.
 */
void sgd_plan_choose(struct sgd_state *state, uint32_t off);

/* Returns true if any program of draws with the state can write storage buffers or images. */
bool sgd_plan_writes_memory(const struct sgd_state *state);

/* Return the members `paths` and `left` of a plan for draws that rasterize primitives of this type.
 * Paths that only apply to polygons are removed for other types.
 */
uint32_t sgd_plan_draw_paths(const struct sgd_plan *plan, enum sgpu_primitive primitive);
uint32_t sgd_plan_draw_left(const struct sgd_plan *plan, enum sgpu_primitive primitive);

/* Describes the plan of a draw that rasterizes primitives of this type. */
struct sgpu_draw_plan;
void sgd_plan_describe(const struct sgd_plan *plan, enum sgpu_primitive primitive,
                       struct sgpu_draw_plan *out);

/* Computes the facts and paths of state->plan (in sgd_plan_paths.c). */
void sgd_plan_find_paths(struct sgd_state *state, uint32_t off);

/* Returns the facts about whether programs can read memory of the targets. */
uint64_t sgd_plan_target_facts(const struct sgd_state *state);

#endif
