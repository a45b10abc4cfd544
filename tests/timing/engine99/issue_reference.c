/* SPDX-License-Identifier: MIT */
/*
 * The reference of the engine.
 */
#include "issue_reference.h"

#include <stdlib.h>
#include <string.h>

#include "engine99/sgt_breaking.h"
#include "engine99/sgt_perfect.h"
#include "kernel/sgt_random.h"
#include "kernel/sgt_stats.h"
#include "util/macros.h"

/* A register. If it becomes free in a cycle, it can be used in the next. */
struct reg {
   bool valid;
   bool freed; /* it became free in this cycle */
};

/* A destination station. */
struct station {
   struct reg reg;
   struct sgt_region region;
   /* The following members are not registers of the paper. The observer and the statistics need
    * them.
    */
   struct sgt_slice slice;
   const struct sgt_item *item;
   uint64_t key;
   uint64_t age;              /* number of slices that entered before */
   uint64_t entered, started; /* cycles in which the slice entered and started */
};

/* A source station. */
struct source {
   struct reg reg;
   struct sgt_region region;
   uint32_t tag;
};

/* A candidate buffer. */
struct candidate {
   struct reg reg;
   uint32_t tag;
   /* dependence vector: state by tag; SGT_STATE_BUSY means no dependence */
   enum sgt_state *depends;
   uint32_t chain; /* length of the longest chain of candidates that depends on it */
};

struct accelerator {
   bool busy;
   uint32_t tag;
   uint64_t left; /* number of cycles that are left */
};

struct reference {
   const struct sgt_trace *trace;
   const struct sgt_engine_params *p;
   const struct sgt_engine_observer *o;
   struct sgt_engine_result *r;
   struct sgt_random random;
   struct station *stations;
   struct source *sources;
   struct candidate *candidates;
   struct accelerator *accelerators;
   struct sgt_splitter splitter;
   uint32_t next_item, next_slice;
   uint32_t alone; /* tag plus 1 of a slice that must be alone, or 0 */
   uint64_t cycle, entered;
   bool no_memory;
};

/* Evaluates S_P n D_D + D_P n D_D + D_P n S_D, and returns the first term that holds, or BUSY if
 * none does. Returns CONFLICT if only the second term holds and the order does not matter.
 */
static enum sgt_state
depend(const struct reference *f, const struct station *p, const struct station *d)
{
   const struct sgt_region *sources = f->trace->sources;
   bool raw = false, waw, war = false;
   for (uint32_t i = 0; i < p->item->num_sources; i++)
      raw |= sgt_regions_meet(f->trace, &sources[p->item->first_source + i], &d->region);
   waw = sgt_regions_meet(f->trace, &p->region, &d->region);
   for (uint32_t i = 0; i < d->item->num_sources; i++)
      war |= sgt_regions_meet(f->trace, &p->region, &sources[d->item->first_source + i]);
   if (waw && !raw && !war && p->key && p->key == d->key)
      return SGT_STATE_CONFLICT;
   return raw ? SGT_STATE_RAW : waw ? SGT_STATE_WAW : war ? SGT_STATE_WAR : SGT_STATE_BUSY;
}

/* Returns why a candidate cannot issue: the first kind in its dependence vector, or CONFLICT.
 * Returns ISSUE_RATE if it can. *blocker becomes the oldest tag that it waits for.
 */
static enum sgt_state
reason(const struct reference *f, const struct candidate *c, uint32_t *blocker)
{
   enum sgt_state state = SGT_STATES;
   uint32_t oldest = UINT32_MAX;
   for (uint32_t tag = 0; tag < f->r->destinations; tag++) {
      if (c->depends[tag] == SGT_STATE_BUSY)
         continue;
      state = MIN2(state, c->depends[tag]);
      if (oldest == UINT32_MAX || f->stations[tag].age < f->stations[oldest].age)
         oldest = tag;
   }
   if (state != SGT_STATES) {
      *blocker = oldest;
      return state;
   }
   /* Compare the slice with the issued slices, as the conflict vector does. */
   for (uint32_t a = 0; a < f->r->accelerators; a++) {
      const uint32_t tag = f->accelerators[a].tag;
      if (!f->accelerators[a].busy ||
          depend(f, &f->stations[c->tag], &f->stations[tag]) != SGT_STATE_CONFLICT)
         continue;
      if (oldest == UINT32_MAX || f->stations[tag].age < f->stations[oldest].age)
         oldest = tag;
   }
   *blocker = oldest;
   return oldest == UINT32_MAX ? SGT_STATE_ISSUE_RATE : SGT_STATE_CONFLICT;
}

static bool
can_issue(const struct reference *f, const struct candidate *c)
{
   uint32_t blocker;
   return reason(f, c, &blocker) == SGT_STATE_ISSUE_RATE;
}

static uint64_t
age(const struct reference *f, const struct candidate *c)
{
   return f->stations[c->tag].age;
}

/* Returns the oldest candidate that is younger than `after`, or of all if `after` is UINT64_MAX.
 * Returns NULL if there is none.
 */
static struct candidate *
next_by_age(const struct reference *f, uint64_t after)
{
   struct candidate *best = NULL;
   for (uint32_t i = 0; i < f->r->candidates; i++) {
      struct candidate *c = &f->candidates[i];
      if (c->reg.valid && (after == UINT64_MAX || age(f, c) > after) &&
          (!best || age(f, c) < age(f, best)))
         best = c;
   }
   return best;
}

/* Finds the longest chain of dependent candidates for each candidate. */
static void
find_chains(const struct reference *f)
{
   for (uint32_t i = 0; i < f->r->candidates; i++)
      f->candidates[i].chain = 0;
   bool changed = true;
   while (changed) {
      changed = false;
      for (uint32_t i = 0; i < f->r->candidates; i++) {
         for (uint32_t j = 0; j < f->r->candidates; j++) {
            struct candidate *c = &f->candidates[i], *behind = &f->candidates[j];
            if (!c->reg.valid || !behind->reg.valid || behind->depends[c->tag] == SGT_STATE_BUSY ||
                behind->chain + 1 <= c->chain)
               continue;
            c->chain = behind->chain + 1;
            changed = true;
         }
      }
   }
}

static struct candidate *
select_candidate(struct reference *f)
{
   if (f->p->order == SGT_ISSUE_ORDER_IN_ORDER) {
      struct candidate *oldest = next_by_age(f, UINT64_MAX);
      return oldest && can_issue(f, oldest) ? oldest : NULL;
   }
   struct candidate *best = NULL;
   uint32_t num = 0;
   if (f->p->select == SGT_SELECT_CRITICAL)
      find_chains(f);
   for (uint32_t i = 0; i < f->r->candidates; i++) {
      struct candidate *c = &f->candidates[i];
      if (!c->reg.valid || !can_issue(f, c))
         continue;
      num++;
      const bool longer = f->p->select == SGT_SELECT_CRITICAL && best && c->chain != best->chain;
      if (!best || (longer ? c->chain > best->chain : age(f, c) < age(f, best)))
         best = c;
   }
   if (f->p->select != SGT_SELECT_RANDOM || num < 2)
      return best;
   uint32_t n = sgt_random_below(&f->random, num);
   for (uint32_t tag = 0; tag < f->r->destinations; tag++) {
      for (uint32_t i = 0; i < f->r->candidates; i++) {
         struct candidate *c = &f->candidates[i];
         if (c->reg.valid && c->tag == tag && can_issue(f, c) && n-- == 0)
            return c;
      }
   }
   return NULL;
}

static uint32_t
count_free_accelerators(const struct reference *f)
{
   uint32_t num = 0;
   for (uint32_t a = 0; a < f->r->accelerators; a++)
      num += !f->accelerators[a].busy;
   return num;
}

static bool
issue(struct reference *f)
{
   bool issued = false;
   for (uint32_t i = 0; i < f->p->issue_rate && count_free_accelerators(f); i++) {
      struct candidate *c = select_candidate(f);
      if (!c)
         break;
      uint32_t a = 0;
      while (f->accelerators[a].busy)
         a++;
      struct station *s = &f->stations[c->tag];
      struct sgt_engine_operation *op = &f->r->operations[s->item->operation];
      s->started = f->cycle;
      f->r->overtakes += c != next_by_age(f, UINT64_MAX);
      f->r->wait += f->cycle - s->entered;
      f->r->slice_wait[sgt_log2_slot(f->cycle - s->entered)]++;
      if (!op->slices++)
         op->first = f->cycle;
      c->reg = (struct reg){ false, true };
      f->accelerators[a] = (struct accelerator){ true, c->tag,
                                                 sgt_perfect_cycles(f->p, s->item, &s->slice) };
      if (f->o && f->o->start)
         f->o->start(f->o->data, f->cycle, c->tag, a, &s->slice);
      issued = true;
   }
   return issued;
}

static void
retire(struct reference *f, uint32_t a)
{
   const uint32_t tag = f->accelerators[a].tag;
   struct station *s = &f->stations[tag];
   const uint64_t cycles = f->cycle + 1 - s->started;
   struct sgt_engine_operation *op = &f->r->operations[s->item->operation];
   op->busy += cycles;
   op->last = f->cycle;
   f->r->slice_cycles[sgt_log2_slot(cycles)]++;
   f->r->work_longest = MAX2(f->r->work_longest, cycles);
   f->accelerators[a].busy = false;
   s->reg = (struct reg){ false, true };
   for (uint32_t i = 0; i < f->r->sources; i++)
      if (f->sources[i].reg.valid && f->sources[i].tag == tag)
         f->sources[i].reg = (struct reg){ false, true };
   for (uint32_t i = 0; i < f->r->candidates; i++)
      f->candidates[i].depends[tag] = SGT_STATE_BUSY;
   if (f->o && f->o->end)
      f->o->end(f->o->data, f->cycle, tag, a, &s->slice);
}

/* Fetches the next slice. Returns false if the trace is at its end. */
static bool
fetch(struct reference *f)
{
   while (f->next_slice == f->splitter.num && f->next_item < f->trace->num_items) {
      const uint32_t item = f->next_item++;
      f->next_slice = f->splitter.num = 0;
      if (!f->trace->items[item].pixels && f->p->drop_empty) {
         f->r->dropped_items++;
         continue;
      }
      if (!sgt_splitter_item(&f->splitter, item)) {
         f->no_memory = true;
         return false;
      }
      f->r->items++;
      f->r->split_items += f->splitter.num > 1;
   }
   return f->next_slice < f->splitter.num;
}

static enum sgt_fetch_state
fetch_state(struct reference *f)
{
   if (!fetch(f))
      return SGT_FETCH_EMPTY;
   const struct sgt_slice *slice = &f->splitter.slices[f->next_slice];
   const uint32_t need = f->trace->items[slice->item].num_sources;
   uint32_t stations = 0, sources = 0, candidates = 0;
   for (uint32_t i = 0; i < f->r->destinations; i++)
      stations += !f->stations[i].reg.valid && !f->stations[i].reg.freed;
   for (uint32_t i = 0; i < f->r->sources; i++)
      sources += !f->sources[i].reg.valid && !f->sources[i].reg.freed;
   for (uint32_t i = 0; i < f->r->candidates; i++)
      candidates += !f->candidates[i].reg.valid && !f->candidates[i].reg.freed;
   if (f->alone || (need > f->r->sources && stations < f->r->destinations))
      return SGT_FETCH_ALONE;
   if (need > f->r->sources)
      return SGT_FETCH_ENTERED;
   return !candidates       ? SGT_FETCH_NO_CANDIDATE
          : !stations       ? SGT_FETCH_NO_DESTINATION
          : need <= sources ? SGT_FETCH_ENTERED
                            : SGT_FETCH_NO_SOURCE;
}

static void
enter(struct reference *f)
{
   uint32_t tag = 0, buffer = 0;
   while (f->stations[tag].reg.valid || f->stations[tag].reg.freed)
      tag++;
   while (f->candidates[buffer].reg.valid || f->candidates[buffer].reg.freed)
      buffer++;
   const struct sgt_slice *slice = &f->splitter.slices[f->next_slice++];
   const struct sgt_item *item = &f->trace->items[slice->item];
   struct station *s = &f->stations[tag];
   *s = (struct station){
      .region = item->destination,
      .slice = *slice,
      .item = item,
      .key = sgt_break_key(f->trace, item, f->p->breaking),
      .age = f->entered++,
      .entered = f->cycle,
   };
   s->region.rect = slice->rect;

   struct candidate *c = &f->candidates[buffer];
   c->reg = (struct reg){ true, false };
   c->tag = tag;
   for (uint32_t other = 0; other < f->r->destinations; other++) {
      c->depends[other] = SGT_STATE_BUSY;
      if (!f->stations[other].reg.valid)
         continue;
      const enum sgt_state state = depend(f, s, &f->stations[other]);
      f->r->raw += state == SGT_STATE_RAW;
      f->r->waw += state == SGT_STATE_WAW;
      f->r->war += state == SGT_STATE_WAR;
      f->r->conflicts += state == SGT_STATE_CONFLICT;
      if (state != SGT_STATE_CONFLICT)
         c->depends[other] = state;
   }
   s->reg.valid = true;
   if (item->num_sources > f->r->sources) {
      f->alone = tag + 1;
   } else {
      for (uint32_t i = 0, at = 0; i < item->num_sources; at++) {
         struct source *source = &f->sources[at];
         if (source->reg.valid || source->reg.freed)
            continue;
         source->reg.valid = true;
         source->region = f->trace->sources[item->first_source + i++];
         source->tag = tag;
      }
   }
   f->r->slices++;
   f->r->pixels += slice->pixels;
   f->r->spans += slice->spans;
   if (f->o && f->o->enter)
      f->o->enter(f->o->data, f->cycle, tag, slice);
}

/* Charges a cycle of an idle accelerator to a candidate. */
static void
charge(struct reference *f, const struct candidate *c)
{
   struct sgt_engine_operation *operations = f->r->operations;
   uint32_t blocker;
   const enum sgt_state state = reason(f, c, &blocker);
   f->r->states[state]++;
   operations[f->stations[c->tag].item->operation].stalls[state]++;
   if (state != SGT_STATE_ISSUE_RATE)
      operations[f->stations[blocker].item->operation].blocks++;
}

static void
account(struct reference *f, bool issued, enum sgt_fetch_state fetched)
{
   struct sgt_engine_result *r = f->r;
   uint32_t idle = count_free_accelerators(f), waiting = 0, ready = 0, conflicts = 0;
   const struct candidate *oldest = next_by_age(f, UINT64_MAX);
   uint32_t blocker;
   enum sgt_state head = oldest ? reason(f, oldest, &blocker) : SGT_STATES;
   for (uint32_t i = 0; i < r->candidates; i++) {
      const struct candidate *c = &f->candidates[i];
      if (!c->reg.valid)
         continue;
      const enum sgt_state state = reason(f, c, &blocker);
      waiting++;
      ready += state == SGT_STATE_ISSUE_RATE;
      conflicts += state == SGT_STATE_CONFLICT;
   }
   if (f->p->order == SGT_ISSUE_ORDER_IN_ORDER) {
      ready = head == SGT_STATE_ISSUE_RATE;
      conflicts = head == SGT_STATE_CONFLICT;
   }
   r->busy_cycles[r->accelerators - idle]++;
   r->work += r->accelerators - idle;
   r->states[SGT_STATE_BUSY] += r->accelerators - idle;
   r->candidate_cycles[waiting]++;
   r->max_candidates = MAX2(r->max_candidates, waiting);
   r->fetch[fetched]++;
   r->issue[issued      ? SGT_ISSUE_ISSUED
            : !waiting  ? SGT_ISSUE_EMPTY
            : ready     ? SGT_ISSUE_NO_ACCELERATOR
            : conflicts ? SGT_ISSUE_CONFLICT
                        : SGT_ISSUE_DEPENDENCE]++;
   uint32_t stations = 0;
   for (uint32_t i = 0; i < r->destinations; i++)
      stations += f->stations[i].reg.valid;
   r->max_stations = MAX2(r->max_stations, stations);

   for (; f->p->order == SGT_ISSUE_ORDER_IN_ORDER && oldest && idle; idle--)
      charge(f, oldest);
   for (unsigned pass = 0; pass < 2; pass++) {
      const struct candidate *c = oldest;
      for (; c && idle; c = next_by_age(f, age(f, c))) {
         if (can_issue(f, c) != !pass)
            continue;
         charge(f, c);
         idle--;
      }
   }
   r->states[fetched == SGT_FETCH_ENTERED ? SGT_STATE_STARVED
             : fetched == SGT_FETCH_EMPTY ? SGT_STATE_DRAIN
                                          : SGT_STATE_WINDOW_FULL] += idle;
}

/* Runs a cycle. Returns false if it is the last one. */
static bool
run_cycle(struct reference *f)
{
   enum sgt_fetch_state state = fetch_state(f);
   account(f, issue(f), state);
   for (uint32_t a = 0; a < f->r->accelerators; a++)
      if (f->accelerators[a].busy && --f->accelerators[a].left == 0)
         retire(f, a);
   for (uint32_t i = 0; i < f->p->entry_rate && state == SGT_FETCH_ENTERED; i++) {
      enter(f);
      state = fetch_state(f);
   }
   bool left = fetch(f);
   for (uint32_t i = 0; i < f->r->destinations; i++) {
      f->stations[i].reg.freed = false;
      left |= f->stations[i].reg.valid;
   }
   if (f->alone && !f->stations[f->alone - 1].reg.valid)
      f->alone = 0;
   for (uint32_t i = 0; i < f->r->sources; i++)
      f->sources[i].reg.freed = false;
   for (uint32_t i = 0; i < f->r->candidates; i++)
      f->candidates[i].reg.freed = false;
   f->cycle++;
   return left && !f->no_memory;
}

bool
issue_reference_run(const struct sgt_trace *trace, const struct sgt_engine_params *p,
                    const struct sgt_engine_observer *observer, struct sgt_engine_result *r)
{
   *r = (struct sgt_engine_result){
      .accelerators = p->accelerators,
      .candidates = sgt_engine_candidates(p),
      .destinations = p->destinations ? p->destinations
                                      : p->accelerators + sgt_engine_candidates(p),
      .num_operations = trace->num_operations,
   };
   r->sources = p->sources ? p->sources : 2 * r->destinations;
   struct reference f = {
      .trace = trace,
      .p = p,
      .o = observer,
      .r = r,
      .random = { p->seed },
      .stations = calloc(r->destinations, sizeof(*f.stations)),
      .sources = calloc(r->sources, sizeof(*f.sources)),
      .candidates = calloc(r->candidates, sizeof(*f.candidates)),
      .accelerators = calloc(r->accelerators, sizeof(*f.accelerators)),
   };
   enum sgt_state *vectors = calloc((size_t)r->candidates * r->destinations, sizeof(*vectors));
   r->busy_cycles = calloc(r->accelerators + 1, sizeof(uint64_t));
   r->candidate_cycles = calloc(r->candidates + 1, sizeof(uint64_t));
   r->operations = calloc(MAX2(r->num_operations, 1), sizeof(*r->operations));
   bool ok = f.stations && f.sources && f.candidates && f.accelerators && vectors &&
             r->busy_cycles && r->candidate_cycles && r->operations;
   if (ok) {
      for (uint32_t i = 0; i < r->candidates; i++)
         f.candidates[i].depends = vectors + (size_t)i * r->destinations;
      const struct sgt_split_params split = sgt_engine_split_params(p);
      sgt_splitter_init(&f.splitter, trace, &split);
      while (run_cycle(&f))
         ;
      r->cycles = f.cycle;
      ok = !f.no_memory;
      sgt_splitter_finish(&f.splitter);
   }
   free(f.stations);
   free(f.sources);
   free(f.candidates);
   free(f.accelerators);
   free(vectors);
   if (!ok)
      sgt_engine_result_finish(r);
   return ok;
}
