/* SPDX-License-Identifier: MIT */
/*
 * Programs: the register file of a warp, and the parts of an executable program that don't depend
 * on how it is executed.
 */
#ifndef SGD_CODE_H
#define SGD_CODE_H

#include "common/sgd_warp.h"

/* Layout of the register file of a program. Contains only the registers that the program uses. All
 * members are in bytes, and all offsets are multiples of 64. The decoder converts register operands
 * to byte offsets.
 */
struct sgd_file_layout {
   /* Offset of the first register of each file, indexed by enum sgpu_file:
    *    TEMP, INPUT, OUTPUT, SYS: struct sgd_vec
    *    ADDR: like struct sgd_vec, with int32_t
    *    PRED: 4 lane masks per register; always at SGD_FILE_PRED
    *    CONST: the constants that instructions use directly, 16 bytes each, shared by all lanes
    */
   uint32_t base[SGPU_FILE_NONE + 1];
   /* Offset of the operand slots, one struct sgd_vec per source. A slot has the value of a source
    * after relative addressing and modifiers, and is valid for a single instruction.
    */
   uint32_t operand;
   uint32_t lookup; /* offset of the first struct sgd_lookup */
   uint32_t num_in, num_out, num_sys;
   uint32_t size; /* size of the whole register file, in bytes */
};

#define SGD_FILE_PRED 0

/* A register component that must be initialized before the first instruction. */
struct sgd_preset {
   uint32_t offset;
   uint32_t value;
};

/* A program in executable form, which all workers share. Only `execute` changes after its creation.
 * The decoder embeds it in struct sgd_decoded.
 */
struct sgd_code {
   /* function that executes newly started warps; accessed atomically */
   sgd_execute_fn *execute;
   void (*destroy)(struct sgd_code *code);
   struct sgd_file_layout layout;

   struct sgd_preset *presets;
   uint32_t num_presets;
   /* words of scratch memory that must be cleared before the first instruction */
   uint32_t scratch_first, scratch_count;

   /* Constants in the register file: slot n of SGPU_FILE_CONST is constant c[consts[n]]. */
   uint16_t *consts;
   uint32_t num_consts;
   /* number of constants that are loaded from bank 0; the remaining constants are literals */
   uint32_t num_bank_consts;
   uint32_t bank_bytes; /* minimum size of bank 0 that contains all of its constants, in bytes */
};

#endif
