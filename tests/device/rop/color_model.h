/* SPDX-License-Identifier: MIT */
/*
 * A model of colour formats and blending, one pixel at a time in double precision. It uses only the
 * format descriptions and GL's formulas.
 */
#ifndef COLOR_MODEL_H
#define COLOR_MODEL_H

#include "common/sgd_state.h"

/* Storage of one channel of an element. */
struct model_channel {
   int comp;             /* component, 0 to 3: red to alpha; -1: unused bits */
   unsigned shift, size; /* position and size, in bits */
   enum { MODEL_UNORM, MODEL_SNORM, MODEL_FLOAT, MODEL_INT, MODEL_OTHER } kind;
   bool is_signed;
   bool srgb;
};

struct model_format {
   unsigned bytes, channels;
   struct model_channel channel[4];
   uint8_t from[4]; /* Mesa's swizzle: source of each component of RGBA */
   bool is_int, normalized, is_signed, is_float;
   bool logic; /* logic operations are defined */
};

/* Describes a format. Returns false if the model does not support it. */
bool model_format(struct model_format *f, enum pipe_format format);

uint64_t model_bits(const uint8_t *element, unsigned shift, unsigned size);

/* Decodes the components of an element. */
void model_read(const struct model_format *f, const uint8_t *element, double rgba[4]);

/* Clamps a component to the range of the format. NaN becomes 0 in a normalized format. */
double model_clamp(const struct model_format *f, double x);

/* Returns whether the channel may store `bits` for a value that differs from x by at most `error`.
 */
bool model_may_store(const struct model_channel *c, uint64_t bits, double x, double error);

/* Blends component c by GL 4.6, 17.3.6. Sources and destination are clamped. *error gets a bound
 * for the error of single precision.
 */
double model_blend(const struct model_format *f, const struct SGPU_BLEND_TARGET *t,
                   const float constant[4], unsigned c, const double s[4], const double s1[4],
                   const double d[4], double *error);

#endif
