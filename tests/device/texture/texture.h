/* SPDX-License-Identifier: MIT */
/*
 * For tests of the texture unit: textures with known texels, operations on every host level, and a
 * scalar oracle in double precision, written from the GL specification.
 */
#ifndef TEST_TEXTURE_H
#define TEST_TEXTURE_H

#include "common/sgd_shader.h"
#include "common/sgd_worker.h"
#include "sgpu_fp.h"

typedef void tex_fn(struct sgd_worker *worker, const struct sgd_texture *texture,
                    const struct sgd_sampler *sampler, const struct sgd_tex_op *op,
                    const struct sgd_source *src0, const struct sgd_source *src1, uint32_t active,
                    struct sgd_vec *dst);

static inline struct sgd_source
tex_source(const struct sgd_vec *v)
{
   return (struct sgd_source){ { v->c[0], v->c[1], v->c[2], v->c[3] } };
}

struct tex_level {
   const char *name;
   tex_fn *run;
   __typeof__(sgd_image_access) *image;
};
unsigned tex_levels(struct tex_level levels[3]);

/* Random numbers */
uint32_t tex_rand(uint64_t *state);
/* Returns a random number in [lo, hi). */
double tex_rand_range(uint64_t *state, double lo, double hi);

struct tex_params {
   enum sgpu_texture_type type;
   enum sgpu_format format;
   bool linear_layout;
   bool array;
   uint32_t width, height, depth, layers, levels, samples;
   uint32_t first_level, last_level, first_layer, last_layer; /* levels and layers of the view */
   uint8_t swizzle[4];
};

struct tex {
   struct sgd_texture texture;
   uint8_t *memory, *mapping;
   uint64_t size, mapped;
};

/* Returns parameters of a texture with depth 1, one layer and level, identity swizzle, and a view
 * of all (last_* 0: all).
 */
struct tex_params tex_params(enum sgpu_texture_type type, enum sgpu_format format, uint32_t width,
                             uint32_t height);
/* Makes a texture of random bytes. Floats are changed to finite, small numbers. */
struct tex *tex_create(const struct tex_params *params, uint64_t *rng);
void tex_destroy(struct tex *t);
/* Makes levels with AVX2 use gather instructions or not, independent of the host's preference. */
void tex_gather(const struct tex *t, bool gather);

/* Returns one texel of the view as Mesa unpacks it: RGBA before the view's swizzle, as bits of
 * floats or integers.
 */
void tex_texel(const struct tex *t, unsigned level, unsigned layer, unsigned sample, int x, int y,
               uint32_t rgba[4]);

struct sgd_sampler tex_sampler(enum sgpu_wrap wrap, enum sgpu_filter filter);
struct sgd_tex_op tex_op(enum sgpu_opcode op, enum sgpu_tex_target target);

/* Runs the operation on every host level. Checks that all levels have the same bits, and that runs
 * with fewer lanes or components, and with gather instructions or without, have the same results.
 */
void tex_run(const struct tex *t, const struct sgd_sampler *sampler, const struct sgd_tex_op *op,
             const struct sgd_vec *src0, const struct sgd_vec *src1, uint32_t active,
             struct sgd_vec *dst);

static inline void
tex_put(struct sgd_vec *v, unsigned c, unsigned l, double value)
{
   v->c[c][l] = sgpu_f2bits((float)value);
}

static inline double
tex_get(const struct sgd_vec *v, unsigned c, unsigned l)
{
   return sgpu_bits2f(v->c[c][l]);
}

/* Fails the test, with the coordinates, unless lane l of `got` is `want`. */
void tex_expect(const struct sgd_vec *got, unsigned l, const double want[4], const double coord[4],
                double tolerance, const char *what);

/* The oracle: one sample at a level of detail, after the bias. It clamps the level to the sampler's
 * range. coord has the components of src0. Returns false if the coordinates are so near to the
 * midpoint of two weights that rounding decides.
 */
bool oracle_sample(const struct tex *t, const struct sgd_sampler *sampler,
                   const struct sgd_tex_op *op, const double coord[4], double ref, double lod,
                   double out[4]);

/* Returns the level of detail from the coordinates of a pixel, its right neighbour and its lower
 * one.
 */
double oracle_lod(const struct tex *t, const struct sgd_sampler *sampler,
                  const struct sgd_tex_op *op, const double c0[4], const double c1[4],
                  const double c2[4]);

#endif
