/* SPDX-License-Identifier: MIT */
/*
 * A buffer as the capture layer knows it: what a replay will have in its
 * memory, so that the CPU's writes can be found and the device's need not be
 * stored.
 *
 * The shadow has what a replay has once all work so far has ended, but for the
 * ranges that submissions under way write ("pending").  These are left out of
 * comparisons, and taken over from memory as they are before the driver is
 * told that the submission has ended: until then the CPU does not write them.
 * Where it may all the same ("races": unsynchronized and persistent mappings),
 * the submission is waited for and whatever has changed is recorded.
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
   uint64_t seqno;               /* the device's */
};

struct sgcap_race {
   uint64_t begin, end;
   bool open;                    /* else until the next comparison */
};

struct sgcap_bo {
   struct sgpu_bo *bo;
   uint64_t id;                  /* 0: the file has not got it yet */
   uint64_t address, size;
   const uint8_t *map;
   char label[32];
   bool relabel;                 /* to be told with the next submission */
   bool device_only;             /* the CPU does not write it */
   bool told;                    /* its contents are in the file */
   uint64_t zeroed;              /* device_only: bytes set to zero since */
   bool listed;                  /* by a submission that the CPU may not know the end of */

   uint8_t *shadow;
   struct sgcap_pending *pending;
   unsigned num_pending, max_pending;
   struct sgcap_race *races;
   unsigned num_races, max_races;
};

/* Records what the CPU has written; not for two threads at once.  `wait` is called
 * for a submission that has to be waited for.  Without memory the writer gets an error.
 */
void sgcap_bo_compare(struct sgcap_bo *b, struct sgcap_writer *w,
                      void (*wait)(void *data, struct sgpu_queue *queue, uint64_t seqno),
                      void *data);
/* A submission writes the range. */
bool sgcap_bo_add_pending(struct sgcap_bo *b, uint64_t begin, uint64_t end,
                          struct sgpu_queue *queue, uint64_t seqno);
/* The driver will be told that the queue's submissions up to seqno have ended;
 * queue NULL: all.
 */
void sgcap_bo_passed(struct sgcap_bo *b, struct sgpu_queue *queue, uint64_t seqno);
/* See sgpu_layer_bo_race. */
bool sgcap_bo_race(struct sgcap_bo *b, uint64_t begin, uint64_t end, bool open);
/* From now on it is written by the CPU, too; it is idle. */
bool sgcap_bo_take_shadow(struct sgcap_bo *b);
/* From now on it is not. */
void sgcap_bo_drop_shadow(struct sgcap_bo *b);
/* Forgets what belongs to the file. */
void sgcap_bo_reset(struct sgcap_bo *b);

#endif
