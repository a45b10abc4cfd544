/* SPDX-License-Identifier: MIT */
/*
 * Programs: determines if the contents of memory can depend on the order of a program's
 * invocations.
 */
#include <string.h>

#include "common/sgd_shader.h"
#include "sgpu_program.h"
#include "util/bitscan.h"
#include "util/u_math.h"

/* Mask of the accesses of a program to a binding. Bit n is set if it uses atomic operation n, and bit
 * WIDE + n if it uses the operation on 64 bits. The bits below follow.
 */
enum {
   WIDE = SGPU_NUM_ATOMICS,
   DOES_LOAD = 1 << (WIDE + SGPU_NUM_WIDE_ATOMICS),
   DOES_STORE = DOES_LOAD << 1,
   USES_RESULT = DOES_LOAD << 2, /* the program uses the result of an atomic operation */
};
static_assert(WIDE + SGPU_NUM_WIDE_ATOMICS + 2 < 32, "the mask has 32 bits");

/* Mask of the integer operations for which the order of several operations doesn't matter. */
#define COMMUTES_WITH_ITSELF                                                  \
   (1u << SGPU_ATOMIC_ADD | 1u << SGPU_ATOMIC_IMIN | 1u << SGPU_ATOMIC_UMIN | \
    1u << SGPU_ATOMIC_IMAX | 1u << SGPU_ATOMIC_UMAX | 1u << SGPU_ATOMIC_AND | \
    1u << SGPU_ATOMIC_OR | 1u << SGPU_ATOMIC_XOR)
#define COMMUTES (COMMUTES_WITH_ITSELF | COMMUTES_WITH_ITSELF << WIDE)

struct accesses {
   uint32_t buffer[SGPU_MAX_BUFFERS];
   uint32_t image[SGPU_MAX_IMAGES];
};

static void
add_access(struct accesses *a, const struct sgpu_instr *instr)
{
   const struct sgpu_opcode_info *info = sgpu_opcode_info(instr->opcode);
   uint32_t *bindings;
   uint32_t does;

   switch (instr->opcode) {
   case SGPU_OP_LDB:
   case SGPU_OP_STB:
   case SGPU_OP_ATB:
   case SGPU_OP_ATBW:
      bindings = a->buffer;
      break;
   case SGPU_OP_LDI:
   case SGPU_OP_STI:
   case SGPU_OP_ATI:
      bindings = a->image;
      break;
   default:
      return;
   }
   if (info->flags & SGPU_OPF_ATOMIC)
      does = 1u << (instr->aop + (sgpu_atomic_words(instr->opcode) == 2 ? WIDE : 0)) |
             (instr->dst.file != SGPU_FILE_NONE ? USES_RESULT : 0);
   else
      does = info->flags & SGPU_OPF_EFFECT ? DOES_STORE : DOES_LOAD;

   STATIC_ASSERT(SGPU_MAX_BUFFERS == SGPU_MAX_IMAGES);
   for (unsigned n = 0; n < SGPU_MAX_BUFFERS; n++)
      bindings[n] |= instr->urel || n == instr->unit ? does : 0;
}

/* If a binding is accessed only by one atomic operation for which the order doesn't matter, returns
 * this operation plus one. Returns 0 otherwise.
 */
static unsigned
commutes_of(uint32_t does)
{
   const uint32_t atomics = does & (DOES_LOAD - 1);
   return does == atomics && util_is_power_of_two_nonzero(atomics) && !(atomics & ~COMMUTES)
             ? (unsigned)__builtin_ctz(atomics) + 1
             : 0;
}

static enum sgd_memory_order
order_of(uint32_t does)
{
   if (!(does & (DOES_LOAD - 1)))
      return does & DOES_STORE ? SGD_MEMORY_FREE : SGD_MEMORY_NONE;
   return commutes_of(does) ? SGD_MEMORY_FREE : SGD_MEMORY_ORDERED;
}

static void
gather(const struct sgpu_program *program, struct accesses *a)
{
   memset(a, 0, sizeof(*a));
   for (uint32_t i = 0; i < program->num_instrs; i++) {
      struct sgpu_instr instr;
      if (!sgpu_instr_unpack(program->instrs[i], &instr))
         add_access(a, &instr);
   }
}

enum sgd_memory_order
sgd_memory_order(const struct sgpu_program *program)
{
   enum sgd_memory_order order = SGD_MEMORY_NONE;
   struct accesses a;

   gather(program, &a);
   for (unsigned n = 0; n < SGPU_MAX_BUFFERS; n++)
      order = MAX3(order, order_of(a.buffer[n]), order_of(a.image[n]));
   return order;
}

void
sgd_memory_commutes(const struct sgpu_program *program, struct sgd_commutes *commutes)
{
   struct accesses a;

   gather(program, &a);
   for (unsigned n = 0; n < SGPU_MAX_BUFFERS; n++) {
      commutes->buffer[n] = (uint8_t)commutes_of(a.buffer[n]);
      commutes->image[n] = (uint8_t)commutes_of(a.image[n]);
   }
}
