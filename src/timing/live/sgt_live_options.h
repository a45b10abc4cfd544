/* SPDX-License-Identifier: MIT */
/*
 * Live timing: the text of SGPU_TIMING.
 */
#ifndef SGT_LIVE_OPTIONS_H
#define SGT_LIVE_OPTIONS_H

#include "chip/sgt_chip.h"

#define SGT_LIVE_LOG_SIZE 1024

struct sgt_live_options {
   struct sgt_chip_params chip;
   bool wait;
   char log[SGT_LIVE_LOG_SIZE]; /* "": none */
};

/* False, with a message. */
bool sgt_live_options_parse(struct sgt_live_options *o, const char *text, char *error,
                            size_t error_size);

#endif
