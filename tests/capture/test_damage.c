/* SPDX-License-Identifier: MIT */
/*
 * Damaged captures: cut at each byte, with one bit of each byte changed, or of another version. The
 * reader must return the records before the damage and then report its place.
 *
 * usage: test_damage FILE.sgcap     (written and removed)
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "sgcap_hash.h"
#include "sgcap_packets.h"
#include "sgcap_reader.h"
#include "sgcap_writer.h"

#define REQUIRE(holds)                                               \
   do {                                                              \
      if (!(holds)) {                                                \
         fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, #holds); \
         exit(1);                                                    \
      }                                                              \
   } while (0)

#define MAX_BYTES (1 << 20)

static uint8_t file[MAX_BYTES];
static size_t size;
/* Offsets of the ends of chunks, and the number of records up to each end. */
static size_t ends[64];
static unsigned records[64], num_chunks;

static void
write_file(const char *path)
{
   struct sgcap_writer *w = sgcap_writer_open(path, 3, true);
   REQUIRE(w);
   const struct sgcap_device d = { .threads = 1, .name_bytes = 2 };
   sgcap_write(w, SGCAP_DEVICE, &d, sizeof d, "x", 2);
   char *text = sgcap_packets_text();
   REQUIRE(text);
   sgcap_write(w, SGCAP_PACKETS, text, strlen(text) + 1, NULL, 0);
   free(text);
   sgcap_writer_flush(w);
   ends[num_chunks] = sgcap_writer_bytes(w);
   records[num_chunks++] = 2;

   for (unsigned i = 0; i < 5; i++) {
      const struct sgcap_bo_create c = { i + 1, 0x10000 * (i + 1), 4096, 2, 0 };
      const struct sgcap_data data = { i + 1, 8, 100 };
      uint8_t bytes[100];
      for (unsigned k = 0; k < sizeof bytes; k++)
         bytes[k] = (uint8_t)(k * i);
      sgcap_write(w, SGCAP_BO_CREATE, &c, sizeof c, "b", 2);
      sgcap_write(w, SGCAP_DATA, &data, sizeof data, bytes, sizeof bytes);
      sgcap_writer_flush(w);
      ends[num_chunks] = sgcap_writer_bytes(w);
      records[num_chunks] = records[num_chunks - 1] + 2;
      num_chunks++;
   }
   const struct sgcap_end end = { 0, 0 };
   sgcap_write(w, SGCAP_END, &end, sizeof end, NULL, 0);
   REQUIRE(sgcap_writer_close(w) == 0);

   FILE *fp = fopen(path, "rb");
   REQUIRE(fp);
   size = fread(file, 1, sizeof file, fp);
   fclose(fp);
   REQUIRE(size > ends[num_chunks - 1] && size < sizeof file);
   ends[num_chunks] = size;
   records[num_chunks] = records[num_chunks - 1] + 1;
   num_chunks++;
}

/* Reads all records. Returns their number, and the error text. */
static unsigned
read_all(const uint8_t *data, size_t bytes, char *error, size_t error_size, bool *unclosed)
{
   uint8_t *copy = malloc(bytes ? bytes : 1);
   unsigned n = 0;
   struct sgcap_record rec;

   REQUIRE(copy);
   memcpy(copy, data, bytes);
   error[0] = 0;
   *unclosed = false;
   struct sgcap_reader *r = sgcap_open_memory(copy, bytes, error, error_size);
   if (r) {
      while (sgcap_next(r, &rec)) {
         REQUIRE(rec.number == n);
         n++;
      }
      snprintf(error, error_size, "%s", sgcap_error(r) ? sgcap_error(r) : "");
      *unclosed = sgcap_unclosed(r);
      sgcap_close(r);
   }
   free(copy);
   return n;
}

/* Returns the number of records in chunks that end before the byte. */
static unsigned
whole_before(size_t at)
{
   unsigned n = 0;
   for (unsigned i = 0; i < num_chunks && ends[i] <= at; i++)
      n = records[i];
   return n;
}

/* Returns the lowest offset that the error names. Errors inside of a chunk also name the chunk. */
static unsigned
offset_in(const char *error)
{
   unsigned lowest = UINT32_MAX;

   REQUIRE(strstr(error, "offset "));
   for (const char *at = error; (at = strstr(at, "offset ")); at += 7) {
      const unsigned n = strtoul(at + 7, NULL, 10);
      lowest = n < lowest ? n : lowest;
   }
   return lowest;
}

int
main(int argc, char **argv)
{
   static uint8_t changed[MAX_BYTES];
   char error[1024], path[4096];
   bool unclosed;

   if (argc != 2) {
      fprintf(stderr, "usage: %s FILE.sgcap\n", argv[0]);
      return 2;
   }
   /* Processes that run at the same time need different files. */
   snprintf(path, sizeof path, "%s.%d", argv[1], (int)getpid());
   write_file(path);
   unlink(path);
   REQUIRE(read_all(file, size, error, sizeof error, &unclosed) == records[num_chunks - 1]);
   REQUIRE(!error[0]);

   for (size_t cut = 0; cut < size; cut++) {
      const unsigned n = read_all(file, cut, error, sizeof error, &unclosed);
      REQUIRE(n == whole_before(cut));
      REQUIRE(offset_in(error) <= cut);
      /* A cut after a chunk looks like the capture of a killed program. */
      bool at_end = cut == SGCAP_HEADER_BYTES;
      for (unsigned i = 0; i < num_chunks; i++)
         at_end |= cut == ends[i];
      REQUIRE(unclosed == at_end);
      if (n)
         REQUIRE(strstr(error, "record"));
   }

   for (size_t at = 0; at < size; at++) {
      memcpy(changed, file, size);
      changed[at] ^= 1 << at % 8;
      const unsigned n = read_all(changed, size, error, sizeof error, &unclosed);
      REQUIRE(n == whole_before(at));
      REQUIRE(offset_in(error) <= at);
      REQUIRE(!unclosed);
   }

   /* Bytes after the end. */
   memcpy(changed, file, size);
   changed[size] = 0;
   read_all(changed, size + 1, error, sizeof error, &unclosed);
   REQUIRE(strstr(error, "after the end"));

   /* Other versions, with a valid checksum of the header. */
   for (unsigned word = 0; word < 2; word++) {
      memcpy(changed, file, size);
      changed[8 + word * 4]++;
      const uint64_t checksum = XXH64(changed, SGCAP_HEADER_BYTES - 8, 0);
      memcpy(changed + SGCAP_HEADER_BYTES - 8, &checksum, 8);
      REQUIRE(read_all(changed, size, error, sizeof error, &unclosed) == 0);
      REQUIRE(strstr(error, "version"));
      REQUIRE(offset_in(error) == 8 + word * 4);
   }
   printf("%zu bytes\n", size);
   return 0;
}
