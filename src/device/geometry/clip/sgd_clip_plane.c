/* SPDX-License-Identifier: MIT */
/*
 * Clipper: clips primitives to planes. A new vertex is always interpolated from the inside vertex
 * to the outside vertex. Planes are processed in the order of the outcode bits, and a plane doesn't
 * change polygons that it doesn't intersect. This way, two triangles with a common edge get the
 * same new vertices on this edge.
 */
#include "geometry/clip/sgd_clip_plane.h"

#include <assert.h>
#include <string.h>

#include "geometry/clip/sgd_clip.h"
#include "geometry/front/sgd_front.h"
#include "geometry/outputs/sgd_outputs.h"
#include "common/sgd_varyings.h"
#include "sgpu_fp.h"
#include "util/bitscan.h"

bool
sgd_clip_begin(struct sgd_front *f)
{
   return sgd_front_reserve(&f->clip_memory, &f->clip_memory_size,
                            (size_t)(SGD_CLIP_VERTICES + SGD_CLIP_COPIES) * f->stride);
}

static struct sgd_vertex *
make_vertex(struct sgd_front *f)
{
   assert(f->clip_made < SGD_CLIP_VERTICES);
   return (struct sgd_vertex *)(f->clip_memory + (size_t)f->clip_made++ * f->stride);
}

/* Returns the signed distance of a vertex from a plane, with the same arithmetic as for the
 * outcodes in sgd_outputs.c.
 */
static float
distance(const struct sgd_front *f, const struct sgd_vertex *v, unsigned plane)
{
   const struct SGPU_VIEWPORT *vp = &f->state->viewport[sgd_vertex_viewport(v)];
   const float x = v->pos[0], y = v->pos[1], z = v->pos[2], w = v->pos[3];
   const float gw = sgpu_fmul(w, SGD_GUARD);
   const float gx = sgpu_fmad(x, vp->scale_x, sgpu_fmul(w, vp->translate_x));
   const float gy = sgpu_fmad(y, vp->scale_y, sgpu_fmul(w, vp->translate_y));

   switch (plane) {
   case SGD_CLIP_W:
      return sgpu_fp_in(w);
   case SGD_CLIP_NEAR:
      return f->state->rast.clip_halfz ? sgpu_fp_in(z) : sgpu_fadd(w, z);
   case SGD_CLIP_FAR:
      return sgpu_fsub(w, z);
   case SGD_CLIP_GUARD:
      return sgpu_fadd(gw, gx);
   case SGD_CLIP_GUARD + 1:
      return sgpu_fsub(gw, gx);
   case SGD_CLIP_GUARD + 2:
      return sgpu_fadd(gw, gy);
   case SGD_CLIP_GUARD + 3:
      return sgpu_fsub(gw, gy);
   case SGD_CLIP_VIEW:
      return sgpu_fp_in(sgpu_fadd(w, x));
   case SGD_CLIP_VIEW + 1:
      return sgpu_fp_in(sgpu_fsub(w, x));
   case SGD_CLIP_VIEW + 2:
      return sgpu_fp_in(sgpu_fadd(w, y));
   case SGD_CLIP_VIEW + 3:
      return sgpu_fp_in(sgpu_fsub(w, y));
   default:
      return sgpu_fp_in(sgd_vertex_distances(f, v)[plane - SGD_CLIP_USER]);
   }
}

static inline float
lerp(float t, float in, float out)
{
   return sgpu_fmad(t, sgpu_fsub(out, in), in);
}

/* Creates the vertex at which the line from `in`, at distance d_in >= 0, to `out` intersects the
 * plane.
 */
static struct sgd_vertex *
intersect(struct sgd_front *f, const struct sgd_vertex *in, const struct sgd_vertex *out,
          float d_in, float d_out, unsigned plane)
{
   const struct sgd_varyings *varyings = f->varyings;
   const float t = sgpu_fdiv(d_in, sgpu_fsub(d_in, d_out));
   struct sgd_vertex *v = make_vertex(f);

   for (unsigned c = 0; c < 4; c++)
      v->pos[c] = lerp(t, in->pos[c], out->pos[c]);
   /* Put the vertex exactly on the side of the view volume. This side is mapped to a pixel border
    * at the edge of the viewport, so rounding errors could add or remove fragments.
    */
   if (plane >= SGD_CLIP_VIEW) {
      const unsigned side = plane - SGD_CLIP_VIEW;
      v->pos[side / 2] = side & 1 ? v->pos[3] : -v->pos[3];
   }

   for (unsigned k = 0; k < varyings->linear; k++)
      v->attr[k] = lerp(t, in->attr[k], out->attr[k]);
   if (varyings->linear < varyings->num_planes) {
      /* For attributes that are linear in window space, t must be corrected for perspective. */
      const float s = sgpu_fdiv(sgpu_fmul(t, out->pos[3]), v->pos[3]);
      for (unsigned k = varyings->linear; k < varyings->num_planes; k++)
         v->attr[k] = lerp(s, in->attr[k], out->attr[k]);
   }
   if (f->mode->clip_planes) {
      for (unsigned k = f->num_attrs; k < f->num_attrs + 8; k++)
         v->attr[k] = lerp(t, in->attr[k], out->attr[k]);
   }

   v->point_size = in->point_size;
   v->layer = in->layer;
   v->viewport = in->viewport;
   v->clip = 0;
   sgd_outputs_place(f, v);
   return v;
}

/* Returns true if the vertex is in front of the eye and inside the guard band. This is false for
 * vertices interpolated from infinities or NaNs.
 */
static bool
usable(const struct sgd_front *f, const struct sgd_vertex *v)
{
   const struct SGPU_VIEWPORT *vp = &f->state->viewport[sgd_vertex_viewport(v)];
   const float w = sgpu_fp_in(v->pos[3]);
   const float reach = sgpu_fmul(w, SGD_GUARD * 1.001f);

   return w > 0.0f && v->rw < sgpu_bits2f(SGPU_FP_INF_BITS) &&
          sgpu_fabs(sgpu_fmad(v->pos[0], vp->scale_x, sgpu_fmul(w, vp->translate_x))) <= reach &&
          sgpu_fabs(sgpu_fmad(v->pos[1], vp->scale_y, sgpu_fmul(w, vp->translate_y))) <= reach;
}

void
sgd_clip_polygon(struct sgd_front *f, struct sgd_polygon *poly, uint32_t planes)
{
   struct sgd_polygon in;
   float d[SGD_CLIP_CORNERS];

   while (planes && poly->n >= 3) {
      const unsigned plane = u_bit_scan(&planes);
      /* Polygon mode LINE draws new edges along user clip planes, but not along the frustum. */
      const bool new_edge = plane >= SGD_CLIP_USER && plane < SGD_CLIP_VIEW;

      bool cut = false;
      for (unsigned i = 0; i < poly->n; i++) {
         d[i] = distance(f, poly->v[i], plane);
         cut |= !(d[i] >= 0.0f);
      }
      if (!cut)
         continue;
      /* Drop the polygon if there are too many new vertices, which only happens with NaNs. */
      if (f->clip_made + poly->n > SGD_CLIP_VERTICES - SGD_CLIP_LINE_VERTICES) {
         poly->n = 0;
         return;
      }

      in = *poly;
      unsigned n = 0;
      for (unsigned i = 0; i < in.n && n + 2 <= SGD_CLIP_CORNERS; i++) {
         const unsigned j = i + 1 < in.n ? i + 1 : 0;
         const bool inside_i = d[i] >= 0.0f, inside_j = d[j] >= 0.0f;

         if (inside_i) {
            poly->v[n] = in.v[i];
            poly->edge[n++] = in.edge[i];
            if (!inside_j) {
               poly->v[n] = intersect(f, in.v[i], in.v[j], d[i], d[j], plane);
               poly->edge[n++] = new_edge;
            }
         } else if (inside_j) {
            poly->v[n] = intersect(f, in.v[j], in.v[i], d[j], d[i], plane);
            poly->edge[n++] = in.edge[i];
         }
      }
      poly->n = n;
   }

   for (unsigned i = 0; i < poly->n; i++) {
      if (!usable(f, poly->v[i]))
         poly->n = 0;
   }
}

bool
sgd_clip_segment(struct sgd_front *f, const struct sgd_vertex *v[2], uint32_t planes)
{
   while (planes) {
      const unsigned plane = u_bit_scan(&planes);
      const float d0 = distance(f, v[0], plane), d1 = distance(f, v[1], plane);
      const bool inside0 = d0 >= 0.0f, inside1 = d1 >= 0.0f;

      if (!inside0 && !inside1)
         return false;
      if (!inside0)
         v[0] = intersect(f, v[1], v[0], d1, d0, plane);
      else if (!inside1)
         v[1] = intersect(f, v[0], v[1], d0, d1, plane);
   }
   return usable(f, v[0]) && usable(f, v[1]);
}

/* Computes the window coordinates of a copy for another viewport. */
static void
move(const struct sgd_front *f, struct sgd_vertex *copy, uint32_t viewport)
{
   copy->viewport = viewport;
   if (sgd_front_keeps_positions(f))
      sgd_outputs_swizzle(f, copy, &copy->attr[f->first_position]);
   else
      sgd_outputs_place(f, copy);
}

const struct sgd_vertex *
sgd_clip_move(struct sgd_front *f, const struct sgd_vertex *v, const struct sgd_vertex *prov)
{
   if (sgd_vertex_viewport(v) == sgd_vertex_viewport(prov))
      return v;

   struct sgd_vertex *copy = make_vertex(f);
   memcpy(copy, v, f->stride);
   move(f, copy, prov->viewport);
   return copy;
}

const struct sgd_vertex *
sgd_clip_copy(struct sgd_front *f, const struct sgd_vertex *v, unsigned number, unsigned viewport)
{
   uint8_t *memory = f->clip_memory + (size_t)(SGD_CLIP_VERTICES + number) * f->stride;
   struct sgd_vertex *copy = (struct sgd_vertex *)memory;

   memcpy(copy, v, f->stride);
   copy->layer += f->mode->relative_layer ? viewport : 0;
   move(f, copy, viewport);
   return copy;
}
