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

#endif
