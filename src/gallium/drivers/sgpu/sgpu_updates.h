/* SPDX-License-Identifier: MIT */
/*
 * Updates of parts of uniform buffers in use, without a wait.  A draw reads the updates made
 * before it as a version of a constant context, from the memory that the application has
 * written.  They are copied to the buffer before anything but draws' uniform blocks reads or
 * writes it, and at the end of the stream.
 */
#ifndef SGPU_UPDATES_H
#define SGPU_UPDATES_H

#include <stdbool.h>
#include <stdint.h>

#include "sgpu_constants.h"

struct pipe_draw_indirect_info;
struct pipe_draw_info;
struct sgpu_buffer;
struct sgpu_resource;

#define SGPU_MAX_UPDATES SGPU_CONSTANT_VERSION_TAIL_MAX
#define SGPU_UPDATE_LINE 16 /* bytes: contexts are fine */
/* Words that they take of a stream's state, at most; with more, they are copied first. */
#define SGPU_UPDATE_WORDS 2048

/* Bytes of a buffer that `memory` has from `from` on. */
struct sgpu_update {
   struct sgpu_buffer *storage, *memory; /* the stream holds them */
   uint64_t to, from, size;
   uint64_t number;
};

/* A bank as the stream has it. */
struct sgpu_updated_bank {
   uint64_t stream, copied; /* sgpu_context::stream, sgpu_updates::copied: it is a version */
   uint64_t address;
   uint32_t size;
   uint64_t number; /* of the latest update in it */
};

struct sgpu_updates {
   struct sgpu_update update[SGPU_MAX_UPDATES]; /* in order, that are not copied */
   unsigned count;
   uint64_t number; /* of the latest one */
   uint64_t copied; /* times that they were copied */
   struct sgpu_updated_bank bank[SGPU_NUM_DRAW_STAGES][SGPU_STAGE_BANKS];
};
/* Uniforms' contexts come first. */
#define SGPU_UPDATED_CONTEXT(stage, bank) \
   (SGPU_CONST_CONTEXTS * SGPU_NUM_STAGES + (stage)*SGPU_STAGE_BANKS + (bank))
static_assert(SGPU_UPDATED_CONTEXT(SGPU_NUM_DRAW_STAGES - 1, SGPU_STAGE_BANKS - 1) <=
                 SGPU_CONSTANT_VERSION_CONTEXT_MAX,
              "each bank has a number");

/* Bytes of a buffer are now those of `memory` from `from` on.  False: the caller has to copy
 * them.
 */
bool sgpu_update_constants(struct sgpu_context *ctx, struct sgpu_resource *res, uint64_t to,
                           struct sgpu_buffer *memory, uint64_t from, uint64_t size);
/* Copies all; the space is reserved. */
void sgpu_updates_copy(struct sgpu_context *ctx);
/* Before the state of a draw is emitted: copies them if the draw reads or writes buffers with
 * updates by other ways than uniform blocks.  Returns the words that its banks may take.
 */
unsigned sgpu_updates_prepare(struct sgpu_context *ctx);
/* The same for the buffers of a draw's parameters. */
void sgpu_updates_prepare_draw(struct sgpu_context *ctx, const struct pipe_draw_info *info,
                               const struct pipe_draw_indirect_info *indirect);
/* Binds a bank as a version.  False: its buffer has no updates. */
bool sgpu_updates_emit(struct sgpu_context *ctx, enum sgpu_stage_index s, unsigned bank);

#endif
