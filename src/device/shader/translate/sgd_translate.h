/* SPDX-License-Identifier: MIT */
/*
 * Translator: makes machine code of decoded programs.
 */
#ifndef SGD_TRANSLATE_H
#define SGD_TRANSLATE_H

#include <stdbool.h>
#include <stdint.h>

#include "common/sgd_shader.h"

/* Returns true if the host can execute translated code: it has AVX2 and executable memory. */
bool sgd_can_translate(void);

/* Translates a decoded program to machine code where possible, and sets `native` of its
 * instructions.  `execute` runs the program from the next warp on; it must be sgd_run_translated
 * of the workers' host level.  The host must support translation.  Returns false and changes
 * nothing if there is nothing to translate.
 */
bool sgd_translate(struct sgd_shader *shader, sgd_execute_fn *execute);

/* For a translated program: the first function prints its instructions with their machine
 * code, and the time `ns` that translation took, to stderr.  The second one adds its regions to
 * /tmp/perf-PID.map.
 */
void sgd_print_translation(const struct sgd_shader *shader, uint64_t ns);
void sgd_map_translation(const struct sgd_shader *shader);

/* Must be called before and after a fork, since executable memory has a lock.  The first function
 * returns false if the lock was not released before `deadline` (in terms of sgd_time_ns()).  In
 * this case, `locked` must be false in the child, and the parent must not call
 * sgd_exec_after_fork().
 */
bool sgd_exec_before_fork(uint64_t deadline);
void sgd_exec_after_fork(void);
void sgd_exec_after_fork_child(bool locked);

#endif
