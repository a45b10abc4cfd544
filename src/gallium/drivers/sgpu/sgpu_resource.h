/* SPDX-License-Identifier: MIT */
/*
 * Resources: buffers, and textures in the device's layout.
 *
 * A buffer's storage may be exchanged for another while the resource lives
 * (invalidation); `lock` guards its pointer: a user takes a reference, or records
 * the storage in a command stream, under the lock.  A texture's
 * storage stays for life.
 */
#ifndef SGPU_RESOURCE_H
#define SGPU_RESOURCE_H

#include "pipe/p_state.h"
#include "util/u_range.h"
#include "util/u_threaded_context.h"

#include "sgpu_layout.h"
#include "sgpu_packets.h"
#include "winsys/sgpu/sgpu_cs.h"

struct sgpu_context;
struct sgpu_screen;
struct sw_displaytarget;

/* The window system's side of a resource: memory that the device never sees.
 */
struct sgpu_display {
   struct sw_displaytarget *dt;
   unsigned stride;             /* bytes a row of dt */
   const void *front;           /* the drawable whose front buffer dt is, or NULL */
   simple_mtx_t front_lock;     /* while front is read or dropped */
   bool texture;                /* atomic: a texture of the program has the front buffer */
   bool imported;               /* others may write dt */
   bool ours_newer;             /* atomic: drawn to since the last presentation */
   simple_mtx_t lock;           /* of the fields below */
   struct sgpu_layout layout;   /* of staging memory; with `direct` of dt */
   struct sgpu_buffer *staging; /* of presentations, or NULL */
   bool direct;                 /* its memory is dt's own, which stays mapped, */
   unsigned offset;             /* from this offset in bytes on; else 0 */
   uint16_t contents;           /* COPY SURFACE, Contents of staging memory; 0: no more numbers */
   uint64_t source;             /* address of the storage that was copied there last, or 0 */
   uint64_t refreshed;          /* sgpu_context::frame of the latest refresh */
};

struct sgpu_resource {
   struct threaded_resource b;
   simple_mtx_t lock; /* of `storage` */
   struct sgpu_buffer *storage;
   struct sgpu_layout layout; /* textures */
   /* Atomic.  Low half: levels that may have tiles without elements; high half:
    * counts the notes of them.
    */
   uint64_t fast_cleared;
   int32_t persistent_maps;      /* atomic: mappings that stay; storage does, too */
   bool sampled;                 /* read by texture units or blits: clears store elements */
   struct sgpu_display *display; /* or NULL */
};

static inline struct sgpu_resource *
sgpu_resource(struct pipe_resource *res)
{
   return (struct sgpu_resource *)res;
}

/* A new reference to the storage. */
static inline struct sgpu_buffer *
sgpu_resource_storage(struct sgpu_resource *res)
{
   struct sgpu_buffer *buf = NULL;

   simple_mtx_lock(&res->lock);
   sgpu_buffer_reference(&buf, res->storage);
   simple_mtx_unlock(&res->lock);
   return buf;
}

/* Records the storage in the stream and gives the address of `offset`. */
static inline uint64_t
sgpu_resource_address(struct sgpu_cs *cs, struct sgpu_resource *res, uint64_t offset, bool write)
{
   simple_mtx_lock(&res->lock);
   uint64_t address = sgpu_cs_address(cs, res->storage, offset, write);
   simple_mtx_unlock(&res->lock);
   return address;
}

struct pipe_resource *sgpu_resource_create(struct pipe_screen *screen,
                                           const struct pipe_resource *templat);

/* Storage that reads as zero, for a resource of this size; NULL without memory. */
struct sgpu_buffer *sgpu_resource_alloc(struct pipe_screen *screen,
                                        const struct pipe_resource *templat, uint64_t size);

/* Gives a busy buffer new storage; false where it has to stay. */
bool sgpu_resource_renew(struct sgpu_context *ctx, struct sgpu_resource *res);

/* A level was cleared fast, or is to be by a stream that was not submitted. */
static inline void
sgpu_resource_note_fast_clear(struct sgpu_resource *res, uint32_t levels)
{
   uint64_t old, noted;

   do {
      old = p_atomic_read(&res->fast_cleared);
      noted = (old | levels) + (1ull << 32);
   } while (p_atomic_cmpxchg(&res->fast_cleared, old, noted) != old);
}

/* Stores the elements that fast clears have left out, before a texture unit or a blit
 * reads them; copies do not need them.  May start a new stream.
 */
void sgpu_resource_resolve(struct sgpu_context *ctx, struct sgpu_resource *res);

/* Layers, faces or slices of a level. */
static inline unsigned
sgpu_resource_layers(const struct sgpu_resource *res, unsigned level)
{
   return sgpu_layout_layers(&res->layout, level);
}

/* sgpu_display.c */
bool sgpu_display_create(struct pipe_screen *screen, struct sgpu_resource *res,
                         const void *front_private);
/* The resource takes over `dt` if it succeeds. */
bool sgpu_display_attach(struct sgpu_resource *res, struct sw_displaytarget *dt, unsigned stride);
void sgpu_display_destroy(struct pipe_screen *screen, struct sgpu_resource *res);
/* Copies pixels that others may have drawn to the resource.  For a front buffer always:
 * glXWaitX orders the X server's drawing before GL's without a flush.  For an imported
 * resource once a frame.  May start a new stream.
 */
void sgpu_display_refresh(struct sgpu_context *ctx, struct sgpu_resource *res);
/* The same for draws and grids, which may run in a thread of the driver's. */
void sgpu_display_refresh_queued(struct sgpu_context *ctx, struct sgpu_resource *res);

/* Waits for the resource and copies it out. */
void sgpu_display_present(struct sgpu_context *ctx, struct sgpu_resource *res,
                          const struct pipe_box *box);

/* Called for every use of a resource by a stream.  With `write`, the driver's contents
 * become newer than the window system's.
 */
static inline void
sgpu_display_note(struct sgpu_resource *res, bool write)
{
   if (write && res->display)
      p_atomic_set(&res->display->ours_newer, true);
}

/* Whether the resource is a texture from a pixmap. */
static inline bool
sgpu_display_is_pixmap(const struct sgpu_resource *res)
{
   return res->display && p_atomic_read(&res->display->texture);
}

/* A view of the resource is created, in the program's thread. */
void sgpu_display_note_view(struct sgpu_context *ctx, struct sgpu_resource *res);

/* A mapping of the storage itself, or of a copy: textures as a linear one,
 * buffers that are busy.
 */
struct sgpu_transfer {
   struct threaded_transfer b;
   struct sgpu_buffer *memory; /* the mapped memory */
   bool copy;
   bool races;                /* sgpu_layer_bo_race */
   unsigned offset;           /* buffers: where box.x lies in `memory` */
   struct sgpu_layout layout; /* textures */
};

/* sgpu_transfer.c */
void sgpu_transfer_context_init(struct pipe_context *pctx);

#endif
