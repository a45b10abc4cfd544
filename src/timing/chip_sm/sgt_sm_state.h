/* SPDX-License-Identifier: MIT */
/*
 * Streaming multiprocessor: private state.
 *
 * The state of a warp is only evaluated when it may have changed. Evaluation is idempotent, which
 * makes unnecessary evaluations harmless.
 */
#ifndef SGT_SM_STATE_H
#define SGT_SM_STATE_H

#include "kernel/sgt_bits.h"
#include "chip_memory/sgt_mem.h"
#include "chip_sm/sgt_sm.h"
#include "chip_memory/sgt_tags.h"
#include "util/macros.h"

/* Workgroup index of warps that don't belong to a workgroup. */
#define SGT_SM_NO_GROUP 255
/* Size of the timing wheel, i.e. how many cycles ahead an evaluation can be scheduled. Evaluations
 * further in the future are scheduled for the last cycle of the wheel and rescheduled from there.
 */
#define SGT_SM_WHEEL 64

/* Encoding of the availability of a register: the low bits contain the unit that produces its value
 * (enum sgt_sm_wait). The bits from SGT_SM_REG_SHIFT on contain the first cycle in which the
 * register can be read.
 */
#define SGT_SM_REG_SHIFT 4
#define SGT_SM_REG_NEVER (SGT_NEVER >> SGT_SM_REG_SHIFT) /* the cycle is not known yet */

/* A warp slot, which holds one resident warp. All times are in cycles. */
struct sgt_sm_slot {
   /* The members that evaluations use come first, for locality in the host's cache. */
   const struct sgt_sm_op *op; /* next operation of the warp */
   uint64_t *regs; /* availability of each register: cycle << SGT_SM_REG_SHIFT | producer */
   /* hold_until: first cycle after the wait for a launch or a barrier
    * fetch_at: cycle in which the fetched operations arrive
    * fetch_from: first cycle in which the warp can fetch again
    */
   uint64_t hold_until, fetch_at, fetch_from;
   /* first cycle in which all results whose ready cycle is known can be read */
   uint64_t last_write;
   uint32_t buffered;  /* number of operations in the instruction buffer, starting at pos */
   uint32_t fetch_pos; /* index of the next operation that the warp fetches */
   /* wait: state of the warp (enum sgt_sm_wait)
    * unit: index of the `ready` mask that contains the warp, or SGT_SM_UNITS if none does
    */
   uint8_t wait, unit;
   uint8_t hold_wait; /* state of the warp until hold_until: launch or barrier */
   bool prologue;     /* true if the next operation belongs to the prologue */
   bool ended;        /* true if the last operation has issued */
   bool at_barrier;
   bool fresh;    /* true if the next operation has not been ready yet */
   bool fetching; /* true if fetch_num operations will arrive at fetch_at */

   /* true if the fetch missed the instruction cache; the operations arrive after the line is filled
    */
   bool missed;
   bool fence; /* true if the next operation waits for all results */
   /* const_there: true if all constants of the next operation are in the constant cache
    * const_miss: true if a lookup of the next operation's constants has missed the cache
    */
   bool const_there, const_miss;
   /* fetch_num: number of operations in the current fetch
    * last_producer: producer of the result that arrives at last_write
    */
   uint8_t fetch_num, last_producer;
   uint8_t warp_class, group; /* group: index into `groups`, or SGT_SM_NO_GROUP */
   uint64_t since;            /* first cycle whose state has not been counted in the statistics */
   uint64_t ready_since;      /* first cycle in which the next operation was ready */
   const struct sgt_sm_program *program;
   const struct sgt_warp *info;
   /* pos: index of the next operation; end: index after the last operation of the current run */
   uint32_t pos, end;
   uint32_t next_prologue; /* index of the next operation of the prologue */
   /* run: index of the next run of instructions
    * lanes: bitmask of active lanes in the current run
    */
   uint32_t run, lanes;
   /* num_lanes: number of active lanes in the current run
    * num_prologue_lanes: number of active lanes in the prologue
    */
   uint8_t num_lanes, num_prologue_lanes;
   uint32_t warp;       /* index into work->warps */
   uint32_t access;     /* index of the next access of the warp in work->accesses */
   uint32_t const_next; /* number of constant lines that the next operation has looked up so far */
   /* open_textures: number of pending texture accesses
    * open_accesses: number of pending memory accesses
    */
   uint32_t open_textures, open_accesses;
   uint64_t launched; /* cycle in which the warp was launched */
};

/* A cache line that is being fetched from memory for one or more warps. */
struct sgt_sm_miss {
   uint64_t address;
   /* bitmask of slots that wait for this line, or 0 if all waiting warps have jumped elsewhere */
   uint32_t warps;
   bool used;
};

/* The lines that are being fetched into one cache. */
struct sgt_sm_misses {
   struct sgt_sm_miss lines[SGT_SM_MAX_WARPS * 2];
   /* ring buffer of indices of lines that have not been requested from memory yet */
   uint8_t queue[SGT_SM_MAX_WARPS * 2];
   /* first: index of the first entry of the ring buffer; num: number of entries */
   uint32_t first, num;
   uint32_t open; /* number of entries of `lines` that are in use */
};

/* A pending access to the texture unit or to memory. */
struct sgt_sm_open {
   uint64_t since;     /* cycle in which the access issued */
   uint32_t access;    /* index into work->accesses */
   uint32_t requests;  /* number of requests that have not been answered yet */
   uint16_t dst;       /* index of the first destination register */
   uint8_t dsts, slot; /* dsts: number of destination registers; slot: slot of the warp */
   bool sent;          /* true if all requests have been sent */
};

/* A workgroup that has warps in the multiprocessor. */
struct sgt_sm_group {
   /* operation: index of the operation in the trace
    * number: index of the workgroup in the operation
    */
   uint32_t operation, number;
   /* expected: total number of warps of the workgroup
    * arrived: number of warps that wait at the barrier
    * ended: number of warps that have issued their last operation
    * done: number of warps whose end has been reported
    */
   uint32_t expected, arrived, ended, done;
   uint32_t waiting; /* bitmask of slots whose warps wait at the barrier */
   bool used;
};

struct sgt_sm {
   struct sgt_unit unit;
   /* The members that most cycles use come first, for locality in the host's cache. */
   uint64_t cycle, time; /* cycle: current cycle; time: current time in ticks */
   uint64_t accounted;   /* first cycle whose state has not been counted in the statistics */
   /* The following members are bitmasks of slots unless noted otherwise. */
   uint32_t dirty;       /* warps that must be evaluated in this cycle */
   uint32_t used;        /* slots that hold a warp */
   uint32_t ready_units; /* bitmask of units for which `ready` is not 0 */
   uint32_t urgent;      /* warps that have been ready for `patience` cycles */
   uint32_t want_fetch;  /* warps that can fetch instructions */
   uint32_t empty;       /* warps with an empty instruction buffer that can fetch now or later */
   uint32_t finished;    /* warps that have finished but have not been reported yet */
   uint32_t to_send;     /* number of misses and accesses that wait to be sent to memory */
   bool again;           /* true if the unit must be called again in the next cycle */
   bool failed;          /* true if an error has been reported */
   uint8_t stall;        /* state of the cycles that have not been counted (enum sgt_sm_state) */
   /* last_issue: slot of the warp that issued last
    * last_fetch: slot of the warp that fetched last
    */
   uint8_t last_issue, last_fetch;
   uint8_t issuer;       /* slot of the warp that issued in this cycle, or SGT_SM_MAX_WARPS */
   uint16_t number;      /* index of the multiprocessor */
   uint64_t wheel_full;  /* bitmask of the nonzero entries of `wheel` */
   uint64_t next_urgent; /* lower bound of the next cycle in which a ready warp becomes urgent */
   uint64_t tex_places, mem_places; /* bitmasks of free entries of `textures` and `accesses` */
   /* first cycle in which each of the units can accept another operation */
   uint64_t alu_free, sfu_free, shared_free, const_free;
   /* for each unit, bitmask of the ready warps whose next operation needs this unit */
   uint32_t ready[SGT_SM_UNITS];
   uint32_t waits[SGT_SM_WAITS]; /* for each state, bitmask of the warps in this state */
   /* classes: for each priority level, bitmask of the warps whose class has this level
    * units: for each priority level, bitmask of the units with this level
    */
   uint32_t classes[SGT_SM_LEVELS], units[SGT_SM_LEVELS];
   /* numbers of cycles for which an operation occupies each of the units */
   uint32_t alu_cycles, sfu_cycles, interp_cycles, mul_cycles;
   struct sgt_sm_ports ports;
   const struct sgt_work *work;
   uint64_t *regs; /* availability of the registers of all slots */
   /* for each slot, bitmask of the slots whose warps were launched earlier */
   uint32_t older[SGT_SM_MAX_WARPS];
   /* for each cycle modulo SGT_SM_WHEEL, bitmask of the slots whose warps must be evaluated */
   uint32_t wheel[SGT_SM_WHEEL];
   struct sgt_sm_params params;
   /* number of operations that were issued for each class of warps and number of active lanes */
   uint64_t issued[SGT_SM_CLASSES][33];
   struct sgt_sm_stats stats;
   struct sgt_sm_slot slots[SGT_SM_MAX_WARPS];

   const struct sgt_sm_code *code;
   struct sgt_sm_observer observer;
   /* first cycle whose resident warps have not been counted in the statistics */
   uint64_t resident_since;
   uint32_t resident;                  /* number of resident warps */
   uint32_t residents[SGT_SM_CLASSES]; /* number of resident warps of each class */
   uint32_t threads;                   /* total number of lanes of the resident warps */

   struct sgt_tags icache, constants; /* caches with lines of 64 bytes */
   struct sgt_sm_misses icache_misses, const_misses;

   struct sgt_sm_open textures[SGT_SM_MAX_ACCESSES], accesses[SGT_SM_MAX_ACCESSES];
   /* ring buffer of indices into `accesses`, for accesses whose requests have not all been sent */
   uint8_t queue[SGT_SM_MAX_ACCESSES];
   /* queue_first: index of the first entry of the ring buffer
    * queue_num: number of entries
    */
   uint32_t queue_first, queue_num;
   struct sgt_mem_request *requests; /* requests of the first access in the ring buffer */
   /* num_requests: number of entries of `requests`; next_request: index of the next request to send
    */
   uint32_t num_requests, next_request;

   struct sgt_sm_group groups[SGT_SM_MAX_WARPS];
   char error[160];
};

/* Kind of a memory request, which is stored in bits 24 and up of the tag. */
enum sgt_sm_tag {
   SGT_SM_TAG_ICACHE,
   SGT_SM_TAG_CONST,
   SGT_SM_TAG_DATA,
};

/* Sets the error message unless an earlier error has set it, and stops the simulation of the
 * multiprocessor.
 */
void sgt_sm_fail(struct sgt_sm *sm, const char *format, ...) PRINTFLIKE(2, 3);

/* Schedules an evaluation of the warp in a later cycle. Cycles beyond the wheel are clamped to its
 * last cycle.
 */
static inline void
sgt_sm_wake(struct sgt_sm *sm, uint32_t slot, uint64_t cycle)
{
   const uint64_t most = sm->cycle + SGT_SM_WHEEL - 1;
   const uint32_t i = (cycle <= sm->cycle ? sm->cycle + 1
                       : cycle > most     ? most
                                          : cycle) %
                      SGT_SM_WHEEL;
   sm->wheel[i] |= 1u << slot;
   sm->wheel_full |= 1ull << i;
}

/* Updates the occupancy statistics up to `cycle`. Must be called before the number of resident
 * warps changes.
 */
static inline void
sgt_sm_count_residents(struct sgt_sm *sm, uint64_t cycle)
{
   const uint64_t cycles = cycle - sm->resident_since;
   sm->stats.occupancy[sm->resident] += cycles;
   for (uint32_t i = 0; i < SGT_SM_CLASSES; i++)
      sm->stats.residence[i] += sm->residents[i] * cycles;
   sm->resident_since = cycle;
}

/* Updates `prologue` and `op` after the index of the next operation has changed. */
static inline void
sgt_sm_set_next(struct sgt_sm_slot *w)
{
   w->prologue = w->next_prologue < w->program->num_prologue;
   w->op = w->prologue ? &w->program->prologue[w->next_prologue] : &w->program->ops[w->pos];
}

/* Sets the first cycle in which the registers can be read, and the unit that produces their values.
 */
static inline void
sgt_sm_set_regs(struct sgt_sm_slot *w, uint32_t first, uint32_t num, uint64_t cycle,
                enum sgt_sm_wait producer)
{
   for (uint64_t *reg = w->regs + first, *end = reg + num; reg < end; reg++)
      *reg = cycle << SGT_SM_REG_SHIFT | producer;
}

/* Returns the next access of the warp. If the warp has no more accesses, or the access is of the
 * wrong kind for the operation, sets the error message and returns NULL.
 */
const struct sgt_access *sgt_sm_access(struct sgt_sm *sm, const struct sgt_sm_slot *w);

/* Functions in sgt_sm_warp.c, which launches warps and computes their states */
void sgt_sm_take_launches(struct sgt_sm *sm);
/* Computes the state of a warp in this cycle. */
void sgt_sm_evaluate(struct sgt_sm *sm, uint32_t slot);
/* Advances the warp to its next operation. Called after an operation has issued. */
void sgt_sm_advance(struct sgt_sm *sm, uint32_t slot);
/* Called when a warp arrives at the barrier of its workgroup. */
void sgt_sm_arrive(struct sgt_sm *sm, uint32_t slot);
/* Reports one finished warp to the distributor. Does nothing if no warp has finished. */
void sgt_sm_send_done(struct sgt_sm *sm);

/* Functions in sgt_sm_issue.c, which selects warps and issues operations */

/* Issues one operation if possible. Returns the state of the multiprocessor in this cycle. */
enum sgt_sm_state sgt_sm_issue(struct sgt_sm *sm);
/* Returns the state of the multiprocessor in a cycle in which no warp issues. */
enum sgt_sm_state sgt_sm_find_stall(const struct sgt_sm *sm);
/* Returns the first later cycle in which a unit that a ready warp needs may be free. Returns
 * SGT_NEVER if all ready warps wait for a response or for room in a channel, because channels call
 * the multiprocessor on these events.
 */
uint64_t sgt_sm_next_issue(const struct sgt_sm *sm);

/* Functions in sgt_sm_memory.c, which implements the caches and the paths to the texture unit and
 * to memory
 */
void sgt_sm_take_responses(struct sgt_sm *sm);
void sgt_sm_fetch(struct sgt_sm *sm);
/* Discards the pending fetch of a warp. */
void sgt_sm_cancel_fetch(struct sgt_sm *sm, uint32_t slot);
/* Returns true if all constants of the next operation are in the cache. Otherwise, fetches the
 * first missing line.
 */
bool sgt_sm_constants(struct sgt_sm *sm, uint32_t slot, const struct sgt_sm_op *op);
void sgt_sm_send_texture(struct sgt_sm *sm, uint32_t slot, const struct sgt_sm_op *op);
void sgt_sm_queue_access(struct sgt_sm *sm, uint32_t slot, const struct sgt_sm_op *op);
/* Sends a request to memory if the channel has room. Returns true if another request waits and the
 * channel still has room.
 */
bool sgt_sm_send_memory(struct sgt_sm *sm);
/* Returns true if any line from `first` to i - 1 of the access has the same address as line i. */
bool sgt_sm_repeats(const struct sgt_work *work, const struct sgt_access *a, uint32_t first,
                    uint32_t i);

#endif
