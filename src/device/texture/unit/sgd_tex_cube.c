/* SPDX-License-Identifier: MIT */
/*
 * Texture unit: cube maps (GL 4.6, section 8.13). Converts directions to faces and coordinates, and
 * finds texels across the edges of a face. Compiled once for each x86-64 level of the host CPU.
 */
#include "texture/unit/sgd_tex_exec.h"

void
sgd_tex_cube(const struct sgd_source *coord, struct sgd_tex_float s[2], struct sgd_tex_int *face)
{
   const uint32_t *cx = coord->c[0], *cy = coord->c[1], *cz = coord->c[2];
   SGD_EACH(l) {
      const float rx = sgpu_fp_in(sgpu_bits2f(cx[l]));
      const float ry = sgpu_fp_in(sgpu_bits2f(cy[l]));
      const float rz = sgpu_fp_in(sgpu_bits2f(cz[l]));
      const float ax = sgpu_fabs(rx), ay = sgpu_fabs(ry), az = sgpu_fabs(rz);
      const bool is_x = (ax >= ay) & (ax >= az);
      const bool is_y = !is_x & (ay >= az);
      const float ma = is_x ? rx : is_y ? ry : rz;
      const bool negative = ma < 0.0f;

      /* sc and tc for each face: +x: -z -y, -x: z -y, +y: x z, -y: x -z, +z: x -y, -z: -x -y. */
      const float mirrored = negative ? sgpu_fneg(rx) : rx;
      const float sc = is_x ? (negative ? rz : sgpu_fneg(rz)) : is_y ? rx : mirrored;
      const float tc = is_y ? (negative ? sgpu_fneg(rz) : rz) : sgpu_fneg(ry);
      const float size = sgpu_fabs(ma);
      s[0].v[l] = tadd(tmul(sgpu_fdiv(sc, size), 0.5f), 0.5f);
      s[1].v[l] = tadd(tmul(sgpu_fdiv(tc, size), 0.5f), 0.5f);
      face->v[l] = (is_x ? 0 : is_y ? 2 : 4) + (negative ? 1 : 0);
   }
}

/*
 * Converts a position on a face to a direction. Both are in units of half a texel: texel k is at 2k
 * + 1 - n, and the face itself is at distance n from the origin.
 */
static void
to_direction(int32_t face, int32_t sc, int32_t tc, int32_t ma, int32_t r[3])
{
   switch (face) {
   case 0:
      r[0] = ma, r[1] = -tc, r[2] = -sc;
      break;
   case 1:
      r[0] = -ma, r[1] = -tc, r[2] = sc;
      break;
   case 2:
      r[0] = sc, r[1] = ma, r[2] = tc;
      break;
   case 3:
      r[0] = sc, r[1] = -ma, r[2] = -tc;
      break;
   case 4:
      r[0] = sc, r[1] = -tc, r[2] = ma;
      break;
   default:
      r[0] = -sc, r[1] = -tc, r[2] = -ma;
      break;
   }
}

static void
from_direction(const int32_t r[3], int32_t n, int32_t *face, int32_t *x, int32_t *y)
{
   int32_t sc, tc;
   if (r[0] == n || r[0] == -n) {
      *face = r[0] < 0;
      sc = r[0] < 0 ? r[2] : -r[2];
      tc = -r[1];
   } else if (r[1] == n || r[1] == -n) {
      *face = 2 + (r[1] < 0);
      sc = r[0];
      tc = r[1] < 0 ? -r[2] : r[2];
   } else {
      *face = 4 + (r[2] < 0);
      sc = r[2] < 0 ? -r[0] : r[0];
      tc = -r[1];
   }
   *x = (sc + n - 1) / 2;
   *y = (tc + n - 1) / 2;
}

/* Moves a texel that is just beyond an edge of a face to the outermost row of the neighboring face.
 */
static void
across_edge(int32_t n, int32_t *face, int32_t *x, int32_t *y)
{
   int32_t r[3];
   const int32_t sc = *x < 0 ? -n : *x >= n ? n : 2 * *x + 1 - n;
   const int32_t tc = *y < 0 ? -n : *y >= n ? n : 2 * *y + 1 - n;
   to_direction(*face, sc, tc, n - 1, r);
   from_direction(r, n, face, x, y);
}

void
sgd_tex_cube_edges(int32_t size, const struct sgd_tex_float *const s[2],
                   const struct sgd_tex_int *layer, struct sgd_tex_float f[2],
                   struct sgd_tex_int tx[4], struct sgd_tex_int ty[4], struct sgd_tex_int tz[4],
                   struct sgd_tex_int *corner)
{
   struct sgd_tex_int i[2];
   const float n = (float)size;
   int32_t low = 0, high = 0;

   for (unsigned a = 0; a < 2; a++) {
      const float *from = s[a]->v;
      SGD_EACH(l) {
         const int32_t fixed = tfixed(tclamp(tmul(from[l], n), 0.0f, n)) - 128;
         f[a].v[l] = tweight(fixed);
         i[a].v[l] = fixed >> 8;
      }
   }
   for (unsigned t = 0; t < 4; t++) {
      SGD_EACH(l) {
         tx[t].v[l] = i[0].v[l] + (int32_t)(t & 1);
         ty[t].v[l] = i[1].v[l] + (int32_t)(t >> 1);
         tz[t].v[l] = layer->v[l];
      }
   }
   SGD_EACH(l) {
      corner->v[l] = 0;
      low |= i[0].v[l] | i[1].v[l];
      high |= (size - 2 - i[0].v[l]) | (size - 2 - i[1].v[l]);
   }
   if ((low | high) >= 0)
      return;

   for (unsigned t = 0; t < 4; t++) {
      for (unsigned l = 0; l < SGD_WARP; l++) {
         int32_t *x = &tx[t].v[l], *y = &ty[t].v[l];
         const bool out_x = *x < 0 || *x >= size, out_y = *y < 0 || *y >= size;
         if (out_x && out_y) {
            corner->v[l] = (int32_t)t + 1;
            *x = iclamp(*x, 0, size - 1);
            *y = iclamp(*y, 0, size - 1);
         } else if (out_x || out_y) {
            int32_t face = tz[t].v[l] % 6;
            const int32_t first = tz[t].v[l] - face;
            across_edge(size, &face, x, y);
            tz[t].v[l] = first + face;
         }
      }
   }
}
