/* SPDX-License-Identifier: MIT */
/*
 * Dispatch unit: dependences between operations whose regions meet and that
 * no tile queue orders.
 */
#include <stdlib.h>

#include "sgd_device.h"

struct sgd_event *
sgd_event_create(void)
{
   struct sgd_event *event = calloc(1, sizeof(*event));
   if (!event)
      return NULL;
   event->refs = 1;
   util_dynarray_init(&event->waiters, NULL);
   return event;
}

void
sgd_event_unref(struct sgd_event *event)
{
   if (--event->refs)
      return;
   util_dynarray_fini(&event->waiters);
   free(event);
}

bool
sgd_event_add_node(struct sgd_event *event, struct sgd_node *node)
{
   struct sgd_event **e = util_dynarray_grow(&node->events, struct sgd_event *, 1);
   if (!e)
      return false;
   *e = event;
   event->pending++;
   event->refs++;
   return true;
}

bool
sgd_event_wait(struct sgd_dispatch *d, struct sgd_event *event, struct sgd_node *node,
               bool geometry)
{
   if (!event->pending)
      return true;

   struct sgd_wait *wait = util_dynarray_grow(&event->waiters, struct sgd_wait, 1);
   if (!wait)
      return false;
   *wait = (struct sgd_wait){ node, geometry };
   node->wait_raster++;
   if (geometry)
      node->wait_geometry++;
   if (!node->stalled_once) {
      node->stalled_once = true;
      d->dev->counters[SGPU_COUNTER_STALL_DEPEND]++;
   }
   return true;
}

static void
start_geometry(struct sgd_dispatch *d, struct sgd_node *node)
{
   if (node->kind == SGD_NODE_DRAW && !node->item.index && !node->cut_all && !node->cutting)
      sgd_ready_push(d, &node->item, node->seq);
}

/* One of the event's operations has ended. */
static void
event_signal(struct sgd_dispatch *d, struct sgd_event *event)
{
   if (--event->pending == 0) {
      util_dynarray_foreach (&event->waiters, struct sgd_wait, wait) {
         if (wait->geometry && --wait->node->wait_geometry == 0)
            start_geometry(d, wait->node);
         if (--wait->node->wait_raster == 0)
            sgd_node_raster_ready(d, wait->node);
      }
      util_dynarray_clear(&event->waiters);
   }
   sgd_event_unref(event);
}

static bool
overlap(const struct sgd_access *a, const struct sgd_access *b)
{
   if (a->storage && b->storage) {
      return a->storage == b->storage && (a->levels & b->levels) &&
             a->first_layer <= b->last_layer && b->first_layer <= a->last_layer;
   }
   if (!a->storage && !b->storage)
      return a->begin < b->end && b->begin < a->end;
   return true;
}

static void
region_of(const struct sgd_access *a, uint64_t region[2])
{
   region[0] = a->storage;
   region[1] = a->levels | (uint64_t)a->first_layer << 16 | (uint64_t)a->last_layer << 32 |
               UINT64_C(1) << 63;
   if (!a->storage) {
      region[0] = a->begin;
      region[1] = a->end;
   }
}

/* Event over the list's operations whose region meets the access's, other
 * than tile work of the same grid; NULL: out of memory.  `cache` keeps the last
 * one, for as long as nothing is added to the list and the question is the same.
 */
static struct sgd_event *
event_over(const struct sgd_access *access, struct list_head *list, uint32_t stamp,
           struct sgd_event **cache, uint32_t *cache_stamp, uint64_t cache_region[2])
{
   /* Tile work leaves out its own grid: that answer is not everybody's. */
   const bool cacheable = !access->target || list == &access->bo->readers;
   uint64_t region[2];
   region_of(access, region);

   if (cacheable && *cache && *cache_stamp == stamp && cache_region[0] == region[0] &&
       cache_region[1] == region[1]) {
      (*cache)->refs++;
      return *cache;
   }

   struct sgd_event *event = sgd_event_create();
   if (!event)
      return NULL;
   list_for_each_entry(struct sgd_access, other, list, link) {
      if (other->node == access->node || !overlap(access, other))
         continue;
      if (access->target && other->target && access->node->grid == other->node->grid)
         continue;
      if (!sgd_event_add_node(event, other->node)) {
         sgd_event_unref(event);
         return NULL;
      }
   }

   if (cacheable) {
      if (*cache)
         sgd_event_unref(*cache);
      event->refs++;
      *cache = event;
      *cache_stamp = stamp;
      cache_region[0] = region[0];
      cache_region[1] = region[1];
   }
   return event;
}

static bool
wait_for_list(struct sgd_dispatch *d, struct sgd_access *access, bool writers)
{
   struct sgpu_bo *bo = access->bo;
   struct sgd_event *event =
      writers ? event_over(access, &bo->writers, bo->writer_stamp, &bo->write_event,
                           &bo->write_event_stamp, bo->write_event_region)
              : event_over(access, &bo->readers, bo->reader_stamp, &bo->read_event,
                           &bo->read_event_stamp, bo->read_event_region);
   if (!event)
      return false;
   const bool ok = sgd_event_wait(d, event, access->node, access->geometry);
   sgd_event_unref(event);
   return ok;
}

bool
sgd_node_depend(struct sgd_dispatch *d, struct sgd_node *node)
{
   bool ok = true;

   util_dynarray_foreach (&node->accesses, struct sgd_access, access) {
      struct sgpu_bo *bo = access->bo;

      /* Writers of the own grid alone: the tiles see to the order. */
      const bool own = access->target && bo->num_writers == bo->num_targets &&
                       bo->target_grid == node->grid;
      if (bo->num_writers && !own)
         ok = ok && wait_for_list(d, access, true);
      if (access->write && !list_is_empty(&bo->readers))
         ok = ok && wait_for_list(d, access, false);
   }

   util_dynarray_foreach (&node->accesses, struct sgd_access, access) {
      struct sgpu_bo *bo = access->bo;

      if (access->write) {
         list_addtail(&access->link, &bo->writers);
         bo->writer_stamp++;
         if (!bo->num_targets)
            bo->target_grid = node->grid;
         bo->num_writers++;
         access->counted = access->target && bo->target_grid == node->grid;
         bo->num_targets += access->counted;
      } else {
         list_addtail(&access->link, &bo->readers);
         bo->reader_stamp++;
      }
   }
   return ok;
}

void
sgd_node_forget(struct sgd_dispatch *d, struct sgd_node *node)
{
   util_dynarray_foreach (&node->accesses, struct sgd_access, access) {
      struct sgpu_bo *bo = access->bo;

      list_del(&access->link);
      if (access->write) {
         bo->num_writers--;
         bo->num_targets -= access->counted;
      }
   }
   util_dynarray_foreach (&node->events, struct sgd_event *, event)
      event_signal(d, *event);
}
