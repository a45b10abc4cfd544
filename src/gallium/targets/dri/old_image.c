/* SPDX-License-Identifier: MIT */
/* Images for old loaders.  Several functions of the old interface have become one with more
 * arguments.
 */
#include "old_interface.h"

#include <drm_fourcc.h>

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
   return dri_create_image(screen, width, height, format, NULL, 0, use, loader_private);
}

static __DRIimage *
create_with_modifiers(__DRIscreen *screen, int width, int height, int format,
                      const uint64_t *modifiers, const unsigned int count, void *loader_private)
{
   return dri_create_image(screen, width, height, format, modifiers, count, __DRI_IMAGE_USE_SHARE,
                           loader_private);
}

static __DRIimage *
create_with_modifiers2(__DRIscreen *screen, int width, int height, int format,
                       const uint64_t *modifiers, const unsigned int count, unsigned int use,
                       void *loader_private)
{
   return dri_create_image(screen, width, height, format, modifiers, count, use, loader_private);
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
   .createImage = create, .queryImage = dri2_query_image, .dupImage = dri2_dup_image,    \
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
