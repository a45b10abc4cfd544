/* SPDX-License-Identifier: MIT */
/*
 * Timeline of a chip simulation.
 */
#include <inttypes.h>
#include <stdlib.h>

#include "report/sgt_chip_report.h"
#include "report/sgt_chrome.h"
#include "util/macros.h"

/* Writes a slice for each operation. Operations that overlap are put on different tracks. `ends` is
 * scratch memory with one element per operation. Returns the number of tracks.
 */
static unsigned
put_operations(struct sgt_chrome *c, const struct sgt_chip_report *report, uint64_t *ends)
{
   const struct sgt_chip_result *r = report->result;
   unsigned lanes = 0;
   char name[32];

   for (uint32_t i = 0; i < r->num_operations; i++) {
      const struct sgt_chip_operation *o = &r->operations[i];
      const struct sgt_operation *op = &report->trace->operations[i];
      const uint64_t *row = sgt_chip_result_stack(r, i);
      unsigned lane = 0;
      while (lane < lanes && ends[lane] > o->begin)
         lane++;
      ends[lane] = o->end;
      lanes = MAX2(lanes, lane + 1);
      sgt_chrome_slice(c, 1 + lane, o->begin, o->end - o->begin);
      fprintf(c->fp, "\"name\": \"%s", sgt_chip_operation_kind(report->trace, report->work, i));
      if (op->draw != UINT32_MAX)
         fprintf(c->fp, " %u", op->draw);
      fprintf(c->fp,
              "\", \"args\": {\"operation\": %u, \"submission\": %u, \"packet\": %u, "
              "\"items\": %u, \"warps\": %u, \"share\": %" PRIu64,
              i, op->submission, op->packet, op->num_items, report->work->operations[i].num_warps,
              o->cycles);
      const uint32_t busiest = sgt_chip_busiest(r, row);
      if (busiest != UINT32_MAX)
         fprintf(c->fp, ", \"busiest\": \"%s\"", r->classes[busiest].name);
      fputs("}}", c->fp);
   }
   for (unsigned i = 0; i < lanes; i++) {
      snprintf(name, sizeof name, "operations %u", i);
      sgt_chrome_track(c, 1 + i, i ? name : "operations");
   }
   return lanes;
}

/* Returns the most frequent state of a class in a row. If several states are equally frequent,
 * returns the first.
 */
static uint32_t
main_state(const struct sgt_chip_class *class, const uint64_t *row)
{
   uint32_t most = 0;

   for (uint32_t i = 1; i < class->num; i++)
      most = row[class->first + i] > row[class->first + most] ? i : most;
   return most;
}

static void
put_class(struct sgt_chrome *c, const struct sgt_chip_result *r, const struct sgt_chip_class *class,
          unsigned track)
{
   uint64_t told = UINT64_MAX;
   char name[64];

   snprintf(name, sizeof name, "%s (%u)", class->name, class->units);
   sgt_chrome_track(c, track, name);
   snprintf(name, sizeof name, "%s work %%", class->name);
   for (uint64_t i = 0, next; i < r->intervals; i = next) {
      const uint32_t state = main_state(class, r->series + i * r->num_values);
      struct sgt_chip_use sum = { 0 };
      uint64_t cycles = 0;
      for (next = i; next < r->intervals; next++) {
         const uint64_t *row = r->series + next * r->num_values;
         if (main_state(class, row) != state)
            break;
         const struct sgt_chip_use use = sgt_chip_use(class, row);
         const uint64_t percent = use.all ? (use.work * 100 + use.all / 2) / use.all : 0;
         if (percent != told)
            sgt_chrome_counter(c, name, next * r->interval, percent);
         told = percent;
         sum.all += use.all;
         sum.work += use.work;
         cycles += row[class->first + state];
      }
      const uint64_t begin = i * r->interval;
      sgt_chrome_slice(c, track, begin, MIN2(next * r->interval, r->cycles) - begin);
      fprintf(c->fp,
              "\"name\": \"%s\", \"args\": {\"percent\": %" PRIu64 ", \"work percent\": %" PRIu64
              "}}",
              class->states[state], sum.all ? cycles * 100 / sum.all : 0,
              sum.all ? sum.work * 100 / sum.all : 0);
   }
}

bool
sgt_chip_timeline(FILE *fp, const struct sgt_chip_report *report)
{
   const struct sgt_chip_result *r = report->result;
   struct sgt_chrome c = { .fp = fp };
   uint64_t *ends = calloc(MAX2(r->num_operations, 1), sizeof *ends);
   char name[32];

   if (!ends)
      return false;
   snprintf(name, sizeof name, "frame %" PRIu64, report->facts->frame);
   sgt_chrome_process(&c, report->facts->frame, name);
   const unsigned tracks = put_operations(&c, report, ends);
   free(ends);
   for (uint32_t i = 0; i < r->num_classes; i++)
      put_class(&c, r, &r->classes[i], 1 + tracks + i);
   return true;
}
