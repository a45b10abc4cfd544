/* SPDX-License-Identifier: MIT */
/*
 * Live timing: the log, a line for each segment.
 */
#ifndef SGT_LIVE_LOG_H
#define SGT_LIVE_LOG_H

#include "live/sgt_live.h"

struct sgt_live_segment {
   enum sgt_live_cause cause;
   uint32_t operations, draws;
   uint64_t cycles; /* core */
   uint64_t ns;
   uint64_t total; /* core cycles of all segments up to this one */
   const char *error;
};

/* Appends a line.  The first call of the process creates the file, which must not exist. */
void sgt_live_log(const char *path, const struct sgt_live_segment *segment);

#endif
