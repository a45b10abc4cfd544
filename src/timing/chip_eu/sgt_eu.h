/* SPDX-License-Identifier: MIT */
/*
 * The execution unit (EU) of US 8,564,604 (VIA). It has sixteen threads, divided into an even and
 * an odd group with one fetch arbiter each. Fetched instructions are broadcast to the instruction
 * queues of the threads, which feed the pre-decoders. A constant cache, a vertex attribute cache
 * and two register files can accept requests in the same cycle. The data path consists of ALUs and
 * an interpolator, and writes to an output buffer.
 *
 * A thread is a part of a warp: `width` lanes that execute together. Each cycle runs the following
 * steps in order. A step sees the effects of the earlier steps of the same cycle.
 *
 * - answers: receive responses from memory and textures
 * - launch: assign a warp to free thread slots
 * - output: send the oldest entry of the output buffer
 * - deliver: the constant FIFO and the attribute FIFO each deliver an operand
 * - issue: each ALU selects the oldest thread that has all operands
 * - operands: each arbiter of constants, attributes and registers selects the oldest thread
 * - decode: the first instruction of each queue enters the pre-decoder
 * - broadcast: the instruction cache delivers instructions to the queues
 * - fetch: each arbiter selects the oldest thread whose queue has room
 * - end: retire threads that have completed all of their work
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

#define SGT_EU_LINE_INSTRS 4 /* number of 16-byte instructions in a 64-byte line */
#define SGT_EU_OPERATIONS 5  /* maximum number of operations per cycle that the patent describes */

/* Checks that an execution unit can run each warp and workgroup in `work`. If not, returns false
 * and writes a message to `error`. Unlike sgt_eu_programs_check(), this function does not need
 * prepared programs.
 */
bool sgt_eu_work_check(const struct sgt_eu_params *p, const struct sgt_work *work, char *error,
                       size_t error_size);

/* State of a thread in a cycle. */
enum sgt_eu_thread_state {
   SGT_EU_EMPTY,   /* the thread slot is empty */
   SGT_EU_ISSUE,   /* issues an instruction */
   SGT_EU_STALL,   /* all threads are stalled by a constant cache miss (const_blocking) */
   SGT_EU_DECODE,  /* the next instruction enters the pre-decoder */
   SGT_EU_FETCH,   /* the instruction queue is empty */
   SGT_EU_GRANT,   /* no ALU is free for the next instruction (only without pre-decoders) */
   SGT_EU_JUMP,    /* waits for a jump to resolve */
   SGT_EU_BARRIER, /* waits at a barrier */
   SGT_EU_RESULT,  /* waits for a result of the data path */
   SGT_EU_ACCESS,  /* waits for a result from memory or textures */
   SGT_EU_REGS,    /* waits for operands from the register file */
   SGT_EU_CONST,   /* waits for operands from the constant cache */
   SGT_EU_ATTR,    /* waits for operands from the attribute cache */
   SGT_EU_OUTPUT,  /* waits for room in the output buffer, or until its access is accepted */
   SGT_EU_SELECT,  /* could issue, but each ALU is busy or has selected an older thread */
   SGT_EU_DRAIN,   /* the program has ended, but some of its results or accesses are pending */
   SGT_EU_THREAD_STATES,
};

/* State of an arbiter, a cache port or a register file in a cycle. */
enum sgt_eu_port_state {
   SGT_EU_PORT_IDLE,  /* no request */
   SGT_EU_PORT_GRANT, /* accepts a request */
   SGT_EU_PORT_BUSY,  /* still busy with the previous request (bank conflict or issue interval) */
   SGT_EU_PORT_FULL,  /* the FIFO, the queues or the channel to memory have no room */
   /* the requesting thread waits for an earlier result or for other operands */
   SGT_EU_PORT_DEPENDS,
   SGT_EU_PORT_STATES,
};

/* State of the output port of the instruction cache in a cycle. */
enum sgt_eu_return_state {
   SGT_EU_RETURN_IDLE, /* no fetch is pending */
   SGT_EU_RETURN_GIVE, /* an instruction is broadcast */
   SGT_EU_RETURN_WAIT, /* the fetch hit, and waits for the hit latency */
   SGT_EU_RETURN_MISS, /* the fetch missed, and waits for a line from memory */
   SGT_EU_RETURN_STATES,
};

/* State of the warp launcher in a cycle. */
enum sgt_eu_launch_state {
   SGT_EU_LAUNCH_IDLE,       /* no warp is waiting */
   SGT_EU_LAUNCH_TAKE,       /* a warp starts */
   SGT_EU_LAUNCH_SLOTS,      /* waits for free thread slots */
   SGT_EU_LAUNCH_ATTRIBUTES, /* waits for free entries of the attribute cache */
   /* waits for the constant cache; these states correspond to enum sgt_eu_const_wait */
   SGT_EU_LAUNCH_CONTEXT,
   SGT_EU_LAUNCH_VERSION,
   SGT_EU_LAUNCH_MAPPING,
   SGT_EU_LAUNCH_STATES,
};

/* State of the output buffer in a cycle. */
enum sgt_eu_output_state {
   SGT_EU_OUTPUT_IDLE,    /* the buffer is empty */
   SGT_EU_OUTPUT_WAIT,    /* the data of the oldest entry is not ready */
   SGT_EU_OUTPUT_SEND,    /* an entry is sent */
   SGT_EU_OUTPUT_BLOCKED, /* the channel to memory or textures is full */
   SGT_EU_OUTPUT_STATES,
};

/* This generated header must come after the enums above, which define the sizes of its arrays. */
#include "stats/sgt_eu_stats.h"

/* Events that a unit reports to tests. The enumerators are in the order of the steps of a cycle. */
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
   /* Called when the event happens to an instruction of a thread. */
   void (*event)(struct sgt_eu_log *log, uint64_t cycle, enum sgt_eu_event event, uint32_t thread,
                 uint32_t pc);
};

/* The programs in `work`, decoded for execution units. All units share the decoded programs and
 * only read them.
 */
struct sgt_eu_programs {
   struct sgt_eu_params params;
   const struct sgt_work *work;
   struct sgt_const_lines constants;
   struct sgt_eu_code *codes; /* prepared programs, with the same indices as work->programs */
   uint32_t num;              /* number of entries of `codes` */
};

/* Decodes the programs in `work`, which must outlive `p`. Returns false on allocation failure. */
bool sgt_eu_programs_init(struct sgt_eu_programs *p, const struct sgt_eu_params *params,
                          const struct sgt_work *work);
void sgt_eu_programs_finish(struct sgt_eu_programs *p);
/* Checks that an execution unit can run each warp and workgroup in p->work. If not, returns false
 * and writes a message to `error`.
 */
bool sgt_eu_programs_check(const struct sgt_eu_programs *p, char *error, size_t error_size);

struct sgt_eu_core;

struct sgt_eu {
   struct sgt_unit unit;
   struct sgt_eu_params params;
   struct sgt_sm_ports ports; /* channels to other units; must be set before the first cycle */
   uint16_t number;           /* index of the unit, which is used in messages and requests */
   struct sgt_eu_stats stats;
   struct sgt_eu_log *log; /* receives events for tests, or NULL */
   struct sgt_eu_core *core;
};

/* Adds the unit to the scheduler. The programs must outlive the unit. The addresses of code,
 * constants and scratch memory start at SGT_EU_CODE, SGT_EU_CONSTANTS and SGT_EU_SCRATCH. Returns
 * false on allocation failure.
 */
bool sgt_eu_init(struct sgt_eu *eu, struct sgt_sched *sched, const struct sgt_clock *clock,
                 const struct sgt_eu_programs *programs, uint16_t number);
void sgt_eu_finish(struct sgt_eu *eu);

/* Adds all cycles before `cycle` to the statistics. Called at the end of a simulation. */
void sgt_eu_settle(struct sgt_eu *eu, uint64_t cycle);
/* Returns true if no threads, accesses, outputs or fetches are pending. */
bool sgt_eu_idle(const struct sgt_eu *eu);
/* Dumps the state of the unit and its pending threads, accesses and fetches. */
void sgt_eu_dump(const struct sgt_eu *eu, struct sgt_dump *d);
/* Adds the statistics of the unit under the name `name`. The string must outlive `stats`. */
void sgt_eu_stats_add(const struct sgt_eu *eu, struct sgt_stats *stats, const char *name);
struct sgt_eu_const_stats sgt_eu_const_stats(const struct sgt_eu *eu);
extern const char *const sgt_eu_thread_state_names[SGT_EU_THREAD_STATES];

#endif
