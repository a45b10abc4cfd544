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
   unsigned num_captures; /* 1; any number for --bench and --microbenchmark */
   struct sgt_config config;
   struct sim_sweep sweeps[SIM_MAX_SWEEPS];
   unsigned num_sweeps;
   uint64_t first_frame, last_frame; /* range of --frame, inclusive */
   bool some_frames;                 /* --frame was given */
   /* Paths of files, or NULL; `wrong` is a folder. */
   const char *json, *csv, *csv_draws, *csv_intervals, *timeline, *wrong;
   const struct sim_microbenchmark *microbenchmark; /* microbenchmarks to run, or NULL */
   unsigned threads;                                /* number of threads, at least 1 */
   uint64_t shuffle;                                /* seed of --shuffle-units; 0: none */
   bool sample;
   uint64_t sample_error;  /* relative error in millionths, or 0 if not given */
   uint64_t sample_frames; /* number of frames; 0: as many as the error requires; UINT64_MAX: all */
   uint64_t sample_seed;
   bool sensitivity, verify, draws, over_time, force, quiet;
   bool list_params, bench, no_cpu_writes;
};

/* Returns -1 on success, or the exit status: 0 after --help, 2 after a message. */
int sim_options_parse(struct sim_options *o, int argc, char **argv);
void sim_options_free(struct sim_options *o);

#endif
