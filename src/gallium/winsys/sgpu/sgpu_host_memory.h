/* SPDX-License-Identifier: MIT */
/* Limits and properties of the host memory that is available to the process. */
#ifndef SGPU_HOST_MEMORY_H
#define SGPU_HOST_MEMORY_H

#include <stdbool.h>
#include <stdint.h>

/* Returns the lowest memory limit, in bytes, of the process's control groups and their ancestors,
 * or UINT64_MAX if there is no limit.  `root` is "", or a directory that replaces "/" in tests.
 */
uint64_t sgpu_host_memory_limit(const char *root);

/* Returns the number of bytes of process memory that can't be reclaimed without swap, or 0 if
 * unknown.
 */
uint64_t sgpu_host_memory_resident(void);

/* Returns true if the process may write to each page of [memory, memory + size).  Allocates the
 * pages without changing their contents, like a GPU driver that pins them.  Other threads may write
 * to the pages meanwhile.
 */
bool sgpu_host_memory_writable(void *memory, uint64_t size);

#endif
