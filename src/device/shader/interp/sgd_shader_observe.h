/* SPDX-License-Identifier: MIT */
/*
 * Shader core: records the instructions and memory accesses of warps for the observer. Compiled
 * only for the observed level (see sgd_observe.h). The functions do nothing unless the observer has
 * requested this information.
 */
#ifndef SGD_SHADER_OBSERVE_H
#define SGD_SHADER_OBSERVE_H

#include "observe/records/sgd_observe_work.h"

struct sgd_ins;

/* Records that `lanes` have executed the instructions in the range [first, end), which can be
 * empty.
 */
void sgd_shader_observe_run(const struct sgd_warp *w, const struct sgd_ins *first,
                            const struct sgd_ins *end, uint32_t lanes);
/* Records that the control flow instruction `at` has been executed, and that `next` (or NULL)
 * follows. If execution doesn't continue at the following instruction with the same lanes, records
 * the instructions since *first for *lanes, and updates *first and *lanes.
 */
void sgd_shader_observe_control(const struct sgd_warp *w, const struct sgd_ins *at,
                                const struct sgd_ins *next, const struct sgd_ins **first,
                                uint32_t *lanes);
/* Adds an ACCESS record for an instruction that was executed for the lanes in `mask`. */
void sgd_shader_observe_access(const struct sgd_warp *w, const struct sgd_ins *i, uint32_t mask);
/* Records the memory that an instruction accesses. Must be called before loads and stores of
 * constants, scratch memory and the stages' on-chip memory, but after the operands have been
 * evaluated.
 */
void sgd_shader_observe_memory(const struct sgd_warp *w, const struct sgd_ins *i, uint32_t mask);
/* Records the memory that an instruction accesses. Must be called before operations on storage
 * buffers and on shared memory.
 */
void sgd_shader_observe_storage(const struct sgd_warp *w, const struct sgd_ins *i,
                                const uint8_t *ptr, uint64_t size, bool shared, uint32_t lanes);

#endif
