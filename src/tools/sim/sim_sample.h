/* SPDX-License-Identifier: MIT */
/* sgpu sim --sample: estimates the cycles of all frames in a capture by simulating some of them
 * (docs/sampling.md).
 */
#ifndef SIM_SAMPLE_H
#define SIM_SAMPLE_H

#include <stdbool.h>
#include <stdint.h>

#include "sim.h"

/* A scan determines the work in each frame of a capture without running the capture
 * (sim_sample_scan.c).
 */

/* A byte range in a buffer. */
struct sim_scan_range {
   /* ID of the buffer in the capture; byte offsets of the start and the end */
   uint64_t buffer, begin, end;
};

struct sim_scan_submission {
   uint32_t frame; /* index in scan->frames of the submission's frame */
   /* index of the submission's first entries in scan->names and scan->writes */
   uint64_t first_name, first_write;
   uint32_t num_names, num_writes;
   /* The submission may write only a part of its ranges, because it has operations other than draws
    * and clears, which are assumed to overwrite whole targets.
    */
   bool partial;
};

struct sim_scan_frame {
   uint64_t number; /* number of the frame in the capture */
   uint32_t first_submission, num_submissions;
   uint64_t operations; /* number of draws, grids and transfers in the frame */
   uint64_t amount;     /* number of vertices and compute invocations in the frame */
   uint64_t picture;    /* sum of the hashes of presented pictures, or 0 without pictures */
};

#define SIM_SCAN_KINDS 256

struct sim_scan {
   struct sim_scan_frame *frames;           /* frames that have submissions, in order */
   struct sim_scan_submission *submissions; /* all submissions of the capture, in order */
   /* buffer lists of all submissions, concatenated, as buffer IDs */
   uint64_t *names;
   /* byte ranges that each submission may write, concatenated */
   struct sim_scan_range *writes;
   uint64_t num_buffers; /* highest buffer ID */
   /* Amount of work as [num_frames][SIM_SCAN_KINDS], in vertices, invocations or blocks of 64
    * pixels.  Work of the same kind has the same programs and the same target size.
    */
   uint32_t *work;
   uint32_t num_frames, num_submissions, num_kinds;
   char program[256]; /* name of the captured program */
};

/* Scans a capture.  On failure, prints a message and returns false. */
bool sim_scan_create(struct sim_scan *scan, const struct sim_options *o, const char *path);
void sim_scan_finish(struct sim_scan *scan);

/* Returns an array with a flag for each submission: true if the submission must run, so that the
 * submissions of wanted frames read the right contents.  `wanted` has a flag for each frame.
 *
 * A wanted frame needs the contents of the buffers in its buffer lists, except for bytes that it
 * writes itself.  Submissions that write none of the needed contents are skipped.  If `all_writers`
 * is false, a submission that is not partial is also skipped if a later submission that runs writes
 * the same bytes.  The buffer lists are incomplete, so the pictures must be compared.  Returns NULL
 * on allocation failure.
 */
bool *sim_scan_needed(const struct sim_scan *scan, const bool *wanted, bool all_writers);

/* A replay of only some frames (sim_replay.c). */
struct sim_part {
   const struct sim_scan *scan;
   const bool *wanted; /* for each frame of the scan: whether the frame is passed to frames() */
   const bool *needed; /* for each submission of the scan: whether the submission runs */
   bool whole;         /* all submissions run, so a different picture is an error */
   /* Called with finished wanted frames: one frame per thread, or the remaining frames at the end.
    * Skips frames without items and pictures.  The frames are only valid during the call.  If the
    * callback prints a message and returns false, the replay ends.
    */
   bool (*frames)(void *data, const struct sim_frames *frames);
   void *data;
   /* Result: a wanted frame has an error, or its picture differs from the captured picture, because
    * a required submission was skipped.
    */
   bool strayed;
};

/* Replays a part of a capture.  Returns false after printing a message, or without a message if
 * part->strayed is set.
 */
bool sim_replay_part(struct sim_part *part, const struct sim_options *o, const char *path);

/* sim_sample.c */
/* Checks the options.  Returns -1, or prints a message and returns the exit status. */
int sim_sample_check(const struct sim_options *o);
/* Runs the command.  On failure, prints a message and returns false. */
bool sim_sample(const struct sim_options *o, struct sim_outputs *out);

#endif
