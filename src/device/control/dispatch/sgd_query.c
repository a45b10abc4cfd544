/* SPDX-License-Identifier: MIT */
/*
 * Dispatch unit: adds the counts of operations to queries, and computes the results of queries.
 */
#include <stdlib.h>
#include <string.h>

#include "common/sgd_once.h"
#include "control/dispatch/sgd_query.h"
#include "common/sgd_ref.h"
#include "util/macros.h"

/* Number of 64-bit numbers that a PIPELINE STATISTICS query stores. */
#define SGD_STATISTICS 11

void
sgd_stats_add(struct sgd_stats *sum, const struct sgd_stats *s)
{
   STATIC_ASSERT(sizeof(*sum) % sizeof(uint64_t) == 0);
   uint64_t *to = (uint64_t *)sum;
   const uint64_t *from = (const uint64_t *)s;
   for (unsigned i = 0; i < sizeof(*sum) / sizeof(uint64_t); i++)
      to[i] += from[i];
}

void
sgd_xfb_stats_add(struct sgd_xfb_stats *sum, const struct sgd_xfb_stats *s)
{
   for (unsigned i = 0; i < SGPU_MAX_VERTEX_STREAMS; i++) {
      sum->needed[i] += s->needed[i];
      sum->written[i] += s->written[i];
   }
}

unsigned
sgd_query_numbers(enum sgpu_query_type type)
{
   switch (type) {
   case SGPU_QUERY_TYPE_PIPELINE_STATISTICS:
      return SGD_STATISTICS;
   case SGPU_QUERY_TYPE_XFB_STATISTICS:
      return 3 * SGPU_MAX_VERTEX_STREAMS;
   default:
      return 1;
   }
}

void
sgd_query_store(const struct sgd_query *query)
{
   const struct sgd_stats *s = &query->stats;

   switch (query->type) {
   case SGPU_QUERY_TYPE_OCCLUSION_COUNTER:
      query->result[0] += s->samples_passed;
      break;
   case SGPU_QUERY_TYPE_OCCLUSION_PREDICATE:
      query->result[0] |= s->samples_passed != 0;
      break;
   case SGPU_QUERY_TYPE_PRIMITIVES_GENERATED:
      query->result[0] += s->generated[0];
      break;
   case SGPU_QUERY_TYPE_XFB_STATISTICS:
      for (unsigned i = 0; i < SGPU_MAX_VERTEX_STREAMS; i++) {
         query->result[3 * i] += s->generated[i];
         query->result[3 * i + 1] += query->xfb_stats.needed[i];
         query->result[3 * i + 2] += query->xfb_stats.written[i];
      }
      break;
   case SGPU_QUERY_TYPE_PIPELINE_STATISTICS: {
      const uint64_t values[] = {
         /* END QUERY writes the numbers in this order. */
         s->ia_vertices,    s->ia_primitives,  s->vs_invocations, s->gs_invocations,
         s->gs_primitives,  s->c_invocations,  s->c_primitives,   s->ps_invocations,
         s->hs_invocations, s->ds_invocations, s->cs_invocations,
      };
      STATIC_ASSERT(ARRAY_SIZE(values) == SGD_STATISTICS);
      for (unsigned i = 0; i < ARRAY_SIZE(values); i++)
         query->result[i] += values[i];
      break;
   }
   case SGPU_QUERY_TYPE_TIMESTAMP:
      break;
   }
}

unsigned
sgd_result_numbers(enum sgpu_query_value value, unsigned triples)
{
   switch (value) {
   case SGPU_QUERY_VALUE_NUMBER:
   case SGPU_QUERY_VALUE_NOT_ZERO:
      return 1;
   case SGPU_QUERY_VALUE_DIFFERENCE:
      return 2;
   case SGPU_QUERY_VALUE_OVERFLOW:
      return 3 * triples;
   case SGPU_QUERY_VALUE_ONE:
      break;
   }
   return 0;
}

static uint64_t
result_value(const struct sgd_result *result)
{
   /* The application can change the numbers at any time, so read each number only once. */
   const uint64_t *n = result->numbers;
   bool differ = false;

   switch (result->value) {
   case SGPU_QUERY_VALUE_NUMBER:
      return sgd_read_once64(n);
   case SGPU_QUERY_VALUE_NOT_ZERO:
      return sgd_read_once64(n) != 0;
   case SGPU_QUERY_VALUE_DIFFERENCE: {
      const uint64_t first = sgd_read_once64(n);
      return sgd_read_once64(n + 1) - first;
   }
   case SGPU_QUERY_VALUE_OVERFLOW:
      for (unsigned i = 0; i < result->triples; i++) {
         const uint64_t needed = sgd_read_once64(n + 3 * i + 1);
         differ |= needed != sgd_read_once64(n + 3 * i + 2);
      }
      return differ;
   case SGPU_QUERY_VALUE_ONE:
      break;
   }
   return 1;
}

void
sgd_result_run(const struct sgd_result *result)
{
   static const uint64_t most[] = {
      [SGPU_NUMBER_TYPE_U32] = UINT32_MAX,
      [SGPU_NUMBER_TYPE_I32] = INT32_MAX,
      [SGPU_NUMBER_TYPE_U64] = UINT64_MAX,
      [SGPU_NUMBER_TYPE_I64] = INT64_MAX,
   };
   const uint64_t value = result_value(result);

   if (result->decides)
      result->decides->holds = (value != 0) != result->inverted;
   if (result->to) {
      const uint64_t stored = MIN2(value, most[result->type]);
      const uint32_t low = (uint32_t)stored;
      if (result->type == SGPU_NUMBER_TYPE_U32 || result->type == SGPU_NUMBER_TYPE_I32)
         memcpy(result->to, &low, sizeof(low));
      else
         memcpy(result->to, &stored, sizeof(stored));
   }
}

void
sgd_predicate_unref(struct sgd_predicate *predicate)
{
   if (predicate && sgd_unref(&predicate->refs))
      free(predicate);
}

void
sgd_query_unref(struct sgd_query *query)
{
   if (--query->refs == 0)
      free(query);
}
