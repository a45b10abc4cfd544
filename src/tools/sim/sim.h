/* SPDX-License-Identifier: MIT */
/* sgpu sim: loads frames, simulates each frame at each point of a sweep, and writes the results. */
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
   /* instructions and memory accesses of the shader programs; NULL for the engine of 1999 */
   struct sgt_work *work;
   /* Traces that only have some of the items, indexed by the value of fetch.items.  A trace is NULL
    * if no point of the sweep uses its value.
    */
   struct sgt_trace *filtered[SGT_FETCH_ITEMS_TRIANGLES + 1];
   struct sgt_frame_facts facts;
   /* Data for --verify.  `image` has the contents of memory at the start and the end of the frame,
    * and `plan` is the plan for the audit of all items.
    */
   struct sgpu_shadow_image *image; /* NULL if only the schedule is audited */
   struct sgt_audit_plan *plan;
};

/* The frames of a capture.  Each frame has a separate trace, since the engine is empty between
 * frames.
 */
struct sim_frames {
   struct sim_frame *frames;
   uint32_t count;
   char program[256]; /* name of the captured program */
   /* Lowest and highest frame number in the capture, up to the last wanted frame. first_there is
    * greater than last_there if there is no frame.
    */
   uint64_t first_there, last_there;
};

/* Loads the frames that the options select.  If the capture does not contain them, loads no frames
 * and returns true.  On failure, prints a message to stderr and returns false.
 */
typedef bool sim_load(struct sim_frames *frames, const struct sim_options *o, const char *path);

/* Replays a capture on the functional device (sim_replay.c). */
bool sim_replay_load(struct sim_frames *frames, const struct sim_options *o, const char *path);
/* Adds a frame, which takes ownership of the trace.  If allocation fails, destroys the trace,
 * prints a message and returns false.
 */
bool sim_frames_add(struct sim_frames *frames, uint64_t number, struct sgt_trace *trace);
/* Records that the capture contains frame `number`. */
void sim_frames_see(struct sim_frames *frames, uint64_t number);
void sim_frames_free(struct sim_frames *frames);

/* Creates the traces that the configuration uses.  On failure, prints a message and returns false.
 */
bool sim_frames_filter(struct sim_frames *frames, const struct sgt_config *config);
/* Returns the trace that the configuration uses.  It has the same operations as the complete trace.
 */
const struct sgt_trace *sim_frame_trace(const struct sim_frame *frame,
                                        const struct sgt_config *config);

/* sim_filter.c */
/* Creates a trace with only those items that `items`, a value of fetch.items, selects.  Removes
 * sources that no remaining item writes.  The trace shares blocks and values with the complete
 * trace.  Returns NULL on allocation failure.
 */
struct sgt_trace *sim_filter_create(const struct sgt_trace *trace, uint64_t items);
void sim_filter_destroy(struct sgt_trace *t);

/* sim_verify.c */
struct sim_verified {
   struct sgt_shadow_report report;
   char *text; /* lines of the report, or NULL on allocation failure */
};

/* Creates the verification plans of all frames.  On failure, prints a message and returns false. */
bool sim_verify_prepare(struct sim_frames *frames);
/* Compares memory after a run, and writes the picture for --wrong.  Returns true even if there are
 * differences.  If the comparison is not possible, sets `error` and returns false.
 */
bool sim_verify_finish(struct sgt_shadow *shadow, const struct sim_frame *frame,
                       const struct sim_options *o, uint32_t point, struct sim_verified *v,
                       char *error, size_t error_size);
/* Creates a shadow memory to verify the run of a frame on a chip, and sets the observer in
 * `params`.  If the run can't be verified, sets `error` and returns NULL.
 */
struct sgt_chip_shadow *sim_verify_chip(const struct sim_frame *frame,
                                        struct sgt_chip_params *params, char *error,
                                        size_t error_size);
/* Prints the result of a verification.  Differences are printed to stderr.  If there are none, a
 * line is printed to stdout unless `quiet` is set.  Returns true if there are no differences.
 */
bool sim_verify_print(const struct sim_verified *v, const struct sim_frame *frame,
                      const struct sim_options *o, uint32_t point, bool quiet);
/* Writes member "verify" of a JSON object. */
void sim_verify_json(struct sgt_json *j, const struct sgt_shadow_report *r);

/* Two observers of the same run.  Both must have the callbacks `start` and `end`. */
struct sim_both {
   struct sgt_engine_observer first, second;
};
struct sgt_engine_observer sim_both_observe(struct sim_both *both);

/* Results for one point of a sweep. */
struct sim_result {
   struct sgt_engine_result *frames; /* results, one per frame */
   /* verification result of each frame, or NULL without --verify */
   struct sim_verified *verified;
   /* cycles: number of cycles of all frames; work: amount of work of all frames */
   uint64_t cycles, work;
};

struct sim_run {
   const struct sim_frames *frames;
   const struct sim_points *points;
   struct sim_result *results;
   uint64_t run_ns; /* CPU time in ns that all threads together spent in the engine */
};

/* Simulates all frames at all points of the sweep, using several threads, and prints progress to
 * stderr.  On failure, prints a message and returns false.
 */
bool sim_run_all(struct sim_run *run, const struct sim_options *o, struct sgt_timeline *timeline);
void sim_run_free(struct sim_run *run);
/* Returns true if --verify has found differences.  Ignores points that use the paper's rule for
 * breaking dependence chains (sgt_breaking.h), which produces wrong pixels.
 */
bool sim_run_is_wrong(const struct sim_run *run);

/* sim_report.c */
/* Output files that the options name. */
struct sim_outputs {
   struct sim_output json, csv, csv_draws, csv_intervals, timeline;
};
bool sim_outputs_open(struct sim_outputs *out, const struct sim_options *o);
bool sim_outputs_close(struct sim_outputs *out);
void sim_outputs_discard(struct sim_outputs *out);
/* Returns true if one of the output files is stdout.  In this case, no text is printed to stdout.
 */
bool sim_outputs_on_stdout(const struct sim_outputs *out);
/* Returns the file name without its directory, so that the output doesn't depend on where captures
 * are stored.
 */
const char *sim_base_name(const char *path);
/* Writes member "changes" of a JSON object, which has the configuration keys that a point changes
 * and their values.
 */
void sim_json_changes(struct sgt_json *j, const struct sim_point *point);
/* Returns the first cells of a CSV row: the name of the capture, and the values of the keys that
 * points change.  If `point` is UINT32_MAX, returns the titles of these columns instead.  The
 * caller must free the text.  Returns NULL on allocation failure.
 */
char *sim_make_cells(const struct sim_points *points, const char *capture, uint32_t point);
/* Prints the first columns of a table row: the values of the swept keys, or the names of the keys
 * if `config` is NULL.
 */
void sim_print_sweep(FILE *fp, const struct sim_options *o, const struct sgt_config *config);
/* Prints the table of --sensitivity, which compares the cycles of the points. */
void sim_print_sensitivity(const struct sim_points *points, const uint64_t *cycles);
/* Prints the results as text and writes the output files. */
void sim_report(const struct sim_run *run, const struct sim_options *o, struct sim_outputs *out);

/* Initializes *frames and calls `load`.  Returns false, after printing a message, if `load` fails
 * or loads no frames.
 */
bool sim_frames_load(struct sim_frames *frames, const struct sim_options *o, const char *path,
                     sim_load *load);

/* sim_bench.c */
/* Measures the number of simulated cycles per second.  Returns the exit status. */
int sim_bench(const struct sim_options *o, sim_load *load);

/* sim_chip.c: frames on a whole chip (chip.model=g80) */
/* Returns false, after printing a message, if the points are incompatible with the options. */
bool sim_chip_check(const struct sim_options *o, const struct sim_points *points);
/* Simulates all frames at all points, using several threads, prints the results as text and writes
 * the output files.  On failure, prints a message and returns false.  Sets *wrong to true if
 * --verify finds a difference.
 */
bool sim_chip_run(const struct sim_options *o, struct sim_frames *frames,
                  const struct sim_points *points, struct sim_outputs *out, bool *wrong);

/* sim_chip_bench.c */
/* Measures the number of simulated cycles per second with chip.model=g80.  Returns the exit status.
 */
int sim_chip_bench(const struct sim_options *o, sim_load *load);

/* sgpu sim for the frames of a capture with chip.model=nv20 (sim_nv20_frames.c).  Returns the exit
 * status.
 */
int sim_nv20_frames(const struct sim_options *o, const struct sim_points *points, sim_load *load);

/* Runs the command sgpu sim.  Returns the exit status. */
int sim_command(int argc, char **argv, sim_load *load);

#endif
