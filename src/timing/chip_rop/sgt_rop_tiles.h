/* SPDX-License-Identifier: MIT */
/*
 * ROP: compression states of the tiles in memory, and the compression rule. A tile has
 * SGT_ROP_TILE_BYTES bytes.
 *
 * Lindholm 2008 gives compression ratios of up to 8:1 for depth and color, but no rule. The rule in
 * this model only depends on the trace, and uses the items that write to a tile:
 *
 * - depth: The rule counts the depth planes in a tile. A cleared tile has no planes. Each item that
 * writes to the tile adds a plane. An item that covers the whole tile leaves a single plane.
 * - color: A tile is compressed if all samples of each pixel have the same color. This is the case
 * if one item covers the whole tile. Without multisampling, only cleared tiles are compressed.
 */
#ifndef SGT_ROP_TILES_H
#define SGT_ROP_TILES_H

#include <stdbool.h>
#include <stdint.h>

#include "chip_rop/sgt_rop_ports.h"

#define SGT_ROP_TILE_SECTORS (SGT_ROP_TILE_BYTES / 32)
#define SGT_ROP_TILE_LINES (SGT_ROP_TILE_BYTES / 64)
#define SGT_ROP_NO_ITEM UINT32_MAX

/* State of a tile, which consists of its contents and its size in memory. */
struct sgt_rop_make {
   uint32_t item; /* last item that has written to the tile, or SGT_ROP_NO_ITEM */
   /* For depth tiles, the number of planes, at most 255. For color tiles, 0 if cleared, 1 if one
    * item covers the tile, and 255 otherwise.
    */
   uint8_t planes;
   /* Size in memory in sectors: 0 if the tile is cleared, 1, 2 or 4 if it is compressed, and 8
    * otherwise.
    */
   uint8_t sectors;
   uint16_t pad;
};

struct hash_table_u64;

struct sgt_rop_tiles {
   void *memory;                 /* ralloc context that owns the hash table and the pages */
   struct hash_table_u64 *pages; /* maps the number of a page to the states of its tiles */
   uint64_t latest_page;         /* number of the most recently used page */
   struct sgt_rop_make *latest;  /* tile states of the most recently used page, or NULL */
   struct sgt_rop_make none;     /* state that sgt_rop_tile() returns if memory runs out */
   bool out_of_memory;           /* true if the allocation of a page has failed */
};

/* Initializes the tile states. All tiles are uncompressed at the start. Returns false on allocation
 * failure.
 */
bool sgt_rop_tiles_init(struct sgt_rop_tiles *t);
void sgt_rop_tiles_finish(struct sgt_rop_tiles *t);
/* Returns the state of the tile that contains the address. The pointer stays valid until
 * sgt_rop_tiles_finish().
 */
struct sgt_rop_make *sgt_rop_tile(struct sgt_rop_tiles *t, uint64_t address);
/* Marks all tiles that are completely inside the address range as cleared. Returns the number of
 * these tiles.
 */
uint64_t sgt_rop_tiles_clear(struct sgt_rop_tiles *t, uint64_t address, uint64_t bytes);

/* Updates the state of a tile after an item has written to it. `covers` is true if the item has
 * written all bytes of the tile since the tile entered the cache. `stencil` is true if stencil
 * values change.
 */
void sgt_rop_make_write(struct sgt_rop_make *m, bool depth, bool stencil, uint32_t item,
                        bool covers);
/* Returns the size of the tile in memory, in sectors. The tile is compressed if possible. */
unsigned sgt_rop_make_sectors(const struct sgt_rop_make *m, bool depth, unsigned samples);

#endif
