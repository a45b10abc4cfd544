/* SPDX-License-Identifier: MIT */
/*
 * Resources: buffers, and textures in the device's layout.
 *
 * Invalidation replaces the storage of a buffer while the resource lives.  `lock` protects
 * the pointer to the storage: users take a reference, or record the storage in a command
 * stream, with the lock held.  A texture keeps its storage for life.
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

/* The window system's side of a resource that is presented or imported. */
struct sgpu_display {
   struct sw_displaytarget *dt;
   unsigned stride;         /* bytes per row of `dt` */
   const void *front;       /* drawable whose front buffer `dt` stands for, or NULL */
   simple_mtx_t front_lock; /* held while `front` is read or dropped */
   bool texture;            /* atomic: the program uses the front buffer as a texture */
   bool imported;           /* other processes may write `dt` */
   bool ours_newer;         /* atomic: the driver has drawn since the last presentation */

   simple_mtx_t lock;           /* protects the members below */
   struct sgpu_layout layout;   /* linear layout of the staging memory */
   struct sgpu_buffer *staging; /* memory that presentations copy to, or NULL */
   bool direct;                 /* `staging` is the memory of `dt`, which stays mapped */
   unsigned offset;             /* byte offset of the picture in `staging`; 0 if not direct */
   uint16_t contents;           /* field Contents of COPY SURFACE to staging; 0 if used up */
   uint64_t source;             /* address of the storage that was last copied to staging, or 0 */
   uint64_t refreshed;          /* sgpu_context::frame of the latest refresh */
};

struct sgpu_resource {
   struct threaded_resource b;
   simple_mtx_t lock; /* protects `storage` */
   struct sgpu_buffer *storage;
   struct sgpu_layout layout; /* layout of a texture */
   /* Atomic.  The low half is a bit mask of levels that may have fast-cleared tiles whose
    * elements are not stored.  The high half counts the calls that set bits in it.
    */
   uint64_t fast_cleared;
   int32_t persistent_maps;      /* atomic: number of persistent mappings, which pin the storage */
   bool sampled;                 /* atomic: texture units read it, so clears are never fast */
   struct sgpu_display *display; /* the window system's side, or NULL */
};

static inline struct sgpu_resource *
sgpu_resource(struct pipe_resource *res)
{
   return (struct sgpu_resource *)res;
}

/* Returns a new reference to the storage. */
static inline struct sgpu_buffer *
sgpu_resource_storage(struct sgpu_resource *res)
{
   struct sgpu_buffer *buf = NULL;

   simple_mtx_lock(&res->lock);
   sgpu_buffer_reference(&buf, res->storage);
   simple_mtx_unlock(&res->lock);
   return buf;
}

/* Records the storage in the stream and returns the device address of byte `offset`. */
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

/* Allocates storage of `size` bytes that reads as zero.  Returns NULL if out of memory. */
struct sgpu_buffer *sgpu_resource_alloc(struct pipe_screen *screen,
                                        const struct pipe_resource *templat, uint64_t size);

/* Gives a busy buffer new storage.  Returns false if the storage cannot be replaced. */
bool sgpu_resource_renew(struct sgpu_context *ctx, struct sgpu_resource *res);

/* Records that `levels` (a bit mask) are fast cleared, maybe only by the current stream. */
static inline void
sgpu_resource_note_fast_clear(struct sgpu_resource *res, uint32_t levels)
{
   uint64_t old, noted;

   do {
      old = p_atomic_read(&res->fast_cleared);
      noted = (old | levels) + (1ull << 32);
   } while (p_atomic_cmpxchg(&res->fast_cleared, old, noted) != old);
}

/* Stores the elements of fast-cleared tiles.  Must be called before a texture unit or an image
 * reads the resource; copies and blits read the metadata.  May start a new stream.
 */
void sgpu_resource_resolve(struct sgpu_context *ctx, struct sgpu_resource *res);

/* Returns the number of layers, faces or slices of a level. */
static inline unsigned
sgpu_resource_layers(const struct sgpu_resource *res, unsigned level)
{
   return sgpu_layout_layers(&res->layout, level);
}

/* sgpu_display.c */
bool sgpu_display_create(struct pipe_screen *screen, struct sgpu_resource *res,
                         const void *front_private);
/* On success, the resource owns `dt`. */
bool sgpu_display_attach(struct sgpu_resource *res, struct sw_displaytarget *dt, unsigned stride);
void sgpu_display_destroy(struct pipe_screen *screen, struct sgpu_resource *res);
/* Copies pixels to the resource that other processes may have drawn.  A front buffer is copied
 * on each call, because glXWaitX orders the X server's drawing before GL's without a flush.  An
 * imported resource is copied once per frame.  May start a new stream.
 */
void sgpu_display_refresh(struct sgpu_context *ctx, struct sgpu_resource *res);
/* Version for draws and grids, for which sgpu_pixmap.c refreshes pixmaps in threaded contexts. */
void sgpu_display_refresh_queued(struct sgpu_context *ctx, struct sgpu_resource *res);

/* Submits all work and copies the resource, or a box of it, to the window system's memory. */
void sgpu_display_present(struct sgpu_context *ctx, struct sgpu_resource *res,
                          const struct pipe_box *box);

/* Must be called when a stream uses a resource and, with `write`, may change its pixels. */
static inline void
sgpu_display_note(struct sgpu_resource *res, bool write)
{
   if (write && res->display)
      p_atomic_set(&res->display->ours_newer, true);
}

/* Returns true if the resource is a texture from a pixmap. */
static inline bool
sgpu_display_is_pixmap(const struct sgpu_resource *res)
{
   return res->display && p_atomic_read(&res->display->texture);
}

/* Must be called in the program's thread when a view of the resource is created. */
void sgpu_display_note_view(struct sgpu_context *ctx, struct sgpu_resource *res);

/* A mapping of a buffer's storage, of a copy of a busy buffer, or of a linear copy of a texture. */
struct sgpu_transfer {
   struct threaded_transfer b;
   struct sgpu_buffer *memory; /* the mapped memory */
   bool copy;                  /* `memory` is a copy, not the storage */
   bool races;                 /* sgpu_layer_bo_race() has been called for the mapping */
   unsigned offset;            /* byte offset of the start of the box in `memory` */
   struct sgpu_layout layout;  /* layout of the linear copy of a texture */
};

/* sgpu_transfer.c */
void sgpu_transfer_context_init(struct pipe_context *pctx);

#endif
