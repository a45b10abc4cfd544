/* SPDX-License-Identifier: MIT */
/*
 * Mapping of addresses to memory partitions. Successive pieces of `interleave` bytes are in
 * successive partitions. An address in a partition counts the bytes of the partition's pieces.
 */
#ifndef SGT_PARTITION_MAP_H
#define SGT_PARTITION_MAP_H

#include <assert.h>
#include <stdint.h>

#include "util/fast_idiv_by_const.h"
#include "util/u_math.h"

struct sgt_partition_map {
   uint32_t num, shift;                /* number of partitions; log2 of a piece's size in bytes */
   struct util_fast_udiv_info divisor; /* for divisions by `num` */
};

struct sgt_partition_place {
   uint32_t partition;
   uint64_t address; /* address in the partition */
};

/* Initializes the map for `num` partitions. `interleave` is a power of 2. */
static inline void
sgt_partition_map_init(struct sgt_partition_map *map, uint32_t num, uint32_t interleave)
{
   map->num = num;
   map->shift = util_logbase2(interleave);
   map->divisor = util_compute_fast_udiv_info(num, 32, 32);
}

/* Returns the place of an address, which must be below 2^32 pieces. */
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

/* Returns the address of a place. */
static inline uint64_t
sgt_partition_address(const struct sgt_partition_map *map, struct sgt_partition_place place)
{
   const uint64_t piece = (place.address >> map->shift) * map->num + place.partition;
   return piece << map->shift | (place.address & ((1ull << map->shift) - 1));
}

#endif
