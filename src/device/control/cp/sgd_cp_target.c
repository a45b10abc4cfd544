/* SPDX-License-Identifier: MIT */
/*
 * Command processor: surfaces and the framebuffer.
 */
#include <string.h>

#include "control/cp/sgd_cp.h"
#include "control/cp/sgd_cp_packets.h"
#include "pixel/rop/sgd_rop.h"
#include "util/macros.h"

const char *
sgd_cp_surface(struct sgd_cp *cp, const struct SGPU_SURFACE *desc, struct sgd_surface *out)
{
   memset(out, 0, sizeof(*out));
   if (!desc->valid)
      return NULL;

   uint64_t size;
   const char *error = sgpu_surface_check(desc, &size);
   if (error)
      return error;
   struct sgpu_bo *bo = sgd_bo_list_find(&cp->sub->bos, desc->address, size);
   if (!bo)
      return "a surface is not in a buffer of the submission";

   out->layer_stride = desc->layer_stride;
   out->base = cp->memory->base + desc->address + desc->first_layer * out->layer_stride;
   out->pitch = desc->pitch;
   out->sample_stride = desc->sample_stride;
   out->format = desc->format;
   out->pformat = sgpu_format_to_pipe(desc->format);
   out->desc = util_format_description(out->pformat);
   out->width = desc->width;
   out->height = desc->height;
   out->layers = desc->layers;
   out->bpe = util_format_get_blocksize(out->pformat);
   out->samples = 1 << desc->samples_log2;
   out->tiled = desc->layout == SGPU_LAYOUT_TILED;
   out->valid = true;
   out->storage = desc->storage;
   out->begin = desc->address;
   out->end = desc->address + size;
   out->first_layer = desc->first_layer;
   out->level = desc->level;
   out->bo = bo;
   if (desc->metadata) {
      out->meta_layer = sgpu_metadata_layer(desc->width, desc->height);
      const uint64_t first = desc->storage + desc->metadata +
                             (uint64_t)desc->first_layer * out->meta_layer;
      if (first < desc->storage || first % SGPU_LAYOUT_ALIGN ||
          sgd_bo_list_find(&cp->sub->bos, first, (uint64_t)desc->layers * out->meta_layer) != bo)
         return "a surface's metadata is not in its buffer";
      out->meta = cp->memory->base + first;
      out->end = MAX2(out->end, first + (uint64_t)desc->layers * out->meta_layer);
      out->begin = MIN2(out->begin, first);
      out->fast_clear = desc->fast_clear;
   }
   return NULL;
}

const char *
sgd_cp_framebuffer(struct sgd_cp *cp, const uint32_t *in)
{
   struct sgd_state *st = &cp->cur;
   struct SGPU_FRAMEBUFFER fb;
   const char *error = SGPU_FRAMEBUFFER_unpack(in, &fb);
   if (error)
      return error;
   if (SGPU_FRAMEBUFFER_count(in) != fb.colors + fb.depth)
      return "FRAMEBUFFER: the number of surfaces is not that of Colors and Depth";

   uint32_t width = UINT32_MAX, height = UINT32_MAX, layers = UINT32_MAX;
   memset(st->color, 0, sizeof(st->color));
   memset(&st->zs, 0, sizeof(st->zs));
   memset(&cp->key, 0, sizeof(cp->key));
   st->samples = 1 << fb.samples_log2;

   for (unsigned i = 0; i < fb.colors + fb.depth; i++) {
      struct SGPU_SURFACE desc;
      struct sgd_surface *s = i < fb.colors ? &st->color[i] : &st->zs;
      error = SGPU_SURFACE_unpack(SGPU_FRAMEBUFFER_tail(in, i), &desc);
      if (!error)
         error = sgd_cp_surface(cp, &desc, s);
      if (error)
         return error;
      if (!s->valid)
         continue;
      if (!s->tiled)
         return "FRAMEBUFFER: a target is not tiled";
      if (!sgd_rop_renders(s->pformat))
         return "FRAMEBUFFER: a target's format cannot be rendered to";
      if (util_format_is_depth_or_stencil(s->pformat) != (i >= fb.colors))
         return "FRAMEBUFFER: a colour surface has a depth format, or the other way round";
      if (width != UINT32_MAX && s->samples != st->samples)
         return "FRAMEBUFFER: targets of different numbers of samples";
      width = MIN2(width, s->width);
      height = MIN2(height, s->height);
      layers = MIN2(layers, s->layers);
      st->samples = s->samples;
      sgd_tile_array_key_surface(&cp->key, i < fb.colors ? i : SGD_MAX_COLORS, s);
   }
   if (width == UINT32_MAX) {
      width = fb.width;
      height = fb.height;
      layers = MAX2(fb.layers, 1);
   }
   st->num_colors = fb.colors;
   st->fb_width = width;
   st->fb_height = height;
   st->fb_layers = layers;
   cp->key.width = width;
   cp->key.height = height;
   cp->have_framebuffer = true;
   return NULL;
}
