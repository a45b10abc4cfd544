/* SPDX-License-Identifier: MIT */
/*
 * Texture unit: what machine code needs to know to look up texels itself.
 */
#include "common/sgd_shader.h"
#include "texture/unit/sgd_tex_unit.h"
#include "util/u_math.h"

/* Largest sizes of levels for which positions of texels fit in a word (sgd_regions_texel.c) */
#define MAX_WIDTH 16384
#define MAX_HEIGHT 8192
#define MAX_FILTER_HEIGHT 4096

/* Returns the bits of the form for a view whose channels are codes of 8 bits, or 0 for others. */
static uint32_t
codes_form(const struct sgd_tex_unit *u)
{
   if (!u->simple || u->bpe != 4 || u->channel[0].one * u->scale != 1.0f)
      return 0;
   for (unsigned c = 0; c < u->num_channels; c++) {
      const struct sgd_tex_channel *ch = &u->channel[c];
      if (ch->bits && (ch->divide || ch->scale != u->scale))
         return 0;
   }
   return SGD_FORM_POSSIBLE;
}

/* The same for a view whose channels are words. */
static uint32_t
words_form(const struct sgd_tex_unit *u)
{
   if (!u->texels || u->type != SGPU_TEXTURE_TYPE_2D || u->num_layers != 1 || u->samples != 1 ||
       (u->bpe != 4 && u->bpe != 8 && u->bpe != 16))
      return 0;
   for (unsigned c = 0; c < u->num_channels; c++) {
      const struct sgd_tex_channel *ch = &u->channel[c];
      const bool word = ch->kind == SGD_TEX_FLOAT || ch->kind == SGD_TEX_UINT ||
                        ch->kind == SGD_TEX_SINT;
      if (!word || ch->bits != 32 || ch->word != c)
         return 0;
   }
   return SGD_FORM_POSSIBLE | SGD_FORM_WORDS | (u->integer ? SGD_FORM_INTEGER : 0) |
          util_logbase2(u->bpe / 4) << SGD_FORM_SIZE;
}

/* Returns the bits of the form for a repeating axis, or 0 if it is clamped. Sets *possible to false
 * for all other wrap modes.
 */
static uint32_t
wrap_form(enum sgpu_wrap wrap, uint32_t repeat, bool *possible)
{
   *possible &= SGD_TEX_FAST_WRAPS >> wrap & 1;
   return wrap == SGPU_WRAP_REPEAT ? repeat : 0;
}

static bool
can_filter(const struct sgd_tex_unit *u, const struct sgd_sampler *sampler)
{
   const unsigned plan = SGD_TEX_SHIFT_PLAN | SGD_SAMPLER_ONE_FILTER | SGD_SAMPLER_ONE_LEVEL;
   return ((sampler->plan | u->plan) & plan) == plan && !(sampler->plan & SGD_SAMPLER_LINEAR);
}

/* Returns true if indices of texels can be reduced to the axis by a mask. */
static bool
can_gather(const struct sgd_tex_level *level, uint32_t form)
{
   return (!(form & SGD_FORM_REPEAT_S) || util_is_power_of_two_nonzero((uint32_t)level->width)) &&
          (!(form & SGD_FORM_REPEAT_T) || util_is_power_of_two_nonzero((uint32_t)level->height));
}

static void
fill(uint32_t to[8], uint32_t word)
{
   for (unsigned n = 0; n < 8; n++)
      to[n] = word;
}

uint32_t
sgd_texture_lookup(const struct sgd_texture *texture, const struct sgd_sampler *sampler,
                   enum sgd_lookup_kind kind, struct sgd_lookup *lookup)
{
   const struct sgd_tex_unit *u = texture ? texture->unit : NULL;
   const struct SGPU_SAMPLER *s = &sampler->desc;
   const bool fetch = kind == SGD_LOOKUP_FETCH, filter = kind == SGD_LOOKUP_FILTER;

   if (!u || !u->gather || !u->tiled)
      return 0;
   const struct sgd_tex_level *level = &u->level[0];
   const uint32_t width = (uint32_t)level->width, height = (uint32_t)level->height;
   uint32_t form = codes_form(u);
   bool possible = true;
   if (!form && fetch)
      form = words_form(u);
   if (!form || width > MAX_WIDTH || height > (filter ? MAX_FILTER_HEIGHT : MAX_HEIGHT) ||
       level->pitch % 16 || level->pitch / 16 > INT16_MAX)
      return 0;
   if (!fetch)
      form |= wrap_form(s->wrap_s, SGD_FORM_REPEAT_S, &possible) |
              wrap_form(s->wrap_t, SGD_FORM_REPEAT_T, &possible);
   if (filter)
      possible &= can_filter(u, sampler);
   else if (!fetch)
      possible &= !s->unnormalized && can_gather(level, form);
   if (!possible)
      return 0;
   for (unsigned c = 0; c < 4; c++)
      form |= (uint32_t)u->route[c] << (SGD_FORM_ROUTE + 3 * c);

   const float x = filter ? 1.0f : 256.0f, y = filter ? 0x1p18f : 256.0f;
   const uint32_t end_x = form & SGD_FORM_REPEAT_S ? width - 1 : INT16_MAX;
   const uint32_t end_y = form & SGD_FORM_REPEAT_T ? 4 * height - 1 : INT16_MAX;
   fill((uint32_t *)lookup->size[0], fui((float)width * x));
   fill((uint32_t *)lookup->size[1], fui((float)height * y));
   fill(lookup->last[0], width - 1);
   fill(lookup->last[1], filter ? (height << 18) - 1 : height - 1);
   fill(lookup->ends, end_x | end_y << 16);
   fill(lookup->pitch, 4u * u->bpe | level->pitch / 16 << 16);
   fill((uint32_t *)lookup->scale, fui(u->scale));
   lookup->base = level->base;
   return form;
}
