/* SPDX-License-Identifier: MIT */
/*
 * State of the execution unit, shared by the files of its steps.
 */
#ifndef SGT_EU_CORE_H
#define SGT_EU_CORE_H

#include <assert.h>

#include "chip_eu/sgt_eu_code.h"
#include "util/bitscan.h"
#include "util/macros.h"

#define MAX_PARTS 8 /* threads of a warp: 32 lanes / 4 */
/* Those under way, and one of each thread that waits for other threads of its warp. */
#define ROOM_ACCESSES (SGT_EU_MAX_ACCESSES + SGT_EU_MAX_THREADS)

struct thread {
   uint64_t number; /* of its launch: its age */
   uint64_t latest_fetch;
   const struct sgt_eu_code *code;
   uint32_t warp; /* in core->warps */
   uint32_t lanes;
   struct sgt_eu_const_key key;

   /* Its way through the program: the next instruction is run.pc + done. */
   struct sgt_run run;
   uint32_t done, next_run, last_run;
   uint32_t next_access; /* of its warp */

   /* The queue: instructions head to fetched - 1; bit n: head + n has come. */
   uint32_t head, fetched, arrived;

   uint64_t hold; /* no decode before this cycle; SGT_NEVER: until a jump has issued */
   bool redirect; /* then fetch goes on elsewhere */

   /* The instruction in the pre-decoder; `second`: the one that is fused with it, or NULL. */
   const struct sgt_eu_op *op, *second;
   uint32_t pc, access, parts; /* of the access: threads of the warp that take part */
   uint32_t alu;               /* without pre-decoder: the one that it has taken */
   uint8_t const_ask, const_left, const_all;
   uint8_t attr_ask, attr_left;
   bool reg_ask;
   uint64_t dep_at, regs_at, attr_at; /* cycles */

   uint32_t outputs, accesses;      /* under way */
   bool gathers;                    /* its latest access waits for other threads of the warp */
   uint64_t last_result;            /* of the data path */
   uint64_t ready[SGT_EU_NUM_REGS]; /* cycle of the result; SGT_NEVER: of an access */
};

struct warp {
   uint32_t index; /* in the work */
   uint32_t live;  /* threads */
   uint32_t group; /* in core->groups; UINT32_MAX: none */
   struct sgt_eu_const_key key;
};

/* Threads that meet at barriers. */
struct group {
   uint32_t operation, number;
   uint32_t total, waiting, ended;
};

struct fetch {
   const struct sgt_eu_code *code;
   uint32_t pc;
   uint64_t ready; /* SGT_NEVER: a miss */
   uint64_t waiters;
};

struct fetch_port {
   struct fetch *fetches; /* ring */
   uint32_t first, num;
};

struct waiting_operand {
   uint64_t address, ready; /* SGT_NEVER: a miss */
   uint32_t thread;
};

struct output {
   uint64_t at; /* cycle at which its data are there */
   uint32_t thread;
   uint32_t access; /* in core->accesses; UINT32_MAX: none, or another thread sends it */
};

struct access_waiter {
   uint32_t thread;
   uint16_t reg;
};

struct access {
   bool used, sent;
   uint32_t warp, number;
   uint32_t arrived;   /* threads */
   uint32_t line;      /* the next to send */
   uint32_t responses; /* that are expected */
   uint32_t left;      /* cycles, of memory on the chip */
   struct access_waiter waiters[MAX_PARTS];
};

/* What each unit does in a cycle. */
struct cycle {
   uint8_t thread[SGT_EU_THREAD_STATES];
   uint8_t alu[SGT_EU_MAX_ALUS];
   uint8_t fetch[2], code[2], constant, attribute, file[2], interp, output, launch;
   uint8_t operations, live, state;
   bool const_stall;
};

struct sgt_eu_core {
   const struct sgt_work *work;
   const struct sgt_eu_code *codes;
   struct thread *threads;
   struct warp warps[SGT_EU_MAX_THREADS];
   struct group groups[SGT_EU_MAX_THREADS];
   uint64_t used_warps, done_warps, used_groups; /* bits */

   /* Bits of threads. */
   uint64_t all, even, live, over, barrier;
   uint64_t staged, const_ask, attr_ask, reg_ask, room;
   uint64_t issued, decoded; /* in this cycle */

   struct fetch_port ports[2];
   uint32_t num_ports, room_fetches;
   uint8_t in_flight[64];      /* fetches, by a hash of program and pc */
   struct sgt_tags code_store; /* of lines of 64 bytes */
   struct sgt_eu_const constants;

   struct waiting_operand const_fifo[SGT_EU_MAX_FIFO], attr_fifo[SGT_EU_MAX_FIFO];
   uint32_t const_first, const_num, const_misses; /* entries; those that wait for memory */
   uint32_t attr_first, attr_num, attr_resident;
   uint64_t file_busy[2], interp_busy, alu_busy[SGT_EU_MAX_ALUS]; /* first free cycle */
   uint64_t alu_taken;                                            /* bits, without pre-decoder */

   struct output outputs[SGT_EU_MAX_OUTPUT];
   uint32_t output_first, output_num;
   struct access accesses[ROOM_ACCESSES];
   uint64_t free_accesses[ROOM_ACCESSES / 64]; /* bits */
   uint32_t num_accesses;                      /* for which all threads are there */

   uint64_t launched;
   uint64_t cycle; /* the first that is not accounted for */
   bool active;    /* something happened in this cycle */
   bool mem_used;  /* the way to memory, in this cycle */
   struct cycle now, latest;
};

/* Tags of memory requests: an access, a line of code, a line of constants. */
#define TAG_CODE 0x80000000u
#define TAG_CONST 0x40000000u

static inline void
log_event(const struct sgt_eu *eu, uint64_t cycle, enum sgt_eu_event event, uint32_t thread,
          uint32_t pc)
{
   if (eu->log)
      eu->log->event(eu->log, cycle, event, thread, pc);
}

/* The oldest thread of a set that is not empty. */
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

/* Cycles from issue to the result. */
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

/* sgt_eu_fetch.c */
void sgt_eu_code_arrives(struct sgt_eu *eu, uint64_t cycle, uint64_t address);
void sgt_eu_broadcast(struct sgt_eu *eu, uint64_t cycle);
void sgt_eu_fetch(struct sgt_eu *eu, uint64_t now, uint64_t cycle);
/* Removes a thread from the fetches that it waits for. */
void sgt_eu_forget_fetches(struct sgt_eu *eu, uint32_t thread);

/* sgt_eu_operands.c */
void sgt_eu_const_arrives(struct sgt_eu *eu, uint64_t cycle, uint64_t address);
void sgt_eu_deliver(struct sgt_eu *eu, uint64_t cycle);
void sgt_eu_request_operands(struct sgt_eu *eu, uint64_t now, uint64_t cycle);
void sgt_eu_decode(struct sgt_eu *eu, uint64_t cycle);
/* The cycle from which on the instruction waits for no result of another. */
uint64_t sgt_eu_depends(const struct sgt_eu *eu, const struct thread *t, const struct sgt_eu_op *op,
                        const struct sgt_eu_op *second);
/* The next run in which the thread has lanes. */
void sgt_eu_next_run(struct sgt_eu_core *core, uint32_t thread);

/* sgt_eu_execute.c */
void sgt_eu_issue(struct sgt_eu *eu, uint64_t cycle);
void sgt_eu_drain_output(struct sgt_eu *eu, uint64_t now, uint64_t cycle);
void sgt_eu_access_arrives(struct sgt_eu *eu, uint64_t cycle, uint32_t access);
/* Whether the instruction has a place in the output buffer, and its access one. */
bool sgt_eu_has_place(const struct sgt_eu *eu, const struct thread *t);
void sgt_eu_meet(struct sgt_eu *eu, uint32_t group);
bool sgt_eu_send_memory(struct sgt_eu *eu, uint64_t now, uint64_t address, uint32_t tag,
                        uint8_t kind, uint8_t lanes);

/* sgt_eu_account.c */
void sgt_eu_account(struct sgt_eu *eu, uint64_t cycle);
void sgt_eu_account_skipped(struct sgt_eu *eu, uint64_t cycles);
/* The first cycle after `cycle` in which time alone changes something. */
uint64_t sgt_eu_next_cycle(const struct sgt_eu *eu, uint64_t cycle);

#endif
