/* SPDX-License-Identifier: MIT */
/* Capabilities of the shader stages and of compute shaders. */
#include "sgpu_caps.h"

#include <string.h>

#include "pipe/p_defines.h"

#include "compiler/sgpu_compiler.h"
#include "sgpu_isa.h"
#include "sgpu_screen.h"
#include "sgpu_stage.h"

/* Maximum number of uniform vectors.  Uniforms that don't fit into CONST registers are loaded from
 * memory.
 */
#define MAX_UNIFORM_VECTORS 4096

static void
init_stage(struct sgpu_stage_caps *caps, enum sgpu_stage_index s)
{
   *caps = (struct sgpu_stage_caps){
      .max_instructions = 65536,
      .max_alu_instructions = 65536,
      .max_tex_instructions = 65536,
      .max_tex_indirections = 65536,
      .max_control_flow_depth = 64,
      .max_inputs = s == SGPU_VS ? 16 : 32,
      .max_outputs = s == SGPU_FS ? PIPE_MAX_COLOR_BUFS : 32,
      .max_temps = 256,
      .max_const_buffer0_size = MAX_UNIFORM_VECTORS * 16,
      .max_const_buffers = SGPU_STAGE_BANKS,
      .max_texture_samplers = SGPU_STAGE_SAMPLERS,
      .max_sampler_views = SGPU_STAGE_SAMPLERS,
      /* Mesa uses half of these buffers for atomic counters. */
      .max_shader_buffers = SGPU_STAGE_BUFFERS,
      .max_shader_images = SGPU_STAGE_IMAGES,
      .supported_irs = 1 << PIPE_SHADER_IR_NIR,
      .cont_supported = true,
      .indirect_temp_addr = true,
      .indirect_const_addr = true,
      .integers = true,
   };
}

static void
init_compute(struct sgpu_compute_caps *caps, const struct sgpu_winsys *ws)
{
   *caps = (struct sgpu_compute_caps){
      .address_bits = 32,
      .grid_dimension = 3,
      .max_grid_size = { 65535, 65535, 65535 },
      .max_block_size = { SGPU_MAX_GROUP_SIZE, SGPU_MAX_GROUP_SIZE, SGPU_MAX_GROUP_SIZE },
      .max_threads_per_block = SGPU_MAX_GROUP_SIZE,
      .max_variable_threads_per_block = SGPU_MAX_GROUP_SIZE,
      .max_local_size = SGPU_MAX_SHARED_SIZE,
      .max_private_size = SGPU_MAX_SCRATCH,
      .max_compute_units = sgpu_device_get_param(ws->dev, SGPU_PARAM_THREADS),
      .subgroup_sizes = SGPU_WARP_SIZE,
      .max_mem_alloc_size = SGPU_MAX_SHADER_BUFFER_SIZE,
      .max_global_size = SGPU_MAX_SHADER_BUFFER_SIZE,
      .images_supported = true,
   };
}

static int
sgpu_get_shader_param(struct pipe_screen *pscreen, enum pipe_shader_type shader,
                      enum pipe_shader_cap param)
{
   const int s = sgpu_stage_index(shader);

   if (s < 0)
      return 0;
   const struct sgpu_stage_caps *caps = &sgpu_screen(pscreen)->stage_caps[s];

   switch (param) {
   case PIPE_SHADER_CAP_MAX_INSTRUCTIONS:
      return caps->max_instructions;
   case PIPE_SHADER_CAP_MAX_ALU_INSTRUCTIONS:
      return caps->max_alu_instructions;
   case PIPE_SHADER_CAP_MAX_TEX_INSTRUCTIONS:
      return caps->max_tex_instructions;
   case PIPE_SHADER_CAP_MAX_TEX_INDIRECTIONS:
      return caps->max_tex_indirections;
   case PIPE_SHADER_CAP_MAX_CONTROL_FLOW_DEPTH:
      return caps->max_control_flow_depth;
   case PIPE_SHADER_CAP_MAX_INPUTS:
      return caps->max_inputs;
   case PIPE_SHADER_CAP_MAX_OUTPUTS:
      return caps->max_outputs;
   case PIPE_SHADER_CAP_MAX_TEMPS:
      return caps->max_temps;
   case PIPE_SHADER_CAP_MAX_CONST_BUFFER0_SIZE:
      return caps->max_const_buffer0_size;
   case PIPE_SHADER_CAP_MAX_CONST_BUFFERS:
      return caps->max_const_buffers;
   case PIPE_SHADER_CAP_MAX_TEXTURE_SAMPLERS:
      return caps->max_texture_samplers;
   case PIPE_SHADER_CAP_MAX_SAMPLER_VIEWS:
      return caps->max_sampler_views;
   case PIPE_SHADER_CAP_MAX_SHADER_BUFFERS:
      return caps->max_shader_buffers;
   case PIPE_SHADER_CAP_MAX_SHADER_IMAGES:
      return caps->max_shader_images;
   case PIPE_SHADER_CAP_SUPPORTED_IRS:
      return caps->supported_irs;
   case PIPE_SHADER_CAP_CONT_SUPPORTED:
      return caps->cont_supported;
   case PIPE_SHADER_CAP_INDIRECT_TEMP_ADDR:
      return caps->indirect_temp_addr;
   case PIPE_SHADER_CAP_INDIRECT_CONST_ADDR:
      return caps->indirect_const_addr;
   case PIPE_SHADER_CAP_INTEGERS:
      return caps->integers;
   default:
      return 0;
   }
}

/* Stores the value of a compute cap with the type that Gallium documents for the cap, which is
 * uint32_t or up to three uint64_t.  Returns the size of the value in bytes.
 */
static int
store32(void *ret, uint32_t value)
{
   if (ret)
      memcpy(ret, &value, sizeof value);
   return sizeof value;
}

static int
store64(void *ret, uint64_t value)
{
   if (ret)
      memcpy(ret, &value, sizeof value);
   return sizeof value;
}

static int
store_size(void *ret, const unsigned size[3])
{
   const uint64_t value[3] = { size[0], size[1], size[2] };

   if (ret)
      memcpy(ret, value, sizeof value);
   return sizeof value;
}

/* Returns the size of the value in bytes, or 0 for an unknown cap. */
static int
sgpu_get_compute_param(struct pipe_screen *pscreen, enum pipe_shader_ir ir,
                       enum pipe_compute_cap param, void *ret)
{
   const struct sgpu_compute_caps *caps = &sgpu_screen(pscreen)->compute_caps;

   switch (param) {
   case PIPE_COMPUTE_CAP_ADDRESS_BITS:
      return store32(ret, caps->address_bits);
   case PIPE_COMPUTE_CAP_GRID_DIMENSION:
      return store64(ret, caps->grid_dimension);
   case PIPE_COMPUTE_CAP_MAX_GRID_SIZE:
      return store_size(ret, caps->max_grid_size);
   case PIPE_COMPUTE_CAP_MAX_BLOCK_SIZE:
      return store_size(ret, caps->max_block_size);
   case PIPE_COMPUTE_CAP_MAX_THREADS_PER_BLOCK:
      return store64(ret, caps->max_threads_per_block);
   case PIPE_COMPUTE_CAP_MAX_VARIABLE_THREADS_PER_BLOCK:
      return store64(ret, caps->max_variable_threads_per_block);
   case PIPE_COMPUTE_CAP_MAX_LOCAL_SIZE:
      return store64(ret, caps->max_local_size);
   case PIPE_COMPUTE_CAP_MAX_PRIVATE_SIZE:
      return store64(ret, caps->max_private_size);
   case PIPE_COMPUTE_CAP_MAX_GLOBAL_SIZE:
      return store64(ret, caps->max_global_size);
   case PIPE_COMPUTE_CAP_MAX_MEM_ALLOC_SIZE:
      return store64(ret, caps->max_mem_alloc_size);
   case PIPE_COMPUTE_CAP_MAX_COMPUTE_UNITS:
      return store32(ret, caps->max_compute_units);
   case PIPE_COMPUTE_CAP_IMAGES_SUPPORTED:
      return store32(ret, caps->images_supported);
   case PIPE_COMPUTE_CAP_SUBGROUP_SIZES:
      return store32(ret, caps->subgroup_sizes);
   default:
      return 0;
   }
}

void
sgpu_caps_stage_init(struct pipe_screen *pscreen)
{
   struct sgpu_screen *screen = sgpu_screen(pscreen);

   for (unsigned s = 0; s < SGPU_NUM_STAGES; s++)
      init_stage(&screen->stage_caps[s], s);
   init_compute(&screen->compute_caps, screen->ws);
   pscreen->get_shader_param = sgpu_get_shader_param;
   pscreen->get_compute_param = sgpu_get_compute_param;
}
