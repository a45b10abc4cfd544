/* SPDX-License-Identifier: MIT */
/*
 * ROP: private functions that its files share.
 */
#ifndef SGT_ROP_PRIVATE_H
#define SGT_ROP_PRIVATE_H

#include "chip_rop/sgt_rop.h"

/* Address of a slot without a tile. */
#define SGT_ROP_NO_TILE UINT64_MAX
/* Maximum number of memory requests of a lookup: a tile is written back, another is fetched. */
#define SGT_ROP_OUT_ROOM (2 * SGT_ROP_TILE_LINES)

/* Wraps an index below 2 * size into a ring of `size` elements. */
static inline uint32_t
sgt_rop_wrap(uint32_t index, uint32_t size)
{
   return index < size ? index : index - size;
}

/* Sends the next request to memory, if there is one. */
void sgt_rop_send_out(struct sgt_rop *rop, uint64_t now);
/* Takes a response from memory, if there is one. */
void sgt_rop_take_fill(struct sgt_rop *rop, uint64_t now);

/* Looks up the line of a request, locks its tile, and fills in *entry. The queue to memory must
 * have room for SGT_ROP_OUT_ROOM requests. Returns false if the cache stalls; nothing has changed
 * then.
 */
bool sgt_rop_look_up(struct sgt_rop *rop, struct sgt_rop_path *path, uint64_t now,
                     const struct sgt_rop_request *r, struct sgt_rop_entry *entry);
/* Writes the tile in slot `index` to memory. *r has the dirty sectors. */
void sgt_rop_write_back(struct sgt_rop *rop, struct sgt_rop_path *path, uint64_t now,
                        uint32_t index, const struct sgt_cache_result *r);
/* Clears the tiles in the cache that are completely in the range of the clear. */
void sgt_rop_drop_tiles(struct sgt_rop_path *path, const struct sgt_rop_request *r);

#endif
