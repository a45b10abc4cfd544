/* SPDX-License-Identifier: MIT */
/*
 * Observation: a worker's records.
 */
#include "sgd_observation.h"

#include <stdlib.h>
#include <string.h>

#include "sgd_prim.h"

#define FIRST_WORDS 4096

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
   free(o->words);
   free(o);
}

void
sgd_observation_reset(struct sgd_observation *o)
{
   o->num = 0;
   o->failed = false;
   o->prims = 0;
   o->rejected = false;
   memset(o->values, 0, sizeof(o->values));
}

static bool
reserve(struct sgd_observation *o, uint64_t words)
{
   if (o->num + words <= o->max)
      return true;

   const uint64_t most = o->max ? o->max * 2 : FIRST_WORDS;
   const uint64_t max = o->num + words > most ? o->num + words : most;
   uint32_t *more = realloc(o->words, max * sizeof(*more));
   if (!more)
      return false;
   o->words = more;
   o->max = max;
   return true;
}

void *
sgd_observation_add(struct sgd_observation *o, enum sgpu_event type, uint8_t flags, uint16_t words)
{
   if (o->failed || !reserve(o, words)) {
      o->failed = true;
      return NULL;
   }
   uint32_t *record = o->words + o->num;
   o->num += words;
   memset(record, 0, words * sizeof(*record));
   *(struct sgpu_event_head *)record = (struct sgpu_event_head){ type, flags, words };
   return record;
}

void
sgd_observation_primitive(struct sgd_observation *o, struct sgd_prim *prim, uint32_t layer)
{
   struct sgpu_event_primitive *e;

   prim->number = o->prims++;
   if (o->classes < SGPU_OBSERVE_PRIMITIVES)
      return;
   e = sgd_observation_add(o, SGPU_EVENT_PRIMITIVE, prim->front ? SGPU_EVENT_PRIMITIVE_FRONT : 0,
                           sizeof(*e) / 4);
   if (!e)
      return;
   switch ((enum sgd_prim_type)prim->type) {
   case SGD_PRIM_TRIANGLE:
   case SGD_PRIM_POLYGON:
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
