/* SPDX-License-Identifier: MIT */
/*
 * Texture unit, the frequent case: two-dimensional linear filtering of formats
 * with up to four 8-bit unsigned channels in one word, without border and
 * comparison; one host level.  Same arithmetic as sgd_tex_filter.c, all
 * channels of a lane together.
 */
#include "sgd_tex_exec.h"

struct block {
   _Alignas(64) uint32_t t[4][SGD_WARP];
};

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
         const uint32_t x0 = ((i0 >> 3) * SGPU_TILE_ELEMENTS + sgpu_tile_element_x(i0)) * 4;
         const uint32_t x1 = ((i1 >> 3) * SGPU_TILE_ELEMENTS + sgpu_tile_element_x(i1)) * 4;
         const uint32_t y0 = (j0 >> 2) * pitch + sgpu_tile_element_y(j0) * 4;
         const uint32_t y1 = (j1 >> 2) * pitch + sgpu_tile_element_y(j1) * 4;
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

static void
fetch_block(const struct sgd_tex_unit *u, const struct sgd_tex_level *level,
            const struct sgd_tex_axis axis[2], const struct sgd_tex_int *z, struct block *b)
{
   const uint8_t *base = level->base;
   uint32_t *t = b->t[0];
   block_offsets(u, level, axis, z, b);
   for (unsigned n = 0; n < 4 * SGD_WARP; n += 4) {
      /* four at a time, so that loads need not wait for stores */
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
   if (u->codec) {
      for (unsigned n = 0; n < 4; n++) {
         struct sgd_vec words;
         sgd_tex_fetch(u, level, &axis[0].i[n & 1], &axis[1].i[n >> 1], z, NULL, channels, &words);
         memcpy(b.t[n], words.c[0], sizeof(b.t[n]));
      }
   } else {
      fetch_block(u, level, axis, z, &b);
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
