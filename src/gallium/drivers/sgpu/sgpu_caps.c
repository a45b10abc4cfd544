/* SPDX-License-Identifier: MIT */
/* Capabilities of the screen.  Mesa lowers state to shader code where that is cheap.  The device
 * implements state that applications often change between draws (flat shading, point size, clip
 * planes), because each change would need another shader variant.  It also implements features that
 * the texture unit can do exactly (GL_CLAMP, rectangle textures).
 *
 * Capabilities that are not set here keep the value of u_init_pipe_screen_caps().
 */
#include "sgpu_caps.h"

#include "pipe/p_defines.h"
#include "pipe/p_screen.h"
#include "util/u_screen.h"

#include "compiler/sgpu_compiler.h"
#include "sgpu_layout.h"
#include "sgpu_screen.h"

/* Maximum number of components that transform feedback writes to a buffer.  Each component may be a
 * separate output of the shader.
 */
#define MAX_XFB_COMPONENTS 64
static_assert(MAX_XFB_COMPONENTS <= PIPE_MAX_SO_OUTPUTS, "each component may be an output");

/* Turns off features that Mesa should lower to shader code. */
static void
init_lowering(struct pipe_caps *caps)
{
   caps->two_sided_color = false;
   caps->vertex_color_clamped = false;
   caps->fragment_color_clamped = false;
   caps->fs_coord_origin_lower_left = false;
   caps->fs_coord_pixel_center_integer = false;
   caps->user_vertex_buffers = false;
   caps->nir_images_as_deref = false;
   caps->packed_uniforms = false;
   caps->fs_point_is_sysval = false;

   /* The alpha test runs after alpha to coverage, so it can't be lowered to shader code. */
   caps->alpha_test = true;
   caps->vertex_color_unclamped = true;
   caps->fs_coord_origin_upper_left = true;
   caps->fs_coord_pixel_center_half_integer = true;
   caps->fs_position_is_sysval = true;
   caps->fs_face_is_integer_sysval = true;
   caps->tgsi_texcoord = true;
   /* Constants can be loaded from any byte offset, so Mesa may use std430 packing for uniform
    * blocks with shared or packed layout.
    */
   caps->load_constbuf = true;
   /* The GLSL linker reports what pipe_screen::finalize_nir returns. */
   caps->call_finalize_nir_in_linker = true;
}

static void
init_textures(struct pipe_caps *caps)
{
   caps->anisotropic_filter = true;
   caps->gl_clamp = true;
   caps->texrect = true;
   caps->npot_textures = true;
   caps->texture_swizzle = true;
   caps->texture_mirror_clamp = true;
   caps->texture_mirror_clamp_to_edge = true;
   caps->texture_float_linear = true;
   caps->texture_half_float_linear = true;
   caps->texture_shadow_map = true;
   caps->seamless_cube_map = true;
   caps->seamless_cube_map_per_texture = true;
   caps->cube_map_array = true;
   caps->texture_query_lod = true;
   caps->texture_shadow_lod = true;
   caps->texture_barrier = true;
   caps->sampler_view_target = true;
   caps->texture_buffer_objects = true;
   caps->fragment_shader_texture_lod = true;
   caps->fragment_shader_derivatives = true;
   caps->fs_fine_derivative = true;
   caps->compute_shader_derivatives = true;
   caps->sampler_reduction_minmax = true;
   caps->sampler_reduction_minmax_arb = true;
   caps->bindless_texture = true;

   caps->max_texture_2d_size = 1 << SGPU_MAX_TEXTURE_SIZE_LOG2;
   caps->max_texture_cube_levels = SGPU_MAX_TEXTURE_SIZE_LOG2 + 1;
   caps->max_texture_3d_levels = SGPU_MAX_3D_SIZE_LOG2 + 1;
   caps->max_texture_array_layers = SGPU_LAYOUT_MAX_LAYERS;
   caps->max_texture_gather_components = 4;
   caps->min_texture_gather_offset = -32;
   caps->max_texture_gather_offset = 31;
   caps->max_texel_buffer_elements = SGPU_MAX_TEXEL_BUFFER_ELEMENTS;
   caps->texture_buffer_offset_alignment = 16;
   caps->max_texture_upload_memory_budget = 64 << 20;
   caps->max_texture_lod_bias = 16.0f;
   caps->max_texture_anisotropy = 16.0f;
}

/* Render targets and pixel operations. */
static void
init_targets(struct pipe_caps *caps)
{
   caps->max_dual_source_render_targets = 1;
   caps->max_render_targets = PIPE_MAX_COLOR_BUFS;
   caps->mixed_colorbuffer_formats = true;
   caps->mixed_framebuffer_sizes = true;
   caps->mixed_color_depth_bits = true;
   caps->framebuffer_no_attachment = true;
   caps->blend_equation_separate = true;
   caps->indep_blend_enable = true;
   caps->indep_blend_func = true;
   caps->shader_stencil_export = true;
   caps->demote_to_helper_invocation = true;
   caps->post_depth_coverage = true;
   caps->texture_multisample = true;
   caps->surface_sample_count = true; /* EXT_multisampled_render_to_texture */
   /* AMD_framebuffer_multisample_advanced.  Mesa's list of modes has those of has_samples(): all
    * samples are stored, and all attachments have the same number.
    */
   caps->framebuffer_msaa_constraints = 1;
   caps->texture_query_samples = true;
   caps->sample_shading = true;
   caps->force_persample_interp = true;
   caps->programmable_sample_locations = true;
   caps->max_window_rectangles = PIPE_MAX_WINDOW_RECTANGLES;
   caps->depth_bounds_test = true;
   caps->fbfetch = PIPE_MAX_COLOR_BUFS; /* number of render targets */
   caps->fbfetch_coherent = true;
   caps->fbfetch_zs = true;
   caps->fragment_shader_interlock = true;
   caps->conservative_raster_inner_coverage = true;
   caps->min_conservative_raster_dilate = 0.0f;
   caps->max_conservative_raster_dilate = 0.0f;
   caps->conservative_raster_dilate_granularity = 0.0f;
   caps->alpha_to_coverage_dither_control = true;
   caps->dithering = false;
}

static void
init_primitives(struct pipe_caps *caps)
{
   caps->flatshade = true;
   caps->clip_planes = 1; /* the maximum number that Mesa has */
   caps->cull_distance = true;
   caps->point_size_fixed = PIPE_POINT_SIZE_LOWER_NEVER;
   caps->depth_clip_disable = true;
   caps->depth_clip_disable_separate = true;
   caps->depth_clamp_enable = true;
   caps->clip_halfz = true;
   caps->polygon_mode_fill_rectangle = true;
   caps->polygon_offset_clamp = true;
   caps->polygon_offset_units_unscaled = true;
   caps->primitive_restart = true;
   caps->primitive_restart_fixed_index = true;
   caps->vs_instanceid = true;
   caps->vertex_element_instance_divisor = true;
   caps->start_instance = true;
   caps->draw_parameters = true;
   caps->draw_indirect = true;
   caps->multi_draw_indirect = true;
   caps->multi_draw_indirect_params = true;
   caps->quads_follow_provoking_vertex_convention = true;
   caps->rasterizer_subpixel_bits = 8;
   caps->max_vertex_buffers = SGPU_MAX_VERTEX_BUFFERS;

   caps->min_line_width = caps->min_line_width_aa = 1.0f;
   caps->max_line_width = caps->max_line_width_aa = SGPU_MAX_LINE_WIDTH;
   caps->line_width_granularity = 0.125f;
   caps->min_point_size = caps->min_point_size_aa = 1.0f;
   caps->max_point_size = caps->max_point_size_aa = SGPU_MAX_POINT_SIZE;
   caps->point_size_granularity = 0.125f;
}

/* Transform feedback, tessellation, geometry shaders and layered rendering. */
static void
init_front_end(struct pipe_caps *caps)
{
   caps->max_stream_output_buffers = PIPE_MAX_SO_BUFFERS;
   caps->max_stream_output_separate_components = MAX_XFB_COMPONENTS;
   caps->max_stream_output_interleaved_components = MAX_XFB_COMPONENTS;
   caps->max_vertex_streams = PIPE_MAX_VERTEX_STREAMS;
   caps->stream_output_pause_resume = true;
   caps->stream_output_interleave_buffers = true;
   caps->query_so_overflow = true;

   caps->max_shader_patch_varyings = SGPU_MAX_PATCH_OUTPUTS - SGPU_NUM_PATCH_NAMES;
   caps->max_geometry_output_vertices = SGPU_MAX_GEOMETRY_VERTICES;
   caps->max_geometry_total_output_components = SGPU_MAX_GEOMETRY_COMPONENTS;
   caps->max_gs_invocations = SGPU_MAX_GEOMETRY_INVOCATIONS;
   caps->max_viewports = PIPE_MAX_VIEWPORTS;
   caps->viewport_swizzle = true;
   caps->viewport_mask = true;
   caps->multiview = 2; /* OVR_multiview2 */
   caps->vs_layer_viewport = true;
   caps->tes_layer_viewport = true;
}

/* Shaders, including storage buffers, images and compute shaders. */
static void
init_shaders(struct pipe_caps *caps)
{
   caps->glsl_feature_level = 460;
   caps->glsl_feature_level_compatibility = 460;
   caps->max_varyings = SGPU_MAX_VARYINGS;
   caps->constant_buffer_offset_alignment = 16;
   caps->doubles = true;
   caps->int64 = true;
   caps->shader_array_components = true;
   caps->shader_group_vote = true;
   caps->shader_ballot = true;
   caps->shader_subgroup_size = SGPU_WARP_SIZE;
   caps->shader_subgroup_supported_stages = BITFIELD_MASK(PIPE_SHADER_COMPUTE + 1);
   caps->shader_subgroup_supported_features = BITFIELD_MASK(PIPE_SHADER_SUBGROUP_NUM_FEATURES);
   /* A quad of the other stages is four lanes in a row. */
   caps->shader_subgroup_quad_all_stages = true;
   caps->shader_clock = true;
   caps->gl_spirv = true;
   caps->gl_spirv_variable_pointers = true;

   caps->opencl_integer_functions = true; /* with the next, INTEL_shader_integer_functions2 */
   caps->integer_multiply_32x16 = true;
   caps->shader_samples_identical = true;

   caps->compute = true;
   caps->image_load_formatted = true;
   caps->image_store_formatted = true;
   caps->atomic_float_minmax = true;
   caps->image_atomic_float_add = true;
   caps->image_atomic_inc_wrap = true;
   caps->shader_atomic_int64 = true;
   /* Atomic operations on 64-bit values need aligned ones. */
   caps->shader_buffer_offset_alignment = 8;
   caps->max_shader_buffer_size = SGPU_MAX_SHADER_BUFFER_SIZE;
}

/* Memory and transfers. */
static void
init_memory(struct pipe_caps *caps, const struct sgpu_winsys *ws)
{
   caps->resource_from_user_memory = sgpu_winsys_has_user_memory(ws);
   caps->memobj = true;
   /* The layout of a texture in a memory object does not depend on its contents, because such
    * textures have no fast clears.
    */
   caps->has_const_bw = true;
   caps->clear_scissored = true;
   caps->generate_mipmap = true;
   caps->invalidate_buffer = true;
   caps->buffer_map_persistent_coherent = true;
   caps->copy_between_compressed_and_plain_formats = true;
   caps->min_map_buffer_alignment = 64;
   caps->texture_transfer_modes = 0;
}

/* Queries and robustness. */
static void
init_queries(struct pipe_caps *caps)
{
   caps->occlusion_query = true;
   caps->conditional_render = true;
   caps->conditional_render_inverted = true;
   caps->query_time_elapsed = true;
   caps->query_timestamp = true;
   caps->timer_resolution = 1;
   caps->query_pipeline_statistics = true;
   caps->query_buffer_object = true;
   caps->query_memory_info = true;
   caps->device_reset_status_query = true;
   caps->robust_buffer_access_behavior = true;
   caps->string_marker = true;
}

void
sgpu_caps_init(struct pipe_screen *pscreen)
{
   struct pipe_caps *caps = (struct pipe_caps *)&pscreen->caps;
   const struct sgpu_winsys *ws = sgpu_screen(pscreen)->ws;

   u_init_pipe_screen_caps(pscreen, 0);
   init_lowering(caps);
   init_textures(caps);
   init_targets(caps);
   init_primitives(caps);
   init_front_end(caps);
   init_shaders(caps);
   init_memory(caps, ws);
   init_queries(caps);

   caps->uma = true;
   caps->video_memory = ws->memory >> 20;
   caps->pci_group = caps->pci_bus = caps->pci_device = caps->pci_function = 0;
}
