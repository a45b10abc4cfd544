/* SPDX-License-Identifier: MIT */
/*
 * Records what warps do, for the observer: warps, runs of instructions, memory accesses, quads and
 * vertex fetches. The cache lines that an instruction accesses are collected per quad, without
 * duplicates, and become a record once the instruction has executed.
 */
#include "observe/records/sgd_observe_work.h"

#include <stdlib.h>
#include <string.h>

#include "shader/grid/sgd_compute.h"
#include "common/sgd_shader.h"
#include "util/bitscan.h"
#include "util/macros.h"

#define QUAD_SHIFT 61

/* -- warps and runs --------------------------------------------------------------------------- */

void
sgd_observe_group(const struct sgd_worker *worker, uint32_t group, uint32_t number)
{
   if (!worker->work)
      return;
   worker->work->group = group;
   worker->work->number = number;
}

void
sgd_observe_workgroup(const struct sgd_worker *worker, const struct SGPU_GRID *grid,
                      const uint32_t id[3], unsigned n)
{
   sgd_observe_group(worker, id[0] + grid->groups_x * (id[1] + grid->groups_y * id[2]), n);
}

/* qsort() callback that sorts the cache lines that the input assembler has read. */
static int
compare_lines(const void *a, const void *b)
{
   const uint64_t p = *(const uint64_t *)a, q = *(const uint64_t *)b;

   return p < q ? -1 : p > q;
}

static void
add_fetch(struct sgd_work_observation *o)
{
   struct sgpu_event_fetch *e;
   unsigned num = 0;

   qsort(o->fetch, o->num_fetch, sizeof(*o->fetch), compare_lines);
   for (unsigned i = 0; i < o->num_fetch; i++) {
      if (i == 0 || o->fetch[i] != o->fetch[i - 1])
         o->fetch[num++] = o->fetch[i];
   }
   e = sgd_records_add(&o->records, SGPU_EVENT_FETCH, 0, sizeof(*e) / 4 + 2 * num);
   if (e) {
      uint32_t *line = (uint32_t *)(e + 1);
      e->attributes = o->attributes;
      for (unsigned i = 0; i < num; i++) {
         *line++ = o->fetch[i];
         *line++ = o->fetch[i] >> 32;
      }
   }
   o->num_fetch = 0;
   o->attributes = 0;
}

void
sgd_observe_warp(const struct sgd_worker *worker, const struct sgd_shader *shader, uint32_t lanes,
                 bool resumed)
{
   struct sgd_work_observation *o = worker->work;

   if (!o)
      return;
   struct sgpu_event_warp *e = sgd_records_add(&o->records, SGPU_EVENT_WARP,
                                               resumed ? SGPU_EVENT_WARP_RESUMED : 0,
                                               sizeof(*e) / 4);
   if (!e)
      return;
   e->program_low = shader->key;
   e->program_high = shader->key >> 32;
   e->lanes = lanes;
   e->group = o->group;
   e->number = o->number;
   e->stage = shader->stage;
   if (shader->stage == SGPU_STAGE_VERTEX)
      add_fetch(o);
}

void
sgd_observe_run(const struct sgd_worker *worker, uint32_t pc, uint32_t count, uint32_t lanes)
{
   struct sgpu_event_run *e = sgd_records_add(&worker->work->records, SGPU_EVENT_RUN, 0,
                                              sizeof(*e) / 4);

   if (!e)
      return;
   e->pc = pc;
   e->count = count;
   e->lanes = lanes;
}

/* -- accesses --------------------------------------------------------------------------------- */

void
sgd_observe_access(const struct sgd_worker *worker, uint32_t pc, enum sgpu_access kind,
                   uint32_t lanes)
{
   struct sgd_work_observation *o = worker->work;
   struct sgpu_event_access *e;
   unsigned lines = 0;

   for (unsigned q = 0; q < SGD_QUADS; q++)
      lines += o->num_lines[q];
   e = sgd_records_add(&o->records, SGPU_EVENT_ACCESS, 0, sizeof(*e) / 4 + 2 * lines);
   if (e) {
      uint32_t *line = (uint32_t *)(e + 1);
      e->pc = pc;
      e->kind = kind;
      e->lanes = util_bitcount(lanes);
      e->work = o->work;
      e->bytes = o->bytes;
      for (unsigned q = 0; q < SGD_QUADS; q++) {
         for (unsigned n = 0; n < o->num_lines[q]; n++) {
            const uint64_t value = o->lines[q][n] | (uint64_t)q << QUAD_SHIFT;
            *line++ = value;
            *line++ = value >> 32;
         }
      }
   }
   o->work = 0;
   o->bytes = 0;
   memset(o->num_lines, 0, sizeof(o->num_lines));
}

void
sgd_observe_lines(struct sgd_work_observation *o, unsigned lane, uint64_t address, unsigned bytes)
{
   const unsigned q = lane / 4;
   uint64_t *lines = o->lines[q];

   for (uint64_t line = address >> SGD_LINE_SHIFT; line <= (address + bytes - 1) >> SGD_LINE_SHIFT;
        line++) {
      unsigned n = o->num_lines[q];
      while (n > 0 && lines[n - 1] != line)
         n--;
      if (n)
         continue;
      if (o->num_lines[q] == SGD_QUAD_LINES) {
         o->records.failed = true;
         return;
      }
      lines[o->num_lines[q]++] = line;
   }
}

void
sgd_observe_bytes(const struct sgd_worker *worker, unsigned lane, const void *at, unsigned bytes)
{
   struct sgd_work_observation *o = worker->work;

   if (o)
      sgd_observe_lines(o, lane, (uint64_t)((const uint8_t *)at - o->memory), bytes);
}

void
sgd_observe_atomics(const struct sgd_worker *worker, uint8_t *const at[SGD_WARP], uint32_t lanes,
                    unsigned bytes)
{
   struct sgd_work_observation *o = worker->work;

   if (!o)
      return;
   o->bytes = bytes;
   for (uint32_t left = lanes; left;) {
      const unsigned l = u_bit_scan(&left);
      unsigned same = 1;
      for (uint32_t others = left; others;)
         same += at[u_bit_scan(&others)] == at[l];
      o->work = MAX2(o->work, same);
      sgd_observe_lines(o, l, (uint64_t)(at[l] - o->memory), bytes);
   }
}

/* -- stages ----------------------------------------------------------------------------------- */

void
sgd_observe_fetch_bytes(const struct sgd_worker *worker, const uint8_t *at, uint64_t bytes)
{
   struct sgd_work_observation *o = worker->work;
   const uint64_t address = at - o->memory;

   for (uint64_t line = address >> SGD_LINE_SHIFT; line <= (address + bytes - 1) >> SGD_LINE_SHIFT;
        line++) {
      if (o->num_fetch && o->fetch[o->num_fetch - 1] == line)
         continue;
      if (o->num_fetch == SGD_FETCH_LINES) {
         o->records.failed = true;
         return;
      }
      o->fetch[o->num_fetch++] = line;
   }
}

void
sgd_observe_fetch(const struct sgd_worker *worker, const uint8_t *const *at, const uint8_t *nothing,
                  unsigned count, unsigned bytes, unsigned comps)
{
   struct sgd_work_observation *o = worker->work;

   if (!o)
      return;
   o->attributes += comps;
   for (unsigned i = 0; i < count; i++) {
      if (at[i] != nothing)
         sgd_observe_fetch_bytes(worker, at[i], bytes);
   }
}
