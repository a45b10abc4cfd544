/* SPDX-License-Identifier: MIT */
/*
 * The layout of packets as text. Each capture contains this text, so that an old capture
 * can be read as long as the packets that it uses keep their layout.
 *
 * A line is "packet OPCODE NAME words+words" (number of fixed words, and of words in each
 * record of the tail), "field OPCODE PATH word:bit bits kind shr minus array enum" or
 * "enum NAME VALUE-NAME value". A packet can be read if each of its lines in the capture
 * is also a line of this program, under its name or its former name (`was` in
 * sgpu_packets.xml). This program may have more packets, fields and values; zero in a new
 * field must have the meaning of the packet without the field.
 */
#ifndef SGCAP_PACKETS_H
#define SGCAP_PACKETS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Returns the layout of all packets, allocated with malloc, or NULL if out of memory. */
char *sgcap_packets_text(void);

/* Compares the layout text of a capture with that of this program. `why` has 256 entries; for each
 * packet that differs, why[opcode] is set to a message. Returns a message if an enum differs or the
 * text is malformed, else NULL. The messages are allocated with malloc and owned by the caller.
 */
char *sgcap_packets_compare(const char *text, char **why);

/* Returns the number of 64-bit values that END QUERY writes for an enum sgpu_query_type. */
#define SGCAP_QUERY_NUMBERS 12
unsigned sgcap_query_numbers(uint32_t type);

#endif
