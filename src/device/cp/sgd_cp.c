/* SPDX-License-Identifier: MIT */
/*
 * Command processor: reads a submission packet by packet.  Each packet is
 * copied once before anything is looked at, so that what was checked is what
 * is used.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sgd_cp.h"
#include "sgd_cp_work.h"
#include "sgpu_packets_print.h"
#include "util/macros.h"

/* Operations that the role makes before it lets others go first. */
#define SGD_CP_QUANTUM 32

struct sgd_cp *
sgd_cp_create(struct sgpu_queue *queue)
{
   struct sgd_cp *cp = calloc(1, sizeof(*cp));
   if (cp) {
      cp->queue = queue;
      cp->dev = queue->dev;
   }
   return cp;
}

void
sgd_cp_destroy(struct sgd_cp *cp)
{
   sgd_cp_state_reset(cp);
   free(cp);
}

static void
begin(struct sgd_cp *cp, struct sgd_submission *sub)
{
   cp->sub = sub;
   cp->pos = 0;
   cp->packet = 0;
   sgd_cp_state_reset(cp);
   if (cp->dev->params.print_commands) {
      fprintf(stderr, "submission %" PRIu64 " at %" PRIx64 "\n", sub->seqno, sub->address);
      sgpu_stream_print(stderr, (const uint32_t *)(cp->dev->space + sub->address), sub->words);
   }
}

static void
fail(struct sgd_cp *cp, const char *name, const char *error)
{
   char message[192];
   snprintf(message, sizeof(message), "packet %u (%s) at word %u: %s", cp->packet,
            name ? name : "unknown", cp->pos, error);
   pthread_mutex_lock(&cp->dev->lock);
   sgd_queue_fail(cp->queue, cp->sub, message);
   pthread_mutex_unlock(&cp->dev->lock);
   fprintf(stderr, "sgpu: submission %" PRIu64 ": %s\n", cp->sub->seqno, message);
}

/* Executes the packet at the head of the stream; *end where the stream is over. */
static const char *
step(struct sgd_cp *cp, const uint32_t *in, bool *end, bool *work)
{
   const enum sgpu_packet opcode = in[0] & 0xff;

   switch (opcode) {
   case SGPU_PACKET_NOP:
   case SGPU_PACKET_MARKER:
      return NULL;
   case SGPU_PACKET_END:
      *end = true;
      return NULL;
   case SGPU_PACKET_DRAW:
   case SGPU_PACKET_DRAW_INDIRECT:
   case SGPU_PACKET_CLEAR:
   case SGPU_PACKET_CLEAR_SURFACE:
   case SGPU_PACKET_COPY_BUFFER:
   case SGPU_PACKET_FILL_BUFFER:
   case SGPU_PACKET_COPY_SURFACE:
   case SGPU_PACKET_BLIT:
   case SGPU_PACKET_RESOLVE_SURFACE:
   case SGPU_PACKET_BEGIN_QUERY:
   case SGPU_PACKET_END_QUERY:
   case SGPU_PACKET_STORE_RESULT:
   case SGPU_PACKET_PREDICATE:         /* state that an operation decides */
      *work = true;
      return sgd_cp_work_packet(cp, opcode, in);
   default:
      return sgd_cp_state_packet(cp, opcode, in);
   }
}

/* Operations under way allow for more. */
static bool
has_room(struct sgd_cp *cp)
{
   pthread_mutex_lock(&cp->dev->lock);
   const bool room = cp->queue->in_flight < SGD_MAX_IN_FLIGHT;
   pthread_mutex_unlock(&cp->dev->lock);
   return room;
}

bool
sgd_cp_run(struct sgd_cp *cp, struct sgd_worker *worker)
{
   if (!cp->sub)
      begin(cp, cp->queue->parsing);

   struct sgd_submission *sub = cp->sub;
   const uint32_t *stream = (const uint32_t *)(cp->dev->space + sub->address);
   unsigned made = 0;
   bool end = cp->queue->lost;

   while (!end && cp->pos < sub->words) {
      uint32_t packet[SGPU_PACKET_MAX_WORDS];
      const uint32_t left = sub->words - cp->pos;

      /* The length is taken once; what follows sees the copy alone. */
      packet[0] = *(const volatile uint32_t *)&stream[cp->pos];
      const uint32_t words = sgpu_packet_words(packet[0]);
      const char *error = sgpu_packet_check(packet, left);

      bool work = false;
      if (!error) {
         assert(words <= SGPU_PACKET_MAX_WORDS);
         memcpy(packet + 1, stream + cp->pos + 1, (words - 1) * 4);
         error = step(cp, packet, &end, &work);
      }
      if (error) {
         fail(cp, sgpu_packet_name(packet[0] & 0xff), error);
         break;
      }
      cp->pos += words;
      cp->packet++;
      worker->counters[SGPU_COUNTER_PACKETS]++;

      if (work && (++made >= SGD_CP_QUANTUM || !has_room(cp)) && !end && cp->pos < sub->words)
         return false;
   }

   cp->sub = NULL;
   sgd_cp_state_reset(cp);
   return true;
}
