/* SPDX-License-Identifier: MIT */
/* Implements state objects for blending, depth and stencil, rasterizer, samplers and vertex
 * elements.
 */
#include "sgpu_state.h"

#include "pipe/p_context.h"
#include "pipe/p_defines.h"
#include "util/u_math.h"
#include "util/u_memory.h"

#include "sgpu_context.h"
#include "sgpu_formats_pipe.h"

/* Tables that translate Gallium's enums to device codes. */
static const enum sgpu_compare compare_code[] = {
   [PIPE_FUNC_NEVER] = SGPU_COMPARE_NEVER,     [PIPE_FUNC_LESS] = SGPU_COMPARE_LESS,
   [PIPE_FUNC_EQUAL] = SGPU_COMPARE_EQUAL,     [PIPE_FUNC_LEQUAL] = SGPU_COMPARE_LEQUAL,
   [PIPE_FUNC_GREATER] = SGPU_COMPARE_GREATER, [PIPE_FUNC_NOTEQUAL] = SGPU_COMPARE_NOTEQUAL,
   [PIPE_FUNC_GEQUAL] = SGPU_COMPARE_GEQUAL,   [PIPE_FUNC_ALWAYS] = SGPU_COMPARE_ALWAYS,
};

static const enum sgpu_stencil_op stencil_op_code[] = {
   [PIPE_STENCIL_OP_KEEP] = SGPU_STENCIL_OP_KEEP,
   [PIPE_STENCIL_OP_ZERO] = SGPU_STENCIL_OP_ZERO,
   [PIPE_STENCIL_OP_REPLACE] = SGPU_STENCIL_OP_REPLACE,
   [PIPE_STENCIL_OP_INCR] = SGPU_STENCIL_OP_INCR_SAT,
   [PIPE_STENCIL_OP_DECR] = SGPU_STENCIL_OP_DECR_SAT,
   [PIPE_STENCIL_OP_INCR_WRAP] = SGPU_STENCIL_OP_INCR_WRAP,
   [PIPE_STENCIL_OP_DECR_WRAP] = SGPU_STENCIL_OP_DECR_WRAP,
   [PIPE_STENCIL_OP_INVERT] = SGPU_STENCIL_OP_INVERT,
};

static const enum sgpu_logic_op logic_op_code[] = {
   [PIPE_LOGICOP_CLEAR] = SGPU_LOGIC_OP_CLEAR,
   [PIPE_LOGICOP_NOR] = SGPU_LOGIC_OP_NOR,
   [PIPE_LOGICOP_AND_INVERTED] = SGPU_LOGIC_OP_AND_INVERTED,
   [PIPE_LOGICOP_COPY_INVERTED] = SGPU_LOGIC_OP_COPY_INVERTED,
   [PIPE_LOGICOP_AND_REVERSE] = SGPU_LOGIC_OP_AND_REVERSE,
   [PIPE_LOGICOP_INVERT] = SGPU_LOGIC_OP_INVERT,
   [PIPE_LOGICOP_XOR] = SGPU_LOGIC_OP_XOR,
   [PIPE_LOGICOP_NAND] = SGPU_LOGIC_OP_NAND,
   [PIPE_LOGICOP_AND] = SGPU_LOGIC_OP_AND,
   [PIPE_LOGICOP_EQUIV] = SGPU_LOGIC_OP_EQUIV,
   [PIPE_LOGICOP_NOOP] = SGPU_LOGIC_OP_NOOP,
   [PIPE_LOGICOP_OR_INVERTED] = SGPU_LOGIC_OP_OR_INVERTED,
   [PIPE_LOGICOP_COPY] = SGPU_LOGIC_OP_COPY,
   [PIPE_LOGICOP_OR_REVERSE] = SGPU_LOGIC_OP_OR_REVERSE,
   [PIPE_LOGICOP_OR] = SGPU_LOGIC_OP_OR,
   [PIPE_LOGICOP_SET] = SGPU_LOGIC_OP_SET,
};

static const enum sgpu_blend_func blend_func_code[] = {
   [PIPE_BLEND_ADD] = SGPU_BLEND_FUNC_ADD,
   [PIPE_BLEND_SUBTRACT] = SGPU_BLEND_FUNC_SUBTRACT,
   [PIPE_BLEND_REVERSE_SUBTRACT] = SGPU_BLEND_FUNC_REVERSE_SUBTRACT,
   [PIPE_BLEND_MIN] = SGPU_BLEND_FUNC_MIN,
   [PIPE_BLEND_MAX] = SGPU_BLEND_FUNC_MAX,
};

static enum sgpu_blend_factor
blend_factor_code(unsigned factor)
{
   switch (factor) {
   case PIPE_BLENDFACTOR_ONE:
      return SGPU_BLEND_FACTOR_ONE;
   case PIPE_BLENDFACTOR_SRC_COLOR:
      return SGPU_BLEND_FACTOR_SRC_COLOR;
   case PIPE_BLENDFACTOR_SRC_ALPHA:
      return SGPU_BLEND_FACTOR_SRC_ALPHA;
   case PIPE_BLENDFACTOR_DST_ALPHA:
      return SGPU_BLEND_FACTOR_DST_ALPHA;
   case PIPE_BLENDFACTOR_DST_COLOR:
      return SGPU_BLEND_FACTOR_DST_COLOR;
   case PIPE_BLENDFACTOR_SRC_ALPHA_SATURATE:
      return SGPU_BLEND_FACTOR_SRC_ALPHA_SATURATE;
   case PIPE_BLENDFACTOR_CONST_COLOR:
      return SGPU_BLEND_FACTOR_CONST_COLOR;
   case PIPE_BLENDFACTOR_CONST_ALPHA:
      return SGPU_BLEND_FACTOR_CONST_ALPHA;
   case PIPE_BLENDFACTOR_SRC1_COLOR:
      return SGPU_BLEND_FACTOR_SRC1_COLOR;
   case PIPE_BLENDFACTOR_SRC1_ALPHA:
      return SGPU_BLEND_FACTOR_SRC1_ALPHA;
   case PIPE_BLENDFACTOR_ZERO:
      return SGPU_BLEND_FACTOR_ZERO;
   case PIPE_BLENDFACTOR_INV_SRC_COLOR:
      return SGPU_BLEND_FACTOR_INV_SRC_COLOR;
   case PIPE_BLENDFACTOR_INV_SRC_ALPHA:
      return SGPU_BLEND_FACTOR_INV_SRC_ALPHA;
   case PIPE_BLENDFACTOR_INV_DST_ALPHA:
      return SGPU_BLEND_FACTOR_INV_DST_ALPHA;
   case PIPE_BLENDFACTOR_INV_DST_COLOR:
      return SGPU_BLEND_FACTOR_INV_DST_COLOR;
   case PIPE_BLENDFACTOR_INV_CONST_COLOR:
      return SGPU_BLEND_FACTOR_INV_CONST_COLOR;
   case PIPE_BLENDFACTOR_INV_CONST_ALPHA:
      return SGPU_BLEND_FACTOR_INV_CONST_ALPHA;
   case PIPE_BLENDFACTOR_INV_SRC1_COLOR:
      return SGPU_BLEND_FACTOR_INV_SRC1_COLOR;
   case PIPE_BLENDFACTOR_INV_SRC1_ALPHA:
      return SGPU_BLEND_FACTOR_INV_SRC1_ALPHA;
   default:
      return SGPU_BLEND_FACTOR_ZERO; /* Mesa leaves the factor unset if blending is disabled */
   }
}

static void *
sgpu_create_blend_state(struct pipe_context *pctx, const struct pipe_blend_state *state)
{
   struct sgpu_blend *blend = CALLOC_STRUCT(sgpu_blend);
   if (!blend)
      return NULL;

   sgpu_pack(blend->packed, BLEND, cfg) {
      cfg.tail_count = PIPE_MAX_COLOR_BUFS;
      cfg.logic_op_enable = state->logicop_enable;
      cfg.logic_op = logic_op_code[state->logicop_func];
      cfg.alpha_to_coverage = state->alpha_to_coverage;
      cfg.alpha_to_one = state->alpha_to_one;
      cfg.alpha_to_coverage_dither = state->alpha_to_coverage && state->alpha_to_coverage_dither;
   }

   for (unsigned i = 0; i < PIPE_MAX_COLOR_BUFS; i++) {
      const struct pipe_rt_blend_state *rt = &state->rt[state->independent_blend_enable ? i : 0];

      sgpu_pack(SGPU_BLEND_tail(blend->packed, i), BLEND_TARGET, cfg) {
         cfg.enable = rt->blend_enable;
         if (rt->blend_enable) {
            cfg.rgb_func = blend_func_code[rt->rgb_func];
            cfg.rgb_src = blend_factor_code(rt->rgb_src_factor);
            cfg.rgb_dst = blend_factor_code(rt->rgb_dst_factor);
            cfg.alpha_func = blend_func_code[rt->alpha_func];
            cfg.alpha_src = blend_factor_code(rt->alpha_src_factor);
            cfg.alpha_dst = blend_factor_code(rt->alpha_dst_factor);
         }
         cfg.write_mask = rt->colormask;
      }
   }
   return blend;
}

static struct SGPU_STENCIL_FACE
stencil_face(const struct pipe_stencil_state *s)
{
   struct SGPU_STENCIL_FACE face = { SGPU_STENCIL_FACE_header };

   if (s->enabled) {
      face.enable = true;
      face.func = compare_code[s->func];
      face.fail = stencil_op_code[s->fail_op];
      face.depth_fail = stencil_op_code[s->zfail_op];
      face.pass = stencil_op_code[s->zpass_op];
      face.read_mask = s->valuemask;
      face.write_mask = s->writemask;
   }
   return face;
}

static void *
sgpu_create_depth_stencil_state(struct pipe_context *pctx,
                                const struct pipe_depth_stencil_alpha_state *state)
{
   struct sgpu_depth_stencil *ds = CALLOC_STRUCT(sgpu_depth_stencil);
   if (!ds)
      return NULL;

   sgpu_pack(ds->packed, DEPTH_STENCIL, cfg) {
      cfg.depth_test = state->depth_enabled;
      cfg.depth_write = state->depth_enabled && state->depth_writemask;
      cfg.depth_func = compare_code[state->depth_func];
      cfg.alpha_test = state->alpha_enabled;
      cfg.alpha_func = compare_code[state->alpha_func];
      cfg.alpha_ref = state->alpha_ref_value;
      cfg.bounds_test = state->depth_bounds_test;
      cfg.front = stencil_face(&state->stencil[0]);
      cfg.back = stencil_face(&state->stencil[1]);
   }
   ds->bounds_test = state->depth_bounds_test;
   sgpu_pack(ds->bounds, DEPTH_BOUNDS, cfg) {
      cfg.min = state->depth_bounds_min;
      cfg.max = state->depth_bounds_max;
   }
   ds->writes = (state->depth_enabled && state->depth_writemask) ||
                (state->stencil[0].enabled && state->stencil[0].writemask) ||
                (state->stencil[1].enabled && state->stencil[1].writemask);
   return ds;
}

static enum sgpu_fill
fill_code(unsigned mode)
{
   switch (mode) {
   case PIPE_POLYGON_MODE_LINE:
      return SGPU_FILL_LINE;
   case PIPE_POLYGON_MODE_POINT:
      return SGPU_FILL_POINT;
   case PIPE_POLYGON_MODE_FILL_RECTANGLE:
      return SGPU_FILL_RECTANGLE;
   default:
      return SGPU_FILL_SOLID;
   }
}

static enum sgpu_cull
cull_code(unsigned face)
{
   switch (face) {
   case PIPE_FACE_FRONT:
      return SGPU_CULL_FRONT;
   case PIPE_FACE_BACK:
      return SGPU_CULL_BACK;
   case PIPE_FACE_FRONT_AND_BACK:
      return SGPU_CULL_BOTH;
   default:
      return SGPU_CULL_NONE;
   }
}

static void *
sgpu_create_rasterizer_state(struct pipe_context *pctx, const struct pipe_rasterizer_state *state)
{
   struct sgpu_rasterizer *rast = CALLOC_STRUCT(sgpu_rasterizer);
   if (!rast)
      return NULL;

   /* Don't use the bottom edge rule with multisampling.  Sample positions are 0 to 15/16 of a pixel
    * below the upper edge, so with the upper edge rule, a rectangle of whole pixels covers exactly
    * the samples of its pixels.  Mesa draws such rectangles for masked clears.
    */
   const bool bottom_edge_rule = state->bottom_edge_rule && !state->multisample;

   sgpu_pack(rast->packed, RASTERIZER, cfg) {
      cfg.cull = cull_code(state->cull_face);
      cfg.front_ccw = state->front_ccw;
      cfg.fill_front = fill_code(state->fill_front);
      cfg.fill_back = fill_code(state->fill_back);
      cfg.scissor = state->scissor;
      cfg.half_pixel_center = state->half_pixel_center;
      cfg.bottom_edge_rule = bottom_edge_rule;
      cfg.flatshade_first = state->flatshade_first;
      cfg.clip_halfz = state->clip_halfz;
      cfg.depth_clip_near = state->depth_clip_near;
      cfg.depth_clip_far = state->depth_clip_far;
      cfg.depth_clamp = state->depth_clamp;
      cfg.offset_point = state->offset_point;
      cfg.offset_line = state->offset_line;
      cfg.offset_tri = state->offset_tri;
      cfg.offset_units_unscaled = state->offset_units_unscaled;
      cfg.line_smooth = state->line_smooth;
      cfg.line_stipple = state->line_stipple_enable;
      cfg.line_last_pixel = state->line_last_pixel;
      cfg.point_smooth = state->point_smooth;
      cfg.point_quad = state->point_quad_rasterization;
      cfg.point_size_per_vertex = state->point_size_per_vertex;
      cfg.sprite_origin_lower_left = state->sprite_coord_mode == PIPE_SPRITE_COORD_LOWER_LEFT;
      cfg.poly_smooth = state->poly_smooth;
      cfg.poly_stipple = state->poly_stipple_enable;
      cfg.multisample = state->multisample;
      cfg.discard = state->rasterizer_discard;
      /* Mesa sets point_line_tri_clip for OpenGL ES 2.0 and later. */
      cfg.viewport_scissor = state->point_line_tri_clip;
      cfg.clip_planes = state->clip_plane_enable;
      cfg.stipple_pattern = state->line_stipple_pattern;
      cfg.stipple_factor = state->line_stipple_factor;
      cfg.line_width = state->line_width;
      cfg.point_size = state->point_size;
      cfg.offset_units = state->offset_units;
      cfg.offset_scale = state->offset_scale;
      cfg.offset_clamp = state->offset_clamp;
      rast->state = cfg;
   }
   rast->flatshade = state->flatshade;
   rast->per_sample = state->force_persample_interp;
   rast->conservative = state->conservative_raster_mode != PIPE_CONSERVATIVE_RASTER_OFF;
   rast->sprite_coord_enable = state->point_quad_rasterization ? state->sprite_coord_enable : 0;
   return rast;
}

static const enum sgpu_wrap wrap_code[] = {
   [PIPE_TEX_WRAP_REPEAT] = SGPU_WRAP_REPEAT,
   [PIPE_TEX_WRAP_CLAMP] = SGPU_WRAP_CLAMP,
   [PIPE_TEX_WRAP_CLAMP_TO_EDGE] = SGPU_WRAP_CLAMP_TO_EDGE,
   [PIPE_TEX_WRAP_CLAMP_TO_BORDER] = SGPU_WRAP_CLAMP_TO_BORDER,
   [PIPE_TEX_WRAP_MIRROR_REPEAT] = SGPU_WRAP_MIRROR_REPEAT,
   [PIPE_TEX_WRAP_MIRROR_CLAMP] = SGPU_WRAP_MIRROR_CLAMP,
   [PIPE_TEX_WRAP_MIRROR_CLAMP_TO_EDGE] = SGPU_WRAP_MIRROR_CLAMP_TO_EDGE,
   [PIPE_TEX_WRAP_MIRROR_CLAMP_TO_BORDER] = SGPU_WRAP_MIRROR_CLAMP_TO_BORDER,
};

static enum sgpu_mip_filter
mip_filter_code(unsigned filter)
{
   switch (filter) {
   case PIPE_TEX_MIPFILTER_NEAREST:
      return SGPU_MIP_FILTER_NEAREST;
   case PIPE_TEX_MIPFILTER_LINEAR:
      return SGPU_MIP_FILTER_LINEAR;
   default:
      return SGPU_MIP_FILTER_NONE;
   }
}

static enum sgpu_filter_reduction
reduction_code(unsigned mode)
{
   return mode == PIPE_TEX_REDUCTION_MIN   ? SGPU_FILTER_REDUCTION_MIN
          : mode == PIPE_TEX_REDUCTION_MAX ? SGPU_FILTER_REDUCTION_MAX
                                           : SGPU_FILTER_REDUCTION_AVERAGE;
}

static void *
sgpu_create_sampler_state(struct pipe_context *pctx, const struct pipe_sampler_state *state)
{
   struct sgpu_sampler *sampler = CALLOC_STRUCT(sgpu_sampler);
   if (!sampler)
      return NULL;

   sgpu_pack(sampler->packed, SAMPLER, cfg) {
      cfg.wrap_s = wrap_code[state->wrap_s];
      cfg.wrap_t = wrap_code[state->wrap_t];
      cfg.wrap_r = wrap_code[state->wrap_r];
      cfg.min_filter = state->min_img_filter == PIPE_TEX_FILTER_LINEAR ? SGPU_FILTER_LINEAR
                                                                       : SGPU_FILTER_NEAREST;
      cfg.mag_filter = state->mag_img_filter == PIPE_TEX_FILTER_LINEAR ? SGPU_FILTER_LINEAR
                                                                       : SGPU_FILTER_NEAREST;
      cfg.mip_filter = mip_filter_code(state->min_mip_filter);
      cfg.compare_enable = state->compare_mode == PIPE_TEX_COMPARE_R_TO_TEXTURE;
      cfg.compare = compare_code[state->compare_func];
      cfg.unnormalized = state->unnormalized_coords;
      cfg.seamless = state->seamless_cube_map;
      cfg.max_anisotropy = MIN2(state->max_anisotropy, 16);
      cfg.reduction = reduction_code(state->reduction_mode);
      cfg.lod_bias = state->lod_bias;
      cfg.min_lod = state->min_lod;
      cfg.max_lod = state->max_lod;
      cfg.border_0 = state->border_color.ui[0];
      cfg.border_1 = state->border_color.ui[1];
      cfg.border_2 = state->border_color.ui[2];
      cfg.border_3 = state->border_color.ui[3];
   }
   return sampler;
}

/* Returns the index of the entry for the element's buffer and stride. */
static unsigned
find_source(struct sgpu_vertex_elements *ve, const struct pipe_vertex_element *element)
{
   for (unsigned i = 0; i < ve->num_sources; i++) {
      if (ve->sources[i].buffer == element->vertex_buffer_index &&
          ve->sources[i].stride == element->src_stride)
         return i;
   }
   ve->sources[ve->num_sources] = (struct sgpu_vertex_source){
      .buffer = element->vertex_buffer_index,
      .stride = element->src_stride,
   };
   return ve->num_sources++;
}

static void *
sgpu_create_vertex_elements_state(struct pipe_context *pctx, unsigned count,
                                  const struct pipe_vertex_element *elements)
{
   struct sgpu_vertex_elements *ve = CALLOC_STRUCT(sgpu_vertex_elements);
   if (!ve)
      return NULL;

   ve->count = count;
   for (unsigned i = 0; i < count; i++) {
      sgpu_pack(ve->packed[i], VERTEX_ELEMENT, cfg) {
         cfg.offset = elements[i].src_offset;
         cfg.buffer = find_source(ve, &elements[i]);
         cfg.format = sgpu_format_from_pipe(elements[i].src_format);
         cfg.divisor = elements[i].instance_divisor;
      }
   }
   return ve;
}

static void
sgpu_delete_state(struct pipe_context *pctx, void *state)
{
   FREE(state);
}

static void
sgpu_bind_blend_state(struct pipe_context *pctx, void *state)
{
   sgpu_context(pctx)->blend = state;
   sgpu_context(pctx)->dirty |= SGPU_DIRTY_BLEND;
}

static void
sgpu_bind_depth_stencil_state(struct pipe_context *pctx, void *state)
{
   sgpu_context(pctx)->depth_stencil = state;
   sgpu_context(pctx)->dirty |= SGPU_DIRTY_DEPTH_STENCIL;
}

static void
sgpu_bind_rasterizer_state(struct pipe_context *pctx, void *state)
{
   const struct sgpu_rasterizer *old = sgpu_context(pctx)->rasterizer, *rast = state;

   if ((old && old->conservative) || (rast && rast->conservative))
      sgpu_context(pctx)->dirty |= SGPU_DIRTY_SAMPLE_MASK; /* also writes COVERAGE */
   sgpu_context(pctx)->rasterizer = state;
   sgpu_context(pctx)->link_stale = true;
   sgpu_context(pctx)->dirty |= SGPU_DIRTY_RASTERIZER | SGPU_DIRTY_CLIP_PLANES;
}

static void
sgpu_bind_vertex_elements_state(struct pipe_context *pctx, void *state)
{
   sgpu_context(pctx)->elements = state;
   sgpu_context(pctx)->dirty |= SGPU_DIRTY_VERTEX_ELEMENTS | SGPU_DIRTY_VERTEX_BUFFERS;
}

void
sgpu_state_context_init(struct pipe_context *pctx)
{
   pctx->create_blend_state = sgpu_create_blend_state;
   pctx->bind_blend_state = sgpu_bind_blend_state;
   pctx->delete_blend_state = sgpu_delete_state;
   pctx->create_depth_stencil_alpha_state = sgpu_create_depth_stencil_state;
   pctx->bind_depth_stencil_alpha_state = sgpu_bind_depth_stencil_state;
   pctx->delete_depth_stencil_alpha_state = sgpu_delete_state;
   pctx->create_rasterizer_state = sgpu_create_rasterizer_state;
   pctx->bind_rasterizer_state = sgpu_bind_rasterizer_state;
   pctx->delete_rasterizer_state = sgpu_delete_state;
   pctx->create_sampler_state = sgpu_create_sampler_state;
   pctx->delete_sampler_state = sgpu_delete_state;
   pctx->create_vertex_elements_state = sgpu_create_vertex_elements_state;
   pctx->bind_vertex_elements_state = sgpu_bind_vertex_elements_state;
   pctx->delete_vertex_elements_state = sgpu_delete_state;
}
