/* SPDX-License-Identifier: MIT */
/* Reads captures.  Each record is validated before sgcap_next() returns it.  Error messages contain
 * the number of the record and its offset in the file.
 */
#ifndef SGCAP_READER_H
#define SGCAP_READER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "sgcap_format.h"

struct sgcap_reader;

/* A record of the file.  The pointers are valid until the next call to sgcap_next(). */
struct sgcap_record {
   enum sgcap_type type;
   uint64_t number; /* index of the record in the file, starting at 0 */
   uint64_t offset; /* byte offset of the record's chunk in the file */
   union {
      struct sgcap_end end;
      struct sgcap_device device;
      struct sgcap_bo_create bo_create;
      struct sgcap_bo_label bo_label;
      struct sgcap_id id;
      struct sgcap_data data;
      struct sgcap_query query;
      struct sgcap_submit submit;
      struct sgcap_fence wait;
      struct sgcap_present present;
      struct sgcap_frame frame;
   } u;
   /* NUL-terminated label, program name or packet layout, depending on the record type */
   const char *text;
   /* Contents of a DATA record, with u.data.size bytes. */
   const uint8_t *bytes;
   /* Arrays of a SUBMIT record. */
   const uint64_t *bos;
   const struct sgcap_fence *waits;
   const struct sgcap_range *writes;
   /* Payload as it is stored in the file, for copying the record. */
   const void *payload;
   size_t payload_bytes;
};

/* Opens a capture file.  Returns NULL and writes a message to `error` if the file is not a
 * supported capture.
 */
struct sgcap_reader *sgcap_open(const char *path, char *error, size_t error_size);
/* Like sgcap_open(), but for a capture in memory, which must stay valid until sgcap_close(). */
struct sgcap_reader *sgcap_open_memory(const void *data, size_t size, char *error,
                                       size_t error_size);
void sgcap_close(struct sgcap_reader *r);

/* Reads the next record.  Returns false at the end of the capture or after an error. */
bool sgcap_next(struct sgcap_reader *r, struct sgcap_record *rec);
/* Returns NULL if all records up to END were read without an error.  Otherwise, returns a message
 * that describes the error and its offset.
 */
const char *sgcap_error(const struct sgcap_reader *r);
/* Returns true if the file ends after a complete chunk but without an END record, which happens if
 * the program was killed.  sgcap_error() also returns a message in this case.
 */
bool sgcap_unclosed(const struct sgcap_reader *r);
/* Sets an error message about the latest record. */
void sgcap_fail(struct sgcap_reader *r, const char *format, ...)
   __attribute__((format(printf, 2, 3)));

const char *sgcap_record_name(enum sgcap_type type);

/* Checks whether this program and the capture use the same layout for all packets in a command
 * stream.  Returns NULL if they do, or a message otherwise.  Stops at an illegal packet, which the
 * device will report.
 */
const char *sgcap_check_stream(struct sgcap_reader *r, const uint32_t *words, uint64_t count);

#endif
