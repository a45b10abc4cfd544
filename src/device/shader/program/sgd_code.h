/* SPDX-License-Identifier: MIT */
/*
 * Programs: the register file of a program's warps, and the part of its executable form that
 * does not depend on how it is executed.
 */
#ifndef SGD_CODE_H
#define SGD_CODE_H

#include "common/sgd_warp.h"

/* Byte offsets of a program's registers in the register file, which are multiples of 64.
 * Instructions address registers by offsets that the decoder computes.
 */
struct sgd_file_layout {
   /* First register of each file, by enum sgpu_file:
    *    TEMP, INPUT, OUTPUT, SYS: struct sgd_vec
    *    ADDR: like struct sgd_vec, with int32_t
    *    PRED: 4 lane masks each; always at SGD_FILE_PRED
    *    CONST: the constants that instructions name, each 16 bytes for all lanes
    */
   uint32_t base[SGPU_FILE_NONE + 1];
   /* Operand slots, a struct sgd_vec for each source after relative addressing and
    * modifiers. They are used within one instruction.
    */
   uint32_t operand;
   uint32_t num_in, num_out, num_sys;
   uint32_t size; /* size of the file in bytes */
};

#define SGD_FILE_PRED 0

/* A component of a register that must have a value before the first instruction. */
struct sgd_preset {
   uint32_t offset;
   uint32_t value;
};

/* A program in executable form. Workers share it, and only `execute` changes. Members of
 * the interpreter's decoder, which creates it, follow it in memory.
 */
struct sgd_code {
   sgd_execute_fn *execute; /* atomic; function for warps that start from now on */
   void (*destroy)(struct sgd_code *code);
   struct sgd_file_layout layout;

   struct sgd_preset *presets;
   uint32_t num_presets;

   uint16_t *consts; /* slot n of SGPU_FILE_CONST is c[consts[n]] */
   uint32_t num_consts;
   uint32_t num_bank_consts; /* slots 0 to num_bank_consts - 1 are from bank 0, the rest are
                              * literals */
   uint32_t bank_bytes;      /* bytes of bank 0 that these slots need */
};

#endif
