/* SPDX-License-Identifier: MIT */
/*
 * For tests of fast paths of the texture unit: coordinates for these, and the general path.
 */
#ifndef TEST_TEXTURE_PATHS_H
#define TEST_TEXTURE_PATHS_H

#include "texture.h"

/* Sets quads with random positions and steps, infinities and NaNs. If `calm`, each quad has one
 * position.
 */
void set_coordinates(uint64_t *rng, bool calm, struct sgd_vec *coord);

/* Sets a random border color, which also has infinities and NaNs. */
void set_border(uint64_t *rng, struct sgd_sampler *s);

/* Checks that `fast`, the result of a fast path, is that of the general path. If `gather`, also
 * tests words that are fetched with gather instructions.
 */
void expect_general(const struct tex *t, bool gather, const struct sgd_sampler *s,
                    const struct sgd_tex_op *op, const struct sgd_vec *src0,
                    const struct sgd_vec *src1, uint32_t active, struct sgd_vec *fast);

/* Returns true if the best host level executes the operation without the general path, which fetches
 * texels by the view's own format. Levels without vectors of eight lanes have no fast path of
 * volumes and layers, so the result is true on hosts that have no other.
 */
bool takes_fast_path(const struct tex *t, const struct sgd_sampler *sampler,
                     const struct sgd_tex_op *op, const struct sgd_vec *src0,
                     const struct sgd_vec *src1, uint32_t active);

/* Checks the same operation with its result in the registers of the coordinates. */
void expect_in_place(const struct tex *t, const struct sgd_sampler *sampler,
                     const struct sgd_tex_op *op, const struct sgd_vec *src0, uint32_t active,
                     const struct sgd_vec *want);

/* Coordinates of a warp of 8x4 pixels, in texels: position x, y of the first pixel, and steps to
 * the right and down. A warp is a grid if the step to the right keeps y and the step down keeps x.
 */
struct plane {
   double x, y, right[2], down[2];
};

struct plane random_plane(uint64_t *rng, const uint32_t size[2], bool grid);
void set_plane(const struct plane *p, const double unit[2], struct sgd_vec *coord);

/* Changes a coordinate of a column, of a row, or of one lane. */
void disturb(uint64_t *rng, struct sgd_vec *coord);
/* Sets the coordinates of warp k of a series at the limits of wraps, for a texture of this size: all
 * pairs of odd coordinates, then warps that read neighbouring texels along the axes, but for one
 * column or row with an odd coordinate. Returns false after the last one.
 */
bool set_limits(unsigned k, const uint32_t size[2], struct sgd_vec *coord);

/* Changes some numbers of `bits` bits to infinities, NaNs and subnormals. */
void spoil_floats(struct tex *t, unsigned bits, uint64_t *rng);

#endif
