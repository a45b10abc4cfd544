/* SPDX-License-Identifier: MIT */
/*
 * Loads before barrier() stay before it: Mesa's tree grafting does not see barriers
 * (docs/dri.md).
 */
#include "compiler/glsl/ir.h"
#include "compiler/glsl/ir_hierarchical_visitor.h"

/* do_tree_grafting(exec_list *) */
extern "C" bool __real__Z16do_tree_graftingP9exec_list(exec_list *instructions);
extern "C" bool __wrap__Z16do_tree_graftingP9exec_list(exec_list *instructions);

namespace {

class barrier_finder : public ir_hierarchical_visitor {
 public:
   bool found = false;

   ir_visitor_status visit(ir_barrier *) override
   {
      found = true;
      return visit_stop;
   }
};

} /* namespace */

/* NIR's passes do the rest of the work where this one is left out. */
bool
__wrap__Z16do_tree_graftingP9exec_list(exec_list *instructions)
{
   barrier_finder finder;

   visit_list_elements(&finder, instructions);
   return !finder.found && __real__Z16do_tree_graftingP9exec_list(instructions);
}
