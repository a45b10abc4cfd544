/* SPDX-License-Identifier: MIT */
/* Runs a capture one work packet at a time. */
#include "cap_step.h"

#include <stdlib.h>
#include <string.h>

#include "sgpu_packets_unpack.h"

void
cap_step_init(struct cap_step *s, struct cap_player *player)
{
   memset(s, 0, sizeof *s);
   s->player = player;
}

static void
end_submission(struct cap_step *s)
{
   cap_stream_fini(&s->stream);
   free(s->piece);
   s->piece = NULL;
   s->in_submission = s->at_packet = false;
}

void
cap_step_fini(struct cap_step *s)
{
   end_submission(s);
}

/* Runs the current piece of the stream.  The next piece begins with the state packets that are in
 * effect.
 */
static bool
flush_words(struct cap_step *s)
{
   if (s->piece_words) {
      sgpu_pack(s->piece + s->piece_words, END, cfg)
         ;
      if (!cap_player_submit_words(s->player, &s->rec, s->piece,
                                   s->piece_words + SGPU_END_LENGTH) ||
          !cap_player_finish(s->player, &s->rec))
         return false;
   }
   s->piece_words = cap_stream_state(&s->stream, s->piece);
   return true;
}

static void
append(struct cap_step *s)
{
   memcpy(s->piece + s->piece_words, s->packet.words, s->packet.length * 4);
   s->piece_words += s->packet.length;
}

static bool
begin_submission(struct cap_step *s)
{
   s->words = cap_player_stream(s->player, &s->rec);
   if (!s->words)
      return false;
   s->piece = malloc(((size_t)s->rec.u.submit.words * 2 + SGPU_END_LENGTH) * 4);
   s->piece_words = 0;
   s->packet_number = 0;
   cap_stream_init(&s->stream, s->words, s->rec.u.submit.words);
   s->in_submission = true;
   if (!s->piece)
      sgcap_fail(s->player->reader, "out of memory");
   return s->piece != NULL;
}

static bool
step_in_submission(struct cap_step *s, enum cap_event *event)
{
   if (s->at_packet) {
      s->at_packet = false;
      append(s);
      if (!flush_words(s))
         return false;
      *event = CAP_EVENT_AFTER;
      return true;
   }
   if (s->packet.words) {
      s->draw += cap_packet_draws(s->packet.opcode);
      s->grid += cap_packet_grid(s->packet.opcode);
   }
   s->packet.words = NULL;

   while (cap_stream_next(&s->stream, &s->packet)) {
      s->packet_number++;
      if (sgpu_packet_class(s->packet.opcode) != SGPU_PACKET_CLASS_WORK) {
         append(s);
         continue;
      }
      if (!flush_words(s))
         return false;
      s->at_packet = true;
      *event = CAP_EVENT_BEFORE;
      return true;
   }
   s->packet.words = NULL;
   if (!flush_words(s) || !cap_player_submitted(s->player, &s->rec, 0))
      return false;
   end_submission(s);
   *event = CAP_EVENT_SUBMITTED;
   return true;
}

/* Counts the draws and grids of a submission. */
static void
count(const struct cap_step *s, const struct sgcap_record *rec, uint64_t *draws, uint64_t *grids)
{
   const uint32_t *words = cap_player_stream(s->player, rec);
   struct cap_stream stream;
   struct cap_packet packet;

   *draws = *grids = 0;
   if (!words)
      return;
   cap_stream_init(&stream, words, rec->u.submit.words);
   while (cap_stream_next(&stream, &packet)) {
      *draws += cap_packet_draws(packet.opcode);
      *grids += cap_packet_grid(packet.opcode);
   }
   cap_stream_fini(&stream);
}

uint64_t
cap_step_end(const struct cap_step *s, const struct sgcap_record *rec)
{
   uint64_t draws, grids;

   count(s, rec, &draws, &grids);
   return s->draw + draws;
}

uint64_t
cap_step_end_grid(const struct cap_step *s, const struct sgcap_record *rec)
{
   uint64_t draws, grids;

   count(s, rec, &draws, &grids);
   return s->grid + grids;
}

static bool
run_whole(struct cap_step *s)
{
   uint64_t draws, grids;

   count(s, &s->rec, &draws, &grids);
   s->draw += draws;
   s->grid += grids;
   return cap_player_submit(s->player, &s->rec);
}

bool
cap_step_next(struct cap_step *s, enum cap_event *event)
{
   if (s->in_submission)
      return step_in_submission(s, event);

   if (!cap_player_next(s->player, &s->rec))
      return false;
   *event = CAP_EVENT_RECORD;
   if (s->rec.type != SGCAP_SUBMIT)
      return true;

   s->submission = s->player->submissions - 1;
   s->words = NULL;
   if (s->whole && s->whole(s->data, &s->rec)) {
      *event = CAP_EVENT_SUBMITTED;
      return run_whole(s);
   }
   /* Wait for earlier submissions that ran as a whole. */
   return cap_player_finish(s->player, &s->rec) && begin_submission(s) &&
          step_in_submission(s, event);
}
