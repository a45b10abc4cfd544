/* SPDX-License-Identifier: MIT */
#ifndef CAPTURE_RIG_H
#define CAPTURE_RIG_H

#include "trace/sgt_trace.h"
#include "trace/sgt_work.h"

/* Replays a capture on a device.  Returns the trace and the work of all submissions; `trace` may be
 * NULL.  A failure ends the program with a message.
 */
void capture_rig_load(const char *path, struct sgt_trace **trace, struct sgt_work **work);

#endif
