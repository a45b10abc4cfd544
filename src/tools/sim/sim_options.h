/* SPDX-License-Identifier: MIT */
/*
 * Arguments of sgpu sim.
 */
#ifndef SIM_OPTIONS_H
#define SIM_OPTIONS_H

#include <stdbool.h>
#include <stdint.h>

#include "sim_sweep.h"

struct sim_microbenchmark;

struct sim_options {
   const char **captures; /* paths of captures, or names of microbenchmarks */
   unsigned num_captures; /* number of captures; 1 except for --bench and --microbenchmark */
   struct sgt_config config;
   struct sim_sweep sweeps[SIM_MAX_SWEEPS];
   unsigned num_sweeps;
   uint64_t first_frame, last_frame; /* first and last frame of --frame, inclusive */
   bool some_frames;                 /* --frame was given */
   /* Paths of output files, or NULL.  `wrong` is a directory. */
   const char *json, *csv, *csv_draws, *csv_intervals, *timeline, *wrong;
   const struct sim_microbenchmark *microbenchmark; /* microbenchmarks to run, or NULL */
   unsigned threads;                                /* number of threads, at least 1 */
   /* seed for --shuffle-units, or 0 if units are not shuffled */
   uint64_t shuffle;
   bool sample;
   uint64_t sample_error; /* maximum relative error in millionths, or 0 if not given */
   /* number of frames to sample; 0 to reach the requested error; UINT64_MAX for all frames */
   uint64_t sample_frames;
   uint64_t sample_seed;
   bool sensitivity, verify, draws, over_time, force, quiet;
   bool list_params, bench, no_cpu_writes;
};

/* Parses the command line.  Returns -1 on success.  Otherwise, returns the exit status: 0 after
 * --help, 2 after printing an error.
 */
int sim_options_parse(struct sim_options *o, int argc, char **argv);
void sim_options_free(struct sim_options *o);

#endif
