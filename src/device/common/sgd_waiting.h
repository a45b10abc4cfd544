/* SPDX-License-Identifier: MIT */
/*
 * Fragments of a tile that have passed their tests and wait to be shaded (dispatch policy
 * ooo+split+break). The dispatch unit and the raster engine share this data.
 */
#ifndef SGD_WAITING_H
#define SGD_WAITING_H

#include <stdbool.h>
#include <stdint.h>

/* Maximum number of records of waiting fragments in a tile. On average, this is 32 records for each
 * block of 8x4 pixels.
 */
#define SGD_WAITING_RECORDS 4096

struct sgd_waiting {
   /* set if the fragments of the next tile list must wait, as long as there is room for their
    * records
    */
   bool wait;
   /* number of records of waiting fragments, which is also the index of the first record of the
    * next tile list
    */
   uint32_t records;
   /* Statistics since the caller last reset them. */
   /* lanes: number of fragments that have waited; shaded: number of these that were shaded */
   uint64_t lanes, shaded;
   /* Estimated numbers of host instructions. `spent`: cost of writing the records. `gained`:
    * savings from fragments that didn't need to be shaded.
    */
   uint64_t spent, gained;
};

#endif
