/* SPDX-License-Identifier: MIT */
/* sgpu inspect: state that the source files share while they write the page of a frame. */
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
/* Number of targets whose latest picture is kept.  Comparing it with the next picture of the target
 * shows what a draw has changed.
 */
#define CAP_MAX_TARGETS 8

/* Contents of a target after the last draw, clear or other work packet that wrote it. */
struct cap_inspect_target {
   struct cap_picture pic;
   uint64_t storage;
   uint32_t format;
   unsigned item; /* index of the packet's item on the page */
   bool patched;  /* true if the page can combine patches of several items into the target */
};

/* Cached picture of a texture.  The picture is valid as long as the version of the texture's buffer
 * does not change.
 */
struct cap_inspect_texture {
   /* key: hash of the texture descriptor; bo: ID of the buffer; version: version of the buffer */
   uint64_t key, bo, version;
   /* index of the picture in the pool; -1 if there is no picture, -2 if it has not been created yet
    */
   int picture;
};

struct cap_inspection {
   struct cap_player player;
   struct cap_maps maps[CAP_MAX_MAPS];
   /* num_maps: number of entries in `maps`; map: index of the entry for the latest draw */
   unsigned num_maps, map;
   uint64_t frame;     /* number of the frame to show */
   bool any_frame;     /* true to show the first frame that is presented */
   uint32_t thumbnail; /* maximum width and height of thumbnails in pixels */
   /* range of draws to show, including all other work between them */
   uint64_t first_draw, last_draw;
   const struct cap_step *step;
   struct cap_pool texts, pictures;
   FILE *items; /* memory stream to which the items of the page are written */
   char *items_text;
   size_t items_size;
   unsigned num_items;
   char group[1024];  /* names of the debug groups that are open, e.g.  "a / b" */
   char marker[1024]; /* text of all markers since the last work packet */
   struct cap_inspect_target targets[CAP_MAX_TARGETS];
   unsigned latest; /* index of the target of the latest work packet */
   struct cap_inspect_texture *textures;
   unsigned num_textures, max_textures;
   uint64_t *versions; /* number of writes to each buffer, indexed by buffer ID - 1 */
   uint64_t num_versions;
   /* storage buffers and images that the current draw or grid can access */
   struct cap_bindings bindings;
   struct cap_snapshot *snapshots; /* contents of these bindings before the current draw or grid */
   unsigned num_snapshots;
   uint32_t groups[3]; /* number of workgroups of the latest grid in x, y and z */
   bool groups_known;
   /* index of a picture: the first image that the latest grid writes; -1 if the grid writes no
    * image
    */
   int image;
   const char *raw; /* directory to which the contents of bindings are written, or NULL */
   bool raw_failed;
   /* plan of the current draw; the number of samples is 0 if the draw has no plan */
   struct sgpu_draw_plan plan;
   bool mapped;                /* true if the current draw is in the maps */
   struct cap_counters before; /* values of the counters before the latest work packet */
};

/* Saves the contents of the memory that a draw or grid may write.  Must be called before it runs.
 */
void cap_inspect_before(struct cap_inspection *d, struct cap_step *s);
/* Adds the bindings and workgroups of a draw or grid to its item.  Must be called after it has run.
 */
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
/* Invalidates cached pictures of textures whose buffers a record has written. */
void cap_inspect_written(struct cap_inspection *d, const struct sgcap_record *rec);

#endif
