/* SPDX-License-Identifier: MIT */
/* Random streams: clears, copies, blits and fills. */
#include <string.h>

#include "hazard_stream.h"

void
hazard_clear(struct hazard_stream *r)
{
   struct scene *s = &r->s;

   if (hazard_chance(r, 50)) {
      hazard_targets(r);
      scene_emit_state(s);
      SCENE_EMIT(s, CLEAR, cfg) {
         cfg.colors = hazard_chance(r, 70);
         cfg.depth = hazard_chance(r, 60);
         cfg.stencil = hazard_chance(r, 40);
         cfg.stencil_value = hazard_below(r, 256);
         cfg.color_0 = 0x3f000000 + hazard_below(r, 0x800000);
         cfg.color_3 = 0x3f000000;
         cfg.depth_value = scene_float(s, 0.0f, 1.0f);
         cfg.conditional = hazard_chance(r, 30);
         cfg.rect = hazard_rect(r, SCENE_W, SCENE_H);
      }
   } else {
      const unsigned image = hazard_below(r, HAZARD_IMAGES);
      SCENE_EMIT(s, CLEAR_SURFACE, cfg) {
         cfg.color = true;
         cfg.surface = hazard_surface(r, image, hazard_below(r, hazard_layers(image)));
         cfg.color_1 = 0x3f000000 + hazard_below(r, 0x800000);
         cfg.rect = hazard_rect(r, SCENE_W, SCENE_H);
      }
   }
}

/*
 * Transfers
 */

/* Copies between images, or between disjoint parts of one image. */
void
hazard_copy(struct hazard_stream *r)
{
   const unsigned to = hazard_below(r, HAZARD_IMAGES),
                  from = hazard_chance(r, 40) ? to : hazard_below(r, HAZARD_IMAGES);
   const unsigned to_layer = hazard_below(r, hazard_layers(to)),
                  from_layer = hazard_below(r, hazard_layers(from));
   const struct SGPU_RECT rect = hazard_rect(r, SCENE_W, SCENE_H);
   const int w = rect.x1 - rect.x0, h = rect.y1 - rect.y0;
   const bool shift = hazard_chance(r, 60);
   const int x = shift ? (int)hazard_below(r, SCENE_W - w + 1) : rect.x0;
   const int y = shift ? (int)hazard_below(r, SCENE_H - h + 1) : rect.y0;

   if (to == from && to_layer == from_layer && x < rect.x1 && rect.x0 < x + w && y < rect.y1 &&
       rect.y0 < y + h)
      return;
   SCENE_EMIT(&r->s, COPY_SURFACE, cfg) {
      cfg.layers = 1;
      cfg.source = hazard_surface(r, from, from_layer);
      cfg.destination = hazard_surface(r, to, to_layer);
      cfg.source_x = x;
      cfg.source_y = y;
      cfg.rect = rect;
   }
}

/* Copies a part of the linear buffer to an image, or back. */
void
hazard_copy_linear(struct hazard_stream *r)
{
   const unsigned image = hazard_below(r, HAZARD_IMAGES);
   const struct SGPU_SURFACE tiled = hazard_surface(r, image,
                                                    hazard_below(r, hazard_layers(image)));
   const struct SGPU_SURFACE linear = hazard_linear_surface(r);
   const struct SGPU_RECT part = hazard_rect(r, HAZARD_LINEAR, HAZARD_LINEAR);
   const int w = part.x1 - part.x0, h = part.y1 - part.y0;
   const bool shift = hazard_chance(r, 60);
   const int x = shift ? (int)hazard_below(r, SCENE_W - w + 1) : part.x0;
   const int y = shift ? (int)hazard_below(r, SCENE_H - h + 1) : part.y0;
   const bool up = hazard_chance(r, 50);

   SCENE_EMIT(&r->s, COPY_SURFACE, cfg) {
      cfg.layers = 1;
      cfg.source = up ? linear : tiled;
      cfg.destination = up ? tiled : linear;
      cfg.source_x = up ? part.x0 : x;
      cfg.source_y = up ? part.y0 : y;
      cfg.rect = up ? (struct SGPU_RECT){ x, y, x + w, y + h } : part;
   }
}

void
hazard_blit(struct hazard_stream *r)
{
   const unsigned to = hazard_below(r, HAZARD_IMAGES),
                  from = (to + 1 + hazard_below(r, HAZARD_IMAGES - 1)) % HAZARD_IMAGES;
   const bool scissor = hazard_chance(r, 30);
   struct SGPU_RECT source = hazard_rect(r, SCENE_W, SCENE_H);

   if (hazard_chance(r, 30)) {
      const int x = source.x0;
      source.x0 = source.x1;
      source.x1 = x;
   }
   SCENE_EMIT(&r->s, BLIT, cfg) {
      cfg.mask = hazard_chance(r, 80) ? 15 : 5;
      cfg.filter = hazard_chance(r, 50) ? SGPU_FILTER_LINEAR : SGPU_FILTER_NEAREST;
      cfg.scissor = scissor;
      cfg.conditional = hazard_chance(r, 20);
      cfg.layers = 1;
      cfg.source = hazard_surface(r, from, hazard_below(r, hazard_layers(from)));
      cfg.destination = hazard_surface(r, to, hazard_below(r, hazard_layers(to)));
      cfg.source_rect = source;
      cfg.destination_rect = hazard_rect(r, SCENE_W, SCENE_H);
      cfg.scissor_rect = hazard_rect(r, SCENE_W, SCENE_H);
      cfg.source_z1 = 1.0f;
   }
}

static void
fill(struct hazard_stream *r, uint64_t address, uint32_t size, uint32_t pattern_size)
{
   SCENE_EMIT(&r->s, FILL_BUFFER, cfg) {
      cfg.destination = address;
      cfg.size = size / pattern_size * pattern_size;
      cfg.pattern_size = pattern_size;
      cfg.pattern_0 = scene_random(&r->s);
      cfg.pattern_1 = scene_random(&r->s);
      cfg.pattern_2 = scene_random(&r->s);
      cfg.pattern_3 = scene_random(&r->s);
   }
}

void
hazard_buffers(struct hazard_stream *r)
{
   const uint64_t address = sgpu_bo_address(r->bytes);
   const uint32_t size = 16 * (1 + hazard_below(r, hazard_chance(r, 70) ? 32 : 512));

   switch (hazard_below(r, 4)) {
   case 0:
      fill(r, address + hazard_offset(r, size, 4), size, 4);
      break;
   case 1: /* the constant that the pixel program multiplies by */
      scene_fill_buffer(&r->s, sgpu_bo_address(r->s.constant_bo) + 8 * 16, 16,
                        0x3e800000 + hazard_below(r, 0x1000000));
      break;
   case 2: /* a counter of transform feedback, which becomes 0 */
      SCENE_EMIT(&r->s, FILL_BUFFER, cfg) {
         cfg.destination = sgpu_bo_address(r->numbers) +
                           8 * (HAZARD_QUERIES + hazard_below(r, HAZARD_COUNTERS));
         cfg.size = 8;
         cfg.pattern_size = 8;
      }
      break;
   default: {
      const uint64_t from = hazard_offset(r, size, 1), to = hazard_offset(r, size, 1);
      if (from < to + size && to < from + size)
         break;
      scene_copy_buffer(&r->s, address + to, address + from, size);
      break;
   }
   }
}
