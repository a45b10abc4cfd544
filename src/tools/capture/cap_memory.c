/* SPDX-License-Identifier: MIT */
/* Memory of the player: looks up the buffers of the capture by address, finds presented pictures in
 * these buffers, and allocates the buffers of the tool.
 */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "cap_player.h"
#include "sgcap_hash.h"
#include "sgpu_formats.h"

static int
compare_bos(const void *a, const void *b)
{
   const struct cap_bo *x = *(struct cap_bo *const *)a, *y = *(struct cap_bo *const *)b;
   return x->address < y->address ? -1 : x->address > y->address;
}

static bool
sort_bos(struct cap_player *p)
{
   if (p->sorted)
      return true;
   p->sorted = malloc((p->num_objects + 1) * sizeof *p->sorted);
   p->num_sorted = 0;
   for (uint64_t i = 0; p->sorted && i < p->num_objects; i++) {
      if (p->objects[i].kind == CAP_BO && p->objects[i].u.bo.bo)
         p->sorted[p->num_sorted++] = &p->objects[i].u.bo;
   }
   if (p->sorted)
      qsort(p->sorted, p->num_sorted, sizeof *p->sorted, compare_bos);
   return p->sorted != NULL;
}

struct cap_bo *
cap_player_find(struct cap_player *p, uint64_t address, uint64_t size)
{
   if (!sort_bos(p))
      return NULL;

   uint64_t lo = 0, hi = p->num_sorted;
   while (lo < hi) {
      const uint64_t mid = (lo + hi) / 2;
      if (p->sorted[mid]->address <= address)
         lo = mid + 1;
      else
         hi = mid;
   }
   if (lo == 0)
      return NULL;
   struct cap_bo *b = p->sorted[lo - 1];
   const uint64_t offset = address - b->address;
   return offset < b->size && size <= b->size - offset ? b : NULL;
}

void *
cap_player_memory(struct cap_player *p, uint64_t address, uint64_t size)
{
   const struct cap_bo *b = cap_player_find(p, address, size);
   return b ? (uint8_t *)sgpu_bo_map(b->bo) + (address - b->address) : NULL;
}

bool
cap_player_name(struct cap_player *p, uint64_t address, char *text, size_t size)
{
   const struct cap_bo *b = cap_player_find(p, address, 0);
   if (!b)
      return false;
   snprintf(text, size, "%s#%" PRIu32 "+0x%" PRIx64, b->label, b->ordinal, address - b->address);
   return true;
}

struct sgpu_bo *
cap_player_own_bo(struct cap_player *p, uint64_t size, const char *label)
{
   const uint64_t space = sgpu_device_get_param(p->dev, SGPU_PARAM_MEMORY_SIZE);
   const uint64_t step = (size + 0xffff) & ~UINT64_C(0xffff);
   struct sgpu_bo *bo;

   for (uint64_t below = space; step && below / 2 > step; below -= step) {
      const int ret = sgpu_bo_create_at(p->dev, below - step, size, label, &bo);
      if (ret == 0)
         return bo;
      if (ret != -EBUSY)
         break;
   }
   return NULL;
}

struct sgpu_bo *
cap_player_scratch(struct cap_player *p, uint64_t size)
{
   if (p->scratch)
      sgpu_bo_wait(p->scratch, UINT64_MAX);
   if (p->scratch && p->scratch_size >= size)
      return p->scratch;
   if (p->scratch)
      sgpu_bo_destroy(p->scratch);

   p->scratch_size = (size + 0xfffff) & ~UINT64_C(0xfffff);
   p->scratch = cap_player_own_bo(p, p->scratch_size, "scratch");
   if (!p->scratch)
      cap_player_fail(p, "out of memory for the tool's streams");
   return p->scratch;
}

const uint8_t *
cap_player_picture(struct cap_player *p, const struct sgcap_record *rec)
{
   const struct sgcap_present *s = &rec->u.present;
   struct cap_bo *b = cap_player_bo(p, s->bo);
   const struct sgpu_format_info *format = sgpu_format_info(s->format);
   const uint64_t row = (uint64_t)s->width * s->pixel_bytes;

   if (!b) {
      cap_player_fail(p, "no such buffer");
      return NULL;
   }
   if (s->pixel_bytes != format->block_bytes || format->block_width != 1 ||
       format->block_height != 1) {
      sgcap_fail(p->reader, "a pixel of its format does not have %" PRIu32 " bytes",
                 s->pixel_bytes);
      return NULL;
   }
   if (s->width == 0 || s->height == 0 || s->pixel_bytes == 0 || s->pixel_bytes > 16 ||
       s->width > 16384 || s->height > 16384 || row > s->pitch || s->offset > b->size ||
       (uint64_t)(s->height - 1) * s->pitch + row > b->size - s->offset) {
      cap_player_fail(p, "the picture is outside its buffer");
      return NULL;
   }
   if (p->executes)
      sgpu_bo_wait(b->bo, UINT64_MAX);
   return (const uint8_t *)sgpu_bo_map(b->bo) + s->offset;
}

uint64_t
cap_player_hash(const struct sgcap_record *rec, const uint8_t *rows)
{
   const struct sgcap_present *s = &rec->u.present;
   XXH64_state_t state;

   XXH64_reset(&state, 0);
   for (uint32_t y = 0; y < s->height; y++)
      XXH64_update(&state, rows + (uint64_t)y * s->pitch, (size_t)s->width * s->pixel_bytes);
   return XXH64_digest(&state);
}
