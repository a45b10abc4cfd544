/* SPDX-License-Identifier: MIT */
/*
 * sgpu inspect: shows storage buffers and images before and after a draw or grid.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cap_bindings.h"
#include "cap_disk.h"
#include "cap_inspect.h"
#include "cap_json.h"
#include "sgpu_formats.h"
#include "sgpu_packets_unpack.h"

/* Maximum number of four-word rows that the page shows for a binding. */
#define MAX_ROWS 64

/* Maximum total size of all snapshots in bytes.  There is a limit because the same buffer can be
 * bound many times, and each binding gets a snapshot.
 */
#define MAX_SNAPSHOTS (UINT64_C(1) << 30)

/* Contents of a binding before a draw or grid that may write it. */
struct cap_snapshot {
   uint8_t *bytes; /* copy of the contents; NULL if they are not written or too large */
   int picture;    /* index of the image's picture in the pool, or -1 */
};

void
cap_inspect_forget(struct cap_inspection *d)
{
   for (unsigned i = 0; i < d->num_snapshots; i++)
      free(d->snapshots[i].bytes);
   free(d->snapshots);
   d->snapshots = NULL;
   d->num_snapshots = 0;
   cap_bindings_free(&d->bindings);
}

static bool
is_buffer(const struct cap_binding *b)
{
   return !b->image || b->texture.type == SGPU_TEXTURE_TYPE_BUFFER;
}

/* Finds the number of workgroups of a direct or indirect grid. */
static bool
find_groups(struct cap_inspection *d, const struct cap_step *s)
{
   struct SGPU_GRID g;

   if (!cap_packet_grid(s->packet.opcode) || SGPU_GRID_unpack(s->packet.words, &g))
      return false;
   const uint32_t groups[3] = { g.groups_x, g.groups_y, g.groups_z };
   const uint32_t *from = g.indirect ? cap_player_memory(&d->player, g.address, sizeof groups)
                                     : groups;
   if (from)
      memcpy(d->groups, from, sizeof groups);
   return from != NULL;
}

void
cap_inspect_before(struct cap_inspection *d, struct cap_step *s)
{
   const bool grid = cap_packet_grid(s->packet.opcode);

   cap_inspect_forget(d);
   d->groups_known = find_groups(d, s);
   if ((!grid && !cap_packet_draws(s->packet.opcode)) ||
       !cap_bindings_find(&d->bindings, &d->player, &s->stream, grid))
      return;
   d->snapshots = calloc(d->bindings.count + 1, sizeof *d->snapshots);
   d->num_snapshots = d->snapshots ? d->bindings.count : 0;
   uint64_t room = MAX_SNAPSHOTS;
   for (unsigned i = 0; i < d->num_snapshots; i++) {
      const struct cap_binding *b = &d->bindings.list[i];
      struct cap_snapshot *before = &d->snapshots[i];
      before->picture = -1;
      if (!b->written)
         continue;
      if (!is_buffer(b))
         before->picture = cap_inspect_texture(d, &s->rec, &b->texture);
      before->bytes = b->size <= room ? malloc(b->size) : NULL;
      if (!before->bytes)
         continue;
      room -= b->size;
      memcpy(before->bytes, cap_player_memory(&d->player, b->address, b->size), b->size);
   }
}

/* Writes a sparse file, because most of the memory of large bindings is still zero. */
static bool
write_sparse(FILE *fp, const uint8_t *bytes, uint64_t size)
{
   static const uint8_t zeros[4096];
   bool ok = true;

   for (uint64_t at = 0; ok && at < size; at += sizeof zeros) {
      const uint64_t n = size - at < sizeof zeros ? size - at : sizeof zeros;
      if (memcmp(bytes + at, zeros, n))
         ok = cap_disk_take(n) && !fseeko(fp, at, SEEK_SET) && fwrite(bytes + at, 1, n, fp) == n;
   }
   return ok && !fflush(fp) && !ftruncate(fileno(fp), size);
}

/* Writes the contents of a binding to DIR/ITEM-NAME-WHEN.bin.  `when` is "before", "after" or
 * "read".
 */
static bool
write_raw(struct cap_inspection *d, const struct cap_binding *b, const char *when,
          const uint8_t *bytes)
{
   char path[4096], name[64];

   if (b->handle)
      snprintf(name, sizeof name, "handle%u", b->unit);
   else
      snprintf(name, sizeof name, "%s-%s%u", cap_stage_name(b->stage), b->image ? "img" : "buf",
               b->unit);
   for (char *c = name; *c; c++)
      *c = *c == ' ' ? '-' : *c >= 'A' && *c <= 'Z' ? *c - 'A' + 'a' : *c;
   snprintf(path, sizeof path, "%s/%04u-%s-%s.bin", d->raw, d->num_items - 1, name, when);
   FILE *fp = cap_disk_create(path);
   bool ok = fp && write_sparse(fp, bytes, b->size);
   if (fp && fclose(fp))
      ok = false;
   if (!ok)
      perror(path);
   return ok;
}

static void
put_words(FILE *fp, const uint8_t *bytes, uint64_t at, uint64_t size)
{
   for (unsigned i = 0; i < 4; i++) {
      uint32_t word = 0;
      if (at + i * 4 + 4 <= size)
         memcpy(&word, bytes + at + i * 4, 4);
      if (at + i * 4 + 4 <= size)
         fprintf(fp, " %08" PRIx32, word);
      else
         fputs("         ", fp);
   }
}

/* Adds a text that shows rows of words to the pool.  These are the rows that differ from `before`,
 * or the first rows if `before` is NULL. Returns the index of the text.
 */
static unsigned
add_rows(struct cap_inspection *d, const uint8_t *before, const uint8_t *now, uint64_t size)
{
   char *text = NULL;
   size_t text_size = 0;
   FILE *fp = open_memstream(&text, &text_size);
   uint64_t rows = 0;

   if (!fp)
      return 0;
   for (uint64_t at = 0; at < size; at += 16) {
      const uint64_t n = size - at < 16 ? size - at : 16;
      if (before && !memcmp(before + at, now + at, n))
         continue;
      if (rows++ >= MAX_ROWS)
         continue;
      fprintf(fp, "%08" PRIx64 ":", at);
      if (before) {
         put_words(fp, before, at, size);
         fputs("  ->", fp);
      }
      put_words(fp, now, at, size);
      fputc('\n', fp);
   }
   if (rows > MAX_ROWS)
      fprintf(fp, "and %" PRIu64 " more rows%s\n", rows - MAX_ROWS, before ? " that changed" : "");
   fclose(fp);
   const unsigned n = cap_pool_text(&d->texts, text);
   free(text);
   return n;
}

static uint64_t
changed_words(const uint8_t *before, const uint8_t *now, uint64_t size)
{
   uint64_t n = 0;

   for (uint64_t at = 0; at < size; at += 4)
      n += memcmp(before + at, now + at, size - at < 4 ? size - at : 4) != 0;
   return n;
}

static void
put_binding(struct cap_inspection *d, struct cap_step *s, const struct cap_binding *b,
            const struct cap_snapshot *before)
{
   static const char *const access[] = { "", ", read", ", written", ", read and written" };
   const uint8_t *now = cap_player_memory(&d->player, b->address, b->size);
   char text[384], name[64], place[128] = "?", what[128];

   cap_binding_name(b, name, sizeof name);
   cap_player_name(&d->player, b->address, place, sizeof place);
   if (b->image)
      snprintf(what, sizeof what, "%ux%u %s, level %u, layers %u to %u", b->texture.width,
               b->texture.height, sgpu_format_info(b->texture.format)->name, b->texture.first_level,
               b->texture.first_layer, b->texture.last_layer);
   else
      snprintf(what, sizeof what, "%" PRIu64 " bytes", b->size);
   snprintf(text, sizeof text, "%s: %s, %s%s", name, what, place,
            access[b->read | b->written << 1]);
   fputs("{\"text\": ", d->items);
   cap_json_string(d->items, text);
   if (before->bytes) {
      const uint64_t changed = changed_words(before->bytes, now, b->size);
      fprintf(d->items, ", \"changed\": %" PRIu64, changed);
   } else if (b->written) {
      fprintf(stderr,
              "sgpu: inspect: item %u: %s: what it was before is not kept: the bindings "
              "have more than %" PRIu64 " bytes\n",
              d->num_items - 1, name, MAX_SNAPSHOTS);
   }
   fprintf(d->items, ", \"rows\": %u", add_rows(d, before->bytes, now, b->size));
   if (!is_buffer(b)) {
      const int picture = cap_inspect_texture(d, &s->rec, &b->texture);
      fprintf(d->items, ", \"before\": %d, \"after\": %d", before->picture, picture);
      if (b->written && d->image < 0)
         d->image = picture;
   }
   fputc('}', d->items);
   if (d->raw && !d->raw_failed && before->bytes)
      d->raw_failed |= !write_raw(d, b, "before", before->bytes);
   if (d->raw && !d->raw_failed)
      d->raw_failed |= !write_raw(d, b, before->bytes ? "after" : "read", now);
}

void
cap_inspect_memory(struct cap_inspection *d, struct cap_step *s)
{
   d->image = -1;
   if (d->groups_known) {
      struct SGPU_GRID g;
      fprintf(d->items, ", \"groups\": [%" PRIu32 ", %" PRIu32 ", %" PRIu32 "]", d->groups[0],
              d->groups[1], d->groups[2]);
      if (!SGPU_GRID_unpack(s->packet.words, &g))
         fprintf(d->items, ", \"indirect\": %s, \"group\": [%" PRIu32 ", %" PRIu32 ", %" PRIu32 "]",
                 g.indirect ? "true" : "false", g.group_size_x, g.group_size_y, g.group_size_z);
   }
   if (!d->num_snapshots)
      return;
   fputs(", \"memory\": [", d->items);
   for (unsigned i = 0; i < d->num_snapshots; i++) {
      if (i)
         fputs(", ", d->items);
      put_binding(d, s, &d->bindings.list[i], &d->snapshots[i]);
   }
   fputc(']', d->items);
}
