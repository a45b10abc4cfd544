/* SPDX-License-Identifier: MIT */
/*
 * Shader core: atomic operations of a warp.
 *
 * Several workers can operate on the same word at the same time, so each operation uses an atomic
 * operation of the host CPU. The order of operations on different words is undefined (docs/isa.md,
 * "Order and atomicity").
 */
#include "shader/atomic/sgd_atomic.h"
#include "common/sgd_lanes.h"

/* Executes an operation on a word that other workers may access at the same time. Returns the old
 * value of the word.
 */
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
         /* Skip the store if the value doesn't change, as is common for minimum and maximum. */
         if (value == old)
            break;
      } while (
         !__atomic_compare_exchange_n(word, &old, value, true, __ATOMIC_RELAXED, __ATOMIC_RELAXED));
      return old;
   }
   }
}

/* The functions below are instantiated once per operation, so that their loops have no switch. */
#define FOR_EACH_ATOMIC(X) \
   X(ADD)                  \
   X(IMIN)                 \
   X(UMIN)                 \
   X(IMAX) X(UMAX) X(AND) X(OR) X(XOR) X(EXCH) X(CAS) X(FADD) X(INCW) X(DECW) X(FMIN) X(FMAX)

/* Applies the operations of several lanes to a value, in lane order. Returns the new value. */
static ALWAYS_INLINE uint32_t
chain_of(const enum sgpu_atomic op, const struct sgd_atomic_op *a, uint32_t value, uint32_t lanes,
         uint32_t *old)
{
   for (; lanes; lanes &= lanes - 1) {
      const unsigned l = (unsigned)__builtin_ctz(lanes);
      old[l] = value;
      value = sgd_atomic_value(op, value, a->data[l], op == SGPU_ATOMIC_CAS ? a->second[l] : 0);
   }
   return value;
}

static uint32_t
chain(const struct sgd_atomic_op *a, uint32_t value, uint32_t lanes, uint32_t *old)
{
   switch (a->op) {
#define CASE(name)          \
   case SGPU_ATOMIC_##name: \
      return chain_of(SGPU_ATOMIC_##name, a, value, lanes, old);
      FOR_EACH_ATOMIC(CASE)
#undef CASE
   }
   return value;
}

/* Executes operations without host atomics, on words that no other worker accesses. */
static ALWAYS_INLINE void
alone_of(const enum sgpu_atomic op, const struct sgd_atomic_op *a, uint32_t *const *word,
         uint32_t lanes, uint32_t *old)
{
   for (; lanes; lanes &= lanes - 1) {
      const unsigned l = (unsigned)__builtin_ctz(lanes);
      old[l] = *word[l];
      *word[l] = sgd_atomic_value(op, old[l], a->data[l], op == SGPU_ATOMIC_CAS ? a->second[l] : 0);
   }
}

static void
alone(const struct sgd_atomic_op *a, uint32_t *const *word, uint32_t lanes, uint32_t *old)
{
   switch (a->op) {
#define CASE(name)                                       \
   case SGPU_ATOMIC_##name:                              \
      alone_of(SGPU_ATOMIC_##name, a, word, lanes, old); \
      break;
      FOR_EACH_ATOMIC(CASE)
#undef CASE
   }
}

/* Combines the data of several lanes into one operand. `none` is the identity of the operation. */
static ALWAYS_INLINE uint32_t
combine_of(const enum sgpu_atomic op, const uint32_t *data, uint32_t lanes, uint32_t none)
{
   uint32_t value = none;
   for (unsigned l = 0; l < SGD_WARP; l++) {
      const uint32_t mask = sgd_lane_mask(lanes, l);
      value = sgd_atomic_value(op, value, (data[l] & mask) | (none & ~mask), 0);
   }
   return value;
}

static bool
can_combine(enum sgpu_atomic op)
{
   static_assert(SGPU_ATOMIC_ADD == 0 && SGPU_ATOMIC_XOR == 7, "combine() has those between");
   return op <= SGPU_ATOMIC_XOR;
}

static bool
combine(enum sgpu_atomic op, const uint32_t *data, uint32_t lanes, uint32_t *result)
{
   switch (op) {
#define CASE(name, none)                                           \
   case SGPU_ATOMIC_##name:                                        \
      *result = combine_of(SGPU_ATOMIC_##name, data, lanes, none); \
      return true;
      CASE(ADD, 0)
      CASE(IMIN, INT32_MAX)
      CASE(UMIN, UINT32_MAX)
      CASE(IMAX, 0x80000000)
      CASE(UMAX, 0)
      CASE(AND, UINT32_MAX)
      CASE(OR, 0)
      CASE(XOR, 0)
#undef CASE
   default:
      return false;
   }
}

/* Returns the lanes in `left` that access the same word as lane l. */
static uint32_t
same_word(uint32_t *const *word, uint32_t left, unsigned l)
{
   const uint32_t *const at = word[l];
   uint32_t same = 0;

   for (unsigned k = 0; k < SGD_WARP; k++)
      same |= (uint32_t)(word[k] == at) << k;
   return same & left;
}

/* Executes the operations of several lanes on the same word. */
static void
one_word(const struct sgd_atomic_op *a, uint32_t *word, uint32_t lanes, uint32_t *old)
{
   uint32_t data;

   if (!a->returned && combine(a->op, a->data, lanes, &data)) {
      if (a->alone)
         *word = sgd_atomic_value(a->op, *word, data, 0);
      else
         change(a->op, word, data, 0);
      return;
   }
   if (a->alone) {
      *word = chain(a, *word, lanes, old);
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

   if (a->alone) {
      alone(a, word, lanes, old);
      return;
   }
   const bool joins = !a->returned && can_combine(a->op);
   for (uint32_t left = lanes; left;) {
      const unsigned l = (unsigned)__builtin_ctz(left);
      const uint32_t others = left & (left - 1);

      /* If two successive lanes access the same word, it is likely that other lanes do so, too. */
      if (joins && others && word[__builtin_ctz(others)] == word[l]) {
         const uint32_t together = same_word(word, left, l);
         one_word(a, word[l], together, old);
         left &= ~together;
         continue;
      }
      old[l] = change(a->op, word[l], a->data[l], a->second ? a->second[l] : 0);
      left = others;
   }
}
