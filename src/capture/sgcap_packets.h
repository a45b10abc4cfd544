/* SPDX-License-Identifier: MIT */
/*
 * The layout of packets as text, in each capture: so old captures stay legible
 * for as long as what they use has kept its place.
 *
 * A line is "packet OPCODE NAME words+words" (fixed, and of each record behind),
 * "field OPCODE PATH word:bit bits kind shr minus", "enum NAME VALUE-NAME value".
 * A packet can be read where all of its lines in the capture are lines of this
 * program, too: new fields, packets and values may have come, and old bits
 * that had to be zero may have got a meaning that zero leaves as it was.
 */
#ifndef SGCAP_PACKETS_H
#define SGCAP_PACKETS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* malloc'ed; NULL when memory has run out. */
char *sgcap_packets_text(void);

/* Compares a capture's text with this program's: `why[opcode]`, an array of
 * 256, is a malloc'ed text where a packet differs.  Returns a malloc'ed text
 * where an enum does, or the text is none, else NULL.
 */
char *sgcap_packets_compare(const char *text, char **why);

/* How many 64-bit numbers the end of a query (enum sgpu_query_type) adds, at most
 * SGCAP_QUERY_NUMBERS.
 */
#define SGCAP_QUERY_NUMBERS 12
unsigned sgcap_query_numbers(uint32_t type);

#endif
