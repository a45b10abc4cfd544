/* SPDX-License-Identifier: MIT */
/*
 * The execution unit of US 8,564,604 (VIA). It has sixteen threads in an even and an odd group,
 * each with a fetch arbiter. Fetched instructions are broadcast to the instruction queues of the
 * threads, which have pre-decoders. A constant cache, a vertex attribute cache and two register
 * files take requests in the same cycle. The data path has ALUs and an interpolator, and writes to
 * an output buffer.
 *
 * A thread is a part of a warp: `width` lanes that execute together. A cycle has these steps. Each
 * step sees the effects of earlier steps of its cycle.
 *
 *    answers     answers from memory and textures are received
 *    launch      a warp is assigned to free slots of threads
 *    output      the oldest entry of the output buffer is sent
 *    deliver     the constant FIFO and the attribute FIFO each deliver an operand
 *    issue       each ALU takes the oldest thread that has all operands
 *    operands    each arbiter of constants, attributes and registers takes the oldest thread
 *    decode      the first instruction of a queue enters the pre-decoder
 *    broadcast   the instruction cache delivers instructions to the queues
 *    fetch       each arbiter takes the oldest thread whose queue has space
 *    end         threads whose work is done end
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

#define SGT_EU_LINE_INSTRS 4 /* number of instructions (16 bytes) in a line of 64 bytes */
#define SGT_EU_OPERATIONS 5  /* number of operations in one cycle that the patent describes */

/* Checks that each warp and workgroup of the work fits an execution unit, as
 * sgt_eu_programs_check() does, without prepared programs. Otherwise, returns false and writes a
 * message.
 */
bool sgt_eu_work_check(const struct sgt_eu_params *p, const struct sgt_work *work, char *error,
                       size_t error_size);

/* State of a thread in a cycle. */
enum sgt_eu_thread_state {
   SGT_EU_EMPTY,   /* the slot has no thread */
   SGT_EU_ISSUE,   /* an instruction issues */
   SGT_EU_STALL,   /* a constant miss stalls all threads (const_blocking) */
   SGT_EU_DECODE,  /* its next instruction enters the pre-decoder */
   SGT_EU_FETCH,   /* its instruction queue is empty */
   SGT_EU_GRANT,   /* without pre-decoders: no ALU is free for its next instruction */
   SGT_EU_JUMP,    /* waits for a jump to be resolved */
   SGT_EU_BARRIER, /* waits at a barrier */
   SGT_EU_RESULT,  /* waits for a result of the data path */
   SGT_EU_ACCESS,  /* waits for a result from memory or textures */
   SGT_EU_REGS,    /* waits for operands from its register file */
   SGT_EU_CONST,   /* waits for operands from the constant cache */
   SGT_EU_ATTR,    /* waits for operands from the attribute cache */
   SGT_EU_OUTPUT,  /* waits for space in the output buffer, or for its access to be accepted */
   SGT_EU_SELECT,  /* could issue, but each ALU is busy or takes an older thread */
   SGT_EU_DRAIN,   /* its program has ended, but not all of its work */
   SGT_EU_THREAD_STATES,
};

/* State of an arbiter, a cache port or a register file in a cycle. */
enum sgt_eu_port_state {
   SGT_EU_PORT_IDLE,  /* there is no request */
   SGT_EU_PORT_GRANT, /* takes a request */
   SGT_EU_PORT_BUSY,  /* the previous request is not complete: bank conflicts, issue intervals */
   SGT_EU_PORT_FULL,  /* the FIFO, the queues or the channel to memory are full */
   /* the requesting thread waits for an earlier result or for other operands */
   SGT_EU_PORT_DEPENDS,
   SGT_EU_PORT_STATES,
};

/* State of the instruction cache's output in a cycle. */
enum sgt_eu_return_state {
   SGT_EU_RETURN_IDLE, /* there is no fetch */
   SGT_EU_RETURN_GIVE, /* an instruction is broadcast */
   SGT_EU_RETURN_WAIT, /* waits for the latency of a hit */
   SGT_EU_RETURN_MISS, /* waits for a line from memory */
   SGT_EU_RETURN_STATES,
};

/* State of the launch of warps in a cycle. */
enum sgt_eu_launch_state {
   SGT_EU_LAUNCH_IDLE,       /* no warp waits */
   SGT_EU_LAUNCH_TAKE,       /* a warp starts */
   SGT_EU_LAUNCH_SLOTS,      /* waits for free slots of threads */
   SGT_EU_LAUNCH_ATTRIBUTES, /* waits for free entries of the attribute cache */
   /* waits for constants: the states from here on correspond to those of enum sgt_eu_const_wait */
   SGT_EU_LAUNCH_CONTEXT,
   SGT_EU_LAUNCH_VERSION,
   SGT_EU_LAUNCH_MAPPING,
   SGT_EU_LAUNCH_STATES,
};

/* State of the output buffer in a cycle. */
enum sgt_eu_output_state {
   SGT_EU_OUTPUT_IDLE,    /* the buffer is empty */
   SGT_EU_OUTPUT_WAIT,    /* the data of the oldest entry are not ready */
   SGT_EU_OUTPUT_SEND,    /* an entry is sent */
   SGT_EU_OUTPUT_BLOCKED, /* the channel to memory or textures is full */
   SGT_EU_OUTPUT_STATES,
};

/* This file is generated. Its arrays have the sizes of the enums above. */
#include "stats/sgt_eu_stats.h"

/* Events for tests, in the order of their steps within a cycle. */
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
   /* Called for each event of a thread at an instruction. */
   void (*event)(struct sgt_eu_log *log, uint64_t cycle, enum sgt_eu_event event, uint32_t thread,
                 uint32_t pc);
};

/* Programs of a work in the form that execution units run. They are made once for a work and the
 * parameters, are read-only, and are shared by all units.
 */
struct sgt_eu_programs {
   struct sgt_eu_params params;
   const struct sgt_work *work;
   struct sgt_const_lines constants;
   struct sgt_eu_code *codes; /* prepared programs, by index of the program in the work */
   uint32_t num;              /* number of programs */
};

/* Prepares the programs of a work, which must outlive them. Returns false if out of memory. */
bool sgt_eu_programs_init(struct sgt_eu_programs *p, const struct sgt_eu_params *params,
                          const struct sgt_work *work);
void sgt_eu_programs_finish(struct sgt_eu_programs *p);
/* Checks that each warp and workgroup of the work fits an execution unit. Otherwise, returns false
 * and writes a message.
 */
bool sgt_eu_programs_check(const struct sgt_eu_programs *p, char *error, size_t error_size);

struct sgt_eu_core;

struct sgt_eu {
   struct sgt_unit unit;
   struct sgt_eu_params params;
   struct sgt_sm_ports ports; /* channels, which are set before the first cycle */
   uint16_t number;           /* number of the unit in messages and requests */
   struct sgt_eu_stats stats;
   struct sgt_eu_log *log; /* log of events for tests, or NULL */
   struct sgt_eu_core *core;
};

/* Adds the unit to the scheduler. The programs must outlive it. Code, constants and scratch memory
 * have addresses from SGT_EU_CODE, SGT_EU_CONSTANTS and SGT_EU_SCRATCH on. Returns false if out of
 * memory.
 */
bool sgt_eu_init(struct sgt_eu *eu, struct sgt_sched *sched, const struct sgt_clock *clock,
                 const struct sgt_eu_programs *programs, uint16_t number);
void sgt_eu_finish(struct sgt_eu *eu);

/* Counts all cycles before `cycle` in the statistics, at the end of a run. */
void sgt_eu_settle(struct sgt_eu *eu, uint64_t cycle);
/* Returns true if no thread, access, output or fetch is left. */
bool sgt_eu_idle(const struct sgt_eu *eu);
/* Writes what the unit has under way. */
void sgt_eu_dump(const struct sgt_eu *eu, struct sgt_dump *d);
/* Adds the statistics as those of a unit `name`. The string must outlive the statistics. */
void sgt_eu_stats_add(const struct sgt_eu *eu, struct sgt_stats *stats, const char *name);
struct sgt_eu_const_stats sgt_eu_const_stats(const struct sgt_eu *eu);
extern const char *const sgt_eu_thread_state_names[SGT_EU_THREAD_STATES];

#endif
