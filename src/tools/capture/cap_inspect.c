/* SPDX-License-Identifier: MIT */
/*
 * sgpu inspect: a frame of a capture as one HTML page that needs nothing else:
 * its draws with the target after each, state, programs, textures, maps.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cap_json.h"
#include "cap_maps.h"
#include "cap_page.h"
#include "cap_picture.h"
#include "cap_program.h"
#include "cap_step.h"
#include "cap_tool.h"
#include "sgcap_hash.h"
#include "sgpu_disasm.h"
#include "sgpu_formats.h"
#include "sgpu_layout.h"
#include "sgpu_packets_info.h"
#include "sgpu_packets_print.h"
#include "sgpu_packets_unpack.h"

static const char help[] =
   "usage: sgpu inspect [OPTION...] -o REPORT.html FILE.sgcap\n"
   "\n"
   "Writes a page about a frame: the picture, each draw, clear, copy and blit with\n"
   "the target behind it, its state, programs and textures, and maps of overdraw\n"
   "and of the primitives' sizes.  The page needs no other file and no network.\n"
   "\n"
   "  --frame N         this one (default: the first that is presented)\n"
   "  --thumbnail N     pixels of the targets' pictures (default 160)\n"
   "  --threads N, --dispatch P, --host V, --exec E: see sgpu replay\n";

/* Targets with maps; draws to more of them have none. */
#define MAX_MAPS 12

/* Texts and pictures that many draws share, each written once as an element of
 * a JavaScript array.
 */
struct pool {
   uint64_t *hashes;
   unsigned count, max;
   FILE *fp;
   char *text;
   size_t size;
};

struct inspect {
   struct cap_player player;
   struct cap_maps maps[MAX_MAPS];
   unsigned num_maps, map;       /* that the latest draw is in */
   uint64_t frame;
   bool any_frame;
   uint32_t thumbnail;
   struct pool texts, pictures;
   FILE *items;
   char *items_text;
   size_t items_size;
   unsigned num_items;
   char group[1024];             /* debug groups that are open: "a / b" */
   char marker[1024];            /* markers since the last work packet */
   struct cap_picture latest;    /* the target behind the last work packet */
   uint64_t latest_storage;
   bool mapped;                  /* the draw to come is in the maps */
};

static bool
pool_open(struct pool *p)
{
   p->fp = open_memstream(&p->text, &p->size);
   return p->fp != NULL;
}

static void
pool_free(struct pool *p)
{
   if (p->fp)
      fclose(p->fp);
   free(p->text);
   free(p->hashes);
   memset(p, 0, sizeof *p);
}

/* The element's index; *added says whether it is to be written now. */
static unsigned
pool_add(struct pool *p, uint64_t hash, bool *added)
{
   *added = false;
   for (unsigned i = 0; i < p->count; i++) {
      if (p->hashes[i] == hash)
         return i;
   }
   if (p->count == p->max) {
      const unsigned n = p->max ? p->max * 2 : 256;
      uint64_t *h = realloc(p->hashes, n * sizeof *h);
      if (!h)
         return 0;
      p->hashes = h;
      p->max = n;
   }
   *added = true;
   if (p->count)
      fputs(",\n", p->fp);
   p->hashes[p->count] = hash;
   return p->count++;
}

static unsigned
add_text(struct inspect *d, const char *text)
{
   bool added;
   const unsigned n = pool_add(&d->texts, XXH64(text, strlen(text), 0), &added);
   if (added)
      cap_json_string(d->texts.fp, text);
   return n;
}

static void
put_base64(FILE *fp, const uint8_t *data, size_t size)
{
   static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

   for (size_t i = 0; i < size; i += 3) {
      const uint32_t v = data[i] << 16 | (i + 1 < size ? data[i + 1] << 8 : 0) |
                         (i + 2 < size ? data[i + 2] : 0);
      fputc(digits[v >> 18 & 63], fp);
      fputc(digits[v >> 12 & 63], fp);
      fputc(i + 1 < size ? digits[v >> 6 & 63] : '=', fp);
      fputc(i + 2 < size ? digits[v & 63] : '=', fp);
   }
}

/* Shrunk to `size`, as a data URL. */
static int
add_picture(struct inspect *d, const struct cap_picture *pic, uint32_t size)
{
   struct cap_picture small;
   bool added;
   size_t bytes;

   if (!pic->rgba || !cap_picture_shrink(pic, size, &small))
      return -1;
   const uint64_t hash = XXH64(small.rgba, (size_t)small.width * small.height * 4, small.width);
   const unsigned n = pool_add(&d->pictures, hash, &added);
   if (added) {
      void *png = cap_picture_png(&small, &bytes);
      fputs("\"data:image/png;base64,", d->pictures.fp);
      if (png)
         put_base64(d->pictures.fp, png, bytes);
      fputc('"', d->pictures.fp);
      free(png);
   }
   cap_picture_free(&small);
   return (int)n;
}

static bool
name_address(void *data, uint64_t address, char *text, size_t size)
{
   return cap_player_name(data, address, text, size);
}

static unsigned
add_packet(struct inspect *d, const uint32_t *packet)
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
   const unsigned n = add_text(d, text);
   free(text);
   return n;
}

static void
put_programs(struct inspect *d, const struct cap_stream *s)
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
      fprintf(d->items, "%s%u", first ? "" : ", ", add_text(d, text));
      first = false;
      free(text);
   }
   fputc(']', d->items);
}

/* Level 0, layer 0 of a texture. */
static int
add_texture(struct inspect *d, const struct sgcap_record *rec, const struct SGPU_TEXTURE *t)
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
   const int n = add_picture(d, &pic, 256);
   cap_picture_free(&pic);
   return n;
}

static void
put_textures(struct inspect *d, const struct sgcap_record *rec, const struct cap_stream *s)
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
put_state(struct inspect *d, const struct cap_stream *s)
{
   fputs(", \"state\": [", d->items);
   for (unsigned i = 0; i < s->num_state; i++)
      fprintf(d->items, "%s%u", i ? ", " : "", add_packet(d, s->words + s->state[i].at));
   fputc(']', d->items);
}

/* Pixels that are other than before; -1: it was another target. */
static int64_t
changed_pixels(const struct inspect *d, const struct cap_picture *now, uint64_t storage)
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
static void
put_item(struct inspect *d, struct cap_step *s)
{
   const bool draw = s->packet.opcode == SGPU_PACKET_DRAW;
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
      if (!SGPU_DRAW_unpack(s->packet.words, &p))
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
      picture = add_picture(d, &pic, d->thumbnail);
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

/* "push NAME" and "pop" are debug groups (targets/dri/markers.c). */
static void
note_marker(struct inspect *d, const char *text)
{
   size_t n = strlen(d->group);

   if (!strncmp(text, "push ", 5)) {
      snprintf(d->group + n, sizeof d->group - n, "%s%s", n ? " / " : "", text + 5);
   } else if (!strcmp(text, "pop")) {
      while (n > 0 && strncmp(d->group + n, " / ", 3))
         n--;
      d->group[n] = 0;
   } else {
      n = strlen(d->marker);
      snprintf(d->marker + n, sizeof d->marker - n, "%s%s", n ? "; " : "", text);
   }
}

/* The markers of a stream from word `from` on, up to `end`. */
static void
note_markers(struct inspect *d, const struct cap_step *s, uint32_t from, uint32_t end)
{
   for (uint32_t at = from; at < end;) {
      const uint32_t length = sgpu_packet_words(s->words[at]);
      if (sgpu_packet_check(s->words + at, end - at) || (s->words[at] & 0xff) == SGPU_PACKET_END)
         break;
      if ((s->words[at] & 0xff) == SGPU_PACKET_MARKER) {
         char text[SGPU_MARKER_TAIL_MAX * 4 + 1] = "";
         memcpy(text, s->words + at + 1, (length - 1) * 4);
         note_marker(d, text);
      }
      at += length;
   }
}

/* The draw's target's maps. */
static bool
draw_maps(struct inspect *d, struct cap_step *s)
{
   struct SGPU_SURFACE target;
   if (!cap_target(cap_stream_find(&s->stream, SGPU_PACKET_FRAMEBUFFER), &target))
      return false;
   for (d->map = 0; d->map < d->num_maps; d->map++) {
      if (cap_maps_take(&d->maps[d->map], &target))
         return cap_maps_draw(&d->maps[d->map], s);
   }
   return d->num_maps < MAX_MAPS && !target.samples_log2 &&
          cap_maps_init(&d->maps[d->num_maps++], &d->player) &&
          cap_maps_draw(&d->maps[d->map], s);
}

static bool
before_frame(void *data, const struct sgcap_record *rec)
{
   const struct inspect *d = data;
   return !d->any_frame && d->player.frame < d->frame;
}

static int
write_page(struct inspect *d, const char *path, const char *out, const struct cap_picture *frame)
{
   const int picture = add_picture(d, frame, 16384);
   char *maps = NULL;
   size_t maps_size = 0;
   FILE *memory = open_memstream(&maps, &maps_size);
   if (!memory)
      return 1;
   for (unsigned i = 0; i < d->num_maps; i++) {
      struct cap_picture overdraw = { 0 }, sizes = { 0 };
      uint32_t most = 0, largest = 0;
      char place[128] = "?";
      cap_maps_overdraw(&d->maps[i], &overdraw, &most);
      cap_maps_sizes(&d->maps[i], &sizes, &largest);
      cap_player_name(&d->player, d->maps[i].storage, place, sizeof place);
      fprintf(memory, "%s{\"overdraw\": %d, \"most\": %u, \"sizes\": %d, \"largest\": %u, \"name\": ",
              i ? ", " : "", add_picture(d, &overdraw, 16384), most,
              add_picture(d, &sizes, 16384), largest);
      cap_json_string(memory, place);
      fputc('}', memory);
      cap_picture_free(&overdraw);
      cap_picture_free(&sizes);
   }
   fclose(memory);
   fflush(d->texts.fp);
   fflush(d->pictures.fp);
   fflush(d->items);

   FILE *fp = fopen(out, "w");
   if (!fp) {
      perror(out);
      free(maps);
      return 1;
   }
   fputs(cap_page_head, fp);
   fputs("const file = ", fp);
   cap_json_string(fp, path);
   fputs(", program = ", fp);
   cap_json_string(fp, d->player.program);
   fprintf(fp, ", frame = %" PRIu64 ", picture = %d;\n", d->frame, picture);
   fprintf(fp, "const maps = [%s];\n", maps);
   free(maps);
   fprintf(fp, "const texts = [%s];\n", d->texts.text);
   fprintf(fp, "const pictures = [%s];\n", d->pictures.text);
   fprintf(fp, "const items = [%s];\n", d->items_text);
   fputs(cap_page_tail, fp);
   if (fclose(fp)) {
      perror(out);
      return 1;
   }
   printf("%s: frame %" PRIu64 ", %u draws and other work\n", out, d->frame, d->num_items);
   return 0;
}

static int
inspect(struct inspect *d, const char *path, const char *out)
{
   struct cap_picture frame = { 0 };
   struct cap_step s;
   enum cap_event event;
   uint32_t from = 0;
   bool done = false;
   uint64_t submission = UINT64_MAX;

   cap_step_init(&s, &d->player);
   s.whole = before_frame;
   s.data = d;
   while (!done && cap_step_next(&s, &event)) {
      if (event == CAP_EVENT_BEFORE) {
         if (submission != s.submission)
            from = 0;
         submission = s.submission;
         note_markers(d, &s, from, s.packet.at);
         from = s.packet.at + s.packet.length;
         d->mapped = s.packet.opcode == SGPU_PACKET_DRAW && draw_maps(d, &s);
      } else if (event == CAP_EVENT_AFTER) {
         put_item(d, &s);
      } else if (event == CAP_EVENT_SUBMITTED && s.words) {
         note_markers(d, &s, submission == s.submission ? from : 0, s.rec.u.submit.words);
      } else if (event == CAP_EVENT_RECORD && s.rec.type == SGCAP_PRESENT &&
                 (d->any_frame || s.rec.u.present.frame >= d->frame)) {
         const struct sgcap_present *p = &s.rec.u.present;
         const uint8_t *rows = cap_player_picture(&d->player, &s.rec);
         d->frame = p->frame;
         done = rows && cap_picture_convert(&frame, p->format, p->width, p->height, rows,
                                            p->pitch);
      }
   }
   cap_step_fini(&s);
   int status = done ? 0 : cap_report(&d->player, path);
   if (status == 0 && !done && d->num_items == 0) {
      fprintf(stderr, "sgpu: %s: there is no such frame\n", path);
      status = 1;
   }
   /* Without a presented picture, the last target. */
   if (status == 0)
      status = write_page(d, path, out, done ? &frame : &d->latest);
   cap_picture_free(&frame);
   return status;
}

int
cap_inspect(int argc, char **argv)
{
   struct inspect d = { .any_frame = true, .thumbnail = 160 };
   struct sgpu_device_params params;
   const char *path = NULL, *out = NULL;
   uint64_t n;

   if (!sgpu_device_params_from_env(&params))
      return 2;
   params.poison = false;
   for (int i = 1; i < argc; i++) {
      const char *value = i + 1 < argc ? argv[i + 1] : "";
      if (!strcmp(argv[i], "--help") || !strcmp(argv[i], "-h")) {
         fputs(help, stdout);
         return 0;
      } else if (!strcmp(argv[i], "-o") && *value) {
         out = value;
         i++;
      } else if (!strcmp(argv[i], "--frame") && cap_parse_number(value, &d.frame)) {
         d.any_frame = false;
         i++;
      } else if (!strcmp(argv[i], "--thumbnail") && cap_parse_number(value, &n) && n > 0 &&
                 n <= 4096) {
         d.thumbnail = n;
         i++;
      } else if (argv[i][0] != '-' && !path) {
         path = argv[i];
      } else if (argv[i][0] == '-' && *value && cap_device_option(&params, argv[i], value)) {
         i++;
      } else {
         fprintf(stderr, "sgpu: inspect: %s is not understood\n%s", argv[i], help);
         return 2;
      }
   }
   if (!path || !out) {
      fputs(help, stderr);
      return 2;
   }

   if (!cap_player_open(&d.player, path, &params, true))
      return 1;
   d.items = open_memstream(&d.items_text, &d.items_size);
   int status = 1;
   if (d.items && pool_open(&d.texts) && pool_open(&d.pictures))
      status = inspect(&d, path, out);
   for (unsigned i = 0; i < d.num_maps; i++)
      cap_maps_fini(&d.maps[i]);
   cap_picture_free(&d.latest);
   pool_free(&d.texts);
   pool_free(&d.pictures);
   if (d.items)
      fclose(d.items);
   free(d.items_text);
   cap_player_close(&d.player);
   return status;
}
