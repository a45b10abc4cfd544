/* SPDX-License-Identifier: MIT */
/*
 * Setup: lines, by the diamond-exit rule (OpenGL 2.1, section 3.4.1). A line from pa to pb produces
 * all fragments whose diamond |x - xf| + |y - yf| < 1/2 it intersects, except for the fragment
 * whose diamond contains pb. Ties are resolved as if both end points were moved by (-e, -e^2), with
 * y pointing up. As for triangles, Bottom Edge Rule selects the corresponding direction in memory.
 *
 * That rule alone would treat the left and right corners of diamonds differently from the upper and
 * lower corners. In this implementation, all four corners are outside the diamond: a horizontal
 * line from x0 to x1 through pixel centres covers pixels x0 to x1 - 1 in either direction, and
 * vertical lines behave in the same way. (By the rule alone, lines to the right would cover pixels
 * x0 - 1 to x1 - 2. OpenGL allows a shift by one pixel: the number of pixels is the same, and
 * connected lines still meet.)
 *
 * Consider an x-major line. In each column that the line crosses completely, it intersects exactly
 * one diamond: that of the pixel in which the line passes the centre of the column. In the column
 * of pa, it intersects the diamond if pa is before the centre or inside the diamond. In the column
 * of pb, it intersects the diamond if pb is after the centre and not inside the diamond.
 */
#include "geometry/setup/sgd_setup_line.h"

#include <stdlib.h>

#include "geometry/front/sgd_front.h"
#include "geometry/front/sgd_front_vertex.h"
#include "geometry/setup/sgd_bin.h"
#include "geometry/setup/sgd_setup.h"
#include "geometry/setup/sgd_setup_prim.h"
#include "common/sgd_batch.h"
#include "common/sgd_prim.h"

struct end {
   int32_t x, y; /* position in units of 1/256 pixel */
};

/* Returns the pixel that contains c after c is moved by an infinitesimal step, down or up. */
static inline int32_t
pixel_of(int32_t c, bool down)
{
   return (c - down) >> SGD_SUBPIXEL_BITS;
}

static inline int32_t
center_of(int32_t pixel)
{
   return pixel * SGD_SUBPIXEL + SGD_SUBPIXEL / 2;
}

/* Returns true if p is inside the diamond of its pixel. The infinitesimal step in x is larger than
 * the step in y, so it moves p from the right corner into the diamond.
 */
static bool
in_diamond(struct end p, bool y_down)
{
   const int32_t u = p.x - center_of(pixel_of(p.x, true));
   const int32_t v = p.y - center_of(pixel_of(p.y, y_down));
   const int32_t d = abs(u) + abs(v);

   return d < SGD_SUBPIXEL / 2 || (d == SGD_SUBPIXEL / 2 && u > 0);
}

/* Returns true if p is at the left or right corner of a diamond. */
static inline bool
at_side_corner(struct end p)
{
   return (p.x & (SGD_SUBPIXEL - 1)) == 0 && (p.y & (SGD_SUBPIXEL - 1)) == SGD_SUBPIXEL / 2;
}

/* Returns true if `c` is before `center` in direction `dir` (1 or -1). If they are equal, the
 * infinitesimal step of `c` decides.
 */
static inline bool
before(int32_t c, int32_t center, bool down, int dir)
{
   if (c == center)
      return down == (dir > 0);
   return (c < center) == (dir > 0);
}

static unsigned
line_width(const struct sgd_front *f)
{
   const float width = f->state->rast.line_width;

   /* Widths below 1.5 and NaN become 1. */
   if (!(width >= 1.5f))
      return 1;
   return (unsigned)((width < 4096.0f ? width : 4096.0f) + 0.5f);
}

/* Factors for computing the gradients of a value along a line. f0 and f1 are the values at vertices
 * 0 and 1.
 */
struct slope {
   double x, y;   /* d/dx = (f1 - f0) * x, d/dy = (f1 - f0) * y */
   double ox, oy; /* vector from vertex 0 to the origin of the planes, in pixels */
};

static inline struct sgd_plane
line_plane(const struct slope *s, double f0, double f1)
{
   const double dx = (f1 - f0) * s->x, dy = (f1 - f0) * s->y;

   return (struct sgd_plane){
      .v0 = sgd_narrow(f0 + (dx * s->ox + dy * s->oy)),
      .dx = sgd_narrow(dx),
      .dy = sgd_narrow(dy),
   };
}

void
sgd_setup_line_values(struct sgd_front *f, struct sgd_prim *prim, const struct sgd_vertex *v0,
                      const struct sgd_vertex *v1, const struct sgd_face *face, bool wide,
                      bool y_major)
{
   const struct sgd_varyings *varyings = f->varyings;
   const double dx = (v1->x - v0->x) * (1.0 / SGD_SUBPIXEL);
   const double dy = (v1->y - v0->y) * (1.0 / SGD_SUBPIXEL);
   const double len2 = dx * dx + dy * dy;
   struct slope s;

   prim->ox = sgd_setup_origin(v0->x, f->state->fb_width);
   prim->oy = sgd_setup_origin(v0->y, f->state->fb_height);
   s.ox = (double)prim->ox - v0->x * (1.0 / SGD_SUBPIXEL);
   s.oy = (double)prim->oy - v0->y * (1.0 / SGD_SUBPIXEL);
   if (wide) {
      /* All fragments in a column of an x-major line, or in a row of a y-major line, have the same
       * values.
       */
      s.x = y_major ? 0.0 : 1.0 / dx;
      s.y = y_major ? 1.0 / dy : 0.0;
   } else {
      s.x = dx / len2;
      s.y = dy / len2;
   }

   sgd_setup_depth(prim, line_plane(&s, sgd_wide(v0->z), sgd_wide(v1->z)), face->offset);
   const double w0 = sgd_wide(v0->rw), w1 = sgd_wide(v1->rw);
   prim->rw = sgd_tame(line_plane(&s, w0, w1));

   for (unsigned k = 0; k < varyings->num_planes; k++) {
      const bool persp = k < varyings->linear;
      const struct sgd_plane p = line_plane(&s, sgd_wide(v0->attr[k]) * (persp ? w0 : 1.0),
                                            sgd_wide(v1->attr[k]) * (persp ? w1 : 1.0));
      sgd_prim_v0(varyings, prim)[k] = p.v0;
      sgd_prim_dx(varyings, prim)[k] = p.dx;
      sgd_prim_dy(varyings, prim)[k] = p.dy;
   }
   sgd_setup_flat(varyings, prim, face->prov);
}

/* Describes which fragments a line produces with the diamond-exit rule. */
struct run {
   int64_t n, dn, den; /* line parameters as in struct sgd_prim */
   int32_t low, high;  /* first and last pixel along the major axis */
   bool y_major, reverse;
};

/* Finds the fragments of a line. Returns false if the line has none. */
static bool
find_run(const struct sgd_front *f, const struct sgd_vertex *v0, const struct sgd_vertex *v1,
         unsigned width, struct run *run)
{
   const bool y_down = !f->state->rast.bottom_edge_rule;
   const bool y_major = abs(v1->y - v0->y) > abs(v1->x - v0->x);
   const int32_t shift = (int32_t)(width - 1) * (SGD_SUBPIXEL / 2);
   struct end a = { v0->x, v0->y }, b = { v1->x, v1->y };

   /* Move a wide line to its first row of pixels, or to its first column if it is y-major. */
   if (y_major) {
      a.x -= shift;
      b.x -= shift;
   } else {
      a.y -= shift;
      b.y -= shift;
   }

   const bool major_down = y_major ? y_down : true;
   const int32_t ma = y_major ? a.y : a.x, mb = y_major ? b.y : b.x;
   const int32_t na = y_major ? a.x : a.y, nb = y_major ? b.x : b.y;
   if (ma == mb)
      return false;

   const int dir = mb > ma ? 1 : -1;
   const bool a_corner = !y_major && at_side_corner(a), b_corner = !y_major && at_side_corner(b);
   int32_t first = pixel_of(ma, major_down && !(a_corner && dir > 0));
   int32_t last = pixel_of(mb, major_down && !(b_corner && dir > 0));
   const bool start = before(ma, center_of(first), major_down, dir) || in_diamond(a, y_down);
   const bool inside = !b_corner && in_diamond(b, y_down);
   const bool end = f->state->rast.line_last_pixel
                       ? inside || before(mb, center_of(last), major_down, -dir)
                       : !inside && before(mb, center_of(last), major_down, -dir);
   first += start ? 0 : dir;
   last -= end ? 0 : dir;
   if ((last - first) * dir < 0)
      return false;

   const int64_t dm = (int64_t)(mb - ma) * dir, dn = (int64_t)(nb - na) * dir;
   /* If the line is exactly on a pixel border, the infinitesimal step selects the pixel. */
   const bool minor_down = y_major || dn < 0 || (dn == 0 && y_down);
   run->low = MIN2(first, last);
   run->high = MAX2(first, last);
   run->n = na * dm + (center_of(run->low) - ma) * dn - minor_down;
   run->dn = dn * SGD_SUBPIXEL;
   run->den = dm * SGD_SUBPIXEL;
   run->y_major = y_major;
   run->reverse = dir < 0;
   return true;
}

unsigned
sgd_setup_count_stipple(struct sgd_front *f, unsigned count)
{
   const unsigned period = sgd_stipple_period(&f->state->rast);
   const unsigned at = f->stipple;

   f->stipple = (at + count) % period;
   return at;
}

void
sgd_setup_line_skip(struct sgd_front *f, const struct sgd_vertex *v0, const struct sgd_vertex *v1)
{
   struct run run;

   if (!f->state->rast.line_stipple)
      return;
   if (f->mode->line_rects)
      sgd_setup_line_rect_skip(f, v0, v1);
   else if (find_run(f, v0, v1, line_width(f), &run))
      sgd_setup_count_stipple(f, run.high - run.low + 1);
}

void
sgd_setup_line(struct sgd_front *f, const struct sgd_vertex *v0, const struct sgd_vertex *v1,
               const struct sgd_face *face)
{
   const unsigned width = line_width(f);
   struct run run;

   if (f->mode->line_rects) {
      sgd_setup_line_rect(f, v0, v1, face);
      return;
   }
   if (!find_run(f, v0, v1, width, &run)) {
      f->culled++;
      return;
   }

   const uint32_t steps = run.high - run.low + 1;
   const unsigned stipple = sgd_setup_count_stipple(f, steps);
   const int64_t n0 = sgd_floor_div(run.n, run.den);
   const int64_t n1 = sgd_floor_div(run.n + (int64_t)(steps - 1) * run.dn, run.den);
   const int32_t box0 = MIN2(n0, n1), box1 = MAX2(n0, n1) + width;

   struct sgd_prim *prim = run.y_major ? sgd_setup_prim(f, SGD_PRIM_LINE, face, box0, run.low, box1,
                                                        run.high + 1)
                                       : sgd_setup_prim(f, SGD_PRIM_LINE, face, run.low, box0,
                                                        run.high + 1, box1);
   if (!prim)
      return;
   prim->u.line.n = run.n;
   prim->u.line.dn = run.dn;
   prim->u.line.den = run.den;
   prim->u.line.start = run.low;
   prim->u.line.steps = steps;
   prim->u.line.width = width;
   prim->u.line.stipple = stipple;
   prim->u.line.carried = f->stipple_carried;
   prim->u.line.reverse = run.reverse;
   prim->u.line.y_major = run.y_major;

   sgd_setup_line_values(f, prim, v0, v1, face, width > 1, run.y_major);
   sgd_bin_prim(f, prim);
}
