/* SPDX-License-Identifier: MIT */
/*
 * Setup: points (OpenGL 3.3 compatibility profile, sections 3.4.1 and 3.4.3). Smooth and
 * multisampled points are discs; sprites are squares.
 */
#include "geometry/front/sgd_front.h"
#include "geometry/front/sgd_front_vertex.h"
#include "geometry/setup/sgd_bin.h"
#include "geometry/setup/sgd_setup.h"
#include "geometry/setup/sgd_setup_prim.h"
#include "common/sgd_prim.h"

static float
point_size(const struct sgd_vertex *v)
{
   const float most = SGPU_LIMIT_POINT_SIZE;

   /* Use a size of 1 if the size is NaN or below 1. */
   const float size = v->point_size > 1.0f ? v->point_size : 1.0f;
   return size < most ? size : most;
}

/* Finds the pixels that the square of a point covers in one dimension, which are *p0 to *p1 - 1.
 * The centre of the square is rounded to a pixel centre if the size is odd, and to a pixel border
 * if it is even.
 */
static void
aliased(int32_t c, int32_t size, int32_t *p0, int32_t *p1)
{
   const int32_t middle = (c + (size & 1 ? 0 : SGD_SUBPIXEL / 2)) >> SGD_SUBPIXEL_BITS;

   *p0 = middle - size / 2;
   *p1 = *p0 + size;
}

/* Finds the pixels whose centres are in [c - half, c + half), or in (c - half, c + half] if `upper`
 * is set.
 */
static void
square(int32_t c, int32_t half, bool upper, int32_t *p0, int32_t *p1)
{
   const int32_t round = SGD_SUBPIXEL / 2 - !upper;

   *p0 = (c - half + round) >> SGD_SUBPIXEL_BITS;
   *p1 = (c + half + round) >> SGD_SUBPIXEL_BITS;
}

/* Finds the pixels that the disc of a point touches in one dimension. */
static void
disc(int32_t c, float size, int32_t *p0, int32_t *p1)
{
   const float half = size * (SGD_SUBPIXEL / 2);

   *p0 = (int32_t)sgpu_ffloor((float)c - half) >> SGD_SUBPIXEL_BITS;
   *p1 = ((int32_t)sgpu_fceil((float)c + half) + SGD_SUBPIXEL - 1) >> SGD_SUBPIXEL_BITS;
}

void
sgd_setup_point(struct sgd_front *f, const struct sgd_vertex *v, const struct sgd_face *face)
{
   const struct SGPU_RASTERIZER *rast = &f->state->rast;
   const struct sgd_varyings *varyings = f->varyings;
   const float size = point_size(v);
   int32_t x0, y0, x1, y1;

   if (f->mode->conservative && !f->mode->smooth_points) {
      /* Draw all pixels that touch the square. */
      const int32_t half = (int32_t)sgpu_fround(size * (SGD_SUBPIXEL / 2));
      x0 = (v->x - half - 1) >> SGD_SUBPIXEL_BITS;
      y0 = (v->y - half - 1) >> SGD_SUBPIXEL_BITS;
      x1 = ((v->x + half) >> SGD_SUBPIXEL_BITS) + 1;
      y1 = ((v->y + half) >> SGD_SUBPIXEL_BITS) + 1;
   } else if (f->mode->smooth_points || f->mode->multisamples) {
      disc(v->x, size, &x0, &x1);
      disc(v->y, size, &y0, &y1);
      /* Samples can be on the upper and left borders of pixels, so add one column and one row. */
      x1 += f->mode->multisamples;
      y1 += f->mode->multisamples;
   } else if (rast->point_quad) {
      const int32_t half = (int32_t)sgpu_fround(size * (SGD_SUBPIXEL / 2));
      square(v->x, half, false, &x0, &x1);
      square(v->y, half, rast->bottom_edge_rule, &y0, &y1);
   } else {
      const int32_t whole = (int32_t)(size + 0.5f);
      aliased(v->x, whole, &x0, &x1);
      aliased(v->y, whole, &y0, &y1);
   }

   struct sgd_prim *prim = sgd_setup_prim(f, SGD_PRIM_RECT, face, x0, y0, x1, y1);
   if (!prim)
      return;

   /* The point coordinates are 1/2 at the centre of the point, and change from 0 to 1 between
    * opposite sides of the square.
    */
   prim->ox = (float)v->x * (1.0f / SGD_SUBPIXEL);
   prim->oy = (float)v->y * (1.0f / SGD_SUBPIXEL);
   const float step = sgpu_frcp(size);
   const struct sgd_plane s = { 0.5f, step, 0.0f };
   const struct sgd_plane t = { 0.5f, 0.0f, rast->sprite_origin_lower_left ? -step : step };
   prim->u.point.s = s;
   prim->u.point.t = t;
   prim->u.point.radius = size * 0.5f;
   prim->smooth = f->mode->smooth_points;

   sgd_setup_depth(prim, (struct sgd_plane){ v->z, 0.0f, 0.0f }, face->offset);
   prim->rw = sgd_tame((struct sgd_plane){ v->rw, 0.0f, 0.0f });

   for (unsigned k = 0; k < varyings->num_planes; k++) {
      struct sgd_plane p = { v->attr[k], 0.0f, 0.0f };

      switch (varyings->ref[k].point_coord) {
      case 1:
         p = s;
         break;
      case 2:
         p = t;
         break;
      case 3:
         p.v0 = 0.0f;
         break;
      case 4:
         p.v0 = 1.0f;
         break;
      default:
         break;
      }
      sgd_prim_v0(varyings, prim)[k] = p.v0;
      sgd_prim_dx(varyings, prim)[k] = p.dx;
      sgd_prim_dy(varyings, prim)[k] = p.dy;
   }
   sgd_setup_flat(varyings, prim, face->prov);
   sgd_bin_prim(f, prim);
}
