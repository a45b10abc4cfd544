/* SPDX-License-Identifier: MIT */
/*
 * Device memory: reserves a large range of host addresses, in which all buffer objects are placed.
 * A device address is an offset in this range.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "control/memory/sgd_memory.h"
#include "util/macros.h"
#include "util/u_math.h"

#define SGD_SPACE_MAX (UINT64_C(1) << 40)
#define SGD_SPACE_MIN (UINT64_C(1) << 30)
/* The first device address that a buffer can have. */
#define SGD_SPACE_FIRST (UINT64_C(64) * 1024)
#define SGD_POISON 0xd0
/* Preferred host address for the memory of each device in the process. It is lower than most other
 * addresses, so that most of the process's memory is above it and has device addresses, too.
 */
#define SGD_SPACE_PLACE(i) ((void *)(uintptr_t)((UINT64_C(32) + (i)) << 40))
#define SGD_SPACE_PLACES 8
/* Packets store addresses with 48 bits, so this is the end of the address space. */
#define SGD_ADDRESS_END (UINT64_C(1) << 48)

static void *
take_space(uint64_t size)
{
   for (unsigned i = 0;; i++) {
      void *p = mmap(SGD_SPACE_PLACE(i), size, PROT_NONE,
                     MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
      if (p == MAP_FAILED || p == SGD_SPACE_PLACE(i) || i == SGD_SPACE_PLACES)
         return p;
      munmap(p, size);
   }
}

int
sgd_memory_init(struct sgd_memory *memory, bool poison)
{
   memory->poison = poison;
   memory->users = NULL;
   /* Some hosts limit the address space of a process, so try smaller sizes until one succeeds. */
   for (uint64_t size = SGD_SPACE_MAX; size >= SGD_SPACE_MIN; size /= 2) {
      void *p = take_space(size);
      if (p == MAP_FAILED)
         continue;

      memory->base = p;
      memory->size = size;
      if (!sgd_pages_init(&memory->pages, p, size)) {
         munmap(p, size);
         return -ENOMEM;
      }
      if (!sgd_holes_init(&memory->holes, SGD_SPACE_FIRST, size - SGD_SPACE_FIRST)) {
         sgd_pages_finish(&memory->pages);
         munmap(p, size);
         return -ENOMEM;
      }
      pthread_mutex_init(&memory->lock, NULL);
      return 0;
   }
   return -ENOMEM;
}

void
sgd_memory_finish(struct sgd_memory *memory, bool dead)
{
   munmap(memory->base, memory->size);
   sgd_pages_finish(&memory->pages);
   if (dead)
      return;
   sgd_holes_finish(&memory->holes);
   pthread_mutex_destroy(&memory->lock);
}

bool
sgd_memory_holds(const struct sgd_memory *memory, uint64_t address, uint64_t size)
{
   return address >= SGD_SPACE_FIRST && address % SGPU_PAGE_SIZE == 0 && size <= memory->size &&
          address <= memory->size - align64(size, SGPU_PAGE_SIZE);
}

/* Maps the pages of a shared mapping a second time, at the addresses of the buffer object. */
static int
map_shared(struct sgpu_bo *bo, void *shared)
{
   /* If the old size is 0, mremap() creates a second mapping of the same pages. It can fail after
    * it has removed the mapping at the destination, so create the second mapping somewhere else
    * first.
    */
   void *again = mremap(shared, 0, bo->size, MREMAP_MAYMOVE);
   if (again == MAP_FAILED)
      return -EINVAL;
   if (mremap(again, bo->size, bo->size, MREMAP_MAYMOVE | MREMAP_FIXED, sgd_bo_host(bo)) ==
       MAP_FAILED) {
      munmap(again, bo->size);
      return -ENOMEM;
   }
   return 0;
}

/* Allocates addresses and pages for a new buffer object. If `address` is 0, any address will do. */
static int
take_range(struct sgpu_bo *bo, uint64_t address)
{
   struct sgd_memory *memory = bo->memory;
   const uint64_t alignment = bo->size >= SGD_CHUNK ? SGD_CHUNK : SGPU_PAGE_SIZE;
   int ret = 0;

   pthread_mutex_lock(&memory->lock);
   if (!address)
      bo->address = sgd_holes_take(&memory->holes, bo->size, alignment);
   else if (sgd_holes_take_at(&memory->holes, address, bo->size))
      bo->address = address;
   if (!bo->address) {
      ret = address ? -EBUSY : -ENOMEM;
   } else if (!sgd_pages_take(&memory->pages, bo->address, bo->size)) {
      sgd_holes_give(&memory->holes, bo->address, bo->size);
      ret = -ENOMEM;
   }
   pthread_mutex_unlock(&memory->lock);
   return ret;
}

static void
give_range(struct sgpu_bo *bo, bool foreign)
{
   struct sgd_memory *memory = bo->memory;

   /* If the foreign memory is still mapped there, never reuse the addresses. */
   if (!sgd_pages_drop(&memory->pages, bo->address, bo->size, foreign))
      return;
   pthread_mutex_lock(&memory->lock);
   sgd_pages_give(&memory->pages, bo->address, bo->size);
   sgd_holes_give(&memory->holes, bo->address, bo->size);
   pthread_mutex_unlock(&memory->lock);
}

static struct sgpu_bo *
bo_alloc(struct sgd_memory *memory, uint64_t size, const char *label)
{
   struct sgpu_bo *bo = calloc(1, sizeof(*bo));

   if (!bo)
      return NULL;
   bo->memory = memory;
   bo->requested = size;
   bo->size = align64(size, SGPU_PAGE_SIZE);
   bo->refs = 1;
   snprintf(bo->label, sizeof(bo->label), "%s", label ? label : "");
   return bo;
}

static bool
is_mapped(uint8_t *memory, uint64_t size)
{
   unsigned char pages[1024];

   for (uint64_t i = 0; i < size; i += sizeof(pages) * SGPU_PAGE_SIZE) {
      if (mincore(memory + i, MIN2(size - i, sizeof(pages) * SGPU_PAGE_SIZE), pages))
         return false;
   }
   return true;
}

/* Adds a reference to the object. Returns false if the object has none left and is about to be
 * freed.
 */
static bool
ref_living(struct sgpu_bo *bo)
{
   uint32_t refs = atomic_load(&bo->refs);

   while (refs && !atomic_compare_exchange_weak(&bo->refs, &refs, refs + 1)) {
   }
   return refs != 0;
}

int
sgd_bo_create_user(struct sgd_memory *memory, void *user, uint64_t size, const char *label,
                   struct sgpu_bo **out)
{
   const uintptr_t base = (uintptr_t)memory->base, first = (uintptr_t)user;

   *out = NULL;
   if (!size || size > SGD_ADDRESS_END || first % SGPU_PAGE_SIZE || first < base + memory->size ||
       first - base > SGD_ADDRESS_END - align64(size, SGPU_PAGE_SIZE) || !is_mapped(user, size))
      return -EINVAL;

   struct sgpu_bo *bo = bo_alloc(memory, size, label);
   if (!bo)
      return -ENOMEM;
   bo->address = first - base;
   bo->user = true;

   struct sgpu_bo *same = NULL;
   bool taken = false;
   pthread_mutex_lock(&memory->lock);
   for (struct sgpu_bo *o = memory->users; o && !taken; o = o->next_user) {
      const bool meets = bo->address < o->address + o->size && o->address < bo->address + bo->size;
      taken = meets && ref_living(o);
      same = taken ? o : NULL;
   }
   if (!taken) {
      bo->next_user = memory->users;
      memory->users = bo;
   }
   pthread_mutex_unlock(&memory->lock);
   if (same) {
      const bool fits = same->address == bo->address && same->size >= bo->size;
      free(bo);
      if (!fits)
         sgd_bo_unref(same);
      *out = fits ? same : NULL;
      return fits ? 0 : -EBUSY;
   }
   atomic_fetch_add(&memory->used, bo->size);
   *out = bo;
   return 0;
}

int
sgd_bo_create(struct sgd_memory *memory, uint64_t address, void *shared, uint64_t size,
              const char *label, struct sgpu_bo **out)
{
   *out = NULL;
   if (size == 0 || size > memory->size)
      return -EINVAL;

   struct sgpu_bo *bo = bo_alloc(memory, size, label);
   if (!bo)
      return -ENOMEM;

   bo->shared = shared;
   int error = take_range(bo, address);
   if (!error && shared) {
      error = map_shared(bo, shared);
      if (error)
         give_range(bo, true);
   }
   if (error) {
      free(bo);
      return error;
   }
   if (!shared && memory->poison)
      memset(sgd_bo_host(bo), SGD_POISON, bo->size);

   atomic_fetch_add(&memory->used, bo->size);
   *out = bo;
   return 0;
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

   struct sgd_memory *memory = bo->memory;
   assert(!bo->hazards);

   if (bo->user) {
      pthread_mutex_lock(&memory->lock);
      struct sgpu_bo **link = &memory->users;
      while (*link != bo)
         link = &(*link)->next_user;
      *link = bo->next_user;
      pthread_mutex_unlock(&memory->lock);
   } else {
      give_range(bo, bo->shared);
   }
   atomic_fetch_sub(&memory->used, bo->size);
   free(bo);
}

static int
compare_bos(const void *a, const void *b)
{
   const struct sgpu_bo *x = *(struct sgpu_bo *const *)a, *y = *(struct sgpu_bo *const *)b;
   return x->address < y->address ? -1 : x->address > y->address;
}

void
sgd_bo_list_sort(struct sgd_bo_list *list)
{
   const unsigned count = list->count;

   qsort(list->bos, count, sizeof(*list->bos), compare_bos);
   list->count = 0;
   for (unsigned i = 0; i < count; i++) {
      if (i == 0 || list->bos[i] != list->bos[i - 1])
         list->bos[list->count++] = list->bos[i];
   }
}

struct sgpu_bo *
sgd_bo_list_find(const struct sgd_bo_list *list, uint64_t address, uint64_t size)
{
   unsigned lo = 0, hi = list->count;

   /* Binary search for the last buffer that starts at or below the address. */
   while (lo < hi) {
      const unsigned mid = (lo + hi) / 2;
      if (list->bos[mid]->address <= address)
         lo = mid + 1;
      else
         hi = mid;
   }
   if (lo == 0)
      return NULL;

   struct sgpu_bo *bo = list->bos[lo - 1];
   const uint64_t offset = address - bo->address;
   return offset < bo->size && size <= bo->size - offset ? bo : NULL;
}
