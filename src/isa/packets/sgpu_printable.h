/* SPDX-License-Identifier: MIT */

/*
 * Text that a program or a file has chosen (names, labels, markers), for people to
 * read: a terminal shows it and carries out nothing of it.
 */

#ifndef SGPU_PRINTABLE_H
#define SGPU_PRINTABLE_H

#include <stddef.h>
#include <stdio.h>

#ifdef __cplusplus
extern "C" {
#endif

/*
 * Returns the size in bytes of the character that `left` bytes begin with, or 0 if it is none
 * to print as it is: a control character (C0, DEL, C1), one that changes the direction
 * or the lines of text, or a byte that is not UTF-8.
 */
unsigned sgpu_printable_bytes(const char *text, size_t left);

/* Writes up to `length` bytes of text, up to the first zero.  Bytes that
 * sgpu_printable_bytes() refuses become \xNN.
 */
void sgpu_printable_put(FILE *fp, const char *text, size_t length);

/* The same into memory, with a zero at the end; what has no room is left out, by whole
 * characters.  Returns `out`.
 */
char *sgpu_printable(char *out, size_t size, const char *text);

#ifdef __cplusplus
}
#endif

#endif
