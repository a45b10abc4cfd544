/* SPDX-License-Identifier: MIT */
/*
 * A capture's records on a device: its buffers at their addresses, its queues,
 * its waits.  Commands decide what becomes of submissions.
 */
#ifndef CAP_PLAYER_H
#define CAP_PLAYER_H

#include <stdbool.h>
#include <stdint.h>

#include "sgcap_reader.h"
#include "sgpu_device.h"

struct cap_bo {
   struct sgpu_bo *bo;        /* NULL: destroyed */
   uint64_t id, address, size;
   uint32_t ordinal;          /* among the capture's buffers */
   char label[32];
   bool written;              /* by DATA or ZERO; commands may clear it */
};

struct cap_queue {
   struct sgpu_queue *queue;  /* NULL: destroyed */
   uint64_t id;
   uint32_t ordinal;
   uint64_t last;             /* the capture's latest submission */
   uint64_t *seqnos;          /* the device's, by the capture's */
   uint64_t num_seqnos, max_seqnos;
   uint64_t open_slots;       /* queries that count */
   uint32_t slot_types[64];
};

enum cap_object_kind { CAP_BO = 1, CAP_QUEUE };

struct cap_object {
   enum cap_object_kind kind;
   union {
      struct cap_bo bo;
      struct cap_queue queue;
   } u;
};

struct cap_player {
   struct sgcap_reader *reader;
   struct sgpu_device *dev;
   struct cap_object *objects;   /* by id - 1 */
   uint64_t num_objects, max_objects;
   uint32_t num_bos, num_queues;
   struct cap_bo **sorted;       /* live buffers by address; NULL: to be made */
   uint64_t num_sorted;

   struct sgcap_device made_on;  /* the capture's */
   char program[256];
   uint64_t frame;               /* the process' */
   uint64_t submissions;         /* records read */
   uint64_t bytes, max_bytes;    /* of all buffers: a file that says more is refused */
   bool executes;                /* waits and submits; else memory alone */

   /* For streams and pictures of the tool's own; memory behind all else. */
   struct sgpu_queue *queue;
   struct sgpu_bo *scratch;
   uint64_t scratch_size;
};

/* False with a message on stderr.  `executes`: submissions will be made. */
bool cap_player_open(struct cap_player *p, const char *path,
                     const struct sgpu_device_params *params, bool executes);
bool cap_player_open_memory(struct cap_player *p, const void *data, size_t size,
                            const struct sgpu_device_params *params, bool executes);
void cap_player_close(struct cap_player *p);

/* The next record, carried out but for SUBMIT (and PRESENT, FRAME, which do
 * nothing).  False at the end or at an error: sgcap_error(p->reader).
 */
bool cap_player_next(struct cap_player *p, struct sgcap_record *rec);

/* Carries out a record that was read before: the error is about the reader's
 * latest all the same.
 */
bool cap_player_perform(struct cap_player *p, const struct sgcap_record *rec);
/* Back to where no record was carried out. */
void cap_player_reset(struct cap_player *p);

/* The reader's error is this text; returns false. */
bool cap_player_fail(struct cap_player *p, const char *text);
/* NULL where there is none, or none of the kind; it may be destroyed. */
struct cap_object *cap_player_object(struct cap_player *p, uint64_t id,
                                     enum cap_object_kind kind);
/* NULL where there is none. */
struct cap_bo *cap_player_bo(struct cap_player *p, uint64_t id);
struct cap_queue *cap_player_queue(struct cap_player *p, uint64_t id);
/* Until all that was submitted has ended. */
void cap_player_wait(struct cap_player *p);

/* cap_memory.c */
/* The live buffer that has the bytes; NULL where there is none. */
struct cap_bo *cap_player_find(struct cap_player *p, uint64_t address, uint64_t size);
/* The memory of `size` bytes in buffers; NULL where there is none. */
void *cap_player_memory(struct cap_player *p, uint64_t address, uint64_t size);
/* "vertices#12+0x40" */
bool cap_player_name(struct cap_player *p, uint64_t address, char *text, size_t size);

/* cap_submit.c */
/* The words of a SUBMIT record's stream, whole; NULL with an error set where its
 * list names a buffer that is not there, they are in none of it, or their packets
 * have another layout.
 */
const uint32_t *cap_player_stream(struct cap_player *p, const struct sgcap_record *rec);

/* Submits as the capture did. */
bool cap_player_submit(struct cap_player *p, const struct sgcap_record *rec);
/* Submits other words with the record's queue, buffers and fences, and waits
 * for their end.
 */
bool cap_player_submit_words(struct cap_player *p, const struct sgcap_record *rec,
                             const uint32_t *words, uint32_t count);
/* The same on another queue of the capture's, with one buffer more. */
bool cap_player_submit_to(struct cap_player *p, const struct sgcap_record *rec, uint64_t queue,
                          const uint32_t *words, uint32_t count, struct sgpu_bo *extra);
/* The same for words of the tool's own, with more buffers, on a queue of its own:
 * the capture's queries do not count them.  What they use has ended before.
 * False where the device refuses them; the capture's queues go on.
 */
#define CAP_MAX_EXTRA 3
bool cap_player_run(struct cap_player *p, const struct sgcap_record *rec, const uint32_t *words,
                    uint32_t count, struct sgpu_bo *const *extra, unsigned num_extra);
/* The record's submission is over, whatever was done for it. */
bool cap_player_submitted(struct cap_player *p, const struct sgcap_record *rec, uint64_t seqno);
/* Waits for all queues.  A device's error becomes the reader's. */
bool cap_player_finish(struct cap_player *p, const struct sgcap_record *rec);

/* cap_memory.c */
/* A buffer of the tool's own, at the end of the address space: the capture's
 * buffers begin low.  NULL without memory.
 */
struct sgpu_bo *cap_player_own_bo(struct cap_player *p, uint64_t size, const char *label);
/* Scratch memory of at least `size` bytes, idle; NULL with an error set. */
struct sgpu_bo *cap_player_scratch(struct cap_player *p, uint64_t size);

/* A presented picture: its first row in memory that is up to date, after
 * waiting; NULL with an error set where it is outside of its buffer.
 */
const uint8_t *cap_player_picture(struct cap_player *p, const struct sgcap_record *rec);
uint64_t cap_player_hash(const struct sgcap_record *rec, const uint8_t *rows);

#endif
