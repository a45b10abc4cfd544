/* SPDX-License-Identifier: MIT */
/*
 * Converts the chunks of warps of an operation to warps of a work.
 */
#ifndef SGT_WARPS_H
#define SGT_WARPS_H

#include <pthread.h>

#include "sgpu_observer.h"
#include "trace/sgt_work.h"

struct hash_table_u64;
struct sgt_chunk;
struct sgt_warps_context;

/* State of the conversion, from operation to operation of a work. Programs are kept for later
 * works.
 */
struct sgt_warps {
   struct sgt_work_builder *builder;
   pthread_mutex_t lock; /* protects `programs` */
   struct hash_table_u64 *programs;
   uint32_t work;                      /* number of the present work, from 1 */
   struct sgt_warps_context *contexts; /* contexts of constants of the work */
   uint32_t num_contexts;
   uint64_t max_contexts;
   bool failed;       /* out of memory */
   const char *error; /* message about an invalid record, static, or NULL */
};

/* Returns false if out of memory. */
bool sgt_warps_init(struct sgt_warps *w);
void sgt_warps_finish(struct sgt_warps *w);
/* Called by sgpu_observer::program, from any thread. */
void sgt_warps_program(struct sgt_warps *w, uint64_t key, const struct sgpu_program *program);

/* The index in the trace of the first item of a batch's primitives. Arrays of these are sorted by
 * batch.
 */
struct sgt_batch_items {
   uint32_t batch, part, first_item;
};

/* Adds an operation with `num` chunks of warps, sorted by compare_warps() of sgt_events.c. */
void sgt_warps_operation(struct sgt_warps *w, const struct sgpu_event_operation *op,
                         const struct sgt_chunk *const *chunks, unsigned num,
                         const struct sgt_batch_items *batches, unsigned num_batches);
/* Adds the CONSTANTS records of the latest operation, which start at word `at` of its chunk. */
void sgt_warps_constants(struct sgt_warps *w, const struct sgt_chunk *chunk, uint64_t at);
void sgt_warps_constants_finish(struct sgt_warps *w);
/* Adds an operation without warps. */
void sgt_warps_nothing(struct sgt_warps *w);
/* Returns the work of the operations so far, and starts the next work. Returns NULL if out of
 * memory.
 */
struct sgt_work *sgt_warps_take(struct sgt_warps *w);

#endif
