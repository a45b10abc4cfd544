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

/* Copies `size` bytes of machine code, not 0, to executable memory, at an address that is a
 * multiple of 64.  *block is what sgd_exec_remove needs.  NULL: the system refuses executable
 * memory, or there is none left.  Any thread.
 */
const void *sgd_exec_add(const void *code, size_t size, struct sgd_exec_block **block);

/* Gives back code that no thread executes any more. */
void sgd_exec_remove(struct sgd_exec_block *block);

/* Around a fork.  False: the lock was not free before the deadline (sgd_time_ns).  The child is
 * told; the parent has nothing to unlock then.
 */
bool sgd_exec_before_fork(uint64_t deadline);
void sgd_exec_after_fork(void);
void sgd_exec_after_fork_child(bool locked);

#endif
