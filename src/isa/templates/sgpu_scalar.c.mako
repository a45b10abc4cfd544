/* SPDX-License-Identifier: MIT */

/*
 * Scalar operations by opcode. src/isa/gen_isa.py generates this file.
 */

#include <stddef.h>

#include "sgpu_scalar.h"

% for o in ops:
<% way, steps = scalar(o) %>\
% if steps:
static const struct sgpu_scalar_step ${o.name.lower()}_steps[] = {
% for unit, when, dst, src in steps:
   { SGPU_SCALAR_${unit}, ${when}, ${dst}, { ${', '.join(str(n) for n in src)} } },
% endfor
};
% endif
% endfor

const struct sgpu_scalar_info sgpu_scalar_infos[SGPU_NUM_OPCODES] = {
% for o in ops:
<% way, steps = scalar(o) %>\
   [SGPU_OP_${o.name}] = { ${o.name.lower() + '_steps' if steps else 'NULL'}, ${len(steps)}, SGPU_SCALAR_${way}, ${sgpu_scalar.inners(steps)} },
% endfor
};
