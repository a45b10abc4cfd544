/* SPDX-License-Identifier: MIT */
/*
 * The 1999 engine. Fetch, issue and retirement are a single scheduler unit. With DRAM, each
 * accelerator and the memory are separate scheduler units.
 */
#include "engine99/sgt_engine.h"

#include <assert.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "engine99/sgt_accelerator.h"
#include "engine99/sgt_account.h"
#include "engine99/sgt_breaking.h"
#include "kernel/sgt_dump.h"
#include "engine99/sgt_issue.h"
#include "engine99/sgt_perfect.h"
#include "util/bitscan.h"
#include "util/macros.h"

struct engine {
   struct sgt_unit unit;
   const struct sgt_trace *trace;
   const struct sgt_engine_params *params;
   const struct sgt_engine_observer *observer;
   struct sgt_engine_result *result;
   struct sgt_clock clocks[2]; /* core clock and memory clock */
   struct sgt_sched sched;
   struct sgt_issue issue;
   struct sgt_account account;
   uint64_t accounted; /* number of cycles that have been added to the result */
   bool done;          /* the run has ended */
   bool stopped;       /* true if the run failed with requests in flight, which must be dumped */
   const char *error;  /* error message, or NULL */

   /* State of the fetch unit.
    * splitter: contains the slices of the current item;
    * next_item: index of the next item;
    * next_slice: index of the next slice of the current item
    */
   struct sgt_splitter splitter;
   uint32_t next_item, next_slice;

   /* These arrays are indexed by the tag of a slice.
    * operation: index of the operation that the slice belongs to;
    * accelerator: index of the accelerator that the slice runs on
    */
   struct sgt_slice *slices;
   uint32_t *operation;
   uint32_t *accelerator;
   /* Cycle when the slice entered the issue unit. After the slice is issued, the cycle when it
    * started.
    */
   uint64_t *begin;

   enum sgt_fetch_state fetch_state; /* state of the fetch unit at the start of the next cycle */

   uint32_t num_free;                        /* number of free accelerators */
   uint64_t free[SGT_MAX_ACCELERATORS / 64]; /* bitmask of free accelerators */
   /* for each busy accelerator, the tag of the slice that it processes */
   uint32_t *tag;
   /* With perfect memory, a binary heap of the busy accelerators, sorted by the last cycle of their
    * slices. An element is cycle * SGT_MAX_ACCELERATORS + accelerator.
    */
   uint64_t *ends;
   uint32_t num_ends;

   struct sgt_addresses addresses;
   struct sgt_dram dram;
   struct sgt_accelerator *units; /* accelerators with DRAM, or NULL if memory is perfect */
   uint32_t num_units;
};

static void
engine_fail(struct engine *e, const char *error)
{
   if (!e->error)
      e->error = error;
   e->done = true;
}

static void
fail_stopped(struct engine *e, const char *error)
{
   engine_fail(e, error);
   e->stopped = true;
}

/* Makes sure that the next slice has been fetched. Returns false at the end of the trace. */
static bool
engine_fetch(struct engine *e, uint64_t cycle)
{
   const struct sgt_engine_observer *o = e->observer;
   while (e->next_slice == e->splitter.num && e->next_item < e->trace->num_items) {
      const uint32_t item = e->next_item++;
      e->splitter.num = e->next_slice = 0;
      if (o && o->progress && o->progress_items && e->next_item % o->progress_items == 0 &&
          !o->progress(o->data, cycle, e->next_item))
         engine_fail(e, "stopped");
      if (!e->trace->items[item].pixels && e->params->drop_empty) {
         e->result->dropped_items++;
         continue;
      }
      if (!sgt_splitter_item(&e->splitter, item)) {
         engine_fail(e, "out of memory for the slices of an item");
         return false;
      }
      e->result->items++;
      e->result->split_items += e->splitter.num > 1;
   }
   return e->next_slice < e->splitter.num;
}

static enum sgt_fetch_state
fetch_state(struct engine *e, uint64_t cycle)
{
   if (!engine_fetch(e, cycle))
      return SGT_FETCH_EMPTY;
   const struct sgt_slice *slice = &e->splitter.slices[e->next_slice];
   return sgt_issue_room(&e->issue, e->trace->items[slice->item].num_sources);
}

/* Moves the fetched slice to the issue unit. */
static void
engine_enter(struct engine *e, uint64_t cycle)
{
   const struct sgt_slice *slice = &e->splitter.slices[e->next_slice++];
   const struct sgt_item *item = &e->trace->items[slice->item];
   struct sgt_issue_entry entry = {
      .destination = item->destination,
      .sources = e->trace->sources + item->first_source,
      .num_sources = item->num_sources,
      .key = sgt_break_key(e->trace, item, e->params->breaking),
   };
   entry.destination.rect = slice->rect;
   const uint32_t tag = sgt_issue_enter(&e->issue, &entry);
   e->slices[tag] = *slice;
   e->operation[tag] = item->operation;
   e->begin[tag] = cycle;
   e->result->slices++;
   e->result->pixels += slice->pixels;
   e->result->spans += slice->spans;
   if (e->observer && e->observer->enter)
      e->observer->enter(e->observer->data, cycle, tag, slice);
}

static void
push_end(struct engine *e, uint64_t end)
{
   uint32_t i = e->num_ends++;
   for (; i && e->ends[(i - 1) / 2] > end; i = (i - 1) / 2)
      e->ends[i] = e->ends[(i - 1) / 2];
   e->ends[i] = end;
}

static void
pop_end(struct engine *e)
{
   const uint64_t last = e->ends[--e->num_ends];
   uint32_t i = 0, child = 1;
   while (child < e->num_ends) {
      child += child + 1 < e->num_ends && e->ends[child + 1] < e->ends[child];
      if (e->ends[child] >= last)
         break;
      e->ends[i] = e->ends[child];
      i = child;
      child = 2 * i + 1;
   }
   e->ends[i] = last;
}

/* Starts a candidate on a free accelerator. At least one accelerator must be free. */
static void
engine_start(struct engine *e, uint64_t cycle, uint32_t tag)
{
   struct sgt_engine_result *r = e->result;
   const struct sgt_slice *slice = &e->slices[tag];
   uint32_t word = 0;
   while (!e->free[word])
      word++;
   const uint32_t a = word * 64 + (ffsll(e->free[word]) - 1);
   e->free[word] &= e->free[word] - 1;
   e->tag[a] = tag;
   e->num_free--;
   e->accelerator[tag] = a;
   r->wait += cycle - e->begin[tag];
   r->slice_wait[sgt_log2_slot(cycle - e->begin[tag])]++;
   e->begin[tag] = cycle;
   struct sgt_engine_operation *op = &r->operations[e->operation[tag]];
   if (!op->slices++)
      op->first = cycle;
   if (e->units) {
      const struct sgt_command command = { tag, slice };
      sgt_channel_send(&e->units[a].commands, cycle * e->clocks[0].period, &command);
   } else {
      const struct sgt_item *item = &e->trace->items[slice->item];
      const uint64_t end = cycle + sgt_perfect_cycles(e->params, item, slice) - 1;
      push_end(e, end * SGT_MAX_ACCELERATORS + a);
   }
   if (e->observer && e->observer->start)
      e->observer->start(e->observer->data, cycle, tag, a, slice);
}

/* Retires a slice whose last cycle on its accelerator is `cycle`. */
static void
engine_retire(struct engine *e, uint64_t cycle, uint32_t tag)
{
   struct sgt_engine_result *r = e->result;
   const uint32_t a = e->accelerator[tag];
   const uint64_t cycles = cycle + 1 - e->begin[tag];
   assert(e->tag[a] == tag);
   sgt_issue_retire(&e->issue, tag);
   e->free[a / 64] |= 1ull << (a % 64);
   e->num_free++;
   r->slice_cycles[sgt_log2_slot(cycles)]++;
   r->work_longest = MAX2(r->work_longest, cycles);
   struct sgt_engine_operation *op = &r->operations[e->operation[tag]];
   op->busy += cycles;
   op->last = cycle;
   if (e->observer && e->observer->end)
      e->observer->end(e->observer->data, cycle, tag, a, &e->slices[tag]);
}

static void
retire_all(struct engine *e, uint64_t cycle)
{
   const uint32_t num = e->result->accelerators;
   if (e->units) {
      for (uint32_t a = 0; a < num; a++) {
         const uint64_t now = cycle * e->clocks[0].period;
         const uint32_t *tag = sgt_channel_peek(&e->units[a].tags, now);
         if (!tag)
            continue;
         engine_retire(e, cycle, *tag);
         sgt_channel_take(&e->units[a].tags, now);
      }
      return;
   }
   while (e->num_ends && e->ends[0] / SGT_MAX_ACCELERATORS <= cycle) {
      const uint32_t a = e->ends[0] % SGT_MAX_ACCELERATORS;
      pop_end(e);
      engine_retire(e, cycle, e->tag[a]);
   }
}

static uint64_t
engine_tick(struct sgt_unit *unit, uint64_t now)
{
   struct engine *e = container_of(unit, struct engine, unit);
   struct sgt_issue *u = &e->issue;
   const uint64_t period = unit->clock->period, cycle = now / period;
   if (e->done)
      return SGT_NEVER;

   const enum sgt_fetch_state state = e->fetch_state;
   /* No event has happened since the last accounted cycle, so all units have been in the same state
    * since then.
    */
   if (cycle > e->accounted)
      sgt_account_cycles(&e->account, e->accounted, cycle - e->accounted, false, state);

   bool issued = false;
   for (uint32_t i = 0; i < e->params->issue_rate && e->num_free; i++) {
      const uint32_t tag = sgt_issue_next(u);
      if (tag == SGT_NO_TAG)
         break;
      engine_start(e, cycle, tag);
      issued = true;
   }
   sgt_account_cycles(&e->account, cycle, 1, issued, state);
   e->accounted = cycle + 1;
   retire_all(e, cycle);
   for (uint32_t i = 0; i < e->params->entry_rate; i++) {
      if (i ? fetch_state(e, cycle) != SGT_FETCH_ENTERED : state != SGT_FETCH_ENTERED)
         break;
      engine_enter(e, cycle);
   }
   sgt_issue_end_cycle(u);
   const enum sgt_fetch_state next = e->fetch_state = fetch_state(e, cycle);
   if (e->done)
      return SGT_NEVER;
   if (next == SGT_FETCH_EMPTY && !u->num_waiting && !u->num_issued) {
      e->done = true;
      return SGT_NEVER;
   }
   if (next == SGT_FETCH_ENTERED || (e->num_free && sgt_issue_can(u)))
      return now + period;
   /* With DRAM, the unit sleeps until an accelerator returns a tag. */
   return e->num_ends ? e->ends[0] / SGT_MAX_ACCELERATORS * period : SGT_NEVER;
}

static bool
create_units(struct engine *e)
{
   const struct sgt_engine_params *p = e->params;
   const uint32_t num = p->accelerators;
   if (!sgt_addresses_init(&e->addresses, e->trace,
                           (uint64_t)p->dram.row_bytes * p->dram.channels * p->dram.banks))
      return false;
   e->units = calloc(num, sizeof(*e->units));
   if (!e->units || !sgt_dram_init(&e->dram, &e->sched, &e->clocks[1], &p->dram, num))
      return false;
   for (; e->num_units < num; e->num_units++)
      if (!sgt_accelerator_init(&e->units[e->num_units], &e->sched, &e->clocks[0], &e->unit,
                                &e->dram, e->trace, p, &e->addresses, &e->account))
         return false;
   return true;
}

static bool
engine_create(struct engine *e)
{
   const struct sgt_engine_params *p = e->params;
   struct sgt_engine_result *r = e->result;
   r->accelerators = p->accelerators;
   r->candidates = sgt_engine_candidates(p);
   r->destinations = p->destinations ? p->destinations : p->accelerators + r->candidates;
   r->sources = p->sources ? p->sources : 2 * r->destinations;
   r->num_operations = e->trace->num_operations;

   sgt_sched_init(&e->sched);
   if (p->shuffle)
      sgt_sched_shuffle(&e->sched, p->shuffle_seed);
   e->clocks[0].mhz = p->memory == SGT_MEMORY_DRAM ? p->dram.core_mhz : 1;
   e->clocks[1].mhz = p->memory == SGT_MEMORY_DRAM ? p->dram.memory_mhz : 1;
   if (!sgt_clocks_init(e->clocks, 2)) {
      engine_fail(e, "dram: the common multiple of core_mhz and memory_mhz is above 2^32 MHz");
      return false;
   }
   e->unit = (struct sgt_unit){ .name = "issue", .clock = &e->clocks[0], .tick = engine_tick };
   e->slices = malloc(r->destinations * sizeof(*e->slices));
   e->operation = malloc(r->destinations * sizeof(*e->operation));
   e->accelerator = malloc(r->destinations * sizeof(*e->accelerator));
   e->begin = malloc(r->destinations * sizeof(*e->begin));
   e->tag = malloc(r->accelerators * sizeof(*e->tag));
   e->ends = malloc(r->accelerators * sizeof(*e->ends));
   const struct sgt_split_params split = sgt_engine_split_params(p);
   sgt_splitter_init(&e->splitter, e->trace, &split);
   if (!e->slices || !e->operation || !e->accelerator || !e->begin || !e->tag || !e->ends ||
       !sgt_issue_init(&e->issue, e->trace, p, r->destinations, r->sources) ||
       !sgt_account_init(&e->account, r, &e->issue, e->operation, p->interval) ||
       !sgt_sched_add(&e->sched, &e->unit, 0))
      return false;
   e->num_free = r->accelerators;
   for (uint32_t a = 0; a < r->accelerators; a++)
      e->free[a / 64] |= 1ull << (a % 64);
   e->fetch_state = fetch_state(e, 0);
   return p->memory == SGT_MEMORY_PERFECT || create_units(e);
}

static void
engine_destroy(struct engine *e)
{
   for (uint32_t i = 0; i <= e->num_units && e->units && i < e->params->accelerators; i++)
      sgt_accelerator_finish(&e->units[i]);
   free(e->units);
   sgt_dram_finish(&e->dram);
   sgt_addresses_finish(&e->addresses);
   sgt_issue_finish(&e->issue);
   sgt_splitter_finish(&e->splitter);
   sgt_sched_finish(&e->sched);
   free(e->slices);
   free(e->operation);
   free(e->accelerator);
   free(e->begin);
   free(e->tag);
   free(e->ends);
}

/* Returns true if the accelerators and the memory have no requests in flight. The engine's own unit
 * isn't checked, because it is always idle at the end of a run.
 */
static bool
is_empty(const struct engine *e)
{
   for (uint32_t i = 0; i < e->num_units; i++)
      if (!sgt_accelerator_idle(&e->units[i]))
         return false;
   return !e->units || sgt_dram_idle(&e->dram);
}

static void
engine_simulate(struct engine *e)
{
   const uint64_t limit = e->params->max_cycles ? (e->params->max_cycles - 1) * e->clocks[0].period
                                                : SGT_NEVER - 1;
   while (!e->done && sgt_sched_step(&e->sched, limit))
      ;
   if (!e->done && e->sched.now <= limit && sgt_sched_pending(&e->sched))
      engine_fail(e, "more than max_cycles");
   else if (!e->done)
      fail_stopped(e, "the engine is deadlocked");
   else if (!e->error && !is_empty(e))
      fail_stopped(e, "accelerators or memory have work under way at the end");
}

/* Appends a dump of the requests in flight to the error message. */
static void
dump_units(struct engine *e, char *error, size_t error_size)
{
   const struct sgt_issue *u = &e->issue;
   const uint32_t oldest = sgt_issue_oldest(u);
   struct sgt_dump d;

   sgt_dump_init(&d, error, error_size, e->sched.now);
   sgt_dump_unit(&d, e->unit.clock, "fetch", SGT_DUMP_ONLY);
   sgt_dump_state(&d, "", sgt_fetch_state_names[e->fetch_state]);
   sgt_dump_queue(&d, "slices of an item", e->splitter.num - e->next_slice, 0);
   sgt_dump_queue(&d, "items behind it", e->trace->num_items - e->next_item, 0);
   sgt_dump_unit(&d, e->unit.clock, "issue", SGT_DUMP_ONLY);
   if (oldest != SGT_NO_TAG)
      sgt_dump_state(&d, "oldest", sgt_state_names[sgt_issue_reason(u, oldest)]);
   sgt_dump_queue(&d, "candidates", u->num_waiting, u->candidates);
   if (oldest != SGT_NO_TAG)
      sgt_dump_oldest(&d, e->begin[oldest] * e->unit.clock->period);
   sgt_dump_queue(&d, "slices in accelerators", u->num_issued, e->result->accelerators);
   for (uint32_t i = 0; i < e->num_units; i++)
      sgt_accelerator_dump(&e->units[i], i, &d);
   if (e->units)
      sgt_dram_dump(&e->dram, &d);
}

bool
sgt_engine_run(const struct sgt_trace *trace, const struct sgt_engine_params *params,
               const struct sgt_engine_observer *observer, struct sgt_engine_result *result,
               char *error, size_t error_size)
{
   memset(result, 0, sizeof(*result));
   if (!sgt_engine_params_check(params, error, error_size))
      return false;
   struct engine *e = calloc(1, sizeof(*e));
   if (!e) {
      snprintf(error, error_size, "out of memory");
      return false;
   }
   e->trace = trace;
   e->params = params;
   e->observer = observer;
   e->result = result;
   if (engine_create(e))
      engine_simulate(e);
   else
      engine_fail(e, "out of memory");
   if (e->account.result && !sgt_account_finish(&e->account))
      engine_fail(e, "out of memory for the time series");

   result->cycles = e->accounted;
   result->raw = e->issue.pairs[SGT_HAZARD_RAW];
   result->waw = e->issue.pairs[SGT_HAZARD_WAW];
   result->war = e->issue.pairs[SGT_HAZARD_WAR];
   result->conflicts = e->issue.conflict_pairs;
   result->overtakes = e->issue.overtakes;
   if (e->units) {
      result->dram = e->dram.stats;
      result->dram.clocks = e->accounted * e->clocks[0].period / e->clocks[1].period;
   }
   const bool ok = !e->error;
   if (!ok)
      snprintf(error, error_size, "cycle %" PRIu64 ": %s", e->accounted, e->error);
   if (e->stopped)
      dump_units(e, error, error_size);
   engine_destroy(e);
   free(e);
   if (!ok)
      sgt_engine_result_finish(result);
   return ok;
}
