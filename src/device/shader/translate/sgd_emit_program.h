/* SPDX-License-Identifier: MIT */
/*
 * Translator: emits machine code for a whole program, around its regions.
 */
#ifndef SGD_EMIT_PROGRAM_H
#define SGD_EMIT_PROGRAM_H

#include "shader/program/sgd_decode.h"
#include "shader/translate/sgd_regions.h"
#include "shader/program/sgd_translation.h"
#include "shader/translate/sgd_x86.h"

/* Emits a function of type sgd_program_fn after the code of the regions, and returns its offset in
 * *place. `target` marks the instructions that can be reached other than from the previous
 * instruction. `ways` is the result. Both arrays have one element per instruction, plus one for the
 * end. Returns false on allocation failure.
 */
bool sgd_emit_program(struct sgd_x86 *x, const struct sgd_shader *shader,
                      const struct sgd_region *regions, uint32_t num_regions, const bool *target,
                      struct sgd_way *ways, size_t *place);

#endif
