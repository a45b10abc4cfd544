/* SPDX-License-Identifier: MIT */
/*
 * sgpu sim --sample: a whole program by some of its frames (docs/sampling.md).
 */
#ifndef SIM_SAMPLE_H
#define SIM_SAMPLE_H

#include <stdbool.h>
#include <stdint.h>

#include "sim.h"

/* What a capture asks for, frame by frame, without running any of it (sim_sample_scan.c). */

/* Bytes of a buffer, by its id in the capture. */
struct sim_scan_range {
   uint64_t buffer, begin, end;
};

struct sim_scan_submission {
   uint32_t frame;                   /* in scan->frames */
   uint64_t first_name, first_write; /* in scan->names, scan->writes */
   uint32_t num_names, num_writes;
   bool partial; /* it writes not only by draws and clears, which are taken to overwrite targets */
};

struct sim_scan_frame {
   uint64_t number; /* as the capture numbers it */
   uint32_t first_submission, num_submissions;
   uint64_t operations; /* draws, grids, transfers */
   uint64_t amount;     /* vertices and invocations */
   uint64_t picture;    /* hash of what it presents; 0: nothing */
};

#define SIM_SCAN_KINDS 256

struct sim_scan {
   struct sim_scan_frame *frames;           /* with a submission, in their order */
   struct sim_scan_submission *submissions; /* of the capture, in their order */
   uint64_t *names;                         /* buffers, by their ids */
   struct sim_scan_range *writes;           /* that may be written */
   uint64_t num_buffers;                    /* the highest id */
   /* [frames][kinds]: the work of each kind, which are programs and sizes of targets, in
    * vertices, invocations or blocks of 64 pixels.
    */
   uint32_t *work;
   uint32_t num_frames, num_submissions, num_kinds;
   char program[256];
};

/* False after a message. */
bool sim_scan_create(struct sim_scan *scan, const struct sim_options *o, const char *path);
void sim_scan_finish(struct sim_scan *scan);

/* Submissions that run so that those of the wanted frames have what they read: a value for each of
 * the scan.  What a frame names and does not write itself has to be there.  A submission is left out
 * if it writes nothing of that; without `all_writers`, also if a later one that runs writes the same
 * bytes, unless it is partial.  The lists of submissions do not tell all, so pictures are compared.
 * NULL: out of memory.
 */
bool *sim_scan_needed(const struct sim_scan *scan, const bool *wanted, bool all_writers);

/* A replay of some frames alone (sim_replay.c). */
struct sim_part {
   const struct sim_scan *scan;
   const bool *wanted; /* of each frame of the scan: it has a trace and work, and is handed over */
   const bool *needed; /* of each submission: it runs */
   bool whole;         /* all submissions are needed: another picture is an error */
   /* Wanted frames have ended: as many as there are threads, or the last ones; valid during the call.
    * Those with nothing in them are left out.  False, after a message, ends the replay.
    */
   bool (*frames)(void *data, const struct sim_frames *frames);
   void *data;
   /* Result: a wanted frame has another picture than at capture, or an error, as something that it
    * needs did not run.
    */
   bool strayed;
};

/* False after a message, or without one if the part has strayed. */
bool sim_replay_part(struct sim_part *part, const struct sim_options *o, const char *path);

/* sim_sample.c: the command.  The exit status after a message, or -1. */
int sim_sample_check(const struct sim_options *o);
/* False after a message. */
bool sim_sample(const struct sim_options *o, struct sim_outputs *out);

#endif
