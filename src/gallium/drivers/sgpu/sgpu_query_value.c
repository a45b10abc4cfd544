/* SPDX-License-Identifier: MIT */
/* Query results that the device reads from memory in stream order: results that are stored to
 * buffers, and the predicate of conditional rendering.  The application never waits for these
 * results.  A result is always available when the device executes the packet that uses it, so
 * rendering doesn't depend on timing.
 */
#include "sgpu_context.h"

#include "pipe/p_defines.h"
#include "util/u_inlines.h"

#include "sgpu_query.h"

/* Describes how the device computes the value of a query.  `index` is the parameter of
 * get_query_result_resource().  Returns false if the results of the query are not in memory.
 */
static bool
query_value(const struct sgpu_query *q, int index, struct sgpu_condition *out)
{
   /* For each vertex stream, an XFB STATISTICS query stores three counts of primitives: generated,
    * intended to be written, and written.
    */
   const unsigned stream = 3 * MIN2(q->index, PIPE_MAX_VERTEX_STREAMS - 1);

   *out = (struct sgpu_condition){ .results = q->results, .value = SGPU_QUERY_VALUE_NUMBER };
   /* With SGPU_TIMING, the query's memory contains tokens instead of timestamps. */
   if (!q->results || q->stamps[0])
      return false;

   switch (q->type) {
   case PIPE_QUERY_OCCLUSION_COUNTER:
   case PIPE_QUERY_TIMESTAMP:
      return true;
   case PIPE_QUERY_OCCLUSION_PREDICATE:
   case PIPE_QUERY_OCCLUSION_PREDICATE_CONSERVATIVE:
      out->value = SGPU_QUERY_VALUE_NOT_ZERO;
      return true;
   case PIPE_QUERY_TIME_ELAPSED:
      out->value = SGPU_QUERY_VALUE_DIFFERENCE;
      return true;
   case PIPE_QUERY_PRIMITIVES_GENERATED:
      out->number = q->index ? stream : 0;
      return true;
   case PIPE_QUERY_PRIMITIVES_EMITTED:
      out->number = stream + 2;
      return true;
   case PIPE_QUERY_SO_STATISTICS:
      out->number = stream + (index ? 1 : 2);
      return true;
   case PIPE_QUERY_SO_OVERFLOW_PREDICATE:
      out->number = stream;
      out->value = SGPU_QUERY_VALUE_OVERFLOW;
      out->triples = 1;
      return true;
   case PIPE_QUERY_SO_OVERFLOW_ANY_PREDICATE:
      out->value = SGPU_QUERY_VALUE_OVERFLOW;
      out->triples = PIPE_MAX_VERTEX_STREAMS;
      return true;
   case PIPE_QUERY_PIPELINE_STATISTICS:
      out->number = index;
      return true;
   default:
      return false;
   }
}

/* Waits for a result that is not in memory, e.g. a counter, and writes it to `res`. */
static void
write_result(struct pipe_context *pctx, struct pipe_query *pq, unsigned size,
             struct pipe_resource *res, unsigned offset)
{
   union pipe_query_result result = { .u64 = 0 };

   if (pctx->get_query_result(pctx, pq, true, &result))
      pipe_buffer_write(pctx, res, offset, size, &result.u64);
}

static void
sgpu_get_query_result_resource(struct pipe_context *pctx, struct pipe_query *pq,
                               enum pipe_query_flags flags, enum pipe_query_value_type result_type,
                               int index, struct pipe_resource *pres, unsigned offset)
{
   static const enum sgpu_number_type types[] = {
      [PIPE_QUERY_TYPE_I32] = SGPU_NUMBER_TYPE_I32,
      [PIPE_QUERY_TYPE_U32] = SGPU_NUMBER_TYPE_U32,
      [PIPE_QUERY_TYPE_I64] = SGPU_NUMBER_TYPE_I64,
      [PIPE_QUERY_TYPE_U64] = SGPU_NUMBER_TYPE_U64,
   };
   const bool wide = result_type == PIPE_QUERY_TYPE_I64 || result_type == PIPE_QUERY_TYPE_U64;
   const unsigned size = wide ? 8 : 4;
   struct sgpu_context *ctx = sgpu_context(pctx);
   struct sgpu_resource *res = sgpu_resource(pres);
   struct sgpu_condition v = { .value = SGPU_QUERY_VALUE_ONE };

   if (offset > pres->width0 || size > pres->width0 - offset)
      return;
   /* A negative index queries the availability of the result.  The result is always available when
    * the device executes the packet.
    */
   if (index >= 0 && !query_value(sgpu_query(pq), index, &v)) {
      write_result(pctx, pq, size, pres, offset);
      return;
   }

   sgpu_context_reserve(ctx, SGPU_STORE_RESULT_LENGTH);
   sgpu_pack(sgpu_cs_get(&ctx->cs, SGPU_STORE_RESULT_LENGTH), STORE_RESULT, cfg) {
      cfg.value = v.value;
      cfg.triples = v.triples;
      cfg.type = types[result_type];
      if (v.value != SGPU_QUERY_VALUE_ONE)
         cfg.address = sgpu_cs_address(&ctx->cs, v.results, v.number * 8, false);
      cfg.destination = sgpu_resource_address(&ctx->cs, res, offset, true);
   }
   util_range_add(pres, &res->b.valid_buffer_range, offset, offset + size);
   sgpu_context_work_done(ctx);
}

/* Sets the render condition.  Keeps a reference to the query's memory, because the application may
 * delete the query or begin it again.  The NO_WAIT and BY_REGION modes act like WAIT.
 */
static void
sgpu_render_condition(struct pipe_context *pctx, struct pipe_query *pq, bool inverted,
                      enum pipe_render_cond_flag mode)
{
   struct sgpu_context *ctx = sgpu_context(pctx);
   struct sgpu_condition *old = &ctx->condition, fresh;

   ctx->conditional = pq && query_value(sgpu_query(pq), 0, &fresh);
   if (!ctx->conditional)
      return;

   /* Don't write the predicate again if the condition is the same as before.  Mesa turns the
    * condition off and on again around internal draws.
    */
   if (old->results == fresh.results && old->number == fresh.number && old->value == fresh.value &&
       old->triples == fresh.triples && old->inverted == inverted)
      return;
   sgpu_buffer_reference(&old->results, fresh.results);
   *old = fresh;
   old->inverted = inverted;
   ctx->condition_emitted = false;
}

void
sgpu_emit_condition(struct sgpu_context *ctx)
{
   const struct sgpu_condition *c = &ctx->condition;

   sgpu_pack(sgpu_cs_get(&ctx->cs, SGPU_PREDICATE_LENGTH), PREDICATE, cfg) {
      cfg.value = c->value;
      cfg.triples = c->triples;
      cfg.inverted = c->inverted;
      cfg.address = sgpu_cs_address(&ctx->cs, c->results, c->number * 8, false);
   }
   ctx->condition_emitted = true;
}

void
sgpu_query_value_context_init(struct pipe_context *pctx)
{
   pctx->get_query_result_resource = sgpu_get_query_result_resource;
   pctx->render_condition = sgpu_render_condition;
}

void
sgpu_query_value_context_fini(struct sgpu_context *ctx)
{
   sgpu_buffer_reference(&ctx->condition.results, NULL);
}
