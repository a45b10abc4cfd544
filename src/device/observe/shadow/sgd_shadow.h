/* SPDX-License-Identifier: MIT */
/*
 * Shadows of the device's memory (sgpu_shadow.h): data structures of images and shadows.
 */
#ifndef SGD_SHADOW_H
#define SGD_SHADOW_H

#include <pthread.h>
#include <stdlib.h>

#include "common/sgd_state.h"
#include "common/sgd_worker.h"
#include "common/sgd_xfer.h"
#include "sgpu_shadow.h"

/* The subset of a state that determines the effect of fragments on targets. Here and in all other
 * records, the pointers of surfaces are offsets in the shadow image.
 */
struct sgd_shadow_state {
   unsigned num_colors;
   struct sgd_surface color[SGD_MAX_COLORS], zs;
   struct SGPU_DEPTH_STENCIL dsa;
   struct SGPU_STENCIL_REF stencil_ref;
   struct sgd_rop_state rop;
   uint8_t samples;
   bool test, late; /* depth or stencil is tested or written; tests run after the pixel program */
};

/* A CPU write. */
struct sgd_shadow_write {
   uint64_t offset, size; /* offset in the image and size, in bytes */
   uint8_t *data;
};

enum sgd_shadow_kind {
   SGD_SHADOW_STATE,
   SGD_SHADOW_XFER,
   SGD_SHADOW_WRITE,
};

struct sgd_shadow_record {
   enum sgd_shadow_kind kind;
   union {
      const struct sgd_shadow_state *state; /* shared by records with equal states */
      struct sgd_xfer *xfer;
      struct sgd_shadow_write *write;
   } u;
};

struct sgd_shadow_range {
   uint64_t begin, end; /* half-open range of offsets in the image */
};

/* A buffer in the image. Its offset equals its device address, unless an earlier buffer in the
 * range of submissions had the same address.
 */
struct sgd_shadow_buffer {
   uint64_t address, size; /* device address; size in bytes */
   uint64_t offset;        /* offset in the image */
   bool live;              /* the buffer has not been destroyed */
};

struct sgpu_shadow_image {
   const struct sgd_arch_ops *ops;
   const uint8_t *base; /* host address of device address 0 */
   bool finished;
   pthread_mutex_t lock; /* protects the members below until the image is finished */

   /* Memory file descriptors (memfd) with the contents at the start and at the end of the range,
    * indexed by offset.
    */
   int initial, final;
   uint64_t span;         /* size of both files in bytes */
   uint8_t *final_memory; /* mapping of `final`, or NULL before the image is finished */

   struct sgd_shadow_buffer *buffers; /* all buffers, including destroyed ones */
   unsigned num_buffers, max_buffers;
   struct sgd_shadow_record *records;
   unsigned num_records, max_records;
   struct sgd_shadow_state **states; /* distinct states, in a hash table with open addressing */
   unsigned num_states, max_states;  /* max_states is a power of two */
   struct sgd_surface *surfaces;     /* surfaces that records write, without duplicates */
   unsigned num_surfaces, max_surfaces;
   struct sgd_shadow_range *ranges; /* buffer ranges that records write, for the comparison */
   unsigned num_ranges, max_ranges;
};

/* For each depth of a surface, the primitive that it belongs to. */
struct sgd_shadow_owners {
   uint64_t address;  /* offset of the surface's first layer in the image */
   uint32_t *numbers; /* number of each primitive plus 1; 0 for contents from before the range */
   uint64_t size;     /* size of `numbers` in bytes */
};

struct sgpu_shadow {
   const struct sgpu_shadow_image *image;
   uint8_t *base; /* host address of offset 0 */
   bool stored;   /* the clear values of all fast clears have been stored */
   struct sgd_worker worker;
   /* Records with host addresses, indexed by record; NULL before the first use. */
   struct sgd_state **states;
   struct sgd_xfer **xfers;
   struct sgd_shadow_owners *owners;
   unsigned num_owners, max_owners;
};

/* Makes room for one more element of `size` bytes in *array, which has `num` elements and room for
 * *max. Returns false on allocation failure.
 */
static inline bool
sgd_shadow_grow(void *array, unsigned num, unsigned *max, size_t size)
{
   void **p = array;

   if (num < *max)
      return true;
   const unsigned more = *max ? *max * 2 : 64;
   void *q = realloc(*p, more * size);
   if (!q)
      return false;
   *p = q;
   *max = more;
   return true;
}

/* Returns the offset of a device address inside a buffer. Called with the lock held. */
uint64_t sgd_shadow_offset(const struct sgpu_shadow_image *image, uint64_t address);

/* Returns the surface with offsets replaced by host addresses. `base` is the host address of offset
 * 0.
 */
static inline struct sgd_surface
sgd_shadow_rebase(const struct sgd_surface *s, uint8_t *base)
{
   struct sgd_surface out = *s;

   out.base = s->base ? base + (uintptr_t)s->base : NULL;
   out.meta = s->meta ? base + (uintptr_t)s->meta : NULL;
   return out;
}

/* Sets out[] to the surfaces that a transfer writes. Returns the number of surfaces. */
unsigned sgd_shadow_xfer_targets(const struct sgd_xfer *x,
                                 const struct sgd_surface *out[SGD_MAX_COLORS + 1]);
void sgd_shadow_describe(const struct sgd_surface *s, bool write, struct sgpu_shadow_surface *out);

/* Stores the clear values of all fast-cleared tiles of the image's surfaces in the memory at
 * `base`.
 */
void sgd_shadow_store_all(const struct sgpu_shadow_image *image, struct sgd_worker *worker,
                          uint8_t *base);

/* Returns a private mapping of one of the image's files, or NULL on failure. */
uint8_t *sgd_shadow_map(const struct sgpu_shadow_image *image, int file);

#endif
