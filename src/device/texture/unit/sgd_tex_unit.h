/* SPDX-License-Identifier: MIT */
/*
 * Texture unit: how the texels of a texture view are read, which sgd_texture_prepare() decides once
 * per view.
 *
 * Texels are filtered channel by channel, in the representation of the format. The format and the
 * view's swizzle determine which channel, or which of the constants 0 and 1, each component of the
 * result is. Channels of fixed-point formats are filtered as integers and scaled once at the end.
 */
#ifndef SGD_TEX_UNIT_H
#define SGD_TEX_UNIT_H

#include "common/sgd_lookup.h"
#include "common/sgd_state.h"

enum sgd_tex_kind {
   SGD_TEX_UNSIGNED, /* (float)bits */
   SGD_TEX_SIGNED,   /* (float)sign_extended_bits */
   /* like SGD_TEX_SIGNED, but the most negative code also represents -1.0, like the next code */
   SGD_TEX_SNORM,
   SGD_TEX_SRGB, /* 8 bits, converted by table lookup */
   SGD_TEX_HALF,
   SGD_TEX_FLOAT,
   SGD_TEX_UINT, /* integers; filters return their bits unchanged */
   SGD_TEX_SINT,
};

/* Compressed formats. Each lane decodes the texel that it reads from its block to a word of 8-bit
 * channels.
 */
enum sgd_tex_codec {
   SGD_TEX_CODEC_NONE,
   SGD_TEX_CODEC_DXT1,
   SGD_TEX_CODEC_DXT3,
   SGD_TEX_CODEC_DXT5,
   SGD_TEX_CODEC_RGTC, /* one or two channels, depending on bpe; also used for LATC */
   SGD_TEX_CODEC_RGTC_SIGNED,
};

/* Kinds of `wide` views. Each texel is converted to four floats before it is filtered. */
enum sgd_tex_wide {
   SGD_TEX_WIDE_NONE,
   SGD_TEX_WIDE_TABLES, /* 32-bit texels; table[n] of struct sgd_tex_unit converts byte n */
   /* 16-bit texels with unsigned channels of up to 8 bits, extracted with shifts and masks */
   SGD_TEX_WIDE_PACKED,
   SGD_TEX_WIDE_HALVES, /* four half floats */
   SGD_TEX_WIDE_CODES,  /* four unsigned 16-bit codes; results are divided by the channel's scale */
   SGD_TEX_WIDE_SIGNED, /* four 16-bit codes of kind SGD_TEX_SNORM */
   SGD_TEX_WIDE_PAIRS,  /* two 32-bit floats */
   SGD_TEX_WIDE_FLOATS, /* four 32-bit floats */
};

/* Kinds of `word` views. All channels of a texel are in a single word, and are decoded separately
 * for each lane. The channels of `volume` views are decoded likewise.
 */
enum sgd_tex_word {
   SGD_TEX_WORD_NONE,
   SGD_TEX_WORD_CODES,  /* unsigned codes of less than 32 bits */
   SGD_TEX_WORD_LONG,   /* unsigned 32-bit codes */
   SGD_TEX_WORD_SIGNED, /* codes of kind SGD_TEX_SNORM */
   SGD_TEX_WORD_HALVES, /* half floats, or unsigned floats with a 5-bit exponent */
   SGD_TEX_WORD_FLOATS,
   SGD_TEX_WORD_SHARED, /* 9-bit numbers with the exponent in the last 5 bits of the word */
   SGD_TEX_WORD_UINT,   /* integers, which can be fetched but not filtered */
   SGD_TEX_WORD_SINT,
};

/* Returns true if converted texels are always finite and only need a multiplication after
 * filtering.
 */
static inline bool
sgd_tex_wide_is_small(enum sgd_tex_wide wide)
{
   return wide == SGD_TEX_WIDE_TABLES || wide == SGD_TEX_WIDE_PACKED;
}

struct sgd_tex_channel {
   uint8_t kind; /* channel kind (enum sgd_tex_kind) */
   uint8_t word; /* index of the 32-bit word in the texel that contains the channel */
   uint8_t shift, bits;
   /* set if values are divided by `scale` instead of multiplied, so that the largest code becomes
    * exactly 1
    */
   bool divide;
   float scale;
   float one;      /* code that represents 1.0 */
   uint8_t border; /* index of the border color component that the channel uses */
   float border_min, border_max;
};

/* An axis of a level, for filters of sgd_tex_taps_avx2.h. Distances are in units of 1/256 texel, and
 * offsets are those of tiled texels of 4 bytes.
 */
struct sgd_tex_taps_axis {
   float size, high; /* size of the level, and distance of the last texel's center */
   int32_t last;     /* index of the last texel */
   int32_t end;      /* offset of the last texel */
};

struct sgd_tex_level {
   const uint8_t *base; /* address of the view's first layer */
   uint64_t layer_stride, sample_stride;
   uint32_t pitch;
   int32_t width, height, depth;
   /* only set for views with `taps` */
   struct sgd_tex_taps_axis taps[2];
   int32_t taps_pitch; /* pitch that the level would have with texels of 4 bytes */
};

/* Constants of sgd_tex_taps_avx2.h, which are loaded from memory. Compilers would make them anew for
 * each warp, by instructions for which the filters have no room.
 */
enum {
   SGD_TAPS_LOW, /* lower limits of coordinates in textures that don't repeat, and in those that do */
   SGD_TAPS_LOW_REPEAT,
   SGD_TAPS_128,
   SGD_TAPS_255,
   SGD_TAPS_256,
   SGD_TAPS_7,
   SGD_TAPS_1,
   SGD_TAPS_BETWEEN, /* bits between those of x in offsets */
   SGD_TAPS_NEXT,    /* distance to the next column, with these bits set */
   SGD_TAPS_SIGNS,   /* sign bit of each byte */
   SGD_TAPS_8388608, /* 2^23, as a float */
   SGD_TAPS_COUNT,
};
extern const uint32_t sgd_tex_taps_words[SGD_TAPS_COUNT];

struct sgd_tex_unit {
   bool gather; /* set if the host's gather instructions are fast; doesn't affect results */
   enum sgpu_texture_type type;
   bool tiled;
   bool integer;
   /* set if depth comparisons clamp the reference value to [0, 1], as fixed-point formats require
    */
   bool clamp_ref;
   bool
      floats; /* set if a border color can have infinities and NaNs, which weights of 0 don't hide */
   /* Set if texels can't be read as words at 32-bit offsets (other block formats, odd sizes, or
    * more than 4 GiB). Such texels are converted to RGBA one by one with `fetch` or `unpack`.
    */
   bool generic;
   bool bytes; /* set if channel n is byte n of the texel and is filtered as an unsigned integer */
   /* set for `bytes` views with 32-bit texels, if all channels have the same scale and the texture
    * is 2D with one layer and one sample
    */
   bool simple;
   /* kind of `wide` view (enum sgd_tex_wide); nonzero only for 2D textures with one layer and one
    * sample
    */
   uint8_t wide;
   /* kind of `word` view (enum sgd_tex_word); nonzero only for 2D textures with one sample */
   uint8_t word;
   /* set for 3D textures whose channels can each be decoded by a form of enum sgd_tex_word */
   bool volume;
   /* set if TXF can read all channels by a form of enum sgd_tex_word */
   bool texels;
   /* set if the filters of sgd_tex_taps_avx2.h can read the levels of one layer */
   bool taps;
   uint8_t codec; /* enum sgd_tex_codec */
   /* set if `fetch` needs a pointer to a whole block and the position of the texel in the block */
   bool whole_block;
   uint8_t bpe; /* size in bytes of a texel, or of a block in block formats */
   uint8_t block_width, block_height;
   uint8_t num_channels;
   struct sgd_tex_channel channel[4];
   /* index of the depth channel, or of the channel that the first component reads */
   uint8_t main_channel;
   /* channel or constant that each component of the result reads (enum sgd_tex_route) */
   uint8_t route[4];
   uint8_t others; /* bitmask of the components that are constants or in `shared` */
   uint8_t shared; /* bitmask of the components that read the same channel as another component */
   /* for each channel, the component of the result that reads it, or 4 if no component does */
   uint8_t component[4];
   float scale;           /* scale of all channels of a `simple` view */
   float wide_scale[4];   /* scale of each channel of a `wide` view */
   const float *table[4]; /* lookup table of each channel, for SGD_TEX_WIDE_TABLES */
   int32_t wide_shift[4]; /* bit shift of each channel, for SGD_TEX_WIDE_PACKED */
   int32_t wide_mask[4];
   uint16_t plan; /* flags of enum sgd_sampler_plan that are set for this view with any sampler */
   /* like `route`, but for comparisons, which return their result r as (r, r, r, 1) */
   uint8_t compare_route[4];
   uint8_t samples;
   unsigned num_levels;
   uint32_t num_layers; /* number of array layers or faces of the view; 1 for 3D textures */
   uint64_t size;       /* number of elements of a BUFFER texture */
   util_format_fetch_rgba_func_ptr fetch;
   void (*unpack)(void *restrict dst, const uint8_t *restrict src, unsigned width);
   /* For each channel of a `word` or `volume` view, how it is decoded (enum sgd_tex_word), the index
    * of its word in the texel, and its position in the word in bits.
    */
   uint8_t word_form[4], word_index[4], word_shift[4], word_bits[4];
   /* For arrays and cube maps, the view of the first layer or face as a 2D texture, if this has a
    * fast path, or NULL. Lanes that read the same layer can take it.
    */
   struct sgd_tex_unit *slice;
   struct sgd_tex_level
      level[SGPU_LAYOUT_MAX_LEVELS]; /* last, so that copies can leave out levels */
};

/* Mask of the wrap modes (1 << enum sgpu_wrap) for which SGD_SAMPLER_FAST_WRAPS is set. */
#define SGD_TEX_FAST_WRAPS (1u << SGPU_WRAP_REPEAT | 1u << SGPU_WRAP_CLAMP_TO_EDGE)

/* Plan bits that the functions of sgd_tex_shift_avx2.h require. The operation must also be a single
 * filter on the base level.
 */
#define SGD_TEX_SHIFT_PLAN \
   (SGD_SAMPLER_PLAIN | SGD_SAMPLER_FAST_WRAPS | SGD_SAMPLER_NORMALIZED | SGD_SAMPLER_TILED)

/* Returns true if a single filter of 8-bit texels executes a `plain` operation. Only true at host
 * levels with AVX2.
 */
static inline bool
sgd_texture_is_direct(const struct sgd_texture *texture, const struct sgd_sampler *sampler,
                      const struct sgd_tex_op *op)
{
#ifdef __AVX2__
   const unsigned plan = SGD_TEX_SHIFT_PLAN | SGD_SAMPLER_ONE_FILTER | SGD_SAMPLER_ONE_LEVEL;
   if (!texture)
      return false;
   const struct sgd_tex_unit *u = (const struct sgd_tex_unit *)texture->unit;
   return ((sampler->plan | u->plan) & plan) == plan && !(op->mask & u->shared);
#else
   return false;
#endif
}

/* Returns true if a level of detail that is <= 0 or NaN can't become positive when the sampler's
 * bias and limits are applied.
 */
static inline bool
sgd_tex_limits_keep_magnified(const struct SGPU_SAMPLER *s)
{
   return s->lod_bias <= 0.0f && s->min_lod <= 0.0f && s->max_lod >= s->min_lod;
}

#endif
