/* SPDX-License-Identifier: MIT */
/*
 * Shadows: executes transfers, and draws whose fragments are already known, in a private copy of
 * the device's memory.
 */
#include <assert.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "observe/replay/sgd_replay.h"
#include "observe/shadow/sgd_shadow.h"
#include "sgpu_fp.h"
#include "util/macros.h"

int
sgpu_shadow_create(const struct sgpu_shadow_image *image, struct sgpu_shadow **out)
{
   struct sgpu_shadow *s = calloc(1, sizeof(*s));

   *out = NULL;
   if (!s)
      return -ENOMEM;
   s->image = image;
   s->states = calloc(MAX2(image->num_records, 1), sizeof(*s->states));
   s->xfers = calloc(MAX2(image->num_records, 1), sizeof(*s->xfers));
   s->base = sgd_shadow_map(image, image->initial);
   if (!s->states || !s->xfers || !s->base) {
      sgpu_shadow_destroy(s);
      return -ENOMEM;
   }
   *out = s;
   return 0;
}

void
sgpu_shadow_destroy(struct sgpu_shadow *s)
{
   if (!s)
      return;
   for (unsigned i = 0; i < s->image->num_records; i++) {
      if (s->states)
         free(s->states[i]);
      if (s->xfers)
         free(s->xfers[i]);
   }
   for (unsigned i = 0; i < s->num_owners; i++)
      munmap(s->owners[i].numbers, s->owners[i].size);
   if (s->base)
      munmap(s->base, MAX2(s->image->span, 1));
   free(s->states);
   free(s->xfers);
   free(s->owners);
   free(s);
}

/* Returns the state of a record, converted to host addresses, or NULL on allocation failure. */
static struct sgd_state *
use_state(struct sgpu_shadow *s, uint32_t record)
{
   const struct sgd_shadow_state *from = s->image->records[record].u.state;
   struct sgd_state *st = s->states[record];

   if (st)
      return st;
   st = s->states[record] = calloc(1, sizeof(*st));
   if (!st)
      return NULL;
   st->num_colors = from->num_colors;
   for (unsigned i = 0; i < from->num_colors; i++)
      st->color[i] = sgd_shadow_rebase(&from->color[i], s->base);
   st->zs = sgd_shadow_rebase(&from->zs, s->base);
   st->dsa = from->dsa;
   st->stencil_ref = from->stencil_ref;
   st->plan.rop = from->rop;
   st->samples = from->samples;
   return st;
}

static uint32_t
blocks(uint32_t pixels, uint32_t block)
{
   return (pixels + block - 1) / block;
}

/* Returns the primitives that own the depths of a surface (struct sgd_shadow_owners). Allocates
 * them on first use. Returns NULL on allocation failure. Views of the same memory with different
 * layers get separate owners. This is correct because primitives whose order is decided by depth
 * have the same target.
 */
static uint32_t *
use_owners(struct sgpu_shadow *s, const struct sgd_surface *zs)
{
   const uint64_t address = zs->base - s->base;
   const uint64_t size = (uint64_t)zs->layers * zs->samples * blocks(zs->width, SGPU_TILE_WIDTH) *
                         blocks(zs->height, SGPU_TILE_HEIGHT) * SGPU_TILE_ELEMENTS *
                         sizeof(uint32_t);

   for (unsigned i = 0; i < s->num_owners; i++) {
      if (s->owners[i].address == address && s->owners[i].size == size)
         return s->owners[i].numbers;
   }
   if (!sgd_shadow_grow(&s->owners, s->num_owners, &s->max_owners, sizeof(*s->owners)))
      return NULL;
   void *p = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE,
                  -1, 0);
   if (p == MAP_FAILED)
      return NULL;
   s->owners[s->num_owners++] = (struct sgd_shadow_owners){ address, p, size };
   return p;
}

bool
sgpu_shadow_draw(struct sgpu_shadow *s, const struct sgpu_shadow_draw *draw,
                 const struct sgpu_shadow_block *block, unsigned count,
                 struct sgpu_shadow_result *result)
{
   const struct sgd_shadow_state *from = s->image->records[draw->record].u.state;
   struct sgd_replay r = {
      .state = use_state(s, draw->record),
      .test = from->test,
      .late = from->late,
      .draw = draw,
      .blocks = block,
      .count = count,
      .result = result,
   };

   if (!r.state)
      return false;
   if (draw->ties != SGPU_SHADOW_TIES_TEST && from->test) {
      const struct sgd_surface *zs = &r.state->zs;
      r.owners = use_owners(s, zs);
      if (!r.owners)
         return false;
      r.blocks_across = blocks(zs->width, SGPU_TILE_WIDTH);
      r.owners_plane = (uint64_t)r.blocks_across * blocks(zs->height, SGPU_TILE_HEIGHT) *
                       SGPU_TILE_ELEMENTS;
      r.owners += draw->layer * r.owners_plane * zs->samples;
   }
   s->stored = false;
   const uint64_t fp = sgpu_fp_enter();
   s->image->ops->replay(&s->worker, &r);
   sgpu_fp_leave(fp);
   return true;
}

static bool
run_part(struct sgpu_shadow *s, const struct sgpu_shadow_draw *draw,
         const struct sgpu_shadow_block *block, enum sgd_replay_part part, unsigned sample,
         unsigned target, uint32_t *lanes, struct sgpu_shadow_result *result)
{
   const struct sgd_shadow_state *from = s->image->records[draw->record].u.state;
   const struct sgd_replay r = {
      .state = use_state(s, draw->record),
      .test = from->test,
      .late = from->late,
      .draw = draw,
      .blocks = block,
      .count = 1,
      .result = result,
      .part = part,
      .sample = sample,
      .target = target,
      .lanes = lanes,
   };

   if (!r.state)
      return false;
   assert(sample < r.state->samples && target < SGD_MAX_COLORS);
   s->stored = false;
   const uint64_t fp = sgpu_fp_enter();
   s->image->ops->replay(&s->worker, &r);
   sgpu_fp_leave(fp);
   return true;
}

bool
sgpu_shadow_test(struct sgpu_shadow *s, const struct sgpu_shadow_draw *draw,
                 const struct sgpu_shadow_block *block, unsigned sample, uint32_t *lanes,
                 struct sgpu_shadow_result *result)
{
   return run_part(s, draw, block, SGD_REPLAY_TEST, sample, 0, lanes, result);
}

bool
sgpu_shadow_color(struct sgpu_shadow *s, const struct sgpu_shadow_draw *draw,
                  const struct sgpu_shadow_block *block, unsigned sample, unsigned target,
                  uint32_t lanes, struct sgpu_shadow_result *result)
{
   return run_part(s, draw, block, SGD_REPLAY_COLOR, sample, target, &lanes, result);
}

/* Returns the transfer of a record, converted to host addresses, or NULL on allocation failure. */
static const struct sgd_xfer *
use_xfer(struct sgpu_shadow *s, uint32_t record)
{
   const struct sgd_xfer *from = s->image->records[record].u.xfer;
   struct sgd_xfer *x = s->xfers[record];

   if (x)
      return x;
   x = s->xfers[record] = malloc(sizeof(*x));
   if (!x)
      return NULL;
   *x = *from;
   switch (x->kind) {
   case SGD_XFER_CLEAR:
      for (unsigned i = 0; i < SGD_MAX_COLORS; i++)
         x->u.clear.color[i] = sgd_shadow_rebase(&from->u.clear.color[i], s->base);
      x->u.clear.zs = sgd_shadow_rebase(&from->u.clear.zs, s->base);
      break;
   case SGD_XFER_COPY_SURFACE:
      x->u.copy.src = sgd_shadow_rebase(&from->u.copy.src, s->base);
      x->u.copy.dst = sgd_shadow_rebase(&from->u.copy.dst, s->base);
      break;
   case SGD_XFER_BLIT:
      x->u.blit.src = sgd_shadow_rebase(&from->u.blit.src, s->base);
      x->u.blit.dst = sgd_shadow_rebase(&from->u.blit.dst, s->base);
      break;
   case SGD_XFER_RESOLVE:
      x->u.resolve = sgd_shadow_rebase(&from->u.resolve, s->base);
      break;
   case SGD_XFER_COPY_BUFFER:
   case SGD_XFER_FILL_BUFFER:
      x->u.buffer.src.ptr += (uintptr_t)s->base;
      x->u.buffer.dst.ptr += (uintptr_t)s->base;
      break;
   }
   return x;
}

/* Executes a transfer inside a rectangle of one layer. Splits the rectangle into 64x64 tiles, as
 * the dispatch unit does.
 */
static void
run_tiles_of(struct sgpu_shadow *s, const struct sgd_xfer *x, unsigned layer,
             const struct SGPU_RECT *rect)
{
   for (int32_t ty = rect->y0 & ~(SGD_TILE - 1); ty < rect->y1; ty += SGD_TILE) {
      for (int32_t tx = rect->x0 & ~(SGD_TILE - 1); tx < rect->x1; tx += SGD_TILE) {
         const struct SGPU_RECT part = {
            .x0 = MAX2(rect->x0, tx),
            .y0 = MAX2(rect->y0, ty),
            .x1 = MIN2(rect->x1, tx + SGD_TILE),
            .y1 = MIN2(rect->y1, ty + SGD_TILE),
         };
         s->image->ops->xfer(&s->worker, x, &part, layer);
      }
   }
}

static void
run_tiles(struct sgpu_shadow *s, const struct sgd_xfer *x, const struct SGPU_RECT *rect)
{
   for (unsigned layer = 0; layer < x->layers; layer++)
      run_tiles_of(s, x, layer, rect);
}

bool
sgpu_shadow_transfer(struct sgpu_shadow *s, uint32_t record, int32_t x0, int32_t y0, int32_t x1,
                     int32_t y1)
{
   const struct sgd_shadow_record *r = &s->image->records[record];

   s->stored = false;
   if (r->kind == SGD_SHADOW_WRITE) {
      memcpy(s->base + r->u.write->offset, r->u.write->data, r->u.write->size);
      return true;
   }
   const struct sgd_xfer *x = use_xfer(s, record);
   if (!x)
      return false;
   struct SGPU_RECT rect = x->rect;
   const uint64_t fp = sgpu_fp_enter();
   if (x->kind == SGD_XFER_COPY_BUFFER || x->kind == SGD_XFER_FILL_BUFFER) {
      s->image->ops->xfer(&s->worker, x, &rect, 0);
   } else {
      rect.x0 = MAX2(rect.x0, x0);
      rect.y0 = MAX2(rect.y0, y0);
      rect.x1 = MIN2(rect.x1, x1);
      rect.y1 = MIN2(rect.y1, y1);
      run_tiles(s, x, &rect);
   }
   sgpu_fp_leave(fp);
   return true;
}

/* Restricts a transfer to a single target and returns this target. `target` is an index that counts
 * only valid targets. Returns NULL if the index is out of range.
 */
static const struct sgd_surface *
only_target(struct sgd_xfer *x, unsigned target)
{
   const struct sgd_surface *surfaces[SGD_MAX_COLORS + 1];
   const unsigned num = sgd_shadow_xfer_targets(x, surfaces);
   const struct sgd_surface *found = NULL;

   for (unsigned i = 0; i < num && !found; i++) {
      if (surfaces[i]->valid && !target--)
         found = surfaces[i];
   }
   if (!found || x->kind != SGD_XFER_CLEAR)
      return found;
   const bool zs = found == &x->u.clear.zs;
   x->u.clear.colors = zs ? 0 : 1u << (found - x->u.clear.color);
   x->u.clear.clear_depth &= zs;
   x->u.clear.clear_stencil &= zs;
   return found;
}

bool
sgpu_shadow_transfer_part(struct sgpu_shadow *s, uint32_t record, unsigned target, unsigned layer,
                          uint32_t x0, uint32_t y0, uint32_t x1, uint32_t y1)
{
   const struct sgd_xfer *whole = use_xfer(s, record);

   if (!whole)
      return false;
   struct sgd_xfer x = *whole;
   const struct sgd_surface *surface = only_target(&x, target);
   if (!surface || layer >= x.layers)
      return true;
   const unsigned w = surface->desc->block.width, h = surface->desc->block.height;
   s->stored = false;
   const uint64_t fp = sgpu_fp_enter();
   run_tiles_of(s, &x, layer,
                &(struct SGPU_RECT){
                   .x0 = MAX2((int32_t)(x0 * w), x.rect.x0),
                   .y0 = MAX2((int32_t)(y0 * h), x.rect.y0),
                   .x1 = MIN2((int32_t)(x1 * w), x.rect.x1),
                   .y1 = MIN2((int32_t)(y1 * h), x.rect.y1),
                });
   sgpu_fp_leave(fp);
   return true;
}
