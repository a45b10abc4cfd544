/* SPDX-License-Identifier: MIT */
/* Uploads of uniforms.  A constant context belongs to a program of one stage, and holds the
 * uniforms that were last set for this program.  Each draw only uploads the 64-byte lines that have
 * changed since the last draw with the same context.  When a program is bound again, its context
 * still holds the old uniforms.
 */
#ifndef SGPU_CONSTANTS_H
#define SGPU_CONSTANTS_H

#include <stdbool.h>
#include <stdint.h>

#include "sgpu_packets.h"
#include "sgpu_stage.h"

struct pipe_constant_buffer;
struct sgpu_context;

#define SGPU_CONST_LINE 64     /* bytes per line of a constant context */
#define SGPU_CONST_CONTEXTS 16 /* number of contexts per stage */
#define SGPU_CONST_LINES (SGPU_CONSTANT_VERSION_SIZE_MAX / SGPU_CONST_LINE)
static_assert(SGPU_CONST_CONTEXTS * SGPU_NUM_STAGES <= SGPU_CONSTANT_VERSION_CONTEXT_MAX + 1,
              "each context has a number");

struct sgpu_const_context {
   /* shader that owns the context; may be dangling, so only compare the pointer */
   const struct sgpu_shader_state *program;
   uint8_t *bytes; /* current values of the uniforms */
   /* size: number of bytes of uniforms; max: number of bytes allocated for `bytes` */
   uint32_t size, max;
   /* ID (sgpu_context::stream) of the stream that has uploaded all lines, or 0 */
   uint64_t stream;
   uint32_t changed; /* number of bits set in `lines` */
   uint8_t whole;    /* number of consecutive updates that changed most lines */
   uint8_t skips;    /* number of updates that will skip the comparison and upload all lines */
   /* Bitmask of the lines that have changed since the last draw with this context. */
   uint64_t lines[SGPU_CONST_LINES / 64];
};

/* The constant contexts of one shader stage.  New programs take them over round-robin. */
struct sgpu_const_contexts {
   struct sgpu_const_context context[SGPU_CONST_CONTEXTS];
   unsigned next;
};

/* Maximum number of words that sgpu_constants_emit() writes. */
#define SGPU_CONST_WORDS \
   (SGPU_CONSTANT_VERSION_LENGTH + SGPU_CONSTANT_VERSION_TAIL_MAX * SGPU_CONSTANT_RUN_LENGTH)

/* Copies the uniforms in cb->user_buffer to a constant context.  Returns false if the uniforms are
 * too large, if most lines change each time, or on allocation failure.  The caller must then upload
 * the uniforms to a buffer and bind it to bank 0.
 */
bool sgpu_constants_set(struct sgpu_context *ctx, enum sgpu_stage_index s,
                        const struct pipe_constant_buffer *cb);
/* Binds the constant context to bank 0 and uploads its changed lines.  The caller must have
 * reserved SGPU_CONST_WORDS words in the stream.
 */
void sgpu_constants_emit(struct sgpu_context *ctx, enum sgpu_stage_index s);
void sgpu_constants_fini(struct sgpu_context *ctx);

#endif
