/* SPDX-License-Identifier: MIT */
/*
 * Device memory: one reserved mapping in which buffer objects get their device addresses.
 * So a device address is an offset in the mapping.
 */
#ifndef SGD_MEMORY_H
#define SGD_MEMORY_H

#include <pthread.h>
#include <stdatomic.h>

#include "control/memory/sgd_holes.h"
#include "control/memory/sgd_pages.h"
#include "sgpu_device.h"

struct sgd_hazards;

struct sgd_memory {
   pthread_mutex_t lock; /* protects holes, pages and users */
   struct sgd_holes holes;
   struct sgd_pages pages;
   uint8_t *base;         /* host address of device address 0 */
   uint64_t size;         /* size of the address space in bytes */
   _Atomic uint64_t used; /* bytes in buffer objects */
   struct sgpu_bo *users; /* list of objects over memory of the process */
   bool poison;           /* fill new storage with a pattern instead of zeros */
};

struct sgpu_bo {
   struct sgpu_device *dev; /* device, set by the public interface */
   struct sgd_memory *memory;
   uint64_t address, size; /* device address; size in bytes, rounded up to pages */
   uint64_t requested;
   _Atomic uint32_t refs;
   _Atomic uint32_t busy; /* number of submissions that name the object */
   char label[32];
   bool user;   /* object over memory of the process */
   bool shared; /* object over a shared mapping */
   struct sgpu_bo *next_user;
   struct sgd_hazards *hazards; /* records of dispatch, while operations access the object */
   _Atomic bool bound;          /* the object has been bound as vertex, index or constant buffer */
};

/* Buffers that a submission may reach, sorted by address, without duplicates. */
struct sgd_bo_list {
   struct sgpu_bo **bos;
   unsigned count;
};

/* Returns -ENOMEM if the host grants no address space. */
int sgd_memory_init(struct sgd_memory *memory, bool poison);
/* `dead` is set in the child of a fork, where a thread of the parent may have been
 * changing the records. Then only the mapping is freed.
 */
void sgd_memory_finish(struct sgd_memory *memory, bool dead);

/* Creates a buffer of `size` bytes with one reference, at the given address, or at any
 * address if it is 0. If `shared` is NULL, the buffer gets new memory; otherwise it uses
 * this shared mapping of the process. Returns 0, -EINVAL, -EBUSY (the address is allocated)
 * or -ENOMEM.
 */
int sgd_bo_create(struct sgd_memory *memory, uint64_t address, void *shared, uint64_t size,
                  const char *label, struct sgpu_bo **out);
/* Creates a buffer over memory of the process. Its address is the distance of the memory
 * from `base` and is above the device's own memory. If a buffer of at least this size
 * already starts there, which unfinished work may keep, it gets another reference.
 * Returns -EINVAL if the memory does not start at a page, is not mapped, or is below the
 * end of the device's own memory, and -EBUSY if another buffer overlaps it.
 */
int sgd_bo_create_user(struct sgd_memory *memory, void *user, uint64_t size, const char *label,
                       struct sgpu_bo **out);
/* Returns true if [address, address + size) can be a buffer. */
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
/* Returns the buffer that contains [address, address + size), or NULL. */
struct sgpu_bo *sgd_bo_list_find(const struct sgd_bo_list *list, uint64_t address, uint64_t size);

#endif
