/* SPDX-License-Identifier: MIT */
/*
 * State of the reference of the execution unit, which the files of its steps share.
 */
#ifndef EU_REFERENCE_STATE_H
#define EU_REFERENCE_STATE_H

#include "eu_reference.h"
#include "util/macros.h"

#define NEVER UINT64_MAX
#define MAX_LIST 4096
#define REGS (SGPU_TEMP_SIZE + SGPU_ADDR_SIZE + SGPU_PRED_SIZE)

/* An instruction of a thread's path.  `access` is its number among the warp's accesses. */
struct step {
   uint32_t pc, lanes, access, run;
};

struct rthread {
   bool live;
   uint64_t number;
   int warp;
   uint32_t index; /* index of the warp in the work */
   uint32_t program, lanes;
   struct sgt_eu_const_key key;
   struct step *way;
   uint32_t steps, step; /* number of steps; index of the next step to decode */
   /* Queue of instructions that are wanted, in order, and whether each has arrived. */
   uint32_t queue_pc[SGT_EU_MAX_QUEUE];
   bool queue_came[SGT_EU_MAX_QUEUE];
   uint32_t queued;
   uint32_t next_pc;
   uint64_t latest_fetch;
   bool waits_for_jump, goes_elsewhere;
   uint64_t jump_done;
   bool at_barrier;

   bool staged, two;
   struct step now, then; /* `then`: the second of two fused steps */
   uint32_t alu;
   uint32_t consts_asked, consts_there, attrs_asked, attrs_there;
   /* Cycles of arrival; regs_at is NEVER if the registers were not requested. */
   uint64_t attrs_at, regs_at;

   uint64_t result[REGS];
   uint64_t last_result;
   uint32_t outputs, accesses;
};

struct rfetch {
   uint32_t program, pc;
   uint64_t ready;
   bool wanted[SGT_EU_MAX_THREADS];
};

struct roperand {
   uint32_t thread;
   uint64_t address, ready;
};

struct raccess {
   bool used, sent;
   uint32_t index, number; /* index of the warp, number of its access */
   int warp;
   uint32_t waiters, parts, thread[8];
   int reg[8];
   uint32_t line, answers, left;
};

struct routput {
   uint32_t thread;
   int access; /* access, or -1 for none */
   uint64_t at;
};

struct ranswer {
   uint64_t at, address;
   int what; /* access, or -1 for code, -2 for constants */
};

struct rgroup {
   uint32_t operation, number, program;
};

struct machine {
   const struct sgt_eu_params *p;
   const struct sgt_work *work;
   struct eu_reference *out;
   uint64_t cycle, memory, texture, started;
   uint32_t next_warp, ended_warps;
   struct rthread threads[SGT_EU_MAX_THREADS];
   bool warp_used[SGT_EU_MAX_THREADS];
   uint32_t ended_of[SGT_EU_MAX_THREADS]; /* number of ended threads of the warp in each slot */
   uint32_t parts_of[SGT_EU_MAX_THREADS];
   uint32_t index_of[SGT_EU_MAX_THREADS];
   uint32_t *group_ended; /* number of ended threads of each warp of the work */
   struct rfetch fetches[2][MAX_LIST];
   uint32_t num_fetches[2];
   struct {
      uint64_t line, used;
   } code[MAX_LIST];
   uint32_t num_code;
   uint64_t code_uses;
   struct sgt_const_lines lines;
   struct sgt_eu_const constants;
   struct roperand consts[SGT_EU_MAX_FIFO], attrs[SGT_EU_MAX_FIFO];
   uint32_t num_consts, num_attrs;
   uint64_t file_free[2], interp_free, alu_free[SGT_EU_MAX_ALUS];
   struct routput outputs[SGT_EU_MAX_OUTPUT];
   uint32_t num_outputs;
   struct raccess accesses[SGT_EU_MAX_ACCESSES + SGT_EU_MAX_THREADS];
   struct ranswer answers[MAX_LIST];
   uint32_t num_answers;
   bool memory_used, stalled;
   uint32_t did; /* number of the five operations that were done in the cycle */
   bool issued[SGT_EU_MAX_THREADS], decoded[SGT_EU_MAX_THREADS];
};

static inline const struct sgt_instr *
instr_at(const struct machine *m, const struct rthread *t, uint32_t pc)
{
   return &m->work->programs[t->program]->instrs[pc];
}

static inline uint32_t
lanes_of_part(const struct machine *m, uint32_t lanes, uint32_t part)
{
   uint32_t mask = 0;
   for (uint32_t lane = part * m->p->width; lane < (part + 1) * m->p->width; lane++)
      mask |= 1u << lane;
   return lanes & mask;
}

static inline bool
older(const struct machine *m, uint32_t a, int b)
{
   return b < 0 || m->threads[a].number < m->threads[b].number;
}

static inline bool
is_even(uint32_t thread)
{
   return thread % 2 == 0;
}

static inline bool
is_access(const struct sgt_instr *i)
{
   return (i->flags & SGT_INSTR_ACCESS) && i->pipe != SGT_PIPE_CONST;
}

static inline bool
is_control(const struct sgt_instr *i)
{
   return i->pipe == SGT_PIPE_CONTROL;
}

/* Functions of eu_reference.c. */
void eu_tell(struct machine *m, enum sgt_eu_event event, uint32_t thread, uint32_t pc);
bool eu_ask_memory(struct machine *m, uint64_t address, int what, bool answer);

/* Functions of eu_reference_fetch.c. */
void eu_code_put(struct machine *m, uint64_t line);
uint64_t eu_code_line(uint32_t program, uint32_t pc);
void eu_drop_fetches(struct machine *m, uint32_t thread);
void eu_step_decode(struct machine *m);
void eu_step_broadcast(struct machine *m);
void eu_step_fetch(struct machine *m);

/* Functions of eu_reference_operands.c. */
int eu_written(const struct sgt_instr *i);
uint64_t eu_registers_there(const struct machine *m, const struct rthread *t,
                            const struct sgt_instr *i);
uint64_t eu_staged_there(const struct machine *m, const struct rthread *t);
const struct sgt_access *eu_access_of(const struct machine *m, uint32_t index, uint32_t number);
uint32_t eu_lines_of(const struct machine *m, const struct sgt_access *a, uint64_t *lines);
bool eu_regs_here(const struct machine *m, const struct rthread *t);
bool eu_consts_here(const struct machine *m, const struct rthread *t);
bool eu_attrs_here(const struct machine *m, const struct rthread *t);
void eu_step_deliver(struct machine *m);
void eu_step_const(struct machine *m);
void eu_step_attr(struct machine *m);
void eu_step_regs(struct machine *m, uint32_t file);

/* Functions of eu_reference_execute.c. */
void eu_end_access(struct machine *m, struct raccess *a, uint64_t at);
const struct step *eu_sender_of(const struct rthread *t);
bool eu_gathers(const struct machine *m, const struct rthread *t);
bool eu_has_place(const struct machine *m, const struct rthread *t);
void eu_step_output(struct machine *m);
void eu_open_barriers(struct machine *m, uint32_t index);
void eu_step_issue(struct machine *m);

#endif
