/* SPDX-License-Identifier: MIT */
/*
 * Atomic operations of shader programs on words in memory.
 */
#ifndef SGD_ATOMIC_H
#define SGD_ATOMIC_H

#include <stdbool.h>
#include <stdint.h>

#include "common/sgd_state.h"
#include "sgpu_fp.h"
#include "sgpu_isa.h"
#include "util/compiler.h"

/* Returns the value of a word after an atomic operation. `old` is its value before the operation.
 * `second` is the value that CAS stores if the comparison succeeds.
 */
static ALWAYS_INLINE uint32_t
sgd_atomic_value(enum sgpu_atomic op, uint32_t old, uint32_t data, uint32_t second)
{
   switch (op) {
   case SGPU_ATOMIC_ADD:
      return old + data;
   case SGPU_ATOMIC_IMIN:
      return (int32_t)old < (int32_t)data ? old : data;
   case SGPU_ATOMIC_UMIN:
      return old < data ? old : data;
   case SGPU_ATOMIC_IMAX:
      return (int32_t)old > (int32_t)data ? old : data;
   case SGPU_ATOMIC_UMAX:
      return old > data ? old : data;
   case SGPU_ATOMIC_AND:
      return old & data;
   case SGPU_ATOMIC_OR:
      return old | data;
   case SGPU_ATOMIC_XOR:
      return old ^ data;
   case SGPU_ATOMIC_EXCH:
      return data;
   case SGPU_ATOMIC_CAS:
      return old == data ? second : old;
   case SGPU_ATOMIC_FADD:
      return sgpu_f2bits(sgpu_fadd(sgpu_bits2f(old), sgpu_bits2f(data)));
   case SGPU_ATOMIC_INCW:
      return old >= data ? 0 : old + 1;
   case SGPU_ATOMIC_DECW:
      return old == 0 || old > data ? data : old - 1;
   case SGPU_ATOMIC_FMIN:
      return sgpu_f2bits(sgpu_fmin(sgpu_bits2f(old), sgpu_bits2f(data)));
   case SGPU_ATOMIC_FMAX:
      return sgpu_f2bits(sgpu_fmax(sgpu_bits2f(old), sgpu_bits2f(data)));
   }
   return old;
}

/* Atomic operation of a warp. */
struct sgd_atomic_op {
   enum sgpu_atomic op;
   /* set if no other worker accesses the memory, so that no host atomics are needed */
   bool alone;
   bool returned;                 /* set if the program uses the old values */
   const uint32_t *data, *second; /* operands of each lane; `second` is only used by CAS */
};

/* Performs an atomic operation for each lane in `lanes`, in lane order. word[l] is the address of
 * lane l's word and must be a multiple of 4. Lanes that access the same word can share a host
 * atomic. If a->returned is set, old[l] is set to the old value for each lane in `lanes`.
 */
void sgd_atomic_lanes(const struct sgd_atomic_op *a, uint32_t *const word[SGD_WARP], uint32_t lanes,
                      uint32_t old[SGD_WARP]);

/* Atomic operation of a warp on 64-bit values. `op` is one of the first SGPU_NUM_WIDE_ATOMICS. The
 * other members are those of struct sgd_atomic_op, with the low and the high words of the operands.
 */
struct sgd_wide_atomic_op {
   enum sgpu_atomic op;
   bool alone;
   const uint32_t *data[2], *second[2];
};

/* Performs an atomic operation for each lane in `lanes`, in lane order. value[l] is the address of
 * lane l's value and must be a multiple of 8. Sets old[l] to the old value for each lane in `lanes`.
 */
void sgd_atomic_wide_lanes(const struct sgd_wide_atomic_op *a, uint64_t *const value[SGD_WARP],
                           uint32_t lanes, uint64_t old[SGD_WARP]);

#endif
