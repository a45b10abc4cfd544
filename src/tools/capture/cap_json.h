/* SPDX-License-Identifier: MIT */
/* Prints packets as JSON, using the generated tables that describe their fields. */
#ifndef CAP_JSON_H
#define CAP_JSON_H

#include <stdint.h>
#include <stdio.h>

#include "cap_player.h"

/* Prints a string with quotes and escapes. */
void cap_json_string(FILE *fp, const char *text);
/* Prints {"packet": NAME, "word": N<more>, FIELD: VALUE, ..., "records": [...]} for a packet that
 * has passed sgpu_packet_check().  `more` is JSON text with additional members.
 */
void cap_json_packet(FILE *fp, struct cap_player *p, const uint32_t *packet, uint32_t word,
                     const char *more);

#endif
