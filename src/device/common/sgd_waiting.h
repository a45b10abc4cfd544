/* SPDX-License-Identifier: MIT */
/*
 * Policy ooo+split+break: fragments of a tile that have passed their tests and wait to be
 * shaded. Dispatch and the raster engine share these numbers.
 */
#ifndef SGD_WAITING_H
#define SGD_WAITING_H

#include <stdbool.h>
#include <stdint.h>

/* Maximum number of waiting records: 32 layers of blocks in a tile. */
#define SGD_WAITING_RECORDS 4096

struct sgd_waiting {
   bool wait;        /* fragments of the next list wait while there is room */
   uint32_t records; /* number of waiting records, in program order; the next list's records start
                      * at this number */
   /* sums since the caller set them to 0 */
   uint64_t lanes, shaded; /* fragments that have waited; those of them that were shaded */
   uint64_t spent, gained; /* estimated host instructions spent on records; saved by fragments that
                            * were not shaded */
};

#endif
