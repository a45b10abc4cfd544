/* SPDX-License-Identifier: MIT */
/*
 * Writes the results of the 1999 engine as CSV. Cells contain numbers, or names without commas.
 */
#include <inttypes.h>

#include "report/sgt_report.h"

static void
put_names(FILE *fp, const char *const *names, unsigned num)
{
   for (unsigned i = 0; i < num; i++)
      fprintf(fp, ",%s", names[i]);
}

static void
put_values(FILE *fp, const uint64_t *values, unsigned num)
{
   for (unsigned i = 0; i < num; i++)
      fprintf(fp, ",%" PRIu64, values[i]);
}

static double
csv_quotient(uint64_t part, uint64_t whole)
{
   return whole ? (double)part / whole : 0;
}

void
sgt_csv_frame_header(FILE *fp)
{
   fputs(",frame,width,height,draws", fp);
   put_names(fp, sgt_item_kind_names, SGT_ITEM_KINDS);
   fputs(",pixels,depth_complexity,slices,accelerators,candidates,cycles,work,tlp,utilisation", fp);
   put_names(fp, sgt_state_names, SGT_STATES);
   fputc('\n', fp);
}

void
sgt_csv_frame(FILE *fp, const struct sgt_frame_facts *f, const struct sgt_engine_result *r)
{
   fprintf(fp, ",%" PRIu64 ",%u,%u,%" PRIu64, f->frame, f->width, f->height, f->draws);
   put_values(fp, f->items, SGT_ITEM_KINDS);
   fprintf(fp, ",%" PRIu64 ",%.6f,%" PRIu64 ",%u,%u,%" PRIu64 ",%" PRIu64 ",%.6f,%.6f", f->pixels,
           csv_quotient(f->pixels, (uint64_t)f->width * f->height), r->slices, r->accelerators,
           r->candidates, r->cycles, r->work, csv_quotient(r->work, r->cycles),
           csv_quotient(r->work, r->cycles * r->accelerators));
   put_values(fp, r->states, SGT_STATES);
   fputc('\n', fp);
}

void
sgt_csv_draw_header(FILE *fp)
{
   fputs(",frame,submission,packet,draw,blends,items,slices,first,last,busy,memory,blocks", fp);
   for (unsigned i = 0; i < SGT_STATES; i++)
      fprintf(fp, ",stall_%s", sgt_state_names[i]);
   fputc('\n', fp);
}

void
sgt_csv_draws(FILE *fp, const char *prefix, const struct sgt_frame_facts *f,
              const struct sgt_trace *trace, const struct sgt_engine_result *r)
{
   for (uint32_t i = 0; i < r->num_operations; i++) {
      const struct sgt_operation *op = &trace->operations[i];
      const struct sgt_engine_operation *o = &r->operations[i];
      fprintf(fp, "%s,%" PRIu64 ",%u,%u,", prefix, f->frame, op->submission, op->packet);
      if (op->draw != UINT32_MAX)
         fprintf(fp, "%u", op->draw);
      fprintf(fp, ",%u,%u,%u,", op->blends, op->num_items, o->slices);
      if (o->slices)
         fprintf(fp, "%" PRIu64 ",%" PRIu64, o->first, o->last);
      else
         fputc(',', fp);
      fprintf(fp, ",%" PRIu64 ",%" PRIu64 ",%" PRIu64, o->busy, o->memory, o->blocks);
      put_values(fp, o->stalls, SGT_STATES);
      fputc('\n', fp);
   }
}

void
sgt_csv_interval_header(FILE *fp)
{
   fputs(",frame,cycle,cycles", fp);
   put_names(fp, sgt_state_names, SGT_STATES);
   fputc('\n', fp);
}

void
sgt_csv_intervals(FILE *fp, const char *prefix, const struct sgt_frame_facts *f,
                  const struct sgt_engine_result *r)
{
   for (uint32_t i = 0; i < r->intervals; i++) {
      const uint64_t begin = (uint64_t)i * r->interval;
      const uint64_t cycles = r->cycles - begin < r->interval ? r->cycles - begin : r->interval;
      fprintf(fp, "%s,%" PRIu64 ",%" PRIu64 ",%" PRIu64, prefix, f->frame, begin, cycles);
      put_values(fp, r->series + (uint64_t)i * SGT_STATES, SGT_STATES);
      fputc('\n', fp);
   }
}
