/* SPDX-License-Identifier: MIT */
/*
 * Reads the programs of SHADER packets from the capture's memory.
 */
#ifndef CAP_PROGRAM_H
#define CAP_PROGRAM_H

#include <stdbool.h>
#include <stdint.h>

#include "cap_player.h"
#include "sgpu_program.h"

/* Finds the program that a SHADER packet binds, and computes the hash of its code. The program
 * points to the player's memory. Returns false if the packet unbinds the stage, or if the program
 * is not in the memory of the capture.
 */
bool cap_program(struct cap_player *p, const uint32_t *packet, struct sgpu_program *out,
                 uint64_t *hash);

/* A set of hashes. */
struct cap_seen {
   uint64_t *hashes;
   unsigned count, max;
};
/* Adds a hash to the set. Returns true if the set already contained it. */
bool cap_seen(struct cap_seen *seen, uint64_t hash);

#endif
