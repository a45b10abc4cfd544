/* SPDX-License-Identifier: MIT */
/*
 * Maps and unmaps host memory in the device's address space, in chunks of 2 MiB.
 */
#include "control/memory/sgd_pages.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "util/macros.h"

#define RESERVED (MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE)

bool
sgd_pages_init(struct sgd_pages *p, uint8_t *base, uint64_t size)
{
   assert(size % SGD_CHUNK == 0);
   p->base = base;
   p->size = size;
   /* This array is large, but the host only allocates pages of it that are accessed. */
   p->chunks = mmap(NULL, size / SGD_CHUNK * sizeof(*p->chunks), PROT_READ | PROT_WRITE, RESERVED,
                    -1, 0);
   return p->chunks != MAP_FAILED;
}

void
sgd_pages_finish(struct sgd_pages *p)
{
   munmap(p->chunks, p->size / SGD_CHUNK * sizeof(*p->chunks));
}

static uint64_t
first_chunk(uint64_t address)
{
   return address / SGD_CHUNK;
}

static uint64_t
end_chunk(uint64_t address, uint64_t size)
{
   return (address + size + SGD_CHUNK - 1) / SGD_CHUNK;
}

/* Returns the first chunk from `i` on that is in use or whose `mapped` flag differs from the
 * parameter. If there is none below `end`, returns `end`.
 */
static uint64_t
run_end(const struct sgd_pages *p, uint64_t i, uint64_t end, bool mapped)
{
   while (i < end && !p->chunks[i].users && p->chunks[i].mapped == mapped)
      i++;
   return i;
}

/* Unmaps all chunks of [i, end) that are not in use. Their addresses stay reserved. */
static void
unmap_unused(struct sgd_pages *p, uint64_t i, uint64_t end)
{
   while (i < end) {
      const uint64_t behind = run_end(p, i, end, true);
      /* If the process has too many mappings, mmap() fails. The chunks then stay mapped. */
      if (behind != i && mmap(p->base + i * SGD_CHUNK, (behind - i) * SGD_CHUNK, PROT_NONE,
                              RESERVED | MAP_FIXED, -1, 0) != MAP_FAILED) {
         for (; i < behind; i++)
            p->chunks[i].mapped = 0;
      }
      i = MAX2(behind, i + 1);
   }
}

bool
sgd_pages_take(struct sgd_pages *p, uint64_t address, uint64_t size)
{
   const uint64_t first = first_chunk(address), end = end_chunk(address, size);

   for (uint64_t i = first; i < end; i++) {
      const uint64_t behind = run_end(p, i, end, false);
      if (behind == i)
         continue;
      if (mprotect(p->base + i * SGD_CHUNK, (behind - i) * SGD_CHUNK, PROT_READ | PROT_WRITE)) {
         unmap_unused(p, first, i);
         return false;
      }
      for (; i < behind; i++)
         p->chunks[i].mapped = 1;
      i--;
   }
   for (uint64_t i = first; i < end; i++)
      p->chunks[i].users++;

   /* Only use huge pages for chunks that are completely inside the range. Otherwise, the kernel
    * would have to split the mapping of a chunk.
    */
   const uint64_t whole = (address + SGD_CHUNK - 1) / SGD_CHUNK;
   const uint64_t whole_end = (address + size) / SGD_CHUNK;
   if (whole < whole_end)
      madvise(p->base + whole * SGD_CHUNK, (whole_end - whole) * SGD_CHUNK, MADV_HUGEPAGE);
   return true;
}

bool
sgd_pages_drop(struct sgd_pages *p, uint64_t address, uint64_t size, bool foreign)
{
   uint8_t *host = p->base + address;

   if (!foreign && !madvise(host, size, MADV_DONTNEED))
      return true;
   /* If the application has locked the pages with mlockall(), madvise() fails. Map new pages in
    * their place, or just clear them if this fails, too.
    */
   if (mmap(host, size, PROT_READ | PROT_WRITE, RESERVED | MAP_FIXED, -1, 0) != MAP_FAILED)
      return true;
   if (!foreign)
      memset(host, 0, size);
   return !foreign;
}

void
sgd_pages_give(struct sgd_pages *p, uint64_t address, uint64_t size)
{
   const uint64_t first = first_chunk(address), end = end_chunk(address, size);

   for (uint64_t i = first; i < end; i++) {
      assert(p->chunks[i].users);
      p->chunks[i].users--;
   }
   unmap_unused(p, first, end);
}
