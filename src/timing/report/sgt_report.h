/* SPDX-License-Identifier: MIT */
/*
 * Reports of the 1999 engine's results as text, JSON, CSV and timelines. Accelerator cycles are
 * exact integers. All other values are quotients of these integers.
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

/* Summary of a frame's trace. */
struct sgt_frame_facts {
   uint64_t frame; /* index of the frame in the capture */
   /* number of operations, number of draws, and number of items of each kind */
   uint64_t operations, draws, items[SGT_ITEM_KINDS];
   uint64_t pixels;          /* number of pixels covered by primitives */
   uint64_t transfer_pixels; /* number of pixels in transfers */
   uint32_t width, height;   /* size in pixels of the largest presented surface */
   uint64_t hash;            /* hash of the trace's events */
};

/* Plural names of the item kinds. */
extern const char *const sgt_item_kind_names[SGT_ITEM_KINDS];

void sgt_frame_facts_count(struct sgt_frame_facts *facts, uint64_t frame,
                           const struct sgt_trace *trace);

/* Computes the share of each value in the sum of `parts`, in tenths of a percent. The values with
 * the largest remainders are rounded up, so that the shares add up to exactly 1000. If remainders
 * are equal, the first value is rounded up. All shares are 0 if the sum is 0. `num` is at most 32.
 */
void sgt_shares(const uint64_t *parts, unsigned num, uint32_t *shares);

/* These functions write members of the current JSON object. */
void sgt_json_parameters(struct sgt_json *j, const struct sgt_config *config);
void sgt_json_facts(struct sgt_json *j, const struct sgt_frame_facts *facts);
/* Writes the simulation result as members of the current object. */
void sgt_json_result(struct sgt_json *j, const struct sgt_trace *trace,
                     const struct sgt_engine_result *r, bool draws, bool over_time);

/* These functions write CSV columns, each preceded by a comma, and the end of the line. */
void sgt_csv_frame_header(FILE *fp);
void sgt_csv_frame(FILE *fp, const struct sgt_frame_facts *facts,
                   const struct sgt_engine_result *r);
/* These functions write one CSV line per operation or interval. Each line starts with `prefix`. */
void sgt_csv_draw_header(FILE *fp);
void sgt_csv_draws(FILE *fp, const char *prefix, const struct sgt_frame_facts *facts,
                   const struct sgt_trace *trace, const struct sgt_engine_result *r);
void sgt_csv_interval_header(FILE *fp);
void sgt_csv_intervals(FILE *fp, const char *prefix, const struct sgt_frame_facts *facts,
                       const struct sgt_engine_result *r);

/* These functions print the configuration and the details of a frame as text. */
void sgt_text_config(FILE *fp, const struct sgt_config *c, const struct sgt_engine_result *r);
void sgt_text_frame(FILE *fp, const struct sgt_frame_facts *facts,
                    const struct sgt_engine_result *r);
void sgt_text_over_time(FILE *fp, const struct sgt_engine_result *r);
void sgt_text_draws(FILE *fp, const struct sgt_trace *trace, const struct sgt_engine_result *r);

/* Timeline in Chrome's trace event format, which ui.perfetto.dev can display. One cycle is
 * displayed as one microsecond, and each frame is displayed as a process. A frame has a track for
 * each accelerator, one for the issue unit and one for the fetch unit. It also has counters for the
 * candidates and the busy accelerators.
 */
struct sgt_timeline;

/* Creates a timeline and writes the start of the file. Returns NULL if allocation fails. */
struct sgt_timeline *sgt_timeline_create(FILE *fp);
/* Begins a frame. Returns the observer for the simulation of this frame, which is valid until the
 * next frame begins.
 */
struct sgt_engine_observer sgt_timeline_begin(struct sgt_timeline *t, uint64_t frame,
                                              const struct sgt_trace *trace, uint32_t accelerators);
/* Writes the end of the file. Returns false if slices are missing because of a failed allocation.
 */
bool sgt_timeline_finish(struct sgt_timeline *t);

#endif
