/* SPDX-License-Identifier: MIT */
/*
 * Layout of surfaces in memory, for driver, device and tools.
 *
 * Elements are pixels, or blocks of compressed and subsampled formats. All x and y coordinates
 * below are in elements. Widths, heights and depths are in pixels.
 *
 * LINEAR: rows of elements that are `pitch` bytes apart. Elements may have any size.
 *
 * TILED: micro tiles of 8x4 elements. The 32 elements of a micro tile are contiguous. They have
 * the order of the lanes in a pixel warp, i.e. 2x2 quads with four quads per row:
 *
 *     0  1 |  4  5 |  8  9 | 12 13
 *     2  3 |  6  7 | 10 11 | 14 15
 *    ------+-------+-------+------
 *    16 17 | 20 21 | 24 25 | 28 29
 *    18 19 | 22 23 | 26 27 | 30 31
 *
 * Micro tiles are stored row by row. `pitch` is the number of bytes in a row of micro tiles.
 * Micro tiles at the edges are complete. Element sizes are the powers of two up to 16 bytes.
 *
 * The layers of a level (array layers, cube faces, 3D slices) are stored one after the other,
 * `layer_stride` bytes apart. Within a layer, the samples are stored as separate planes,
 * `sample_stride` bytes apart, so that a resolve reads planes. The levels are stored one after
 * the other, with all layers of level 0 first. Planes, and therefore layers and levels, start at
 * multiples of 64 bytes if the resource does.
 *
 * Metadata follows all levels. For each level and layer, it has a record of SGPU_METADATA_BYTES
 * bytes for each square of 64x64 pixels, row by row. These squares are the tiles of the dispatch
 * unit. A record of zeros contains no information.
 *
 * One-dimensional textures are LINEAR, because they would use only a quarter of a row of micro
 * tiles. Elements of 3, 6, 12, 24 or 32 bytes do not fit into micro tiles and are LINEAR.
 */
#ifndef SGPU_LAYOUT_H
#define SGPU_LAYOUT_H

#include "sgpu_formats.h"
#include "sgpu_packets.h"

#define SGPU_LAYOUT_ALIGN 64u

#define SGPU_TILE_WIDTH 8u
#define SGPU_TILE_HEIGHT 4u
#define SGPU_TILE_ELEMENTS 32u

#define SGPU_METADATA_TILE 64u /* width and height of a metadata tile in pixels */
#define SGPU_METADATA_BYTES 192u

#define SGPU_LAYOUT_MAX_SIZE 16384u /* maximum width and height in pixels */
#define SGPU_LAYOUT_MAX_DEPTH 2048u
/* maximum number of layers; each cube face counts as a layer */
#define SGPU_LAYOUT_MAX_LAYERS 2048u
#define SGPU_LAYOUT_MAX_LEVELS 15u
#define SGPU_LAYOUT_MAX_SAMPLES 16u
#define SGPU_LAYOUT_MAX_BYTES (1ull << 40)

struct sgpu_layout_params {
   enum sgpu_format format;
   enum sgpu_memory_layout mode;
   uint32_t width, height, depth; /* size of level 0 in pixels; at least 1 */
   /* number of layers, at least 1; must be 1 if depth is more than 1 */
   uint32_t layers;
   uint32_t levels; /* number of levels, at least 1 */
   /* number of samples: 1, 2, 4, 8 or 16; if more than 1, there must be one level, and depth must
    * be 1
    */
   uint32_t samples;
   uint32_t pitch; /* bytes per row, only for a LINEAR resource with one level; 0 otherwise */
   bool metadata;  /* the resource has metadata; only for TILED resources with 1x1 blocks */
};

struct sgpu_layout_level {
   uint64_t offset;
   uint64_t layer_stride;
   uint64_t sample_stride;
   uint32_t pitch;
   /* number of rows of elements (LINEAR) or of rows of micro tiles (TILED) */
   uint32_t rows;
   uint32_t width, height, depth; /* size of the level in pixels */
   /* byte offset of the metadata of layer 0, or 0 without metadata */
   uint64_t metadata;
};

struct sgpu_layout {
   enum sgpu_format format;
   enum sgpu_memory_layout mode;
   uint8_t block_width, block_height, block_bytes;
   uint32_t width, height, depth, layers, levels, samples;
   uint64_t size; /* size in bytes, a multiple of SGPU_LAYOUT_ALIGN */
   struct sgpu_layout_level level[SGPU_LAYOUT_MAX_LEVELS];
};

/* Computes a layout. Returns false and zeroes *layout if the parameters are illegal or the size
 * would exceed SGPU_LAYOUT_MAX_BYTES.
 */
bool sgpu_layout_init(struct sgpu_layout *layout, const struct sgpu_layout_params *params);

/* Returns the preferred layout of a texture. */
enum sgpu_memory_layout sgpu_layout_choose(enum sgpu_format format, bool one_dimensional);

/* Returns true if the elements of the format fit into micro tiles. */
bool sgpu_layout_can_tile(enum sgpu_format format);

/* Fills in the fields of a texture descriptor that describe the resource and determine its layout.
 */
void sgpu_layout_fill_texture(const struct sgpu_layout *layout, struct SGPU_TEXTURE *texture);

/* Fills in the surface descriptor for one level of a resource at `address`, viewed as `format`.
 * Returns false if the block sizes differ, or if the level or layers do not exist.
 */
bool sgpu_layout_fill_surface(const struct sgpu_layout *layout, uint64_t address,
                              enum sgpu_format format, uint32_t level, uint32_t first_layer,
                              uint32_t layers, struct SGPU_SURFACE *surface);

/* Checks a surface descriptor whose field Valid is set: sizes must be within the limits, elements
 * must not overlap with the given pitch and strides, and the address must be aligned. Returns NULL,
 * or a static error message. Sets *size to the number of bytes from Address to the end of the last
 * element of the last layer.
 */
const char *sgpu_surface_check(const struct SGPU_SURFACE *surface, uint64_t *size);

/* Checks a texture descriptor whose field Valid is set: levels, layers and format must match the
 * resource and the type. Returns NULL, or a static error message. Sets *layout to the layout of the
 * resource (all zeros for type BUFFER), and *size to its size in bytes.
 */
const char *sgpu_texture_check(const struct SGPU_TEXTURE *texture, struct sgpu_layout *layout,
                               uint64_t *size);

/* Returns the size of the metadata of one layer in bytes. */
static inline uint32_t
sgpu_metadata_layer(uint32_t width, uint32_t height)
{
   return ((width + SGPU_METADATA_TILE - 1) / SGPU_METADATA_TILE) *
          ((height + SGPU_METADATA_TILE - 1) / SGPU_METADATA_TILE) * SGPU_METADATA_BYTES;
}

/* Returns the index of an element within its micro tile. */
static inline uint32_t
sgpu_tile_element(uint32_t x, uint32_t y)
{
   return (y & 2) << 3 | (x & 6) << 1 | (y & 1) << 1 | (x & 1);
}

/* Return the parts of the index that depend only on x and only on y. The index of the element is
 * their sum.
 */
static inline uint32_t
sgpu_tile_element_x(uint32_t x)
{
   return (x & 6) << 1 | (x & 1);
}

static inline uint32_t
sgpu_tile_element_y(uint32_t y)
{
   return (y & 2) << 3 | (y & 1) << 1;
}

static inline uint64_t
sgpu_tiled_offset(uint32_t x, uint32_t y, uint32_t pitch, uint32_t bytes)
{
   return (uint64_t)(y >> 2) * pitch +
          ((uint64_t)(x >> 3) * SGPU_TILE_ELEMENTS + sgpu_tile_element(x, y)) * bytes;
}

static inline uint64_t
sgpu_linear_offset(uint32_t x, uint32_t y, uint32_t pitch, uint32_t bytes)
{
   return (uint64_t)y * pitch + (uint64_t)x * bytes;
}

static inline uint64_t
sgpu_element_offset(enum sgpu_memory_layout mode, uint32_t x, uint32_t y, uint32_t pitch,
                    uint32_t bytes)
{
   return mode == SGPU_LAYOUT_TILED ? sgpu_tiled_offset(x, y, pitch, bytes)
                                    : sgpu_linear_offset(x, y, pitch, bytes);
}

/* Returns the byte offset of an element in its resource. `layer` is a layer, face or slice. */
static inline uint64_t
sgpu_layout_offset(const struct sgpu_layout *layout, uint32_t level, uint32_t layer,
                   uint32_t sample, uint32_t x, uint32_t y)
{
   const struct sgpu_layout_level *l = &layout->level[level];
   return l->offset + layer * l->layer_stride + sample * l->sample_stride +
          sgpu_element_offset(layout->mode, x, y, l->pitch, layout->block_bytes);
}

/* Returns the address of an element of a surface. `layer` is relative to the first layer of the
 * surface.
 */
static inline uint64_t
sgpu_surface_address(const struct SGPU_SURFACE *s, uint32_t layer, uint32_t sample, uint32_t x,
                     uint32_t y, uint32_t block_bytes)
{
   return s->address + (uint64_t)(s->first_layer + layer) * s->layer_stride +
          sample * s->sample_stride + sgpu_element_offset(s->layout, x, y, s->pitch, block_bytes);
}

/* Returns the number of layers, faces or slices of a level. */
static inline uint32_t
sgpu_layout_layers(const struct sgpu_layout *layout, uint32_t level)
{
   return layout->depth > 1 ? layout->level[level].depth : layout->layers;
}

static inline uint32_t
sgpu_minify(uint32_t size, uint32_t level)
{
   size >>= level;
   return size ? size : 1;
}

/* Converts a size in pixels to elements, rounded up. */
static inline uint32_t
sgpu_elements(uint32_t pixels, uint32_t block)
{
   return (pixels + block - 1) / block;
}

#endif
