/* SPDX-License-Identifier: MIT */
/*
 * Translator: emits machine code for a whole program, which calls the code of its regions.
 */
#ifndef SGD_EMIT_PROGRAM_H
#define SGD_EMIT_PROGRAM_H

#include "shader/program/sgd_decode.h"
#include "shader/translate/sgd_regions.h"
#include "shader/program/sgd_translation.h"
#include "shader/translate/sgd_x86.h"

/* Emits a function of type sgd_program_fn after the code of the regions, and sets *place to its
 * code offset. `target` marks the instructions to which other instructions can jump, `points` are
 * those of sgd_find_points(). `divergent` is set if lanes can diverge, so that regions have masked
 * functions. The results are stored in `entries`, to whose address the code refers. The arrays have
 * one element per instruction, plus one for the end of the program. Returns false if an allocation
 * fails.
 */
bool sgd_emit_program(struct sgd_x86 *x, const struct sgd_shader *shader,
                      const struct sgd_region *regions, uint32_t num_regions, const bool *target,
                      const int32_t *points, bool divergent, struct sgd_code_entry *entries,
                      size_t *place);

#endif
