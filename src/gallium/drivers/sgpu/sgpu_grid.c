/* SPDX-License-Identifier: MIT */
/* Compute grids. */
#include "sgpu_context.h"

#include "util/u_inlines.h"

#define GRID_WORDS                                                 \
   (SGPU_STAGE_WORDS + SGPU_CLOCK_LENGTH + SGPU_PREDICATE_LENGTH + \
    SGPU_MAX_VIEWS * (SGPU_VIEW_LENGTH + SGPU_GRID_LENGTH))

/* Writes the dirty packets of the compute stage. */
static void
emit_state(struct sgpu_context *ctx)
{
   if (ctx->screen->debug & SGPU_DEBUG_DIRTY)
      sgpu_context_dirty_all(ctx);
   sgpu_refresh_textures(ctx, 1u << SGPU_CS);
   sgpu_refresh_handles(ctx, 1u << SGPU_CS);
   sgpu_context_reserve(ctx, GRID_WORDS + sgpu_handle_words(ctx));
   if (ctx->dirty_stages & 1u << SGPU_CS)
      sgpu_emit_stage(ctx, SGPU_CS);
   ctx->dirty_stages &= ~(1u << SGPU_CS);
   sgpu_emit_handles(ctx, 1u << SGPU_CS);
   sgpu_emit_clock(ctx, 1u << SGPU_CS);
}

static bool
is_empty(const struct pipe_grid_info *info)
{
   if (!info->block[0] || !info->block[1] || !info->block[2])
      return true;
   return !info->indirect && (!info->grid[0] || !info->grid[1] || !info->grid[2]);
}

/* Returns the number of invocations in the grid, or 0 for an indirect grid, whose size the CPU does
 * not read.
 */
static uint64_t
invocations(const struct pipe_grid_info *info)
{
   const uint64_t group = info->block[0] * info->block[1] * info->block[2];

   return info->indirect ? 0 : (uint64_t)info->grid[0] * info->grid[1] * info->grid[2] * group;
}

/* Returns the bitmask of the views for which a grid is executed.  OVR_multiview executes grids once
 * for each view of the draw framebuffer, which can only be intended for shaders that read the view.
 */
static uint32_t
grid_views(const struct sgpu_context *ctx)
{
   const struct sgpu_shader_state *state = ctx->stage[SGPU_CS].shader;
   const bool reads = state->compiled->program.info.sysvals_read >> SGPU_SYS_VIEW & 1;

   return reads && ctx->framebuffer.viewmask ? ctx->framebuffer.viewmask : 1;
}

static void
sgpu_launch_grid(struct pipe_context *pctx, const struct pipe_grid_info *info)
{
   struct sgpu_context *ctx = sgpu_context(pctx);
   const struct sgpu_shader_state *state = ctx->stage[SGPU_CS].shader;

   if (!state || !state->compiled || is_empty(info))
      return;
   /* Drop an indirect grid whose three parameter words are not inside the buffer. */
   if (info->indirect && (uint64_t)info->indirect_offset + 12 > info->indirect->width0)
      return;

   sgpu_samples_resolve(ctx);
   emit_state(ctx);
   const bool conditional = sgpu_condition(ctx);
   const uint32_t views = grid_views(ctx);
   u_foreach_bit(view, views) {
      sgpu_emit_view(ctx, ctx->view.multiview, view);
      sgpu_pack(sgpu_cs_get(&ctx->cs, SGPU_GRID_LENGTH), GRID, cfg) {
         cfg.conditional = conditional;
         cfg.group_size_x = info->block[0];
         cfg.group_size_y = info->block[1];
         cfg.group_size_z = info->block[2];
         cfg.shared_size = state->compiled->shared_size;
         if (info->indirect) {
            cfg.indirect = true;
            cfg.address = sgpu_resource_address(&ctx->cs, sgpu_resource(info->indirect),
                                                info->indirect_offset, false);
         } else {
            cfg.groups_x = info->grid[0];
            cfg.groups_y = info->grid[1];
            cfg.groups_z = info->grid[2];
         }
      }
   }
   sgpu_count_grid(ctx, invocations(info) * util_bitcount(views));
}

void
sgpu_grid_context_init(struct pipe_context *pctx)
{
   pctx->launch_grid = sgpu_launch_grid;
}
