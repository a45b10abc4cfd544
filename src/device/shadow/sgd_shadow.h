/* SPDX-License-Identifier: MIT */
/*
 * Shadows of the device's memory (sgpu_shadow.h): what images and shadows are made of.
 */
#ifndef SGD_SHADOW_H
#define SGD_SHADOW_H

#include <pthread.h>
#include <stdlib.h>

#include "sgd_state.h"
#include "sgd_worker.h"
#include "sgd_xfer.h"
#include "sgpu_shadow.h"

/* Of a state, the part that decides what fragments do to targets.  Pointers of surfaces are
 * device addresses, here and in all records.
 */
struct sgd_shadow_state {
   unsigned num_colors;
   struct sgd_surface color[SGD_MAX_COLORS], zs;
   struct SGPU_DEPTH_STENCIL dsa;
   struct SGPU_STENCIL_REF stencil_ref;
   struct sgd_rop_state rop;
   uint8_t samples;
   bool test, late;
};

/* By the CPU. */
struct sgd_shadow_write {
   uint64_t address, size;
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
      const struct sgd_shadow_state *state; /* shared by the records of equal ones */
      struct sgd_xfer *xfer;
      struct sgd_shadow_write *write;
   } u;
};

struct sgd_shadow_range {
   uint64_t begin, end; /* device addresses */
};

struct sgpu_shadow_image {
   const struct sgd_arch_ops *ops;
   const uint8_t *base; /* host address of device address 0 */
   bool finished;
   pthread_mutex_t lock; /* the rest, until the image is finished */

   /* Files in memory, of which the offset is the device address. */
   int initial, final;
   uint64_t span; /* bytes of both, page by page */
   uint8_t *final_memory;

   struct sgd_shadow_range *buffers; /* that exist now */
   unsigned num_buffers, max_buffers;
   struct sgd_shadow_record *records;
   unsigned num_records, max_records;
   struct sgd_shadow_state **states; /* distinct ones, by hash; open addressing */
   unsigned num_states, max_states;  /* a power of two */
   struct sgd_surface *surfaces;     /* written, each once */
   unsigned num_surfaces, max_surfaces;
   struct sgd_shadow_range *ranges; /* of bytes of buffers that are compared */
   unsigned num_ranges, max_ranges;
};

/* Numbers of the primitives that the depths of a surface are of. */
struct sgd_shadow_owners {
   uint64_t address;
   uint32_t *numbers;
   uint64_t size; /* bytes */
};

struct sgpu_shadow {
   const struct sgpu_shadow_image *image;
   uint8_t *base; /* of device address 0 */
   bool stored;   /* no fast clear is left */
   struct sgd_worker worker;
   /* By record, made at first use: the record with host addresses. */
   struct sgd_state **states;
   struct sgd_xfer **xfers;
   struct sgd_shadow_owners *owners;
   unsigned num_owners, max_owners;
};

/* Room for one more element of `size` bytes in *array, which has `num` and room for *max. */
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

/* The surface at `base`: device addresses become host addresses. */
static inline struct sgd_surface
sgd_shadow_rebase(const struct sgd_surface *s, uint8_t *base)
{
   struct sgd_surface out = *s;

   out.base = s->base ? base + (uintptr_t)s->base : NULL;
   out.meta = s->meta ? base + (uintptr_t)s->meta : NULL;
   return out;
}

/* Surfaces that a transfer writes, into `out`. */
unsigned sgd_shadow_xfer_targets(const struct sgd_xfer *x,
                                 const struct sgd_surface *out[SGD_MAX_COLORS + 1]);
void sgd_shadow_describe(const struct sgd_surface *s, bool write, struct sgpu_shadow_surface *out);

/* Stores the elements of fast clears of all surfaces of the image, in the memory at `base`. */
void sgd_shadow_store_all(const struct sgpu_shadow_image *image, struct sgd_worker *worker,
                          uint8_t *base);

/* A mapping of one of the image's files that others do not see, or NULL. */
uint8_t *sgd_shadow_map(const struct sgpu_shadow_image *image, int file);

#endif
