/* SPDX-License-Identifier: MIT */
/*
 * Texture unit, formats of up to four unsigned 8-bit channels in a word: one filter on one
 * level in two dimensions, from coordinates to channels.  The forms for all hosts
 * (sgd_tex_fast.c) and with AVX2 (sgd_tex_bytes_avx2.h) give the same bits: a bilinear
 * result is an integer of 24 bits over 2^16, and is rounded once, by the scale.
 */
#ifndef SGD_TEX_BYTES_H
#define SGD_TEX_BYTES_H

#include "texture/sgd_tex_exec.h"

/* One axis: coordinates to wrap, or else texels. */
struct sgd_tex_bytes_axis {
   const float *s; /* NULL: `taps` has the texels */
   bool repeat;    /* else CLAMP_TO_EDGE */
   bool normalized;
   int32_t size;
   const struct sgd_tex_axis *taps;
};

struct sgd_tex_bytes {
   const struct sgd_tex_unit *unit;
   const struct sgd_tex_level *level;
   struct sgd_tex_bytes_axis axis[2];
   int straight;     /* 1: lanes differ in x by column and in y by row only; 0: not; -1: unknown */
   const int32_t *z; /* layers or slices, or NULL */
   const uint32_t (*words)[SGD_WARP]; /* linear: the texels, by tap, or NULL */
   uint32_t active;
   /* Channels: the factor of all, and their places, NULL if not needed; lanes that are not
    * active keep their values.
    */
   float scale;
   uint32_t *dst[4];
};

#ifdef __AVX2__
/* The same of a `wide` view, from coordinates; channels are scaled if `scaled`. */
void sgd_tex_wide_filter(const struct sgd_tex_bytes *b, bool linear, bool scaled);

/* What depth is compared with. */
struct sgd_tex_reference {
   enum sgpu_compare func;
   const float *v; /* of all lanes; clamped by the filter where `clamp_ref` says so */
};

/* The same of a `word` view; channels are scaled if `scaled`.  reference: NULL, or the result of a
 * comparison is stored in the place of the main channel.
 */
void sgd_tex_word_filter(const struct sgd_tex_bytes *b, const struct sgd_tex_reference *reference,
                         bool linear, bool scaled);
#endif

#endif
