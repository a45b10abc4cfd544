/* SPDX-License-Identifier: MIT */
/*
 * Fragments of a tile that have passed their tests and wait to be shaded (policy ooo+split+break).
 * The dispatch unit and the raster engine share this data.
 */
#ifndef SGD_WAITING_H
#define SGD_WAITING_H

#include <stdbool.h>
#include <stdint.h>

/* Maximum number of records of waiting fragments in a tile, which is an average of 32 for each 8x4
 * pixel block of the tile.
 */
#define SGD_WAITING_RECORDS 4096

struct sgd_waiting {
   bool wait; /* fragments of the next tile list wait, as long as there is room for records */
   /* number of records of waiting fragments; also the index of the first record of the next tile
    * list
    */
   uint32_t records;
   /* Totals since the last reset by the caller. */
   /* number of fragments that have waited; number of these fragments that were shaded */
   uint64_t lanes, shaded;
   /* estimated number of host instructions that records have cost, and that skipped fragments have
    * saved
    */
   uint64_t spent, gained;
};

#endif
