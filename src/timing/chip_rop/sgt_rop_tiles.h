/* SPDX-License-Identifier: MIT */
/*
 * ROP: the states of tiles of SGT_ROP_TILE_BYTES in memory, and the rule of compression.
 *
 * Lindholm 2008 names the ratio, up to 8:1 for depth and colour, and no rule.  The rule here
 * depends on the trace alone; it counts the items that a tile is made of:
 *
 *    depth    planes of items: a cleared tile has none, and each further item that writes to it
 *             adds one; an item that covers the tile leaves one.
 *    colour   one colour for all samples of a pixel, which is so where one item covers the tile;
 *             a surface with one sample a pixel is compressed only where it is cleared.
 */
#ifndef SGT_ROP_TILES_H
#define SGT_ROP_TILES_H

#include <stdbool.h>
#include <stdint.h>

#include "chip_rop/sgt_rop_ports.h"

#define SGT_ROP_TILE_SECTORS (SGT_ROP_TILE_BYTES / 32)
#define SGT_ROP_TILE_LINES (SGT_ROP_TILE_BYTES / 64)
#define SGT_ROP_NO_ITEM UINT32_MAX

/* What a tile is made of. */
struct sgt_rop_make {
   uint32_t item;   /* the latest that wrote to it */
   uint8_t planes;  /* see above; 255: many; colour: 1: one item covers it */
   uint8_t sectors; /* in memory: 0: cleared, 1, 2, 4: compressed; SGT_ROP_TILE_SECTORS */
   uint16_t pad;
};

struct hash_table_u64;

struct sgt_rop_tiles {
   void *memory; /* ralloc: of all that follows */
   struct hash_table_u64 *pages;
   uint64_t latest_page;
   struct sgt_rop_make *latest; /* NULL: none yet */
   struct sgt_rop_make none;    /* where memory ended */
   bool out_of_memory;
};

/* All tiles are as they are in memory, not compressed.  False: no memory. */
bool sgt_rop_tiles_init(struct sgt_rop_tiles *t);
void sgt_rop_tiles_finish(struct sgt_rop_tiles *t);
/* The state of the tile that has the address; it stays where it is. */
struct sgt_rop_make *sgt_rop_tile(struct sgt_rop_tiles *t, uint64_t address);
/* Clears the tiles that lie wholly in the range; returns their number. */
uint64_t sgt_rop_tiles_clear(struct sgt_rop_tiles *t, uint64_t address, uint64_t bytes);

/* An item writes to the tile; `covers`: all of its bytes, since it came into the cache. */
void sgt_rop_make_write(struct sgt_rop_make *m, bool depth, bool stencil, uint32_t item,
                        bool covers);
/* Sectors that the tile takes in memory with compression. */
unsigned sgt_rop_make_sectors(const struct sgt_rop_make *m, bool depth, unsigned samples);

#endif
