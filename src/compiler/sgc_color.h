/* SPDX-License-Identifier: MIT */
/*
 * Graph colouring, as register allocation uses it.
 */
#ifndef SGC_COLOR_H
#define SGC_COLOR_H

#include "sgc_ir.h"

/* Classes: any set of components of a size, exactly one set, or the pairs xy and zw. */
static inline unsigned
sgc_class_by_size(unsigned size)
{
   return size - 1;
}

static inline unsigned
sgc_class_by_set(unsigned set)
{
   return 4 + set - 1;
}

#define SGC_PAIR_CLASS (4 + 15)
#define SGC_NUM_CLASSES (SGC_PAIR_CLASS + 1)

/* Nodes are virtual registers. */
struct sgc_graph {
   struct sgc_program *p;
   unsigned num;
   uint8_t *class; /* of each node, set before sgc_graph_finish */

   struct util_dynarray edges;  /* struct sgc_edge */
   unsigned *first, *neighbour; /* those of node n: neighbour[first[n]] to [first[n + 1] - 1] */
};

struct sgc_edge {
   unsigned a, b;
};

/* A machine register and a set of its components. */
struct sgc_color {
   uint16_t reg;
   uint8_t set; /* 0: none */
};

struct sgc_graph *sgc_graph_create(struct sgc_program *p, void *mem_ctx);
/* Nodes a and b need different places; an edge may be added several times. */
void sgc_graph_add(struct sgc_graph *g, unsigned a, unsigned b);
void sgc_graph_finish(struct sgc_graph *g);

/* Colours all nodes with `size` machine registers.  If that fails, no more is coloured
 * than was possible, and *failed is the node at which it ended.
 */
bool sgc_graph_color(const struct sgc_graph *g, unsigned size, struct sgc_color *colors,
                     unsigned *failed);

/* How much easier the others become without the node: a measure to compare. */
float sgc_graph_benefit(const struct sgc_graph *g, unsigned size, unsigned node);

#endif
