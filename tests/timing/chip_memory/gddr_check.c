/* SPDX-License-Identifier: MIT */
/*
 * Checks a log of commands.
 */
#include "gddr_check.h"

#include "../../unit.h"

void
gddr_check_init(struct gddr_check *c, const struct sgt_gddr *g)
{
   *c = (struct gddr_check){ .g = g, .p = g->params };
}

static void
check_activate(struct gddr_check *c, struct gddr_bank_log *bank, uint64_t clock)
{
   assert_false(bank->open);
   if (bank->used) {
      assert_true(clock >= bank->activate + c->p.t_rc);
      assert_true(clock >= bank->precharge + c->p.t_rp);
   }
   if (c->any_activate)
      assert_true(clock >= c->activate + c->p.t_rrd);
   if (c->any_refresh)
      assert_true(clock >= c->refresh + c->p.t_rfc);
   c->any_activate = true;
   c->activate = clock;
}

static void
check_precharge(struct gddr_check *c, struct gddr_bank_log *bank, uint64_t clock)
{
   assert_true(bank->open);
   assert_true(clock >= bank->activate + c->p.t_ras);
   if (bank->has_read)
      assert_true(clock >= bank->read + c->p.t_rtp);
   if (bank->has_write)
      assert_true(clock >= bank->write + c->p.t_wl + c->p.burst / 2 + c->p.t_wr);
   bank->open = false;
   bank->precharge = clock;
}

static void
check_column(struct gddr_check *c, struct gddr_bank_log *bank, bool write, uint64_t address,
             uint64_t clock)
{
   const struct sgt_gddr_place place = sgt_gddr_find(c->g, address);
   const uint64_t data = c->p.burst / 2;
   assert_true(bank->open && bank->row == place.row && bank == &c->banks[place.bank]);
   assert_true(clock >= bank->activate + c->p.t_rcd);
   if (c->any_read)
      assert_true(clock >= c->read + c->p.t_ccd);
   if (c->any_write)
      assert_true(clock >= c->write + c->p.t_ccd);
   if (c->any_write && !write)
      assert_true(clock >= c->write + c->p.t_wl + data + c->p.t_cdlr);
   const uint64_t first = clock + (write ? c->p.t_wl : c->p.t_cl);
   assert_true(first >= c->data_end);
   if (c->any_read && write)
      assert_true(first >= c->read + c->p.t_cl + data + c->p.t_rtw);
   c->data_end = first + data;
   if (write) {
      c->any_write = bank->has_write = true;
      c->write = bank->write = clock;
   } else {
      c->any_read = bank->has_read = true;
      c->read = bank->read = clock;
   }
}

void
gddr_check_command(void *data, enum sgt_gddr_command command, uint32_t b, uint64_t what,
                   uint64_t clock)
{
   struct gddr_check *c = data;
   struct gddr_bank_log *bank = &c->banks[b];
   c->commands[command]++;
   switch (command) {
   case SGT_GDDR_ACTIVATE:
      check_activate(c, bank, clock);
      *bank = (struct gddr_bank_log){
         .open = true, .used = true, .row = what, .activate = clock, .precharge = bank->precharge
      };
      break;
   case SGT_GDDR_PRECHARGE:
   case SGT_GDDR_CLOSE:
      check_precharge(c, bank, clock);
      break;
   case SGT_GDDR_COLUMN_READ:
   case SGT_GDDR_COLUMN_WRITE:
      check_column(c, bank, command == SGT_GDDR_COLUMN_WRITE, what, clock);
      break;
   case SGT_GDDR_REFRESH_ALL:
      for (unsigned i = 0; i < c->p.banks; i++) {
         assert_false(c->banks[i].open);
         if (c->banks[i].used) {
            assert_true(clock >= c->banks[i].precharge + c->p.t_rp);
            assert_true(clock >= c->banks[i].activate + c->p.t_rc);
         }
      }
      if (c->any_refresh)
         assert_true(clock >= c->refresh + c->p.t_rfc);
      c->any_refresh = true;
      c->refresh = clock;
      return;
   }
   /* There is at most one command per clock; an implied precharge comes with its column command. */
   if (command == SGT_GDDR_ACTIVATE || command == SGT_GDDR_COLUMN_READ ||
       command == SGT_GDDR_COLUMN_WRITE) {
      assert_true(clock >= c->last);
      c->last = clock + 1;
   }
}
