/* SPDX-License-Identifier: MIT */
/*
 * Shader core: atomic operations of a warp.
 *
 * Workers operate on the same words at the same time.  The host's operations make each
 * indivisible; nothing is promised about the order of different words (docs/isa.md,
 * "Order and atomicity").
 */
#include "sgd_atomic.h"

/* One operation that other workers see as a whole.  Returns the old value. */
static uint32_t
change(enum sgpu_atomic op, uint32_t *word, uint32_t data, uint32_t second)
{
   switch (op) {
   case SGPU_ATOMIC_ADD:
      return __atomic_fetch_add(word, data, __ATOMIC_RELAXED);
   case SGPU_ATOMIC_AND:
      return __atomic_fetch_and(word, data, __ATOMIC_RELAXED);
   case SGPU_ATOMIC_OR:
      return __atomic_fetch_or(word, data, __ATOMIC_RELAXED);
   case SGPU_ATOMIC_XOR:
      return __atomic_fetch_xor(word, data, __ATOMIC_RELAXED);
   case SGPU_ATOMIC_EXCH:
      return __atomic_exchange_n(word, data, __ATOMIC_RELAXED);
   default: {
      uint32_t old = __atomic_load_n(word, __ATOMIC_RELAXED), value;
      do {
         value = sgd_atomic_value(op, old, data, second);
         /* Minima and maxima seldom change anything. */
         if (value == old)
            break;
      } while (
         !__atomic_compare_exchange_n(word, &old, value, true, __ATOMIC_RELAXED, __ATOMIC_RELAXED));
      return old;
   }
   }
}

/* The operations of several lanes on one value, one after the other. */
static uint32_t
chain(const struct sgd_atomic_op *a, uint32_t value, uint32_t lanes, uint32_t *old)
{
   while (lanes) {
      const unsigned l = (unsigned)__builtin_ctz(lanes);
      lanes &= lanes - 1;
      old[l] = value;
      value = sgd_atomic_value(a->op, value, a->data[l], a->second ? a->second[l] : 0);
   }
   return value;
}

/* Operations on integers that lanes can do among themselves first: data of one operation. */
static bool
combine(enum sgpu_atomic op, const uint32_t *data, uint32_t lanes, uint32_t *result)
{
   switch (op) {
   case SGPU_ATOMIC_ADD:
   case SGPU_ATOMIC_IMIN:
   case SGPU_ATOMIC_UMIN:
   case SGPU_ATOMIC_IMAX:
   case SGPU_ATOMIC_UMAX:
   case SGPU_ATOMIC_AND:
   case SGPU_ATOMIC_OR:
   case SGPU_ATOMIC_XOR:
      break;
   default:
      return false;
   }
   uint32_t value = data[__builtin_ctz(lanes)];
   for (lanes &= lanes - 1; lanes; lanes &= lanes - 1)
      value = sgd_atomic_value(op, value, data[__builtin_ctz(lanes)], 0);
   *result = value;
   return true;
}

/* All lanes on one word. */
static void
one_word(const struct sgd_atomic_op *a, uint32_t *word, uint32_t lanes, uint32_t *old)
{
   uint32_t data;

   if (a->alone) {
      *word = chain(a, *word, lanes, old);
      return;
   }
   if (!a->returned && combine(a->op, a->data, lanes, &data)) {
      change(a->op, word, data, 0);
      return;
   }
   uint32_t before = __atomic_load_n(word, __ATOMIC_RELAXED), after;
   do {
      after = chain(a, before, lanes, old);
   } while (
      !__atomic_compare_exchange_n(word, &before, after, true, __ATOMIC_RELAXED, __ATOMIC_RELAXED));
}

void
sgd_atomic_lanes(const struct sgd_atomic_op *a, uint32_t *const word[SGD_WARP], uint32_t lanes,
                 uint32_t old[SGD_WARP])
{
   if (!lanes)
      return;

   uint32_t *const first = word[__builtin_ctz(lanes)];
   bool same = true;
   for (uint32_t left = lanes; left && same; left &= left - 1)
      same = word[__builtin_ctz(left)] == first;
   if (same && (lanes & (lanes - 1))) {
      one_word(a, first, lanes, old);
      return;
   }

   for (uint32_t left = lanes; left; left &= left - 1) {
      const unsigned l = (unsigned)__builtin_ctz(left);
      const uint32_t second = a->second ? a->second[l] : 0;
      if (a->alone) {
         old[l] = *word[l];
         *word[l] = sgd_atomic_value(a->op, old[l], a->data[l], second);
      } else {
         old[l] = change(a->op, word[l], a->data[l], second);
      }
   }
}
