/* SPDX-License-Identifier: MIT */
/*
 * A grid: groups of invocations of a compute program, and what it was issued under.
 * Group n has the coordinates (n % x, n / x % y, n / x / y) of a grid of x, y, z groups.
 */
#ifndef SGD_COMPUTE_H
#define SGD_COMPUTE_H

#include "sgd_state.h"

#define SGD_GROUP_WARPS (SGD_MAX_GROUP / SGD_WARP)
/* Stops of a grid by the watchdog after which no further group begins. */
#define SGD_COMPUTE_STOPS 32

struct sgd_compute {
   void (*destroy)(struct sgd_compute *compute);
   struct sgd_shader *program;
   struct sgd_texture_set *set;    /* or NULL */
   struct sgd_handle_set *handles; /* or NULL */
   struct sgd_env env;
   uint64_t address; /* of the program */
   /* Its numbers of groups are those of `numbers`, once they are read. */
   struct SGPU_GRID packet;
   const uint32_t *numbers; /* of an indirect grid that were not read, or NULL */
   bool ordered;            /* a group begins when the one before it has ended */
};

/* Invocations of a group. */
static inline unsigned
sgd_compute_invocations(const struct SGPU_GRID *p)
{
   return p->group_size_x * p->group_size_y * p->group_size_z;
}

/* The number of groups; false where their warps have more than `most` lanes. */
bool sgd_compute_groups(const struct SGPU_GRID *p, uint64_t most, uint64_t *groups);
/* Groups that a worker runs in a row, of a grid of so many; at least 1.  The same in
 * every run.
 */
uint64_t sgd_compute_chunk(const struct SGPU_GRID *p, uint64_t groups);

#endif
