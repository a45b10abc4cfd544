/* SPDX-License-Identifier: MIT */
/* Walks command streams and tracks their state. */
#include "cap_stream.h"

#include <stdlib.h>
#include <string.h>

#include "sgpu_packets.h"
#include "sgpu_packets_info.h"
#include "sgpu_packets_unpack.h"

bool
cap_packet_draws(uint32_t opcode)
{
   return opcode == SGPU_PACKET_DRAW || opcode == SGPU_PACKET_DRAW_INDIRECT;
}

bool
cap_packet_grid(uint32_t opcode)
{
   return opcode == SGPU_PACKET_GRID;
}

void
cap_stream_init(struct cap_stream *s, const uint32_t *words, uint32_t count)
{
   memset(s, 0, sizeof *s);
   s->words = words;
   s->count = count;
}

void
cap_stream_fini(struct cap_stream *s)
{
   free(s->state);
   memset(s, 0, sizeof *s);
}

/* Returns the key of a state packet.  A packet replaces earlier packets with the same key.  The key
 * consists of the opcode, the fields that select an instance of the state, and the length if the
 * packet has field "First" or "First Handle".  A CONSTANT VERSION packet depends on earlier
 * versions and does not replace them, so its key is its position.
 */
static uint64_t
state_key(const uint32_t *packet, uint32_t length, uint32_t at)
{
   static const char *const choosers[] = { "First", "First Handle", "Index",  "Stage",
                                           "Bank",  "Slot",         "Handles" };
   const uint32_t opcode = sgpu_packet_opcode(packet[0]);
   const struct sgpu_struct_info *info = sgpu_packet_info(opcode);
   uint64_t key = opcode;
   bool first = false;

   for (unsigned i = 0; info && i < info->num_fields; i++) {
      const struct sgpu_field_info *f = &info->fields[i];
      for (unsigned c = 0; c < sizeof choosers / sizeof *choosers; c++) {
         if (f->bits && f->bits <= 16 && !strcmp(f->name, choosers[c])) {
            key = key * 65599 + (packet[f->word] >> f->bit & ((1u << f->bits) - 1)) + 1;
            first |= c < 2;
         }
      }
   }
   if (opcode == SGPU_PACKET_CONSTANT_VERSION)
      return (uint64_t)1 << 63 | at;
   return first ? key * 65599 + length : key;
}

static bool
note_state(struct cap_stream *s, const struct cap_packet *p)
{
   const uint64_t key = state_key(p->words, p->length, p->at);

   for (unsigned i = 0; i < s->num_state; i++) {
      if (s->state[i].key == key) {
         memmove(&s->state[i], &s->state[i + 1], (s->num_state - i - 1) * sizeof *s->state);
         s->num_state--;
         break;
      }
   }
   if (s->num_state == s->max_state) {
      const unsigned n = s->max_state ? s->max_state * 2 : 64;
      struct cap_state_entry *e = realloc(s->state, n * sizeof *e);
      if (!e)
         return false;
      s->state = e;
      s->max_state = n;
   }
   s->state[s->num_state++] = (struct cap_state_entry){ key, p->at, p->length };
   return true;
}

bool
cap_stream_next(struct cap_stream *s, struct cap_packet *p)
{
   if (s->pos >= s->count || sgpu_packet_check(s->words + s->pos, s->count - s->pos))
      return false;
   p->words = s->words + s->pos;
   p->at = s->pos;
   p->length = sgpu_packet_words(p->words[0]);
   p->opcode = sgpu_packet_opcode(p->words[0]);
   if (p->opcode == SGPU_PACKET_END || p->length > s->count - s->pos)
      return false;
   s->pos += p->length;
   if (sgpu_packet_class(p->opcode) == SGPU_PACKET_CLASS_STATE)
      return note_state(s, p);
   return true;
}

uint32_t
cap_stream_state(const struct cap_stream *s, uint32_t *out)
{
   uint32_t n = 0;

   for (unsigned i = 0; i < s->num_state; i++) {
      memcpy(out + n, s->words + s->state[i].at, s->state[i].length * 4);
      n += s->state[i].length;
   }
   return n;
}

const uint32_t *
cap_stream_find(const struct cap_stream *s, uint32_t opcode)
{
   for (unsigned i = s->num_state; i-- > 0;) {
      if (sgpu_packet_opcode(s->words[s->state[i].at]) == opcode)
         return s->words + s->state[i].at;
   }
   return NULL;
}
