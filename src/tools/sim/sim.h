/* SPDX-License-Identifier: MIT */
/*
 * sgpu sim: loads frames, runs points on threads, writes results.
 */
#ifndef SIM_H
#define SIM_H

#include "sgpu_shadow.h"
#include "sgt_chip_shadow.h"
#include "sgt_engine.h"
#include "sgt_report.h"
#include "sgt_shadow.h"
#include "sgt_trace.h"
#include "sgt_work.h"

#include "sim_options.h"
#include "sim_output.h"
#include "sim_work.h"

struct sim_frame {
   uint64_t number;         /* as the capture numbers it */
   struct sgt_trace *trace; /* all items */
   struct sgt_work *work;   /* beside it; NULL: the points run the engine of 1999 */
   /* By fetch.items; NULL: no point wants it. */
   struct sgt_trace *filtered[SGT_FETCH_ITEMS_TRIANGLES + 1];
   struct sgt_frame_facts facts;
   /* With --verify: memory at the begin and at the end, and the audit of all items. */
   struct sgpu_shadow_image *image; /* NULL: only the schedule is audited */
   struct sgt_audit_plan *plan;
};

/* The frames of a capture, each with a trace of its own: the engine is empty between frames. */
struct sim_frames {
   struct sim_frame *frames;
   uint32_t count;
   char program[256];
   /* Frames of the capture up to the last wanted one; first > last: none. */
   uint64_t first_there, last_there;
};

/* Loads the frames that the options want; none if they are not there.  False after a message on
 * stderr.
 */
typedef bool sim_load(struct sim_frames *frames, const struct sim_options *o, const char *path);

/* Replays a capture on the functional device (sim_replay.c). */
bool sim_replay_load(struct sim_frames *frames, const struct sim_options *o, const char *path);
/* Adds a frame; owns the trace, also on failure. */
bool sim_frames_add(struct sim_frames *frames, uint64_t number, struct sgt_trace *trace);
/* The capture has this frame. */
void sim_frames_see(struct sim_frames *frames, uint64_t number);
void sim_frames_free(struct sim_frames *frames);

/* Makes the traces that the configuration runs.  False after a message. */
bool sim_frames_filter(struct sim_frames *frames, const struct sgt_config *config);
/* The trace that the configuration runs; its operations are those of the whole trace. */
const struct sgt_trace *sim_frame_trace(const struct sim_frame *frame,
                                        const struct sgt_config *config);

/* sim_filter.c: a trace with some items, by the value of fetch.items, and without sources that
 * no item writes any more.  It shares blocks and values with the whole trace.  NULL: out of memory.
 */
struct sgt_trace *sim_filter_create(const struct sgt_trace *trace, uint64_t items);
void sim_filter_destroy(struct sgt_trace *t);

/* sim_verify.c */
struct sim_verified {
   struct sgt_shadow_report report;
   char *text; /* lines for people */
};

/* Makes the plans of all frames.  False after a message. */
bool sim_verify_prepare(struct sim_frames *frames);
/* Compares after a run, and writes the picture that --wrong wants.  False, with a message, if
 * that was not possible; differences are no failure.
 */
bool sim_verify_finish(struct sgt_shadow *shadow, const struct sim_frame *frame,
                       const struct sim_options *o, uint32_t point, struct sim_verified *v,
                       char *error, size_t error_size);
/* For a run of a chip on a frame, an observer in params.  NULL, with a message: it cannot be
 * verified.
 */
struct sgt_chip_shadow *sim_verify_chip(const struct sim_frame *frame,
                                        struct sgt_chip_params *params, char *error,
                                        size_t error_size);
/* A line of text, or what is wrong: that goes to stderr, the line only if it is not `quiet`.
 * Returns whether the run is right.
 */
bool sim_verify_print(const struct sim_verified *v, const struct sim_frame *frame,
                      const struct sim_options *o, uint32_t point, bool quiet);
/* The member "verify" of an object. */
void sim_verify_json(struct sgt_json *j, const struct sgt_shadow_report *r);

/* Two observers of one run; the second has starts and ends at least. */
struct sim_both {
   struct sgt_engine_observer first, second;
};
struct sgt_engine_observer sim_both_observe(struct sim_both *both);

/* A point's results. */
struct sim_result {
   struct sgt_engine_result *frames; /* as in sim_frames */
   struct sim_verified *verified;    /* likewise; NULL without --verify */
   uint64_t cycles, work;            /* sums */
};

struct sim_run {
   const struct sim_frames *frames;
   const struct sim_points *points;
   struct sim_result *results;
   uint64_t run_ns; /* time of threads in the engine */
};

/* Runs all points, on threads, with progress on stderr.  False after a message. */
bool sim_run_all(struct sim_run *run, const struct sim_options *o, struct sgt_timeline *timeline);
void sim_run_free(struct sim_run *run);
/* Whether --verify found what the configuration does not allow: the paper's rule for breaking
 * gives wrong pixels.
 */
bool sim_run_is_wrong(const struct sim_run *run);

/* sim_report.c: the text and the files that the options name. */
struct sim_outputs {
   struct sim_output json, csv, csv_draws, csv_intervals, timeline;
};
bool sim_outputs_open(struct sim_outputs *out, const struct sim_options *o);
bool sim_outputs_close(struct sim_outputs *out);
void sim_outputs_discard(struct sim_outputs *out);
/* Whether one of them is stdout: then there is no text for people. */
bool sim_outputs_on_stdout(const struct sim_outputs *out);
/* Names of files without their folders: the same output wherever the captures are. */
const char *sim_base_name(const char *path);
/* The member "changes" of an object: what a point has changed in the configuration. */
void sim_json_changes(struct sgt_json *j, const struct sim_point *point);
/* The first cells of a row of CSV: the capture and the values of the keys that points change.
 * `point` UINT32_MAX: their titles.  The caller frees it.  NULL: out of memory.
 */
char *sim_make_cells(const struct sim_points *points, const char *capture, uint32_t point);
/* The first columns of a table: values of the swept keys; NULL: their names. */
void sim_print_sweep(FILE *fp, const struct sim_options *o, const struct sgt_config *config);
/* The table of --sensitivity, from the cycles of each point. */
void sim_print_sensitivity(const struct sim_points *points, const uint64_t *cycles);
void sim_report(const struct sim_run *run, const struct sim_options *o, struct sim_outputs *out);

/* Calls `load`; false after a message also if no frame is there.  *frames needs no values. */
bool sim_frames_load(struct sim_frames *frames, const struct sim_options *o, const char *path,
                     sim_load *load);

/* sim_bench.c: simulated cycles a second.  Returns the exit status. */
int sim_bench(const struct sim_options *o, sim_load *load);

/* sim_chip.c: frames on a whole chip, chip.model=g80.  Whether the options are those that it has;
 * if not, false after a message.
 */
bool sim_chip_check(const struct sim_options *o, const struct sim_points *points);
/* Runs all points on threads, and writes the text and the files.  False after a message.  *wrong
 * becomes true if --verify finds a difference.
 */
bool sim_chip_run(const struct sim_options *o, struct sim_frames *frames,
                  const struct sim_points *points, struct sim_outputs *out, bool *wrong);

/* sim_chip_bench.c: simulated cycles a second on chip.model=g80.  Returns the exit status. */
int sim_chip_bench(const struct sim_options *o, sim_load *load);

/* sim_nv20.c: --microbenchmark nv20 at all points, and the vertex programs of the captures.  False
 * after a message.
 */
bool sim_nv20(const struct sim_options *o, const struct sim_points *points, FILE *fp);

/* sim_via.c: --microbenchmark via at all points, or the frames of captures instead.  False after a
 * message.
 */
bool sim_via(const struct sim_options *o, const struct sim_points *points, sim_load *load,
             FILE *fp);

/* sim_nv20_frames.c: the frames of a capture on chip.model=nv20.  Returns the exit status. */
int sim_nv20_frames(const struct sim_options *o, const struct sim_points *points, sim_load *load);

/* sim_tesla.c: --microbenchmark tesla at all points, or those benchmarks that stand in the place of
 * captures.  False after a message.
 */
bool sim_tesla(const struct sim_options *o, const struct sim_points *points, FILE *fp);

/* The command; returns the exit status. */
int sim_command(int argc, char **argv, sim_load *load);

#endif
