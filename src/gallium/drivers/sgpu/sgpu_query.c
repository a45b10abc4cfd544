/* SPDX-License-Identifier: MIT */
/* Implements queries.  The device counts in query slots of the queue.  When counting stops, the
 * device adds the counts in the slot to the query's memory, so that a query can be paused and
 * resumed.  Beginning a query allocates new zeroed memory.
 */
#include "sgpu_context.h"

#include "pipe/p_defines.h"
#include "util/bitscan.h"
#include "util/os_time.h"
#include "util/u_inlines.h"
#include "util/u_memory.h"

#include "sgpu_query.h"

#define RESULT_NUMBERS 16

/* Translates a Gallium query type to the device's query type.  Returns false if the query doesn't
 * need a query slot.
 */
static bool
slot_type(unsigned type, unsigned index, enum sgpu_query_type *out)
{
   switch (type) {
   case PIPE_QUERY_OCCLUSION_COUNTER:
      *out = SGPU_QUERY_TYPE_OCCLUSION_COUNTER;
      return true;
   case PIPE_QUERY_OCCLUSION_PREDICATE:
   case PIPE_QUERY_OCCLUSION_PREDICATE_CONSERVATIVE:
      *out = SGPU_QUERY_TYPE_OCCLUSION_PREDICATE;
      return true;
   case PIPE_QUERY_PRIMITIVES_GENERATED:
      *out = index ? SGPU_QUERY_TYPE_XFB_STATISTICS : SGPU_QUERY_TYPE_PRIMITIVES_GENERATED;
      return true;
   case PIPE_QUERY_PRIMITIVES_EMITTED:
   case PIPE_QUERY_SO_STATISTICS:
   case PIPE_QUERY_SO_OVERFLOW_PREDICATE:
   case PIPE_QUERY_SO_OVERFLOW_ANY_PREDICATE:
      *out = SGPU_QUERY_TYPE_XFB_STATISTICS;
      return true;
   case PIPE_QUERY_PIPELINE_STATISTICS:
      *out = SGPU_QUERY_TYPE_PIPELINE_STATISTICS;
      return true;
   default:
      return false;
   }
}

static struct pipe_query *
sgpu_create_query(struct pipe_context *pctx, unsigned type, unsigned index)
{
   enum sgpu_query_type unused;

   if (!slot_type(type, index, &unused) && !sgpu_is_counter(type) &&
       !sgpu_is_timing_counter(sgpu_screen(pctx->screen), type) && type != PIPE_QUERY_TIMESTAMP &&
       type != PIPE_QUERY_TIMESTAMP_DISJOINT && type != PIPE_QUERY_TIME_ELAPSED &&
       type != PIPE_QUERY_GPU_FINISHED)
      return NULL;

   struct sgpu_query *q = CALLOC_STRUCT(sgpu_query);
   if (q) {
      q->type = type;
      q->index = index;
      q->slot = -1;
      list_inithead(&q->link);
   }
   return (struct pipe_query *)q;
}

static void
start_counting(struct sgpu_context *ctx, const struct sgpu_query *q)
{
   enum sgpu_query_type type;

   if (!slot_type(q->type, q->index, &type))
      return;
   sgpu_context_reserve(ctx, SGPU_BEGIN_QUERY_LENGTH);
   sgpu_pack(sgpu_cs_get(&ctx->cs, SGPU_BEGIN_QUERY_LENGTH), BEGIN_QUERY, cfg) {
      cfg.type = type;
      cfg.slot = q->slot;
   }
}

static void
end_packet(struct sgpu_context *ctx, enum sgpu_query_type type, unsigned slot,
           struct sgpu_buffer *results, unsigned number)
{
   sgpu_context_reserve(ctx, SGPU_END_QUERY_LENGTH);
   sgpu_pack(sgpu_cs_get(&ctx->cs, SGPU_END_QUERY_LENGTH), END_QUERY, cfg) {
      cfg.type = type;
      cfg.slot = slot;
      cfg.address = sgpu_cs_address(&ctx->cs, results, number * 8, true);
   }
}

static void
stop_counting(struct sgpu_context *ctx, const struct sgpu_query *q)
{
   enum sgpu_query_type type;

   if (slot_type(q->type, q->index, &type))
      end_packet(ctx, type, q->slot, q->results, 0);
}

static bool
new_results(struct sgpu_context *ctx, struct sgpu_query *q)
{
   sgpu_timing_forget(ctx->screen, q);
   sgpu_buffer_reference(&q->results, NULL);
   sgpu_sync_reference(&q->sync, NULL);
   q->results = sgpu_buffer_create(ctx->screen->ws, RESULT_NUMBERS * 8, SGPU_BUFFER_ZERO, "query");
   return q->results != NULL;
}

static void
timestamp(struct sgpu_context *ctx, struct sgpu_query *q, unsigned number)
{
   sgpu_timing_stamp(ctx, q, number);
   end_packet(ctx, SGPU_QUERY_TYPE_TIMESTAMP, 0, q->results, number);
}

static void
remove_active(struct sgpu_context *ctx, struct sgpu_query *q)
{
   if (q->slot >= 0) {
      ctx->query_slots &= ~(1ull << q->slot);
      q->slot = -1;
   }
   list_delinit(&q->link);
}

static bool
sgpu_begin_query(struct pipe_context *pctx, struct pipe_query *pq)
{
   struct sgpu_context *ctx = sgpu_context(pctx);
   struct sgpu_query *q = sgpu_query(pq);
   enum sgpu_query_type unused;

   if (sgpu_is_counter(q->type)) {
      q->counter_begin = sgpu_counter_begin(ctx->screen, q->type);
      return true;
   }
   if (sgpu_is_timing_counter(ctx->screen, q->type))
      return sgpu_timing_counter_snap(ctx, &q->snap_begin);
   if (!new_results(ctx, q))
      return false;

   if (q->type == PIPE_QUERY_TIME_ELAPSED) {
      timestamp(ctx, q, 0);
   } else if (slot_type(q->type, q->index, &unused)) {
      if (!~ctx->query_slots)
         return false;
      q->slot = ffsll(~ctx->query_slots) - 1;
      ctx->query_slots |= 1ull << q->slot;
      list_addtail(&q->link, &ctx->queries);
      if (!ctx->queries_paused)
         start_counting(ctx, q);
   }
   return true;
}

static bool
sgpu_end_query(struct pipe_context *pctx, struct pipe_query *pq)
{
   struct sgpu_context *ctx = sgpu_context(pctx);
   struct sgpu_query *q = sgpu_query(pq);

   if (sgpu_is_timing_counter(ctx->screen, q->type))
      return sgpu_timing_counter_snap(ctx, &q->snap_end);

   switch (q->type) {
   case PIPE_QUERY_TIMESTAMP:
      if (!new_results(ctx, q))
         return false;
      timestamp(ctx, q, 0);
      break;
   case PIPE_QUERY_TIME_ELAPSED:
      if (q->results)
         timestamp(ctx, q, 1);
      break;
   default:
      if (q->slot >= 0) {
         if (!ctx->queries_paused)
            stop_counting(ctx, q);
         remove_active(ctx, q);
      }
      break;
   }
   sgpu_sync_reference(&q->sync, sgpu_cs_empty(&ctx->cs) ? ctx->cs.last_sync : ctx->cs.sync);
   return true;
}

static void
sgpu_destroy_query(struct pipe_context *pctx, struct pipe_query *pq)
{
   struct sgpu_context *ctx = sgpu_context(pctx);
   struct sgpu_query *q = sgpu_query(pq);

   if (q->slot >= 0) {
      if (!ctx->queries_paused)
         stop_counting(ctx, q);
      remove_active(ctx, q);
   }
   sgpu_timing_forget(ctx->screen, q);
   sgpu_buffer_reference(&q->results, NULL);
   sgpu_sync_reference(&q->sync, NULL);
   FREE(q);
}

static void
read_statistics(const uint64_t *numbers, struct pipe_query_data_pipeline_statistics *out)
{
   out->ia_vertices = numbers[0];
   out->ia_primitives = numbers[1];
   out->vs_invocations = numbers[2];
   out->gs_invocations = numbers[3];
   out->gs_primitives = numbers[4];
   out->c_invocations = numbers[5];
   out->c_primitives = numbers[6];
   out->ps_invocations = numbers[7];
   out->hs_invocations = numbers[8];
   out->ds_invocations = numbers[9];
   out->cs_invocations = numbers[10];
}

static void
read_vertex_streams(const struct sgpu_query *q, const uint64_t *numbers,
                    union pipe_query_result *result)
{
   const struct {
      uint64_t generated, needed, written;
   } *stream = (const void *)numbers;
   const unsigned n = MIN2(q->index, PIPE_MAX_VERTEX_STREAMS - 1);

   switch (q->type) {
   case PIPE_QUERY_PRIMITIVES_GENERATED:
      result->u64 = stream[n].generated;
      break;
   case PIPE_QUERY_PRIMITIVES_EMITTED:
      result->u64 = stream[n].written;
      break;
   case PIPE_QUERY_SO_STATISTICS:
      result->so_statistics.num_primitives_written = stream[n].written;
      result->so_statistics.primitives_storage_needed = stream[n].needed;
      break;
   case PIPE_QUERY_SO_OVERFLOW_PREDICATE:
      result->b = stream[n].needed != stream[n].written;
      break;
   default:
      result->b = false;
      for (unsigned s = 0; s < PIPE_MAX_VERTEX_STREAMS; s++)
         result->b |= stream[s].needed != stream[s].written;
      break;
   }
}

/* A threaded context may call this function in the application's thread if the query has been
 * flushed, so the context must not be accessed in this case.
 */
static bool
sgpu_get_query_result(struct pipe_context *pctx, struct pipe_query *pq, bool wait,
                      union pipe_query_result *result)
{
   struct sgpu_context *ctx = sgpu_context(pctx);
   struct sgpu_query *q = sgpu_query(pq);

   if (q->sync) {
      if (!q->b.flushed && q->sync == ctx->cs.sync)
         sgpu_context_flush(ctx, "a query of the stream is read");
      if (!sgpu_sync_wait(q->sync, wait ? OS_TIMEOUT_INFINITE : os_time_get_nano()))
         return false;
   }

   if (sgpu_is_counter(q->type)) {
      result->u64 = sgpu_counter_read(ctx->screen, q->type) - q->counter_begin;
      return true;
   }
   if (sgpu_is_timing_counter(ctx->screen, q->type)) {
      result->u64 = sgpu_timing_counter_read(ctx->screen, q);
      return true;
   }
   if (q->type == PIPE_QUERY_GPU_FINISHED) {
      result->b = true;
      return true;
   }
   if (q->type == PIPE_QUERY_TIMESTAMP_DISJOINT) {
      result->timestamp_disjoint.frequency = 1000000000;
      result->timestamp_disjoint.disjoint = false;
      return true;
   }
   if (!q->results) {
      memset(result, 0, sizeof *result);
      return true;
   }

   if (q->stamps[0]) {
      result->u64 = sgpu_timing_read(ctx->screen, q);
      return true;
   }

   const uint64_t *numbers = (const uint64_t *)q->results->map;
   switch (q->type) {
   case PIPE_QUERY_OCCLUSION_PREDICATE:
   case PIPE_QUERY_OCCLUSION_PREDICATE_CONSERVATIVE:
      result->b = numbers[0] != 0;
      break;
   case PIPE_QUERY_TIME_ELAPSED:
      result->u64 = numbers[1] - numbers[0];
      break;
   case PIPE_QUERY_PRIMITIVES_GENERATED:
   case PIPE_QUERY_PRIMITIVES_EMITTED:
   case PIPE_QUERY_SO_STATISTICS:
   case PIPE_QUERY_SO_OVERFLOW_PREDICATE:
   case PIPE_QUERY_SO_OVERFLOW_ANY_PREDICATE:
      read_vertex_streams(q, numbers, result);
      break;
   case PIPE_QUERY_PIPELINE_STATISTICS:
      read_statistics(numbers, &result->pipeline_statistics);
      break;
   default:
      result->u64 = numbers[0];
      break;
   }
   return true;
}

/* Begins the active queries again.  Must be called after a stream was dropped, because the packets
 * that began the queries were dropped, too.
 */
void
sgpu_queries_restart(struct sgpu_context *ctx)
{
   if (ctx->queries_paused)
      return;
   list_for_each_entry(struct sgpu_query, q, &ctx->queries, link)
      start_counting(ctx, q);
}

/* Pauses or resumes the active queries.  Mesa calls this around internal draws, which must not be
 * counted.
 */
static void
sgpu_set_active_query_state(struct pipe_context *pctx, bool enable)
{
   struct sgpu_context *ctx = sgpu_context(pctx);

   if (ctx->queries_paused == !enable)
      return;
   list_for_each_entry(struct sgpu_query, q, &ctx->queries, link) {
      if (enable)
         start_counting(ctx, q);
      else
         stop_counting(ctx, q);
   }
   ctx->queries_paused = !enable;
}

void
sgpu_query_context_init(struct pipe_context *pctx)
{
   pctx->create_query = sgpu_create_query;
   pctx->destroy_query = sgpu_destroy_query;
   pctx->begin_query = sgpu_begin_query;
   pctx->end_query = sgpu_end_query;
   pctx->get_query_result = sgpu_get_query_result;
   pctx->set_active_query_state = sgpu_set_active_query_state;
}
