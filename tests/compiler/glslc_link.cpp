/* SPDX-License-Identifier: MIT */
/*
 * Mesa's stand-alone GLSL compiler and linker, with the NIR options of the driver.
 */

#include <string.h>

#include "compiler/glsl/gl_nir_linker.h"
#include "compiler/glsl/glsl_parser_extras.h"
#include "compiler/glsl/linker_util.h"
#include "compiler/glsl/standalone.h"
#include "compiler/glsl/standalone_scaffolding.h"
#include "glslc_link.h"
#include "main/mtypes.h"
#include "main/shader_types.h"
#include "util/os_file.h"

static const struct {
   const char *extension;
   GLenum type;
} stages[] = {
   { ".vert", GL_VERTEX_SHADER },          { ".tesc", GL_TESS_CONTROL_SHADER },
   { ".tese", GL_TESS_EVALUATION_SHADER }, { ".geom", GL_GEOMETRY_SHADER },
   { ".frag", GL_FRAGMENT_SHADER },        { ".comp", GL_COMPUTE_SHADER },
};

static bool
compile(struct gl_context *ctx, struct gl_shader_program *prog, const char *file)
{
   const char *extension = strrchr(file, '.');
   const char *source = os_read_file(file, NULL);

   for (unsigned i = 0; source && extension && i < ARRAY_SIZE(stages); i++) {
      if (strcmp(stages[i].extension, extension))
         continue;
      struct gl_shader *shader = standalone_add_shader_source(ctx, prog, stages[i].type, source);
      _mesa_glsl_compile_shader(ctx, shader, NULL, false, false, true);
      if (shader->InfoLog)
         printf("%s", shader->InfoLog);
      return shader->CompileStatus == COMPILE_SUCCESS;
   }
   printf("%s: cannot be read, or has an unknown extension\n", file);
   return false;
}

struct gl_shader_program *
glslc_link(struct gl_context *ctx, int version, const struct nir_shader_compiler_options *options,
           unsigned num_files, char **files)
{
   /* Mesa keeps a pointer to these options. */
   static struct standalone_options standalone;

   /* Without files, this only initializes the context, whose NIR options are Mesa's. */
   standalone.glsl_version = version;
   standalone.just_log = true;
   struct gl_shader_program *prog = standalone_compile_shader(&standalone, 0, NULL, ctx);
   if (!prog)
      return NULL;
   for (unsigned stage = 0; stage < MESA_SHADER_STAGES; stage++) {
      ctx->Const.ShaderCompilerOptions[stage].NirOptions = options;
      ctx->Const.Program[stage].MaxImageUniforms = 8;
      ctx->Const.Program[stage].MaxShaderStorageBlocks = 8;
      ctx->Const.Program[stage].MaxAtomicBuffers = 8;
      ctx->Const.Program[stage].MaxAtomicCounters = 8;
      ctx->Const.Program[stage].MaxUniformBlocks = 14;
      ctx->Const.Program[stage].MaxUniformComponents = 4096;
      ctx->Const.Program[stage].MaxCombinedUniformComponents = 4 * 65536;
   }
   ctx->Const.MaxCombinedUniformBlocks = 70;
   ctx->Const.MaxUniformBufferBindings = 70;
   ctx->Const.MaxUniformBlockSize = 65536;
   ctx->Const.MaxImageUnits = 8;
   ctx->Const.MaxCombinedShaderStorageBlocks = 8;
   ctx->Const.MaxShaderStorageBufferBindings = 8;
   ctx->Const.MaxShaderStorageBlockSize = 1 << 27;
   ctx->Const.MaxCombinedAtomicBuffers = 8;
   ctx->Const.MaxCombinedAtomicCounters = 8;
   ctx->Const.MaxAtomicBufferBindings = 8;
   ctx->Const.MaxAtomicBufferSize = 4096;
   ctx->Const.MaxCombinedImageUniforms = 8;
   ctx->Const.MaxCombinedShaderOutputResources = 32;
   ctx->Const.MaxGeometryShaderInvocations = 32;
   /* Without a stage before it, a shader would have no inputs. */
   prog->SeparateShader = num_files == 1;

   for (unsigned i = 0; i < num_files; i++) {
      if (!compile(ctx, prog, files[i]))
         return NULL;
   }
   _mesa_clear_shader_program_data(ctx, prog);
   prog->data->LinkStatus = LINKING_SUCCESS;
   link_shaders_init(ctx, prog);
   gl_nir_link_glsl(ctx, prog);
   if (prog->data->InfoLog)
      printf("%s", prog->data->InfoLog);
   return prog->data->LinkStatus ? prog : NULL;
}
