/* SPDX-License-Identifier: MIT */
/* sgpu decode: state that the text and JSON output share. */
#ifndef CAP_DECODE_H
#define CAP_DECODE_H

#include "cap_program.h"
#include "cap_tool.h"

struct decode {
   struct cap_player player;
   struct cap_range frames, submissions;
   bool json;
   struct cap_seen seen;            /* hashes of programs that have been printed */
   uint64_t submission, draw, grid; /* numbers of the next submission, draw and grid */
   bool first;                      /* no JSON object has been printed yet */
};

/* Returns the number of a queue, which may have been destroyed, or UINT32_MAX. */
uint32_t cap_decode_queue(struct decode *d, uint64_t id);

/* Prints a record as a JSON object.  Returns false, with the reader's error set, on failure. */
bool cap_decode_json(struct decode *d, const struct sgcap_record *rec);

#endif
