/* SPDX-License-Identifier: MIT */
/*
 * Reads captures.  Nothing in a file is trusted: each record is checked before
 * it is handed out, and an error names the file's offset and the record.
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
   uint64_t number;                    /* in the file, from 0 on */
   uint64_t offset;                    /* in the file, of its chunk */
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
   const char *text;                   /* label, name, packets; NUL-terminated */
   const uint8_t *bytes;               /* DATA */
   const uint64_t *bos;                /* SUBMIT */
   const struct sgcap_fence *waits;
   const struct sgcap_range *writes;
   /* As it stands in the file, for those who write it again. */
   const void *payload;
   size_t payload_bytes;
};

/* NULL with a text in `error` where there is no such file, or no capture of a
 * version that can be read.
 */
struct sgcap_reader *sgcap_open(const char *path, char *error, size_t error_size);
/* The same of bytes, which stay the caller's. */
struct sgcap_reader *sgcap_open_memory(const void *data, size_t size, char *error,
                                       size_t error_size);
void sgcap_close(struct sgcap_reader *r);

/* False at the end or at an error. */
bool sgcap_next(struct sgcap_reader *r, struct sgcap_record *rec);
/* After the last record: NULL where the capture was closed properly, else what
 * is wrong and where.
 */
const char *sgcap_error(const struct sgcap_reader *r);
/* There is no END, but the file ends behind a whole chunk: the program was
 * killed.  sgcap_error() says so, too.
 */
bool sgcap_unclosed(const struct sgcap_reader *r);
/* Sets the error to one of the caller's, about the latest record. */
void sgcap_fail(struct sgcap_reader *r, const char *format, ...)
   __attribute__((format(printf, 2, 3)));

const char *sgcap_record_name(enum sgcap_type type);

/* NULL if this program can work with the packets of a stream as the capture
 * has them, else why not.  Stops where a packet is not legal: the device says
 * that.
 */
const char *sgcap_check_stream(struct sgcap_reader *r, const uint32_t *words, uint64_t count);

#endif
