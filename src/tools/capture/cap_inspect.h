/* SPDX-License-Identifier: MIT */
/*
 * sgpu inspect: what is gathered for the page of a frame.
 */
#ifndef CAP_INSPECT_H
#define CAP_INSPECT_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "cap_maps.h"
#include "cap_picture.h"
#include "cap_pool.h"
#include "cap_step.h"

/* Targets with maps; draws to more of them have none. */
#define CAP_MAX_MAPS 12

struct cap_inspection {
   struct cap_player player;
   struct cap_maps maps[CAP_MAX_MAPS];
   unsigned num_maps, map;       /* that the latest draw is in */
   uint64_t frame;
   bool any_frame;
   uint32_t thumbnail;
   struct cap_pool texts, pictures;
   FILE *items;
   char *items_text;
   size_t items_size;
   unsigned num_items;
   char group[1024];             /* debug groups that are open: "a / b" */
   char marker[1024];            /* markers since the last work packet */
   struct cap_picture latest;    /* the target behind the last work packet */
   uint64_t latest_storage;
   bool mapped;                  /* the draw to come is in the maps */
};

/* Adds the work packet that was carried out last. */
void cap_inspect_item(struct cap_inspection *d, struct cap_step *s);

#endif
