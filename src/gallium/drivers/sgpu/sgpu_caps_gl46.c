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
   case PIPE_CAP_DOUBLES:
   case PIPE_CAP_INT64:
   case PIPE_CAP_INT64_DIVMOD:
      return 1;
   /* A dvec4 has eight. */
   case PIPE_CAP_MAX_STREAM_OUTPUT_SEPARATE_COMPONENTS:
      return PIPE_MAX_SO_OUTPUTS;

      /* pixel operations */

      /* subgroups, bindless textures, SPIR-V */

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
      /* 64 bits */
   case PIPE_SHADER_CAP_DROUND_SUPPORTED:
   case PIPE_SHADER_CAP_DFRACEXP_DLDEXP_SUPPORTED:
      return 1;

   default:
      return -1;
   }
}
