/* SPDX-License-Identifier: MIT */
/* Checks the number of per-patch varying vectors, because Mesa's linker does not check it (see
 * docs/dri.md).
 */
#include "compiler/glsl/gl_nir_link_varyings.h"
#include "compiler/glsl/linker_util.h"
#include "compiler/glsl_types.h"
#include "compiler/nir/nir.h"
#include "main/config.h"
#include "main/mtypes.h"

bool __real_gl_nir_link_varyings(const struct gl_constants *consts,
                                 const struct gl_extensions *exts, gl_api api,
                                 struct gl_shader_program *prog);
bool __wrap_gl_nir_link_varyings(const struct gl_constants *consts,
                                 const struct gl_extensions *exts, gl_api api,
                                 struct gl_shader_program *prog);

/* Returns true if the linker has placed all per-patch varyings below location MAX_VARYING.  Later
 * passes of Mesa use tables with MAX_VARYING entries.
 */
static bool
patch_varyings_fit(const struct gl_shader_program *prog, gl_shader_stage stage,
                   nir_variable_mode mode)
{
   const struct gl_linked_shader *shader = prog->_LinkedShaders[stage];

   if (!shader)
      return true;
   nir_foreach_variable_with_modes(var, shader->Program->nir, mode) {
      if (!var->data.patch || var->data.location < VARYING_SLOT_PATCH0)
         continue;
      const unsigned first = var->data.location - VARYING_SLOT_PATCH0;
      if (first + glsl_count_attribute_slots(var->type, false) > MAX_VARYING)
         return false;
   }
   return true;
}

/* GL 4.6, section 11.2.1.2, allows the link to fail if there are too many per-patch components. */
bool
__wrap_gl_nir_link_varyings(const struct gl_constants *consts, const struct gl_extensions *exts,
                            gl_api api, struct gl_shader_program *prog)
{
   if (!__real_gl_nir_link_varyings(consts, exts, api, prog))
      return false;
   if (patch_varyings_fit(prog, MESA_SHADER_TESS_CTRL, nir_var_shader_out) &&
       patch_varyings_fit(prog, MESA_SHADER_TESS_EVAL, nir_var_shader_in))
      return true;
   linker_error(prog, "too many per-patch varyings: they take more than %u vectors\n", MAX_VARYING);
   return false;
}
