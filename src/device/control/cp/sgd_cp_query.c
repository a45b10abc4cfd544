/* SPDX-License-Identifier: MIT */
/*
 * Command processor: queries, timestamps, query results and predicates. A queue has a fixed number
 * of query slots. Each slot holds at most one active query.
 */
#include <stdlib.h>

#include "control/cp/sgd_cp_work.h"

void
sgd_cp_attach_queries(struct sgd_cp *cp, struct sgd_node *node)
{
   for (unsigned i = 0; i < SGD_QUERY_SLOTS; i++) {
      struct sgd_query *query = cp->slots[i];
      if (!query)
         continue;
      sgd_node_query(node, query);
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
   sgd_pool_lock(cp->sched);
   if (cp->slots[p.slot])
      sgd_query_unref(cp->slots[p.slot]);
   cp->slots[p.slot] = query;
   sgd_pool_unlock(cp->sched);
   return NULL;
}

const char *
sgd_cp_end_query(struct sgd_cp *cp, const uint32_t *in)
{
   struct SGPU_END_QUERY p;
   const char *error = SGPU_END_QUERY_unpack(in, &p);
   if (error)
      return error;
   const unsigned size = 8 * sgd_query_numbers(p.type);
   if ((p.address & 7) || !sgd_bo_list_find(&cp->sub->bos, p.address, size))
      return "END QUERY: the result is not in a buffer of the submission";
   uint64_t *result = (uint64_t *)(cp->memory->base + p.address);

   if (p.type == SGPU_QUERY_TYPE_TIMESTAMP) {
      struct sgd_node *node = sgd_node_create(cp->dispatch, SGD_NODE_TIMESTAMP, cp->sub);
      if (!node)
         return "out of memory";
      node->timestamp = result;
      sgd_cp_access_buffer(cp, node, result, size, SGD_ACCESS_WRITE | SGD_ACCESS_NUMBERS);
      return sgd_cp_add(cp, node, NULL, 0);
   }

   struct sgd_query *query = cp->slots[p.slot];
   if (!query || query->type != p.type)
      return "END QUERY: the slot does not count this";
   struct sgd_node *node = sgd_node_create(cp->dispatch, SGD_NODE_QUERY, cp->sub);
   if (!node)
      return "out of memory";
   /* The slot's reference to the query is passed on to the operation. */
   cp->slots[p.slot] = NULL;
   query->result = result;
   node->query = query;
   sgd_cp_access_buffer(cp, node, result, size, SGD_ACCESS_WRITE | SGD_ACCESS_NUMBERS);
   return sgd_cp_add(cp, node, NULL, 0);
}

/* Creates an operation that computes a query result. The numbers that the query has stored are at
 * `address`, and `value` selects what is computed from them. Returns NULL and sets *out, or returns
 * an error message.
 */
static const char *
result_node(struct sgd_cp *cp, uint64_t address, enum sgpu_query_value value, unsigned triples,
            struct sgd_node **out)
{
   const unsigned size = 8 * sgd_result_numbers(value, triples);

   *out = NULL;
   if (size && ((address & 7) || !sgd_bo_list_find(&cp->sub->bos, address, size)))
      return "the numbers are not in a buffer of the submission";
   struct sgd_node *node = sgd_node_create(cp->dispatch, SGD_NODE_RESULT, cp->sub);
   if (!node)
      return "out of memory";
   node->result.numbers = (const uint64_t *)(cp->memory->base + address);
   node->result.value = value;
   node->result.triples = triples;
   sgd_cp_access_buffer(cp, node, node->result.numbers, size, SGD_ACCESS_READ);
   *out = node;
   return NULL;
}

const char *
sgd_cp_store_result(struct sgd_cp *cp, const uint32_t *in)
{
   struct SGPU_STORE_RESULT p;
   const char *error = SGPU_STORE_RESULT_unpack(in, &p);
   if (error)
      return error;

   const bool wide = p.type == SGPU_NUMBER_TYPE_U64 || p.type == SGPU_NUMBER_TYPE_I64;
   const unsigned size = wide ? 8 : 4;
   if (!sgd_bo_list_find(&cp->sub->bos, p.destination, size))
      return "STORE RESULT: Destination is not in a buffer of the submission";
   struct sgd_node *node;
   error = result_node(cp, p.address, p.value, p.triples, &node);
   if (error)
      return error;
   node->result.type = p.type;
   node->result.to = cp->memory->base + p.destination;
   sgd_cp_access_buffer(cp, node, node->result.to, size, SGD_ACCESS_WRITE);
   return sgd_cp_add(cp, node, NULL, 0);
}

const char *
sgd_cp_predicate(struct sgd_cp *cp, const uint32_t *in)
{
   struct SGPU_PREDICATE p;
   struct sgd_node *node;
   const char *error = SGPU_PREDICATE_unpack(in, &p);
   if (!error)
      error = result_node(cp, p.address, p.value, p.triples, &node);
   if (error)
      return error;

   struct sgd_predicate *predicate = calloc(1, sizeof(*predicate));
   if (!predicate) {
      sgd_node_destroy(node);
      return "out of memory";
   }
   predicate->refs = 2;
   node->result.decides = predicate;
   node->result.inverted = p.inverted;
   sgd_predicate_unref(cp->predicate);
   cp->predicate = predicate;
   return sgd_cp_add(cp, node, NULL, 0);
}

void
sgd_cp_condition(struct sgd_cp *cp, struct sgd_node *node, bool conditional)
{
   if (conditional && cp->predicate) {
      sgd_ref(&cp->predicate->refs);
      node->predicate = cp->predicate;
   }
}
