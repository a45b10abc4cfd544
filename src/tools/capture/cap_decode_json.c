/* SPDX-License-Identifier: MIT */
/*
 * sgpu decode --json: prints each record as a JSON object, with hashes of contents.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cap_decode.h"
#include "cap_json.h"
#include "cap_stream.h"
#include "sgcap_hash.h"
#include "sgpu_disasm.h"
#include "sgpu_formats.h"
#include "sgpu_packets.h"
#include "sgpu_packets_unpack.h"

static void
put_string(const char *key, const char *text)
{
   printf(", \"%s\": ", key);
   cap_json_string(stdout, text);
}

static void
put_number(const char *key, uint64_t value)
{
   printf(", \"%s\": %" PRIu64, key, value);
}

static void
put_hash(const char *key, uint64_t value)
{
   printf(", \"%s\": \"%016" PRIx64 "\"", key, value);
}

static void
bo_name(struct decode *d, uint64_t id, char *text, size_t size)
{
   const struct cap_object *o = cap_player_object(&d->player, id, CAP_BO);
   if (o)
      snprintf(text, size, "%s#%" PRIu32, o->u.bo.label, o->u.bo.ordinal);
   else
      snprintf(text, size, "none");
}

static void
put_bo(struct decode *d, const char *key, uint64_t id)
{
   char text[64];
   bo_name(d, id, text, sizeof text);
   put_string(key, text);
}

/* Returns text with JSON members for the packet's object: the hash of the program and, at the first
 * occurrence of the program, its disassembly.  The caller must free the text.
 */
static char *
program_text(struct decode *d, const uint32_t *packet)
{
   struct sgpu_program program;
   uint64_t hash;
   char *assembly = NULL, *text = NULL;
   size_t size = 0;

   if (!cap_program(&d->player, packet, &program, &hash))
      return NULL;
   FILE *fp = open_memstream(&text, &size);
   if (!fp)
      return NULL;
   fprintf(fp, ", \"program\": \"%016" PRIx64 "\"", hash);
   if (!cap_seen(&d->seen, hash)) {
      FILE *memory = open_memstream(&assembly, &size);
      if (memory) {
         sgpu_disasm_print(memory, &program);
         fclose(memory);
         fputs(", \"assembly\": ", fp);
         cap_json_string(fp, assembly);
         free(assembly);
      }
   }
   fclose(fp);
   return text;
}

static void
put_packet(struct decode *d, const struct cap_packet *packet)
{
   char draw[64] = "", *program = NULL;

   if (cap_packet_draws(packet->opcode))
      snprintf(draw, sizeof draw, ", \"draw\": %" PRIu64, d->draw++);
   if (cap_packet_grid(packet->opcode))
      snprintf(draw, sizeof draw, ", \"grid\": %" PRIu64, d->grid++);
   if (packet->opcode == SGPU_PACKET_SHADER)
      program = program_text(d, packet->words);
   cap_json_packet(stdout, &d->player, packet->words, packet->at, program ? program : draw);
   free(program);
}

static bool
put_submit(struct decode *d, const struct sgcap_record *rec)
{
   const struct sgcap_submit *s = &rec->u.submit;
   const uint32_t *words = cap_player_stream(&d->player, rec);
   struct cap_stream stream;
   struct cap_packet packet;
   char name[64];
   if (!words)
      return false;

   put_number("submission", d->submission);
   put_number("queue", cap_decode_queue(d, s->queue));
   put_number("seqno", s->seqno);
   put_number("address", s->address);
   put_number("words", s->words);
   printf(", \"buffers\": [");
   for (uint32_t i = 0; i < s->num_bos; i++) {
      const struct cap_bo *b = cap_player_bo(&d->player, rec->bos[i]);
      printf("%s{\"address\": %" PRIu64 ", \"size\": %" PRIu64, i ? ", " : "", b->address, b->size);
      put_bo(d, "name", rec->bos[i]);
      putchar('}');
   }
   printf("], \"waits\": [");
   for (uint32_t i = 0; i < s->num_waits; i++)
      printf("%s{\"queue\": %" PRIu32 ", \"seqno\": %" PRIu64 "}", i ? ", " : "",
             cap_decode_queue(d, rec->waits[i].queue), rec->waits[i].seqno);
   printf("], \"writes\": [");
   for (uint32_t i = 0; i < s->num_writes; i++) {
      bo_name(d, rec->writes[i].bo, name, sizeof name);
      printf("%s{\"offset\": %" PRIu64 ", \"size\": %" PRIu64, i ? ", " : "", rec->writes[i].offset,
             rec->writes[i].size);
      put_string("name", name);
      putchar('}');
   }
   printf("], \"packets\": [");
   cap_stream_init(&stream, words, s->words);
   for (const char *before = "\n   "; cap_stream_next(&stream, &packet); before = ",\n   ") {
      fputs(before, stdout);
      put_packet(d, &packet);
   }
   putchar(']');
   /* If the stream stops at an illegal packet, print the error that the device would report. */
   const char *error = NULL;
   if (stream.pos < s->words && sgpu_packet_opcode(words[stream.pos]) != SGPU_PACKET_END)
      error = sgpu_packet_check(words + stream.pos, s->words - stream.pos);
   if (error) {
      put_number("illegal", stream.pos);
      put_string("error", error);
   }
   cap_stream_fini(&stream);
   return true;
}

static void
put_present(struct decode *d, const struct sgcap_present *p)
{
   put_bo(d, "buffer", p->bo);
   put_number("offset", p->offset);
   put_number("frame", p->frame);
   put_number("x", p->x);
   put_number("y", p->y);
   put_number("width", p->width);
   put_number("height", p->height);
   put_number("pitch", p->pitch);
   put_string("format", sgpu_format_info(p->format)->name);
   put_hash("hash", p->hash);
}

bool
cap_decode_json(struct decode *d, const struct sgcap_record *rec)
{
   bool ok = true;

   printf("%s\n{\"record\": ", d->first ? "" : ",");
   d->first = false;
   cap_json_string(stdout, sgcap_record_name(rec->type));
   switch (rec->type) {
   case SGCAP_DEVICE:
      put_string("program", rec->text);
      put_number("threads", rec->u.device.threads);
      put_number("dispatch", rec->u.device.dispatch);
      put_number("engines", rec->u.device.engines);
      put_number("host", rec->u.device.host);
      put_number("memory", rec->u.device.memory_size);
      break;
   case SGCAP_PACKETS:
      put_hash("hash", XXH64(rec->text, strlen(rec->text), 0));
      break;
   case SGCAP_BO_CREATE:
      put_bo(d, "buffer", rec->u.bo_create.id);
      put_number("address", rec->u.bo_create.address);
      put_number("size", rec->u.bo_create.size);
      break;
   case SGCAP_BO_LABEL:
   case SGCAP_BO_IDLE:
   case SGCAP_BO_DESTROY:
      put_bo(d, "buffer", rec->u.id.id);
      break;
   case SGCAP_DATA:
   case SGCAP_ZERO:
      put_bo(d, "buffer", rec->u.data.id);
      put_number("offset", rec->u.data.offset);
      put_number("size", rec->u.data.size);
      if (rec->type == SGCAP_DATA)
         put_hash("hash", XXH64(rec->bytes, rec->u.data.size, 0));
      break;
   case SGCAP_QUEUE_CREATE:
   case SGCAP_QUEUE_DESTROY:
      put_number("queue", cap_decode_queue(d, rec->u.id.id));
      break;
   case SGCAP_QUERY:
      put_number("queue", cap_decode_queue(d, rec->u.query.queue));
      put_number("slot", rec->u.query.slot);
      put_number("type", rec->u.query.type);
      break;
   case SGCAP_SUBMIT:
      ok = put_submit(d, rec);
      break;
   case SGCAP_WAIT:
      put_number("queue", cap_decode_queue(d, rec->u.wait.queue));
      put_number("seqno", rec->u.wait.seqno);
      break;
   case SGCAP_PRESENT:
      put_present(d, &rec->u.present);
      break;
   case SGCAP_FRAME:
      put_number("frame", rec->u.frame.number);
      break;
   case SGCAP_END:
      put_number("submissions", rec->u.end.submissions);
      put_number("pictures", rec->u.end.frames);
      break;
   default:
      break;
   }
   putchar('}');
   return ok;
}
