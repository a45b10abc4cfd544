/* SPDX-License-Identifier: MIT */
/*
 * Observers: records of the work that the device executes (sgpu_events.py, sgpu_events.h).
 *
 * Records are passed in chunks. A chunk belongs to one operation, and has a key that identifies the
 * part of the operation that the records describe. Keys don't depend on the number of threads, the
 * dispatch policy or the shuffle seed. Chunks with different keys arrive in any order, on any
 * thread of the device.
 *
 *    chunk         records                    part of the operation
 *    BATCH         PRIMITIVE                  batch
 *    TILE          BLOCK, VALUES              tile of a batch
 *    OPERATION     OPERATION, REGION          whole operation; always the last chunk
 *    WARPS_BATCH   WARP and its records       vertex, tessellation and geometry warps of a batch
 *    WARPS_TILE    WARP and its records       pixel warps of a tile of a batch
 *    WARPS_GROUPS  WARP and its records       workgroups of a grid
 *
 * Observation changes neither results nor work counters. If `work` is set, or `classes` includes
 * more than OPERATIONS, the device uses engines that are compiled for the lowest host level with
 * observation, and shades in program order.
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

/* Classes of records. Each class includes all classes above it. */
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
   /* 0-based index of the submission on the device, in the order of sgpu_queue_submit() calls */
   uint64_t submission;
   uint32_t operation; /* 0-based index of the operation in the submission, in packet order */
   /* 0-based index of the batch in the draw; 0-based index of the part, if tessellation splits the
    * batch into parts
    */
   uint32_t batch, part;
   uint16_t tx, ty, layer; /* coordinates of the tile, in units of 64x64 pixels */
   uint64_t group;         /* index of the first workgroup, for WARPS_GROUPS */
   const uint32_t *words;  /* records; only valid during the call */
   uint64_t num_words;
};

/* Header word of every record. */
struct sgpu_event_head {
   uint8_t type;   /* record type, enum sgpu_event */
   uint8_t flags;  /* record flags, SGPU_EVENT_<TYPE>_<FLAG> */
   uint16_t words; /* length of the record in words, including this word */
};

/* Callbacks of the observer. The device calls them with locks held, so they must return quickly and
 * must not call back into the device. Each may be NULL.
 */
struct sgpu_observer {
   enum sgpu_observe classes;
   bool work; /* also report what programs do: WARPS_* chunks, and calls of `program` */
   void *data;
   /* Called on the thread that calls sgpu_queue_submit(), before that function returns. */
   void (*submitted)(void *data, uint64_t submission);
   /* Called once all chunks of the submission have been passed. `operations` is the number of its
    * operations. `draws` is the number of draw packets that the command processor has read.
    */
   void (*ended)(void *data, uint64_t submission, uint32_t operations, uint32_t draws);
   void (*chunk)(void *data, const struct sgpu_chunk *chunk);
   /* Called once per submission for each draw state and each transfer, before the first OPERATION
    * record that refers to it. `number` is the ID of the state or transfer. IDs start at 1 and are
    * assigned in no fixed order. Exactly one of `state` and `xfer` is not NULL. The pointer is only
    * valid during the call, for use with the functions of sgpu_shadow.h.
    */
   void (*state)(void *data, uint64_t submission, uint32_t number, const struct sgd_state *state,
                 const struct sgd_xfer *xfer);
   /* If `work` is set: called once for each program that the device decodes, before the first WARP
    * record with its key, and again if the program was evicted from the device in the meantime. The
    * program has passed sgpu_program_gather() and is only valid during the call.
    */
   void (*program)(void *data, uint64_t key, const struct sgpu_program *program);
   /* Returns true if the observer's backlog is too long. Command processors then issue only one
    * operation per queue at a time.
    */
   bool (*full)(void *data);
   /* Called for each timestamp in the stream, in any order. `value` is the current value in memory.
    * Returns the value to store. If the callback is NULL, the device stores the host's time.
    */
   uint64_t (*timestamp)(void *data, uint64_t submission, uint32_t packet, uint64_t value);
};

/* Prints a record to a FILE. `left` is the number of words left in its chunk, starting at the
 * record. Returns the length of the record in words, or 0 if it is malformed.
 */
unsigned sgpu_event_print(void *file, const uint32_t *record, uint64_t left);

#ifdef __cplusplus
}
#endif
#endif
