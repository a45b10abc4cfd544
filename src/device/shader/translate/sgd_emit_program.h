/* SPDX-License-Identifier: MIT */
/*
 * Translator: emits machine code from a program's first instruction to its end, around its regions.
 */
#ifndef SGD_EMIT_PROGRAM_H
#define SGD_EMIT_PROGRAM_H

#include "shader/program/sgd_decode.h"
#include "shader/translate/sgd_regions.h"
#include "shader/program/sgd_translation.h"
#include "shader/translate/sgd_x86.h"

/* Appends a function of type sgd_program_fn to the code, which already has the regions' functions,
 * and returns its offset in *place.  `target` marks the instructions that control can reach from
 * others than the previous instruction.  `target` and `ways`, the result, have an element for each
 * instruction and the end.  Returns false if out of memory.
 */
bool sgd_emit_program(struct sgd_x86 *x, const struct sgd_shader *shader,
                      const struct sgd_region *regions, uint32_t num_regions, const bool *target,
                      struct sgd_way *ways, size_t *place);

#endif
