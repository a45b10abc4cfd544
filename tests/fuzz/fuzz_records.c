/* SPDX-License-Identifier: MIT */
/* Captures of arbitrary records, with valid checksums. */
#include "fuzz_records.h"

#include <stdlib.h>
#include <string.h>
#include <zstd.h>

#include "sgcap_format.h"
#include "sgcap_hash.h"
#include "sgcap_packets.h"
#include "sgpu_isa.h"

static void
put(uint8_t **at, const void *bytes, size_t size)
{
   memcpy(*at, bytes, size);
   *at += size;
}

static void
put_record(uint8_t **at, uint32_t type, const void *bytes, uint32_t size)
{
   const uint32_t header[2] = { type, size };
   put(at, header, 8);
   put(at, bytes, size);
   *at += (8 - size % 8) % 8; /* the padding is zero already */
}

uint8_t *
fuzz_wrap_records(const uint8_t *data, size_t size, size_t *out_size)
{
   static char *packets;
   if (!packets && !(packets = sgcap_packets_text()))
      abort();
   const size_t text = strlen(packets) + 1;
   const size_t room = size + text + 4096;
   uint8_t *raw = malloc(room), *at = raw;
   uint32_t records = 2;
   struct {
      struct sgcap_device d;
      char name[8];
   } device = { { .threads = 1, .name_bytes = 2 }, "x" };

   memset(raw, 0, room);
   put_record(&at, SGCAP_DEVICE, &device, sizeof device.d + 2);
   put_record(&at, SGCAP_PACKETS, packets, text);
   put(&at, data, size);
   /* Chunk headers contain the number of records. */
   for (size_t pos = 0; pos + 8 <= size;) {
      uint32_t bytes;
      memcpy(&bytes, data + pos + 4, 4);
      pos += 8 + (((uint64_t)bytes + 7) & ~7ull);
      records++;
   }
   const size_t raw_size = at - raw;

   uint8_t *out = malloc(ZSTD_compressBound(raw_size) + 64);
   const struct {
      char magic[8];
      uint32_t words[4];
   } header = { SGCAP_MAGIC, { SGCAP_VERSION, SGPU_ISA_VERSION, 0, 0 } };
   memcpy(out, &header, 24);
   uint64_t checksum = XXH64(out, 24, 0);
   memcpy(out + 24, &checksum, 8);
   const size_t stored = ZSTD_compress(out + 56, ZSTD_compressBound(raw_size), raw, raw_size, 1);
   const uint32_t words[4] = { SGCAP_CHUNK_MAGIC, stored, raw_size, records };
   memcpy(out + 32, words, 16);
   XXH64_state_t state;
   XXH64_reset(&state, 0);
   XXH64_update(&state, words, 16);
   XXH64_update(&state, out + 56, stored);
   checksum = XXH64_digest(&state);
   memcpy(out + 48, &checksum, 8);
   free(raw);
   *out_size = 56 + stored;
   return out;
}
