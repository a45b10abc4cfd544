/* SPDX-License-Identifier: MIT */
/*
 * Command processor: the current state of a stream, and the immutable copies
 * of it that draws keep.
 */
#ifndef SGD_CP_STATE_H
#define SGD_CP_STATE_H

#include "sgd_dispatch.h"
#include "sgd_state.h"

struct sgpu_device;
struct sgd_cp;

/* Counts of references that any thread may give back. */
static inline void
sgd_ref(uint32_t *refs)
{
   __atomic_fetch_add(refs, 1, __ATOMIC_RELAXED);
}

/* True when the last reference went. */
static inline bool
sgd_unref(uint32_t *refs)
{
   return __atomic_fetch_sub(refs, 1, __ATOMIC_ACQ_REL) == 1;
}

/* sgd_cp_snapshot.c */
void sgd_state_unref(struct sgd_state *state);
/* A copy for a draw: the last one again where nothing has changed. */
struct sgd_state *sgd_cp_snapshot(struct sgd_cp *cp);
/* Everything back to what a submission begins with. */
void sgd_cp_state_reset(struct sgd_cp *cp);

/* Carries out a state packet that sgpu_packet_check has accepted; returns NULL
 * or an error text.
 */
const char *sgd_cp_state_packet(struct sgd_cp *cp, enum sgpu_packet opcode, const uint32_t *in);

/* sgd_cp_target.c: a surface descriptor, checked against the submission's
 * buffers.
 */
const char *sgd_cp_surface(struct sgd_cp *cp, const struct SGPU_SURFACE *desc,
                           struct sgd_surface *out);
const char *sgd_cp_framebuffer(struct sgd_cp *cp, const uint32_t *in);

/* sgd_cp_texture.c */
void sgd_texture_set_unref(struct sgd_texture_set *set);
const char *sgd_cp_textures(struct sgd_cp *cp, const uint32_t *in);
const char *sgd_cp_samplers(struct sgd_cp *cp, const uint32_t *in);

/* sgd_shader_cache.c: the decoded program of a SHADER packet, with a reference
 * for the caller.
 */
struct sgd_shader *sgd_shader_cache_get(struct sgpu_device *dev, const struct SGPU_SHADER *desc,
                                        const uint32_t *code, const char **error);
void sgd_shader_unref(struct sgd_shader *shader);
bool sgd_shader_cache_init(struct sgpu_device *dev);     /* false: out of memory */
void sgd_shader_cache_finish(struct sgpu_device *dev);

#endif
