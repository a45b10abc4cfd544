/* SPDX-License-Identifier: MIT */
/*
 * A bank of DRAM: the row that is open, and when it takes its next commands.  Times are in
 * clocks of the memory.
 */
#ifndef SGT_DRAM_BANK_H
#define SGT_DRAM_BANK_H

#include <stdbool.h>
#include <stdint.h>

#include "util/macros.h"

struct sgt_dram_bank {
   bool open;
   uint64_t row;
   uint64_t column_at;    /* first clock for a column command, of an open row */
   uint64_t precharge_at; /* likewise for a precharge */
   uint64_t activate_at;  /* of a closed bank; while it is open, the bound of the row cycle */
};

/* t_rc of 0: activates have no bound but those of precharges. */
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

static inline void
sgt_dram_bank_precharge(struct sgt_dram_bank *bank, uint64_t clock, uint32_t t_rp)
{
   bank->open = false;
   bank->activate_at = MAX2(bank->activate_at, clock + t_rp);
}

/* A column command after which the row stays open until `time` at least. */
static inline void
sgt_dram_bank_hold(struct sgt_dram_bank *bank, uint64_t time)
{
   bank->precharge_at = MAX2(bank->precharge_at, time);
}

#endif
