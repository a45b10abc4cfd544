/* SPDX-License-Identifier: MIT */
/*
 * Image unit: the prepared form of an image binding, made once per binding. Images use the texture
 * unit (texture->unit) to address and load texels, and the ROP's color conversion to store them.
 */
#ifndef SGD_IMAGE_H
#define SGD_IMAGE_H

#include "common/sgd_state.h"

struct sgd_image {
   struct sgd_codec codec;
   bool words; /* set if texels are 32-bit words, which atomic operations require */
   bool wide;  /* set if texel offsets need more than 32 bits */
};

#endif
