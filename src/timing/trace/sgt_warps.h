/* SPDX-License-Identifier: MIT */
/*
 * Converts the device's records of the warps that an operation has executed to a struct sgt_work.
 */
#ifndef SGT_WARPS_H
#define SGT_WARPS_H

#include <pthread.h>

#include "sgpu_observer.h"
#include "trace/sgt_work.h"

struct hash_table_u64;
struct sgt_chunk;
struct sgt_warps_context;

/* State of the converter for executed warps. It keeps all programs for the next struct sgt_work. */
struct sgt_warps {
   struct sgt_work_builder *builder;
   pthread_mutex_t lock; /* protects `programs` */
   struct hash_table_u64 *programs;
   uint32_t work; /* number of the current struct sgt_work, starting at 1 */
   /* array of the constant contexts in the current struct sgt_work */
   struct sgt_warps_context *contexts;
   uint32_t num_contexts;
   uint64_t max_contexts;
   bool failed;       /* an allocation failed */
   const char *error; /* static message about the first invalid record, or NULL */
};

/* Initializes the converter. Returns false if allocation fails. */
bool sgt_warps_init(struct sgt_warps *w);
void sgt_warps_finish(struct sgt_warps *w);
/* Stores a copy of the program. Called from sgpu_observer::program, on any thread. */
void sgt_warps_program(struct sgt_warps *w, uint64_t key, const struct sgpu_program *program);

/* Maps a batch to the index of its first item in trace->items. Arrays of this struct are sorted by
 * batch.
 */
struct sgt_batch_items {
   uint32_t batch, part, first_item;
};

/* Adds an operation. Its warps are in `num` chunks, which must be sorted with compare_warps() of
 * sgt_events.c.
 */
void sgt_warps_operation(struct sgt_warps *w, const struct sgpu_event_operation *op,
                         const struct sgt_chunk *const *chunks, unsigned num,
                         const struct sgt_batch_items *batches, unsigned num_batches);
/* Adds the CONSTANTS records that start at word `at` of the chunk to the current operation. */
void sgt_warps_constants(struct sgt_warps *w, const struct sgt_chunk *chunk, uint64_t at);
void sgt_warps_constants_finish(struct sgt_warps *w);
/* Adds an operation without warps. */
void sgt_warps_nothing(struct sgt_warps *w);
/* Returns a struct sgt_work with all operations so far, and starts a new one. Returns NULL if
 * allocation fails.
 */
struct sgt_work *sgt_warps_take(struct sgt_warps *w);

#endif
