/* SPDX-License-Identifier: MIT */
/*
 * Hazards: the regions of buffers that operations under way read and write, and
 * the operations that a new one depends on.
 *
 * A region is a part of a surface (storage, levels, layers) or a range of
 * bytes.  Each buffer that operations access holds lists of its readers and
 * writers.  Index, vertex and constant buffers of draws are in no list, since
 * hardly any buffer is written while draws read it: a writer looks for them in
 * the draws under way and their states, and a draw lists its
 * inputs where a writer of buffers is under way.
 */
#ifndef SGD_HAZARD_H
#define SGD_HAZARD_H

#include <stdbool.h>
#include <stdint.h>

#include "util/list.h"

struct sgpu_bo;
struct sgd_dependence;
struct sgd_dispatch;
struct sgd_node;
struct sgd_tile_array;

/* One region that an operation reads or writes. */
struct sgd_access {
   struct list_head link; /* hazards->readers or ->writers */
   struct sgd_node *node;
   struct sgpu_bo *bo;
   uint64_t begin, end; /* device addresses: all bytes of the region */
   uint64_t storage;    /* surfaces: SURFACE.Storage; 0: bytes */
   uint16_t levels;     /* mask */
   uint16_t first_layer, last_layer;
   bool write, target; /* target: ordered by tile within its tile array */
   bool front;         /* read by the front end of the draw */
   bool feeds;         /* written, and draws may read it as input */
   bool counted;       /* in hazards->num_targets */
};

/* The dependence on a list of readers or writers for the latest region. */
struct sgd_hazard_cache {
   bool valid;
   struct sgd_dependence *dep; /* NULL: no operation's region meets it */
   uint32_t stamp;             /* of the list, as it was then */
   uint64_t region[4];
};

struct sgd_hazards {
   struct list_head link;               /* dispatch->free_hazards */
   struct list_head readers, writers;   /* struct sgd_access */
   uint32_t reader_stamp, writer_stamp; /* change when one is added */
   uint32_t num_writers;
   uint32_t num_targets; /* writers that are tile work of target_array */
   struct sgd_tile_array *target_array;
   struct sgd_hazard_cache read_cache, write_cache;
};

/* All with the scheduler's lock held. */
/* Memory for the node's accesses; false: out of memory. */
bool sgd_hazards_reserve(struct sgd_dispatch *d, struct sgd_node *node);
/* The node waits for the operations that its regions depend on, and later ones
 * find its regions.  False: out of memory; the node must do nothing then.
 */
bool sgd_hazards_add(struct sgd_dispatch *d, struct sgd_node *node);
void sgd_hazards_remove(struct sgd_dispatch *d, struct sgd_node *node);
/* Records that are not in use. */
void sgd_hazards_finish(struct sgd_dispatch *d);

#endif
