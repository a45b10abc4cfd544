/* SPDX-License-Identifier: MIT */
/*
 * Reports of a chip's results as text, JSON, CSV and timelines. Their columns and members come from
 * the classes and counters of the result (sgt_chip_result.h). A row is an array with the numbers of
 * cycles in each state of each class, and the counters.
 */
#ifndef SGT_CHIP_REPORT_H
#define SGT_CHIP_REPORT_H

#include "chip/sgt_chip_result.h"
#include "report/sgt_report.h"
#include "kernel/sgt_stats.h"
#include "trace/sgt_work.h"

/* The simulation of a frame. */
struct sgt_chip_report {
   const struct sgt_frame_facts *facts;
   const struct sgt_trace *trace;
   const struct sgt_work *work;
   const struct sgt_chip_result *result; /* result with stacks */
   const uint64_t *total;                /* row of the whole frame, from sgt_chip_result_total() */
   const struct sgt_stats *stats;        /* all statistics of the chip; used only for JSON */
};

/* Returns the kind of an operation, such as "draw", "grid" or "clear", or "nothing" if it has
 * neither items nor warps.
 */
const char *sgt_chip_operation_kind(const struct sgt_trace *trace, const struct sgt_work *work,
                                    uint32_t operation);

/* Numbers of cycles of the units of a class, summed over all units. */
struct sgt_chip_use {
   uint64_t all, work, idle; /* all cycles; cycles with work; cycles with nothing to do */
};
/* Returns the use of a class in a row. */
struct sgt_chip_use sgt_chip_use(const struct sgt_chip_class *c, const uint64_t *row);
/* Returns the index of the class with the largest share of working cycles in a row, or UINT32_MAX
 * if no class works.
 */
uint32_t sgt_chip_busiest(const struct sgt_chip_result *r, const uint64_t *row);
/* Returns the class of the shader cores. */
const struct sgt_chip_class *sgt_chip_cores(const struct sgt_chip_result *r);

/* Prints the states of the units of each class. */
void sgt_chip_text_classes(FILE *fp, const struct sgt_chip_result *r, const uint64_t *total);
/* Writes the members "classes", "stack" and "counters". */
void sgt_chip_json_classes(struct sgt_json *j, const struct sgt_chip_result *r,
                           const uint64_t *total);

/* Writes the members of a frame to the open object; docs/chip.md has the schema. */
void sgt_chip_json(struct sgt_json *j, const struct sgt_chip_report *r, bool draws, bool over_time);

/* Write columns of CSV, each after a comma, and the end of the line. */
void sgt_chip_csv_frame_header(FILE *fp, const struct sgt_chip_result *r);
void sgt_chip_csv_frame(FILE *fp, const struct sgt_chip_report *r);
/* Write a line per operation or per interval. Each line begins with `prefix`. */
void sgt_chip_csv_draw_header(FILE *fp, const struct sgt_chip_result *r);
void sgt_chip_csv_draws(FILE *fp, const char *prefix, const struct sgt_chip_report *r);
void sgt_chip_csv_interval_header(FILE *fp, const struct sgt_chip_result *r);
void sgt_chip_csv_intervals(FILE *fp, const char *prefix, const struct sgt_chip_report *r);

/* Prints a frame: its time, the states of each class of units, and at most `top` operations, those
 * that take longest.
 */
void sgt_chip_text_frame(FILE *fp, const struct sgt_chip_report *r, uint32_t top);
/* Prints all operations in order. A common last line has all accesses by the CPU and operations
 * without work.
 */
void sgt_chip_text_draws(FILE *fp, const struct sgt_chip_report *r);
void sgt_chip_text_over_time(FILE *fp, const struct sgt_chip_report *r);

/* Writes events of Chrome's format, without the brackets of the file. The frame is a process. It
 * has tracks with the operations, and a track for each class. A slice of the latter is the most
 * frequent state in an interval, and a counter shows the work in percent. There is at most one
 * event per operation, and two per class and interval. Returns false if out of memory.
 */
bool sgt_chip_timeline(FILE *fp, const struct sgt_chip_report *r);

#endif
