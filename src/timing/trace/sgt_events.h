/* SPDX-License-Identifier: MIT */
/*
 * From the chunks of an operation to operations, items and blocks of a trace.
 */
#ifndef SGT_EVENTS_H
#define SGT_EVENTS_H

#include "sgpu_observer.h"
#include "trace/sgt_trace_builder.h"
#include "trace/sgt_warps.h"

/* A chunk that the store keeps. */
struct sgt_chunk {
   struct sgt_chunk *next; /* of the operation */
   enum sgpu_chunk_kind kind;
   uint32_t batch, part;
   uint16_t tx, ty, layer;
   uint64_t group;
   uint64_t num_words;
   _Alignas(8) uint32_t words[];
};

/* Items of equal rule, masks and targets have the same key. */
struct sgt_order_key {
   uint32_t set, masks, rule;
};

/* What goes on from operation to operation of a trace. */
struct sgt_events {
   struct sgt_trace_builder *builder;
   struct sgt_warps *warps; /* NULL: no work is wanted, and operations that need it are refused */
   struct sgt_order_key *keys;
   uint32_t num_keys;
   uint64_t max_keys;
   bool failed;       /* out of memory */
   const char *error; /* a record is not as it should be, or the first one refused */
   char refused[160]; /* its text */
};

/* Where an operation stands. */
struct sgt_place {
   uint64_t submission;
   uint32_t frame;
   uint32_t first_draw; /* of the submission, in the capture */
   uint32_t state;      /* of the trace; UINT32_MAX: none */
};

/* A record of a chunk, checked; at: its first word.  NULL: the chunk ends, or is wrong. */
const struct sgpu_event_head *sgt_chunk_record(const struct sgt_chunk *chunk, uint64_t at,
                                               const char **error);
/* The OPERATION record of a chunk, or NULL. */
const struct sgpu_event_operation *sgt_events_operation(const struct sgt_chunk *chunk);
/* Adds the operation with these chunks, in any order. */
void sgt_events_add(struct sgt_events *e, const struct sgt_place *place,
                    const struct sgt_chunk *chunks);
/* Adds an access by the CPU. */
void sgt_events_direct(struct sgt_events *e, const struct sgt_place *place, uint64_t begin,
                       uint64_t end, uint64_t bo_begin, uint64_t bo_end, bool write);
void sgt_events_finish(struct sgt_events *e);

#endif
