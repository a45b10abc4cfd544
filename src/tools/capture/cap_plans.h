/* SPDX-License-Identifier: MIT */
/*
 * Plans of draws: which draws of a frame have left fast paths of the device, and why.
 */
#ifndef CAP_PLANS_H
#define CAP_PLANS_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "device/sgpu_device.h"
#include "sgpu_paths.h"

/* Draws of a frame with equal plans. */
struct cap_plan_group {
   struct sgpu_draw_plan plan;
   uint64_t draws;       /* number of draws */
   char *ranges;         /* their numbers, such as " 3-7 9" */
   uint64_t first, last; /* the latest range, which is not in `ranges` yet */
};

struct cap_plans {
   struct cap_plan_group *groups; /* of the current frame */
   unsigned num_groups;
   uint64_t next;                                  /* number of the next draw of the file */
   uint64_t takes[SGPU_PATHS], leaves[SGPU_PATHS]; /* draws of the shown frames */
   uint64_t because[SGPU_PATHS][SGPU_FACTS];       /* draws that left the path, by fact */
   bool failed;                                    /* out of memory */
};

/* Adds plans: the `plan` of struct sgpu_device_params, with a struct cap_plans as data. */
void cap_plans_add(void *plans, const struct sgpu_draw_plan *plan);
/* Prints the plans that have left a path since the last call, and forgets all. If `show` is not
 * set, only forgets them.
 */
void cap_plans_frame(struct cap_plans *p, uint64_t frame, bool show);
/* Prints the number of draws that took and that left each path in the frames that were shown. */
void cap_plans_summary(const struct cap_plans *p);
void cap_plans_free(struct cap_plans *p);

#endif
