/* SPDX-License-Identifier: MIT */
/*
 * Raster engine: per-sample coverage for multisampled targets (OpenGL 4.6, sections 14.4.3, 14.5.4
 * and 14.6.6). Handles triangles, points as discs or squares, and lines as rectangles.
 *
 * Triangles and line rectangles are bounded by integer edge functions, which are exact at sample
 * positions. The offset of a sample from the pixel centre adds a constant to the edge function.
 */
#include "pixel/raster/sgd_descent.h"

#include <string.h>

#include "pixel/raster/sgd_collect.h"
#include "pixel/raster/sgd_raster.h"
#include "pixel/raster/sgd_raster_observe.h"
#include "pixel/raster/sgd_zcull.h"
#include "common/sgd_batch.h"
#include "common/sgd_lanes.h"
#include "common/sgd_line_rect.h"
#include "common/sgd_prim.h"
#include "common/sgd_worker.h"
#include "sgpu_fp.h"
#include "util/bitscan.h"
#include "util/macros.h"

#define COARSE 16
#define CENTER 8 /* pixel centre in units of 1/16 pixel */
#define MAX_EDGES 4

/* Pixel (px, py) has its centre inside the edge if a * px + b * py + c >= 0. As in struct sgd_prim,
 * c has its fractional bits dropped.
 */
struct edge {
   int64_t c;
   uint8_t fraction; /* fractional bits of c, in units of 1/256 */
   int32_t a, b;
};

struct edges {
   unsigned n;
   /* edge values at the centre of the tile's first pixel (e), and their gradients in x (a) and y
    * (b), all modulo 2^32
    */
   uint32_t e[MAX_EDGES], a[MAX_EDGES], b[MAX_EDGES];
   /* change of the edge value from a block's first pixel to each lane */
   uint32_t lane[MAX_EDGES][SGD_WARP];
   /* change of the edge value from a pixel's centre to each sample */
   uint32_t at[MAX_EDGES][SGD_MAX_SAMPLES];
   int32_t least[MAX_EDGES], most[MAX_EDGES]; /* minimum and maximum of at[] over all samples */
   int x0, y0, x1, y1; /* bounding box in the tile, in pixels; x1 and y1 are exclusive */
};

static inline int64_t
low_corner(int64_t a, int64_t b, int w, int h)
{
   return (a < 0 ? a * w : 0) + (b < 0 ? b * h : 0);
}

static inline int64_t
high_corner(int64_t a, int64_t b, int w, int h)
{
   return (a > 0 ? a * w : 0) + (b > 0 ? b * h : 0);
}

/* Collects the edges that cut the bounding box. Returns false if the whole box is outside one of
 * the edges.
 */
static bool
setup_edges(struct edges *ed, const struct sgd_raster *r, const struct edge *edge, unsigned count)
{
   const int w = ed->x1 - ed->x0 - 1, h = ed->y1 - ed->y0 - 1;

   ed->n = 0;
   for (unsigned i = 0; i < count; i++) {
      const int32_t a = edge[i].a, b = edge[i].b;
      const int64_t e = edge[i].c + (int64_t)a * (r->x + ed->x0) + (int64_t)b * (r->y + ed->y0);
      const unsigned n = ed->n;

      ed->least[n] = INT32_MAX;
      ed->most[n] = INT32_MIN;
      for (unsigned s = 0; s < r->pixel.mode.samples; s++) {
         const uint8_t *p = r->pixel.mode.sample_at[s];
         const int64_t away = (int64_t)a * (p[0] - CENTER) + (int64_t)b * (p[1] - CENTER);
         /* |at| is at most (|a| + |b|) / 2, which is at most 2^24, so it fits in 32 bits. */
         const int32_t at = (edge[i].fraction + away * 16) >> 8;
         ed->at[n][s] = at;
         ed->least[n] = MIN2(ed->least[n], at);
         ed->most[n] = MAX2(ed->most[n], at);
      }
      if (e + low_corner(a, b, w, h) + ed->least[n] >= 0)
         continue;
      if (e + high_corner(a, b, w, h) + ed->most[n] < 0)
         return false;
      ed->a[n] = a;
      ed->b[n] = b;
      ed->e[n] = e - (int64_t)a * ed->x0 - (int64_t)b * ed->y0;
      for (unsigned l = 0; l < SGD_WARP; l++)
         ed->lane[n][l] = a * (int32_t)sgd_lane_x(l) + b * (int32_t)sgd_lane_y(l);
      ed->n++;
   }
   return true;
}

/* Computes the coverage of a block for each sample from the edge values at pixel centres. If an
 * edge cuts the tile, its values fit in 32 bits at all samples of the tile, because the samples are
 * less than 64 pixels apart.
 */
static ALWAYS_INLINE void
cover_edges(const struct edges *ed, unsigned n, const struct sgd_raster *r, int x, int y,
            uint32_t *restrict cover)
{
   _Alignas(64) uint32_t v[MAX_EDGES][SGD_WARP];
   _Alignas(64) int32_t outside[SGD_WARP];

   for (unsigned i = 0; i < n; i++) {
      const uint32_t e = ed->e[i] + ed->a[i] * (uint32_t)x + ed->b[i] * (uint32_t)y;
      for (unsigned l = 0; l < SGD_WARP; l++)
         v[i][l] = e + ed->lane[i][l];
   }
   for (unsigned s = 0; s < r->pixel.mode.samples; s++) {
      const uint32_t at0 = ed->at[0][s], at1 = ed->at[1][s];
      const uint32_t at2 = ed->at[2][s], at3 = ed->at[3][s];
      for (unsigned l = 0; l < SGD_WARP; l++) {
         uint32_t any = v[0][l] + at0;
         if (n > 1)
            any |= v[1][l] + at1;
         if (n > 2)
            any |= v[2][l] + at2;
         if (n > 3)
            any |= v[3][l] + at3;
         outside[l] = (int32_t)any;
      }
      cover[s] = ~sgd_negative32(outside);
   }
}

/* Draws the covered samples of the pixels in `inside`, except for samples that
 * r->pixel.mode.sample_mask disables.
 */
static void
emit(struct sgd_raster *r, const struct sgd_prim *prim, int x, int y, uint32_t inside,
     uint32_t *cover)
{
   for (unsigned s = 0; s < r->pixel.mode.samples; s++)
      cover[s] = r->pixel.mode.sample_mask >> s & 1 ? cover[s] & inside : 0;
   sgd_raster_samples(r, prim, x, y, cover);
}

/* Clears the coverage of samples that the line stipple pattern doesn't draw. A stippled line is a
 * sequence of rectangles that are one pixel long, some of which are disabled. k is the index of the
 * rectangle that contains the sample, counted from the line's first endpoint.
 */
static void
stipple(const struct sgd_raster *r, const struct sgd_prim *prim, int x, int y, uint32_t inside,
        uint32_t *cover)
{
   const struct SGPU_RASTERIZER *rast = &r->pixel.state->rast;
   const struct sgd_line_rect rect = sgd_line_rect(prim);
   const unsigned period = sgd_stipple_period(rast);
   const unsigned begin = sgd_pixel_stipple(&r->pixel, prim->u.line_rect.carried,
                                            prim->u.line_rect.stipple);

   for (unsigned s = 0; s < r->pixel.mode.samples; s++) {
      const uint8_t *p = r->pixel.mode.sample_at[s];
      const double sx = x + p[0] * (1.0 / 16) - rect.ax;
      const double sy = y + p[1] * (1.0 / 16) - rect.ay;
      uint32_t left = cover[s] & inside;

      while (left) {
         const unsigned l = u_bit_scan(&left);
         const double dx = sx + (int)sgd_lane_x(l), dy = sy + (int)sgd_lane_y(l);
         const unsigned k = (unsigned)((dx * rect.dx + dy * rect.dy) / rect.length);
         const unsigned at = (begin + k) % period / (rast->stipple_factor + 1);
         cover[s] &= ~((uint32_t)(~rast->stipple_pattern >> at & 1) << l);
      }
   }
}

/* Computes the coverage of the 8x4 block at pixel x, y of the tile, and draws the block. */
static void
edges_block(struct sgd_raster *r, const struct sgd_prim *prim, const struct edges *ed, unsigned n,
            int x, int y)
{
   const bool line = prim->type == SGD_PRIM_LINE_RECT;
   uint32_t inside = sgd_lanes_box(x, y, ed->x0, ed->y0, ed->x1, ed->y1);
   uint32_t cover[SGD_MAX_SAMPLES];

   if (r->pixel.state->rast.poly_stipple && !line)
      inside &= r->stipple[y / SGD_BLOCK_H % 8][x / SGD_BLOCK_W % 4];
   if (!inside)
      return;
   switch (n) {
   case 1:
      cover_edges(ed, 1, r, x, y, cover);
      break;
   case 2:
      cover_edges(ed, 2, r, x, y, cover);
      break;
   case 3:
      cover_edges(ed, 3, r, x, y, cover);
      break;
   case 4:
      cover_edges(ed, 4, r, x, y, cover);
      break;
   default:
      memset(cover, 0xff, sizeof(cover));
      break;
   }
   if (r->pixel.state->rast.line_stipple && line)
      stipple(r, prim, r->x + x, r->y + y, inside, cover);
   emit(r, prim, r->x + x, r->y + y, inside, cover);
}

/* Returns false if the 16x16 block at pixel x, y of the tile is completely outside an edge. Sets
 * *full if the block is completely inside all edges.
 */
static bool
coarse(const struct edges *ed, int x, int y, bool *full)
{
   int32_t high = 0, low = 0;

   for (unsigned i = 0; i < ed->n; i++) {
      const int32_t a = ed->a[i], b = ed->b[i];
      const uint32_t v = ed->e[i] + ed->a[i] * (uint32_t)x + ed->b[i] * (uint32_t)y;
      const uint32_t least = ed->least[i], most = ed->most[i];
      high |= (int32_t)(v + (uint32_t)high_corner(a, b, COARSE - 1, COARSE - 1) + most);
      low |= (int32_t)(v + (uint32_t)low_corner(a, b, COARSE - 1, COARSE - 1) + least);
   }
   *full = low >= 0;
   return high >= 0;
}

/* Draws the blocks of 8x4 pixels in the 16x16 block at pixel x, y of the tile. */
static void
coarse_block(struct sgd_raster *r, const struct sgd_prim *prim, const struct edges *ed, unsigned n,
             int x, int y)
{
   for (int by = MAX2(y, ed->y0 & ~(SGD_BLOCK_H - 1)); by < MIN2(y + COARSE, ed->y1);
        by += SGD_BLOCK_H) {
      for (int bx = x; bx < MIN2(x + COARSE, ed->x1); bx += SGD_BLOCK_W)
         edges_block(r, prim, ed, n, bx, by);
   }
}

static void
raster_edges(struct sgd_raster *r, const struct sgd_prim *prim, const struct edge *edge,
             unsigned count)
{
   struct edges ed = {
      .x0 = MAX2(prim->x0 - r->x, 0),
      .y0 = MAX2(prim->y0 - r->y, 0),
      .x1 = MIN2(prim->x1 - r->x, SGD_TILE),
      .y1 = MIN2(prim->y1 - r->y, SGD_TILE),
   };

   if (!setup_edges(&ed, r, edge, count))
      return;
   for (int y = ed.y0 & ~(COARSE - 1); y < ed.y1; y += COARSE) {
      for (int x = ed.x0 & ~(COARSE - 1); x < ed.x1; x += COARSE) {
         bool full;
         if (!coarse(&ed, x, y, &full))
            continue;
         if (r->zcull.active &&
             sgd_zcull_rejects_any(r, prim, MAX2(x, ed.x0), MAX2(y, ed.y0),
                                   MIN2(x + COARSE, ed.x1) - 1, MIN2(y + COARSE, ed.y1) - 1)) {
            r->pixel.worker->counters[SGPU_COUNTER_ZCULL_BLOCKS]++;
            if (SGD_OBSERVED_LEVEL && sgd_observe_rejected_begin(r)) {
               coarse_block(r, prim, &ed, full ? 0 : ed.n, x, y);
               sgd_observe_rejected_end(r);
            }
            continue;
         }
         coarse_block(r, prim, &ed, full ? 0 : ed.n, x, y);
      }
   }
}

static void
raster_triangle(struct sgd_raster *r, const struct sgd_prim *prim)
{
   struct edge edge[3];

   for (unsigned i = 0; i < 3; i++)
      edge[i] = (struct edge){ prim->u.tri.c[i], prim->tri_fraction[i], prim->u.tri.a[i],
                               prim->u.tri.b[i] };
   raster_edges(r, prim, edge, 3);
}

/* Returns the edge a * x + b * y + c >= 0, with x and y in units of 1/256 pixel. */
static struct edge
edge_of(int32_t a, int32_t b, int64_t c)
{
   c += ((int64_t)a + b) * 128;
   return (struct edge){ c >> 8, c & 255, a, b };
}

/* Draws a line rectangle. In the line's coordinate frame, scaled by the length of the line, the
 * point x, y has the integer coordinates u = dx * x + dy * y and v = dx * y - dy * x, relative to
 * the first endpoint. The point is inside if 0 <= u < length^2 and -w <= v < w, where w is half the
 * line width times the length.
 */
static void
raster_line(struct sgd_raster *r, const struct sgd_prim *prim)
{
   const int32_t x = prim->u.line_rect.x0, y = prim->u.line_rect.y0;
   const int32_t dx = prim->u.line_rect.x1 - x, dy = prim->u.line_rect.y1 - y;
   const int64_t length2 = (int64_t)dx * dx + (int64_t)dy * dy;
   const int64_t u = (int64_t)dx * x + (int64_t)dy * y, v = (int64_t)dx * y - (int64_t)dy * x;
   const double w = prim->u.line_rect.half_width * prim->u.line_rect.length * 65536.0;
   const int64_t below = (int64_t)w, above = below - (w == (double)below);
   const struct edge edge[4] = {
      edge_of(dx, dy, -u),
      edge_of(-dx, -dy, u + length2 - 1),
      edge_of(-dy, dx, -v + below),
      edge_of(dy, -dx, v + above),
   };

   raster_edges(r, prim, edge, 4);
}

static void
raster_box(struct sgd_raster *r, const struct sgd_prim *prim)
{
   const struct edge edge[4] = {
      edge_of(1, 0, -(int64_t)prim->u.box.x0),
      edge_of(-1, 0, (int64_t)prim->u.box.x1 - 1),
      edge_of(0, 1, -(int64_t)prim->u.box.y0),
      edge_of(0, -1, (int64_t)prim->u.box.y1 - 1),
   };

   raster_edges(r, prim, edge, 4);
}

/* Returns the first pixel whose sample is at or after coordinate c, or after c if `above` is set. c
 * is in units of 1/256 pixel, and the sample's offset p in units of 1/16 pixel.
 */
static inline int
first_sample(int32_t c, unsigned p, bool above)
{
   return (c - 16 * (int32_t)p + 255 + above) >> 8;
}

/* Draws a point. A disc covers the samples that are closer to its centre than the radius. A square
 * covers x in [x - r, x + r), and y in [y - r, y + r) or (y - r, y + r], by the same rule as for
 * pixel centres on single-sampled targets.
 */
static void
raster_point(struct sgd_raster *r, const struct sgd_prim *prim)
{
   const int x0 = MAX2(prim->x0, r->x), x1 = MIN2(prim->x1, r->x + SGD_TILE);
   const int y0 = MAX2(prim->y0, r->y), y1 = MIN2(prim->y1, r->y + SGD_TILE);
   const int32_t cx = (int32_t)(prim->ox * 256.0f), cy = (int32_t)(prim->oy * 256.0f);
   const double radius = prim->u.point.radius * 256.0f, reach = radius * radius;
   const int32_t half = (int32_t)sgpu_fround(prim->u.point.radius * 256.0f);
   const bool square = r->pixel.state->rast.point_quad,
              upper = r->pixel.state->rast.bottom_edge_rule;

   for (int y = y0 & ~(SGD_BLOCK_H - 1); y < y1; y += SGD_BLOCK_H) {
      for (int x = x0 & ~(SGD_BLOCK_W - 1); x < x1; x += SGD_BLOCK_W) {
         uint32_t cover[SGD_MAX_SAMPLES];

         for (unsigned s = 0; s < r->pixel.mode.samples; s++) {
            const uint8_t *p = r->pixel.mode.sample_at[s];
            if (square) {
               cover[s] = sgd_lanes_box(x, y, first_sample(cx - half, p[0], false),
                                        first_sample(cy - half, p[1], upper),
                                        first_sample(cx + half, p[0], false),
                                        first_sample(cy + half, p[1], upper));
               continue;
            }
            cover[s] = 0;
            for (unsigned l = 0; l < SGD_WARP; l++) {
               const double dx = (x + (int)sgd_lane_x(l)) * 256 + 16 * p[0] - cx;
               const double dy = (y + (int)sgd_lane_y(l)) * 256 + 16 * p[1] - cy;
               cover[s] |= (uint32_t)(dx * dx + dy * dy < reach) << l;
            }
         }
         emit(r, prim, x, y, sgd_lanes_box(x, y, x0, y0, x1, y1), cover);
      }
   }
}

void
sgd_raster_multisample(struct sgd_raster *r, const struct sgd_prim *prim)
{
   if (prim->type == SGD_PRIM_TRIANGLE)
      raster_triangle(r, prim);
   else if (prim->type == SGD_PRIM_LINE_RECT)
      raster_line(r, prim);
   else if (prim->type == SGD_PRIM_BOX)
      raster_box(r, prim);
   else
      raster_point(r, prim);
}
