/* SPDX-License-Identifier: MIT */
/*
 * sgpu inspect: state while the page of a frame is written.
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

/* Maximum number of targets with maps. */
#define CAP_MAX_MAPS 12
/* Number of targets whose latest picture is kept, to find what a draw has changed. */
#define CAP_MAX_TARGETS 8

/* Contents of a target after the latest work packet that has written it. */
struct cap_inspect_target {
   struct cap_picture pic;
   uint64_t storage;
   uint32_t format;
   unsigned item; /* number of the packet's item on the page */
   bool patched;  /* the page can compose this target from the patches of items */
};

/* Cached picture of a texture.  It is valid as long as the texture's buffer has the version. */
struct cap_inspect_texture {
   uint64_t key, bo, version; /* hash of the descriptor, id of the buffer, its version */
   int picture;               /* index in the pool; -1 if it has none, -2 if not made yet */
};

struct cap_inspection {
   struct cap_player player;
   struct cap_maps maps[CAP_MAX_MAPS];
   unsigned num_maps, map; /* map: index of the latest draw's maps */
   uint64_t frame;         /* number of the frame to show */
   bool any_frame;         /* show the first presented frame */
   uint32_t thumbnail;     /* maximum width and height of a target's small picture, in pixels */
   uint64_t first_draw, last_draw; /* range of the draws to show; other work between is shown too */
   const struct cap_step *step;
   struct cap_pool texts, pictures;
   FILE *items; /* memory stream with the items of the page */
   char *items_text;
   size_t items_size;
   unsigned num_items;
   char group[1024];  /* names of the open debug groups, such as "a / b" */
   char marker[1024]; /* markers since the last work packet */
   struct cap_inspect_target targets[CAP_MAX_TARGETS];
   unsigned latest; /* index of the target of the latest work packet */
   struct cap_inspect_texture *textures;
   unsigned num_textures, max_textures;
   uint64_t *versions; /* number of writes to each buffer, indexed by id - 1 */
   uint64_t num_versions;
   struct cap_bindings bindings;   /* storage buffers and images of the latest draw or grid */
   struct cap_snapshot *snapshots; /* contents of each binding before the draw or grid */
   unsigned num_snapshots;
   uint32_t groups[3]; /* number of groups of the latest grid in x, y and z */
   bool groups_known;
   int image;       /* picture of the first image that the latest grid writes, or -1 */
   const char *raw; /* folder for files with the contents of bindings, or NULL */
   bool raw_failed;
   struct sgpu_draw_plan plan; /* plan of the current draw; no samples if it has none */
   bool mapped;                /* the current draw was added to the maps */
   struct cap_counters before; /* counters before the latest work packet ran */
};

/* Called before a draw or grid runs: keeps the contents of the memory that it may write. */
void cap_inspect_before(struct cap_inspection *d, struct cap_step *s);
/* Called after a draw or grid has run: adds its bindings and groups to its item. */
void cap_inspect_memory(struct cap_inspection *d, struct cap_step *s);
/* Frees the memory that cap_inspect_before() has kept. */
void cap_inspect_forget(struct cap_inspection *d);
/* Frees everything except the player and the memory stream with the items. */
void cap_inspect_finish(struct cap_inspection *d);
/* Adds a picture of the view's first level and layer.  Returns its index or -1. */
int cap_inspect_texture(struct cap_inspection *d, const struct sgcap_record *rec,
                        const struct SGPU_TEXTURE *t);

/* Adds an item for the latest work packet, which has run. */
void cap_inspect_item(struct cap_inspection *d, struct cap_step *s);
/* Invalidates the pictures of textures in buffers that a record has written. */
void cap_inspect_written(struct cap_inspection *d, const struct sgcap_record *rec);

#endif
