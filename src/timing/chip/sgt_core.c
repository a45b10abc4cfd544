/* SPDX-License-Identifier: MIT */
/*
 * Shader cores of a chip: streaming multiprocessors or execution units.
 */
#include "chip/sgt_core.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "util/macros.h"

const char *
sgt_core_kind_name(enum sgt_core_kind kind)
{
   static const char *const names[SGT_CORE_KINDS] = { "sm", "eu" };
   return names[kind];
}

struct sgt_core_room
sgt_core_room(const struct sgt_core_params *p)
{
   if (p->kind == SGT_CORE_SM)
      return (struct sgt_core_room){ p->sm.warps, p->sm.threads, p->sm.groups, p->sm.textures,
                                     p->sm.accesses };
   const uint32_t threads = p->eu.threads * p->eu.width;
   return (struct sgt_core_room){ threads / 32, threads, threads / 32, p->eu.accesses,
                                  p->eu.accesses };
}

/* In addition to device memory, cores access code, constants and scratch memory in separate address
 * regions of 2^38 bytes each. The size of the regions limits the number of programs and operations.
 */
static_assert(SGT_EU_CONSTANTS == SGT_SM_CONST_ADDRESS && SGT_EU_SCRATCH == SGT_SM_SCRATCH_ADDRESS,
              "both kinds of cores use the same regions");
#define MAX_PROGRAMS (1u << 18)
#define MAX_OPERATIONS (1u << 21)

/* Returns true if the regions can hold the code and the constants of `work`. Otherwise, writes a
 * message and returns false.
 */
static bool
check_regions(const struct sgt_work *work, char *error, size_t error_size)
{
   if (work->num_programs <= MAX_PROGRAMS && work->num_operations <= MAX_OPERATIONS)
      return true;
   snprintf(error, error_size,
            "%u programs and %u operations: cores have addresses for at most %u programs and the "
            "constants of %u operations",
            work->num_programs, work->num_operations, MAX_PROGRAMS, MAX_OPERATIONS);
   return false;
}

bool
sgt_core_code_init(struct sgt_core_code *code, const struct sgt_core_params *params,
                   const struct sgt_work *work, char *error, size_t error_size)
{
   memset(code, 0, sizeof(*code));
   code->kind = params->kind;
   if (!check_regions(work, error, error_size))
      return false;
   if (params->kind == SGT_CORE_SM)
      return sgt_sm_code_init(&code->sm, work, &params->sm, error, error_size);
   if (!sgt_eu_programs_init(&code->eu, &params->eu, work)) {
      snprintf(error, error_size, "out of memory");
      return false;
   }
   if (sgt_eu_programs_check(&code->eu, error, error_size))
      return true;
   sgt_core_code_finish(code);
   return false;
}

void
sgt_core_code_finish(struct sgt_core_code *code)
{
   if (code->kind == SGT_CORE_SM)
      sgt_sm_code_finish(&code->sm);
   else
      sgt_eu_programs_finish(&code->eu);
}

bool
sgt_core_init(struct sgt_core *core, struct sgt_sched *sched, const struct sgt_clock *clock,
              const struct sgt_core_code *code, uint16_t number)
{
   core->kind = code->kind;
   if (code->kind == SGT_CORE_SM) {
      core->sm = sgt_sm_create(sched, clock, &code->sm, number);
      return core->sm != NULL;
   }
   core->eu = calloc(1, sizeof(*core->eu));
   return core->eu && sgt_eu_init(core->eu, sched, clock, &code->eu, number);
}

void
sgt_core_finish(struct sgt_core *core)
{
   if (core->kind == SGT_CORE_SM) {
      sgt_sm_destroy(core->sm);
   } else if (core->eu) {
      sgt_eu_finish(core->eu);
      free(core->eu);
   }
   *core = (struct sgt_core){ 0 };
}

struct sgt_unit *
sgt_core_unit(const struct sgt_core *core)
{
   return core->kind == SGT_CORE_SM ? sgt_sm_unit(core->sm) : &core->eu->unit;
}

void
sgt_core_connect(struct sgt_core *core, const struct sgt_sm_ports *ports)
{
   if (core->kind == SGT_CORE_SM)
      sgt_sm_connect(core->sm, ports);
   else
      core->eu->ports = *ports;
}

bool
sgt_core_idle(const struct sgt_core *core)
{
   return core->kind == SGT_CORE_SM ? sgt_sm_idle(core->sm) : sgt_eu_idle(core->eu);
}

const char *
sgt_core_error(const struct sgt_core *core)
{
   return core->kind == SGT_CORE_SM ? sgt_sm_error(core->sm) : NULL;
}

static void
core_settle(struct sgt_core *core, uint64_t end)
{
   sgt_eu_settle(core->eu, DIV_ROUND_UP(end, core->eu->unit.clock->period));
}

struct sgt_core_states
sgt_core_states(struct sgt_core *core, uint64_t end)
{
   if (core->kind == SGT_CORE_SM)
      return (struct sgt_core_states){ sgt_sm_results(core->sm, end)->states, sgt_sm_state_names,
                                       SGT_SM_STATES };
   core_settle(core, end);
   return (struct sgt_core_states){ core->eu->stats.states, sgt_eu_thread_state_names,
                                    SGT_EU_THREAD_STATES };
}

void
sgt_core_register(struct sgt_core *core, uint64_t end, const char *name, struct sgt_stats *stats)
{
   if (core->kind == SGT_CORE_SM) {
      sgt_sm_stats_register(sgt_sm_results(core->sm, end), stats, name);
   } else {
      core_settle(core, end);
      sgt_eu_stats_add(core->eu, stats, name);
   }
}

void
sgt_core_dump(const struct sgt_core *core, struct sgt_dump *d)
{
   if (core->kind == SGT_CORE_SM)
      sgt_sm_dump(core->sm, d);
   else
      sgt_eu_dump(core->eu, d);
}
