/* SPDX-License-Identifier: MIT */
/*
 * ROP: plans for a state, so that no warp repeats a decision that is the same for
 * the whole draw.  Filled by sgd_rop_prepare.
 */
#ifndef SGD_ROP_STATE_H
#define SGD_ROP_STATE_H

#include <stdbool.h>
#include <stdint.h>

/* A depth-stencil format, as words in memory. */
struct sgd_zs_format {
   uint8_t bytes; /* of an element; 0: not such a format */
   uint8_t depth_shift, depth_bits;
   uint8_t stencil_shift; /* in bits of the element */
   bool has_depth, has_stencil, is_float;
};

/* How a warp is tested. */
enum sgd_zs_path {
   SGD_ZS_PASS, /* neither depth nor stencil is tested */
   SGD_ZS_Z24,  /* 24 bits of depth below 8 that stay; no stencil test */
   SGD_ZS_Z16,  /* 16 bits of depth */
   SGD_ZS_Z32,  /* 32 bits of depth */
   SGD_ZS_Z32F, /* a float */
   SGD_ZS_ANY,
};

struct sgd_zs_plan {
   struct sgd_zs_format format;
   uint8_t path;
   uint8_t func;      /* enum sgpu_compare of depth */
   bool depth, write; /* depth is tested, written where it passes */
   bool stencil;
   bool bounds;        /* the stored depth is tested against the bounds */
   uint32_t low, high; /* of its key (sgd_depth_key) */
};

/* A colour format: how four components become an element, and the other way. */
enum sgd_codec_path {
   SGD_CODEC_NONE,   /* cannot be rendered to */
   SGD_CODEC_UNORM8, /* four bytes */
   SGD_CODEC_UNORM,  /* channels of at most 16 bits in 8, 16 or 32 */
   SGD_CODEC_HALF,   /* 1, 2 or 4 half floats */
   SGD_CODEC_WORDS,  /* 1, 2 or 4 words that are stored as they are */
   SGD_CODEC_SMALL,  /* floats of 11, 11 and 10 bits, without a sign */
   SGD_CODEC_OTHER,  /* Mesa's functions */
};

struct sgd_codec {
   uint8_t path;
   uint8_t bytes; /* of an element */
   uint8_t channels;
   uint8_t comp[4];  /* component that a channel stores; SGD_COMP_NONE: none */
   uint8_t from[4];  /* channel that a component is read from, or SGD_FROM_* */
   uint8_t shift[4]; /* of a channel, in bits of the element */
   uint8_t size[4];  /* of a channel, in bits */
   uint16_t pformat; /* enum pipe_format */
   bool is_int, normalized, is_signed;
   bool alpha; /* alpha is stored; else it reads as 1 */
   /* UNORM8 */
   uint8_t byte_comp[4];  /* component that a byte is made of */
   uint8_t comp_shift[4]; /* where the byte of a component begins */
   uint32_t ones;         /* bits of channels without a component, stored as ones */
};

#define SGD_COMP_NONE 4
#define SGD_FROM_ZERO 4
#define SGD_FROM_ONE 5

/* Operand of a blend factor. */
enum sgd_blend_operand {
   SGD_BLEND_CONSTANT,
   SGD_BLEND_SRC, /* the component itself */
   SGD_BLEND_SRC_ALPHA,
   SGD_BLEND_DST,
   SGD_BLEND_DST_ALPHA,
   SGD_BLEND_SRC1,
   SGD_BLEND_SRC1_ALPHA,
   SGD_BLEND_SATURATE, /* min(source alpha, 1 - destination alpha) */
};

/* A factor: constant, or operand, or 1 - operand.  A color times a constant 0
 * is 0, whatever the color.  Normalized formats take it as base + slope * operand, with the
 * sign of its product in the sum.
 */
struct sgd_blend_term {
   uint8_t operand;
   bool invert;
   float constant;
   float base, slope;
};

/* Factors of the frequent forms of blending.  SRC and DST are the component itself. */
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

/* Sums with code of their own: factors of source and destination, of colour and of alpha. */
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
   bool active; /* there is something to write */
   bool whole;  /* all of an element is written, but for bits without a component */
   bool logic, blend;
   bool reads; /* blending reads the stored colour */
   bool dual;  /* blending needs the second source */
   bool alpha_one;
   /* Of UNORM8 alone: */
   uint8_t form;         /* enum sgd_blend_form */
   bool opaque_replaces; /* a source of alpha 1 is stored as it is */
   uint8_t zeros;        /* one in which these components are 0 changes none; 0: there is none */
   uint8_t logic_op;
   uint8_t source;  /* number of the program's output */
   uint8_t func[4]; /* enum sgpu_blend_func, by component */
   struct sgd_blend_term src[4], dst[4];
   /* Of an element: which may change.  Those that blending keeps are none of them. */
   _Alignas(4) uint8_t bits[16];
};

struct sgd_rop_state {
   struct sgd_zs_plan zs;
   struct sgd_color_plan color[8];
};

#endif
