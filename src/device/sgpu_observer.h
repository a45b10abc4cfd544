/* SPDX-License-Identifier: MIT */
/*
 * Observers get records of everything that the device executes (sgpu_events.py, sgpu_events.h).
 *
 * Records are passed in chunks. Each chunk belongs to an operation, and has a key for the part of
 * the operation that its records describe. The key doesn't depend on the number of threads, the
 * dispatch policy or the shuffle seed. Chunks can arrive in any order and on any thread of the
 * device.
 *
 *    chunk         records                    part of the operation
 *    BATCH         PRIMITIVE                  batch
 *    TILE          BLOCK, VALUES              tile of a batch
 *    OPERATION     OPERATION, REGION          whole operation; always the last chunk
 *    WARPS_BATCH   WARP and its records       vertex, tessellation and geometry warps of a batch
 *    WARPS_TILE    WARP and its records       pixel warps of a tile of a batch
 *    WARPS_GROUPS  WARP and its records       workgroups of a grid
 *
 * An observer changes neither results nor work counters. If `work` is set, or `classes` includes
 * more than OPERATIONS, the device uses engines that were compiled with support for observers, for
 * the lowest host level. It then shades fragments in program order.
 */
#ifndef SGPU_OBSERVER_H
#define SGPU_OBSERVER_H

#include <stdbool.h>
#include <stdint.h>

#include "sgpu_events.h"

#ifdef __cplusplus
extern "C" {
#endif

struct sgd_state;
struct sgd_xfer;
struct sgpu_program;

/* Kinds of records to collect. Each value includes all the values above it. */
enum sgpu_observe {
   SGPU_OBSERVE_OPERATIONS,
   SGPU_OBSERVE_PRIMITIVES,
   SGPU_OBSERVE_COVERAGE,
   SGPU_OBSERVE_VALUES,
};

enum sgpu_chunk_kind {
   SGPU_CHUNK_BATCH,
   SGPU_CHUNK_TILE,
   SGPU_CHUNK_OPERATION,
   SGPU_CHUNK_WARPS_BATCH,
   SGPU_CHUNK_WARPS_TILE,
   SGPU_CHUNK_WARPS_GROUPS,
};

struct sgpu_chunk {
   enum sgpu_chunk_kind kind;
   /* index of the submission, in the order of all sgpu_queue_submit() calls for the device */
   uint64_t submission;
   uint32_t operation; /* index of the operation in the submission, in the order of packets */
   /* batch: index of the batch in the draw; part: if tessellation has split the batch, index of the
    * part, and 0 otherwise
    */
   uint32_t batch, part;
   /* tx, ty: position of the tile, in units of 64x64 pixels; layer: layer of the targets */
   uint16_t tx, ty, layer;
   uint64_t group;        /* for WARPS_GROUPS, index of the first workgroup */
   const uint32_t *words; /* the records, which are freed after the call */
   uint64_t num_words;
};

/* Header word of every record. */
struct sgpu_event_head {
   uint8_t type;   /* record type, enum sgpu_event */
   uint8_t flags;  /* record flags, SGPU_EVENT_<TYPE>_<FLAG> */
   uint16_t words; /* length of the record in 32-bit words, including this one */
};

/* Callbacks of an observer, which may be NULL. The device calls them with locks held, so they must
 * return quickly, and must not call functions of the device.
 */
struct sgpu_observer {
   enum sgpu_observe classes;
   bool work; /* also record what programs do: WARPS_* chunks and calls of `program` */
   void *data;
   /* Called by sgpu_queue_submit() for each new submission, on the same thread. */
   void (*submitted)(void *data, uint64_t submission);
   /* Called after the last chunk of a submission. `operations` is the number of its operations, and
    * `draws` is the number of draw packets that were parsed.
    */
   void (*ended)(void *data, uint64_t submission, uint32_t operations, uint32_t draws);
   void (*chunk)(void *data, const struct sgpu_chunk *chunk);
   /* Called for each transfer, and for each state that draws of the submission use. This happens
    * before the first OPERATION record that refers to its ID (`number`). IDs start at 1, but their
    * order isn't defined. One of `state` and `xfer` is NULL. The other pointer is only valid during
    * the call, and can be passed to functions of sgpu_shadow.h.
    */
   void (*state)(void *data, uint64_t submission, uint32_t number, const struct sgd_state *state,
                 const struct sgd_xfer *xfer);
   /* Only used if `work` is set. Called when the device has decoded a program, before any WARP
    * record refers to its key. Called again if the program was evicted from the cache and decoded
    * again. The program has passed sgpu_program_gather(), and is only valid during the call.
    */
   void (*program)(void *data, uint64_t key, const struct sgpu_program *program);
   /* Returns true if the observer can't keep up. Queues then run only one operation at a time. */
   bool (*full)(void *data);
   /* Called for each timestamp that a stream writes, in any order. Returns the value to write;
    * `value` is the old value in memory. If this is NULL, the device writes the current time.
    */
   uint64_t (*timestamp)(void *data, uint64_t submission, uint32_t packet, uint64_t value);
};

/* Prints a record to a FILE. `left` is the number of words from the start of the record to the end
 * of the chunk. Returns the length of the record in words, or 0 if it is invalid.
 */
unsigned sgpu_event_print(void *file, const uint32_t *record, uint64_t left);

#ifdef __cplusplus
}
#endif
#endif
