/* SPDX-License-Identifier: MIT */
/*
 * Fills in the result of a run, and implements the functions that operate on the result.
 */
#include "chip/sgt_recorder.h"

#include <stdlib.h>
#include <string.h>

#include "kernel/sgt_clock.h"
#include "util/macros.h"

/* Adds a source for each unit that matches a class or counter. `first` is the index in a row where
 * the values of the class or counter start. Stores the last matching statistic in *found. Returns
 * the number of added sources.
 */
static uint32_t
add_sources(struct sgt_recorder *r, const struct sgt_stats *stats, const char *unit,
            const char *name, uint32_t first, const struct sgt_stat **found)
{
   uint32_t num = 0;
   for (uint32_t i = 0; i < stats->num; i++) {
      const struct sgt_stat *s = &stats->stats[i];
      if (strcmp(s->name, name) || !sgt_stats_is_unit(unit, s->unit))
         continue;
      r->sources[r->num_sources++] = (struct sgt_recorder_source){ s->values, first, s->num };
      *found = s;
      num++;
   }
   return num;
}

static bool
make_rows(struct sgt_recorder *r, uint32_t num_operations)
{
   struct sgt_chip_result *result = r->result;
   const uint32_t num = MAX2(result->num_values, 1);
   r->now = calloc(num, sizeof(*r->now));
   r->share = calloc(num, sizeof(*r->share));
   r->begin = calloc(num, sizeof(*r->begin));
   if (r->observe.stacks)
      result->stacks = calloc((size_t)(num_operations + 1) * num, sizeof(*result->stacks));
   return r->now && r->share && r->begin && (result->stacks || !r->observe.stacks);
}

static bool
make_classes(struct sgt_recorder *r, const struct sgt_stats *stats,
             const struct sgt_recorder_class *classes, uint32_t num_classes,
             const struct sgt_recorder_counter *counters, uint32_t num_counters,
             const uint32_t *mhz, const uint64_t *periods)
{
   struct sgt_chip_result *result = r->result;
   uint32_t num_values = 0;
   for (uint32_t i = 0; i < stats->num; i++)
      num_values += stats->stats[i].num;
   r->sources = calloc(MAX2(stats->num, 1), sizeof(*r->sources));
   r->divisors = calloc(MAX2(num_values, 1), sizeof(*r->divisors));
   result->classes = calloc(num_classes, sizeof(*result->classes));
   result->counters = calloc(num_counters, sizeof(*result->counters));
   if (!r->sources || !r->divisors || !result->classes || !result->counters)
      return false;
   for (uint32_t i = 0; i < num_classes; i++) {
      const struct sgt_recorder_class *c = &classes[i];
      const struct sgt_stat *s;
      const uint32_t units = add_sources(r, stats, c->unit, c->stat, result->num_states, &s);
      if (!units)
         continue;
      result->classes[result->num_classes++] = (struct sgt_chip_class){
         .name = c->name,
         .text = c->text,
         .units = units,
         .mhz = mhz[c->domain],
         .first = result->num_states,
         .num = s->num,
         .states = s->names,
         .work = c->work,
         .idle = c->idle == SGT_RECORDER_LAST ? s->num - 1 : c->idle,
      };
      for (uint32_t j = 0; j < s->num; j++)
         r->divisors[result->num_states++] = c->ticks ? periods[c->domain] : 1;
   }
   result->num_values = result->num_states;
   for (uint32_t i = 0; i < num_counters; i++) {
      const struct sgt_recorder_counter *c = &counters[i];
      const struct sgt_stat *s;
      if (!add_sources(r, stats, c->unit, c->stat, result->num_values, &s))
         continue;
      result->counters[result->num_counters++] = (struct sgt_chip_counter){ c->name, s->of };
      r->divisors[result->num_values++] = 1;
   }
   return true;
}

bool
sgt_recorder_init(struct sgt_recorder *r, struct sgt_chip_result *result,
                  const struct sgt_chip_observe *observe, uint32_t num_operations,
                  const struct sgt_stats *stats, const struct sgt_recorder_class *classes,
                  uint32_t num_classes, const struct sgt_recorder_counter *counters,
                  uint32_t num_counters, const uint32_t *mhz, const uint64_t *periods)
{
   *result = (struct sgt_chip_result){
      .num_operations = num_operations,
      .operations = calloc(MAX2(num_operations, 1), sizeof(*result->operations)),
      .interval = observe->interval,
   };
   *r = (struct sgt_recorder){
      .result = result,
      .observe = *observe,
      .period = periods[0],
      .mark = SGT_NEVER,
      .interval_end = observe->interval ? observe->interval * periods[0] : SGT_NEVER,
   };
   const bool rows = observe->stacks || observe->interval;
   if (result->operations && (!rows || (make_classes(r, stats, classes, num_classes, counters,
                                                     num_counters, mhz, periods) &&
                                        make_rows(r, num_operations))))
      return true;
   sgt_recorder_finish(r);
   sgt_chip_result_finish(result);
   return false;
}

void
sgt_recorder_finish(struct sgt_recorder *r)
{
   free(r->sources);
   free(r->divisors);
   free(r->now);
   free(r->share);
   free(r->begin);
   r->sources = NULL;
   r->divisors = NULL;
   r->now = r->share = r->begin = NULL;
}

void
sgt_recorder_replace(struct sgt_recorder *r, const uint64_t *values, const uint64_t *replacement)
{
   for (uint32_t i = 0; i < r->num_sources; i++)
      if (r->sources[i].values == values)
         r->sources[i].values = replacement;
}

void
sgt_recorder_begins(struct sgt_recorder *r, uint32_t operation, uint64_t now)
{
   r->result->operations[operation].begin = now / r->period;
}

void
sgt_recorder_ends(struct sgt_recorder *r, uint32_t operation, uint64_t now)
{
   struct sgt_chip_result *result = r->result;
   result->operations[operation].end = now / r->period + 1;
   if (operation == r->next) {
      /* If several operations end in the same cycle, attribute the whole share to the first one. */
      r->owner = r->mark == SGT_NEVER ? operation : r->owner;
      r->mark = now + r->period;
      while (r->next < result->num_operations && result->operations[r->next].end)
         r->next++;
   }
   if (r->observe.ended)
      r->observe.ended(r->observe.data, operation);
}

uint64_t
sgt_recorder_due(const struct sgt_recorder *r)
{
   return MIN2(r->mark, r->interval_end);
}

static void
sum_up(struct sgt_recorder *r)
{
   memset(r->now, 0, r->result->num_values * sizeof(*r->now));
   for (uint32_t i = 0; i < r->num_sources; i++) {
      const struct sgt_recorder_source *s = &r->sources[i];
      for (uint32_t j = 0; j < s->num; j++)
         r->now[s->first + j] += s->values[j];
   }
   for (uint32_t i = 0; i < r->result->num_states; i++)
      if (r->divisors[i] != 1)
         r->now[i] /= r->divisors[i];
}

/* Adds the increase of each value since row `from` to `row`. Then updates `from` to the current
 * values.
 */
static void
add_row(struct sgt_recorder *r, uint64_t *row, uint64_t *from)
{
   for (uint32_t i = 0; i < r->result->num_values; i++) {
      row[i] += r->now[i] - from[i];
      from[i] = r->now[i];
   }
}

static void
merge_intervals(struct sgt_recorder *r)
{
   struct sgt_chip_result *result = r->result;
   const uint64_t num = result->num_values;
   for (uint64_t i = 0; i < result->intervals; i += 2)
      for (uint64_t j = 0; j < num; j++)
         result->series[i / 2 * num + j] = result->series[i * num + j] +
                                           result->series[(i + 1) * num + j];
   result->intervals /= 2;
   result->interval *= 2;
}

static void
add_interval(struct sgt_recorder *r)
{
   struct sgt_chip_result *result = r->result;
   if (result->intervals == r->room) {
      const uint64_t room = MAX2(r->room * 2, 64);
      uint64_t *series = realloc(result->series, room * result->num_values * sizeof(*series));
      if (!series) {
         r->out_of_memory = true;
         r->interval_end = SGT_NEVER;
         return;
      }
      result->series = series;
      r->room = room;
   }
   uint64_t *row = &result->series[result->intervals++ * result->num_values];
   memset(row, 0, result->num_values * sizeof(*row));
   add_row(r, row, r->begin);
   if (result->intervals == r->observe.max_intervals)
      merge_intervals(r);
}

void
sgt_recorder_take(struct sgt_recorder *r, uint64_t time)
{
   struct sgt_chip_result *result = r->result;
   if (r->now)
      sum_up(r);
   if (time == r->mark) {
      result->operations[r->owner].cycles = time / r->period - r->end;
      r->end = time / r->period;
      if (result->stacks)
         add_row(r, result->stacks + (uint64_t)r->owner * result->num_values, r->share);
      r->mark = SGT_NEVER;
   }
   if (time == r->interval_end) {
      add_interval(r);
      if (r->interval_end != SGT_NEVER)
         r->interval_end = (result->intervals + 1) * result->interval * r->period;
   }
}

bool
sgt_recorder_end(struct sgt_recorder *r, uint64_t time)
{
   struct sgt_chip_result *result = r->result;
   if (time == sgt_recorder_due(r))
      sgt_recorder_take(r, time);
   if (r->now)
      sum_up(r);
   result->cycles = time / r->period;
   result->rest = result->cycles - r->end;
   if (result->stacks)
      add_row(r, result->stacks + (uint64_t)result->num_operations * result->num_values, r->share);
   if (r->interval_end != SGT_NEVER && result->intervals * result->interval * r->period < time)
      add_interval(r);
   return !r->out_of_memory;
}

void
sgt_chip_result_total(const struct sgt_chip_result *r, uint64_t *row)
{
   memset(row, 0, r->num_values * sizeof(*row));
   for (uint32_t op = 0; op <= r->num_operations; op++)
      for (uint32_t i = 0; i < r->num_values; i++)
         row[i] += sgt_chip_result_stack(r, op)[i];
}

const struct sgt_chip_class *
sgt_chip_result_class(const struct sgt_chip_result *r, const char *name)
{
   for (uint32_t i = 0; i < r->num_classes; i++)
      if (!strcmp(r->classes[i].name, name))
         return &r->classes[i];
   return NULL;
}

void
sgt_chip_result_finish(struct sgt_chip_result *r)
{
   free(r->operations);
   free(r->classes);
   free(r->counters);
   free(r->stacks);
   free(r->series);
   *r = (struct sgt_chip_result){ 0 };
}
