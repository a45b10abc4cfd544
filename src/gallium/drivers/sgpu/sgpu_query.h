/* SPDX-License-Identifier: MIT */
/*
 * Queries.
 */
#ifndef SGPU_QUERY_H
#define SGPU_QUERY_H

#include "util/list.h"
#include "util/u_threaded_context.h"

struct sgpu_buffer;
struct sgpu_context;
struct sgpu_screen;
struct sgpu_sync;

struct sgpu_query {
   struct threaded_query b;
   unsigned type;               /* PIPE_QUERY_ */
   unsigned index;              /* vertex stream */
   int slot;                    /* of the queue, while it counts; or -1 */
   struct list_head link;       /* in sgpu_context::queries */
   struct sgpu_buffer *results; /* 64-bit numbers */
   struct sgpu_sync *sync;      /* the submission that ends it */
   uint64_t counter_begin;      /* counters of the device */
};

static inline struct sgpu_query *
sgpu_query(struct pipe_query *q)
{
   return (struct sgpu_query *)q;
}

void sgpu_queries_restart(struct sgpu_context *ctx);

/* sgpu_query_counters.c: the device's counters as queries. */
bool sgpu_is_counter(unsigned type);
uint64_t sgpu_counter_read(struct sgpu_screen *screen, unsigned type);
/* What to subtract at the end of a query. */
uint64_t sgpu_counter_begin(struct sgpu_screen *screen, unsigned type);

#endif
