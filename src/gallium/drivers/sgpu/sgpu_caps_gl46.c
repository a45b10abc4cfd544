/* SPDX-License-Identifier: MIT */
/*
 * Capabilities that SGPU_DEBUG=gl46 adds, a block for each feature.
 */
#include "sgpu_caps.h"

#include "sgpu_debug.h"
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

      /* tessellation */

      /* 64 bits */

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
   case PIPE_CAP_SHADER_GROUP_VOTE:
   case PIPE_CAP_SHADER_BALLOT:
   case PIPE_CAP_SHADER_CLOCK:
   case PIPE_CAP_GL_SPIRV:
   case PIPE_CAP_GL_SPIRV_VARIABLE_POINTERS:
      return 1;

   default:
      return -1;
   }
}

int
sgpu_gl46_shader_param(struct pipe_screen *pscreen, enum pipe_shader_type stage,
                       enum pipe_shader_cap param)
{
   if (!offered(pscreen))
      return -1;

   switch (param) {
   default:
      return -1;
   }
}
