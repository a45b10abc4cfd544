/* SPDX-License-Identifier: MIT */
/*
 * Instruction mix: what programs consist of, and what warps executed.
 *
 * Lindholm 2001, section 3.7.3, gives the mix of a fixed function pipeline: MOV, MUL, ADD and
 * MAD about 50 %, DP3 and DP4 about 40 %.
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
   SGT_CLASS_SPECIAL, /* whose main operation is a special function */
   SGT_CLASS_ALU,     /* the others that compute */
   SGT_CLASS_INTERP,
   SGT_CLASS_TEXTURE,
   SGT_CLASS_MEMORY, /* of any kind, constants by LDC too */
   SGT_CLASS_CONTROL,
   SGT_CLASS_COUNT,
};
extern const char *const sgt_class_names[SGT_CLASS_COUNT];

struct sgt_mix {
   uint64_t instrs;
   uint64_t classes[SGT_CLASS_COUNT]; /* sum: instrs */
   uint64_t vp1;                      /* of the base profile */
   uint64_t uops;
   uint64_t pipes[SGT_PIPE_COUNT]; /* sum: uops */
};

enum sgt_class sgt_instr_class(const struct sgt_instr *instr);

/* Adds instructions pc to pc + count - 1, each `times` times: 1 for what a program consists of,
 * the lanes for what threads execute.
 */
void sgt_program_mix(const struct sgt_program *program, uint32_t pc, uint32_t count, uint64_t times,
                     struct sgt_mix *mix);

/* Adds what the warps of an operation executed: each instruction once for the warp, or once for
 * each of its lanes.
 */
void sgt_work_mix(const struct sgt_work *work, uint32_t operation, bool by_lane,
                  struct sgt_mix *mix);

/* The two groups of the paper. */
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
