/* SPDX-License-Identifier: MIT */
/*
 * Image unit: decisions made once for an image binding.  Texels are found and read as the
 * texture unit does (texture->unit), and stored as the ROP stores colours.
 */
#ifndef SGD_IMAGE_H
#define SGD_IMAGE_H

#include "sgd_state.h"

struct sgd_image {
   struct sgd_codec codec;
   bool words; /* a texel is one word of 32 bits, for atomic operations */
   bool wide;  /* offsets of texels need more than 32 bits */
};

#endif
