/* SPDX-License-Identifier: MIT */
/*
 * State of a DRAM bank: the open row, and the earliest time for each kind of command. All times are
 * in memory clocks.
 */
#ifndef SGT_DRAM_BANK_H
#define SGT_DRAM_BANK_H

#include <stdbool.h>
#include <stdint.h>

#include "util/macros.h"

struct sgt_dram_bank {
   bool open;             /* a row is open */
   uint64_t row;          /* index of the open row */
   uint64_t column_at;    /* earliest clock for a column command, if a row is open */
   uint64_t precharge_at; /* earliest clock for a precharge, if a row is open */
   /* Earliest clock for the next activate. While a row is open, this only accounts for t_rc, and
    * not for the precharge that must come first.
    */
   uint64_t activate_at;
};

/* Opens a row at time `clock`. If t_rc is 0, only the precharge limits when the next row can be
 * opened.
 */
static inline void
sgt_dram_bank_activate(struct sgt_dram_bank *bank, uint64_t clock, uint64_t row, uint32_t t_rcd,
                       uint32_t t_ras, uint32_t t_rc)
{
   bank->open = true;
   bank->row = row;
   bank->column_at = clock + t_rcd;
   bank->precharge_at = clock + t_ras;
   bank->activate_at = clock + t_rc;
}

/* Closes the row at time `clock`. */
static inline void
sgt_dram_bank_precharge(struct sgt_dram_bank *bank, uint64_t clock, uint32_t t_rp)
{
   bank->open = false;
   bank->activate_at = MAX2(bank->activate_at, clock + t_rp);
}

/* Keeps the row open until at least `time`. Must be called for each column command. */
static inline void
sgt_dram_bank_hold(struct sgt_dram_bank *bank, uint64_t time)
{
   bank->precharge_at = MAX2(bank->precharge_at, time);
}

#endif
