/* SPDX-License-Identifier: MIT */

/* Functions of the command-line tools that read and write whole files. They print errors to stderr.
 */

#ifndef SGPU_TOOL_FILE_H
#define SGPU_TOOL_FILE_H

#include <stdbool.h>
#include <stddef.h>

/* Returns the contents of a file, which the caller must free, or NULL on failure. Path "-" is the
 * standard input.
 */
void *sgpu_tool_read(const char *path, size_t *size);

/* Writes a file. On failure, removes it and returns false. */
bool sgpu_tool_write(const char *path, const void *data, size_t size);

#endif /* SGPU_TOOL_FILE_H */
