/* SPDX-License-Identifier: MIT */
/*
 * Programs from text and work by hand or at random, for tests of shader cores.
 */
#ifndef ASM_WORK_H
#define ASM_WORK_H

#include "sgt_work.h"

/* The program of the assembler's text.  A text that it refuses ends the test. */
struct sgt_program *test_program(const char *text);

#endif
