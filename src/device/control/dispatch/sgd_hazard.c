/* SPDX-License-Identifier: MIT */
/*
 * Dispatch unit: finds the earlier operations that a new operation must wait for, because they
 * access the same memory.
 */
#include <stdlib.h>
#include <string.h>

#include "control/dispatch/sgd_dependence.h"
#include "control/dispatch/sgd_dispatch.h"

static void
cache_drop(struct sgd_hazard_cache *cache)
{
   if (cache->dep)
      sgd_dependence_unref(cache->dep);
   cache->dep = NULL;
   cache->valid = false;
}

/* If no operation accesses the buffer anymore, moves its struct sgd_hazards to the free list. */
static void
hazards_trim(struct sgd_dispatch *d, struct sgpu_bo *bo)
{
   struct sgd_hazards *h = bo->hazards;

   if (!h || !list_is_empty(&h->readers) || !list_is_empty(&h->writers))
      return;
   cache_drop(&h->read_cache);
   cache_drop(&h->write_cache);
   list_add(&h->link, &d->free_hazards);
   bo->hazards = NULL;
}

static bool
hazards_get(struct sgd_dispatch *d, struct sgpu_bo *bo)
{
   struct sgd_hazards *h;

   if (bo->hazards)
      return true;
   if (list_is_empty(&d->free_hazards)) {
      h = malloc(sizeof(*h));
      if (!h)
         return false;
   } else {
      h = list_first_entry(&d->free_hazards, struct sgd_hazards, link);
      list_del(&h->link);
   }
   memset(h, 0, sizeof(*h));
   list_inithead(&h->readers);
   list_inithead(&h->writers);
   bo->hazards = h;
   return true;
}

bool
sgd_hazards_reserve(struct sgd_dispatch *d, struct sgd_node *node)
{
   bool ok = true;

   util_dynarray_foreach(&node->accesses, struct sgd_access, access)
      ok = ok && hazards_get(d, access->bo);
   if (!ok) {
      util_dynarray_foreach(&node->accesses, struct sgd_access, access)
         hazards_trim(d, access->bo);
   }
   return ok;
}

void
sgd_hazards_finish(struct sgd_dispatch *d)
{
   list_for_each_entry_safe(struct sgd_hazards, h, &d->free_hazards, link)
      free(h);
   list_inithead(&d->free_hazards);
}

static void
region_of(const struct sgd_access *a, uint64_t region[8])
{
   region[0] = a->storage;
   region[1] = a->levels | (uint64_t)a->first_layer << 16 | (uint64_t)a->last_layer << 32;
   region[2] = a->begin;
   region[3] = a->end;
   region[4] = a->grid.origin;
   region[5] = a->grid.pitch | (uint64_t)a->grid.bpe << 32 | (uint64_t)a->grid.tiled << 48 |
               (uint64_t)a->commutes << 56;
   region[6] = a->area.x0 | (uint64_t)a->area.y0 << 16 | (uint64_t)a->area.x1 << 32 |
               (uint64_t)a->area.y1 << 48;
   /* Render targets don't wait for operations in the same tile array, so the result of the search
    * depends on the tile array.
    */
   region[7] = a->target ? (uintptr_t)a->node->array : 0;
}

/* Adds an operation to *dep, or to a new set if *dep is NULL. Returns false if out of memory. */
static bool
depend_on(struct sgd_dependence **dep, struct sgd_node *node)
{
   if (!*dep)
      *dep = sgd_dependence_create();
   return *dep && sgd_dependence_add(*dep, node);
}

/* Makes the node of the access wait for `dep`, and drops a reference to `dep`. Returns false if out
 * of memory.
 */
static bool
wait_for(struct sgd_dispatch *d, const struct sgd_access *access, struct sgd_dependence *dep,
         enum sgpu_dependence kind)
{
   if (!dep)
      return true;
   if (access->xfb)
      kind = SGPU_DEPENDENCE_XFB;
   const bool ok = sgd_dependence_wait(d, dep, access->node, access->front, kind);
   sgd_dependence_unref(dep);
   return ok;
}

/* If the last operation that writes the buffer is a draw with transform feedback to the same range,
 * returns this draw, and NULL otherwise. It is enough to wait for this draw, because it has already
 * waited for all earlier accesses.
 */
static struct sgd_node *
previous_record(const struct sgd_access *access)
{
   const struct list_head *writers = &access->bo->hazards->writers;

   if (!access->xfb || !access->write || list_is_empty(writers))
      return NULL;
   const struct sgd_access *latest = list_last_entry(writers, struct sgd_access, link);
   const bool covers = latest->xfb && latest->feeds >= access->feeds &&
                       latest->begin <= access->begin && latest->end >= access->end;
   return covers && latest->node != access->node && !latest->node->skip ? latest->node : NULL;
}

/* Makes the node wait for all operations in a list that access an overlapping region. Excludes
 * render targets in the same tile array, and atomic operations that commute. The result is cached
 * until an access is added to the list.
 */
static bool
wait_for_list(struct sgd_dispatch *d, const struct sgd_access *access, struct list_head *list,
              uint32_t stamp, struct sgd_hazard_cache *cache)
{
   const bool readers = list == &access->bo->hazards->readers;
   /* Don't cache the result for a render target in the list of writers: the access is then added to
    * the list itself, which makes the cached result outdated.
    */
   const bool cacheable = !access->target || readers;
   struct sgd_node *previous = previous_record(access);
   const enum sgpu_dependence kind = readers         ? SGPU_DEPENDENCE_WAR
                                     : access->write ? SGPU_DEPENDENCE_WAW
                                                     : SGPU_DEPENDENCE_RAW;
   struct sgd_dependence *dep = NULL;
   if (previous && !readers)
      return depend_on(&dep, previous) && wait_for(d, access, dep, kind);

   uint64_t region[8];
   region_of(access, region);

   if (cacheable && cache->valid && cache->stamp == stamp &&
       !memcmp(cache->region, region, sizeof(region))) {
      if (cache->dep)
         cache->dep->refs++;
      return wait_for(d, access, cache->dep, kind);
   }

   list_for_each_entry(struct sgd_access, other, list, link) {
      if (other->node == access->node || !sgd_accesses_meet(access, other))
         continue;
      if (access->target && other->target && access->node->array == other->node->array)
         continue;
      if (sgd_accesses_commute(access, other))
         continue;
      if (previous && other->node->seq < previous->seq)
         continue;
      if (!depend_on(&dep, other->node)) {
         if (dep)
            sgd_dependence_unref(dep);
         return false;
      }
   }

   if (cacheable) {
      cache_drop(cache);
      if (dep)
         dep->refs++;
      cache->dep = dep;
      cache->valid = true;
      cache->stamp = stamp;
      memcpy(cache->region, region, sizeof(region));
   }
   return wait_for(d, access, dep, kind);
}

/* Makes the node wait for earlier draws that read the region as input, such as vertices or
 * constants (WAR hazard). These reads are not in the lists of readers, so all draws in flight are
 * searched. Consecutive draws often have the same state, so the result for a state is reused.
 */
static bool
wait_for_inputs(struct sgd_dispatch *d, const struct sgd_access *access)
{
   const uint8_t *first = d->memory->base + access->begin, *last = d->memory->base + access->end;
   const struct sgd_node *previous = previous_record(access);
   const struct sgd_state *state = NULL;
   struct sgd_dependence *dep = NULL;
   bool state_reads = false;

   list_for_each_entry_rev(struct sgd_node, other, &d->nodes, link) {
      if (other == previous)
         break;
      if (other->kind != SGD_NODE_DRAW || other->skip)
         continue;
      if (other->draw.state != state) {
         state = other->draw.state;
         state_reads = sgd_state_reads(state, first, last);
      }
      if ((state_reads || sgd_draw_reads(&other->draw, first, last)) && !depend_on(&dep, other)) {
         if (dep)
            sgd_dependence_unref(dep);
         return false;
      }
   }
   return wait_for(d, access, dep, SGPU_DEPENDENCE_WAR);
}

bool
sgd_hazards_add(struct sgd_dispatch *d, struct sgd_node *node)
{
   bool ok = true;

   /* Skipped nodes don't wait for anything, because they have no effect. */
   util_dynarray_foreach(&node->accesses, struct sgd_access, access) {
      struct sgd_hazards *h = access->bo->hazards;

      if (node->skip || !ok)
         break;
      /* If all operations that write the buffer are in the tile array of this node, the tile queues
       * already keep them in order.
       */
      const bool own = access->target && h->num_writers == h->num_targets &&
                       h->target_array == node->array;
      if (h->num_writers && !own)
         ok = wait_for_list(d, access, &h->writers, h->writer_stamp, &h->write_cache);
      if (ok && access->write && !list_is_empty(&h->readers))
         ok = wait_for_list(d, access, &h->readers, h->reader_stamp, &h->read_cache);
      if (ok && access->feeds && atomic_load_explicit(&access->bo->bound, memory_order_relaxed))
         ok = wait_for_inputs(d, access);
   }

   util_dynarray_foreach(&node->accesses, struct sgd_access, access) {
      struct sgd_hazards *h = access->bo->hazards;

      if (access->write) {
         list_addtail(&access->link, &h->writers);
         h->writer_stamp++;
         if (!h->num_targets)
            h->target_array = node->array;
         h->num_writers++;
         access->counted = access->target && h->target_array == node->array;
         h->num_targets += access->counted;
      } else {
         list_addtail(&access->link, &h->readers);
         h->reader_stamp++;
      }
   }
   return ok;
}

void
sgd_hazards_remove(struct sgd_dispatch *d, struct sgd_node *node)
{
   util_dynarray_foreach(&node->accesses, struct sgd_access, access) {
      struct sgd_hazards *h = access->bo->hazards;

      list_del(&access->link);
      if (access->write) {
         h->num_writers--;
         h->num_targets -= access->counted;
      }
      hazards_trim(d, access->bo);
   }
}
