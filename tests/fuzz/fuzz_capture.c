/* SPDX-License-Identifier: MIT */
/*
 * Fuzz target: a capture. An input that begins with 'F' is a file. Other inputs are records, which
 * go into a file with valid checksums, so that the code after these checks is reached. The target
 * must read, replay and decode each input, or refuse it, in time and without a fault.
 */
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cap_inspect.h"
#include "cap_json.h"
#include "cap_picture.h"
#include "cap_player.h"
#include "cap_program.h"
#include "cap_step.h"
#include "fuzz_records.h"
#include "sgpu_disasm.h"
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
      if (!null)
         abort();
      if (!getenv("FUZZ_MESSAGES"))
         stderr = null;
   }
   if (size && data[0] == 'F') {
      run(data + 1, size - 1);
   } else {
      size_t bytes;
      uint8_t *file = fuzz_wrap_records(data, size, &bytes);
      run(file, bytes);
      free(file);
   }
   return 0;
}
