/* SPDX-License-Identifier: MIT */
/*
 * ROP: what its files share.
 */
#ifndef SGT_ROP_PRIVATE_H
#define SGT_ROP_PRIVATE_H

#include "chip_rop/sgt_rop.h"

#define SGT_ROP_NO_TILE UINT64_MAX
/* Requests to memory of one lookup: a tile that is written back, and one that is fetched. */
#define SGT_ROP_OUT_ROOM (2 * SGT_ROP_TILE_LINES)

/* The index in a ring of `size`; index is below 2 * size. */
static inline uint32_t
sgt_rop_wrap(uint32_t index, uint32_t size)
{
   return index < size ? index : index - size;
}

/* Sends a request to memory, and takes a response of it, if there is one. */
void sgt_rop_send_out(struct sgt_rop *rop, uint64_t now);
void sgt_rop_take_fill(struct sgt_rop *rop, uint64_t now);

/* Looks the request's line up and locks its tile; there is room for SGT_ROP_OUT_ROOM requests
 * to memory.  False: the cache has no place for it now.
 */
bool sgt_rop_look_up(struct sgt_rop *rop, struct sgt_rop_path *path, uint64_t now,
                     const struct sgt_rop_request *r, struct sgt_rop_entry *entry);
/* Writes a tile back, of which the cache says the sectors that are dirty. */
void sgt_rop_write_back(struct sgt_rop *rop, struct sgt_rop_path *path, uint64_t now,
                        uint32_t index, const struct sgt_cache_result *r);
/* Tiles of the range of a clear that are in the cache have its contents from now on. */
void sgt_rop_drop_tiles(struct sgt_rop_path *path, const struct sgt_rop_request *r);

#endif
