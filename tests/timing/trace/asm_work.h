/* SPDX-License-Identifier: MIT */
/*
 * For tests of shader cores: programs from text, and works made by hand or at random.
 */
#ifndef ASM_WORK_H
#define ASM_WORK_H

#include "trace/sgt_work.h"

/* Returns the program of the assembler text.  If the assembler refuses the text, the test fails. */
struct sgt_program *test_program(const char *text);

/* Makes an operation of `warps` warps that execute the whole program of the text.  Accesses of warp
 * n are to the 4096 bytes from 4096 * n on, and all have the same addresses.  TEXTURE: a bilinear
 * sample per lane, a line per quad.  LOAD, STORE, ATOMIC: a word per lane in order, no address
 * twice.  SHARED: without conflicts.  CONST: one line.
 */
struct sgt_work *test_straight_work(const char *text, uint32_t warps, uint32_t lanes);

/* Makes random programs with branches and loops, and warps that take random paths through them.
 * The result is the same for the same parameters on every host.
 */
struct test_random_params {
   uint64_t seed;
   enum sgpu_stage stage; /* VERTEX, PIXEL or COMPUTE */
   uint32_t programs, warps;
   uint32_t length; /* approximate number of instructions per program */
   /* For COMPUTE: number of warps in a workgroup; `warps` must be a multiple of it. */
   uint32_t group_warps;
   uint32_t lines; /* number of lines of 64 bytes that accesses touch, at least 1 */
};
struct sgt_work *test_random_work(const struct test_random_params *params);

#endif
