/* SPDX-License-Identifier: MIT */
/*
 * The host's memory as the process may use it.
 */
#ifndef SGPU_HOST_MEMORY_H
#define SGPU_HOST_MEMORY_H

#include <stdbool.h>
#include <stdint.h>

/* The tightest limit of the process's control groups, their parents included; bytes, UINT64_MAX:
 * none.  root: "", or a folder in place of / (for tests).
 */
uint64_t sgpu_host_memory_limit(const char *root);

/* Bytes of the process's own memory that the host cannot take back without swapping; 0: not
 * known.
 */
uint64_t sgpu_host_memory_resident(void);

/* Whether the process may write each page of [memory, memory + size).  They are given memory, as
 * pages that a GPU pins are; no contents change, also not for threads that write them meanwhile.
 */
bool sgpu_host_memory_writable(void *memory, uint64_t size);

#endif
