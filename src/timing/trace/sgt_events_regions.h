/* SPDX-License-Identifier: MIT */
/*
 * Converts the regions and targets of an operation from the device's records.
 */
#ifndef SGT_EVENTS_REGIONS_H
#define SGT_EVENTS_REGIONS_H

#include "trace/sgt_events.h"

/* Maximum number of source regions of an operation. */
#define SGT_EVENTS_REGIONS 1024

/* Returns the region for the device addresses [begin, end) in a buffer object. The buffer object
 * has the addresses [bo_begin, bo_end).
 */
struct sgt_region sgt_events_buffer(struct sgt_trace_builder *b, uint64_t begin, uint64_t end,
                                    uint64_t bo_begin, uint64_t bo_end);
/* Stores the regions that the operation reads in sources[], with one region per mipmap level.
 * Returns the number of regions, which is at most SGT_EVENTS_REGIONS.
 */
unsigned sgt_events_sources(struct sgt_events *e, const struct sgpu_event_region *r, unsigned count,
                            struct sgt_region *sources);
/* Sets *out to a region that contains everything that the operation writes. For transfers and for
 * writes to a single buffer, the rectangle is final. For primitives, the caller must replace it
 * with the rectangle of each primitive. Returns false if the operation writes nothing.
 */
bool sgt_events_destination(struct sgt_events *e, const struct sgpu_event_operation *op,
                            const struct sgpu_event_region *r, unsigned count,
                            struct sgt_region *out);
/* Adds the targets whose records start at word `at` of the chunk. Returns the index of the word
 * after the last of these records.
 */
uint64_t sgt_events_targets(struct sgt_events *e, const struct sgt_chunk *chunk, uint64_t at);

#endif
