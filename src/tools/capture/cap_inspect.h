/* SPDX-License-Identifier: MIT */
/*
 * sgpu inspect: the data of a frame's page.
 */
#ifndef CAP_INSPECT_H
#define CAP_INSPECT_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "cap_bindings.h"
#include "cap_counters.h"
#include "cap_maps.h"
#include "cap_picture.h"
#include "cap_pool.h"
#include "cap_step.h"

/* The limit of targets with maps. */
#define CAP_MAX_MAPS 12
/* Targets whose latest picture is kept, to find the changes of a draw. */
#define CAP_MAX_TARGETS 8

/* A target after the latest work packet that wrote it. */
struct cap_inspect_target {
   struct cap_picture pic;
   uint64_t storage;
   uint32_t format;
   unsigned item; /* of the packet */
   bool patched;  /* the page can compose it from patches */
};

/* Picture of a texture, valid until its buffer is written. */
struct cap_inspect_texture {
   uint64_t key, bo, version;
   int picture;
};

struct cap_inspection {
   struct cap_player player;
   struct cap_maps maps[CAP_MAX_MAPS];
   unsigned num_maps, map; /* map: the latest draw's */
   uint64_t frame;
   bool any_frame;
   uint32_t thumbnail;
   uint64_t first_draw, last_draw; /* shown, with the other work between them */
   const struct cap_step *step;
   struct cap_pool texts, pictures;
   FILE *items;
   char *items_text;
   size_t items_size;
   unsigned num_items;
   char group[1024];  /* open debug groups: "a / b" */
   char marker[1024]; /* markers since the last work packet */
   struct cap_inspect_target targets[CAP_MAX_TARGETS];
   unsigned latest; /* the latest work packet's target */
   struct cap_inspect_texture *textures;
   unsigned num_textures, max_textures;
   uint64_t *versions; /* by buffer id - 1: number of writes */
   uint64_t num_versions;
   struct cap_bindings bindings; /* of the latest draw or grid */
   struct cap_snapshot *snapshots;
   unsigned num_snapshots;
   uint32_t groups[3]; /* of the latest grid */
   bool groups_known;
   int image;       /* picture of the first image that it writes; -1: none */
   const char *raw; /* folder for contents of bindings; NULL: none */
   bool raw_failed;
   bool mapped;                /* the next draw is in the maps */
   struct cap_counters before; /* the latest work packet ran */
};

/* Keeps what the next draw or grid may write, before it runs. */
void cap_inspect_before(struct cap_inspection *d, struct cap_step *s);
/* Adds its storage buffers and images, and the numbers of a grid. */
void cap_inspect_memory(struct cap_inspection *d, struct cap_step *s);
void cap_inspect_forget(struct cap_inspection *d);
/* Frees what the items have, but for the player and the stream of items. */
void cap_inspect_finish(struct cap_inspection *d);
/* Adds a picture of the first level and layer of a view; -1 if it has none. */
int cap_inspect_texture(struct cap_inspection *d, const struct sgcap_record *rec,
                        const struct SGPU_TEXTURE *t);

/* Adds the latest work packet, which has run. */
void cap_inspect_item(struct cap_inspection *d, struct cap_step *s);
/* Invalidates pictures of the memory that a record has written. */
void cap_inspect_written(struct cap_inspection *d, const struct sgcap_record *rec);

#endif
