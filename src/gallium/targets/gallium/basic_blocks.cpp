/* SPDX-License-Identifier: MIT */
/*
 * Makes basic blocks of GLSL IR end at barriers, so that Mesa's passes do not move loads across
 * barrier() (see docs/dri.md).
 */
#include "compiler/glsl/ir.h"

typedef void (*block_callback)(ir_instruction *first, ir_instruction *last, void *data);

/* call_for_basic_blocks(exec_list *, block_callback, void *) */
#define WRAP __wrap__Z21call_for_basic_blocksP9exec_listPFvP14ir_instructionS2_PvES3_
extern "C" void WRAP(exec_list *instructions, block_callback callback, void *data);

static bool
ends_block(const ir_instruction *ir)
{
   return ir->as_if() || ir->as_loop() || ir->as_jump() || ir->as_call() ||
          ir->ir_type == ir_type_barrier;
}

void
WRAP(exec_list *instructions, block_callback callback, void *data)
{
   ir_instruction *first = NULL, *last = NULL;

   foreach_in_list(ir_instruction, ir, instructions)
   {
      first = first ? first : ir;
      last = ir;
      if (ends_block(ir)) {
         callback(first, last, data);
         first = NULL;
      }

      if (ir_if *branch = ir->as_if()) {
         WRAP(&branch->then_instructions, callback, data);
         WRAP(&branch->else_instructions, callback, data);
      } else if (ir_loop *loop = ir->as_loop()) {
         WRAP(&loop->body_instructions, callback, data);
      } else if (ir_function *function = ir->as_function()) {
         foreach_in_list(ir_function_signature, signature, &function->signatures)
            WRAP(&signature->body, callback, data);
      }
   }
   if (first)
      callback(first, last, data);
}
