/* SPDX-License-Identifier: MIT */
/*
 * Parameters of viewport, clip, setup, coarse raster, zcull, fine raster and early tests.
 */
#ifndef SGT_RASTER_PARAMS_H
#define SGT_RASTER_PARAMS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct sgt_raster_params {
   uint32_t setup;         /* primitives a cycle, from 1 */
   uint32_t setup_latency; /* cycles from setup to coarse raster, from 1 */
   uint32_t setup_queue;   /* primitives on this way, from 1 */
   uint32_t coarse;        /* tiles of 16x16 pixels a cycle, from 1 */
   uint32_t zcull;         /* tiles a cycle, from 1 */
   uint32_t zcull_latency; /* cycles from coarse raster to zcull, from 1 */
   uint32_t zcull_queue;   /* tiles on this way, from 1 */
   uint32_t fine;          /* blocks of 8x4 pixels a cycle, from 1 */
   uint32_t fine_latency;  /* cycles from zcull to fine raster, from 1 */
   uint32_t fine_queue;    /* tiles on this way, from 1 */
   uint32_t block_queue;   /* blocks from fine raster to the early tests, from 1 */
   uint32_t early_queue;   /* blocks whose early tests are under way, from 1 */
   uint32_t early_rate;    /* requests of early tests a cycle, from 1 */
   uint32_t release_queue; /* warps from the early tests to the distributor, from 1 */
};

void sgt_raster_params_init(struct sgt_raster_params *p);
/* Whether the values are legal; if not, false and a message that names the key. */
bool sgt_raster_params_check(const struct sgt_raster_params *p, char *error, size_t error_size);

#endif
