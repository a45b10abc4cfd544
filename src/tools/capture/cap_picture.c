/* SPDX-License-Identifier: MIT */
/* Pictures of surfaces, and PNG files. */
#include "cap_picture.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#ifdef HAVE_PNG
#include <png.h>
#endif

#include "cap_disk.h"
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

bool
cap_picture_convert(struct cap_picture *pic, enum sgpu_format format, uint32_t width,
                    uint32_t height, const uint8_t *rows, uint32_t pitch)
{
   struct cap_rows r;

   memset(pic, 0, sizeof *pic);
   if (!cap_rows_begin(&r, format, width, height, rows, pitch))
      return false;
   pic->width = width;
   pic->height = height;
   pic->rgba = malloc((size_t)width * height * 4);
   for (uint32_t y = 0; pic->rgba && y < height; y++)
      cap_rows_get(&r, y, pic->rgba + (size_t)y * width * 4);
   cap_rows_end(&r);
   return pic->rgba != NULL;
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
   /* A resolve averages the samples, except for depth, stencil and integer formats, for which it
    * takes sample 0.
    */
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

   if ((uint64_t)surface->width * surface->height > CAP_MAX_PIXELS ||
       !cap_picture_layout(surface, &layout))
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

/* Returns a copy of the pixels without alpha, since windows don't show alpha. */
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
   /* Use an upper bound. To return the exact size, libpng would have to compress the picture twice.
    */
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

/* Where the rows of a PNG file come from: a picture in memory, or a surface if `pic` is NULL. */
struct png_rows {
   const struct cap_picture *pic;
   struct cap_rows *rows;
   uint8_t *buffer; /* memory for one converted row of the surface */
};

#ifdef HAVE_PNG
static uint8_t *
row_of(const struct png_rows *from, uint32_t y)
{
   if (from->pic)
      return from->pic->rgba + (size_t)y * from->pic->width * 4;
   cap_rows_get(from->rows, y, from->buffer);
   return from->buffer;
}

static void
write_data(png_structp png, png_bytep data, size_t size)
{
   if (!cap_disk_take(size) || fwrite(data, 1, size, png_get_io_ptr(png)) != size)
      png_longjmp(png, 1);
}

static void
flush_data(png_structp png)
{
}

/* Writes a PNG file row by row. libpng drops alpha, since windows don't show it. */
static bool
write_rows(FILE *fp, const struct png_rows *from, uint32_t width, uint32_t height)
{
   png_structp png = png_create_write_struct(PNG_LIBPNG_VER_STRING, NULL, NULL, NULL);
   png_infop info = png ? png_create_info_struct(png) : NULL;

   if (!info || setjmp(png_jmpbuf(png))) {
      png_destroy_write_struct(&png, &info);
      return false;
   }
   png_set_write_fn(png, fp, write_data, flush_data);
   png_set_IHDR(png, info, width, height, 8, PNG_COLOR_TYPE_RGB, PNG_INTERLACE_NONE,
                PNG_COMPRESSION_TYPE_DEFAULT, PNG_FILTER_TYPE_DEFAULT);
   png_set_sRGB(png, info, PNG_sRGB_INTENT_PERCEPTUAL);
   png_write_info(png, info);
   png_set_filler(png, 0, PNG_FILLER_AFTER);
   for (uint32_t y = 0; y < height; y++)
      png_write_row(png, row_of(from, y));
   png_write_end(png, info);
   png_destroy_write_struct(&png, &info);
   return true;
}
#else
static bool
write_rows(FILE *fp, const struct png_rows *from, uint32_t width, uint32_t height)
{
   fprintf(stderr, "sgpu: this program was built without libpng\n");
   errno = ENOTSUP;
   return false;
}
#endif

static bool
write_png(const char *path, const struct png_rows *from, uint32_t width, uint32_t height)
{
   FILE *fp = cap_disk_create(path);
   bool ok = fp && write_rows(fp, from, width, height);

   if (fp && fclose(fp))
      ok = false;
   if (!ok) {
      fprintf(stderr, "sgpu: %s: %s\n", path, errno ? strerror(errno) : "libpng fails");
      if (fp)
         remove(path);
   }
   return ok;
}

bool
cap_picture_write(const struct cap_picture *pic, const char *path)
{
   errno = 0;
   return write_png(path, &(struct png_rows){ .pic = pic }, pic->width, pic->height);
}

bool
cap_picture_write_rows(struct cap_rows *rows, const char *path)
{
   uint8_t *buffer = malloc((size_t)rows->width * 4);

   errno = 0;
   const bool ok = buffer && write_png(path, &(struct png_rows){ .rows = rows, .buffer = buffer },
                                       rows->width, rows->height);
   free(buffer);
   return ok;
}
