/* SPDX-License-Identifier: MIT */
/* Plans of draws: which draws of a frame could not use fast paths of the device, and why. */
#ifndef CAP_PLANS_H
#define CAP_PLANS_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "device/sgpu_device.h"
#include "sgpu_paths.h"

/* Draws of a frame that have the same plan. */
struct cap_plan_group {
   struct sgpu_draw_plan plan;
   uint64_t draws;       /* number of draws with this plan */
   char *ranges;         /* draw numbers as text, e.g. " 3-7 9" */
   uint64_t first, last; /* latest range of draw numbers, which is not in `ranges` yet */
};

struct cap_plans {
   struct cap_plan_group *groups; /* groups of the current frame */
   unsigned num_groups;
   uint64_t next; /* number of the next draw in the capture */
   /* for each fast path, number of draws in the shown frames that used it, and that could not use
    * it
    */
   uint64_t takes[SGPU_PATHS], leaves[SGPU_PATHS];
   /* for each fast path and reason, number of draws that could not use the path for this reason */
   uint64_t because[SGPU_PATHS][SGPU_FACTS];
   bool failed; /* an allocation has failed */
};

/* Adds plans.  Used as callback `plan` of struct sgpu_device_params, with a struct cap_plans as
 * data.
 */
void cap_plans_add(void *plans, const struct sgpu_draw_plan *plan);
/* Prints the plans since the last call that could not use a path, and clears all plans.  If `show`
 * is false, only clears them.
 */
void cap_plans_frame(struct cap_plans *p, uint64_t frame, bool show);
/* Prints for each path the number of draws in the shown frames that used it, and that could not use
 * it.
 */
void cap_plans_summary(const struct cap_plans *p);
void cap_plans_free(struct cap_plans *p);

#endif
