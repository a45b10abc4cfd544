/* SPDX-License-Identifier: MIT */
/*
 * Compiles GLSL to assembly without a GL context, with Mesa's stand-alone front end, the state
 * tracker's lowering of NIR, and the compiler.
 *
 * Usage: glslc [--version N] [--debug MASK] [--nir] FILE.vert|FILE.frag...
 * Each file is a separate program; with --link, all files form one program.
 */

#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>

#include "compiler/nir/nir.h"
#include "compiler/glsl/gl_nir.h"
#include "compiler/glsl/gl_nir_linker.h"
#include "glslc_link.h"
#include "main/mtypes.h"
#include "main/shader_types.h"
#include "sgpu_compiler.h"

static int
type_size(const struct glsl_type *type, bool bindless)
{
   return glsl_count_vec4_slots(type, false, bindless);
}

/* Numbers textures and samplers in order. */
static void
number_samplers(nir_shader *nir)
{
   unsigned next = 0;

   nir_foreach_uniform_variable(var, nir) {
      if (!glsl_type_is_sampler(glsl_without_array(var->type)))
         continue;
      var->data.binding = next;
      next += glsl_type_is_array(var->type) ? glsl_get_aoa_size(var->type) : 1;
   }
}

static void
lower_as_state_tracker(nir_shader *nir, struct gl_shader_program *prog)
{
   NIR_PASS(_, nir, gl_nir_lower_buffers, prog);
   NIR_PASS(_, nir, nir_lower_system_values);
   NIR_PASS(_, nir, gl_nir_lower_atomics, prog, true);
   NIR_PASS(_, nir, nir_lower_atomics_to_ssbo, 0);
   gl_nir_opts(nir);
   nir_assign_var_locations(nir, nir_var_uniform, &nir->num_uniforms, type_size);
   NIR_PASS(_, nir, nir_lower_io, nir_var_uniform, type_size, (nir_lower_io_options)0);
   number_samplers(nir);
   NIR_PASS(_, nir, nir_lower_samplers);
   NIR_PASS(_, nir, gl_nir_lower_images, false);
   sgpu_finalize_nir(nir);
}

static int
compile(int version, unsigned num_files, char **files, unsigned debug)
{
   static struct gl_context ctx;
   struct gl_shader_program *prog = glslc_link(&ctx, version, &sgpu_nir_options, num_files, files);
   int status = 0;

   if (!prog)
      return 1;
   for (unsigned stage = 0; stage < MESA_SHADER_STAGES; stage++) {
      if (!prog->_LinkedShaders[stage])
         continue;
      nir_shader *nir = prog->_LinkedShaders[stage]->Program->nir;
      const struct sgpu_shader_key key = { false };
      const char *error = NULL;
      lower_as_state_tracker(nir, prog);

      struct sgpu_shader *shader = sgpu_compile(NULL, nir, &key, debug, &error);
      if (!shader) {
         fprintf(stderr, "%s: %s\n", files[0], error);
         status = 1;
      }
      ralloc_free(shader);
   }
   return status;
}

int
main(int argc, char **argv)
{
   static const struct option long_options[] = {
      { "version", required_argument, NULL, 'v' },
      { "debug", required_argument, NULL, 'd' },
      { "nir", no_argument, NULL, 'n' },
      { "link", no_argument, NULL, 'l' },
      { NULL, 0, NULL, 0 },
   };
   unsigned debug = SGPU_COMPILER_ASM | SGPU_COMPILER_VALIDATE;
   int version = 120, status = 0, c;
   bool link = false;

   while ((c = getopt_long(argc, argv, "", long_options, NULL)) >= 0) {
      switch (c) {
      case 'v':
         version = atoi(optarg);
         break;
      case 'd':
         debug = strtoul(optarg, NULL, 0) | SGPU_COMPILER_VALIDATE;
         break;
      case 'n':
         debug |= SGPU_COMPILER_NIR;
         break;
      case 'l':
         link = true;
         break;
      default:
         return 2;
      }
   }
   glsl_type_singleton_init_or_ref();
   if (link)
      return compile(version, argc - optind, argv + optind, debug);
   for (int i = optind; i < argc; i++)
      status |= compile(version, 1, argv + i, debug);
   return status;
}
