/* SPDX-License-Identifier: MIT */
/* Presents resources to the window system and imports resources from it.  A presentation copies the
 * picture to a linear staging buffer on the device and waits for the copy.  If the device can
 * access the window system's memory, this memory is the staging buffer.  Otherwise, the CPU copies
 * the rows from the staging buffer to the window system's memory.  Pixels that other processes have
 * drawn are copied to the resource; the device never reads them in place.  The pixels of a texture
 * from a pixmap are copied when the pixmap is bound for the first time, and again when the texture
 * is first used in a frame.
 */
#include "sgpu_context.h"

#include "frontend/sw_winsys.h"
#include "pipe/p_defines.h"
#include "util/format/u_format.h"
#include "util/u_inlines.h"
#include "util/u_memory.h"

#include "sgpu_copy.h"
#include "sgpu_frames.h"
#include "timing/live/sgt_live.h"

/* Row alignment of display targets in bytes, as in X11 images.  With a larger alignment, the
 * loaders would show the row padding as pixels once the window is larger than the display target.
 */
#define ROW_ALIGN 4

/* Initializes a linear layout for the resource.  If `pitch` is 0, lets sgpu_layout_init() choose
 * the pitch.
 */
static bool
init_layout(const struct sgpu_resource *res, struct sgpu_layout *layout, unsigned pitch)
{
   return sgpu_layout_init(layout, &(struct sgpu_layout_params){
                                      .format = res->layout.format,
                                      .mode = SGPU_LAYOUT_LINEAR,
                                      .width = res->b.b.width0,
                                      .height = res->b.b.height0,
                                      .depth = 1,
                                      .layers = 1,
                                      .levels = 1,
                                      .samples = 1,
                                      .pitch = pitch,
                                   });
}

bool
sgpu_display_attach(struct sgpu_resource *res, struct sw_displaytarget *dt, unsigned stride)
{
   struct sgpu_display *d = CALLOC_STRUCT(sgpu_display);

   if (!d || !init_layout(res, &d->layout, 0)) {
      FREE(d);
      return false;
   }
   d->dt = dt;
   d->stride = stride;
   d->contents = 1;
   simple_mtx_init(&d->lock, mtx_plain);
   simple_mtx_init(&d->front_lock, mtx_plain);
   res->display = d;
   return true;
}

/* Uses the window system's memory as the staging buffer if the device can access it. */
static void
share_memory(struct sgpu_screen *screen, struct sgpu_resource *res)
{
   struct sw_winsys *ws = screen->display;
   struct sgpu_display *d = res->display;
   struct winsys_handle handle = { .type = WINSYS_HANDLE_TYPE_SHMID };
   struct sgpu_layout layout;

   /* With SGPU_TIMING, use separate memory, because the device address of the window system's
    * memory may differ from run to run.
    */
   if (screen->ws->live || !init_layout(res, &layout, d->stride))
      return;
   uint8_t *map = ws->displaytarget_map(ws, d->dt, PIPE_MAP_WRITE);
   if (!map)
      return;
   if (ws->displaytarget_get_handle(ws, d->dt, &handle)) {
      d->staging = sgpu_buffer_create_shared(screen->ws, map, layout.size, "presentation");
   } else {
      d->offset = (uintptr_t)map % SGPU_PAGE_SIZE;
      d->staging = sgpu_buffer_create_user(screen->ws, map - d->offset, d->offset + layout.size,
                                           "presentation");
   }
   d->direct = d->staging != NULL;
   if (d->direct) {
      d->layout = layout;
   } else {
      d->offset = 0;
      ws->displaytarget_unmap(ws, d->dt);
   }
}

bool
sgpu_display_create(struct pipe_screen *pscreen, struct sgpu_resource *res,
                    const void *front_private)
{
   struct sw_winsys *ws = sgpu_screen(pscreen)->display;
   const struct pipe_resource *t = &res->b.b;
   unsigned stride;
   struct sw_displaytarget *dt = ws->displaytarget_create(ws, t->bind, t->format, t->width0,
                                                          t->height0, ROW_ALIGN, NULL, &stride);

   if (!dt)
      return false;
   if (!sgpu_display_attach(res, dt, stride)) {
      ws->displaytarget_destroy(ws, dt);
      return false;
   }
   share_memory(sgpu_screen(pscreen), res);
   if (front_private)
      sgpu_resource_set_front(&res->b.b, front_private);
   return true;
}

/* Must be called when anything except a presentation of the same storage writes to the staging
 * memory.  Makes the next presentation copy the whole picture instead of only the changes.
 */
static void
forget_contents(struct sgpu_display *d)
{
   simple_mtx_assert_locked(&d->lock);
   if (d->contents)
      d->contents++;
}

void
sgpu_resource_set_front(struct pipe_resource *pres, const void *drawable)
{
   struct sw_winsys *ws = sgpu_screen(pres->screen)->display;
   struct sgpu_display *d = sgpu_resource(pres)->display;

   if (!d || d->front == drawable)
      return;

   simple_mtx_lock(&d->lock);
   forget_contents(d);
   simple_mtx_unlock(&d->lock);
   /* Clear the memory. It may hold stale data of the process, which the window would show. */
   void *map = ws->displaytarget_map(ws, d->dt, PIPE_MAP_WRITE);
   if (map) {
      memset(map, 0, (size_t)d->stride * d->layout.level[0].height);
      ws->displaytarget_unmap(ws, d->dt);
   }
   d->front = drawable;
}

void
sgpu_resource_drop_front(struct pipe_resource *pres)
{
   struct sgpu_display *d = sgpu_resource(pres)->display;

   if (!d)
      return;
   simple_mtx_lock(&d->front_lock);
   d->front = NULL;
   simple_mtx_unlock(&d->front_lock);
}

void
sgpu_display_destroy(struct pipe_screen *pscreen, struct sgpu_resource *res)
{
   struct sw_winsys *ws = sgpu_screen(pscreen)->display;
   struct sgpu_display *d = res->display;

   /* There is no need to wait for the device here, because fetch() waits for each submission that
    * uses the staging buffer.
    */
   sgpu_buffer_reference(&d->staging, NULL);
   if (d->direct)
      ws->displaytarget_unmap(ws, d->dt);
   ws->displaytarget_destroy(ws, d->dt);
   simple_mtx_destroy(&d->front_lock);
   simple_mtx_destroy(&d->lock);
   FREE(d);
   res->display = NULL;
}

static void
copy_rows(uint8_t *dst, unsigned dst_stride, const uint8_t *src, unsigned src_stride,
          unsigned bytes, unsigned rows)
{
   for (unsigned y = 0; y < rows; y++)
      memcpy(dst + (size_t)y * dst_stride, src + (size_t)y * src_stride, bytes);
}

static bool
read_picture(struct sgpu_screen *screen, struct sgpu_display *d, uint8_t *to)
{
   struct sw_winsys *ws = screen->display;
   const struct sgpu_layout_level *l = &d->layout.level[0];

   uint8_t *map = ws->displaytarget_map(ws, d->dt, PIPE_MAP_READ);

   if (!map)
      return false;
   /* If the read fails, `map` still contains the previous picture. */
   simple_mtx_lock(&d->front_lock);
   if (d->front) {
      simple_mtx_lock(&d->lock);
      forget_contents(d);
      simple_mtx_unlock(&d->lock);
      screen->read_front(d->front, l->width, l->height, d->stride, map);
   }
   simple_mtx_unlock(&d->front_lock);
   copy_rows(to, l->pitch, map, d->stride, l->width * d->layout.block_bytes, l->height);
   ws->displaytarget_unmap(ws, d->dt);
   return true;
}

void
sgpu_display_refresh(struct sgpu_context *ctx, struct sgpu_resource *res)
{
   struct sgpu_display *d = res->display;

   if (!d || !(d->imported || (d->front && ctx->screen->read_front)))
      return;

   simple_mtx_lock(&d->lock);
   bool always = d->front && !p_atomic_read(&d->texture);
   bool due = !p_atomic_read(&d->ours_newer) && (always || d->refreshed != ctx->frame);
   d->refreshed = ctx->frame;
   simple_mtx_unlock(&d->lock);
   if (!due)
      return;

   struct sgpu_buffer *staging = sgpu_buffer_create(ctx->screen->ws, d->layout.size, 0, "import");
   if (staging && read_picture(ctx->screen, d, staging->map)) {
      const struct sgpu_layout_level *l = &d->layout.level[0];
      struct sgpu_copy_view to, from;
      struct pipe_box box;

      u_box_2d(0, 0, l->width, l->height, &box);
      if (sgpu_copy_view_init(&to, res, 0, 0, 1, false) &&
          sgpu_copy_view_init_memory(&from, &d->layout, staging->address, false)) {
         struct SGPU_RECT rect = sgpu_copy_rect(&to, &box);
         sgpu_copy_reserve(ctx);
         sgpu_cs_use(&ctx->cs, staging, false);
         sgpu_cs_use(&ctx->cs, res->storage, true);
         sgpu_copy_emit(ctx, &to.surface, &rect, &from.surface, 0, 0, 1, 0);
      }
   }
   sgpu_buffer_reference(&staging, NULL);
}

void
sgpu_display_refresh_queued(struct sgpu_context *ctx, struct sgpu_resource *res)
{
   /* In a threaded context, the application's thread has already refreshed pixmaps (sgpu_pixmap.c).
    */
   if (!ctx->tc || !sgpu_display_is_pixmap(res))
      sgpu_display_refresh(ctx, res);
}

/* Copies a box of the staging buffer to the window system's memory. */
static void
hand_over(struct sw_winsys *ws, struct sgpu_display *d, const struct pipe_box *box)
{
   const unsigned pitch = d->layout.level[0].pitch, bytes = d->layout.block_bytes;
   uint8_t *map = ws->displaytarget_map(ws, d->dt, PIPE_MAP_WRITE);

   if (!map)
      return;
   copy_rows(map + (size_t)box->y * d->stride + box->x * bytes, d->stride,
             d->staging->map + (size_t)box->y * pitch + box->x * bytes, pitch, box->width * bytes,
             box->height);
   ws->displaytarget_unmap(ws, d->dt);
}

/* Copies a box of the resource to the staging buffer and waits for the copy.  Returns false on
 * failure.  Must be called with d->lock held.
 */
static bool
fetch(struct sgpu_context *ctx, struct sgpu_resource *res, const struct pipe_box *box)
{
   struct sgpu_display *d = res->display;
   struct sgpu_copy_view to, from;

   if (!d->staging)
      d->staging = sgpu_buffer_create(ctx->screen->ws, d->layout.size, SGPU_BUFFER_ALONE,
                                      "presentation");
   if (!d->staging || !sgpu_copy_view_init(&from, res, 0, 0, 1, false) ||
       !sgpu_copy_view_init_memory(&to, &d->layout, d->staging->address + d->offset, false))
      return false;

   /* Put the copy into the same submission as the draws that have rendered the picture. */
   sgpu_copy_reserve(ctx);
   sgpu_cs_use(&ctx->cs, res->storage, false);
   sgpu_cs_use(&ctx->cs, d->staging, true);
   struct SGPU_RECT rect = sgpu_copy_rect(&to, box);
   if (d->source != res->storage->address)
      forget_contents(d);
   d->source = res->storage->address;
   sgpu_copy_emit(ctx, &to.surface, &rect, &from.surface, rect.x0, rect.y0, 1, d->contents);
   if (!sgpu_context_flush(ctx, NULL))
      return false;
   sgpu_ring_wait(ctx->cs.ring, ctx->cs.last_seqno, UINT64_MAX);
   sgpu_context_check_errors(ctx);
   return true;
}

/* Clips a box to the resource.  Returns false if the clipped box is empty. */
static bool
clip_box(const struct sgpu_resource *res, const struct pipe_box *box, struct pipe_box *part)
{
   /* The application chooses the box, so x + width and y + height may overflow an int. */
   int64_t x1 = MIN2((int64_t)box->x + box->width, res->b.b.width0);
   int64_t y1 = MIN2((int64_t)box->y + box->height, res->b.b.height0);
   int x0 = MAX2(box->x, 0), y0 = MAX2(box->y, 0);

   if (x1 <= x0 || y1 <= y0)
      return false;
   u_box_2d(x0, y0, x1 - x0, y1 - y0, part);
   return true;
}

/* Passes the presented picture to `sgpu golden`.  Must be called with d->lock held. */
static void
write_frame(struct sgpu_resource *res, const struct pipe_box *box, const void *drawable)
{
   struct sgpu_display *d = res->display;
   const struct sgpu_layout_level *l = &d->layout.level[0];
   const uint8_t *map = sgpu_bo_map(d->staging->bo);

   sgpu_frames_present(drawable, &(struct sgpu_frame_part){
                                    .data = map + d->offset + (uint64_t)box->y * l->pitch +
                                            box->x * d->layout.block_bytes,
                                    .pitch = l->pitch,
                                    .x = box->x,
                                    .y = box->y,
                                    .width = box->width,
                                    .height = box->height,
                                    .whole_width = l->width,
                                    .whole_height = l->height,
                                    .format = res->b.b.format,
                                 });
}

void
sgpu_display_present(struct sgpu_context *ctx, struct sgpu_resource *res,
                     const struct pipe_box *sub_box, const void *drawable)
{
   struct sw_winsys *ws = ctx->screen->display;
   struct sgpu_display *d = res->display;
   const struct sgpu_layout_level *l = &d->layout.level[0];
   unsigned bytes = d->layout.block_bytes;
   struct pipe_box box;

   u_box_2d(0, 0, l->width, l->height, &box);
   if (sub_box && !clip_box(res, sub_box, &box))
      return;

   simple_mtx_lock(&d->lock);
   p_atomic_set(&d->ours_newer, false);
   if (fetch(ctx, res, &box)) {
      sgpu_layer_present(&(struct sgpu_presentation){
         .bo = d->staging->bo,
         .offset = d->offset + (uint64_t)box.y * l->pitch + box.x * bytes,
         .pitch = l->pitch,
         .x = box.x,
         .y = box.y,
         .width = box.width,
         .height = box.height,
         .pixel_bytes = bytes,
         .format = res->layout.format,
      });
      if (sgpu_frames_on())
         write_frame(res, &box, drawable);
      if (ctx->screen->ws->live)
         sgt_live_cut(ctx->screen->ws->live, SGT_LIVE_FRAME);
      if (!d->direct)
         hand_over(ws, d, &box);
   }
   simple_mtx_unlock(&d->lock);
}

/* Returns the screen's private context, which presents pictures if the application swaps buffers
 * without a current context, as GLX allows.  Returns NULL on allocation failure.
 */
static struct pipe_context *
presenter(struct sgpu_screen *screen)
{
   simple_mtx_assert_locked(&screen->presenter_lock);
   if (!screen->presenter)
      screen->presenter = screen->base.context_create(&screen->base, NULL, 0);
   return screen->presenter;
}

static bool
present_alone(struct sgpu_screen *screen, struct sgpu_resource *res, const struct pipe_box *box,
              const void *drawable)
{
   simple_mtx_lock(&screen->presenter_lock);
   struct pipe_context *pctx = presenter(screen);
   if (pctx)
      sgpu_display_present(sgpu_context(pctx), res, box, drawable);
   simple_mtx_unlock(&screen->presenter_lock);
   return pctx != NULL;
}

void
sgpu_resource_blit_alone(struct pipe_resource *dst, struct pipe_resource *src)
{
   struct sgpu_screen *screen = sgpu_screen(dst->screen);
   struct pipe_blit_info info = {
      .dst = { .resource = dst, .format = dst->format },
      .src = { .resource = src, .format = src->format },
      .mask = PIPE_MASK_RGBA,
      .filter = PIPE_TEX_FILTER_NEAREST,
   };

   u_box_2d(0, 0, src->width0, src->height0, &info.src.box);
   u_box_2d(0, 0, dst->width0, dst->height0, &info.dst.box);
   simple_mtx_lock(&screen->presenter_lock);
   struct pipe_context *pctx = presenter(screen);
   if (pctx) {
      pctx->blit(pctx, &info);
      pctx->flush(pctx, NULL, 0);
   }
   simple_mtx_unlock(&screen->presenter_lock);
}

/* Maximum number of boxes that are presented separately.  More boxes present the whole picture. */
#define MAX_BOXES 64

/* Clips boxes to the resource and drops boxes that are empty then, because the X server reports an
 * error for a box that extends beyond the picture.  Stores the smallest box around all of them to
 * *around.  Returns the number of boxes in `out`.
 */
static unsigned
clip_boxes(const struct sgpu_resource *res, unsigned count, const struct pipe_box *boxes,
           struct pipe_box out[MAX_BOXES], struct pipe_box *around)
{
   unsigned n = 0;

   for (unsigned i = 0; i < count; i++) {
      if (!clip_box(res, &boxes[i], &out[n]))
         continue;
      if (n)
         u_box_union_2d(around, around, &out[n]);
      else
         *around = out[n];
      n++;
   }
   return n;
}

static void
sgpu_flush_frontbuffer(struct pipe_screen *pscreen, struct pipe_context *pctx,
                       struct pipe_resource *pres, unsigned level, unsigned layer,
                       void *context_private, unsigned nboxes, struct pipe_box *sub_boxes)
{
   struct sw_winsys *ws = sgpu_screen(pscreen)->display;
   struct sgpu_resource *res = sgpu_resource(pres);
   struct pipe_box boxes[MAX_BOXES], around;
   const bool part = nboxes && nboxes <= MAX_BOXES;

   pctx = threaded_context_unwrap_sync(pctx);
   if (!res->display)
      return;
   const unsigned count = part ? clip_boxes(res, nboxes, sub_boxes, boxes, &around) : 0;
   if (part && !count)
      return;
   const struct pipe_box *copied = part ? &around : NULL;
   struct sgpu_device *dev = sgpu_screen(pscreen)->ws->dev;
   uint64_t start = sgpu_device_get_param(dev, SGPU_PARAM_TIMESTAMP);
   if (pctx)
      sgpu_display_present(sgpu_context(pctx), res, copied, context_private);
   else if (!present_alone(sgpu_screen(pscreen), res, copied, context_private))
      return;
   sgpu_device_trace(dev, "present", start);
   start = sgpu_device_get_param(dev, SGPU_PARAM_TIMESTAMP);
   ws->displaytarget_display(ws, res->display->dt, context_private, count, part ? boxes : NULL);
   sgpu_device_trace(dev, "window system", start);
   sgpu_device_presented(dev);
}

/* Presents a shared resource when it is flushed, because other processes may then read it without
 * waiting for a fence.
 */
static void
sgpu_flush_resource(struct pipe_context *pctx, struct pipe_resource *pres)
{
   if (sgpu_resource(pres)->display)
      sgpu_display_present(sgpu_context(pctx), sgpu_resource(pres), NULL, NULL);
}

/* Waits until the driver's thread has presented the resource, instead of only queuing the call. */
static void
sgpu_threaded_flush_resource(struct pipe_context *tc, struct pipe_resource *pres)
{
   struct pipe_context *pctx = threaded_context_unwrap_sync(tc);
   sgpu_flush_resource(pctx, pres);
}

void
sgpu_context_presents(struct pipe_context *pctx)
{
   sgpu_context(threaded_context_unwrap_sync(pctx))->presents = true;
}

static bool
is_front(struct pipe_resource *pres)
{
   const struct sgpu_display *d = sgpu_resource(pres)->display;
   return d && d->front;
}

static const struct sgpu_queued *
queued(struct pipe_context *tc)
{
   return &sgpu_context(threaded_context(tc)->pipe)->queued;
}

/* Runs a blit from a front buffer immediately in the application's thread, because the application
 * may destroy the window after the call, or let the X server draw to it.  A blit to a front buffer
 * can be queued, because sgpu_flush_frontbuffer() waits for it.
 */
static void
sgpu_threaded_blit(struct pipe_context *tc, const struct pipe_blit_info *info)
{
   if (is_front(info->src.resource)) {
      struct pipe_context *pctx = threaded_context_unwrap_sync(tc);
      pctx->blit(pctx, info);
   } else {
      queued(tc)->blit(tc, info);
   }
}

static void
sgpu_threaded_copy_region(struct pipe_context *tc, struct pipe_resource *dst, unsigned dst_level,
                          unsigned dstx, unsigned dsty, unsigned dstz, struct pipe_resource *src,
                          unsigned src_level, const struct pipe_box *src_box)
{
   if (is_front(src)) {
      struct pipe_context *pctx = threaded_context_unwrap_sync(tc);
      pctx->resource_copy_region(pctx, dst, dst_level, dstx, dsty, dstz, src, src_level, src_box);
   } else {
      queued(tc)->resource_copy_region(tc, dst, dst_level, dstx, dsty, dstz, src, src_level,
                                       src_box);
   }
}

void
sgpu_display_threaded_init(struct pipe_context *tc)
{
   struct sgpu_queued *calls = &sgpu_context(threaded_context(tc)->pipe)->queued;

   calls->blit = tc->blit;
   calls->resource_copy_region = tc->resource_copy_region;
   tc->blit = sgpu_threaded_blit;
   tc->resource_copy_region = sgpu_threaded_copy_region;
   tc->flush_resource = sgpu_threaded_flush_resource;
}

void
sgpu_display_context_init(struct pipe_context *pctx)
{
   pctx->flush_resource = sgpu_flush_resource;
}

void
sgpu_screen_set_read_front(struct pipe_screen *pscreen, sgpu_read_front_func read_front)
{
   sgpu_screen(pscreen)->read_front = read_front;
}

void
sgpu_display_screen_init(struct pipe_screen *pscreen)
{
   simple_mtx_init(&sgpu_screen(pscreen)->presenter_lock, mtx_plain);
   pscreen->flush_frontbuffer = sgpu_flush_frontbuffer;
}

void
sgpu_display_screen_fini(struct sgpu_screen *screen)
{
   if (screen->presenter)
      screen->presenter->destroy(screen->presenter);
   simple_mtx_destroy(&screen->presenter_lock);
}
