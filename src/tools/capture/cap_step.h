/* SPDX-License-Identifier: MIT */
/*
 * Runs a capture one work packet at a time: before and after each, all that was
 * submitted has ended and memory is as the device has it at that point.
 */
#ifndef CAP_STEP_H
#define CAP_STEP_H

#include "cap_player.h"
#include "cap_stream.h"

enum cap_event {
   CAP_EVENT_BEFORE,     /* a work packet that was not carried out yet */
   CAP_EVENT_AFTER,      /* it was */
   CAP_EVENT_SUBMITTED,  /* the submission is over */
   CAP_EVENT_RECORD,     /* any other record, carried out */
};

struct cap_step {
   struct cap_player *player;
   struct sgcap_record rec;      /* the current record */
   struct cap_stream stream;     /* in a submission: at the packet */
   struct cap_packet packet;
   const uint32_t *words;
   uint32_t *piece;
   uint32_t piece_words;
   bool in_submission, at_packet;
   /* Submissions that are run as a whole: asked before each. */
   bool (*whole)(void *data, const struct sgcap_record *rec);
   void *data;

   uint64_t submission;          /* number of the current one */
   uint64_t packet_number;       /* in the submission, of all packets */
   uint64_t draw;                /* number of the current or next draw */
};

void cap_step_init(struct cap_step *s, struct cap_player *player);
void cap_step_fini(struct cap_step *s);
/* False at the end or at an error. */
bool cap_step_next(struct cap_step *s, enum cap_event *event);

/* The number of the first draw behind a submission that is next. */
uint64_t cap_step_end(const struct cap_step *s, const struct sgcap_record *rec);

#endif
