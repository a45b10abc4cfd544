/* SPDX-License-Identifier: MIT */
/*
 * Image unit: preparation of image bindings.
 */
#include <stdlib.h>

#include "texture/image/sgd_image.h"
#include "pixel/rop/sgd_codec.h"
#include "common/sgd_shader.h"

const char *
sgd_image_prepare(struct sgd_texture *t)
{
   const struct sgd_codec codec = sgd_codec(t->pformat);

   if (t->desc.type != SGPU_TEXTURE_TYPE_BUFFER && t->desc.first_level != t->desc.last_level)
      return "IMAGES: more than one level";
   if (codec.path == SGD_CODEC_NONE)
      return "IMAGES: no such format to store";

   /* Ignore the swizzle, so that programs load what they have stored. */
   t->desc.swizzle_x = SGPU_CHANNEL_X;
   t->desc.swizzle_y = SGPU_CHANNEL_Y;
   t->desc.swizzle_z = SGPU_CHANNEL_Z;
   t->desc.swizzle_w = SGPU_CHANNEL_W;
   const char *error = sgd_texture_prepare(t);
   if (error)
      return error;

   struct sgd_image *image = calloc(1, sizeof(*image));
   if (!image) {
      sgd_texture_finish(t);
      return "IMAGES: no memory";
   }
   image->codec = codec;
   image->words = t->desc.format == SGPU_FORMAT_R32_UINT ||
                  t->desc.format == SGPU_FORMAT_R32_SINT || t->desc.format == SGPU_FORMAT_R32_FLOAT;
   image->wide = t->size > UINT32_MAX;
   t->image = image;
   return NULL;
}
