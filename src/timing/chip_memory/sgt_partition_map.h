/* SPDX-License-Identifier: MIT */
/*
 * Mapping of addresses to memory partitions. Addresses are interleaved: consecutive pieces of
 * `interleave` bytes are in consecutive partitions. An address relative to a partition is an offset
 * into the concatenated pieces of the partition.
 */
#ifndef SGT_PARTITION_MAP_H
#define SGT_PARTITION_MAP_H

#include <assert.h>
#include <stdint.h>

#include "util/fast_idiv_by_const.h"
#include "util/u_math.h"

struct sgt_partition_map {
   uint32_t num, shift; /* num: number of partitions; shift: log2 of the size of a piece in bytes */
   struct util_fast_udiv_info divisor; /* precomputed values for divisions by `num` */
};

struct sgt_partition_place {
   uint32_t partition;
   uint64_t address; /* address relative to the partition */
};

/* Initializes the map for `num` partitions. `interleave` must be a power of 2. */
static inline void
sgt_partition_map_init(struct sgt_partition_map *map, uint32_t num, uint32_t interleave)
{
   map->num = num;
   map->shift = util_logbase2(interleave);
   map->divisor = util_compute_fast_udiv_info(num, 32, 32);
}

/* Returns the partition of an address, and the address relative to this partition. The address must
 * be below 2^32 * `interleave`.
 */
static inline struct sgt_partition_place
sgt_partition_find(const struct sgt_partition_map *map, uint64_t address)
{
   const uint32_t piece = address >> map->shift, round = util_fast_udiv32(piece, map->divisor);
   assert(address >> map->shift == piece);
   return (struct sgt_partition_place){
      .partition = piece - round * map->num,
      .address = (uint64_t)round << map->shift | (address & ((1ull << map->shift) - 1)),
   };
}

/* Returns the address that sgt_partition_find() would map to `place`. */
static inline uint64_t
sgt_partition_address(const struct sgt_partition_map *map, struct sgt_partition_place place)
{
   const uint64_t piece = (place.address >> map->shift) * map->num + place.partition;
   return piece << map->shift | (place.address & ((1ull << map->shift) - 1));
}

#endif
