/* SPDX-License-Identifier: MIT */
/* Detection of CPU writes to buffers. */
#include "sgcap_memory.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "sgcap_format.h"

/* Buffers are copied and compared in blocks of this size, in bytes. */
#define BLOCK 4096u
/* UNIT is the granularity of the comparison in bytes.  Two changed ranges are merged if the gap
 * between them is smaller than GAP bytes, which is about the size of a record header.
 */
#define UNIT 16u
#define GAP 64u

static bool
grow(void **array, unsigned *max, unsigned count, size_t size)
{
   if (count < *max)
      return true;
   const unsigned n = *max ? *max * 2 : 4;
   void *p = realloc(*array, n * size);
   if (!p)
      return false;
   *array = p;
   *max = n;
   return true;
}

/* Consecutive changed bytes [begin, end) of a buffer, collected for one DATA record. */
struct run {
   struct sgcap_writer *w;
   const struct sgcap_bo *b;
   uint64_t begin, end;
   uint8_t bytes[SGCAP_DATA_MAX];
};

static void
put_run(struct run *run)
{
   if (run->begin == run->end)
      return;
   const struct sgcap_data d = { run->b->id, run->begin, run->end - run->begin };
   sgcap_write(run->w, SGCAP_DATA, &d, sizeof d, run->bytes, d.size);
   run->begin = run->end = 0;
}

/* Appends `bytes`, the new contents of the range [begin, end), to the run.  Starts a new run if the
 * range does not continue the current run or doesn't fit into it.
 */
static void
add_to_run(struct run *run, uint64_t begin, uint64_t end, const uint8_t *bytes)
{
   if (run->begin == run->end || begin != run->end || end - run->begin > sizeof run->bytes) {
      put_run(run);
      run->begin = run->end = begin;
   }
   memcpy(run->bytes + (run->end - run->begin), bytes, end - begin);
   run->end = end;
}

static const uint8_t zeros[BLOCK];

/* Compares a range inside a block with the shadow.  The comparison uses a copy of the range,
 * because other threads may write to the buffer in the meantime.
 */
static void
compare_block(struct run *run, uint64_t begin, uint64_t end)
{
   const struct sgcap_bo *b = run->b;
   uint8_t copy[BLOCK];
   const size_t size = end - begin;
   uint8_t *shadow = b->shadow ? b->shadow + begin : NULL;
   const uint8_t *old = shadow ? shadow : zeros;

   if (!memcmp(old, b->map + begin, size))
      return;
   memcpy(copy, b->map + begin, size);

   for (size_t at = 0; at < size;) {
      const size_t n = size - at < UNIT ? size - at : UNIT;
      if (!memcmp(old + at, copy + at, n)) {
         at += n;
         continue;
      }
      size_t stop = at + n, same = 0;
      while (stop + same < size && same < GAP) {
         const size_t at2 = stop + same, n2 = size - at2 < UNIT ? size - at2 : UNIT;
         if (memcmp(old + at2, copy + at2, n2)) {
            stop = at2 + n2;
            same = 0;
         } else {
            same += n2;
         }
      }
      add_to_run(run, begin + at, begin + stop, copy + at);
      at = stop;
   }
   if (shadow)
      memcpy(shadow, copy, size);
}

static void
compare_range(struct run *run, uint64_t begin, uint64_t end)
{
   while (begin < end) {
      const uint64_t stop = (begin / BLOCK + 1) * BLOCK;
      compare_block(run, begin, stop < end ? stop : end);
      begin = stop;
   }
}

/* Calls `f` for each part of [begin, end) that is not pending, i.e. that no submission in progress
 * writes.
 */
static void
for_each_free(const struct sgcap_bo *b, uint64_t begin, uint64_t end,
              void (*f)(void *data, uint64_t begin, uint64_t end), void *data)
{
   while (begin < end) {
      uint64_t stop = end, next = end;
      bool covered = false;
      for (unsigned i = 0; i < b->num_pending; i++) {
         const struct sgcap_pending *p = &b->pending[i];
         if (p->begin <= begin && p->end > begin) {
            covered = true;
            next = p->end;
            break;
         }
         if (p->begin > begin && p->begin < stop)
            stop = p->begin;
      }
      if (covered) {
         begin = next;
      } else {
         f(data, begin, stop);
         begin = stop;
      }
   }
}

static void
take_over(void *data, uint64_t begin, uint64_t end)
{
   struct sgcap_bo *b = data;
   memcpy(b->shadow + begin, b->map + begin, end - begin);
}

static bool
in_race(const struct sgcap_bo *b, const struct sgcap_pending *p)
{
   for (unsigned i = 0; i < b->num_races; i++) {
      if (b->races[i].begin < p->end && p->begin < b->races[i].end)
         return true;
   }
   return false;
}

/* Removes a pending range and copies its contents to the shadow.  If the CPU may have written to
 * the range (a race), leaves the shadow unchanged.  The next comparison then records all changes in
 * the range, including the device's writes.
 */
static void
end_pending(struct sgcap_bo *b, unsigned i)
{
   const struct sgcap_pending p = b->pending[i];

   b->pending[i] = b->pending[--b->num_pending];
   if (b->shadow && !in_race(b, &p))
      for_each_free(b, p.begin, p.end < b->size ? p.end : b->size, take_over, b);
}

void
sgcap_bo_passed(struct sgcap_bo *b, struct sgpu_queue *queue, uint64_t seqno)
{
   for (unsigned i = 0; i < b->num_pending;) {
      if (!queue || (b->pending[i].queue == queue && b->pending[i].seqno <= seqno))
         end_pending(b, i);
      else
         i++;
   }
}

bool
sgcap_bo_add_pending(struct sgcap_bo *b, uint64_t begin, uint64_t end, struct sgpu_queue *queue,
                     uint64_t seqno)
{
   if (!b->shadow)
      return true;
   for (unsigned i = 0; i < b->num_pending; i++) {
      struct sgcap_pending *p = &b->pending[i];
      if (p->begin == begin && p->end == end && p->queue == queue) {
         p->seqno = seqno;
         return true;
      }
   }
   if (!grow((void **)&b->pending, &b->max_pending, b->num_pending, sizeof *b->pending))
      return false;
   b->pending[b->num_pending++] = (struct sgcap_pending){ begin, end, queue, seqno };
   return true;
}

bool
sgcap_bo_race(struct sgcap_bo *b, uint64_t begin, uint64_t end, bool open)
{
   if (!open) {
      for (unsigned i = 0; i < b->num_races; i++) {
         struct sgcap_race *race = &b->races[i];
         if (race->open && race->begin == begin && race->end == end) {
            race->open = false;
            return true;
         }
      }
      return true;
   }
   if (!grow((void **)&b->races, &b->max_races, b->num_races, sizeof *b->races))
      return false;
   b->races[b->num_races++] = (struct sgcap_race){ begin, end, true };
   return true;
}

static uint8_t *
new_shadow(const struct sgcap_bo *b)
{
   void *p = mmap(NULL, b->size, PROT_READ | PROT_WRITE,
                  MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
   return p == MAP_FAILED ? NULL : p;
}

bool
sgcap_bo_take_shadow(struct sgcap_bo *b)
{
   if (b->shadow)
      return true;
   b->shadow = new_shadow(b);
   if (b->shadow)
      memcpy(b->shadow, b->map, b->size);
   return b->shadow != NULL;
}

void
sgcap_bo_drop_shadow(struct sgcap_bo *b)
{
   if (b->shadow)
      munmap(b->shadow, b->size);
   b->shadow = NULL;
   b->num_pending = 0;
}

void
sgcap_bo_reset(struct sgcap_bo *b)
{
   sgcap_bo_drop_shadow(b);
   b->id = 0;
   b->listed = b->relabel = b->told = false;
   b->zeroed = 0;
}

static void
compare_free(void *data, uint64_t begin, uint64_t end)
{
   compare_range(data, begin, end);
}

void
sgcap_bo_compare(struct sgcap_bo *b, struct sgcap_writer *w,
                 void (*wait)(void *data, struct sgpu_queue *queue, uint64_t seqno), void *data)
{
   static struct run run;

   run.w = w;
   run.b = b;
   run.begin = run.end = 0;
   if (b->zeroed && b->told) {
      const struct sgcap_data d = { b->id, 0, b->zeroed < b->size ? b->zeroed : b->size };
      sgcap_write(w, SGCAP_ZERO, &d, sizeof d, NULL, 0);
   }
   b->zeroed = 0;
   if (b->device_only && b->told)
      return;
   b->told = true;

   /* Also drop the ranges of submissions that have ended, even if the driver has not waited for
    * them.
    */
   for (unsigned i = 0; i < b->num_pending;) {
      const struct sgcap_pending p = b->pending[i];
      const bool race = in_race(b, &p);
      if (race)
         wait(data, p.queue, p.seqno);
      if (race || sgpu_queue_completed(p.queue) >= p.seqno)
         end_pending(b, i);
      else
         i++;
   }

   if (!b->shadow && !b->device_only) {
      b->shadow = new_shadow(b);
      if (!b->shadow) {
         sgcap_writer_fail(w, ENOMEM);
         return;
      }
   }
   for_each_free(b, 0, b->size, compare_free, &run);
   put_run(&run);

   unsigned n = 0;
   for (unsigned i = 0; i < b->num_races; i++) {
      if (b->races[i].open)
         b->races[n++] = b->races[i];
   }
   b->num_races = n;
}
