/* SPDX-License-Identifier: MIT */
/*
 * For tests of short ways through the texture unit: coordinates for them, and the general way.
 */
#ifndef TEST_TEXTURE_PATHS_H
#define TEST_TEXTURE_PATHS_H

#include "texture.h"

/* Quads of random places and steps, infinities and NaN; calm: one place for each quad. */
void set_coordinates(uint64_t *rng, bool calm, struct sgd_vec *coord);

/* The result of an operation by the short ways (gather: and words fetched so), in `fast`, is that of
 * the general one.
 */
void expect_general(const struct tex *t, bool gather, const struct sgd_sampler *s,
                    const struct sgd_tex_op *op, const struct sgd_vec *src0,
                    const struct sgd_vec *src1, uint32_t active, struct sgd_vec *fast);

/* The same operation with the result in the registers of the coordinates. */
void expect_in_place(const struct tex *t, const struct sgd_sampler *sampler,
                     const struct sgd_tex_op *op, const struct sgd_vec *src0, uint32_t active,
                     const struct sgd_vec *want);

/* Coordinates of a warp of 8x4 pixels, in texels: from (x, y) by a step to the right and one down.
 * A warp is a grid if the one keeps y and the other keeps x.
 */
struct plane {
   double x, y, right[2], down[2];
};

struct plane random_plane(uint64_t *rng, const uint32_t size[2], bool grid);
void set_plane(const struct plane *p, const double unit[2], struct sgd_vec *coord);

/* A column or row, or one lane alone, with another coordinate. */
void disturb(uint64_t *rng, struct sgd_vec *coord);

/* Some numbers of `bits` bits become any: infinities, NaN, and subnormals. */
void spoil_floats(struct tex *t, unsigned bits, uint64_t *rng);

#endif
