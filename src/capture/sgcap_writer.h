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

/* NULL, with the reason in errno: EEXIST where there is a file of that name and
 * it is not to be replaced.  `level` is zstd's.
 */
struct sgcap_writer *sgcap_writer_open(const char *path, int level, bool replace);

/* A record of two parts: the structure and what comes behind it. */
void sgcap_write(struct sgcap_writer *w, enum sgcap_type type, const void *part0, size_t size0,
                 const void *part1, size_t size1);
/* Room for a record's payload of up to SGCAP_CHUNK_MAX / 2 bytes; the caller
 * fills it before the next call.  NULL after an error.
 */
void *sgcap_write_begin(struct sgcap_writer *w, enum sgcap_type type, size_t size);

/* What was written so far can be read, even if the process ends now. */
void sgcap_writer_flush(struct sgcap_writer *w);
uint64_t sgcap_writer_bytes(const struct sgcap_writer *w);
/* Ends the writing with an error of the caller's. */
void sgcap_writer_fail(struct sgcap_writer *w, int error);
/* 0, or the errno of the first error; nothing more is written after one, and the
 * file ends behind the last whole chunk.
 */
int sgcap_writer_error(const struct sgcap_writer *w);
/* Flushes. Returns the first error. */
int sgcap_writer_close(struct sgcap_writer *w);

#endif
