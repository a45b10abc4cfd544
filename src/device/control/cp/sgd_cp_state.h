/* SPDX-License-Identifier: MIT */
/*
 * Command processor: the current state of a command stream, and the immutable copies of the state
 * that draws keep.
 */
#ifndef SGD_CP_STATE_H
#define SGD_CP_STATE_H

#include "common/sgd_state.h"
#include "sgpu_packets.h"

struct sgd_cp;

/* Functions in sgd_cp_snapshot.c: */
/* Returns a copy of the current state for a draw, with a reference for the caller, or NULL on
 * allocation failure. Returns the previous copy if the state has not changed since.
 */
struct sgd_state *sgd_cp_snapshot(struct sgd_cp *cp);
/* Returns the resources of a stage's program. The result points into the stage's current texture
 * set, so the caller must hold a reference to the set.
 */
struct sgd_env sgd_cp_env(const struct sgd_state *st, enum sgpu_stage stage);
/* Resets the state to its defaults at the start of a submission. */
void sgd_cp_state_reset(struct sgd_cp *cp);

/* Functions in sgd_cp_constants.c: */
/* Add and drop references to the constant versions of all banks. */
void sgd_env_ref_banks(const struct sgd_env *env);
void sgd_env_unref_banks(const struct sgd_env *env);
/* Closes all constant contexts. */
void sgd_cp_contexts_reset(struct sgd_cp *cp);

/* Functions in sgd_cp_target.c: */
/* Checks a surface descriptor against the submission's buffers, and resolves it to *out. Returns
 * NULL, or an error message.
 */
const char *sgd_cp_surface(struct sgd_cp *cp, const struct SGPU_SURFACE *desc,
                           struct sgd_surface *out);

/* Functions in sgd_cp_texture.c: */
void sgd_texture_set_unref(struct sgd_texture_set *set);
/* Returns the stage's current texture set for modification, or NULL on allocation failure. If
 * states of draws or grids share the set, replaces it by a copy first.
 */
struct sgd_texture_set *sgd_cp_writable_set(struct sgd_cp *cp, enum sgpu_stage stage);
void sgd_handle_set_unref(struct sgd_handle_set *set);

#endif
