/* SPDX-License-Identifier: MIT */
/*
 * Shader core, observation of work.  Only in the observed level; without effect if work is not
 * observed.
 */
#ifndef SGD_SHADER_OBSERVE_H
#define SGD_SHADER_OBSERVE_H

#include "observe/sgd_observe_work.h"

struct sgd_ins;

/* `lanes` have executed the instructions from `first` up to `end`, if there are any. */
void sgd_shader_observe_run(const struct sgd_warp *w, const struct sgd_ins *first,
                            const struct sgd_ins *end, uint32_t lanes);
/* The control instruction `at` has executed, `next` (or NULL) follows.  A run begins at *first
 * with *lanes; if it does not go on straight, it ends, and another begins.
 */
void sgd_shader_observe_control(const struct sgd_warp *w, const struct sgd_ins *at,
                                const struct sgd_ins *next, const struct sgd_ins **first,
                                uint32_t *lanes);
/* The instruction has executed for the lanes of `mask`, or for none: its ACCESS record. */
void sgd_shader_observe_access(const struct sgd_warp *w, const struct sgd_ins *i, uint32_t mask);
/* Before a load or store of constants, scratch memory or the stages' memory on the chip: what it
 * touches.  Operands are computed.
 */
void sgd_shader_observe_memory(const struct sgd_warp *w, const struct sgd_ins *i, uint32_t mask);
/* Before an operation on a storage buffer or shared memory. */
void sgd_shader_observe_storage(const struct sgd_warp *w, const struct sgd_ins *i,
                                const uint8_t *ptr, uint64_t size, bool shared, uint32_t lanes);

#endif
