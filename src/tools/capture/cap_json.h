/* SPDX-License-Identifier: MIT */
/*
 * Packets as JSON, from the tables of their fields.
 */
#ifndef CAP_JSON_H
#define CAP_JSON_H

#include <stdint.h>
#include <stdio.h>

#include "cap_player.h"

/* A string with its quotes. */
void cap_json_string(FILE *fp, const char *text);
/* {"packet": NAME, "word": N<more>, FIELD: VALUE, ..., "records": [...]} of a packet
 * that has passed sgpu_packet_check().  `more` is text.
 */
void cap_json_packet(FILE *fp, struct cap_player *p, const uint32_t *packet, uint32_t word,
                     const char *more);

#endif
