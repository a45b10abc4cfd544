/* SPDX-License-Identifier: MIT */
/*
 * Options of live timing, which are set by the environment variable SGPU_TIMING.
 */
#ifndef SGT_LIVE_OPTIONS_H
#define SGT_LIVE_OPTIONS_H

#include "chip/sgt_chip.h"

/* size of the buffer for the file name of the log, in bytes */
#define SGT_LIVE_LOG_SIZE 1024

struct sgt_live_options {
   struct sgt_chip_params chip;
   bool wait;                   /* true if fences also wait for the simulation */
   char log[SGT_LIVE_LOG_SIZE]; /* file name of the log, or "" if there is no log */
};

/* Parses the value of SGPU_TIMING. On failure, returns false and writes a message to `error`. */
bool sgt_live_options_parse(struct sgt_live_options *o, const char *text, char *error,
                            size_t error_size);

#endif
