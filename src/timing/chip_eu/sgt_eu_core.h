/* SPDX-License-Identifier: MIT */
/*
 * Internal state of the execution unit, shared by the files that implement the steps of a cycle.
 */
#ifndef SGT_EU_CORE_H
#define SGT_EU_CORE_H

#include <assert.h>

#include "chip_eu/sgt_eu_code.h"
#include "util/bitscan.h"
#include "util/macros.h"

/* maximum number of threads per warp, i.e. 32 lanes / 4 lanes per thread */
#define MAX_PARTS 8
/* Maximum number of accesses in flight, including one for each thread that waits for other threads
 * of its warp.
 */
#define ROOM_ACCESSES (SGT_EU_MAX_ACCESSES + SGT_EU_MAX_THREADS)

struct thread {
   uint64_t number;       /* launch number, which orders threads by age */
   uint64_t latest_fetch; /* cycle of the thread's last fetch */
   const struct sgt_eu_code *code;
   uint32_t warp;  /* index into core->warps */
   uint32_t lanes; /* bitmask of the thread's lanes in the warp */
   struct sgt_eu_const_key key;

   /* Position of the thread in its program. The next instruction to decode is run.pc + done. */
   struct sgt_run run; /* current run of consecutive instructions */
   /* done: number of instructions of the current run that have been decoded
    * next_run: index into work->runs of the next run
    * last_run: index into work->runs of the first run after those of the warp
    */
   uint32_t done, next_run, last_run;
   uint32_t next_access; /* index of the next access within the accesses of the warp */

   /* The instruction queue holds the instructions from `head` to `fetched` - 1. Bit n of `arrived`
    * is set if instruction head + n has arrived.
    */
   uint32_t head, fetched, arrived;

   /* first cycle in which an instruction can be decoded, or SGT_NEVER while a jump has not issued
    * yet
    */
   uint64_t hold;
   bool redirect; /* true if fetching must restart at a different instruction after `hold` */

   /* Instruction in the pre-decoder. `second` is the instruction that is fused with it, or NULL. */
   const struct sgt_eu_op *op, *second;
   /* pc: index of the instruction
    * access: index of its access within the accesses of the warp
    * parts: number of threads of the warp that take part in the access
    */
   uint32_t pc, access, parts;
   /* ALU that is reserved for the instruction, or UINT32_MAX (only used without pre-decoders) */
   uint32_t alu;
   /* const_ask: number of constants that the instruction has not requested yet
    * const_left: number of constants that have not been delivered yet
    * const_all: number of constants that the instruction reads
    */
   uint8_t const_ask, const_left, const_all;
   /* attr_ask: number of inputs that the instruction has not requested yet
    * attr_left: number of inputs that have not been delivered yet
    */
   uint8_t attr_ask, attr_left;
   bool reg_ask; /* true if the registers have not been requested yet */
   /* dep_at: cycle in which the results that the instruction depends on are available
    * regs_at: cycle in which its registers have been read
    * attr_at: cycle in which its inputs are available
    */
   uint64_t dep_at, regs_at, attr_at;

   /* outputs: number of the thread's entries in the output buffer
    * accesses: number of its pending accesses
    */
   uint32_t outputs, accesses;
   bool gathers; /* true if the thread's last access waits for other threads of the warp */
   /* cycle in which the last pending result of the thread is available */
   uint64_t last_result;
   /* cycle in which each register is ready; SGT_NEVER while an access to it is pending */
   uint64_t ready[SGT_EU_NUM_REGS];
};

struct warp {
   uint32_t index; /* index into work->warps */
   uint32_t live;  /* number of threads of the warp that have not ended */
   uint32_t group; /* index into core->groups, or UINT32_MAX if the program has no barrier */
   struct sgt_eu_const_key key;
};

/* A group of threads that synchronize at barriers: the threads of a workgroup, or of a single warp
 * in stages other than compute.
 */
struct group {
   /* Operation and index of the workgroup. In other stages, `operation` is UINT32_MAX and `number`
    * is the index of the warp.
    */
   uint32_t operation, number;
   /* total: number of threads
    * waiting: number of threads at the barrier
    * ended: number of threads that have ended
    */
   uint32_t total, waiting, ended;
};

/* An instruction that is being fetched. */
struct fetch {
   const struct sgt_eu_code *code;
   uint32_t pc;
   /* first cycle in which the instruction can be broadcast; SGT_NEVER while its line is read from
    * memory
    */
   uint64_t ready;
   uint64_t waiters; /* bitmask of the threads that receive the instruction */
};

/* A port of the instruction cache. It returns instructions in the order in which they were fetched.
 */
struct fetch_port {
   /* pending fetches, oldest first; a ring buffer of core->room_fetches entries */
   struct fetch *fetches;
   uint32_t first, num;
};

/* An operand in the FIFO of the constant cache or the attribute cache. */
struct waiting_operand {
   /* address: address of the line
    * ready: cycle in which the operand is ready, or SGT_NEVER while the line is read from memory
    */
   uint64_t address, ready;
   uint32_t thread;
};

/* An entry of the output buffer. */
struct output {
   uint64_t at; /* cycle in which the data is ready */
   uint32_t thread;
   /* index into core->accesses of the access that this entry sends, or UINT32_MAX if there is none
    */
   uint32_t access;
};

/* A thread that takes part in an access, and the register that receives the result. */
struct access_waiter {
   uint32_t thread;
   uint16_t reg;
};

/* A warp's access to memory or textures. It is sent after all participating threads have issued it.
 */
struct access {
   /* used: true if the entry is in use; sent: true if all requests have been sent */
   bool used, sent;
   /* warp: index into core->warps; number: index of the access within the accesses of the warp */
   uint32_t warp, number;
   uint32_t arrived;   /* number of threads that have issued the access */
   uint32_t line;      /* index of the next line to send */
   uint32_t responses; /* number of responses that have not arrived yet */
   uint32_t left;      /* number of remaining cycles of a shared memory access */
   struct access_waiter waiters[MAX_PARTS];
};

/* States of the threads, ALUs, arbiters and ports of the unit in a cycle. */
struct cycle {
   uint8_t thread[SGT_EU_THREAD_STATES]; /* number of threads in each state */
   uint8_t alu[SGT_EU_MAX_ALUS];
   /* State of each of these parts:
    * fetch: fetch arbiters
    * code: output ports of the instruction cache
    * constant, attribute: constant cache and attribute cache
    * file: register files
    * interp: interpolator
    * output: output buffer
    * launch: launch of warps
    */
   uint8_t fetch[2], code[2], constant, attribute, file[2], interp, output, launch;
   /* operations: number of operand requests and outputs in this cycle
    * live: number of live threads
    * state: state of the whole unit
    */
   uint8_t operations, live, state;
   bool const_stall; /* true if a constant cache miss stalls all threads */
};

struct sgt_eu_core {
   const struct sgt_work *work;
   const struct sgt_eu_code *codes;
   struct thread *threads;
   struct warp warps[SGT_EU_MAX_THREADS];
   struct group groups[SGT_EU_MAX_THREADS];
   uint64_t used_warps, done_warps, used_groups; /* bitmasks of entries of `warps` and `groups` */

   /* Bitmasks of threads:
    * all: all thread slots
    * even: slots of the even group
    * live: threads that have not been retired
    * over: threads that have not been retired, but whose program has ended
    * barrier: threads that wait at a barrier
    */
   uint64_t all, even, live, over, barrier;
   /* Bitmasks of threads:
    * staged: threads with an instruction in the pre-decoder
    * const_ask, attr_ask, reg_ask: threads with constants, inputs or registers to request
    * room: threads with more instructions to fetch and room in the instruction queue
    */
   uint64_t staged, const_ask, attr_ask, reg_ask, room;
   /* bitmasks of threads that have issued or decoded an instruction in this cycle */
   uint64_t issued, decoded;

   struct fetch_port ports[2];
   /* num_ports: number of ports in use; room_fetches: size of the ring buffer of a port */
   uint32_t num_ports, room_fetches;
   /* number of pending fetches for each hash value of a program and an instruction index */
   uint8_t in_flight[64];
   struct sgt_tags code_store; /* tags of the 64-byte lines in the instruction cache */
   struct sgt_eu_const constants;

   struct waiting_operand const_fifo[SGT_EU_MAX_FIFO], attr_fifo[SGT_EU_MAX_FIFO];
   /* const_first: index of the oldest entry of const_fifo
    * const_num: number of entries
    * const_misses: number of entries that wait for memory
    */
   uint32_t const_first, const_num, const_misses;
   /* attr_first: index of the oldest entry of attr_fifo
    * attr_num: number of entries
    * attr_resident: number of entries of the attribute cache that are in use
    */
   uint32_t attr_first, attr_num, attr_resident;
   /* first cycle in which each register file, the interpolator and each ALU is free */
   uint64_t file_busy[2], interp_busy, alu_busy[SGT_EU_MAX_ALUS];
   /* bitmask of ALUs reserved for instructions that wait for operands (only without pre-decoders)
    */
   uint64_t alu_taken;

   struct output outputs[SGT_EU_MAX_OUTPUT];
   /* output_first: index of the oldest entry of `outputs`
    * output_num: number of entries
    */
   uint32_t output_first, output_num;
   struct access accesses[ROOM_ACCESSES];
   uint64_t free_accesses[ROOM_ACCESSES / 64]; /* bitmask of free entries of accesses[] */
   /* number of pending accesses that all participating threads have issued */
   uint32_t num_accesses;

   uint64_t launched; /* number of threads that have been launched so far */
   uint64_t cycle;    /* first cycle that has not been counted in the statistics */
   bool active;       /* true if the state of the unit has changed in this cycle */
   bool mem_used;     /* true if a memory request has been sent in this cycle */
   /* now: states of this cycle; latest: states of the last cycle that was counted */
   struct cycle now, latest;
};

/* Flags in the tags of memory requests that read a line of code or a line of constants. The tag of
 * any other request is the index of its access.
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

/* Returns the oldest thread in `mask`. The mask must not be 0. */
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

/* Updates the thread's bit in core->room. The bit is set if the instruction queue has room and the
 * program has more instructions to fetch.
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

/* Returns the latency of an instruction in cycles, from issue to result. */
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

/* Functions in sgt_eu_fetch.c, which fetches instructions */
void sgt_eu_code_arrives(struct sgt_eu *eu, uint64_t cycle, uint64_t address);
void sgt_eu_broadcast(struct sgt_eu *eu, uint64_t cycle);
void sgt_eu_fetch(struct sgt_eu *eu, uint64_t now, uint64_t cycle);
/* Removes a thread from all fetches that it is waiting for. */
void sgt_eu_forget_fetches(struct sgt_eu *eu, uint32_t thread);

/* Functions in sgt_eu_operands.c, which decodes instructions and requests operands */
void sgt_eu_const_arrives(struct sgt_eu *eu, uint64_t cycle, uint64_t address);
void sgt_eu_deliver(struct sgt_eu *eu, uint64_t cycle);
void sgt_eu_request_operands(struct sgt_eu *eu, uint64_t now, uint64_t cycle);
void sgt_eu_decode(struct sgt_eu *eu, uint64_t cycle);
/* Returns the first cycle in which all results that the instruction depends on are available, or
 * SGT_NEVER if that cycle is not known yet.
 */
uint64_t sgt_eu_depends(const struct sgt_eu *eu, const struct thread *t, const struct sgt_eu_op *op,
                        const struct sgt_eu_op *second);
/* Advances the thread to its next run of instructions in which any of its lanes are active. If
 * there is none, marks the program of the thread as ended.
 */
void sgt_eu_next_run(struct sgt_eu_core *core, uint32_t thread);

/* Functions in sgt_eu_execute.c, which executes instructions and performs accesses */
void sgt_eu_issue(struct sgt_eu *eu, uint64_t cycle);
void sgt_eu_drain_output(struct sgt_eu *eu, uint64_t now, uint64_t cycle);
void sgt_eu_access_arrives(struct sgt_eu *eu, uint64_t cycle, uint32_t access);
/* Returns true if the output buffer and the access table have room for the thread's instruction. */
bool sgt_eu_has_place(const struct sgt_eu *eu, const struct thread *t);
/* Releases the threads at the barrier of a group if all other threads of the group have ended. */
void sgt_eu_meet(struct sgt_eu *eu, uint32_t group);
/* Sends a memory request. Returns false if the channel is full or has already been used in this
 * cycle.
 */
bool sgt_eu_send_memory(struct sgt_eu *eu, uint64_t now, uint64_t address, uint32_t tag,
                        uint8_t kind, uint8_t lanes);

/* Functions in sgt_eu_account.c, which updates the statistics */
void sgt_eu_account(struct sgt_eu *eu, uint64_t cycle);
void sgt_eu_account_skipped(struct sgt_eu *eu, uint64_t cycles);
/* Returns the first cycle after `cycle` in which the state can change without a message from
 * another unit, or SGT_NEVER.
 */
uint64_t sgt_eu_next_cycle(const struct sgt_eu *eu, uint64_t cycle);

#endif
