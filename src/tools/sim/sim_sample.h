/* SPDX-License-Identifier: MIT */
/*
 * sgpu sim --sample: estimates the cycles of all frames of a capture from some of them
 * (docs/sampling.md).
 */
#ifndef SIM_SAMPLE_H
#define SIM_SAMPLE_H

#include <stdbool.h>
#include <stdint.h>

#include "sim.h"

/* A scan is the work of each frame of a capture, found without running the capture
 * (sim_sample_scan.c).
 */

/* A range of bytes of a buffer. */
struct sim_scan_range {
   uint64_t buffer, begin, end; /* id of the buffer in the capture; offsets in bytes */
};

struct sim_scan_submission {
   uint32_t frame;                   /* index in scan->frames */
   uint64_t first_name, first_write; /* indices in scan->names and scan->writes */
   uint32_t num_names, num_writes;
   /* The submission may write only a part of its ranges, because it has operations other than draws
    * and clears.  Draws and clears are assumed to overwrite whole targets.
    */
   bool partial;
};

struct sim_scan_frame {
   uint64_t number; /* number of the frame in the capture */
   uint32_t first_submission, num_submissions;
   uint64_t operations; /* number of draws, grids and transfers */
   uint64_t amount;     /* number of vertices and invocations */
   uint64_t picture;    /* sum of the hashes of presented pictures, or 0 */
};

#define SIM_SCAN_KINDS 256

struct sim_scan {
   struct sim_scan_frame *frames;           /* frames with a submission, in order */
   struct sim_scan_submission *submissions; /* all submissions of the capture, in order */
   uint64_t *names;                         /* ids of buffers in the lists of submissions */
   struct sim_scan_range *writes;           /* ranges that submissions may write */
   uint64_t num_buffers;                    /* highest id of a buffer */
   /* Amount of work as [num_frames][SIM_SCAN_KINDS], in vertices, invocations or blocks of 64
    * pixels.  Work of one kind has the same programs and size of the targets.
    */
   uint32_t *work;
   uint32_t num_frames, num_submissions, num_kinds;
   char program[256]; /* name of the captured program */
};

/* Returns false after a message. */
bool sim_scan_create(struct sim_scan *scan, const struct sim_options *o, const char *path);
void sim_scan_finish(struct sim_scan *scan);

/* Returns an array with a value for each submission: true if the submission must run, so that the
 * submissions of wanted frames read the right contents.  `wanted` has a value for each frame.
 *
 * A wanted frame needs the contents of the buffers in its lists, except those that it writes
 * itself.  A submission that writes none of the needed contents does not run.  Without
 * `all_writers`, a submission that is not partial does not run either if a later one that runs
 * writes the same bytes.  The lists of submissions are incomplete, so the pictures must be
 * compared.  Returns NULL if out of memory.
 */
bool *sim_scan_needed(const struct sim_scan *scan, const bool *wanted, bool all_writers);

/* A replay of some frames only (sim_replay.c). */
struct sim_part {
   const struct sim_scan *scan;
   const bool *wanted; /* for each frame of the scan: the frame is passed to frames() */
   const bool *needed; /* for each submission of the scan: the submission runs */
   bool whole;         /* all submissions run, so a different picture is an error */
   /* Called with wanted frames that have ended: as many as there are threads, or the last ones.
    * Omits frames without items and pictures.  The frames are valid during the call.  If it returns
    * false, after a message, the replay ends.
    */
   bool (*frames)(void *data, const struct sim_frames *frames);
   void *data;
   /* Result: a wanted frame has an error, or its picture differs from that at capture, because a
    * submission that it depends on did not run.
    */
   bool strayed;
};

/* Returns false after a message, or without a message if part->strayed. */
bool sim_replay_part(struct sim_part *part, const struct sim_options *o, const char *path);

/* sim_sample.c */
/* Checks the options.  Returns -1, or the exit status after a message. */
int sim_sample_check(const struct sim_options *o);
/* Runs the command.  Returns false after a message. */
bool sim_sample(const struct sim_options *o, struct sim_outputs *out);

#endif
