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
   uint32_t lanes;   /* fragments that have waited, since the caller set it to 0 */
   uint32_t shaded;  /* of these, fragments that were shaded */
};

#endif
