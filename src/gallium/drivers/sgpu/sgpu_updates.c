/* SPDX-License-Identifier: MIT */
/* Implements partial updates of busy uniform buffers (sgpu_updates.h). */
#include "sgpu_context.h"

#include "util/bitscan.h"
#include "util/u_inlines.h"

static bool
has_updates(const struct sgpu_context *ctx, const struct sgpu_buffer *storage)
{
   for (unsigned i = 0; i < ctx->updates.count; i++) {
      if (ctx->updates.update[i].storage == storage)
         return true;
   }
   return false;
}

static bool
is_updated(const struct sgpu_context *ctx, struct pipe_resource *res)
{
   struct sgpu_buffer *storage;

   if (!res || res->target != PIPE_BUFFER)
      return false;
   simple_mtx_lock(&sgpu_resource(res)->lock);
   storage = sgpu_resource(res)->storage;
   simple_mtx_unlock(&sgpu_resource(res)->lock);
   return has_updates(ctx, storage);
}

static uint32_t
bank_size(const struct pipe_constant_buffer *cb)
{
   if (!cb->buffer || cb->buffer_offset >= cb->buffer->width0)
      return 0;
   return MIN2(cb->buffer_size, cb->buffer->width0 - cb->buffer_offset);
}

static bool
fits(const struct pipe_constant_buffer *cb)
{
   const uint32_t size = bank_size(cb);

   return size && size <= SGPU_CONSTANT_VERSION_SIZE_MAX &&
          cb->buffer_offset % SGPU_UPDATE_LINE == 0;
}

/* Returns true if the buffer is bound as a uniform block, and all of its bindings are uniform
 * blocks that fit into a constant context.
 */
static bool
is_block(const struct sgpu_context *ctx, const struct sgpu_resource *res)
{
   bool is = false;

   for (unsigned s = 0; s < SGPU_NUM_DRAW_STAGES; s++) {
      const struct sgpu_stage_state *stage = &ctx->stage[s];
      u_foreach_bit(b, stage->bound_constants) {
         if (stage->constants[b].buffer != &res->b.b)
            continue;
         if (b == 0 || !fits(&stage->constants[b]))
            return false;
         is = true;
      }
   }
   return is;
}

static void
dirty_blocks(struct sgpu_context *ctx, const struct sgpu_resource *res)
{
   for (unsigned s = 0; s < SGPU_NUM_DRAW_STAGES; s++) {
      struct sgpu_stage_state *stage = &ctx->stage[s];
      u_foreach_bit(b, stage->bound_constants) {
         if (stage->constants[b].buffer != &res->b.b)
            continue;
         stage->dirty_constants |= 1u << b;
         sgpu_stage_dirty(ctx, s, SGPU_DIRTY_STAGE_CONSTANTS);
      }
   }
}

/* Drops earlier updates that the new update `by` overwrites completely. */
static void
drop_covered(struct sgpu_context *ctx, const struct sgpu_update *by)
{
   struct sgpu_updates *u = &ctx->updates;
   unsigned kept = 0;

   for (unsigned i = 0; i < u->count; i++) {
      const struct sgpu_update *old = &u->update[i];
      if (old->storage == by->storage && old->to >= by->to &&
          old->to + old->size <= by->to + by->size)
         ctx->cs.end += SGPU_COPY_BUFFER_LENGTH;
      else
         u->update[kept++] = *old;
   }
   u->count = kept;
}

bool
sgpu_update_constants(struct sgpu_context *ctx, struct sgpu_resource *res, uint64_t to,
                      struct sgpu_buffer *memory, uint64_t from, uint64_t size)
{
   struct sgpu_updates *u = &ctx->updates;

   if (!size || to % SGPU_UPDATE_LINE || size % SGPU_UPDATE_LINE || !is_block(ctx, res))
      return false;
   if (u->count == SGPU_MAX_UPDATES)
      sgpu_updates_copy(ctx);
   if (ctx->cs.dropped || !sgpu_cs_reserve(&ctx->cs, SGPU_COPY_BUFFER_LENGTH))
      return false;

   struct sgpu_buffer *storage = sgpu_resource_storage(res);
   const struct sgpu_update update = { storage, memory, to, from, size, ++u->number };
   /* Record the write now, because a copy at the end of the stream will write to the storage. */
   sgpu_cs_use(&ctx->cs, storage, true);
   sgpu_cs_use(&ctx->cs, memory, false);
   sgpu_buffer_reference(&storage, NULL);
   if (ctx->cs.dropped)
      return false;
   drop_covered(ctx, &update);
   u->update[u->count++] = update;
   ctx->cs.end -= SGPU_COPY_BUFFER_LENGTH;
   dirty_blocks(ctx, res);
   return true;
}

void
sgpu_updates_copy(struct sgpu_context *ctx)
{
   struct sgpu_updates *u = &ctx->updates;

   if (!u->count)
      return;
   ctx->cs.end += u->count * SGPU_COPY_BUFFER_LENGTH;
   for (unsigned i = 0; i < u->count; i++) {
      const struct sgpu_update *update = &u->update[i];
      sgpu_pack(sgpu_cs_get(&ctx->cs, SGPU_COPY_BUFFER_LENGTH), COPY_BUFFER, cfg) {
         cfg.destination = sgpu_cs_address(&ctx->cs, update->storage, update->to, true);
         cfg.source = sgpu_cs_address(&ctx->cs, update->memory, update->from, false);
         cfg.size = update->size;
      }
   }
   u->count = 0;
   /* Bind the buffers again instead of the constant contexts, because later commands may write to
    * the buffers.
    */
   for (unsigned s = 0; s < SGPU_NUM_DRAW_STAGES; s++) {
      for (unsigned b = 1; b < SGPU_STAGE_BANKS; b++) {
         const struct sgpu_updated_bank *x = &u->bank[s][b];
         if (x->stream != ctx->stream || x->copied != u->copied)
            continue;
         ctx->stage[s].dirty_constants |= 1u << b;
         sgpu_stage_dirty(ctx, s, SGPU_DIRTY_STAGE_CONSTANTS);
      }
   }
   u->copied++;
}

static bool
stage_uses(const struct sgpu_context *ctx, const struct sgpu_stage_state *stage)
{
   for (unsigned i = 0; i < stage->num_views; i++) {
      if (stage->views[i] && is_updated(ctx, stage->views[i]->texture))
         return true;
   }
   u_foreach_bit(i, stage->bound_buffers) {
      if (is_updated(ctx, stage->buffers[i].buffer))
         return true;
   }
   u_foreach_bit(i, stage->bound_images) {
      if (is_updated(ctx, stage->images[i].resource))
         return true;
   }
   u_foreach_bit(b, stage->bound_constants) {
      if ((b == 0 || !fits(&stage->constants[b])) && is_updated(ctx, stage->constants[b].buffer))
         return true;
   }
   return false;
}

static bool
draw_uses(const struct sgpu_context *ctx)
{
   bool uses = ctx->handles.resident != 0;

   for (unsigned i = 0; i < ctx->num_vertex_buffers && !uses; i++) {
      const struct pipe_vertex_buffer *vb = &ctx->vertex_buffers[i];
      uses = !vb->is_user_buffer && is_updated(ctx, vb->buffer.resource);
   }
   for (unsigned i = 0; i < ctx->num_xfb_targets && !uses; i++)
      uses = ctx->xfb_targets[i] && is_updated(ctx, ctx->xfb_targets[i]->buffer);
   for (unsigned s = 0; s < SGPU_NUM_DRAW_STAGES && !uses; s++)
      uses = stage_uses(ctx, &ctx->stage[s]);
   return uses;
}

unsigned
sgpu_updates_prepare(struct sgpu_context *ctx)
{
   unsigned banks = 0;

   if (likely(!ctx->updates.count))
      return 0;
   if (draw_uses(ctx)) {
      sgpu_updates_copy(ctx);
      return 0;
   }
   for (unsigned s = 0; s < SGPU_NUM_DRAW_STAGES; s++)
      banks += util_bitcount(ctx->stage[s].dirty_constants);
   const unsigned words = banks * ctx->updates.count * SGPU_CONSTANT_RUN_LENGTH;
   if (words <= SGPU_UPDATE_WORDS)
      return words;
   sgpu_updates_copy(ctx);
   return 0;
}

void
sgpu_updates_prepare_draw(struct sgpu_context *ctx, const struct pipe_draw_info *info,
                          const struct pipe_draw_indirect_info *indirect)
{
   if (likely(!ctx->updates.count))
      return;
   if ((info->index_size && !info->has_user_indices && is_updated(ctx, info->index.resource)) ||
       (indirect &&
        (is_updated(ctx, indirect->buffer) || is_updated(ctx, indirect->indirect_draw_count))))
      sgpu_updates_copy(ctx);
}

bool
sgpu_updates_emit(struct sgpu_context *ctx, enum sgpu_stage_index s, unsigned bank)
{
   const struct pipe_constant_buffer *cb = &ctx->stage[s].constants[bank];
   struct sgpu_updates *u = &ctx->updates;

   if (!u->count || s == SGPU_CS || !is_updated(ctx, cb->buffer))
      return false;
   struct sgpu_updated_bank *x = &u->bank[s][bank];
   const uint64_t address = sgpu_resource_address(&ctx->cs, sgpu_resource(cb->buffer),
                                                  cb->buffer_offset, false);
   const uint32_t size = bank_size(cb);
   const bool open = x->stream != ctx->stream || x->copied != u->copied || x->address != address ||
                     x->size != size;
   struct SGPU_CONSTANT_RUN runs[SGPU_MAX_UPDATES];
   unsigned num = 0;

   for (unsigned i = 0; i < u->count; i++) {
      const struct sgpu_update *update = &u->update[i];
      const uint64_t to = update->storage->address + update->to;
      const uint64_t first = MAX2(to, address), last = MIN2(to + update->size, address + size);
      if (first >= last || (!open && update->number <= x->number))
         continue;
      runs[num++] = (struct SGPU_CONSTANT_RUN){
         .first = (first - address) / SGPU_UPDATE_LINE,
         .lines = DIV_ROUND_UP(last - first, SGPU_UPDATE_LINE),
         .address = update->memory->address + update->from + (first - to),
      };
   }
   uint32_t *out = sgpu_cs_get(&ctx->cs, SGPU_CONSTANT_VERSION_length(num));
   sgpu_pack(out, CONSTANT_VERSION, cfg) {
      cfg.tail_count = num;
      cfg.stage = sgpu_stages[s].device;
      cfg.bank = bank;
      cfg.context = SGPU_UPDATED_CONTEXT(s, bank);
      cfg.open = open;
      cfg.fine = open;
      cfg.size = open ? size : 0;
      cfg.address = open ? address : 0;
   }
   for (unsigned i = 0; i < num; i++)
      SGPU_CONSTANT_RUN_pack(SGPU_CONSTANT_VERSION_tail(out, i), &runs[i]);
   *x = (struct sgpu_updated_bank){ ctx->stream, u->copied, address, size, u->number };
   return true;
}
