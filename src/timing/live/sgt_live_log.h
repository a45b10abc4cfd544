/* SPDX-License-Identifier: MIT */
/*
 * Writes the log of live timing, a CSV file with one line per segment.
 */
#ifndef SGT_LIVE_LOG_H
#define SGT_LIVE_LOG_H

#include "live/sgt_live.h"

struct sgt_live_segment {
   enum sgt_live_cause cause;
   uint32_t operations, draws; /* number of operations, and how many of them are draws */
   uint64_t cycles;            /* duration of the segment in core cycles */
   uint64_t ns;                /* duration of the segment in nanoseconds */
   uint64_t total;             /* total number of core cycles of this and all previous segments */
   const char *error;          /* error message if the segment could not be simulated, or NULL */
};

/* Appends a line for the segment to the log. The first call in a process creates the file, and
 * fails if the file exists. After a failure, prints a message once and ignores all further calls.
 */
void sgt_live_log(const char *path, const struct sgt_live_segment *segment);

#endif
