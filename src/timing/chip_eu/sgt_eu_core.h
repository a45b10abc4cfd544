/* SPDX-License-Identifier: MIT */
/*
 * State of the execution unit, which the files of its steps share.
 */
#ifndef SGT_EU_CORE_H
#define SGT_EU_CORE_H

#include <assert.h>

#include "chip_eu/sgt_eu_code.h"
#include "util/bitscan.h"
#include "util/macros.h"

#define MAX_PARTS 8 /* maximum number of threads of a warp: 32 lanes, at least 4 a thread */
/* Maximum number of accesses under way, plus one for each thread that waits for other threads of
 * its warp.
 */
#define ROOM_ACCESSES (SGT_EU_MAX_ACCESSES + SGT_EU_MAX_THREADS)

struct thread {
   uint64_t number;       /* number of the thread's launch, which orders threads by age */
   uint64_t latest_fetch; /* cycle of its latest fetch */
   const struct sgt_eu_code *code;
   uint32_t warp;  /* index of its warp in core->warps */
   uint32_t lanes; /* bit mask of its lanes in the warp */
   struct sgt_eu_const_key key;

   /* Progress in the program. The next instruction is run.pc + done. */
   struct sgt_run run; /* present run */
   /* number of decoded instructions of the run; index of the next run in the work, and of the end
    */
   uint32_t done, next_run, last_run;
   uint32_t next_access; /* number of the next access in its warp */

   /* The queue has instructions `head` to `fetched` - 1. Bit n of `arrived` is set if instruction
    * head + n has arrived.
    */
   uint32_t head, fetched, arrived;

   /* no instruction is decoded before this cycle; SGT_NEVER until a jump has issued */
   uint64_t hold;
   bool redirect; /* after that, fetch continues at another instruction */

   /* The instruction in the pre-decoder. `second` is the instruction that is fused with it, or
    * NULL.
    */
   const struct sgt_eu_op *op, *second;
   /* address; number of its access in the warp; number of the warp's threads that take part in it
    */
   uint32_t pc, access, parts;
   /* without pre-decoders: ALU that the instruction occupies, or UINT32_MAX */
   uint32_t alu;
   /* number of constants that are not requested, that are not delivered, and of all constants */
   uint8_t const_ask, const_left, const_all;
   /* number of inputs that are not requested, and that are not delivered */
   uint8_t attr_ask, attr_left;
   bool reg_ask; /* the registers are not requested */
   /* cycles at which its dependences, its registers and its inputs are ready */
   uint64_t dep_at, regs_at, attr_at;

   /* number of its entries in the output buffer; number of its accesses under way */
   uint32_t outputs, accesses;
   bool gathers;         /* its latest access waits for other threads of the warp */
   uint64_t last_result; /* cycle of the latest result of the data path */
   /* cycle at which each register is ready; SGT_NEVER while an access is under way */
   uint64_t ready[SGT_EU_NUM_REGS];
};

struct warp {
   uint32_t index; /* index in the work */
   uint32_t live;  /* number of its threads that have not ended */
   uint32_t group; /* index in core->groups, or UINT32_MAX if the program has no barrier */
   struct sgt_eu_const_key key;
};

/* Threads that wait for each other at barriers: those of a workgroup, or of a warp in other stages.
 */
struct group {
   /* operation and number of the workgroup; UINT32_MAX and index of the warp in other stages */
   uint32_t operation, number;
   /* number of threads; number that wait at a barrier; number that have ended */
   uint32_t total, waiting, ended;
};

/* A fetched instruction that is on its way. */
struct fetch {
   const struct sgt_eu_code *code;
   uint32_t pc;
   uint64_t ready; /* cycle at which it can be broadcast; SGT_NEVER while it is read from memory */
   uint64_t waiters; /* bit mask of the threads that get it */
};

/* A port of the instruction cache. It returns instructions in the order of the fetches. */
struct fetch_port {
   struct fetch *fetches; /* fetches, oldest first; a ring of core->room_fetches elements */
   uint32_t first, num;
};

/* An operand in the FIFO of the constant cache or of the attribute cache. */
struct waiting_operand {
   /* address of its line; cycle at which it is ready, or SGT_NEVER while the line is read from
    * memory
    */
   uint64_t address, ready;
   uint32_t thread;
};

/* An entry of the output buffer. */
struct output {
   uint64_t at; /* cycle at which its data are ready */
   uint32_t thread;
   /* index in core->accesses; UINT32_MAX if there is no access or another thread sends it */
   uint32_t access;
};

/* A thread that waits for an access, and the register for its result. */
struct access_waiter {
   uint32_t thread;
   uint16_t reg;
};

/* An access of a warp to memory or textures. It is sent when all threads that take part have
 * arrived.
 */
struct access {
   bool used, sent;       /* the element is used; all requests are sent */
   uint32_t warp, number; /* index in core->warps; number of the access in the warp */
   uint32_t arrived;      /* number of threads that have arrived */
   uint32_t line;         /* number of the next line to send */
   uint32_t responses;    /* number of answers that are expected */
   uint32_t left;         /* number of cycles that are left, for shared memory */
   struct access_waiter waiters[MAX_PARTS];
};

/* State of each part of the unit in a cycle. */
struct cycle {
   uint8_t thread[SGT_EU_THREAD_STATES]; /* number of threads by state */
   uint8_t alu[SGT_EU_MAX_ALUS];
   /* States of the fetch arbiters, the instruction cache, the constant cache, the attribute cache,
    * the register files, the interpolator, the output buffer and the launch.
    */
   uint8_t fetch[2], code[2], constant, attribute, file[2], interp, output, launch;
   /* number of operations; number of live threads; state of the unit as a whole */
   uint8_t operations, live, state;
   bool const_stall; /* a constant miss stalls all threads */
};

struct sgt_eu_core {
   const struct sgt_work *work;
   const struct sgt_eu_code *codes;
   struct thread *threads;
   struct warp warps[SGT_EU_MAX_THREADS];
   struct group groups[SGT_EU_MAX_THREADS];
   uint64_t used_warps, done_warps, used_groups; /* bit masks of warps and groups */

   /* Bit masks of threads: all slots; slots of the even group; threads that have not ended; threads
    * whose program has ended; threads that wait at a barrier.
    */
   uint64_t all, even, live, over, barrier;
   /* Threads with an instruction in the pre-decoder, with constants, inputs or registers to
    * request, and with space in the queue.
    */
   uint64_t staged, const_ask, attr_ask, reg_ask, room;
   uint64_t issued, decoded; /* threads that issued, or decoded, an instruction in this cycle */

   struct fetch_port ports[2];
   uint32_t num_ports, room_fetches; /* number of ports; elements of their rings */
   uint8_t in_flight[64];            /* number of fetches by hash of program and pc */
   struct sgt_tags code_store;       /* tags of cached lines of 64 bytes */
   struct sgt_eu_const constants;

   struct waiting_operand const_fifo[SGT_EU_MAX_FIFO], attr_fifo[SGT_EU_MAX_FIFO];
   /* index of the oldest entry; number of entries; number of entries that wait for memory */
   uint32_t const_first, const_num, const_misses;
   /* index of the oldest entry; number of entries; number of used entries of the attribute cache */
   uint32_t attr_first, attr_num, attr_resident;
   /* first cycle in which each register file, the interpolator and each ALU is free */
   uint64_t file_busy[2], interp_busy, alu_busy[SGT_EU_MAX_ALUS];
   /* without pre-decoders: bit mask of ALUs that wait for operands */
   uint64_t alu_taken;

   struct output outputs[SGT_EU_MAX_OUTPUT];
   uint32_t output_first, output_num; /* index of the oldest output; number of outputs */
   struct access accesses[ROOM_ACCESSES];
   uint64_t free_accesses[ROOM_ACCESSES / 64]; /* bit mask of free elements of accesses[] */
   /* number of accesses for which all threads have arrived */
   uint32_t num_accesses;

   uint64_t launched;        /* number of threads that were launched */
   uint64_t cycle;           /* first cycle that is not counted in the statistics */
   bool active;              /* something has happened in this cycle */
   bool mem_used;            /* the channel to memory was used in this cycle */
   struct cycle now, latest; /* states of this cycle; states of the latest counted cycle */
};

/* Flags in tags of memory requests for a line of code and a line of constants. The tag of an access
 * is its index.
 */
#define TAG_CODE 0x80000000u
#define TAG_CONST 0x40000000u

static inline void
log_event(const struct sgt_eu *eu, uint64_t cycle, enum sgt_eu_event event, uint32_t thread,
          uint32_t pc)
{
   if (eu->log)
      eu->log->event(eu->log, cycle, event, thread, pc);
}

/* Returns the oldest thread of a mask, which is not 0. */
static inline uint32_t
oldest(const struct sgt_eu_core *core, uint64_t mask)
{
   uint32_t best = ffsll(mask) - 1;
   mask &= mask - 1;
   u_foreach_bit64(i, mask)
      if (core->threads[i].number < core->threads[best].number)
         best = i;
   return best;
}

static inline uint32_t
ring(uint32_t i, uint32_t size)
{
   return i >= size ? i - size : i;
}

/* Updates the thread's bit in core->room: its queue has space and its program has more
 * instructions.
 */
static inline void
update_room(const struct sgt_eu *eu, uint32_t i)
{
   struct sgt_eu_core *core = eu->core;
   const struct thread *t = &core->threads[i];
   const uint64_t bit = 1ull << i;
   if (!(core->over & bit) && t->fetched - t->head < eu->params.queue && t->fetched < t->code->num)
      core->room |= bit;
   else
      core->room &= ~bit;
}

/* Returns the number of cycles from issue to the result. */
static inline uint32_t
sgt_eu_latency(const struct sgt_eu *eu, const struct sgt_eu_op *op)
{
   return op->class == SGT_EU_CLASS_CONTROL ? 1
          : op->class == SGT_EU_CLASS_SFU   ? eu->params.sfu_latency
                                            : eu->params.alu_latency;
}

static inline const struct sgt_warp *
thread_warp(const struct sgt_eu_core *core, const struct thread *t)
{
   return &core->work->warps[core->warps[t->warp].index];
}

/* The following functions fetch instructions (sgt_eu_fetch.c). */
void sgt_eu_code_arrives(struct sgt_eu *eu, uint64_t cycle, uint64_t address);
void sgt_eu_broadcast(struct sgt_eu *eu, uint64_t cycle);
void sgt_eu_fetch(struct sgt_eu *eu, uint64_t now, uint64_t cycle);
/* Removes a thread from all fetches that it waits for. */
void sgt_eu_forget_fetches(struct sgt_eu *eu, uint32_t thread);

/* The following functions decode instructions and request operands (sgt_eu_operands.c). */
void sgt_eu_const_arrives(struct sgt_eu *eu, uint64_t cycle, uint64_t address);
void sgt_eu_deliver(struct sgt_eu *eu, uint64_t cycle);
void sgt_eu_request_operands(struct sgt_eu *eu, uint64_t now, uint64_t cycle);
void sgt_eu_decode(struct sgt_eu *eu, uint64_t cycle);
/* Returns the cycle from which the instruction waits for no result of other instructions, or
 * SGT_NEVER.
 */
uint64_t sgt_eu_depends(const struct sgt_eu *eu, const struct thread *t, const struct sgt_eu_op *op,
                        const struct sgt_eu_op *second);
/* Moves the thread to its next run in which it has lanes, or marks its program as ended. */
void sgt_eu_next_run(struct sgt_eu_core *core, uint32_t thread);

/* The following functions execute instructions and accesses (sgt_eu_execute.c). */
void sgt_eu_issue(struct sgt_eu *eu, uint64_t cycle);
void sgt_eu_drain_output(struct sgt_eu *eu, uint64_t now, uint64_t cycle);
void sgt_eu_access_arrives(struct sgt_eu *eu, uint64_t cycle, uint32_t access);
/* Returns true if the output buffer and the accesses have space for the thread's instruction. */
bool sgt_eu_has_place(const struct sgt_eu *eu, const struct thread *t);
/* Releases the threads of a group if all that have not ended wait at the barrier. */
void sgt_eu_meet(struct sgt_eu *eu, uint32_t group);
/* Sends a memory request. Returns false if the channel is full or was used in this cycle. */
bool sgt_eu_send_memory(struct sgt_eu *eu, uint64_t now, uint64_t address, uint32_t tag,
                        uint8_t kind, uint8_t lanes);

/* The following functions count states in the statistics (sgt_eu_account.c). */
void sgt_eu_account(struct sgt_eu *eu, uint64_t cycle);
void sgt_eu_account_skipped(struct sgt_eu *eu, uint64_t cycles);
/* Returns the first cycle after `cycle` in which something changes without a message, or SGT_NEVER.
 */
uint64_t sgt_eu_next_cycle(const struct sgt_eu *eu, uint64_t cycle);

#endif
