/* SPDX-License-Identifier: MIT */
/*
 * Dispatch unit: what operations count, and the queries that collect it.
 */
#include <stdlib.h>

#include "sgd_device.h"
#include "util/macros.h"

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
sgd_stream_stats_add(struct sgd_stream_stats *sum, const struct sgd_stream_stats *s)
{
   for (unsigned i = 0; i < SGD_MAX_STREAMS; i++) {
      sum->needed[i] += s->needed[i];
      sum->written[i] += s->written[i];
   }
}

static void
query_store(struct sgd_query *query)
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
   case SGPU_QUERY_TYPE_STREAMS:
      for (unsigned i = 0; i < SGPU_MAX_STREAMS; i++) {
         query->result[3 * i] += s->generated[i];
         query->result[3 * i + 1] += query->streams.needed[i];
         query->result[3 * i + 2] += query->streams.written[i];
      }
      break;
   case SGPU_QUERY_TYPE_PIPELINE_STATISTICS: {
      const uint64_t values[] = {
         s->ia_vertices,    s->ia_primitives, s->vs_invocations, s->gs_invocations,
         s->gs_primitives,  s->c_invocations, s->c_primitives,   s->ps_invocations,
         s->hs_invocations, s->ds_invocations, s->cs_invocations,
      };
      for (unsigned i = 0; i < ARRAY_SIZE(values); i++)
         query->result[i] += values[i];
      break;
   }
   case SGPU_QUERY_TYPE_TIMESTAMP:
      break;
   }
}

void
sgd_query_check(struct sgd_query *query)
{
   if (query->ended && !query->pending && query->result) {
      query_store(query);
      query->result = NULL;
      sgd_submission_put(query->sub);
   }
}

void
sgd_query_unref(struct sgd_query *query)
{
   if (--query->refs == 0)
      free(query);
}
