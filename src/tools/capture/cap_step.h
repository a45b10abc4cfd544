/* SPDX-License-Identifier: MIT */
/* Runs a capture one work packet at a time.  All earlier work has ended before and after each work
 * packet, so that memory has exactly the contents at that point in the command stream.
 */
#ifndef CAP_STEP_H
#define CAP_STEP_H

#include "cap_player.h"
#include "cap_stream.h"

enum cap_event {
   CAP_EVENT_BEFORE,    /* before a work packet runs */
   CAP_EVENT_AFTER,     /* after a work packet has run */
   CAP_EVENT_SUBMITTED, /* after the last packet of a submission */
   CAP_EVENT_RECORD,    /* after a record other than SUBMIT */
};

struct cap_step {
   struct cap_player *player;
   struct sgcap_record rec;  /* current record */
   struct cap_stream stream; /* command stream of the submission, parsed up to `packet` */
   struct cap_packet packet; /* current packet */
   /* words of the stream, or NULL if the submission runs as a whole */
   const uint32_t *words;
   uint32_t *piece;      /* words of the next partial submission */
   uint32_t piece_words; /* number of words in `piece` */
   /* in_submission: true if the submission has packets left; at_packet: true if the current packet
    * has not run yet
    */
   bool in_submission, at_packet;
   /* Returns true for submissions that should run as a whole.  May be NULL. */
   bool (*whole)(void *data, const struct sgcap_record *rec);
   void *data;

   uint64_t submission;    /* number of the current submission */
   uint64_t packet_number; /* number of packets read from the submission */
   uint64_t draw;          /* number of the current or next draw */
   uint64_t grid;          /* number of the current or next grid */
};

void cap_step_init(struct cap_step *s, struct cap_player *player);
void cap_step_fini(struct cap_step *s);
/* Continues to the next event.  Returns false at the end of the capture or after an error. */
bool cap_step_next(struct cap_step *s, enum cap_event *event);

/* Return the number that the first draw, or grid, after submission `rec` will have.  `rec` must be
 * the next submission to run.
 */
uint64_t cap_step_end(const struct cap_step *s, const struct sgcap_record *rec);
uint64_t cap_step_end_grid(const struct cap_step *s, const struct sgcap_record *rec);

#endif
