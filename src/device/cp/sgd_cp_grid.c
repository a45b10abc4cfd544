/* SPDX-License-Identifier: MIT */
/*
 * Command processor: grids.
 */
#include "sgd_cp_work.h"

const char *
sgd_cp_grid(struct sgd_cp *cp, const uint32_t *in)
{
   struct SGPU_GRID p;
   const char *error = SGPU_GRID_unpack(in, &p);
   if (error)
      return error;

   if ((uint64_t)p.group_size_x * p.group_size_y * p.group_size_z > SGD_MAX_GROUP)
      return "GRID: more than 1024 invocations in a group";
   if (!cp->cur.shader[SGPU_STAGE_COMPUTE])
      return "no compute program";
   if (p.indirect && ((p.address & 3) || !sgd_bo_list_find(&cp->sub->bos, p.address, 12)))
      return "GRID: Address is not in a buffer of the submission";
   return "GRID: grids do not run yet";
}
