/* SPDX-License-Identifier: MIT */
/*
 * Observers: what the device does, as records (sgpu_events.py, sgpu_events.h).
 *
 * Records come in chunks.  A chunk belongs to an operation; its key says where, in words
 * that do not depend on threads, policy or shuffle.  Chunks with different keys come in any
 * order, from any thread of the device.
 *
 *    chunk         records                    its operation's
 *    BATCH         PRIMITIVE                  batch
 *    TILE          BLOCK, VALUES              batch and tile
 *    OPERATION     OPERATION, REGION          last chunk
 *    WARPS_BATCH   WARP and those behind it   batch: its vertex, tessellation, geometry warps
 *    WARPS_TILE    likewise                   batch and tile: its pixel warps
 *    WARPS_GROUPS  likewise                   workgroups of a grid
 *
 * Observation changes neither results nor the counters of work.  A device with an observer
 * of more than operations, or of work, runs the engines of the lowest host level, compiled with
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

/* Each class has what those before it have. */
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
   uint64_t submission;    /* of the device, from 0, in the order of sgpu_queue_submit */
   uint32_t operation;     /* in the submission, from 0, in the order of its packets */
   uint32_t batch, part;   /* of the draw; of the batch, where tessellation makes several of
                            * it: from 0 */
   uint16_t tx, ty, layer; /* the tile, in tiles of 64x64 pixels */
   uint64_t group;         /* WARPS_GROUPS: the first workgroup */
   const uint32_t *words;  /* records; valid during the call */
   uint64_t num_words;
};

/* First words of every record. */
struct sgpu_event_head {
   uint8_t type;   /* enum sgpu_event */
   uint8_t flags;  /* SGPU_EVENT_<TYPE>_<FLAG> */
   uint16_t words; /* of the record, this one included */
};

/* Functions are called with locks of the device held.  They must return soon and must not
 * call the device.  Any may be NULL.
 */
struct sgpu_observer {
   enum sgpu_observe classes;
   bool work; /* what programs do, beside any class: chunks of warps, and `program` */
   void *data;
   /* In the thread of sgpu_queue_submit, before it returns. */
   void (*submitted)(void *data, uint64_t submission);
   /* All chunks of the submission's `operations` operations were handed over.  draws: draw
    * packets that were read.
    */
   void (*ended)(void *data, uint64_t submission, uint32_t operations, uint32_t draws);
   void (*chunk)(void *data, const struct sgpu_chunk *chunk);
   /* Once for each state of draws and each transfer of a submission, before the first OPERATION
    * record that names it: `number` from 1 on, in no fixed order.  One of `state` and `xfer` is
    * not NULL, valid during the call, for the functions of sgpu_shadow.h.
    */
   void (*state)(void *data, uint64_t submission, uint32_t number, const struct sgd_state *state,
                 const struct sgd_xfer *xfer);
   /* With `work`: once for each program that the device decodes, before the first WARP record
    * that has its key; again if it has meanwhile left the device.  The program has passed
    * sgpu_program_gather and is valid during the call.
    */
   void (*program)(void *data, uint64_t key, const struct sgpu_program *program);
   /* The observer has too much that it has not worked off: command processors make no more
    * than one operation of a queue at a time.
    */
   bool (*full)(void *data);
   /* A timestamp of the stream, in any order; `value` is what its memory has.  Returns what it is
    * to have.  NULL: the time of the host.
    */
   uint64_t (*timestamp)(void *data, uint64_t submission, uint32_t packet, uint64_t value);
};

/* Prints a record to a FILE, of `left` words in its chunk.  Returns the record's words; 0: it
 * is not a record.
 */
unsigned sgpu_event_print(void *file, const uint32_t *record, uint64_t left);

#ifdef __cplusplus
}
#endif
#endif
