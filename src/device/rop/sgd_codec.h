/* SPDX-License-Identifier: MIT */
/*
 * ROP and copy engine: conversion of colour formats.
 */
#ifndef SGD_CODEC_H
#define SGD_CODEC_H

#include "sgd_rop_state.h"
#include "sgd_state.h"

/* path is SGD_CODEC_NONE for a format that has no pixels to convert. */
struct sgd_codec sgd_codec(enum pipe_format format);

/* Bits of an element that belong to the components of `write_mask`, and if it has
 * any, the bits that belong to no component.  True if these are all bits.
 */
bool sgd_codec_bits(const struct sgd_codec *codec, unsigned write_mask, uint8_t bits[16]);

#endif
