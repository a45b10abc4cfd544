/* SPDX-License-Identifier: MIT */
/*
 * Texture unit: formats of up to four unsigned 8-bit channels in a word.  One filter on one level
 * in two dimensions, from coordinates to channels.  The portable version (sgd_tex_fast.c) and that
 * for AVX2 (sgd_tex_bytes_avx2.h) return the same bits: a bilinear result is an integer of 24 bits
 * over 2^16, which only the scale rounds.
 */
#ifndef SGD_TEX_BYTES_H
#define SGD_TEX_BYTES_H

#include "texture/unit/sgd_tex_exec.h"

/* One axis: coordinates that the filter wraps, or texels that are already wrapped. */
struct sgd_tex_bytes_axis {
   const float *s; /* coordinates, or NULL if `taps` has the texels */
   bool repeat;    /* wrap mode REPEAT; CLAMP_TO_EDGE if false */
   bool normalized;
   int32_t size;
   const struct sgd_tex_axis *taps;
};

struct sgd_tex_bytes {
   const struct sgd_tex_unit *unit;
   const struct sgd_tex_level *level;
   struct sgd_tex_bytes_axis axis[2];
   /* 1 if x depends only on the lane's column and y only on its row, 0 if not, -1 if unknown */
   int straight;
   const int32_t *z;                  /* layers or slices, or NULL */
   const uint32_t (*words)[SGD_WARP]; /* texels of a linear filter, by tap, or NULL to fetch them */
   uint32_t active;
   /* factor and destinations (or NULL) of the channels; inactive lanes keep their values */
   float scale;
   uint32_t *dst[4];
};

#ifdef __AVX2__
/* Filter of a `wide` view, from coordinates.  Scales the channels if `scaled`. */
void sgd_tex_wide_filter(const struct sgd_tex_bytes *b, bool linear, bool scaled);

/* The value that depth is compared with. */
struct sgd_tex_reference {
   enum sgpu_compare func;
   const float *v; /* value of each lane; the filter clamps it if the view's `clamp_ref` is set */
};

/* Filter of a `word` view.  Scales the channels if `scaled`.  If `reference` is not NULL, stores
 * only the result of the comparison, in the place of the main channel.
 */
void sgd_tex_word_filter(const struct sgd_tex_bytes *b, const struct sgd_tex_reference *reference,
                         bool linear, bool scaled);
#endif

#endif
