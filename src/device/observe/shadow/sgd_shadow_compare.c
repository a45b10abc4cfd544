/* SPDX-License-Identifier: MIT */
/*
 * Shadows: compares surfaces with the device's memory, computes hashes, and converts surfaces to
 * pictures.
 */
#include <stdlib.h>
#include <string.h>

#include "observe/shadow/sgd_shadow.h"
#include "sgpu_fp.h"
#include "util/macros.h"
#define XXH_INLINE_ALL
#include "util/xxhash.h"

void
sgd_shadow_store_all(const struct sgpu_shadow_image *image, struct sgd_worker *worker,
                     uint8_t *base)
{
   const uint64_t fp = sgpu_fp_enter();

   for (unsigned i = 0; i < image->num_surfaces; i++) {
      const struct sgd_surface *s = &image->surfaces[i];
      const struct sgd_xfer x = {
         .kind = SGD_XFER_RESOLVE,
         .u.resolve = sgd_shadow_rebase(s, base),
      };
      if (!s->meta)
         continue;
      for (unsigned layer = 0; layer < s->layers; layer++) {
         for (int32_t y = 0; y < s->height; y += SGD_TILE) {
            for (int32_t left = 0; left < s->width; left += SGD_TILE) {
               const struct SGPU_RECT rect = { .x0 = left, .y0 = y, .x1 = left + 1, .y1 = y + 1 };
               image->ops->xfer(worker, &x, &rect, layer);
            }
         }
      }
   }
   sgpu_fp_leave(fp);
}

static void
store_elements(struct sgpu_shadow *s)
{
   if (!s->stored)
      sgd_shadow_store_all(s->image, &s->worker, s->base);
   s->stored = true;
}

/* The elements of a surface. */
struct plane {
   const struct sgd_surface *s;
   /* width, height: size of the surface in elements; block_width, block_height: size of an element
    * in pixels
    */
   uint32_t width, height, block_width, block_height;
};

static struct plane
plane_of(const struct sgd_surface *s)
{
   const struct util_format_description *d = s->desc;

   return (struct plane){
      .s = s,
      .width = DIV_ROUND_UP(s->width, d->block.width),
      .height = DIV_ROUND_UP(s->height, d->block.height),
      .block_width = d->block.width,
      .block_height = d->block.height,
   };
}

static inline const uint8_t *
element(const struct plane *p, const uint8_t *base, uint32_t x, uint32_t y, unsigned layer,
        unsigned sample)
{
   const struct sgd_surface *s = p->s;

   return base + (uintptr_t)s->base + layer * s->layer_stride + sample * s->sample_stride +
          (s->tiled ? sgpu_tiled_offset(x, y, s->pitch, s->bpe)
                    : sgpu_linear_offset(x, y, s->pitch, s->bpe));
}

/* Returns the number of contiguous bytes that store run_rows() rows. This is a row of micro tiles
 * if the surface is tiled, or a single row of elements if it is linear. Tiled rows can include
 * padding beyond the right edge, which is never written.
 */
static uint64_t
run_bytes(const struct plane *p)
{
   return p->s->tiled
             ? (uint64_t)DIV_ROUND_UP(p->width, SGPU_TILE_WIDTH) * SGPU_TILE_ELEMENTS * p->s->bpe
             : (uint64_t)p->width * p->s->bpe;
}

static unsigned
run_rows(const struct plane *p)
{
   return p->s->tiled ? SGPU_TILE_HEIGHT : 1;
}

static void
compare_row(const struct plane *p, const uint8_t *device, const uint8_t *shadow, uint32_t y,
            unsigned layer, unsigned sample, struct sgpu_shadow_difference *diff, uint8_t *wrong)
{
   const unsigned bytes = p->s->bpe;

   for (uint32_t x = 0; x < p->width; x++) {
      const uint8_t *const want = element(p, device, x, y, layer, sample);
      const uint8_t *const have = element(p, shadow, x, y, layer, sample);
      if (!memcmp(want, have, bytes))
         continue;
      if (!diff->count++) {
         diff->x = x * p->block_width;
         diff->y = y * p->block_height;
         diff->layer = layer;
         diff->sample = sample;
         diff->address = want - device;
         diff->bytes = MIN2(bytes, sizeof(diff->expected));
         memcpy(diff->expected, want, diff->bytes);
         memcpy(diff->got, have, diff->bytes);
      }
      if (!wrong)
         continue;
      for (uint32_t j = y * p->block_height; j < MIN2((y + 1) * p->block_height, p->s->height); j++)
         for (uint32_t i = x * p->block_width; i < MIN2((x + 1) * p->block_width, p->s->width); i++)
            wrong[(uint64_t)j * p->s->width + i] = 1;
   }
}

void
sgpu_shadow_compare(struct sgpu_shadow *s, unsigned surface, struct sgpu_shadow_difference *diff,
                    uint8_t *wrong, unsigned wrong_layer)
{
   const struct plane p = plane_of(&s->image->surfaces[surface]);
   const uint8_t *device = s->image->final_memory;
   const unsigned rows = run_rows(&p);
   const uint64_t bytes = run_bytes(&p);

   store_elements(s);
   memset(diff, 0, sizeof(*diff));
   if (wrong)
      memset(wrong, 0, (size_t)p.s->width * p.s->height);
   for (unsigned layer = 0; layer < p.s->layers; layer++) {
      uint8_t *const mark = layer == wrong_layer ? wrong : NULL;
      for (uint32_t y = 0; y < p.height; y += rows) {
         for (unsigned sample = 0; sample < p.s->samples; sample++) {
            if (!memcmp(element(&p, device, 0, y, layer, sample),
                        element(&p, s->base, 0, y, layer, sample), bytes))
               continue;
            for (uint32_t j = y; j < MIN2(y + rows, p.height); j++)
               compare_row(&p, device, s->base, j, layer, sample, diff, mark);
         }
      }
   }
}

void
sgpu_shadow_compare_buffers(struct sgpu_shadow *s, struct sgpu_shadow_difference *diff)
{
   const uint8_t *device = s->image->final_memory;

   memset(diff, 0, sizeof(*diff));
   for (unsigned i = 0; i < s->image->num_ranges; i++) {
      const struct sgd_shadow_range *r = &s->image->ranges[i];
      if (!memcmp(device + r->begin, s->base + r->begin, r->end - r->begin))
         continue;
      for (uint64_t at = r->begin; at < r->end; at++) {
         if (device[at] == s->base[at])
            continue;
         if (!diff->count++) {
            diff->address = at;
            diff->bytes = 1;
            diff->expected[0] = device[at];
            diff->got[0] = s->base[at];
         }
      }
   }
}

uint64_t
sgpu_shadow_hash(struct sgpu_shadow *s)
{
   XXH64_state_t state;

   store_elements(s);
   XXH64_reset(&state, 0);
   for (unsigned i = 0; i < s->image->num_surfaces; i++) {
      const struct plane p = plane_of(&s->image->surfaces[i]);
      for (unsigned layer = 0; layer < p.s->layers; layer++) {
         for (unsigned sample = 0; sample < p.s->samples; sample++) {
            for (uint32_t y = 0; y < p.height; y += run_rows(&p))
               XXH64_update(&state, element(&p, s->base, 0, y, layer, sample), run_bytes(&p));
         }
      }
   }
   for (unsigned i = 0; i < s->image->num_ranges; i++) {
      const struct sgd_shadow_range *r = &s->image->ranges[i];
      XXH64_update(&state, s->base + r->begin, r->end - r->begin);
   }
   return XXH64_digest(&state);
}

/* Copies a row of elements to contiguous memory. */
static void
gather(const struct plane *p, const uint8_t *base, uint32_t y, unsigned layer, unsigned sample,
       uint8_t *row)
{
   for (uint32_t x = 0; x < p->width; x++)
      memcpy(row + (size_t)x * p->s->bpe, element(p, base, x, y, layer, sample), p->s->bpe);
}

bool
sgpu_shadow_picture(struct sgpu_shadow *s, unsigned surface, unsigned layer, bool device,
                    uint8_t *rgba)
{
   const struct plane p = plane_of(&s->image->surfaces[surface]);
   const enum pipe_format format = p.s->pformat;
   const struct util_format_unpack_description *unpack = util_format_unpack_description(format);

   if (util_format_is_depth_or_stencil(format) || util_format_is_pure_integer(format) ||
       p.block_width > 1 || p.block_height > 1 ||
       !(unpack->unpack_rgba_8unorm || unpack->unpack_rgba_8unorm_rect))
      return false;
   uint8_t *row = malloc((size_t)p.width * p.s->bpe);
   if (!row)
      return false;
   store_elements(s);
   for (uint32_t y = 0; y < p.height; y++) {
      gather(&p, device ? s->image->final_memory : s->base, y, layer, 0, row);
      util_format_unpack_rgba_8unorm_rect(format, rgba + (size_t)y * p.width * 4, p.width * 4, row,
                                          p.width * p.s->bpe, p.width, 1);
   }
   free(row);
   return true;
}
