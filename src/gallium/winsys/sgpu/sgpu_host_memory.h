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

/* Returns how many bytes of the process's memory can only be reclaimed by swapping, or 0 if
 * unknown.
 */
uint64_t sgpu_host_memory_resident(void);

/* Returns true if the process may write to each page of [memory, memory + size).  Like a GPU driver
 * that pins pages, this allocates the pages, but does not change their contents.  Other threads may
 * write to the pages meanwhile.
 */
bool sgpu_host_memory_writable(void *memory, uint64_t size);

#endif
