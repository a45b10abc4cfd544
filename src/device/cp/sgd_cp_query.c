/* SPDX-License-Identifier: MIT */
/*
 * Command processor: queries, of which each slot of a queue counts one at a
 * time, and timestamps.
 */
#include <stdlib.h>

#include "sgd_cp_work.h"

void
sgd_cp_attach_queries(struct sgd_cp *cp, struct sgd_node *node)
{
   for (unsigned i = 0; i < SGD_QUERY_SLOTS; i++) {
      struct sgd_query *query = cp->queue->slots[i];
      if (!query)
         continue;
      sgd_node_query(node, query);
      node->draw.exact_queries = true;
      node->draw.count_stats |= query->type == SGPU_QUERY_TYPE_PIPELINE_STATISTICS;
   }
}

const char *
sgd_cp_begin_query(struct sgd_cp *cp, const uint32_t *in)
{
   struct SGPU_BEGIN_QUERY p;
   const char *error = SGPU_BEGIN_QUERY_unpack(in, &p);
   if (error)
      return error;
   if (p.type == SGPU_QUERY_TYPE_TIMESTAMP)
      return "BEGIN QUERY: timestamps have no beginning";

   struct sgd_query *query = calloc(1, sizeof(*query));
   if (!query)
      return "out of memory";
   query->refs = 1;
   query->type = p.type;
   pthread_mutex_lock(&cp->dev->lock);
   if (cp->queue->slots[p.slot])
      sgd_query_unref(cp->queue->slots[p.slot]);
   cp->queue->slots[p.slot] = query;
   pthread_mutex_unlock(&cp->dev->lock);
   return NULL;
}

const char *
sgd_cp_end_query(struct sgd_cp *cp, const uint32_t *in)
{
   struct SGPU_END_QUERY p;
   const char *error = SGPU_END_QUERY_unpack(in, &p);
   if (error)
      return error;
   const unsigned numbers = p.type == SGPU_QUERY_TYPE_PIPELINE_STATISTICS ? 11 :
                            p.type == SGPU_QUERY_TYPE_STREAMS ? 3 * SGD_MAX_STREAMS : 1;
   const unsigned size = 8 * numbers;
   if ((p.address & 7) || !sgd_submission_find(cp->sub, p.address, size))
      return "END QUERY: the result is not in a buffer of the submission";
   uint64_t *result = (uint64_t *)(cp->dev->space + p.address);

   if (p.type == SGPU_QUERY_TYPE_TIMESTAMP) {
      struct sgd_node *node = sgd_node_create(SGD_NODE_TIMESTAMP, cp->sub);
      if (!node)
         return "out of memory";
      node->timestamp = result;
      return sgd_cp_add(cp, node, NULL, 0);
   }

   pthread_mutex_lock(&cp->dev->lock);
   struct sgd_query *query = cp->queue->slots[p.slot];
   if (!query || query->type != p.type) {
      error = "END QUERY: the slot does not count this";
   } else {
      cp->queue->slots[p.slot] = NULL;
      query->sub = cp->sub;
      query->sub->outstanding++;
      query->result = result;
      query->ended = true;
      sgd_query_check(query);
      sgd_query_unref(query);
   }
   pthread_mutex_unlock(&cp->dev->lock);
   return error;
}
