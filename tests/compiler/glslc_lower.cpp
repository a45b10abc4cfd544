/* SPDX-License-Identifier: MIT */
/*
 * The state tracker's lowering of GLSL's own representation, before NIR.
 */

#include "compiler/glsl/ir.h"
#include "compiler/glsl/ir_optimization.h"
#include "glslc_lower.h"
#include "main/mtypes.h"
#include "main/shader_types.h"

void
glslc_lower_ir(struct gl_linked_shader *shader)
{
   exec_list *ir = shader->ir;

   do_mat_op_to_vec(ir);
   lower_instructions(ir, false, false, false, false, false);
   do_vec_index_to_cond_assign(ir);
   lower_vector_insert(ir, true);
}
