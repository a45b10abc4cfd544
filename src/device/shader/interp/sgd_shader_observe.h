/* SPDX-License-Identifier: MIT */
/*
 * Shader core: records the instructions and memory accesses of warps for the observer. Compiled
 * only for the host level that records for the observer. The functions do nothing unless the
 * observer asks for work.
 */
#ifndef SGD_SHADER_OBSERVE_H
#define SGD_SHADER_OBSERVE_H

#include "observe/records/sgd_observe_work.h"

struct sgd_ins;

/* Records that `lanes` have executed the instructions in [first, end), which can be empty. */
void sgd_shader_observe_run(const struct sgd_warp *w, const struct sgd_ins *first,
                            const struct sgd_ins *end, uint32_t lanes);
/* Records that the control flow instruction `at` has been executed and that `next`, or NULL,
 * follows. Ends the run of instructions that started at *first with *lanes and starts another run,
 * unless execution continues at the following instruction with the same lanes.
 */
void sgd_shader_observe_control(const struct sgd_warp *w, const struct sgd_ins *at,
                                const struct sgd_ins *next, const struct sgd_ins **first,
                                uint32_t *lanes);
/* Adds the ACCESS record of an instruction that was executed for the lanes in `mask`. */
void sgd_shader_observe_access(const struct sgd_warp *w, const struct sgd_ins *i, uint32_t mask);
/* Records the accessed memory. Must be called before loads and stores of constants, scratch memory
 * and the stages' on-chip memory, after their operands have been evaluated.
 */
void sgd_shader_observe_memory(const struct sgd_warp *w, const struct sgd_ins *i, uint32_t mask);
/* Records the accessed memory. Must be called before operations on storage buffers and shared
 * memory.
 */
void sgd_shader_observe_storage(const struct sgd_warp *w, const struct sgd_ins *i,
                                const uint8_t *ptr, uint64_t size, bool shared, uint32_t lanes);

#endif
