/* SPDX-License-Identifier: MIT */
/*
 * Queries: counts of operations, and results made of the numbers.
 */
#ifndef SGD_QUERY_H
#define SGD_QUERY_H

#include <stdbool.h>
#include <stdint.h>

#include "sgd_stats.h"
#include "sgd_xfb_state.h"
#include "sgpu_packets.h"

struct sgd_dependence;
struct sgd_node;

struct sgd_query {
   uint32_t refs; /* slot or END QUERY, and operations that count into it */
   enum sgpu_query_type type;
   uint64_t *result;
   struct sgd_stats stats;
   struct sgd_xfb_stats xfb_stats;
   uint32_t pending;        /* operations */
   struct sgd_node *waiter; /* END QUERY, while it waits for them; or NULL */
};

/* Predicate of conditional operations: decided by an operation of its own, for which the
 * operations that it concerns wait.
 */
struct sgd_predicate {
   uint32_t refs;                   /* atomic */
   struct sgd_dependence *decision; /* on that operation; NULL: it has ended, or was not added */
   bool holds;
};

/* A value made of queries' numbers, for memory or a predicate. */
struct sgd_result {
   const uint64_t *numbers; /* sgd_result_numbers of them */
   enum sgpu_query_value value;
   unsigned triples;
   bool inverted;
   struct sgd_predicate *decides; /* or NULL */
   uint8_t *to;                   /* not aligned; or NULL */
   enum sgpu_number_type type;
};

void sgd_stats_add(struct sgd_stats *sum, const struct sgd_stats *s);
void sgd_xfb_stats_add(struct sgd_xfb_stats *sum, const struct sgd_xfb_stats *s);
/* The number of 64-bit numbers that END QUERY writes. */
unsigned sgd_query_numbers(enum sgpu_query_type type);
/* The number of 64-bit numbers that a value is made of. */
unsigned sgd_result_numbers(enum sgpu_query_value value, unsigned triples);
void sgd_result_run(const struct sgd_result *result);
/* Any thread.  NULL is nothing. */
void sgd_predicate_unref(struct sgd_predicate *predicate);

/* Scheduler's lock held: */
/* Adds the numbers to those at query->result; all that it counts has ended. */
void sgd_query_store(const struct sgd_query *query);
void sgd_query_unref(struct sgd_query *query);

#endif
