/* SPDX-License-Identifier: MIT */
/*
 * Translator: executable memory, allocated from a single arena per process.
 */
#ifndef SGD_EXEC_MEMORY_H
#define SGD_EXEC_MEMORY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct sgd_exec_block;

/* Copies `size` bytes (at least 1) of machine code to executable memory, at a 64-byte aligned
 * address. Sets *block to the handle for sgd_exec_remove(). Returns NULL if executable memory is
 * forbidden or memory runs out. Thread-safe.
 */
const void *sgd_exec_add(const void *code, size_t size, struct sgd_exec_block **block);

/* Frees machine code. No thread may execute it any more. */
void sgd_exec_remove(struct sgd_exec_block *block);

#endif
