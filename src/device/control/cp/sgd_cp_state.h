/* SPDX-License-Identifier: MIT */
/*
 * Command processor: the current state, and the immutable copies of it that draws refer to.
 */
#ifndef SGD_CP_STATE_H
#define SGD_CP_STATE_H

#include "common/sgd_state.h"
#include "sgpu_packets.h"

struct sgd_cp;

/* Functions in sgd_cp_snapshot.c: */
/* Returns a copy of the current state for a draw, or NULL if out of memory. If the state has not
 * changed since the last call, returns the same copy again. The caller gets a reference.
 */
struct sgd_state *sgd_cp_snapshot(struct sgd_cp *cp);
/* Returns the resources that the program of a stage can access. The result contains pointers into
 * the stage's texture set, so the caller must hold a reference to this set.
 */
struct sgd_env sgd_cp_env(const struct sgd_state *st, enum sgpu_stage stage);
/* Resets all state to the defaults that each submission starts with. */
void sgd_cp_state_reset(struct sgd_cp *cp);

/* Functions in sgd_cp_constants.c: */
/* Add and drop references to the constant versions of all banks. */
void sgd_env_ref_banks(const struct sgd_env *env);
void sgd_env_unref_banks(const struct sgd_env *env);
/* Closes all constant contexts. */
void sgd_cp_contexts_reset(struct sgd_cp *cp);

/* Functions in sgd_cp_target.c: */
/* Checks a surface descriptor, and converts it to *out. The surface must be inside a buffer of the
 * submission. Returns NULL, or an error message.
 */
const char *sgd_cp_surface(struct sgd_cp *cp, const struct SGPU_SURFACE *desc,
                           struct sgd_surface *out);

/* Functions in sgd_cp_texture.c: */
void sgd_texture_set_unref(struct sgd_texture_set *set);
/* Returns a texture set of the stage that may be modified, or NULL if out of memory. If a draw or
 * grid has a reference to the current set, makes a copy of the set first.
 */
struct sgd_texture_set *sgd_cp_writable_set(struct sgd_cp *cp, enum sgpu_stage stage);
void sgd_handle_set_unref(struct sgd_handle_set *set);

#endif
