/* SPDX-License-Identifier: MIT */
/*
 * Writes the results of the 1999 engine as text.
 */
#include <inttypes.h>
#include <string.h>

#include "report/sgt_report.h"
#include "util/macros.h"

#define TIME_ROWS 20 /* maximum number of lines in a table of values over time */
#define BAR 40       /* width of a bar in characters */

static double
text_quotient(uint64_t part, uint64_t whole)
{
   return whole ? (double)part / whole : 0;
}

/* Prints the `limit` most frequent states with their shares, e.g. "waw 61.2 %, starved 3.0 %". */
static void
put_shares(FILE *fp, const uint64_t *states, unsigned limit)
{
   uint32_t shares[SGT_STATES];
   bool first = true;

   sgt_shares(states, SGT_STATES, shares);
   for (unsigned n = 0; n < limit; n++) {
      unsigned most = 0;
      for (unsigned i = 1; i < SGT_STATES; i++)
         most = shares[i] > shares[most] ? i : most;
      if (!shares[most])
         break;
      fprintf(fp, "%s%s %u.%u %%", first ? "" : ", ", sgt_state_names[most], shares[most] / 10,
              shares[most] % 10);
      shares[most] = 0;
      first = false;
   }
}

void
sgt_text_config(FILE *fp, const struct sgt_config *c, const struct sgt_engine_result *r)
{
   static const struct {
      enum sgt_key key;
      const char *name;
   } told[] = {
      { SGT_KEY_ISSUE_ORDER, "" },           { SGT_KEY_ISSUE_SELECT, "selection " },
      { SGT_KEY_FETCH_SPLIT, "splitting " }, { SGT_KEY_BREAKING_RULE, "breaking " },
      { SGT_KEY_MEMORY_MODEL, "memory " },
   };
   unsigned assumed = 0, effective = 0;
   char value[64];

   fprintf(fp, "%u accelerator%s, %u candidate buffers", r->accelerators,
           r->accelerators == 1 ? "" : "s", r->candidates);
   for (unsigned i = 0; i < ARRAY_SIZE(told); i++) {
      sgt_config_print_value(told[i].key, sgt_config_get(c, told[i].key), value, sizeof value);
      fprintf(fp, ", %s%s", told[i].name, value);
   }
   for (unsigned key = 0; key < SGT_NUM_KEYS; key++) {
      assumed += sgt_config_assumed(c, key);
      effective += sgt_config_in_effect(c, key);
   }
   fprintf(fp, "\n%u of %u parameters in effect are assumed (--sensitivity)\n", assumed, effective);
}

void
sgt_text_frame(FILE *fp, const struct sgt_frame_facts *f, const struct sgt_engine_result *r)
{
   uint32_t shares[SGT_STATES];

   sgt_shares(r->states, SGT_STATES, shares);
   const uint32_t used = shares[SGT_STATE_BUSY] + shares[SGT_STATE_MEMORY];
   fprintf(fp, "frame %" PRIu64 ": %ux%u, %" PRIu64 " draws", f->frame, f->width, f->height,
           f->draws);
   for (unsigned i = 0; i < SGT_ITEM_KINDS; i++) {
      if (f->items[i])
         fprintf(fp, ", %" PRIu64 " %s", f->items[i], sgt_item_kind_names[i]);
   }
   fprintf(fp,
           "\n   pixels             %" PRIu64 "\n"
           "   depth complexity   %.3f\n"
           "   slices             %" PRIu64 " (%" PRIu64 " items split, %" PRIu64 " dropped)\n"
           "   cycles             %" PRIu64 "\n"
           "   parallelism (TLP)  %.3f\n"
           "   utilisation        %u.%u %%\n",
           f->pixels, text_quotient(f->pixels, (uint64_t)f->width * f->height), r->slices,
           r->split_items, r->dropped_items, r->cycles, text_quotient(r->work, r->cycles),
           used / 10, used % 10);
   fprintf(fp, "   accelerators are\n");
   for (unsigned i = 0; i < SGT_STATES; i++) {
      if (r->states[i])
         fprintf(fp, "      %-15s %3u.%u %%\n", sgt_state_names[i], shares[i] / 10, shares[i] % 10);
   }
   if (r->dram.clocks) {
      const struct sgt_dram_stats *d = &r->dram;
      const uint64_t requests = d->reads + d->writes;
      fprintf(fp,
              "   DRAM               %" PRIu64 " reads, %" PRIu64
              " writes; rows: %.1f %% open, %.1f %% others\n",
              d->reads, d->writes, 100 * text_quotient(d->row_hits, requests),
              100 * text_quotient(d->row_misses, requests));
   }
}

void
sgt_text_over_time(FILE *fp, const struct sgt_engine_result *r)
{
   if (!r->intervals)
      return;
   const uint32_t step = (r->intervals + TIME_ROWS - 1) / TIME_ROWS;

   fprintf(fp, "   over time: first cycle, parallelism, accelerators\n");
   for (uint32_t i = 0; i < r->intervals; i += step) {
      const uint32_t end = MIN2(i + step, r->intervals);
      const uint64_t begin = (uint64_t)i * r->interval;
      const uint64_t cycles = MIN2((uint64_t)end * r->interval, r->cycles) - begin;
      uint64_t states[SGT_STATES] = { 0 };
      char bar[BAR + 1];
      for (uint32_t n = i; n < end; n++) {
         for (unsigned s = 0; s < SGT_STATES; s++)
            states[s] += r->series[(uint64_t)n * SGT_STATES + s];
      }
      const uint64_t busy = states[SGT_STATE_BUSY] + states[SGT_STATE_MEMORY];
      const unsigned filled = cycles ? busy * BAR / (cycles * r->accelerators) : 0;
      memset(bar, '#', filled);
      memset(bar + filled, '.', BAR - filled);
      bar[BAR] = 0;
      fprintf(fp, "   %10" PRIu64 " %8.2f %s ", begin, text_quotient(busy, cycles), bar);
      put_shares(fp, states, 3);
      fputc('\n', fp);
   }
}

void
sgt_text_draws(FILE *fp, const struct sgt_trace *trace, const struct sgt_engine_result *r)
{
   fprintf(fp, "   %-6s %6s %8s %8s %10s %10s %10s %10s  %s\n", "draw", "packet", "items", "slices",
           "first", "last", "busy", "blocks", "idle accelerators");
   for (uint32_t i = 0; i < r->num_operations; i++) {
      const struct sgt_operation *op = &trace->operations[i];
      const struct sgt_engine_operation *o = &r->operations[i];
      uint64_t stalls = 0;
      char draw[16] = "-";
      if (op->draw != UINT32_MAX)
         snprintf(draw, sizeof draw, "%u", op->draw);
      for (unsigned s = 0; s < SGT_STATES; s++)
         stalls += o->stalls[s];
      fprintf(fp, "   %-6s %6u %8u %8u ", draw, op->packet, op->num_items, o->slices);
      if (o->slices)
         fprintf(fp, "%10" PRIu64 " %10" PRIu64, o->first, o->last);
      else
         fprintf(fp, "%10s %10s", "-", "-");
      fprintf(fp, " %10" PRIu64 " %10" PRIu64 "  ", o->busy, o->blocks);
      if (stalls) {
         fprintf(fp, "%" PRIu64 ": ", stalls);
         put_shares(fp, o->stalls, 3);
      }
      fputc('\n', fp);
   }
}
