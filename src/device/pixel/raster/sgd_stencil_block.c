/* SPDX-License-Identifier: MIT */
/*
 * Raster engine: 16x16 blocks whose pixels all have the same stencil value, as after a clear, or
 * where large primitives have drawn a mask.
 *
 * The stencil test has one result in such a block, and the stencil operation one new value. If the
 * test fails, or without a depth test, a primitive that covers the block is dropped or drawn as a
 * whole, and stencil values are stored without a test of each.
 *
 * A tile list reads the values of a block when a primitive first covers it, and keeps the common
 * value. Draws of parts of the block invalidate it (sgd_open_block()).
 */
#include "pixel/raster/sgd_stencil_block.h"

#include <string.h>

#include "pixel/raster/sgd_collect.h"
#include "pixel/raster/sgd_open.h"
#include "common/sgd_observe.h"
#include "common/sgd_prim.h"
#include "common/sgd_stats.h"
#include "common/sgd_tile_meta.h"
#include "common/sgd_worker.h"
#include "util/macros.h"
#include "xfer/sgd_element.h"

#define PIXELS (SGD_META_BLOCK * SGD_META_BLOCK)
#define ROWS (SGD_META_BLOCK / SGD_BLOCK_H) /* rows of micro tiles */
#define ROW (SGD_META_BLOCK * SGD_BLOCK_H)  /* elements of a row of micro tiles */

/* Maximum number of times that a tile list reads the values of a block. */
#define MAX_LOOKS 3

void
sgd_stencil_block_begin(struct sgd_raster *r)
{
   struct sgd_stencil_blocks *b = &r->stencil;

   b->active = sgd_raster_has(r, SGPU_PATH_STENCIL) && r->early && r->pixel.state->zs.tiled;
   /* The observer records blocks of 8x4 pixels. */
   if (SGD_OBSERVED_LEVEL)
      b->active = false;
   b->uniform = 0;
   if (b->active)
      memset(b->looks, 0, sizeof(b->looks));
}

/* Returns the stencil value after an operation. */
static uint8_t
operate(const struct SGPU_STENCIL_FACE *face, enum sgpu_stencil_op op, uint8_t s, uint8_t ref)
{
   uint8_t now = s;

   switch (op) {
   case SGPU_STENCIL_OP_KEEP:
      break;
   case SGPU_STENCIL_OP_ZERO:
      now = 0;
      break;
   case SGPU_STENCIL_OP_REPLACE:
      now = ref;
      break;
   case SGPU_STENCIL_OP_INCR_SAT:
      now = s + (s < 0xff);
      break;
   case SGPU_STENCIL_OP_DECR_SAT:
      now = s - (s > 0);
      break;
   case SGPU_STENCIL_OP_INCR_WRAP:
      now = s + 1;
      break;
   case SGPU_STENCIL_OP_DECR_WRAP:
      now = s - 1;
      break;
   case SGPU_STENCIL_OP_INVERT:
      now = ~s;
      break;
   }
   return (s & ~face->write_mask) | (now & face->write_mask);
}

static bool
test(const struct SGPU_STENCIL_FACE *face, uint8_t s, uint8_t ref)
{
   const unsigned a = ref & face->read_mask, b = s & face->read_mask;

   return face->func >> (a < b ? 0 : a == b ? 1 : 2) & 1;
}

/* Returns true if any quad of block k waits in collector 0 for its tests. */
static bool
has_waiting_quads(const struct sgd_raster *r, unsigned k)
{
   const struct sgd_collector *c = &r->collector[0];
   const uint32_t columns = 0xffu << (k & 3) * SGD_META_BLOCK / 2;
   const unsigned first = (k >> 2) * SGD_META_BLOCK / 2;
   uint32_t any = 0;

   for (unsigned y = 0; c->count && y < SGD_META_BLOCK / 2; y++)
      any |= c->rows[first + y];
   return any & columns;
}

static uint32_t *
elements(const struct sgd_raster *r, unsigned k, unsigned row)
{
   return (uint32_t *)sgd_surface_element(&r->pixel.state->zs, r->x + (k & 3) * SGD_META_BLOCK,
                                          r->y + (k >> 2) * SGD_META_BLOCK + row * SGD_BLOCK_H,
                                          r->layer, 0);
}

/* Finds the common stencil value of block k. Returns false if its values differ. */
static bool
find_value(struct sgd_raster *r, unsigned k)
{
   const struct sgd_surface *s = &r->pixel.state->zs;
   const unsigned shift = r->pixel.state->plan.rop.zs.format.stencil_shift;
   struct sgd_stencil_blocks *b = &r->stencil;
   uint32_t first, others = 0;

   if (b->uniform >> k & 1)
      return true;
   if (b->looks[k] == MAX_LOOKS)
      return false;
   b->looks[k]++;
   const uint8_t *value = sgd_left_out(s, r->x + (k & 3) * SGD_META_BLOCK,
                                       r->y + (k >> 2) * SGD_META_BLOCK, r->layer);
   if (value) {
      memcpy(&first, value, sizeof(first));
   } else {
      first = *elements(r, k, 0);
      for (unsigned row = 0; row < ROWS; row++) {
         const uint32_t *e = elements(r, k, row);
         for (unsigned i = 0; i < ROW; i++)
            others |= e[i] ^ first;
         if (others >> shift & 0xff)
            return false;
      }
   }
   b->uniform |= 1u << k;
   b->value[k] = first >> shift;
   return true;
}

static void
store_value(struct sgd_raster *r, unsigned k, uint8_t value)
{
   const unsigned shift = r->pixel.state->plan.rop.zs.format.stencil_shift;
   const uint32_t set = (uint32_t)value << shift, keep = ~(0xffu << shift);

   for (unsigned row = 0; row < ROWS; row++) {
      uint32_t *e = elements(r, k, row);
      for (unsigned i = 0; i < ROW; i++)
         e[i] = (e[i] & keep) | set;
   }
   r->stencil.value[k] = value;
}

/* Draws all pixels of block k. */
static void
draw(struct sgd_raster *r, const struct sgd_prim *prim, unsigned k)
{
   const int x = r->x + (k & 3) * SGD_META_BLOCK, y = r->y + (k >> 2) * SGD_META_BLOCK;

   r->pixel.worker->counters[SGPU_COUNTER_ZS_PASSED] += PIXELS;
   if (!r->pixel.ps) {
      r->pixel.stats->samples_passed += PIXELS;
      return;
   }
   for (int by = y; by < y + SGD_META_BLOCK; by += SGD_BLOCK_H) {
      for (int bx = x; bx < x + SGD_META_BLOCK && !r->pixel.stopped; bx += SGD_BLOCK_W)
         sgd_raster_passed(r, prim, bx, by);
   }
}

/* Stencil state of a primitive's face. */
struct face {
   const struct SGPU_STENCIL_FACE *state;
   uint8_t ref;
};

static struct face
face_of(const struct sgd_state *st, const struct sgd_prim *prim)
{
   if (st->dsa.back.enable && !prim->front)
      return (struct face){ &st->dsa.back, st->stencil_ref.back };
   return (struct face){ &st->dsa.front, st->stencil_ref.front };
}

bool
sgd_stencil_is_one(struct sgd_raster *r, const struct sgd_prim *prim, unsigned k)
{
   const struct sgd_zs_plan *p = &r->pixel.state->plan.rop.zs;
   const struct face face = face_of(r->pixel.state, prim);

   if (r->pixel.stopped)
      return false;
   if (unlikely(has_waiting_quads(r, k)))
      sgd_raster_flush(r);
   return find_value(r, k) &&
          !((p->depth || p->write) && test(face.state, r->stencil.value[k], face.ref));
}

void
sgd_stencil_block(struct sgd_raster *r, const struct sgd_prim *prim, unsigned k)
{
   const struct face face = face_of(r->pixel.state, prim);
   const uint8_t value = r->stencil.value[k];
   const bool passes = test(face.state, value, face.ref);
   const enum sgpu_stencil_op op = passes ? face.state->pass : face.state->fail;
   const uint8_t now = operate(face.state, op, value, face.ref);

   if (r->pixel.stopped)
      return;
   r->quads += PIXELS / 4;
   r->covered += PIXELS;
   r->pixel.worker->counters[SGPU_COUNTER_ZS_TESTED] += PIXELS;
   r->pixel.worker->counters[SGPU_COUNTER_STENCIL_BLOCKS]++;
   if ((now != value || passes) && unlikely(!r->targets.open || (r->targets.unstored >> k & 1)))
      sgd_open_store(r, k);
   if (now != value)
      store_value(r, k, now);
   if (passes)
      draw(r, prim, k);
}
