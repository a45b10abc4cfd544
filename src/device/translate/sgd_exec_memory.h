/* SPDX-License-Identifier: MIT */
/*
 * Translator: executable memory, one arena for the process.
 */
#ifndef SGD_EXEC_MEMORY_H
#define SGD_EXEC_MEMORY_H

#include <stddef.h>

struct sgd_exec_block;

/* Copies `size` bytes of machine code, not 0, to executable memory, at an address that is a
 * multiple of 64.  *block is what sgd_exec_remove needs.  NULL: the system refuses executable
 * memory, or there is none left.  Any thread.
 */
const void *sgd_exec_add(const void *code, size_t size, struct sgd_exec_block **block);

/* Gives back code that no thread executes any more. */
void sgd_exec_remove(struct sgd_exec_block *block);

#endif
