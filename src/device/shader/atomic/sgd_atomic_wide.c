/* SPDX-License-Identifier: MIT */
/*
 * Shader core: atomic operations of a warp on 64-bit values. They work as those on words
 * (sgd_atomic.c).
 */
#include "shader/atomic/sgd_atomic.h"
#include "common/sgd_lanes.h"
#include "sgpu_int64.h"

/* Returns the value after an atomic operation. The parameters are those of sgd_atomic_value(). */
static ALWAYS_INLINE uint64_t
new_value(enum sgpu_atomic op, uint64_t old, uint64_t data, uint64_t second)
{
   switch (op) {
   case SGPU_ATOMIC_ADD:
      return old + data;
   case SGPU_ATOMIC_IMIN:
      return (int64_t)old < (int64_t)data ? old : data;
   case SGPU_ATOMIC_UMIN:
      return old < data ? old : data;
   case SGPU_ATOMIC_IMAX:
      return (int64_t)old > (int64_t)data ? old : data;
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
   default:
      /* The checker of programs refuses the other operations. */
      return old;
   }
}

/* Applies the operations of several lanes to a value, in lane order. Returns the new value. */
static uint64_t
chain(const struct sgd_wide_atomic_op *a, uint64_t value, uint32_t lanes, uint64_t *old)
{
   for (; lanes; lanes &= lanes - 1) {
      const unsigned l = (unsigned)__builtin_ctz(lanes);
      const uint64_t data = sgpu_pair(a->data[0][l], a->data[1][l]);
      const uint64_t second = a->op == SGPU_ATOMIC_CAS ? sgpu_pair(a->second[0][l], a->second[1][l])
                                                       : 0;
      old[l] = value;
      value = new_value(a->op, value, data, second);
   }
   return value;
}

/* Executes the operations of several lanes on the same value in memory. */
static void
one_value(const struct sgd_wide_atomic_op *a, uint64_t *value, uint32_t lanes, uint64_t *old)
{
   if (a->alone) {
      *value = chain(a, *value, lanes, old);
      return;
   }
   uint64_t before = __atomic_load_n(value, __ATOMIC_RELAXED), after;
   do {
      after = chain(a, before, lanes, old);
      /* Skip the store if the value doesn't change, as is common for minimum and maximum. */
      if (after == before)
         return;
   } while (!__atomic_compare_exchange_n(value, &before, after, true, __ATOMIC_RELAXED,
                                         __ATOMIC_RELAXED));
}

void
sgd_atomic_wide_lanes(const struct sgd_wide_atomic_op *a, uint64_t *const value[SGD_WARP],
                      uint32_t lanes, uint64_t old[SGD_WARP])
{
   while (lanes) {
      const unsigned first = (unsigned)__builtin_ctz(lanes);
      uint32_t same = 1u << first;

      /* Lanes of the same value that follow one another share an operation of the host. */
      for (uint32_t left = lanes & ~same; left; left &= left - 1) {
         const unsigned l = (unsigned)__builtin_ctz(left);
         if (value[l] != value[first])
            break;
         same |= 1u << l;
      }
      one_value(a, value[first], same, old);
      lanes &= ~same;
   }
}
