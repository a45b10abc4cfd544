/* SPDX-License-Identifier: MIT */
/*
 * Device memory: reserves a large range of host addresses, in which all buffer objects are placed.
 * A device address is an offset in this range.
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
   _Atomic uint64_t used; /* sum of the sizes of all buffer objects, in bytes */
   struct sgpu_bo *users; /* buffer objects in user memory, linked by next_user */
   bool poison;           /* fill new buffers with a pattern instead of zeros, for debugging */
};

struct sgpu_bo {
   struct sgpu_device *dev; /* owning device, set by the public interface */
   struct sgd_memory *memory;
   /* address: device address; size: size in bytes, rounded up to whole pages */
   uint64_t address, size;
   uint64_t requested;
   _Atomic uint32_t refs;
   _Atomic uint32_t busy; /* number of submissions that use the object and have not ended */
   char label[32];
   bool user;   /* the memory belongs to the application (a user pointer) */
   bool shared; /* the memory is a shared mapping of the application */
   struct sgpu_bo *next_user;
   /* accesses by operations in flight, or NULL if there are none */
   struct sgd_hazards *hazards;
   _Atomic bool bound; /* true if the object was ever bound as a vertex, index or constant buffer */
};

/* All buffers that a submission can access, sorted by address and without duplicates. */
struct sgd_bo_list {
   struct sgpu_bo **bos;
   unsigned count;
};

/* Returns 0, or -ENOMEM if the host doesn't have enough address space. */
int sgd_memory_init(struct sgd_memory *memory, bool poison);
/* `dead` must be true in a forked child if a thread of the parent may have been changing the data
 * at the time of the fork. Only the mapping is then freed.
 */
void sgd_memory_finish(struct sgd_memory *memory, bool dead);

/* Creates a buffer of `size` bytes, with one reference. If `address` is 0, the buffer gets any free
 * address. If `shared` is not NULL, the buffer uses the pages of this shared mapping; otherwise, it
 * gets new memory. Returns 0, -ENOMEM, -EINVAL, or -EBUSY if the address is in use.
 */
int sgd_bo_create(struct sgd_memory *memory, uint64_t address, void *shared, uint64_t size,
                  const char *label, struct sgpu_bo **out);
/* Creates a buffer in user memory of the process. Its device address is the distance from `base`,
 * so the memory must be above the device's own memory. If there already is a buffer at this
 * address, and it is large enough, adds a reference to it and returns it. The reason can be that
 * unfinished work still uses it. Returns -EINVAL if the memory is not page-aligned, not mapped or
 * at too low an address, and -EBUSY if it overlaps any other buffer.
 */
int sgd_bo_create_user(struct sgd_memory *memory, void *user, uint64_t size, const char *label,
                       struct sgpu_bo **out);
/* Returns true if a buffer of this size could be placed at the address. */
bool sgd_memory_holds(const struct sgd_memory *memory, uint64_t address, uint64_t size);

void sgd_bo_ref(struct sgpu_bo *bo);
void sgd_bo_unref(struct sgpu_bo *bo);

static inline uint8_t *
sgd_bo_host(const struct sgpu_bo *bo)
{
   return bo->memory->base + bo->address;
}

/* Sorts the list and removes duplicates. */
void sgd_bo_list_sort(struct sgd_bo_list *list);
/* Returns the buffer that contains the whole range [address, address + size), or NULL. */
struct sgpu_bo *sgd_bo_list_find(const struct sgd_bo_list *list, uint64_t address, uint64_t size);

#endif
