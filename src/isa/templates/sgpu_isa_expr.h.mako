/* SPDX-License-Identifier: MIT */

/*
 * The expressions of the opcodes as C code on bit patterns: one instruction for one lane
 * (one quad for DDX, DDY, DDXF and DDYF). Tests compare the interpreter with this code.
 * src/isa/gen_isa.py generates this file.
 *
 * The functions are valid between sgpu_fp_enter() and sgpu_fp_leave(). sgpu_fp.h lists
 * the compiler flags for files that include this one.
 */

#ifndef SGPU_ISA_EXPR_H
#define SGPU_ISA_EXPR_H

#include "sgpu_fp.h"
#include "sgpu_fp64.h"
#include "sgpu_int.h"
#include "sgpu_int64.h"
#include "sgpu_isa.h"

/* Applies the modifiers of a source, which only change the sign bit. */
static inline uint32_t
sgpu_isa_modify(const struct sgpu_src *src, uint32_t bits)
{
   bits = src->abs ? bits & 0x7fffffffu : bits;
   return src->neg ? bits ^ 0x80000000u : bits;
}

static inline uint32_t
sgpu_isa_saturate(bool sat, uint32_t bits)
{
   return sat ? sgpu_f2bits(sgpu_fsat(sgpu_bits2f(bits))) : bits;
}
/* Performs one step of a reduction. `a_bits` is the result so far, and `b_bits` the next value. */
static inline uint32_t
sgpu_isa_reduce(unsigned reduction, uint32_t a_bits, uint32_t b_bits)
{
   switch (reduction) {
% for name, type, identity, expr in isa.REDUCTIONS:
   case SGPU_REDUCE_${name}: {
      const ${C_TYPES[type]} a = ${C_IN[type] % 'a_bits'}, b = ${C_IN[type] % 'b_bits'};
      return ${'sgpu_f2bits(%s)' % expr if type == 'f' else '(uint32_t)(%s)' % expr};
   }
% endfor
   default:
      return 0;
   }
}

/* The same with 64 bits. If the type is double, the caller must have called sgpu_fp64_enter(). */
static inline uint64_t
sgpu_isa_reduce_wide(unsigned reduction, uint64_t a_bits, uint64_t b_bits)
{
   switch (reduction) {
% for name, type, identity, expr in isa.WIDE_REDUCTIONS:
   case SGPU_REDUCE_${name}: {
      const ${C_TYPES[type]} a = ${C_IN[type] % 'a_bits'}, b = ${C_IN[type] % 'b_bits'};
      return ${'sgpu_d2bits(%s)' % expr if type == 'd' else '(uint64_t)(%s)' % expr};
   }
% endfor
   default:
      return 0;
   }
}

/* Executes an instruction for one lane. `src` contains the sources after swizzling and before their
 * modifiers. Writes all four components of `dst`, regardless of the write mask. Predicates are 0 or
 * ~0, and addresses are in two's complement. Returns false for operations on a quad and operations
 * without an expression.
 */
static inline bool
sgpu_isa_eval(const struct sgpu_instr *instr, const uint32_t raw[3][4], uint32_t dst[4])
{
   const struct sgpu_opcode_info *info = sgpu_opcode_info(instr->opcode);
   const unsigned cond = instr->cond;
   uint32_t src[3][4] = { { 0 } }, r[4];

   for (unsigned s = 0; s < info->num_srcs; s++) {
      const bool wide = sgpu_type_is_wide(info->src_type[s]);
      for (unsigned c = 0; c < 4; c++)
         src[s][c] = wide && c % 2 == 0 ? raw[s][c] : sgpu_isa_modify(&instr->src[s], raw[s][c]);
   }

   switch (instr->opcode) {
% for o in ops:
% if o.kind == 'COMP':
   case SGPU_OP_${o.name}:
      for (unsigned i = 0; i < 4; i++) {
% for line in c_inputs(o, 'i'):
         ${line}
% endfor
% if 'zmul' in o.flags:
         r[i] = instr->zmul ? ${c_value(o, o.expr, True)}
                            : ${c_value(o, o.expr)};
% else:
         r[i] = ${c_value(o, o.expr)};
% endif
      }
      break;
% elif o.kind in ('SCAL', 'SCALV', 'DOT', 'VEC'):
   case SGPU_OP_${o.name}: {
% for line in c_inputs(o, '0' if o.kind.startswith('SCAL') else None):
      ${line}
% endfor
% if 'zmul' in o.flags:
      if (instr->zmul) {
% for line in c_results(o, True):
         ${line}
% endfor
      } else {
% for line in c_results(o, False):
         ${line}
% endfor
      }
% else:
% for line in c_results(o, False):
      ${line}
% endfor
% endif
      break;
   }
% elif o.kind == 'PAIR':
   case SGPU_OP_${o.name}: {
% if o.is_double():
      const uint32_t mode = sgpu_fp64_enter();
      sgpu_fp64_fence(src);
% endif
      for (unsigned n = 0; n < 4; n += 2) {
% for line in c_pair_inputs(o):
         ${line}
% endfor
% if o.dst in WIDE:
         const uint64_t value = ${c_value(o, o.expr)};
         r[n] = (uint32_t)value;
         r[n + 1] = (uint32_t)(value >> 32);
% else:
         r[n] = r[n + 1] = ${c_value(o, o.expr)};
% endif
      }
% if o.is_double():
      sgpu_fp64_fence(r);
      sgpu_fp64_leave(mode);
% endif
      break;
   }
% endif
% endfor
   default:
      return false;
   }

   for (unsigned c = 0; c < 4; c++)
      dst[c] = sgpu_isa_saturate(instr->sat, r[c]);
   (void)cond;
   return true;
}

/* Executes an instruction for a quad. `raw` contains the sources by lane (lanes 0 and 1 are the
 * upper row, 2 and 3 the lower row), then by component. The results have the same order.
 */
static inline bool
sgpu_isa_eval_quad(const struct sgpu_instr *instr, const uint32_t raw[4][4], uint32_t dst[4][4])
{
   for (unsigned c = 0; c < 4; c++) {
      float q[4];
      for (unsigned lane = 0; lane < 4; lane++)
         q[lane] = sgpu_bits2f(sgpu_isa_modify(&instr->src[0], raw[lane][c]));

      for (unsigned lane = 0; lane < 4; lane++) {
         const float q0 = q[0], q1 = q[1], q2 = q[2];
         const float row0 = q[lane & 2], row1 = q[lane | 1];
         const float col0 = q[lane & 1], col1 = q[lane | 2];
         float r;
         switch (instr->opcode) {
% for o in ops:
% if o.kind == 'QUAD':
         case SGPU_OP_${o.name}: r = ${o.expr}; break;
% endif
% endfor
         default: return false;
         }
         dst[lane][c] = sgpu_isa_saturate(instr->sat, sgpu_f2bits(r));
         (void)q0, (void)q1, (void)q2, (void)row0, (void)row1, (void)col0, (void)col1;
      }
   }
   return true;
}

#endif /* SGPU_ISA_EXPR_H */
