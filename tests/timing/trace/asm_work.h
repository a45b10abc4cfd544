/* SPDX-License-Identifier: MIT */
/*
 * Programs from text and work by hand or at random, for tests of shader cores.
 */
#ifndef ASM_WORK_H
#define ASM_WORK_H

#include "trace/sgt_work.h"

/* The program of the assembler's text.  A text that it refuses ends the test. */
struct sgt_program *test_program(const char *text);

/* An operation of `warps` warps that go straight through the text's program.  Accesses of
 * warp n are to 4096 bytes from 4096 * n on, each to the same: TEXTURE: a bilinear sample a
 * lane, a line a quad; LOAD, STORE, ATOMIC: a word a lane in order, no address twice; SHARED:
 * without conflicts; CONST: one line.
 */
struct sgt_work *test_straight_work(const char *text, uint32_t warps, uint32_t lanes);

/* Random programs with branches and loops, and warps that take random ways through them: the
 * same for the same parameters on every host.
 */
struct test_random_params {
   uint64_t seed;
   enum sgpu_stage stage; /* VERTEX, PIXEL or COMPUTE */
   uint32_t programs, warps;
   uint32_t length;      /* of a program, about: instructions */
   uint32_t group_warps; /* COMPUTE: of a workgroup; warps is a multiple */
   uint32_t lines;       /* of 64 bytes that accesses touch, at least 1 */
};
struct sgt_work *test_random_work(const struct test_random_params *params);

#endif
