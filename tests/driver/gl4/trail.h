/* SPDX-License-Identifier: MIT */
/*
 * Checks whether atomic operations on one value were atomic, in any order.  Each operation is an
 * edge from the value that it returned to the value that it stored.  The operations are consistent
 * if and only if these edges form a single (Eulerian) trail from the first value to the last one.
 */
#ifndef TEST_TRAIL_H
#define TEST_TRAIL_H

#include "core.h"

enum aop { ADD, MIN, MAX, AND, OR, XOR, EXCHANGE, COMP_SWAP, AOPS };

enum value_type { UINT, INT, UINT64, INT64, VALUE_TYPES };

/* Operands of COMP_SWAP.  Both come from one word and are small, so that some comparisons succeed.
 */
#define TRAIL_COMPARE(data) ((data)&7u)
#define TRAIL_SWAP(data) ((data) >> 3 & 7u)

static inline bool
trail_less(enum value_type type, uint64_t a, uint64_t b)
{
   return type == INT ? (int32_t)a < (int32_t)b : type == INT64 ? (int64_t)a < (int64_t)b : a < b;
}

/* Returns the new value of an operation with data b.  Values of 32 bits have no higher bits. */
static inline uint64_t
trail_apply(enum aop op, enum value_type type, uint64_t a, uint64_t b)
{
   switch (op) {
   case ADD:
      return type < UINT64 ? (uint32_t)(a + b) : a + b;
   case MIN:
      return trail_less(type, a, b) ? a : b;
   case MAX:
      return trail_less(type, a, b) ? b : a;
   case AND:
      return a & b;
   case OR:
      return a | b;
   case XOR:
      return a ^ b;
   case EXCHANGE:
      return b;
   default:
      return a == TRAIL_COMPARE(b) ? TRAIL_SWAP(b) : a;
   }
}

#define TRAIL_MAX 4096

static inline int
trail_compare(const void *a, const void *b)
{
   const uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;

   return x < y ? -1 : x > y;
}

static inline unsigned
trail_node(const uint64_t *nodes, unsigned count, uint64_t value)
{
   return (unsigned)((const uint64_t *)bsearch(&value, nodes, count, 8, trail_compare) - nodes);
}

static inline unsigned
trail_root(unsigned *parent, unsigned n)
{
   while (parent[n] != n)
      n = parent[n] = parent[parent[n]];
   return n;
}

/* Returns true if n operations with the returned values are consistent with some order. */
static inline bool
trail_holds(enum aop op, enum value_type type, uint64_t first, uint64_t last, unsigned n,
            const uint64_t *returned, const uint64_t *data)
{
   static uint64_t nodes[2 * TRAIL_MAX + 2];
   static unsigned parent[2 * TRAIL_MAX + 2];
   static int surplus[2 * TRAIL_MAX + 2];
   unsigned count = 0;

   nodes[count++] = first;
   nodes[count++] = last;
   for (unsigned i = 0; i < n; i++) {
      nodes[count++] = returned[i];
      nodes[count++] = trail_apply(op, type, returned[i], data[i]);
   }
   qsort(nodes, count, 8, trail_compare);
   unsigned distinct = 1;
   for (unsigned i = 1; i < count; i++) {
      if (nodes[i] != nodes[distinct - 1])
         nodes[distinct++] = nodes[i];
   }
   for (unsigned i = 0; i < distinct; i++) {
      parent[i] = i;
      surplus[i] = 0;
   }
   surplus[trail_node(nodes, distinct, first)]--;
   surplus[trail_node(nodes, distinct, last)]++;
   for (unsigned i = 0; i < n; i++) {
      const unsigned from = trail_node(nodes, distinct, returned[i]);
      const unsigned to = trail_node(nodes, distinct, trail_apply(op, type, returned[i], data[i]));
      surplus[from]++;
      surplus[to]--;
      parent[trail_root(parent, from)] = trail_root(parent, to);
   }
   const unsigned root = trail_root(parent, trail_node(nodes, distinct, first));
   for (unsigned i = 0; i < distinct; i++) {
      if (surplus[i] || trail_root(parent, i) != root)
         return false;
   }
   return true;
}

#endif
