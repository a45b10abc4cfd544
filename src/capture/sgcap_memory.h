/* SPDX-License-Identifier: MIT */
/*
 * The capture layer's copy ("shadow") of a buffer, with the contents that a replay
 * will have.  Comparing it with memory finds the CPU's writes; the device's writes
 * are not stored.
 *
 * The shadow has the contents when all work so far has ended, except for "pending"
 * ranges, which submissions in progress write.  Comparisons leave these out.  The
 * CPU does not write them before the driver learns that the submission has ended,
 * so just before that the layer copies them from memory to the shadow.  In a "race"
 * (unsynchronized and persistent mappings) the CPU may write them earlier: the layer
 * then waits for the submission and records all changes.
 */
#ifndef SGCAP_MEMORY_H
#define SGCAP_MEMORY_H

#include <stdbool.h>
#include <stdint.h>

#include "device/sgpu_device.h"
#include "sgcap_writer.h"

struct sgcap_pending {
   uint64_t begin, end;
   struct sgpu_queue *queue;
   uint64_t seqno; /* of the device */
};

struct sgcap_race {
   uint64_t begin, end;
   bool open; /* false: ends at the next comparison */
};

struct sgcap_bo {
   struct sgpu_bo *bo;
   uint64_t id; /* 0: not in the file yet */
   uint64_t address, size;
   const uint8_t *map;
   char label[32];
   bool relabel;     /* the next submission records the label */
   bool device_only; /* the CPU does not write it */
   bool told;        /* its contents are in the file */
   uint64_t zeroed;  /* device_only: bytes set to zero since */
   bool listed;      /* by a submission that the CPU may not know to have ended */

   uint8_t *shadow;
   struct sgcap_pending *pending;
   unsigned num_pending, max_pending;
   struct sgcap_race *races;
   unsigned num_races, max_races;
};

/* Records the CPU's writes; not thread-safe.  Calls `wait` to wait for a submission.
 * Sets the writer's error if memory runs out.
 */
void sgcap_bo_compare(struct sgcap_bo *b, struct sgcap_writer *w,
                      void (*wait)(void *data, struct sgpu_queue *queue, uint64_t seqno),
                      void *data);
/* A submission writes the range. */
bool sgcap_bo_add_pending(struct sgcap_bo *b, uint64_t begin, uint64_t end,
                          struct sgpu_queue *queue, uint64_t seqno);
/* Called before the driver learns that the queue's submissions up to seqno (queue
 * NULL: all submissions) have ended.
 */
void sgcap_bo_passed(struct sgcap_bo *b, struct sgpu_queue *queue, uint64_t seqno);
/* See sgpu_layer_bo_race. */
bool sgcap_bo_race(struct sgcap_bo *b, uint64_t begin, uint64_t end, bool open);
/* From now on the CPU writes the buffer, which is idle. */
bool sgcap_bo_take_shadow(struct sgcap_bo *b);
/* From now on the CPU does not write the buffer. */
void sgcap_bo_drop_shadow(struct sgcap_bo *b);
/* Clears the members that describe the file. */
void sgcap_bo_reset(struct sgcap_bo *b);

#endif
