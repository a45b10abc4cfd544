/* SPDX-License-Identifier: MIT */
/*
 * The device's memory: one reserved mapping in which buffer objects get their
 * device addresses, so that an address is an offset.
 */
#ifndef SGD_MEMORY_H
#define SGD_MEMORY_H

#include <pthread.h>
#include <stdatomic.h>

#include "sgd_holes.h"
#include "sgd_pages.h"
#include "sgpu_device.h"

struct sgd_hazards;

struct sgd_memory {
   pthread_mutex_t lock; /* holes, pages, users */
   struct sgd_holes holes;
   struct sgd_pages pages;
   uint8_t *base;         /* host address of device address 0 */
   uint64_t size;         /* bytes of address space */
   _Atomic uint64_t used; /* bytes in buffer objects */
   struct sgpu_bo *users; /* objects over memory of the process, a list */
   bool poison;           /* fill new storage with a pattern instead of zeros */
};

struct sgpu_bo {
   struct sgpu_device *dev; /* of the public interface */
   struct sgd_memory *memory;
   uint64_t address, size; /* size rounded up to pages */
   uint64_t requested;
   _Atomic uint32_t refs;
   _Atomic uint32_t busy; /* submissions that name it */
   char label[32];
   bool user;   /* over memory of the process */
   bool shared; /* over a shared mapping */
   struct sgpu_bo *next_user;
   struct sgd_hazards *hazards; /* the dispatch unit's: while operations access it */
   _Atomic bool bound;          /* was once bound as vertex, index or constant buffer */
};

/* Buffers that a submission may reach, by address, each once. */
struct sgd_bo_list {
   struct sgpu_bo **bos;
   unsigned count;
};

/* -ENOMEM: no address space. */
int sgd_memory_init(struct sgd_memory *memory, bool poison);
/* dead: in the child of a fork, where a thread of the parent may have been changing the
 * records: only the mapping goes.
 */
void sgd_memory_finish(struct sgd_memory *memory, bool dead);

/* A buffer of `size` bytes with one reference.  `address` 0: at any address,
 * else at this one.  `shared` NULL: with memory of its own, else over a shared
 * mapping of the process.  -EINVAL, -EBUSY (the address is taken), -ENOMEM.
 */
int sgd_bo_create(struct sgd_memory *memory, uint64_t address, void *shared, uint64_t size,
                  const char *label, struct sgpu_bo **out);
/* A buffer over memory of the process, whose address is the memory's distance from `base`
 * and lies behind the device's own.  A buffer that begins there and is large enough, as work
 * that has not ended may keep one, gets another reference.  -EINVAL: the memory does not begin
 * at a page, is not mapped, or lies before the end of the device's own; -EBUSY: another buffer
 * has a part of it.
 */
int sgd_bo_create_user(struct sgd_memory *memory, void *user, uint64_t size, const char *label,
                       struct sgpu_bo **out);
/* [address, address + size) can be a buffer. */
bool sgd_memory_holds(const struct sgd_memory *memory, uint64_t address, uint64_t size);

void sgd_bo_ref(struct sgpu_bo *bo);
void sgd_bo_unref(struct sgpu_bo *bo);

static inline uint8_t *
sgd_bo_host(const struct sgpu_bo *bo)
{
   return bo->memory->base + bo->address;
}

/* Sorts the list and drops duplicates. */
void sgd_bo_list_sort(struct sgd_bo_list *list);
/* The buffer that holds [address, address + size), or NULL. */
struct sgpu_bo *sgd_bo_list_find(const struct sgd_bo_list *list, uint64_t address, uint64_t size);

#endif
