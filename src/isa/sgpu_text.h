/* SPDX-License-Identifier: MIT */

/*
 * What assembler and disassembler share: headers of the text form, and numbers
 * as text, whatever the process's locale is.
 */

#ifndef SGPU_TEXT_H
#define SGPU_TEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "sgpu_packets.h"

struct sgpu_text_header {
   const char *text;         /* "!!VP1.0" */
   enum sgpu_stage stage;
   bool vp1;
};
#define SGPU_NUM_TEXT_HEADERS 5
extern const struct sgpu_text_header sgpu_text_headers[SGPU_NUM_TEXT_HEADERS];

#define SGPU_NUMBER_MAX 32

/* A literal's component, so that sgpu_number_parse gives the same bits: the
 * shortest decimal for what looks like a float, else hexadecimal.
 */
void sgpu_number_print(char out[SGPU_NUMBER_MAX], uint32_t bits);

/* Decimal with or without point and exponent: a float; 0x...: bits. No sign.
 * Returns the characters taken, 0 where there is no number, -1 where it is
 * malformed or too large.
 */
int sgpu_number_parse(const char *text, size_t length, uint32_t *bits);

#endif /* SGPU_TEXT_H */
