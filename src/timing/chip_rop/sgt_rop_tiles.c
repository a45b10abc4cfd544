/* SPDX-License-Identifier: MIT */
/*
 * Compression states of the tiles in memory. They are allocated in pages, each of which contains
 * the states of one MiB of memory.
 */
#include "chip_rop/sgt_rop_tiles.h"

#include "util/hash_table.h"
#include "util/macros.h"
#include "util/ralloc.h"

#define PAGE_SHIFT 20
#define PAGE_TILES ((1u << PAGE_SHIFT) / SGT_ROP_TILE_BYTES)
#define MANY 255

static const struct sgt_rop_make raw = {
   .item = SGT_ROP_NO_ITEM,
   .planes = MANY,
   .sectors = SGT_ROP_TILE_SECTORS,
};
static const struct sgt_rop_make cleared = { .item = SGT_ROP_NO_ITEM };

bool
sgt_rop_tiles_init(struct sgt_rop_tiles *t)
{
   *t = (struct sgt_rop_tiles){ .memory = ralloc_context(NULL), .none = raw };
   t->pages = t->memory ? _mesa_hash_table_u64_create(t->memory) : NULL;
   if (!t->pages)
      sgt_rop_tiles_finish(t);
   return t->pages != NULL;
}

void
sgt_rop_tiles_finish(struct sgt_rop_tiles *t)
{
   /* Destroy the hash table explicitly, because not all of its memory is allocated with ralloc. */
   _mesa_hash_table_u64_destroy(t->pages);
   ralloc_free(t->memory);
   t->memory = NULL;
   t->pages = NULL;
}

struct sgt_rop_make *
sgt_rop_tile(struct sgt_rop_tiles *t, uint64_t address)
{
   const uint64_t page = address >> PAGE_SHIFT;

   if (!t->latest || t->latest_page != page) {
      struct sgt_rop_make *tiles = _mesa_hash_table_u64_search(t->pages, page);
      if (!tiles) {
         tiles = ralloc_array(t->memory, struct sgt_rop_make, PAGE_TILES);
         if (!tiles) {
            t->out_of_memory = true;
            return &t->none;
         }
         for (unsigned i = 0; i < PAGE_TILES; i++)
            tiles[i] = raw;
         _mesa_hash_table_u64_insert(t->pages, page, tiles);
      }
      t->latest = tiles;
      t->latest_page = page;
   }
   return &t->latest[address / SGT_ROP_TILE_BYTES % PAGE_TILES];
}

uint64_t
sgt_rop_tiles_clear(struct sgt_rop_tiles *t, uint64_t address, uint64_t bytes)
{
   const uint64_t first = DIV_ROUND_UP(address, SGT_ROP_TILE_BYTES);
   const uint64_t end = (address + bytes) / SGT_ROP_TILE_BYTES;

   for (uint64_t i = first; i < end; i++)
      *sgt_rop_tile(t, i * SGT_ROP_TILE_BYTES) = cleared;
   return end > first ? end - first : 0;
}

void
sgt_rop_make_write(struct sgt_rop_make *m, bool depth, bool stencil, uint32_t item, bool covers)
{
   if (m->item != item) {
      m->item = item;
      m->planes = depth ? MIN2(m->planes + 1, MANY) : MANY;
   }
   if (covers)
      m->planes = 1;
   if (stencil)
      m->planes = MANY;
}

unsigned
sgt_rop_make_sectors(const struct sgt_rop_make *m, bool depth, unsigned samples)
{
   if (m->planes <= 1 && (depth || !m->planes))
      return m->planes;
   if (depth)
      return m->planes == 2 ? 2 : m->planes <= 4 ? 4 : SGT_ROP_TILE_SECTORS;
   return m->planes == 1 ? MAX2(SGT_ROP_TILE_SECTORS / samples, 1) : SGT_ROP_TILE_SECTORS;
}
