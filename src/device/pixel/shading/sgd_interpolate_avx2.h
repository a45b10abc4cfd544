/* SPDX-License-Identifier: MIT */
/*
 * Pixel stage: AVX2 evaluation of planes.
 *
 * Quads of different primitives are processed in pairs, with up to four planes at a time. The
 * gradients of four planes of a primitive take a single load, and stores are as wide as the loads
 * that follow.
 *
 * Quads of a single primitive are processed one plane at a time, with the plane's coefficients
 * broadcast to all lanes. This includes blocks that are sampled at pixel centres, where the two
 * products of the plane equation depend only on the column or only on the row.
 */
#ifndef SGD_INTERPOLATE_AVX2_H
#define SGD_INTERPOLATE_AVX2_H

#include <immintrin.h>

/* Values of the 32 lanes of a warp: a has lanes 0-7, b 8-15, c 16-23, and d 24-31. */
struct sgd_v8_warp {
   __m256 a, b, c, d;
};

static ALWAYS_INLINE void
sgd_v8_store_warp(float *out, const struct sgd_v8_warp *v)
{
   _mm256_storeu_ps(out, v->a);
   _mm256_storeu_ps(out + 8, v->b);
   _mm256_storeu_ps(out + 16, v->c);
   _mm256_storeu_ps(out + 24, v->d);
}

/* Evaluates a plane equation: v0 + (dx * rx + dy * ry). */
static ALWAYS_INLINE __m256
sgd_v8_plane(__m256 v0, __m256 dx, __m256 dy, __m256 rx, __m256 ry)
{
   return _mm256_add_ps(v0, _mm256_add_ps(_mm256_mul_ps(dx, rx), _mm256_mul_ps(dy, ry)));
}

/* -- positions ---------------------------------------------------------------------- */

/* Computes one coordinate of all 32 lanes by adding the offsets in `pixels`, for the eight lanes of
 * two quads, to the coordinates of the eight quads.
 */
static ALWAYS_INLINE void
sgd_v8_spread(__m256 quads, __m256 pixels, float *out)
{
   __m256i pick = _mm256_setr_epi32(0, 0, 0, 0, 1, 1, 1, 1);

   for (unsigned i = 0; i < SGD_WARP; i += 8) {
      const __m256 v = _mm256_permutevar8x32_ps(quads, pick);
      _mm256_storeu_ps(&out[i], _mm256_add_ps(v, pixels));
      pick = _mm256_add_epi32(pick, _mm256_set1_epi32(2));
   }
}

#define SGD_V8_RIGHT _mm256_setr_ps(0, 1, 0, 1, 0, 1, 0, 1)
#define SGD_V8_BELOW _mm256_setr_ps(0, 0, 1, 1, 0, 0, 1, 1)

/* Converts a coordinate of each of the eight quads to float, and adds `at`. */
static ALWAYS_INLINE __m256
sgd_v8_quad_places(const uint16_t quads[SGD_QUADS], float at)
{
   const __m256i wide = _mm256_cvtepu16_epi32(_mm_loadu_si128((const __m128i *)quads));

   return _mm256_add_ps(_mm256_cvtepi32_ps(wide), _mm256_set1_ps(at));
}

/* Gathers the origins of the planes of all eight quads' primitives. */
static ALWAYS_INLINE void
sgd_v8_origins(const struct sgd_pixels *pixels, __m256 *ox, __m256 *oy)
{
   static_assert(offsetof(struct sgd_prim, oy) == offsetof(struct sgd_prim, ox) + 4, "");
#define PAIR(a, b)                                                      \
   _mm_loadh_pi(_mm_castsi128_ps(_mm_loadu_si64(&pixels->prim[a]->ox)), \
                (const __m64 *)&pixels->prim[b]->ox)
   const __m256 even = _mm256_insertf128_ps(_mm256_castps128_ps256(PAIR(0, 1)), PAIR(4, 5), 1);
   const __m256 odd = _mm256_insertf128_ps(_mm256_castps128_ps256(PAIR(2, 3)), PAIR(6, 7), 1);
#undef PAIR
   *ox = _mm256_shuffle_ps(even, odd, 0x88);
   *oy = _mm256_shuffle_ps(even, odd, 0xdd);
}

/* Returns true if all eight quads belong to the same primitive. */
static ALWAYS_INLINE bool
sgd_v8_one_prim(const struct sgd_pixels *pixels)
{
   const __m256i *prim = (const __m256i *)pixels->prim;
   const __m256i first = _mm256_set1_epi64x((intptr_t)pixels->prim[0]);
   const __m256i low = _mm256_cmpeq_epi64(_mm256_loadu_si256(prim), first);
   const __m256i high = _mm256_cmpeq_epi64(_mm256_loadu_si256(prim + 1), first);

   return _mm256_movemask_epi8(_mm256_and_si256(low, high)) == -1;
}

/* Implements sgd_lane_positions() for quads. */
static ALWAYS_INLINE void
sgd_quads_positions(const struct sgd_pixels *pixels, struct sgd_sample_pos at,
                    struct sgd_lane_pos *pos)
{
   const __m256 x = sgd_v8_quad_places(pixels->quads.x, at.x);
   const __m256 y = sgd_v8_quad_places(pixels->quads.y, at.y);
   __m256 ox, oy;

   pos->one = sgd_v8_one_prim(pixels);
   if (pos->one) {
      ox = _mm256_set1_ps(pixels->prim[0]->ox);
      oy = _mm256_set1_ps(pixels->prim[0]->oy);
   } else {
      sgd_v8_origins(pixels, &ox, &oy);
   }
   sgd_v8_spread(_mm256_sub_ps(x, ox), SGD_V8_RIGHT, pos->rx);
   sgd_v8_spread(_mm256_sub_ps(y, oy), SGD_V8_BELOW, pos->ry);
}

/* Implements sgd_lane_window() for quads. */
static ALWAYS_INLINE void
sgd_quads_window(const struct sgd_pixels *pixels, struct sgd_sample_pos at, float *x, float *y)
{
   sgd_v8_spread(sgd_v8_quad_places(pixels->quads.x, at.x), SGD_V8_RIGHT, x);
   sgd_v8_spread(sgd_v8_quad_places(pixels->quads.y, at.y), SGD_V8_BELOW, y);
}

/* Sampling positions of an 8x4 block. Lanes 0-7 have x in `left` and y in `upper`, lanes 8-15 in
 * `right` and `upper`, lanes 16-23 in `left` and `lower`, and lanes 24-31 in `right` and `lower`.
 */
struct sgd_v8_block {
   __m256 left, right, upper, lower;
};

/* Returns the sampling positions of a block whose first lane is sampled at x, y. */
static ALWAYS_INLINE struct sgd_v8_block
sgd_v8_block_at(float x, float y)
{
   const __m256 vx = _mm256_set1_ps(x), vy = _mm256_set1_ps(y);

   return (struct sgd_v8_block){
      .left = _mm256_add_ps(vx, _mm256_setr_ps(0, 1, 0, 1, 2, 3, 2, 3)),
      .right = _mm256_add_ps(vx, _mm256_setr_ps(4, 5, 4, 5, 6, 7, 6, 7)),
      .upper = _mm256_add_ps(vy, _mm256_setr_ps(0, 0, 1, 1, 0, 0, 1, 1)),
      .lower = _mm256_add_ps(vy, _mm256_setr_ps(2, 2, 3, 3, 2, 2, 3, 3)),
   };
}

/* Returns the sampling positions of a block at its pixel centres. They are the same as those of
 * sgd_lane_positions().
 */
static ALWAYS_INLINE struct sgd_v8_block
sgd_v8_block(const struct sgd_pixels *pixels)
{
   const struct sgd_prim *prim = pixels->prim[0];

   return sgd_v8_block_at((float)(int32_t)pixels->quads.x[0] + 0.5f - prim->ox,
                          (float)(int32_t)pixels->quads.y[0] + 0.5f - prim->oy);
}

static ALWAYS_INLINE void
sgd_v8_store_block(const struct sgd_v8_block *at, float *x, float *y)
{
   sgd_v8_store_warp(x, &(struct sgd_v8_warp){ at->left, at->right, at->left, at->right });
   sgd_v8_store_warp(y, &(struct sgd_v8_warp){ at->upper, at->upper, at->lower, at->lower });
}

/* -- warps of one primitive ---------------------------------------------------------- */

/* Evaluates the plane at p at the positions of a block, or at `pos` if `at` is NULL. The three
 * coefficients of the plane are `stride` floats apart.
 */
static ALWAYS_INLINE struct sgd_v8_warp
sgd_v8_one_plane(const struct sgd_v8_block *at, const struct sgd_lane_pos *pos, const float *p,
                 size_t stride)
{
   const __m256 v0 = _mm256_set1_ps(p[0]);
   const __m256 dx = _mm256_set1_ps(p[stride]), dy = _mm256_set1_ps(p[2 * stride]);

   if (!at) {
#define AT(i) sgd_v8_plane(v0, dx, dy, _mm256_loadu_ps(&pos->rx[i]), _mm256_loadu_ps(&pos->ry[i]))
      return (struct sgd_v8_warp){ AT(0), AT(8), AT(16), AT(24) };
#undef AT
   }
   const __m256 left = _mm256_mul_ps(dx, at->left), right = _mm256_mul_ps(dx, at->right);
   const __m256 upper = _mm256_mul_ps(dy, at->upper), lower = _mm256_mul_ps(dy, at->lower);

   return (struct sgd_v8_warp){
      .a = _mm256_add_ps(v0, _mm256_add_ps(left, upper)),
      .b = _mm256_add_ps(v0, _mm256_add_ps(right, upper)),
      .c = _mm256_add_ps(v0, _mm256_add_ps(left, lower)),
      .d = _mm256_add_ps(v0, _mm256_add_ps(right, lower)),
   };
}

/* Evaluates planes `first` to `end` - 1 of the pixel program's inputs in groups of four, and stores
 * them to `in`. Values are multiplied by w unless w is NULL. NaNs are not canonicalized. The
 * elements of the result are nonzero in lanes with a NaN.
 */
static ALWAYS_INLINE __m256
sgd_v8_one_planes_w(const struct sgd_varyings *varyings, const struct sgd_prim *prim,
                    const struct sgd_v8_block *at, const struct sgd_lane_pos *pos, unsigned first,
                    unsigned end, const struct sgd_v8_warp *w, struct sgd_vec *in)
{
   /* Read the stride only once. Otherwise the compiler would load it again after each store to
    * `in`, which may alias the varyings.
    */
   const size_t stride = varyings->num_planes;
   __m256 nan = _mm256_setzero_ps();

   for (unsigned k = first; k < end; k += 4) {
      const uint16_t *lanes = &varyings->lanes[k];
#define PLANE(i)                                                                      \
   {                                                                                  \
      struct sgd_v8_warp v = sgd_v8_one_plane(at, pos, prim->attr + k + (i), stride); \
      if (w) {                                                                        \
         v.a = _mm256_mul_ps(v.a, w->a);                                              \
         v.b = _mm256_mul_ps(v.b, w->b);                                              \
         v.c = _mm256_mul_ps(v.c, w->c);                                              \
         v.d = _mm256_mul_ps(v.d, w->d);                                              \
      }                                                                               \
      nan = _mm256_or_ps(nan, _mm256_or_ps(_mm256_cmp_ps(v.a, v.b, _CMP_UNORD_Q),     \
                                           _mm256_cmp_ps(v.c, v.d, _CMP_UNORD_Q)));   \
      sgd_v8_store_warp(input_lanes(in, lanes[i]), &v);                               \
   }
      /* Planes that aren't used are at the end of each group of four. */
      PLANE(0)
      if (lanes[1] == SGD_NO_LANES)
         continue;
      PLANE(1)
      if (lanes[2] == SGD_NO_LANES)
         continue;
      PLANE(2)
      if (lanes[3] == SGD_NO_LANES)
         continue;
      PLANE(3)
#undef PLANE
   }
   return nan;
}

/* Evaluates all planes of a primitive. If `divides` is set, planes before varyings->linear are
 * multiplied by w. Returns true if any value is NaN, in which case the caller must canonicalize the
 * values.
 */
static ALWAYS_INLINE bool
sgd_v8_one_planes(const struct sgd_varyings *varyings, const struct sgd_prim *prim,
                  const struct sgd_v8_block *at, const struct sgd_lane_pos *pos, bool divides,
                  struct sgd_vec *in)
{
   const unsigned linear = varyings->linear, end = varyings->num_planes;
   const __m256 one = _mm256_set1_ps(1.0f);

   if (!divides)
      return _mm256_movemask_ps(sgd_v8_one_planes_w(varyings, prim, at, pos, 0, end, NULL, in)) !=
             0;

   struct sgd_v8_warp w = sgd_v8_one_plane(at, pos, &prim->rw.v0, 1);
   w.a = _mm256_div_ps(one, w.a);
   w.b = _mm256_div_ps(one, w.b);
   w.c = _mm256_div_ps(one, w.c);
   w.d = _mm256_div_ps(one, w.d);
   __m256 nan = sgd_v8_one_planes_w(varyings, prim, at, pos, 0, linear, &w, in);
   if (unlikely(linear < end)) {
      nan = _mm256_or_ps(nan, sgd_v8_one_planes_w(varyings, prim, at, pos, linear, end, NULL, in));
   }
   return _mm256_movemask_ps(nan) != 0;
}

/* -- warps of several primitives ----------------------------------------------------- */

/* Loads four floats of the primitives of quads q and q + 1, starting at byte `offset` of each
 * primitive.
 */
static ALWAYS_INLINE __m256
sgd_v8_pair(const struct sgd_pixels *pixels, unsigned q, size_t offset)
{
   const uint8_t *p0 = (const uint8_t *)pixels->prim[q] + offset;
   const uint8_t *p1 = (const uint8_t *)pixels->prim[q + 1] + offset;

   return _mm256_insertf128_ps(_mm256_castps128_ps256(_mm_loadu_ps((const float *)p0)),
                               _mm_loadu_ps((const float *)p1), 1);
}

/* Broadcasts element i of each 128-bit half of v within that half. */
#define SGD_V8_PICK(v, i) _mm256_permute_ps(v, (i)*0x55)

/* Evaluates the plane `z` or `rw` of struct sgd_prim for the lanes of quads q and q + 1. Loads four
 * floats per plane. This is safe, because both planes are followed by other members of the struct.
 */
static ALWAYS_INLINE __m256
sgd_v8_pair_plane(const struct sgd_pixels *pixels, unsigned q, const struct sgd_lane_pos *pos,
                  size_t offset)
{
   const __m256 p = sgd_v8_pair(pixels, q, offset);

   return sgd_v8_plane(SGD_V8_PICK(p, 0), SGD_V8_PICK(p, 1), SGD_V8_PICK(p, 2),
                       _mm256_loadu_ps(&pos->rx[4 * q]), _mm256_loadu_ps(&pos->ry[4 * q]));
}

/* Computes w for all lanes of a warp. Points get w = 1. */
static ALWAYS_INLINE void
sgd_v8_pairs_w(const struct sgd_pixels *pixels, const struct sgd_lane_pos *pos, float *w)
{
   const __m256 one = _mm256_set1_ps(1.0f);
   bool points = false;

   for (unsigned q = 0; q < pixels->quads.count; q += 2) {
      const __m256 rw = sgd_v8_pair_plane(pixels, q, pos, offsetof(struct sgd_prim, rw));
      points |= (pixels->prim[q]->type == SGD_PRIM_RECT) |
                (pixels->prim[q + 1]->type == SGD_PRIM_RECT);
      _mm256_storeu_ps(&w[4 * q], _mm256_div_ps(one, rw));
   }
   if (likely(!points))
      return;
   for (unsigned q = 0; q < pixels->quads.count; q++) {
      if (pixels->prim[q]->type == SGD_PRIM_RECT)
         _mm_storeu_ps(&w[4 * q], _mm_set1_ps(1.0f));
   }
}

/* Evaluates n planes, starting at plane k, and stores them to `out`. Values are multiplied by w
 * unless w is NULL. NaNs are not canonicalized. The elements of the result are nonzero in lanes
 * with a NaN.
 */
static ALWAYS_INLINE __m256
sgd_v8_pairs_group(const struct sgd_pixels *pixels, const struct sgd_lane_pos *pos, const float *w,
                   unsigned k, size_t stride, float *const out[4], unsigned n)
{
   const size_t offset = offsetof(struct sgd_prim, attr) + k * sizeof(float);
   __m256 nan = _mm256_setzero_ps();

   for (unsigned q = 0; q < pixels->quads.count; q += 2) {
      const __m256 v0 = sgd_v8_pair(pixels, q, offset);
      const __m256 dx = sgd_v8_pair(pixels, q, offset + stride * sizeof(float));
      const __m256 dy = sgd_v8_pair(pixels, q, offset + 2 * stride * sizeof(float));
      const __m256 rx = _mm256_loadu_ps(&pos->rx[4 * q]), ry = _mm256_loadu_ps(&pos->ry[4 * q]);
      const __m256 factor = w ? _mm256_loadu_ps(&w[4 * q]) : rx;
#define PLANE(i)                                                                                   \
   if (n > (i)) {                                                                                  \
      __m256 v = sgd_v8_plane(SGD_V8_PICK(v0, i), SGD_V8_PICK(dx, i), SGD_V8_PICK(dy, i), rx, ry); \
      if (w)                                                                                       \
         v = _mm256_mul_ps(v, factor);                                                             \
      nan = _mm256_or_ps(nan, _mm256_cmp_ps(v, v, _CMP_UNORD_Q));                                  \
      _mm256_storeu_ps(&out[i][4 * q], v);                                                         \
   }
      PLANE(0)
      PLANE(1)
      PLANE(2)
      PLANE(3)
#undef PLANE
   }
   return nan;
}

/* Like sgd_v8_one_planes(), but for a warp whose quads belong to several primitives. */
static ALWAYS_INLINE bool
sgd_v8_pairs_planes(const struct sgd_varyings *varyings, const struct sgd_pixels *pixels,
                    const struct sgd_lane_pos *pos, bool divides, struct sgd_vec *in)
{
   const unsigned num_planes = varyings->num_planes;
   _Alignas(32) float w[SGD_WARP];
   __m256 nan = _mm256_setzero_ps();

   if (divides)
      sgd_v8_pairs_w(pixels, pos, w);
   for (unsigned k = 0; k < num_planes; k += 4) {
      const uint16_t *lanes = &varyings->lanes[k];
      const bool divided = divides && k < varyings->linear;
      float *out[4];
      unsigned n = 0;

      /* Planes that aren't used are at the end of each group of four. */
      for (; n < 4 && lanes[n] != SGD_NO_LANES; n++)
         out[n] = input_lanes(in, lanes[n]);
      __m256 here;
      if (!divided)
         here = sgd_v8_pairs_group(pixels, pos, NULL, k, num_planes, out, n);
      else if (n == 4)
         here = sgd_v8_pairs_group(pixels, pos, w, k, num_planes, out, 4);
      else
         here = sgd_v8_pairs_group(pixels, pos, w, k, num_planes, out, n);
      nan = _mm256_or_ps(nan, here);
   }
   return _mm256_movemask_ps(nan) != 0;
}

/* Broadcasts n flat values of each quad's primitive to the lanes of the quad. The first value is at
 * byte `offset` of the primitive.
 */
static ALWAYS_INLINE void
sgd_quads_flat(const struct sgd_pixels *pixels, size_t offset, float *const out[4], unsigned n)
{
   for (unsigned q = 0; q < pixels->quads.count; q += 2) {
      if (n == 4) {
         const __m256 v = sgd_v8_pair(pixels, q, offset);
         _mm256_storeu_ps(&out[0][4 * q], SGD_V8_PICK(v, 0));
         _mm256_storeu_ps(&out[1][4 * q], SGD_V8_PICK(v, 1));
         _mm256_storeu_ps(&out[2][4 * q], SGD_V8_PICK(v, 2));
         _mm256_storeu_ps(&out[3][4 * q], SGD_V8_PICK(v, 3));
         continue;
      }
      /* Load the last values one at a time, because a wider load could read past the end of the
       * primitive.
       */
      const float *p0 = (const float *)((const uint8_t *)pixels->prim[q] + offset);
      const float *p1 = (const float *)((const uint8_t *)pixels->prim[q + 1] + offset);
      for (unsigned i = 0; i < n; i++) {
         const __m256 v = _mm256_castps128_ps256(_mm_broadcast_ss(&p0[i]));
         _mm256_storeu_ps(&out[i][4 * q], _mm256_insertf128_ps(v, _mm_broadcast_ss(&p1[i]), 1));
      }
   }
}

/* -- entry points -------------------------------------------------------------------- */

/* The following functions accept NULL as `pos` for a block that is evaluated at its pixel centres.
 */

/* Evaluates a plane of struct sgd_prim that is not an attribute, i.e. depth or 1/w. */
static ALWAYS_INLINE void
sgd_v8_head_plane(const struct sgd_pixels *pixels, const struct sgd_lane_pos *pos, size_t offset,
                  float *out)
{
   const float *p = (const float *)((const uint8_t *)pixels->prim[0] + offset);

   if (!pos) {
      const struct sgd_v8_block at = sgd_v8_block(pixels);
      const struct sgd_v8_warp v = sgd_v8_one_plane(&at, NULL, p, 1);
      sgd_v8_store_warp(out, &v);
   } else if (pos->one) {
      const struct sgd_v8_warp v = sgd_v8_one_plane(NULL, pos, p, 1);
      sgd_v8_store_warp(out, &v);
   } else {
      for (unsigned q = 0; q < pixels->quads.count; q += 2)
         _mm256_storeu_ps(&out[4 * q], sgd_v8_pair_plane(pixels, q, pos, offset));
   }
}

/* Evaluates the planes of all inputs. `divides` and the return value have the same meaning as for
 * sgd_v8_one_planes().
 */
static ALWAYS_INLINE bool
sgd_v8_planes(const struct sgd_varyings *varyings, const struct sgd_pixels *pixels,
              const struct sgd_lane_pos *pos, bool divides, struct sgd_vec *in)
{
   if (!pos) {
      const struct sgd_v8_block at = sgd_v8_block(pixels);
      return sgd_v8_one_planes(varyings, pixels->prim[0], &at, NULL, divides, in);
   }
   if (pos->one)
      return sgd_v8_one_planes(varyings, pixels->prim[0], NULL, pos, divides, in);
   return sgd_v8_pairs_planes(varyings, pixels, pos, divides, in);
}

#endif
