/* SPDX-License-Identifier: MIT */
/*
 * Texture unit: what machine code needs to know to look up texels itself.
 */
#include "common/sgd_shader.h"
#include "texture/unit/sgd_tex_unit.h"

bool
sgd_texture_lookup(const struct sgd_texture *texture, const struct sgd_sampler *sampler,
                   struct sgd_lookup *lookup)
{
   const unsigned plan = SGD_TEX_SHIFT_PLAN | SGD_SAMPLER_ONE_FILTER | SGD_SAMPLER_ONE_LEVEL;
   const struct sgd_tex_unit *u = texture ? texture->unit : NULL;

   if (!u || !u->simple || !u->taps || !u->gather || u->bpe != 4 ||
       ((sampler->plan | u->plan) & plan) != plan || sampler->plan & SGD_SAMPLER_LINEAR ||
       u->channel[0].one * u->scale != 1.0f)
      return false;
   const struct sgd_tex_level *level = &u->level[0];
   uint32_t channels = 0, ones = 0;

   for (unsigned c = 0; c < 4; c++) {
      const uint32_t one = (uint32_t)u->channel[0].one;
      channels |= (u->route[c] < 4 ? u->route[c] : 0x80u) << 8 * c;
      ones |= (u->route[c] == SGD_TEX_ROUTE_1 ? one : 0) << 8 * c;
   }
   *lookup = (struct sgd_lookup){
      .size = { (float)level->width, (float)level->height },
      .last = { (uint32_t)level->width - 1, (uint32_t)level->height - 1 },
      .repeat = { sampler->plan & SGD_SAMPLER_REPEAT_S ? ~0u : 0,
                  sampler->plan & SGD_SAMPLER_REPEAT_T ? ~0u : 0 },
      .pitch = level->pitch,
      .scale = u->scale,
      .channels = channels,
      .ones = ones,
      .base = level->base,
   };
   return true;
}
