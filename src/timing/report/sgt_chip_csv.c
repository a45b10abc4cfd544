/* SPDX-License-Identifier: MIT */
/*
 * Writes the results of a chip simulation as CSV. Cells contain numbers, or names without commas.
 * State columns are named CLASS.STATE.
 */
#include <inttypes.h>

#include "report/sgt_chip_report.h"

static void
put_names(FILE *fp, const struct sgt_chip_result *r)
{
   for (uint32_t i = 0; i < r->num_classes; i++) {
      const struct sgt_chip_class *c = &r->classes[i];
      for (uint32_t k = 0; k < c->num; k++)
         fprintf(fp, ",%s.%s", c->name, c->states[k]);
   }
   for (uint32_t i = 0; i < r->num_counters; i++)
      fprintf(fp, ",%s", r->counters[i].name);
   fputc('\n', fp);
}

static void
put_row(FILE *fp, const struct sgt_chip_result *r, const uint64_t *row)
{
   for (uint32_t i = 0; i < r->num_values; i++)
      fprintf(fp, ",%" PRIu64, row[i]);
   fputc('\n', fp);
}

void
sgt_chip_csv_frame_header(FILE *fp, const struct sgt_chip_result *r)
{
   fputs(",frame,width,height,draws", fp);
   for (unsigned i = 0; i < SGT_ITEM_KINDS; i++)
      fprintf(fp, ",%s", sgt_item_kind_names[i]);
   fputs(",pixels,warps,cycles,sm_cycles,ns,rest", fp);
   put_names(fp, r);
}

void
sgt_chip_csv_frame(FILE *fp, const struct sgt_chip_report *report)
{
   const struct sgt_chip_result *r = report->result;
   const struct sgt_frame_facts *f = report->facts;

   fprintf(fp, ",%" PRIu64 ",%u,%u,%" PRIu64, f->frame, f->width, f->height, f->draws);
   for (unsigned i = 0; i < SGT_ITEM_KINDS; i++)
      fprintf(fp, ",%" PRIu64, f->items[i]);
   fprintf(fp, ",%" PRIu64 ",%u,%" PRIu64 ",%" PRIu64 ",%" PRIu64 ",%" PRIu64, f->pixels,
           report->work->num_warps, r->cycles, r->sm_cycles, r->ns, r->rest);
   put_row(fp, r, report->total);
}

void
sgt_chip_csv_draw_header(FILE *fp, const struct sgt_chip_result *r)
{
   fputs(",frame,operation,kind,submission,packet,draw,items,warps,begin,end,cycles", fp);
   put_names(fp, r);
}

void
sgt_chip_csv_draws(FILE *fp, const char *prefix, const struct sgt_chip_report *report)
{
   const struct sgt_chip_result *r = report->result;

   for (uint32_t i = 0; i < r->num_operations; i++) {
      const struct sgt_operation *op = &report->trace->operations[i];
      const struct sgt_chip_operation *o = &r->operations[i];
      fprintf(fp, "%s,%" PRIu64 ",%u,%s,%u,%u,", prefix, report->facts->frame, i,
              sgt_chip_operation_kind(report->trace, report->work, i), op->submission, op->packet);
      if (op->draw != UINT32_MAX)
         fprintf(fp, "%u", op->draw);
      fprintf(fp, ",%u,%u,%" PRIu64 ",%" PRIu64 ",%" PRIu64, op->num_items,
              report->work->operations[i].num_warps, o->begin, o->end, o->cycles);
      put_row(fp, r, sgt_chip_result_stack(r, i));
   }
   /* Write a last line for the cycles after the last operation has ended. */
   fprintf(fp, "%s,%" PRIu64 ",,rest,,,,,,,,%" PRIu64, prefix, report->facts->frame, r->rest);
   put_row(fp, r, sgt_chip_result_stack(r, r->num_operations));
}

void
sgt_chip_csv_interval_header(FILE *fp, const struct sgt_chip_result *r)
{
   fputs(",frame,cycle,cycles", fp);
   put_names(fp, r);
}

void
sgt_chip_csv_intervals(FILE *fp, const char *prefix, const struct sgt_chip_report *report)
{
   const struct sgt_chip_result *r = report->result;

   for (uint64_t i = 0; i < r->intervals; i++) {
      const uint64_t begin = i * r->interval;
      const uint64_t cycles = r->cycles - begin < r->interval ? r->cycles - begin : r->interval;
      fprintf(fp, "%s,%" PRIu64 ",%" PRIu64 ",%" PRIu64, prefix, report->facts->frame, begin,
              cycles);
      put_row(fp, r, r->series + i * r->num_values);
   }
}
