/* SPDX-License-Identifier: MIT */
/*
 * Creation and destruction of the context.
 */
#include "sgpu_context.h"

#include "util/u_inlines.h"
#include "util/u_memory.h"
#include "util/u_threaded_context.h"
#include "util/u_upload_mgr.h"

/* Time limits for a single operation, in nanoseconds.  The limit is lower for contexts with reset
 * notification, since their shaders often come from untrusted sources.
 */
#define ROBUST_BUDGET_NS 2000000000
#define BUDGET_NS 10000000000

static void
note_fast_clears(struct sgpu_cs *cs)
{
   struct sgpu_context *ctx = container_of(cs, struct sgpu_context, cs);

   for (unsigned i = 0; i < ctx->num_fast_clears; i++) {
      struct sgpu_fast_clear *note = &ctx->fast_clears[i];

      if (note->res)
         sgpu_resource_note_fast_clear(sgpu_resource(note->res), note->levels);
      pipe_resource_reference(&note->res, NULL);
   }
   ctx->num_fast_clears = 0;
}

static void
sgpu_set_debug_callback(struct pipe_context *pctx, const struct util_debug_callback *cb)
{
   if (cb)
      pctx->debug = *cb;
   else
      memset(&pctx->debug, 0, sizeof pctx->debug);
}

static void
sgpu_context_destroy(struct pipe_context *pctx)
{
   struct sgpu_context *ctx = sgpu_context(pctx);

   /* Mesa has already destroyed its part of the context, so the flush below must not call the reset
    * callback.
    */
   ctx->reset.reset = NULL;
   if (ctx->cs.ring) {
      sgpu_context_flush(ctx, NULL);
      sgpu_ring_wait(ctx->cs.ring, ctx->cs.last_seqno, UINT64_MAX);
      sgpu_context_check_errors(ctx);
   }
   sgpu_bind_context_fini(ctx);
   sgpu_stage_context_fini(ctx);
   sgpu_handle_context_fini(ctx);
   sgpu_xfb_context_fini(ctx);
   sgpu_link_context_fini(ctx);
   sgpu_query_value_context_fini(ctx);
   if (pctx->stream_uploader)
      u_upload_destroy(pctx->stream_uploader);
   if (pctx->const_uploader && pctx->const_uploader != pctx->stream_uploader)
      u_upload_destroy(pctx->const_uploader);
   slab_destroy_child(&ctx->transfers);
   slab_destroy_child(&ctx->transfers_unsync);
   sgpu_cs_fini(&ctx->cs);
   FREE(ctx);
}

static bool
is_resource_busy(struct pipe_screen *pscreen, struct pipe_resource *pres, unsigned usage)
{
   struct sgpu_buffer *storage = sgpu_resource_storage(sgpu_resource(pres));
   bool busy = sgpu_buffer_busy(storage);

   sgpu_buffer_reference(&storage, NULL);
   return busy;
}

/* Moves the storage of `src` to buffer `dst`, which the threaded context has invalidated. */
static void
replace_buffer_storage(struct pipe_context *pctx, struct pipe_resource *pdst,
                       struct pipe_resource *psrc, unsigned num_rebinds, uint32_t rebind_mask,
                       uint32_t delete_buffer_id)
{
   struct sgpu_context *ctx = sgpu_context(pctx);
   struct sgpu_resource *dst = sgpu_resource(pdst);
   struct sgpu_buffer *storage = sgpu_resource_storage(sgpu_resource(psrc));

   simple_mtx_lock(&dst->lock);
   sgpu_buffer_reference(&dst->storage, storage);
   simple_mtx_unlock(&dst->lock);
   sgpu_buffer_reference(&storage, NULL);

   util_idalloc_mt_free(&ctx->screen->buffer_ids, delete_buffer_id);
   sgpu_context_rebind(ctx, pdst);
}

struct pipe_context *
sgpu_context_create(struct pipe_screen *pscreen, void *priv, unsigned flags)
{
   struct sgpu_screen *screen = sgpu_screen(pscreen);
   if (!sgpu_screen_revive(screen))
      return NULL;
   struct sgpu_context *ctx = CALLOC_STRUCT(sgpu_context);
   if (!ctx)
      return NULL;

   struct pipe_context *pctx = &ctx->base;
   pctx->screen = pscreen;
   ctx->screen = screen;
   ctx->num_viewports = ctx->num_scissors = 1;
   ctx->sample_mask = ~0u;
   ctx->lose_on_reset = flags & PIPE_CONTEXT_LOSE_CONTEXT_ON_RESET;
   sgpu_context_dirty_all(ctx);
   sgpu_context_next_frame(ctx);
   list_inithead(&ctx->queries);
   slab_create_child(&ctx->transfers, &screen->transfer_pool);
   slab_create_child(&ctx->transfers_unsync, &screen->transfer_pool);

   pctx->destroy = sgpu_context_destroy;
   pctx->set_debug_callback = sgpu_set_debug_callback;
   sgpu_error_context_init(pctx);
   sgpu_bind_context_init(pctx);
   sgpu_stage_context_init(pctx);
   sgpu_handle_context_init(pctx);
   sgpu_state_context_init(pctx);
   sgpu_view_context_init(pctx);
   sgpu_shader_context_init(pctx);
   sgpu_draw_context_init(pctx);
   sgpu_grid_context_init(pctx);
   sgpu_xfb_context_init(pctx);
   sgpu_clear_context_init(pctx);
   sgpu_blit_context_init(pctx);
   sgpu_query_context_init(pctx);
   sgpu_query_value_context_init(pctx);
   sgpu_fence_context_init(pctx);
   sgpu_transfer_context_init(pctx);
   sgpu_display_context_init(pctx);

   if (!sgpu_cs_init(&ctx->cs, screen->ws))
      goto fail;
   ctx->cs.submitted = note_fast_clears;
   sgpu_ring_set_budget(ctx->cs.ring, ctx->lose_on_reset ? ROBUST_BUDGET_NS : BUDGET_NS);
   pctx->stream_uploader = u_upload_create_default(pctx);
   pctx->const_uploader = u_upload_create(pctx, 128 * 1024, PIPE_BIND_CONSTANT_BUFFER,
                                          PIPE_USAGE_STREAM, 0);
   if (!pctx->stream_uploader || !pctx->const_uploader)
      goto fail;

   if (!screen->threaded || !(flags & PIPE_CONTEXT_PREFER_THREADED))
      return pctx;

   struct pipe_context *tc = threaded_context_create(pctx, &screen->transfer_pool,
                                                     replace_buffer_storage,
                                                     &(struct threaded_context_options){
                                                        .create_fence = sgpu_fence_create_threaded,
                                                        .is_resource_busy = is_resource_busy,
                                                        .driver_calls_flush_notify = true,
                                                     },
                                                     &ctx->tc);
   if (!tc)
      return NULL;
   if (tc != pctx) {
      threaded_context_init_bytes_mapped_limit(ctx->tc, 4);
      sgpu_display_threaded_init(tc);
      sgpu_pixmap_threaded_init(tc);
   }
   return tc;

fail:
   sgpu_context_destroy(pctx);
   return NULL;
}
