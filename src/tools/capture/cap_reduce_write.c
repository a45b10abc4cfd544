/* SPDX-License-Identifier: MIT */
/* sgpu reduce: writes the records of the new capture. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cap_bindings.h"
#include "cap_picture.h"
#include "cap_reduce.h"
#include "sgcap_packets.h"
#include "sgpu_layout.h"
#include "sgpu_packets.h"

static bool
kept(const struct reduce *r, uint64_t id)
{
   return id && id <= r->ids.count && r->ids.map[id - 1];
}

static uint64_t
write_bo(struct reduce *r, uint64_t address, uint64_t size, const char *label)
{
   const struct sgcap_bo_create c = {
      .id = r->ids.next++,
      .address = address,
      .size = size,
      .label_bytes = strlen(label) + 1,
   };
   sgcap_write(r->writer, SGCAP_BO_CREATE, &c, sizeof c, label, c.label_bytes);
   return c.id;
}

/* Writes `size` bytes as DATA records.  Blocks of zeros are skipped. */
static void
write_contents(struct reduce *r, uint64_t id, uint64_t offset, const uint8_t *bytes, uint64_t size)
{
   static const uint8_t zeros[4096];

   for (uint64_t at = 0; at < size; at += sizeof zeros) {
      const uint64_t n = size - at < sizeof zeros ? size - at : sizeof zeros;
      const struct sgcap_data d = { id, offset + at, n };
      if (memcmp(bytes + at, zeros, n))
         sgcap_write(r->writer, SGCAP_DATA, &d, sizeof d, bytes + at, n);
   }
}

/* Writes a buffer that is kept, with its current contents. */
static void
write_kept(struct reduce *r, const struct cap_bo *b)
{
   r->ids.map[b->id - 1] = write_bo(r, b->address, b->size, b->label);
   write_contents(r, r->ids.map[b->id - 1], 0, sgpu_bo_map(b->bo), b->size);
}

void
cap_reduce_begin(struct reduce *r)
{
   struct sgcap_device d = r->player.made_on;
   d.name_bytes = strlen(r->player.program) + 1;
   sgcap_write(r->writer, SGCAP_DEVICE, &d, sizeof d, r->player.program, d.name_bytes);
   char *text = sgcap_packets_text();
   if (text)
      sgcap_write(r->writer, SGCAP_PACKETS, text, strlen(text) + 1, NULL, 0);
   free(text);

   r->ids.next = 1;
   r->queue = r->ids.next++;
   const struct sgcap_id q = { r->queue };
   sgcap_write(r->writer, SGCAP_QUEUE_CREATE, &q, sizeof q, NULL, 0);
   const struct sgcap_frame f = { r->player.frame };
   sgcap_write(r->writer, SGCAP_FRAME, &f, sizeof f, NULL, 0);

   r->stream_address = r->top;
   r->stream = write_bo(r, r->stream_address, CAP_REDUCE_STREAM_BYTES, "stream");
   for (uint64_t i = 0; i < r->player.num_objects; i++) {
      const struct cap_object *o = &r->player.objects[i];
      if (o->kind == CAP_BO && o->u.bo.bo && kept(r, o->u.bo.id))
         write_kept(r, &o->u.bo);
   }
}

bool
cap_reduce_submit(struct reduce *r, const uint32_t *words, uint32_t count)
{
   if ((uint64_t)count * 4 > CAP_REDUCE_STREAM_BYTES) {
      fprintf(stderr, "sgpu: %s: a submission is too long\n", r->path);
      return false;
   }
   for (uint32_t at = 0; at < count; at += SGCAP_DATA_MAX / 4) {
      const uint32_t n = count - at < SGCAP_DATA_MAX / 4 ? count - at : SGCAP_DATA_MAX / 4;
      const struct sgcap_data d = { r->stream, at * 4ull, n * 4ull };
      sgcap_write(r->writer, SGCAP_DATA, &d, sizeof d, words + at, d.size);
   }

   free(r->bos);
   r->bos = malloc((r->player.num_objects + 2) * sizeof *r->bos);
   if (!r->bos)
      return false;
   uint32_t n = 0;
   r->bos[n++] = r->stream;
   if (r->picture)
      r->bos[n++] = r->picture;
   for (uint64_t i = 0; i < r->player.num_objects; i++) {
      const struct cap_object *o = &r->player.objects[i];
      if (o->kind == CAP_BO && o->u.bo.bo && kept(r, o->u.bo.id))
         r->bos[n++] = r->ids.map[o->u.bo.id - 1];
   }
   const struct sgcap_submit s = {
      .queue = r->queue,
      .seqno = ++r->seqno,
      .address = r->stream_address,
      .words = count,
      .num_bos = n,
   };
   sgcap_write(r->writer, SGCAP_SUBMIT, &s, sizeof s, r->bos, n * sizeof *r->bos);
   const struct sgcap_fence f = { r->queue, r->seqno };
   sgcap_write(r->writer, SGCAP_WAIT, &f, sizeof f, NULL, 0);
   return true;
}

/* The picture that shows written memory has ROW_WORDS pixels per row, and at most MAX_ROWS rows. */
#define ROW_WORDS 1024
#define MAX_ROWS 16384

/* Uses the render target as the picture of the capture.  Returns false if there is no target. */
static bool
show_target(struct reduce *r, const struct cap_stream *s, struct sgcap_present *p)
{
   struct SGPU_SURFACE from;
   struct sgpu_layout layout;
   uint32_t words[CAP_COPY_WORDS];

   if (r->grids || !cap_target(cap_stream_find(s, SGPU_PACKET_FRAMEBUFFER), &from))
      return false;
   const uint32_t n = cap_picture_layout(&from, &layout)
                         ? cap_picture_copy(&from, &layout, r->picture_address, words)
                         : 0;
   if (!n)
      return false;
   r->picture = write_bo(r, r->picture_address, layout.size, "presentation");
   p->pitch = layout.level[0].pitch;
   p->width = from.width;
   p->height = from.height;
   p->format = layout.format;
   p->pixel_bytes = layout.block_bytes;
   return cap_reduce_submit(r, words, n);
}

/* Uses the storage buffers and images that the draw or grid writes as the picture of the capture,
 * with one pixel per word.  Returns false if there are none.
 */
static bool
show_memory(struct reduce *r, const struct cap_stream *s, struct sgcap_present *p)
{
   struct cap_bindings b = { 0 };
   uint64_t size = 0;
   uint32_t n = 0;

   bool ok = cap_bindings_find(&b, &r->player, s, r->grids);
   uint32_t *words = malloc(((size_t)b.count * SGPU_COPY_BUFFER_LENGTH + SGPU_END_LENGTH) * 4);
   for (unsigned i = 0; ok && words && i < b.count; i++) {
      const uint64_t room = (uint64_t)ROW_WORDS * 4 * MAX_ROWS - size;
      const uint64_t bytes = b.list[i].size < room ? b.list[i].size : room;
      if (!b.list[i].written || !bytes)
         continue;
      sgpu_pack(words + n, COPY_BUFFER, cfg) {
         cfg.source = b.list[i].address;
         cfg.destination = r->picture_address + size;
         cfg.size = bytes;
      }
      n += SGPU_COPY_BUFFER_LENGTH;
      size += (bytes + 15) & ~UINT64_C(15);
   }
   ok = ok && words && n;
   if (ok) {
      sgpu_pack(words + n, END, cfg)
         ;
      p->pitch = ROW_WORDS * 4;
      p->width = size < ROW_WORDS * 4 ? size / 4 : ROW_WORDS;
      p->height = (size + ROW_WORDS * 4 - 1) / (ROW_WORDS * 4);
      p->format = SGPU_FORMAT_R8G8B8A8_UNORM;
      p->pixel_bytes = 4;
      r->picture = write_bo(r, r->picture_address, (uint64_t)p->pitch * p->height, "presentation");
      ok = cap_reduce_submit(r, words, n + SGPU_END_LENGTH);
   }
   free(words);
   cap_bindings_free(&b);
   return ok;
}

bool
cap_reduce_end(struct reduce *r, const struct cap_stream *s)
{
   struct sgcap_present p = { .frame = r->player.frame, .hash = r->hash };

   r->picture_address = r->stream_address + CAP_REDUCE_STREAM_BYTES;
   if (!show_target(r, s, &p) && (r->picture || !show_memory(r, s, &p))) {
      fprintf(stderr, "sgpu: %s: the last %s\n", r->path,
              r->grids ? "grid writes no storage buffer and no image"
                       : "draw has no target that can be shown");
      return false;
   }
   p.bo = r->picture;
   sgcap_write(r->writer, SGCAP_PRESENT, &p, sizeof p, NULL, 0);
   const struct sgcap_end e = { r->seqno, 1 };
   sgcap_write(r->writer, SGCAP_END, &e, sizeof e, NULL, 0);
   r->ended = true;
   return true;
}

void
cap_reduce_pass_on(struct reduce *r, const struct sgcap_record *rec)
{
   const struct cap_bo *b;
   struct sgcap_data d;
   struct sgcap_id id;

   switch (rec->type) {
   case SGCAP_BO_CREATE:
      b = cap_player_bo(&r->player, rec->u.bo_create.id);
      if (b && kept(r, b->id))
         write_kept(r, b);
      break;
   case SGCAP_BO_DESTROY:
      if (kept(r, rec->u.id.id)) {
         id.id = r->ids.map[rec->u.id.id - 1];
         sgcap_write(r->writer, SGCAP_BO_DESTROY, &id, sizeof id, NULL, 0);
      }
      break;
   case SGCAP_DATA:
   case SGCAP_ZERO:
      if (kept(r, rec->u.data.id)) {
         d = rec->u.data;
         d.id = r->ids.map[d.id - 1];
         sgcap_write(r->writer, rec->type, &d, sizeof d, rec->bytes,
                     rec->type == SGCAP_DATA ? d.size : 0);
         cap_queries_restore(&r->queries, &r->player, rec, d.id, r->writer);
      }
      break;
   default:
      break;
   }
}
