/* SPDX-License-Identifier: MIT */
/*
 * Raster engine: writes the depths of a plane to a 16x16 block without testing them.
 *
 * There are two implementations with identical results: plain loops for any host, and AVX2.
 */
#ifndef SGD_DEPTH_PLANE_H
#define SGD_DEPTH_PLANE_H

#include <stdint.h>
#include <string.h>

#include "pixel/shading/sgd_lane_pos.h"
#include "pixel/rop/sgd_depth_format.h"
#include "common/sgd_lanes.h"
#include "common/sgd_rop_state.h"
#include "common/sgd_tile_meta.h"
#include "util/macros.h"

#if defined(__AVX2__)
#include "pixel/rop/sgd_depth_codec_avx2.h"
#endif

/* Depth plane of a primitive. rx, ry is the offset from the plane's origin to the centre of the
 * block's first pixel. All depths in the block must be valid without clamping, and not NaN.
 */
struct sgd_depth_plane {
   float v0, dx, dy;
   float rx, ry;
};

#if defined(__AVX2__)

/* Implements sgd_depth_plane_store() for one depth format (`path`). `upper` is set if all depths
 * are at least 1/2. `fresh` is set if the non-depth bits of each element must be set to `rest`
 * instead of being kept.
 */
static ALWAYS_INLINE void
sgd_v8_plane_store(uint8_t *p, size_t pitch, enum sgd_zs_path path,
                   const struct sgd_depth_plane *plane, bool upper, bool fresh, uint32_t rest)
{
   const __m256 v0 = _mm256_set1_ps(plane->v0);
   const __m256 dx = _mm256_set1_ps(plane->dx), dy = _mm256_set1_ps(plane->dy);
   const __m256 column = _mm256_setr_ps(0, 1, 0, 1, 2, 3, 2, 3);
   const __m256 row = _mm256_setr_ps(0, 0, 1, 1, 0, 0, 1, 1);
   const __m256i depth = _mm256_set1_epi32(0xffffff), bits = _mm256_set1_epi32((int)rest);
   const __m256i sign = _mm256_set1_epi32(INT32_MIN);
   __m256 x[4];

   for (unsigned i = 0; i < 4; i++)
      x[i] = _mm256_mul_ps(dx,
                           _mm256_add_ps(_mm256_set1_ps(plane->rx + (float)(int)(4 * i)), column));
   for (unsigned j = 0; j < SGD_META_BLOCK; j += 2) {
      const __m256 y = _mm256_mul_ps(dy,
                                     _mm256_add_ps(_mm256_set1_ps(plane->ry + (float)(int)j), row));
      for (unsigned half = 0; half < 2; half++) {
         const unsigned bytes = path == SGD_ZS_Z16 ? 2 : 4;
         uint8_t *const to = p + j / 4 * pitch + (half * SGD_WARP + j % 4 * 8) * bytes;
         __m256i v[2];
         for (unsigned i = 0; i < 2; i++) {
            const __m256 z = _mm256_add_ps(v0, _mm256_add_ps(x[2 * half + i], y));
            switch (path) {
            case SGD_ZS_Z24: {
               const __m256i old = fresh ? bits
                                         : _mm256_loadu_si256((const __m256i *)(to + 32 * i));
               v[i] = upper
                         ? _mm256_add_epi32(sgd_v8_depth_upper(z, 24), _mm256_set1_epi32(1 << 23))
                         : sgd_v8_depth_unorm(z, 24);
               v[i] = _mm256_or_si256(v[i], fresh ? old : _mm256_andnot_si256(depth, old));
               break;
            }
            case SGD_ZS_Z16:
               v[i] = sgd_v8_depth_unorm(z, 16);
               break;
            case SGD_ZS_Z32:
               v[i] = upper ? _mm256_xor_si256(sgd_v8_depth_upper(z, 32), sign)
                            : sgd_v8_depth_unorm(z, 32);
               break;
            default:
               v[i] = sgd_v8_depth_float(z);
               break;
            }
         }
         if (path == SGD_ZS_Z16) {
            const __m256i both = _mm256_permute4x64_epi64(_mm256_packus_epi32(v[0], v[1]), 0xd8);
            _mm256_storeu_si256((__m256i *)to, both);
         } else {
            _mm256_storeu_si256((__m256i *)to, v[0]);
            _mm256_storeu_si256((__m256i *)(to + 32), v[1]);
         }
      }
   }
}

/* Returns true if all depths in the block are at least 1/2. Checks one corner, since the minimum
 * depth of a plane is always in a corner.
 */
static inline bool
sgd_v8_plane_is_upper(const struct sgd_depth_plane *p)
{
   const float last = SGD_META_BLOCK - 1;
   const float rx = p->dx > 0.0f ? p->rx : p->rx + last, ry = p->dy > 0.0f ? p->ry : p->ry + last;

   return sgd_plane_raw(p->v0, p->dx, p->dy, rx, ry) >= 0.5f;
}

static ALWAYS_INLINE void
sgd_depth_plane_path(uint8_t *p, size_t pitch, enum sgd_zs_path path,
                     const struct sgd_depth_plane *plane, bool fresh, uint32_t rest)
{
   if ((path == SGD_ZS_Z24 || path == SGD_ZS_Z32) && sgd_v8_plane_is_upper(plane))
      sgd_v8_plane_store(p, pitch, path, plane, true, fresh, rest);
   else
      sgd_v8_plane_store(p, pitch, path, plane, false, fresh, rest);
}

#else

static ALWAYS_INLINE void
sgd_depth_plane_path(uint8_t *p, size_t pitch, enum sgd_zs_path path,
                     const struct sgd_depth_plane *plane, bool fresh, uint32_t rest)
{
   for (unsigned n = 0; n < SGD_META_BLOCK * SGD_META_BLOCK / SGD_WARP; n++) {
      const unsigned bytes = path == SGD_ZS_Z16 ? 2 : 4;
      uint8_t *const to = p + n / 2 * pitch + n % 2 * SGD_WARP * bytes;
      const float rx = plane->rx + (float)(int)(n % 2 * SGD_BLOCK_W);
      const float ry = plane->ry + (float)(int)(n / 2 * SGD_BLOCK_H);
      _Alignas(64) uint32_t v[SGD_WARP];

      if (path == SGD_ZS_Z24 && !fresh)
         memcpy(v, to, sizeof(v));
      for (unsigned l = 0; l < SGD_WARP; l++) {
         const float z = sgd_plane_raw(plane->v0, plane->dx, plane->dy,
                                       rx + (float)(int)sgd_lane_x(l),
                                       ry + (float)(int)sgd_lane_y(l));
         if (path == SGD_ZS_Z24)
            v[l] = sgd_depth_unorm_float(z, 24) | (fresh ? rest : v[l] & 0xff000000);
         else if (path == SGD_ZS_Z16)
            ((uint16_t *)v)[l] = sgd_depth_unorm_float(z, 16);
         else if (path == SGD_ZS_Z32)
            v[l] = sgd_depth_unorm_float(z, 32);
         else
            v[l] = sgpu_f2bits(sgd_depth_float(z));
      }
      memcpy(to, v, SGD_WARP * bytes);
   }
}

#endif

/* Writes the plane's depths to the block whose first element is at p. `pitch` is the distance
 * between rows of micro tiles in bytes. `path` must be one of the paths for depth without stencil.
 * The non-depth bits of the elements are copied from *value, or kept if `value` is NULL.
 */
static inline void
sgd_depth_plane_store(uint8_t *p, size_t pitch, enum sgd_zs_path path,
                      const struct sgd_depth_plane *plane, const uint32_t *value)
{
   switch (path) {
   case SGD_ZS_Z24:
      if (value)
         sgd_depth_plane_path(p, pitch, SGD_ZS_Z24, plane, true, *value & 0xff000000);
      else
         sgd_depth_plane_path(p, pitch, SGD_ZS_Z24, plane, false, 0);
      break;
   case SGD_ZS_Z16:
      sgd_depth_plane_path(p, pitch, SGD_ZS_Z16, plane, true, 0);
      break;
   case SGD_ZS_Z32:
      sgd_depth_plane_path(p, pitch, SGD_ZS_Z32, plane, true, 0);
      break;
   default:
      sgd_depth_plane_path(p, pitch, SGD_ZS_Z32F, plane, true, 0);
      break;
   }
}

#endif
