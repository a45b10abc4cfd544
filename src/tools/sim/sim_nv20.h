/* SPDX-License-Identifier: MIT */
/* Microbenchmarks of the vertex engine of 2001 (sim_nv20.c), measurements of vertex programs from
 * captures (sim_nv20_capture.c), and runs of whole frames (sim_nv20_frames.c).
 */
#ifndef SIM_NV20_H
#define SIM_NV20_H

#include "report/sgt_json.h"
#include "nv20/sgt_nv20.h"
#include "sim_sweep.h"

/* Number of vertices in a microbenchmark, number of vertices at its start that are not measured,
 * and number of measured vertices.  All of them are multiples of small numbers of threads and
 * buffers, so that patterns repeat.
 */
#define SIM_NV20_VERTICES 840
#define SIM_NV20_SKIPPED 240
#define SIM_NV20_MEASURED 480

struct sim_nv20_measured {
   /* number of cycles until the next stage has accepted SIM_NV20_MEASURED vertices */
   uint64_t cycles;
   struct sgt_nv20_result result; /* result for the whole stream */
};

/* Runs a stream of SIM_NV20_VERTICES vertices.  On failure, prints a message and returns false. */
bool sim_nv20_measure(const struct sgt_vertex_stream *stream, const struct sgt_nv20_params *params,
                      struct sim_nv20_measured *m);
/* Runs SIM_NV20_VERTICES identical vertices with a program.  On failure, prints a message and
 * returns false.
 */
bool sim_nv20_measure_program(const struct sgt_vertex_program *program,
                              const struct sgt_nv20_params *params, struct sim_nv20_measured *m);

/* Write a JSON object with the number of instructions per opcode, or per class of opcodes.  Opcodes
 * without instructions are left out.
 */
void sim_nv20_opcodes(struct sgt_json *j, const char *key,
                      const uint64_t counts[SGT_VERTEX_OPCODES + 1]);
void sim_nv20_classes(struct sgt_json *j, const char *key,
                      const uint64_t counts[SGT_VERTEX_OPCODES + 1]);

/* Writes member "counters", which contains all statistics.  Each statistic is a number, an object
 * with parts, or an array.  On failure, prints a message and returns false.
 */
bool sim_nv20_counters(struct sgt_json *j, const struct sgt_nv20_result *r);
/* Writes a JSON object with the vertex programs of a capture and the number of vertices of each
 * program.  On failure, prints a message and returns false.
 */
bool sim_nv20_capture(struct sgt_json *j, const char *path, const struct sgt_nv20_params *params);

#endif
