/* SPDX-License-Identifier: MIT */

/* Makes text from programs and files (names, labels, markers) printable, so that a terminal
 * displays the text without interpreting any part of it.
 */

#ifndef SGPU_PRINTABLE_H
#define SGPU_PRINTABLE_H

#include <stddef.h>
#include <stdio.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Returns the size in bytes of the character at the start of `text`, which has `left` bytes.
 * Returns 0 if the character must be escaped: control characters (C0, DEL, C1), characters that
 * change the text direction or break lines, and invalid UTF-8.
 */
unsigned sgpu_printable_bytes(const char *text, size_t left);

/* Writes at most `length` bytes of text, up to the first NUL. Escapes bytes for which
 * sgpu_printable_bytes() returns 0 as \xNN.
 */
void sgpu_printable_put(FILE *fp, const char *text, size_t length);

/* Stores the printable text in `out`, with a terminating NUL. Drops characters that don't fit.
 * Returns `out`.
 */
char *sgpu_printable(char *out, size_t size, const char *text);

#ifdef __cplusplus
}
#endif

#endif
