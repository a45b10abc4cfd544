/* SPDX-License-Identifier: MIT */
/* Interface of the compute benchmarks, and functions shared by all benchmarks. */
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
   const char *text; /* description in the list of benchmarks */
   void (*prepare)(void);
   void (*frame)(void); /* submits a frame without waiting until it is complete */
   bool (*check)(void); /* runs the first frames and returns true if their results are correct */
};

extern const struct bench bench_particles, bench_blur, bench_reduction, bench_matrix, bench_scan;

/* Prints an error message and exits. */
_Noreturn void bench_fail(const char *what);

/* Makes a surfaceless core profile context current, and prints its renderer to stderr. */
void bench_make_context(int major, int minor);

/* Returns the current time in seconds (CLOCK_MONOTONIC). */
double bench_now(void);

/* Runs frames until `seconds` have passed, waiting for each frame.  Returns the number of frames,
 * and sets *elapsed to their total time in seconds.
 */
unsigned bench_run(void (*frame)(void), double seconds, double *elapsed);

/* Return a linked program.  If it does not compile or link, exit with a message. */
GLuint bench_program(const char *compute);
GLuint bench_draw_program(const char *vertex, const char *fragment);

/* Creates and binds a storage buffer of `size` bytes.  If `data` is NULL, fills it with zeros. */
GLuint bench_buffer(unsigned binding, size_t size, const void *data);

void bench_read(GLuint buffer, size_t size, void *data);

/* Returns a pseudorandom number.  The sequence is the same in each run. */
uint32_t bench_random(void);

void *bench_alloc(size_t size);

#endif
