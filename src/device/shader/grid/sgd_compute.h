/* SPDX-License-Identifier: MIT */
/*
 * A grid: the workgroups of a compute program, and the state that the grid was issued
 * under. Group n has the coordinates (n % x, n / x % y, n / x / y) in a grid of x, y, z
 * groups.
 */
#ifndef SGD_COMPUTE_H
#define SGD_COMPUTE_H

#include "common/sgd_state.h"

#define SGD_GROUP_WARPS (SGD_MAX_GROUP / SGD_WARP)
/* After the watchdog has stopped this number of warps of a grid, no further group starts. */
#define SGD_COMPUTE_STOPS 32

struct sgd_compute {
   void (*destroy)(struct sgd_compute *compute);
   struct sgd_shader *program;
   struct sgd_texture_set *set;    /* textures and images, or NULL */
   struct sgd_handle_set *handles; /* bindless handles, or NULL */
   struct sgd_env env;
   uint64_t address; /* device address of the program */
   /* For an indirect grid, the numbers of groups are replaced once `numbers` has been read. */
   struct SGPU_GRID packet;
   const uint32_t *numbers; /* numbers of groups of an indirect grid that have not been read, or
                             * NULL */
   bool ordered;            /* a group starts only after the previous group has ended */
};

/* Returns the number of invocations in a group. */
static inline unsigned
sgd_compute_invocations(const struct SGPU_GRID *p)
{
   return p->group_size_x * p->group_size_y * p->group_size_z;
}

/* Computes the number of groups. Returns false if their warps have more than `most` lanes. */
bool sgd_compute_groups(const struct SGPU_GRID *p, uint64_t most, uint64_t *groups);
/* Returns the number of groups, at least 1, that a worker runs in a row in a grid of
 * `groups` groups. The result is the same in every run.
 */
uint64_t sgd_compute_chunk(const struct SGPU_GRID *p, uint64_t groups);

#endif
