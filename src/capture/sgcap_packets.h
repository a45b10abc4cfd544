/* SPDX-License-Identifier: MIT */
/* The packet layout as text.  Each capture contains this text, so that an old capture can be
 * replayed as long as its packets keep their layout.
 *
 * A line is "packet OPCODE NAME words+words" (number of fixed words, and number of words in each
 * record of the tail), "field OPCODE PATH word:bit bits kind shr minus array enum" or "enum NAME
 * VALUE-NAME value".  A packet is compatible if this program has each of its lines in the capture,
 * with its current name or its former name (`was` in sgpu_packets.xml).  This program may have
 * additional packets, fields and values.  A new field must have no effect if it is zero.
 */
#ifndef SGCAP_PACKETS_H
#define SGCAP_PACKETS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Returns the layout of all packets as text allocated with malloc, or NULL on allocation failure.
 */
char *sgcap_packets_text(void);

/* Compares the layout text of a capture with the layout of this program.  For each packet that
 * differs, sets why[opcode] to a message; `why` has 256 entries.  Returns a message if an enum
 * differs or if the text is malformed, and NULL otherwise.  The caller must free the messages.
 */
char *sgcap_packets_compare(const char *text, char **why);

/* Number of 64-bit counts that END QUERY writes: the maximum, and the number for a given enum
 * sgpu_query_type.
 */
#define SGCAP_QUERY_NUMBERS 12
unsigned sgcap_query_numbers(uint32_t type);

#endif
