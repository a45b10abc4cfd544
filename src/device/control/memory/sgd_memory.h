/* SPDX-License-Identifier: MIT */
/*
 * Device memory: one reserved mapping, in which buffer objects get their device addresses. A device
 * address is an offset in this mapping.
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
   _Atomic uint64_t used; /* total size of all buffer objects in bytes */
   struct sgpu_bo *users; /* list of buffer objects over user memory */
   bool poison;           /* fill newly allocated memory with a pattern instead of zeros */
};

struct sgpu_bo {
   struct sgpu_device *dev; /* owning device, set by the public interface */
   struct sgd_memory *memory;
   uint64_t address, size; /* device address; size in bytes, rounded up to pages */
   uint64_t requested;
   _Atomic uint32_t refs;
   _Atomic uint32_t busy; /* number of submissions that use the object */
   char label[32];
   bool user;   /* the object is over user memory of the process */
   bool shared; /* the object is over a shared mapping of the process */
   struct sgpu_bo *next_user;
   /* records of the dispatch unit, while operations access the object */
   struct sgd_hazards *hazards;
   _Atomic bool bound; /* the object has been bound as a vertex, index or constant buffer */
};

/* Buffers that a submission can access, sorted by address, without duplicates. */
struct sgd_bo_list {
   struct sgpu_bo **bos;
   unsigned count;
};

/* Returns 0, or -ENOMEM if the host grants no address space. */
int sgd_memory_init(struct sgd_memory *memory, bool poison);
/* `dead` must be set in a forked child, where a thread of the parent may have been modifying the
 * records. Then, only the mapping is freed.
 */
void sgd_memory_finish(struct sgd_memory *memory, bool dead);

/* Creates a buffer of `size` bytes with one reference, at the given address, or at any address if
 * `address` is 0. If `shared` is NULL, allocates new memory; otherwise, the buffer uses this shared
 * mapping of the process. Returns 0, -EINVAL, -EBUSY (the address is in use) or -ENOMEM.
 */
int sgd_bo_create(struct sgd_memory *memory, uint64_t address, void *shared, uint64_t size,
                  const char *label, struct sgpu_bo **out);
/* Creates a buffer over user memory of the process. Its device address is the offset of the memory
 * from `base`, which is above the device's own memory. If a buffer of at least this size already
 * starts there (e.g. unfinished work still uses it), returns that buffer with another reference.
 * Returns -EINVAL if the memory is not page-aligned, not mapped, or below the end of the device's
 * own memory, and -EBUSY if another buffer overlaps the memory.
 */
int sgd_bo_create_user(struct sgd_memory *memory, void *user, uint64_t size, const char *label,
                       struct sgpu_bo **out);
/* Returns true if a buffer can be at [address, address + size). */
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
/* Returns the buffer that contains [address, address + size), or NULL. */
struct sgpu_bo *sgd_bo_list_find(const struct sgd_bo_list *list, uint64_t address, uint64_t size);

#endif
