/* SPDX-License-Identifier: MIT */
/*
 * Walks a submission's stream and splits it: a submission begins without state, so a
 * piece has the state packets in effect and then the wanted packets.
 */
#ifndef CAP_STREAM_H
#define CAP_STREAM_H

#include <stdbool.h>
#include <stdint.h>

struct cap_state_entry {
   uint64_t key;        /* replaces entries with the same key */
   uint32_t at, length; /* words of the stream */
};

struct cap_stream {
   const uint32_t *words;
   uint32_t count, pos;
   struct cap_state_entry *state; /* in the order of the stream */
   unsigned num_state, max_state;
};

struct cap_packet {
   const uint32_t *words;
   uint32_t at, length, opcode;
};

/* Whether the packet counts as a draw. */
bool cap_packet_draws(uint32_t opcode);
bool cap_packet_grid(uint32_t opcode);

void cap_stream_init(struct cap_stream *s, const uint32_t *words, uint32_t count);
void cap_stream_fini(struct cap_stream *s);
/* False at END, at the end of the words or at an illegal packet. */
bool cap_stream_next(struct cap_stream *s, struct cap_packet *packet);
/* Copies the state packets in effect.  Returns the number of words, at most the number
 * in the stream so far.
 */
uint32_t cap_stream_state(const struct cap_stream *s, uint32_t *out);
/* The latest packet with the opcode, or NULL. */
const uint32_t *cap_stream_find(const struct cap_stream *s, uint32_t opcode);

#endif
