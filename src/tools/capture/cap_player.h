/* SPDX-License-Identifier: MIT */
/* Executes the records of a capture on a device: creates queues, creates buffers at their original
 * addresses, writes memory, and waits.  The commands run the submissions themselves.
 */
#ifndef CAP_PLAYER_H
#define CAP_PLAYER_H

#include <stdbool.h>
#include <stdint.h>

#include "sgcap_reader.h"
#include "sgpu_device.h"

struct cap_bo {
   struct sgpu_bo *bo; /* NULL if the buffer has been destroyed */
   uint64_t id, address, size;
   uint32_t ordinal; /* index of the buffer among all buffers of the capture */
   char label[32];   /* label with unprintable characters replaced */
   /* a DATA or ZERO record has written to the buffer; commands may clear this flag */
   bool written;
};

struct cap_queue {
   struct sgpu_queue *queue; /* NULL if the queue has been destroyed */
   uint64_t id;
   uint32_t ordinal; /* index of the queue among all queues of the capture */
   /* seqnos[n - 1] is the device's seqno of the submission with seqno n in the capture. */
   uint64_t *seqnos;
   uint64_t num_seqnos, max_seqnos;
   uint64_t open_slots;    /* bitmask of the slots in which QUERY records have begun a query */
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
   struct cap_object *objects; /* buffers and queues, indexed by ID - 1 */
   uint64_t num_objects, max_objects;
   uint32_t num_bos, num_queues, live_queues;
   /* live buffers sorted by address; NULL until cap_player_find() needs them */
   struct cap_bo **sorted;
   uint64_t num_sorted;

   struct sgcap_device made_on; /* parameters of the device on which the capture was made */
   char program[256];           /* printable name of the captured program */
   uint64_t frame;              /* number of the current frame in the captured process */
   uint64_t submissions;        /* number of SUBMIT records read */
   uint64_t bytes, max_bytes;   /* total size of live buffers, and its limit, in bytes */
   bool executes;               /* run submissions and wait for them; if false, only write memory */

   /* The tool's own queue and scratch memory, for its internal command streams. */
   struct sgpu_queue *queue;
   struct sgpu_bo *scratch;
   uint64_t scratch_size;
};

/* Opens a capture and creates a device.  `executes` must be true to run submissions.  On failure,
 * prints a message to stderr and returns false.  Prints no message for an invalid capture in
 * memory.
 */
bool cap_player_open(struct cap_player *p, const char *path,
                     const struct sgpu_device_params *params, bool executes);
bool cap_player_open_memory(struct cap_player *p, const void *data, size_t size,
                            const struct sgpu_device_params *params, bool executes);
void cap_player_close(struct cap_player *p);

/* Reads and executes the next record.  Only counts SUBMIT records, which the caller must run.
 * Returns false at the end of the capture or after an error, see sgcap_error(p->reader).
 */
bool cap_player_next(struct cap_player *p, struct sgcap_record *rec);

/* Executes a record that was read earlier.  Errors refer to the record that was read last. */
bool cap_player_perform(struct cap_player *p, const struct sgcap_record *rec);
/* Destroys all buffers and queues, to return to the state before the first record. */
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
/* Writes a name for an address, e.g. "vertices#12+0x40".  Returns false if the address is not in a
 * buffer.
 */
bool cap_player_name(struct cap_player *p, uint64_t address, char *text, size_t size);

/* Functions of cap_submit.c */
/* Returns the command stream of a SUBMIT record.  Sets an error and returns NULL if the record
 * lists a missing buffer, if no listed buffer contains the whole stream, or if this program does
 * not support the layout of its packets.
 */
const uint32_t *cap_player_stream(struct cap_player *p, const struct sgcap_record *rec);

/* Submits the command stream of a SUBMIT record as in the captured program. */
bool cap_player_submit(struct cap_player *p, const struct sgcap_record *rec);
/* Submits a different command stream with the queue, buffers and fences of the record, and waits
 * until it ends.
 */
bool cap_player_submit_words(struct cap_player *p, const struct sgcap_record *rec,
                             const uint32_t *words, uint32_t count);
/* Version of cap_player_submit_words() for a different queue, with one additional buffer. */
bool cap_player_submit_to(struct cap_player *p, const struct sgcap_record *rec, uint64_t queue,
                          const uint32_t *words, uint32_t count, struct sgpu_bo *extra);
/* Version of cap_player_submit_words() for the tool's own queue, with additional buffers.  Queries
 * of the capture don't count work on this queue.  Earlier work that uses the same memory must have
 * ended. Returns false if the device reports an error, after which the capture's queues can still
 * be used.
 */
#define CAP_MAX_EXTRA 3
bool cap_player_run(struct cap_player *p, const struct sgcap_record *rec, const uint32_t *words,
                    uint32_t count, struct sgpu_bo *const *extra, unsigned num_extra);
/* Must be called once for each SUBMIT record, after its work has been submitted.  `seqno` is the
 * device's seqno of the submission, or 0 if the work has already ended or was not run.
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

/* Waits for the buffer of a PRESENT record and returns a pointer to the first row of the picture.
 * If the picture is invalid or outside of its buffer, sets an error and returns NULL.
 */
const uint8_t *cap_player_picture(struct cap_player *p, const struct sgcap_record *rec);
/* Returns the hash of a picture's rows, which is computed as in the PRESENT record. */
uint64_t cap_player_hash(const struct sgcap_record *rec, const uint8_t *rows);

#endif
