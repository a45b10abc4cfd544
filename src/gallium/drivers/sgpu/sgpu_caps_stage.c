/* SPDX-License-Identifier: MIT */
/* Capabilities of the shader stages and of compute shaders. */
#include "sgpu_screen.h"

#include <string.h>

#include "pipe/p_defines.h"

#include "compiler/sgpu_compiler.h"
#include "sgpu_isa.h"

/* Maximum number of uniform vectors.  Uniforms that don't fit into CONST registers are loaded from
 * memory.
 */
#define MAX_UNIFORM_VECTORS 4096

static int
sgpu_get_shader_param(struct pipe_screen *pscreen, enum pipe_shader_type stage,
                      enum pipe_shader_cap param)
{
   const bool vertex = stage == PIPE_SHADER_VERTEX, pixel = stage == PIPE_SHADER_FRAGMENT;

   if (stage >= PIPE_SHADER_TYPES)
      return 0;

   switch (param) {
   case PIPE_SHADER_CAP_MAX_INSTRUCTIONS:
   case PIPE_SHADER_CAP_MAX_ALU_INSTRUCTIONS:
   case PIPE_SHADER_CAP_MAX_TEX_INSTRUCTIONS:
   case PIPE_SHADER_CAP_MAX_TEX_INDIRECTIONS:
      return 65536;
   case PIPE_SHADER_CAP_MAX_CONTROL_FLOW_DEPTH:
      return 64;
   case PIPE_SHADER_CAP_MAX_INPUTS:
      return vertex ? 16 : 32;
   case PIPE_SHADER_CAP_MAX_OUTPUTS:
      return pixel ? PIPE_MAX_COLOR_BUFS : 32;
   case PIPE_SHADER_CAP_MAX_TEMPS:
      return 256;
   case PIPE_SHADER_CAP_MAX_CONST_BUFFER0_SIZE:
      return MAX_UNIFORM_VECTORS * 16;
   case PIPE_SHADER_CAP_MAX_CONST_BUFFERS:
      return SGPU_STAGE_BANKS;
   case PIPE_SHADER_CAP_MAX_TEXTURE_SAMPLERS:
   case PIPE_SHADER_CAP_MAX_SAMPLER_VIEWS:
      return SGPU_STAGE_SAMPLERS;
   /* Mesa uses half of these buffers for atomic counters. */
   case PIPE_SHADER_CAP_MAX_SHADER_BUFFERS:
      return SGPU_STAGE_BUFFERS;
   case PIPE_SHADER_CAP_MAX_SHADER_IMAGES:
      return SGPU_STAGE_IMAGES;
   case PIPE_SHADER_CAP_CONT_SUPPORTED:
   case PIPE_SHADER_CAP_INDIRECT_INPUT_ADDR:
   case PIPE_SHADER_CAP_INDIRECT_OUTPUT_ADDR:
   case PIPE_SHADER_CAP_INDIRECT_TEMP_ADDR:
   case PIPE_SHADER_CAP_INDIRECT_CONST_ADDR:
   case PIPE_SHADER_CAP_INTEGERS:
   case PIPE_SHADER_CAP_DROUND_SUPPORTED:
   case PIPE_SHADER_CAP_DFRACEXP_DLDEXP_SUPPORTED:
      return 1;
   case PIPE_SHADER_CAP_PREFERRED_IR:
      return PIPE_SHADER_IR_NIR;
   case PIPE_SHADER_CAP_SUPPORTED_IRS:
      return 1 << PIPE_SHADER_IR_NIR;
   default:
      return 0;
   }
}

/* Handles compute caps whose value is a uint32_t.  Returns the size of the value in bytes, or 0 for
 * all other caps.
 */
static int
sgpu_get_compute_word(struct pipe_screen *pscreen, enum pipe_compute_cap param, uint32_t *ret)
{
   uint32_t value;

   switch (param) {
   case PIPE_COMPUTE_CAP_ADDRESS_BITS:
   case PIPE_COMPUTE_CAP_SUBGROUP_SIZE:
      value = 32;
      break;
   case PIPE_COMPUTE_CAP_IMAGES_SUPPORTED:
      value = 1;
      break;
   case PIPE_COMPUTE_CAP_MAX_COMPUTE_UNITS:
      value = sgpu_device_get_param(sgpu_screen(pscreen)->ws->dev, SGPU_PARAM_THREADS);
      break;
   default:
      return 0;
   }
   if (ret)
      *ret = value;
   return 4;
}

/* Returns the size of the value in bytes, or 0 for an unknown cap. */
static int
sgpu_get_compute_param(struct pipe_screen *pscreen, enum pipe_shader_ir ir,
                       enum pipe_compute_cap param, void *ret)
{
   uint64_t value[3] = { 0 };
   unsigned size = 8;

   switch (param) {
   case PIPE_COMPUTE_CAP_GRID_DIMENSION:
      value[0] = 3;
      break;
   case PIPE_COMPUTE_CAP_MAX_GRID_SIZE:
      value[0] = value[1] = value[2] = 65535;
      size = 24;
      break;
   case PIPE_COMPUTE_CAP_MAX_BLOCK_SIZE:
      value[0] = value[1] = value[2] = SGPU_MAX_GROUP_SIZE;
      size = 24;
      break;
   case PIPE_COMPUTE_CAP_MAX_THREADS_PER_BLOCK:
   case PIPE_COMPUTE_CAP_MAX_VARIABLE_THREADS_PER_BLOCK:
      value[0] = SGPU_MAX_GROUP_SIZE;
      break;
   case PIPE_COMPUTE_CAP_MAX_LOCAL_SIZE:
      value[0] = SGPU_MAX_SHARED_SIZE;
      break;
   case PIPE_COMPUTE_CAP_MAX_PRIVATE_SIZE:
      value[0] = SGPU_MAX_SCRATCH;
      break;
   case PIPE_COMPUTE_CAP_MAX_GLOBAL_SIZE:
   case PIPE_COMPUTE_CAP_MAX_MEM_ALLOC_SIZE:
      value[0] = SGPU_MAX_SHADER_BUFFER_SIZE;
      break;
   default:
      return sgpu_get_compute_word(pscreen, param, ret);
   }
   if (ret)
      memcpy(ret, value, size);
   return size;
}

void
sgpu_caps_stage_init(struct pipe_screen *pscreen)
{
   pscreen->get_shader_param = sgpu_get_shader_param;
   pscreen->get_compute_param = sgpu_get_compute_param;
}
