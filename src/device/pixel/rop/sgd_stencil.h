/* SPDX-License-Identifier: MIT */
/*
 * ROP: stencil test and stencil operations for the lanes of a warp.
 */
#ifndef SGD_STENCIL_H
#define SGD_STENCIL_H

#include "common/sgd_lanes.h"
#include "common/sgd_quads.h"
#include "common/sgd_state.h"

/* Returns the lanes that use the stencil state of front faces: all lanes if the state has no
 * separate back face, and otherwise the lanes of front-facing quads.
 */
static inline uint32_t
sgd_stencil_front_lanes(const struct sgd_state *st, const struct sgd_quads *quads)
{
   uint32_t lanes = 0;

   if (!st->dsa.back.enable)
      return ~0u;
   for (unsigned q = 0; q < SGD_QUADS; q++)
      lanes |= quads->front & (1 << q) ? sgd_quad_lanes(q) : 0;
   return lanes;
}

/* Returns the lanes in which the stencil test passes, i.e. in which "(ref & mask) func (value &
 * mask)" is true.
 */
static inline uint32_t
sgd_stencil_compare(const struct SGPU_STENCIL_FACE *face, const uint32_t *restrict ref,
                    const uint32_t *restrict value)
{
   _Alignas(64) uint32_t pass[SGD_WARP];
   const uint32_t less = -(uint32_t)(face->func & 1);
   const uint32_t equal = -(uint32_t)(face->func >> 1 & 1);
   const uint32_t greater = -(uint32_t)(face->func >> 2 & 1);
   const int32_t mask = face->read_mask;

   for (unsigned l = 0; l < SGD_WARP; l++) {
      const int32_t a = (int32_t)ref[l] & mask, b = (int32_t)value[l] & mask;
      pass[l] = (-(uint32_t)(a < b) & less) | (-(uint32_t)(a == b) & equal) |
                (-(uint32_t)(a > b) & greater);
   }
   return sgd_mask_gather(pass);
}

#define SGD_STENCIL_LOOP(expr)                                       \
   for (unsigned l = 0; l < SGD_WARP; l++) {                         \
      const uint32_t s = value[l], r = ref[l];                       \
      const uint32_t m = sgd_lane_mask(lanes, l) & face->write_mask; \
      (void)r;                                                       \
      value[l] = ((expr)&m) | (s & ~m);                              \
   }                                                                 \
   break;

/* Applies a stencil operation to the stencil values of the given lanes. */
static inline void
sgd_stencil_apply(const struct SGPU_STENCIL_FACE *face, enum sgpu_stencil_op op,
                  const uint32_t *restrict ref, uint32_t *restrict value, uint32_t lanes)
{
   if (!lanes)
      return;
   switch (op) {
   case SGPU_STENCIL_OP_KEEP:
      break;
   case SGPU_STENCIL_OP_ZERO:
      SGD_STENCIL_LOOP(0)
   case SGPU_STENCIL_OP_REPLACE:
      SGD_STENCIL_LOOP(r)
   case SGPU_STENCIL_OP_INCR_SAT:
      SGD_STENCIL_LOOP(s + (s < 0xff))
   case SGPU_STENCIL_OP_DECR_SAT:
      SGD_STENCIL_LOOP(s - (s > 0))
   case SGPU_STENCIL_OP_INCR_WRAP:
      SGD_STENCIL_LOOP(s + 1)
   case SGPU_STENCIL_OP_DECR_WRAP:
      SGD_STENCIL_LOOP(s - 1)
   case SGPU_STENCIL_OP_INVERT:
      SGD_STENCIL_LOOP(~s)
   }
}

#undef SGD_STENCIL_LOOP

#endif
