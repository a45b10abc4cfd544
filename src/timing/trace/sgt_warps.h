/* SPDX-License-Identifier: MIT */
/*
 * From the chunks of warps of an operation to warps of a work.
 */
#ifndef SGT_WARPS_H
#define SGT_WARPS_H

#include <pthread.h>

#include "sgpu_observer.h"
#include "trace/sgt_work.h"

struct hash_table_u64;
struct sgt_chunk;
struct sgt_warps_context;

/* What goes on from operation to operation of a work.  Programs are kept for all works. */
struct sgt_warps {
   struct sgt_work_builder *builder;
   pthread_mutex_t lock; /* programs */
   struct hash_table_u64 *programs;
   uint32_t work;                      /* number of the work */
   struct sgt_warps_context *contexts; /* of constants, in the work */
   uint32_t num_contexts;
   uint64_t max_contexts;
   bool failed;       /* out of memory */
   const char *error; /* a record is not as it should be */
};

/* False: out of memory. */
bool sgt_warps_init(struct sgt_warps *w);
void sgt_warps_finish(struct sgt_warps *w);
/* As observer->program, from any thread. */
void sgt_warps_program(struct sgt_warps *w, uint64_t key, const struct sgpu_program *program);

/* The first item of the primitives of a batch; in the order of batches. */
struct sgt_batch_items {
   uint32_t batch, part, first_item;
};

/* Adds an operation: `num` chunks of warps in the order of compare_chunks. */
void sgt_warps_operation(struct sgt_warps *w, const struct sgpu_event_operation *op,
                         const struct sgt_chunk *const *chunks, unsigned num,
                         const struct sgt_batch_items *batches, unsigned num_batches);
/* CONSTANTS records of the latest operation, from word `at` of its chunk on. */
void sgt_warps_constants(struct sgt_warps *w, const struct sgt_chunk *chunk, uint64_t at);
void sgt_warps_constants_finish(struct sgt_warps *w);
/* An operation without warps. */
void sgt_warps_nothing(struct sgt_warps *w);
/* The work of the operations so far; the next one begins.  NULL: out of memory. */
struct sgt_work *sgt_warps_take(struct sgt_warps *w);

#endif
