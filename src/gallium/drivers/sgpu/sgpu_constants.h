/* SPDX-License-Identifier: MIT */
/*
 * Uniforms as versions of constant contexts.  A context belongs to a program of a stage and
 * holds the uniforms that were last set for it.  For each draw, only the lines that have changed
 * since the last draw with the same context are uploaded.  When a program is bound again, its
 * constants are still in its context.
 */
#ifndef SGPU_CONSTANTS_H
#define SGPU_CONSTANTS_H

#include <stdbool.h>
#include <stdint.h>

#include "sgpu_packets.h"
#include "sgpu_stage.h"

struct pipe_constant_buffer;
struct sgpu_context;

#define SGPU_CONST_LINE 64     /* bytes per line */
#define SGPU_CONST_CONTEXTS 16 /* contexts per stage */
#define SGPU_CONST_LINES (SGPU_CONSTANT_VERSION_SIZE_MAX / SGPU_CONST_LINE)
static_assert(SGPU_CONST_CONTEXTS * SGPU_NUM_STAGES <= SGPU_CONSTANT_VERSION_CONTEXT_MAX + 1,
              "each context has a number");

struct sgpu_const_context {
   const struct sgpu_shader_state *program; /* only compared: it may have been deleted */
   uint8_t *bytes;                          /* the uniforms */
   uint32_t size, max;                      /* size of the uniforms and of the memory, in bytes */
   uint64_t stream;                         /* sgpu_context::stream that has opened the context */
   uint32_t changed;                        /* number of bits set in `lines` */
   uint8_t whole; /* number of consecutive changes that concerned most of the lines */
   uint8_t skips; /* number of following changes to take without a comparison */
   /* Bit mask of the lines that differ from the version in the stream. */
   uint64_t lines[SGPU_CONST_LINES / 64];
};

/* The constant contexts of a stage, replaced round-robin. */
struct sgpu_const_contexts {
   struct sgpu_const_context context[SGPU_CONST_CONTEXTS];
   unsigned next;
};

/* Maximum number of words that sgpu_constants_emit() writes. */
#define SGPU_CONST_WORDS \
   (SGPU_CONSTANT_VERSION_LENGTH + SGPU_CONSTANT_VERSION_TAIL_MAX * SGPU_CONSTANT_RUN_LENGTH)

/* Takes the uniforms in cb->user_buffer.  Returns false if the caller should bind bank 0 to a copy
 * of them instead, because they are too large, most of them change each time, or memory ran out.
 */
bool sgpu_constants_set(struct sgpu_context *ctx, enum sgpu_stage_index s,
                        const struct pipe_constant_buffer *cb);
/* Binds the uniforms to bank 0.  The caller must have reserved SGPU_CONST_WORDS words. */
void sgpu_constants_emit(struct sgpu_context *ctx, enum sgpu_stage_index s);
void sgpu_constants_fini(struct sgpu_context *ctx);

#endif
