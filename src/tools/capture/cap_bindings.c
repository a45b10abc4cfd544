/* SPDX-License-Identifier: MIT */
/* Finds the storage buffers and images that a draw or grid can access. */
#include "cap_bindings.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cap_program.h"
#include "sgpu_layout.h"
#include "sgpu_packets_info.h"
#include "sgpu_packets_unpack.h"

/* Masks of the buffers and images that the program of a stage reads and writes. */
struct accesses {
   uint32_t buffers_read, buffers_written, images_read, images_written;
};

const char *
cap_stage_name(uint32_t stage)
{
   const struct sgpu_struct_info *info = sgpu_packet_info(SGPU_PACKET_TEXTURES);

   for (unsigned i = 0; i < info->num_fields; i++) {
      const struct sgpu_field_info *f = &info->fields[i];
      if (f->enumeration && !strcmp(f->name, "Stage"))
         return sgpu_enum_value_name(f->enumeration, stage);
   }
   return "?";
}

void
cap_binding_name(const struct cap_binding *b, char *text, size_t size)
{
   if (b->handle)
      snprintf(text, size, "image of handle %u", b->unit);
   else
      snprintf(text, size, "%s, %s[%u]", cap_stage_name(b->stage), b->image ? "img" : "buf",
               b->unit);
}

void
cap_bindings_free(struct cap_bindings *b)
{
   free(b->list);
   memset(b, 0, sizeof *b);
}

/* Returns the list entry for the same stage and unit, or for the same handle, as `wanted`.  If
 * there is none, adds an uninitialized entry.  Returns NULL on allocation failure.
 */
static struct cap_binding *
place(struct cap_bindings *b, const struct cap_binding *wanted)
{
   for (unsigned i = 0; i < b->count; i++) {
      struct cap_binding *e = &b->list[i];
      if (e->image == wanted->image && e->handle == wanted->handle && e->unit == wanted->unit &&
          e->stage == wanted->stage)
         return e;
   }
   if (b->count == b->max) {
      const unsigned n = b->max ? b->max * 2 : 32;
      struct cap_binding *list = realloc(b->list, n * sizeof *list);
      if (!list)
         return NULL;
      b->list = list;
      b->max = n;
   }
   return &b->list[b->count++];
}

/* Adds a binding to the list.  It replaces an earlier binding of the same unit or handle. */
static bool
bind(struct cap_bindings *b, struct cap_player *p, const struct cap_binding *binding)
{
   struct cap_binding *e = place(b, binding);
   if (!e)
      return false;
   *e = *binding;
   if (!cap_player_find(p, e->address, e->size))
      e->size = 0;
   return true;
}

static bool
see_buffers(struct cap_bindings *b, struct cap_player *p, const uint32_t *packet,
            const struct accesses *stages)
{
   struct SGPU_BUFFERS buffers;
   bool ok = true;

   if (SGPU_BUFFERS_unpack(packet, &buffers))
      return true;
   const struct accesses *a = &stages[buffers.stage];
   for (uint32_t i = 0; ok && i < buffers.tail_count; i++) {
      const unsigned unit = buffers.first + i;
      struct SGPU_BUFFER buffer;
      if (unit >= SGPU_MAX_BUFFERS || SGPU_BUFFER_unpack(SGPU_BUFFERS_tail(packet, i), &buffer))
         continue;
      const struct cap_binding binding = {
         .stage = buffers.stage,
         .unit = unit,
         .read = a->buffers_read >> unit & 1,
         .written = a->buffers_written >> unit & 1,
         .address = buffer.address,
         .size = buffer.size,
      };
      if (binding.read || binding.written)
         ok = bind(b, p, &binding);
   }
   return ok;
}

static bool
see_images(struct cap_bindings *b, struct cap_player *p, const uint32_t *packet,
           const struct accesses *stages)
{
   struct SGPU_IMAGES images;
   bool ok = true;

   if (SGPU_IMAGES_unpack(packet, &images))
      return true;
   /* Only programs that address images indirectly can use handles.  Their masks have all bits set.
    */
   struct accesses handles = { 0 };
   for (unsigned i = 0; i <= SGPU_STAGE_COMPUTE; i++) {
      handles.images_read |= stages[i].images_read == UINT32_MAX ? UINT32_MAX : 0;
      handles.images_written |= stages[i].images_written == UINT32_MAX ? UINT32_MAX : 0;
   }
   const struct accesses *a = images.handles ? &handles : &stages[images.stage];
   for (uint32_t i = 0; ok && i < images.tail_count; i++) {
      const unsigned unit = (images.handles ? images.first_handle : images.first) + i;
      struct sgpu_layout layout;
      struct cap_binding binding = {
         .image = true,
         .stage = images.handles ? 0 : images.stage,
         .handle = images.handles,
         .unit = unit,
         .read = a->images_read >> unit % SGPU_MAX_IMAGES & 1,
         .written = a->images_written >> unit % SGPU_MAX_IMAGES & 1,
      };
      if (!(binding.read || binding.written) ||
          SGPU_TEXTURE_unpack(SGPU_IMAGES_tail(packet, i), &binding.texture))
         continue;
      binding.address = binding.texture.address;
      if (!binding.texture.valid || sgpu_texture_check(&binding.texture, &layout, &binding.size))
         binding.size = 0;
      ok = bind(b, p, &binding);
   }
   return ok;
}

bool
cap_bindings_find(struct cap_bindings *b, struct cap_player *p, const struct cap_stream *s,
                  bool grid)
{
   struct accesses stages[SGPU_STAGE_COMPUTE + 1] = { 0 };
   bool ok = true;

   b->count = 0;
   b->before_pixels = false;
   for (unsigned i = 0; i < s->num_state; i++) {
      const uint32_t *packet = s->words + s->state[i].at;
      struct sgpu_program program;
      uint64_t hash;
      uint32_t where;
      if (sgpu_packet_opcode(packet[0]) != SGPU_PACKET_SHADER ||
          !cap_program(p, packet, &program, &hash) || sgpu_program_gather(&program, &where) ||
          (program.stage == SGPU_STAGE_COMPUTE) != grid)
         continue;
      const struct sgpu_program_info *info = &program.info;
      stages[program.stage] = (struct accesses){ info->buffers_read, info->buffers_written,
                                                 info->images_read, info->images_written };
      if (program.stage != SGPU_STAGE_PIXEL)
         b->before_pixels |= info->buffers_written || info->images_written;
   }
   for (unsigned i = 0; ok && i < s->num_state; i++) {
      const uint32_t *packet = s->words + s->state[i].at;
      if (sgpu_packet_opcode(packet[0]) == SGPU_PACKET_BUFFERS)
         ok = see_buffers(b, p, packet, stages);
      else if (sgpu_packet_opcode(packet[0]) == SGPU_PACKET_IMAGES)
         ok = see_images(b, p, packet, stages);
   }
   /* Drop bindings without memory, because a packet has unbound them or because the capture does
    * not contain their memory.
    */
   unsigned n = 0;
   for (unsigned i = 0; i < b->count; i++) {
      if (b->list[i].size)
         b->list[n++] = b->list[i];
   }
   b->count = n;
   return ok;
}
