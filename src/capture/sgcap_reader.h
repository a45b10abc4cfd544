/* SPDX-License-Identifier: MIT */
/*
 * Reads captures.  The reader checks each record before it returns it; errors name
 * the offset in the file and the record.
 */
#ifndef SGCAP_READER_H
#define SGCAP_READER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "sgcap_format.h"

struct sgcap_reader;

/* A record; the pointers are valid until the next call. */
struct sgcap_record {
   enum sgcap_type type;
   uint64_t number; /* in the file, from 0 on */
   uint64_t offset; /* in the file, of its chunk */
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
   const char *text;     /* label, name, packets; NUL-terminated */
   const uint8_t *bytes; /* DATA */
   const uint64_t *bos;  /* SUBMIT */
   const struct sgcap_fence *waits;
   const struct sgcap_range *writes;
   /* The bytes in the file, for copying the record. */
   const void *payload;
   size_t payload_bytes;
};

/* NULL, with a message in `error`, if there is no such file, or it is not a capture
 * of a supported version.
 */
struct sgcap_reader *sgcap_open(const char *path, char *error, size_t error_size);
/* The same for bytes in memory, which must stay valid until sgcap_close(). */
struct sgcap_reader *sgcap_open_memory(const void *data, size_t size, char *error,
                                       size_t error_size);
void sgcap_close(struct sgcap_reader *r);

/* False at the end or at an error. */
bool sgcap_next(struct sgcap_reader *r, struct sgcap_record *rec);
/* After the last record: NULL if the capture was closed properly, else a message
 * with the error and its place.
 */
const char *sgcap_error(const struct sgcap_reader *r);
/* The file ends after a whole chunk without END: the program was killed.
 * sgcap_error() has a message for that, too.
 */
bool sgcap_unclosed(const struct sgcap_reader *r);
/* Sets an error about the latest record. */
void sgcap_fail(struct sgcap_reader *r, const char *format, ...)
   __attribute__((format(printf, 2, 3)));

const char *sgcap_record_name(enum sgcap_type type);

/* NULL if this program knows the capture's layout of all packets of a stream, else a
 * message.  Stops at an illegal packet, which the device reports.
 */
const char *sgcap_check_stream(struct sgcap_reader *r, const uint32_t *words, uint64_t count);

#endif
