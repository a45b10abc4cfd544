/* SPDX-License-Identifier: MIT */
/*
 * ROP and copy engine: colour formats, as they convert them.
 */
#ifndef SGD_CODEC_H
#define SGD_CODEC_H

#include "sgd_rop_state.h"
#include "sgd_state.h"

/* path is SGD_CODEC_NONE for a format that has no pixels to convert. */
struct sgd_codec sgd_codec(enum pipe_format format);

/* Bits of an element that belong to the components of `write_mask`, and with
 * any of them those that belong to none.  True when these are all.
 */
bool sgd_codec_bits(const struct sgd_codec *codec, unsigned write_mask, uint8_t bits[16]);

#endif
