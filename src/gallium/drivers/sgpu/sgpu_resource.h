/* SPDX-License-Identifier: MIT */
/* Resources: buffers, and textures in the device's layout.
 *
 * Invalidating a buffer replaces its storage, so the storage may change during the lifetime of the
 * resource.  `lock` protects the pointer to the storage.  Users must hold the lock while they take
 * a reference to the storage or record it in a command stream.  The storage of a texture never
 * changes.
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

/* Window system state of a resource that is presented or imported. */
struct sgpu_display {
   struct sw_displaytarget *dt;
   unsigned stride;         /* row pitch of `dt` in bytes */
   const void *front;       /* drawable whose front buffer is `dt`, or NULL */
   simple_mtx_t front_lock; /* held while `front` is read or reset */
   bool texture;            /* atomic: set if the application uses the front buffer as a texture */
   bool imported;           /* set if other processes may write to `dt` */
   /* atomic: set if the driver has drawn to the resource since the last presentation */
   bool ours_newer;

   simple_mtx_t lock;           /* protects the members below */
   struct sgpu_layout layout;   /* linear layout of the staging memory */
   struct sgpu_buffer *staging; /* linear memory that presentations copy to, or NULL */
   bool direct;                 /* set if `staging` is the memory of `dt`, which stays mapped */
   /* byte offset of the picture in `staging`, or 0 if `direct` is not set */
   unsigned offset;
   /* ID of the staging contents, for the field Contents of COPY SURFACE; 0 after the IDs have
    * overflowed
    */
   uint16_t contents;
   /* device address of the storage that was last copied to `staging`, or 0 */
   uint64_t source;
   uint64_t refreshed; /* sgpu_context::frame at the latest refresh */
};

struct sgpu_resource {
   struct threaded_resource b;
   simple_mtx_t lock; /* protects `storage` */
   struct sgpu_buffer *storage;
   struct sgpu_layout layout; /* layout of a texture */
   /* Atomic.  The low half is a bitmask of the levels that may have fast-cleared tiles, whose
    * pixels are not stored in memory yet.  The high half counts the calls that set bits in the
    * mask.
    */
   uint64_t fast_cleared;
   /* atomic: number of persistent mappings; the storage is only replaced if there are none */
   int32_t persistent_maps;
   /* atomic: set if texture units or images read the resource, which disables fast clears */
   bool sampled;
   struct sgpu_display *display; /* window system state, or NULL */
};

static inline struct sgpu_resource *
sgpu_resource(struct pipe_resource *res)
{
   return (struct sgpu_resource *)res;
}

/* Returns the current storage with a new reference. */
static inline struct sgpu_buffer *
sgpu_resource_storage(struct sgpu_resource *res)
{
   struct sgpu_buffer *buf = NULL;

   simple_mtx_lock(&res->lock);
   sgpu_buffer_reference(&buf, res->storage);
   simple_mtx_unlock(&res->lock);
   return buf;
}

/* Records that the stream uses the storage, and returns the device address of byte `offset`. */
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

/* Allocates `size` bytes of zeroed storage.  Returns NULL on allocation failure. */
struct sgpu_buffer *sgpu_resource_alloc(struct pipe_screen *screen,
                                        const struct pipe_resource *templat, uint64_t size);

/* Replaces the storage of a busy buffer.  Returns false if the storage can't be replaced. */
bool sgpu_resource_renew(struct sgpu_context *ctx, struct sgpu_resource *res);

/* Marks the levels in bitmask `levels` as fast cleared.  The fast clear may still be in the stream
 * under construction.
 */
static inline void
sgpu_resource_note_fast_clear(struct sgpu_resource *res, uint32_t levels)
{
   uint64_t old, noted;

   do {
      old = p_atomic_read(&res->fast_cleared);
      noted = (old | levels) + (1ull << 32);
   } while (p_atomic_cmpxchg(&res->fast_cleared, old, noted) != old);
}

/* Stores the clear values of fast-cleared tiles to memory.  Must be called before a texture unit or
 * an image accesses the resource, because only copies and blits read the metadata of fast clears.
 * May start a new stream.
 */
void sgpu_resource_resolve(struct sgpu_context *ctx, struct sgpu_resource *res);

/* Returns the number of array layers, cube faces or slices of a level. */
static inline unsigned
sgpu_resource_layers(const struct sgpu_resource *res, unsigned level)
{
   return sgpu_layout_layers(&res->layout, level);
}

/* sgpu_display.c */
bool sgpu_display_create(struct pipe_screen *screen, struct sgpu_resource *res,
                         const void *front_private);
/* Makes `dt` the display target of the resource.  On success, the resource owns `dt`. */
bool sgpu_display_attach(struct sgpu_resource *res, struct sw_displaytarget *dt, unsigned stride);
void sgpu_display_destroy(struct pipe_screen *screen, struct sgpu_resource *res);
/* Copies pixels that other processes may have drawn to the resource.  Front buffers are copied on
 * each call, because glXWaitX() orders the X server's drawing before GL's without a flush.
 * Imported resources are copied once per frame.  May start a new stream.
 */
void sgpu_display_refresh(struct sgpu_context *ctx, struct sgpu_resource *res);
/* Like sgpu_display_refresh(), but for draws and grids.  Skips pixmaps in threaded contexts,
 * because sgpu_pixmap.c refreshes them.
 */
void sgpu_display_refresh_queued(struct sgpu_context *ctx, struct sgpu_resource *res);

/* Submits the stream, and copies the resource or a box of it to the window system's memory.
 * `drawable` is the window that shows the picture, or NULL.
 */
void sgpu_display_present(struct sgpu_context *ctx, struct sgpu_resource *res,
                          const struct pipe_box *box, const void *drawable);

/* Must be called when a stream uses a resource.  `write` must be true if the stream may change the
 * pixels.
 */
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

/* A mapping of a buffer's storage, of a staging copy of a busy buffer, or of a linear copy of a
 * texture.
 */
struct sgpu_transfer {
   struct threaded_transfer b;
   struct sgpu_buffer *memory; /* the mapped memory */
   bool copy;                  /* set if `memory` is a copy of the storage */
   bool races;                 /* set if the mapping was announced with sgpu_layer_bo_race() */
   unsigned offset;            /* byte offset of the box in `memory` */
   struct sgpu_layout layout;  /* layout of the linear copy of a texture */
};

/* sgpu_transfer.c */
void sgpu_transfer_context_init(struct pipe_context *pctx);

#endif
