/* SPDX-License-Identifier: MIT */
/*
 * Carries out the records of a capture on a device: creates queues, and buffers at their
 * addresses, writes memory, and waits.  The commands run the submissions themselves.
 */
#ifndef CAP_PLAYER_H
#define CAP_PLAYER_H

#include <stdbool.h>
#include <stdint.h>

#include "sgcap_reader.h"
#include "sgpu_device.h"

struct cap_bo {
   struct sgpu_bo *bo; /* NULL if destroyed */
   uint64_t id, address, size;
   uint32_t ordinal; /* number of the buffer among all buffers of the capture, from 0 */
   char label[32];   /* label, with unprintable characters replaced */
   bool written;     /* a DATA or ZERO record has written the buffer; commands may clear this */
};

struct cap_queue {
   struct sgpu_queue *queue; /* NULL if destroyed */
   uint64_t id;
   uint32_t ordinal; /* number of the queue among all queues of the capture, from 0 */
   /* seqnos[n - 1] is the device's seqno of the submission that has seqno n in the capture. */
   uint64_t *seqnos;
   uint64_t num_seqnos, max_seqnos;
   uint64_t open_slots;    /* bit mask of the slots that QUERY records have opened */
   uint8_t slot_types[64]; /* enum sgpu_query_type of the query in each slot */
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
   struct cap_object *objects; /* buffers and queues, indexed by id - 1 */
   uint64_t num_objects, max_objects;
   uint32_t num_bos, num_queues, live_queues;
   struct cap_bo **sorted; /* live buffers, sorted by address; NULL until cap_player_find() */
   uint64_t num_sorted;

   struct sgcap_device made_on; /* parameters of the device that the capture was made on */
   char program[256];           /* name of the captured program, printable */
   uint64_t frame;              /* number of the current frame in the captured process */
   uint64_t submissions;        /* number of SUBMIT records read */
   uint64_t bytes, max_bytes;   /* size of all live buffers, and its limit, in bytes */
   bool executes;               /* if false, only memory is written: no submissions or waits */

   /* The tool's own queue and scratch memory, for its command streams. */
   struct sgpu_queue *queue;
   struct sgpu_bo *scratch;
   uint64_t scratch_size;
};

/* Opens a capture and creates a device.  `executes` must be set to run submissions.  Returns
 * false on failure, with a message on stderr, except for an invalid capture in memory.
 */
bool cap_player_open(struct cap_player *p, const char *path,
                     const struct sgpu_device_params *params, bool executes);
bool cap_player_open_memory(struct cap_player *p, const void *data, size_t size,
                            const struct sgpu_device_params *params, bool executes);
void cap_player_close(struct cap_player *p);

/* Reads the next record and carries it out.  SUBMIT records are only counted; the caller
 * runs them.  Returns false at the end or after an error, see sgcap_error(p->reader).
 */
bool cap_player_next(struct cap_player *p, struct sgcap_record *rec);

/* Carries out a record that was read earlier.  Errors name the latest record that was read. */
bool cap_player_perform(struct cap_player *p, const struct sgcap_record *rec);
/* Destroys all buffers and queues, as before the first record. */
void cap_player_reset(struct cap_player *p);

/* Sets the reader's error and returns false. */
bool cap_player_fail(struct cap_player *p, const char *text);
/* Returns the object with the id and kind, which may have been destroyed, or NULL. */
struct cap_object *cap_player_object(struct cap_player *p, uint64_t id, enum cap_object_kind kind);
/* Return the live buffer or queue with the id, or NULL. */
struct cap_bo *cap_player_bo(struct cap_player *p, uint64_t id);
struct cap_queue *cap_player_queue(struct cap_player *p, uint64_t id);
/* Waits until all submissions have ended. */
void cap_player_wait(struct cap_player *p);

/* Functions of cap_memory.c. */
/* Returns the live buffer that contains the address range, or NULL. */
struct cap_bo *cap_player_find(struct cap_player *p, uint64_t address, uint64_t size);
/* Returns the CPU's pointer to an address range within one buffer, or NULL. */
void *cap_player_memory(struct cap_player *p, uint64_t address, uint64_t size);
/* Writes a name like "vertices#12+0x40".  Returns false if no buffer is at the address. */
bool cap_player_name(struct cap_player *p, uint64_t address, char *text, size_t size);

/* Functions of cap_submit.c. */
/* Returns the command stream of a SUBMIT record.  Returns NULL, with an error set, if the
 * record lists a missing buffer, if no listed buffer contains the whole stream, or if this
 * program does not know the layout of its packets.
 */
const uint32_t *cap_player_stream(struct cap_player *p, const struct sgcap_record *rec);

/* Submits the command stream of a SUBMIT record as the captured program did. */
bool cap_player_submit(struct cap_player *p, const struct sgcap_record *rec);
/* Submits other words with the record's queue, buffers and fences, and waits for the end. */
bool cap_player_submit_words(struct cap_player *p, const struct sgcap_record *rec,
                             const uint32_t *words, uint32_t count);
/* Version of cap_player_submit_words() for another queue, with one additional buffer. */
bool cap_player_submit_to(struct cap_player *p, const struct sgcap_record *rec, uint64_t queue,
                          const uint32_t *words, uint32_t count, struct sgpu_bo *extra);
/* Version of cap_player_submit_words() for the tool's own queue, with additional buffers.  The
 * capture's queries do not count work on this queue.  Earlier work that uses the same memory must
 * have ended.  Returns false if the device reports an error; the capture's queues stay usable.
 */
#define CAP_MAX_EXTRA 3
bool cap_player_run(struct cap_player *p, const struct sgcap_record *rec, const uint32_t *words,
                    uint32_t count, struct sgpu_bo *const *extra, unsigned num_extra);
/* Must be called once for each SUBMIT record, after its work was submitted.  `seqno` is the
 * device's seqno of the submission, or 0 if the work has ended or was not run.
 */
bool cap_player_submitted(struct cap_player *p, const struct sgcap_record *rec, uint64_t seqno);
/* Waits for all queues of the capture.  Returns false if the device reports an error. */
bool cap_player_finish(struct cap_player *p, const struct sgcap_record *rec);

/* Functions of cap_memory.c. */
/* Creates a buffer at the end of the address space.  Returns NULL if out of memory. */
struct sgpu_bo *cap_player_own_bo(struct cap_player *p, uint64_t size, const char *label);
/* Returns an idle scratch buffer of at least `size` bytes, or NULL with an error set. */
struct sgpu_bo *cap_player_scratch(struct cap_player *p, uint64_t size);

/* Waits for the buffer of a PRESENT record and returns the first row of the picture.
 * Returns NULL, with an error set, if the picture is invalid or outside its buffer.
 */
const uint8_t *cap_player_picture(struct cap_player *p, const struct sgcap_record *rec);
/* Returns the hash of a picture's rows, computed as in the PRESENT record. */
uint64_t cap_player_hash(const struct sgcap_record *rec, const uint8_t *rows);

#endif
