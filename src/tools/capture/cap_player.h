/* SPDX-License-Identifier: MIT */
/* Executes the records of a capture on a device: creates queues, creates buffers at their original
 * addresses, writes memory, and waits for submissions.  The submissions themselves are run by the
 * commands.
 */
#ifndef CAP_PLAYER_H
#define CAP_PLAYER_H

#include <stdbool.h>
#include <stdint.h>

#include "sgcap_reader.h"
#include "sgpu_device.h"

struct cap_bo {
   struct sgpu_bo *bo; /* live buffer, or NULL if it has been destroyed */
   uint64_t id, address, size;
   uint32_t ordinal; /* index of the buffer among all buffers of the capture */
   char label[32];   /* label with unprintable characters replaced */
   /* set when a DATA or ZERO record writes to the buffer; commands may clear this flag */
   bool written;
};

struct cap_queue {
   struct sgpu_queue *queue; /* live queue, or NULL if it has been destroyed */
   uint64_t id;
   uint32_t ordinal; /* index of the queue among all queues of the capture */
   /* seqnos[n - 1] is the device's seqno of the submission with seqno n in the capture. */
   uint64_t *seqnos;
   uint64_t num_seqnos, max_seqnos;
   uint64_t open_slots;    /* bitmask of the slots in which QUERY records have begun a query */
   uint8_t slot_types[64]; /* type of the query in each slot (enum sgpu_query_type) */
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
   struct cap_object *objects; /* buffers and queues, indexed by ID - 1 */
   uint64_t num_objects, max_objects;
   uint32_t num_bos, num_queues, live_queues;
   /* live buffers sorted by address; NULL until the first cap_player_find() */
   struct cap_bo **sorted;
   uint64_t num_sorted;

   struct sgcap_device made_on; /* parameters of the device on which the capture was made */
   char program[256];           /* printable name of the captured program */
   uint64_t frame;              /* number that the current frame had in the captured process */
   uint64_t submissions;        /* number of SUBMIT records read */
   /* bytes: total size of all live buffers in bytes; max_bytes: limit for this size */
   uint64_t bytes, max_bytes;
   /* true to run submissions and wait for them, false to only write memory */
   bool executes;

   /* Queue and scratch memory for command streams that the tool itself creates. */
   struct sgpu_queue *queue;
   struct sgpu_bo *scratch;
   uint64_t scratch_size;
};

/* Opens a capture and creates a device.  `executes` must be true to run submissions.  On failure,
 * prints a message to stderr and returns false. cap_player_open_memory() prints no message if the
 * capture is invalid.
 */
bool cap_player_open(struct cap_player *p, const char *path,
                     const struct sgpu_device_params *params, bool executes);
bool cap_player_open_memory(struct cap_player *p, const void *data, size_t size,
                            const struct sgpu_device_params *params, bool executes);
void cap_player_close(struct cap_player *p);

/* Reads the next record and executes it, except for SUBMIT records, which the caller must run.
 * Returns false at the end of the capture or after an error, see sgcap_error(p->reader).
 */
bool cap_player_next(struct cap_player *p, struct sgcap_record *rec);

/* Executes a record that was read earlier.  Error messages refer to the record that was read last.
 */
bool cap_player_perform(struct cap_player *p, const struct sgcap_record *rec);
/* Destroys all buffers and queues.  This is the state before the first record. */
void cap_player_reset(struct cap_player *p);

/* Sets the reader's error and returns false. */
bool cap_player_fail(struct cap_player *p, const char *text);
/* Returns the object with this ID and kind, even if it has been destroyed, or NULL if there is
 * none.
 */
struct cap_object *cap_player_object(struct cap_player *p, uint64_t id, enum cap_object_kind kind);
/* Return the live buffer or queue with this ID, or NULL if there is none. */
struct cap_bo *cap_player_bo(struct cap_player *p, uint64_t id);
struct cap_queue *cap_player_queue(struct cap_player *p, uint64_t id);
/* Waits until all submissions have ended. */
void cap_player_wait(struct cap_player *p);

/* Functions of cap_memory.c */
/* Returns the live buffer that contains the address range, or NULL if there is none. */
struct cap_bo *cap_player_find(struct cap_player *p, uint64_t address, uint64_t size);
/* Returns a CPU pointer to an address range, or NULL if the range is not inside a single buffer. */
void *cap_player_memory(struct cap_player *p, uint64_t address, uint64_t size);
/* Writes a name for an address to `text`, e.g.  "vertices#12+0x40".  Returns false if no buffer
 * contains the address.
 */
bool cap_player_name(struct cap_player *p, uint64_t address, char *text, size_t size);

/* Functions of cap_submit.c */
/* Returns the command stream of a SUBMIT record.  Sets an error and returns NULL if the record
 * lists a missing buffer, if no listed buffer contains the whole stream, or if this tool does not
 * support the layout of the packets.
 */
const uint32_t *cap_player_stream(struct cap_player *p, const struct sgcap_record *rec);

/* Submits the command stream of a SUBMIT record in the same way as the captured program. */
bool cap_player_submit(struct cap_player *p, const struct sgcap_record *rec);
/* Submits a different command stream with the queue, buffers and fences of the record, and waits
 * until it has run.
 */
bool cap_player_submit_words(struct cap_player *p, const struct sgcap_record *rec,
                             const uint32_t *words, uint32_t count);
/* Like cap_player_submit_words(), but submits to a different queue, with one additional buffer. */
bool cap_player_submit_to(struct cap_player *p, const struct sgcap_record *rec, uint64_t queue,
                          const uint32_t *words, uint32_t count, struct sgpu_bo *extra);
/* Like cap_player_submit_words(), but submits to the tool's queue, with additional buffers.
 * Queries of the capture don't count work on this queue.  Earlier work that uses the same memory
 * must have ended.  Returns false if the device reports an error; the queues of the capture can
 * still be used in this case.
 */
#define CAP_MAX_EXTRA 3
bool cap_player_run(struct cap_player *p, const struct sgcap_record *rec, const uint32_t *words,
                    uint32_t count, struct sgpu_bo *const *extra, unsigned num_extra);
/* Must be called once for each SUBMIT record, after the caller has submitted its work.  `seqno` is
 * the device's seqno of the submission, or 0 if the work has already ended or was not run.
 */
bool cap_player_submitted(struct cap_player *p, const struct sgcap_record *rec, uint64_t seqno);
/* Waits for all queues of the capture.  Returns false if the device reports an error. */
bool cap_player_finish(struct cap_player *p, const struct sgcap_record *rec);

/* Functions of cap_memory.c */
/* Creates a buffer at the end of the address space.  Returns NULL on allocation failure. */
struct sgpu_bo *cap_player_own_bo(struct cap_player *p, uint64_t size, const char *label);
/* Returns an idle scratch buffer of at least `size` bytes.  On failure, sets an error and returns
 * NULL.
 */
struct sgpu_bo *cap_player_scratch(struct cap_player *p, uint64_t size);

/* Waits until the picture of a PRESENT record is complete, and returns a pointer to its first row.
 * If the picture is invalid or outside its buffer, sets an error and returns NULL.
 */
const uint8_t *cap_player_picture(struct cap_player *p, const struct sgcap_record *rec);
/* Returns the hash of a picture's rows, computed in the same way as the hash in a PRESENT record.
 */
uint64_t cap_player_hash(const struct sgcap_record *rec, const uint8_t *rows);

#endif
