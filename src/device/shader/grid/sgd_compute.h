/* SPDX-License-Identifier: MIT */
/*
 * A grid consists of the workgroups of a compute program, and of the state with which it was
 * issued. Group n has the coordinates (n % x, n / x % y, n / x / y) in a grid of x by y by z
 * groups.
 */
#ifndef SGD_COMPUTE_H
#define SGD_COMPUTE_H

#include "common/sgd_state.h"

#define SGD_GROUP_WARPS (SGD_MAX_GROUP / SGD_WARP)
/* After the watchdog has stopped this number of warps, no further groups of the grid are started.
 */
#define SGD_COMPUTE_STOPS 32

struct sgd_compute {
   void (*destroy)(struct sgd_compute *compute);
   struct sgd_shader *program;
   struct sgd_texture_set *set;    /* bound textures and images, or NULL */
   struct sgd_handle_set *handles; /* bindless handles, or NULL */
   struct sgd_env env;
   uint64_t address; /* GPU address of the program */
   /* The GRID packet that started the grid. For an indirect grid, the group counts are filled in
    * when `numbers` is read.
    */
   struct SGPU_GRID packet;
   /* Group counts of an indirect grid in memory. NULL if they have been read, or if the grid is
    * direct.
    */
   const uint32_t *numbers;
   bool ordered; /* set if each group must wait until the previous group has ended */
};

/* Returns the number of invocations in each group. */
static inline unsigned
sgd_compute_invocations(const struct SGPU_GRID *p)
{
   return p->group_size_x * p->group_size_y * p->group_size_z;
}

/* Computes the number of groups in a grid. Returns false if their warps have more than `most` lanes
 * in total.
 */
bool sgd_compute_groups(const struct SGPU_GRID *p, uint64_t most, uint64_t *groups);
/* Returns the number of consecutive groups that a worker runs at a time, if the grid has `groups`
 * groups. The result is at least 1, and always the same for the same arguments.
 */
uint64_t sgd_compute_chunk(const struct SGPU_GRID *p, uint64_t groups);

#endif
