/* SPDX-License-Identifier: MIT */
/* sgpu decode: state shared by the text and JSON output. */
#ifndef CAP_DECODE_H
#define CAP_DECODE_H

#include "cap_program.h"
#include "cap_tool.h"

struct decode {
   struct cap_player player;
   struct cap_range frames, submissions;
   bool json;
   struct cap_seen seen; /* hashes of programs that have already been printed */
   /* numbers that the next submission, draw and grid will have */
   uint64_t submission, draw, grid;
   bool first; /* true until the first JSON object has been printed; later objects need a comma */
};

/* Returns the index of the queue with this ID, or UINT32_MAX if there is none.  The queue may
 * already have been destroyed.
 */
uint32_t cap_decode_queue(struct decode *d, uint64_t id);

/* Prints a record as a JSON object.  On failure, sets the reader's error and returns false. */
bool cap_decode_json(struct decode *d, const struct sgcap_record *rec);

#endif
