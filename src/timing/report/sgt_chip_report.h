/* SPDX-License-Identifier: MIT */
/*
 * Reports of a chip simulation as text, JSON, CSV and timelines. The columns and JSON members are
 * generated from the classes and counters of the result (sgt_chip_result.h). A row is an array with
 * the number of cycles in each state of each class, followed by the counters.
 */
#ifndef SGT_CHIP_REPORT_H
#define SGT_CHIP_REPORT_H

#include "chip/sgt_chip_result.h"
#include "report/sgt_report.h"
#include "kernel/sgt_stats.h"
#include "trace/sgt_work.h"

/* Simulation results of one frame, and other data that the reports need. */
struct sgt_chip_report {
   const struct sgt_frame_facts *facts;
   const struct sgt_trace *trace;
   const struct sgt_work *work;
   /* simulation result, which must include the cycle stack of each operation */
   const struct sgt_chip_result *result;
   /* row of values for the whole frame, from sgt_chip_result_total() */
   const uint64_t *total;
   const struct sgt_stats *stats; /* all statistics of the chip, only used for JSON */
};

/* Returns the kind of an operation, e.g. "draw", "grid" or "clear", or "nothing" if the operation
 * has neither items nor warps.
 */
const char *sgt_chip_operation_kind(const struct sgt_trace *trace, const struct sgt_work *work,
                                    uint32_t operation);

/* Utilization of a class. The numbers of cycles are summed over all units of the class. */
struct sgt_chip_use {
   /* all: number of all cycles;
    * work: number of cycles in which the units are working;
    * idle: number of cycles in which the units are idle
    */
   uint64_t all, work, idle;
};
/* Computes the utilization of a class from a row of values. */
struct sgt_chip_use sgt_chip_use(const struct sgt_chip_class *c, const uint64_t *row);
/* Returns the index of the class that is working in the highest percentage of its cycles, or
 * UINT32_MAX if no class is working.
 */
uint32_t sgt_chip_busiest(const struct sgt_chip_result *r, const uint64_t *row);
/* Returns the class of the shader cores. */
const struct sgt_chip_class *sgt_chip_cores(const struct sgt_chip_result *r);

/* Prints how many cycles the units of each class spend in each state. */
void sgt_chip_text_classes(FILE *fp, const struct sgt_chip_result *r, const uint64_t *total);
/* Writes the JSON members "classes", "stack" and "counters". */
void sgt_chip_json_classes(struct sgt_json *j, const struct sgt_chip_result *r,
                           const uint64_t *total);

/* Writes the JSON members of a frame to the current object. The schema is in docs/chip.md. */
void sgt_chip_json(struct sgt_json *j, const struct sgt_chip_report *r, bool draws, bool over_time);

/* These functions write CSV columns, each preceded by a comma, and the end of the line. */
void sgt_chip_csv_frame_header(FILE *fp, const struct sgt_chip_result *r);
void sgt_chip_csv_frame(FILE *fp, const struct sgt_chip_report *r);
/* These functions write one CSV line per operation or interval. Each line starts with `prefix`. */
void sgt_chip_csv_draw_header(FILE *fp, const struct sgt_chip_result *r);
void sgt_chip_csv_draws(FILE *fp, const char *prefix, const struct sgt_chip_report *r);
void sgt_chip_csv_interval_header(FILE *fp, const struct sgt_chip_result *r);
void sgt_chip_csv_intervals(FILE *fp, const char *prefix, const struct sgt_chip_report *r);

/* Prints the duration of a frame, the states of each class of units, and the `top` longest
 * operations.
 */
void sgt_chip_text_frame(FILE *fp, const struct sgt_chip_report *r, uint32_t top);
/* Prints all operations in order. CPU accesses and operations without work are summed up in the
 * last line.
 */
void sgt_chip_text_draws(FILE *fp, const struct sgt_chip_report *r);
void sgt_chip_text_over_time(FILE *fp, const struct sgt_chip_report *r);

/* Writes trace events for Chrome, without the brackets around them. The frame is a process with
 * tracks for the operations and a track for each class. Each slice of a class track is the most
 * frequent state in an interval, and a counter shows the utilization in percent. There is at most
 * one event per operation, and at most two events per class and interval. Returns false if
 * allocation fails.
 */
bool sgt_chip_timeline(FILE *fp, const struct sgt_chip_report *r);

#endif
