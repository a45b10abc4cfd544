/* SPDX-License-Identifier: MIT */
/*
 * Queries, which count what operations do, and results that are computed from the counts.
 */
#ifndef SGD_QUERY_H
#define SGD_QUERY_H

#include <stdbool.h>
#include <stdint.h>

#include "common/sgd_stats.h"
#include "common/sgd_xfb_state.h"
#include "sgpu_packets.h"

struct sgd_dependence;
struct sgd_node;

struct sgd_query {
   /* Number of references. The query slot or the END QUERY operation has one, and so does each
    * operation that the query counts.
    */
   uint32_t refs;
   enum sgpu_query_type type;
   uint64_t *result; /* array of numbers in memory, to which END QUERY adds the counts */
   struct sgd_stats stats;
   struct sgd_xfb_stats xfb_stats;
   uint32_t pending;        /* how many of the counted operations have not ended yet */
   struct sgd_node *waiter; /* END QUERY operation that waits until `pending` is 0, or NULL */
};

/* Predicate of conditional operations. Its value is computed by a PREDICATE operation. Conditional
 * operations wait until that operation has ended.
 */
struct sgd_predicate {
   uint32_t refs; /* atomic reference count */
   /* dependence on the PREDICATE operation; NULL if it has ended, or was never added */
   struct sgd_dependence *decision;
   bool holds; /* value of the predicate: conditional operations only run if it is true */
};

/* A result that is computed from the numbers of queries. It is written to memory, or becomes the
 * value of a predicate.
 */
struct sgd_result {
   const uint64_t *numbers;     /* the input; sgd_result_numbers() is the size of this array */
   enum sgpu_query_value value; /* selects how the result is computed */
   /* number of vertex streams to check, if `value` is SGPU_QUERY_VALUE_OVERFLOW */
   unsigned triples;
   bool inverted;                 /* the predicate is true if the result is 0 */
   struct sgd_predicate *decides; /* predicate that gets the result, or NULL */
   uint8_t *to; /* address to which the result is written, which may be unaligned, or NULL */
   enum sgpu_number_type type; /* type of the result in memory */
};

void sgd_stats_add(struct sgd_stats *sum, const struct sgd_stats *s);
void sgd_xfb_stats_add(struct sgd_xfb_stats *sum, const struct sgd_xfb_stats *s);
/* Returns how many 64-bit numbers END QUERY writes for this type of query. */
unsigned sgd_query_numbers(enum sgpu_query_type type);
/* Returns how many 64-bit numbers the result is computed from. */
unsigned sgd_result_numbers(enum sgpu_query_value value, unsigned triples);
/* Computes the result, and stores it in memory or in the predicate. */
void sgd_result_run(const struct sgd_result *result);
/* Drops a reference. Can be called on any thread. `predicate` may be NULL. */
void sgd_predicate_unref(struct sgd_predicate *predicate);

/* The scheduler's lock must be held for the following functions. */
/* Adds the counts of the query to the numbers at query->result. All operations that the query
 * counts must have ended.
 */
void sgd_query_store(const struct sgd_query *query);
void sgd_query_unref(struct sgd_query *query);

#endif
