/* SPDX-License-Identifier: MIT */
/*
 * Parameters of texture units and ROPs from those of the configuration.
 */
#include "sgt_config.h"
#include "sgt_rop.h"
#include "sgt_tex.h"

bool
sgt_config_texture(const struct sgt_config *c, struct sgt_tex_params *p, char *error,
                   size_t error_size)
{
   *p = (struct sgt_tex_params){
      .addresses = c->v.texture.addresses,
      .filters = c->v.texture.filters,
      .texel_bytes = c->v.texture.texel_bytes,
      .lookups = c->v.texture.lookups,
      .line_bytes = c->v.texture.line_bytes,
      .sets = c->v.texture.sets,
      .ways = c->v.texture.ways,
      .fifo = c->v.texture.fifo,
      .fills = c->v.texture.fills,
      .memory_queue = c->v.texture.memory_queue,
      .latency = c->v.texture.latency,
   };
   return sgt_tex_params_check(p, error, error_size);
}

bool
sgt_config_rop(const struct sgt_config *c, uint32_t partitions, struct sgt_rop_params *p,
               char *error, size_t error_size)
{
   *p = (struct sgt_rop_params){
      .pixels = c->v.rop.pixels,
      .depth_pixels = c->v.rop.depth_pixels,
      .blend_pixels = c->v.rop.blend_pixels,
      .pixel_bytes = c->v.rop.pixel_bytes,
      .queue = c->v.rop.queue,
      .waiting = c->v.rop.waiting,
      .latency = c->v.rop.latency,
      .cache_sets = c->v.rop.cache_sets,
      .cache_ways = c->v.rop.cache_ways,
      .mshrs = c->v.rop.mshrs,
      .memory_queue = c->v.rop.memory_queue,
      .decompress = c->v.rop.decompress,
      .clear_tiles = c->v.rop.clear_tiles,
      .partitions = partitions,
      .compression = c->v.rop.compression,
   };
   return sgt_rop_params_check(p, error, error_size);
}
