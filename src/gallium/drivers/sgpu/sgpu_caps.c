/* SPDX-License-Identifier: MIT */
/* Capabilities of the screen.  Mesa lowers state to shader code where that is cheap.  The device
 * implements state that applications often change between draws (flat shading, point size, clip
 * planes), because each change would need another shader variant.  It also implements features that
 * the texture unit can do exactly (GL_CLAMP, rectangle textures).
 */
#include "sgpu_screen.h"

#include "pipe/p_defines.h"
#include "util/u_screen.h"

#include "compiler/sgpu_compiler.h"
#include "sgpu_layout.h"

static int
sgpu_get_param(struct pipe_screen *pscreen, enum pipe_cap param)
{
   switch (param) {
   /* Features that Mesa lowers to shader code */
   case PIPE_CAP_TWO_SIDED_COLOR:
   case PIPE_CAP_VERTEX_COLOR_CLAMPED:
   case PIPE_CAP_FRAGMENT_COLOR_CLAMPED:
   case PIPE_CAP_FS_COORD_ORIGIN_LOWER_LEFT:
   case PIPE_CAP_FS_COORD_PIXEL_CENTER_INTEGER:
   case PIPE_CAP_USER_VERTEX_BUFFERS:
   case PIPE_CAP_NIR_IMAGES_AS_DEREF:
   case PIPE_CAP_NIR_COMPACT_ARRAYS:
   case PIPE_CAP_PACKED_UNIFORMS:
   case PIPE_CAP_FS_POINT_IS_SYSVAL:
      return 0;

   /* The alpha test runs after alpha to coverage, so it can't be lowered to shader code. */
   case PIPE_CAP_ALPHA_TEST:
   case PIPE_CAP_VERTEX_COLOR_UNCLAMPED:
   case PIPE_CAP_FS_COORD_ORIGIN_UPPER_LEFT:
   case PIPE_CAP_FS_COORD_PIXEL_CENTER_HALF_INTEGER:
   case PIPE_CAP_FS_POSITION_IS_SYSVAL:
   case PIPE_CAP_FS_FACE_IS_INTEGER_SYSVAL:
   case PIPE_CAP_TGSI_TEXCOORD:
   /* Constants can be loaded from any byte offset, so Mesa may use std430 packing for uniform
    * blocks with shared or packed layout.
    */
   case PIPE_CAP_LOAD_CONSTBUF:
      return 1;

   /* Textures */
   case PIPE_CAP_ANISOTROPIC_FILTER:
   case PIPE_CAP_GL_CLAMP:
   case PIPE_CAP_TEXRECT:
   case PIPE_CAP_NPOT_TEXTURES:
   case PIPE_CAP_TEXTURE_SWIZZLE:
   case PIPE_CAP_TEXTURE_MIRROR_CLAMP:
   case PIPE_CAP_TEXTURE_MIRROR_CLAMP_TO_EDGE:
   case PIPE_CAP_TEXTURE_FLOAT_LINEAR:
   case PIPE_CAP_TEXTURE_HALF_FLOAT_LINEAR:
   case PIPE_CAP_TEXTURE_SHADOW_MAP:
   case PIPE_CAP_SEAMLESS_CUBE_MAP:
   case PIPE_CAP_SEAMLESS_CUBE_MAP_PER_TEXTURE:
   case PIPE_CAP_CUBE_MAP_ARRAY:
   case PIPE_CAP_TEXTURE_QUERY_LOD:
   case PIPE_CAP_TEXTURE_SHADOW_LOD:
   case PIPE_CAP_TEXTURE_BARRIER:
   case PIPE_CAP_SAMPLER_VIEW_TARGET:
   case PIPE_CAP_TEXTURE_BUFFER_OBJECTS:
   case PIPE_CAP_FRAGMENT_SHADER_TEXTURE_LOD:
   case PIPE_CAP_FRAGMENT_SHADER_DERIVATIVES:
   case PIPE_CAP_FS_FINE_DERIVATIVE:
   case PIPE_CAP_SAMPLER_REDUCTION_MINMAX:
   case PIPE_CAP_SAMPLER_REDUCTION_MINMAX_ARB:
   case PIPE_CAP_BINDLESS_TEXTURE:
      return 1;
   case PIPE_CAP_MAX_TEXTURE_2D_SIZE:
      return 1 << SGPU_MAX_TEXTURE_SIZE_LOG2;
   case PIPE_CAP_MAX_TEXTURE_CUBE_LEVELS:
      return SGPU_MAX_TEXTURE_SIZE_LOG2 + 1;
   case PIPE_CAP_MAX_TEXTURE_3D_LEVELS:
      return SGPU_MAX_3D_SIZE_LOG2 + 1;
   case PIPE_CAP_MAX_TEXTURE_ARRAY_LAYERS:
      return SGPU_LAYOUT_MAX_LAYERS;
   case PIPE_CAP_MAX_TEXTURE_GATHER_COMPONENTS:
      return 4;
   case PIPE_CAP_MIN_TEXTURE_GATHER_OFFSET:
      return -32;
   case PIPE_CAP_MAX_TEXTURE_GATHER_OFFSET:
      return 31;
   case PIPE_CAP_MAX_TEXEL_BUFFER_ELEMENTS_UINT:
      return SGPU_MAX_TEXEL_BUFFER_ELEMENTS;
   case PIPE_CAP_TEXTURE_BUFFER_OFFSET_ALIGNMENT:
      return 16;
   case PIPE_CAP_MAX_TEXTURE_UPLOAD_MEMORY_BUDGET:
      return 64 << 20;

   /* Render targets and pixel operations */
   case PIPE_CAP_MAX_DUAL_SOURCE_RENDER_TARGETS:
      return 1;
   case PIPE_CAP_MAX_RENDER_TARGETS:
      return PIPE_MAX_COLOR_BUFS;
   case PIPE_CAP_MIXED_COLORBUFFER_FORMATS:
   case PIPE_CAP_MIXED_FRAMEBUFFER_SIZES:
   case PIPE_CAP_MIXED_COLOR_DEPTH_BITS:
   case PIPE_CAP_FRAMEBUFFER_NO_ATTACHMENT:
   case PIPE_CAP_BLEND_EQUATION_SEPARATE:
   case PIPE_CAP_INDEP_BLEND_ENABLE:
   case PIPE_CAP_INDEP_BLEND_FUNC:
   case PIPE_CAP_SHADER_STENCIL_EXPORT:
   case PIPE_CAP_DEMOTE_TO_HELPER_INVOCATION:
   case PIPE_CAP_POST_DEPTH_COVERAGE:
   case PIPE_CAP_TEXTURE_MULTISAMPLE:
   case PIPE_CAP_TEXTURE_QUERY_SAMPLES:
   case PIPE_CAP_SAMPLE_SHADING:
   case PIPE_CAP_FORCE_PERSAMPLE_INTERP:
   case PIPE_CAP_PROGRAMMABLE_SAMPLE_LOCATIONS:
   case PIPE_CAP_DEPTH_BOUNDS_TEST:
   case PIPE_CAP_FBFETCH_COHERENT:
   case PIPE_CAP_FBFETCH_ZS:
   case PIPE_CAP_FRAGMENT_SHADER_INTERLOCK:
   case PIPE_CAP_CONSERVATIVE_RASTER_INNER_COVERAGE:
      return 1;
   case PIPE_CAP_FBFETCH: /* number of render targets */
      return PIPE_MAX_COLOR_BUFS;
   case PIPE_CAP_DITHERING:
      return 0;

   /* Primitives */
   case PIPE_CAP_FLATSHADE:
   case PIPE_CAP_CLIP_PLANES:
   case PIPE_CAP_CULL_DISTANCE:
   case PIPE_CAP_POINT_SIZE_FIXED:
   case PIPE_CAP_DEPTH_CLIP_DISABLE:
   case PIPE_CAP_DEPTH_CLIP_DISABLE_SEPARATE:
   case PIPE_CAP_DEPTH_CLAMP_ENABLE:
   case PIPE_CAP_CLIP_HALFZ:
   case PIPE_CAP_POLYGON_OFFSET_CLAMP:
   case PIPE_CAP_POLYGON_OFFSET_UNITS_UNSCALED:
   case PIPE_CAP_PRIMITIVE_RESTART:
   case PIPE_CAP_PRIMITIVE_RESTART_FIXED_INDEX:
   case PIPE_CAP_VS_INSTANCEID:
   case PIPE_CAP_VERTEX_ELEMENT_INSTANCE_DIVISOR:
   case PIPE_CAP_START_INSTANCE:
   case PIPE_CAP_DRAW_PARAMETERS:
   case PIPE_CAP_DRAW_INDIRECT:
   case PIPE_CAP_MULTI_DRAW_INDIRECT:
   case PIPE_CAP_MULTI_DRAW_INDIRECT_PARAMS:
   case PIPE_CAP_QUADS_FOLLOW_PROVOKING_VERTEX_CONVENTION:
      return 1;
   case PIPE_CAP_RASTERIZER_SUBPIXEL_BITS:
      return 8;
   case PIPE_CAP_MAX_VERTEX_BUFFERS:
      return SGPU_MAX_VERTEX_BUFFERS;

   /* Transform feedback */
   case PIPE_CAP_MAX_STREAM_OUTPUT_BUFFERS:
      return PIPE_MAX_SO_BUFFERS;
   case PIPE_CAP_MAX_STREAM_OUTPUT_SEPARATE_COMPONENTS:
   case PIPE_CAP_MAX_STREAM_OUTPUT_INTERLEAVED_COMPONENTS:
      return PIPE_MAX_SO_OUTPUTS; /* in the worst case, each component is a separate output */
   case PIPE_CAP_MAX_VERTEX_STREAMS:
      return PIPE_MAX_VERTEX_STREAMS;
   case PIPE_CAP_STREAM_OUTPUT_PAUSE_RESUME:
   case PIPE_CAP_STREAM_OUTPUT_INTERLEAVE_BUFFERS:
   case PIPE_CAP_QUERY_SO_OVERFLOW:
      return 1;

   /* Tessellation shaders, geometry shaders and layered rendering */
   case PIPE_CAP_MAX_SHADER_PATCH_VARYINGS:
      return SGPU_MAX_PATCH_OUTPUTS - SGPU_NUM_PATCH_NAMES;
   case PIPE_CAP_MAX_GEOMETRY_OUTPUT_VERTICES:
      return SGPU_MAX_GEOMETRY_VERTICES;
   case PIPE_CAP_MAX_GEOMETRY_TOTAL_OUTPUT_COMPONENTS:
      return SGPU_MAX_GEOMETRY_COMPONENTS;
   case PIPE_CAP_MAX_GS_INVOCATIONS:
      return SGPU_MAX_GEOMETRY_INVOCATIONS;
   case PIPE_CAP_MAX_VIEWPORTS:
      return PIPE_MAX_VIEWPORTS;
   case PIPE_CAP_VS_LAYER_VIEWPORT:
   case PIPE_CAP_TES_LAYER_VIEWPORT:
      return 1;

   /* Shaders */
   case PIPE_CAP_GLSL_FEATURE_LEVEL:
   case PIPE_CAP_GLSL_FEATURE_LEVEL_COMPATIBILITY:
      return 460;
   case PIPE_CAP_MAX_VARYINGS:
      return SGPU_MAX_VARYINGS;
   case PIPE_CAP_CONSTANT_BUFFER_OFFSET_ALIGNMENT:
      return 16;
   case PIPE_CAP_DOUBLES:
   case PIPE_CAP_INT64:
   case PIPE_CAP_INT64_DIVMOD:
   case PIPE_CAP_SHADER_ARRAY_COMPONENTS:
   case PIPE_CAP_SHADER_GROUP_VOTE:
   case PIPE_CAP_SHADER_BALLOT:
   case PIPE_CAP_SHADER_CLOCK:
   case PIPE_CAP_GL_SPIRV:
   case PIPE_CAP_GL_SPIRV_VARIABLE_POINTERS:
      return 1;

   /* Storage buffers, images and compute shaders */
   case PIPE_CAP_COMPUTE:
   case PIPE_CAP_IMAGE_LOAD_FORMATTED:
   case PIPE_CAP_IMAGE_STORE_FORMATTED:
   case PIPE_CAP_ATOMIC_FLOAT_MINMAX:
   case PIPE_CAP_IMAGE_ATOMIC_FLOAT_ADD:
   case PIPE_CAP_IMAGE_ATOMIC_INC_WRAP:
      return 1;
   case PIPE_CAP_SHADER_BUFFER_OFFSET_ALIGNMENT:
      return 4;
   case PIPE_CAP_MAX_SHADER_BUFFER_SIZE_UINT:
      return SGPU_MAX_SHADER_BUFFER_SIZE;

   /* Memory and transfers */
   case PIPE_CAP_RESOURCE_FROM_USER_MEMORY:
      return sgpu_winsys_has_user_memory(sgpu_screen(pscreen)->ws);
   case PIPE_CAP_MEMOBJ:
   case PIPE_CAP_CLEAR_SCISSORED:
   case PIPE_CAP_CLEAR_TEXTURE:
   case PIPE_CAP_GENERATE_MIPMAP:
   case PIPE_CAP_INVALIDATE_BUFFER:
   case PIPE_CAP_BUFFER_MAP_PERSISTENT_COHERENT:
   case PIPE_CAP_COPY_BETWEEN_COMPRESSED_AND_PLAIN_FORMATS:
      return 1;
   case PIPE_CAP_MIN_MAP_BUFFER_ALIGNMENT:
      return 64;
   case PIPE_CAP_TEXTURE_TRANSFER_MODES:
      return 0;

   /* Queries and robustness */
   case PIPE_CAP_OCCLUSION_QUERY:
   case PIPE_CAP_CONDITIONAL_RENDER:
   case PIPE_CAP_CONDITIONAL_RENDER_INVERTED:
   case PIPE_CAP_QUERY_TIME_ELAPSED:
   case PIPE_CAP_QUERY_TIMESTAMP:
   case PIPE_CAP_QUERY_PIPELINE_STATISTICS:
   case PIPE_CAP_QUERY_BUFFER_OBJECT:
   case PIPE_CAP_QUERY_MEMORY_INFO:
   case PIPE_CAP_DEVICE_RESET_STATUS_QUERY:
   case PIPE_CAP_ROBUST_BUFFER_ACCESS_BEHAVIOR:
   case PIPE_CAP_STRING_MARKER:
      return 1;

   /* Device properties */
   case PIPE_CAP_ACCELERATED:
      return 0;
   case PIPE_CAP_UMA:
      return 1;
   case PIPE_CAP_VIDEO_MEMORY:
      return sgpu_screen(pscreen)->ws->memory >> 20;
   case PIPE_CAP_PCI_GROUP:
   case PIPE_CAP_PCI_BUS:
   case PIPE_CAP_PCI_DEVICE:
   case PIPE_CAP_PCI_FUNCTION:
      return 0;

   default:
      return u_pipe_screen_get_param_defaults(pscreen, param);
   }
}

static float
sgpu_get_paramf(struct pipe_screen *pscreen, enum pipe_capf param)
{
   switch (param) {
   case PIPE_CAPF_MIN_LINE_WIDTH:
   case PIPE_CAPF_MIN_LINE_WIDTH_AA:
   case PIPE_CAPF_MIN_POINT_SIZE:
   case PIPE_CAPF_MIN_POINT_SIZE_AA:
      return 1.0f;
   case PIPE_CAPF_LINE_WIDTH_GRANULARITY:
   case PIPE_CAPF_POINT_SIZE_GRANULARITY:
      return 0.125f;
   case PIPE_CAPF_MAX_LINE_WIDTH:
   case PIPE_CAPF_MAX_LINE_WIDTH_AA:
      return SGPU_MAX_LINE_WIDTH;
   case PIPE_CAPF_MAX_POINT_SIZE:
   case PIPE_CAPF_MAX_POINT_SIZE_AA:
      return SGPU_MAX_POINT_SIZE;
   case PIPE_CAPF_MAX_TEXTURE_LOD_BIAS:
      return 16.0f;
   case PIPE_CAPF_MAX_TEXTURE_ANISOTROPY:
      return 16.0f;
   case PIPE_CAPF_MIN_CONSERVATIVE_RASTER_DILATE:
   case PIPE_CAPF_MAX_CONSERVATIVE_RASTER_DILATE:
   case PIPE_CAPF_CONSERVATIVE_RASTER_DILATE_GRANULARITY:
      return 0.0f;
   }
   unreachable("bad PIPE_CAPF_*");
}

void
sgpu_caps_init(struct pipe_screen *pscreen)
{
   pscreen->get_param = sgpu_get_param;
   pscreen->get_paramf = sgpu_get_paramf;
}
