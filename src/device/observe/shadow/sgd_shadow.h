/* SPDX-License-Identifier: MIT */
/*
 * Shadows, which are private copies of the device's memory (sgpu_shadow.h), and the images that
 * they are created from.
 */
#ifndef SGD_SHADOW_H
#define SGD_SHADOW_H

#include <pthread.h>
#include <stdlib.h>

#include "common/sgd_state.h"
#include "common/sgd_worker.h"
#include "common/sgd_xfer.h"
#include "sgpu_shadow.h"

/* The part of a state that determines how fragments change the targets. In this and all other
 * records of an image, surfaces have offsets in the image instead of pointers.
 */
struct sgd_shadow_state {
   unsigned num_colors;
   struct sgd_surface color[SGD_MAX_COLORS], zs;
   struct SGPU_DEPTH_STENCIL dsa;
   struct SGPU_STENCIL_REF stencil_ref;
   struct sgd_rop_state rop;
   uint8_t samples;
   /* test: depth or stencil is tested or written; late: the tests run after the pixel program */
   bool test, late;
};

/* A CPU write. */
struct sgd_shadow_write {
   uint64_t offset, size; /* offset: position in the image; size: size in bytes */
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
 * recorded submissions had the same address.
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
   pthread_mutex_t lock; /* protects the members below as long as the image is not finished */

   /* Memory files (memfd) with the contents of all buffers before and after the recorded
    * submissions. File positions are offsets in the image.
    */
   int initial, final;
   uint64_t span;         /* size of both files in bytes */
   uint8_t *final_memory; /* mapping of `final`, or NULL before the image is finished */

   struct sgd_shadow_buffer *buffers; /* all buffers, including destroyed ones */
   unsigned num_buffers, max_buffers;
   struct sgd_shadow_record *records;
   unsigned num_records, max_records;
   struct sgd_shadow_state **states; /* hash table of distinct states, with open addressing */
   unsigned num_states, max_states;  /* max_states is a power of two */
   struct sgd_surface *surfaces;     /* surfaces that records write, without duplicates */
   unsigned num_surfaces, max_surfaces;
   /* buffer ranges that records write; sgpu_shadow_compare_buffers() compares them */
   struct sgd_shadow_range *ranges;
   unsigned num_ranges, max_ranges;
};

/* The primitives that have written the depths of a surface. */
struct sgd_shadow_owners {
   uint64_t address; /* offset of the surface's first layer in the image */
   /* for each depth, the number of the primitive that has written it plus 1, or 0 if none has */
   uint32_t *numbers;
   uint64_t size; /* size of `numbers` in bytes */
};

struct sgpu_shadow {
   const struct sgpu_shadow_image *image;
   uint8_t *base; /* host address of offset 0 */
   bool stored;   /* set if the clear values of all fast-cleared tiles have been stored */
   struct sgd_worker worker;
   /* States and transfers of the records, with host addresses. Indexed by record; NULL before the
    * first use.
    */
   struct sgd_state **states;
   struct sgd_xfer **xfers;
   struct sgd_shadow_owners *owners;
   unsigned num_owners, max_owners;
};

/* Grows *array, if necessary, so that another element of `size` bytes fits. The array has `num`
 * elements and room for *max. Returns false on allocation failure.
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

/* Converts a device address inside a buffer to an offset in the image. The caller must hold
 * image->lock.
 */
uint64_t sgd_shadow_offset(const struct sgpu_shadow_image *image, uint64_t address);

/* Returns a copy of the surface in which offsets are replaced with host addresses. `base` is the
 * host address of offset 0.
 */
static inline struct sgd_surface
sgd_shadow_rebase(const struct sgd_surface *s, uint8_t *base)
{
   struct sgd_surface out = *s;

   out.base = s->base ? base + (uintptr_t)s->base : NULL;
   out.meta = s->meta ? base + (uintptr_t)s->meta : NULL;
   return out;
}

/* Sets out[] to the surfaces that a transfer writes, and returns the number of these surfaces. */
unsigned sgd_shadow_xfer_targets(const struct sgd_xfer *x,
                                 const struct sgd_surface *out[SGD_MAX_COLORS + 1]);
void sgd_shadow_describe(const struct sgd_surface *s, bool write, struct sgpu_shadow_surface *out);

/* Stores the clear values of all fast-cleared tiles to memory, for all surfaces of the image.
 * `base` is the host address of offset 0.
 */
void sgd_shadow_store_all(const struct sgpu_shadow_image *image, struct sgd_worker *worker,
                          uint8_t *base);

/* Creates a private mapping of one of the image's files. Returns NULL on failure. */
uint8_t *sgd_shadow_map(const struct sgpu_shadow_image *image, int file);

#endif
