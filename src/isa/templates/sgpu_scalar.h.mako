/* SPDX-License-Identifier: MIT */

/*
 * Operations that a machine without vectors executes for each opcode, for timing models.
 * src/isa/gen_isa.py generates this file; src/isa/sgpu_scalar.py names the sources.
 */

#ifndef SGPU_SCALAR_H
#define SGPU_SCALAR_H

#include "sgpu_isa.h"

#ifdef __cplusplus
extern "C" {
#endif

enum sgpu_scalar_unit {
% for name in sgpu_scalar.UNITS:
   SGPU_SCALAR_${name},
% endfor
};

enum sgpu_scalar_way {
   SGPU_SCALAR_FOLDED,      /* no operation */
   SGPU_SCALAR_EACH,        /* the steps once for each component of the result */
   SGPU_SCALAR_PAIR,        /* the steps once for each pair of components */
   SGPU_SCALAR_ONE,         /* the steps once; the result is copied to all components */
   SGPU_SCALAR_WHOLE,       /* the steps once */
   SGPU_SCALAR_VECTOR,      /* one operation with all operands */
};

/* Operands of steps. */
#define SGPU_SCALAR_AT ${sgpu_scalar.AT}        /* + 4 * source + position */
#define SGPU_SCALAR_OWN ${sgpu_scalar.OWN}      /* + source, at the component's position */
#define SGPU_SCALAR_WORD ${sgpu_scalar.WORD}     /* + 2 * source + word, in the pair */
#define SGPU_SCALAR_INNER ${sgpu_scalar.INNER}    /* + n, a value between steps */
#define SGPU_SCALAR_INNERS ${sgpu_scalar.INNERS}
#define SGPU_SCALAR_RESULT ${sgpu_scalar.RESULT}   /* result of the component; of all for PAIR, ONE */
#define SGPU_SCALAR_PLACE ${sgpu_scalar.PLACE}    /* + component of the result */
#define SGPU_SCALAR_LOW ${sgpu_scalar.LOW}      /* low and high word of the pair's result */
#define SGPU_SCALAR_HIGH ${sgpu_scalar.HIGH}
#define SGPU_SCALAR_NOTHING ${sgpu_scalar.NOTHING}

/* Values of `when`: a mask of components (for WHOLE: execute if one of them is written), or
 * one of these.
 */
#define SGPU_SCALAR_ONCE 16    /* for EACH: execute only for the first component */
#define SGPU_SCALAR_REPEAT 32  /* execute `cluster` times, together with its neighbours */

struct sgpu_scalar_step {
   uint8_t unit;            /* enum sgpu_scalar_unit */
   uint8_t when;
   uint8_t dst;
   uint8_t src[3];
};

struct sgpu_scalar_info {
   const struct sgpu_scalar_step *steps;
   uint16_t num_steps;
   uint8_t way;             /* enum sgpu_scalar_way */
   uint8_t inners;          /* number of values between the steps */
};

/* Maximum number of operations in an instruction. */
#define SGPU_SCALAR_MOST ${max(sgpu_scalar.most(*scalar(o)) for o in ops)}

extern const struct sgpu_scalar_info sgpu_scalar_infos[SGPU_NUM_OPCODES];

#ifdef __cplusplus
}
#endif

#endif /* SGPU_SCALAR_H */
