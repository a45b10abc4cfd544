/* SPDX-License-Identifier: MIT */
/*
 * Positions of samples from the Vulkan specification (26.4, standard sample
 * locations), in its notation.
 */
#ifndef SAMPLES_H
#define SAMPLES_H

#include "oracle.h"

#define SIZE 96

/* Numbers of samples that a target may have, but for 1. */
extern const unsigned sample_counts[4];
/* x and y in the pixel, 0 to 1. */
const double *sample_at(unsigned samples, unsigned n);
/* In the window. */
struct point sample_place(unsigned samples, unsigned n, int x, int y);

static inline unsigned
rand_below(uint64_t *seed, unsigned n)
{
   return fix_random(seed) % n;
}
/* In 1/256 pixel, of a range of pixels; often a border, a centre or a sample,
 * where the rules matter.
 */
int32_t sample_coordinate(uint64_t *seed, int range);

/* A fixture of SIZE x SIZE that multisamples, for cmocka. */
int sample_setup(void **state);
#define SAMPLE_TEST(name) cmocka_unit_test_setup_teardown(name, sample_setup, fix_destroy)

#endif
