/* SPDX-License-Identifier: MIT */
/*
 * Checks a log of commands against the times of the data sheet, for each pair of commands.
 */
#ifndef GDDR_CHECK_H
#define GDDR_CHECK_H

#include "chip_memory/sgt_gddr.h"

struct gddr_bank_log {
   bool open, used, closed;
   uint64_t row, activate, precharge, read, write;
   bool has_read, has_write;
};

struct gddr_check {
   const struct sgt_gddr *g;
   struct sgt_gddr_params p;
   struct gddr_bank_log banks[SGT_GDDR_MAX_BANKS];
   bool any_activate, any_read, any_write, any_refresh;
   uint64_t activate, read, write, refresh;
   uint64_t last;     /* clock of the latest command, plus 1 */
   uint64_t data_end; /* clock at which the last data transfer on the bus ends */
   uint64_t commands[6];
};

void gddr_check_init(struct gddr_check *c, const struct sgt_gddr *g);
/* Callback for sgt_gddr.log. */
void gddr_check_command(void *data, enum sgt_gddr_command command, uint32_t bank, uint64_t what,
                        uint64_t clock);

#endif
