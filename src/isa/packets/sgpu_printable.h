/* SPDX-License-Identifier: MIT */

/*
 * Text that a program or a file has chosen (names, labels, markers), made printable: a
 * terminal shows it and does not interpret any of it.
 */

#ifndef SGPU_PRINTABLE_H
#define SGPU_PRINTABLE_H

#include <stddef.h>
#include <stdio.h>

#ifdef __cplusplus
extern "C" {
#endif

/*
 * Returns the size in bytes of the character at the start of the `left` bytes of text, or
 * 0 if it must not be printed unchanged: if it is a control character (C0, DEL, C1),
 * changes the direction or the lines of text, or is not UTF-8.
 */
unsigned sgpu_printable_bytes(const char *text, size_t left);

/* Writes up to `length` bytes of text, up to the first zero. Bytes that
 * sgpu_printable_bytes() refuses become \xNN.
 */
void sgpu_printable_put(FILE *fp, const char *text, size_t length);

/* Stores printable text in memory, with a zero at the end. Characters that do not fit are
 * left out. Returns `out`.
 */
char *sgpu_printable(char *out, size_t size, const char *text);

#ifdef __cplusplus
}
#endif

#endif
