/* SPDX-License-Identifier: MIT */
/*
 * Texture unit: chooses the fast paths of a view by its format, its type and its number of layers.
 */
#include "texture/unit/sgd_tex_choose.h"

#include <stdlib.h>

#include "util/format_srgb.h"

/* Returns true for 2D textures with one layer and one sample whose texels are addressed
 * individually.
 */
static bool
is_flat(const struct sgd_tex_unit *u)
{
   return !u->generic && !u->codec && u->type == SGPU_TEXTURE_TYPE_2D && u->num_layers == 1 &&
          u->samples == 1;
}

/* Returns true if there is a fast path for whole operations on the view. Its texels must have 32
 * bits, and 8-bit channels with the same scale.
 */
static bool
is_simple(struct sgd_tex_unit *u)
{
   if (!u->bytes || u->bpe != 4 || !is_flat(u))
      return false;
   for (unsigned c = 0; c < u->num_channels; c++) {
      const struct sgd_tex_channel *ch = &u->channel[c];
      if (!ch->bits)
         continue;
      if (u->scale != 0.0f && u->scale != ch->scale)
         return false;
      u->scale = ch->scale;
   }
   return true;
}

/* Lookup table that contains the numbers 0 to 255. It is used for the linear channels of formats
 * that also have sRGB channels.
 */
static float numbers[256];

/* Returns true if the conversion `wide` supports channel c, or if the format has none. */
static bool
is_wide_channel(const struct sgd_tex_channel *ch, unsigned c, enum sgd_tex_wide wide)
{
   const bool number = ch->kind == SGD_TEX_UNSIGNED && !ch->divide;
   const bool sixteen = ch->bits == 16 && ch->word == c / 2 && ch->shift == 16 * (c % 2);
   if (!ch->bits)
      return true;
   switch (wide) {
   case SGD_TEX_WIDE_TABLES:
      return (number || ch->kind == SGD_TEX_SRGB) && ch->bits == 8 && ch->shift == 8 * c;
   case SGD_TEX_WIDE_PACKED:
      return number && ch->bits <= 8;
   case SGD_TEX_WIDE_HALVES:
      return ch->kind == SGD_TEX_HALF && sixteen;
   case SGD_TEX_WIDE_CODES:
      return ch->kind == SGD_TEX_UNSIGNED && ch->divide && sixteen;
   case SGD_TEX_WIDE_SIGNED:
      return ch->kind == SGD_TEX_SNORM && sixteen;
   default:
      return ch->kind == SGD_TEX_FLOAT && ch->word == c;
   }
}

/* Selects the conversion of texels to four floats, and sets its tables and constants. */
static enum sgd_tex_wide
choose_wide(struct sgd_tex_unit *u)
{
   static const struct {
      uint8_t bpe, wide;
   } forms[] = {
      { 4, SGD_TEX_WIDE_TABLES },  { 2, SGD_TEX_WIDE_PACKED }, { 8, SGD_TEX_WIDE_HALVES },
      { 8, SGD_TEX_WIDE_CODES },   { 8, SGD_TEX_WIDE_SIGNED }, { 8, SGD_TEX_WIDE_PAIRS },
      { 16, SGD_TEX_WIDE_FLOATS },
   };
   enum sgd_tex_wide wide = SGD_TEX_WIDE_NONE;
   if (!is_flat(u) || u->bytes || u->integer)
      return SGD_TEX_WIDE_NONE;
   for (unsigned n = 0; n < ARRAY_SIZE(forms) && !wide; n++) {
      bool fits = u->bpe == forms[n].bpe;
      for (unsigned c = 0; c < 4; c++)
         fits &= is_wide_channel(&u->channel[c], c, forms[n].wide);
      wide = fits ? forms[n].wide : SGD_TEX_WIDE_NONE;
   }
   for (unsigned c = 0; c < 4; c++) {
      const struct sgd_tex_channel *ch = &u->channel[c];
      u->wide_scale[c] = ch->bits ? ch->scale : 1.0f;
      u->table[c] = ch->kind == SGD_TEX_SRGB ? util_format_srgb_8unorm_to_linear_float_table
                                             : numbers;
      u->wide_shift[c] = ch->shift;
      u->wide_mask[c] = (1 << ch->bits % 32) - 1;
   }
   return wide;
}

unsigned
sgd_tex_format_route(const struct sgd_tex_unit *u, const struct util_format_description *f,
                     unsigned r)
{
   if (f->colorspace == UTIL_FORMAT_COLORSPACE_ZS) {
      /* Depth and stencil formats are read as (value, 0, 0, 1). The value is stencil only if there
       * is no depth.
       */
      static const uint8_t constants[4] = { 0, SGD_TEX_ROUTE_0, SGD_TEX_ROUTE_0, SGD_TEX_ROUTE_1 };
      if (r > 0)
         return constants[r];
      return f->swizzle[0] <= PIPE_SWIZZLE_W ? f->swizzle[0] : f->swizzle[1];
   }
   const unsigned s = f->swizzle[r];
   if (s == PIPE_SWIZZLE_0 || s == PIPE_SWIZZLE_NONE)
      return SGD_TEX_ROUTE_0;
   if (s == PIPE_SWIZZLE_1)
      return SGD_TEX_ROUTE_1;
   return u->generic ? r : s;
}

/* Returns true for formats that are converted by Mesa's functions and have a form of their own. */
static bool
has_own_form(const struct util_format_description *f)
{
   return f->format == PIPE_FORMAT_R11G11B10_FLOAT || f->format == PIPE_FORMAT_R9G9B9E5_FLOAT;
}

/* Sets how channel c is decoded, and where it is in the texel. Returns the form, or
 * SGD_TEX_WORD_NONE if the channel has none.
 */
static enum sgd_tex_word
set_form(struct sgd_tex_unit *u, const struct util_format_description *f, unsigned c)
{
   static const uint8_t kinds[] = {
      [SGD_TEX_UNSIGNED] = SGD_TEX_WORD_CODES, [SGD_TEX_SNORM] = SGD_TEX_WORD_SIGNED,
      [SGD_TEX_HALF] = SGD_TEX_WORD_HALVES,    [SGD_TEX_FLOAT] = SGD_TEX_WORD_FLOATS,
      [SGD_TEX_UINT] = SGD_TEX_WORD_UINT,      [SGD_TEX_SINT] = SGD_TEX_WORD_SINT,
   };
   const struct sgd_tex_channel *ch = &u->channel[c];
   const bool small_floats = f->format == PIPE_FORMAT_R11G11B10_FLOAT;
   if (f->format == PIPE_FORMAT_R9G9B9E5_FLOAT) {
      u->word_index[c] = 0;
      u->word_shift[c] = 9 * c;
      u->word_bits[c] = 9;
      return u->word_form[c] = SGD_TEX_WORD_SHARED;
   }
   enum sgd_tex_word form = small_floats ? SGD_TEX_WORD_HALVES : kinds[ch->kind];
   if (form == SGD_TEX_WORD_CODES && ch->bits == 32)
      form = SGD_TEX_WORD_LONG;
   u->word_form[c] = form;
   u->word_index[c] = small_floats ? 0 : ch->word;
   u->word_shift[c] = small_floats ? 11 * c : ch->shift;
   u->word_bits[c] = small_floats ? (c < 2 ? 11 : 10) : ch->bits;
   return form;
}

/* Selects the `word` or `volume` path of the view and the path of TXF, if possible. */
static void
choose_forms(struct sgd_tex_unit *u, const struct util_format_description *f)
{
   enum sgd_tex_word word = SGD_TEX_WORD_NONE;
   bool one_word = !u->bytes && !u->wide && !u->integer && u->bpe != 1, all = true;
   if (u->codec || u->samples != 1 || u->bpe > 16 || (u->bpe & (u->bpe - 1)) ||
       (u->generic && !has_own_form(f)))
      return;
   for (unsigned r = 0; r < 4; r++) {
      const unsigned c = sgd_tex_format_route(u, f, r);
      if (c >= 4)
         continue;
      const enum sgd_tex_word form = set_form(u, f, c);
      all &= form != SGD_TEX_WORD_NONE;
      one_word &= !u->word_index[c] && (!word || word == form);
      word = form;
   }
   if (u->type == SGPU_TEXTURE_TYPE_2D)
      u->word = all && one_word && u->bpe != 16 ? word : SGD_TEX_WORD_NONE;
   u->volume = all && !u->integer && u->type == SGPU_TEXTURE_TYPE_3D;
   u->texels = all && !u->generic;
}

const uint32_t sgd_tex_taps_words[SGD_TAPS_COUNT] = {
   [SGD_TAPS_LOW] = 0x43000000, /* 128 as a float */
   [SGD_TAPS_LOW_REPEAT] = 0,
   [SGD_TAPS_128] = 128,
   [SGD_TAPS_255] = 255,
   [SGD_TAPS_256] = 256,
   [SGD_TAPS_7] = 7,
   [SGD_TAPS_1] = 1,
   [SGD_TAPS_BETWEEN] = 0x4b,
   [SGD_TAPS_NEXT] = 0x4b + 4,
   [SGD_TAPS_SIGNS] = 0x80808080,
   [SGD_TAPS_8388608] = 0x4b000000,
};

static struct sgd_tex_taps_axis
taps_axis(int32_t size, uint32_t end)
{
   return (struct sgd_tex_taps_axis){
      .size = (float)size * 256.0f,
      .high = ((float)size - 0.5f) * 256.0f,
      .last = size - 1,
      .end = (int32_t)end,
   };
}

/* Prepares filters by taps. Their offsets are signed. They load words around smaller texels, which
 * are aligned and inside of the level if it is tiled.
 */
static void
set_taps(struct sgd_tex_unit *u)
{
   u->taps = u->bytes && u->tiled && !u->generic && !u->codec &&
             (u->bpe == 1 || u->bpe == 2 || u->bpe == 4);
   for (unsigned n = 0; n < u->num_levels && u->taps; n++) {
      struct sgd_tex_level *level = &u->level[n];
      const uint64_t pitch = (uint64_t)level->pitch * 4 / u->bpe;
      const uint32_t x = (uint32_t)level->width - 1, y = (uint32_t)level->height - 1;
      if (pitch * (y / 4 + 1) > INT32_MAX) {
         u->taps = false;
         break;
      }
      level->taps_pitch = (int32_t)pitch;
      level->taps[0] = taps_axis(level->width,
                                 ((x >> 3) * SGPU_TILE_ELEMENTS + sgpu_tile_element_x(x)) * 4);
      level->taps[1] = taps_axis(level->height,
                                 (y >> 2) * (uint32_t)pitch + sgpu_tile_element_y(y) * 4);
   }
}

uint64_t
sgd_tex_view_facts(const struct sgd_tex_unit *u)
{
   if (u->wide)
      return SGPU_FACT_SAMPLES_WIDE;
   if (u->word)
      return SGPU_FACT_SAMPLES_WORD;
   if (u->volume)
      return SGPU_FACT_SAMPLES_VOLUME;
   const bool flat = is_flat(u);
   return SGPU_FACT_SAMPLES_BYTES | (u->bytes ? 0 : SGPU_FACT_CHANNEL_FORMAT) |
          (flat ? 0 : SGPU_FACT_TEXTURE_SHAPE) |
          (u->bytes && flat && !u->simple ? SGPU_FACT_TEXEL_FORMAT : 0) |
          (u->tiled ? 0 : SGPU_FACT_LINEAR_TEXTURE);
}

void
sgd_tex_leave_paths(struct sgd_tex_unit *u, uint32_t off)
{
   if (off >> SGPU_PATH_WIDE & 1)
      u->wide = SGD_TEX_WIDE_NONE;
   if (off >> SGPU_PATH_WORD & 1) {
      u->word = SGD_TEX_WORD_NONE;
      u->texels = false;
   }
   if (off >> SGPU_PATH_VOLUME & 1)
      u->volume = false;
   if (off >> SGPU_PATH_TEXELS & 1)
      u->bytes = false;
   u->taps &= u->bytes;
   u->simple &= u->bytes && !(off >> SGPU_PATH_SIMPLE & 1);
   if (!u->simple || off >> SGPU_PATH_SHIFT & 1)
      u->plan &= ~SGD_SAMPLER_TILED;
   if (off >> SGPU_PATH_LEVELS & 1)
      u->plan &= ~SGD_SAMPLER_LEVELS;
}

void
sgd_tex_choose_paths(struct sgd_tex_unit *u, const struct util_format_description *f, bool huge)
{
   u->floats = false;
   for (unsigned c = 0; c < u->num_channels; c++)
      u->floats |= u->channel[c].kind == SGD_TEX_HALF || u->channel[c].kind == SGD_TEX_FLOAT;
   u->simple = is_simple(u);
   u->wide = choose_wide(u);
   if (!huge)
      choose_forms(u, f);
   u->plan = (u->num_levels == 1 ? SGD_SAMPLER_ONE_LEVEL : 0) |
             (u->simple && u->tiled ? SGD_SAMPLER_TILED : 0) |
             (u->simple || sgd_tex_wide_is_small(u->wide) ? SGD_SAMPLER_LEVELS : 0);
   set_taps(u);
}

struct sgd_tex_unit *
sgd_tex_make_slice(const struct sgd_tex_unit *u, const struct util_format_description *f, bool huge,
                   uint32_t off)
{
   const bool layers = u->type == SGPU_TEXTURE_TYPE_2D || u->type == SGPU_TEXTURE_TYPE_CUBE;
   struct sgd_tex_unit *slice;
   if (u->num_layers == 1 || u->samples != 1 || huge || !layers ||
       !(slice = malloc(sizeof(*slice))))
      return NULL;
   *slice = *u;
   slice->type = SGPU_TEXTURE_TYPE_2D;
   slice->num_layers = 1;
   sgd_tex_choose_paths(slice, f, huge);
   sgd_tex_leave_paths(slice, off);
   if (slice->simple || slice->wide || slice->word)
      return slice;
   free(slice);
   return NULL;
}

void
sgd_tex_choose_init(void)
{
   for (unsigned n = 0; n < 256; n++)
      numbers[n] = (float)n;
}
