/* SPDX-License-Identifier: MIT */
/*
 * Uniforms as versions of constant contexts: the device gets the lines that have changed
 * since the context's draw before, and the constants of a program that comes back are
 * still there.  A context is a stage's program, and has its uniforms as they were set last.
 */
#ifndef SGPU_CONSTANTS_H
#define SGPU_CONSTANTS_H

#include <stdbool.h>
#include <stdint.h>

#include "sgpu_packets.h"
#include "sgpu_stage.h"

struct pipe_constant_buffer;
struct sgpu_context;

#define SGPU_CONST_LINE 64     /* bytes */
#define SGPU_CONST_CONTEXTS 16 /* of a stage */
#define SGPU_CONST_LINES (SGPU_CONSTANT_VERSION_SIZE_MAX / SGPU_CONST_LINE)
static_assert(SGPU_CONST_CONTEXTS * SGPU_NUM_STAGES <= SGPU_CONSTANT_VERSION_CONTEXT_MAX + 1,
              "each context has a number");

struct sgpu_const_context {
   const struct sgpu_shader_state *program; /* compared alone: it may have been deleted */
   uint8_t *bytes;
   uint32_t size, max;
   uint64_t stream;  /* sgpu_context::stream that has it open */
   uint32_t changed; /* lines that the stream's version does not have: bits of `lines` */
   uint8_t whole;    /* latest changes one after the other that were of most lines */
   uint8_t skips;    /* changes to come that are not compared */
   uint64_t lines[SGPU_CONST_LINES / 64];
};

/* A stage's, replaced in turn. */
struct sgpu_const_contexts {
   struct sgpu_const_context context[SGPU_CONST_CONTEXTS];
   unsigned next;
};

/* Words of emission, at most. */
#define SGPU_CONST_WORDS \
   (SGPU_CONSTANT_VERSION_LENGTH + SGPU_CONSTANT_VERSION_TAIL_MAX * SGPU_CONSTANT_RUN_LENGTH)

/* Takes the uniforms of cb->user_buffer.  False: bank 0 is better bound to a copy of them.
 * They are too many, or most of them change each time, or memory ran out.
 */
bool sgpu_constants_set(struct sgpu_context *ctx, enum sgpu_stage_index s,
                        const struct pipe_constant_buffer *cb);
/* Binds them to bank 0; SGPU_CONST_WORDS are reserved. */
void sgpu_constants_emit(struct sgpu_context *ctx, enum sgpu_stage_index s);
void sgpu_constants_fini(struct sgpu_context *ctx);

#endif
