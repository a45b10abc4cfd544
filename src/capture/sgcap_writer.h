/* SPDX-License-Identifier: MIT */
/* Writer of captures, which writes the records to a file chunk by chunk. */
#ifndef SGCAP_WRITER_H
#define SGCAP_WRITER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "sgcap_format.h"

struct sgcap_writer;

/* Opens a file and writes the header.  On failure, returns NULL with errno set, e.g. to EEXIST if
 * the file exists and `replace` is false.  `level` is the zstd compression level.
 */
struct sgcap_writer *sgcap_writer_open(const char *path, int level, bool replace);

/* Writes a record with a payload of part0 followed by part1. */
void sgcap_write(struct sgcap_writer *w, enum sgcap_type type, const void *part0, size_t size0,
                 const void *part1, size_t size1);
/* Begins a record and returns memory for its payload of `size` bytes, which must not exceed
 * SGCAP_CHUNK_MAX / 2.  The caller must fill the memory before the next call.  Returns NULL after
 * an error.
 */
void *sgcap_write_begin(struct sgcap_writer *w, enum sgcap_type type, size_t size);

/* Writes all buffered records to the file, so that they aren't lost if the process is killed. */
void sgcap_writer_flush(struct sgcap_writer *w);
/* Returns the size of the file in bytes. */
uint64_t sgcap_writer_bytes(const struct sgcap_writer *w);
/* Sets the error unless there already is one.  After an error, no more chunks are written. */
void sgcap_writer_fail(struct sgcap_writer *w, int error);
/* Returns 0, or the errno of the first error.  After an error, no more chunks are written. */
int sgcap_writer_error(const struct sgcap_writer *w);
/* Closes the file and frees the writer.  Returns 0, or the errno of the first error. */
int sgcap_writer_close(struct sgcap_writer *w);

#endif
