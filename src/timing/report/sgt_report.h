/* SPDX-License-Identifier: MIT */
/*
 * Results of the engine for people, programs and viewers.  Cycles of accelerators are exact
 * integers; everything else is a quotient of them.
 */
#ifndef SGT_REPORT_H
#define SGT_REPORT_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "config/sgt_config.h"
#include "engine99/sgt_engine.h"
#include "report/sgt_json.h"
#include "trace/sgt_trace.h"

/* What a frame's trace has. */
struct sgt_frame_facts {
   uint64_t frame; /* as the capture numbers it */
   uint64_t operations, draws, items[SGT_ITEM_KINDS];
   uint64_t pixels;          /* of primitives */
   uint64_t transfer_pixels; /* of transfers */
   uint32_t width, height;
   uint64_t hash;
};

extern const char *const sgt_item_kind_names[SGT_ITEM_KINDS]; /* in the plural */

void sgt_frame_facts_count(struct sgt_frame_facts *facts, uint64_t frame,
                           const struct sgt_trace *trace);

/* Shares of the sum in tenths of a percent that add up to 1000: the largest remainders are
 * rounded up, of equal ones the first.  All are 0 if the sum is 0.  At most 32 parts.
 */
void sgt_shares(const uint64_t *parts, unsigned num, uint32_t *shares);

/* Members of JSON. */
void sgt_json_parameters(struct sgt_json *j, const struct sgt_config *config);
void sgt_json_facts(struct sgt_json *j, const struct sgt_frame_facts *facts);
/* Members of an object that is open. */
void sgt_json_result(struct sgt_json *j, const struct sgt_trace *trace,
                     const struct sgt_engine_result *r, bool draws, bool over_time);

/* Columns of CSV, each after a comma, and the line's end. */
void sgt_csv_frame_header(FILE *fp);
void sgt_csv_frame(FILE *fp, const struct sgt_frame_facts *facts,
                   const struct sgt_engine_result *r);
/* A line per operation, per interval; each begins with `prefix`. */
void sgt_csv_draw_header(FILE *fp);
void sgt_csv_draws(FILE *fp, const char *prefix, const struct sgt_frame_facts *facts,
                   const struct sgt_trace *trace, const struct sgt_engine_result *r);
void sgt_csv_interval_header(FILE *fp);
void sgt_csv_intervals(FILE *fp, const char *prefix, const struct sgt_frame_facts *facts,
                       const struct sgt_engine_result *r);

/* A frame in detail. */
void sgt_text_config(FILE *fp, const struct sgt_config *c, const struct sgt_engine_result *r);
void sgt_text_frame(FILE *fp, const struct sgt_frame_facts *facts,
                    const struct sgt_engine_result *r);
void sgt_text_over_time(FILE *fp, const struct sgt_engine_result *r);
void sgt_text_draws(FILE *fp, const struct sgt_trace *trace, const struct sgt_engine_result *r);

/*
 * Timelines: Chrome's trace-event format, which ui.perfetto.dev shows.  A microsecond of the
 * viewer is a cycle.  A track per accelerator, one of the issue unit, one of the fetch unit,
 * and counters of candidates and of busy accelerators.  A process of the viewer is a frame.
 */
struct sgt_timeline;

/* Begins the file.  NULL: out of memory. */
struct sgt_timeline *sgt_timeline_create(FILE *fp);
/* The observer of a frame's run, until the next frame. */
struct sgt_engine_observer sgt_timeline_begin(struct sgt_timeline *t, uint64_t frame,
                                              const struct sgt_trace *trace, uint32_t accelerators);
/* Ends the file; false if memory ran out and slices are missing. */
bool sgt_timeline_finish(struct sgt_timeline *t);

#endif
