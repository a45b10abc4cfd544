/* SPDX-License-Identifier: MIT */
/*
 * Compute: splits a grid into chunks of groups, which the workers run.
 */
#include "shader/grid/sgd_compute.h"

#include "util/macros.h"

/* Minimum and maximum number of invocations in a chunk. Chunks must be small enough that all
 * workers finish at about the same time, but large enough that the cost of locking is negligible.
 */
#define CHUNK_LEAST 128
#define CHUNK_MOST 4096
/* A grid is split into this number of chunks if the limits on the size of a chunk allow it. */
#define CHUNKS 64

bool
sgd_compute_groups(const struct SGPU_GRID *p, uint64_t most, uint64_t *groups)
{
   const uint64_t x = p->groups_x, y = p->groups_y, z = p->groups_z;
   const uint64_t size = ALIGN_POT((uint64_t)sgd_compute_invocations(p), SGD_WARP);

   *groups = 0;
   if (!x || !y || !z || !size)
      return true;
   const uint64_t limit = most / size;
   if (x > limit || y > limit / x || z > limit / (x * y))
      return false;
   *groups = x * y * z;
   return true;
}

uint64_t
sgd_compute_chunk(const struct SGPU_GRID *p, uint64_t groups)
{
   const uint64_t size = sgd_compute_invocations(p);
   const uint64_t least = DIV_ROUND_UP(CHUNK_LEAST, size), most = MAX2(CHUNK_MOST / size, 1);

   return CLAMP(groups / CHUNKS, least, most);
}
