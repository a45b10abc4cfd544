/* SPDX-License-Identifier: MIT */
/*
 * Texture unit: internal declarations of the files that are compiled for each host level.
 *
 * Operations process all 32 lanes of a warp. Inactive lanes have defined coordinates, which are
 * wrapped like all others. Arithmetic uses sgpu_fp.h, in the order written, so that results are the
 * same on every host (docs/texture.md).
 */
#ifndef SGD_TEX_EXEC_H
#define SGD_TEX_EXEC_H

#include <string.h>

#include "common/sgd_arch.h"
#include "common/sgd_observe.h"
#include "common/sgd_shader.h"
#include "sgpu_fp.h"
#include "texture/unit/sgd_tex_unit.h"
#include "util/macros.h"

#define SGD_EACH(l) SGD_IVDEP for (unsigned l = 0; l < SGD_WARP; l++)

/* One value per lane. */
struct sgd_tex_float {
   _Alignas(64) float v[SGD_WARP];
};
struct sgd_tex_int {
   _Alignas(64) int32_t v[SGD_WARP];
};

/* The texel (nearest filter) or the two texels (linear filter) that each lane reads along an axis.
 */
struct sgd_tex_axis {
   struct sgd_tex_int i[2];   /* texel indices, always inside the level */
   struct sgd_tex_int out[2]; /* ~0 for lanes that read the border color instead */
   struct sgd_tex_float f;    /* weight of the second texel, n/256 with n from 0 to 255 */
   bool border;               /* whether `out` is set for any lane */
};

/* A texture operation of one warp. */
struct sgd_tex_job {
   const struct sgd_tex_unit *unit;
   const struct SGPU_SAMPLER *sampler;
   const struct sgd_tex_op *op;
   uint32_t active;
   unsigned dims; /* number of dimensions, from 1 to 3; cube maps have 2 */
   bool cube;
   bool compare;
   bool has_offset;
   enum sgpu_filter_reduction reduction;
   unsigned channels; /* mask of the channels that the result needs */
   /* Set if the operation is a 2D filter of a `bytes`, `wide` or `word` view without texel offsets,
    * cube map edges or min/max reduction. Comparisons are only allowed for `word` views.
    */
   bool plain;
   bool may_border; /* set if a wrap mode of the sampler can read the border color */
   /* coordinates of all lanes; for cube maps, coordinates on the face */
   const struct sgd_tex_float *s[3];
   struct sgd_tex_int layer; /* array layer or face of the view, never out of range */
   struct sgd_tex_float ref;
   struct sgd_tex_int offset[3];
   struct sgd_tex_float lod;
   bool aniso;
   struct sgd_tex_int probes; /* number of probes for anisotropic filtering */
   /* vector along which the probes are spread, in texture coordinates */
   struct sgd_tex_float step[2];
   float border[4]; /* border color of each channel, before scaling */
   /* Only set at the host level that records for the observer: `worker` executes the operation, and
    * `sampling` is the mask of the lanes that use the current sample.
    */
   const struct sgd_worker *worker;
   uint32_t sampling;
};

/* Find the texel of a nearest filter, or the two texels of a linear filter, along an axis. `offset`
 * is the texel offset of each lane, or NULL.
 */
void sgd_tex_wrap_nearest(enum sgpu_wrap wrap, int32_t size, bool normalized,
                          const struct sgd_tex_float *s, const struct sgd_tex_int *offset,
                          struct sgd_tex_axis *axis);
void sgd_tex_wrap_linear(enum sgpu_wrap wrap, int32_t size, bool normalized,
                         const struct sgd_tex_float *s, const struct sgd_tex_int *offset,
                         struct sgd_tex_axis *axis);

/* Computes the byte offset of each lane's element, modulo 2^32. z is the layer or slice of each
 * lane, or NULL.
 */
void sgd_tex_offsets(const struct sgd_tex_unit *unit, const struct sgd_tex_level *level,
                     const struct sgd_tex_int *x, const struct sgd_tex_int *y,
                     const struct sgd_tex_int *z, uint32_t off[SGD_WARP]);

/* Fetches texels as words in the texture's format, or as RGBA if unit->generic is set. z is the
 * layer or slice of each lane, or NULL.
 */
void sgd_tex_fetch(const struct sgd_tex_unit *unit, const struct sgd_tex_level *level,
                   const struct sgd_tex_int *x, const struct sgd_tex_int *y,
                   const struct sgd_tex_int *z, const struct sgd_tex_int *sample, unsigned channels,
                   struct sgd_vec *words);

/* Fetches the four texels of a bilinear filter as words of 8-bit channels. The format must be a
 * `bytes` format. Tap n is texel n & 1 of the first axis and texel n >> 1 of the second axis.
 */
void sgd_tex_fetch_block(const struct sgd_tex_unit *unit, const struct sgd_tex_level *level,
                         const struct sgd_tex_axis axis[2], const struct sgd_tex_int *z,
                         uint32_t t[4][SGD_WARP]);

/* Version of sgd_tex_fetch_block() for any format. The words are the same as those of
 * sgd_tex_fetch().
 */
void sgd_tex_fetch_taps(const struct sgd_tex_unit *unit, const struct sgd_tex_level *level,
                        const struct sgd_tex_axis axis[2], const struct sgd_tex_int *z,
                        unsigned channels, struct sgd_vec words[4]);

/* Decodes compressed blocks. Each lane decodes one texel of its block to a word of 8-bit channels.
 */
void sgd_tex_decode_blocks(const struct sgd_tex_unit *unit, const struct sgd_vec *block,
                           const struct sgd_tex_int *x, const struct sgd_tex_int *y, uint32_t *out);

/* Extracts channel c from fetched words, without scaling it. For integer formats, extracts the raw
 * bits of the channel.
 */
void sgd_tex_decode(const struct sgd_tex_unit *unit, unsigned c, const struct sgd_vec *words,
                    struct sgd_tex_float *out);
void sgd_tex_scale(const struct sgd_tex_unit *unit, unsigned c, struct sgd_tex_float *v);

/* Filters a single level with a single filter. Returns the channels in job->channels before
 * scaling, or the result of the comparison in the main channel.
 */
void sgd_tex_filter(const struct sgd_tex_job *job, const struct sgd_tex_level *level,
                    enum sgpu_filter filter, struct sgd_tex_float out[4]);

/* Interpolates from a to b with weight f, or computes their minimum or maximum, depending on
 * job->reduction.
 */
void sgd_tex_mix(const struct sgd_tex_job *job, const struct sgd_tex_float *f,
                 const struct sgd_tex_float *a, const struct sgd_tex_float *b,
                 struct sgd_tex_float *out);

/* Bilinear filter of a `bytes` format on axes that are already wrapped. Returns unscaled channels.
 */
void sgd_tex_filter_bytes(const struct sgd_tex_unit *unit, const struct sgd_tex_level *level,
                          const struct sgd_tex_axis axis[2], const struct sgd_tex_int *z,
                          unsigned channels, struct sgd_tex_float out[4]);

/* Bilinear filter of a `bytes` format at the given coordinates, where the wrap modes must not read
 * the border color.
 */
void sgd_tex_sample_bytes(const struct sgd_tex_unit *unit, const struct SGPU_SAMPLER *sampler,
                          const struct sgd_tex_level *level,
                          const struct sgd_tex_float *const coord[2], const struct sgd_tex_int *z,
                          unsigned channels, struct sgd_tex_float out[4]);

#ifdef __AVX2__
/* Nearest or linear filter of a `wide` view. Doesn't modify the values of inactive lanes. */
void sgd_tex_sample_wide(const struct sgd_tex_unit *unit, const struct SGPU_SAMPLER *sampler,
                         const struct sgd_tex_level *level,
                         const struct sgd_tex_float *const coord[2], bool linear, unsigned channels,
                         uint32_t active, struct sgd_tex_float out[4]);

/* Filters a level, and interpolates with the next one unless `weight` is NULL. Returns unscaled
 * channels of all lanes. sgd_tn_can_sample() must be true.
 */
void sgd_tex_sample_taps(const struct sgd_tex_unit *unit, const struct SGPU_SAMPLER *sampler,
                         const struct sgd_tex_level *level, const float *weight,
                         const struct sgd_tex_float *const coord[2], unsigned channels,
                         struct sgd_tex_float out[4]);

/* Filters a level and the next one with linear filters, and interpolates between them. The operation
 * must be `plain`, on a `bytes` view with one layer. Returns false without doing anything if the
 * view and the sampler aren't suitable. The second function also computes the mean of all probes of
 * each lane, of which there are at most `most`. Its `weight` is NULL if the next level isn't read.
 */
bool sgd_tex_sample_two_levels(const struct sgd_tex_job *job, const struct sgd_tex_level *level,
                               const struct sgd_tex_float *weight, struct sgd_tex_float out[4]);
bool sgd_tex_sample_probes(const struct sgd_tex_job *job, const struct sgd_tex_level *level,
                           const struct sgd_tex_float *weight, int32_t most,
                           struct sgd_tex_float out[4]);

/* Nearest or linear filter of a `word` view, including layers and comparisons. `unit` and `sampler`
 * replace those of the job. The values of inactive lanes become undefined.
 */
void sgd_tex_sample_word(const struct sgd_tex_job *job, const struct sgd_tex_unit *unit,
                         const struct SGPU_SAMPLER *sampler, const struct sgd_tex_level *level,
                         bool linear, struct sgd_tex_float out[4]);
#endif

/* Returns true if both axes can be wrapped like REPEAT or CLAMP_TO_EDGE at these coordinates.
 * Either the wrap mode is one of these two, or no lane's filter reads a texel outside the level.
 */
bool sgd_tex_fast_wraps(const struct sgd_tex_unit *u, const struct SGPU_SAMPLER *sampler,
                        const struct sgd_tex_level *level, const float *x, const float *y);

/* Version of sgd_texture_op() without fast paths. */
void sgd_tex_any_op(struct sgd_worker *worker, const struct sgd_texture *texture,
                    const struct sgd_sampler *sampler, const struct sgd_tex_op *op,
                    const struct sgd_source *src0, const struct sgd_source *src1, uint32_t active,
                    struct sgd_vec *dst);

/* Executes a whole `plain` operation on a `simple` view. The operation must only use the
 * magnification filter on the base level, with wrap modes that sgd_tex_fast_wraps() accepts.
 * `straight` is 1 if x depends only on the lane's column and y only on its row, 0 if not, or -1 if
 * unknown.
 */
void sgd_tex_one_filter(const struct sgd_tex_unit *unit, const struct sgd_sampler *sampler,
                        const struct sgd_tex_op *op, const struct sgd_source *src0, uint32_t active,
                        struct sgd_vec *dst, int straight);

#ifdef __AVX2__
/* Version of sgd_tex_one_filter() for linear filters on views that sgd_tn_can_read() accepts, with
 * normalized coordinates. Coordinates can have any shape.
 */
void sgd_tex_one_taps_filter(const struct sgd_tex_unit *unit, const struct sgd_sampler *sampler,
                             const struct sgd_tex_op *op, const struct sgd_source *src0,
                             uint32_t active, struct sgd_vec *dst);
/* Version of sgd_tex_one_filter() for `wide` views. */
void sgd_tex_one_wide_filter(const struct sgd_tex_unit *unit, const struct sgd_sampler *sampler,
                             const struct sgd_tex_op *op, const struct sgd_source *src0,
                             uint32_t active, struct sgd_vec *dst);
/* Version of sgd_tex_one_filter() for `word` views and `flat` operations. */
void sgd_tex_one_word_filter(const struct sgd_tex_unit *unit, const struct sgd_sampler *sampler,
                             const struct sgd_tex_op *op, const struct sgd_source *src0,
                             uint32_t active, struct sgd_vec *dst);
/* Version of sgd_tex_one_filter() for `volume` views and `spatial` operations. Returns false without
 * doing anything if a lane's filter can read the border color.
 */
bool sgd_tex_one_volume_filter(const struct sgd_tex_unit *unit, const struct sgd_sampler *sampler,
                               const struct sgd_tex_op *op, const struct sgd_source *src0,
                               uint32_t active, struct sgd_vec *dst);
/* Fetches texels for TXF. Returns false without doing anything if the view has no `texels` path, or
 * if active lanes read several levels or outside the level.
 */
bool sgd_tex_fetch_words(const struct sgd_tex_unit *unit, const struct sgd_tex_op *op,
                         const struct sgd_source *src0, const struct sgd_source *src1,
                         uint32_t active, struct sgd_vec *dst);
/* Sets the destination of each channel: the last component in the mask that reads it, or NULL. */
void sgd_tex_set_places(uint32_t *places[4], const struct sgd_tex_unit *unit, unsigned mask,
                        struct sgd_vec *dst);
/* Stores the components that are constant, or that share a channel with another component. */
void sgd_tex_store_others(const struct sgd_tex_unit *unit, unsigned mask, uint32_t active,
                          struct sgd_vec *dst);
/* Filters a level of a `volume` view, like sgd_tex_filter(). Returns false without doing anything if
 * a lane's filter can read the border color.
 */
bool sgd_tex_sample_volume(const struct sgd_tex_job *job, const struct sgd_tex_level *level,
                           bool linear, struct sgd_tex_float out[4]);
#endif

/* Returns true if linear filters at all lanes' coordinates only read texels inside the level. */
bool sgd_tex_inside(const struct sgd_tex_unit *u, const float *s, int32_t size, bool normalized);

/* Stores all components in `mask` that are constant (0 or 1). Only writes active lanes. */
void sgd_tex_store_constants(const struct sgd_tex_unit *unit, unsigned mask, uint32_t active,
                             struct sgd_vec *dst);

/* Executes a whole TEX on a mipmapped `simple` view, or with AVX2 also on a small `wide` view.
 * Magnification and all levels must have a linear filter, wrapping must not reach the border, and
 * there must be no anisotropy. `squares` has the squared lengths of four steps in texels for each
 * quad: upper row, lower row, left column, and right column.
 */
void sgd_tex_simple_levels(const struct sgd_tex_unit *unit, const struct SGPU_SAMPLER *sampler,
                           unsigned mask, const struct sgd_source *src0,
                           const struct sgd_tex_float *squares, uint32_t active,
                           struct sgd_vec *dst);

/* Returns the four texels of the base level that a linear filter would read, in the order of TG4.
 */
void sgd_tex_gather4(const struct sgd_tex_job *job, unsigned c, struct sgd_tex_float out[4]);

/* Computes the differences of a coordinate inside each quad: along the row of each pixel (dx), and
 * along its column (dy).
 */
void sgd_tex_quad_steps(const struct sgd_source *coord, unsigned axis, struct sgd_tex_float *dx,
                        struct sgd_tex_float *dy);

/* Compute the level of detail, before bias and clamping. sgd_tex_lod() derives it from the
 * differences of the coordinates `coord` in each quad, and sgd_tex_explicit_lod() from explicit
 * gradients.
 */
void sgd_tex_lod(const struct sgd_tex_job *job, const struct sgd_source *coord,
                 struct sgd_tex_float *lod);
/* The two halves of sgd_tex_lod(). The first one computes the squared length of each pixel's longer
 * step in texels, and the second one computes the level of detail from it.
 */
void sgd_tex_step_squares(const struct sgd_tex_job *job, const struct sgd_source *coord,
                          struct sgd_tex_float *square);
void sgd_tex_lod_of_squares(const struct sgd_tex_float *square, struct sgd_tex_float *lod);
void sgd_tex_explicit_lod(const struct sgd_tex_job *job, const struct sgd_source *gradients,
                          struct sgd_tex_float *lod);

/* Returns true if a level of detail that is <= 0 or NaN can't become positive in this operation. */
static inline bool
sgd_tex_keeps_magnified(const struct SGPU_SAMPLER *s, const struct sgd_tex_op *op)
{
   return op->op != SGPU_OP_TXB && sgd_tex_limits_keep_magnified(s);
}

/* Anisotropic filtering. sgd_tex_aniso() computes the level of detail, and the number and direction
 * of the probes. If `magnifies` is set and every active lane has a single probe with a negative
 * level of detail, it returns false instead. sgd_tex_probe() computes the coordinates of probe n of
 * each lane, counted from 0.
 */
bool sgd_tex_aniso(struct sgd_tex_job *job, const struct sgd_source *src0,
                   const struct sgd_source *src1, bool magnifies);
void sgd_tex_probe(const struct sgd_tex_job *job, int32_t n, struct sgd_tex_float s[2]);

/* Cube maps. sgd_tex_cube() converts directions to faces and coordinates on the faces.
 * sgd_tex_cube_edges() finds the four texels, by tap, and the weights of a seamless linear filter.
 * At a corner of the cube, where one of the texels doesn't exist, `corner` is 1 + the index of the
 * missing tap. Otherwise it is 0.
 */
void sgd_tex_cube(const struct sgd_source *coord, struct sgd_tex_float s[2],
                  struct sgd_tex_int *face);
void sgd_tex_cube_edges(int32_t size, const struct sgd_tex_float *const s[2],
                        const struct sgd_tex_int *layer, struct sgd_tex_float f[2],
                        struct sgd_tex_int tx[4], struct sgd_tex_int ty[4],
                        struct sgd_tex_int tz[4], struct sgd_tex_int *corner);

/* Implement TXQ and TXQS (size queries), LODQ (level of detail query), and TXF (texel fetch). */
void sgd_tex_size(const struct sgd_tex_unit *unit, const struct sgd_tex_op *op,
                  const struct sgd_source *src0, uint32_t active, struct sgd_vec *dst);
void sgd_tex_query_lod(struct sgd_tex_job *job, const struct sgd_source *src0, struct sgd_vec *dst);
void sgd_tex_fetch_texels(const struct sgd_tex_unit *unit, const struct sgd_tex_op *op,
                          const struct sgd_source *src0, const struct sgd_source *src1,
                          uint32_t active, struct sgd_vec *dst, const struct sgd_worker *worker);

/* Stores channels to the components of dst that read them, for the active lanes. Scales the
 * channels in the mask `scaled` first.
 */
void sgd_tex_store(const struct sgd_tex_unit *unit, const uint8_t route[4], unsigned mask,
                   unsigned scaled, uint32_t active, const struct sgd_tex_float channels[4],
                   struct sgd_vec *dst);

/* Sets the components in `mask` to zero for the active lanes. */
void sgd_tex_store_zeros(unsigned mask, uint32_t active, struct sgd_vec *dst);

/* Short names for floating-point arithmetic. Subnormals are flushed as described in sgpu_fp.h. */
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

/* Clamps x to [lo, hi]. NaN becomes lo. */
static inline float
tclamp(float x, float lo, float hi)
{
   const float y = sgpu_fp_in(x);
   const float r = y > lo ? y : lo;
   return r < hi ? r : hi;
}

/* Converts a position to fixed point with 8 fractional bits, rounding to nearest even. As on GPUs,
 * the weights between two texels and between two levels have 8 bits: the upper bits of a position
 * are the index of the first texel, and the low 8 bits are the weight of the second. Undefined for
 * NaN. |x| must be below 2^23.
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

/* Returns log2 of a length, given its square. */
static inline float
thalf_log2(float square)
{
   return tmul(0.5f, sgpu_flg2(square));
}

/* Selects a or b without a branch. The compiler may turn a conditional expression into a branch if
 * its operands are loads.
 */
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

/* Returns a + f * (b - a). */
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

/* Converts a float that is an integer in the range of int32_t. */
static inline int32_t
tint(float x)
{
   return (int32_t)x;
}

/* Rounds a coordinate to the nearest array layer, clamped to [0, last]. */
static inline int32_t
tlayer(uint32_t bits, float last)
{
   return tint(tclamp(sgpu_fround(sgpu_bits2f(bits)), 0.0f, last));
}

/* Rounds a level of detail to the nearest mipmap level, clamped to [0, last]. */
static inline int32_t
tnearest_level(float lod, float last)
{
   return tint(tclamp(__builtin_ceilf(tsub(lod, 0.5f)), 0.0f, last));
}

#endif
