/* SPDX-License-Identifier: MIT */
/* sgpu decode: the state that text and JSON output share. */
#ifndef CAP_DECODE_H
#define CAP_DECODE_H

#include "cap_program.h"
#include "cap_tool.h"

struct decode {
   struct cap_player player;
   struct cap_range frames, submissions;
   bool json;
   struct cap_seen seen; /* programs already printed */
   uint64_t submission, draw, grid;
   bool first;
};

/* The queue's number, also after it was destroyed. */
uint32_t cap_decode_queue(struct decode *d, uint64_t id);

/* A record as a JSON object; false with the reader's error set. */
bool cap_decode_json(struct decode *d, const struct sgcap_record *rec);

#endif
