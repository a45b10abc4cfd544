/* SPDX-License-Identifier: MIT */
/*
 * ROP and copy engine: conversion between colours and elements of a format.
 */
#ifndef SGD_CODEC_H
#define SGD_CODEC_H

#include "common/sgd_rop_state.h"
#include "common/sgd_state.h"

/* Returns the codec of a format. Its `path` is SGD_CODEC_NONE if the format is not renderable. */
struct sgd_codec sgd_codec(enum pipe_format format);

/* Sets `bits` to the bits of an element that store the components in `write_mask`. If there are
 * any, the padding bits are included. Returns true if `bits` has all bits of the element.
 */
bool sgd_codec_bits(const struct sgd_codec *codec, unsigned write_mask, uint8_t bits[16]);

#endif
