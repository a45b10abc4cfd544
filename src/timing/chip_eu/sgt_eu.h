/* SPDX-License-Identifier: MIT */
/*
 * The execution unit of US 8,564,604 (VIA): sixteen threads in an even and an odd group, each
 * group with a fetch arbiter; broadcast fetch; instruction queues and pre-decoders of each
 * thread; constant cache, vertex attribute cache and two register files that take requests in
 * the same cycle; a data path of ALUs and an interpolator; an output buffer.
 *
 * A thread is a part of a warp: `width` lanes that execute together.  A cycle has these steps.
 * A step sees what earlier steps of its cycle did.
 *
 *    answers     from memory and textures
 *    launch      a warp takes slots of threads
 *    output      the oldest entry of the output buffer goes on
 *    deliver     the constant FIFO, the attribute FIFO
 *    issue       of each ALU: the oldest thread that has all operands
 *    operands    arbiters of constants, attributes, registers: the oldest thread each
 *    decode      the head of a queue enters the pre-decoder
 *    broadcast   the instruction cache to the queues
 *    fetch       each arbiter: the oldest thread with room in its queue
 *    end         threads whose work is done
 */
#ifndef SGT_EU_H
#define SGT_EU_H

#include <stddef.h>

#include "kernel/sgt_channel.h"
#include "chip_eu/sgt_eu_const.h"
#include "params/sgt_eu_params.h"
#include "chip_sm/sgt_sm_ports.h"
#include "kernel/sgt_stats.h"
#include "trace/sgt_work.h"

struct sgt_dump;

#define SGT_EU_LINE_INSTRS 4 /* instructions of 16 bytes in a line of 64 */
#define SGT_EU_OPERATIONS 5  /* that the text counts in one cycle */

/* Whether each warp and workgroup of the work fits into an execution unit: as
 * sgt_eu_programs_check, for work without programs.
 */
bool sgt_eu_work_check(const struct sgt_eu_params *p, const struct sgt_work *work, char *error,
                       size_t error_size);

/* What a thread does in a cycle: exactly one of these. */
enum sgt_eu_thread_state {
   SGT_EU_EMPTY,
   SGT_EU_ISSUE,
   SGT_EU_STALL,  /* a constant miss stops all (const_blocking) */
   SGT_EU_DECODE, /* its next instruction enters the pre-decoder */
   SGT_EU_FETCH,  /* its queue is empty */
   SGT_EU_GRANT,  /* without pre-decoders: no ALU is free to decode for */
   SGT_EU_JUMP,   /* a jump is not resolved */
   SGT_EU_BARRIER,
   SGT_EU_RESULT, /* a result of the data path */
   SGT_EU_ACCESS, /* a result from memory or textures */
   SGT_EU_REGS,   /* operands from its register file */
   SGT_EU_CONST,
   SGT_EU_ATTR,
   SGT_EU_OUTPUT, /* a place in the output buffer or of an access */
   SGT_EU_SELECT, /* it could issue, but each ALU is busy or takes an older thread */
   SGT_EU_DRAIN,  /* its program is over */
   SGT_EU_THREAD_STATES,
};

/* States of an arbiter, of a cache's port, of a register file. */
enum sgt_eu_port_state {
   SGT_EU_PORT_IDLE,    /* no request */
   SGT_EU_PORT_GRANT,   /* it takes a request */
   SGT_EU_PORT_BUSY,    /* the request before is not through: bank conflicts, intervals */
   SGT_EU_PORT_FULL,    /* no place in FIFO, queues or the way to memory */
   SGT_EU_PORT_DEPENDS, /* who asks waits for an earlier result, or for other operands */
   SGT_EU_PORT_STATES,
};

enum sgt_eu_return_state {
   SGT_EU_RETURN_IDLE,
   SGT_EU_RETURN_GIVE, /* an instruction on the bus */
   SGT_EU_RETURN_WAIT, /* the latency of a hit */
   SGT_EU_RETURN_MISS,
   SGT_EU_RETURN_STATES,
};

enum sgt_eu_launch_state {
   SGT_EU_LAUNCH_IDLE,
   SGT_EU_LAUNCH_TAKE,
   SGT_EU_LAUNCH_SLOTS,      /* waits for slots of threads */
   SGT_EU_LAUNCH_ATTRIBUTES, /* for places in the attribute cache */
   SGT_EU_LAUNCH_CONTEXT,    /* enum sgt_eu_const_wait */
   SGT_EU_LAUNCH_VERSION,
   SGT_EU_LAUNCH_MAPPING,
   SGT_EU_LAUNCH_STATES,
};

enum sgt_eu_output_state {
   SGT_EU_OUTPUT_IDLE,
   SGT_EU_OUTPUT_WAIT, /* the oldest entry has no data yet */
   SGT_EU_OUTPUT_SEND,
   SGT_EU_OUTPUT_BLOCKED,
   SGT_EU_OUTPUT_STATES,
};

/* Generated; its arrays have the sizes of the enums above. */
#include "stats/sgt_eu_stats.h"

/* For tests: what happens, in this order within a cycle. */
enum sgt_eu_event {
   SGT_EU_EVENT_LAUNCH,
   SGT_EU_EVENT_OUTPUT,
   SGT_EU_EVENT_ISSUE,
   SGT_EU_EVENT_CONST,
   SGT_EU_EVENT_ATTR,
   SGT_EU_EVENT_REGS,
   SGT_EU_EVENT_DECODE,
   SGT_EU_EVENT_BROADCAST,
   SGT_EU_EVENT_FETCH,
   SGT_EU_EVENT_JOIN,
   SGT_EU_EVENT_END,
};
struct sgt_eu_log {
   void (*event)(struct sgt_eu_log *log, uint64_t cycle, enum sgt_eu_event event, uint32_t thread,
                 uint32_t pc);
};

/* Programs of a work as execution units run them.  Made once for a work and the parameters,
 * read-only, shared by all units.
 */
struct sgt_eu_programs {
   struct sgt_eu_params params;
   const struct sgt_work *work;
   struct sgt_const_lines constants;
   struct sgt_eu_code *codes;
   uint32_t num;
};

/* The work stays.  False: no memory. */
bool sgt_eu_programs_init(struct sgt_eu_programs *p, const struct sgt_eu_params *params,
                          const struct sgt_work *work);
void sgt_eu_programs_finish(struct sgt_eu_programs *p);
/* Whether each warp and workgroup of the work fits into an execution unit.  False, with a
 * message.
 */
bool sgt_eu_programs_check(const struct sgt_eu_programs *p, char *error, size_t error_size);

struct sgt_eu_core;

struct sgt_eu {
   struct sgt_unit unit;
   struct sgt_eu_params params;
   struct sgt_sm_ports ports; /* set before the first cycle */
   uint16_t number;           /* in messages */
   struct sgt_eu_stats stats;
   struct sgt_eu_log *log; /* NULL: none */
   struct sgt_eu_core *core;
};

/* Adds the unit to the scheduler; the programs stay.  Addresses of code, constants and scratch
 * memory begin at SGT_EU_CODE, SGT_EU_CONSTANTS and SGT_EU_SCRATCH.  False: no memory.
 */
bool sgt_eu_init(struct sgt_eu *eu, struct sgt_sched *sched, const struct sgt_clock *clock,
                 const struct sgt_eu_programs *programs, uint16_t number);
void sgt_eu_finish(struct sgt_eu *eu);

/* Counts cycles up to `cycle`; for the end of a run. */
void sgt_eu_settle(struct sgt_eu *eu, uint64_t cycle);
/* Whether no thread, no access, no output and no fetch is left. */
bool sgt_eu_idle(const struct sgt_eu *eu);
/* Writes what the unit has under way. */
void sgt_eu_dump(const struct sgt_eu *eu, struct sgt_dump *d);
/* Adds the statistics as those of a unit `name`, which must stay. */
void sgt_eu_stats_add(const struct sgt_eu *eu, struct sgt_stats *stats, const char *name);
struct sgt_eu_const_stats sgt_eu_const_stats(const struct sgt_eu *eu);
extern const char *const sgt_eu_thread_state_names[SGT_EU_THREAD_STATES];

#endif
