/* SPDX-License-Identifier: MIT */
/* Images for old loaders.  Several functions of the old interface have become one with more
 * arguments, and formats have other numbers.
 */
#include "old_interface.h"

#include <drm_fourcc.h>

#include "util/format/u_format.h"
#include "util/macros.h"

/* What old loaders call __DRI_IMAGE_FORMAT_*, by number, is a Gallium format in the new interface. */
static const struct {
   int number;
   enum pipe_format format;
   int fourcc;
} formats[] = {
   { 0x1001, PIPE_FORMAT_B5G6R5_UNORM, DRM_FORMAT_RGB565 },
   { 0x1002, PIPE_FORMAT_BGRX8888_UNORM, DRM_FORMAT_XRGB8888 },
   { 0x1003, PIPE_FORMAT_BGRA8888_UNORM, DRM_FORMAT_ARGB8888 },
   { 0x1004, PIPE_FORMAT_RGBA8888_UNORM, DRM_FORMAT_ABGR8888 },
   { 0x1005, PIPE_FORMAT_RGBX8888_UNORM, DRM_FORMAT_XBGR8888 },
   { 0x1006, PIPE_FORMAT_R8_UNORM, DRM_FORMAT_R8 },
   { 0x1007, PIPE_FORMAT_RG88_UNORM, DRM_FORMAT_GR88 },
   { 0x1009, PIPE_FORMAT_B10G10R10X2_UNORM, DRM_FORMAT_XRGB2101010 },
   { 0x100a, PIPE_FORMAT_B10G10R10A2_UNORM, DRM_FORMAT_ARGB2101010 },
   { 0x100b, PIPE_FORMAT_BGRA8888_SRGB, __DRI_IMAGE_FOURCC_SARGB8888 },
   { 0x100c, PIPE_FORMAT_B5G5R5A1_UNORM, DRM_FORMAT_ARGB1555 },
   { 0x100d, PIPE_FORMAT_R16_UNORM, DRM_FORMAT_R16 },
   { 0x100e, PIPE_FORMAT_RG1616_UNORM, DRM_FORMAT_GR1616 },
   { 0x1010, PIPE_FORMAT_R10G10B10X2_UNORM, DRM_FORMAT_XBGR2101010 },
   { 0x1011, PIPE_FORMAT_R10G10B10A2_UNORM, DRM_FORMAT_ABGR2101010 },
   { 0x1012, PIPE_FORMAT_RGBA8888_SRGB, __DRI_IMAGE_FOURCC_SABGR8888 },
   { 0x1014, PIPE_FORMAT_R16G16B16X16_FLOAT, DRM_FORMAT_XBGR16161616F },
   { 0x1015, PIPE_FORMAT_R16G16B16A16_FLOAT, DRM_FORMAT_ABGR16161616F },
   { 0x1016, PIPE_FORMAT_BGRX8888_SRGB, __DRI_IMAGE_FOURCC_SXRGB8888 },
   { 0x1017, PIPE_FORMAT_R16G16B16A16_UNORM, DRM_FORMAT_ABGR16161616 },
   { 0x1018, PIPE_FORMAT_R16G16B16X16_UNORM, DRM_FORMAT_XBGR16161616 },
};

/* Returns PIPE_FORMAT_NONE for unknown numbers. */
static enum pipe_format
format_of(int number)
{
   for (unsigned i = 0; i < ARRAY_SIZE(formats); i++) {
      if (formats[i].number == number)
         return formats[i].format;
   }
   return PIPE_FORMAT_NONE;
}

static unsigned char
query(__DRIimage *image, int attribute, int *value)
{
   int fourcc;

   if (attribute != __DRI_IMAGE_ATTRIB_FORMAT)
      return dri2_query_image(image, attribute, value);
   if (!dri2_query_image(image, __DRI_IMAGE_ATTRIB_FOURCC, &fourcc))
      return false;
   for (unsigned i = 0; i < ARRAY_SIZE(formats); i++) {
      if (formats[i].fourcc == fourcc) {
         *value = formats[i].number;
         return true;
      }
   }
   return false;
}

/* Buffers with names for the whole system don't exist without a GPU's kernel driver. */
static __DRIimage *
from_name(__DRIscreen *screen, int width, int height, int format, int name, int pitch,
          void *loader_private)
{
   return NULL;
}

static __DRIimage *
from_renderbuffer(__DRIcontext *context, int renderbuffer, void *loader_private)
{
   unsigned error;

   return dri_create_image_from_renderbuffer(context, renderbuffer, loader_private, &error);
}

static __DRIimage *
create(__DRIscreen *screen, int width, int height, int format, unsigned int use,
       void *loader_private)
{
   return dri_create_image(screen, width, height, format_of(format), NULL, 0, use, loader_private);
}

static __DRIimage *
create_with_modifiers(__DRIscreen *screen, int width, int height, int format,
                      const uint64_t *modifiers, const unsigned int count, void *loader_private)
{
   return dri_create_image(screen, width, height, format_of(format), modifiers, count,
                           __DRI_IMAGE_USE_SHARE, loader_private);
}

static __DRIimage *
create_with_modifiers2(__DRIscreen *screen, int width, int height, int format,
                       const uint64_t *modifiers, const unsigned int count, unsigned int use,
                       void *loader_private)
{
   return dri_create_image(screen, width, height, format_of(format), modifiers, count, use,
                           loader_private);
}

static __DRIimage *
from_fds2(__DRIscreen *screen, int width, int height, int fourcc, int *fds, int num_fds,
          uint32_t flags, int *strides, int *offsets, void *loader_private)
{
   return dri2_from_dma_bufs(screen, width, height, fourcc, DRM_FORMAT_MOD_INVALID, fds, num_fds,
                             strides, offsets, 0, 0, 0, 0, flags, NULL, loader_private);
}

static __DRIimage *
from_fds(__DRIscreen *screen, int width, int height, int fourcc, int *fds, int num_fds,
         int *strides, int *offsets, void *loader_private)
{
   return from_fds2(screen, width, height, fourcc, fds, num_fds, 0, strides, offsets,
                    loader_private);
}

static __DRIimage *
from_dma_bufs2(__DRIscreen *screen, int width, int height, int fourcc, uint64_t modifier, int *fds,
               int num_fds, int *strides, int *offsets, enum __DRIYUVColorSpace color_space,
               enum __DRISampleRange range, enum __DRIChromaSiting horizontal,
               enum __DRIChromaSiting vertical, unsigned *error, void *loader_private)
{
   return dri2_from_dma_bufs(screen, width, height, fourcc, modifier, fds, num_fds, strides,
                             offsets, color_space, range, horizontal, vertical, 0, error,
                             loader_private);
}

static __DRIimage *
from_dma_bufs(__DRIscreen *screen, int width, int height, int fourcc, int *fds, int num_fds,
              int *strides, int *offsets, enum __DRIYUVColorSpace color_space,
              enum __DRISampleRange range, enum __DRIChromaSiting horizontal,
              enum __DRIChromaSiting vertical, unsigned *error, void *loader_private)
{
   return from_dma_bufs2(screen, width, height, fourcc, DRM_FORMAT_MOD_INVALID, fds, num_fds,
                         strides, offsets, color_space, range, horizontal, vertical, error,
                         loader_private);
}

const __DRIimageExtension old_image_software = {
   .base = { __DRI_IMAGE, 6 },
   .createImageFromRenderbuffer = from_renderbuffer,
   .createImageFromTexture = dri2_create_from_texture,
   .destroyImage = dri2_destroy_image,
};

#define KMS_FUNCTIONS                                                                    \
   .base = { __DRI_IMAGE, 21 }, .createImageFromName = from_name,                        \
   .createImageFromRenderbuffer = from_renderbuffer, .destroyImage = dri2_destroy_image, \
   .createImage = create, .queryImage = query, .dupImage = dri2_dup_image,               \
   .validateUsage = dri2_validate_usage, .createImageFromNames = dri2_from_names,        \
   .fromPlanar = dri2_from_planar, .createImageFromTexture = dri2_create_from_texture,   \
   .blitImage = dri2_blit_image, .getCapabilities = dri2_get_capabilities,               \
   .mapImage = dri2_map_image, .unmapImage = dri2_unmap_image,                           \
   .createImageWithModifiers = create_with_modifiers,                                    \
   .createImageFromRenderbuffer2 = dri_create_image_from_renderbuffer,                   \
   .createImageWithModifiers2 = create_with_modifiers2

#define IMPORT_FUNCTIONS                                                                           \
   .createImageFromFds = from_fds, .createImageFromFds2 = from_fds2,                               \
   .createImageFromDmaBufs = from_dma_bufs, .createImageFromDmaBufs2 = from_dma_bufs2,             \
   .createImageFromDmaBufs3 = dri2_from_dma_bufs, .queryDmaBufFormats = dri_query_dma_buf_formats, \
   .queryDmaBufModifiers = dri_query_dma_buf_modifiers

const __DRIimageExtension old_image_kms = { KMS_FUNCTIONS };
const __DRIimageExtension old_image_kms_import = { KMS_FUNCTIONS, IMPORT_FUNCTIONS };
