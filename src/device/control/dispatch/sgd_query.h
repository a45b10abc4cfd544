/* SPDX-License-Identifier: MIT */
/*
 * Queries: counts of operations, and results computed from these counts.
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
   /* reference count: 1 for the slot or END QUERY, plus 1 for each operation that the query counts
    */
   uint32_t refs;
   enum sgpu_query_type type;
   uint64_t *result; /* array of sgd_query_numbers() numbers that END QUERY adds to */
   struct sgd_stats stats;
   struct sgd_xfb_stats xfb_stats;
   uint32_t pending;        /* number of counted operations that have not ended */
   struct sgd_node *waiter; /* END QUERY operation that waits for the counted operations, or NULL */
};

/* Predicate of conditional operations. A PREDICATE operation decides the predicate, and conditional
 * operations wait for the PREDICATE operation.
 */
struct sgd_predicate {
   uint32_t refs; /* atomic reference count */
   /* dependence on the PREDICATE operation, or NULL if that operation has ended or was not added */
   struct sgd_dependence *decision;
   bool holds; /* conditional operations are executed */
};

/* A value that is computed from query numbers, and stored in memory or in a predicate. */
struct sgd_result {
   const uint64_t *numbers;       /* array of sgd_result_numbers() query numbers */
   enum sgpu_query_value value;   /* how the value is computed from the numbers */
   unsigned triples;              /* number of vertex streams, for SGPU_QUERY_VALUE_OVERFLOW */
   bool inverted;                 /* the predicate holds if the value is 0 */
   struct sgd_predicate *decides; /* predicate that the value decides, or NULL */
   uint8_t *to; /* address where the value is stored, not necessarily aligned, or NULL */
   enum sgpu_number_type type; /* type of the stored value */
};

void sgd_stats_add(struct sgd_stats *sum, const struct sgd_stats *s);
void sgd_xfb_stats_add(struct sgd_xfb_stats *sum, const struct sgd_xfb_stats *s);
/* Returns the number of 64-bit numbers that END QUERY writes. */
unsigned sgd_query_numbers(enum sgpu_query_type type);
/* Returns the number of 64-bit numbers from which the value is computed. */
unsigned sgd_result_numbers(enum sgpu_query_value value, unsigned triples);
/* Computes the value and stores it. */
void sgd_result_run(const struct sgd_result *result);
/* Drops a reference. Can be called on any thread. `predicate` may be NULL. */
void sgd_predicate_unref(struct sgd_predicate *predicate);

/* The following functions are called with the scheduler's lock held. */
/* Adds the counts to the numbers at query->result. Must be called after all counted operations have
 * ended.
 */
void sgd_query_store(const struct sgd_query *query);
void sgd_query_unref(struct sgd_query *query);

#endif
