/* SPDX-License-Identifier: MIT */
/*
 * Streaming multiprocessor: its state, for the files of the unit.
 *
 * Warps are looked at when something can have changed for them: evaluation is idempotent, so
 * a wake-up too many does no harm.
 */
#ifndef SGT_SM_STATE_H
#define SGT_SM_STATE_H

#include "kernel/sgt_bits.h"
#include "chip_memory/sgt_mem.h"
#include "chip_sm/sgt_sm.h"
#include "chip_memory/sgt_tags.h"
#include "util/macros.h"

#define SGT_SM_NO_GROUP 255
#define SGT_SM_WHEEL 64 /* cycles ahead; what is later is looked at in between */

/* A register of a warp: the first cycle for its use, and the unit that makes it (enum sgt_sm_wait). */
#define SGT_SM_REG_SHIFT 4
#define SGT_SM_REG_NEVER (SGT_NEVER >> SGT_SM_REG_SHIFT) /* the cycle is not known */

struct sgt_sm_slot {
   /* What an evaluation looks at comes first. */
   const struct sgt_sm_op *op; /* the next operation */
   uint64_t *regs;             /* of each register: cycle << SGT_SM_REG_SHIFT | producer */
   uint64_t hold_until, fetch_at, fetch_from;
   uint64_t last_write; /* when all results are there that have a time */
   uint32_t buffered;   /* operations from pos on */
   uint32_t fetch_pos;
   uint8_t wait, unit; /* unit: in whose ready mask it is; SGT_SM_UNITS: in none */
   uint8_t hold_wait;  /* launch or barrier, until hold_until */
   bool prologue;      /* the next operation is of the prologue */
   bool ended;         /* the last operation has issued */
   bool at_barrier;
   bool fresh;    /* the next operation has not been ready yet */
   bool fetching; /* fetch_num operations come at fetch_at */

   bool missed; /* or when the line comes */
   bool fence;  /* the next operation waits for all results */
   bool const_there, const_miss;
   uint8_t fetch_num, last_producer;
   uint8_t warp_class, group; /* group: SGT_SM_NO_GROUP without one */
   uint64_t since;            /* the cycle from which on `wait` has not been counted */
   uint64_t ready_since;
   const struct sgt_sm_program *program;
   const struct sgt_warp *info;
   uint32_t pos, end;      /* next operation, end of the run */
   uint32_t next_prologue; /* operation of it */
   uint32_t run, lanes;
   uint8_t num_lanes, num_prologue_lanes; /* active lanes of operations, and of the prologue's */
   uint32_t warp;                         /* in work->warps */
   uint32_t access;                       /* next, in work->accesses */
   uint32_t const_next;                   /* lines of the next operation that have been looked up */
   uint32_t open_textures, open_accesses; /* without their end */
   uint64_t launched;                     /* cycle */
};

/* A line that is fetched from memory for warps. */
struct sgt_sm_miss {
   uint64_t address;
   uint32_t warps; /* bits of slots; 0: all of them have jumped */
   bool used;
};

struct sgt_sm_misses {
   struct sgt_sm_miss lines[SGT_SM_MAX_WARPS * 2];
   uint8_t queue[SGT_SM_MAX_WARPS * 2]; /* ring: lines to be requested */
   uint32_t first, num;
   uint32_t open;
};

/* An access of the texture unit or of memory. */
struct sgt_sm_open {
   uint64_t since;
   uint32_t access;
   uint32_t requests; /* without a response */
   uint16_t dst;
   uint8_t dsts, slot;
   bool sent; /* all requests */
};

struct sgt_sm_group {
   uint32_t operation, number;
   uint32_t expected, arrived, ended, done; /* warps */
   uint32_t waiting;                        /* bits of slots */
   bool used;
};

struct sgt_sm {
   struct sgt_unit unit;
   /* What most cycles look at. */
   uint64_t cycle, time; /* the present one */
   uint64_t accounted;   /* cycles before are counted */
   uint32_t dirty;       /* warps to look at in this cycle */
   uint32_t used;        /* slots */
   uint32_t ready_units; /* units with warps in `ready` */
   uint32_t urgent;      /* ready for too long */
   uint32_t want_fetch;  /* warps */
   uint32_t empty;       /* buffers */
   uint32_t finished;    /* to be reported */
   uint32_t to_send;     /* misses and accesses that wait for the path to memory */
   bool again;           /* something is left for the next cycle */
   bool failed;          /* there is an error */
   uint8_t stall;        /* state of the cycles from `accounted` on */
   uint8_t last_issue, last_fetch;
   uint8_t issuer; /* the warp that has issued in this cycle; SGT_SM_MAX_WARPS: none */
   uint16_t number;
   uint64_t wheel_full;  /* cycles with warps in `wheel` */
   uint64_t next_urgent; /* not later than the cycle in which a ready warp becomes urgent */
   uint64_t tex_places, mem_places;                      /* bits: free */
   uint64_t alu_free, sfu_free, shared_free, const_free; /* cycles */
   uint32_t ready[SGT_SM_UNITS]; /* warps whose next operation could issue, by its unit */
   uint32_t waits[SGT_SM_WAITS]; /* warps by what they do */
   uint32_t classes[SGT_SM_LEVELS], units[SGT_SM_LEVELS]; /* by priority: warps, units */
   uint32_t alu_cycles, sfu_cycles, interp_cycles, mul_cycles;
   struct sgt_sm_ports ports;
   const struct sgt_work *work;
   uint64_t *regs;
   uint32_t older[SGT_SM_MAX_WARPS]; /* of each slot: those that were launched before */
   uint32_t wheel[SGT_SM_WHEEL];     /* warps to look at */
   struct sgt_sm_params params;
   uint64_t issued[SGT_SM_CLASSES][33]; /* operations, by active lanes */
   struct sgt_sm_stats stats;
   struct sgt_sm_slot slots[SGT_SM_MAX_WARPS];

   const struct sgt_sm_code *code;
   struct sgt_sm_observer observer;
   uint64_t resident_since; /* cycle from which on resident warps are not counted */
   uint32_t resident;       /* warps */
   uint32_t residents[SGT_SM_CLASSES];
   uint32_t threads; /* of them */

   struct sgt_tags icache, constants; /* of lines of 64 bytes */
   struct sgt_sm_misses icache_misses, const_misses;

   struct sgt_sm_open textures[SGT_SM_MAX_ACCESSES], accesses[SGT_SM_MAX_ACCESSES];
   uint8_t queue[SGT_SM_MAX_ACCESSES]; /* ring: accesses of memory to be sent */
   uint32_t queue_first, queue_num;
   struct sgt_mem_request *requests; /* of the first of them */
   uint32_t num_requests, next_request;

   struct sgt_sm_group groups[SGT_SM_MAX_WARPS];
   char error[160];
};

/* Kinds of tags of memory requests: bits 24 on. */
enum sgt_sm_tag {
   SGT_SM_TAG_ICACHE,
   SGT_SM_TAG_CONST,
   SGT_SM_TAG_DATA,
};

/* Sets the error, if there is none yet. */
void sgt_sm_fail(struct sgt_sm *sm, const char *format, ...) PRINTFLIKE(2, 3);

/* Looks at the warp in a later cycle. */
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

/* Counts the resident warps of the cycles before `cycle`, ahead of a change. */
static inline void
sgt_sm_count_residents(struct sgt_sm *sm, uint64_t cycle)
{
   const uint64_t cycles = cycle - sm->resident_since;
   sm->stats.occupancy[sm->resident] += cycles;
   for (uint32_t i = 0; i < SGT_SM_CLASSES; i++)
      sm->stats.residence[i] += sm->residents[i] * cycles;
   sm->resident_since = cycle;
}

/* Sets the next operation, once it is known which. */
static inline void
sgt_sm_set_next(struct sgt_sm_slot *w)
{
   w->prologue = w->next_prologue < w->program->num_prologue;
   w->op = w->prologue ? &w->program->prologue[w->next_prologue] : &w->program->ops[w->pos];
}

/* Results of an operation can be used from `cycle` on. */
static inline void
sgt_sm_set_regs(struct sgt_sm_slot *w, uint32_t first, uint32_t num, uint64_t cycle,
                enum sgt_sm_wait producer)
{
   for (uint64_t *reg = w->regs + first, *end = reg + num; reg < end; reg++)
      *reg = cycle << SGT_SM_REG_SHIFT | producer;
}

/* The next access of the warp, or NULL and an error: there is none, or of another kind. */
const struct sgt_access *sgt_sm_access(struct sgt_sm *sm, const struct sgt_sm_slot *w);

/* sgt_sm_warp.c: launch, and what a warp waits for. */
void sgt_sm_take_launches(struct sgt_sm *sm);
void sgt_sm_evaluate(struct sgt_sm *sm, uint32_t slot);
/* To the next operation, after one has issued. */
void sgt_sm_advance(struct sgt_sm *sm, uint32_t slot);
/* At the barrier of its workgroup. */
void sgt_sm_arrive(struct sgt_sm *sm, uint32_t slot);
void sgt_sm_send_done(struct sgt_sm *sm);

/* sgt_sm_issue.c.  The state of this cycle. */
enum sgt_sm_state sgt_sm_issue(struct sgt_sm *sm);
/* What the multiprocessor does in a cycle in which no warp issues. */
enum sgt_sm_state sgt_sm_find_stall(const struct sgt_sm *sm);
/* The first cycle after this one in which a unit of the ready warps may be free; SGT_NEVER: a
 * response or a place in a channel frees it, and calls the multiprocessor.
 */
uint64_t sgt_sm_next_issue(const struct sgt_sm *sm);

/* sgt_sm_memory.c: caches and the paths to texture unit and memory. */
void sgt_sm_take_responses(struct sgt_sm *sm);
void sgt_sm_fetch(struct sgt_sm *sm);
/* The warp does not want what it fetches any more. */
void sgt_sm_cancel_fetch(struct sgt_sm *sm, uint32_t slot);
/* Whether the constants of the next operation are there.  If not, the line is fetched. */
bool sgt_sm_constants(struct sgt_sm *sm, uint32_t slot, const struct sgt_sm_op *op);
void sgt_sm_send_texture(struct sgt_sm *sm, uint32_t slot, const struct sgt_sm_op *op);
void sgt_sm_queue_access(struct sgt_sm *sm, uint32_t slot, const struct sgt_sm_op *op);
/* Whether there is more to send in a later cycle, and a place for it. */
bool sgt_sm_send_memory(struct sgt_sm *sm);
/* Whether an earlier line of the access, from `first` on, is at the address of line i. */
bool sgt_sm_repeats(const struct sgt_work *work, const struct sgt_access *a, uint32_t first,
                    uint32_t i);

#endif
