/* SPDX-License-Identifier: MIT */
/* sgpu inspect: writes a self-contained HTML page about one frame of a capture.  The page has an
 * item for each draw, grid, clear, copy and blit, which shows its target, state, programs, textures
 * and memory, and it has maps of the frame.
 */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "cap_disk.h"
#include "cap_inspect.h"
#include "cap_json.h"
#include "cap_page.h"
#include "cap_tool.h"
#include "sgpu_packets_unpack.h"

static const char help[] =
   "usage: sgpu inspect [OPTION...] -o REPORT.html FILE.sgcap\n"
   "\n"
   "Writes a page about a frame: the picture, each draw, grid, clear, copy and blit\n"
   "with the target after it, its state, programs, textures, storage buffers and\n"
   "images, and maps of overdraw and of the primitives' sizes.  The page needs no\n"
   "other file and no network.\n"
   "\n"
   "  --frame N         show this frame (default: the first presented one)\n"
   "  --draws A[-B]     only these draws, with decode's numbers; for frames with\n"
   "                    thousands of draws\n"
   "  --thumbnail N     size of the targets' pictures in pixels (default 160)\n"
   "  --raw DIR         write the storage buffers and images that a draw or grid\n"
   "                    reads or writes to DIR/ITEM-STAGE-bufN-before.bin, -after.bin\n"
   "                    or -read.bin; ITEM is the number in the page's address\n" CAP_DISK_HELP
   "  --threads N, --dispatch P, --exec MODE, --host V: see sgpu replay\n"
   "  --config FILE|NAME, --set SECTION.KEY=VALUE\n"
   "                    simulate the frame on a chip, as sgpu sim does, and show what\n"
   "                    each draw takes and what the units do meanwhile\n";

#define MANY_ITEMS 3000u
/* Maximum size of a page in bytes.  Browsers can still open pages of this size. */
#define MAX_PAGE (UINT64_C(1) << 30)

/* Handles a marker.  "push NAME" begins a debug group and "pop" ends the latest one
 * (targets/dri/markers.c).
 */
static void
note_marker(struct cap_inspection *d, const char *text)
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

/* Handles the markers in words [from, end) of the command stream. */
static void
note_markers(struct cap_inspection *d, const struct cap_step *s, uint32_t from, uint32_t end)
{
   for (uint32_t at = from; at < end;) {
      const uint32_t length = sgpu_packet_words(s->words[at]);
      if (sgpu_packet_check(s->words + at, end - at) ||
          sgpu_packet_opcode(s->words[at]) == SGPU_PACKET_END)
         break;
      if (sgpu_packet_opcode(s->words[at]) == SGPU_PACKET_MARKER) {
         char text[SGPU_MARKER_TAIL_MAX * 4 + 1] = "";
         memcpy(text, s->words + at + 1, (length - 1) * 4);
         note_marker(d, text);
      }
      at += length;
   }
}

/* Adds a draw to the maps of its target.  Returns false if the target can't have maps. */
static bool
draw_maps(struct cap_inspection *d, struct cap_step *s)
{
   struct SGPU_SURFACE target;
   if (!cap_target(cap_stream_find(&s->stream, SGPU_PACKET_FRAMEBUFFER), &target))
      return false;
   for (d->map = 0; d->map < d->num_maps; d->map++) {
      if (cap_maps_take(&d->maps[d->map], &target))
         return cap_maps_draw(&d->maps[d->map], s);
   }
   return d->num_maps < CAP_MAX_MAPS && cap_maps_init(&d->maps[d->num_maps++], &d->player) &&
          cap_maps_draw(&d->maps[d->map], s);
}

/* Returns true for submissions that can run as a whole, because they belong to an earlier frame or
 * contain none of the draws to show.
 */
static bool
not_shown(void *data, const struct sgcap_record *rec)
{
   struct cap_inspection *d = data;
   if (!d->any_frame && d->player.frame < d->frame)
      return true;
   return d->step->draw > d->last_draw ||
          (d->first_draw && cap_step_end(d->step, rec) <= d->first_draw);
}

static bool
is_shown(const struct cap_inspection *d, const struct cap_step *s)
{
   return s->draw >= d->first_draw && s->draw <= d->last_draw;
}

static int
write_page(struct cap_inspection *d, const char *path, const char *out,
           const struct cap_picture *frame)
{
   const int picture = cap_pool_picture(&d->pictures, frame, 16384);
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
      fprintf(memory, "%s{\"overdraw\": %d, \"most\": %u", i ? ", " : "",
              cap_pool_picture(&d->pictures, &overdraw, 16384), most);
      fprintf(memory, ", \"sizes\": %d, \"largest\": %u, \"name\": ",
              cap_pool_picture(&d->pictures, &sizes, 16384), largest);
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
   /* inspect_timing.py replaces this line with timing data. */
   fputs("const timing = null;\n", fp);
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

static bool
too_large(const struct cap_inspection *d)
{
   return (uint64_t)ftello(d->items) + ftello(d->texts.fp) + ftello(d->pictures.fp) > MAX_PAGE;
}

static int
inspect(struct cap_inspection *d, const char *path, const char *out)
{
   struct cap_picture frame = { 0 };
   struct cap_step s;
   enum cap_event event;
   uint32_t from = 0;
   bool done = false;
   uint64_t submission = UINT64_MAX;

   cap_step_init(&s, &d->player);
   s.whole = not_shown;
   s.data = d;
   d->step = &s;
   while (!done && cap_step_next(&s, &event)) {
      if (too_large(d)) {
         sgcap_fail(d->player.reader,
                    "the page has more than %" PRIu64 " bytes after %u draws and "
                    "other work; --draws selects some of them",
                    MAX_PAGE, d->num_items);
         break;
      }
      if (event == CAP_EVENT_RECORD || event == CAP_EVENT_SUBMITTED)
         cap_inspect_written(d, &s.rec);
      if (event == CAP_EVENT_BEFORE) {
         if (submission != s.submission)
            from = 0;
         submission = s.submission;
         note_markers(d, &s, from, s.packet.at);
         from = s.packet.at + s.packet.length;
         if (is_shown(d, &s))
            cap_inspect_before(d, &s);
         /* The maps run the draw a second time.  Skip draws whose stages before the pixel shader
          * write memory, since this would repeat the writes.
          */
         d->mapped = cap_packet_draws(s.packet.opcode) && is_shown(d, &s) &&
                     !d->bindings.before_pixels && draw_maps(d, &s);
         cap_counters_read(d->player.dev, &d->before);
      } else if (event == CAP_EVENT_AFTER && is_shown(d, &s)) {
         cap_inspect_item(d, &s);
         if (d->num_items == MANY_ITEMS)
            fprintf(stderr,
                    "sgpu: %s: the frame has more than %u draws and other work; this "
                    "takes long, --draws selects some of them\n",
                    path, MANY_ITEMS);
      } else if (event == CAP_EVENT_SUBMITTED && s.words) {
         note_markers(d, &s, submission == s.submission ? from : 0, s.rec.u.submit.words);
      } else if (event == CAP_EVENT_RECORD && s.rec.type == SGCAP_PRESENT &&
                 (d->any_frame || s.rec.u.present.frame >= d->frame)) {
         const struct sgcap_present *p = &s.rec.u.present;
         const uint8_t *rows = cap_player_picture(&d->player, &s.rec);
         d->frame = p->frame;
         done = rows && cap_picture_convert(&frame, p->format, p->width, p->height, rows, p->pitch);
      }
   }
   cap_step_fini(&s);
   int status = done ? 0 : cap_report(&d->player, path);
   if (status == 0 && !done && d->num_items == 0) {
      fprintf(stderr, "sgpu: %s: no such frame\n", path);
      status = 1;
   } else if (status == 0 && d->num_items == 0 && d->first_draw > 0) {
      fprintf(stderr, "sgpu: %s: the frame ends with draw %" PRIu64 "\n", path, s.draw);
      status = 1;
   }
   /* If the frame was not presented, show the target of the latest work packet instead. */
   if (status == 0)
      status = write_page(d, path, out, done ? &frame : &d->targets[d->latest].pic);
   cap_picture_free(&frame);
   return status;
}

static void
take_plan(void *data, const struct sgpu_draw_plan *plan)
{
   struct cap_inspection *d = data;

   d->plan = *plan;
}

int
cap_inspect(int argc, char **argv)
{
   struct cap_inspection d = { .any_frame = true, .thumbnail = 160, .last_draw = UINT64_MAX };
   struct cap_range draws;
   struct sgpu_device_params params;
   const char *path = NULL, *out = NULL;
   uint64_t n;

   cap_disk_begin();
   if (!sgpu_device_params_from_env(&params))
      return 2;
   params.poison = false;
   params.plan = take_plan;
   params.plan_data = &d;
   for (int i = 1; i < argc; i++) {
      const char *value = i + 1 < argc ? argv[i + 1] : "";
      bool ok = true;
      if (!strcmp(argv[i], "--help") || !strcmp(argv[i], "-h")) {
         fputs(help, stdout);
         return 0;
      } else if (!strcmp(argv[i], "-o") && *value) {
         out = value;
         i++;
      } else if (!strcmp(argv[i], "--frame") && cap_parse_number(value, &d.frame)) {
         d.any_frame = false;
         i++;
      } else if (!strcmp(argv[i], "--draws") && cap_parse_range(value, &draws)) {
         d.first_draw = draws.first;
         d.last_draw = draws.last;
         i++;
      } else if (!strcmp(argv[i], "--thumbnail") && cap_parse_number(value, &n) && n > 0 &&
                 n <= 4096) {
         d.thumbnail = n;
         i++;
      } else if (!strcmp(argv[i], "--raw") && *value) {
         d.raw = value;
         i++;
      } else if (*value && cap_disk_option(argv[i], value, &ok) && ok) {
         i++;
      } else if (argv[i][0] != '-' && !path) {
         path = argv[i];
      } else if (argv[i][0] == '-' && *value && cap_device_option(&params, argv[i], value)) {
         i++;
      } else {
         fprintf(stderr, "sgpu: inspect: invalid argument %s\n%s", argv[i], help);
         return 2;
      }
   }
   if (!path || !out) {
      fputs(help, stderr);
      return 2;
   }

   if (d.raw && mkdir(d.raw, 0777) && errno != EEXIST) {
      perror(d.raw);
      return 2;
   }
   if (!cap_player_open(&d.player, path, &params, true))
      return 1;
   d.items = open_memstream(&d.items_text, &d.items_size);
   int status = 1;
   if (d.items && cap_pool_open(&d.texts) && cap_pool_open(&d.pictures))
      status = inspect(&d, path, out);
   status |= d.raw_failed;
   cap_inspect_finish(&d);
   if (d.items)
      fclose(d.items);
   free(d.items_text);
   cap_player_close(&d.player);
   return status;
}
