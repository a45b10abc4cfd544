/* SPDX-License-Identifier: MIT */
/* sgpu sim --sample: estimates the cycles of all frames in a capture by simulating some of them
 * (docs/sampling.md).
 */
#ifndef SIM_SAMPLE_H
#define SIM_SAMPLE_H

#include <stdbool.h>
#include <stdint.h>

#include "sim.h"

/* A scan determines how much work each frame of a capture has, without running the capture
 * (sim_sample_scan.c).
 */

/* A byte range in a buffer. */
struct sim_scan_range {
   /* buffer: ID of the buffer in the capture; begin, end: start and end of the range in bytes */
   uint64_t buffer, begin, end;
};

struct sim_scan_submission {
   uint32_t frame; /* index in scan->frames of the submission's frame */
   /* first_name, first_write: index of the submission's first entry in scan->names and scan->writes
    */
   uint64_t first_name, first_write;
   uint32_t num_names, num_writes;
   /* True if the submission may write only a part of its ranges.  Only draws and clears are assumed
    * to overwrite whole targets, so this is set for submissions with any other operation.
    */
   bool partial;
};

struct sim_scan_frame {
   uint64_t number; /* number of the frame in the capture */
   uint32_t first_submission, num_submissions;
   uint64_t operations; /* number of draws, grids and transfers in the frame */
   uint64_t amount;     /* number of vertices and compute invocations in the frame */
   uint64_t picture;    /* sum of the hashes of all presented pictures, or 0 if there are none */
};

#define SIM_SCAN_KINDS 256

struct sim_scan {
   struct sim_scan_frame *frames;           /* all frames that have submissions, in order */
   struct sim_scan_submission *submissions; /* all submissions of the capture, in order */
   /* concatenated buffer lists of all submissions, which consist of buffer IDs */
   uint64_t *names;
   /* concatenated lists of the byte ranges that each submission may write */
   struct sim_scan_range *writes;
   uint64_t num_buffers; /* highest buffer ID */
   /* Amount of work in each frame by kind, as an array [num_frames][SIM_SCAN_KINDS].  The unit is
    * vertices, invocations or blocks of 64 pixels.  Work of the same kind has the same programs and
    * the same target size.
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
   const bool *wanted; /* for each frame of the scan: true if it is passed to frames() */
   const bool *needed; /* for each submission of the scan: true if it runs */
   bool whole;         /* true if all submissions run, so that a different picture is an error */
   /* Called with wanted frames that are finished.  Each call passes one frame per thread, except
    * that the last call passes all remaining frames.  Frames without items and pictures are
    * skipped.  The frames are only valid during the call.  If the callback prints a message and
    * returns false, the replay ends.
    */
   bool (*frames)(void *data, const struct sim_frames *frames);
   void *data;
   /* Result: set if a wanted frame fails or has a different picture than the capture, because a
    * submission that it needs was skipped.
    */
   bool strayed;
};

/* Replays a part of a capture.  On failure, either prints a message or sets part->strayed, and
 * returns false.
 */
bool sim_replay_part(struct sim_part *part, const struct sim_options *o, const char *path);

/* sim_sample.c */
/* Checks the options.  Returns -1 if they are valid.  Otherwise, prints a message and returns the
 * exit status.
 */
int sim_sample_check(const struct sim_options *o);
/* Runs the command.  On failure, prints a message and returns false. */
bool sim_sample(const struct sim_options *o, struct sim_outputs *out);

#endif
