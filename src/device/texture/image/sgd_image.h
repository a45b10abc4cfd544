/* SPDX-License-Identifier: MIT */
/*
 * Image unit: how the texels of an image binding are accessed.  Decided once for each binding.
 * Texels are addressed and loaded like those of the texture unit (texture->unit), and stored like
 * colors of the ROP.
 */
#ifndef SGD_IMAGE_H
#define SGD_IMAGE_H

#include "common/sgd_state.h"

struct sgd_image {
   struct sgd_codec codec;
   bool words; /* a texel is a 32-bit word, so atomic operations are possible */
   bool wide;  /* offsets of texels need more than 32 bits */
};

#endif
