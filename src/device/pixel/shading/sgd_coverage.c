/* SPDX-License-Identifier: MIT */
/*
 * Pixel stage: coverage of smooth primitives, i.e. the fraction of the pixel's square that the
 * primitive covers (OpenGL 2.1, section 3.2).
 *
 * For polygons the coverage is exact except for rounding. Let X(p) and Y(p) be the coordinates of a
 * point relative to the pixel's corner, each clamped to [0, 1]. The map (X, Y) leaves the square
 * unchanged and moves everything else to its border, so the area of the mapped polygon is the
 * coverage. By Green's theorem this area is the integral of X dY along the edges. The part of an
 * edge between entering and leaving the rows of the square is linear in X, except for the clamping.
 *
 * The coverage of a disc is computed from the areas to the left of and above each corner of the
 * pixel.
 *
 * All code uses double precision and IEEE operations only, so that results are the same on every
 * host. No term can be subnormal: terms are 0 or much larger, because coordinates are sums of
 * multiples of 1/256 and numbers that aren't much smaller.
 */
#include "pixel/shading/sgd_coverage.h"

#include "pixel/shading/sgd_pixel_stage.h"
#include "common/sgd_batch.h"
#include "common/sgd_line_rect.h"
#include "common/sgd_prim.h"
#include "util/macros.h"

#define HALF_PI 1.5707963267948966

struct point {
   double x, y;
};

static inline double
clamp01(double x)
{
   return x < 0.0 ? 0.0 : x > 1.0 ? 1.0 : x;
}

/* Returns the mean of clamp01(x) over all x between a and b. */
static inline double
mean_clamped(double a, double b)
{
   const double low = a < b ? a : b, high = a < b ? b : a;
   const double c = clamp01(low), d = clamp01(high);
   const double span = high - low;
   const double above = high - (low > 1.0 ? low : 1.0);
   const double sum = (d - c) * (c + d) * 0.5 + (above > 0.0 ? above : 0.0);

   return span > 0.0 ? sum / span : c;
}

/* Adds the contribution of an edge to the covered areas of the four pixels in the quad at x, y. */
static inline void
add_edge(struct point a, struct point b, int x, int y, double area[4])
{
   const double slope = a.y == b.y ? 0.0 : (b.x - a.x) / (b.y - a.y);

   for (unsigned i = 0; i < 4; i++) {
      const double px = x + (int)(i & 1), py = y + (int)(i >> 1);
      const double ya = clamp01(a.y - py), yb = clamp01(b.y - py);
      const double xa = a.x - px + (ya - (a.y - py)) * slope;
      const double xb = a.x - px + (yb - (a.y - py)) * slope;

      area[i] += (yb - ya) * mean_clamped(xa, xb);
   }
}

/* Adds the area of the line rectangle's part between distances t0 and t1 from the line's start. */
static void
add_line_rect(const struct sgd_line_rect *s, double t0, double t1, int x, int y, double area[4])
{
   const double ux = s->dx / s->length, uy = s->dy / s->length;
   const double wx = -uy * s->half_width, wy = ux * s->half_width;
   const struct point p[4] = {
      { s->ax + ux * t0 + wx, s->ay + uy * t0 + wy },
      { s->ax + ux * t0 - wx, s->ay + uy * t0 - wy },
      { s->ax + ux * t1 - wx, s->ay + uy * t1 - wy },
      { s->ax + ux * t1 + wx, s->ay + uy * t1 + wy },
   };

   for (unsigned i = 0; i < 4; i++)
      add_edge(p[i], p[(i + 1) % 4], x, y, area);
}

/* Adds the visible parts of a stippled line that are near the quad. The line is a sequence of
 * rectangles that are one pixel long, some of which the stipple pattern disables.
 */
static void
add_stippled(const struct sgd_pixel_stage *px, const struct sgd_prim *prim,
             const struct sgd_line_rect *s, int x, int y, double area[4])
{
   const struct SGPU_RASTERIZER *rast = &px->state->rast;
   const unsigned period = sgd_stipple_period(rast);
   const unsigned begin = sgd_pixel_stipple(px, prim->u.line_rect.carried,
                                            prim->u.line_rect.stipple);
   const double t = ((x + 1 - s->ax) * s->dx + (y + 1 - s->ay) * s->dy) / s->length;
   const int first = MAX2((int)(t - 2.0), 0);

   for (int k = first; k < s->length && k < t + 2.0; k++) {
      const unsigned at = (begin + k) % period;
      if (rast->stipple_pattern >> (at / (rast->stipple_factor + 1)) & 1)
         add_line_rect(s, k, k + 1 < s->length ? k + 1 : s->length, x, y, area);
   }
}

static inline struct point
corner_of(const struct sgd_outline *o, unsigned i)
{
   return (struct point){ o->corner[i][0] * (1.0 / 256), o->corner[i][1] * (1.0 / 256) };
}

/* Returns true if all pixels of the quad at x, y are completely inside the polygon. */
static bool
inside_outline(const struct sgd_outline *o, int x, int y)
{
   int64_t all = 0;

   for (unsigned i = 0; i < o->num_corners; i++) {
      const struct sgd_edge *e = &o->edge[i];
      const int64_t a = e->a, b = e->b;
      /* An edge function is the maximum over the pixel's square. Subtract |a| + |b| to get the
       * minimum.
       */
      all |= e->c + a * (x + (a < 0)) + b * (y + (b < 0)) - (a < 0 ? -a : a) - (b < 0 ? -b : b);
   }
   return all >= 0;
}

static void
add_outline(const struct sgd_outline *o, int x, int y, double area[4])
{
   if (inside_outline(o, x, y)) {
      area[0] = area[1] = area[2] = area[3] = 1.0;
      return;
   }
   for (unsigned i = 0; i < o->num_corners; i++)
      add_edge(corner_of(o, i), corner_of(o, i + 1 < o->num_corners ? i + 1 : 0), x, y, area);
}

/* Adds the contribution of an edge to the area and to the moments, i.e. the integrals of X^2 / 2 dY
 * and X Y dY. Clamping X divides the edge into up to three segments, in which X is 0, linear, and
 * 1. s[] has the ends of the segments as fractions of the edge.
 */
static void
edge_moments(struct point a, struct point b, double *area, double *mx, double *my)
{
   const double slope = a.y == b.y ? 0.0 : (b.x - a.x) / (b.y - a.y);
   const double ya = clamp01(a.y), yb = clamp01(b.y), dy = yb - ya;
   const double xa = a.x + (ya - a.y) * slope, xb = a.x + (yb - a.y) * slope;
   const double span = xb - xa;
   double s[4] = { 0.0, 0.0, 1.0, 1.0 };

   if (dy == 0.0)
      return;
   if (span != 0.0) {
      const double s0 = clamp01(-xa / span), s1 = clamp01((1.0 - xa) / span);
      s[1] = s0 < s1 ? s0 : s1;
      s[2] = s0 < s1 ? s1 : s0;
   }
   for (unsigned i = 0; i < 3; i++) {
      const double x0 = clamp01(xa + span * s[i]), x1 = clamp01(xa + span * s[i + 1]);
      const double y0 = ya + dy * s[i], y1 = ya + dy * s[i + 1];
      const double d = dy * (s[i + 1] - s[i]);

      *area += d * (x0 + x1) * 0.5;
      *mx += d * (x0 * x0 + x0 * x1 + x1 * x1) * (1.0 / 6.0);
      *my += d * ((x0 * y0 + x1 * y1) * 2.0 + x0 * y1 + x1 * y0) * (1.0 / 6.0);
   }
}

void
sgd_centroids(const struct sgd_prim *prim, int x, int y, double cx[4], double cy[4])
{
   const struct sgd_outline *o = prim->u.poly.outline;
   const bool inside = inside_outline(o, x, y);

   for (unsigned k = 0; k < 4; k++) {
      const double px = x + (int)(k & 1), py = y + (int)(k >> 1);
      double area = 0.0, mx = 0.0, my = 0.0;

      cx[k] = cy[k] = 0.5;
      for (unsigned i = 0; !inside && i < o->num_corners; i++) {
         struct point a = corner_of(o, i), b = corner_of(o, i + 1 < o->num_corners ? i + 1 : 0);
         a.x -= px;
         b.x -= px;
         a.y -= py;
         b.y -= py;
         edge_moments(a, b, &area, &mx, &my);
      }
      if (area > 0x1p-30) {
         cx[k] = clamp01(mx / area);
         cy[k] = clamp01(my / area);
      }
   }
}

/* Returns the arcsine of a number in [-1, 1]. Halves the angle once or twice, and then evaluates
 * the power series.
 */
static double
arcsine(double x)
{
   const double a = x < 0.0 ? -x : x;
   const bool wide = a > 0.5;
   const double u = wide ? __builtin_sqrt((1.0 - a) * 0.5) : a;
   const double half = u / __builtin_sqrt(2.0 + 2.0 * __builtin_sqrt(1.0 - u * u));
   const double t = half * half;
   double s = 1.0;

   /* half^2 is at most 0.067, so the terms that are left out are below 2^-53. */
   for (int n = 12; n >= 0; n--)
      s = 1.0 + s * t * ((2 * n + 1) * (2 * n + 1) / (double)((2 * n + 2) * (2 * n + 3)));

   const double angle = 2.0 * half * s;
   const double y = wide ? HALF_PI - 2.0 * angle : angle;
   return x < 0.0 ? -y : y;
}

/* Returns the area of the unit disc to the left of x. */
static double
disc_left(double x)
{
   return arcsine(x) + x * __builtin_sqrt(1.0 - x * x) + HALF_PI;
}

/* Returns the area of the unit disc's part with X <= x and Y <= y, for x and y in [-1, 1]. The
 * caller passes disc_left(x) and disc_left(y) in `left` and `above`.
 */
static double
disc_corner(double x, double y, double left, double above)
{
   if (x * x + y * y < 1.0)
      return (left + above) * 0.5 + x * y - HALF_PI * 0.5;
   if (x >= 0.0 && y >= 0.0)
      return left + above - 2.0 * HALF_PI;
   return x >= 0.0 ? above : y >= 0.0 ? left : 0.0;
}

static inline double
clamp1(double x)
{
   return x < -1.0 ? -1.0 : x > 1.0 ? 1.0 : x;
}

static void
add_disc(const struct sgd_prim *prim, int x, int y, double area[4])
{
   const double radius = prim->u.point.radius;
   double cx[3], cy[3], left[3], above[3], corner[3][3];

   for (int i = 0; i < 3; i++) {
      cx[i] = clamp1((x + i - (double)prim->ox) / radius);
      cy[i] = clamp1((y + i - (double)prim->oy) / radius);
      left[i] = disc_left(cx[i]);
      above[i] = disc_left(cy[i]);
   }
   for (unsigned j = 0; j < 3; j++) {
      for (unsigned i = 0; i < 3; i++)
         corner[j][i] = disc_corner(cx[i], cy[j], left[i], above[j]);
   }
   for (unsigned k = 0; k < 4; k++) {
      const unsigned i = k & 1, j = k >> 1;
      area[k] = radius * radius *
                (corner[j + 1][i + 1] - corner[j + 1][i] - corner[j][i + 1] + corner[j][i]);
   }
}

static void
add_line(const struct sgd_pixel_stage *px, const struct sgd_prim *prim, int x, int y,
         double area[4])
{
   const struct sgd_line_rect rect = sgd_line_rect(prim);

   if (px->state->rast.line_stipple)
      add_stippled(px, prim, &rect, x, y, area);
   else
      add_line_rect(&rect, 0.0, rect.length, x, y, area);
}

void
sgd_coverage(const struct sgd_pixel_stage *px, const struct sgd_prim *prim, int x, int y,
             float coverage[4])
{
   double area[4] = { 0.0, 0.0, 0.0, 0.0 };

   if (prim->type == SGD_PRIM_RECT)
      add_disc(prim, x, y, area);
   else if (prim->type == SGD_PRIM_POLYGON)
      add_outline(prim->u.poly.outline, x, y, area);
   else
      add_line(px, prim, x, y, area);

   for (unsigned i = 0; i < 4; i++) {
      const double a = clamp01(area[i]);
      coverage[i] = a < 0x1p-30 ? 0.0f : (float)a;
   }
}
