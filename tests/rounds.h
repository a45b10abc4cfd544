/* SPDX-License-Identifier: MIT */
/*
 * TEST_ROUNDS(n): rounds of a random test; fewer where each takes long, in builds with a sanitizer
 * and where the processor is emulated.
 */
#ifndef ROUNDS_H
#define ROUNDS_H

#ifndef TEST_ROUNDS_DIVISOR
#define TEST_ROUNDS_DIVISOR 1
#endif

#define TEST_ROUNDS(n) (((n) + TEST_ROUNDS_DIVISOR - 1) / TEST_ROUNDS_DIVISOR)

/* Which of `parts` equal parts of the rounds a round is in. */
#define TEST_PART(round, parts, n) ((round) * (parts) / TEST_ROUNDS(n))

#endif
