/* SPDX-License-Identifier: MIT */

/*
 * Shared by assembler and disassembler: headers of programs as text, and numbers as text,
 * independent of the process's locale.
 */

#ifndef SGPU_TEXT_H
#define SGPU_TEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "sgpu_packets.h"

struct sgpu_text_header {
   const char *text; /* text such as "!!VP1.0" */
   enum sgpu_stage stage;
   bool vp1;
};
#define SGPU_NUM_TEXT_HEADERS 7
extern const struct sgpu_text_header sgpu_text_headers[SGPU_NUM_TEXT_HEADERS];

#define SGPU_NUMBER_MAX 32

/* Prints a literal's component so that sgpu_number_parse() returns the same bits: as the
 * shortest decimal for plausible floats, else in hexadecimal.
 */
void sgpu_number_print(char out[SGPU_NUMBER_MAX], uint32_t bits);

/* Parses a decimal with optional point and exponent (a float), or 0x... (bits), without
 * sign. Returns the number of characters, 0 if there is no number, or -1 if it is
 * malformed or too large.
 */
int sgpu_number_parse(const char *text, size_t length, uint32_t *bits);

#endif /* SGPU_TEXT_H */
