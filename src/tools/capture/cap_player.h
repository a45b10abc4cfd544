/* SPDX-License-Identifier: MIT */
/*
 * Carries out a capture's records on a device: buffers at their addresses, queues,
 * waits.  The commands run submissions themselves.
 */
#ifndef CAP_PLAYER_H
#define CAP_PLAYER_H

#include <stdbool.h>
#include <stdint.h>

#include "sgcap_reader.h"
#include "sgpu_device.h"

struct cap_bo {
   struct sgpu_bo *bo; /* NULL: destroyed */
   uint64_t id, address, size;
   uint32_t ordinal; /* number among the capture's buffers */
   char label[32];   /* printable */
   bool written;     /* by DATA or ZERO; commands may clear it */
};

struct cap_queue {
   struct sgpu_queue *queue; /* NULL: destroyed */
   uint64_t id;
   uint32_t ordinal;
   uint64_t last;    /* the capture's latest submission */
   uint64_t *seqnos; /* the device's, by the capture's */
   uint64_t num_seqnos, max_seqnos;
   uint64_t open_slots;    /* slots of open queries */
   uint8_t slot_types[64]; /* enum sgpu_query_type */
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
   struct cap_object *objects; /* by id - 1 */
   uint64_t num_objects, max_objects;
   uint32_t num_bos, num_queues, live_queues;
   struct cap_bo **sorted; /* live buffers by address; NULL: rebuild */
   uint64_t num_sorted;

   struct sgcap_device made_on; /* the capture's */
   char program[256];           /* printable */
   uint64_t frame;              /* of the process */
   uint64_t submissions;        /* records read */
   uint64_t bytes, max_bytes;   /* of all buffers; max_bytes is the limit */
   bool executes;               /* false: only memory, no waits and submissions */

   /* For the tool's streams and pictures, after the capture's memory. */
   struct sgpu_queue *queue;
   struct sgpu_bo *scratch;
   uint64_t scratch_size;
};

/* False, with a message on stderr, on failure.  `executes`: submissions will run. */
bool cap_player_open(struct cap_player *p, const char *path,
                     const struct sgpu_device_params *params, bool executes);
bool cap_player_open_memory(struct cap_player *p, const void *data, size_t size,
                            const struct sgpu_device_params *params, bool executes);
void cap_player_close(struct cap_player *p);

/* Reads the next record and carries it out, except SUBMIT (PRESENT and FRAME do
 * nothing).  False at the end or after an error: sgcap_error(p->reader).
 */
bool cap_player_next(struct cap_player *p, struct sgcap_record *rec);

/* Carries out a record that was read earlier.  Errors name the reader's latest record.
 */
bool cap_player_perform(struct cap_player *p, const struct sgcap_record *rec);
/* Resets the state to that before the first record. */
void cap_player_reset(struct cap_player *p);

/* Sets the reader's error; returns false. */
bool cap_player_fail(struct cap_player *p, const char *text);
/* NULL if there is none of the kind; the object may have been destroyed. */
struct cap_object *cap_player_object(struct cap_player *p, uint64_t id, enum cap_object_kind kind);
/* NULL if there is none. */
struct cap_bo *cap_player_bo(struct cap_player *p, uint64_t id);
struct cap_queue *cap_player_queue(struct cap_player *p, uint64_t id);
/* Waits until all submissions have ended. */
void cap_player_wait(struct cap_player *p);

/* cap_memory.c */
/* The live buffer with these bytes, or NULL. */
struct cap_bo *cap_player_find(struct cap_player *p, uint64_t address, uint64_t size);
/* The memory of `size` bytes in a buffer, or NULL. */
void *cap_player_memory(struct cap_player *p, uint64_t address, uint64_t size);
/* "vertices#12+0x40" */
bool cap_player_name(struct cap_player *p, uint64_t address, char *text, size_t size);

/* cap_submit.c */
/* The words of a SUBMIT record's stream.  NULL, with an error set, if its list names a
 * missing buffer, no buffer of the list has all words, or the packets have another
 * layout.
 */
const uint32_t *cap_player_stream(struct cap_player *p, const struct sgcap_record *rec);

/* Submits as the capture did. */
bool cap_player_submit(struct cap_player *p, const struct sgcap_record *rec);
/* Submits other words with the record's queue, buffers and fences, and waits until
 * they have ended.
 */
bool cap_player_submit_words(struct cap_player *p, const struct sgcap_record *rec,
                             const uint32_t *words, uint32_t count);
/* The same on another queue of the capture, with one more buffer. */
bool cap_player_submit_to(struct cap_player *p, const struct sgcap_record *rec, uint64_t queue,
                          const uint32_t *words, uint32_t count, struct sgpu_bo *extra);
/* The same for words of the tool, with more buffers, on the tool's own queue, so that
 * the capture's queries do not count them.  Earlier work on their memory must have
 * ended.  False if the device refuses them; the capture's queues stay usable.
 */
#define CAP_MAX_EXTRA 3
bool cap_player_run(struct cap_player *p, const struct sgcap_record *rec, const uint32_t *words,
                    uint32_t count, struct sgpu_bo *const *extra, unsigned num_extra);
/* Notes that the record's submission has ended, however it was run. */
bool cap_player_submitted(struct cap_player *p, const struct sgcap_record *rec, uint64_t seqno);
/* Waits for all queues.  An error of the device becomes the reader's error. */
bool cap_player_finish(struct cap_player *p, const struct sgcap_record *rec);

/* cap_memory.c */
/* Creates a buffer for the tool at the end of the address space, far from the
 * capture's buffers.  NULL if out of memory.
 */
struct sgpu_bo *cap_player_own_bo(struct cap_player *p, uint64_t size, const char *label);
/* Scratch memory of at least `size` bytes, idle; NULL with an error set. */
struct sgpu_bo *cap_player_scratch(struct cap_player *p, uint64_t size);

/* Waits and returns the first row of a presented picture; NULL, with an error set, if
 * the picture is outside its buffer.
 */
const uint8_t *cap_player_picture(struct cap_player *p, const struct sgcap_record *rec);
uint64_t cap_player_hash(const struct sgcap_record *rec, const uint8_t *rows);

#endif
