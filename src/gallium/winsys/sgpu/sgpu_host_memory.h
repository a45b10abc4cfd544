/* SPDX-License-Identifier: MIT */
/*
 * Limits and properties of the host's memory, as far as the process may use it.
 */
#ifndef SGPU_HOST_MEMORY_H
#define SGPU_HOST_MEMORY_H

#include <stdbool.h>
#include <stdint.h>

/* Returns the lowest memory limit, in bytes, of the process's control groups and their parents,
 * or UINT64_MAX if there is none.  `root` is "", or for tests the folder that replaces "/".
 */
uint64_t sgpu_host_memory_limit(const char *root);

/* Returns the bytes of process memory that cannot be reclaimed without swap, or 0 if unknown. */
uint64_t sgpu_host_memory_resident(void);

/* Returns true if the process may write each page of [memory, memory + size).  Allocates the
 * pages, as pinning by a GPU driver would, without changing their contents.  Other threads may
 * write the pages meanwhile.
 */
bool sgpu_host_memory_writable(void *memory, uint64_t size);

#endif
