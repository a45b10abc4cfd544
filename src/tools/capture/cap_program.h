/* SPDX-License-Identifier: MIT */
/*
 * Programs of SHADER packets, read from the capture's memory.
 */
#ifndef CAP_PROGRAM_H
#define CAP_PROGRAM_H

#include <stdbool.h>
#include <stdint.h>

#include "cap_player.h"
#include "sgpu_program.h"

/* False if the packet unbinds the stage or memory has no such program. The program
 * points into the player's memory.
 */
bool cap_program(struct cap_player *p, const uint32_t *packet, struct sgpu_program *out,
                 uint64_t *hash);

/* Adds a hash to a set; returns whether the set already had it. */
struct cap_seen {
   uint64_t *hashes;
   unsigned count, max;
};
bool cap_seen(struct cap_seen *seen, uint64_t hash);

#endif
