/* SPDX-License-Identifier: MIT */
/* Bindings of the shader stages: shaders, constants, textures and samplers. */
#include "sgpu_context.h"

#include "util/u_inlines.h"
#include "util/u_upload_mgr.h"

static bool
stages_complete(const struct sgpu_context *ctx)
{
   for (unsigned s = 0; s < SGPU_NUM_DRAW_STAGES; s++) {
      const struct sgpu_shader_state *shader = ctx->stage[s].shader;
      if (shader ? !shader->compiled : !sgpu_stages[s].optional)
         return false;
   }
   return true;
}

static void
bind_shader(struct sgpu_context *ctx, enum sgpu_stage_index s, void *shader)
{
   /* sgpu_emit_stage() doesn't write the other packets of a stage that has no shader, so mark all
    * packets as dirty when the stage gets a shader.
    */
   const bool appears = !ctx->stage[s].shader && shader;

   ctx->stage[s].shader = shader;
   sgpu_stage_dirty(ctx, s, appears ? SGPU_DIRTY_STAGE_ALL : SGPU_DIRTY_STAGE_SHADER);
   sgpu_stage_memory_bind_shader(ctx, s);
   if (s == SGPU_CS)
      return;
   ctx->stages_complete = stages_complete(ctx);
   ctx->link_stale = true;
   ctx->dirty |= sgpu_stages[s].decides;
}

static void
sgpu_bind_vs_state(struct pipe_context *pctx, void *shader)
{
   bind_shader(sgpu_context(pctx), SGPU_VS, shader);
}

static void
sgpu_bind_tcs_state(struct pipe_context *pctx, void *shader)
{
   bind_shader(sgpu_context(pctx), SGPU_TCS, shader);
}

static void
sgpu_bind_tes_state(struct pipe_context *pctx, void *shader)
{
   bind_shader(sgpu_context(pctx), SGPU_TES, shader);
}

static void
sgpu_bind_gs_state(struct pipe_context *pctx, void *shader)
{
   bind_shader(sgpu_context(pctx), SGPU_GS, shader);
}

static void
sgpu_bind_fs_state(struct pipe_context *pctx, void *shader)
{
   bind_shader(sgpu_context(pctx), SGPU_FS, shader);
}

static void
sgpu_bind_compute_state(struct pipe_context *pctx, void *shader)
{
   bind_shader(sgpu_context(pctx), SGPU_CS, shader);
}

static void
sgpu_set_constant_buffer(struct pipe_context *pctx, enum pipe_shader_type shader, uint index,
                         bool take_ownership, const struct pipe_constant_buffer *cb)
{
   struct sgpu_context *ctx = sgpu_context(pctx);
   int s = sgpu_stage_index(shader);

   if (s < 0 || index >= SGPU_STAGE_BANKS) {
      if (take_ownership && cb && cb->buffer) {
         struct pipe_resource *buffer = cb->buffer;
         pipe_resource_reference(&buffer, NULL);
      }
      return;
   }

   struct sgpu_stage_state *stage = &ctx->stage[s];
   struct pipe_constant_buffer *bank = &stage->constants[index];
   if (index == 0 && cb && cb->user_buffer && sgpu_constants_set(ctx, s, cb)) {
      util_copy_constant_buffer(bank, NULL, false);
      return;
   }
   if (index == 0)
      stage->context = NULL;
   util_copy_constant_buffer(bank, cb, take_ownership);
   if (bank->user_buffer) {
      pipe_resource_reference(&bank->buffer, NULL);
      u_upload_data(pctx->const_uploader, 0, bank->buffer_size, 64, bank->user_buffer,
                    &bank->buffer_offset, &bank->buffer);
      bank->user_buffer = NULL;
      if (!bank->buffer)
         sgpu_out_of_memory(ctx, "constants read as zero");
   }
   stage->dirty_constants |= 1u << index;
   if (bank->buffer)
      stage->bound_constants |= 1u << index;
   else
      stage->bound_constants &= ~(1u << index);
   sgpu_stage_dirty(ctx, s, SGPU_DIRTY_STAGE_CONSTANTS);
}

static void
sgpu_set_sampler_views(struct pipe_context *pctx, enum pipe_shader_type shader, unsigned start,
                       unsigned count, unsigned unbind_trailing, bool take_ownership,
                       struct pipe_sampler_view **views)
{
   struct sgpu_context *ctx = sgpu_context(pctx);
   int s = sgpu_stage_index(shader);
   if (s < 0)
      return;

   struct sgpu_stage_state *stage = &ctx->stage[s];
   for (unsigned i = 0; i < count; i++) {
      struct pipe_sampler_view **dst = &stage->views[start + i];
      struct pipe_sampler_view *view = views ? views[i] : NULL;

      if (take_ownership) {
         pipe_sampler_view_reference(dst, NULL);
         *dst = view;
      } else {
         pipe_sampler_view_reference(dst, view);
      }
      if (*dst == &ctx->refused_view)
         pipe_sampler_view_reference(dst, NULL);
   }
   for (unsigned i = 0; i < unbind_trailing; i++)
      pipe_sampler_view_reference(&stage->views[start + count + i], NULL);

   stage->num_views = MAX2(stage->num_views, start + count);
   while (stage->num_views && !stage->views[stage->num_views - 1])
      stage->num_views--;
   sgpu_stage_dirty(ctx, s, SGPU_DIRTY_STAGE_TEXTURES);
}

static void
sgpu_bind_sampler_states(struct pipe_context *pctx, enum pipe_shader_type shader, unsigned start,
                         unsigned count, void **samplers)
{
   struct sgpu_context *ctx = sgpu_context(pctx);
   int s = sgpu_stage_index(shader);
   if (s < 0)
      return;

   struct sgpu_stage_state *stage = &ctx->stage[s];
   for (unsigned i = 0; i < count; i++)
      stage->samplers[start + i] = samplers ? samplers[i] : NULL;

   stage->num_samplers = MAX2(stage->num_samplers, start + count);
   while (stage->num_samplers && !stage->samplers[stage->num_samplers - 1])
      stage->num_samplers--;
   sgpu_stage_dirty(ctx, s, SGPU_DIRTY_STAGE_SAMPLERS);
}

void
sgpu_stage_rebind(struct sgpu_context *ctx, const struct pipe_resource *res)
{
   for (unsigned s = 0; s < SGPU_NUM_STAGES; s++) {
      struct sgpu_stage_state *stage = &ctx->stage[s];

      u_foreach_bit64(i, stage->bound_constants) {
         if (stage->constants[i].buffer == res) {
            stage->dirty_constants |= 1u << i;
            sgpu_stage_dirty(ctx, s, SGPU_DIRTY_STAGE_CONSTANTS);
         }
      }
      for (unsigned i = 0; i < stage->num_views; i++) {
         if (stage->views[i] && stage->views[i]->texture == res)
            sgpu_stage_dirty(ctx, s, SGPU_DIRTY_STAGE_TEXTURES);
      }
   }
   sgpu_stage_memory_rebind(ctx, res);
   ctx->handles.dirty = true;
}

void
sgpu_stage_context_fini(struct sgpu_context *ctx)
{
   for (unsigned s = 0; s < SGPU_NUM_STAGES; s++) {
      for (unsigned i = 0; i < SGPU_STAGE_BANKS; i++)
         pipe_resource_reference(&ctx->stage[s].constants[i].buffer, NULL);
      for (unsigned i = 0; i < ARRAY_SIZE(ctx->stage[s].views); i++)
         pipe_sampler_view_reference(&ctx->stage[s].views[i], NULL);
   }
   sgpu_constants_fini(ctx);
   sgpu_stage_memory_fini(ctx);
}

void
sgpu_stage_context_init(struct pipe_context *pctx)
{
   pctx->bind_vs_state = sgpu_bind_vs_state;
   pctx->bind_tcs_state = sgpu_bind_tcs_state;
   pctx->bind_tes_state = sgpu_bind_tes_state;
   pctx->bind_gs_state = sgpu_bind_gs_state;
   pctx->bind_fs_state = sgpu_bind_fs_state;
   pctx->bind_compute_state = sgpu_bind_compute_state;
   pctx->set_constant_buffer = sgpu_set_constant_buffer;
   pctx->set_sampler_views = sgpu_set_sampler_views;
   pctx->bind_sampler_states = sgpu_bind_sampler_states;
   sgpu_stage_memory_init(pctx);
}
