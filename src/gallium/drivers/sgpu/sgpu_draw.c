/* SPDX-License-Identifier: MIT */
/* Implements draws.  The device's input assembler supports all primitive types, primitive restart,
 * base vertices and instances, so a draw only needs its state packets and one DRAW packet.
 */
#include "sgpu_context.h"

#include "util/u_helpers.h"
#include "util/u_inlines.h"

/* A stream is submitted after a number of draws or vertices, so that the device can start while the
 * application prepares further draws.  The limits depend on the calls of the application and not on
 * time, so that the split into streams is reproducible.  Each stream must set all state again.  To
 * keep this overhead low, each stream of a frame may have up to twice as many draws as the previous
 * one.
 */
#define MAX_DRAWS 256
#define MAX_VERTICES (64 * 1024)

/* Maximum number of words of a draw, which is executed once for each view of the framebuffer. */
#define DRAW_WORDS(views) \
   (SGPU_PREDICATE_LENGTH + util_bitcount(views) * (SGPU_VIEW_LENGTH + SGPU_DRAW_LENGTH))
#define DRAW_INDIRECT_WORDS(views) \
   (SGPU_PREDICATE_LENGTH + util_bitcount(views) * (SGPU_VIEW_LENGTH + SGPU_DRAW_INDIRECT_LENGTH))

static const enum sgpu_primitive primitive_code[MESA_PRIM_COUNT] = {
   [MESA_PRIM_POINTS] = SGPU_PRIMITIVE_POINTS,
   [MESA_PRIM_LINES] = SGPU_PRIMITIVE_LINES,
   [MESA_PRIM_LINE_LOOP] = SGPU_PRIMITIVE_LINE_LOOP,
   [MESA_PRIM_LINE_STRIP] = SGPU_PRIMITIVE_LINE_STRIP,
   [MESA_PRIM_TRIANGLES] = SGPU_PRIMITIVE_TRIANGLES,
   [MESA_PRIM_TRIANGLE_STRIP] = SGPU_PRIMITIVE_TRIANGLE_STRIP,
   [MESA_PRIM_TRIANGLE_FAN] = SGPU_PRIMITIVE_TRIANGLE_FAN,
   [MESA_PRIM_QUADS] = SGPU_PRIMITIVE_QUADS,
   [MESA_PRIM_QUAD_STRIP] = SGPU_PRIMITIVE_QUAD_STRIP,
   [MESA_PRIM_POLYGON] = SGPU_PRIMITIVE_POLYGON,
   [MESA_PRIM_LINES_ADJACENCY] = SGPU_PRIMITIVE_LINES_ADJACENCY,
   [MESA_PRIM_LINE_STRIP_ADJACENCY] = SGPU_PRIMITIVE_LINE_STRIP_ADJACENCY,
   [MESA_PRIM_TRIANGLES_ADJACENCY] = SGPU_PRIMITIVE_TRIANGLES_ADJACENCY,
   [MESA_PRIM_TRIANGLE_STRIP_ADJACENCY] = SGPU_PRIMITIVE_TRIANGLE_STRIP_ADJACENCY,
   [MESA_PRIM_PATCHES] = SGPU_PRIMITIVE_PATCHES,
};

static enum sgpu_index_size
index_size_code(unsigned bytes)
{
   switch (bytes) {
   case 1:
      return SGPU_INDEX_SIZE_U8;
   case 2:
      return SGPU_INDEX_SIZE_U16;
   case 4:
      return SGPU_INDEX_SIZE_U32;
   default:
      return SGPU_INDEX_SIZE_NONE;
   }
}

/* Returns the bitmask of the views for which draws are executed.  Without multiview, this is view 0.
 * GL_FEEDBACK and GL_SELECT record the vertices of view 0 alone.
 */
static uint32_t
draw_views(const struct sgpu_context *ctx)
{
   return likely(!ctx->framebuffer.viewmask || ctx->records) ? 1 : ctx->framebuffer.viewmask;
}

static void
emit_draw_view(struct sgpu_context *ctx, unsigned view)
{
   sgpu_emit_view(ctx, ctx->framebuffer.viewmask, view);
}

/* The index buffer of a draw. */
struct index_source {
   struct pipe_resource *buffer;
   unsigned offset; /* byte offset of index 0 from the start of the buffer */
   bool uploaded;   /* true if `buffer` is an uploaded copy of user indices */
};

/* Writes a DRAW packet for each view.  If `target` is not NULL, draws as many vertices as transform
 * feedback has written to this target.
 */
static void
emit_draw(struct sgpu_context *ctx, const struct pipe_draw_info *info,
          const struct pipe_draw_start_count_bias *draw, const struct index_source *index,
          unsigned draw_id, const struct sgpu_xfb_target *target, uint32_t views)
{
   const bool conditional = sgpu_condition(ctx);

   u_foreach_bit(view, views) {
      emit_draw_view(ctx, view);
      sgpu_pack(sgpu_cs_get(&ctx->cs, SGPU_DRAW_LENGTH), DRAW, cfg) {
         cfg.conditional = conditional;
         cfg.primitive = primitive_code[info->mode];
         cfg.patch_vertices = info->mode == MESA_PRIM_PATCHES ? ctx->patch_vertices : 0;
         cfg.index_size = index_size_code(info->index_size);
         cfg.first = draw->start;
         cfg.count = draw->count;
         cfg.first_instance = info->start_instance;
         cfg.instances = info->instance_count;
         cfg.draw_id = draw_id;
         if (target) {
            cfg.count_address = sgpu_cs_address(&ctx->cs, target->counter, 0, false);
            cfg.count_stride = target->stride / 4;
         }
         if (info->index_size) {
            cfg.restart = info->primitive_restart;
            cfg.restart_index = info->primitive_restart ? info->restart_index : 0;
            cfg.index_bias = draw->index_bias;
            if (index->offset < index->buffer->width0) {
               cfg.index_address = sgpu_resource_address(&ctx->cs, sgpu_resource(index->buffer),
                                                         index->offset, false);
               cfg.index_bytes = index->buffer->width0 - index->offset;
            }
         }
      }
   }
}

static void
count_work(struct sgpu_context *ctx, uint64_t invocations)
{
   ctx->vertices_in_stream += invocations;
   if (ctx->draws_in_stream + ctx->grids_in_stream >= ctx->stream_draws ||
       ctx->vertices_in_stream >= MAX_VERTICES) {
      ctx->stream_draws = MIN2(2 * ctx->stream_draws, MAX_DRAWS);
      sgpu_context_flush(ctx, NULL);
   }
   sgpu_context_work_done(ctx);
}

static void
count_draw(struct sgpu_context *ctx, uint64_t vertices)
{
   ctx->draws_in_stream++;
   count_work(ctx, vertices);
}

void
sgpu_count_grid(struct sgpu_context *ctx, uint64_t invocations)
{
   ctx->grids_in_stream++;
   count_work(ctx, invocations);
}

/* Implements glDrawTransformFeedback().  The device reads the vertex count from memory. */
static void
draw_xfb(struct sgpu_context *ctx, const struct pipe_draw_info *info,
         const struct sgpu_xfb_target *target)
{
   const struct pipe_draw_start_count_bias draw = { 0 };

   /* If the target has no counter or stride, transform feedback has not written to it yet. */
   if (!info->instance_count || !ctx->rasterizer || !target->counter || !target->stride)
      return;
   const uint32_t views = draw_views(ctx);
   if (!sgpu_emit_state(ctx, DRAW_WORDS(views)))
      return;
   emit_draw(ctx, info, &draw, NULL, 0, target, views);
   count_draw(ctx, (uint64_t)target->base.buffer_size / target->stride * info->instance_count *
                      util_bitcount(views));
}

/* Returns the size in bytes of an indirect draw's parameters: four words, or five for indexed
 * draws.
 */
static unsigned
numbers_size(const struct pipe_draw_info *info)
{
   return info->index_size ? 20 : 16;
}

static bool
lies_in(const struct pipe_resource *res, uint64_t offset, unsigned size)
{
   return offset + size <= res->width0;
}

/* Writes DRAW INDIRECT packets.  When the device executes a packet, it reads the number of draws
 * and the parameters of the draw from memory.  Indirect draws never have user index buffers.
 */
static void
draw_indirect(struct sgpu_context *ctx, const struct pipe_draw_info *info, unsigned drawid_offset,
              const struct pipe_draw_indirect_info *indirect)
{
   struct sgpu_resource *buffer = sgpu_resource(indirect->buffer);
   struct pipe_resource *count = indirect->indirect_draw_count;
   struct pipe_resource *indices = info->index_size ? info->index.resource : NULL;
   const uint32_t views = draw_views(ctx);

   if (!ctx->rasterizer || (count && !lies_in(count, indirect->indirect_draw_count_offset, 4)))
      return;
   for (unsigned i = 0; i < indirect->draw_count; i++) {
      const uint64_t offset = indirect->offset + (uint64_t)i * indirect->stride;

      if (!lies_in(indirect->buffer, offset, numbers_size(info)) ||
          !sgpu_emit_state(ctx, DRAW_INDIRECT_WORDS(views)))
         break;
      const bool conditional = sgpu_condition(ctx);
      u_foreach_bit(view, views) {
         emit_draw_view(ctx, view);
         sgpu_pack(sgpu_cs_get(&ctx->cs, SGPU_DRAW_INDIRECT_LENGTH), DRAW_INDIRECT, cfg) {
            cfg.conditional = conditional;
            cfg.primitive = primitive_code[info->mode];
            cfg.patch_vertices = info->mode == MESA_PRIM_PATCHES ? ctx->patch_vertices : 0;
            cfg.index_size = index_size_code(info->index_size);
            cfg.address = sgpu_resource_address(&ctx->cs, buffer, offset, false);
            cfg.draw_id = drawid_offset + i;
            if (count) {
               cfg.limit_address = sgpu_resource_address(&ctx->cs, sgpu_resource(count),
                                                         indirect->indirect_draw_count_offset,
                                                         false);
            }
            if (indices) {
               cfg.restart = info->primitive_restart;
               cfg.restart_index = info->primitive_restart ? info->restart_index : 0;
               cfg.index_address = sgpu_resource_address(&ctx->cs, sgpu_resource(indices), 0,
                                                         false);
               cfg.index_bytes = indices->width0;
            }
         }
      }
      count_draw(ctx, 0);
   }
}

static void
draw_direct(struct sgpu_context *ctx, const struct pipe_draw_info *info, unsigned drawid_offset,
            const struct pipe_draw_start_count_bias *draws, unsigned num_draws)
{
   struct index_source index = { .buffer = NULL };
   const uint32_t views = draw_views(ctx);

   if (!info->instance_count || !ctx->rasterizer)
      return;

   if (info->index_size && !info->has_user_indices)
      index.buffer = info->index.resource;

   for (unsigned i = 0; i < num_draws; i++) {
      struct pipe_draw_start_count_bias draw = draws[i];
      unsigned draw_id = drawid_offset + (info->increment_draw_id ? i : 0);

      if (!draw.count)
         continue;

      if (info->has_user_indices && info->index_size) {
         pipe_resource_reference(&index.buffer, NULL);
         if (!util_upload_index_buffer(&ctx->base, info, &draw, &index.buffer, &index.offset,
                                       info->index_size)) {
            sgpu_out_of_memory(ctx, "a draw is dropped");
            break;
         }
         index.uploaded = true;
         /* util_upload_index_buffer() returns the offset of index 0, which may be before the
          * uploaded range.  Use the offset of the first index of the draw instead.
          */
         index.offset += draw.start * info->index_size;
         draw.start = 0;
      }

      if (!sgpu_emit_state(ctx, DRAW_WORDS(views)))
         break;
      emit_draw(ctx, info, &draw, &index, draw_id, NULL, views);
      count_draw(ctx, (uint64_t)draw.count * info->instance_count * util_bitcount(views));
   }

   if (index.uploaded)
      pipe_resource_reference(&index.buffer, NULL);
}

static void
sgpu_draw_vbo(struct pipe_context *pctx, const struct pipe_draw_info *info, unsigned drawid_offset,
              const struct pipe_draw_indirect_info *indirect,
              const struct pipe_draw_start_count_bias *draws, unsigned num_draws)
{
   sgpu_samples_load(sgpu_context(pctx));
   sgpu_updates_prepare_draw(sgpu_context(pctx), info, indirect);
   if (indirect && indirect->buffer)
      draw_indirect(sgpu_context(pctx), info, drawid_offset, indirect);
   else if (indirect && indirect->count_from_stream_output)
      draw_xfb(sgpu_context(pctx), info, sgpu_xfb_target(indirect->count_from_stream_output));
   else
      draw_direct(sgpu_context(pctx), info, drawid_offset, draws, num_draws);

   if (info->index_size && !info->has_user_indices && info->take_index_buffer_ownership) {
      struct pipe_resource *buffer = info->index.resource;
      pipe_resource_reference(&buffer, NULL);
   }
}

/* Nothing to do, because the device orders draws and grids by the memory that they read and write.
 */
static void
sgpu_memory_barrier(struct pipe_context *pctx, unsigned flags)
{
}

/* Nothing to do, because each draw waits for earlier draws that write its textures. */
static void
sgpu_texture_barrier(struct pipe_context *pctx, unsigned flags)
{
}

static void
sgpu_emit_string_marker(struct pipe_context *pctx, const char *string, int len)
{
   struct sgpu_context *ctx = sgpu_context(pctx);
   unsigned words = DIV_ROUND_UP(CLAMP(len, 0, SGPU_MARKER_TAIL_MAX * 4), 4);

   if (!words)
      return;
   sgpu_context_reserve(ctx, SGPU_MARKER_length(words));
   uint32_t *out = sgpu_cs_get(&ctx->cs, SGPU_MARKER_length(words));
   sgpu_pack(out, MARKER, cfg) {
      cfg.tail_count = words;
   }
   memset(SGPU_MARKER_tail(out, 0), 0, words * 4);
   memcpy(SGPU_MARKER_tail(out, 0), string, MIN2((unsigned)len, words * 4));
}

void
sgpu_draw_context_init(struct pipe_context *pctx)
{
   pctx->draw_vbo = sgpu_draw_vbo;
   pctx->memory_barrier = sgpu_memory_barrier;
   pctx->texture_barrier = sgpu_texture_barrier;
   pctx->emit_string_marker = sgpu_emit_string_marker;
}

uint64_t
sgpu_context_draws(struct pipe_context *pctx)
{
   const struct sgpu_context *ctx = sgpu_context(threaded_context_unwrap_sync(pctx));
   return ctx->draws + ctx->draws_in_stream;
}
