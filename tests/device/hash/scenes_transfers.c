/* SPDX-License-Identifier: MIT */
/*
 * Scenes of clears, copies, blits and fills.
 */
#include <string.h>

#include "scene.h"

static void
clear_surface(struct scene *s, const struct scene_image *image, struct SGPU_RECT rect)
{
   SCENE_EMIT(s, CLEAR_SURFACE, cfg) {
      cfg.color = cfg.depth = cfg.stencil = true;
      cfg.stencil_value = scene_below(s, 256);
      cfg.surface = scene_surface(image, 0, 0, 1);
      float f[4];
      uint32_t bits[4];
      for (unsigned c = 0; c < 4; c++)
         f[c] = scene_float(s, -0.25f, 1.25f);
      memcpy(bits, f, sizeof(bits));
      cfg.color_0 = bits[0];
      cfg.color_1 = bits[1];
      cfg.color_2 = bits[2];
      cfg.color_3 = bits[3];
      cfg.depth_value = scene_float(s, 0.0f, 1.0f);
      cfg.rect = rect;
   }
}

static struct SGPU_RECT
random_rect(struct scene *s)
{
   const int x = scene_below(s, SCENE_W), y = scene_below(s, SCENE_H);
   const int w = 1 + scene_below(s, SCENE_W - x), h = 1 + scene_below(s, SCENE_H - y);
   return (struct SGPU_RECT){ x, y, x + w, y + h };
}

static const enum sgpu_format color_formats[] = {
   SGPU_FORMAT_R8G8B8A8_UNORM,    SGPU_FORMAT_B8G8R8A8_SRGB,      SGPU_FORMAT_B5G6R5_UNORM,
   SGPU_FORMAT_R8_UNORM,          SGPU_FORMAT_R16G16B16A16_FLOAT, SGPU_FORMAT_R32G32B32A32_FLOAT,
   SGPU_FORMAT_R10G10B10A2_UNORM, SGPU_FORMAT_R11G11B10_FLOAT,    SGPU_FORMAT_R8G8B8A8_SNORM,
   SGPU_FORMAT_L8A8_UNORM,        SGPU_FORMAT_R16G16_UNORM,       SGPU_FORMAT_A8_UNORM,
};
static const enum sgpu_format zs_formats[] = {
   SGPU_FORMAT_Z16_UNORM,   SGPU_FORMAT_Z24_UNORM_S8_UINT,    SGPU_FORMAT_S8_UINT_Z24_UNORM,
   SGPU_FORMAT_Z32_FLOAT,   SGPU_FORMAT_Z32_FLOAT_S8X24_UINT, SGPU_FORMAT_S8_UINT,
   SGPU_FORMAT_Z24X8_UNORM,
};
enum {
   NUM_COLORS = sizeof(color_formats) / sizeof(color_formats[0]),
   NUM_ZS = sizeof(zs_formats) / sizeof(zs_formats[0]),
};

static void
clears(struct scene *s)
{
   for (unsigned i = 0; i < NUM_COLORS + NUM_ZS; i++) {
      const enum sgpu_format format = i < NUM_COLORS ? color_formats[i]
                                                     : zs_formats[i - NUM_COLORS];
      const struct scene_image image = scene_target(s, format, SCENE_W, SCENE_H);
      clear_surface(s, &image, (struct SGPU_RECT){ 0, 0, SCENE_W, SCENE_H });
      for (unsigned k = 0; k < 4; k++)
         clear_surface(s, &image, random_rect(s));
   }
}

static void
copies(struct scene *s)
{
   static const enum sgpu_format formats[] = {
      SGPU_FORMAT_R8G8B8A8_UNORM,
      SGPU_FORMAT_R8_UNORM,
      SGPU_FORMAT_R16G16B16A16_FLOAT,
      SGPU_FORMAT_R32G32B32A32_UINT,
   };
   for (unsigned i = 0; i < 4; i++) {
      struct scene_image images[2];
      for (unsigned mode = 0; mode < 2; mode++) {
         struct sgpu_layout_params params = scene_params(formats[i], SCENE_W, SCENE_H);
         params.mode = mode;
         images[mode] = scene_image(s, &params);
         scene_noise(s, &images[mode]);
         scene_result(s, images[mode].bo);
      }
      for (unsigned k = 0; k < 24; k++) {
         const unsigned from = scene_below(s, 2), to = 1 - from;
         const unsigned w = 1 + scene_below(s, SCENE_W), h = 1 + scene_below(s, SCENE_H);
         const int x = scene_below(s, SCENE_W - w + 1), y = scene_below(s, SCENE_H - h + 1);
         SCENE_EMIT(s, COPY_SURFACE, cfg) {
            cfg.layers = 1;
            cfg.source = scene_surface(&images[from], 0, 0, 1);
            cfg.destination = scene_surface(&images[to], 0, 0, 1);
            cfg.source_x = scene_below(s, SCENE_W - w + 1);
            cfg.source_y = scene_below(s, SCENE_H - h + 1);
            cfg.rect = (struct SGPU_RECT){ x, y, x + w, y + h };
         }
      }
   }
}

static void
blit(struct scene *s, const struct scene_image *src, const struct scene_image *dst,
     enum sgpu_filter filter)
{
   SCENE_EMIT(s, BLIT, cfg) {
      cfg.mask = scene_below(s, 3) ? 15 : scene_below(s, 16);
      cfg.depth = cfg.stencil = true;
      cfg.filter = filter;
      cfg.layers = 1;
      cfg.source = scene_surface(src, 0, 0, 1);
      cfg.destination = scene_surface(dst, 0, 0, 1);
      cfg.source_rect = random_rect(s);
      cfg.destination_rect = random_rect(s);
      if (scene_below(s, 2)) {
         const int x = cfg.source_rect.x0;
         cfg.source_rect.x0 = cfg.source_rect.x1;
         cfg.source_rect.x1 = x;
      }
      if (scene_below(s, 2)) {
         const int y = cfg.source_rect.y0;
         cfg.source_rect.y0 = cfg.source_rect.y1;
         cfg.source_rect.y1 = y;
      }
      cfg.scissor = scene_below(s, 2);
      cfg.scissor_rect = random_rect(s);
      cfg.source_z1 = 1.0f;
   }
}

static void
blits_color(struct scene *s, uint64_t filter)
{
   struct scene_image images[NUM_COLORS];
   for (unsigned i = 0; i < NUM_COLORS; i++) {
      images[i] = scene_target(s, color_formats[i], SCENE_W, SCENE_H);
      for (unsigned k = 0; k < 6; k++)
         clear_surface(s, &images[i], random_rect(s));
   }
   for (unsigned i = 0; i < 40; i++) {
      const unsigned a = scene_below(s, NUM_COLORS);
      const unsigned b = (a + 1 + scene_below(s, NUM_COLORS - 1)) % NUM_COLORS;
      blit(s, &images[a], &images[b], filter);
   }
}

static void
blits_depth(struct scene *s)
{
   for (unsigned i = 0; i < NUM_ZS; i++) {
      const struct scene_image a = scene_target(s, zs_formats[i], SCENE_W, SCENE_H);
      const struct scene_image b = scene_target(s, zs_formats[i], SCENE_W, SCENE_H);
      for (unsigned k = 0; k < 6; k++)
         clear_surface(s, &a, random_rect(s));
      for (unsigned k = 0; k < 6; k++)
         blit(s, &a, &b, SGPU_FILTER_NEAREST);
   }
}

static void
buffers(struct scene *s)
{
   static const unsigned sizes[] = { 1, 2, 4, 8, 12, 16 };
   enum { SIZE = 300000 };
   struct sgpu_bo *a = scene_bo(s, SIZE), *b = scene_bo(s, SIZE);
   scene_result(s, a);
   scene_result(s, b);
   for (unsigned i = 0; i < 30; i++) {
      const unsigned n = sizes[scene_below(s, 6)];
      const uint32_t at = scene_below(s, SIZE / 2), count = scene_below(s, SIZE / 2);
      SCENE_EMIT(s, FILL_BUFFER, cfg) {
         cfg.destination = sgpu_bo_address(i & 1 ? a : b) + at;
         cfg.size = count / n * n;
         cfg.pattern_size = n;
         cfg.pattern_0 = scene_random(s);
         cfg.pattern_1 = scene_random(s);
         cfg.pattern_2 = scene_random(s);
         cfg.pattern_3 = scene_random(s);
      }
      SCENE_EMIT(s, COPY_BUFFER, cfg) {
         cfg.source = sgpu_bo_address(i & 1 ? a : b) + scene_below(s, SIZE / 2);
         cfg.destination = sgpu_bo_address(i & 1 ? b : a) + scene_below(s, SIZE / 2);
         cfg.size = scene_below(s, SIZE / 2);
      }
   }
}

const struct scene_info scenes_transfers[] = {
   { "clears", clears },
   { "copies", copies },
   { "blits-nearest", NULL, blits_color, SGPU_FILTER_NEAREST },
   { "blits-linear", NULL, blits_color, SGPU_FILTER_LINEAR },
   { "blits-depth", blits_depth },
   { "buffers", buffers },
   { NULL, NULL },
};
