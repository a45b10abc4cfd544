/* SPDX-License-Identifier: MIT */
/*
 * Translator: machine code from a program's first instruction to its end, around its regions.
 */
#ifndef SGD_EMIT_PROGRAM_H
#define SGD_EMIT_PROGRAM_H

#include "sgd_decode.h"
#include "sgd_regions.h"
#include "sgd_translate.h"
#include "sgd_x86.h"

/* Appends a function of sgd_program_fn's type, at *place, to the code, which has those
 * of the regions.  `target` tells to which instructions control may come otherwise than from
 * before; it and `ways`, which is the result, have one for each instruction and the end.  False
 * without memory.
 */
bool sgd_emit_program(struct sgd_x86 *x, const struct sgd_shader *shader,
                      const struct sgd_region *regions, uint32_t num_regions, const bool *target,
                      struct sgd_way *ways, size_t *place);

#endif
