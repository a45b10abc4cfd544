/* SPDX-License-Identifier: MIT */
/*
 * Texture unit: formats of up to four unsigned 8-bit channels in a word. A filter converts 2D
 * coordinates to channels, and reads a single level. The portable version (sgd_tex_fast.c) and the
 * AVX2 version (sgd_tex_bytes_avx2.h) are bit-identical: a bilinear result is a 24-bit integer
 * divided by 2^16, so that only the final scaling rounds.
 */
#ifndef SGD_TEX_BYTES_H
#define SGD_TEX_BYTES_H

#include "texture/unit/sgd_tex_exec.h"

/* One axis of a filter. `s` contains coordinates that the filter must wrap, or `taps` contains
 * texels that are already wrapped.
 */
struct sgd_tex_bytes_axis {
   const float *s; /* coordinate of each lane, or NULL if `taps` is used instead */
   bool repeat;    /* true for wrap mode REPEAT, false for CLAMP_TO_EDGE */
   bool normalized;
   int32_t size;
   const struct sgd_tex_axis *taps;
};

struct sgd_tex_bytes {
   const struct sgd_tex_unit *unit;
   const struct sgd_tex_level *level;
   struct sgd_tex_bytes_axis axis[2];
   /* 1 if x depends only on the lane's column in the warp and y only on its row, 0 if not, or -1 if
    * unknown
    */
   int straight;
   const int32_t *z; /* layer or slice of each lane, or NULL */
   /* texels of a linear filter, indexed by tap, or NULL if the filter must fetch them */
   const uint32_t (*words)[SGD_WARP];
   uint32_t active;
   /* Scale factor of all channels, and the destination of each channel, or NULL. Inactive lanes
    * keep their values.
    */
   float scale;
   uint32_t *dst[4];
};

#ifdef __AVX2__
/* Filters a `wide` view at the coordinates in b->axis. Scales the channels if `scaled` is set. */
void sgd_tex_wide_filter(const struct sgd_tex_bytes *b, bool linear, bool scaled);

/* Reference values of a depth comparison. */
struct sgd_tex_reference {
   enum sgpu_compare func;
   /* reference value of each lane; the filter clamps it if sgd_tex_unit.clamp_ref is set */
   const float *v;
};

/* Filters a `word` view. Scales the channels if `scaled` is set. If `reference` is not NULL, stores
 * only the result of the comparison, to the destination of the main channel.
 */
void sgd_tex_word_filter(const struct sgd_tex_bytes *b, const struct sgd_tex_reference *reference,
                         bool linear, bool scaled);

/* A filter of a `volume` view. The destinations are like those of struct sgd_tex_bytes. */
struct sgd_tex_volume {
   const struct sgd_tex_unit *unit;
   const struct SGPU_SAMPLER *sampler;
   const struct sgd_tex_level *level;
   const float *s[3];
   uint32_t active;
   uint32_t *dst[4];
};

/* Filters a `volume` view. Scales the channels if `scaled` is set. Returns false without doing
 * anything if a lane's filter can read the border color.
 */
bool sgd_tex_volume_filter(const struct sgd_tex_volume *v, bool linear, bool scaled);
#endif

#endif
