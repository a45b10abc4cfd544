/* SPDX-License-Identifier: MIT */
/* Textures from pixmaps in threaded contexts.  As for other front buffers (sgpu_display.c), the
 * pixels must be read in the application's thread.  The functions of this file replace the draw
 * functions of the threaded context.  They refresh the pixmaps before they queue the draw.
 */
#include "sgpu_context.h"

static struct sgpu_queued *
queued(struct pipe_context *tc)
{
   return &sgpu_context(threaded_context(tc)->pipe)->queued;
}

/* Refreshes the pixmaps of all bound views, including views of stages that the next draw or grid
 * doesn't run.
 */
static void
refresh_pixmaps(struct pipe_context *tc)
{
   struct sgpu_context *ctx = sgpu_context(threaded_context_unwrap_sync(tc));

   ctx->queued.pixmaps_due = false;
   u_foreach_bit(s, SGPU_DRAW_STAGES | 1u << SGPU_CS) {
      for (unsigned i = 0; i < ctx->stage[s].num_views; i++) {
         struct sgpu_sampler_view *view = sgpu_sampler_view(ctx->stage[s].views[i]);
         if (view && sgpu_display_is_pixmap(sgpu_resource(view->base.texture)))
            sgpu_display_refresh(ctx, sgpu_resource(view->base.texture));
      }
   }
}

static void
sgpu_pixmaps_draw_vbo(struct pipe_context *tc, const struct pipe_draw_info *info,
                      unsigned drawid_offset, const struct pipe_draw_indirect_info *indirect,
                      const struct pipe_draw_start_count_bias *draws, unsigned num_draws)
{
   if (queued(tc)->pixmaps_due)
      refresh_pixmaps(tc);
   queued(tc)->draw_vbo(tc, info, drawid_offset, indirect, draws, num_draws);
}

static void
sgpu_pixmaps_launch_grid(struct pipe_context *tc, const struct pipe_grid_info *info)
{
   if (queued(tc)->pixmaps_due)
      refresh_pixmaps(tc);
   queued(tc)->launch_grid(tc, info);
}

static void
sgpu_pixmaps_set_sampler_views(struct pipe_context *tc, enum pipe_shader_type shader,
                               unsigned start, unsigned count, unsigned unbind_trailing,
                               bool take_ownership, struct pipe_sampler_view **views)
{
   struct sgpu_queued *calls = queued(tc);

   for (unsigned i = 0; views && i < count; i++) {
      if (views[i] && sgpu_display_is_pixmap(sgpu_resource(views[i]->texture)))
         calls->pixmaps_due = true;
   }
   calls->set_sampler_views(tc, shader, start, count, unbind_trailing, take_ownership, views);
}

static void
sgpu_pixmaps_flush(struct pipe_context *tc, struct pipe_fence_handle **fence, unsigned flags)
{
   struct sgpu_queued *calls = queued(tc);

   calls->flush(tc, fence, flags);
   calls->pixmaps_due = true;
}

/* Must be called before Mesa uses the threaded context, because Mesa keeps its draw function. */
void
sgpu_pixmap_threaded_init(struct pipe_context *tc)
{
   struct sgpu_queued *calls = queued(tc);

   calls->draw_vbo = tc->draw_vbo;
   calls->launch_grid = tc->launch_grid;
   calls->set_sampler_views = tc->set_sampler_views;
   calls->flush = tc->flush;
   tc->draw_vbo = sgpu_pixmaps_draw_vbo;
   tc->launch_grid = sgpu_pixmaps_launch_grid;
   tc->set_sampler_views = sgpu_pixmaps_set_sampler_views;
   tc->flush = sgpu_pixmaps_flush;
}

void
sgpu_resource_bind_pixmap(struct pipe_context *pctx, struct pipe_resource *pres)
{
   struct sgpu_context *ctx = sgpu_context(threaded_context_unwrap_sync(pctx));
   struct sgpu_display *d = sgpu_resource(pres)->display;

   if (!d)
      return;
   /* Read the pixmap now, because it may be freed before the texture is used for the first time. */
   if (!p_atomic_xchg(&d->texture, true))
      sgpu_display_refresh(ctx, sgpu_resource(pres));
   simple_mtx_lock(&d->lock);
   d->refreshed = 0;
   simple_mtx_unlock(&d->lock);
   ctx->queued.pixmaps_due = true;
}
