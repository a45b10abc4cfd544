/* SPDX-License-Identifier: MIT */
/*
 * Setup, internal: allocates primitives. The code is inline, since a function call per primitive is
 * too slow.
 */
#ifndef SGD_SETUP_HEAD_H
#define SGD_SETUP_HEAD_H

#include "geometry/front/sgd_front.h"
#include "geometry/front/sgd_front_vertex.h"
#include "geometry/setup/sgd_setup.h"
#include "common/sgd_prim.h"
#include "common/sgd_varyings.h"
#include "util/macros.h"

/* Allocates a primitive and sets the members that all primitives have in common. `box` must already
 * be clipped. Returns NULL if the layer doesn't exist, or on allocation failure.
 */
static ALWAYS_INLINE struct sgd_prim *
sgd_setup_head_in(struct sgd_front *f, enum sgd_prim_type type, const struct sgd_face *face,
                  unsigned viewport, struct sgd_box box)
{
   const uint32_t layer = face->prov->layer;

   if (unlikely(f->layered && layer >= f->state->fb_layers)) {
      f->culled++;
      return NULL;
   }
   struct sgd_prim *p = sgd_front_alloc(f, f->varyings->prim_size);
   if (!p)
      return NULL;
   /* Prefetch the memory of the next primitive, since it may still be in the cache of another CPU.
    */
   for (unsigned line = 0; line < 4; line++)
      __builtin_prefetch((uint8_t *)p + f->varyings->prim_size + 128 + 64 * line, 1);
   p->type = type;
   p->front = face->front;
   p->viewport = viewport;
   p->viewport_written = face->prov->viewport;
   p->smooth = false;
   p->layer = layer;
   p->x0 = box.x0;
   p->y0 = box.y0;
   p->x1 = box.x1;
   p->y1 = box.y1;
   p->cover = 0;
   p->primitive_id = f->primitive_id;
   return p;
}

/* Inline version of sgd_setup_prim(). */
static ALWAYS_INLINE struct sgd_prim *
sgd_setup_head(struct sgd_front *f, enum sgd_prim_type type, const struct sgd_face *face,
               int32_t x0, int32_t y0, int32_t x1, int32_t y1)
{
   const unsigned viewport = sgd_vertex_viewport(face->prov);
   const bool cut = type == SGD_PRIM_TRIANGLE || type == SGD_PRIM_POLYGON || type == SGD_PRIM_BOX ||
                    face->in_viewport;
   const struct sgd_box *box = cut ? &f->box[viewport] : &f->reach[viewport];

   x0 = MAX2(x0, box->x0);
   y0 = MAX2(y0, box->y0);
   x1 = MIN2(x1, box->x1);
   y1 = MIN2(y1, box->y1);
   if (x0 >= x1 || y0 >= y1) {
      f->culled++;
      return NULL;
   }
   return sgd_setup_head_in(f, type, face, viewport, (struct sgd_box){ x0, y0, x1, y1 });
}

#endif
