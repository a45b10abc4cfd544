/* SPDX-License-Identifier: MIT */
/* Computes the sizes, strides and offsets of surfaces. sgpu_layout.h describes the rules. */
#include "sgpu_layout.h"

static uint64_t
align64(uint64_t v)
{
   return (v + SGPU_LAYOUT_ALIGN - 1) & ~(uint64_t)(SGPU_LAYOUT_ALIGN - 1);
}

static bool
is_tile_element(uint32_t bytes)
{
   return bytes && bytes <= 16 && (bytes & (bytes - 1)) == 0;
}

/* Returns the alignment of an element in bytes: the largest power of two that divides its size. */
static uint32_t
element_align(uint32_t bytes)
{
   return bytes & -bytes;
}

bool
sgpu_layout_can_tile(enum sgpu_format format)
{
   return is_tile_element(sgpu_format_info(format)->block_bytes);
}

enum sgpu_memory_layout
sgpu_layout_choose(enum sgpu_format format, bool one_dimensional)
{
   return !one_dimensional && sgpu_layout_can_tile(format) ? SGPU_LAYOUT_TILED : SGPU_LAYOUT_LINEAR;
}

static bool
params_are_legal(const struct sgpu_layout_params *p)
{
   const struct sgpu_format_info *info = sgpu_format_info(p->format);

   if (info->block_bytes == 0)
      return false;
   if (p->width < 1 || p->width > SGPU_LAYOUT_MAX_SIZE || p->height < 1 ||
       p->height > SGPU_LAYOUT_MAX_SIZE || p->depth < 1 || p->depth > SGPU_LAYOUT_MAX_DEPTH ||
       p->layers < 1 || p->layers > SGPU_LAYOUT_MAX_LAYERS)
      return false;
   if (p->depth > 1 && p->layers > 1)
      return false;
   uint32_t largest = p->width | p->height | p->depth;
   if (p->levels < 1 || p->levels > SGPU_LAYOUT_MAX_LEVELS || largest >> (p->levels - 1) == 0)
      return false;
   if (p->samples < 1 || p->samples > SGPU_LAYOUT_MAX_SAMPLES || (p->samples & (p->samples - 1)))
      return false;
   if (p->samples > 1 && (p->levels > 1 || p->depth > 1 || info->block_width > 1))
      return false;
   if (p->metadata && (p->mode != SGPU_LAYOUT_TILED || info->block_width > 1))
      return false;
   if (p->mode == SGPU_LAYOUT_TILED)
      return is_tile_element(info->block_bytes) && p->pitch == 0;
   if (p->mode != SGPU_LAYOUT_LINEAR)
      return false;
   return p->pitch == 0 ||
          (p->levels == 1 && p->pitch % element_align(info->block_bytes) == 0 &&
           p->pitch >= sgpu_elements(p->width, info->block_width) * info->block_bytes);
}

bool
sgpu_layout_init(struct sgpu_layout *layout, const struct sgpu_layout_params *p)
{
   memset(layout, 0, sizeof *layout);
   if (!params_are_legal(p))
      return false;

   const struct sgpu_format_info *info = sgpu_format_info(p->format);
   uint64_t size = 0;
   for (uint32_t i = 0; i < p->levels; i++) {
      struct sgpu_layout_level *l = &layout->level[i];
      l->width = sgpu_minify(p->width, i);
      l->height = sgpu_minify(p->height, i);
      l->depth = sgpu_minify(p->depth, i);

      uint32_t columns = sgpu_elements(l->width, info->block_width);
      uint32_t rows = sgpu_elements(l->height, info->block_height);
      if (p->mode == SGPU_LAYOUT_TILED) {
         l->pitch = sgpu_elements(columns, SGPU_TILE_WIDTH) * SGPU_TILE_ELEMENTS *
                    info->block_bytes;
         l->rows = sgpu_elements(rows, SGPU_TILE_HEIGHT);
      } else {
         l->pitch = p->pitch ? p->pitch : (uint32_t)align64((uint64_t)columns * info->block_bytes);
         l->rows = rows;
      }
      l->sample_stride = align64((uint64_t)l->pitch * l->rows);
      l->layer_stride = l->sample_stride * p->samples;
      l->offset = size;
      size += l->layer_stride * (p->depth > 1 ? l->depth : p->layers);
      if (size > SGPU_LAYOUT_MAX_BYTES) {
         memset(layout, 0, sizeof *layout);
         return false;
      }
   }

   for (uint32_t i = 0; i < p->levels && p->metadata; i++) {
      struct sgpu_layout_level *l = &layout->level[i];
      l->metadata = size;
      size += (uint64_t)sgpu_metadata_layer(l->width, l->height) *
              (p->depth > 1 ? l->depth : p->layers);
   }

   layout->format = p->format;
   layout->mode = p->mode;
   layout->block_width = info->block_width;
   layout->block_height = info->block_height;
   layout->block_bytes = info->block_bytes;
   layout->width = p->width;
   layout->height = p->height;
   layout->depth = p->depth;
   layout->layers = p->layers;
   layout->levels = p->levels;
   layout->samples = p->samples;
   layout->size = size;
   return true;
}

static uint32_t
log2_of(uint32_t v)
{
   uint32_t n = 0;
   while (v >>= 1)
      n++;
   return n;
}

void
sgpu_layout_fill_texture(const struct sgpu_layout *layout, struct SGPU_TEXTURE *texture)
{
   texture->resource_format = layout->format;
   texture->layout = layout->mode;
   texture->width = layout->width;
   texture->height = layout->height;
   texture->depth = layout->depth;
   texture->resource_layers = layout->layers;
   texture->resource_levels = layout->levels;
   texture->samples_log2 = log2_of(layout->samples);
   texture->pitch = layout->mode == SGPU_LAYOUT_LINEAR && layout->levels == 1
                       ? layout->level[0].pitch
                       : 0;
}

bool
sgpu_layout_fill_surface(const struct sgpu_layout *layout, uint64_t address,
                         enum sgpu_format format, uint32_t level, uint32_t first_layer,
                         uint32_t layers, struct SGPU_SURFACE *surface)
{
   const struct sgpu_format_info *info = sgpu_format_info(format);
   if (info->block_bytes != layout->block_bytes || level >= layout->levels || layers == 0 ||
       first_layer >= sgpu_layout_layers(layout, level) ||
       layers > sgpu_layout_layers(layout, level) - first_layer)
      return false;

   const struct sgpu_layout_level *l = &layout->level[level];
   memset(surface, 0, sizeof *surface);
   surface->address = address + l->offset;
   surface->format = format;
   surface->layout = layout->mode;
   surface->samples_log2 = log2_of(layout->samples);
   surface->valid = true;
   /* If the view has a different block size (e.g. an integer view of a compressed texture), each
    * block of the resource is one pixel of the view.
    */
   surface->width = l->width;
   surface->height = l->height;
   if (info->block_width != layout->block_width || info->block_height != layout->block_height) {
      surface->width = sgpu_elements(l->width, layout->block_width) * info->block_width;
      surface->height = sgpu_elements(l->height, layout->block_height) * info->block_height;
   }
   surface->pitch = l->pitch;
   surface->layer_stride = l->layer_stride;
   surface->sample_stride = l->sample_stride;
   surface->first_layer = first_layer;
   surface->layers = layers;
   surface->storage = address;
   surface->level = level;
   if (info->block_width == 1)
      surface->metadata = l->metadata;
   return true;
}

const char *
sgpu_surface_check(const struct SGPU_SURFACE *s, uint64_t *size)
{
   const struct sgpu_format_info *info = sgpu_format_info(s->format);
   const uint32_t bytes = info->block_bytes;

   *size = 0;
   if (bytes == 0)
      return "SURFACE: no format";
   if (s->width < 1 || s->height < 1 || s->layers < 1)
      return "SURFACE: empty";

   const uint64_t columns = sgpu_elements(s->width, info->block_width);
   const uint64_t rows = sgpu_elements(s->height, info->block_height);
   uint64_t plane;
   if (s->layout == SGPU_LAYOUT_TILED) {
      if (!is_tile_element(bytes))
         return "SURFACE: tiles cannot hold the format";
      if (s->address % SGPU_LAYOUT_ALIGN || s->pitch % (SGPU_TILE_ELEMENTS * bytes))
         return "SURFACE: address or pitch not aligned to tiles";
      if (s->pitch < (columns + SGPU_TILE_WIDTH - 1) / SGPU_TILE_WIDTH * SGPU_TILE_ELEMENTS * bytes)
         return "SURFACE: pitch less than a row";
      plane = (rows + SGPU_TILE_HEIGHT - 1) / SGPU_TILE_HEIGHT * s->pitch;
   } else {
      const uint32_t align = element_align(bytes);
      if (s->address % align || (rows > 1 && s->pitch % align))
         return "SURFACE: address or pitch not aligned to elements";
      if (rows > 1 && s->pitch < columns * bytes)
         return "SURFACE: pitch less than a row";
      plane = (rows - 1) * s->pitch + columns * bytes;
   }

   const uint32_t samples = 1u << s->samples_log2;
   if (s->metadata && (s->layout != SGPU_LAYOUT_TILED || info->block_width > 1))
      return "SURFACE: this surface cannot have metadata";
   if (samples > SGPU_LAYOUT_MAX_SAMPLES || (samples > 1 && info->block_width > 1))
      return "SURFACE: samples";
   if (samples > 1 && s->sample_stride < plane)
      return "SURFACE: samples overlap";
   const uint64_t layer = (samples - 1) * s->sample_stride + plane;
   const uint64_t last = (uint64_t)s->first_layer + s->layers - 1;
   if (last > 0 && s->layer_stride < layer)
      return "SURFACE: layers overlap";
   *size = last * s->layer_stride + layer;
   return NULL;
}

const char *
sgpu_texture_check(const struct SGPU_TEXTURE *t, struct sgpu_layout *layout, uint64_t *size)
{
   const struct sgpu_format_info *view = sgpu_format_info(t->format);
   const struct sgpu_format_info *own = sgpu_format_info(t->resource_format);

   *size = 0;
   memset(layout, 0, sizeof *layout);
   if (view->block_bytes == 0)
      return "TEXTURE: no format";
   if (t->address %
       (t->layout == SGPU_LAYOUT_TILED ? SGPU_LAYOUT_ALIGN : element_align(view->block_bytes)))
      return "TEXTURE: address not aligned";

   if (t->type == SGPU_TEXTURE_TYPE_BUFFER) {
      if (t->layout != SGPU_LAYOUT_LINEAR || view->block_width > 1 || t->width == 0)
         return "TEXTURE: not a legal buffer texture";
      *size = (uint64_t)t->width * view->block_bytes;
      return NULL;
   }

   if (view->block_width != own->block_width || view->block_height != own->block_height ||
       view->block_bytes != own->block_bytes)
      return "TEXTURE: format of another block size than the resource's";
   if (!sgpu_layout_init(layout, &(struct sgpu_layout_params){
                                    .format = t->resource_format,
                                    .mode = t->layout,
                                    .width = t->width,
                                    .height = t->height,
                                    .depth = t->depth,
                                    .layers = t->resource_layers,
                                    .levels = t->resource_levels,
                                    .samples = t->samples_log2 > 4 ? 0 : 1u << t->samples_log2,
                                    .pitch = t->pitch,
                                 }))
      return "TEXTURE: not a legal size";
   if (t->first_level > t->last_level || t->last_level >= layout->levels)
      return "TEXTURE: levels that the resource does not have";

   /* A 3D view has all slices. Other views of a 3D resource must have a single level. */
   if (t->type == SGPU_TEXTURE_TYPE_3D) {
      if (layout->layers > 1 || layout->samples > 1)
         return "TEXTURE: 3D view of layers or samples";
   } else {
      if (layout->depth > 1 && t->first_level != t->last_level)
         return "TEXTURE: view of slices of more than one level";
      if (t->first_layer > t->last_layer ||
          t->last_layer >= sgpu_layout_layers(layout, t->first_level))
         return "TEXTURE: layers that the resource does not have";
   }
   if (t->type == SGPU_TEXTURE_TYPE_CUBE &&
       (layout->width != layout->height || layout->samples > 1 || layout->depth > 1 ||
        (t->last_layer - t->first_layer + 1) % 6))
      return "TEXTURE: not a legal cube";
   if (t->type == SGPU_TEXTURE_TYPE_1D && (layout->height > 1 || layout->samples > 1))
      return "TEXTURE: 1D view of rows or samples";
   *size = layout->size;
   return NULL;
}
