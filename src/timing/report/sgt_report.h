/* SPDX-License-Identifier: MIT */
/*
 * Reports of the 1999 engine's results as text, JSON, CSV and timelines. Cycles of accelerators are
 * exact integers; other values are quotients of them.
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
   uint64_t frame;                                    /* number of the frame in the capture */
   uint64_t operations, draws, items[SGT_ITEM_KINDS]; /* numbers of these; items per kind */
   uint64_t pixels;                                   /* number of pixels of primitives */
   uint64_t transfer_pixels;                          /* number of pixels of transfers */
   uint32_t width, height; /* size of the largest presented surface in pixels */
   uint64_t hash;          /* hash of the trace's events */
};

/* Names of the kinds of items, in the plural. */
extern const char *const sgt_item_kind_names[SGT_ITEM_KINDS];

void sgt_frame_facts_count(struct sgt_frame_facts *facts, uint64_t frame,
                           const struct sgt_trace *trace);

/* Computes the share of each part in the sum, in tenths of a percent. The shares add up to exactly
 * 1000: the parts with the largest remainders are rounded up; of equal remainders, the first. All
 * shares are 0 if the sum is 0. `num` is at most 32.
 */
void sgt_shares(const uint64_t *parts, unsigned num, uint32_t *shares);

/* Write members of a JSON object. */
void sgt_json_parameters(struct sgt_json *j, const struct sgt_config *config);
void sgt_json_facts(struct sgt_json *j, const struct sgt_frame_facts *facts);
/* Writes the result as members of the open object. */
void sgt_json_result(struct sgt_json *j, const struct sgt_trace *trace,
                     const struct sgt_engine_result *r, bool draws, bool over_time);

/* Write columns of CSV, each after a comma, and the end of the line. */
void sgt_csv_frame_header(FILE *fp);
void sgt_csv_frame(FILE *fp, const struct sgt_frame_facts *facts,
                   const struct sgt_engine_result *r);
/* Write a line per operation or per interval. Each line begins with `prefix`. */
void sgt_csv_draw_header(FILE *fp);
void sgt_csv_draws(FILE *fp, const char *prefix, const struct sgt_frame_facts *facts,
                   const struct sgt_trace *trace, const struct sgt_engine_result *r);
void sgt_csv_interval_header(FILE *fp);
void sgt_csv_intervals(FILE *fp, const char *prefix, const struct sgt_frame_facts *facts,
                       const struct sgt_engine_result *r);

/* Print the configuration, and details of a frame, as text. */
void sgt_text_config(FILE *fp, const struct sgt_config *c, const struct sgt_engine_result *r);
void sgt_text_frame(FILE *fp, const struct sgt_frame_facts *facts,
                    const struct sgt_engine_result *r);
void sgt_text_over_time(FILE *fp, const struct sgt_engine_result *r);
void sgt_text_draws(FILE *fp, const struct sgt_trace *trace, const struct sgt_engine_result *r);

/* A timeline in Chrome's trace-event format, which ui.perfetto.dev can display. A microsecond of
 * the viewer is a cycle. A process of the viewer is a frame. It has a track for each accelerator, a
 * track for the issue unit and for the fetch unit, and counters of candidates and of busy
 * accelerators.
 */
struct sgt_timeline;

/* Begins a timeline file. Returns NULL if out of memory. */
struct sgt_timeline *sgt_timeline_create(FILE *fp);
/* Begins a frame. Returns the observer for its run, which is valid until the next frame. */
struct sgt_engine_observer sgt_timeline_begin(struct sgt_timeline *t, uint64_t frame,
                                              const struct sgt_trace *trace, uint32_t accelerators);
/* Ends the file. Returns false if slices are missing because of lack of memory. */
bool sgt_timeline_finish(struct sgt_timeline *t);

#endif
