/* SPDX-License-Identifier: MIT */
/*
 * sgpu inspect: one draw, clear, copy or blit of the page.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cap_inspect.h"
#include "cap_json.h"
#include "cap_program.h"
#include "sgpu_disasm.h"
#include "sgpu_formats.h"
#include "sgpu_layout.h"
#include "sgpu_packets_info.h"
#include "sgpu_packets_print.h"
#include "sgpu_packets_unpack.h"

static bool
name_address(void *data, uint64_t address, char *text, size_t size)
{
   return cap_player_name(data, address, text, size);
}

static unsigned
add_packet(struct cap_inspection *d, const uint32_t *packet)
{
   char *text = NULL;
   size_t size = 0;
   FILE *fp = open_memstream(&text, &size);
   if (!fp)
      return 0;
   sgpu_printer_packet(&(struct sgpu_printer){
      .fp = fp, .name_address = name_address, .data = &d->player,
   }, packet, 0);
   fclose(fp);
   const unsigned n = cap_pool_text(&d->texts, text);
   free(text);
   return n;
}

static void
put_programs(struct cap_inspection *d, const struct cap_stream *s)
{
   bool first = true;

   fputs(", \"programs\": [", d->items);
   for (unsigned i = 0; i < s->num_state; i++) {
      const uint32_t *packet = s->words + s->state[i].at;
      struct sgpu_program program;
      uint64_t hash;
      if ((packet[0] & 0xff) != SGPU_PACKET_SHADER ||
          !cap_program(&d->player, packet, &program, &hash))
         continue;
      char *text = NULL;
      size_t size = 0;
      FILE *fp = open_memstream(&text, &size);
      if (!fp)
         continue;
      sgpu_disasm_print(fp, &program);
      fclose(fp);
      fprintf(d->items, "%s%u", first ? "" : ", ", cap_pool_text(&d->texts, text));
      first = false;
      free(text);
   }
   fputc(']', d->items);
}

/* Level 0, layer 0 of a texture. */
static int
add_texture(struct cap_inspection *d, const struct sgcap_record *rec, const struct SGPU_TEXTURE *t)
{
   struct sgpu_layout layout;
   struct SGPU_SURFACE surface;
   struct cap_picture pic;
   uint64_t size;

   if (!t->valid || t->type == SGPU_TEXTURE_TYPE_BUFFER || sgpu_texture_check(t, &layout, &size) ||
       !sgpu_layout_fill_surface(&layout, t->address, t->resource_format, t->first_level,
                                 t->first_layer, 1, &surface) ||
       !cap_picture_read(&d->player, rec, &surface, &pic))
      return -1;
   const int n = cap_pool_picture(&d->pictures, &pic, 256);
   cap_picture_free(&pic);
   return n;
}

static void
put_textures(struct cap_inspection *d, const struct sgcap_record *rec, const struct cap_stream *s)
{
   bool first = true;

   fputs(", \"textures\": [", d->items);
   for (unsigned i = 0; i < s->num_state; i++) {
      const uint32_t *packet = s->words + s->state[i].at;
      struct SGPU_TEXTURES p;
      if ((packet[0] & 0xff) != SGPU_PACKET_TEXTURES || SGPU_TEXTURES_unpack(packet, &p))
         continue;
      for (uint32_t n = 0; n < p.tail_count; n++) {
         struct SGPU_TEXTURE t;
         char text[256], place[128] = "?";
         if (SGPU_TEXTURE_unpack(SGPU_TEXTURES_tail(packet, n), &t) || !t.valid)
            continue;
         const int picture = add_texture(d, rec, &t);
         cap_player_name(&d->player, t.address, place, sizeof place);
         snprintf(text, sizeof text, "stage %u, unit %u: %ux%u %s, %s", p.stage, p.first + n,
                  t.width, t.height, sgpu_format_info(t.format)->name, place);
         fprintf(d->items, "%s{\"picture\": %d, \"text\": ", first ? "" : ", ", picture);
         cap_json_string(d->items, text);
         fputc('}', d->items);
         first = false;
      }
   }
   fputc(']', d->items);
}

static void
put_state(struct cap_inspection *d, const struct cap_stream *s)
{
   fputs(", \"state\": [", d->items);
   for (unsigned i = 0; i < s->num_state; i++)
      fprintf(d->items, "%s%u", i ? ", " : "", add_packet(d, s->words + s->state[i].at));
   fputc(']', d->items);
}

/* Pixels that are other than before; -1: it was another target. */
static int64_t
changed_pixels(const struct cap_inspection *d, const struct cap_picture *now, uint64_t storage)
{
   int64_t n = 0;

   if (!d->latest.rgba || d->latest_storage != storage || d->latest.width != now->width ||
       d->latest.height != now->height)
      return -1;
   for (size_t i = 0; i < (size_t)now->width * now->height; i++)
      n += memcmp(now->rgba + i * 4, d->latest.rgba + i * 4, 4) != 0;
   return n;
}

/* A work packet that was carried out. */
void
cap_inspect_item(struct cap_inspection *d, struct cap_step *s)
{
   const bool draw = cap_packet_draws(s->packet.opcode);
   struct SGPU_SURFACE target = { 0 };
   struct cap_picture pic = { 0 };
   const struct sgpu_struct_info *info = sgpu_packet_info(s->packet.opcode);

   fprintf(d->items, "%s{\"name\": ", d->num_items++ ? ",\n" : "");
   cap_json_string(d->items, info ? info->name : "?");
   fprintf(d->items, ", \"submission\": %" PRIu64 ", \"packet\": %" PRIu64, s->submission,
           s->packet_number - 1);
   if (draw) {
      struct SGPU_DRAW p;
      fprintf(d->items, ", \"draw\": %" PRIu64, s->draw);
      if (s->packet.opcode == SGPU_PACKET_DRAW && !SGPU_DRAW_unpack(s->packet.words, &p))
         fprintf(d->items, ", \"vertices\": %" PRIu32 ", \"instances\": %" PRIu32, p.count,
                 p.instances);
      if (d->mapped)
         fprintf(d->items, ", \"fragments\": %" PRIu64 ", \"primitives\": %" PRIu64,
                 d->maps[d->map].fragments, d->maps[d->map].primitives);
   }
   if (d->group[0] || d->marker[0]) {
      char text[2100];
      snprintf(text, sizeof text, "%s%s%s", d->group, d->group[0] && d->marker[0] ? ": " : "",
               d->marker);
      fputs(", \"marker\": ", d->items);
      cap_json_string(d->items, text);
      d->marker[0] = 0;
   }

   int picture = -1;
   int64_t changed = -1;
   if (cap_work_target(&s->stream, &s->packet, &target) &&
       cap_picture_read(&d->player, &s->rec, &target, &pic)) {
      picture = cap_pool_picture(&d->pictures, &pic, d->thumbnail);
      changed = changed_pixels(d, &pic, target.storage);
      cap_picture_free(&d->latest);
      d->latest = pic;
      d->latest_storage = target.storage;
      fprintf(d->items, ", \"target\": \"%ux%u %s\"", target.width, target.height,
              sgpu_format_info(target.format)->name);
   }
   fprintf(d->items, ", \"picture\": %d, \"changed\": %" PRId64 ", \"text\": %u", picture, changed,
           add_packet(d, s->packet.words));
   put_state(d, &s->stream);
   if (draw) {
      put_programs(d, &s->stream);
      put_textures(d, &s->rec, &s->stream);
   }
   fputc('}', d->items);
}
