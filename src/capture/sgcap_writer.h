/* SPDX-License-Identifier: MIT */
/* Writes captures.  The writer collects records into chunks and writes them to a file. */
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

/* Writes a record whose payload is part0 followed by part1. */
void sgcap_write(struct sgcap_writer *w, enum sgcap_type type, const void *part0, size_t size0,
                 const void *part1, size_t size1);
/* Begins a record and returns memory for `size` bytes of payload, or NULL after an error.  `size`
 * must not exceed SGCAP_CHUNK_MAX / 2.  The caller must fill the memory before it calls the writer
 * again.
 */
void *sgcap_write_begin(struct sgcap_writer *w, enum sgcap_type type, size_t size);

/* Writes all buffered records to the file, so that they aren't lost if the process is killed. */
void sgcap_writer_flush(struct sgcap_writer *w);
/* Returns the size of the file in bytes. */
uint64_t sgcap_writer_bytes(const struct sgcap_writer *w);
/* Sets an error, unless there is an earlier one.  No more chunks are written after an error. */
void sgcap_writer_fail(struct sgcap_writer *w, int error);
/* Returns the errno of the first error, or 0.  No more chunks are written after an error. */
int sgcap_writer_error(const struct sgcap_writer *w);
/* Closes the file and frees the writer.  Returns the errno of the first error, or 0. */
int sgcap_writer_close(struct sgcap_writer *w);

#endif
