/* SPDX-License-Identifier: MIT */
/*
 * Private functions of the ROP, shared by its source files.
 */
#ifndef SGT_ROP_PRIVATE_H
#define SGT_ROP_PRIVATE_H

#include "chip_rop/sgt_rop.h"

/* Address of a slot that holds no tile. */
#define SGT_ROP_NO_TILE UINT64_MAX
/* Maximum number of memory requests that a lookup makes. A lookup can write back one tile and fetch
 * another tile.
 */
#define SGT_ROP_OUT_ROOM (2 * SGT_ROP_TILE_LINES)

/* Wraps around an index into a ring buffer of `size` entries. The index must be less than 2 * size.
 */
static inline uint32_t
sgt_rop_wrap(uint32_t index, uint32_t size)
{
   return index < size ? index : index - size;
}

/* Sends the next request to memory, if any. */
void sgt_rop_send_out(struct sgt_rop *rop, uint64_t now);
/* Accepts a response from memory, if any. */
void sgt_rop_take_fill(struct sgt_rop *rop, uint64_t now);

/* Looks up the line of a request, locks its tile and fills in *entry. The queue to memory must have
 * room for SGT_ROP_OUT_ROOM requests. If the cache stalls, returns false without any changes.
 */
bool sgt_rop_look_up(struct sgt_rop *rop, struct sgt_rop_path *path, uint64_t now,
                     const struct sgt_rop_request *r, struct sgt_rop_entry *entry);
/* Writes the tile in slot `index` back to memory. r->write_back is a bitmask of its dirty sectors.
 */
void sgt_rop_write_back(struct sgt_rop *rop, struct sgt_rop_path *path, uint64_t now,
                        uint32_t index, const struct sgt_cache_result *r);
/* Clears all cached tiles that are completely inside the address range of the CLEAR request. */
void sgt_rop_drop_tiles(struct sgt_rop_path *path, const struct sgt_rop_request *r);

#endif
