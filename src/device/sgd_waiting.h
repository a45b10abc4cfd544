/* SPDX-License-Identifier: MIT */
/*
 * Policy ooo+split+break: fragments of a tile that have passed their tests and wait for
 * their shading, as dispatch and the raster engine count them.
 */
#ifndef SGD_WAITING_H
#define SGD_WAITING_H

#include <stdbool.h>
#include <stdint.h>

/* Records that can wait: as many as 32 layers of blocks over a tile. */
#define SGD_WAITING_RECORDS 4096

struct sgd_waiting {
   bool wait;        /* fragments of the list to rasterize wait, while there is room */
   uint32_t records; /* that wait, in program order: the numbers of the next ones begin here */
   /* Since the caller set them to 0: */
   uint64_t lanes, shaded; /* fragments that have waited; of these, those that were shaded */
   uint64_t spent, gained; /* by records, by fragments that were not shaded; in instructions
                            * of the host, roughly */
};

#endif
