/* SPDX-License-Identifier: MIT */
/* sgpu inspect: state that is needed while the page of a frame is written. */
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

/* Contents of a target after the last work packet that has written it. */
struct cap_inspect_target {
   struct cap_picture pic;
   uint64_t storage;
   uint32_t format;
   unsigned item; /* index of the packet's item on the page */
   bool patched;  /* the page can compose the target from patches of several items */
};

/* Cached picture of a texture, which is valid while the version of the texture's buffer is
 * unchanged.
 */
struct cap_inspect_texture {
   uint64_t key, bo, version; /* hash of the texture descriptor; ID and version of the buffer */
   /* index of the picture in the pool; -1 if the texture has no picture, -2 if not created yet */
   int picture;
};

struct cap_inspection {
   struct cap_player player;
   struct cap_maps maps[CAP_MAX_MAPS];
   /* number of entries in `maps`, and index of the entry for the latest draw */
   unsigned num_maps, map;
   uint64_t frame;     /* number of the frame to show */
   bool any_frame;     /* show the first frame that is presented */
   uint32_t thumbnail; /* maximum width and height of thumbnails in pixels */
   /* range of draws to show; other work between them is also shown */
   uint64_t first_draw, last_draw;
   const struct cap_step *step;
   struct cap_pool texts, pictures;
   FILE *items; /* memory stream to which the items of the page are written */
   char *items_text;
   size_t items_size;
   unsigned num_items;
   char group[1024];  /* names of the open debug groups, e.g. "a / b" */
   char marker[1024]; /* text of the markers since the last work packet */
   struct cap_inspect_target targets[CAP_MAX_TARGETS];
   unsigned latest; /* index of the target of the latest work packet */
   struct cap_inspect_texture *textures;
   unsigned num_textures, max_textures;
   uint64_t *versions; /* number of writes to each buffer, indexed by buffer ID - 1 */
   uint64_t num_versions;
   struct cap_bindings bindings;   /* storage buffers and images of the current draw or grid */
   struct cap_snapshot *snapshots; /* contents of each binding before the current draw or grid */
   unsigned num_snapshots;
   uint32_t groups[3]; /* number of workgroups of the latest grid in x, y and z */
   bool groups_known;
   int image;       /* index of the picture of the first image that the latest grid writes, or -1 */
   const char *raw; /* directory for files with the contents of bindings, or NULL */
   bool raw_failed;
   /* plan of the current draw; has no samples if the draw has no plan */
   struct sgpu_draw_plan plan;
   bool mapped;                /* the current draw has been added to the maps */
   struct cap_counters before; /* counter values before the latest work packet */
};

/* Called before a draw or grid runs: saves the contents of the memory that it may write. */
void cap_inspect_before(struct cap_inspection *d, struct cap_step *s);
/* Called after a draw or grid has run: adds its bindings and workgroups to its item. */
void cap_inspect_memory(struct cap_inspection *d, struct cap_step *s);
/* Frees the memory that cap_inspect_before() has saved. */
void cap_inspect_forget(struct cap_inspection *d);
/* Frees everything except for the player and the memory stream with the items. */
void cap_inspect_finish(struct cap_inspection *d);
/* Adds a picture of the first level and layer of a texture view.  Returns its index, or -1 on
 * failure.
 */
int cap_inspect_texture(struct cap_inspection *d, const struct sgcap_record *rec,
                        const struct SGPU_TEXTURE *t);

/* Adds an item for the latest work packet, which has already run. */
void cap_inspect_item(struct cap_inspection *d, struct cap_step *s);
/* Invalidates the cached pictures of textures in the buffers that a record has written. */
void cap_inspect_written(struct cap_inspection *d, const struct sgcap_record *rec);

#endif
