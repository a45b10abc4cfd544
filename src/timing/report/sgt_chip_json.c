/* SPDX-License-Identifier: MIT */
/*
 * Writes the results of a chip simulation as JSON. The schema is in docs/chip.md.
 */
#include <string.h>

#include "report/sgt_chip_report.h"

static void
put_stat(struct sgt_json *j, const struct sgt_stat *s)
{
   uint32_t num = s->num;

   switch (s->kind) {
   case SGT_STAT_COUNT:
      sgt_json_u64(j, s->name, s->values[0]);
      break;
   case SGT_STAT_PARTS:
      sgt_json_object(j, s->name, true);
      for (uint32_t i = 0; i < num; i++)
         sgt_json_u64(j, s->names[i], s->values[i]);
      sgt_json_end(j);
      break;
   default:
      while (num && !s->values[num - 1])
         num--;
      sgt_json_array(j, s->name, true);
      for (uint32_t i = 0; i < num; i++)
         sgt_json_u64(j, NULL, s->values[i]);
      sgt_json_end(j);
   }
}

/* Writes a JSON object for each unit. All statistics of a unit must be adjacent in `stats`. */
static void
put_stats(struct sgt_json *j, const struct sgt_stats *stats)
{
   const char *unit = NULL;

   sgt_json_object(j, "units", false);
   for (uint32_t i = 0; i < stats->num; i++) {
      const struct sgt_stat *s = &stats->stats[i];
      if (!unit || strcmp(unit, s->unit)) {
         if (unit)
            sgt_json_end(j);
         sgt_json_object(j, s->unit, false);
         unit = s->unit;
      }
      put_stat(j, s);
   }
   if (unit)
      sgt_json_end(j);
   sgt_json_end(j);
}

static void
put_classes(struct sgt_json *j, const struct sgt_chip_result *r)
{
   sgt_json_object(j, "classes", false);
   for (uint32_t i = 0; i < r->num_classes; i++) {
      const struct sgt_chip_class *c = &r->classes[i];
      sgt_json_object(j, c->name, true);
      sgt_json_string(j, "text", c->text);
      sgt_json_u64(j, "units", c->units);
      sgt_json_u64(j, "mhz", c->mhz);
      sgt_json_array(j, "states", true);
      for (uint32_t k = 0; k < c->num; k++)
         sgt_json_string(j, NULL, c->states[k]);
      sgt_json_end(j);
      sgt_json_array(j, "work", true);
      for (uint32_t k = 0; k < c->num; k++) {
         if (c->work >> k & 1)
            sgt_json_string(j, NULL, c->states[k]);
      }
      sgt_json_end(j);
      sgt_json_string(j, "idle", c->states[c->idle]);
      sgt_json_end(j);
   }
   sgt_json_end(j);
}

/* Writes those states and counters of a row that are not 0. */
static void
put_row(struct sgt_json *j, const struct sgt_chip_result *r, const uint64_t *row)
{
   sgt_json_object(j, "stack", true);
   for (uint32_t i = 0; i < r->num_classes; i++) {
      const struct sgt_chip_class *c = &r->classes[i];
      if (!sgt_chip_use(c, row).all)
         continue;
      sgt_json_object(j, c->name, true);
      for (uint32_t k = 0; k < c->num; k++) {
         if (row[c->first + k])
            sgt_json_u64(j, c->states[k], row[c->first + k]);
      }
      sgt_json_end(j);
   }
   sgt_json_end(j);
   sgt_json_object(j, "counters", true);
   for (uint32_t i = 0; i < r->num_counters; i++) {
      if (row[r->num_states + i])
         sgt_json_u64(j, r->counters[i].name, row[r->num_states + i]);
   }
   sgt_json_end(j);
}

void
sgt_chip_json_classes(struct sgt_json *j, const struct sgt_chip_result *r, const uint64_t *total)
{
   put_classes(j, r);
   put_row(j, r, total);
}

static void
put_draws(struct sgt_json *j, const struct sgt_chip_report *report)
{
   const struct sgt_chip_result *r = report->result;

   sgt_json_array(j, "stacks", false);
   for (uint32_t i = 0; i < r->num_operations; i++) {
      const struct sgt_operation *op = &report->trace->operations[i];
      sgt_json_object(j, NULL, true);
      sgt_json_string(j, "kind", sgt_chip_operation_kind(report->trace, report->work, i));
      sgt_json_u64(j, "submission", op->submission);
      sgt_json_u64(j, "packet", op->packet);
      if (op->draw != UINT32_MAX)
         sgt_json_u64(j, "draw", op->draw);
      sgt_json_u64(j, "items", op->num_items);
      sgt_json_u64(j, "warps", report->work->operations[i].num_warps);
      sgt_json_u64(j, "begin", r->operations[i].begin);
      sgt_json_u64(j, "end", r->operations[i].end);
      sgt_json_u64(j, "cycles", r->operations[i].cycles);
      put_row(j, r, sgt_chip_result_stack(r, i));
      sgt_json_end(j);
   }
   sgt_json_end(j);
   sgt_json_object(j, "rest", true);
   sgt_json_u64(j, "cycles", r->rest);
   put_row(j, r, sgt_chip_result_stack(r, r->num_operations));
   sgt_json_end(j);
}

/* Writes the time series of a value, unless all of its elements are 0. */
static void
put_series(struct sgt_json *j, const struct sgt_chip_result *r, const char *name, uint32_t value)
{
   uint64_t sum = 0;

   for (uint64_t i = 0; i < r->intervals; i++)
      sum += r->series[i * r->num_values + value];
   if (!sum)
      return;
   sgt_json_array(j, name, true);
   for (uint64_t i = 0; i < r->intervals; i++)
      sgt_json_u64(j, NULL, r->series[i * r->num_values + value]);
   sgt_json_end(j);
}

static void
put_over_time(struct sgt_json *j, const struct sgt_chip_result *r)
{
   sgt_json_object(j, "over_time", false);
   sgt_json_u64(j, "interval", r->interval);
   sgt_json_object(j, "classes", false);
   for (uint32_t i = 0; i < r->num_classes; i++) {
      const struct sgt_chip_class *c = &r->classes[i];
      sgt_json_object(j, c->name, false);
      for (uint32_t k = 0; k < c->num; k++)
         put_series(j, r, c->states[k], c->first + k);
      sgt_json_end(j);
   }
   sgt_json_end(j);
   sgt_json_object(j, "counters", false);
   for (uint32_t i = 0; i < r->num_counters; i++)
      put_series(j, r, r->counters[i].name, r->num_states + i);
   sgt_json_end(j);
   sgt_json_end(j);
}

void
sgt_chip_json(struct sgt_json *j, const struct sgt_chip_report *report, bool draws, bool over_time)
{
   const struct sgt_chip_result *r = report->result;

   sgt_json_facts(j, report->facts);
   sgt_json_u64(j, "warps", report->work->num_warps);
   sgt_json_u64(j, "cycles", r->cycles);
   sgt_json_u64(j, "sm_cycles", r->sm_cycles);
   sgt_json_u64(j, "ns", r->ns);
   put_classes(j, r);
   sgt_json_object(j, "total", true);
   put_row(j, r, report->total);
   sgt_json_end(j);
   if (draws)
      put_draws(j, report);
   if (over_time && r->intervals)
      put_over_time(j, r);
   put_stats(j, report->stats);
}
