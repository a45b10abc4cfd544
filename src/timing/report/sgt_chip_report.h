/* SPDX-License-Identifier: MIT */
/*
 * Results of a chip for people, programs and viewers.  Columns and members are made from the
 * classes and counters of the result.
 */
#ifndef SGT_CHIP_REPORT_H
#define SGT_CHIP_REPORT_H

#include "chip/sgt_chip_result.h"
#include "report/sgt_report.h"
#include "kernel/sgt_stats.h"
#include "trace/sgt_work.h"

/* A frame's run. */
struct sgt_chip_report {
   const struct sgt_frame_facts *facts;
   const struct sgt_trace *trace;
   const struct sgt_work *work;
   const struct sgt_chip_result *result; /* with stacks */
   const uint64_t *total;                /* sgt_chip_result_total() */
   const struct sgt_stats *stats;        /* all of the chip; for JSON alone */
};

/* "draw", "grid", "clear" and so on; "nothing": neither items nor warps. */
const char *sgt_chip_operation_kind(const struct sgt_trace *trace, const struct sgt_work *work,
                                    uint32_t operation);

/* Of a class in a row, cycles of its units: all, of work, and without anything to do. */
struct sgt_chip_use {
   uint64_t all, work, idle;
};
struct sgt_chip_use sgt_chip_use(const struct sgt_chip_class *c, const uint64_t *row);
/* The class of the row that works most of its cycles; UINT32_MAX: none works. */
uint32_t sgt_chip_busiest(const struct sgt_chip_result *r, const uint64_t *row);
/* The class of the cores. */
const struct sgt_chip_class *sgt_chip_cores(const struct sgt_chip_result *r);

/* What the units of each class do in a row. */
void sgt_chip_text_classes(FILE *fp, const struct sgt_chip_result *r, const uint64_t *total);
/* Members "classes", "stack" and "counters". */
void sgt_chip_json_classes(struct sgt_json *j, const struct sgt_chip_result *r,
                           const uint64_t *total);

/* Members of an object that is open; docs/chip.md has the schema. */
void sgt_chip_json(struct sgt_json *j, const struct sgt_chip_report *r, bool draws, bool over_time);

/* Columns of CSV, each after a comma, and the line's end. */
void sgt_chip_csv_frame_header(FILE *fp, const struct sgt_chip_result *r);
void sgt_chip_csv_frame(FILE *fp, const struct sgt_chip_report *r);
/* A line per operation, per interval; each begins with `prefix`. */
void sgt_chip_csv_draw_header(FILE *fp, const struct sgt_chip_result *r);
void sgt_chip_csv_draws(FILE *fp, const char *prefix, const struct sgt_chip_report *r);
void sgt_chip_csv_interval_header(FILE *fp, const struct sgt_chip_result *r);
void sgt_chip_csv_intervals(FILE *fp, const char *prefix, const struct sgt_chip_report *r);

/* A frame: its time, what each class of units does, and the operations that take longest, at
 * most `top`.
 */
void sgt_chip_text_frame(FILE *fp, const struct sgt_chip_report *r, uint32_t top);
/* All operations, in order; those of the CPU in one line. */
void sgt_chip_text_draws(FILE *fp, const struct sgt_chip_report *r);
void sgt_chip_text_over_time(FILE *fp, const struct sgt_chip_report *r);

/* Events of Chrome's format, without the brackets: a process for the frame, tracks of operations
 * from begin to end, and a track for each class with the state of most of its cycles in each
 * interval, with a counter of its work in percent.  There are at most as many events as operations,
 * and two for each class and interval.  False: no memory.
 */
bool sgt_chip_timeline(FILE *fp, const struct sgt_chip_report *r);

#endif
