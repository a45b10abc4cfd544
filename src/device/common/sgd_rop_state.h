/* SPDX-License-Identifier: MIT */
/*
 * Plans of the ROP. sgd_rop_prepare() makes them once per state, so that warps don't repeat
 * decisions that are the same for the whole draw.
 */
#ifndef SGD_ROP_STATE_H
#define SGD_ROP_STATE_H

#include <stdbool.h>
#include <stdint.h>

/* Memory layout of an element of a depth or stencil format. */
struct sgd_zs_format {
   uint8_t bytes; /* element size in bytes; 0 if the format has neither depth nor stencil */
   uint8_t depth_shift, depth_bits; /* bit position and number of bits of the depth in an element */
   uint8_t stencil_shift;           /* bit position of the stencil value in an element */
   bool has_depth, has_stencil, is_float;
};

/* Code path that tests a warp. */
enum sgd_zs_path {
   SGD_ZS_PASS, /* neither depth nor stencil is tested */
   /* 24-bit depth in the low bits of a word, whose upper 8 bits are preserved; no stencil test */
   SGD_ZS_Z24,
   SGD_ZS_Z16,  /* 16-bit depth; no stencil test */
   SGD_ZS_Z32,  /* 32-bit normalized depth; no stencil test */
   SGD_ZS_Z32F, /* 32-bit float depth; no stencil test */
   SGD_ZS_ANY,  /* any other combination */
};

struct sgd_zs_plan {
   struct sgd_zs_format format;
   uint8_t path;       /* code path that tests a warp (enum sgd_zs_path) */
   uint8_t func;       /* depth comparison function, enum sgpu_compare */
   bool depth, write;  /* depth: depth is tested; write: depth is written if the test passes */
   bool stencil;       /* stencil is tested or written */
   bool bounds;        /* the depth bounds test is enabled */
   uint32_t low, high; /* limits of the depth bounds test, as depth keys (see sgd_depth_key()) */
};

/* How an element of a colour format is converted to and from four components. */
enum sgd_codec_path {
   SGD_CODEC_NONE,   /* the format is not renderable */
   SGD_CODEC_UNORM8, /* four unsigned normalized bytes */
   SGD_CODEC_UNORM,  /* unsigned normalized channels of up to 16 bits, packed in 8, 16 or 32 bits */
   /* other fixed-point channels of up to 16 bits, normalized or scaled, and integers of up to 16
    * bits, in up to 64 bits
    */
   SGD_CODEC_FIXED,
   SGD_CODEC_SRGB8, /* four bytes, whose red, green and blue are sRGB */
   SGD_CODEC_HALF,  /* 1, 2 or 4 half floats */
   SGD_CODEC_WORDS, /* 1, 2 or 4 words, stored without conversion */
   SGD_CODEC_SMALL, /* unsigned 11-, 11- and 10-bit floats */
   SGD_CODEC_OTHER, /* any other format, converted by Mesa's functions */
};

struct sgd_codec {
   uint8_t path;     /* kind of the conversion, enum sgd_codec_path */
   uint8_t bytes;    /* size of an element in bytes */
   uint8_t channels; /* number of channels */
   uint8_t comp[4];  /* component that each channel stores, or SGD_COMP_NONE */
   uint8_t from[4];  /* channel that each component is read from, or SGD_FROM_* */
   uint8_t shift[4]; /* bit position of each channel in an element */
   uint8_t size[4];  /* size of each channel in bits */
   uint16_t pformat; /* Mesa format, enum pipe_format */
   bool is_int, normalized, is_signed;
   bool alpha; /* set if the format stores alpha; otherwise, alpha reads as 1 */
   /* Members for SGD_CODEC_UNORM8 only: */
   uint8_t byte_comp[4];  /* component that each byte stores */
   uint8_t comp_shift[4]; /* bit position of the byte that stores each component */
   uint32_t ones;         /* mask of the bits of unused channels, which are stored as ones */
};

#define SGD_COMP_NONE 4 /* the channel stores no component */
#define SGD_FROM_ZERO 4 /* the component reads as 0 */
#define SGD_FROM_ONE 5  /* the component reads as 1 */

/* Operand of a blend factor. */
enum sgd_blend_operand {
   SGD_BLEND_CONSTANT,
   SGD_BLEND_SRC, /* the source component itself */
   SGD_BLEND_SRC_ALPHA,
   SGD_BLEND_DST,
   SGD_BLEND_DST_ALPHA,
   SGD_BLEND_SRC1,
   SGD_BLEND_SRC1_ALPHA,
   SGD_BLEND_SATURATE, /* min(source alpha, 1 - destination alpha) */
};

/* A blend factor: a constant, an operand, or 1 - operand. If the factor is the constant 0, the
 * product is 0 for any colour, even for NaN or infinity. For normalized formats, the factor is
 * computed as base + slope * operand, where base and slope include the sign of the product in the
 * blend equation.
 */
struct sgd_blend_term {
   uint8_t operand;   /* operand, enum sgd_blend_operand */
   bool invert;       /* the factor is 1 - operand */
   float constant;    /* the factor, for SGD_BLEND_CONSTANT */
   float base, slope; /* coefficients of the factor for normalized formats */
};

/* Blend factors in SGD_BLEND_FORMS. SRC and DST are the source and the destination of the component
 * that is blended.
 */
enum sgd_form_factor {
   SGD_FORM_ZERO,
   SGD_FORM_ONE,
   SGD_FORM_SRC,
   SGD_FORM_INV_SRC,
   SGD_FORM_SRC_ALPHA,
   SGD_FORM_INV_SRC_ALPHA,
   SGD_FORM_DST,
   SGD_FORM_DST_ALPHA,
};

/* Blend equations with specialized code. The arguments of F are the source and destination factors
 * of colour, then those of alpha. The blend function is always ADD.
 */
#define SGD_BLEND_FORMS(F)                                                   \
   F(OVER, over, SRC_ALPHA, INV_SRC_ALPHA, SRC_ALPHA, INV_SRC_ALPHA)         \
   F(OVER_BY_ONE, over_by_one, SRC_ALPHA, INV_SRC_ALPHA, ONE, INV_SRC_ALPHA) \
   F(PREMULTIPLIED, premultiplied, ONE, INV_SRC_ALPHA, ONE, INV_SRC_ALPHA)   \
   F(COMPOSED, composed, ONE, INV_SRC_ALPHA, ONE, ONE)                       \
   F(ADDITIVE, additive, ONE, ONE, ONE, ONE)                                 \
   F(ADDITIVE_SCALED, additive_scaled, SRC_ALPHA, ONE, SRC_ALPHA, ONE)       \
   F(ADDITIVE_LIT, additive_lit, DST, ONE, DST, ONE)                         \
   F(LIT_BY_ALPHA, lit_by_alpha, DST, DST_ALPHA, DST, DST_ALPHA)             \
   F(ATTENUATED, attenuated, ONE, SRC_ALPHA, ONE, SRC_ALPHA)                 \
   F(DARKENED, darkened, ZERO, INV_SRC, ZERO, INV_SRC)                       \
   F(MODULATE, modulate, DST, ZERO, DST, ZERO)                               \
   F(MODULATE_TWICE, modulate_twice, DST, SRC, DST, SRC)

enum sgd_blend_form {
   SGD_BLEND_ANY,
#define SGD_BLEND_FORM(name, function, rgb_src, rgb_dst, alpha_src, alpha_dst) SGD_BLEND_##name,
   SGD_BLEND_FORMS(SGD_BLEND_FORM)
#undef SGD_BLEND_FORM
};

struct sgd_color_plan {
   struct sgd_codec codec;
   bool active;       /* at least one component is written */
   bool whole;        /* set if the write mask covers all components that an element stores */
   bool logic, blend; /* logic: a logic op is applied; blend: colours are blended */
   bool reads;        /* blending reads the stored colour */
   bool dual;         /* set for dual-source blending, i.e. if a factor reads the second source */
   bool alpha_one;
   bool bytes; /* set if colours are converted to four bytes (sgd_unorm8.h) */
   /* Members for SGD_CODEC_UNORM8 only: */
   uint8_t form;         /* specialized blend equation, enum sgd_blend_form */
   bool opaque_replaces; /* set if blending a source with alpha 1 stores the source unchanged */
   /* Bitmask of components. If the source is 0 in all of these components, blending leaves the
    * destination unchanged. 0 if no such mask exists.
    */
   uint8_t zeros;
   uint8_t logic_op; /* logic op, enum sgpu_logic_op */
   uint8_t source;   /* index of the program output */
   uint8_t func[4];  /* blend function of each component, enum sgpu_blend_func */
   struct sgd_blend_term src[4], dst[4]; /* blend factors of each component */
   /* Mask of the bits of an element that the draw can change. Bits that blending always preserves
    * are not in the mask.
    */
   _Alignas(4) uint8_t bits[16];
};

struct sgd_rop_state {
   struct sgd_zs_plan zs;
   struct sgd_color_plan color[8];
};

#endif
