/* SPDX-License-Identifier: MIT */
/*
 * ROP: the states of tiles of SGT_ROP_TILE_BYTES in memory, and the rule of compression.
 *
 * Lindholm 2008 gives the ratio, up to 8:1 for depth and colour, but no rule. The rule here depends
 * only on the trace. It counts the items that are visible in a tile:
 *
 *    depth    counts planes of items. A cleared tile has none. Each item that writes to the tile
 *             adds a plane. An item that covers the tile leaves one plane.
 *    colour   is compressed if all samples of a pixel have the same colour, which is so if one item
 *             covers the tile. With one sample per pixel, only cleared tiles are compressed.
 */
#ifndef SGT_ROP_TILES_H
#define SGT_ROP_TILES_H

#include <stdbool.h>
#include <stdint.h>

#include "chip_rop/sgt_rop_ports.h"

#define SGT_ROP_TILE_SECTORS (SGT_ROP_TILE_BYTES / 32)
#define SGT_ROP_TILE_LINES (SGT_ROP_TILE_BYTES / 64)
#define SGT_ROP_NO_ITEM UINT32_MAX

/* State of a tile: its contents, and its size in memory. */
struct sgt_rop_make {
   uint32_t item;   /* latest item that wrote to the tile, or SGT_ROP_NO_ITEM */
   uint8_t planes;  /* depth: number of planes, 255 for many; colour: 0 if cleared, 1 if one item
                     * covers the tile, 255 otherwise
                     */
   uint8_t sectors; /* size in memory in sectors: 0 if cleared, 1, 2 or 4 if compressed, or 8 */
   uint16_t pad;
};

struct hash_table_u64;

struct sgt_rop_tiles {
   void *memory;                 /* ralloc context of everything below */
   struct hash_table_u64 *pages; /* from the number of a page to the states of its tiles */
   uint64_t latest_page;         /* number of the page that was used last */
   struct sgt_rop_make *latest;  /* states of the tiles of that page, or NULL at first */
   struct sgt_rop_make none;     /* state that is used when out of memory */
   bool out_of_memory;           /* a page could not be allocated */
};

/* Initializes the states; all tiles are uncompressed. Returns false if out of memory. */
bool sgt_rop_tiles_init(struct sgt_rop_tiles *t);
void sgt_rop_tiles_finish(struct sgt_rop_tiles *t);
/* Returns the state of the tile that contains the address. The pointer stays valid. */
struct sgt_rop_make *sgt_rop_tile(struct sgt_rop_tiles *t, uint64_t address);
/* Clears the tiles that are completely in the range. Returns their number. */
uint64_t sgt_rop_tiles_clear(struct sgt_rop_tiles *t, uint64_t address, uint64_t bytes);

/* Updates the state for a write by an item. `covers` is true if the item has written all bytes of
 * the tile since the tile entered the cache. `stencil` is true if stencil values change.
 */
void sgt_rop_make_write(struct sgt_rop_make *m, bool depth, bool stencil, uint32_t item,
                        bool covers);
/* Returns the size of the tile in memory with compression, in sectors. */
unsigned sgt_rop_make_sectors(const struct sgt_rop_make *m, bool depth, unsigned samples);

#endif
