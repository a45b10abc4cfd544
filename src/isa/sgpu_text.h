/* SPDX-License-Identifier: MIT */

/* Functions shared by the assembler and the disassembler: program headers as text, and numbers as
 * text, independent of the process's locale.
 */

#ifndef SGPU_TEXT_H
#define SGPU_TEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "sgpu_packets.h"

struct sgpu_text_header {
   const char *text; /* header text, e.g. "!!VP1.0" */
   enum sgpu_stage stage;
   bool vp1;
};
#define SGPU_NUM_TEXT_HEADERS 7
extern const struct sgpu_text_header sgpu_text_headers[SGPU_NUM_TEXT_HEADERS];

#define SGPU_NUMBER_MAX 32

/* Prints a component of a literal such that sgpu_number_parse() returns the same bits. Plausible
 * floats are printed as the shortest decimal number, other values in hexadecimal.
 */
void sgpu_number_print(char out[SGPU_NUMBER_MAX], uint32_t bits);

/* Parses an unsigned decimal number with optional point and exponent (a float), or a hexadecimal
 * number 0x... (bits). Returns the number of characters, 0 if there is no number, or -1 if the
 * number is malformed or too large.
 */
int sgpu_number_parse(const char *text, size_t length, uint32_t *bits);

#endif /* SGPU_TEXT_H */
