/* SPDX-License-Identifier: MIT */
/* sgpu replay: state and functions that its source files share. */
#ifndef CAP_REPLAY_H
#define CAP_REPLAY_H

#include "cap_plans.h"
#include "cap_player.h"
#include "cap_tool.h"

struct replay {
   struct cap_player player;
   const char *path, *png;
   bool print_hash, print_counters, print_memory, virtual_time;
   struct cap_range frames, draws;
   bool some_draws, until, stopped;
   uint64_t until_draw, loops;

   uint64_t draw; /* number of the next draw */
   /* number of pictures that were presented, that differ, and that were compared */
   uint64_t presented, differing, compared;
   struct sgcap_writer *writer; /* writer of the --write file, or NULL */
   /* range of frames that have presented a picture so far; empty if first > last */
   struct cap_range there;
   struct cap_plans plans; /* plans of draws for --plans */
   bool print_plans;
   bool failed; /* true if a picture could not be written to a file */
};

/* Runs a SUBMIT record or handles a PRESENT record, after cap_player_perform().  Returns false
 * after the last wanted frame or draw, or after an error.
 */
bool cap_replay_perform(struct replay *r, const struct sgcap_record *rec);
/* Implements --loop: runs the rest of the file r->loops times and prints the times. */
void cap_replay_loops(struct replay *r);

#endif
