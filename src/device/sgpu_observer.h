/* SPDX-License-Identifier: MIT */
/*
 * Observers: records of the work that the device does (sgpu_events.py, sgpu_events.h).
 *
 * Records are passed in chunks. A chunk belongs to an operation. Its key identifies the part of the
 * operation that it describes, and does not depend on threads, policy or shuffle. Chunks with
 * different keys come in any order, from any thread of the device.
 *
 *    chunk         records                    part of the operation
 *    BATCH         PRIMITIVE                  batch
 *    TILE          BLOCK, VALUES              batch and tile
 *    OPERATION     OPERATION, REGION          last chunk
 *    WARPS_BATCH   WARP and its records       batch: its vertex, tessellation, geometry warps
 *    WARPS_TILE    as above                   batch and tile: its pixel warps
 *    WARPS_GROUPS  as above                   workgroups of a grid
 *
 * Observation changes neither results nor the counters of work. If the observer requests more than
 * operations, or work, the device uses engines of the lowest host level that are compiled with
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

/* Classes of records. Each class includes the classes before it. */
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
   uint64_t submission;    /* number of the submission on the device, from 0, in the order of
                            * sgpu_queue_submit() */
   uint32_t operation;     /* number of the operation in the submission, from 0, in packet order */
   uint32_t batch, part;   /* number of the batch in the draw; number of the part of the batch, from
                            * 0, if tessellation makes several parts */
   uint16_t tx, ty, layer; /* coordinates of the tile, in tiles of 64x64 pixels */
   uint64_t group;         /* first workgroup, for WARPS_GROUPS */
   const uint32_t *words;  /* records; valid during the call */
   uint64_t num_words;
};

/* First word of every record. */
struct sgpu_event_head {
   uint8_t type;   /* type of the record, enum sgpu_event */
   uint8_t flags;  /* flags of the record, SGPU_EVENT_<TYPE>_<FLAG> */
   uint16_t words; /* length of the record, including this word */
};

/* Functions of the observer. The device calls them with locks held, so they must return
 * soon and must not call the device. Each may be NULL.
 */
struct sgpu_observer {
   enum sgpu_observe classes;
   bool work; /* also report what programs do: chunks of warps, and `program` */
   void *data;
   /* Called in the thread of sgpu_queue_submit(), before that returns. */
   void (*submitted)(void *data, uint64_t submission);
   /* All chunks of the submission's `operations` operations have been passed. `draws` is
    * the number of draw packets that were read.
    */
   void (*ended)(void *data, uint64_t submission, uint32_t operations, uint32_t draws);
   void (*chunk)(void *data, const struct sgpu_chunk *chunk);
   /* Called once for each state of draws and each transfer of a submission, before the
    * first OPERATION record that names it. Values of `number` start at 1 and have no
    * fixed order. Either `state` or `xfer` is not NULL; it is valid during the call, for
    * the functions of sgpu_shadow.h.
    */
   void (*state)(void *data, uint64_t submission, uint32_t number, const struct sgd_state *state,
                 const struct sgd_xfer *xfer);
   /* With `work`: called once for each program that the device decodes, before the first
    * WARP record with its key, and again if the program has left the device in the
    * meantime. The program has passed sgpu_program_gather() and is valid during the call.
    */
   void (*program)(void *data, uint64_t key, const struct sgpu_program *program);
   /* Returns true if the observer has too much unprocessed work. Command processors then
    * make only one operation of a queue at a time.
    */
   bool (*full)(void *data);
   /* Called for each timestamp of the stream, in any order. `value` is the current value
    * in memory. Returns the value to store. If the function is NULL, the device stores
    * the time of the host.
    */
   uint64_t (*timestamp)(void *data, uint64_t submission, uint32_t packet, uint64_t value);
};

/* Prints a record to a FILE. `left` is the number of words that remain in its chunk.
 * Returns the length of the record in words, or 0 if it is not a record.
 */
unsigned sgpu_event_print(void *file, const uint32_t *record, uint64_t left);

#ifdef __cplusplus
}
#endif
#endif
