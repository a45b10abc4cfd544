/* SPDX-License-Identifier: MIT */
/*
 * Scheduling inside blocks, before registers are allocated: a list scheduler
 * with the ISA's latency classes.  Of the instructions whose operands are ready it
 * takes the one with the longest path to the end of the block; when many components
 * are live, the one that frees most.
 *
 * Control instructions and CLK keep their places and divide a block into regions.
 */

#include "sgc_ir.h"
#include "util/dag.h"

struct node {
   struct dag_node dag;
   struct sgc_instr *instr;
   unsigned path;  /* cycles from issue to the end of the region */
   unsigned ready; /* earliest cycle */
   unsigned order; /* its place before */
};

struct scheduler {
   struct sgc_program *p;
   struct dag *dag;
   unsigned limit; /* live components from which pressure decides */

   /* The last writer and the readers since, by 4 * register + component. */
   struct node **writer;
   struct util_dynarray *readers;
   unsigned num_places;

   BITSET_WORD *live;
   unsigned num_live;
   unsigned *uses_left; /* by component, in this region */
   BITSET_WORD *live_out;
};

static bool
divides(const struct sgc_instr *instr)
{
   return sgc_info(instr)->kind == SGPU_KIND_CTL || (sgc_info(instr)->flags & SGPU_OPF_INORDER);
}

/* Places beyond the registers' components, for the other dependences. */
enum {
   PLACE_ADDR = 0,
   PLACE_PRED = 4,
   PLACE_OUTPUT = PLACE_PRED + 16,
   PLACE_SCRATCH = PLACE_OUTPUT + 4 * SGPU_OUTPUT_SIZE,
   PLACE_SHARED,
   PLACE_PATCH,         /* outputs of the patch */
   PLACE_LOADED_OUTPUT, /* outputs as other invocations load them */
   PLACE_MEMORY,        /* buffers and images, which may be the same memory */
   PLACE_ARRAY,
};

/* The place that an access of memory is ordered by, 0: none. */
static unsigned
memory_place(enum sgpu_opcode op)
{
   switch (op) {
   case SGPU_OP_LDL:
   case SGPU_OP_STL:
      return PLACE_SCRATCH;
   case SGPU_OP_LDP:
   case SGPU_OP_STP:
      return PLACE_PATCH;
   case SGPU_OP_LDO:
      return PLACE_LOADED_OUTPUT;
   case SGPU_OP_LDS:
   case SGPU_OP_STS:
   case SGPU_OP_ATS:
      return PLACE_SHARED;
   case SGPU_OP_LDB:
   case SGPU_OP_STB:
   case SGPU_OP_ATB:
   case SGPU_OP_LDI:
   case SGPU_OP_STI:
   case SGPU_OP_ATI:
      return PLACE_MEMORY;
   default:
      return 0;
   }
}

static unsigned
place(const struct scheduler *s, unsigned extra)
{
   return 4 * s->p->num_regs + extra;
}

static void
depend(struct node *first, struct node *second, unsigned latency)
{
   if (first && first != second)
      dag_add_edge_max_data(&first->dag, &second->dag, latency);
}

static unsigned
latency_of(const struct node *node)
{
   return sgc_info(node->instr)->latency;
}

static void
reads(struct scheduler *s, struct node *node, unsigned at)
{
   if (s->writer[at])
      depend(s->writer[at], node, latency_of(s->writer[at]));
   sgc_append(s->p, &s->readers[at], struct node *, node);
}

static void
writes(struct scheduler *s, struct node *node, unsigned at)
{
   util_dynarray_foreach(&s->readers[at], struct node *, reader)
      depend(*reader, node, 0);
   util_dynarray_clear(&s->readers[at]);
   depend(s->writer[at], node, 1);
   s->writer[at] = node;
}

static void
add_dependencies(struct scheduler *s, struct node *node)
{
   const struct sgc_instr *instr = node->instr;
   struct sgpu_instr isa = sgc_instr_isa(instr);

   sgc_foreach_src(instr, i) {
      if (instr->src[i].file == SGPU_FILE_TEMP) {
         u_foreach_bit(c, sgc_src_read_mask(instr, i))
            reads(s, node, 4 * instr->src[i].index + c);
      } else if (instr->src[i].file == SGC_FILE_ARRAY) {
         reads(s, node, place(s, PLACE_ARRAY + instr->src[i].array));
      }
   }
   u_foreach_bit(c, sgpu_instr_addr_read_mask(&isa))
      reads(s, node, place(s, PLACE_ADDR + c));
   if (instr->guard.en)
      reads(s, node, place(s, PLACE_PRED + 4 * instr->guard.reg + instr->guard.comp));
   const unsigned memory = memory_place(instr->op);
   if (memory && (sgc_info(instr)->flags & SGPU_OPF_EFFECT))
      writes(s, node, place(s, memory));
   else if (memory)
      reads(s, node, place(s, memory));
   if (instr->fence) {
      writes(s, node, place(s, PLACE_SHARED));
      writes(s, node, place(s, PLACE_MEMORY));
   }

   u_foreach_bit(c, instr->dst.mask) {
      switch (instr->dst.file) {
      case SGPU_FILE_TEMP:
         writes(s, node, 4 * instr->dst.index + c);
         break;
      case SGPU_FILE_ADDR:
         writes(s, node, place(s, PLACE_ADDR + c));
         break;
      case SGPU_FILE_PRED:
         writes(s, node, place(s, PLACE_PRED + 4 * instr->dst.index + c));
         break;
      case SGPU_FILE_OUTPUT:
         /* A run with a variable index is one place. */
         writes(s, node, place(s, PLACE_OUTPUT + (instr->dst.rel ? 0 : 4 * instr->dst.index + c)));
         if (s->p->stage == MESA_SHADER_TESS_CTRL)
            writes(s, node, place(s, PLACE_LOADED_OUTPUT));
         break;
      default:
         break;
      }
   }
   if (instr->dst.file == SGC_FILE_ARRAY)
      writes(s, node, place(s, PLACE_ARRAY + instr->dst.array));
}

static void
find_path(struct dag_node *dag, void *data)
{
   struct node *node = (struct node *)dag;

   node->path = latency_of(node);
   util_dynarray_foreach(&dag->edges, struct dag_edge, edge) {
      struct node *child = (struct node *)edge->child;
      node->path = MAX2(node->path, (unsigned)edge->data + child->path);
   }
}

/* The number of components that become live, minus the number that die. */
static int
pressure_of(const struct scheduler *s, const struct sgc_instr *instr)
{
   int change = 0;

   if (instr->dst.file == SGPU_FILE_TEMP) {
      u_foreach_bit(c, instr->dst.mask)
         change += !BITSET_TEST(s->live, 4 * instr->dst.index + c);
   }
   sgc_foreach_src(instr, i) {
      if (instr->src[i].file != SGPU_FILE_TEMP)
         continue;
      u_foreach_bit(c, sgc_src_read_mask(instr, i)) {
         const unsigned at = 4 * instr->src[i].index + c;
         if (s->uses_left[at] == 1 && !BITSET_TEST(s->live_out, at))
            change--;
      }
   }
   return change;
}

static void
count_uses(struct scheduler *s, const struct sgc_instr *instr, int step)
{
   sgc_foreach_src(instr, i) {
      if (instr->src[i].file != SGPU_FILE_TEMP)
         continue;
      u_foreach_bit(c, sgc_src_read_mask(instr, i)) {
         const unsigned at = 4 * instr->src[i].index + c;
         s->uses_left[at] += step;
         if (step < 0 && s->uses_left[at] == 0 && !BITSET_TEST(s->live_out, at) &&
             BITSET_TEST(s->live, at)) {
            BITSET_CLEAR(s->live, at);
            s->num_live--;
         }
      }
   }
   if (step < 0 && instr->dst.file == SGPU_FILE_TEMP) {
      u_foreach_bit(c, instr->dst.mask) {
         const unsigned at = 4 * instr->dst.index + c;
         if (!BITSET_TEST(s->live, at) && (s->uses_left[at] || BITSET_TEST(s->live_out, at))) {
            BITSET_SET(s->live, at);
            s->num_live++;
         }
      }
   }
}

static struct node *
choose(struct scheduler *s, unsigned cycle)
{
   struct node *best = NULL;
   int best_pressure = 0;
   const bool tight = s->num_live >= s->limit;

   list_for_each_entry(struct node, node, &s->dag->heads, dag.link) {
      const int pressure = pressure_of(s, node->instr);
      bool better;
      if (!best) {
         better = true;
      } else if (tight && pressure != best_pressure) {
         better = pressure < best_pressure;
      } else if ((node->ready <= cycle) != (best->ready <= cycle)) {
         better = node->ready <= cycle;
      } else if (node->path != best->path) {
         better = node->path > best->path;
      } else {
         better = node->order < best->order;
      }
      if (better) {
         best = node;
         best_pressure = pressure;
      }
   }
   return best;
}

/* Instructions from `first` on, `count` of them, without a control instruction. */
static void
schedule_region(struct scheduler *s, struct sgc_instr *first, unsigned count)
{
   struct list_head *before = first->link.prev;
   struct sgc_instr *instr = first;

   s->dag = dag_create(s);
   memset(s->writer, 0, s->num_places * sizeof(*s->writer));
   for (unsigned i = 0; i < count; i++) {
      struct sgc_instr *next = list_entry(instr->link.next, struct sgc_instr, link);
      struct node *node = sgc_zalloc(s->p, s->dag, struct node);
      dag_init_node(s->dag, &node->dag);
      node->instr = instr;
      node->order = i;
      add_dependencies(s, node);
      list_del(&instr->link);
      instr = next;
   }
   for (unsigned i = 0; i < s->num_places; i++)
      util_dynarray_clear(&s->readers[i]);
   dag_traverse_bottom_up(s->dag, find_path, s);

   unsigned cycle = 0;
   while (!list_is_empty(&s->dag->heads)) {
      struct node *node = choose(s, cycle);
      cycle = MAX2(cycle, node->ready) + 1;
      util_dynarray_foreach(&node->dag.edges, struct dag_edge, edge) {
         struct node *child = (struct node *)edge->child;
         child->ready = MAX2(child->ready, cycle - 1 + (unsigned)edge->data);
      }
      count_uses(s, node->instr, -1);
      list_add(&node->instr->link, before);
      before = &node->instr->link;
      dag_prune_head(s->dag, &node->dag);
   }
   ralloc_free(s->dag);
}

static void
schedule_block(struct scheduler *s, struct sgc_block *block)
{
   const unsigned words = BITSET_WORDS(4 * MAX2(s->p->num_regs, 1));
   struct sgc_instr *first = NULL;
   unsigned count = 0;

   memcpy(s->live, block->live_in, words * sizeof(*s->live));
   s->num_live = 0;
   for (unsigned w = 0; w < words; w++)
      s->num_live += util_bitcount(s->live[w]);

   sgc_foreach_instr(block, instr)
      count_uses(s, instr, 1);
   s->live_out = block->live_out;

   sgc_foreach_instr_safe(block, instr) {
      if (!divides(instr)) {
         if (!first)
            first = instr;
         count++;
         continue;
      }
      if (first)
         schedule_region(s, first, count);
      first = NULL;
      count = 0;
   }
   if (first)
      schedule_region(s, first, count);
   memset(s->uses_left, 0, 4 * MAX2(s->p->num_regs, 1) * sizeof(*s->uses_left));
}

bool
sgc_schedule(struct sgc_program *p)
{
   struct scheduler *s = sgc_zalloc(p, p, struct scheduler);
   const unsigned n = 4 * MAX2(p->num_regs, 1);

   s->p = p;
   s->limit = p->vp1 ? 4 * 6 : 4 * 24;
   s->num_places = n + PLACE_ARRAY + p->num_arrays;
   s->writer = sgc_zalloc_array(p, s, struct node *, s->num_places);
   s->readers = sgc_zalloc_array(p, s, struct util_dynarray, s->num_places);
   for (unsigned i = 0; i < s->num_places; i++)
      util_dynarray_init(&s->readers[i], s);
   s->live = sgc_zalloc_array(p, s, BITSET_WORD, BITSET_WORDS(n));
   s->uses_left = sgc_zalloc_array(p, s, unsigned, n);

   sgc_compute_liveness(p);
   sgc_foreach_block(p, block)
      schedule_block(s, block);
   ralloc_free(s);
   return true;
}
