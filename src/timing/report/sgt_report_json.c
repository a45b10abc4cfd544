/* SPDX-License-Identifier: MIT */
/*
 * Writes the results of the 1999 engine as JSON. The schema is in docs/timing.md.
 */
#include <inttypes.h>
#include <string.h>

#include "report/sgt_report.h"

void
sgt_json_parameters(struct sgt_json *j, const struct sgt_config *config)
{
   char text[64];

   sgt_json_object(j, "parameters", false);
   for (const struct sgt_section_info *s = sgt_sections; s->name; s++) {
      sgt_json_object(j, s->name, true);
      for (unsigned key = 0; key < SGT_NUM_KEYS; key++) {
         const struct sgt_key_info *k = &sgt_keys[key];
         const uint64_t value = sgt_config_get(config, key);
         if (strcmp(k->section, s->name))
            continue;
         if (k->kind == SGT_VALUE_INT) {
            sgt_json_u64(j, k->name, value);
         } else if (k->kind == SGT_VALUE_BOOL) {
            sgt_json_bool(j, k->name, value);
         } else {
            sgt_config_print_value(key, value, text, sizeof text);
            sgt_json_string(j, k->name, text);
         }
      }
      sgt_json_end(j);
   }
   sgt_json_end(j);

   sgt_json_array(j, "assumed", true);
   for (unsigned key = 0; key < SGT_NUM_KEYS; key++) {
      if (sgt_config_assumed(config, key)) {
         snprintf(text, sizeof text, "%s.%s", sgt_keys[key].section, sgt_keys[key].name);
         sgt_json_string(j, NULL, text);
      }
   }
   sgt_json_end(j);
}

void
sgt_json_facts(struct sgt_json *j, const struct sgt_frame_facts *f)
{
   char hash[17];

   sgt_json_u64(j, "frame", f->frame);
   snprintf(hash, sizeof hash, "%016" PRIx64, f->hash);
   sgt_json_string(j, "trace", hash);
   sgt_json_u64(j, "width", f->width);
   sgt_json_u64(j, "height", f->height);
   sgt_json_u64(j, "operations", f->operations);
   sgt_json_u64(j, "draws", f->draws);
   for (unsigned i = 0; i < SGT_ITEM_KINDS; i++)
      sgt_json_u64(j, sgt_item_kind_names[i], f->items[i]);
   sgt_json_u64(j, "pixels", f->pixels);
   sgt_json_u64(j, "transfer_pixels", f->transfer_pixels);
   sgt_json_quotient(j, "depth_complexity", f->pixels, (uint64_t)f->width * f->height);
}

static void
put_states(struct sgt_json *j, const char *key, const char *const *names, const uint64_t *values,
           unsigned num)
{
   sgt_json_object(j, key, true);
   for (unsigned i = 0; i < num; i++)
      sgt_json_u64(j, names[i], values[i]);
   sgt_json_end(j);
}

/* Writes an array without trailing zeros. */
static void
put_histogram(struct sgt_json *j, const char *key, const uint64_t *values, uint64_t num)
{
   while (num && !values[num - 1])
      num--;
   sgt_json_array(j, key, true);
   for (uint64_t i = 0; i < num; i++)
      sgt_json_u64(j, NULL, values[i]);
   sgt_json_end(j);
}

static void
put_over_time(struct sgt_json *j, const struct sgt_engine_result *r)
{
   sgt_json_object(j, "over_time", false);
   sgt_json_u64(j, "interval", r->interval);
   sgt_json_object(j, "states", false);
   for (unsigned state = 0; state < SGT_STATES; state++) {
      sgt_json_array(j, sgt_state_names[state], true);
      for (uint32_t i = 0; i < r->intervals; i++)
         sgt_json_u64(j, NULL, r->series[(uint64_t)i * SGT_STATES + state]);
      sgt_json_end(j);
   }
   sgt_json_end(j);
   sgt_json_end(j);
}

static void
put_operations(struct sgt_json *j, const struct sgt_trace *trace, const struct sgt_engine_result *r)
{
   sgt_json_array(j, "operations", false);
   for (uint32_t i = 0; i < r->num_operations; i++) {
      const struct sgt_operation *op = &trace->operations[i];
      const struct sgt_engine_operation *o = &r->operations[i];
      sgt_json_object(j, NULL, true);
      sgt_json_u64(j, "submission", op->submission);
      sgt_json_u64(j, "packet", op->packet);
      if (op->draw != UINT32_MAX)
         sgt_json_u64(j, "draw", op->draw);
      sgt_json_bool(j, "blends", op->blends);
      sgt_json_u64(j, "items", op->num_items);
      sgt_json_u64(j, "slices", o->slices);
      if (o->slices) {
         sgt_json_u64(j, "first", o->first);
         sgt_json_u64(j, "last", o->last);
      }
      sgt_json_u64(j, "busy", o->busy);
      sgt_json_u64(j, "memory", o->memory);
      sgt_json_u64(j, "blocks", o->blocks);
      put_states(j, "stalls", sgt_state_names, o->stalls, SGT_STATES);
      sgt_json_end(j);
   }
   sgt_json_end(j);
}

static void
put_dram(struct sgt_json *j, const struct sgt_dram_stats *d)
{
   sgt_json_object(j, "dram", true);
   sgt_json_u64(j, "reads", d->reads);
   sgt_json_u64(j, "writes", d->writes);
   sgt_json_u64(j, "row_hits", d->row_hits);
   sgt_json_u64(j, "row_empty", d->row_empty);
   sgt_json_u64(j, "row_misses", d->row_misses);
   sgt_json_u64(j, "bus_busy", d->bus_busy);
   sgt_json_u64(j, "clocks", d->clocks);
   sgt_json_u64(j, "queue_full", d->queue_full);
   sgt_json_u64(j, "queue_wait", d->queue_wait);
   sgt_json_u64(j, "queue_occupancy", d->queue_occupancy);
   sgt_json_end(j);
}

void
sgt_json_result(struct sgt_json *j, const struct sgt_trace *trace,
                const struct sgt_engine_result *r, bool draws, bool over_time)
{
   sgt_json_u64(j, "cycles", r->cycles);
   sgt_json_u64(j, "work", r->work);
   sgt_json_quotient(j, "tlp", r->work, r->cycles);
   sgt_json_quotient(j, "utilisation", r->work, r->cycles * r->accelerators);
   put_states(j, "states", sgt_state_names, r->states, SGT_STATES);
   put_states(j, "fetch", sgt_fetch_state_names, r->fetch, SGT_FETCH_STATES);
   put_states(j, "issue", sgt_issue_state_names, r->issue, SGT_ISSUE_STATES);

   sgt_json_object(j, "slices", true);
   sgt_json_u64(j, "items", r->items);
   sgt_json_u64(j, "dropped_items", r->dropped_items);
   sgt_json_u64(j, "split_items", r->split_items);
   sgt_json_u64(j, "slices", r->slices);
   sgt_json_u64(j, "pixels", r->pixels);
   sgt_json_u64(j, "spans", r->spans);
   sgt_json_u64(j, "overtakes", r->overtakes);
   sgt_json_u64(j, "wait", r->wait);
   sgt_json_u64(j, "longest", r->work_longest);
   sgt_json_end(j);

   sgt_json_object(j, "dependences", true);
   sgt_json_u64(j, "raw", r->raw);
   sgt_json_u64(j, "waw", r->waw);
   sgt_json_u64(j, "war", r->war);
   sgt_json_u64(j, "conflicts", r->conflicts);
   sgt_json_end(j);

   sgt_json_u64(j, "max_candidates", r->max_candidates);
   sgt_json_u64(j, "max_stations", r->max_stations);
   if (r->dram.clocks)
      put_dram(j, &r->dram);
   if (over_time) {
      put_histogram(j, "busy_cycles", r->busy_cycles, r->accelerators + 1ull);
      put_histogram(j, "candidate_cycles", r->candidate_cycles, r->candidates + 1ull);
      put_histogram(j, "slice_cycles", r->slice_cycles, 64);
      put_histogram(j, "slice_wait", r->slice_wait, 64);
      put_over_time(j, r);
   }
   if (draws)
      put_operations(j, trace, r);
}
