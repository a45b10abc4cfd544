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
   const char **captures;
   unsigned num_captures; /* 1; for --bench any number */
   struct sgt_config config;
   struct sim_sweep sweeps[SIM_MAX_SWEEPS];
   unsigned num_sweeps;
   uint64_t first_frame, last_frame;
   bool some_frames;
   const char *json, *csv, *csv_draws, *csv_intervals, *timeline, *wrong;
   const struct sim_microbenchmark *microbenchmark; /* or NULL */
   unsigned threads;                                /* at least 1 */
   uint64_t shuffle;                                /* seed of --shuffle-units; 0: none */
   bool sample;
   uint64_t sample_error;  /* millionths; 0: not given */
   uint64_t sample_frames; /* 0: as many as the error takes; UINT64_MAX: all */
   uint64_t sample_seed;
   bool sensitivity, verify, draws, over_time, force, quiet;
   bool list_params, bench, no_cpu_writes;
};

/* Returns -1, or the exit status: 0 after --help, 2 after a message. */
int sim_options_parse(struct sim_options *o, int argc, char **argv);
void sim_options_free(struct sim_options *o);

#endif
