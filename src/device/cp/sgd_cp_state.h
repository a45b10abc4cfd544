/* SPDX-License-Identifier: MIT */
/*
 * Command processor: the current state of a stream, and the immutable copies
 * of it that draws keep.
 */
#ifndef SGD_CP_STATE_H
#define SGD_CP_STATE_H

#include "sgd_state.h"
#include "sgpu_packets.h"

struct sgd_cp;

/* sgd_cp_snapshot.c */
/* A copy for a draw: the last one again where nothing has changed. */
struct sgd_state *sgd_cp_snapshot(struct sgd_cp *cp);
/* The resources of a stage's program, with the current set of textures and images; the
 * caller holds a reference to that.
 */
struct sgd_env sgd_cp_env(const struct sgd_state *st, enum sgpu_stage stage);
/* Resets to the state at the begin of a submission. */
void sgd_cp_state_reset(struct sgd_cp *cp);

/* sgd_cp_constants.c: the references that a copy of the bindings has to versions. */
void sgd_env_ref_banks(const struct sgd_env *env);
void sgd_env_unref_banks(const struct sgd_env *env);
/* Ends all contexts. */
void sgd_cp_contexts_reset(struct sgd_cp *cp);

/* sgd_cp_target.c: a surface descriptor, checked against the submission's
 * buffers.
 */
const char *sgd_cp_surface(struct sgd_cp *cp, const struct SGPU_SURFACE *desc,
                           struct sgd_surface *out);

/* sgd_cp_texture.c */
void sgd_texture_set_unref(struct sgd_texture_set *set);
/* The stage's set, which the parser may change; NULL: out of memory. */
struct sgd_texture_set *sgd_cp_writable_set(struct sgd_cp *cp, enum sgpu_stage stage);
void sgd_handle_set_unref(struct sgd_handle_set *set);

#endif
