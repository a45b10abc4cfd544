/* SPDX-License-Identifier: MIT */
/*
 * Runs a capture one work packet at a time.  Before and after each packet all earlier
 * work has ended, and memory has the contents at that point of the stream.
 */
#ifndef CAP_STEP_H
#define CAP_STEP_H

#include "cap_player.h"
#include "cap_stream.h"

enum cap_event {
   CAP_EVENT_BEFORE,    /* before a work packet */
   CAP_EVENT_AFTER,     /* after it */
   CAP_EVENT_SUBMITTED, /* after a submission */
   CAP_EVENT_RECORD,    /* after any other record */
};

struct cap_step {
   struct cap_player *player;
   struct sgcap_record rec;  /* the current record */
   struct cap_stream stream; /* in a submission, at the packet */
   struct cap_packet packet;
   const uint32_t *words;
   uint32_t *piece;
   uint32_t piece_words;
   bool in_submission, at_packet;
   /* May be NULL. Returns true for submissions to run as a whole. */
   bool (*whole)(void *data, const struct sgcap_record *rec);
   void *data;

   uint64_t submission;    /* number of the current one */
   uint64_t packet_number; /* among all packets of the submission */
   uint64_t draw;          /* number of the current or next draw */
   uint64_t grid;          /* of the current or next grid */
};

void cap_step_init(struct cap_step *s, struct cap_player *player);
void cap_step_fini(struct cap_step *s);
/* False at the end or after an error. */
bool cap_step_next(struct cap_step *s, enum cap_event *event);

/* The number of the first draw, or grid, after `rec`, the next submission. */
uint64_t cap_step_end(const struct cap_step *s, const struct sgcap_record *rec);
uint64_t cap_step_end_grid(const struct cap_step *s, const struct sgcap_record *rec);

#endif
