/* SPDX-License-Identifier: MIT */
/*
 * ROP and copy engine: conversion of colour formats.
 */
#ifndef SGD_CODEC_H
#define SGD_CODEC_H

#include "common/sgd_rop_state.h"
#include "common/sgd_state.h"

/* Returns the codec of a format. `path` is SGD_CODEC_NONE if pixels of the format cannot
 * be converted.
 */
struct sgd_codec sgd_codec(enum pipe_format format);

/* Finds the bits of an element that belong to the components of `write_mask`. If there
 * are any, also finds the bits that belong to no component. Returns true if these are all
 * bits.
 */
bool sgd_codec_bits(const struct sgd_codec *codec, unsigned write_mask, uint8_t bits[16]);

#endif
