/* SPDX-License-Identifier: MIT */
/*
 * Checks whether atomic operations on one word were atomic, in any order.  Each operation is an
 * edge from the value that it returned to the value that it stored.  The operations are consistent
 * if and only if these edges form a single (Eulerian) trail from the first value to the last one.
 */
#ifndef TEST_TRAIL_H
#define TEST_TRAIL_H

#include "core.h"

enum aop { ADD, MIN, MAX, AND, OR, XOR, EXCHANGE, COMP_SWAP, AOPS };

/* Operands of COMP_SWAP.  Both come from one word and are small, so that some comparisons succeed.
 */
#define TRAIL_COMPARE(data) ((data)&7u)
#define TRAIL_SWAP(data) ((data) >> 3 & 7u)

static inline uint32_t
trail_apply(enum aop op, bool is_signed, uint32_t a, uint32_t b)
{
   switch (op) {
   case ADD:
      return a + b;
   case MIN:
      return is_signed ? ((int32_t)a < (int32_t)b ? a : b) : (a < b ? a : b);
   case MAX:
      return is_signed ? ((int32_t)a > (int32_t)b ? a : b) : (a > b ? a : b);
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
   const uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;

   return x < y ? -1 : x > y;
}

static inline unsigned
trail_node(const uint32_t *nodes, unsigned count, uint32_t value)
{
   return (unsigned)((const uint32_t *)bsearch(&value, nodes, count, 4, trail_compare) - nodes);
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
trail_holds(enum aop op, bool is_signed, uint32_t first, uint32_t last, unsigned n,
            const uint32_t *returned, const uint32_t *data)
{
   static uint32_t nodes[2 * TRAIL_MAX + 2];
   static unsigned parent[2 * TRAIL_MAX + 2];
   static int surplus[2 * TRAIL_MAX + 2];
   unsigned count = 0;

   nodes[count++] = first;
   nodes[count++] = last;
   for (unsigned i = 0; i < n; i++) {
      nodes[count++] = returned[i];
      nodes[count++] = trail_apply(op, is_signed, returned[i], data[i]);
   }
   qsort(nodes, count, 4, trail_compare);
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
      const unsigned to = trail_node(nodes, distinct,
                                     trail_apply(op, is_signed, returned[i], data[i]));
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
