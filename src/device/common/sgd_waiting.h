/* SPDX-License-Identifier: MIT */
/*
 * Policy ooo+split+break: fragments of a tile that have passed their tests and wait to be shaded.
 * The dispatch unit and the raster engine share this data.
 */
#ifndef SGD_WAITING_H
#define SGD_WAITING_H

#include <stdbool.h>
#include <stdint.h>

/* Maximum number of waiting records: 32 layers of all blocks of a tile. */
#define SGD_WAITING_RECORDS 4096

struct sgd_waiting {
   bool wait; /* fragments of the next list wait as long as there is room for records */
   /* number of waiting records, in program order; also the index of the next list's first record */
   uint32_t records;
   /* Totals since the last reset by the caller. */
   /* number of fragments that have waited; number of these fragments that were shaded */
   uint64_t lanes, shaded;
   /* estimated number of host instructions spent on records; saved by skipped fragments */
   uint64_t spent, gained;
};

#endif
