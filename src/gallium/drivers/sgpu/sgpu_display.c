/* SPDX-License-Identifier: MIT */
/*
 * The window system's side of resources.  The device never sees its memory: a
 * presentation copies the picture to a linear buffer on the device, waits for
 * that buffer alone and copies its rows out; what others have drawn is copied
 * in the other way.
 */
#include "sgpu_context.h"

#include "frontend/sw_winsys.h"
#include "pipe/p_defines.h"
#include "util/format/u_format.h"
#include "util/u_inlines.h"
#include "util/u_memory.h"

#include "sgpu_copy.h"

static bool
init_layout(struct sgpu_resource *res, struct sgpu_display *d)
{
   return sgpu_layout_init(&d->layout, &(struct sgpu_layout_params){
      .format = res->layout.format,
      .mode = SGPU_LAYOUT_LINEAR,
      .width = res->b.b.width0,
      .height = res->b.b.height0,
      .depth = 1,
      .layers = 1,
      .levels = 1,
      .samples = 1,
   });
}

bool
sgpu_display_attach(struct sgpu_resource *res, struct sw_displaytarget *dt, unsigned stride)
{
   struct sgpu_display *d = CALLOC_STRUCT(sgpu_display);

   if (!d || !init_layout(res, d)) {
      FREE(d);
      return false;
   }
   d->dt = dt;
   d->stride = stride;
   simple_mtx_init(&d->lock, mtx_plain);
   res->display = d;
   return true;
}

bool
sgpu_display_create(struct pipe_screen *pscreen, struct sgpu_resource *res,
                    const void *front_private)
{
   struct sw_winsys *ws = sgpu_screen(pscreen)->display;
   const struct pipe_resource *t = &res->b.b;
   unsigned stride;
   struct sw_displaytarget *dt = ws->displaytarget_create(
      ws, t->bind, t->format, t->width0, t->height0, 64, front_private, &stride);

   if (!dt)
      return false;
   if (!sgpu_display_attach(res, dt, stride)) {
      ws->displaytarget_destroy(ws, dt);
      return false;
   }
   res->display->front = front_private != NULL;
   return true;
}

void
sgpu_display_destroy(struct pipe_screen *pscreen, struct sgpu_resource *res)
{
   struct sw_winsys *ws = sgpu_screen(pscreen)->display;

   ws->displaytarget_destroy(ws, res->display->dt);
   sgpu_buffer_reference(&res->display->staging, NULL);
   simple_mtx_destroy(&res->display->lock);
   FREE(res->display);
   res->display = NULL;
}

static void
copy_rows(uint8_t *dst, unsigned dst_stride, const uint8_t *src, unsigned src_stride,
          unsigned bytes, unsigned rows)
{
   for (unsigned y = 0; y < rows; y++)
      memcpy(dst + (size_t)y * dst_stride, src + (size_t)y * src_stride, bytes);
}

void
sgpu_display_refresh(struct sgpu_context *ctx, struct sgpu_resource *res)
{
   struct sw_winsys *ws = ctx->screen->display;
   struct sgpu_display *d = res->display;

   if (!d || !(d->front || d->imported))
      return;

   simple_mtx_lock(&d->lock);
   bool due = !p_atomic_read(&d->ours_newer) && d->refreshed != ctx->frame;
   d->refreshed = ctx->frame;
   simple_mtx_unlock(&d->lock);
   if (!due)
      return;

   struct sgpu_buffer *staging =
      sgpu_buffer_create(ctx->screen->ws, d->layout.size, 0, "import");
   const uint8_t *map = staging ? ws->displaytarget_map(ws, d->dt, PIPE_MAP_READ) : NULL;

   if (map) {
      const struct sgpu_layout_level *l = &d->layout.level[0];
      struct sgpu_copy_view to, from;
      struct pipe_box box;

      copy_rows(staging->map, l->pitch, map, d->stride,
                l->width * d->layout.block_bytes, l->height);
      ws->displaytarget_unmap(ws, d->dt);

      u_box_2d(0, 0, l->width, l->height, &box);
      if (sgpu_copy_view_init(&to, res, 0, 0, 1, false) &&
          sgpu_copy_view_init_memory(&from, &d->layout, staging->address, false)) {
         struct SGPU_RECT rect = sgpu_copy_rect(&to, &box);
         sgpu_copy_reserve(ctx);
         sgpu_cs_use(&ctx->cs, staging, false);
         sgpu_cs_use(&ctx->cs, res->storage, true);
         sgpu_copy_emit(ctx, &to.surface, &rect, &from.surface, 0, 0, 1);
      }
   }
   sgpu_buffer_reference(&staging, NULL);
}

/* The resource's box in the linear buffer, complete. */
static bool
fetch(struct sgpu_context *ctx, struct sgpu_resource *res, const struct pipe_box *box)
{
   struct sgpu_display *d = res->display;
   struct sgpu_copy_view to, from;

   if (!d->staging)
      d->staging = sgpu_buffer_create(ctx->screen->ws, d->layout.size, SGPU_BUFFER_ALONE,
                                      "presentation");
   if (!d->staging || !sgpu_copy_view_init(&from, res, 0, 0, 1, false) ||
       !sgpu_copy_view_init_memory(&to, &d->layout, d->staging->address, false))
      return false;

   /* A submission of its own: nothing else has to end for it. */
   sgpu_context_flush(ctx, NULL);
   sgpu_copy_reserve(ctx);
   sgpu_cs_use(&ctx->cs, res->storage, false);
   sgpu_cs_use(&ctx->cs, d->staging, true);
   struct SGPU_RECT rect = sgpu_copy_rect(&to, box);
   sgpu_copy_emit(ctx, &to.surface, &rect, &from.surface, rect.x0, rect.y0, 1);
   sgpu_context_flush(ctx, NULL);
   return sgpu_buffer_wait(d->staging, UINT64_MAX);
}

void
sgpu_display_present(struct sgpu_context *ctx, struct sgpu_resource *res,
                     const struct pipe_box *sub_box)
{
   struct sw_winsys *ws = ctx->screen->display;
   struct sgpu_display *d = res->display;
   const struct sgpu_layout_level *l = &d->layout.level[0];
   unsigned bytes = d->layout.block_bytes;
   struct pipe_box box;

   u_box_2d(0, 0, l->width, l->height, &box);
   if (sub_box) {
      int x1 = MIN2(sub_box->x + sub_box->width, box.width);
      int y1 = MIN2(sub_box->y + sub_box->height, box.height);
      box.x = MAX2(sub_box->x, 0);
      box.y = MAX2(sub_box->y, 0);
      box.width = x1 - box.x;
      box.height = y1 - box.y;
   }
   if (box.width <= 0 || box.height <= 0)
      return;

   simple_mtx_lock(&d->lock);
   p_atomic_set(&d->ours_newer, false);
   if (fetch(ctx, res, &box)) {
      /* Without PIPE_MAP_WRITE the front buffer is not put twice. */
      uint8_t *map = ws->displaytarget_map(ws, d->dt, d->front ? 0 : PIPE_MAP_WRITE);
      if (map) {
         copy_rows(map + (size_t)box.y * d->stride + box.x * bytes, d->stride,
                   d->staging->map + (size_t)box.y * l->pitch + box.x * bytes, l->pitch,
                   box.width * bytes, box.height);
         ws->displaytarget_unmap(ws, d->dt);
      }
   }
   simple_mtx_unlock(&d->lock);
}

static void
sgpu_flush_frontbuffer(struct pipe_screen *pscreen, struct pipe_context *pctx,
                       struct pipe_resource *pres, unsigned level, unsigned layer,
                       void *context_private, struct pipe_box *sub_box)
{
   struct sw_winsys *ws = sgpu_screen(pscreen)->display;
   struct sgpu_resource *res = sgpu_resource(pres);

   pctx = threaded_context_unwrap_sync(pctx);
   if (!pctx || !res->display)
      return;
   sgpu_display_present(sgpu_context(pctx), res, sub_box);
   ws->displaytarget_display(ws, res->display->dt, context_private, sub_box);
}

/* What others may read from now on.  Relies on no fence of the caller's. */
static void
sgpu_flush_resource(struct pipe_context *pctx, struct pipe_resource *pres)
{
   if (sgpu_resource(pres)->display)
      sgpu_display_present(sgpu_context(pctx), sgpu_resource(pres), NULL);
}

/* Ends when the picture is out, not when it is queued. */
static void
sgpu_threaded_flush_resource(struct pipe_context *tc, struct pipe_resource *pres)
{
   struct pipe_context *pctx = threaded_context_unwrap_sync(tc);
   sgpu_flush_resource(pctx, pres);
}

void
sgpu_display_threaded_init(struct pipe_context *tc)
{
   tc->flush_resource = sgpu_threaded_flush_resource;
}

void
sgpu_display_context_init(struct pipe_context *pctx)
{
   pctx->flush_resource = sgpu_flush_resource;
}

void
sgpu_display_screen_init(struct pipe_screen *pscreen)
{
   pscreen->flush_frontbuffer = sgpu_flush_frontbuffer;
}
