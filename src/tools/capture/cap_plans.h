/* SPDX-License-Identifier: MIT */
/* Plans of draws: finds which draws of a frame could not use the fast paths of the device, and why.
 */
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
   uint64_t draws; /* number of draws with this plan */
   char *ranges;   /* draw numbers as text, e.g. " 3-7 9" */
   /* latest range of draw numbers, which has not been appended to `ranges` yet */
   uint64_t first, last;
};

struct cap_plans {
   struct cap_plan_group *groups; /* groups of the current frame */
   unsigned num_groups;
   uint64_t next; /* number of the next draw in the capture */
   /* number of draws in the shown frames that used each fast path (takes), and that could not use
    * it (leaves)
    */
   uint64_t takes[SGPU_PATHS], leaves[SGPU_PATHS];
   /* number of draws that could not use a fast path, for each path and reason */
   uint64_t because[SGPU_PATHS][SGPU_FACTS];
   bool failed; /* an allocation has failed */
};

/* Adds the plan of one or more draws.  This is the callback `plan` of struct sgpu_device_params;
 * its data is a struct cap_plans.
 */
void cap_plans_add(void *plans, const struct sgpu_draw_plan *plan);
/* Prints how many draws there were since the last call, and which of them could not use a fast
 * path.  Then clears all plans.  If `show` is false, only clears them.
 */
void cap_plans_frame(struct cap_plans *p, uint64_t frame, bool show);
/* Prints, for each fast path, how many draws in the shown frames used it and how many could not use
 * it.
 */
void cap_plans_summary(const struct cap_plans *p);
void cap_plans_free(struct cap_plans *p);

#endif
