/* SPDX-License-Identifier: MIT */
/*
 * Text reports of a chip simulation.
 */
#include <assert.h>
#include <inttypes.h>
#include <string.h>

#include "report/sgt_chip_report.h"
#include "util/macros.h"

#define TIME_ROWS 20
#define WAITS 3
#define MAX_STATES 32 /* maximum number of states per class, which must fit in a 32-bit mask */

/* Prints a rounded percentage, e.g. " 12.3". */
static void
put_percent(FILE *fp, uint64_t part, uint64_t whole, int width)
{
   const uint64_t tenths = whole ? ((unsigned __int128)part * 1000 + whole / 2) / whole : 0;
   fprintf(fp, " %*" PRIu64 ".%" PRIu64, width, tenths / 10, tenths % 10);
}

/* Iterates over the indices of `num` values, from the largest value to the smallest one. Equal
 * values are visited in order of their indices. Value i is values[i * stride]. Returns the index
 * that follows `latest`, or the first index if `latest` is UINT32_MAX. Returns UINT32_MAX at the
 * end.
 */
static uint32_t
next_largest(const uint64_t *values, uint32_t stride, uint32_t num, uint32_t latest)
{
   const uint64_t below = latest == UINT32_MAX ? UINT64_MAX : values[(uint64_t)latest * stride];
   uint32_t most = UINT32_MAX;

   for (uint32_t i = 0; i < num; i++) {
      const uint64_t value = values[(uint64_t)i * stride];
      if (latest != UINT32_MAX && (value > below || (value == below && i <= latest)))
         continue;
      if (most == UINT32_MAX || value > values[(uint64_t)most * stride])
         most = i;
   }
   return most;
}

/* Prints the most frequent wait states of a class as percentages of its cycles, in descending
 * order. Omits states with less than 0.1 %.
 */
static void
put_waits(FILE *fp, const struct sgt_chip_class *c, const uint64_t *row, unsigned limit)
{
   const struct sgt_chip_use use = sgt_chip_use(c, row);
   uint64_t waits[MAX_STATES];
   uint32_t state = UINT32_MAX;

   assert(c->num <= MAX_STATES);
   for (uint32_t i = 0; i < c->num; i++)
      waits[i] = c->work >> i & 1 || i == c->idle ? 0 : row[c->first + i];
   for (unsigned n = 0; n < limit; n++) {
      state = next_largest(waits, 1, c->num, state);
      if (state == UINT32_MAX || !waits[state] || waits[state] * 1000 < use.all)
         break;
      fprintf(fp, "%s%s", n ? ", " : "", c->states[state]);
      put_percent(fp, waits[state], use.all, 1);
   }
}

void
sgt_chip_text_classes(FILE *fp, const struct sgt_chip_result *r, const uint64_t *total)
{
   fprintf(fp, "   %-20s %6s %6s %6s  %s\n", "units", "work %", "wait %", "idle %",
           "they wait for");
   for (uint32_t i = 0; i < r->num_classes; i++) {
      const struct sgt_chip_class *c = &r->classes[i];
      const struct sgt_chip_use use = sgt_chip_use(c, total);
      char name[64];
      if (use.idle == use.all)
         continue;
      snprintf(name, sizeof name, c->units > 1 ? "%s (%u)" : "%s", c->name, c->units);
      fprintf(fp, "   %-20s", name);
      put_percent(fp, use.work, use.all, 4);
      put_percent(fp, use.all - use.work - use.idle, use.all, 4);
      put_percent(fp, use.idle, use.all, 4);
      fputs("  ", fp);
      put_waits(fp, c, total, WAITS);
      fputc('\n', fp);
   }
}

static void
put_draw_header(FILE *fp)
{
   fprintf(fp, "   %-9s %-7s %6s %7s %8s %10s %10s %10s %6s  %-22s %s\n", "operation", "", "packet",
           "items", "warps", "begin", "end", "cycles", "%", "busiest, %", "cores wait for, %");
}

static void
put_draw(FILE *fp, const struct sgt_chip_report *report, uint32_t i)
{
   const struct sgt_chip_result *r = report->result;
   const struct sgt_operation *op = &report->trace->operations[i];
   const struct sgt_chip_operation *o = &r->operations[i];
   const uint64_t *row = sgt_chip_result_stack(r, i);
   const struct sgt_chip_class *cores = sgt_chip_cores(r);
   char draw[16] = "-";

   if (op->draw != UINT32_MAX)
      snprintf(draw, sizeof draw, "%u", op->draw);
   fprintf(fp, "   %-9s %-7s %6u %7u %8u %10" PRIu64 " %10" PRIu64 " %10" PRIu64,
           sgt_chip_operation_kind(report->trace, report->work, i), draw, op->packet, op->num_items,
           report->work->operations[i].num_warps, o->begin, o->end, o->cycles);
   put_percent(fp, o->cycles, r->cycles, 4);
   const uint32_t busiest = sgt_chip_busiest(r, row);
   if (busiest != UINT32_MAX) {
      const struct sgt_chip_use use = sgt_chip_use(&r->classes[busiest], row);
      fprintf(fp, "  %-14s", r->classes[busiest].name);
      put_percent(fp, use.work, use.all, 4);
      fputs("  ", fp);
      put_waits(fp, cores, row, 2);
   }
   fputc('\n', fp);
}

void
sgt_chip_text_frame(FILE *fp, const struct sgt_chip_report *report, uint32_t top)
{
   const struct sgt_frame_facts *f = report->facts;
   const struct sgt_chip_result *r = report->result;

   fprintf(fp, "frame %" PRIu64 ": %ux%u, %" PRIu64 " draws", f->frame, f->width, f->height,
           f->draws);
   for (unsigned i = 0; i < SGT_ITEM_KINDS; i++) {
      if (f->items[i])
         fprintf(fp, ", %" PRIu64 " %s", f->items[i], sgt_item_kind_names[i]);
   }
   fprintf(fp,
           "\n   core cycles %12" PRIu64 "   %" PRIu64 ".%03" PRIu64 " ms, %" PRIu64
           " frames a second\n"
           "   SM cycles   %12" PRIu64 "\n"
           "   warps       %12u\n"
           "   pixels      %12" PRIu64 "\n",
           r->cycles, r->ns / 1000000, r->ns / 1000 % 1000,
           r->ns ? (UINT64_C(1000000000) + r->ns / 2) / r->ns : 0, r->sm_cycles,
           report->work->num_warps, f->pixels);
   sgt_chip_text_classes(fp, r, report->total);
   if (!r->num_operations || !top)
      return;
   fprintf(fp, "   the longest of %u operations\n", r->num_operations);
   put_draw_header(fp);
   uint32_t op = UINT32_MAX;
   for (uint32_t n = 0; n < top; n++) {
      op = next_largest(&r->operations[0].cycles, sizeof(r->operations[0]) / sizeof(uint64_t),
                        r->num_operations, op);
      if (op == UINT32_MAX || !r->operations[op].cycles)
         break;
      put_draw(fp, report, op);
   }
}

/* Returns true if an operation without warps is a CPU access or has no work. */
static bool
is_access(const struct sgt_trace *trace, uint32_t operation)
{
   const struct sgt_operation *op = &trace->operations[operation];
   return op->draw == UINT32_MAX &&
          (!op->num_items || trace->items[op->first_item].kind == SGT_ITEM_DIRECT);
}

void
sgt_chip_text_draws(FILE *fp, const struct sgt_chip_report *report)
{
   const struct sgt_chip_result *r = report->result;

   uint64_t cycles = 0;
   uint32_t others = 0;
   put_draw_header(fp);
   for (uint32_t i = 0; i < r->num_operations; i++) {
      if (report->work->operations[i].num_warps || !is_access(report->trace, i)) {
         put_draw(fp, report, i);
      } else {
         others++;
         cycles += r->operations[i].cycles;
      }
   }
   if (others)
      fprintf(fp, "   %u accesses by the CPU, and operations without work: %" PRIu64 " cycles\n",
              others, cycles);
   fprintf(fp, "   after the last end: %" PRIu64 " cycles\n", r->rest);
}

/* Prints the utilization of the classes in `shown` in the intervals from `first` to `end` - 1. */
static void
put_interval(FILE *fp, const struct sgt_chip_result *r, uint64_t first, uint64_t end,
             const char *const *shown, unsigned num)
{
   uint64_t states[MAX_STATES];

   for (unsigned i = 0; i <= num; i++) {
      const struct sgt_chip_class *c = i < num ? sgt_chip_result_class(r, shown[i])
                                               : sgt_chip_cores(r);
      if (!c)
         continue;
      /* Sum up the class's states over the intervals. The array `states` only contains this class,
       * so the class starts at index 0.
       */
      struct sgt_chip_class alone = *c;
      alone.first = 0;
      assert(c->num <= ARRAY_SIZE(states));
      memset(states, 0, sizeof states);
      for (uint64_t n = first; n < end; n++)
         for (uint32_t k = 0; k < c->num; k++)
            states[k] += r->series[n * r->num_values + c->first + k];
      const struct sgt_chip_use use = sgt_chip_use(&alone, states);
      if (i < num) {
         put_percent(fp, use.work, use.all, 9);
      } else {
         fputs("  ", fp);
         put_waits(fp, &alone, states, 2);
      }
   }
   fputc('\n', fp);
}

/* Prints the utilization of some classes over time, in percent. */
void
sgt_chip_text_over_time(FILE *fp, const struct sgt_chip_report *report)
{
   static const char *const shown[] = { "assembler", "fine",      "sm",        "eu",  "tex-filters",
                                        "rop-depth", "rop-color", "partition", "gddr" };
   const struct sgt_chip_result *r = report->result;
   const uint64_t step = (r->intervals + TIME_ROWS - 1) / TIME_ROWS;

   if (!r->intervals)
      return;
   fprintf(fp, "   over time: first cycle, work %%\n   %10s", "");
   for (unsigned i = 0; i < ARRAY_SIZE(shown); i++) {
      if (sgt_chip_result_class(r, shown[i]))
         fprintf(fp, " %11s", shown[i]);
   }
   fputs("  cores wait for, %\n", fp);
   for (uint64_t i = 0; i < r->intervals; i += step) {
      fprintf(fp, "   %10" PRIu64, i * r->interval);
      put_interval(fp, r, i, MIN2(i + step, r->intervals), shown, ARRAY_SIZE(shown));
   }
}
