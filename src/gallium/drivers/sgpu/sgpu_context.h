/* SPDX-License-Identifier: MIT */
/*
 * The context: bound state, and the stream that draws go to.
 *
 * State reaches the device in packets.  A bit of `dirty` stands for a packet
 * that has to be written before the next draw; a new stream starts with all
 * of them, so that each submission says everything that it depends on and
 * names every buffer that it uses.
 */
#ifndef SGPU_CONTEXT_H
#define SGPU_CONTEXT_H

#include "pipe/p_context.h"
#include "pipe/p_state.h"
#include "util/hash_table.h"
#include "util/slab.h"

#include "sgpu_constants.h"
#include "sgpu_error.h"
#include "sgpu_handle.h"
#include "sgpu_resource.h"
#include "sgpu_screen.h"
#include "sgpu_shader.h"
#include "sgpu_stage.h"
#include "sgpu_state.h"
#include "sgpu_updates.h"
#include "sgpu_xfb.h"

struct threaded_context;

/* sgpu_emit.c has the function that writes each. */
enum sgpu_dirty {
   SGPU_DIRTY_FRAMEBUFFER = 1 << 0,
   SGPU_DIRTY_VIEWPORT = 1 << 1,
   SGPU_DIRTY_SCISSOR = 1 << 2,
   SGPU_DIRTY_RASTERIZER = 1 << 3,
   SGPU_DIRTY_DEPTH_STENCIL = 1 << 4,
   SGPU_DIRTY_STENCIL_REF = 1 << 5,
   SGPU_DIRTY_BLEND = 1 << 6,
   SGPU_DIRTY_BLEND_COLOR = 1 << 7,
   SGPU_DIRTY_SAMPLE_MASK = 1 << 8,
   SGPU_DIRTY_VERTEX_ELEMENTS = 1 << 9,
   SGPU_DIRTY_VERTEX_BUFFERS = 1 << 10,
   SGPU_DIRTY_POLY_STIPPLE = 1 << 11,
   SGPU_DIRTY_CLIP_PLANES = 1 << 12,
   SGPU_DIRTY_XFB = 1 << 13,
   SGPU_DIRTY_TESS_LEVELS = 1 << 14,
   SGPU_DIRTY_ALL = (1 << 15) - 1,
};

struct sgpu_stage_state {
   struct sgpu_shader_state *shader; /* NULL: absent */
   uint32_t dirty;                   /* enum sgpu_stage_dirty */

   /* Bank 0 has the uniforms, bank n + 1 uniform block n; user_buffer is
    * NULL.
    */
   struct pipe_constant_buffer constants[SGPU_STAGE_BANKS];
   struct sgpu_const_contexts *contexts; /* or NULL: there was none */
   struct sgpu_const_context *context;   /* has bank 0, instead of constants[0]; or NULL */
   uint32_t bound_constants;             /* bits: banks with a buffer or context */
   uint32_t dirty_constants;             /* bits: banks of SGPU_DIRTY_STAGE_CONSTANTS */

   unsigned num_views;
   struct pipe_sampler_view *views[SGPU_STAGE_SAMPLERS];
   unsigned num_samplers;
   struct sgpu_sampler *samplers[SGPU_STAGE_SAMPLERS];

   /* Memory that the program may write.  Bits: those with a resource, those that the
    * program writes, and those of the next packet.
    */
   struct pipe_shader_buffer buffers[SGPU_STAGE_BUFFERS];
   uint32_t bound_buffers, writable_buffers, dirty_buffers;
   struct pipe_image_view images[SGPU_STAGE_IMAGES];
   uint32_t bound_images, dirty_images;
};

/* Calls that the threaded context queues, unless it is a front buffer that they read. */
struct sgpu_queued {
   void (*blit)(struct pipe_context *tc, const struct pipe_blit_info *info);
   void (*resource_copy_region)(struct pipe_context *tc, struct pipe_resource *dst,
                                unsigned dst_level, unsigned dstx, unsigned dsty, unsigned dstz,
                                struct pipe_resource *src, unsigned src_level,
                                const struct pipe_box *src_box);
   /* The same for textures from pixmaps, with the first view of one; else NULL. */
   void (*draw_vbo)(struct pipe_context *tc, const struct pipe_draw_info *info,
                    unsigned drawid_offset, const struct pipe_draw_indirect_info *indirect,
                    const struct pipe_draw_start_count_bias *draws, unsigned num_draws);
   void (*draw_vertex_state)(struct pipe_context *tc, struct pipe_vertex_state *state,
                             uint32_t partial_velem_mask, struct pipe_draw_vertex_state_info info,
                             const struct pipe_draw_start_count_bias *draws, unsigned num_draws);
   void (*launch_grid)(struct pipe_context *tc, const struct pipe_grid_info *info);
   void (*set_sampler_views)(struct pipe_context *tc, enum pipe_shader_type shader, unsigned start,
                             unsigned count, unsigned unbind_trailing, bool take_ownership,
                             struct pipe_sampler_view **views);
   void (*flush)(struct pipe_context *tc, struct pipe_fence_handle **fence, unsigned flags);
   bool pixmaps_due; /* a view of one may be read in its frame for the first time */
};

/* Levels of a resource that the stream clears fast.  Other contexts may resolve
 * it before the stream is submitted, so it is noted again afterwards.
 */
struct sgpu_fast_clear {
   struct pipe_resource *res; /* NULL: resolved meanwhile */
   uint32_t levels;
};

/* Draws and grids of the first stream of a frame (sgpu_draw.c). */
#define SGPU_FIRST_STREAM_DRAWS 32

/* A stream that clears more resources is submitted. */
#define SGPU_MAX_FAST_CLEARS 64

/* The value of a query that decides conditional rendering. */
struct sgpu_condition {
   struct sgpu_buffer *results;
   unsigned number; /* the first of its numbers */
   enum sgpu_query_value value;
   unsigned triples;
   bool inverted;
};

struct sgpu_context {
   struct pipe_context base;
   struct sgpu_screen *screen;
   struct threaded_context *tc; /* or NULL */
   struct sgpu_queued queued;   /* tc's own calls */
   struct slab_child_pool transfers, transfers_unsync;

   struct sgpu_cs cs;
   uint64_t stream;       /* number of the stream, from 1 */
   uint32_t dirty;        /* enum sgpu_dirty */
   uint32_t dirty_stages; /* bits: stages to look at in the next draw */
   struct sgpu_updates updates;
   unsigned fast_clear; /* PIPE_CLEAR_: of the framebuffer as it was emitted */
   struct sgpu_fast_clear fast_clears[SGPU_MAX_FAST_CLEARS]; /* of the stream */
   unsigned num_fast_clears;
   uint64_t frame; /* of the screen's; a new one with each flush */
   bool presents;  /* a presentation follows the next flush */
   struct sgpu_handles handles;
   uint32_t clock; /* of the latest draw that reads it; each has a number of its own */
   unsigned draws_in_stream, grids_in_stream;
   unsigned stream_draws;       /* draws and grids after which the stream is submitted */
   uint64_t vertices_in_stream; /* and invocations of grids */
   uint64_t draws;              /* in all streams before */
   struct sgpu_submitted submitted[SGPU_SUBMITTED]; /* by seqno */

   struct sgpu_stage_state stage[SGPU_NUM_STAGES];
   struct pipe_sampler_view refused_view; /* for all that there was no memory for */
   bool stages_complete;                  /* a draw has every program that it needs */
   struct sgpu_blend *blend;
   struct sgpu_depth_stencil *depth_stencil;
   struct sgpu_rasterizer *rasterizer;
   struct sgpu_vertex_elements *elements;

   struct pipe_framebuffer_state framebuffer;
   struct sgpu_surface spare_surfaces[32]; /* where there is no other memory */
   uint32_t spare_surfaces_used;           /* atomic; bits */
   struct pipe_viewport_state viewport[PIPE_MAX_VIEWPORTS];
   struct pipe_scissor_state scissor[PIPE_MAX_VIEWPORTS];
   unsigned num_viewports, num_scissors; /* that have been set, 1 at least */
   struct pipe_blend_color blend_color;
   struct pipe_stencil_ref stencil_ref;
   struct pipe_poly_stipple poly_stipple;
   struct pipe_clip_state clip;
   float tess_outer[4], tess_inner[2]; /* levels of patches without a control shader */
   uint8_t patch_vertices;
   bool clip_emitted; /* the stream has these planes */
   unsigned sample_mask;
   uint8_t sample_locations[16]; /* x in the lower four bits, in 1/16 pixel */
   bool own_locations;           /* samples are there */
   bool coverage_emitted;        /* the stream has a COVERAGE packet */
   unsigned min_samples;         /* more than 1: pixel programs run for each sample */

   struct pipe_vertex_buffer vertex_buffers[SGPU_MAX_VERTEX_BUFFERS];
   unsigned num_vertex_buffers; /* highest bound, plus 1 */

   struct pipe_stream_output_target *xfb_targets[PIPE_MAX_SO_BUFFERS];
   unsigned num_xfb_targets;
   bool xfb_emitted; /* the stream has xfb buffers bound */
   uint32_t records; /* sgpu_context_record: slots, instead of what the program names; or 0 */
   uint32_t recorded_shader; /* sgpu_shader_state::id: `recorded` is of its outputs; or 0 */
   struct sgpu_xfb_output recorded;

   /* The link of the latest draw, and all links made: sgpu_link.c. */
   const struct sgpu_link *link;
   bool link_stale; /* a program or the rasterizer changed */
   struct hash_table *links;

   uint64_t query_slots;            /* bits: slots of the queue in use */
   bool queries_paused;             /* set_active_query_state(false) */
   struct list_head queries;        /* sgpu_query::link: that count */
   bool conditional;                /* conditional rendering is on: by `condition` */
   bool condition_emitted;          /* the stream has it as its predicate */
   struct sgpu_condition condition; /* the latest there was */

   bool lose_on_reset; /* the program asked for notification */
   struct pipe_device_reset_callback reset;
   enum pipe_reset_status reset_status; /* that Mesa has not been told of */
};

static inline struct sgpu_context *
sgpu_context(struct pipe_context *pctx)
{
   return (struct sgpu_context *)pctx;
}

static inline void
sgpu_stage_dirty(struct sgpu_context *ctx, enum sgpu_stage_index s, uint32_t dirty)
{
   ctx->stage[s].dirty |= dirty;
   ctx->dirty_stages |= 1u << s;
}

/* The program whose vertices the device clips, and transform feedback writes. */
static inline struct sgpu_shader_state *
sgpu_last_front_shader(const struct sgpu_context *ctx)
{
   unsigned s = SGPU_FS - 1;

   while (s > SGPU_VS && !ctx->stage[s].shader)
      s--;
   return ctx->stage[s].shader;
}

/* For a new stream, in which no state is set and nothing is bound. */
static inline void
sgpu_context_dirty_all(struct sgpu_context *ctx)
{
   ctx->stream++;
   ctx->dirty = SGPU_DIRTY_ALL;
   ctx->handles.dirty = true;
   ctx->dirty_stages = SGPU_ALL_STAGES;
   for (unsigned s = 0; s < SGPU_NUM_STAGES; s++) {
      ctx->stage[s].dirty = SGPU_DIRTY_STAGE_ALL;
      ctx->stage[s].dirty_constants = ctx->stage[s].bound_constants;
      ctx->stage[s].dirty_buffers = ctx->stage[s].bound_buffers;
      ctx->stage[s].dirty_images = ctx->stage[s].bound_images;
   }
}

/* Submits the stream and starts another, with all state dirty.  False where memory
 * ran out: the stream was dropped.
 */
bool sgpu_context_flush(struct sgpu_context *ctx, const char *why);

/* Reserves space for `words` more words; starts a new stream if there is too little. */
static inline void
sgpu_context_reserve_draw(struct sgpu_context *ctx, unsigned words)
{
   if (unlikely(!sgpu_cs_reserve(&ctx->cs, words))) {
      sgpu_context_flush(ctx, "stream is full");
      sgpu_cs_retry(&ctx->cs);
   }
}

/* The same for all but draws, which see updates of uniform blocks without the copies. */
static inline void
sgpu_context_reserve(struct sgpu_context *ctx, unsigned words)
{
   if (unlikely(ctx->updates.count))
      sgpu_updates_copy(ctx);
   sgpu_context_reserve_draw(ctx, words);
}

/* After each piece of work, for SGPU_DEBUG=flush. */
static inline void
sgpu_context_work_done(struct sgpu_context *ctx)
{
   if (unlikely(ctx->screen->debug & SGPU_DEBUG_FLUSH))
      sgpu_context_flush(ctx, NULL);
}

/* Pictures that others draw from now on belong to another frame. */
static inline void
sgpu_context_next_frame(struct sgpu_context *ctx)
{
   ctx->stream_draws = SGPU_FIRST_STREAM_DRAWS;
   ctx->frame = p_atomic_inc_return(&ctx->screen->frames);
}

/* The buffer's storage has changed: bindings of it are written again. */
void sgpu_context_rebind(struct sgpu_context *ctx, struct pipe_resource *res);

/* For SGPU_DEBUG=perf, and the application's debug callback. */
void sgpu_perf(struct sgpu_context *ctx, const char *what);

/* sgpu_emit.c */
bool sgpu_emit_state(struct sgpu_context *ctx, unsigned extra_words);
/* Programs that read the clock see it go on from one draw or grid to the next. */
void sgpu_emit_clock(struct sgpu_context *ctx, uint32_t stages);
void sgpu_emit_framebuffer(struct sgpu_context *ctx);
/* Before space is reserved: surfaces that others draw to, too. */
void sgpu_refresh_framebuffer(struct sgpu_context *ctx);
#define SGPU_FRAMEBUFFER_WORDS (SGPU_FRAMEBUFFER_LENGTH + 9 * SGPU_SURFACE_LENGTH)

/* sgpu_bind.c */
void sgpu_bind_context_init(struct pipe_context *pctx);
void sgpu_bind_context_fini(struct sgpu_context *ctx);
/* sgpu_state.c */
void sgpu_state_context_init(struct pipe_context *pctx);
/* sgpu_view.c */
void sgpu_view_context_init(struct pipe_context *pctx);
/* The record of an image; false: there is nothing to access.  The address of a buffer is
 * for the caller to set.
 */
bool sgpu_describe_image(const struct pipe_image_view *view, struct SGPU_TEXTURE *desc);
/* sgpu_draw.c */
void sgpu_draw_context_init(struct pipe_context *pctx);
/* Of a grid of that many invocations; may submit the stream. */
void sgpu_count_grid(struct sgpu_context *ctx, uint64_t invocations);
/* sgpu_grid.c */
void sgpu_grid_context_init(struct pipe_context *pctx);
/* sgpu_clear.c */
void sgpu_clear_context_init(struct pipe_context *pctx);
/* sgpu_blit.c */
void sgpu_blit_context_init(struct pipe_context *pctx);
/* sgpu_query.c */
void sgpu_query_context_init(struct pipe_context *pctx);

/* sgpu_query_value.c */
void sgpu_query_value_context_init(struct pipe_context *pctx);
void sgpu_query_value_context_fini(struct sgpu_context *ctx);
void sgpu_emit_condition(struct sgpu_context *ctx);

/* For the packets of draws, clears and blits that conditional rendering concerns:
 * whether they are Conditional.  May write SGPU_PREDICATE_LENGTH words, which the
 * caller has reserved.
 */
static inline bool
sgpu_condition(struct sgpu_context *ctx)
{
   if (unlikely(ctx->conditional && !ctx->condition_emitted))
      sgpu_emit_condition(ctx);
   return ctx->conditional;
}
/* sgpu_fence.c */
void sgpu_fence_context_init(struct pipe_context *pctx);
struct pipe_fence_handle *sgpu_fence_create_threaded(struct pipe_context *pctx,
                                                     struct tc_unflushed_batch_token *token);
/* sgpu_display.c */
void sgpu_display_context_init(struct pipe_context *pctx);
void sgpu_display_threaded_init(struct pipe_context *tc);
/* sgpu_link.c */
/* The link of the next draw; false without memory. */
bool sgpu_link_update(struct sgpu_context *ctx);
void sgpu_link_context_fini(struct sgpu_context *ctx);

#endif
