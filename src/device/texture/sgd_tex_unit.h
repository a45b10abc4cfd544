/* SPDX-License-Identifier: MIT */
/*
 * Texture unit: decisions made once for a texture view.
 *
 * Texels are processed channel by channel, as the format stores them.  Format and
 * view decide which channel (or 0, or 1) a component of the result is.  Channels of
 * fixed-point formats are filtered as integers and scaled once at the end.
 */
#ifndef SGD_TEX_UNIT_H
#define SGD_TEX_UNIT_H

#include "sgd_state.h"

enum sgd_tex_kind {
   SGD_TEX_UNSIGNED, /* (float)bits */
   SGD_TEX_SIGNED,   /* (float)sign-extended bits */
   SGD_TEX_SNORM,    /* the same, the lowest value counting as the one above it */
   SGD_TEX_SRGB,     /* 8 bits, by table */
   SGD_TEX_HALF,
   SGD_TEX_FLOAT,
   SGD_TEX_UINT, /* no arithmetic */
   SGD_TEX_SINT,
};

/* Compressed formats that lanes decode by themselves, to words of bytes. */
enum sgd_tex_codec {
   SGD_TEX_CODEC_NONE,
   SGD_TEX_CODEC_DXT1,
   SGD_TEX_CODEC_DXT3,
   SGD_TEX_CODEC_DXT5,
   SGD_TEX_CODEC_RGTC, /* one or two channels by bpe; LATC too */
   SGD_TEX_CODEC_RGTC_SIGNED,
};

/* Formats whose texels become four floats each, before the filter: `wide` views. */
enum sgd_tex_wide {
   SGD_TEX_WIDE_NONE,
   SGD_TEX_WIDE_TABLES, /* channel n is byte n of a word, by table[n] */
   SGD_TEX_WIDE_PACKED, /* two bytes: unsigned channels of up to 8 bits, by shift and mask */
   SGD_TEX_WIDE_HALVES, /* four halves */
   SGD_TEX_WIDE_CODES,  /* four unsigned numbers of 16 bits, divided */
   SGD_TEX_WIDE_SIGNED, /* the same of SGD_TEX_SNORM */
   SGD_TEX_WIDE_PAIRS,  /* two floats */
   SGD_TEX_WIDE_FLOATS, /* four */
};

/* Texels whose channels lie in one word and are decoded lane by lane: `word` views. */
enum sgd_tex_word {
   SGD_TEX_WORD_NONE,
   SGD_TEX_WORD_CODES,  /* unsigned numbers of less than 32 bits */
   SGD_TEX_WORD_LONG,   /* of 32 bits */
   SGD_TEX_WORD_SIGNED, /* SGD_TEX_SNORM */
   SGD_TEX_WORD_HALVES, /* or numbers without sign that have the exponent of halves */
   SGD_TEX_WORD_FLOATS,
};

/* Finite numbers that are multiplied at the end. */
static inline bool
sgd_tex_wide_is_small(enum sgd_tex_wide wide)
{
   return wide == SGD_TEX_WIDE_TABLES || wide == SGD_TEX_WIDE_PACKED;
}

struct sgd_tex_channel {
   uint8_t kind; /* enum sgd_tex_kind */
   uint8_t word; /* of the texel's 32-bit words */
   uint8_t shift, bits;
   bool divide; /* by `scale`, else multiply: 1 must come out exactly */
   float scale;
   float one;      /* the code of 1.0 */
   uint8_t border; /* component of the border colour */
   float border_min, border_max;
};

enum sgd_tex_route {
   SGD_TEX_ROUTE_0 = 4, /* 0 to 3: channels */
   SGD_TEX_ROUTE_1 = 5,
};

struct sgd_tex_level {
   const uint8_t *base; /* first layer of the view */
   uint64_t layer_stride, sample_stride;
   uint32_t pitch;
   int32_t width, height, depth;
};

struct sgd_tex_unit {
   bool gather; /* the host's gathers are fast; either way the results are the same */
   enum sgpu_texture_type type;
   bool tiled;
   bool integer;
   bool clamp_ref; /* fixed-point depth: the reference is clamped, too */
   /* Texels are not words at 32-bit offsets (blocks, odd sizes, more than 4 GB):
    * each is fetched alone by `fetch`, as RGBA.
    */
   bool generic;
   bool bytes;       /* channel n is byte n of a texel, unsigned, filtered as a number */
   bool simple;      /* such bytes, as words, in a 2D texture of one layer and sample */
   uint8_t wide;     /* enum sgd_tex_wide: of such a texture */
   uint8_t word;     /* enum sgd_tex_word: of a 2D texture of one sample */
   uint8_t codec;    /* enum sgd_tex_codec */
   bool whole_block; /* `fetch` wants the position inside a block */
   uint8_t bpe;      /* bytes an element */
   uint8_t block_width, block_height;
   uint8_t num_channels;
   struct sgd_tex_channel channel[4];
   uint8_t main_channel;  /* depth, where there is depth */
   uint8_t route[4];      /* enum sgd_tex_route, by component of the result */
   uint8_t others;        /* components that are 0, 1, or a channel that another is too */
   uint8_t shared;        /* components that are a channel that another is too */
   uint8_t component[4];  /* of the result, that channel n is; 4: none */
   float scale;           /* of all channels of `simple` */
   float wide_scale[4];   /* of the channels of `wide` */
   const float *table[4]; /* of these: SGD_TEX_WIDE_TABLES, */
   int32_t wide_shift[4]; /* and SGD_TEX_WIDE_PACKED */
   int32_t wide_mask[4];
   uint16_t plan;            /* of enum sgd_sampler_plan: holds whatever the sampler */
   uint8_t compare_route[4]; /* the same for the result r of a comparison: (r,r,r,1) */
   uint8_t samples;
   unsigned num_levels;
   uint32_t num_layers; /* array layers or faces of the view; 1 for 3D */
   uint64_t size;       /* of BUFFER: elements */
   struct sgd_tex_level level[SGPU_LAYOUT_MAX_LEVELS];
   util_format_fetch_rgba_func_ptr fetch;
   void (*unpack)(void *restrict dst, const uint8_t *restrict src, unsigned width);
   uint8_t word_shift[4], word_bits[4]; /* of the channels of `word` */
};

/* Bits of enum sgpu_wrap: those of SGD_SAMPLER_FAST_WRAPS. */
#define SGD_TEX_FAST_WRAPS (1u << SGPU_WRAP_REPEAT | 1u << SGPU_WRAP_CLAMP_TO_EDGE)

/* Whether bias and limits make no positive level of detail of one up to 0 or NaN. */
static inline bool
sgd_tex_limits_keep_magnified(const struct SGPU_SAMPLER *s)
{
   return s->lod_bias <= 0.0f && s->min_lod <= 0.0f && s->max_lod >= s->min_lod;
}

#endif
