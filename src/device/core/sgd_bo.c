/* SPDX-License-Identifier: MIT */
/*
 * The device's memory: one reserved mapping in which buffer objects get their
 * device addresses, so that an address is an offset.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "sgd_device.h"
#include "util/macros.h"
#include "util/u_math.h"

#define SGD_SPACE_MAX (UINT64_C(1) << 40)
#define SGD_SPACE_MIN (UINT64_C(1) << 30)
/* Addresses below are never buffers. */
#define SGD_SPACE_FIRST (UINT64_C(64) * 1024)
#define SGD_HUGE_PAGE (UINT64_C(2) * 1024 * 1024)
#define SGD_POISON 0xd0

int
sgd_space_init(struct sgpu_device *dev)
{
   /* Limits on address space differ: take what there is. */
   for (uint64_t size = SGD_SPACE_MAX; size >= SGD_SPACE_MIN; size /= 2) {
      void *p = mmap(NULL, size, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
      if (p == MAP_FAILED)
         continue;

      dev->space = p;
      dev->space_size = size;
      if (!sgd_holes_init(&dev->holes, SGD_SPACE_FIRST, size - SGD_SPACE_FIRST)) {
         munmap(p, size);
         return -ENOMEM;
      }
      pthread_mutex_init(&dev->bo_lock, NULL);
      return 0;
   }
   return -ENOMEM;
}

void
sgd_space_finish(struct sgpu_device *dev)
{
   sgd_holes_finish(&dev->holes);
   pthread_mutex_destroy(&dev->bo_lock);
   munmap(dev->space, dev->space_size);
}

/* Gives memory back: nothing is mapped at the addresses, which stay the device's. */
static bool
reserve(void *host, uint64_t size)
{
   return mmap(host, size, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED,
               -1, 0) != MAP_FAILED;
}

/* The pages of a shared mapping at the object's addresses, too. */
static int
map_shared(struct sgpu_bo *bo, void *shared)
{
   /* Of length 0, a shared mapping stays and is made once more.  Elsewhere at first:
    * where mremap() fails, what it was to replace may be unmapped already.
    */
   void *again = mremap(shared, 0, bo->size, MREMAP_MAYMOVE);
   if (again == MAP_FAILED)
      return -EINVAL;
   if (mremap(again, bo->size, bo->size, MREMAP_MAYMOVE | MREMAP_FIXED, sgd_bo_host(bo)) ==
       MAP_FAILED) {
      munmap(again, bo->size);
      reserve(sgd_bo_host(bo), bo->size);
      return -ENOMEM;
   }
   return 0;
}

/* Memory at the addresses of a new object: its own, or that of `shared`. */
static int
bo_map(struct sgpu_device *dev, struct sgpu_bo *bo, void *shared)
{
   uint8_t *host = sgd_bo_host(bo);

   if (shared)
      return map_shared(bo, shared);
   if (mprotect(host, bo->size, PROT_READ | PROT_WRITE))
      return -ENOMEM;
   if (bo->size >= SGD_HUGE_PAGE)
      madvise(host, bo->size, MADV_HUGEPAGE);
   if (dev->params.poison)
      memset(host, SGD_POISON, bo->size);
   return 0;
}

/* address 0: anywhere; shared NULL: memory of its own */
static int
bo_create(struct sgpu_device *dev, uint64_t address, void *shared, uint64_t size,
          const char *label, struct sgpu_bo **out)
{
   *out = NULL;
   if (dev->dead)
      return -ENODEV;
   if (size == 0 || size > dev->space_size)
      return -EINVAL;

   struct sgpu_bo *bo = calloc(1, sizeof(*bo));
   if (!bo)
      return -ENOMEM;

   bo->dev = dev;
   bo->requested = size;
   bo->size = align64(size, SGPU_PAGE_SIZE);
   bo->refs = 1;
   list_inithead(&bo->readers);
   list_inithead(&bo->writers);
   snprintf(bo->label, sizeof(bo->label), "%s", label ? label : "");

   const uint64_t alignment = bo->size >= SGD_HUGE_PAGE ? SGD_HUGE_PAGE : SGPU_PAGE_SIZE;

   pthread_mutex_lock(&dev->bo_lock);
   if (!address)
      bo->address = sgd_holes_take(&dev->holes, bo->size, alignment);
   else if (sgd_holes_take_at(&dev->holes, address, bo->size))
      bo->address = address;
   pthread_mutex_unlock(&dev->bo_lock);

   if (!bo->address) {
      free(bo);
      return address ? -EBUSY : -ENOMEM;
   }

   const int error = bo_map(dev, bo, shared);
   if (error) {
      pthread_mutex_lock(&dev->bo_lock);
      sgd_holes_give(&dev->holes, bo->address, bo->size);
      pthread_mutex_unlock(&dev->bo_lock);
      free(bo);
      return error;
   }

   atomic_fetch_add(&dev->memory_used, bo->size);
   *out = bo;
   return 0;
}

int
sgpu_bo_create(struct sgpu_device *dev, uint64_t size, const char *label, struct sgpu_bo **out)
{
   return bo_create(dev, 0, NULL, size, label, out);
}

int
sgpu_bo_create_at(struct sgpu_device *dev, uint64_t address, uint64_t size, const char *label,
                  struct sgpu_bo **out)
{
   *out = NULL;
   if (address < SGD_SPACE_FIRST || address % SGPU_PAGE_SIZE || size > dev->space_size ||
       address > dev->space_size - align64(size, SGPU_PAGE_SIZE))
      return -EINVAL;
   return bo_create(dev, address, NULL, size, label, out);
}

int
sgpu_bo_create_shared(struct sgpu_device *dev, void *memory, uint64_t size, const char *label,
                      struct sgpu_bo **out)
{
   *out = NULL;
   if (!memory || (uintptr_t)memory % SGPU_PAGE_SIZE)
      return -EINVAL;
   return bo_create(dev, 0, memory, size, label, out);
}

void
sgd_bo_ref(struct sgpu_bo *bo)
{
   atomic_fetch_add(&bo->refs, 1);
}

void
sgd_bo_unref(struct sgpu_bo *bo)
{
   if (atomic_fetch_sub(&bo->refs, 1) != 1)
      return;

   struct sgpu_device *dev = bo->dev;
   assert(list_is_empty(&bo->readers) && list_is_empty(&bo->writers));
   if (bo->read_event)
      sgd_event_unref(bo->read_event);
   if (bo->write_event)
      sgd_event_unref(bo->write_event);

   /* The memory reads as zero when the addresses are used again. */
   if (reserve(sgd_bo_host(bo), bo->size)) {
      pthread_mutex_lock(&dev->bo_lock);
      sgd_holes_give(&dev->holes, bo->address, bo->size);
      pthread_mutex_unlock(&dev->bo_lock);
   }
   atomic_fetch_sub(&dev->memory_used, bo->size);
   free(bo);
}

void
sgpu_bo_destroy(struct sgpu_bo *bo)
{
   /* In the child of a fork locks may be held by threads that are gone. */
   if (!bo || bo->dev->dead)
      return;
   /* The cached events of a buffer are the dispatch unit's. */
   struct sgpu_device *dev = bo->dev;
   pthread_mutex_lock(&dev->lock);
   sgd_bo_unref(bo);
   pthread_mutex_unlock(&dev->lock);
}

void *
sgpu_bo_map(struct sgpu_bo *bo)
{
   return sgd_bo_host(bo);
}

uint64_t
sgpu_bo_address(const struct sgpu_bo *bo)
{
   return bo->address;
}

uint64_t
sgpu_bo_size(const struct sgpu_bo *bo)
{
   return bo->requested;
}

struct sgpu_bo *
sgd_submission_find(const struct sgd_submission *sub, uint64_t address, uint64_t size)
{
   unsigned lo = 0, hi = sub->num_bos;

   /* last buffer that begins at or below the address */
   while (lo < hi) {
      const unsigned mid = (lo + hi) / 2;
      if (sub->bos[mid]->address <= address)
         lo = mid + 1;
      else
         hi = mid;
   }
   if (lo == 0)
      return NULL;

   struct sgpu_bo *bo = sub->bos[lo - 1];
   const uint64_t offset = address - bo->address;
   return offset < bo->size && size <= bo->size - offset ? bo : NULL;
}
