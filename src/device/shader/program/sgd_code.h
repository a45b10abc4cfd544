/* SPDX-License-Identifier: MIT */
/*
 * Programs: the register file of a warp, and the part of an executable program that is independent
 * of how it is executed.
 */
#ifndef SGD_CODE_H
#define SGD_CODE_H

#include "common/sgd_warp.h"

/* Layout of the registers that a program uses in the register file, in bytes. All offsets are
 * multiples of 64. The decoder translates register operands to byte offsets.
 */
struct sgd_file_layout {
   /* Offset of the first register of each file, indexed by enum sgpu_file:
    *    TEMP, INPUT, OUTPUT, SYS: struct sgd_vec
    *    ADDR: like struct sgd_vec, with int32_t
    *    PRED: 4 lane masks per register; always at SGD_FILE_PRED
    *    CONST: the constants that instructions use directly, 16 bytes each, shared by all lanes
    */
   uint32_t base[SGPU_FILE_NONE + 1];
   /* Offset of the operand slots, one struct sgd_vec per source, which hold the sources after
    * relative addressing and modifiers. A slot is valid for a single instruction.
    */
   uint32_t operand;
   uint32_t num_in, num_out, num_sys;
   uint32_t size; /* total size of the register file in bytes */
};

#define SGD_FILE_PRED 0

/* Register component that must be initialized before the first instruction. */
struct sgd_preset {
   uint32_t offset;
   uint32_t value;
};

/* Program in executable form, shared by all workers. Only `execute` changes after creation. The
 * decoder embeds it in struct sgd_interp.
 */
struct sgd_code {
   /* function that executes warps started from now on; accessed atomically */
   sgd_execute_fn *execute;
   void (*destroy)(struct sgd_code *code);
   struct sgd_file_layout layout;

   struct sgd_preset *presets;
   uint32_t num_presets;

   /* indices of the constants in the register file: slot n of SGPU_FILE_CONST is c[consts[n]] */
   uint16_t *consts;
   uint32_t num_consts;
   /* number of slots that are loaded from bank 0; the remaining slots are literals */
   uint32_t num_bank_consts;
   uint32_t bank_bytes; /* minimum size of bank 0 that contains all of these slots, in bytes */
};

#endif
