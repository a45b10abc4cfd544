/* SPDX-License-Identifier: MIT */
/* Capabilities of the shader stages and of compute shaders, as structures.  The members have the
 * names of Gallium's caps.
 */
#ifndef SGPU_CAPS_H
#define SGPU_CAPS_H

#include <stdbool.h>
#include <stdint.h>

/* number of invocations in a warp, which is a subgroup */
#define SGPU_WARP_SIZE 32

struct pipe_screen;

/* Capabilities of one shader stage. */
struct sgpu_stage_caps {
   unsigned max_instructions, max_alu_instructions, max_tex_instructions;
   unsigned max_tex_indirections;    /* maximum length of a chain of dependent texture lookups */
   unsigned max_control_flow_depth;  /* maximum nesting of conditionals and loops */
   unsigned max_inputs, max_outputs; /* maximum number of vectors */
   unsigned max_temps;               /* maximum number of temporary vectors */
   unsigned max_const_buffer0_size;  /* maximum size of the uniforms in bytes */
   unsigned max_const_buffers;       /* number of banks, including the bank of the uniforms */
   unsigned max_texture_samplers, max_sampler_views;
   unsigned max_shader_buffers, max_shader_images;
   unsigned supported_irs; /* bitmask of 1 << enum pipe_shader_ir */
   bool cont_supported;    /* set if loops may have `continue` */
   bool indirect_temp_addr, indirect_const_addr;
   bool integers;
};

/* Capabilities of compute shaders.  Sizes are in bytes. */
struct sgpu_compute_caps {
   unsigned address_bits;
   unsigned grid_dimension;
   unsigned max_grid_size[3];      /* maximum number of workgroups */
   unsigned max_block_size[3];     /* maximum number of invocations in a workgroup, per dimension */
   unsigned max_threads_per_block; /* maximum number of invocations in a workgroup */
   unsigned max_variable_threads_per_block; /* same, if the size isn't known at compile time */
   unsigned max_local_size;                 /* maximum size of shared memory */
   unsigned max_private_size;               /* maximum size of scratch memory */
   unsigned max_compute_units;
   unsigned subgroup_sizes; /* bitmask of supported sizes */
   uint64_t max_mem_alloc_size, max_global_size;
   bool images_supported;
};

/* sgpu_caps_stage.c */
/* Fills in the capabilities of stages and compute shaders.  Must be called before
 * sgpu_caps_init().
 */
void sgpu_caps_stage_init(struct pipe_screen *screen);
/* sgpu_caps.c */
/* Fills in pipe_screen::caps.  Must be called after all functions of the screen are set, because
 * some capabilities depend on them.
 */
void sgpu_caps_init(struct pipe_screen *screen);

#endif
