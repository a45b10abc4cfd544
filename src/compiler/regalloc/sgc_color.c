/* SPDX-License-Identifier: MIT */
/*
 * Graph colouring by Chaitin and Briggs, generalized by Runeson and Nystrom to register classes of
 * several sizes.
 *
 * A colour is a machine register and a set of its components. Two colours conflict if they share a
 * component. A node is trivially colourable if all of its neighbours together can't conflict with
 * every colour of its class. Simplification removes trivially colourable nodes from the graph, in
 * sweeps from the highest to the lowest node. If there are none, it removes the node with the
 * fewest conflicts. Selection then colours the nodes in reverse order, each with the lowest free
 * colour.
 *
 * The time is O(n log n) for n edges. Mesa's util/register_allocate.c isn't used, since it has a
 * bit for each pair of nodes, so that its memory and time are quadratic in the size of the program.
 */

#include "regalloc/sgc_color.h"

#define NUM_SETS 15 /* number of non-empty sets of components */

/* Returns true if a register class contains a set of components. */
static bool
class_has(unsigned class, unsigned set)
{
   if (class == SGC_PAIR_CLASS)
      return set == 3 || set == 12;
   return class < 4 ? util_bitcount(set) == class + 1 : set == class - 4 + 1;
}

/* Returns the number of component sets in a class. */
static unsigned
sets_of(unsigned class)
{
   static const uint8_t by_size[] = { 4, 6, 4, 1 };
   return class < 4 ? by_size[class] : class == SGC_PAIR_CLASS ? 2 : 1;
}

/* Returns the maximum number of colours in class b that a single colour of class c can conflict
 * with.
 */
static unsigned
conflicts(unsigned b, unsigned c)
{
   unsigned most = 0;

   for (unsigned set = 1; set <= NUM_SETS; set++) {
      unsigned count = 0;
      if (!class_has(c, set))
         continue;
      for (unsigned other = 1; other <= NUM_SETS; other++)
         count += class_has(b, other) && (set & other);
      most = MAX2(most, count);
   }
   return most;
}

struct tables {
   uint8_t conflicts[SGC_NUM_CLASSES][SGC_NUM_CLASSES]; /* conflicts() for classes b and c */
   /* lowest[class][used]: lowest set in the class that doesn't contain any of the used components,
    * or 0 if there is none
    */
   uint8_t lowest[SGC_NUM_CLASSES][NUM_SETS + 1];
};

static void
fill_tables(struct tables *t)
{
   memset(t, 0, sizeof(*t));
   for (unsigned b = 0; b < SGC_NUM_CLASSES; b++) {
      for (unsigned c = 0; c < SGC_NUM_CLASSES; c++)
         t->conflicts[b][c] = conflicts(b, c);
      for (unsigned used = 0; used <= NUM_SETS; used++) {
         for (unsigned set = NUM_SETS; set >= 1; set--) {
            if (class_has(b, set) && !(set & used))
               t->lowest[b][used] = set;
         }
      }
   }
}

/*
 * Graphs
 */

struct sgc_graph *
sgc_graph_create(struct sgc_program *p, void *mem_ctx)
{
   struct sgc_graph *g = sgc_zalloc(p, mem_ctx, struct sgc_graph);

   g->p = p;
   g->num = p->num_regs;
   g->class = sgc_zalloc_array(p, g, uint8_t, g->num);
   util_dynarray_init(&g->edges, g);
   return g;
}

void
sgc_graph_add(struct sgc_graph *g, unsigned a, unsigned b)
{
   const struct sgc_edge edge = { a, b };

   g->p->work++;
   if (a != b)
      sgc_append(g->p, &g->edges, struct sgc_edge, edge);
}

void
sgc_graph_finish(struct sgc_graph *g)
{
   struct sgc_program *p = g->p;
   unsigned *first = sgc_zalloc_array(p, g, unsigned, g->num + 2);

   /* First, count the neighbours of node n in first[n + 2]. After the prefix sum, first[n + 1] is
    * the index at which the next neighbour of n will be stored.
    */
   util_dynarray_foreach(&g->edges, struct sgc_edge, e) {
      first[e->a + 2]++;
      first[e->b + 2]++;
   }
   for (unsigned n = 0; n < g->num; n++)
      first[n + 2] += first[n + 1];
   unsigned *neighbour = sgc_zalloc_array(p, g, unsigned, first[g->num + 1]);
   util_dynarray_foreach(&g->edges, struct sgc_edge, e) {
      neighbour[first[e->a + 1]++] = e->b;
      neighbour[first[e->b + 1]++] = e->a;
   }
   util_dynarray_fini(&g->edges);

   /* Remove duplicates from each node's list of neighbours. */
   unsigned *seen = sgc_zalloc_array(p, g, unsigned, g->num);
   unsigned to = 0;
   for (unsigned n = 0; n < g->num; n++) {
      const unsigned from = first[n], end = first[n + 1];
      first[n] = to;
      for (unsigned i = from; i < end; i++) {
         if (seen[neighbour[i]] == n + 1)
            continue;
         seen[neighbour[i]] = n + 1;
         neighbour[to++] = neighbour[i];
      }
      if (n + 1 == g->num)
         first[n + 1] = to;
   }
   ralloc_free(seen);
   g->first = first;
   g->neighbour = neighbour;
}

#define foreach_neighbour(g, node, n)                          \
   for (const unsigned *n = &(g)->neighbour[(g)->first[node]]; \
        n < &(g)->neighbour[(g)->first[(node) + 1]]; n++)

/*
 * Simplification
 */

struct heap_node {
   unsigned key, node;
};

/* A binary heap. Its top is the node that comes first according to before(). */
struct heap {
   struct util_dynarray nodes; /* array of struct heap_node */
};

/* Returns true if a comes before b in a heap. Nodes are sorted by ascending key, and nodes with
 * equal keys by descending index.
 */
static bool
before(const struct heap_node *a, const struct heap_node *b)
{
   return a->key != b->key ? a->key < b->key : a->node > b->node;
}

static void
push(struct sgc_program *p, struct heap *heap, unsigned key, unsigned node)
{
   const struct heap_node new = { key, node };
   sgc_append(p, &heap->nodes, struct heap_node, new);
   struct heap_node *n = heap->nodes.data;
   unsigned at = util_dynarray_num_elements(&heap->nodes, struct heap_node) - 1;
   while (at && before(&new, &n[(at - 1) / 2])) {
      n[at] = n[(at - 1) / 2];
      at = (at - 1) / 2;
   }
   n[at] = new;
}

static bool
pop(struct heap *heap, struct heap_node *top)
{
   const unsigned num = util_dynarray_num_elements(&heap->nodes, struct heap_node);
   if (!num)
      return false;
   struct heap_node *n = heap->nodes.data;
   *top = n[0];
   const struct heap_node last = util_dynarray_pop(&heap->nodes, struct heap_node);
   unsigned at = 0;
   for (unsigned child; (child = 2 * at + 1) < num - 1; at = child) {
      if (child + 1 < num - 1 && before(&n[child + 1], &n[child]))
         child++;
      if (!before(&n[child], &last))
         break;
      n[at] = n[child];
   }
   if (num > 1)
      n[at] = last;
   return true;
}

struct coloring {
   const struct sgc_graph *g;
   struct tables tables;
   unsigned limit[SGC_NUM_CLASSES]; /* number of colours of each class */
   /* for each node, the maximum number of its colours that the remaining neighbours can block */
   unsigned *conflicts;
   /* removed: set if the node has been removed from the graph; ready: set if it is trivially
    * colourable
    */
   bool *removed, *ready;
   unsigned *stack, num_stacked; /* removed nodes in the order of removal */

   /* trivially colourable nodes to remove in the current and in the next sweep; all keys are 0 */
   struct heap sweep, next_sweep;
   /* All nodes, with the number of conflicts as the key. When this number changes, the node is
    * pushed again, and the outdated entry is ignored once it is popped.
    */
   struct heap fewest;
   bool keeps_fewest; /* set once `fewest` has been filled and must be updated */
};

/* Marks a node as trivially colourable. The current sweep has reached node `at`, so it can still
 * remove lower nodes. All others must wait for the next sweep.
 */
static void
make_ready(struct coloring *c, unsigned node, unsigned at)
{
   if (c->ready[node])
      return;
   c->ready[node] = true;
   push(c->g->p, node < at ? &c->sweep : &c->next_sweep, 0, node);
}

static void
remove_node(struct coloring *c, unsigned node, unsigned at)
{
   const struct sgc_graph *g = c->g;

   c->removed[node] = true;
   c->stack[c->num_stacked++] = node;
   foreach_neighbour(g, node, n) {
      if (c->removed[*n])
         continue;
      c->conflicts[*n] -= c->tables.conflicts[g->class[*n]][g->class[node]];
      if (c->conflicts[*n] < c->limit[g->class[*n]])
         make_ready(c, *n, at);
      else if (c->keeps_fewest)
         push(g->p, &c->fewest, c->conflicts[*n], *n);
   }
   g->p->work += g->first[node + 1] - g->first[node];
}

/* Removes the node with the fewest conflicts from the graph. Returns false if the graph is empty.
 */
static bool
remove_fewest(struct coloring *c)
{
   struct heap_node top;

   if (!c->keeps_fewest) {
      for (unsigned n = 0; n < c->g->num; n++) {
         if (!c->removed[n])
            push(c->g->p, &c->fewest, c->conflicts[n], n);
      }
      c->keeps_fewest = true;
   }
   while (pop(&c->fewest, &top)) {
      if (!c->removed[top.node] && c->conflicts[top.node] == top.key) {
         remove_node(c, top.node, c->g->num);
         return true;
      }
   }
   return false;
}

static void
simplify(struct coloring *c)
{
   const struct sgc_graph *g = c->g;
   struct heap_node top;

   for (unsigned n = 0; n < g->num; n++) {
      foreach_neighbour(g, n, other)
         c->conflicts[n] += c->tables.conflicts[g->class[n]][g->class[*other]];
      if (c->conflicts[n] < c->limit[g->class[n]])
         make_ready(c, n, g->num);
   }
   do {
      while (c->sweep.nodes.size) {
         while (pop(&c->sweep, &top))
            remove_node(c, top.node, top.node);
         const struct heap empty = c->sweep;
         c->sweep = c->next_sweep;
         c->next_sweep = empty;
      }
   } while (remove_fewest(c));
}

static bool
select_colors(struct coloring *c, unsigned size, struct sgc_color *colors, unsigned *failed)
{
   const struct sgc_graph *g = c->g;
   uint8_t used[SGPU_TEMP_SIZE];

   for (unsigned i = c->num_stacked; i-- > 0;) {
      const unsigned node = c->stack[i];
      const uint8_t *lowest = c->tables.lowest[g->class[node]];
      unsigned reg = 0;

      memset(used, 0, size);
      foreach_neighbour(g, node, n) {
         if (colors[*n].set)
            used[colors[*n].reg] |= colors[*n].set;
      }
      while (reg < size && !lowest[used[reg]])
         reg++;
      if (reg == size) {
         *failed = node;
         return false;
      }
      colors[node] = (struct sgc_color){ .reg = reg, .set = lowest[used[reg]] };
   }
   return true;
}

static unsigned
colors_of(unsigned class, unsigned size)
{
   return sets_of(class) * size;
}

bool
sgc_graph_color(const struct sgc_graph *g, unsigned size, struct sgc_color *colors,
                unsigned *failed)
{
   struct sgc_program *p = g->p;
   struct coloring *c = sgc_zalloc(p, p, struct coloring);

   assert(size <= SGPU_TEMP_SIZE);
   c->g = g;
   fill_tables(&c->tables);
   for (unsigned class = 0; class < SGC_NUM_CLASSES; class ++)
      c->limit[class] = colors_of(class, size);
   c->conflicts = sgc_zalloc_array(p, c, unsigned, g->num);
   c->removed = sgc_zalloc_array(p, c, bool, g->num);
   c->ready = sgc_zalloc_array(p, c, bool, g->num);
   c->stack = sgc_zalloc_array(p, c, unsigned, g->num);
   util_dynarray_init(&c->sweep.nodes, c);
   util_dynarray_init(&c->next_sweep.nodes, c);
   util_dynarray_init(&c->fewest.nodes, c);
   simplify(c);

   memset(colors, 0, g->num * sizeof(*colors));
   const bool ok = select_colors(c, size, colors, failed);
   ralloc_free(c);
   return ok;
}

float
sgc_graph_benefit(const struct sgc_graph *g, unsigned size, unsigned node)
{
   const unsigned class = g->class[node];
   unsigned by_class[SGC_NUM_CLASSES] = { 0 }, sum = 0;

   foreach_neighbour(g, node, n)
      by_class[g->class[*n]]++;
   for (unsigned other = 0; other < SGC_NUM_CLASSES; other++) {
      if (by_class[other])
         sum += by_class[other] * conflicts(class, other);
   }
   return (float)sum / colors_of(class, size);
}
