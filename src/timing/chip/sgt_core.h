/* SPDX-License-Identifier: MIT */
/*
 * A shader core of a chip: a streaming multiprocessor (sgt_sm.h) or an execution unit (sgt_eu.h)
 * behind the ports of sgt_sm_ports.h.  Both are units of the scheduler, which calls them without
 * coming by here.
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

/* What a core has for warps and for what they have under way. */
struct sgt_core_room {
   uint32_t warps, threads, groups;
   uint32_t textures, accesses; /* messages that it can have under way */
};
struct sgt_core_room sgt_core_room(const struct sgt_core_params *p);

/* Programs of a work as all cores of a chip run them. */
struct sgt_core_code {
   enum sgt_core_kind kind;
   union {
      struct sgt_sm_code sm;
      struct sgt_eu_programs eu;
   };
};

/* The work stays; the parameters are legal.  False, with a message: no memory, or the work has
 * what the core has not.
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

/* Adds the unit to the scheduler; `number` names it in messages.  False: no memory. */
bool sgt_core_init(struct sgt_core *core, struct sgt_sched *sched, const struct sgt_clock *clock,
                   const struct sgt_core_code *code, uint16_t number);
void sgt_core_finish(struct sgt_core *core);
struct sgt_unit *sgt_core_unit(const struct sgt_core *core);
/* Before the first launch. */
void sgt_core_connect(struct sgt_core *core, const struct sgt_sm_ports *ports);

/* Whether it has no warp, and no request under way. */
bool sgt_core_idle(const struct sgt_core *core);
/* Writes what the unit has under way. */
void sgt_core_dump(const struct sgt_core *core, struct sgt_dump *d);
/* NULL, or what is wrong with the work or with what was launched: results are meaningless. */
const char *sgt_core_error(const struct sgt_core *core);

/* Cycles by what the unit did in them, all before the time `end`, which is not before the present
 * one; `names` of the states.  The values stay, and grow.
 */
struct sgt_core_states {
   const uint64_t *values;
   const char *const *names;
   uint32_t num;
};
struct sgt_core_states sgt_core_states(struct sgt_core *core, uint64_t end);
/* Accounts all cycles before `end` and adds the statistics as those of a unit `name`, which must
 * stay.
 */
void sgt_core_register(struct sgt_core *core, uint64_t end, const char *name,
                       struct sgt_stats *stats);
/* "sm", "eu". */
const char *sgt_core_kind_name(enum sgt_core_kind kind);

#endif
