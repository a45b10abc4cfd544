/* SPDX-License-Identifier: MIT */
/* sgpu inspect: writes the item of a draw, grid, clear, copy or blit to the page. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cap_inspect.h"
#include "cap_json.h"
#include "cap_program.h"
#include "sgcap_hash.h"
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
   sgpu_printer_packet(
      &(struct sgpu_printer){
         .fp = fp,
         .name_address = name_address,
         .data = &d->player,
      },
      packet, 0);
   fclose(fp);
   const unsigned n = cap_pool_text(&d->texts, text);
   free(text);
   return n;
}

/* Writes the programs of the graphics stages or, if `grid` is set, of the compute stage. */
static void
put_programs(struct cap_inspection *d, const struct cap_stream *s, bool grid)
{
   bool first = true;

   fputs(", \"programs\": [", d->items);
   for (unsigned i = 0; i < s->num_state; i++) {
      const uint32_t *packet = s->words + s->state[i].at;
      struct sgpu_program program;
      uint64_t hash;
      if (sgpu_packet_opcode(packet[0]) != SGPU_PACKET_SHADER ||
          !cap_program(&d->player, packet, &program, &hash) ||
          (program.stage == SGPU_STAGE_COMPUTE) != grid)
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

static void
written(struct cap_inspection *d, uint64_t id)
{
   if (!cap_player_object(&d->player, id, CAP_BO))
      return;
   if (id > d->num_versions) {
      const uint64_t n = id + 256;
      uint64_t *v = realloc(d->versions, n * sizeof *v);
      if (!v)
         return;
      memset(v + d->num_versions, 0, (n - d->num_versions) * sizeof *v);
      d->versions = v;
      d->num_versions = n;
   }
   d->versions[id - 1]++;
}

void
cap_inspect_written(struct cap_inspection *d, const struct sgcap_record *rec)
{
   if (rec->type == SGCAP_DATA || rec->type == SGCAP_ZERO)
      written(d, rec->u.data.id);
   for (uint32_t i = 0; rec->type == SGCAP_SUBMIT && i < rec->u.submit.num_writes; i++)
      written(d, rec->writes[i].bo);
}

/* Returns the cache entry for the picture of a texture.  Returns NULL if the texture may change
 * during the submission, which is the case if the submission writes the buffer of the texture or
 * has no list of writes.
 */
static struct cap_inspect_texture *
find_texture(struct cap_inspection *d, const struct sgcap_record *rec,
             const struct SGPU_TEXTURE *texture, uint64_t size)
{
   const uint64_t address = texture->address;
   const struct cap_bo *b = cap_player_find(&d->player, address, size);
   bool steady = b && rec->u.submit.num_writes;
   for (uint32_t i = 0; steady && i < rec->u.submit.num_writes; i++)
      steady = rec->writes[i].bo != b->id;
   if (!steady)
      return NULL;

   uint32_t words[SGPU_TEXTURE_LENGTH];
   SGPU_TEXTURE_pack(words, texture);
   const uint64_t key = XXH64(words, sizeof words, 0);
   const uint64_t version = b->id <= d->num_versions ? d->versions[b->id - 1] : 0;
   struct cap_inspect_texture *t = NULL;
   for (unsigned i = 0; i < d->num_textures && !t; i++) {
      if (d->textures[i].key == key && d->textures[i].bo == b->id)
         t = &d->textures[i];
   }
   if (t && t->version == version)
      return t;
   if (!t && d->num_textures == d->max_textures) {
      const unsigned n = d->max_textures ? d->max_textures * 2 : 64;
      struct cap_inspect_texture *all = realloc(d->textures, n * sizeof *all);
      if (!all)
         return NULL;
      d->textures = all;
      d->max_textures = n;
   }
   t = t ? t : &d->textures[d->num_textures++];
   *t = (struct cap_inspect_texture){ key, b->id, version, -2 };
   return t;
}

int
cap_inspect_texture(struct cap_inspection *d, const struct sgcap_record *rec,
                    const struct SGPU_TEXTURE *t)
{
   struct sgpu_layout layout;
   struct SGPU_SURFACE surface;
   struct cap_picture pic;
   uint64_t size;

   if (!t->valid || t->type == SGPU_TEXTURE_TYPE_BUFFER || sgpu_texture_check(t, &layout, &size))
      return -1;
   struct cap_inspect_texture *known = find_texture(d, rec, t, size);
   if (known && known->picture >= -1)
      return known->picture;
   if (known)
      known->picture = -1;
   if (!sgpu_layout_fill_surface(&layout, t->address, t->resource_format, t->first_level,
                                 t->first_layer, 1, &surface) ||
       !cap_picture_read(&d->player, rec, &surface, &pic))
      return -1;
   const int n = cap_pool_picture(&d->pictures, &pic, 256);
   cap_picture_free(&pic);
   if (known)
      known->picture = n;
   return n;
}

static void
put_textures(struct cap_inspection *d, const struct sgcap_record *rec, const struct cap_stream *s,
             bool grid)
{
   bool first = true;

   fputs(", \"textures\": [", d->items);
   for (unsigned i = 0; i < s->num_state; i++) {
      const uint32_t *packet = s->words + s->state[i].at;
      struct SGPU_TEXTURES p;
      if (sgpu_packet_opcode(packet[0]) != SGPU_PACKET_TEXTURES ||
          SGPU_TEXTURES_unpack(packet, &p) ||
          (!p.handles && (p.stage == SGPU_STAGE_COMPUTE) != grid))
         continue;
      for (uint32_t n = 0; n < p.tail_count; n++) {
         struct SGPU_TEXTURE t;
         char text[256], place[128] = "?";
         if (SGPU_TEXTURE_unpack(SGPU_TEXTURES_tail(packet, n), &t) || !t.valid)
            continue;
         const int picture = cap_inspect_texture(d, rec, &t);
         cap_player_name(&d->player, t.address, place, sizeof place);
         snprintf(text, sizeof text, "%s%s %u: %ux%u %s, %s",
                  p.handles ? "" : cap_stage_name(p.stage), p.handles ? "handle" : ", unit",
                  p.handles ? p.first_handle + n : p.first + n, t.width, t.height,
                  sgpu_format_info(t.format)->name, place);
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

/* Returns the entry for a target.  If the target has none, reuses the least recently used entry.
 * Sets *known to true if the entry has a picture from an earlier item.
 */
static struct cap_inspect_target *
find_target(struct cap_inspection *d, const struct SGPU_SURFACE *s, const struct cap_picture *now,
            bool *known)
{
   struct cap_inspect_target *oldest = &d->targets[0];

   for (unsigned i = 0; i < CAP_MAX_TARGETS; i++) {
      struct cap_inspect_target *t = &d->targets[i];
      if (t->pic.rgba && t->storage == s->storage && t->format == s->format &&
          t->pic.width == now->width && t->pic.height == now->height) {
         *known = true;
         return t;
      }
      if (oldest->pic.rgba && (!t->pic.rgba || t->item < oldest->item))
         oldest = t;
   }
   *known = false;
   oldest->storage = s->storage;
   oldest->format = s->format;
   oldest->patched = false;
   return oldest;
}

/* Copies the smallest rectangle that contains all changed pixels, and makes the unchanged pixels in
 * it transparent.  Returns the number of changed pixels.
 */
static uint64_t
difference(const struct cap_picture *old, const struct cap_picture *now, uint32_t *x0, uint32_t *y0,
           struct cap_picture *out)
{
   uint32_t x1 = 0, y1 = 0;
   uint64_t n = 0;

   memset(out, 0, sizeof *out);
   *x0 = now->width;
   *y0 = now->height;
   for (uint32_t y = 0; y < now->height; y++) {
      const uint32_t *a = (const uint32_t *)old->rgba + (size_t)y * now->width;
      const uint32_t *b = (const uint32_t *)now->rgba + (size_t)y * now->width;
      if (!memcmp(a, b, now->width * 4))
         continue;
      *y0 = y < *y0 ? y : *y0;
      y1 = y + 1;
      for (uint32_t x = 0; x < now->width; x++) {
         if (a[x] == b[x])
            continue;
         n++;
         *x0 = x < *x0 ? x : *x0;
         x1 = x + 1 > x1 ? x + 1 : x1;
      }
   }
   if (!n)
      return 0;
   out->width = x1 - *x0;
   out->height = y1 - *y0;
   out->rgba = calloc((size_t)out->width * out->height, 4);
   for (uint32_t y = 0; out->rgba && y < out->height; y++) {
      for (uint32_t x = 0; x < out->width; x++) {
         const size_t at = (size_t)(*y0 + y) * now->width + *x0 + x;
         uint8_t *to = out->rgba + ((size_t)y * out->width + x) * 4;
         if (memcmp(old->rgba + at * 4, now->rgba + at * 4, 4)) {
            memcpy(to, now->rgba + at * 4, 3);
            to[3] = 255;
         }
      }
   }
   return n;
}

static uint64_t
pixels_of(const struct cap_inspect_target *t)
{
   return t->pic.rgba ? (uint64_t)t->pic.width * t->pic.height : 0;
}

/* Frees the oldest pictures, but not `latest`, until at most CAP_MAX_PIXELS pixels are kept. */
static void
forget_targets(struct cap_inspection *d, const struct cap_inspect_target *latest)
{
   for (;;) {
      struct cap_inspect_target *oldest = NULL;
      uint64_t pixels = 0;
      for (unsigned i = 0; i < CAP_MAX_TARGETS; i++) {
         struct cap_inspect_target *t = &d->targets[i];
         pixels += pixels_of(t);
         if (t != latest && t->pic.rgba && (!oldest || t->item < oldest->item))
            oldest = t;
      }
      if (pixels <= CAP_MAX_PIXELS || !oldest)
         return;
      cap_picture_free(&oldest->pic);
   }
}

/* Writes the target in full size, either as a whole picture or as a patch that changes the target
 * of an earlier item ("base").  Takes ownership of `pic`.
 */
static void
put_target(struct cap_inspection *d, const struct SGPU_SURFACE *s, struct cap_picture *pic,
           bool framebuffer)
{
   const unsigned item = d->num_items - 1;
   bool known;
   struct cap_inspect_target *t = find_target(d, s, pic, &known);

   if (known) {
      struct cap_picture patch;
      uint32_t x, y;
      const uint64_t n = difference(&t->pic, pic, &x, &y, &patch);
      fprintf(d->items, ", \"changed\": %" PRIu64, n);
      if (framebuffer && t->patched) {
         fprintf(d->items, ", \"base\": %u", t->item);
         if (patch.rgba)
            fprintf(d->items, ", \"patch\": [%d, %u, %u]", cap_pool_patch(&d->pictures, &patch), x,
                    y);
      }
      cap_picture_free(&patch);
   }
   if (framebuffer && !(known && t->patched))
      fprintf(d->items, ", \"whole\": %d", cap_pool_picture(&d->pictures, pic, 16384));
   t->patched = framebuffer;
   t->item = item;
   cap_picture_free(&t->pic);
   t->pic = *pic;
   forget_targets(d, t);
   d->latest = (unsigned)(t - d->targets);
}

/* Writes the plan of the draw as text, unless the draw has no plan. */
static void
put_plan(struct cap_inspection *d)
{
   char *text = NULL;
   size_t size = 0;
   FILE *fp = d->plan.samples ? open_memstream(&text, &size) : NULL;

   if (!fp)
      return;
   sgpu_draw_plan_print(fp, &d->plan);
   fclose(fp);
   fprintf(d->items, ", \"plan\": %u", cap_pool_text(&d->texts, text));
   free(text);
   d->plan.samples = 0;
}

void
cap_inspect_item(struct cap_inspection *d, struct cap_step *s)
{
   const bool draw = cap_packet_draws(s->packet.opcode);
   struct SGPU_SURFACE target = { 0 };
   struct cap_picture pic = { 0 };
   const struct sgpu_struct_info *info = sgpu_packet_info(s->packet.opcode);

   struct cap_counters counters;

   /* Read the counters first, since copying the target below increases them. */
   cap_counters_read(d->player.dev, &counters);
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
   if (draw)
      put_plan(d);
   const bool grid = cap_packet_grid(s->packet.opcode);
   if (grid)
      fprintf(d->items, ", \"grid\": %" PRIu64, s->grid);
   cap_inspect_memory(d, s);
   fputs(", \"counters\": ", d->items);
   cap_counters_json(d->items, &d->before, &counters);
   if (d->group[0] || d->marker[0]) {
      char text[2100];
      snprintf(text, sizeof text, "%s%s%s", d->group, d->group[0] && d->marker[0] ? ": " : "",
               d->marker);
      fputs(", \"marker\": ", d->items);
      cap_json_string(d->items, text);
      d->marker[0] = 0;
   }

   int picture = grid ? d->image : -1;
   if (cap_work_target(&s->stream, &s->packet, &target) &&
       cap_picture_read(&d->player, &s->rec, &target, &pic)) {
      picture = cap_pool_picture(&d->pictures, &pic, d->thumbnail);
      fprintf(d->items, ", \"target\": \"%ux%u %s\"", target.width, target.height,
              sgpu_format_info(target.format)->name);
      put_target(d, &target, &pic, draw || s->packet.opcode == SGPU_PACKET_CLEAR);
   }
   fprintf(d->items, ", \"picture\": %d, \"text\": %u", picture, add_packet(d, s->packet.words));
   put_state(d, &s->stream);
   if (draw || grid)
      put_programs(d, &s->stream, grid);
   if (draw || grid)
      put_textures(d, &s->rec, &s->stream, grid);
   fputc('}', d->items);
}

void
cap_inspect_finish(struct cap_inspection *d)
{
   cap_inspect_forget(d);
   for (unsigned i = 0; i < d->num_maps; i++)
      cap_maps_fini(&d->maps[i]);
   for (unsigned i = 0; i < CAP_MAX_TARGETS; i++)
      cap_picture_free(&d->targets[i].pic);
   free(d->textures);
   free(d->versions);
   cap_pool_free(&d->texts);
   cap_pool_free(&d->pictures);
}
