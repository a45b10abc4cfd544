/* SPDX-License-Identifier: MIT */
/*
 * Command processor: the current state of a command stream, and the immutable copies of it that
 * draws keep.
 */
#ifndef SGD_CP_STATE_H
#define SGD_CP_STATE_H

#include "common/sgd_state.h"
#include "sgpu_packets.h"

struct sgd_cp;

/* sgd_cp_snapshot.c */
/* Returns a copy of the current state for a draw, with a reference for the caller, or NULL if out
 * of memory.  Returns the previous copy if the state has not changed since.
 */
struct sgd_state *sgd_cp_snapshot(struct sgd_cp *cp);
/* Returns the resources of a stage's program.  They point to the stage's current texture set, so
 * the caller must hold a reference to the set.
 */
struct sgd_env sgd_cp_env(const struct sgd_state *st, enum sgpu_stage stage);
/* Sets the state to the defaults at the start of a submission. */
void sgd_cp_state_reset(struct sgd_cp *cp);

/* sgd_cp_constants.c */
/* Add and drop references to the constant versions that a copy of the bindings refers to. */
void sgd_env_ref_banks(const struct sgd_env *env);
void sgd_env_unref_banks(const struct sgd_env *env);
/* Ends all constant contexts. */
void sgd_cp_contexts_reset(struct sgd_cp *cp);

/* sgd_cp_target.c */
/* Checks a surface descriptor against the submission's buffers, and sets *out to the surface.
 * Returns NULL or an error text.
 */
const char *sgd_cp_surface(struct sgd_cp *cp, const struct SGPU_SURFACE *desc,
                           struct sgd_surface *out);

/* sgd_cp_texture.c */
void sgd_texture_set_unref(struct sgd_texture_set *set);
/* Returns the stage's current texture set for changes, or NULL if out of memory.  Replaces the set
 * by a copy first if states of draws or grids share it.
 */
struct sgd_texture_set *sgd_cp_writable_set(struct sgd_cp *cp, enum sgpu_stage stage);
void sgd_handle_set_unref(struct sgd_handle_set *set);

#endif
