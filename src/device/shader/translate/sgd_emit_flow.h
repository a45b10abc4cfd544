/* SPDX-License-Identifier: MIT */
/*
 * Translator: what the code of a whole program for lanes that agree (sgd_emit_program.c) and the
 * code for lanes that have diverged (sgd_emit_divergent.c) share.
 */
#ifndef SGD_EMIT_FLOW_H
#define SGD_EMIT_FLOW_H

#include "shader/program/sgd_decode.h"
#include "shader/program/sgd_translation.h"
#include "shader/translate/sgd_regions.h"
#include "shader/translate/sgd_x86.h"

#define SGD_NO_PLACE SIZE_MAX

enum sgd_jump_kind {
   SGD_TO_CODE,            /* jump to the code of the instruction for lanes that agree */
   SGD_TO_DIVERGENT,       /* jump to the code of the instruction for divergent lanes */
   SGD_TO_LEAVE,           /* return the index of the instruction, which must be executed next */
   SGD_TO_LEAVE_DIVERGENT, /* the same in code for divergent lanes, which maintains the stack */
   /* subtract the instruction from the instruction count, fill the stack, and jump to the code of
    * the instruction for divergent lanes
    */
   SGD_TO_DIVERGE,
   SGD_TO_LEAVE_AT, /* return the index of the instruction in ecx, in code for divergent lanes */
   SGD_TO_RESUME,   /* continue the lanes of the topmost entry of the stack that has lanes */
   SGD_TO_OUT,      /* return the value in eax */
};

/* A jump whose target address is not known yet. */
struct sgd_flow_jump {
   size_t from;
   uint32_t to;  /* index of the target instruction */
   uint8_t kind; /* enum sgd_jump_kind */
};

struct sgd_flow {
   struct sgd_x86 *x;
   const struct sgd_decoded *decoded;
   uint32_t num_instrs;
   const struct sgd_region **region; /* region that starts at each instruction, or NULL */
   struct sgd_code_entry *entries;
   /* offset of each instruction's code, for instructions in `label`: for lanes that agree, and for
    * divergent lanes
    */
   size_t *place, *divergent;
   bool *label;             /* set for each instruction that is the target of a jump */
   size_t resume, leave_at; /* code that jumps of these kinds go to, or SGD_NO_PLACE */
   uint32_t scratch_words;  /* size of the scratch memory of a lane */
   uint32_t (*consts)[8];   /* constants that follow the code */
   uint32_t num_consts, const_room;
   bool quad;      /* set if a region requires whole quads */
   uint32_t count; /* number of instructions since r14 was last updated */
   struct sgd_flow_jump *jumps;
   uint32_t num_jumps, room;
   bool ok;
};

/* Returns the index of the instruction at which all lanes continue after BRA, SYNC, BRK or CONT, or
 * num_instrs + 1 if it is unknown.
 */
uint32_t sgd_flow_destination(const struct sgd_flow *e, uint32_t n);

/* Emits a jump to instruction `to`. */
void sgd_flow_jump(struct sgd_flow *e, enum sgd_x86_cond cond, enum sgd_jump_kind kind,
                   uint32_t to);

/* Emits code that sets eax to the result and jumps to the end of the function. */
void sgd_flow_return(struct sgd_flow *e, uint32_t result);

/* Adds the instructions that have been executed since the last call to r14. */
void sgd_flow_count(struct sgd_flow *e);

/* Loads the mask of the executing lanes to ecx, and the mask of those whose guard is true to eax.
 * Sets the flags of the host CPU according to eax.
 */
void sgd_flow_guard(struct sgd_flow *e, const struct sgd_ins *ins);

/* Emits a call of one of struct sgd_native_calls, at offset `function`. */
void sgd_flow_call(struct sgd_flow *e, size_t function, const void *argument);

/* Emits a call of one of the functions of a region, at a code offset. */
void sgd_flow_call_region(struct sgd_flow *e, const struct sgd_region *r, size_t function);

/* Returns the number of a constant for sgd_rm_const(): a vector, or a word in all lanes. */
unsigned sgd_flow_const(struct sgd_flow *e, const uint32_t words[8]);
unsigned sgd_flow_word(struct sgd_flow *e, uint32_t word);

/* Emits code for an access to memory at a variable address, for lanes that agree. Returns false if
 * there is none for instruction n.
 */
bool sgd_emit_memory(struct sgd_flow *e, uint32_t n);

/* Emits the program's code for divergent lanes. */
void sgd_emit_divergent(struct sgd_flow *e);

/* Emits the code to which jumps of the kinds TO_RESUME and TO_LEAVE_AT go. */
void sgd_emit_resume(struct sgd_flow *e);

#endif
