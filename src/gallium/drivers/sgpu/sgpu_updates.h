/* SPDX-License-Identifier: MIT */
/* Partial updates of busy uniform buffers without waiting.
 *
 * The updates stay in the staging memory that the application has written.  Draws read them from
 * there as part of a version of a constant context (CONSTANT VERSION).  At the end of the stream,
 * the updates are copied to their buffers.  They are copied earlier if anything except a uniform
 * block of a draw accesses a buffer with updates.
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
/* bytes per line of a constant context with small lines (field Fine of CONSTANT VERSION) */
#define SGPU_UPDATE_LINE 16
/* Maximum number of words that a draw's state may use for updates.  If a draw needs more words, the
 * updates are copied to their buffers first.
 */
#define SGPU_UPDATE_WORDS 2048

/* An update that replaces bytes [to, to + size) of `storage` with the bytes of `memory` that start
 * at `from`.
 */
struct sgpu_update {
   struct sgpu_buffer *storage, *memory; /* the stream holds references to these buffers */
   uint64_t to, from, size;
   uint64_t number; /* sequence number of the update in the context */
};

/* A constant bank that the stream has bound to a version of a constant context. */
struct sgpu_updated_bank {
   /* Values of sgpu_context::stream and sgpu_updates::copied when the bank was bound.  The version
    * is invalid if either has changed.
    */
   uint64_t stream, copied;
   uint64_t address; /* device address of the bound buffer range */
   uint32_t size;
   uint64_t number; /* sequence number of the latest update in the version */
};

struct sgpu_updates {
   struct sgpu_update update[SGPU_MAX_UPDATES]; /* pending updates, oldest first */
   unsigned count;
   uint64_t number; /* sequence number of the latest update in the context */
   uint64_t copied; /* number of times that pending updates have been copied to their buffers */
   struct sgpu_updated_bank bank[SGPU_NUM_DRAW_STAGES][SGPU_STAGE_BANKS];
};
/* Returns the index of the constant context for a uniform block. The uniforms outside of blocks
 * come first and have lower indices.
 */
#define SGPU_UPDATED_CONTEXT(stage, bank) \
   (SGPU_CONST_CONTEXTS * SGPU_NUM_STAGES + (stage)*SGPU_STAGE_BANKS + (bank))
static_assert(SGPU_UPDATED_CONTEXT(SGPU_NUM_DRAW_STAGES - 1, SGPU_STAGE_BANKS - 1) <=
                 SGPU_CONSTANT_VERSION_CONTEXT_MAX,
              "each bank has a number");

/* Queues an update that replaces bytes [to, to + size) of `res` with the bytes of `memory` that
 * start at `from`.  Returns false if the caller must copy the data instead.
 */
bool sgpu_update_constants(struct sgpu_context *ctx, struct sgpu_resource *res, uint64_t to,
                           struct sgpu_buffer *memory, uint64_t from, uint64_t size);
/* Writes packets that copy all updates to their buffers.  The caller doesn't need to reserve space
 * for these packets.
 */
void sgpu_updates_copy(struct sgpu_context *ctx);
/* Must be called before the state of a draw is written.  Copies the updates to their buffers if the
 * draw accesses an updated buffer in any way except as a uniform block.  Returns the maximum number
 * of words that the draw's constant banks need for updates.
 */
unsigned sgpu_updates_prepare(struct sgpu_context *ctx);
/* Copies the updates to their buffers if the index buffer or the indirect parameters of a draw are
 * in an updated buffer.
 */
void sgpu_updates_prepare_draw(struct sgpu_context *ctx, const struct pipe_draw_info *info,
                               const struct pipe_draw_indirect_info *indirect);
/* Binds a constant bank to a version of a constant context.  Returns false if the bank's buffer has
 * no updates.
 */
bool sgpu_updates_emit(struct sgpu_context *ctx, enum sgpu_stage_index s, unsigned bank);

#endif
