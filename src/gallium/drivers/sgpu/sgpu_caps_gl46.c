/* SPDX-License-Identifier: MIT */
/*
 * Capabilities that SGPU_DEBUG=gl46 adds, a block for each feature.
 */
#include "sgpu_caps.h"

#include "sgpu_debug.h"
#include "sgpu_isa.h"
#include "sgpu_screen.h"

static bool
offered(struct pipe_screen *pscreen)
{
   return sgpu_screen(pscreen)->debug & SGPU_DEBUG_GL46;
}

int
sgpu_gl46_param(struct pipe_screen *pscreen, enum pipe_cap param)
{
   if (!offered(pscreen))
      return -1;

   switch (param) {
   case PIPE_CAP_GLSL_FEATURE_LEVEL:
   case PIPE_CAP_GLSL_FEATURE_LEVEL_COMPATIBILITY:
      return 460;

      /* storage buffers, images, compute */
   case PIPE_CAP_COMPUTE:
   case PIPE_CAP_IMAGE_LOAD_FORMATTED:
   case PIPE_CAP_IMAGE_STORE_FORMATTED:
   case PIPE_CAP_IMAGE_ATOMIC_FLOAT_ADD:
   case PIPE_CAP_IMAGE_ATOMIC_INC_WRAP:
      return 1;
   case PIPE_CAP_SHADER_BUFFER_OFFSET_ALIGNMENT:
      return 4;
   case PIPE_CAP_MAX_SHADER_BUFFER_SIZE_UINT:
      return SGPU_MAX_SHADER_BUFFER_SIZE;

      /* tessellation */
   case PIPE_CAP_MAX_SHADER_PATCH_VARYINGS:
      return SGPU_MAX_PATCH_OUTPUTS - SGPU_NUM_PATCH_NAMES;

      /* 64 bits */
   case PIPE_CAP_DOUBLES:
   case PIPE_CAP_INT64:
   case PIPE_CAP_INT64_DIVMOD:
      return 1;
   /* A dvec4 has eight. */
   case PIPE_CAP_MAX_STREAM_OUTPUT_SEPARATE_COMPONENTS:
      return PIPE_MAX_SO_OUTPUTS;

      /* pixel operations */
   case PIPE_CAP_FBFETCH: /* number of targets */
      return PIPE_MAX_COLOR_BUFS;
   case PIPE_CAP_DEPTH_BOUNDS_TEST:
   case PIPE_CAP_FBFETCH_COHERENT:
   case PIPE_CAP_FBFETCH_ZS:
   case PIPE_CAP_FRAGMENT_SHADER_INTERLOCK:
   case PIPE_CAP_CONSERVATIVE_RASTER_INNER_COVERAGE:
   case PIPE_CAP_PROGRAMMABLE_SAMPLE_LOCATIONS:
      return 1;

      /* subgroups, bindless textures, SPIR-V */
   case PIPE_CAP_SHADER_ARRAY_COMPONENTS:
   case PIPE_CAP_BINDLESS_TEXTURE:
   case PIPE_CAP_MEMOBJ:
   case PIPE_CAP_SHADER_GROUP_VOTE:
   case PIPE_CAP_SHADER_BALLOT:
   case PIPE_CAP_SHADER_CLOCK:
   case PIPE_CAP_SAMPLER_REDUCTION_MINMAX:
   case PIPE_CAP_SAMPLER_REDUCTION_MINMAX_ARB:
   case PIPE_CAP_GL_SPIRV:
   case PIPE_CAP_GL_SPIRV_VARIABLE_POINTERS:
      return 1;

   default:
      return -1;
   }
}

bool
sgpu_gl46_has_stage(struct pipe_screen *pscreen, enum pipe_shader_type stage)
{
   return offered(pscreen) && (stage == PIPE_SHADER_COMPUTE || stage == PIPE_SHADER_TESS_CTRL ||
                               stage == PIPE_SHADER_TESS_EVAL);
}

int
sgpu_gl46_shader_param(struct pipe_screen *pscreen, enum pipe_shader_type stage,
                       enum pipe_shader_cap param)
{
   if (!offered(pscreen))
      return -1;

   switch (param) {
      /* of atomic counters, too: Mesa gives them half of the buffers */
   case PIPE_SHADER_CAP_MAX_SHADER_BUFFERS:
      return SGPU_STAGE_BUFFERS;
   case PIPE_SHADER_CAP_MAX_SHADER_IMAGES:
      return SGPU_STAGE_IMAGES;

      /* 64 bits */
   case PIPE_SHADER_CAP_DROUND_SUPPORTED:
   case PIPE_SHADER_CAP_DFRACEXP_DLDEXP_SUPPORTED:
      return 1;

   default:
      return -1;
   }
}
