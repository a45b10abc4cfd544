/* SPDX-License-Identifier: MIT */
/*
 * Instruction mix: the classes of instructions that programs contain, or that warps executed.
 *
 * Lindholm 2001, section 3.7.3, gives the mix of a fixed function pipeline: MOV, MUL, ADD and MAD
 * are about 50 %, DP3 and DP4 about 40 %.
 */
#ifndef SGT_MIX_H
#define SGT_MIX_H

#include "trace/sgt_work.h"

enum sgt_class {
   SGT_CLASS_MOV,
   SGT_CLASS_MUL,
   SGT_CLASS_ADD,
   SGT_CLASS_MAD,
   SGT_CLASS_DP3,
   SGT_CLASS_DP4,
   SGT_CLASS_SPECIAL, /* instructions whose main operation is a special function */
   SGT_CLASS_ALU,     /* other instructions that compute */
   SGT_CLASS_INTERP,
   SGT_CLASS_TEXTURE,
   SGT_CLASS_MEMORY, /* accesses of any kind, also loads of constants by LDC */
   SGT_CLASS_CONTROL,
   SGT_CLASS_COUNT,
};
extern const char *const sgt_class_names[SGT_CLASS_COUNT];

struct sgt_mix {
   uint64_t instrs;                   /* number of instructions */
   uint64_t classes[SGT_CLASS_COUNT]; /* number of instructions by class; the sum is `instrs` */
   uint64_t vp1;                      /* number of instructions of the base profile */
   uint64_t uops;                     /* number of scalar operations */
   uint64_t pipes[SGT_PIPE_COUNT];    /* number of operations by pipe; the sum is `uops` */
};

enum sgt_class sgt_instr_class(const struct sgt_instr *instr);

/* Adds the instructions pc to pc + count - 1 to the mix, each `times` times: 1 for the contents of
 * a program, or the number of lanes for what threads execute.
 */
void sgt_program_mix(const struct sgt_program *program, uint32_t pc, uint32_t count, uint64_t times,
                     struct sgt_mix *mix);

/* Adds the instructions that the warps of an operation executed: each instruction once per warp, or
 * once per lane.
 */
void sgt_work_mix(const struct sgt_work *work, uint32_t operation, bool by_lane,
                  struct sgt_mix *mix);

/* The two groups of instructions in the paper. */
static inline uint64_t
sgt_mix_simple(const struct sgt_mix *mix)
{
   return mix->classes[SGT_CLASS_MOV] + mix->classes[SGT_CLASS_MUL] + mix->classes[SGT_CLASS_ADD] +
          mix->classes[SGT_CLASS_MAD];
}

static inline uint64_t
sgt_mix_dot(const struct sgt_mix *mix)
{
   return mix->classes[SGT_CLASS_DP3] + mix->classes[SGT_CLASS_DP4];
}

#endif
