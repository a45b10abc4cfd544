/* SPDX-License-Identifier: MIT */
/*
 * Submission of the context's command stream.
 */
#include "sgpu_context.h"

#include <errno.h>

#include "util/u_threaded_context.h"

#include "sgpu_query.h"

/* Records the range of draws in the stream that is being submitted.  `seqno` is 0 if the draws were
 * dropped.
 */
static void
count_draws(struct sgpu_context *ctx, uint64_t seqno)
{
   if (seqno) {
      ctx->submitted[seqno % SGPU_SUBMITTED] = (struct sgpu_submitted){
         .seqno = seqno,
         .first_draw = ctx->draws + 1,
         .num_draws = ctx->draws_in_stream,
      };
      if (ctx->draws_in_stream || ctx->grids_in_stream || ctx->clears_in_stream)
         sgpu_report_work(ctx->screen->ws);
   }
   ctx->draws += ctx->draws_in_stream;
   ctx->draws_in_stream = ctx->grids_in_stream = ctx->clears_in_stream = 0;
   ctx->vertices_in_stream = 0;
}

bool
sgpu_context_flush(struct sgpu_context *ctx, const char *why)
{
   sgpu_updates_copy(ctx);
   if (sgpu_cs_empty(&ctx->cs))
      return true;

   if (why && (ctx->screen->debug & SGPU_DEBUG_PERF))
      sgpu_perf(ctx, why);

   sgpu_context_check_errors(ctx);
   const int ret = sgpu_cs_submit(&ctx->cs);
   count_draws(ctx, ret ? 0 : ctx->cs.last_seqno);
   sgpu_context_dirty_all(ctx);
   ctx->xfb_emitted = false;
   ctx->clip_emitted = false;
   ctx->coverage_emitted = false;
   ctx->window_rects_emitted = false;
   memset(&ctx->view, 0, sizeof(ctx->view));
   ctx->condition_emitted = false;

   if (ctx->screen->debug & SGPU_DEBUG_SYNC)
      sgpu_layer_queue_wait(ctx->cs.ring->queue, ctx->cs.last_seqno, UINT64_MAX);
   if (ctx->tc)
      tc_driver_internal_flush_notify(ctx->tc);

   /* -ENODEV means that a forked child uses a context of its parent.  Drop the commands silently.
    */
   if (ret && ret != -ENODEV) {
      sgpu_submission_dropped(ctx, ret);
      sgpu_queries_restart(ctx);
   }
   return !ret;
}

void
sgpu_perf(struct sgpu_context *ctx, const char *what)
{
   if (ctx->screen->debug & SGPU_DEBUG_PERF)
      fprintf(stderr, "sgpu: perf: %s\n", what);
   util_debug_message(&ctx->base.debug, PERF_INFO, "%s", what);
}
