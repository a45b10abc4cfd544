/* SPDX-License-Identifier: MIT */
/*
 * Live timing: the log, a CSV file with a line for each segment.
 */
#ifndef SGT_LIVE_LOG_H
#define SGT_LIVE_LOG_H

#include "live/sgt_live.h"

struct sgt_live_segment {
   enum sgt_live_cause cause;
   uint32_t operations, draws; /* numbers of operations, and of draws among them */
   uint64_t cycles;            /* duration of the segment in core cycles */
   uint64_t ns;                /* duration of the segment in nanoseconds */
   uint64_t total;             /* core cycles of all segments up to and including this one */
   const char *error;          /* reason why the segment could not be simulated, or NULL */
};

/* Appends the line of a segment. The first call in a process creates the file, which must not
 * exist. After an error, prints a message, and further calls do nothing.
 */
void sgt_live_log(const char *path, const struct sgt_live_segment *segment);

#endif
