/* SPDX-License-Identifier: MIT */
/*
 * Microbenchmarks of the vertex engine of 2001 (sim_nv20.c), vertex programs of captures on it
 * (sim_nv20_capture.c), and frames (sim_nv20_frames.c).
 */
#ifndef SIM_NV20_H
#define SIM_NV20_H

#include "report/sgt_json.h"
#include "nv20/sgt_nv20.h"
#include "sim_sweep.h"

/* Number of vertices of a microbenchmark; number of leading vertices that are not measured; number
 * of vertices whose cycles are measured.  They are multiples of small numbers of threads and
 * buffers, so that patterns repeat.
 */
#define SIM_NV20_VERTICES 840
#define SIM_NV20_SKIPPED 240
#define SIM_NV20_MEASURED 480

struct sim_nv20_measured {
   uint64_t cycles; /* cycles in which the next stage took SIM_NV20_MEASURED vertices */
   struct sgt_nv20_result result; /* result of the whole stream */
};

/* Runs a stream of SIM_NV20_VERTICES vertices.  Returns false after a message. */
bool sim_nv20_measure(const struct sgt_vertex_stream *stream, const struct sgt_nv20_params *params,
                      struct sim_nv20_measured *m);
/* Runs a stream of SIM_NV20_VERTICES vertices of a program, which are all alike.  Returns false
 * after a message.
 */
bool sim_nv20_measure_program(const struct sgt_vertex_program *program,
                              const struct sgt_nv20_params *params, struct sim_nv20_measured *m);

/* Write an object with the numbers of instructions by operation, without zeros, or by class. */
void sim_nv20_opcodes(struct sgt_json *j, const char *key,
                      const uint64_t counts[SGT_VERTEX_OPCODES + 1]);
void sim_nv20_classes(struct sgt_json *j, const char *key,
                      const uint64_t counts[SGT_VERTEX_OPCODES + 1]);

/* Writes the member "counters" with all statistics.  Each is a number, an object of parts, or an
 * array.  Returns false after a message.
 */
bool sim_nv20_counters(struct sgt_json *j, const struct sgt_nv20_result *r);
/* Writes an object with the vertex programs of a capture and their numbers of vertices. Returns
 * false after a message.
 */
bool sim_nv20_capture(struct sgt_json *j, const char *path, const struct sgt_nv20_params *params);

#endif
