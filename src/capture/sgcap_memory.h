/* SPDX-License-Identifier: MIT */
/* The capture layer's copy ("shadow") of a buffer.  The shadow has the contents that the buffer has
 * at the same point of a replay.  Comparing the shadow with the buffer detects the CPU's writes;
 * the device's writes are not recorded.
 *
 * The shadow is up to date except for "pending" ranges, which submissions in progress write.
 * Comparisons skip pending ranges.  The CPU does not write to a pending range before the driver is
 * notified that the submission has ended.  Just before the notification, the layer copies the range
 * from the buffer to the shadow.  With a "race" (an unsynchronized or persistent mapping), the CPU
 * may write to a pending range earlier.  The layer then waits for the submission and records all
 * changes.
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
   uint64_t seqno; /* seqno of the submission on `queue` */
};

/* A byte range that the CPU may write to without waiting for submissions. */
struct sgcap_race {
   uint64_t begin, end;
   bool open; /* cleared when the range is unmapped; the next comparison then removes the race */
};

struct sgcap_bo {
   struct sgpu_bo *bo;
   uint64_t id; /* buffer ID in the capture file, or 0 if the buffer is not in the file yet */
   uint64_t address, size;
   const uint8_t *map;
   char label[32];
   bool relabel; /* set if the label has changed and must be recorded with the next submission */
   bool device_only; /* set if the CPU does not write to the buffer */
   bool told;        /* set if the contents of the buffer have been written to the file */
   /* number of bytes at the start of a device_only buffer that were cleared since the last
    * comparison
    */
   uint64_t zeroed;
   /* set if a submission lists the buffer, until the CPU is notified that the submission has ended
    */
   bool listed;

   uint8_t *shadow;
   struct sgcap_pending *pending;
   unsigned num_pending, max_pending;
   struct sgcap_race *races;
   unsigned num_races, max_races;
};

/* Records the CPU's writes to the buffer since the last comparison.  Calls `wait` if it must wait
 * for a submission.  Sets the writer's error on allocation failure.  Not thread-safe.
 */
void sgcap_bo_compare(struct sgcap_bo *b, struct sgcap_writer *w,
                      void (*wait)(void *data, struct sgpu_queue *queue, uint64_t seqno),
                      void *data);
/* Marks the range as pending until submission `seqno` of the queue has ended.  Returns false on
 * allocation failure.
 */
bool sgcap_bo_add_pending(struct sgcap_bo *b, uint64_t begin, uint64_t end,
                          struct sgpu_queue *queue, uint64_t seqno);
/* Must be called before the driver is notified that the queue's submissions up to seqno have
 * ended.  If `queue` is NULL, all submissions that write to the buffer have ended.
 */
void sgcap_bo_passed(struct sgcap_bo *b, struct sgpu_queue *queue, uint64_t seqno);
/* Starts a race if `open` is true, and ends it otherwise.  See sgpu_layer_bo_race().  Returns false
 * on allocation failure.
 */
bool sgcap_bo_race(struct sgcap_bo *b, uint64_t begin, uint64_t end, bool open);
/* Creates the shadow of an idle buffer before the CPU writes to the buffer.  Returns false on
 * failure.
 */
bool sgcap_bo_take_shadow(struct sgcap_bo *b);
/* Frees the shadow of a buffer that the CPU no longer writes to. */
void sgcap_bo_drop_shadow(struct sgcap_bo *b);
/* Resets the members that refer to the current capture file. */
void sgcap_bo_reset(struct sgcap_bo *b);

#endif
