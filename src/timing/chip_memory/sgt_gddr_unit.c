/* SPDX-License-Identifier: MIT */
/*
 * GDDR3: the controller of a channel.
 *
 * The controller plans its next command and the clock of this command ahead of time, which is
 * possible because all timing constraints are already known. The plan stays valid until the command
 * is sent or a request arrives.
 */
#include "chip_memory/sgt_gddr.h"

#include <assert.h>
#include <string.h>

#include "kernel/sgt_dump.h"
#include "kernel/sgt_stats.h"
#include "kernel/sgt_bits.h"
#include "util/bitscan.h"
#include "util/u_math.h"

struct sgt_gddr_place
sgt_gddr_find(const struct sgt_gddr *g, uint64_t address)
{
   const uint64_t piece = address >> g->row_shift, row = piece >> g->bank_bits;
   uint64_t bank = piece;
   if (g->params.hash)
      bank ^= row;
   return (struct sgt_gddr_place){ bank & (g->params.banks - 1), row };
}

/* Reports a command to the log callback, if a test has installed one. */
static void
log_command(struct sgt_gddr *g, enum sgt_gddr_command command, uint32_t bank, uint64_t what,
            uint64_t clock)
{
   if (g->log)
      g->log(g->log_data, command, bank, what, clock);
}

/* Adds all uncounted clocks before `until` to the statistics of `state`. */
static void
gddr_attribute(struct sgt_gddr *g, uint64_t until, enum sgt_gddr_state state)
{
   if (until <= g->cursor)
      return;
   g->stats.states[state] += until - g->cursor;
   g->cursor = until;
}

/* Updates the queue occupancy statistics up to `clock`. Must be called before g->num changes. */
static void
count_queue(struct sgt_gddr *g, uint64_t clock)
{
   g->stats.occupancy += g->num * (clock - g->changed_at);
   g->changed_at = clock;
}

/* Closes all rows and refreshes all banks, starting at `clock`. */
static void
gddr_refresh(struct sgt_gddr *g, uint64_t clock)
{
   const struct sgt_gddr_params *p = &g->params;
   uint64_t closed = clock, end = clock;
   bool open = false;
   for (uint32_t b = 0; b < p->banks; b++) {
      if (!g->banks[b].open)
         continue;
      open = true;
      closed = MAX2(closed, g->banks[b].precharge_at);
   }
   for (uint32_t b = 0; b < p->banks; b++) {
      if (g->banks[b].open) {
         log_command(g, SGT_GDDR_PRECHARGE, b, g->banks[b].row, closed);
         sgt_dram_bank_precharge(&g->banks[b], closed, p->t_rp);
         g->stats.precharges++;
      }
      g->hits[b] = 0;
      end = MAX2(end, g->banks[b].activate_at);
   }
   if (open)
      end = MAX2(end, closed + p->t_rp);
   log_command(g, SGT_GDDR_REFRESH_ALL, 0, 0, end);
   end += p->t_rfc;
   for (uint32_t b = 0; b < p->banks; b++)
      g->banks[b].activate_at = end;
   g->stats.refreshes++;
   g->refresh_at += p->t_refi;
   gddr_attribute(g, clock, g->num ? SGT_GDDR_WAIT : SGT_GDDR_IDLE);
   gddr_attribute(g, end, SGT_GDDR_REFRESH);
}

/* Performs all refreshes that became due up to `clock` while the queue was empty. */
static void
catch_up(struct sgt_gddr *g, uint64_t clock)
{
   const uint64_t interval = g->params.t_refi;
   if (!interval || g->num || g->refresh_at > clock)
      return;
   gddr_refresh(g, g->refresh_at);
   if (g->refresh_at > clock)
      return;
   /* All banks are closed now. Every refresh except for the last one takes exactly t_rfc clocks,
    * which allows counting them together.
    */
   const uint64_t whole = (clock - g->refresh_at) / interval;
   if (whole) {
      gddr_attribute(g, g->refresh_at, SGT_GDDR_IDLE);
      g->stats.states[SGT_GDDR_REFRESH] += whole * g->params.t_rfc;
      g->stats.states[SGT_GDDR_IDLE] += whole * (interval - g->params.t_rfc);
      g->stats.refreshes += whole;
      g->cursor += whole * interval;
      g->refresh_at += whole * interval;
   }
   gddr_refresh(g, g->refresh_at);
}

/* Returns a mask of the queued reads, or of the queued writes, that the next command can serve. */
static uint64_t
gddr_eligible(const struct sgt_gddr *g, bool writes)
{
   const uint64_t all = BITFIELD64_MASK(g->num);
   return (writes ? g->writes : all & ~g->writes) & ~g->held;
}

/* Switches the bus between reads and writes if necessary. A second call in a row has no effect. */
static void
choose_direction(struct sgt_gddr *g)
{
   const struct sgt_gddr_params *p = &g->params;
   const uint64_t reads = gddr_eligible(g, false), writes = gddr_eligible(g, true);
   const uint32_t waiting = g->num_writes;
   if (!(g->writing ? reads : writes))
      return;
   const bool unfair = g->run >= p->run_limit;
   /* After a change of direction, serve at least one burst before changing it back. */
   const bool high = !g->writing && waiting >= p->write_high && g->run;
   const bool low = g->writing && waiting <= p->write_low && g->run;
   const bool none = !(g->writing ? writes : reads);
   if (!unfair && !high && !low && !none)
      return;
   g->writing = !g->writing;
   g->run = 0;
   g->overtaken = 0;
   g->stats.turns[g->writing]++;
   g->stats.turns_high += high && !none;
   g->stats.turns_run += unfair && !high && !low && !none;
}

/* Replaces the planned command with the given command if the latter takes priority. */
static void
gddr_offer(struct sgt_gddr_plan *plan, uint64_t clock, enum sgt_gddr_command command, uint32_t bank,
           uint32_t position)
{
   const bool column = command == SGT_GDDR_COLUMN_READ || command == SGT_GDDR_COLUMN_WRITE;
   const bool planned = plan->command == SGT_GDDR_COLUMN_READ ||
                        plan->command == SGT_GDDR_COLUMN_WRITE;
   if (clock > plan->clock)
      return;
   /* If both commands are due in the same clock cycle, column commands take priority over row
    * commands, and commands of older bursts take priority over commands of younger bursts.
    */
   if (clock == plan->clock && (column != planned ? planned : position > plan->position))
      return;
   *plan = (struct sgt_gddr_plan){ clock, command, bank, position };
}

/* Plans the next command, which will be sent at clock `from` or later. */
static void
make_plan(struct sgt_gddr *g, uint64_t from)
{
   struct sgt_gddr_plan plan = { .clock = SGT_NEVER };
   if (g->num) {
      choose_direction(g);
      uint64_t able = gddr_eligible(g, g->writing);
      if (g->overtaken >= g->params.hit_limit)
         able &= -able;
      const uint64_t column_at = MAX2(from, g->column_at[g->writing]);
      const uint64_t activate_at = MAX2(from, g->activate_at);
      sgt_foreach_bit(b, g->wanted) {
         const uint64_t queued = g->queued[b] & able;
         if (!queued)
            continue;
         const struct sgt_dram_bank *bank = &g->banks[b];
         const uint64_t hits = g->hits[b] & able;
         if (hits)
            gddr_offer(&plan, MAX2(column_at, bank->column_at),
                       g->writing ? SGT_GDDR_COLUMN_WRITE : SGT_GDDR_COLUMN_READ, b,
                       ffsll(hits) - 1);
         else if (bank->open)
            gddr_offer(&plan, MAX2(from, bank->precharge_at), SGT_GDDR_PRECHARGE, b,
                       ffsll(queued) - 1);
         else
            gddr_offer(&plan, MAX2(activate_at, bank->activate_at), SGT_GDDR_ACTIVATE, b,
                       ffsll(queued) - 1);
      }
      if (g->params.t_refi && g->refresh_at <= plan.clock)
         plan = (struct sgt_gddr_plan){ MAX2(from, g->refresh_at), SGT_GDDR_REFRESH_ALL, 0, 0 };
   }
   g->plan = plan;
}

/* Removes `bit` from a mask of bursts, and moves the bits of younger bursts down by one position.
 */
static uint64_t
gddr_squeeze(uint64_t mask, uint64_t bit)
{
   return (mask & (bit - 1)) | (mask >> 1 & ~(bit - 1));
}

/* Returns a mask of the bursts before `position` that `entry` must not overtake, because they have
 * the same address and at least one of the two bursts is a write.
 */
static uint64_t
older_conflicts(const struct sgt_gddr *g, uint32_t position, const struct sgt_gddr_entry *entry)
{
   uint64_t older = g->queued[entry->bank] & BITFIELD64_MASK(position);
   if (!entry->write)
      older &= g->writes;
   uint64_t conflicts = 0;
   sgt_foreach_bit(i, older)
      conflicts |= (uint64_t)(g->entries[g->order[i]].address == entry->address) << i;
   return conflicts;
}

/* Removes the burst at `position` from the queue. */
static void
remove_entry(struct sgt_gddr *g, uint32_t position)
{
   const uint64_t bit = 1ull << position;
   g->free_entries |= 1ull << g->order[position];
   g->num--;
   memmove(&g->order[position], &g->order[position + 1], g->num - position);
   sgt_foreach_bit(b, g->wanted) {
      g->queued[b] = gddr_squeeze(g->queued[b], bit);
      g->hits[b] = gddr_squeeze(g->hits[b], bit);
      if (!g->queued[b])
         g->wanted &= ~(1u << b);
   }
   g->num_writes -= (g->writes & bit) != 0;
   g->writes = gddr_squeeze(g->writes, bit);
   if (!g->held)
      return;
   g->held = gddr_squeeze(g->held, bit);
   sgt_foreach_bit(i, g->held) {
      if (!older_conflicts(g, i, &g->entries[g->order[i]]))
         g->held &= ~(1ull << i);
   }
}

/* Updates the statistics for a column command, including the bus states up to the end of its data.
 */
static void
count_column(struct sgt_gddr *g, const struct sgt_gddr_entry *entry, uint64_t clock)
{
   struct sgt_gddr_stats *s = &g->stats;
   const uint64_t wait = clock - entry->since;
   const bool write = entry->write;
   s->bursts[write]++;
   s->rows[write][entry->outcome]++;
   s->bank_bursts[entry->bank]++;
   s->wait[write] += wait;
   s->wait_log2[MIN2(sgt_log2_slot(wait), ARRAY_SIZE(s->wait_log2) - 1)]++;
   if (g->last_writes != write)
      gddr_attribute(g, MIN2(clock, g->column_at[write]), SGT_GDDR_TURN);
   gddr_attribute(g, MIN2(clock, g->banks[entry->bank].column_at), SGT_GDDR_ROW);
   gddr_attribute(g, clock, SGT_GDDR_WAIT);
   gddr_attribute(g, clock + g->data_clocks, write ? SGT_GDDR_WRITE : SGT_GDDR_READ);
}

/* Sends the planned column command. Returns false if the channel has no room for the response. */
static bool
gddr_column(struct sgt_gddr *g, uint64_t now, uint64_t clock)
{
   const struct sgt_gddr_params *p = &g->params;
   const uint32_t position = g->plan.position, b = g->plan.bank;
   const struct sgt_gddr_entry *entry = &g->entries[g->order[position]];
   struct sgt_dram_bank *bank = &g->banks[b];
   if (!entry->write) {
      if (!sgt_channel_can_send(&g->responses, now)) {
         g->blocked_since = MIN2(g->blocked_since, clock);
         return false;
      }
      sgt_channel_send(&g->responses, now,
                       &(struct sgt_gddr_response){ .address = entry->address & ~63ull,
                                                    .tag = entry->tag,
                                                    .sectors = entry->sectors });
      if (g->blocked_since != SGT_NEVER)
         g->stats.blocked += clock - g->blocked_since;
      g->blocked_since = SGT_NEVER;
   }
   log_command(g, g->plan.command, b, entry->address, clock);
   count_column(g, entry, clock);

   const uint32_t data = g->data_clocks;
   if (entry->write) {
      g->column_at[1] = clock + p->t_ccd;
      g->column_at[0] = clock + MAX2(p->t_wl + data + p->t_cdlr, p->t_ccd);
      sgt_dram_bank_hold(bank, clock + p->t_wl + data + p->t_wr);
   } else {
      const uint32_t turned = p->t_cl + data + p->t_rtw;
      g->column_at[0] = clock + p->t_ccd;
      g->column_at[1] = clock + MAX2(turned > p->t_wl ? turned - p->t_wl : 0, p->t_ccd);
      sgt_dram_bank_hold(bank, clock + p->t_rtp);
   }
   g->last_writes = entry->write;
   g->run++;
   const bool overtakes = gddr_eligible(g, g->writing) & BITFIELD64_MASK(position);
   g->stats.limited += g->overtaken && g->overtaken >= p->hit_limit;
   g->stats.overtakes += overtakes;
   g->overtaken = overtakes ? g->overtaken + 1 : 0;

   count_queue(g, clock);
   remove_entry(g, position);
   if (p->close && !g->hits[b]) {
      log_command(g, SGT_GDDR_CLOSE, b, bank->row, bank->precharge_at);
      sgt_dram_bank_precharge(bank, bank->precharge_at, p->t_rp);
      g->stats.precharges++;
      g->stats.closes++;
   }
   return true;
}

/* Sends the planned activate command. */
static void
gddr_activate(struct sgt_gddr *g, uint64_t clock)
{
   const struct sgt_gddr_params *p = &g->params;
   const uint32_t b = g->plan.bank;
   struct sgt_gddr_entry *entry = &g->entries[g->order[g->plan.position]];
   sgt_dram_bank_activate(&g->banks[b], clock, entry->row, p->t_rcd, p->t_ras, p->t_rc);
   log_command(g, SGT_GDDR_ACTIVATE, b, entry->row, clock);
   g->activate_at = clock + p->t_rrd;
   entry->outcome = MAX2(entry->outcome, SGT_GDDR_EMPTY);
   g->stats.activates++;
   g->stats.bank_activates[b]++;
   uint64_t hits = 0;
   sgt_foreach_bit(i, g->queued[b])
      hits |= (uint64_t)(g->entries[g->order[i]].row == entry->row) << i;
   g->hits[b] = hits;
}

/* Sends the planned precharge command. */
static void
gddr_precharge(struct sgt_gddr *g, uint64_t clock)
{
   const uint32_t b = g->plan.bank;
   g->entries[g->order[g->plan.position]].outcome = SGT_GDDR_MISS;
   log_command(g, SGT_GDDR_PRECHARGE, b, g->banks[b].row, clock);
   sgt_dram_bank_precharge(&g->banks[b], clock, g->params.t_rp);
   g->hits[b] = 0;
   g->stats.precharges++;
}

/* Sends the planned command. Returns false if the channel has no room for the response. */
static bool
give_command(struct sgt_gddr *g, uint64_t now, uint64_t clock)
{
   switch (g->plan.command) {
   case SGT_GDDR_ACTIVATE:
      gddr_activate(g, clock);
      return true;
   case SGT_GDDR_PRECHARGE:
      gddr_precharge(g, clock);
      return true;
   case SGT_GDDR_REFRESH_ALL:
      gddr_refresh(g, clock);
      return true;
   default:
      return gddr_column(g, now, clock);
   }
}

/* Appends one burst of a request to the queue. */
static void
gddr_enqueue(struct sgt_gddr *g, const struct sgt_gddr_request *request, uint32_t sectors,
             uint64_t clock)
{
   const uint32_t position = g->num++, slot = ffsll(g->free_entries) - 1;
   struct sgt_gddr_entry *entry = &g->entries[slot];
   const uint64_t bit = 1ull << position;
   *entry = (struct sgt_gddr_entry){
      .address = request->address + (g->burst_bytes == 32 && sectors == 2 ? 32 : 0),
      .since = clock,
      .tag = request->tag,
      .sectors = sectors,
      .write = request->write,
   };
   const struct sgt_gddr_place place = sgt_gddr_find(g, entry->address);
   entry->bank = place.bank;
   entry->row = place.row;
   g->free_entries &= ~(1ull << slot);
   g->order[position] = slot;
   if (older_conflicts(g, position, entry)) {
      g->held |= bit;
      g->stats.ordered++;
   }
   g->queued[place.bank] |= bit;
   g->wanted |= 1u << place.bank;
   if (g->banks[place.bank].open && g->banks[place.bank].row == place.row)
      g->hits[place.bank] |= bit;
   if (request->write) {
      g->writes |= bit;
      g->num_writes++;
   }
}

/* Moves at most one request from the channel to the queue. Returns true if another request is
 * available.
 */
static bool
accept_request(struct sgt_gddr *g, uint64_t now, uint64_t clock)
{
   const struct sgt_gddr_request *request = sgt_channel_peek(&g->requests, now);
   if (!request)
      return false;
   const bool split = g->burst_bytes == 32 && request->sectors == 3;
   if (g->num + 1 + split > g->params.queue) {
      g->full_since = MIN2(g->full_since, clock);
      return false;
   }
   if (g->full_since != SGT_NEVER)
      g->stats.full += clock - g->full_since;
   g->full_since = SGT_NEVER;
   if (!g->num) {
      catch_up(g, clock);
      gddr_attribute(g, clock, SGT_GDDR_IDLE);
   }
   count_queue(g, clock);
   g->stats.requests[request->write]++;
   if (split) {
      gddr_enqueue(g, request, 1, clock);
      gddr_enqueue(g, request, 2, clock);
   } else {
      gddr_enqueue(g, request, request->sectors, clock);
   }
   g->stats.max_queue = MAX2(g->stats.max_queue, g->num);
   g->stats.max_writes = MAX2(g->stats.max_writes, g->num_writes);
   sgt_channel_take(&g->requests, now);
   return sgt_channel_peek(&g->requests, now);
}

static uint64_t
gddr_tick(struct sgt_unit *unit, uint64_t now)
{
   struct sgt_gddr *g = container_of(unit, struct sgt_gddr, unit);
   const uint64_t period = unit->clock->period, clock = sgt_unit_edge(unit);
   bool blocked = false;
   if (g->plan.clock < clock)
      make_plan(g, clock);
   if (g->plan.clock == clock)
      blocked = !give_command(g, now, clock);
   const bool more = accept_request(g, now, clock);
   make_plan(g, clock + 1);
   uint64_t next = g->plan.clock;
   /* There is no need to poll: the channel schedules a call when it has room for the response. */
   if (blocked && g->plan.command == SGT_GDDR_COLUMN_READ)
      next = g->params.t_refi ? MAX2(g->refresh_at, clock + 1) : SGT_NEVER;
   if (more)
      next = MIN2(next, clock + 1);
   return next == SGT_NEVER ? next : next * period;
}

bool
sgt_gddr_init(struct sgt_gddr *g, struct sgt_sched *sched, const struct sgt_clock *clock,
              const struct sgt_gddr_params *params, struct sgt_unit *unit, uint64_t delay,
              uint32_t requests, uint32_t responses)
{
   const uint32_t data_clocks = params->burst / 2;
   *g = (struct sgt_gddr){
      .unit = { .name = "gddr", .clock = clock, .tick = gddr_tick },
      .params = *params,
      .data_clocks = data_clocks,
      .burst_bytes = params->bus_bits / 8 * params->burst,
      .row_shift = util_logbase2(params->row_bytes),
      .bank_bits = util_logbase2(params->banks),
      .free_entries = BITFIELD64_MASK(params->queue),
      .plan = { .clock = SGT_NEVER },
      .refresh_at = params->t_refi,
      .full_since = SGT_NEVER,
      .blocked_since = SGT_NEVER,
   };
   const uint64_t edge = unit->clock->period, period = clock->period;
   const uint64_t to = delay + params->pipe * period;
   /* The response is sent together with the column command, so its delay must include the time
    * until the end of the data.
    */
   const uint32_t back = params->pipe + params->t_cl + data_clocks;
   const bool ok = sgt_channel_init(&g->requests, sched, unit, &g->unit,
                                    sizeof(struct sgt_gddr_request),
                                    requests + (to + period) / edge + 2, to) &&
                   sgt_channel_init(&g->responses, sched, &g->unit, unit,
                                    sizeof(struct sgt_gddr_response),
                                    responses + (back + edge / period) / params->t_ccd + 2,
                                    back * period) &&
                   sgt_sched_add(sched, &g->unit, 0);
   if (!ok)
      sgt_gddr_finish(g);
   return ok;
}

void
sgt_gddr_finish(struct sgt_gddr *g)
{
   sgt_channel_finish(&g->requests);
   sgt_channel_finish(&g->responses);
}

bool
sgt_gddr_idle(const struct sgt_gddr *g)
{
   return !g->num && sgt_channel_empty(&g->requests) && sgt_channel_empty(&g->responses);
}

void
sgt_gddr_account(struct sgt_gddr *g, uint64_t time)
{
   const uint64_t clock = time / g->unit.clock->period;
   catch_up(g, clock ? clock - 1 : 0);
   gddr_attribute(g, clock, g->num ? SGT_GDDR_WAIT : SGT_GDDR_IDLE);
   count_queue(g, MAX2(clock, g->changed_at));
   g->stats.clocks = g->cursor;
}

void
sgt_gddr_states(const struct sgt_gddr *g, uint64_t time, uint64_t states[SGT_GDDR_STATES])
{
   struct sgt_gddr idle;
   const uint64_t *from = g->stats.states;
   if (!g->num) {
      idle = *g;
      idle.log = NULL;
      sgt_gddr_account(&idle, time);
      from = idle.stats.states;
   }
   memcpy(states, from, sizeof(g->stats.states));
}

void
sgt_gddr_dump(const struct sgt_gddr *g, uint32_t number, struct sgt_dump *d)
{
   sgt_dump_unit(d, g->unit.clock, "gddr.", number);
   sgt_dump_state(d, "", g->writing ? "writes" : "reads");
   sgt_dump_queue(d, "requests", g->num, g->params.queue);
   if (g->num)
      sgt_dump_oldest(d, g->entries[g->order[0]].since * g->unit.clock->period);
   sgt_dump_queue(d, "of these, writes", g->num_writes, 0);
   sgt_dump_channel(d, "requests of the partition", &g->requests);
}
