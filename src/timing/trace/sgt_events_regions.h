/* SPDX-License-Identifier: MIT */
/*
 * Regions and targets of an operation of a trace, from the device's records.
 */
#ifndef SGT_EVENTS_REGIONS_H
#define SGT_EVENTS_REGIONS_H

#include "trace/sgt_events.h"

#define SGT_EVENTS_REGIONS 1024

/* Bytes of a buffer. */
struct sgt_region sgt_events_buffer(struct sgt_trace_builder *b, uint64_t begin, uint64_t end,
                                    uint64_t bo_begin, uint64_t bo_end);
/* The regions that the operation reads, by level; at most SGT_EVENTS_REGIONS. */
unsigned sgt_events_sources(struct sgt_events *e, const struct sgpu_event_region *r, unsigned count,
                            struct sgt_region *sources);
/* The set of all that the operation writes.  A buffer alone has a rectangle here, and so have
 * transfers to surfaces; primitives have their own.  False: nothing is written.
 */
bool sgt_events_destination(struct sgt_events *e, const struct sgpu_event_operation *op,
                            const struct sgpu_event_region *r, unsigned count,
                            struct sgt_region *out);
/* The targets, from word `at` of the chunk on.  Returns the word behind them. */
uint64_t sgt_events_targets(struct sgt_events *e, const struct sgt_chunk *chunk, uint64_t at);

#endif
