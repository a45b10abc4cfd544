/* SPDX-License-Identifier: MIT */
/*
 * sgpu decode: prints a capture as text or JSON.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cap_decode.h"
#include "cap_program.h"
#include "cap_stream.h"
#include "cap_tool.h"
#include "sgpu_disasm.h"
#include "sgpu_formats.h"
#include "sgpu_packets.h"
#include "sgpu_packets_print.h"
#include "sgpu_packets_unpack.h"
#include "sgcap_hash.h"

static const char help[] =
   "usage: sgpu decode [OPTION...] FILE.sgcap\n"
   "\n"
   "Prints a capture: its records, the packets of each submission with names for\n"
   "addresses, and the assembly of each program once.\n"
   "\n"
   "  --frames A[-B]        only these frames\n"
   "  --submissions A[-B]   only these submissions, counted from 0 on\n"
   "  --json                one object per record, with an object per packet\n";

static bool
name_address(void *data, uint64_t address, char *text, size_t size)
{
   struct decode *d = data;
   return cap_player_name(&d->player, address, text, size);
}

static void
print_program(struct decode *d, FILE *fp, const uint32_t *packet, unsigned indent)
{
   struct sgpu_program program;
   uint64_t hash;

   if (!cap_program(&d->player, packet, &program, &hash))
      return;
   const bool again = cap_seen(&d->seen, hash);
   fprintf(fp, "%*sprogram %016" PRIx64 "%s\n", (int)indent, "", hash, again ? ", see above" : ":");
   if (again)
      return;

   char *text = NULL;
   size_t size = 0;
   FILE *memory = open_memstream(&text, &size);
   if (!memory)
      return;
   sgpu_disasm_print(memory, &program);
   fclose(memory);
   for (char *line = text; line && *line;) {
      char *end = strchr(line, '\n');
      const int n = end ? (int)(end - line) : (int)strlen(line);
      fprintf(fp, "%*s%.*s\n", (int)indent + 3, "", n, line);
      line += n + (end != NULL);
   }
   free(text);
}

static void
after_packet(void *data, FILE *fp, const uint32_t *packet, unsigned indent)
{
   struct decode *d = data;

   if (cap_packet_draws(sgpu_packet_opcode(packet[0])))
      fprintf(fp, "%*s(draw %" PRIu64 ")\n", (int)indent, "", d->draw++);
   if (cap_packet_grid(sgpu_packet_opcode(packet[0])))
      fprintf(fp, "%*s(grid %" PRIu64 ")\n", (int)indent, "", d->grid++);
   if (sgpu_packet_opcode(packet[0]) == SGPU_PACKET_SHADER)
      print_program(d, fp, packet, indent);
}

static void
print_bo(struct decode *d, uint64_t id)
{
   const struct cap_object *o = cap_player_object(&d->player, id, CAP_BO);
   if (o)
      printf("%s#%" PRIu32, o->u.bo.label, o->u.bo.ordinal);
   else
      printf("buffer %" PRIu64 " (none)", id);
}

uint32_t
cap_decode_queue(struct decode *d, uint64_t id)
{
   const struct cap_object *o = cap_player_object(&d->player, id, CAP_QUEUE);
   return o ? o->u.queue.ordinal : UINT32_MAX;
}

static const char *
format_name(uint32_t format)
{
   return sgpu_format_info(format)->name;
}

static bool
print_submit(struct decode *d, const struct sgcap_record *rec)
{
   const struct sgcap_submit *s = &rec->u.submit;
   const uint32_t *words = cap_player_stream(&d->player, rec);
   if (!words)
      return false;

   printf("SUBMIT %" PRIu64 " queue %" PRIu32 " seqno %" PRIu64 ", %" PRIu32 " words at 0x%" PRIx64
          "\n",
          d->submission, cap_decode_queue(d, s->queue), s->seqno, s->words, s->address);
   for (uint32_t i = 0; i < s->num_bos; i++) {
      const struct cap_bo *b = cap_player_bo(&d->player, rec->bos[i]);
      bool writes = false;
      for (uint32_t w = 0; w < s->num_writes; w++)
         writes |= rec->writes[w].bo == rec->bos[i];
      if (b)
         printf("   buffer %s#%" PRIu32 " 0x%" PRIx64 " %" PRIu64 " bytes%s\n", b->label,
                b->ordinal, b->address, b->size, writes ? ", written" : "");
   }
   for (uint32_t i = 0; i < s->num_waits; i++)
      printf("   waits for queue %" PRIu32 " seqno %" PRIu64 "\n",
             cap_decode_queue(d, rec->waits[i].queue), rec->waits[i].seqno);
   sgpu_printer_stream(
      &(struct sgpu_printer){
         .fp = stdout,
         .name_address = name_address,
         .after_packet = after_packet,
         .data = d,
      },
      words, s->words);
   return true;
}

static bool
print_record(struct decode *d, const struct sgcap_record *rec)
{
   const char *name = sgcap_record_name(rec->type);

   switch (rec->type) {
   case SGCAP_DEVICE:
      printf("%s %s, %" PRIu32 " threads, policy %" PRIu32 ", %" PRIu32
             " engines, host level %" PRIu32 "\n",
             name, d->player.program, rec->u.device.threads, rec->u.device.dispatch,
             rec->u.device.engines, rec->u.device.host);
      break;
   case SGCAP_PACKETS:
      printf("%s %016" PRIx64 "\n", name, (uint64_t)XXH64(rec->text, strlen(rec->text), 0));
      break;
   case SGCAP_BO_CREATE:
   case SGCAP_BO_LABEL:
      printf("%s ", name);
      print_bo(d, rec->u.id.id);
      if (rec->type == SGCAP_BO_CREATE)
         printf(" 0x%" PRIx64 " %" PRIu64 " bytes", rec->u.bo_create.address,
                rec->u.bo_create.size);
      putchar('\n');
      break;
   case SGCAP_BO_DESTROY:
   case SGCAP_BO_IDLE:
      printf("%s ", name);
      print_bo(d, rec->u.id.id);
      putchar('\n');
      break;
   case SGCAP_DATA:
   case SGCAP_ZERO:
      printf("%s ", name);
      print_bo(d, rec->u.data.id);
      printf("+0x%" PRIx64 " %" PRIu64 " bytes", rec->u.data.offset, rec->u.data.size);
      if (rec->type == SGCAP_DATA)
         printf(" %016" PRIx64, (uint64_t)XXH64(rec->bytes, rec->u.data.size, 0));
      putchar('\n');
      break;
   case SGCAP_QUEUE_CREATE:
   case SGCAP_QUEUE_DESTROY:
      printf("%s %" PRIu32 "\n", name, cap_decode_queue(d, rec->u.id.id));
      break;
   case SGCAP_QUERY:
      printf("%s queue %" PRIu32 " slot %" PRIu32 " type %" PRIu32 "\n", name,
             cap_decode_queue(d, rec->u.query.queue), rec->u.query.slot, rec->u.query.type);
      break;
   case SGCAP_SUBMIT:
      return print_submit(d, rec);
   case SGCAP_WAIT:
      printf("%s queue %" PRIu32 " seqno %" PRIu64 "\n", name,
             cap_decode_queue(d, rec->u.wait.queue), rec->u.wait.seqno);
      break;
   case SGCAP_PRESENT:
      printf("%s frame %" PRIu32 " ", name, rec->u.present.frame);
      print_bo(d, rec->u.present.bo);
      printf("+0x%" PRIx64 " %" PRIu32 "x%" PRIu32 " at %" PRIu32 ",%" PRIu32 " %s pitch %" PRIu32
             " hash %016" PRIx64 "\n",
             rec->u.present.offset, rec->u.present.width, rec->u.present.height, rec->u.present.x,
             rec->u.present.y, format_name(rec->u.present.format), rec->u.present.pitch,
             rec->u.present.hash);
      break;
   case SGCAP_FRAME:
      printf("%s %" PRIu64 "\n", name, rec->u.frame.number);
      break;
   case SGCAP_END:
      printf("%s %" PRIu64 " submissions, %" PRIu64 " pictures\n", name, rec->u.end.submissions,
             rec->u.end.frames);
      break;
   default:
      printf("%s\n", name);
      break;
   }
   return true;
}

/* Counts the draws and grids of a submission without printing them. */
static void
skip(struct decode *d, const struct sgcap_record *rec)
{
   const uint32_t *words = cap_player_stream(&d->player, rec);
   struct cap_stream stream;
   struct cap_packet packet;

   if (!words)
      return;
   cap_stream_init(&stream, words, rec->u.submit.words);
   while (cap_stream_next(&stream, &packet)) {
      d->draw += cap_packet_draws(packet.opcode);
      d->grid += cap_packet_grid(packet.opcode);
   }
   cap_stream_fini(&stream);
}

int
cap_decode(int argc, char **argv)
{
   struct decode d = {
      .frames.last = UINT64_MAX,
      .submissions.last = UINT64_MAX,
      .first = true,
   };
   const char *path = NULL;
   struct sgpu_device_params params;
   struct sgcap_record rec;

   sgpu_device_params_from_env(&params);
   params.poison = false;
   for (int i = 1; i < argc; i++) {
      const char *value = i + 1 < argc ? argv[i + 1] : "";
      if (!strcmp(argv[i], "--help") || !strcmp(argv[i], "-h")) {
         fputs(help, stdout);
         return 0;
      } else if (!strcmp(argv[i], "--json")) {
         d.json = true;
      } else if (!strcmp(argv[i], "--frames") && cap_parse_range(value, &d.frames)) {
         i++;
      } else if (!strcmp(argv[i], "--submissions") && cap_parse_range(value, &d.submissions)) {
         i++;
      } else if (argv[i][0] != '-' && !path) {
         path = argv[i];
      } else {
         fprintf(stderr, "sgpu: decode: invalid argument %s\n%s", argv[i], help);
         return 2;
      }
   }
   if (!path) {
      fputs(help, stderr);
      return 2;
   }
   if (!cap_player_open(&d.player, path, &params, false))
      return 1;

   if (d.json)
      putchar('[');
   bool ok = true;
   while (ok && cap_player_next(&d.player, &rec)) {
      const bool submit = rec.type == SGCAP_SUBMIT;
      const bool wanted = d.player.frame >= d.frames.first && d.player.frame <= d.frames.last &&
                          d.submission >= d.submissions.first && d.submission <= d.submissions.last;
      if (wanted)
         ok = d.json ? cap_decode_json(&d, &rec) : print_record(&d, &rec);
      else if (submit)
         skip(&d, &rec);
      if (submit && ok) {
         ok = cap_player_submitted(&d.player, &rec, 0);
         d.submission++;
      }
   }
   if (d.json)
      puts("\n]");
   int status = cap_report(&d.player, path);
   /* Report write errors of stdout, e.g. if the disk is full. */
   if (fflush(stdout) || ferror(stdout)) {
      perror("sgpu: decode");
      status = 1;
   }
   cap_player_close(&d.player);
   free(d.seen.hashes);
   return status;
}
