/* SPDX-License-Identifier: MIT */
/*
 * A shader core of a chip: a streaming multiprocessor (sgt_sm.h) or an execution unit (sgt_eu.h).
 * Both kinds of cores have the same ports (sgt_sm_ports.h).
 *
 * The scheduler calls the unit of a core directly, not through this interface.
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
   /* Maximum numbers of warps, threads (lanes) and workgroups that can reside in the core. */
   uint32_t warps, threads, groups;
   /* Maximum numbers of texture requests and memory accesses in flight. */
   uint32_t textures, accesses;
};
struct sgt_core_room sgt_core_room(const struct sgt_core_params *p);

/* The programs of a struct sgt_work after they have been prepared for the cores of a chip. All
 * cores share this data.
 */
struct sgt_core_code {
   enum sgt_core_kind kind;
   union {
      struct sgt_sm_code sm;
      struct sgt_eu_programs eu;
   };
};

/* Prepares the programs of `work`, which must outlive `code`. The parameters must be valid. If
 * memory runs out, or if the cores can't run `work`, writes a message to `error` and returns false.
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

/* Adds the core to the scheduler. `number` identifies the core in messages. Returns false on
 * allocation failure.
 */
bool sgt_core_init(struct sgt_core *core, struct sgt_sched *sched, const struct sgt_clock *clock,
                   const struct sgt_core_code *code, uint16_t number);
void sgt_core_finish(struct sgt_core *core);
struct sgt_unit *sgt_core_unit(const struct sgt_core *core);
/* Connects the ports of the core. Must be called before the first warp starts. */
void sgt_core_connect(struct sgt_core *core, const struct sgt_sm_ports *ports);

/* Returns true if the core has no resident warps and no pending requests. */
bool sgt_core_idle(const struct sgt_core *core);
/* Dumps the state of the core, its warps and its pending requests. */
void sgt_core_dump(const struct sgt_core *core, struct sgt_dump *d);
/* Returns an error message if a traced access or a launched warp was invalid, and NULL otherwise.
 * After an error, the results are meaningless.
 */
const char *sgt_core_error(const struct sgt_core *core);

/* Number of cycles that a core has spent in each state. */
struct sgt_core_states {
   /* Number of cycles in each state. The core owns the array and keeps updating it. */
   const uint64_t *values;
   const char *const *names; /* names of the states */
   uint32_t num;             /* number of states */
};
/* Updates the state counters to include all cycles before `end`, and returns them. `end` is in
 * ticks and must not be in the past.
 */
struct sgt_core_states sgt_core_states(struct sgt_core *core, uint64_t end);
/* Updates the state counters to include all cycles before `end`, in ticks. Then registers the
 * statistics of the core under the name `name`, which must outlive `stats`.
 */
void sgt_core_register(struct sgt_core *core, uint64_t end, const char *name,
                       struct sgt_stats *stats);
/* Returns "sm" or "eu". */
const char *sgt_core_kind_name(enum sgt_core_kind kind);

#endif
