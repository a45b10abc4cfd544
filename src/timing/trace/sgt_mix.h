/* SPDX-License-Identifier: MIT */
/*
 * Instruction mix, i.e. the number of instructions in each class. Instructions are counted once in
 * a program, or each time that a warp executes them. According to Lindholm 2001, section 3.7.3, a
 * fixed-function pipeline consists of about 50 % MOV, MUL, ADD and MAD, and about 40 % DP3 and DP4.
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
   SGT_CLASS_SPECIAL, /* instructions that mainly compute a special function, e.g. a reciprocal */
   SGT_CLASS_ALU,     /* all other arithmetic instructions */
   SGT_CLASS_INTERP,
   SGT_CLASS_TEXTURE,
   SGT_CLASS_MEMORY, /* memory accesses of all kinds, including constant loads (LDC) */
   SGT_CLASS_CONTROL,
   SGT_CLASS_COUNT,
};
extern const char *const sgt_class_names[SGT_CLASS_COUNT];

struct sgt_mix {
   uint64_t instrs; /* number of instructions */
   /* number of instructions in each class; the sum is `instrs` */
   uint64_t classes[SGT_CLASS_COUNT];
   uint64_t vp1;                   /* number of instructions that are in the base profile */
   uint64_t uops;                  /* number of scalar operations */
   uint64_t pipes[SGT_PIPE_COUNT]; /* number of scalar operations per pipe; the sum is `uops` */
};

enum sgt_class sgt_instr_class(const struct sgt_instr *instr);

/* Adds the instructions from pc to pc + count - 1 to the mix, and counts each of them `times`
 * times. For the static mix of a program, `times` is 1. For the mix that threads execute, it is the
 * number of lanes.
 */
void sgt_program_mix(const struct sgt_program *program, uint32_t pc, uint32_t count, uint64_t times,
                     struct sgt_mix *mix);

/* Adds the instructions that the warps of an operation have executed. Each instruction is counted
 * once per warp or, if by_lane is true, once per lane.
 */
void sgt_work_mix(const struct sgt_work *work, uint32_t operation, bool by_lane,
                  struct sgt_mix *mix);

/* Return the number of instructions in the two groups that Lindholm 2001 distinguishes: MOV, MUL,
 * ADD and MAD, or dot products.
 */
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
