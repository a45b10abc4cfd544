/* SPDX-License-Identifier: MIT */
/*
 * Interface of the compute benchmarks, and functions that all benchmarks share.
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
   const char *text; /* description for the list of benchmarks */
   void (*prepare)(void);
   void (*frame)(void); /* submits one frame without waiting for it */
   bool (*check)(void); /* runs the first frames; returns true if their results are right */
};

extern const struct bench bench_particles, bench_blur, bench_reduction, bench_matrix, bench_scan;

/* Prints a message and exits. */
_Noreturn void bench_fail(const char *what);

/* Makes a core profile context without a surface current, and prints its renderer to stderr. */
void bench_make_context(int major, int minor);

/* Returns the time of CLOCK_MONOTONIC in seconds. */
double bench_now(void);

/* Runs frames, and waits for each one, until `seconds` have passed.  Returns the number of
 * frames and sets *elapsed to the seconds that they took.
 */
unsigned bench_run(void (*frame)(void), double seconds, double *elapsed);

/* Return a linked program.  Exit with a message if the sources do not compile. */
GLuint bench_program(const char *compute);
GLuint bench_draw_program(const char *vertex, const char *fragment);

/* Creates and binds a storage buffer of `size` bytes, with zeros if `data` is NULL. */
GLuint bench_buffer(unsigned binding, size_t size, const void *data);

void bench_read(GLuint buffer, size_t size, void *data);

/* Returns a pseudorandom number.  The sequence is the same in each run. */
uint32_t bench_random(void);

void *bench_alloc(size_t size);

#endif
