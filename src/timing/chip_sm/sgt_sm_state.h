/* SPDX-License-Identifier: MIT */
/*
 * Streaming multiprocessor: private state.
 *
 * The state of a warp is evaluated only when it may have changed. Evaluation is idempotent, so
 * unnecessary evaluations are harmless.
 */
#ifndef SGT_SM_STATE_H
#define SGT_SM_STATE_H

#include "kernel/sgt_bits.h"
#include "chip_memory/sgt_mem.h"
#include "chip_sm/sgt_sm.h"
#include "chip_memory/sgt_tags.h"
#include "util/macros.h"

/* Index of the workgroup of a warp without one. */
#define SGT_SM_NO_GROUP 255
/* Number of cycles that evaluations can be scheduled ahead. Later ones are rescheduled. */
#define SGT_SM_WHEEL 64

/* Encoding of a register's availability: the first cycle in which it can be used, shifted left, and
 * the unit that produces it (enum sgt_sm_wait).
 */
#define SGT_SM_REG_SHIFT 4
#define SGT_SM_REG_NEVER (SGT_NEVER >> SGT_SM_REG_SHIFT) /* the cycle is not known yet */

/* A place for a warp. Times are cycles. */
struct sgt_sm_slot {
   /* The members that an evaluation uses come first, for the host's cache. */
   const struct sgt_sm_op *op; /* next operation */
   uint64_t *regs;             /* per register: cycle << SGT_SM_REG_SHIFT | producer */
   /* End of a wait after launch or barrier; arrival of a fetch; first cycle for the next fetch. */
   uint64_t hold_until, fetch_at, fetch_from;
   uint64_t last_write; /* first cycle in which all results with a known time can be used */
   uint32_t buffered;   /* number of operations in the instruction buffer, starting at pos */
   uint32_t fetch_pos;  /* index of the next operation to be fetched */
   /* State (enum sgt_sm_wait); index of the `ready` mask with the warp, or SGT_SM_UNITS. */
   uint8_t wait, unit;
   uint8_t hold_wait; /* state until hold_until: launch or barrier */
   bool prologue;     /* the next operation is in the prologue */
   bool ended;        /* the last operation has issued */
   bool at_barrier;
   bool fresh;    /* the next operation has not been ready yet */
   bool fetching; /* fetch_num operations arrive at fetch_at */

   bool missed; /* fetch_num operations arrive after their line, which missed the cache */
   bool fence;  /* the next operation waits for all results */
   bool const_there, const_miss; /* constants of the next operation: all in the cache; one missed */
   uint8_t fetch_num, last_producer; /* size of the fetch; producer of last_write */
   uint8_t warp_class, group;        /* group: index in `groups`, or SGT_SM_NO_GROUP */
   uint64_t since;                   /* first cycle whose state has not been counted */
   uint64_t ready_since;             /* first cycle in which the next operation was ready */
   const struct sgt_sm_program *program;
   const struct sgt_warp *info;
   uint32_t pos, end;      /* indices of the next operation, and of the end of the current run */
   uint32_t next_prologue; /* index of the next operation of the prologue */
   uint32_t run, lanes;    /* index of the next run; active lanes of the current run, a bit mask */
   uint8_t num_lanes, num_prologue_lanes; /* numbers of active lanes of the run, of the prologue */
   uint32_t warp;                         /* index in work->warps */
   uint32_t access;                       /* index of the next access in work->accesses */
   uint32_t const_next;                   /* lines of constants of the operation looked up so far */
   uint32_t open_textures, open_accesses; /* numbers of pending texture and memory accesses */
   uint64_t launched;                     /* cycle of the launch */
};

/* A line that is fetched from memory for warps. */
struct sgt_sm_miss {
   uint64_t address;
   uint32_t warps; /* bit mask of slots that wait; 0 if all have jumped in the meantime */
   bool used;
};

/* The lines that are fetched into a cache. */
struct sgt_sm_misses {
   struct sgt_sm_miss lines[SGT_SM_MAX_WARPS * 2];
   uint8_t queue[SGT_SM_MAX_WARPS * 2]; /* ring of lines that have not been requested */
   uint32_t first, num;                 /* first element and length of the ring */
   uint32_t open;                       /* number of used lines */
};

/* A pending access to the texture unit or to memory. */
struct sgt_sm_open {
   uint64_t since;     /* cycle of issue */
   uint32_t access;    /* index in work->accesses */
   uint32_t requests;  /* number of requests without a response */
   uint16_t dst;       /* first destination register */
   uint8_t dsts, slot; /* number of destination registers; slot of the warp */
   bool sent;          /* all requests were sent */
};

/* A workgroup with warps in the multiprocessor. */
struct sgt_sm_group {
   uint32_t operation, number; /* operation, and number of the group in it */
   /* Numbers of warps: in all, at the barrier, after their last operation, and done. */
   uint32_t expected, arrived, ended, done;
   uint32_t waiting; /* bit mask of slots with warps at the barrier */
   bool used;
};

struct sgt_sm {
   struct sgt_unit unit;
   /* The members that most cycles use come first, for the host's cache. */
   uint64_t cycle, time; /* present cycle, and its time in ticks */
   uint64_t accounted;   /* first cycle whose state has not been counted */
   /* Bit masks of slots, except ready_units. */
   uint32_t dirty;       /* warps to be evaluated in this cycle */
   uint32_t used;        /* slots with warps */
   uint32_t ready_units; /* bit mask of units with warps in `ready` */
   uint32_t urgent;      /* warps that have been ready for `patience` cycles */
   uint32_t want_fetch;  /* warps that can fetch instructions */
   uint32_t empty;       /* warps with an empty instruction buffer that may fetch now or later */
   uint32_t finished;    /* warps whose end has not been reported */
   uint32_t to_send;     /* number of misses and accesses that wait for the path to memory */
   bool again;           /* the unit must be called in the next cycle */
   bool failed;          /* there is an error */
   uint8_t stall;        /* state of the cycles from `accounted` */
   uint8_t last_issue, last_fetch; /* slots of the latest warps that issued and fetched */
   uint8_t issuer;       /* slot of the warp that issued in this cycle, or SGT_SM_MAX_WARPS */
   uint16_t number;      /* number of the multiprocessor */
   uint64_t wheel_full;  /* bit mask of elements of `wheel` that are not 0 */
   uint64_t next_urgent; /* lower bound of the next cycle in which a ready warp becomes urgent */
   uint64_t tex_places, mem_places; /* bit masks of free elements of `textures` and `accesses` */
   uint64_t alu_free, sfu_free, shared_free, const_free; /* first cycle in which the unit is free */
   uint32_t ready[SGT_SM_UNITS]; /* per unit: warps that are ready, with a next operation for it */
   uint32_t waits[SGT_SM_WAITS]; /* per state: warps in this state */
   /* Per level of priority: warps whose class has this level; bit mask of units with this level. */
   uint32_t classes[SGT_SM_LEVELS], units[SGT_SM_LEVELS];
   /* Cycles that an operation occupies a unit. */
   uint32_t alu_cycles, sfu_cycles, interp_cycles, mul_cycles;
   struct sgt_sm_ports ports;
   const struct sgt_work *work;
   uint64_t *regs;                   /* registers of all slots */
   uint32_t older[SGT_SM_MAX_WARPS]; /* per slot: warps that were launched before its warp */
   uint32_t wheel[SGT_SM_WHEEL];     /* per cycle, modulo the size: warps to be evaluated */
   struct sgt_sm_params params;
   uint64_t issued[SGT_SM_CLASSES][33]; /* issued operations, by class and number of active lanes */
   struct sgt_sm_stats stats;
   struct sgt_sm_slot slots[SGT_SM_MAX_WARPS];

   const struct sgt_sm_code *code;
   struct sgt_sm_observer observer;
   uint64_t resident_since;            /* first cycle whose resident warps have not been counted */
   uint32_t resident;                  /* number of warps */
   uint32_t residents[SGT_SM_CLASSES]; /* number of warps per class */
   uint32_t threads;                   /* number of lanes of all warps */

   struct sgt_tags icache, constants; /* caches with lines of 64 bytes */
   struct sgt_sm_misses icache_misses, const_misses;

   struct sgt_sm_open textures[SGT_SM_MAX_ACCESSES], accesses[SGT_SM_MAX_ACCESSES];
   uint8_t queue[SGT_SM_MAX_ACCESSES];  /* ring of memory accesses with requests to be sent */
   uint32_t queue_first, queue_num;     /* first element and length of the ring */
   struct sgt_mem_request *requests;    /* requests of the first access of the ring */
   uint32_t num_requests, next_request; /* number of these requests, and of those that were sent */

   struct sgt_sm_group groups[SGT_SM_MAX_WARPS];
   char error[160];
};

/* Kinds of memory requests, in the bits of the tag from bit 24. */
enum sgt_sm_tag {
   SGT_SM_TAG_ICACHE,
   SGT_SM_TAG_CONST,
   SGT_SM_TAG_DATA,
};

/* Sets the error message, unless there is one. The simulation of the multiprocessor stops. */
void sgt_sm_fail(struct sgt_sm *sm, const char *format, ...) PRINTFLIKE(2, 3);

/* Schedules an evaluation of the warp for a later cycle. */
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

/* Counts the resident warps up to `cycle`. Must be called before their number changes. */
static inline void
sgt_sm_count_residents(struct sgt_sm *sm, uint64_t cycle)
{
   const uint64_t cycles = cycle - sm->resident_since;
   sm->stats.occupancy[sm->resident] += cycles;
   for (uint32_t i = 0; i < SGT_SM_CLASSES; i++)
      sm->stats.residence[i] += sm->residents[i] * cycles;
   sm->resident_since = cycle;
}

/* Sets `prologue` and `op` from the indices of the next operation. */
static inline void
sgt_sm_set_next(struct sgt_sm_slot *w)
{
   w->prologue = w->next_prologue < w->program->num_prologue;
   w->op = w->prologue ? &w->program->prologue[w->next_prologue] : &w->program->ops[w->pos];
}

/* Sets the first cycle in which the registers can be used. */
static inline void
sgt_sm_set_regs(struct sgt_sm_slot *w, uint32_t first, uint32_t num, uint64_t cycle,
                enum sgt_sm_wait producer)
{
   for (uint64_t *reg = w->regs + first, *end = reg + num; reg < end; reg++)
      *reg = cycle << SGT_SM_REG_SHIFT | producer;
}

/* Returns the next access of the warp. If there is none, or its kind is wrong for the operation,
 * sets an error and returns NULL.
 */
const struct sgt_access *sgt_sm_access(struct sgt_sm *sm, const struct sgt_sm_slot *w);

/* sgt_sm_warp.c: launches, and states of warps. */
void sgt_sm_take_launches(struct sgt_sm *sm);
/* Computes the state of a warp. */
void sgt_sm_evaluate(struct sgt_sm *sm, uint32_t slot);
/* Advances the warp to its next operation, after one has issued. */
void sgt_sm_advance(struct sgt_sm *sm, uint32_t slot);
/* Called when a warp arrives at the barrier of its workgroup. */
void sgt_sm_arrive(struct sgt_sm *sm, uint32_t slot);
/* Reports the end of a warp, if one has ended. */
void sgt_sm_send_done(struct sgt_sm *sm);

/* sgt_sm_issue.c */

/* Issues an operation, if possible, and returns the state of the cycle. */
enum sgt_sm_state sgt_sm_issue(struct sgt_sm *sm);
/* Returns the state of a cycle in which no warp issues. */
enum sgt_sm_state sgt_sm_find_stall(const struct sgt_sm *sm);
/* Returns the first later cycle in which a unit that ready warps need may be free. Returns
 * SGT_NEVER if all of them wait for a response or for a place in a channel, which cause a call.
 */
uint64_t sgt_sm_next_issue(const struct sgt_sm *sm);

/* sgt_sm_memory.c: caches and the paths to texture unit and memory. */
void sgt_sm_take_responses(struct sgt_sm *sm);
void sgt_sm_fetch(struct sgt_sm *sm);
/* Discards the pending fetch of a warp. */
void sgt_sm_cancel_fetch(struct sgt_sm *sm, uint32_t slot);
/* Returns whether all constants of the next operation are in the cache. Otherwise, fetches the
 * first line that is missing.
 */
bool sgt_sm_constants(struct sgt_sm *sm, uint32_t slot, const struct sgt_sm_op *op);
void sgt_sm_send_texture(struct sgt_sm *sm, uint32_t slot, const struct sgt_sm_op *op);
void sgt_sm_queue_access(struct sgt_sm *sm, uint32_t slot, const struct sgt_sm_op *op);
/* Sends a request to memory. Returns whether more requests wait and the channel has a place. */
bool sgt_sm_send_memory(struct sgt_sm *sm);
/* Returns whether a line of the access from `first` to i - 1 has the same address as line i. */
bool sgt_sm_repeats(const struct sgt_work *work, const struct sgt_access *a, uint32_t first,
                    uint32_t i);

#endif
