/* SPDX-License-Identifier: MIT */
/*
 * Texture unit, inside one host level: declarations for its files.
 *
 * Operations process all 32 lanes of a warp; inactive lanes hold defined
 * coordinates, which wrapping brings into range like any others.  Arithmetic is that
 * of sgpu_fp.h, in the order written, so it is the same on every host
 * (docs/texture.md).
 */
#ifndef SGD_TEX_EXEC_H
#define SGD_TEX_EXEC_H

#include <string.h>

#include "sgd_arch.h"
#include "sgd_observe.h"
#include "sgd_shader.h"
#include "sgpu_fp.h"
#include "texture/sgd_tex_unit.h"
#include "util/macros.h"

#define SGD_EACH(l) SGD_IVDEP for (unsigned l = 0; l < SGD_WARP; l++)

/* A value for each lane. */
struct sgd_tex_float {
   _Alignas(64) float v[SGD_WARP];
};
struct sgd_tex_int {
   _Alignas(64) int32_t v[SGD_WARP];
};

/* The texels along one axis that a lane reads: one or two. */
struct sgd_tex_axis {
   struct sgd_tex_int i[2];   /* always inside the level */
   struct sgd_tex_int out[2]; /* ~0: the border instead */
   struct sgd_tex_float f;    /* weight of the second: n/256, n from 0 to 255 */
   bool border;               /* `out` is set for some lane */
};

/* One texture operation of one warp. */
struct sgd_tex_job {
   const struct sgd_tex_unit *unit;
   const struct SGPU_SAMPLER *sampler;
   const struct sgd_tex_op *op;
   uint32_t active;
   unsigned dims; /* 1, 2, 3; cubes: 2 */
   bool cube;
   bool compare;
   bool has_offset;
   enum sgpu_filter_reduction reduction;
   unsigned channels; /* mask of those that the result needs */
   /* On `bytes`, `wide` or `word`, two dimensions, without offsets, edges and, but on `word`,
    * comparison
    */
   bool plain;
   bool may_border;                  /* a wrap reads the border outside */
   const struct sgd_tex_float *s[3]; /* coordinates; of cubes in the face */
   struct sgd_tex_int layer;         /* array layer or face of the view, in range */
   struct sgd_tex_float ref;
   struct sgd_tex_int offset[3];
   struct sgd_tex_float lod;
   bool aniso;
   struct sgd_tex_int probes;    /* anisotropic: how many, */
   struct sgd_tex_float step[2]; /* and along which step of the coordinates */
   float border[4];              /* by channel, before scaling */
   SGD_OBSERVE(const struct sgd_worker *worker; uint32_t sampling; /* lanes that need it */)
};

/* One or two texels of an axis of `size` texels; `offset` may be NULL. */
void sgd_tex_wrap_nearest(enum sgpu_wrap wrap, int32_t size, bool normalized,
                          const struct sgd_tex_float *s, const struct sgd_tex_int *offset,
                          struct sgd_tex_axis *axis);
void sgd_tex_wrap_linear(enum sgpu_wrap wrap, int32_t size, bool normalized,
                         const struct sgd_tex_float *s, const struct sgd_tex_int *offset,
                         struct sgd_tex_axis *axis);

/* Offsets of elements in bytes, modulo 2^32: levels of more than that are `generic`.  z is
 * the layer or slice, or NULL.
 */
void sgd_tex_offsets(const struct sgd_tex_unit *unit, const struct sgd_tex_level *level,
                     const struct sgd_tex_int *x, const struct sgd_tex_int *y,
                     const struct sgd_tex_int *z, uint32_t off[SGD_WARP]);

/* Texels at x, y and (layer or slice) z, as words (words formats), or as RGBA. */
void sgd_tex_fetch(const struct sgd_tex_unit *unit, const struct sgd_tex_level *level,
                   const struct sgd_tex_int *x, const struct sgd_tex_int *y,
                   const struct sgd_tex_int *z, const struct sgd_tex_int *sample, unsigned channels,
                   struct sgd_vec *words);

/* Texels of a `bytes` format as words of bytes, by tap: tap n takes texel n & 1 of the first
 * axis and n >> 1 of the second.
 */
void sgd_tex_fetch_block(const struct sgd_tex_unit *unit, const struct sgd_tex_level *level,
                         const struct sgd_tex_axis axis[2], const struct sgd_tex_int *z,
                         uint32_t t[4][SGD_WARP]);

/* The same taps of any format, as sgd_tex_fetch has them. */
void sgd_tex_fetch_taps(const struct sgd_tex_unit *unit, const struct sgd_tex_level *level,
                        const struct sgd_tex_axis axis[2], const struct sgd_tex_int *z,
                        unsigned channels, struct sgd_vec words[4]);

/* One texel of each lane's compressed block, as a word of bytes. */
void sgd_tex_decode_blocks(const struct sgd_tex_unit *unit, const struct sgd_vec *block,
                           const struct sgd_tex_int *x, const struct sgd_tex_int *y, uint32_t *out);

/* Channel c of fetched words, before scaling; bits for integers. */
void sgd_tex_decode(const struct sgd_tex_unit *unit, unsigned c, const struct sgd_vec *words,
                    struct sgd_tex_float *out);
void sgd_tex_scale(const struct sgd_tex_unit *unit, unsigned c, struct sgd_tex_float *v);

/* Reads one level with one filter: the needed channels, before scaling; with
 * comparison the result in channel 0.
 */
void sgd_tex_filter(const struct sgd_tex_job *job, const struct sgd_tex_level *level,
                    enum sgpu_filter filter, struct sgd_tex_float out[4]);

/* Values a and b by weight f of b, or the lower or higher of them. */
void sgd_tex_mix(const struct sgd_tex_job *job, const struct sgd_tex_float *f,
                 const struct sgd_tex_float *a, const struct sgd_tex_float *b,
                 struct sgd_tex_float *out);

/* The same for bilinear filtering of `bytes` formats, from wrapped axes. */
void sgd_tex_filter_bytes(const struct sgd_tex_unit *unit, const struct sgd_tex_level *level,
                          const struct sgd_tex_axis axis[2], const struct sgd_tex_int *z,
                          unsigned channels, struct sgd_tex_float out[4]);

/* The same from coordinates, for wraps without border. */
void sgd_tex_sample_bytes(const struct sgd_tex_unit *unit, const struct SGPU_SAMPLER *sampler,
                          const struct sgd_tex_level *level,
                          const struct sgd_tex_float *const coord[2], const struct sgd_tex_int *z,
                          unsigned channels, struct sgd_tex_float out[4]);

#ifdef __AVX2__
/* The same of `wide` views with either filter; lanes that are not active keep their values. */
void sgd_tex_sample_wide(const struct sgd_tex_unit *unit, const struct SGPU_SAMPLER *sampler,
                         const struct sgd_tex_level *level,
                         const struct sgd_tex_float *const coord[2], bool linear, unsigned channels,
                         uint32_t active, struct sgd_tex_float out[4]);

/* The same of `word` views, with the job's layer and comparison; other lanes have any values. */
void sgd_tex_sample_word(const struct sgd_tex_job *job, const struct sgd_tex_level *level,
                         bool linear, struct sgd_tex_float out[4]);
#endif

/* Whether both axes, of a filter at these coordinates, wrap as REPEAT or CLAMP_TO_EDGE do: by the
 * mode, or since no lane's filter reads a texel outside.
 */
bool sgd_tex_fast_wraps(const struct SGPU_SAMPLER *sampler, const struct sgd_tex_level *level,
                        const float *x, const float *y);

/* sgd_texture_op without its short ways. */
void sgd_tex_any_op(struct sgd_worker *worker, const struct sgd_texture *texture,
                    const struct sgd_sampler *sampler, const struct sgd_tex_op *op,
                    const struct sgd_source *src0, const struct sgd_source *src1, uint32_t active,
                    struct sgd_vec *dst);

/* A whole operation, `plain` on a `simple` view, that is one filter, the magnifying one, on the
 * base level, with wraps that sgd_tex_fast_wraps takes.  straight: 1 if x differs by the
 * column and y by the row of the warp alone, 0 if not, -1 if that is not known.
 */
void sgd_tex_one_filter(const struct sgd_tex_unit *unit, const struct sgd_sampler *sampler,
                        const struct sgd_tex_op *op, const struct sgd_source *src0, uint32_t active,
                        struct sgd_vec *dst, int straight);

#ifdef __AVX2__
/* The same on a `wide` view. */
void sgd_tex_one_wide_filter(const struct sgd_tex_unit *unit, const struct sgd_sampler *sampler,
                             const struct sgd_tex_op *op, const struct sgd_source *src0,
                             uint32_t active, struct sgd_vec *dst);
/* The same on a `word` view, `flat`. */
void sgd_tex_one_word_filter(const struct sgd_tex_unit *unit, const struct sgd_sampler *sampler,
                             const struct sgd_tex_op *op, const struct sgd_source *src0,
                             uint32_t active, struct sgd_vec *dst);
#endif

/* 0 or 1 in those components of `mask` that are that, for the active lanes. */
void sgd_tex_store_constants(const struct sgd_tex_unit *unit, unsigned mask, uint32_t active,
                             struct sgd_vec *dst);

/* A whole TEX on a `simple` (with AVX2 also a small `wide`) view with mipmaps: one linear filter for
 * all levels and magnification, wraps without border, and no anisotropy.  squares: of the lengths of
 * each quad's steps in texels, those of its upper and its lower row, its left and its right column.
 */
void sgd_tex_simple_levels(const struct sgd_tex_unit *unit, const struct SGPU_SAMPLER *sampler,
                           unsigned mask, const struct sgd_source *src0,
                           const struct sgd_tex_float *squares, uint32_t active,
                           struct sgd_vec *dst);

/* The four texels of the base level that a linear filter takes, in TG4's order. */
void sgd_tex_gather4(const struct sgd_tex_job *job, unsigned c, struct sgd_tex_float out[4]);

/* Steps of one coordinate to the right and down, for each pixel. */
void sgd_tex_quad_steps(const struct sgd_source *coord, unsigned axis, struct sgd_tex_float *dx,
                        struct sgd_tex_float *dy);

/* Level of detail before bias and clamps, from the differences of the quad
 * (coord: as the program gave them), or from gradients.
 */
void sgd_tex_lod(const struct sgd_tex_job *job, const struct sgd_source *coord,
                 struct sgd_tex_float *lod);
/* The same in two parts: the square of the longer step in texels, and its level of detail. */
void sgd_tex_step_squares(const struct sgd_tex_job *job, const struct sgd_source *coord,
                          struct sgd_tex_float *square);
void sgd_tex_lod_of_squares(const struct sgd_tex_float *square, struct sgd_tex_float *lod);
void sgd_tex_explicit_lod(const struct sgd_tex_job *job, const struct sgd_source *gradients,
                          struct sgd_tex_float *lod);

/* Whether an operation makes no positive level of detail of one up to 0 or NaN. */
static inline bool
sgd_tex_keeps_magnified(const struct SGPU_SAMPLER *s, const struct sgd_tex_op *op)
{
   return op->op != SGPU_OP_TXB && sgd_tex_limits_keep_magnified(s);
}

/* Anisotropic filtering: level of detail, number and direction of the probes;
 * and the coordinates of each lane's n-th, from 0.  With `magnifies`, returns false without
 * effect if every active lane has one probe at a negative level of detail.
 */
bool sgd_tex_aniso(struct sgd_tex_job *job, const struct sgd_source *src0,
                   const struct sgd_source *src1, bool magnifies);
void sgd_tex_probe(const struct sgd_tex_job *job, int32_t n, struct sgd_tex_float s[2]);

/* Cube maps: directions to faces and coordinates in them; and the four texels,
 * by tap, and weights of a seamless linear filter, with the number (plus 1) of
 * the tap that does not exist at a corner.
 */
void sgd_tex_cube(const struct sgd_source *coord, struct sgd_tex_float s[2],
                  struct sgd_tex_int *face);
void sgd_tex_cube_edges(int32_t size, const struct sgd_tex_float *const s[2],
                        const struct sgd_tex_int *layer, struct sgd_tex_float f[2],
                        struct sgd_tex_int tx[4], struct sgd_tex_int ty[4],
                        struct sgd_tex_int tz[4], struct sgd_tex_int *corner);

/* TXQ and TXQS, LODQ, TXF */
void sgd_tex_size(const struct sgd_tex_unit *unit, const struct sgd_tex_op *op,
                  const struct sgd_source *src0, uint32_t active, struct sgd_vec *dst);
void sgd_tex_query_lod(struct sgd_tex_job *job, const struct sgd_source *src0, struct sgd_vec *dst);
void sgd_tex_fetch_texels(const struct sgd_tex_unit *unit, const struct sgd_tex_op *op,
                          const struct sgd_source *src0, const struct sgd_source *src1,
                          uint32_t active,
                          struct sgd_vec *dst SGD_OBSERVE(, const struct sgd_worker *worker));

/* Stores channels to the components that they are routed to, for the active lanes; those of
 * `scaled` are scaled first.
 */
void sgd_tex_store(const struct sgd_tex_unit *unit, const uint8_t route[4], unsigned mask,
                   unsigned scaled, uint32_t active, const struct sgd_tex_float channels[4],
                   struct sgd_vec *dst);

/* Zeros in the components of mask, for the active lanes. */
void sgd_tex_store_zeros(unsigned mask, uint32_t active, struct sgd_vec *dst);

/* Short names: everything flushes as sgpu_fp.h says. */
static inline float
tadd(float a, float b)
{
   return sgpu_fp_raw_add(a, b);
}

static inline float
tsub(float a, float b)
{
#if SGPU_FP_HW_FTZ
   return a - b;
#else
   return sgpu_fp_raw_add(a, sgpu_fneg(b));
#endif
}

static inline float
tmul(float a, float b)
{
   return sgpu_fp_raw_mul(a, b);
}

static inline float
tfloor(float x)
{
   return __builtin_floorf(sgpu_fp_in(x));
}

/* lo for NaN */
static inline float
tclamp(float x, float lo, float hi)
{
   const float y = sgpu_fp_in(x);
   const float r = y > lo ? y : lo;
   return r < hi ? r : hi;
}

/* Weights between two texels, and between two levels, are fixed-point numbers of 8
 * fractional bits, as GPUs have them.  A position becomes such a number, to nearest
 * even, before it is split into the index of the first and the weight of the second.
 * NaN is undefined; |x| must be below 2^23.
 */
static inline int32_t
tfixed(float x)
{
   return (int32_t)__builtin_rintf(tmul(x, 256.0f));
}

static inline float
tweight(int32_t fixed)
{
   return (float)(fixed & 255) * 0x1p-8f;
}

/* log2(sqrt(x)) */
static inline float
thalf_log2(float square)
{
   return tmul(0.5f, sgpu_flg2(square));
}

/* One of two words; without the branch that a conditional load would be. */
static inline uint32_t
uselect(bool condition, uint32_t a, uint32_t b)
{
   const uint32_t mask = condition ? ~0u : 0;
   return (a & mask) | (b & ~mask);
}

static inline float
tselect(bool condition, float a, float b)
{
   return sgpu_bits2f(uselect(condition, sgpu_f2bits(a), sgpu_f2bits(b)));
}

/* a + f * (b - a) */
static inline float
tlerp(float a, float b, float f)
{
   return tadd(a, tmul(f, tsub(b, a)));
}

static inline int32_t
iclamp(int32_t i, int32_t lo, int32_t hi)
{
   const int32_t r = i > lo ? i : lo;
   return r < hi ? r : hi;
}

/* To the nearest integer, saturating; used where the value is in range already. */
static inline int32_t
tint(float x)
{
   return (int32_t)x;
}

/* The array layer nearest to a coordinate, up to `last`. */
static inline int32_t
tlayer(uint32_t bits, float last)
{
   return tint(tclamp(sgpu_fround(sgpu_bits2f(bits)), 0.0f, last));
}

/* The level nearest to a level of detail, up to `last`. */
static inline int32_t
tnearest_level(float lod, float last)
{
   return tint(tclamp(__builtin_ceilf(tsub(lod, 0.5f)), 0.0f, last));
}

#endif
