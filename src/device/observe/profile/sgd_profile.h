/* SPDX-License-Identifier: MIT */
/*
 * Profiler: samples what the threads of a process execute, and adds up how long they wait.
 *
 * Each thread gets a signal after each 2.5 ms of its CPU time. The handler stores a sample:
 * the program counter and, for threads that run work, the operation, the program and the
 * instruction (sgd_position.h). A process has one profiler, which starts with its first device and
 * never ends. Everything is off unless SGPU_DEBUG has the option profile=FOLDER.
 */
#ifndef SGD_PROFILE_H
#define SGD_PROFILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "common/sgd_position.h"

struct sgd_profile;
struct sgd_worker;

/* Returns the process's profiler, and starts it if necessary. The files are FOLDER/PID.samples and
 * FOLDER/PID.text. Prints a message and returns NULL if that is not possible.
 */
struct sgd_profile *sgd_profile_get(const char *folder);
/* Called before and after a fork. Forked children aren't profiled. */
void sgd_profile_before_fork(uint64_t deadline);
void sgd_profile_after_fork(void);
void sgd_profile_after_fork_child(void);
/* Returns the signal of the profiler, which threads must not block, or 0 if there is none. */
int sgd_profile_signal(void);

/* In the functions below, `profile` may be NULL. They then do nothing. */
/* The calling thread runs work as this worker from now on, or as none if `worker` is NULL. */
void sgd_profile_thread(struct sgd_profile *profile, struct sgd_worker *worker);
/* Returns the index of the name of an activity. The name must be a literal. */
unsigned sgd_profile_name(struct sgd_profile *profile, const char *name);
/* Adds the time of an activity of the calling thread. */
void sgd_profile_span(struct sgd_profile *profile, const char *name, uint64_t ns);
/* Returns the number of frames that have been presented. */
uint32_t sgd_profile_frames(struct sgd_profile *profile);
/* Called when a frame is presented. */
void sgd_profile_frame(struct sgd_profile *profile);
/* Adds what the counters of a device have grown by. `before` has their values at the last call for
 * the device, and is brought up to date.
 */
void sgd_profile_count(struct sgd_profile *profile, const uint64_t *values, uint64_t *before,
                       unsigned count);

/* Adds a line to the text. This is a single write, so that lines of threads don't get mixed. */
void sgd_profile_text(struct sgd_profile *profile, const char *line, size_t size);
/* Writes a string of JSON, in quotes, without control characters. */
void sgd_profile_put_string(FILE *fp, const char *text);
/* Counts an operation of the shape with this hash. Returns the index of the shape, and sets *fresh
 * if the caller must describe it with a line of text.
 */
uint32_t sgd_profile_shape(struct sgd_profile *profile, uint64_t hash, bool *fresh);

/* Implements sgd_position.texture. */
void sgd_profile_texture(struct sgd_worker *worker, const struct sgd_ins *ins,
                         const struct sgd_texture *texture, const struct sgd_sampler *sampler,
                         const struct sgd_tex_op *op, uint32_t active);

#endif
