/* SPDX-License-Identifier: MIT */
/*
 * Writes a capture's records to a file, chunk by chunk.
 */
#ifndef SGCAP_WRITER_H
#define SGCAP_WRITER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "sgcap_format.h"

struct sgcap_writer;

/* NULL with errno set on failure: EEXIST if the file exists and `replace` is false.
 * `level` is zstd's compression level.
 */
struct sgcap_writer *sgcap_writer_open(const char *path, int level, bool replace);

/* Writes a record of two parts: the structure and the data after it. */
void sgcap_write(struct sgcap_writer *w, enum sgcap_type type, const void *part0, size_t size0,
                 const void *part1, size_t size1);
/* Begins a record and returns memory for its payload of up to SGCAP_CHUNK_MAX / 2
 * bytes, which the caller fills before the next call.  NULL after an error.
 */
void *sgcap_write_begin(struct sgcap_writer *w, enum sgcap_type type, size_t size);

/* Writes all records so far to the file, so that they survive a killed process. */
void sgcap_writer_flush(struct sgcap_writer *w);
uint64_t sgcap_writer_bytes(const struct sgcap_writer *w);
/* Sets an error: nothing more is written. */
void sgcap_writer_fail(struct sgcap_writer *w, int error);
/* 0, or the errno of the first error.  After an error nothing more is written, and
 * the file ends after the last whole chunk.
 */
int sgcap_writer_error(const struct sgcap_writer *w);
/* Flushes. Returns the first error. */
int sgcap_writer_close(struct sgcap_writer *w);

#endif
