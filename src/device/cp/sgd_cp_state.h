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

void sgd_state_unref(struct sgd_state *state);
/* A copy for a draw: the last one again where nothing has changed. */
struct sgd_state *sgd_cp_snapshot(struct sgd_cp *cp);

/* Everything back to what a submission begins with. */
void sgd_cp_state_reset(struct sgd_cp *cp);

/* Carries out a state packet that sgpu_packet_check has accepted; returns NULL
 * or an error text.
 */
const char *sgd_cp_state_packet(struct sgd_cp *cp, enum sgpu_packet opcode, const uint32_t *in);

/* A surface descriptor, checked against the submission's buffers. */
const char *sgd_cp_surface(struct sgd_cp *cp, const struct SGPU_SURFACE *desc,
                           struct sgd_surface *out);

/* sgd_shader_cache.c: the decoded program of a SHADER packet, with a reference
 * for the caller.
 */
struct sgd_shader *sgd_shader_cache_get(struct sgpu_device *dev, const struct SGPU_SHADER *desc,
                                        const uint32_t *code, const char **error);
void sgd_shader_unref(struct sgd_shader *shader);
bool sgd_shader_cache_init(struct sgpu_device *dev);     /* false: out of memory */
void sgd_shader_cache_finish(struct sgpu_device *dev);

#endif
