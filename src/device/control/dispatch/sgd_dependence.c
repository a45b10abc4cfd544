/* SPDX-License-Identifier: MIT */
/*
 * Dispatch unit: makes an operation wait for earlier operations if the tile queues don't order
 * them.
 */
#include <assert.h>
#include <stdlib.h>

#include "control/dispatch/sgd_dependence.h"
#include "control/dispatch/sgd_dispatch.h"

struct sgd_dependence *
sgd_dependence_create(void)
{
   struct sgd_dependence *dep = calloc(1, sizeof(*dep));
   if (!dep)
      return NULL;
   dep->refs = 1;
   util_dynarray_init(&dep->waiters, NULL);
   return dep;
}

void
sgd_dependence_unref(struct sgd_dependence *dep)
{
   if (--dep->refs)
      return;
   util_dynarray_fini(&dep->waiters);
   free(dep);
}

bool
sgd_dependence_add(struct sgd_dependence *dep, struct sgd_node *node)
{
   struct sgd_dependence **slot = util_dynarray_grow(&node->dependences, struct sgd_dependence *,
                                                     1);
   if (!slot)
      return false;
   *slot = dep;
   dep->pending++;
   dep->refs++;
   return true;
}

void
sgd_dependence_count(struct sgd_dispatch *d, struct sgd_node *node, enum sgpu_dependence kind)
{
   uint64_t *counters = d->sched->counters;

   static_assert(SGPU_COUNTER_STALL_INORDER - SGPU_COUNTER_STALL_RAW == SGPU_DEPENDENCE_INORDER,
                 "counters in the order of enum sgpu_dependence");
   counters[SGPU_COUNTER_STALL_DEPEND] += !node->stalls;
   counters[SGPU_COUNTER_STALL_RAW + kind] += !(node->stalls & 1u << kind);
   node->stalls |= 1u << kind;
}

bool
sgd_dependence_wait(struct sgd_dispatch *d, struct sgd_dependence *dep, struct sgd_node *node,
                    bool front, enum sgpu_dependence kind)
{
   if (!dep->pending || (d->params->drop_dependences & 1u << kind))
      return true;

   struct sgd_wait *wait = util_dynarray_grow(&dep->waiters, struct sgd_wait, 1);
   if (!wait)
      return false;
   *wait = (struct sgd_wait){ node, front };
   node->wait_raster++;
   if (front)
      node->wait_front++;
   sgd_dependence_count(d, node, kind);
   return true;
}

void
sgd_dependence_signal(struct sgd_dispatch *d, struct sgd_dependence *dep)
{
   if (--dep->pending == 0) {
      util_dynarray_foreach(&dep->waiters, struct sgd_wait, wait) {
         if (wait->front && --wait->node->wait_front == 0)
            sgd_node_front_ready(d, wait->node);
         if (--wait->node->wait_raster == 0)
            sgd_node_raster_ready(d, wait->node);
      }
      util_dynarray_clear(&dep->waiters);
   }
   sgd_dependence_unref(dep);
}
