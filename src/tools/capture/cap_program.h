/* SPDX-License-Identifier: MIT */
/*
 * Programs that SHADER packets name, out of the capture's memory.
 */
#ifndef CAP_PROGRAM_H
#define CAP_PROGRAM_H

#include <stdbool.h>
#include <stdint.h>

#include "cap_player.h"
#include "sgpu_program.h"

/* False where the packet unbinds, or memory has no such program. The program
 * points into the player's memory.
 */
bool cap_program(struct cap_player *p, const uint32_t *packet, struct sgpu_program *out,
                 uint64_t *hash);

/* A set of hashes; returns whether it had this one already. */
struct cap_seen {
   uint64_t *hashes;
   unsigned count, max;
};
bool cap_seen(struct cap_seen *seen, uint64_t hash);

#endif
