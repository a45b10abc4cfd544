/* SPDX-License-Identifier: MIT */
/*
 * Fuzz target: a capture.  An input that begins with 'F' is a file; other inputs
 * are records, which go into a file with valid checksums, so that the code after
 * these checks is reached.  Each input must be read, carried out and decoded, or
 * refused, in time and without a fault.
 */
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <zstd.h>

#include "cap_inspect.h"
#include "cap_json.h"
#include "cap_picture.h"
#include "cap_player.h"
#include "cap_program.h"
#include "cap_step.h"
#include "sgcap_hash.h"
#include "sgcap_packets.h"
#include "sgpu_disasm.h"
#include "sgpu_isa.h"
#include "sgpu_packets.h"
#include "sgpu_packets_print.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

bool fuzz_tested(void);

static FILE *null;
static unsigned long runs, packets_run, grids_run;

bool
fuzz_tested(void)
{
   printf("fuzz_capture: %lu captures, %lu packets, %lu grids\n", runs, packets_run, grids_run);
   return packets_run > 0 && grids_run > 0;
}

static char *packets;

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
   *at += (8 - size % 8) % 8; /* zeros already */
}

/* DEVICE, PACKETS, the input's records: malloc'ed. */
static uint8_t *
wrap(const uint8_t *data, size_t size, size_t *out_size)
{
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
   /* Headers have the number of records. */
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

static bool
name_address(void *data, uint64_t address, char *text, size_t size)
{
   return cap_player_name(data, address, text, size);
}

static void
after_packet(void *data, FILE *fp, const uint32_t *packet, unsigned indent)
{
   struct sgpu_program program;
   uint64_t hash;

   if (sgpu_packet_opcode(packet[0]) == SGPU_PACKET_SHADER &&
       cap_program(data, packet, &program, &hash) && program.num_instrs < 4096)
      sgpu_disasm_print(fp, &program);
}

static void
run(const uint8_t *file, size_t size)
{
   const struct sgpu_device_params params = {
      .threads = 1,
      .dispatch = SGPU_DISPATCH_OOO_SPLIT,
      .host = SGPU_HOST_BEST,
      .watchdog_instructions = 3000,
      .watchdog_vertices = 20000,
   };
   struct cap_inspection d = { .thumbnail = 16, .last_draw = UINT64_MAX };
   struct cap_player *p = &d.player;
   struct cap_step s;
   enum cap_event event;

   if (!cap_player_open_memory(p, file, size, &params, true))
      return;
   runs++;
   p->max_bytes = 64 << 20;
   d.items = null;
   if (!cap_pool_open(&d.texts) || !cap_pool_open(&d.pictures))
      abort();
   cap_step_init(&s, p);
   while (cap_step_next(&s, &event)) {
      struct cap_picture pic;
      packets_run += event == CAP_EVENT_AFTER;
      grids_run += event == CAP_EVENT_AFTER && cap_packet_grid(s.packet.opcode);
      if (event == CAP_EVENT_RECORD || event == CAP_EVENT_SUBMITTED)
         cap_inspect_written(&d, &s.rec);
      if (event == CAP_EVENT_BEFORE) {
         cap_json_packet(null, p, s.packet.words, s.packet.at, "");
         sgpu_printer_stream(
            &(struct sgpu_printer){
               .fp = null,
               .name_address = name_address,
               .after_packet = after_packet,
               .data = p,
            },
            s.words, s.rec.u.submit.words);
         cap_inspect_before(&d, &s);
         cap_counters_read(p->dev, &d.before);
      }
      if (event == CAP_EVENT_AFTER)
         cap_inspect_item(&d, &s);
      if (event == CAP_EVENT_RECORD && s.rec.type == SGCAP_PRESENT) {
         const uint8_t *rows = cap_player_picture(p, &s.rec);
         const struct sgcap_present *r = &s.rec.u.present;
         if (rows && cap_picture_convert(&pic, r->format, r->width, r->height, rows, r->pitch))
            cap_picture_free(&pic);
      }
   }
   if (sgcap_error(p->reader))
      fprintf(stderr, "%s\n", sgcap_error(p->reader));
   cap_step_fini(&s);
   cap_inspect_finish(&d);
   cap_player_close(p);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
   if (!null) {
      null = fopen("/dev/null", "w");
      packets = sgcap_packets_text();
      if (!null || !packets)
         abort();
      if (!getenv("FUZZ_MESSAGES"))
         stderr = null;
   }
   if (size && data[0] == 'F') {
      run(data + 1, size - 1);
   } else {
      size_t bytes;
      uint8_t *file = wrap(data, size, &bytes);
      run(file, bytes);
      free(file);
   }
   return 0;
}
