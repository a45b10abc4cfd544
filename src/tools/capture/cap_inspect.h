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
/* Targets whose latest picture is kept, to know what a draw has changed. */
#define CAP_MAX_TARGETS 8

/* A target behind the latest work packet that had it. */
struct cap_inspect_target {
   struct cap_picture pic;
   uint64_t storage;
   uint32_t format;
   unsigned item;                /* of the packet */
   bool patched;                 /* the page can put it together from patches */
};

/* Picture of a texture whose memory is as it was then. */
struct cap_inspect_texture {
   uint64_t key, bo, version;
   int picture;
};

struct cap_inspection {
   struct cap_player player;
   struct cap_maps maps[CAP_MAX_MAPS];
   unsigned num_maps, map;       /* that the latest draw is in */
   uint64_t frame;
   bool any_frame;
   uint32_t thumbnail;
   uint64_t first_draw, last_draw;   /* that are shown, and what is between them */
   const struct cap_step *step;
   struct cap_pool texts, pictures;
   FILE *items;
   char *items_text;
   size_t items_size;
   unsigned num_items;
   char group[1024];             /* debug groups that are open: "a / b" */
   char marker[1024];            /* markers since the last work packet */
   struct cap_inspect_target targets[CAP_MAX_TARGETS];
   unsigned latest;              /* that of the last work packet */
   struct cap_inspect_texture *textures;
   unsigned num_textures, max_textures;
   uint64_t *versions;           /* of buffers, by their ids - 1: how often written */
   uint64_t num_versions;
   bool mapped;                  /* the draw to come is in the maps */
};

/* Adds the work packet that was carried out last. */
void cap_inspect_item(struct cap_inspection *d, struct cap_step *s);
/* A record that was carried out: pictures of what it writes do not hold. */
void cap_inspect_written(struct cap_inspection *d, const struct sgcap_record *rec);

#endif
