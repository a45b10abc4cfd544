/* SPDX-License-Identifier: MIT */
/* The context holds the bound state and the command stream under construction.  State is passed to
 * the device in packets.  Each bit of `dirty` stands for a packet that must be written before the
 * next draw.  All bits are set when a stream starts, because a submission is self-contained: it
 * sets all state that it depends on and lists all buffers that it uses.
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

/* Dirty bits, one for each packet that must be written before the next draw.  The table in
 * sgpu_emit.c maps each bit to the function that writes the packet.
 */
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
   SGPU_DIRTY_WINDOW_RECTS = 1 << 15,
   SGPU_DIRTY_ALL = (1 << 16) - 1,
};

struct sgpu_stage_state {
   struct sgpu_shader_state *shader; /* bound shader, or NULL */
   uint32_t dirty;                   /* mask of enum sgpu_stage_dirty bits */

   /* Bank 0 holds the uniforms and bank n + 1 holds uniform block n.  user_buffer is always NULL,
    * because the driver copies user constants to a constant context or uploads them.
    */
   struct pipe_constant_buffer constants[SGPU_STAGE_BANKS];
   /* constant contexts of this stage, or NULL before the first use */
   struct sgpu_const_contexts *contexts;
   /* constant context that is bound to bank 0 instead of constants[0], or NULL */
   struct sgpu_const_context *context;
   uint32_t bound_constants; /* bitmask of the banks that have a buffer or constant context */
   /* bitmask of the banks that SGPU_DIRTY_STAGE_CONSTANTS must write */
   uint32_t dirty_constants;

   unsigned num_views;
   struct pipe_sampler_view *views[SGPU_STAGE_SAMPLERS];
   unsigned num_samplers;
   struct sgpu_sampler *samplers[SGPU_STAGE_SAMPLERS];

   /* Storage buffers and images.  In the bitmasks, bound_* marks entries with a resource,
    * writable_* marks entries that Mesa declares writable, and dirty_* marks entries to write in
    * the next packet.
    */
   struct pipe_shader_buffer buffers[SGPU_STAGE_BUFFERS];
   uint32_t bound_buffers, writable_buffers, dirty_buffers;
   struct pipe_image_view images[SGPU_STAGE_IMAGES];
   uint32_t bound_images, dirty_images;
};

/* Original functions of the threaded context, which queue calls for the driver's thread.  The
 * driver replaces them, because a call that reads a front buffer or a pixmap must run in the
 * application's thread.
 */
struct sgpu_queued {
   void (*blit)(struct pipe_context *tc, const struct pipe_blit_info *info);
   void (*resource_copy_region)(struct pipe_context *tc, struct pipe_resource *dst,
                                unsigned dst_level, unsigned dstx, unsigned dsty, unsigned dstz,
                                struct pipe_resource *src, unsigned src_level,
                                const struct pipe_box *src_box);
   pipe_draw_func draw_vbo;
   void (*launch_grid)(struct pipe_context *tc, const struct pipe_grid_info *info);
   void (*set_sampler_views)(struct pipe_context *tc, enum pipe_shader_type shader, unsigned start,
                             unsigned count, unsigned unbind_trailing, bool take_ownership,
                             struct pipe_sampler_view **views);
   void (*flush)(struct pipe_context *tc, struct pipe_fence_handle **fence, unsigned flags);
   bool pixmaps_due; /* set if the next draw or grid must refresh the pixmaps of bound views */
};

/* Levels of a resource that the current stream fast clears.  Another context may resolve the
 * resource before the stream is submitted, so the submission marks the levels as fast cleared
 * again.
 */
struct sgpu_fast_clear {
   /* the resource, or NULL if the stream has resolved it since the fast clear */
   struct pipe_resource *res;
   uint32_t levels; /* bitmask of levels */
};

/* The first stream of a frame is submitted after this number of draws and grids (sgpu_draw.c). */
#define SGPU_FIRST_STREAM_DRAWS 32

/* Maximum number of resources that one stream can fast clear. */
#define SGPU_MAX_FAST_CLEARS 64

/* The render condition: a query value that decides whether conditional draws are executed. */
struct sgpu_condition {
   struct sgpu_buffer *results; /* memory that holds the 64-bit counts of the query */
   unsigned number;             /* index of the value's first 64-bit count in `results` */
   enum sgpu_query_value value; /* how the device computes the value from the counts */
   unsigned triples;            /* number of vertex streams that SGPU_QUERY_VALUE_OVERFLOW tests */
   bool inverted;
};

struct sgpu_context {
   struct pipe_context base;
   struct sgpu_screen *screen;
   struct threaded_context *tc; /* threaded context that wraps this context, or NULL */
   struct sgpu_queued queued;   /* original functions of `tc` that the driver has replaced */
   struct slab_child_pool transfers, transfers_unsync;

   struct sgpu_cs cs;
   uint64_t stream;       /* ID of the stream under construction, starting at 1 */
   uint32_t dirty;        /* mask of enum sgpu_dirty bits */
   uint32_t dirty_stages; /* bitmask of stages that may have dirty bits */
   struct sgpu_updates updates;
   unsigned fast_clear; /* PIPE_CLEAR_* bits of the bound surfaces that can be fast cleared */
   /* resources that the current stream fast clears */
   struct sgpu_fast_clear fast_clears[SGPU_MAX_FAST_CLEARS];
   unsigned num_fast_clears;
   /* ID of the current frame; each flush without PIPE_FLUSH_DEFERRED starts a new frame */
   uint64_t frame;
   bool presents; /* set if a presentation follows the next flush */
   struct sgpu_handles handles;
   /* high word of the shader clock; incremented for each draw or grid that reads the clock */
   uint32_t clock;
   unsigned draws_in_stream, grids_in_stream, clears_in_stream;
   unsigned stream_draws; /* number of draws and grids after which the stream is submitted */
   /* number of vertices drawn and compute invocations launched in the stream */
   uint64_t vertices_in_stream;
   uint64_t draws; /* number of draws in all earlier streams */
   /* latest submissions, indexed by seqno modulo array size */
   struct sgpu_submitted submitted[SGPU_SUBMITTED];

   struct sgpu_stage_state stage[SGPU_NUM_STAGES];
   /* placeholder that is returned if the driver can't allocate a sampler view */
   struct pipe_sampler_view refused_view;
   bool stages_complete; /* set if all stages that a draw needs have a shader */
   struct sgpu_blend *blend;
   struct sgpu_depth_stencil *depth_stencil;
   struct sgpu_rasterizer *rasterizer;
   struct sgpu_vertex_elements *elements;

   /* framebuffer that draws write: surfaces with implicit samples are replaced by these samples */
   struct pipe_framebuffer_state framebuffer;
   /* bound surfaces whose samples are implicit, or NULL; depth and stencil are last */
   struct pipe_surface *implicit[PIPE_MAX_COLOR_BUFS + 1];
   bool has_implicit;     /* set if `implicit` has a surface */
   bool implicit_loaded;  /* set if the samples are newer than the textures */
   struct SGPU_VIEW view; /* view of the latest VIEW packet in the stream; zeros without a packet */
   struct sgpu_surface spare_surfaces[32]; /* used if a surface can't be allocated */
   uint32_t spare_surfaces_used;           /* atomic: bitmask of spare surfaces in use */
   struct pipe_viewport_state viewport[PIPE_MAX_VIEWPORTS];
   struct pipe_scissor_state scissor[PIPE_MAX_VIEWPORTS];
   /* highest viewport or scissor index that was ever set, plus 1; at least 1 */
   unsigned num_viewports, num_scissors;
   /* If `window_rects_inclusive` is set, draws have fragments only inside of at least one of the
    * window rectangles, and otherwise only outside of all of them.
    */
   struct pipe_scissor_state window_rects[PIPE_MAX_WINDOW_RECTANGLES];
   unsigned num_window_rects;
   bool window_rects_inclusive;
   bool window_rects_emitted; /* set if the stream contains a WINDOW RECTANGLES packet */
   struct pipe_blend_color blend_color;
   struct pipe_stencil_ref stencil_ref;
   struct pipe_poly_stipple poly_stipple;
   struct pipe_clip_state clip;
   /* tessellation levels for draws without a control shader */
   float tess_outer[4], tess_inner[2];
   uint8_t patch_vertices;
   bool clip_emitted; /* set if the stream already contains the current clip planes */
   unsigned sample_mask;
   /* location of each sample in 1/16 pixel: x in the low four bits, y in the high four bits */
   uint8_t sample_locations[16];
   bool own_locations;    /* set if sample_locations replaces the default locations */
   bool coverage_emitted; /* set if the stream contains a COVERAGE packet */
   unsigned min_samples;  /* if more than 1, pixel shaders run once per sample */

   struct pipe_vertex_buffer vertex_buffers[SGPU_MAX_VERTEX_BUFFERS];
   unsigned num_vertex_buffers; /* index of the highest bound buffer, plus 1 */

   struct pipe_stream_output_target *xfb_targets[PIPE_MAX_SO_BUFFERS];
   unsigned num_xfb_targets;
   bool xfb_emitted; /* set if the stream has bound transform feedback buffers */
   uint32_t records; /* bitmask of the varying slots passed to sgpu_context_record(), or 0 */
   uint32_t recorded_shader; /* ID of the shader that `recorded` was packed for, or 0 */
   struct sgpu_xfb_output recorded;

   /* shader linkage of the latest draw, which is an entry of the cache `links` (sgpu_link.c) */
   const struct sgpu_link *link;
   /* set if a shader or the rasterizer state has changed since `link` was computed */
   bool link_stale;
   struct hash_table *links;

   uint64_t query_slots;     /* bitmask of the query slots in use on the queue */
   bool queries_paused;      /* set by set_active_query_state(false) */
   struct list_head queries; /* queries that hold a slot, linked by sgpu_query::link */
   bool conditional;         /* set if conditional rendering is on; uses `condition` */
   bool condition_emitted;   /* set if the stream already contains the predicate for `condition` */
   /* latest render condition; kept while conditional rendering is off */
   struct sgpu_condition condition;

   bool lose_on_reset; /* set if the application has requested reset notification */
   struct pipe_device_reset_callback reset;
   enum pipe_reset_status reset_status; /* GPU reset that has not been reported to Mesa yet */
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

/* Returns the shader of the last stage before the clipper, whose outputs transform feedback
 * records.
 */
static inline struct sgpu_shader_state *
sgpu_last_front_shader(const struct sgpu_context *ctx)
{
   unsigned s = SGPU_FS - 1;

   while (s > SGPU_VS && !ctx->stage[s].shader)
      s--;
   return ctx->stage[s].shader;
}

/* Marks all state as dirty.  A new stream needs this, because it doesn't inherit state from the
 * previous stream.
 */
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

/* Submits the stream and starts a new one with all state dirty.  `why` is a message for
 * SGPU_DEBUG=perf, or NULL.  Returns false if memory ran out and the stream was dropped.
 */
bool sgpu_context_flush(struct sgpu_context *ctx, const char *why);

/* Reserves space for `words` words in the stream.  Starts a new stream if there is not enough space
 * left.  Only for draws; all other callers must use sgpu_context_reserve().
 */
static inline void
sgpu_context_reserve_draw(struct sgpu_context *ctx, unsigned words)
{
   if (unlikely(!sgpu_cs_reserve(&ctx->cs, words))) {
      sgpu_context_flush(ctx, "stream is full");
      sgpu_cs_retry(&ctx->cs);
   }
}

/* Reserves space for `words` words in the stream.  First copies pending updates of uniform blocks
 * to their buffers, because only draws can read these updates from staging memory (sgpu_updates.h).
 */
static inline void
sgpu_context_reserve(struct sgpu_context *ctx, unsigned words)
{
   if (unlikely(ctx->updates.count))
      sgpu_updates_copy(ctx);
   sgpu_context_reserve_draw(ctx, words);
}

/* Must be called after each draw, grid, clear or copy packet.  Submits the stream if
 * SGPU_DEBUG=flush is set.
 */
static inline void
sgpu_context_work_done(struct sgpu_context *ctx)
{
   if (unlikely(ctx->screen->debug & SGPU_DEBUG_FLUSH))
      sgpu_context_flush(ctx, NULL);
}

/* Starts a new frame.  Once per frame, the driver refreshes resources that other processes may draw
 * to.
 */
static inline void
sgpu_context_next_frame(struct sgpu_context *ctx)
{
   ctx->stream_draws = SGPU_FIRST_STREAM_DRAWS;
   ctx->frame = p_atomic_inc_return(&ctx->screen->frames);
}

/* Must be called when a buffer has got new storage.  Marks the bindings of the buffer as dirty. */
void sgpu_context_rebind(struct sgpu_context *ctx, struct pipe_resource *res);

/* Reports a performance message to SGPU_DEBUG=perf and to the application's debug callback. */
void sgpu_perf(struct sgpu_context *ctx, const char *what);

/* Maximum number of views of a framebuffer. */
#define SGPU_MAX_VIEWS 8
static_assert(sizeof(((struct pipe_framebuffer_state *)NULL)->viewmask) * 8 == SGPU_MAX_VIEWS, "");

/* sgpu_emit.c */
/* Writes the dirty state for a draw.  Also reserves extra_words words for the draw packet.  Returns
 * false if the draw must be dropped.
 */
bool sgpu_emit_state(struct sgpu_context *ctx, unsigned extra_words);
/* Sets the view of later draws and grids.  The caller must have reserved SGPU_VIEW_LENGTH words. */
void sgpu_emit_view(struct sgpu_context *ctx, bool multiview, unsigned view);
/* Advances the shader clock if a shader of the given stages reads it. */
void sgpu_emit_clock(struct sgpu_context *ctx, uint32_t stages);
void sgpu_emit_framebuffer(struct sgpu_context *ctx);
/* Updates bound color surfaces that other processes may have drawn to.  Must be called before space
 * in the stream is reserved.
 */
void sgpu_refresh_framebuffer(struct sgpu_context *ctx);
#define SGPU_FRAMEBUFFER_WORDS (SGPU_FRAMEBUFFER_LENGTH + 9 * SGPU_SURFACE_LENGTH)

/* sgpu_samples.c */
/* Creates the implicit samples of a surface that has more samples than its texture. */
struct pipe_surface *sgpu_samples_create(struct pipe_surface *surf);
/* Replaces surfaces by their implicit samples, after those of the framebuffer before are resolved. */
void sgpu_samples_bind(struct sgpu_context *ctx, struct pipe_framebuffer_state *fb);
void sgpu_samples_unbind(struct sgpu_context *ctx);
void sgpu_samples_load_all(struct sgpu_context *ctx);
void sgpu_samples_resolve_all(struct sgpu_context *ctx);

/* Makes implicit samples current. Must be called before work that writes the framebuffer. */
static inline void
sgpu_samples_load(struct sgpu_context *ctx)
{
   if (unlikely(ctx->has_implicit && !ctx->implicit_loaded))
      sgpu_samples_load_all(ctx);
}

/* Makes the textures of implicit samples current. Must be called before other work that reads or
 * writes textures.
 */
static inline void
sgpu_samples_resolve(struct sgpu_context *ctx)
{
   if (unlikely(ctx->implicit_loaded))
      sgpu_samples_resolve_all(ctx);
}

/* sgpu_bind.c */
void sgpu_bind_context_init(struct pipe_context *pctx);
void sgpu_bind_context_fini(struct sgpu_context *ctx);
/* sgpu_state.c */
void sgpu_state_context_init(struct pipe_context *pctx);
/* sgpu_view.c */
void sgpu_view_context_init(struct pipe_context *pctx);
/* Fills in the descriptor of an image view.  If the resource is a buffer, the caller must set the
 * address.  Returns false if the view has no elements.
 */
bool sgpu_describe_image(const struct pipe_image_view *view, struct SGPU_TEXTURE *desc);
/* sgpu_draw.c */
void sgpu_draw_context_init(struct pipe_context *pctx);
/* Must be called after each GRID packet with the number of invocations in the grid.  May submit the
 * stream.
 */
void sgpu_count_grid(struct sgpu_context *ctx, uint64_t invocations);
/* sgpu_grid.c */
void sgpu_grid_context_init(struct pipe_context *pctx);
/* sgpu_clear.c */
void sgpu_clear_context_init(struct pipe_context *pctx);
/* Clears a rectangle of a color surface of the resource.  The rectangle must not be empty.  If
 * `conditional` is true, the clear depends on the render condition.
 */
void sgpu_clear_rect(struct sgpu_context *ctx, struct sgpu_resource *res,
                     const struct SGPU_SURFACE *surface, const struct SGPU_RECT *rect,
                     const union pipe_color_union *color, bool conditional);
/* sgpu_blit.c */
void sgpu_blit_context_init(struct pipe_context *pctx);
/* sgpu_query.c */
void sgpu_query_context_init(struct pipe_context *pctx);

/* sgpu_query_value.c */
void sgpu_query_value_context_init(struct pipe_context *pctx);
void sgpu_query_value_context_fini(struct sgpu_context *ctx);
void sgpu_emit_condition(struct sgpu_context *ctx);

/* Returns the value of the field Conditional in draw, clear and blit packets.  Writes the predicate
 * first if the stream does not contain it yet.  The caller must have reserved SGPU_PREDICATE_LENGTH
 * words.
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
/* sgpu_pixmap.c */
void sgpu_pixmap_threaded_init(struct pipe_context *tc);
/* sgpu_link.c */
/* Updates ctx->link for the next draw.  Returns false on allocation failure. */
bool sgpu_link_update(struct sgpu_context *ctx);
void sgpu_link_context_fini(struct sgpu_context *ctx);

#endif
