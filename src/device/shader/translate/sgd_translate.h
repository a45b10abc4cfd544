/* SPDX-License-Identifier: MIT */
/*
 * Translator: generates machine code for decoded programs.
 */
#ifndef SGD_TRANSLATE_H
#define SGD_TRANSLATE_H

#include <stdbool.h>
#include <stdint.h>

#include "common/sgd_shader.h"

/* Returns true if the host can execute translated programs, i.e. if it has AVX2 and allows
 * executable memory.
 */
bool sgd_can_translate(void);

/* Translates a decoded program to machine code where possible. The host must support translation.
 * `execute` runs the program from the next warp on. It must be the sgd_run_translated() of the
 * workers' host level. `avx512` allows instructions of AVX-512. Returns false without changing the
 * program if nothing can be translated.
 */
bool sgd_translate(struct sgd_shader *shader, sgd_execute_fn *execute, bool avx512);

/* Makes additional machine code for a translated program, with those lookups of texels
 * (sgd_decoded.lookup) whose forms are not 0. At least one must not be 0. Warps use the code where
 * sgd_texture_lookup() returns the same forms. The new code is the first one in
 * translation->with_lookups. One thread at a time may call this for a program. Returns false
 * without changing the program if there is no such code, or if it exists.
 */
bool sgd_translate_lookups(struct sgd_shader *shader, const struct sgd_lookup_forms *lookups,
                           bool avx512);

/* Makes later translations record which code belongs to which instruction, for
 * sgd_list_translation().
 */
void sgd_keep_places(void);

/* These functions are for translated programs. sgd_print_translation() prints the instructions with
 * their machine code to stderr, together with `ns`, the duration of the translation in nanoseconds.
 * sgd_map_translation() adds the regions to /tmp/perf-PID.map.
 */
void sgd_print_translation(const struct sgd_shader *shader, uint64_t ns);
void sgd_map_translation(const struct sgd_shader *shader);
/* The same for the code that sgd_translate_lookups() has made last. */
void sgd_print_lookups(const struct sgd_shader *shader, uint64_t ns);
void sgd_map_lookups(const struct sgd_shader *shader);

/* Prints the addresses of the code of a translated program to a FILE, as members of a JSON object:
 * `begin` and `end` of all code, and `parts`, an array of [address, size, first instruction, kind],
 * where kind is 0 for regions, 1 for masked regions, and 2 for the code that calls them;
 * after sgd_keep_places() also `places`, an array of [offset, instruction or -1].
 */
void sgd_list_translation(const struct sgd_shader *shader, void *file);

/* These functions must be called before and after a fork, because executable memory has a lock.
 * sgd_exec_before_fork() returns false if it could not take the lock before `deadline`, a time of
 * sgd_time_ns(). In this case, `locked` must be false in the child, and the parent must not call
 * sgd_exec_after_fork().
 */
bool sgd_exec_before_fork(uint64_t deadline);
void sgd_exec_after_fork(void);
void sgd_exec_after_fork_child(bool locked);

#endif
