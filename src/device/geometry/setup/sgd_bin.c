/* SPDX-License-Identifier: MIT */
/*
 * Binning: appends primitives to the tile lists of a batch. Batches don't share any data, so
 * workers can bin several batches at the same time.
 */
#include "geometry/setup/sgd_bin.h"

#include <stdlib.h>
#include <string.h>

#include "geometry/front/sgd_front.h"
#include "observe/records/sgd_observation.h"
#include "common/sgd_line_rect.h"
#include "common/sgd_observe.h"
#include "common/sgd_prim.h"
#include "common/sgd_tile_list.h"
#include "common/sgd_worker.h"
#include "util/macros.h"

/* Number of primitives in the first chunk of a tile list (FIRST_CHUNK), and in each later chunk
 * (NEXT_CHUNK).
 */
#define FIRST_CHUNK 6
#define NEXT_CHUNK 30

bool
sgd_bin_begin(struct sgd_front *f)
{
   f->tiles_x = DIV_ROUND_UP(f->state->fb_width, SGD_TILE);
   f->tiles_y = DIV_ROUND_UP(f->state->fb_height, SGD_TILE);
   f->tail = &f->batch->tiles;
   f->batch->tiles = NULL;
   f->batch->num_tiles = 0;
   f->layered = sgd_state_layered(f->state);
   f->layer = sgd_state_layer(f->state);

   const uint32_t count = MAX2(f->tiles_x * f->tiles_y, 1);
   if (f->tiles_size < count) {
      free(f->tiles);
      f->tiles = calloc(count, sizeof(*f->tiles));
      f->tiles_size = f->tiles ? count : 0;
      f->tile_stamp = 0;
   }
   if (!f->tiles)
      return false;
   if (++f->tile_stamp == 0) {
      memset(f->tiles, 0, f->tiles_size * sizeof(*f->tiles));
      f->tile_stamp = 1;
   }
   return true;
}

static struct sgd_tile_list *
find_list(struct sgd_front *f, unsigned tx, unsigned ty, unsigned layer)
{
   struct sgd_tile_slot *slot = &f->tiles[ty * f->tiles_x + tx];
   struct sgd_tile_list *list;

   if (slot->stamp != f->tile_stamp) {
      slot->stamp = f->tile_stamp;
      slot->list = NULL;
   }
   for (list = slot->list; list; list = list->next_layer) {
      if (list->layer == layer)
         return list;
   }

   list = sgd_front_alloc(f, sizeof(*list));
   if (!list)
      return NULL;
   *list = (struct sgd_tile_list){
      .next_layer = slot->list,
      .tx = tx,
      .ty = ty,
      .layer = layer,
   };
   slot->list = list;
   *f->tail = list;
   f->tail = &list->next;
   f->batch->num_tiles++;
   return list;
}

static inline unsigned
layer_of(const struct sgd_front *f, const struct sgd_prim *prim)
{
   return f->layered ? prim->layer : f->layer;
}

static inline void
append(struct sgd_front *f, unsigned tx, unsigned ty, const struct sgd_prim *prim)
{
   struct sgd_tile_list *list = find_list(f, tx, ty, layer_of(f, prim));

   if (!list)
      return;
   struct sgd_prim_chunk *chunk = list->last;
   if (!chunk || chunk->count == chunk->capacity) {
      const unsigned capacity = chunk ? NEXT_CHUNK : FIRST_CHUNK;
      struct sgd_prim_chunk *more = sgd_front_alloc(f, sizeof(*more) +
                                                          capacity * sizeof(more->prim[0]));
      if (!more)
         return;
      more->next = NULL;
      more->count = 0;
      more->capacity = capacity;
      if (chunk)
         chunk->next = more;
      else
         list->first = more;
      list->last = chunk = more;
   }
   chunk->prim[chunk->count++] = prim;
   list->count++;
   f->slices++;
}

/* Appends a triangle to the lists of all tiles in its box, except tiles that are completely outside
 * one of its edges.
 */
static void
bin_triangle(struct sgd_front *f, const struct sgd_prim *prim, unsigned tx0, unsigned ty0,
             unsigned tx1, unsigned ty1)
{
   int64_t c[3];

   for (unsigned i = 0; i < 3; i++) {
      const int64_t reach = (int64_t)abs(prim->u.tri.a[i]) + abs(prim->u.tri.b[i]);
      /* Samples are up to half a pixel away from the pixel centre, so move the edge outwards. */
      c[i] = prim->u.tri.c[i] + (f->mode->multisamples ? reach / 2 + 1 : 0);
   }
   for (unsigned ty = ty0; ty <= ty1; ty++) {
      const int32_t y0 = MAX2((int32_t)ty * SGD_TILE, prim->y0);
      const int32_t y1 = MIN2((int32_t)(ty + 1) * SGD_TILE, prim->y1) - 1;
      for (unsigned tx = tx0; tx <= tx1; tx++) {
         const int32_t x0 = MAX2((int32_t)tx * SGD_TILE, prim->x0);
         const int32_t x1 = MIN2((int32_t)(tx + 1) * SGD_TILE, prim->x1) - 1;
         int64_t most = 0;

         /* Evaluate each edge at the tile corner where the edge has its greatest value. */
         for (unsigned i = 0; i < 3; i++) {
            const int32_t a = prim->u.tri.a[i], b = prim->u.tri.b[i];
            most |= c[i] + (int64_t)a * (a > 0 ? x1 : x0) + (int64_t)b * (b > 0 ? y1 : y0);
         }
         if (most >= 0)
            append(f, tx, ty, prim);
      }
   }
}

/* Appends a triangle of a smooth polygon to the lists of all tiles that are not outside the
 * polygon's outline. The triangle may have no pixels in some of these tiles.
 */
static void
bin_polygon(struct sgd_front *f, const struct sgd_prim *prim, unsigned tx0, unsigned ty0,
            unsigned tx1, unsigned ty1)
{
   const struct sgd_outline *o = prim->u.poly.outline;

   for (unsigned ty = ty0; ty <= ty1; ty++) {
      for (unsigned tx = tx0; tx <= tx1; tx++) {
         bool outside = false;
         for (unsigned i = 0; i < o->num_corners; i++) {
            const struct sgd_edge *e = &o->edge[i];
            const int32_t x = tx * SGD_TILE + (e->a > 0 ? SGD_TILE - 1 : 0);
            const int32_t y = ty * SGD_TILE + (e->b > 0 ? SGD_TILE - 1 : 0);
            outside |= e->c + (int64_t)e->a * x + (int64_t)e->b * y < 0;
         }
         if (!outside)
            append(f, tx, ty, prim);
      }
   }
}

/* Appends a line to the lists of all tiles that contain pixels of the line. */
static void
bin_line(struct sgd_front *f, const struct sgd_prim *prim, unsigned tx0, unsigned ty0, unsigned tx1,
         unsigned ty1)
{
   const bool y_major = prim->u.line.y_major;
   const unsigned major0 = y_major ? ty0 : tx0, major1 = y_major ? ty1 : tx1;
   const unsigned minor0 = y_major ? tx0 : ty0, minor1 = y_major ? tx1 : ty1;
   const int32_t box0 = y_major ? prim->x0 : prim->y0, box1 = y_major ? prim->x1 : prim->y1;

   for (unsigned t = major0; t <= major1; t++) {
      const int64_t start = prim->u.line.start;
      const int64_t i0 = MAX2((int64_t)t * SGD_TILE - start, 0);
      const int64_t i1 = MIN2((int64_t)(t + 1) * SGD_TILE - start, prim->u.line.steps) - 1;
      if (i0 > i1)
         continue;

      /* The minor coordinate is monotonic, so it is enough to check the two end points. */
      const int64_t m0 = sgd_line_minor(prim, i0), m1 = sgd_line_minor(prim, i1);
      const int64_t low = MAX2(MIN2(m0, m1), box0);
      const int64_t high = MIN2(MAX2(m0, m1) + prim->u.line.width, box1) - 1;
      if (low > high)
         continue;
      for (unsigned m = MAX2(minor0, (unsigned)(low >> SGD_TILE_LOG2));
           m <= MIN2(minor1, (unsigned)(high >> SGD_TILE_LOG2)); m++)
         append(f, y_major ? m : t, y_major ? t : m, prim);
   }
}

static void
bin_line_rect(struct sgd_front *f, const struct sgd_prim *prim, unsigned tx0, unsigned ty0,
              unsigned tx1, unsigned ty1)
{
   const struct sgd_line_rect rect = sgd_line_rect(prim);

   for (unsigned ty = ty0; ty <= ty1; ty++) {
      for (unsigned tx = tx0; tx <= tx1; tx++) {
         if (sgd_line_rect_meets(&rect, tx * SGD_TILE, ty * SGD_TILE, SGD_TILE, SGD_TILE,
                                 f->mode->multisamples))
            append(f, tx, ty, prim);
      }
   }
}

static __attribute__((noinline)) void
bin_tiles(struct sgd_front *f, const struct sgd_prim *prim, unsigned tx0, unsigned ty0,
          unsigned tx1, unsigned ty1)
{
   switch (prim->type) {
   case SGD_PRIM_TRIANGLE:
      bin_triangle(f, prim, tx0, ty0, tx1, ty1);
      break;
   case SGD_PRIM_POLYGON:
      bin_polygon(f, prim, tx0, ty0, tx1, ty1);
      break;
   case SGD_PRIM_LINE_RECT:
      bin_line_rect(f, prim, tx0, ty0, tx1, ty1);
      break;
   case SGD_PRIM_LINE:
      bin_line(f, prim, tx0, ty0, tx1, ty1);
      break;
   default:
      for (unsigned ty = ty0; ty <= ty1; ty++) {
         for (unsigned tx = tx0; tx <= tx1; tx++)
            append(f, tx, ty, prim);
      }
      break;
   }
}

void
sgd_bin_prim(struct sgd_front *f, struct sgd_prim *prim)
{
   const unsigned tx0 = prim->x0 >> SGD_TILE_LOG2, tx1 = (prim->x1 - 1) >> SGD_TILE_LOG2;
   const unsigned ty0 = prim->y0 >> SGD_TILE_LOG2, ty1 = (prim->y1 - 1) >> SGD_TILE_LOG2;

   if (SGD_OBSERVED_LEVEL)
      sgd_observation_primitive(f->worker->observation, prim, layer_of(f, prim));
   if (tx0 == tx1 && ty0 == ty1)
      append(f, tx0, ty0, prim);
   else
      bin_tiles(f, prim, tx0, ty0, tx1, ty1);
}
