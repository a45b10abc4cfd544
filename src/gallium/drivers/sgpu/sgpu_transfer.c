/* SPDX-License-Identifier: MIT */
/* Implements mappings.  Buffers are mapped directly if the driver doesn't have to wait.  Otherwise,
 * the buffer gets new storage, or the driver maps a staging buffer, which the device copies to the
 * buffer in stream order.  Textures are mapped as linear copies, which the device fills.  The copy
 * of a texture that was never written is zero.
 */
#include "sgpu_context.h"

#include "pipe/p_defines.h"
#include "util/format/u_format.h"
#include "util/u_inlines.h"
#include "util/u_threaded_context.h"
#include "util/u_transfer.h"

#include "sgpu_copy.h"
#include "sgpu_public.h"
#include "timing/live/sgt_live.h"

static struct sgpu_transfer *
sgpu_transfer(struct pipe_transfer *transfer)
{
   return (struct sgpu_transfer *)transfer;
}

static struct sgpu_transfer *
transfer_create(struct sgpu_context *ctx, struct pipe_resource *pres, unsigned level,
                unsigned usage, const struct pipe_box *box)
{
   /* Slab pools are not thread-safe, so mappings in the application's thread use a separate pool.
    */
   struct slab_child_pool *pool = usage & TC_TRANSFER_MAP_THREADED_UNSYNC ? &ctx->transfers_unsync
                                                                          : &ctx->transfers;
   struct sgpu_transfer *t = slab_zalloc(pool);

   if (t) {
      pipe_resource_reference(&t->b.b.resource, pres);
      t->b.b.level = level;
      t->b.b.usage = usage;
      t->b.b.box = *box;
   }
   return t;
}

/* Always called in the driver's thread.  `t` may come from ctx->transfers_unsync, because
 * slab_free() can free an element to a different child pool.
 */
static void
transfer_destroy(struct sgpu_context *ctx, struct sgpu_transfer *t)
{
   sgpu_buffer_reference(&t->memory, NULL);
   pipe_resource_reference(&t->b.b.resource, NULL);
   slab_free(&ctx->transfers, t);
}

/* Waits until the CPU may access the memory.  Returns false if PIPE_MAP_DONTBLOCK is set and the
 * memory is busy.
 */
static bool
sync_buffer(struct sgpu_context *ctx, struct sgpu_buffer *storage, unsigned usage)
{
   if (sgpu_cs_uses(&ctx->cs, storage, !(usage & PIPE_MAP_WRITE)))
      sgpu_context_flush(ctx, "a buffer of the stream is mapped");

   if (!sgpu_buffer_busy(storage))
      return true;
   if (usage & PIPE_MAP_DONTBLOCK)
      return false;
   sgpu_perf(ctx, "waits for a buffer to be mapped");
   sgpu_buffer_wait(storage, UINT64_MAX);
   return true;
}

static bool
is_in_use(struct sgpu_context *ctx, struct sgpu_resource *res)
{
   struct sgpu_buffer *storage = sgpu_resource_storage(res);
   bool used = sgpu_cs_uses(&ctx->cs, storage, false) || sgpu_buffer_busy(storage);

   sgpu_buffer_reference(&storage, NULL);
   return used;
}

/* Simplifies the flags of a mapping, and gives the buffer new storage if possible.  Returns flags
 * with UNSYNCHRONIZED if the mapping doesn't conflict with accesses by the device, or with
 * DISCARD_RANGE if the caller should map a staging buffer.
 */
static unsigned
simplify_usage(struct sgpu_context *ctx, struct sgpu_resource *res, unsigned usage,
               const struct pipe_box *box)
{
   const struct pipe_resource *pres = &res->b.b;
   unsigned first = box->x, end = box->x + box->width;

   if (usage & (PIPE_MAP_UNSYNCHRONIZED | PIPE_MAP_READ) || !(usage & PIPE_MAP_WRITE))
      return usage & ~(PIPE_MAP_DISCARD_RANGE | PIPE_MAP_DISCARD_WHOLE_RESOURCE);

   if (!(usage & TC_TRANSFER_MAP_NO_INFER_UNSYNCHRONIZED) && !res->b.is_shared &&
       !util_ranges_intersect(&res->b.valid_buffer_range, first, end))
      return usage | PIPE_MAP_UNSYNCHRONIZED;

   bool whole = (usage & PIPE_MAP_DISCARD_WHOLE_RESOURCE) ||
                ((usage & PIPE_MAP_DISCARD_RANGE) && first == 0 && end == pres->width0);
   if (whole && !(usage & TC_TRANSFER_MAP_NO_INVALIDATE)) {
      /* sgpu_resource_renew() fails if the buffer has a persistent mapping. */
      if (!is_in_use(ctx, res) || sgpu_resource_renew(ctx, res))
         return usage | PIPE_MAP_UNSYNCHRONIZED;
   }

   if (whole)
      usage |= PIPE_MAP_DISCARD_RANGE;
   if ((usage & PIPE_MAP_DISCARD_RANGE) && ((usage & PIPE_MAP_PERSISTENT) || !is_in_use(ctx, res)))
      usage &= ~PIPE_MAP_DISCARD_RANGE;
   return usage;
}

/* Notifies the capture layer that the CPU may write to the mapping while the device writes to the
 * buffer.
 */
static void
note_race(const struct sgpu_transfer *t, bool begin)
{
   sgpu_layer_bo_race(t->memory->bo,
                      t->memory->address - sgpu_bo_address(t->memory->bo) + t->offset,
                      t->b.b.box.width, begin);
}

/* Counts a persistent mapping, and adds its whole range to the valid range of the buffer. */
static void
keep_mapped(struct sgpu_transfer *t)
{
   struct sgpu_resource *res = sgpu_resource(t->b.b.resource);

   p_atomic_inc(&res->persistent_maps);
   if (t->b.b.usage & PIPE_MAP_WRITE)
      util_range_add(&res->b.b, &res->b.valid_buffer_range, t->b.b.box.x,
                     t->b.b.box.x + t->b.b.box.width);
}

static void *
sgpu_buffer_map(struct pipe_context *pctx, struct pipe_resource *pres, unsigned level,
                unsigned usage, const struct pipe_box *box, struct pipe_transfer **out)
{
   struct sgpu_context *ctx = sgpu_context(pctx);
   struct sgpu_resource *res = sgpu_resource(pres);
   struct sgpu_transfer *t = transfer_create(ctx, pres, level, usage, box);
   if (!t)
      return NULL;

   unsigned how = simplify_usage(ctx, res, usage, box);
   if (!(how & PIPE_MAP_UNSYNCHRONIZED) && (how & PIPE_MAP_DISCARD_RANGE)) {
      /* The pointer must have the same alignment as in a direct mapping. */
      t->offset = box->x % 64;
      /* Clear the memory, so that the application can't see data of other contexts. */
      t->memory = sgpu_buffer_create(ctx->screen->ws, t->offset + box->width,
                                     usage & SGPU_MAP_WHOLE ? 0 : SGPU_BUFFER_ZERO, "staging");
      t->copy = true;
   } else {
      t->offset = box->x;
      t->memory = sgpu_resource_storage(res);
      if (!(how & PIPE_MAP_UNSYNCHRONIZED) && !sync_buffer(ctx, t->memory, usage)) {
         transfer_destroy(ctx, t);
         return NULL;
      }
   }

   if (!t->memory) {
      transfer_destroy(ctx, t);
      return NULL;
   }
   if ((usage & PIPE_MAP_WRITE) && (how & (PIPE_MAP_UNSYNCHRONIZED | PIPE_MAP_PERSISTENT))) {
      t->races = true;
      note_race(t, true);
   }
   if (usage & PIPE_MAP_PERSISTENT)
      keep_mapped(t);
   *out = &t->b.b;
   return t->memory->map + t->offset;
}

/* `box` is relative to the start of the mapping. */
static void
sgpu_transfer_flush_region(struct pipe_context *pctx, struct pipe_transfer *transfer,
                           const struct pipe_box *box)
{
   struct sgpu_context *ctx = sgpu_context(pctx);
   struct sgpu_transfer *t = sgpu_transfer(transfer);
   struct sgpu_resource *res = sgpu_resource(transfer->resource);

   if (transfer->resource->target != PIPE_BUFFER)
      return;

   unsigned first = transfer->box.x + box->x;
   if (t->copy &&
       !sgpu_update_constants(ctx, res, first, t->memory, t->offset + box->x, box->width))
      sgpu_copy_buffer(ctx, res, first, t->memory, t->offset + box->x, box->width);
   util_range_add(transfer->resource, &res->b.valid_buffer_range, first, first + box->width);
}

static void
sgpu_buffer_unmap(struct pipe_context *pctx, struct pipe_transfer *transfer)
{
   if ((transfer->usage & PIPE_MAP_WRITE) && !(transfer->usage & PIPE_MAP_FLUSH_EXPLICIT)) {
      struct pipe_box box;
      u_box_1d(0, transfer->box.width, &box);
      sgpu_transfer_flush_region(pctx, transfer, &box);
   }
   if (sgpu_transfer(transfer)->races)
      note_race(sgpu_transfer(transfer), false);
   if (transfer->usage & PIPE_MAP_PERSISTENT)
      p_atomic_dec(&sgpu_resource(transfer->resource)->persistent_maps);
   transfer_destroy(sgpu_context(pctx), sgpu_transfer(transfer));
}

/* Copies texels between a texture and the linear memory of its mapping. */
static void
copy_texture(struct sgpu_context *ctx, struct sgpu_transfer *t, bool to_texture)
{
   struct sgpu_resource *res = sgpu_resource(t->b.b.resource);
   const struct pipe_box *box = &t->b.b.box;
   bool raw = res->layout.block_width > 1 || res->layout.block_height > 1;
   struct sgpu_copy_view texture, linear;

   if (!sgpu_copy_view_init(&texture, res, t->b.b.level, box->z, box->depth, raw) ||
       !sgpu_copy_view_init_memory(&linear, &t->layout, t->memory->address + t->offset, raw))
      return;

   struct SGPU_RECT there = sgpu_copy_rect(&texture, box);
   struct SGPU_RECT here = { 0, 0, there.x1 - there.x0, there.y1 - there.y0 };
   const bool samples = texture.surface.samples_log2 != 0;

   sgpu_context_reserve(ctx, samples ? SGPU_BLIT_LENGTH : SGPU_COPY_SURFACE_LENGTH);
   sgpu_cs_use(&ctx->cs, res->storage, to_texture);
   sgpu_cs_use(&ctx->cs, t->memory, !to_texture);
   sgpu_display_note(res, to_texture);
   if (samples && to_texture)
      sgpu_copy_emit_samples(ctx, &texture.surface, &there, &linear.surface, &here, box->depth);
   else if (samples)
      sgpu_copy_emit_samples(ctx, &linear.surface, &here, &texture.surface, &there, box->depth);
   else if (to_texture)
      sgpu_copy_emit(ctx, &texture.surface, &there, &linear.surface, 0, 0, box->depth, 0);
   else
      sgpu_copy_emit(ctx, &linear.surface, &here, &texture.surface, there.x0, there.y0, box->depth,
                     0);
}

/* Submits a copy of the texture to the linear memory together with earlier draws, and waits for
 * it.  Returns false if memory ran out, even if only the earlier draws were dropped, so that the
 * caller reports GL_OUT_OF_MEMORY for the incomplete picture.
 */
static bool
read_texture(struct sgpu_context *ctx, struct sgpu_transfer *t)
{
   sgpu_display_refresh(ctx, sgpu_resource(t->b.b.resource));
   sgpu_updates_copy(ctx);
   bool ok = sgpu_cs_reserve(&ctx->cs, MAX2(SGPU_BLIT_LENGTH, SGPU_COPY_SURFACE_LENGTH)) ||
             sgpu_context_flush(ctx, "stream is full");
   copy_texture(ctx, t, false);
   ok &= sgpu_context_flush(ctx, "a texture is read");
   if (!ok)
      return false;

   if ((t->b.b.usage & PIPE_MAP_DONTBLOCK) && sgpu_buffer_busy(t->memory))
      return false;
   ok = sgpu_buffer_wait(t->memory, UINT64_MAX);
   sgpu_context_check_errors(ctx);
   return ok;
}

/* Returns false if the texture has never been written, so that all of its texels are zero. */
static bool
has_contents(const struct sgpu_resource *res)
{
   return res->display || res->b.is_shared || p_atomic_read(&res->storage->written);
}

static void *
sgpu_texture_map(struct pipe_context *pctx, struct pipe_resource *pres, unsigned level,
                 unsigned usage, const struct pipe_box *box, struct pipe_transfer **out)
{
   struct sgpu_context *ctx = sgpu_context(pctx);
   struct sgpu_resource *res = sgpu_resource(pres);
   const unsigned discards = PIPE_MAP_DISCARD_RANGE | PIPE_MAP_DISCARD_WHOLE_RESOURCE;
   const bool kept = (usage & PIPE_MAP_READ) || !(usage & discards);

   if (usage & PIPE_MAP_DIRECTLY)
      return NULL;
   sgpu_samples_resolve(ctx);
   const bool zero = kept && !has_contents(res);

   struct sgpu_transfer *t = transfer_create(ctx, pres, level, usage, box);
   if (!t)
      return NULL;

   bool ok = sgpu_layout_init(&t->layout, &(struct sgpu_layout_params){
                                             .format = res->layout.format,
                                             .mode = SGPU_LAYOUT_LINEAR,
                                             .width = box->width,
                                             .height = box->height,
                                             .depth = 1,
                                             .layers = box->depth,
                                             .levels = 1,
                                             .samples = 1,
                                          });
   if (ok) {
      t->copy = true;
      t->memory = sgpu_buffer_create(ctx->screen->ws, t->layout.size,
                                     SGPU_BUFFER_ALONE | (zero ? SGPU_BUFFER_ZERO : 0), "staging");
      ok = t->memory != NULL;
   }
   if (ok && kept && !zero)
      ok = read_texture(ctx, t);
   if (!ok) {
      transfer_destroy(ctx, t);
      return NULL;
   }

   t->b.b.stride = t->layout.level[0].pitch;
   t->b.b.layer_stride = t->layout.level[0].layer_stride;
   *out = &t->b.b;
   return t->memory->map;
}

void
sgpu_transfer_presents(const struct pipe_transfer *transfer)
{
   const struct sgpu_transfer *t = (const struct sgpu_transfer *)transfer;
   struct sgpu_winsys *ws = sgpu_screen(transfer->resource->screen)->ws;

   sgpu_layer_present(&(struct sgpu_presentation){
      .bo = t->memory->bo,
      .pitch = transfer->stride,
      .width = transfer->box.width,
      .height = transfer->box.height,
      .pixel_bytes = t->layout.block_bytes,
      .format = t->layout.format,
   });
   if (ws->live)
      sgt_live_cut(ws->live, SGT_LIVE_FRAME);
}

static void
sgpu_texture_unmap(struct pipe_context *pctx, struct pipe_transfer *transfer)
{
   struct sgpu_context *ctx = sgpu_context(pctx);
   struct sgpu_transfer *t = sgpu_transfer(transfer);
   struct sgpu_resource *res = sgpu_resource(transfer->resource);

   if (transfer->usage & PIPE_MAP_WRITE) {
      sgpu_samples_resolve(ctx);
      copy_texture(ctx, t, true);
      /* Present a shared resource after each write, because other processes may read it at any
       * time.
       */
      if (res->display && res->b.is_shared)
         sgpu_display_present(ctx, res, &transfer->box, NULL);
      sgpu_context_work_done(ctx);
   }
   transfer_destroy(ctx, t);
}

static void
sgpu_buffer_subdata(struct pipe_context *pctx, struct pipe_resource *pres, unsigned usage,
                    unsigned offset, unsigned size, const void *data)
{
   u_default_buffer_subdata(pctx, pres, usage | SGPU_MAP_WHOLE, offset, size, data);
}

/* Minimum size in bytes of a direct upload.  For less data, a staging copy is faster than waiting
 * for a submission.
 */
#define DIRECT_BYTES (256 * 1024)

/* Alignment in bytes that the copy engine requires for texels in user memory. */
#define DIRECT_ALIGN 16

/* Uploads texels without a staging copy.  The device reads the user memory, and the driver waits
 * until the device is done.  Returns false if the device can't read the memory.  Also returns false
 * if the device is busy, because the driver would have to wait for the other work, too.
 */
static bool
copy_from_program(struct sgpu_context *ctx, struct sgpu_resource *res, unsigned level,
                  const struct pipe_box *box, const void *data, unsigned stride)
{
   const struct sgpu_winsys *ws = ctx->screen->ws;
   const enum pipe_format format = res->b.b.format;
   const unsigned offset = (uintptr_t)data % SGPU_PAGE_SIZE;
   const uint64_t row = util_format_get_stride(format, box->width);
   const unsigned rows = util_format_get_nblocksy(format, box->height);

   if (row * rows < DIRECT_BYTES || box->depth != 1 || res->b.b.nr_samples > 1 || res->display ||
       offset % DIRECT_ALIGN || !sgpu_winsys_has_user_memory(ws) || ctx->updates.count ||
       !sgpu_cs_empty(&ctx->cs) || !sgpu_ring_passed(ctx->cs.ring, ctx->cs.last_seqno) ||
       sgpu_buffer_busy(res->storage))
      return false;

   struct sgpu_transfer t = {
      .b.b = {
         .resource = &res->b.b,
         .level = level,
         .usage = PIPE_MAP_WRITE,
         .box = *box,
      },
      .offset = offset,
   };
   if (!sgpu_layout_init(&t.layout, &(struct sgpu_layout_params){
                                       .format = res->layout.format,
                                       .mode = SGPU_LAYOUT_LINEAR,
                                       .width = box->width,
                                       .height = box->height,
                                       .depth = 1,
                                       .layers = 1,
                                       .levels = 1,
                                       .samples = 1,
                                       .pitch = stride,
                                    }))
      return false;
   t.memory = sgpu_buffer_create_user(ctx->screen->ws, (uint8_t *)data - offset,
                                      offset + (uint64_t)(rows - 1) * stride + row, "upload");
   if (!t.memory)
      return false;
   copy_texture(ctx, &t, true);
   if (sgpu_context_flush(ctx, NULL))
      sgpu_ring_wait(ctx->cs.ring, ctx->cs.last_seqno, UINT64_MAX);
   sgpu_buffer_reference(&t.memory, NULL);
   sgpu_context_check_errors(ctx);
   return true;
}

static void
sgpu_texture_subdata(struct pipe_context *pctx, struct pipe_resource *pres, unsigned level,
                     unsigned usage, const struct pipe_box *box, const void *data, unsigned stride,
                     uintptr_t layer_stride)
{
   sgpu_samples_resolve(sgpu_context(pctx));
   if (!copy_from_program(sgpu_context(pctx), sgpu_resource(pres), level, box, data, stride))
      u_default_texture_subdata(pctx, pres, level, usage, box, data, stride, layer_stride);
}

/* Makes the contents of a buffer undefined.  A busy buffer gets new storage, unless it has a
 * persistent mapping.  Mesa invalidates its internal vertex buffer in this way, so that it can
 * write to the buffer without waiting.
 */
static void
sgpu_invalidate_resource(struct pipe_context *pctx, struct pipe_resource *pres)
{
   struct sgpu_context *ctx = sgpu_context(pctx);
   struct sgpu_resource *res = sgpu_resource(pres);

   if (pres->target == PIPE_BUFFER && is_in_use(ctx, res))
      sgpu_resource_renew(ctx, res);
}

void
sgpu_transfer_context_init(struct pipe_context *pctx)
{
   pctx->buffer_map = sgpu_buffer_map;
   pctx->buffer_unmap = sgpu_buffer_unmap;
   pctx->texture_map = sgpu_texture_map;
   pctx->texture_unmap = sgpu_texture_unmap;
   pctx->transfer_flush_region = sgpu_transfer_flush_region;
   pctx->buffer_subdata = sgpu_buffer_subdata;
   pctx->texture_subdata = sgpu_texture_subdata;
   pctx->invalidate_resource = sgpu_invalidate_resource;
}
