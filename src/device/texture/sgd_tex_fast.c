/* SPDX-License-Identifier: MIT */
/*
 * Texture unit, the frequent cases, of formats with up to four 8-bit unsigned
 * channels in one word: linear filtering in two dimensions without border and
 * comparison, and whole operations on one level of a 2D texture; one host
 * level.  Same arithmetic as sgd_tex_filter.c, channels of a lane together.
 */
#include <string.h>

#include "sgd_lanes.h"
#include "texture/sgd_tex_exec.h"

struct block {
   _Alignas(64) uint32_t t[4][SGD_WARP];
};

static inline uint32_t
tiled_x(uint32_t i)
{
   return ((i >> 3) * SGPU_TILE_ELEMENTS + sgpu_tile_element_x(i)) * 4;
}

static inline uint32_t
tiled_y(uint32_t j, uint32_t pitch)
{
   return (j >> 2) * pitch + sgpu_tile_element_y(j) * 4;
}

/* Byte offsets of the four texels, by tap. */
static void
block_offsets(const struct sgd_tex_unit *u, const struct sgd_tex_level *level,
              const struct sgd_tex_axis axis[2], const struct sgd_tex_int *z, struct block *b)
{
   const uint32_t pitch = level->pitch;
   if (u->tiled) {
      SGD_EACH(l) {
         const uint32_t i0 = (uint32_t)axis[0].i[0].v[l], i1 = (uint32_t)axis[0].i[1].v[l];
         const uint32_t j0 = (uint32_t)axis[1].i[0].v[l], j1 = (uint32_t)axis[1].i[1].v[l];
         const uint32_t x0 = tiled_x(i0), x1 = tiled_x(i1);
         const uint32_t y0 = tiled_y(j0, pitch), y1 = tiled_y(j1, pitch);
         b->t[0][l] = y0 + x0;
         b->t[1][l] = y0 + x1;
         b->t[2][l] = y1 + x0;
         b->t[3][l] = y1 + x1;
      }
   } else {
      SGD_EACH(l) {
         const uint32_t x0 = (uint32_t)axis[0].i[0].v[l] * 4;
         const uint32_t x1 = (uint32_t)axis[0].i[1].v[l] * 4;
         const uint32_t y0 = (uint32_t)axis[1].i[0].v[l] * pitch;
         const uint32_t y1 = (uint32_t)axis[1].i[1].v[l] * pitch;
         b->t[0][l] = y0 + x0;
         b->t[1][l] = y0 + x1;
         b->t[2][l] = y1 + x0;
         b->t[3][l] = y1 + x1;
      }
   }
   if (z) {
      const uint32_t stride = (uint32_t)level->layer_stride;
      for (unsigned n = 0; n < 4; n++) {
         SGD_EACH(l) {
            b->t[n][l] += (uint32_t)z->v[l] * stride;
         }
      }
   }
}

static inline float
channel(uint32_t word, unsigned shift)
{
   return (float)(int32_t)((word >> shift) & 255u);
}

static inline float
bilinear(const struct block *b, unsigned l, unsigned shift, float fx, float fy)
{
   const float upper = tlerp(channel(b->t[0][l], shift), channel(b->t[1][l], shift), fx);
   const float lower = tlerp(channel(b->t[2][l], shift), channel(b->t[3][l], shift), fx);
   return tlerp(upper, lower, fy);
}

/* Byte offsets to words: four at a time, so that loads need not wait for stores. */
static void
fetch_words(const uint8_t *base, uint32_t *t, unsigned count)
{
   for (unsigned n = 0; n < count; n += 4) {
      uint32_t w[4];
      for (unsigned k = 0; k < 4; k++)
         memcpy(&w[k], base + t[n + k], 4);
      for (unsigned k = 0; k < 4; k++)
         t[n + k] = w[k];
   }
}

void
sgd_tex_filter_bytes(const struct sgd_tex_unit *u, const struct sgd_tex_level *level,
                     const struct sgd_tex_axis axis[2], const struct sgd_tex_int *z,
                     unsigned channels, struct sgd_tex_float out[4])
{
   struct block b;
   if (u->codec || u->bpe != 4) {
      sgd_tex_fetch_block(u, level, axis, z, b.t);
   } else {
      block_offsets(u, level, axis, z, &b);
      fetch_words(level->base, b.t[0], 4 * SGD_WARP);
   }

   const float *fx = axis[0].f.v, *fy = axis[1].f.v;
   if (channels & 8) {
      SGD_EACH(l) {
         out[0].v[l] = bilinear(&b, l, 0, fx[l], fy[l]);
         out[1].v[l] = bilinear(&b, l, 8, fx[l], fy[l]);
         out[2].v[l] = bilinear(&b, l, 16, fx[l], fy[l]);
         out[3].v[l] = bilinear(&b, l, 24, fx[l], fy[l]);
      }
   } else {
      SGD_EACH(l) {
         out[0].v[l] = bilinear(&b, l, 0, fx[l], fy[l]);
         out[1].v[l] = bilinear(&b, l, 8, fx[l], fy[l]);
         out[2].v[l] = bilinear(&b, l, 16, fx[l], fy[l]);
      }
   }
}

/* Whether a filtering operation is one filter on one level of a 2D texture, the
 * same for all lanes.
 */
static bool
is_simple(const struct sgd_tex_unit *u, const struct SGPU_SAMPLER *s, const struct sgd_tex_op *op)
{
   const unsigned wraps = 1 << SGPU_WRAP_REPEAT | 1 << SGPU_WRAP_CLAMP_TO_EDGE;
   return u->simple && (u->num_levels == 1 || s->mip_filter == SGPU_MIP_FILTER_NONE) &&
          s->min_filter == s->mag_filter && s->max_anisotropy <= 1 &&
          s->reduction == SGPU_FILTER_REDUCTION_AVERAGE &&
          (wraps >> s->wrap_s & wraps >> s->wrap_t & 1) && !(op->shadow && s->compare_enable) &&
          !op->reg_offset && !op->offset[0] && !op->offset[1];
}

/* Scaled channels to the components that they are routed to, for the active
 * lanes; `value(shift)` is that of lane l.
 */
#define STORE_COMPONENTS(value)                                                  \
   for (unsigned c = 0; c < 4; c++) {                                            \
      const unsigned route = u->route[c];                                        \
      if (!(mask & (1 << c)))                                                    \
         continue;                                                               \
      uint32_t *d = dst->c[c];                                                   \
      if (route < 4) {                                                           \
         const unsigned shift = 8 * route;                                       \
         const float scale = u->channel[route].scale;                            \
         SGD_EACH(l) {                                                           \
            const float v = tmul(value, scale);                                  \
            d[l] = sgpu_fp_pick(sgd_lane_mask(active, l), sgpu_f2bits(v), d[l]); \
         }                                                                       \
      } else {                                                                   \
         const uint32_t constant = route == SGD_TEX_ROUTE_1 ? 0x3f800000 : 0;    \
         SGD_EACH(l) {                                                           \
            d[l] = sgpu_fp_pick(sgd_lane_mask(active, l), constant, d[l]);       \
         }                                                                       \
      }                                                                          \
   }

static void
nearest(const struct sgd_tex_unit *u, const struct sgd_tex_level *level,
        const struct sgd_tex_axis axis[2], unsigned mask, uint32_t active, struct sgd_vec *dst)
{
   const uint32_t pitch = level->pitch;
   _Alignas(64) uint32_t t[SGD_WARP];
   if (u->tiled) {
      SGD_EACH(l) {
         t[l] = tiled_x((uint32_t)axis[0].i[0].v[l]) + tiled_y((uint32_t)axis[1].i[0].v[l], pitch);
      }
   } else {
      SGD_EACH(l) {
         t[l] = (uint32_t)axis[0].i[0].v[l] * 4 + (uint32_t)axis[1].i[0].v[l] * pitch;
      }
   }
   fetch_words(level->base, t, SGD_WARP);
   STORE_COMPONENTS(channel(t[l], shift))
}

static void
linear(const struct sgd_tex_unit *u, const struct sgd_tex_level *level,
       const struct sgd_tex_axis axis[2], unsigned mask, uint32_t active, struct sgd_vec *dst)
{
   const float *fx = axis[0].f.v, *fy = axis[1].f.v;
   struct block b;
   block_offsets(u, level, axis, NULL, &b);
   fetch_words(level->base, b.t[0], 4 * SGD_WARP);
   STORE_COMPONENTS(bilinear(&b, l, shift, fx[l], fy[l]))
}

bool
sgd_tex_simple(const struct sgd_tex_unit *u, const struct SGPU_SAMPLER *s,
               const struct sgd_tex_op *op, const struct sgd_source *src0, uint32_t active,
               struct sgd_vec *dst)
{
   const struct sgd_tex_level *level = &u->level[0];
   const struct sgd_tex_float *x = (const struct sgd_tex_float *)src0->c[0];
   const struct sgd_tex_float *y = (const struct sgd_tex_float *)src0->c[1];
   struct sgd_tex_axis axis[2];

   if (!is_simple(u, s, op))
      return false;
   if (s->min_filter == SGPU_FILTER_LINEAR) {
      sgd_tex_wrap_linear(s->wrap_s, level->width, !s->unnormalized, x, NULL, &axis[0]);
      sgd_tex_wrap_linear(s->wrap_t, level->height, !s->unnormalized, y, NULL, &axis[1]);
      linear(u, level, axis, op->mask, active, dst);
   } else {
      sgd_tex_wrap_nearest(s->wrap_s, level->width, !s->unnormalized, x, NULL, &axis[0]);
      sgd_tex_wrap_nearest(s->wrap_t, level->height, !s->unnormalized, y, NULL, &axis[1]);
      nearest(u, level, axis, op->mask, active, dst);
   }
   return true;
}
