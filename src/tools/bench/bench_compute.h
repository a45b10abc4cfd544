/* SPDX-License-Identifier: MIT */
/*
 * Benchmarks of compute programs: what each one is.
 */
#ifndef BENCH_COMPUTE_H
#define BENCH_COMPUTE_H

#define GL_GLEXT_PROTOTYPES
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <GL/gl.h>
#include <GL/glext.h>

struct bench {
   const char *name;
   const char *text; /* what it does, for the list */
   void (*prepare)(void);
   void (*frame)(void); /* one frame, without waiting for it */
   bool (*check)(void); /* whether the first frames' results are right */
};

extern const struct bench bench_particles, bench_blur, bench_reduction, bench_matrix, bench_scan;

/* Ends the tool with a message. */
_Noreturn void bench_fail(const char *what);

/* A context of a core profile, without a surface; its renderer goes to standard error. */
void bench_make_context(int major, int minor);

/* Seconds of CLOCK_MONOTONIC. */
double bench_now(void);

/* Frames until `seconds` have passed, each waited for; *elapsed is what they took. */
unsigned bench_run(void (*frame)(void), double seconds, double *elapsed);

/* A linked program; ends the tool with a message if the sources are wrong. */
GLuint bench_program(const char *compute);
GLuint bench_draw_program(const char *vertex, const char *fragment);

/* A storage buffer at a binding; without data, zeros.  Sizes in bytes. */
GLuint bench_buffer(unsigned binding, size_t size, const void *data);

void bench_read(GLuint buffer, size_t size, void *data);

/* The same numbers in each run. */
uint32_t bench_random(void);

void *bench_alloc(size_t size);

#endif
