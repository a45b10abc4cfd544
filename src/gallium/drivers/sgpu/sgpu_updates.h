/* SPDX-License-Identifier: MIT */
/*
 * Updates of parts of uniform buffers that are in use, without a wait.  An update is kept in
 * the staging memory that the application has written.  Draws read it there as part of a
 * version of a constant context (CONSTANT VERSION).  Updates are copied to the buffer at the end
 * of the stream, and before anything but a uniform block of a draw reads or writes the buffer.
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
#define SGPU_UPDATE_LINE 16 /* bytes per line, in fine contexts (CONSTANT VERSION, Fine) */
/* Maximum number of words for updates in a draw's state; more updates are copied first. */
#define SGPU_UPDATE_WORDS 2048

/* Bytes [to, to + size) of `storage`, whose new contents are at byte `from` of `memory`. */
struct sgpu_update {
   struct sgpu_buffer *storage, *memory; /* the stream has references to these buffers */
   uint64_t to, from, size;
   uint64_t number; /* number of the update in the context */
};

/* A bank that the stream has bound as a version of a constant context. */
struct sgpu_updated_bank {
   /* Values of sgpu_context::stream and sgpu_updates::copied for which the version is valid. */
   uint64_t stream, copied;
   uint64_t address; /* device address of the buffer's range */
   uint32_t size;
   uint64_t number; /* number of the latest update that the version includes */
};

struct sgpu_updates {
   struct sgpu_update update[SGPU_MAX_UPDATES]; /* updates that have not been copied, in order */
   unsigned count;
   uint64_t number; /* number of the latest update */
   uint64_t copied; /* number of times that updates were copied */
   struct sgpu_updated_bank bank[SGPU_NUM_DRAW_STAGES][SGPU_STAGE_BANKS];
};
/* Number of the constant context for a uniform block.  Contexts of uniforms have lower numbers. */
#define SGPU_UPDATED_CONTEXT(stage, bank) \
   (SGPU_CONST_CONTEXTS * SGPU_NUM_STAGES + (stage)*SGPU_STAGE_BANKS + (bank))
static_assert(SGPU_UPDATED_CONTEXT(SGPU_NUM_DRAW_STAGES - 1, SGPU_STAGE_BANKS - 1) <=
                 SGPU_CONSTANT_VERSION_CONTEXT_MAX,
              "each bank has a number");

/* Records that bytes [to, to + size) of `res` are replaced by those at byte `from` of `memory`.
 * Returns false if the caller has to copy the bytes instead.
 */
bool sgpu_update_constants(struct sgpu_context *ctx, struct sgpu_resource *res, uint64_t to,
                           struct sgpu_buffer *memory, uint64_t from, uint64_t size);
/* Writes packets that copy all updates to their buffers, in the space that they reserve. */
void sgpu_updates_copy(struct sgpu_context *ctx);
/* Must be called before the state of a draw is emitted.  Copies the updates if the draw accesses
 * an updated buffer other than as a uniform block.  Returns the maximum number of words that the
 * draw's banks need for updates.
 */
unsigned sgpu_updates_prepare(struct sgpu_context *ctx);
/* Copies the updates if the index buffer or the parameters of a draw are in an updated buffer. */
void sgpu_updates_prepare_draw(struct sgpu_context *ctx, const struct pipe_draw_info *info,
                               const struct pipe_draw_indirect_info *indirect);
/* Binds a bank as a version of a constant context.  Returns false if its buffer has no updates. */
bool sgpu_updates_emit(struct sgpu_context *ctx, enum sgpu_stage_index s, unsigned bank);

#endif
