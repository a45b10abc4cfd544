/* SPDX-License-Identifier: MIT */
/*
 * Converts the chunks of an operation to operations, items and blocks of a trace.
 */
#ifndef SGT_EVENTS_H
#define SGT_EVENTS_H

#include "sgpu_observer.h"
#include "trace/sgt_trace_builder.h"
#include "trace/sgt_warps.h"

/* A copy of a chunk, kept until its operation is converted. */
struct sgt_chunk {
   struct sgt_chunk *next; /* next chunk of the operation, or NULL */
   enum sgpu_chunk_kind kind;
   uint32_t batch, part; /* this and the members below: as in struct sgpu_chunk */
   uint16_t tx, ty, layer;
   uint64_t group;
   uint64_t num_words;
   _Alignas(8) uint32_t words[];
};

/* A class of items that may run in any order: items with the same key have the same order rule,
 * write masks and targets.
 */
struct sgt_order_key {
   uint32_t set, masks, rule;
};

/* State of the conversion, from operation to operation of a trace. */
struct sgt_events {
   struct sgt_trace_builder *builder;
   /* Converter for warps. NULL if no work is made; grids, and draws whose programs write memory,
    * are then refused.
    */
   struct sgt_warps *warps;
   struct sgt_order_key *keys;
   uint32_t num_keys;
   uint64_t max_keys;
   bool failed;       /* out of memory */
   const char *error; /* the first error, static or `refused`, or NULL */
   char refused[160]; /* message about the first operation that was refused */
};

/* Position of an operation in the capture. */
struct sgt_place {
   uint64_t submission;
   uint32_t frame;
   uint32_t first_draw; /* number in the capture of the submission's first draw */
   uint32_t state;      /* index of the state in the trace, or UINT32_MAX */
};

/* Returns the record at word `at` of a chunk after checking its type and size. Returns NULL at the
 * end of the chunk, or with *error set.
 */
const struct sgpu_event_head *sgt_chunk_record(const struct sgt_chunk *chunk, uint64_t at,
                                               const char **error);
/* Returns the OPERATION record of a chunk, or NULL if the chunk is not an OPERATION chunk. */
const struct sgpu_event_operation *sgt_events_operation(const struct sgt_chunk *chunk);
/* Adds an operation to the trace. Its chunks may be in any order. */
void sgt_events_add(struct sgt_events *e, const struct sgt_place *place,
                    const struct sgt_chunk *chunks);
/* Adds an access by the CPU to bytes `begin` to `end` of the buffer from `bo_begin` to `bo_end`. */
void sgt_events_direct(struct sgt_events *e, const struct sgt_place *place, uint64_t begin,
                       uint64_t end, uint64_t bo_begin, uint64_t bo_end, bool write);
void sgt_events_finish(struct sgt_events *e);

#endif
