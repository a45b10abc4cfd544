/* SPDX-License-Identifier: MIT */
/*
 * Image unit: how the texels of an image binding are accessed, which is decided once per binding.
 * Texels are addressed and loaded by the texture unit (texture->unit), and stored by the ROP's
 * color conversion.
 */
#ifndef SGD_IMAGE_H
#define SGD_IMAGE_H

#include "common/sgd_state.h"

struct sgd_image {
   struct sgd_codec codec;
   bool words; /* whether texels are 32-bit words, which allow atomic operations */
   bool wide;  /* whether texel offsets need more than 32 bits */
};

#endif
