/* SPDX-License-Identifier: MIT */
/*
 * ROP: decides from the state in which order fragments may be processed.
 */
#include "common/sgd_order.h"

static enum sgd_order_role
role_of(const struct sgd_order_key *key)
{
   if (key->ps_writes_memory || key->reads_target)
      return SGD_ORDER_MIXES;
   if (!key->masks)
      return SGD_ORDER_NONE;
   /* Samples of a pixel can belong to different fragments, so no single fragment owns the pixel. */
   if (key->reads_color || key->partial || key->multisample)
      return SGD_ORDER_MIXES;
   if (key->ps_drops || key->ps_writes_depth || key->ps_writes_stencil || key->ps_reads_warp ||
       key->smooth)
      return SGD_ORDER_NOW;
   return SGD_ORDER_LATER;
}

static enum sgd_order_rule
rule_of(const struct sgd_order_key *key)
{
   /* The rules below require that an earlier fragment affects a later one only through the depth
    * test, and that the test depends only on the primitive's depth. A program must not compute
    * values across its warp, since these would depend on which fragments have passed before.
    */
   if (!key->depth_test || !key->depth_write || key->stencil_test || key->reads_color ||
       key->reads_target || key->ps_drops || key->ps_writes_depth || key->ps_writes_stencil ||
       key->ps_writes_memory || key->ps_reads_warp)
      return SGD_ORDER_PROGRAM;

   switch (key->depth_func) {
   case SGPU_COMPARE_LESS:
      return SGD_ORDER_LOWEST;
   case SGPU_COMPARE_LEQUAL:
      return SGD_ORDER_LOWEST_LAST;
   case SGPU_COMPARE_GREATER:
      return SGD_ORDER_HIGHEST;
   case SGPU_COMPARE_GEQUAL:
      return SGD_ORDER_HIGHEST_LAST;
   default:
      return SGD_ORDER_PROGRAM;
   }
}

struct sgd_order
sgd_decide_order(const struct sgd_order_key *key)
{
   struct sgd_order order = {
      .role = role_of(key),
      .rule = rule_of(key),
      .reads = key->masks && key->reads_color,
      .masks = key->masks,
   };

   for (unsigned n = 0; n < 8; n++)
      order.targets |= (key->masks >> 4 * n & 15 ? 1u : 0u) << n;
   return order;
}
