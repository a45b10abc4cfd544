/* SPDX-License-Identifier: MIT */
/*
 * Converts the event chunks of a device operation to an operation of a trace, with its items and
 * blocks.
 */
#ifndef SGT_EVENTS_H
#define SGT_EVENTS_H

#include "sgpu_observer.h"
#include "trace/sgt_trace_builder.h"
#include "trace/sgt_warps.h"

/* Copy of a chunk of device events, kept until the operation is converted. */
struct sgt_chunk {
   struct sgt_chunk *next; /* next chunk of the operation, or NULL */
   enum sgpu_chunk_kind kind;
   /* `batch` and the members below have the same meaning as in struct sgpu_chunk */
   uint32_t batch, part;
   uint16_t tx, ty, layer;
   uint64_t group;
   uint64_t num_words;
   _Alignas(8) uint32_t words[];
};

/* Identifies a class of items that may execute in any order. All items in a class have the same
 * order rule, write masks and targets.
 */
struct sgt_order_key {
   uint32_t set, masks, rule;
};

/* State of the converter from device events to a trace. */
struct sgt_events {
   struct sgt_trace_builder *builder;
   /* Converter for executed warps, or NULL if the caller doesn't need a struct sgt_work. In that
    * case, compute grids and draws whose shaders write memory are rejected.
    */
   struct sgt_warps *warps;
   struct sgt_order_key *keys;
   uint32_t num_keys;
   uint64_t max_keys;
   bool failed;       /* an allocation failed */
   const char *error; /* message about the first error (a static string or `refused`), or NULL */
   char refused[160]; /* message about the first rejected operation */
};

/* Location of an operation in the capture. */
struct sgt_place {
   uint64_t submission;
   uint32_t frame;
   uint32_t first_draw; /* index of the submission's first draw in the capture */
   uint32_t state;      /* index of the draw state in trace->states, or UINT32_MAX for none */
};

/* Returns the record at word `at` of a chunk after checking its type and size. Returns NULL at the
 * end of the chunk. If the record is invalid, sets *error and returns NULL.
 */
const struct sgpu_event_head *sgt_chunk_record(const struct sgt_chunk *chunk, uint64_t at,
                                               const char **error);
/* Returns the OPERATION record of a chunk, or NULL if the chunk is not an OPERATION chunk. */
const struct sgpu_event_operation *sgt_events_operation(const struct sgt_chunk *chunk);
/* Adds an operation to the trace. The chunks of the operation can be listed in any order. */
void sgt_events_add(struct sgt_events *e, const struct sgt_place *place,
                    const struct sgt_chunk *chunks);
/* Adds a CPU access to the device addresses [begin, end) in a buffer object. The buffer object has
 * the addresses [bo_begin, bo_end).
 */
void sgt_events_direct(struct sgt_events *e, const struct sgt_place *place, uint64_t begin,
                       uint64_t end, uint64_t bo_begin, uint64_t bo_end, bool write);
void sgt_events_finish(struct sgt_events *e);

#endif
