/* SPDX-License-Identifier: MIT */
/*
 * Compute: runs the workgroups of a grid. Each worker runs a number of consecutive groups.
 *
 * If the program has no barriers, or if the group is a single warp, the warps run one after the
 * other on the worker's own warp. Otherwise each warp of the group has a separate register file,
 * and the warps take turns: each warp runs until it reaches the barrier or ends. Once all warps
 * have done so, the next round starts.
 */
#include <stdlib.h>
#include <string.h>

#include "observe/records/sgd_observe_work.h"
#include "common/sgd_arch.h"
#include "shader/program/sgd_code.h"
#include "shader/grid/sgd_compute.h"
#include "common/sgd_observe.h"
#include "common/sgd_shader.h"
#include "common/sgd_stats.h"
#include "common/sgd_worker.h"
#include "util/macros.h"

/* A worker keeps up to this number of bytes of memory for the next grid. */
#define KEEP_BYTES (4u << 20)

/* State of a worker that executes a grid. */
struct compute {
   struct sgd_worker *worker;
   const struct sgd_compute *grid;
   const struct sgd_shader *program;
   unsigned invocations, warps; /* number of invocations per group, and number of warps per group */
   uint32_t id[3];              /* coordinates of the current group */

   /* memory for the register files, scratch memory and stacks of the warps, followed by the group's
    * shared memory
    */
   uint8_t *memory;
   size_t memory_size;
   uint8_t *shared;
   uint32_t shared_size;

   uint16_t size[3]; /* group size for which `local` has been computed */
   /* value of LOCAL_ID for each warp of the group */
   _Alignas(64) uint32_t local[SGD_GROUP_WARPS][3][SGD_WARP];
   /* warps of the group, used only if the program has barriers */
   struct sgd_warp warp[SGD_GROUP_WARPS];
};

static void
compute_free(void *data)
{
   struct compute *c = data;

   free(c->memory);
   free(c);
}

static struct compute *
compute_get(struct sgd_worker *worker)
{
   if (!worker->compute) {
      struct compute *c = NULL;
      if (posix_memalign((void **)&c, 64, sizeof(*c)))
         return NULL;
      memset(c, 0, offsetof(struct compute, local));
      worker->compute = c;
      worker->compute_free = compute_free;
   }
   return worker->compute;
}

static bool
reserve(struct compute *c, size_t size)
{
   if (c->memory_size >= size)
      return true;
   free(c->memory);
   c->memory = NULL;
   c->memory_size = 0;
   if (posix_memalign((void **)&c->memory, 64, size)) {
      c->memory = NULL;
      return false;
   }
   c->memory_size = size;
   return true;
}

/* Computes LOCAL_ID for all invocations of a group. Lanes without an invocation get 0. */
static void
number_invocations(struct compute *c)
{
   const struct SGPU_GRID *p = &c->grid->packet;
   uint32_t id[3] = { 0, 0, 0 };

   if (c->size[0] == p->group_size_x && c->size[1] == p->group_size_y &&
       c->size[2] == p->group_size_z)
      return;
   c->size[0] = p->group_size_x;
   c->size[1] = p->group_size_y;
   c->size[2] = p->group_size_z;
   memset(c->local[c->warps - 1], 0, sizeof(c->local[0]));
   for (unsigned i = 0; i < c->invocations; i++) {
      for (unsigned n = 0; n < 3; n++)
         c->local[i / SGD_WARP][n][i % SGD_WARP] = id[n];
      if (++id[0] < c->size[0])
         continue;
      id[0] = 0;
      if (++id[1] < c->size[1])
         continue;
      id[1] = 0;
      id[2]++;
   }
}

static void
fill_lanes(uint32_t *c, uint32_t value)
{
   for (unsigned i = 0; i < SGD_WARP; i++)
      c[i] = value;
}

static void
fill_vector(struct sgd_vec *v, uint32_t x, uint32_t y, uint32_t z)
{
   fill_lanes(v->c[0], x);
   fill_lanes(v->c[1], y);
   fill_lanes(v->c[2], z);
}

static inline bool
reads(const struct compute *c, enum sgpu_sysval sysval)
{
   return c->program->sysvals_read >> sysval & 1;
}

/* Sets the system values that are the same for all groups of the grid. */
static void
set_grid_values(const struct compute *c, struct sgd_warp *w)
{
   const struct SGPU_GRID *p = &c->grid->packet;

   for (unsigned s = 0; s < w->code->layout.num_sys; s++) {
      if (reads(c, s))
         memset(&w->sys[s], 0, sizeof(w->sys[s]));
   }
   if (reads(c, SGPU_SYS_NUM_GROUPS))
      fill_vector(&w->sys[SGPU_SYS_NUM_GROUPS], p->groups_x, p->groups_y, p->groups_z);
   if (reads(c, SGPU_SYS_GROUP_SIZE))
      fill_vector(&w->sys[SGPU_SYS_GROUP_SIZE], p->group_size_x, p->group_size_y, p->group_size_z);
   if (reads(c, SGPU_SYS_SUBGROUP))
      fill_lanes(w->sys[SGPU_SYS_SUBGROUP].c[1], c->warps);
   if (reads(c, SGPU_SYS_VIEW))
      fill_lanes(w->sys[SGPU_SYS_VIEW].c[0], c->grid->env.view);
   if (reads(c, SGPU_SYS_LANE)) {
      for (unsigned i = 0; i < SGD_WARP; i++)
         w->sys[SGPU_SYS_LANE].c[0][i] = i;
   }
}

/* Sets the system values that warp n has in every group. */
static void
set_warp_values(const struct compute *c, struct sgd_warp *w, unsigned n)
{
   if (reads(c, SGPU_SYS_LOCAL_ID))
      memcpy(w->sys[SGPU_SYS_LOCAL_ID].c, c->local[n], sizeof(c->local[n]));
   if (reads(c, SGPU_SYS_SUBGROUP))
      fill_lanes(w->sys[SGPU_SYS_SUBGROUP].c[0], n);
}

static void
set_group_values(const struct compute *c, struct sgd_warp *w)
{
   if (reads(c, SGPU_SYS_GROUP_ID))
      fill_vector(&w->sys[SGPU_SYS_GROUP_ID], c->id[0], c->id[1], c->id[2]);
}

/* Returns the lanes of warp n that execute an invocation of the group. */
static uint32_t
lanes_of(const struct compute *c, unsigned n)
{
   const unsigned left = c->invocations - n * SGD_WARP;

   return left >= SGD_WARP ? ~0u : (1u << left) - 1;
}

/* Prepares for groups whose warps run one after the other. Returns false if an allocation fails. */
static bool
begin_sequence(struct compute *c)
{
   struct sgd_warp *w = &c->worker->core->warp;

   if (!reserve(c, c->shared_size))
      return false;
   c->shared = c->memory;
   sgd_shader_begin(c->worker, c->program, &c->grid->env);
   w->shared = c->shared;
   w->shared_size = c->shared_size;
   set_grid_values(c, w);
   set_warp_values(c, w, 0);
   return true;
}

static bool
run_sequence(struct compute *c)
{
   struct sgd_warp *w = &c->worker->core->warp;

   set_group_values(c, w);
   for (unsigned n = 0; n < c->warps; n++) {
      const uint32_t lanes = lanes_of(c, n);
      uint32_t live = lanes;
      if (c->warps > 1)
         set_warp_values(c, w, n);
      if (SGD_OBSERVED_LEVEL)
         sgd_observe_workgroup(c->worker, &c->grid->packet, c->id, n);
      if (!sgd_shader_run(c->worker, c->program, &c->grid->env, lanes, &live))
         return false;
      if (c->worker->stop.reason != SGD_STOP_NONE)
         break;
   }
   return true;
}

static bool
begin_turns(struct compute *c)
{
   const size_t file = c->program->file_size;
   const size_t stack = c->program->stack_size <= SGD_OWN_STACK
                           ? 0
                           : ALIGN_POT(c->program->stack_size * sizeof(struct sgd_entry), 64);

   if (!reserve(c, c->warps * (file + stack) + c->shared_size))
      return false;
   uint8_t *at = c->memory;
   c->shared = at + c->warps * (file + stack);
   for (unsigned n = 0; n < c->warps; n++) {
      struct sgd_warp *w = &c->warp[n];
      sgd_warp_init(w, c->program, &c->grid->env, at);
      at += file;
      if (stack)
         w->stack = (struct sgd_entry *)at;
      at += stack;
      w->shared = c->shared;
      w->shared_size = c->shared_size;
      set_grid_values(c, w);
      set_warp_values(c, w, n);
   }
   return true;
}

static void
run_turns(struct compute *c)
{
   bool waiting;

   for (unsigned n = 0; n < c->warps; n++) {
      const uint32_t lanes = lanes_of(c, n);
      set_group_values(c, &c->warp[n]);
      sgd_warp_start(&c->warp[n], lanes, lanes);
   }
   do {
      waiting = false;
      for (unsigned n = 0; n < c->warps; n++) {
         if (SGD_OBSERVED_LEVEL)
            sgd_observe_workgroup(c->worker, &c->grid->packet, c->id, n);
         switch (sgd_warp_run(&c->warp[n], c->worker, SGD_NO_LIMIT)) {
         case SGD_WARP_STOPPED:
            /* Stop the whole group, since its other warps would wait forever at the barrier. */
            sgd_warp_stop(&c->warp[n]);
            return;
         case SGD_WARP_BARRIER:
            waiting = true;
            break;
         default:
            break;
         }
      }
   } while (waiting);
}

/* Computes the coordinates of group n in the grid. */
static void
locate(struct compute *c, uint64_t n)
{
   const struct SGPU_GRID *p = &c->grid->packet;

   c->id[0] = n % p->groups_x;
   n /= p->groups_x;
   c->id[1] = n % p->groups_y;
   c->id[2] = n / p->groups_y;
}

static void
step(struct compute *c)
{
   const struct SGPU_GRID *p = &c->grid->packet;

   if (++c->id[0] < p->groups_x)
      return;
   c->id[0] = 0;
   if (++c->id[1] < p->groups_y)
      return;
   c->id[1] = 0;
   c->id[2]++;
}

/* Runs `count` consecutive groups. If warps are stopped, e.g. by the watchdog, reports the first
 * stop (struct sgd_stop_info). Starts no further groups after SGD_COMPUTE_STOPS stops.
 */
static void
run_groups(struct compute *c, uint64_t count, bool turns, struct sgd_stats *stats)
{
   struct sgd_worker *worker = c->worker;
   struct sgd_stop_info first = { .reason = SGD_STOP_NONE };
   unsigned stops = 0;
   uint64_t n;

   for (n = 0; n < count && stops < SGD_COMPUTE_STOPS; n++, step(c)) {
      if (c->shared_size)
         memset(c->shared, 0, c->shared_size);
      if (turns) {
         run_turns(c);
      } else if (!run_sequence(c)) {
         first.reason = SGD_STOP_MEMORY;
         break;
      }
      if (unlikely(worker->stop.reason != SGD_STOP_NONE)) {
         if (!stops++)
            first = worker->stop;
         worker->stop.reason = SGD_STOP_NONE;
      }
   }
   worker->stop = first;
   worker->counters[SGPU_COUNTER_GROUPS] += n;
   worker->counters[SGPU_COUNTER_COMPUTE_WARPS] += n * c->warps;
   worker->counters[SGPU_COUNTER_INVOCATIONS] += n * c->invocations;
   stats->cs_invocations += n * c->invocations;
}

void
sgd_compute_run(struct sgd_worker *worker, const struct sgd_compute *grid, uint64_t first,
                uint64_t count, struct sgd_stats *stats)
{
   struct compute *c = compute_get(worker);

   if (!c) {
      worker->stop.reason = SGD_STOP_MEMORY;
      return;
   }
   c->worker = worker;
   c->grid = grid;
   c->program = grid->program;
   c->invocations = sgd_compute_invocations(&grid->packet);
   c->warps = DIV_ROUND_UP(c->invocations, SGD_WARP);
   c->shared_size = ALIGN_POT(grid->packet.shared_size, 4);
   number_invocations(c);
   locate(c, first);

   const bool turns = c->program->has_barrier && c->warps > 1;
   if (turns ? begin_turns(c) : begin_sequence(c))
      run_groups(c, count, turns, stats);
   else
      worker->stop.reason = SGD_STOP_MEMORY;

   if (c->memory_size > KEEP_BYTES) {
      free(c->memory);
      c->memory = NULL;
      c->memory_size = 0;
   }
}
