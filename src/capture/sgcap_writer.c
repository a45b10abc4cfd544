/* SPDX-License-Identifier: MIT */
/* Writes captures.  The writer collects records into chunks, compresses each chunk and passes it
 * directly to write(), without buffering by stdio.
 */
#include "sgcap_writer.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>
#include <zstd.h>

#include "sgpu_isa.h"
#include "sgcap_hash.h"

#define WINDOW_LOG 23

struct sgcap_writer {
   int fd;
   int error; /* errno of the first error, or 0 */
   ZSTD_CCtx *zstd;
   uint8_t *raw; /* uncompressed records of the current chunk */
   size_t size, capacity;
   uint32_t records; /* number of records in the current chunk */
   uint8_t *out;     /* buffer for the compressed chunk */
   size_t out_capacity;
   uint64_t bytes; /* current file size in bytes */
};

/* Writes all bytes.  On failure, sets an error and truncates the file to its previous size, because
 * readers reject an incomplete chunk.  Checks the file size limit of the process first, because a
 * write beyond the limit raises SIGXFSZ, which would kill the program.
 */
static void
put_all(struct sgcap_writer *w, const uint8_t *data, size_t size)
{
   const uint64_t begin = w->bytes;
   struct rlimit limit;

   if (!getrlimit(RLIMIT_FSIZE, &limit) && limit.rlim_cur != RLIM_INFINITY &&
       begin + size > limit.rlim_cur)
      w->error = EFBIG;
   while (size && !w->error) {
      const ssize_t n = write(w->fd, data, size);
      if (n > 0) {
         data += n;
         size -= n;
         w->bytes += n;
      } else if (n == 0 || errno != EINTR) {
         w->error = n == 0 ? ENOSPC : errno;
      }
   }
   /* ftruncate() fails for a pipe, so the output of a pipe may end with an incomplete chunk. */
   if (w->error && w->bytes != begin && ftruncate(w->fd, begin) == 0)
      w->bytes = begin;
}

struct sgcap_writer *
sgcap_writer_open(const char *path, int level, bool replace)
{
   struct sgcap_writer *w = calloc(1, sizeof *w);
   if (!w)
      return NULL;

   w->fd = open(path, O_WRONLY | O_CREAT | O_CLOEXEC | (replace ? O_TRUNC : O_EXCL), 0666);
   const int open_error = errno;
   w->zstd = ZSTD_createCCtx();
   w->capacity = SGCAP_CHUNK_BYTES + 2 * SGCAP_DATA_MAX;
   w->raw = malloc(w->capacity);
   if (w->fd < 0 || !w->zstd || !w->raw) {
      if (w->fd >= 0)
         close(w->fd);
      ZSTD_freeCCtx(w->zstd);
      free(w->raw);
      errno = w->fd < 0 ? open_error : ENOMEM;
      free(w);
      return NULL;
   }
   ZSTD_CCtx_setParameter(w->zstd, ZSTD_c_compressionLevel, level);
   ZSTD_CCtx_setParameter(w->zstd, ZSTD_c_windowLog, WINDOW_LOG);

   struct {
      char magic[8];
      uint32_t version, isa, zero[2];
      uint64_t checksum;
   } header = { SGCAP_MAGIC, SGCAP_VERSION, SGPU_ISA_VERSION, { 0, 0 }, 0 };
   _Static_assert(sizeof header == SGCAP_HEADER_BYTES, "header");
   header.checksum = XXH64(&header, SGCAP_HEADER_BYTES - 8, 0);
   put_all(w, (const uint8_t *)&header, sizeof header);
   return w;
}

static void
put_chunk(struct sgcap_writer *w)
{
   if (!w->records || w->error)
      return;

   const size_t need = SGCAP_CHUNK_HEADER_BYTES + ZSTD_compressBound(w->size) + 64;
   if (need > w->out_capacity) {
      free(w->out);
      w->out = malloc(need);
      w->out_capacity = w->out ? need : 0;
      if (!w->out) {
         w->error = ENOMEM;
         return;
      }
   }

   ZSTD_inBuffer in = { w->raw, w->size, 0 };
   ZSTD_outBuffer out = { w->out, w->out_capacity, SGCAP_CHUNK_HEADER_BYTES };
   const size_t left = ZSTD_compressStream2(w->zstd, &out, &in, ZSTD_e_flush);
   if (ZSTD_isError(left) || left != 0 || in.pos != in.size) {
      w->error = EIO;
      return;
   }

   const uint32_t words[4] = {
      SGCAP_CHUNK_MAGIC,
      out.pos - SGCAP_CHUNK_HEADER_BYTES,
      w->size,
      w->records,
   };
   memcpy(w->out, words, sizeof words);
   XXH64_state_t state;
   XXH64_reset(&state, 0);
   XXH64_update(&state, w->out, sizeof words);
   XXH64_update(&state, w->out + SGCAP_CHUNK_HEADER_BYTES, words[1]);
   const uint64_t checksum = XXH64_digest(&state);
   memcpy(w->out + sizeof words, &checksum, sizeof checksum);
   put_all(w, w->out, out.pos);
   w->size = 0;
   w->records = 0;
}

void *
sgcap_write_begin(struct sgcap_writer *w, enum sgcap_type type, size_t size)
{
   const size_t padded = (size + 7) & ~(size_t)7;
   const size_t need = SGCAP_RECORD_HEADER_BYTES + padded;

   if (w->size + need > SGCAP_CHUNK_BYTES)
      put_chunk(w);
   if (need > SGCAP_CHUNK_MAX / 2)
      w->error = E2BIG;
   if (w->error)
      return NULL;
   if (w->size + need > w->capacity) {
      uint8_t *raw = realloc(w->raw, w->size + need);
      if (!raw) {
         w->error = ENOMEM;
         return NULL;
      }
      w->raw = raw;
      w->capacity = w->size + need;
   }

   uint8_t *to = w->raw + w->size;
   const uint32_t header[2] = { type, size };
   memcpy(to, header, sizeof header);
   memset(to + SGCAP_RECORD_HEADER_BYTES + size, 0, padded - size);
   w->size += need;
   w->records++;
   return to + SGCAP_RECORD_HEADER_BYTES;
}

void
sgcap_write(struct sgcap_writer *w, enum sgcap_type type, const void *part0, size_t size0,
            const void *part1, size_t size1)
{
   uint8_t *to = sgcap_write_begin(w, type, size0 + size1);

   if (to) {
      memcpy(to, part0, size0);
      if (size1)
         memcpy(to + size0, part1, size1);
   }
}

void
sgcap_writer_flush(struct sgcap_writer *w)
{
   put_chunk(w);
}

uint64_t
sgcap_writer_bytes(const struct sgcap_writer *w)
{
   return w->bytes;
}

void
sgcap_writer_fail(struct sgcap_writer *w, int error)
{
   if (!w->error)
      w->error = error;
}

int
sgcap_writer_error(const struct sgcap_writer *w)
{
   return w->error;
}

int
sgcap_writer_close(struct sgcap_writer *w)
{
   put_chunk(w);
   if (close(w->fd) && !w->error)
      w->error = errno;
   const int error = w->error;
   ZSTD_freeCCtx(w->zstd);
   free(w->raw);
   free(w->out);
   free(w);
   return error;
}
