/* SPDX-License-Identifier: MIT */
/*
 * sgpu sim: loads frames, runs points on threads, writes results.
 */
#ifndef SIM_H
#define SIM_H

#include "sgpu_shadow.h"
#include "proof/sgt_chip_shadow.h"
#include "engine99/sgt_engine.h"
#include "report/sgt_report.h"
#include "proof/sgt_shadow.h"
#include "trace/sgt_trace.h"
#include "trace/sgt_work.h"

#include "sim_options.h"
#include "sim_output.h"
#include "sim_work.h"

struct sim_frame {
   uint64_t number;         /* number of the frame in the capture */
   struct sgt_trace *trace; /* trace with all items */
   struct sgt_work *work;   /* work of the programs, or NULL if the engine of 1999 is simulated */
   /* Traces with some of the items, by fetch.items; NULL if no point uses this value. */
   struct sgt_trace *filtered[SGT_FETCH_ITEMS_TRIANGLES + 1];
   struct sgt_frame_facts facts;
   /* For --verify: memory at the start and at the end of the frame, and the audit of all items. */
   struct sgpu_shadow_image *image; /* NULL: only the schedule is audited */
   struct sgt_audit_plan *plan;
};

/* The frames of a capture.  Each has a separate trace, since the engine is empty between frames. */
struct sim_frames {
   struct sim_frame *frames;
   uint32_t count;
   char program[256]; /* name of the captured program */
   /* Lowest and highest number of a frame of the capture, up to the last wanted frame.  first_there
    * is greater than last_there if there is none.
    */
   uint64_t first_there, last_there;
};

/* Loads the frames that the options select, or none if the capture does not have them.  Returns
 * false after a message on stderr.
 */
typedef bool sim_load(struct sim_frames *frames, const struct sim_options *o, const char *path);

/* Replays a capture on the functional device (sim_replay.c). */
bool sim_replay_load(struct sim_frames *frames, const struct sim_options *o, const char *path);
/* Adds a frame, which then owns the trace.  Destroys the trace and returns false after a message if
 * out of memory.
 */
bool sim_frames_add(struct sim_frames *frames, uint64_t number, struct sgt_trace *trace);
/* Records that the capture has frame `number`. */
void sim_frames_see(struct sim_frames *frames, uint64_t number);
void sim_frames_free(struct sim_frames *frames);

/* Makes the traces that the configuration uses.  Returns false after a message. */
bool sim_frames_filter(struct sim_frames *frames, const struct sgt_config *config);
/* Returns the trace that the configuration uses.  It has the same operations as the whole trace. */
const struct sgt_trace *sim_frame_trace(const struct sim_frame *frame,
                                        const struct sgt_config *config);

/* sim_filter.c */
/* Creates a trace with the items that a value of fetch.items selects, and without sources that no
 * item writes any more.  It shares blocks and values with the whole trace.  Returns NULL if out of
 * memory.
 */
struct sgt_trace *sim_filter_create(const struct sgt_trace *trace, uint64_t items);
void sim_filter_destroy(struct sgt_trace *t);

/* sim_verify.c */
struct sim_verified {
   struct sgt_shadow_report report;
   char *text; /* report as lines of text, or NULL if out of memory */
};

/* Makes the plans of all frames.  Returns false after a message. */
bool sim_verify_prepare(struct sim_frames *frames);
/* Compares memory after a run, and writes the picture for --wrong.  Returns false and sets `error`
 * if that was not possible.  Differences are not a failure.
 */
bool sim_verify_finish(struct sgt_shadow *shadow, const struct sim_frame *frame,
                       const struct sim_options *o, uint32_t point, struct sim_verified *v,
                       char *error, size_t error_size);
/* Creates a shadow for a run of a chip on a frame, and sets the observer in `params`.  Returns NULL
 * and sets `error` if the run cannot be verified.
 */
struct sgt_chip_shadow *sim_verify_chip(const struct sim_frame *frame,
                                        struct sgt_chip_params *params, char *error,
                                        size_t error_size);
/* Prints the result of a verification: differences to stderr; otherwise a line to stdout unless
 * `quiet`.  Returns true if there are no differences.
 */
bool sim_verify_print(const struct sim_verified *v, const struct sim_frame *frame,
                      const struct sim_options *o, uint32_t point, bool quiet);
/* Writes the member "verify" of an object. */
void sim_verify_json(struct sgt_json *j, const struct sgt_shadow_report *r);

/* Two observers of one run.  Both must have `start` and `end`. */
struct sim_both {
   struct sgt_engine_observer first, second;
};
struct sgt_engine_observer sim_both_observe(struct sim_both *both);

/* Results of a point. */
struct sim_result {
   struct sgt_engine_result *frames; /* result of each frame */
   struct sim_verified *verified;    /* verification of each frame, or NULL without --verify */
   uint64_t cycles, work;            /* sums over the frames */
};

struct sim_run {
   const struct sim_frames *frames;
   const struct sim_points *points;
   struct sim_result *results;
   uint64_t run_ns; /* CPU time of all threads in the engine, in ns */
};

/* Runs all points on threads, with progress on stderr.  Returns false after a message. */
bool sim_run_all(struct sim_run *run, const struct sim_options *o, struct sgt_timeline *timeline);
void sim_run_free(struct sim_run *run);
/* Returns true if --verify found differences.  Ignores points with the paper's rule for breaking,
 * which gives wrong pixels.
 */
bool sim_run_is_wrong(const struct sim_run *run);

/* sim_report.c */
/* The output files that the options name. */
struct sim_outputs {
   struct sim_output json, csv, csv_draws, csv_intervals, timeline;
};
bool sim_outputs_open(struct sim_outputs *out, const struct sim_options *o);
bool sim_outputs_close(struct sim_outputs *out);
void sim_outputs_discard(struct sim_outputs *out);
/* Returns true if one of the files is stdout.  No text is printed then. */
bool sim_outputs_on_stdout(const struct sim_outputs *out);
/* Returns the name of a file without its folder, so that the output does not depend on the folder
 * of the captures.
 */
const char *sim_base_name(const char *path);
/* Writes the member "changes" of an object: the keys and values that a point changes in the
 * configuration.
 */
void sim_json_changes(struct sgt_json *j, const struct sim_point *point);
/* Returns the first cells of a row of CSV: the capture, and the values of the keys that points
 * change.  If `point` is UINT32_MAX, returns the titles of these columns.  The caller must free the
 * text.  Returns NULL if out of memory.
 */
char *sim_make_cells(const struct sim_points *points, const char *capture, uint32_t point);
/* Prints the first columns of a table: the values of the swept keys, or their names if `config` is
 * NULL.
 */
void sim_print_sweep(FILE *fp, const struct sim_options *o, const struct sgt_config *config);
/* Prints the table of --sensitivity from the cycles of each point. */
void sim_print_sensitivity(const struct sim_points *points, const uint64_t *cycles);
/* Writes the text and the files. */
void sim_report(const struct sim_run *run, const struct sim_options *o, struct sim_outputs *out);

/* Initializes *frames and calls `load`.  Returns false after a message, or if there is no frame. */
bool sim_frames_load(struct sim_frames *frames, const struct sim_options *o, const char *path,
                     sim_load *load);

/* sim_bench.c */
/* Measures simulated cycles per second.  Returns the exit status. */
int sim_bench(const struct sim_options *o, sim_load *load);

/* sim_chip.c: frames on a whole chip, chip.model=g80 */
/* Returns false after a message if the points do not fit the options. */
bool sim_chip_check(const struct sim_options *o, const struct sim_points *points);
/* Runs all points on threads, and writes the text and the files.  Returns false after a message.
 * Sets *wrong to true if --verify finds a difference.
 */
bool sim_chip_run(const struct sim_options *o, struct sim_frames *frames,
                  const struct sim_points *points, struct sim_outputs *out, bool *wrong);

/* sim_chip_bench.c */
/* Measures simulated cycles per second on chip.model=g80.  Returns the exit status. */
int sim_chip_bench(const struct sim_options *o, sim_load *load);

/* sim_nv20_frames.c: the frames of a capture on chip.model=nv20.  Returns the exit status. */
int sim_nv20_frames(const struct sim_options *o, const struct sim_points *points, sim_load *load);

/* The command; returns the exit status. */
int sim_command(int argc, char **argv, sim_load *load);

#endif
