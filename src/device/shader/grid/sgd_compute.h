/* SPDX-License-Identifier: MIT */
/*
 * A grid: the workgroups of a compute program, and the state with which the grid was issued. Group
 * n has the coordinates (n % x, n / x % y, n / x / y) in a grid of x by y by z groups.
 */
#ifndef SGD_COMPUTE_H
#define SGD_COMPUTE_H

#include "common/sgd_state.h"

#define SGD_GROUP_WARPS (SGD_MAX_GROUP / SGD_WARP)
/* Number of warps that the watchdog stops before no further groups of the grid are started. */
#define SGD_COMPUTE_STOPS 32

struct sgd_compute {
   void (*destroy)(struct sgd_compute *compute);
   struct sgd_shader *program;
   struct sgd_texture_set *set;    /* bound textures and images, or NULL */
   struct sgd_handle_set *handles; /* bindless handles, or NULL */
   struct sgd_env env;
   uint64_t address; /* GPU address of the program */
   /* The GRID packet. In indirect grids, the group counts are filled in when `numbers` is read. */
   struct SGPU_GRID packet;
   /* group counts of an indirect grid, or NULL if they have been read or the grid is direct */
   const uint32_t *numbers;
   bool ordered; /* whether each group starts only after the previous one has ended */
};

/* Returns the number of invocations per group. */
static inline unsigned
sgd_compute_invocations(const struct SGPU_GRID *p)
{
   return p->group_size_x * p->group_size_y * p->group_size_z;
}

/* Computes the total number of groups. Returns false if their warps have more than `most` lanes in
 * total.
 */
bool sgd_compute_groups(const struct SGPU_GRID *p, uint64_t most, uint64_t *groups);
/* Returns the number of consecutive groups that a worker runs at a time, for a grid of `groups`
 * groups. The result is at least 1 and deterministic.
 */
uint64_t sgd_compute_chunk(const struct SGPU_GRID *p, uint64_t groups);

#endif
