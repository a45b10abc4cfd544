/* SPDX-License-Identifier: MIT */
/*
 * Records that a worker collects for the observer while it runs a batch or a tile list.
 */
#include "observe/records/sgd_observation.h"

#include <stdlib.h>
#include <string.h>

#include "common/sgd_prim.h"

struct sgd_observation *
sgd_observation_create(enum sgpu_observe classes)
{
   struct sgd_observation *o = calloc(1, sizeof(*o));

   if (o)
      o->classes = classes;
   return o;
}

void
sgd_observation_destroy(struct sgd_observation *o)
{
   if (!o)
      return;
   free(o->records.words);
   free(o);
}

void
sgd_observation_reset(struct sgd_observation *o)
{
   sgd_records_reset(&o->records);
   o->prims = 0;
   o->rejected = false;
   memset(o->values, 0, sizeof(o->values));
}

void
sgd_observation_primitive(struct sgd_observation *o, struct sgd_prim *prim, uint32_t layer)
{
   struct sgpu_event_primitive *e;

   prim->number = o->prims++;
   if (o->classes < SGPU_OBSERVE_PRIMITIVES)
      return;
   e = sgd_records_add(&o->records, SGPU_EVENT_PRIMITIVE,
                       prim->front ? SGPU_EVENT_PRIMITIVE_FRONT : 0, sizeof(*e) / 4);
   if (!e)
      return;
   switch ((enum sgd_prim_type)prim->type) {
   case SGD_PRIM_TRIANGLE:
   case SGD_PRIM_POLYGON:
   case SGD_PRIM_BOX:
      e->kind = SGPU_PRIM_TRIANGLE;
      break;
   case SGD_PRIM_LINE:
   case SGD_PRIM_LINE_RECT:
      e->kind = SGPU_PRIM_LINE;
      break;
   case SGD_PRIM_RECT:
      e->kind = SGPU_PRIM_POINT;
      break;
   }
   e->layer = layer;
   e->x0 = prim->x0;
   e->y0 = prim->y0;
   e->x1 = prim->x1;
   e->y1 = prim->y1;
}
