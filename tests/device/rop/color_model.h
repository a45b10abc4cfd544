/* SPDX-License-Identifier: MIT */
/*
 * A model of colour formats and blending, one pixel at a time in double
 * precision, straight from the format descriptions and GL's formulas.
 */
#ifndef COLOR_MODEL_H
#define COLOR_MODEL_H

#include "sgd_state.h"

/* The storage of one channel of an element. */
struct model_channel {
   int comp;             /* 0 to 3: red to alpha; -1: nothing */
   unsigned shift, size; /* bits */
   enum { MODEL_UNORM, MODEL_SNORM, MODEL_FLOAT, MODEL_INT, MODEL_OTHER } kind;
   bool is_signed;
   bool srgb;
};

struct model_format {
   unsigned bytes, channels;
   struct model_channel channel[4];
   uint8_t from[4]; /* Mesa's swizzle */
   bool is_int, normalized, is_signed, is_float;
   bool logic; /* logic operations have a meaning */
};

/* Returns false if the model does not know the format. */
bool model_format(struct model_format *f, enum pipe_format format);

uint64_t model_bits(const uint8_t *element, unsigned shift, unsigned size);

/* An element's components as numbers. */
void model_read(const struct model_format *f, const uint8_t *element, double rgba[4]);

/* Clamps a component to the format's range; NaN in a normalized one: 0. */
double model_clamp(const struct model_format *f, double x);

/* Whether the channel may store `bits` for x, which is off by `error` at most. */
bool model_may_store(const struct model_channel *c, uint64_t bits, double x, double error);

/* GL 4.6, 17.3.6.  Sources and destination are clamped; *error gets a bound of
 * what single precision makes of the result.
 */
double model_blend(const struct model_format *f, const struct SGPU_BLEND_TARGET *t,
                   const float constant[4], unsigned c, const double s[4], const double s1[4],
                   const double d[4], double *error);

#endif
