/* SPDX-License-Identifier: MIT */
/* Reads captures.  The reader verifies the checksums of chunks and the sizes of records.  The
 * player checks references between records, e.g. buffer IDs.
 */
#include "sgcap_reader.h"

#include <errno.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <zstd.h>

#include "sgcap_packets.h"
#include "sgpu_isa.h"
#include "sgpu_packets.h"
#include "sgpu_printable.h"
#include "sgcap_hash.h"

struct sgcap_reader {
   /* The capture file, or NULL if the capture is in memory (data_size bytes at `data`). */
   FILE *fp;
   const uint8_t *data;
   size_t data_size;
   /* Position of the next read in the file, in bytes. */
   uint64_t offset;

   ZSTD_DCtx *zstd;
   /* stored: the current chunk as stored in the file; raw: its uncompressed contents */
   uint8_t *stored, *raw;
   size_t stored_capacity, raw_capacity;

   uint64_t chunk_offset;
   uint32_t raw_size, pos, records_left;
   uint64_t number;    /* index of the next record in the file */
   const char *latest; /* type name of the latest record */
   bool ended, unclosed;

   char *why[256]; /* for each opcode, a message if the packet layout differs, or NULL */
   bool have_packets;
   char stream_error[640];
   char error[768];
};

const char *
sgcap_record_name(enum sgcap_type type)
{
   static const char *const names[SGCAP_TYPES] = {
      [SGCAP_END] = "END",
      [SGCAP_DEVICE] = "DEVICE",
      [SGCAP_PACKETS] = "PACKETS",
      [SGCAP_BO_CREATE] = "BO CREATE",
      [SGCAP_BO_DESTROY] = "BO DESTROY",
      [SGCAP_BO_LABEL] = "BO LABEL",
      [SGCAP_DATA] = "DATA",
      [SGCAP_ZERO] = "ZERO",
      [SGCAP_QUEUE_CREATE] = "QUEUE CREATE",
      [SGCAP_QUEUE_DESTROY] = "QUEUE DESTROY",
      [SGCAP_QUERY] = "QUERY",
      [SGCAP_SUBMIT] = "SUBMIT",
      [SGCAP_WAIT] = "WAIT",
      [SGCAP_BO_IDLE] = "BO IDLE",
      [SGCAP_PRESENT] = "PRESENT",
      [SGCAP_FRAME] = "FRAME",
   };
   return (unsigned)type < SGCAP_TYPES && names[type] ? names[type] : "unknown";
}

static void fail_at(struct sgcap_reader *r, uint64_t offset, const char *format, ...)
   __attribute__((format(printf, 3, 4)));

static void
fail_at(struct sgcap_reader *r, uint64_t offset, const char *format, ...)
{
   char text[640];
   va_list args;

   if (r->error[0])
      return;
   va_start(args, format);
   vsnprintf(text, sizeof text, format, args);
   va_end(args);
   if (r->latest)
      snprintf(r->error, sizeof r->error, "offset %" PRIu64 ", after record %" PRIu64 " (%s): %s",
               offset, r->number - 1, r->latest, text);
   else
      snprintf(r->error, sizeof r->error, "offset %" PRIu64 ", before the first record: %s", offset,
               text);
}

/* Sets an error message about record `number` of the file, unless there is an earlier error. */
static void
fail_in_record(struct sgcap_reader *r, uint64_t number, const char *name, const char *format,
               va_list args)
{
   if (r->error[0])
      return;

   const int n = snprintf(r->error, sizeof r->error,
                          "chunk at offset %" PRIu64 ", record %" PRIu64 " (%s): ", r->chunk_offset,
                          number, name);
   char text[640];
   vsnprintf(text, sizeof text, format, args);
   /* Escape the message, because it may quote arbitrary bytes of the file. */
   sgpu_printable(r->error + n, sizeof r->error - n, text);
}

/* Sets an error message about the current record, and returns false. */
static bool __attribute__((format(printf, 3, 4)))
bad(struct sgcap_reader *r, const char *name, const char *format, ...)
{
   va_list args;

   va_start(args, format);
   fail_in_record(r, r->number, name, format, args);
   va_end(args);
   return false;
}

void
sgcap_fail(struct sgcap_reader *r, const char *format, ...)
{
   va_list args;

   va_start(args, format);
   fail_in_record(r, r->number ? r->number - 1 : 0, r->latest ? r->latest : "none", format, args);
   va_end(args);
}

/* Reads at most `size` bytes and returns the number of bytes read. */
static size_t
get(struct sgcap_reader *r, void *to, size_t size)
{
   size_t n;

   if (r->fp) {
      n = fread(to, 1, size, r->fp);
   } else {
      const size_t left = r->data_size - r->offset;
      n = size < left ? size : left;
      memcpy(to, r->data + r->offset, n);
   }
   r->offset += n;
   return n;
}

static struct sgcap_reader *
open_with(FILE *fp, const void *data, size_t size, char *error, size_t error_size)
{
   struct sgcap_reader *r = calloc(1, sizeof *r);
   if (r)
      r->zstd = ZSTD_createDCtx();
   if (!r || !r->zstd) {
      snprintf(error, error_size, "out of memory");
      free(r);
      if (fp)
         fclose(fp);
      return NULL;
   }
   r->fp = fp;
   r->data = data;
   r->data_size = size;

   struct {
      char magic[8];
      uint32_t version, isa, zero[2];
      uint64_t checksum;
   } header;
   const size_t n = get(r, &header, sizeof header);
   if (n < 8 || memcmp(header.magic, SGCAP_MAGIC, 8))
      snprintf(error, error_size, "offset 0, header: this is not a capture");
   else if (n < sizeof header)
      snprintf(error, error_size, "offset %zu, header: the file ends", n);
   else if (header.checksum != XXH64(&header, sizeof header - 8, 0))
      snprintf(error, error_size, "offset 0, header: the checksum differs");
   else if (header.version != SGCAP_VERSION)
      snprintf(error, error_size,
               "offset 8, header: the capture has version %" PRIu32
               ", this program reads version %u",
               header.version, SGCAP_VERSION);
   else if (header.isa != SGPU_ISA_VERSION)
      snprintf(error, error_size,
               "offset 12, header: its programs have version %" PRIu32
               " of the instruction set, this program has version %u",
               header.isa, SGPU_ISA_VERSION);
   else
      return r;

   sgcap_close(r);
   return NULL;
}

struct sgcap_reader *
sgcap_open(const char *path, char *error, size_t error_size)
{
   FILE *fp = fopen(path, "rb");
   if (!fp) {
      snprintf(error, error_size, "%s", strerror(errno));
      return NULL;
   }
   return open_with(fp, NULL, 0, error, error_size);
}

struct sgcap_reader *
sgcap_open_memory(const void *data, size_t size, char *error, size_t error_size)
{
   return open_with(NULL, data, size, error, error_size);
}

void
sgcap_close(struct sgcap_reader *r)
{
   if (!r)
      return;
   if (r->fp)
      fclose(r->fp);
   ZSTD_freeDCtx(r->zstd);
   free(r->stored);
   free(r->raw);
   for (unsigned i = 0; i < 256; i++)
      free(r->why[i]);
   free(r);
}

const char *
sgcap_error(const struct sgcap_reader *r)
{
   return r->error[0] ? r->error : NULL;
}

bool
sgcap_unclosed(const struct sgcap_reader *r)
{
   return r->unclosed;
}

static bool
make_room(uint8_t **buffer, size_t *capacity, size_t need)
{
   if (need <= *capacity)
      return true;
   free(*buffer);
   *buffer = malloc(need);
   *capacity = *buffer ? need : 0;
   return *buffer != NULL;
}

static bool
decompress(struct sgcap_reader *r, size_t stored)
{
   ZSTD_inBuffer in = { r->stored, stored, 0 };
   ZSTD_outBuffer out = { r->raw, r->raw_size, 0 };

   while (in.pos < in.size || out.pos < out.size) {
      const size_t before_in = in.pos, before_out = out.pos;
      const size_t ret = ZSTD_decompressStream(r->zstd, &out, &in);
      if (ZSTD_isError(ret)) {
         fail_at(r, r->chunk_offset, "the chunk does not decompress (%s)", ZSTD_getErrorName(ret));
         return false;
      }
      if (in.pos == before_in && out.pos == before_out)
         break;
   }
   if (in.pos != in.size || out.pos != out.size) {
      fail_at(r, r->chunk_offset, "the chunk does not have the bytes that its header says");
      return false;
   }
   return true;
}

static bool
next_chunk(struct sgcap_reader *r)
{
   uint32_t words[4];
   uint64_t checksum;

   r->chunk_offset = r->offset;
   size_t n = get(r, words, sizeof words);
   if (n == 0) {
      r->unclosed = true;
      fail_at(r, r->offset, "the capture was not closed: the program ended before");
      return false;
   }
   if (n == sizeof words)
      n += get(r, &checksum, sizeof checksum);
   if (n < SGCAP_CHUNK_HEADER_BYTES) {
      fail_at(r, r->offset, "the file ends inside a chunk's header");
      return false;
   }
   if (words[0] != SGCAP_CHUNK_MAGIC) {
      fail_at(r, r->chunk_offset, "this is not a chunk");
      return false;
   }
   if (words[1] > SGCAP_CHUNK_MAX || words[2] > SGCAP_CHUNK_MAX || words[3] == 0 ||
       words[3] > words[2] / SGCAP_RECORD_HEADER_BYTES) {
      fail_at(r, r->chunk_offset, "the chunk's sizes are out of range");
      return false;
   }
   if (!make_room(&r->stored, &r->stored_capacity, words[1]) ||
       !make_room(&r->raw, &r->raw_capacity, words[2])) {
      fail_at(r, r->chunk_offset, "out of memory");
      return false;
   }
   n = get(r, r->stored, words[1]);
   if (n < words[1]) {
      fail_at(r, r->offset, "the file ends inside the chunk at offset %" PRIu64, r->chunk_offset);
      return false;
   }

   XXH64_state_t state;
   XXH64_reset(&state, 0);
   XXH64_update(&state, words, sizeof words);
   XXH64_update(&state, r->stored, words[1]);
   if (XXH64_digest(&state) != checksum) {
      fail_at(r, r->chunk_offset, "the chunk's checksum differs");
      return false;
   }
   r->raw_size = words[2];
   r->records_left = words[3];
   r->pos = 0;
   return decompress(r, words[1]);
}

/* Checks that the text at offset `at` of the payload has `bytes` bytes including the NUL, and sets
 * rec->text.
 */
static bool
take_text(struct sgcap_reader *r, struct sgcap_record *rec, const char *name, size_t at,
          size_t bytes, const uint8_t *payload, size_t size)
{
   if (bytes > size || at > size - bytes || bytes == 0 || payload[at + bytes - 1] != 0 ||
       memchr(payload + at, 0, bytes) != payload + at + bytes - 1)
      return bad(r, name, "its text is malformed");
   rec->text = (const char *)payload + at;
   return true;
}

#define MAX_ITEMS (1u << 20)

static bool
take_submit(struct sgcap_reader *r, struct sgcap_record *rec, const char *name,
            const uint8_t *payload, size_t size)
{
   const struct sgcap_submit *s = &rec->u.submit;
   if (s->num_bos > MAX_ITEMS || s->num_waits > MAX_ITEMS || s->num_writes > MAX_ITEMS ||
       size != sizeof *s + s->num_bos * sizeof *rec->bos + s->num_waits * sizeof *rec->waits +
                  s->num_writes * sizeof *rec->writes)
      return bad(r, name, "its lists do not have the lengths that it says");
   payload += sizeof *s;
   rec->bos = (const uint64_t *)payload;
   payload += s->num_bos * sizeof *rec->bos;
   rec->waits = (const struct sgcap_fence *)payload;
   payload += s->num_waits * sizeof *rec->waits;
   rec->writes = (const struct sgcap_range *)payload;
   return true;
}

static bool
parse(struct sgcap_reader *r, struct sgcap_record *rec, const uint8_t *payload, size_t size)
{
   static const uint16_t sizes[SGCAP_TYPES] = {
      [SGCAP_END] = sizeof(struct sgcap_end),
      [SGCAP_DEVICE] = sizeof(struct sgcap_device),
      [SGCAP_PACKETS] = 0,
      [SGCAP_BO_CREATE] = sizeof(struct sgcap_bo_create),
      [SGCAP_BO_DESTROY] = sizeof(struct sgcap_id),
      [SGCAP_BO_LABEL] = sizeof(struct sgcap_bo_label),
      [SGCAP_DATA] = sizeof(struct sgcap_data),
      [SGCAP_ZERO] = sizeof(struct sgcap_data),
      [SGCAP_QUEUE_CREATE] = sizeof(struct sgcap_id),
      [SGCAP_QUEUE_DESTROY] = sizeof(struct sgcap_id),
      [SGCAP_QUERY] = sizeof(struct sgcap_query),
      [SGCAP_SUBMIT] = sizeof(struct sgcap_submit),
      [SGCAP_WAIT] = sizeof(struct sgcap_fence),
      [SGCAP_BO_IDLE] = sizeof(struct sgcap_id),
      [SGCAP_PRESENT] = sizeof(struct sgcap_present),
      [SGCAP_FRAME] = sizeof(struct sgcap_frame),
   };
   const char *name = sgcap_record_name(rec->type);

   if (rec->type < SGCAP_END || rec->type >= SGCAP_TYPES)
      return bad(r, name, "unknown record type");
   if (size < sizes[rec->type])
      return bad(r, name, "it is too short");
   memcpy(&rec->u, payload, sizes[rec->type]);
   const size_t fixed = sizes[rec->type];

   switch (rec->type) {
   case SGCAP_PACKETS:
      return take_text(r, rec, name, 0, size, payload, size);
   case SGCAP_DEVICE:
      return take_text(r, rec, name, fixed, rec->u.device.name_bytes, payload, size);
   case SGCAP_BO_CREATE:
      return take_text(r, rec, name, fixed, rec->u.bo_create.label_bytes, payload, size);
   case SGCAP_BO_LABEL:
      return take_text(r, rec, name, fixed, rec->u.bo_label.label_bytes, payload, size);
   case SGCAP_DATA:
      rec->bytes = payload + fixed;
      return rec->u.data.size == size - fixed || bad(r, name, "its size is wrong");
   case SGCAP_SUBMIT:
      return take_submit(r, rec, name, payload, size);
   default:
      return size == fixed || bad(r, name, "it is too long");
   }
}

bool
sgcap_next(struct sgcap_reader *r, struct sgcap_record *rec)
{
   memset(rec, 0, sizeof *rec);
   if (r->error[0] || r->ended)
      return false;
   if (!r->records_left) {
      if (r->pos != r->raw_size) {
         fail_at(r, r->chunk_offset, "the chunk has more bytes than its records");
         return false;
      }
      if (!next_chunk(r))
         return false;
   }

   uint32_t header[2];
   if (r->raw_size - r->pos < sizeof header)
      return bad(r, "none", "the chunk has no more bytes");
   memcpy(header, r->raw + r->pos, sizeof header);
   rec->type = header[0];
   rec->number = r->number;
   rec->offset = r->chunk_offset;

   const uint32_t left = r->raw_size - r->pos - sizeof header;
   const uint64_t padded = ((uint64_t)header[1] + 7) & ~7ull;
   if (padded > left)
      return bad(r, sgcap_record_name(rec->type), "it is longer than its chunk");
   rec->payload = r->raw + r->pos + sizeof header;
   rec->payload_bytes = header[1];
   if (!parse(r, rec, rec->payload, header[1]))
      return false;

   if ((rec->number == 0) != (rec->type == SGCAP_DEVICE))
      return bad(r, sgcap_record_name(rec->type), "only the first record is DEVICE");
   if (rec->type == SGCAP_PACKETS) {
      char *problem = r->have_packets ? strdup("there is a second one")
                                      : sgcap_packets_compare(rec->text, r->why);
      r->have_packets = true;
      if (problem) {
         bad(r, "PACKETS", "%s", problem);
         free(problem);
         return false;
      }
   }

   r->pos += sizeof header + padded;
   r->records_left--;
   r->number++;
   r->latest = sgcap_record_name(rec->type);

   if (rec->type == SGCAP_END) {
      uint8_t more;
      if (r->records_left || get(r, &more, 1)) {
         fail_at(r, r->chunk_offset, "there are bytes after the end");
         return false;
      }
      r->ended = true;
   }
   return true;
}

const char *
sgcap_check_stream(struct sgcap_reader *r, const uint32_t *words, uint64_t count)
{
   if (!r->have_packets)
      return "the capture does not have the layout of its packets";

   for (uint64_t pos = 0; pos < count;) {
      const uint32_t opcode = sgpu_packet_opcode(words[pos]);
      const uint32_t length = sgpu_packet_words(words[pos]);
      if (r->why[opcode]) {
         snprintf(r->stream_error, sizeof r->stream_error, "word %" PRIu64 ": %s", pos,
                  r->why[opcode]);
         return r->stream_error;
      }
      if (opcode == SGPU_PACKET_END || length == 0 || length > count - pos)
         break;
      pos += length;
   }
   return NULL;
}
