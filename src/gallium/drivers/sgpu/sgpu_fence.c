/* SPDX-License-Identifier: MIT */
/* Implements flushes and fences.  A fence refers to the sync of a submission that may still be
 * under construction.  A threaded context creates a fence before the flush runs.  When the driver's
 * thread runs the flush, it sets the sync of the fence and signals `ready`.
 */
#include "sgpu_context.h"

#include "util/os_time.h"
#include "util/u_inlines.h"
#include "util/u_memory.h"
#include "util/u_threaded_context.h"

#include "timing/live/sgt_live.h"

struct pipe_fence_handle {
   struct pipe_reference reference;
   struct sgpu_sync *sync; /* sync to wait for, or NULL */
   struct tc_unflushed_batch_token *tc_token;
   struct util_queue_fence ready; /* signalled when `sync` is valid */
};

static struct pipe_fence_handle *
fence_create(void)
{
   struct pipe_fence_handle *fence = CALLOC_STRUCT(pipe_fence_handle);

   if (fence) {
      pipe_reference_init(&fence->reference, 1);
      util_queue_fence_init(&fence->ready);
   }
   return fence;
}

struct pipe_fence_handle *
sgpu_fence_create_threaded(struct pipe_context *pctx, struct tc_unflushed_batch_token *token)
{
   struct pipe_fence_handle *fence = fence_create();

   if (fence) {
      util_queue_fence_reset(&fence->ready);
      tc_unflushed_batch_token_reference(&fence->tc_token, token);
   }
   return fence;
}

static void
sgpu_fence_reference(struct pipe_screen *pscreen, struct pipe_fence_handle **dst,
                     struct pipe_fence_handle *src)
{
   struct pipe_fence_handle *old = *dst;

   if (pipe_reference(old ? &old->reference : NULL, src ? &src->reference : NULL)) {
      sgpu_sync_reference(&old->sync, NULL);
      tc_unflushed_batch_token_reference(&old->tc_token, NULL);
      if (!util_queue_fence_is_signalled(&old->ready))
         util_queue_fence_signal(&old->ready);
      util_queue_fence_destroy(&old->ready);
      FREE(old);
   }
   *dst = src;
}

static bool
sgpu_fence_finish(struct pipe_screen *pscreen, struct pipe_context *pctx,
                  struct pipe_fence_handle *fence, uint64_t timeout)
{
   int64_t end = os_time_get_absolute_timeout(timeout);

   if (!sgpu_signalled(&fence->ready)) {
      if (fence->tc_token)
         threaded_context_flush(pctx, fence->tc_token, timeout == 0);
      if (!timeout)
         return false;
      if (!sgpu_wait_signal(&fence->ready, end))
         return false;
   }

   if (!fence->sync)
      return true;

   /* Submit the stream even if the timeout is 0, so that a polling application makes progress. */
   if (pctx && !sgpu_signalled(&fence->sync->submitted)) {
      struct sgpu_context *ctx = sgpu_context(threaded_context_unwrap_sync(pctx));
      if (fence->sync == ctx->cs.sync)
         sgpu_context_flush(ctx, NULL);
   }
   return sgpu_sync_wait(fence->sync, end);
}

/* Like sgpu_fence_finish(), but also waits for the simulated chip.  Used with SGPU_TIMING=...,wait.
 */
static bool
sgpu_timed_fence_finish(struct pipe_screen *pscreen, struct pipe_context *pctx,
                        struct pipe_fence_handle *fence, uint64_t timeout)
{
   struct sgt_live *live = sgpu_screen(pscreen)->ws->live;
   const bool ended = sgpu_fence_finish(pscreen, pctx, fence, timeout);

   if (ended) {
      sgt_live_cut(live, SGT_LIVE_FINISH);
      sgt_live_wait(live);
   }
   return ended;
}

static void
sgpu_fence_server_sync(struct pipe_context *pctx, struct pipe_fence_handle *fence)
{
   struct sgpu_context *ctx = sgpu_context(pctx);

   sgpu_wait_signal(&fence->ready, OS_TIMEOUT_INFINITE);
   if (!fence->sync || fence->sync->ring == ctx->cs.ring)
      return;
   /* Wait until the other context's thread has executed the flush that submits the fence's
    * commands.
    */
   sgpu_wait_signal(&fence->sync->submitted, OS_TIMEOUT_INFINITE);
   /* Submit earlier commands of this context first, since they don't need to wait for the fence. */
   sgpu_context_flush(ctx, NULL);
   sgpu_cs_wait_for(&ctx->cs, fence->sync);
}

static void
sgpu_flush(struct pipe_context *pctx, struct pipe_fence_handle **pfence, unsigned flags)
{
   struct sgpu_context *ctx = sgpu_context(pctx);
   struct sgpu_sync *sync;

   const bool later = (flags & PIPE_FLUSH_DEFERRED) || ctx->presents;

   sgpu_samples_resolve(ctx);

   ctx->presents = false;
   if (later && !sgpu_cs_empty(&ctx->cs)) {
      sync = ctx->cs.sync;
   } else {
      sgpu_context_flush(ctx, NULL);
      sync = ctx->cs.last_sync;
   }
   if (ctx->screen->ws->live && (flags & PIPE_FLUSH_HINT_FINISH))
      sgt_live_cut(ctx->screen->ws->live, SGT_LIVE_FINISH);
   if (!(flags & PIPE_FLUSH_DEFERRED)) {
      sgpu_context_next_frame(ctx);
      sgpu_context_check_errors(ctx);
   }

   if (!pfence)
      return;

   struct pipe_fence_handle *fence;
   if (flags & TC_FLUSH_ASYNC) {
      fence = *pfence;
   } else {
      fence = fence_create();
      sgpu_fence_reference(pctx->screen, pfence, NULL);
      *pfence = fence;
      if (!fence)
         return;
   }
   sgpu_sync_reference(&fence->sync, sync);
   if (flags & TC_FLUSH_ASYNC)
      util_queue_fence_signal(&fence->ready);
}

void
sgpu_fence_context_init(struct pipe_context *pctx)
{
   pctx->flush = sgpu_flush;
   pctx->fence_server_sync = sgpu_fence_server_sync;
}

void
sgpu_fence_screen_init(struct pipe_screen *pscreen)
{
   pscreen->fence_reference = sgpu_fence_reference;
   const struct sgt_live *live = sgpu_screen(pscreen)->ws->live;
   pscreen->fence_finish = live && sgt_live_fences_wait(live) ? sgpu_timed_fence_finish
                                                              : sgpu_fence_finish;
}
