/* SPDX-License-Identifier: MIT */

/*
 * Whole files, for the small tools. Errors go to stderr.
 */

#ifndef SGPU_TOOL_FILE_H
#define SGPU_TOOL_FILE_H

#include <stdbool.h>
#include <stddef.h>

/* malloc'ed contents, or NULL. "-" is the standard input. */
void *sgpu_tool_read(const char *path, size_t *size);

/* Leaves no half-written file behind. */
bool sgpu_tool_write(const char *path, const void *data, size_t size);

#endif /* SGPU_TOOL_FILE_H */
