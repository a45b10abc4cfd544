/* SPDX-License-Identifier: MIT */
/*
 * The capture layer's copy ("shadow") of a buffer, with the contents that the buffer has at the
 * same point of a replay.  Comparing the shadow with the buffer finds the CPU's writes; the
 * device's writes are not stored.
 *
 * The shadow is up to date except for "pending" ranges, which submissions in progress write.
 * Comparisons leave pending ranges out.  The CPU does not write a pending range before the driver
 * learns that the submission has ended, so just before that the layer copies the range from the
 * buffer to the shadow.  In a "race" (unsynchronized and persistent mappings) the CPU may write a
 * pending range earlier.  The layer then waits for the submission and records all changes.
 */
#ifndef SGCAP_MEMORY_H
#define SGCAP_MEMORY_H

#include <stdbool.h>
#include <stdint.h>

#include "device/sgpu_device.h"
#include "sgcap_writer.h"

/* A byte range that a submission in progress writes. */
struct sgcap_pending {
   uint64_t begin, end;
   struct sgpu_queue *queue;
   uint64_t seqno; /* seqno of the submission on the device's queue */
};

/* A byte range that the CPU may write without waiting for submissions. */
struct sgcap_race {
   uint64_t begin, end;
   bool open; /* false once the range is unmapped; the next comparison removes the race */
};

struct sgcap_bo {
   struct sgpu_bo *bo;
   uint64_t id; /* id in the capture file; 0 if the buffer is not in the file yet */
   uint64_t address, size;
   const uint8_t *map;
   char label[32];
   bool relabel;     /* the next submission records the new label */
   bool device_only; /* the CPU does not write the buffer */
   bool told;        /* the contents of the buffer are in the file */
   uint64_t zeroed;  /* if device_only: bytes at the start set to zero since the last comparison */
   bool listed;      /* in the buffer list of a submission that may not have ended for the CPU */

   uint8_t *shadow;
   struct sgcap_pending *pending;
   unsigned num_pending, max_pending;
   struct sgcap_race *races;
   unsigned num_races, max_races;
};

/* Records the CPU's writes to the buffer since the last comparison.  Not thread-safe.
 * Calls `wait` to wait for a submission.  Sets the writer's error if memory runs out.
 */
void sgcap_bo_compare(struct sgcap_bo *b, struct sgcap_writer *w,
                      void (*wait)(void *data, struct sgpu_queue *queue, uint64_t seqno),
                      void *data);
/* Adds a range that the submission writes.  Returns false if out of memory. */
bool sgcap_bo_add_pending(struct sgcap_bo *b, uint64_t begin, uint64_t end,
                          struct sgpu_queue *queue, uint64_t seqno);
/* Must be called before the driver learns that the queue's submissions up to seqno have
 * ended.  If `queue` is NULL, all submissions that write the buffer have ended.
 */
void sgcap_bo_passed(struct sgcap_bo *b, struct sgpu_queue *queue, uint64_t seqno);
/* Starts (`open`) or ends a race; see sgpu_layer_bo_race().  Returns false if out of memory. */
bool sgcap_bo_race(struct sgcap_bo *b, uint64_t begin, uint64_t end, bool open);
/* Creates the shadow of an idle buffer that the CPU will write.  Returns false on failure. */
bool sgcap_bo_take_shadow(struct sgcap_bo *b);
/* Frees the shadow of a buffer that the CPU no longer writes. */
void sgcap_bo_drop_shadow(struct sgcap_bo *b);
/* Clears the members that describe the buffer in the current file. */
void sgcap_bo_reset(struct sgcap_bo *b);

#endif
