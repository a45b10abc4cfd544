/* SPDX-License-Identifier: MIT */
/*
 * A shader core of a chip: a streaming multiprocessor (sgt_sm.h) or an execution unit (sgt_eu.h),
 * which use the same ports (sgt_sm_ports.h). Both are units that the scheduler calls directly,
 * without functions of this file.
 */
#ifndef SGT_CORE_H
#define SGT_CORE_H

#include "params/sgt_core_kind.h"
#include "chip_eu/sgt_eu.h"
#include "chip_sm/sgt_sm.h"

struct sgt_dump;

struct sgt_core_params {
   enum sgt_core_kind kind;
   struct sgt_sm_params sm;
   struct sgt_eu_params eu;
};

/* Capacity of a core. */
struct sgt_core_room {
   /* Maximum numbers of warps, threads (lanes) and workgroups in the core at once. */
   uint32_t warps, threads, groups;
   /* maximum numbers of texture requests and of memory accesses under way */
   uint32_t textures, accesses;
};
struct sgt_core_room sgt_core_room(const struct sgt_core_params *p);

/* The programs of a work in the form that all cores of a chip run. */
struct sgt_core_code {
   enum sgt_core_kind kind;
   union {
      struct sgt_sm_code sm;
      struct sgt_eu_programs eu;
   };
};

/* Prepares the programs of a work. The work must outlive `code`, and the parameters must be valid.
 * Returns false and writes a message if out of memory, or if the work needs something that the core
 * does not have.
 */
bool sgt_core_code_init(struct sgt_core_code *code, const struct sgt_core_params *params,
                        const struct sgt_work *work, char *error, size_t error_size);
void sgt_core_code_finish(struct sgt_core_code *code);

struct sgt_core {
   enum sgt_core_kind kind;
   union {
      struct sgt_sm *sm;
      struct sgt_eu *eu;
   };
};

/* Adds the core to the scheduler. Messages name it by `number`. Returns false if out of memory. */
bool sgt_core_init(struct sgt_core *core, struct sgt_sched *sched, const struct sgt_clock *clock,
                   const struct sgt_core_code *code, uint16_t number);
void sgt_core_finish(struct sgt_core *core);
struct sgt_unit *sgt_core_unit(const struct sgt_core *core);
/* Connects the ports. Called before the first warp starts. */
void sgt_core_connect(struct sgt_core *core, const struct sgt_sm_ports *ports);

/* Returns true if the core has no warp and no request under way. */
bool sgt_core_idle(const struct sgt_core *core);
/* Writes what the unit has under way. */
void sgt_core_dump(const struct sgt_core *core, struct sgt_dump *d);
/* Returns NULL, or a description of an error in the work or in a launched warp. After an error,
 * results are meaningless.
 */
const char *sgt_core_error(const struct sgt_core *core);

/* Cycles by state of a core. */
struct sgt_core_states {
   /* cycles in each state; the array belongs to the core, and its values grow */
   const uint64_t *values;
   const char *const *names; /* names of the states */
   uint32_t num;             /* number of states */
};
/* Counts the cycles before the time `end`, in ticks, which is not earlier than the present time,
 * and returns them by state.
 */
struct sgt_core_states sgt_core_states(struct sgt_core *core, uint64_t end);
/* Counts all cycles before `end`, in ticks, and adds the statistics as those of a unit `name`. The
 * string must outlive the statistics.
 */
void sgt_core_register(struct sgt_core *core, uint64_t end, const char *name,
                       struct sgt_stats *stats);
/* Returns "sm" or "eu". */
const char *sgt_core_kind_name(enum sgt_core_kind kind);

#endif
