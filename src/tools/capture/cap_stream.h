/* SPDX-License-Identifier: MIT */
/* Walks a command stream and tracks its state packets, so that tools can submit a part of the
 * stream.  A submission begins without state.  The part must therefore begin with the state packets
 * that are in effect at its first packet.
 */
#ifndef CAP_STREAM_H
#define CAP_STREAM_H

#include <stdbool.h>
#include <stdint.h>

struct cap_state_entry {
   uint64_t key; /* key of the state packet; a later packet with the same key replaces it */
   /* at: position of the packet in the stream, in words; length: its length in words */
   uint32_t at, length;
};

struct cap_stream {
   const uint32_t *words;
   uint32_t count, pos;
   struct cap_state_entry *state; /* state packets in effect, in stream order */
   unsigned num_state, max_state;
};

struct cap_packet {
   const uint32_t *words;
   uint32_t at, length, opcode;
};

/* Returns true if packets with this opcode are numbered as draws. */
bool cap_packet_draws(uint32_t opcode);
bool cap_packet_grid(uint32_t opcode);

void cap_stream_init(struct cap_stream *s, const uint32_t *words, uint32_t count);
void cap_stream_fini(struct cap_stream *s);
/* Reads the next packet.  Returns false at the end of the stream, at an illegal packet, or on
 * allocation failure.
 */
bool cap_stream_next(struct cap_stream *s, struct cap_packet *packet);
/* Copies the state packets in effect to `out`.  Returns the number of words, which is at most the
 * number of words read so far.
 */
uint32_t cap_stream_state(const struct cap_stream *s, uint32_t *out);
/* Returns the latest state packet with this opcode, or NULL if there is none. */
const uint32_t *cap_stream_find(const struct cap_stream *s, uint32_t opcode);

#endif
