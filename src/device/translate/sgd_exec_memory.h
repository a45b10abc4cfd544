/* SPDX-License-Identifier: MIT */
/*
 * Translator: executable memory, one arena for the process.
 */
#ifndef SGD_EXEC_MEMORY_H
#define SGD_EXEC_MEMORY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct sgd_exec_block;

/* Copies `size` bytes of machine code, at least 1, to executable memory, aligned to 64 bytes.
 * *block is for sgd_exec_remove().  Returns NULL if the system refuses executable memory or none is
 * left.  Thread-safe.
 */
const void *sgd_exec_add(const void *code, size_t size, struct sgd_exec_block **block);

/* Frees code that no thread executes any more. */
void sgd_exec_remove(struct sgd_exec_block *block);

/* Must be called before and after a fork.  The first function returns false if the lock was not
 * released before `deadline` (in terms of sgd_time_ns()).  In this case, `locked` must be false in
 * the child, and the parent must not call sgd_exec_after_fork().
 */
bool sgd_exec_before_fork(uint64_t deadline);
void sgd_exec_after_fork(void);
void sgd_exec_after_fork_child(bool locked);

#endif
