/* SPDX-License-Identifier: MIT */
/* Writes the dirty packets of a shader stage.  The caller must have reserved space for all of them.
 */
#include "sgpu_context.h"

#include "util/u_inlines.h"

#include "sgpu_link.h"

static void
emit_shader(struct sgpu_context *ctx, enum sgpu_stage_index s)
{
   const struct sgpu_shader_state *shader = ctx->stage[s].shader;
   const bool per_sample = s == SGPU_FS && ctx->min_samples > 1;

   if (!shader) {
      sgpu_pack(sgpu_cs_get(&ctx->cs, SGPU_SHADER_LENGTH), SHADER, cfg)
         cfg.stage = sgpu_stages[s].device;
      return;
   }
   if (shader->code)
      sgpu_cs_use(&ctx->cs, shader->code, false);
   memcpy(sgpu_cs_get(&ctx->cs, SGPU_SHADER_LENGTH), shader->packed[per_sample],
          SGPU_SHADER_LENGTH * 4);
}

static void
emit_constants(struct sgpu_context *ctx, enum sgpu_stage_index s)
{
   struct sgpu_stage_state *stage = &ctx->stage[s];

   u_foreach_bit64(bank, stage->dirty_constants) {
      if (bank == 0 && stage->context) {
         sgpu_constants_emit(ctx, s);
         continue;
      }
      if (bank > 0 && sgpu_updates_emit(ctx, s, bank))
         continue;
      const struct pipe_constant_buffer *cb = &stage->constants[bank];

      sgpu_pack(sgpu_cs_get(&ctx->cs, SGPU_CONSTANTS_LENGTH), CONSTANTS, cfg) {
         cfg.stage = sgpu_stages[s].device;
         cfg.bank = bank;
         if (cb->buffer && cb->buffer_offset < cb->buffer->width0) {
            cfg.size = MIN2(cb->buffer_size, cb->buffer->width0 - cb->buffer_offset);
            cfg.address = sgpu_resource_address(&ctx->cs, sgpu_resource(cb->buffer),
                                                cb->buffer_offset, false);
         }
      }
   }
   stage->dirty_constants = 0;
}

void
sgpu_emit_texture(struct sgpu_context *ctx, const struct sgpu_sampler_view *view, uint32_t *out)
{
   struct sgpu_resource *res = sgpu_resource(view->base.texture);

   if (view->base.target == PIPE_BUFFER && view->desc.valid) {
      struct SGPU_TEXTURE desc = view->desc;
      desc.address = sgpu_resource_address(&ctx->cs, res, view->base.u.buf.offset, false);
      SGPU_TEXTURE_pack(out, &desc);
      return;
   }
   if (view->base.target != PIPE_BUFFER)
      sgpu_cs_use(&ctx->cs, res->storage, false);
   memcpy(out, view->packed, SGPU_TEXTURE_LENGTH * 4);
}

static void
emit_textures(struct sgpu_context *ctx, enum sgpu_stage_index s)
{
   const struct sgpu_stage_state *stage = &ctx->stage[s];
   uint32_t *out = sgpu_cs_get(&ctx->cs, SGPU_TEXTURES_length(stage->num_views));

   sgpu_pack(out, TEXTURES, cfg) {
      cfg.stage = sgpu_stages[s].device;
      cfg.tail_count = stage->num_views;
   }
   for (unsigned i = 0; i < stage->num_views; i++) {
      uint32_t *tail = SGPU_TEXTURES_tail(out, i);
      struct pipe_sampler_view *view = stage->views[i];

      if (view)
         sgpu_emit_texture(ctx, sgpu_sampler_view(view), tail);
      else
         sgpu_pack(tail, TEXTURE, cfg)
            ;
   }
}

static void
emit_samplers(struct sgpu_context *ctx, enum sgpu_stage_index s)
{
   const struct sgpu_stage_state *stage = &ctx->stage[s];
   uint32_t *out = sgpu_cs_get(&ctx->cs, SGPU_SAMPLERS_length(stage->num_samplers));

   sgpu_pack(out, SAMPLERS, cfg) {
      cfg.stage = sgpu_stages[s].device;
      cfg.tail_count = stage->num_samplers;
   }
   for (unsigned i = 0; i < stage->num_samplers; i++) {
      uint32_t *tail = SGPU_SAMPLERS_tail(out, i);

      if (stage->samplers[i])
         memcpy(tail, stage->samplers[i]->packed, SGPU_SAMPLER_LENGTH * 4);
      else
         sgpu_pack(tail, SAMPLER, cfg)
            ;
   }
}

static void
emit_link(struct sgpu_context *ctx, enum sgpu_stage_index s)
{
   const struct sgpu_link_inputs *inputs = &ctx->link->inputs[s];

   memcpy(sgpu_cs_get(&ctx->cs, inputs->words), inputs->packed, inputs->words * 4);
}

void
sgpu_emit_stage(struct sgpu_context *ctx, enum sgpu_stage_index s)
{
   struct sgpu_stage_state *stage = &ctx->stage[s];
   /* If the stage has no shader, its other packets stay dirty until it gets one. */
   const uint32_t dirty = stage->shader ? stage->dirty : stage->dirty & SGPU_DIRTY_STAGE_SHADER;

   if (dirty & SGPU_DIRTY_STAGE_SHADER)
      emit_shader(ctx, s);
   if (dirty & SGPU_DIRTY_STAGE_CONSTANTS)
      emit_constants(ctx, s);
   if (dirty & SGPU_DIRTY_STAGE_TEXTURES)
      emit_textures(ctx, s);
   if (dirty & SGPU_DIRTY_STAGE_SAMPLERS)
      emit_samplers(ctx, s);
   if (dirty & SGPU_DIRTY_STAGE_BUFFERS)
      sgpu_emit_buffers(ctx, s);
   if (dirty & SGPU_DIRTY_STAGE_IMAGES)
      sgpu_emit_images(ctx, s);
   if ((dirty & SGPU_DIRTY_STAGE_LINK) && s != SGPU_CS)
      emit_link(ctx, s);
   stage->dirty &= ~dirty;
}

void
sgpu_refresh_textures(struct sgpu_context *ctx, uint32_t stages)
{
   u_foreach_bit(s, stages) {
      const struct sgpu_stage_state *stage = &ctx->stage[s];

      for (unsigned i = 0; stage->shader && i < stage->num_views; i++) {
         if (!stage->views[i])
            continue;
         struct sgpu_resource *res = sgpu_resource(stage->views[i]->texture);
         if (stage->dirty & SGPU_DIRTY_STAGE_TEXTURES)
            sgpu_display_refresh_queued(ctx, res);
         sgpu_resource_resolve(ctx, res);
      }
      if (stage->shader && stage->bound_images)
         sgpu_refresh_images(ctx, s);
   }
}
