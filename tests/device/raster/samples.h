/* SPDX-License-Identifier: MIT */
/*
 * Positions of samples from the Vulkan specification (26.4, standard sample locations), in its
 * notation.
 */
#ifndef SAMPLES_H
#define SAMPLES_H

#include "oracle.h"

#define SIZE 96

/* Numbers of samples that a target may have, other than 1. */
extern const unsigned sample_counts[4];
/* Returns x and y of sample n in the pixel, 0 to 1. */
const double *sample_at(unsigned samples, unsigned n);
/* Returns the window position of sample n of pixel x, y. */
struct point sample_place(unsigned samples, unsigned n, int x, int y);

static inline unsigned
rand_below(uint64_t *seed, unsigned n)
{
   return fix_random(seed) % n;
}
/* Returns a coordinate in `range` pixels, in 1/256 pixel. It is often on a border, centre or
 * sample, where the fill rules matter.
 */
int32_t sample_coordinate(uint64_t *seed, int range);

/* Setup function for cmocka: a multisample fixture of SIZE x SIZE. */
int sample_setup(void **state);
#define SAMPLE_TEST(name) cmocka_unit_test_setup_teardown(name, sample_setup, fix_destroy)

#endif
