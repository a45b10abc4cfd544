/* SPDX-License-Identifier: MIT */
/* Pictures of surfaces. */
#include "cap_picture.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#ifdef HAVE_PNG
#include <png.h>
#endif

#include "sgpu_formats.h"
#include "sgpu_formats_pipe.h"
#include "sgpu_layout.h"
#include "sgpu_packets_unpack.h"
#include "util/format/u_format.h"

void
cap_picture_free(struct cap_picture *pic)
{
   free(pic->rgba);
   memset(pic, 0, sizeof *pic);
}

/* Values that are not colours: the smallest is black, the largest white. */
static void
scale_channel(uint8_t *rgba, const float *values, size_t count, unsigned stride, unsigned channels)
{
   float low = 0, high = 0;
   bool any = false;

   for (size_t i = 0; i < count * stride; i++) {
      const float v = values[i];
      if (i % stride >= channels || v - v != 0)
         continue;
      low = any && low < v ? low : v;
      high = any && high > v ? high : v;
      any = true;
   }
   const float scale = high > low ? 255 / (high - low) : 0;
   for (size_t i = 0; i < count; i++) {
      for (unsigned c = 0; c < 3; c++) {
         const float v = values[i * stride + (c < channels ? c : 0)];
         rgba[i * 4 + c] = v - v != 0 ? 255 : (uint8_t)((v - low) * scale);
      }
      rgba[i * 4 + 3] = 255;
   }
}

bool
cap_picture_convert(struct cap_picture *pic, enum sgpu_format format, uint32_t width,
                    uint32_t height, const uint8_t *rows, uint32_t pitch)
{
   const enum pipe_format pipe = sgpu_format_to_pipe(format);
   const struct util_format_unpack_description *unpack = util_format_unpack_description(pipe);
   const size_t count = (size_t)width * height;

   memset(pic, 0, sizeof *pic);
   if (pipe == PIPE_FORMAT_NONE || !unpack || !count)
      return false;
   pic->width = width;
   pic->height = height;
   pic->rgba = calloc(count, 4);
   if (!pic->rgba)
      return false;

   const struct util_format_description *desc = util_format_description(pipe);
   const bool depth = util_format_has_depth(desc), pure = util_format_is_pure_integer(pipe);
   if (!depth && !pure && desc->colorspace != UTIL_FORMAT_COLORSPACE_ZS) {
      /* PNG has sRGB values: keep them as they are stored. */
      util_format_read_4ub(util_format_linear(pipe), pic->rgba, width * 4, rows, pitch, 0, 0, width,
                           height);
      return true;
   }

   float *values = calloc(count, 4 * sizeof *values);
   if (!values)
      return false;
   if (depth) {
      unpack->unpack_z_float(values, width * sizeof *values, rows, pitch, width, height);
      scale_channel(pic->rgba, values, count, 1, 1);
   } else if (pure && desc->colorspace != UTIL_FORMAT_COLORSPACE_ZS) {
      uint32_t *ints = (uint32_t *)values;
      for (uint32_t y = 0; y < height; y++)
         util_format_unpack_rgba(pipe, ints + (size_t)y * width * 4, rows + (size_t)y * pitch,
                                 width);
      const bool is_signed = util_format_is_pure_sint(pipe);
      for (size_t i = 0; i < count * 4; i++)
         values[i] = is_signed ? (float)(int32_t)ints[i] : (float)ints[i];
      scale_channel(pic->rgba, values, count, 4, 3);
   } else {
      uint8_t *stencil = calloc(count, 1);
      if (stencil && unpack->unpack_s_8uint) {
         unpack->unpack_s_8uint(stencil, width, rows, pitch, width, height);
         for (size_t i = 0; i < count; i++)
            values[i] = stencil[i];
      }
      free(stencil);
      scale_channel(pic->rgba, values, count, 1, 1);
   }
   free(values);
   return true;
}

bool
cap_target(const uint32_t *framebuffer, struct SGPU_SURFACE *surface)
{
   struct SGPU_FRAMEBUFFER fb;

   if (!framebuffer || SGPU_FRAMEBUFFER_unpack(framebuffer, &fb))
      return false;
   for (uint32_t i = 0; i < fb.tail_count; i++) {
      if (!SGPU_SURFACE_unpack(SGPU_FRAMEBUFFER_tail(framebuffer, i), surface) && surface->valid)
         return true;
   }
   return false;
}

bool
cap_work_target(const struct cap_stream *s, const struct cap_packet *packet,
                struct SGPU_SURFACE *surface)
{
   struct SGPU_CLEAR_SURFACE clear;
   struct SGPU_COPY_SURFACE copy;
   struct SGPU_BLIT blit;

   switch (packet->opcode) {
   case SGPU_PACKET_DRAW:
   case SGPU_PACKET_DRAW_INDIRECT:
   case SGPU_PACKET_CLEAR:
      return cap_target(cap_stream_find(s, SGPU_PACKET_FRAMEBUFFER), surface);
   case SGPU_PACKET_CLEAR_SURFACE:
      if (SGPU_CLEAR_SURFACE_unpack(packet->words, &clear))
         return false;
      *surface = clear.surface;
      return surface->valid;
   case SGPU_PACKET_COPY_SURFACE:
      if (SGPU_COPY_SURFACE_unpack(packet->words, &copy))
         return false;
      *surface = copy.destination;
      return surface->valid;
   case SGPU_PACKET_BLIT:
      if (SGPU_BLIT_unpack(packet->words, &blit))
         return false;
      *surface = blit.destination;
      return surface->valid;
   default:
      return false;
   }
}

bool
cap_picture_layout(const struct SGPU_SURFACE *from, struct sgpu_layout *layout)
{
   const enum pipe_format pipe = sgpu_format_to_pipe(from->format);
   /* The mean of the samples if the format has one, else sample 0. */
   const bool mean = from->samples_log2 && !util_format_is_depth_or_stencil(pipe) &&
                     !util_format_is_pure_integer(pipe);

   return from->width && from->height &&
          sgpu_layout_init(layout, &(struct sgpu_layout_params){
                                      .format = mean ? SGPU_FORMAT_R8G8B8A8_UNORM : from->format,
                                      .mode = SGPU_LAYOUT_LINEAR,
                                      .width = from->width,
                                      .height = from->height,
                                      .depth = 1,
                                      .layers = 1,
                                      .levels = 1,
                                      .samples = 1,
                                   });
}

uint32_t
cap_picture_copy(const struct SGPU_SURFACE *surface, const struct sgpu_layout *layout,
                 uint64_t address, uint32_t *words)
{
   const struct SGPU_RECT rect = { 0, 0, surface->width, surface->height };
   struct SGPU_SURFACE from = *surface, to;
   uint32_t n = SGPU_COPY_SURFACE_LENGTH;

   if (!sgpu_layout_fill_surface(layout, address, layout->format, 0, 0, 1, &to))
      return 0;
   from.layers = 1;
   if (from.samples_log2) {
      sgpu_pack(words, BLIT, cfg) {
         cfg.mask = 15;
         cfg.depth = cfg.stencil = true;
         cfg.layers = 1;
         cfg.source = from;
         cfg.destination = to;
         cfg.source_rect = rect;
         cfg.destination_rect = rect;
         cfg.source_z1 = 1;
      }
      n = SGPU_BLIT_LENGTH;
   } else {
      sgpu_pack(words, COPY_SURFACE, cfg) {
         cfg.layers = 1;
         cfg.source = from;
         cfg.destination = to;
         cfg.rect = rect;
      }
   }
   sgpu_pack(words + n, END, cfg)
      ;
   return n + SGPU_END_LENGTH;
}

bool
cap_picture_read(struct cap_player *p, const struct sgcap_record *rec,
                 const struct SGPU_SURFACE *surface, struct cap_picture *pic)
{
   struct sgpu_layout layout;
   uint32_t words[CAP_COPY_WORDS];

   if (!cap_picture_layout(surface, &layout))
      return false;
   struct sgpu_bo *bo = cap_player_own_bo(p, layout.size, "picture");
   if (!bo)
      return false;
   const uint32_t n = cap_picture_copy(surface, &layout, sgpu_bo_address(bo), words);
   const bool ok = n && cap_player_run(p, rec, words, n, &bo, 1) &&
                   cap_picture_convert(pic, layout.format, surface->width, surface->height,
                                       sgpu_bo_map(bo), layout.level[0].pitch);
   sgpu_bo_destroy(bo);
   return ok;
}

bool
cap_picture_shrink(const struct cap_picture *pic, uint32_t size, struct cap_picture *out)
{
   const uint32_t largest = pic->width > pic->height ? pic->width : pic->height;
   const uint32_t by = largest > size ? (largest + size - 1) / size : 1;

   memset(out, 0, sizeof *out);
   out->width = (pic->width + by - 1) / by;
   out->height = (pic->height + by - 1) / by;
   out->rgba = malloc((size_t)out->width * out->height * 4);
   if (!out->rgba)
      return false;
   for (uint32_t y = 0; y < out->height; y++) {
      for (uint32_t x = 0; x < out->width; x++) {
         uint32_t sum[4] = { 0 }, n = 0;
         for (uint32_t j = y * by; j < (y + 1) * by && j < pic->height; j++) {
            for (uint32_t i = x * by; i < (x + 1) * by && i < pic->width; i++, n++) {
               for (unsigned c = 0; c < 4; c++)
                  sum[c] += pic->rgba[((size_t)j * pic->width + i) * 4 + c];
            }
         }
         for (unsigned c = 0; c < 4; c++)
            out->rgba[((size_t)y * out->width + x) * 4 + c] = sum[c] / n;
      }
   }
   return true;
}

/* Without alpha: windows have none. */
static uint8_t *
rgb_of(const struct cap_picture *pic)
{
   const size_t count = (size_t)pic->width * pic->height;
   uint8_t *rgb = malloc(count * 3);

   for (size_t i = 0; rgb && i < count; i++)
      memcpy(rgb + i * 3, pic->rgba + i * 4, 3);
   return rgb;
}

void *
cap_picture_png(const struct cap_picture *pic, bool alpha, size_t *size)
{
#ifdef HAVE_PNG
   png_image image = {
      .version = PNG_IMAGE_VERSION,
      .width = pic->width,
      .height = pic->height,
      .format = alpha ? PNG_FORMAT_RGBA : PNG_FORMAT_RGB,
   };
   uint8_t *rgb = alpha ? NULL : rgb_of(pic);
   const uint8_t *from = alpha ? pic->rgba : rgb;
   /* An upper limit; asking libpng for the size would compress twice. */
   png_alloc_size_t bytes = PNG_IMAGE_PNG_SIZE_MAX(image);
   void *out = from ? malloc(bytes) : NULL;

   if (out && !png_image_write_to_memory(&image, out, &bytes, 0, from, 0, NULL)) {
      free(out);
      out = NULL;
   }
   free(rgb);
   *size = bytes;
   return out;
#else
   fprintf(stderr, "sgpu: this program was built without libpng\n");
   return NULL;
#endif
}

bool
cap_picture_write(const struct cap_picture *pic, const char *path)
{
   size_t size;
   void *png = cap_picture_png(pic, false, &size);
   FILE *fp = png ? fopen(path, "wb") : NULL;
   bool ok = fp && fwrite(png, 1, size, fp) == size;

   if (fp && fclose(fp))
      ok = false;
   if (png && !ok)
      fprintf(stderr, "sgpu: %s: %s\n", path, strerror(errno));
   free(png);
   return ok;
}
