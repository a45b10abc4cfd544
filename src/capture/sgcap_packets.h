/* SPDX-License-Identifier: MIT */
/*
 * The layout of packets as text. Each capture has it, so that old captures stay
 * legible while the packets that they use keep their layout.
 *
 * A line is "packet OPCODE NAME words+words" (fixed words, and words of each record
 * behind them), "field OPCODE PATH word:bit bits kind shr minus array enum" or
 * "enum NAME VALUE-NAME value". A packet can be read if all of its lines in the
 * capture are also lines of this program, under their names or their former ones
 * (`was` in sgpu_packets.xml). This program may have more packets, fields and
 * values; zero in a new field must have the meaning of the packet without the field.
 */
#ifndef SGCAP_PACKETS_H
#define SGCAP_PACKETS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Allocated with malloc; NULL if out of memory. */
char *sgcap_packets_text(void);

/* Compares a capture's text with this program's. Sets why[opcode], of 256 entries, to
 * an allocated message for each packet that differs. Returns an allocated message if
 * an enum differs or the text is malformed, else NULL.
 */
char *sgcap_packets_compare(const char *text, char **why);

/* The number of 64-bit numbers that END QUERY writes for a type (enum
 * sgpu_query_type), at most SGCAP_QUERY_NUMBERS.
 */
#define SGCAP_QUERY_NUMBERS 12
unsigned sgcap_query_numbers(uint32_t type);

#endif
