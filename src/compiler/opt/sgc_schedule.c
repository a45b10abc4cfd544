/* SPDX-License-Identifier: MIT */
/*
 * Local instruction scheduling before register allocation: a list scheduler with the latencies of
 * the ISA. Among the instructions whose operands are ready, it selects the one with the longest
 * path to the end of the region. If register pressure is high, it selects the one that reduces the
 * number of live components the most.
 *
 * Control flow instructions and CLK stay in place and divide a block into regions.
 */

#include "ir/sgc_ir.h"

/* Maximum number of instructions that an instruction can be moved across. This limits the compile
 * time.
 */
#define WINDOW 2048

/* A dependence: `child` must issue at least `latency` cycles after the node that this edge belongs
 * to.
 */
struct edge {
   struct node *child;
   unsigned latency;
};

/* An instruction in the current region. */
struct node {
   struct sgc_instr *instr;
   /* array of struct edge: later instructions that depend on this one */
   struct util_dynarray edges;
   unsigned parents; /* number of unscheduled nodes that this node depends on */
   /* length of the longest path from this node to the end of the region, in cycles */
   unsigned path;
   unsigned ready; /* earliest cycle in which the instruction can issue without a stall */
   unsigned order; /* index in the original order */
   bool chosen;    /* set once the instruction has been scheduled */
   /* Components of temporaries that the instruction reads, numbered 4 * register + component. The
    * array can contain duplicates.
    */
   uint8_t num_reads;
   unsigned reads[12];
};

/* A node that reads a resource (struct place) after the last write to the resource. */
struct reader {
   struct node *node;
   unsigned next; /* 1 + index into `readers` of the next reader of the same resource, or 0 */
};

/* A resource that instructions read or write, e.g. a register component. Used to find dependences.
 */
struct place {
   struct node *writer; /* last node in the region that writes the resource, or NULL */
   /* list of the readers since that write: 1 + index into scheduler::readers, or 0 if empty */
   unsigned readers;
   unsigned region; /* index of the region that the members above belong to */
};

struct scheduler {
   struct sgc_program *p;
   /* If at least this number of components are live, the scheduler minimizes register pressure. */
   unsigned limit;

   unsigned region; /* index of the current region, starting at 1 */
   struct node *nodes;
   unsigned num_nodes;
   /* all resources: register components at index 4 * register + component, then all others */
   struct place *places;
   struct util_dynarray readers; /* array of struct reader */
   struct util_dynarray heads;   /* array of struct node *: nodes that can be scheduled next */

   /* the following arrays are indexed by 4 * register + component */
   /* live: the component is live at the current point; live_out: at the end of the block */
   bool *live, *live_out;
   unsigned num_live;   /* number of live components */
   unsigned *uses_left; /* number of reads of the component in the rest of the block */
};

/* Returns true if the instruction must stay in place, and no instruction may move across it. */
static bool
divides(const struct sgc_instr *instr)
{
   return sgc_info(instr)->kind == SGPU_KIND_CTL || (sgc_info(instr)->flags & SGPU_OPF_INORDER);
}

/* All resources (struct place) except for register components. Their indices in scheduler::places
 * start after the last register component.
 */
enum {
   PLACE_ADDR = 0,
   PLACE_PRED = 4,
   PLACE_OUTPUT = PLACE_PRED + 16,
   PLACE_ANY_OUTPUT = PLACE_OUTPUT + 4 * SGPU_OUTPUT_SIZE,
   PLACE_SCRATCH,
   PLACE_SHARED,
   PLACE_PATCH,         /* per-patch outputs */
   PLACE_LOADED_OUTPUT, /* per-vertex outputs that other invocations can load */
   PLACE_MEMORY,        /* buffers and images, which may alias */
   PLACE_ARRAY,         /* first local array; every array is a separate resource */
};

/* Returns the PLACE_* that a memory instruction accesses, or 0 if the order of the instruction
 * doesn't matter.
 */
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
   case SGPU_OP_ATSW:
      return PLACE_SHARED;
   case SGPU_OP_LDB:
   case SGPU_OP_STB:
   case SGPU_OP_ATB:
   case SGPU_OP_ATBW:
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

static struct place *
place_at(struct scheduler *s, unsigned at)
{
   struct place *place = &s->places[at];
   if (place->region != s->region)
      *place = (struct place){ .region = s->region };
   return place;
}

/* Makes `second` depend on `first`. The caller must add all dependences of a node before it adds
 * those of the next node, because a duplicate is only detected if it is the last edge of `first`.
 */
static void
depend(struct scheduler *s, struct node *first, struct node *second, unsigned latency)
{
   s->p->work++;
   if (!first || first == second)
      return;
   if (first->edges.size) {
      struct edge *last = util_dynarray_top_ptr(&first->edges, struct edge);
      if (last->child == second) {
         last->latency = MAX2(last->latency, latency);
         return;
      }
   }
   const struct edge edge = { second, latency };
   sgc_append(s->p, &first->edges, struct edge, edge);
   second->parents++;
}

static unsigned
latency_of(const struct node *node)
{
   return sgc_info(node->instr)->latency;
}

static void
reads(struct scheduler *s, struct node *node, unsigned at)
{
   struct place *place = place_at(s, at);
   if (place->writer)
      depend(s, place->writer, node, latency_of(place->writer));
   const struct reader reader = { node, place->readers };
   sgc_append(s->p, &s->readers, struct reader, reader);
   place->readers = util_dynarray_num_elements(&s->readers, struct reader);
}

static void
writes(struct scheduler *s, struct node *node, unsigned at)
{
   struct place *place = place_at(s, at);
   for (unsigned r = place->readers; r;) {
      const struct reader *reader = util_dynarray_element(&s->readers, struct reader, r - 1);
      depend(s, reader->node, node, 0);
      r = reader->next;
   }
   place->readers = 0;
   depend(s, place->writer, node, 1);
   place->writer = node;
}

static void
add_dependencies(struct scheduler *s, struct node *node)
{
   const struct sgc_instr *instr = node->instr;
   struct sgpu_instr isa = sgc_instr_isa(instr);

   sgc_foreach_src(instr, i) {
      if (instr->src[i].file == SGPU_FILE_TEMP) {
         u_foreach_bit(c, sgc_src_read_mask(instr, i)) {
            const unsigned at = 4 * instr->src[i].index + c;
            node->reads[node->num_reads++] = at;
            reads(s, node, at);
         }
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
         /* Output stores with a variable index keep their order relative to all other output
          * stores.
          */
         if (instr->dst.rel) {
            writes(s, node, place(s, PLACE_ANY_OUTPUT));
         } else {
            reads(s, node, place(s, PLACE_ANY_OUTPUT));
            writes(s, node, place(s, PLACE_OUTPUT + 4 * instr->dst.index + c));
         }
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
find_paths(struct scheduler *s)
{
   for (unsigned i = s->num_nodes; i-- > 0;) {
      struct node *node = &s->nodes[i];
      node->path = latency_of(node);
      util_dynarray_foreach(&node->edges, struct edge, edge)
         node->path = MAX2(node->path, edge->latency + edge->child->path);
   }
}

/* Returns by how much register pressure would rise if the node were scheduled next. This is the
 * number of components that become live, minus the number of components that die.
 */
static int
pressure_of(const struct scheduler *s, const struct node *node)
{
   const struct sgc_dst *dst = &node->instr->dst;
   int change = 0;

   if (dst->file == SGPU_FILE_TEMP) {
      u_foreach_bit(c, dst->mask)
         change += !s->live[4 * dst->index + c];
   }
   for (unsigned i = 0; i < node->num_reads; i++)
      change -= s->uses_left[node->reads[i]] == 1 && !s->live_out[node->reads[i]];
   return change;
}

static void
count_use(struct scheduler *s, const struct node *node)
{
   const struct sgc_dst *dst = &node->instr->dst;

   for (unsigned i = 0; i < node->num_reads; i++) {
      const unsigned at = node->reads[i];
      if (--s->uses_left[at] == 0 && !s->live_out[at] && s->live[at]) {
         s->live[at] = false;
         s->num_live--;
      }
   }
   if (dst->file == SGPU_FILE_TEMP) {
      u_foreach_bit(c, dst->mask) {
         const unsigned at = 4 * dst->index + c;
         if (!s->live[at] && (s->uses_left[at] || s->live_out[at])) {
            s->live[at] = true;
            s->num_live++;
         }
      }
   }
}

/* Removes the best node from s->heads and returns it. */
static struct node *
choose(struct scheduler *s, unsigned cycle)
{
   struct node **heads = s->heads.data;
   const unsigned num = util_dynarray_num_elements(&s->heads, struct node *);
   const bool tight = s->num_live >= s->limit;
   unsigned best_at = 0;
   int best_pressure = 0;

   s->p->work += num;
   for (unsigned i = 0; i < num; i++) {
      const struct node *node = heads[i], *best = heads[best_at];
      const int pressure = tight ? pressure_of(s, node) : 0;
      bool better;
      if (i == 0) {
         better = true;
      } else if (pressure != best_pressure) {
         better = pressure < best_pressure;
      } else if ((node->ready <= cycle) != (best->ready <= cycle)) {
         better = node->ready <= cycle;
      } else if (node->path != best->path) {
         better = node->path > best->path;
      } else {
         better = node->order < best->order;
      }
      if (better) {
         best_at = i;
         best_pressure = pressure;
      }
   }
   struct node *best = heads[best_at];
   heads[best_at] = util_dynarray_pop(&s->heads, struct node *);
   best->chosen = true;
   return best;
}

/* Adds a node to s->heads if it doesn't depend on any unscheduled node and is inside the window,
 * which ends before node `end`.
 */
static void
add_head(struct scheduler *s, struct node *node, unsigned end)
{
   if (!node->parents && node->order < end)
      sgc_append(s->p, &s->heads, struct node *, node);
}

/* Creates the nodes and edges of a region, and unlinks its instructions from the block. */
static void
make_nodes(struct scheduler *s, struct sgc_instr *first, unsigned count)
{
   struct sgc_instr *instr = first;

   s->region++;
   s->nodes = sgc_zalloc_array(s->p, s, struct node, count);
   s->num_nodes = count;
   util_dynarray_clear(&s->readers);
   for (unsigned i = 0; i < count; i++) {
      struct sgc_instr *next = list_entry(instr->link.next, struct sgc_instr, link);
      struct node *node = &s->nodes[i];
      util_dynarray_init(&node->edges, s->nodes);
      node->instr = instr;
      node->order = i;
      add_dependencies(s, node);
      list_del(&instr->link);
      instr = next;
   }
   find_paths(s);
}

/* Schedules the `count` instructions starting at `first`, none of which must stay in place. */
static void
schedule_region(struct scheduler *s, struct sgc_instr *first, unsigned count)
{
   struct list_head *before = first->link.prev;
   unsigned cycle = 0, lowest = 0, end = MIN2(count, WINDOW);

   make_nodes(s, first, count);
   for (unsigned i = 0; i < end; i++)
      add_head(s, &s->nodes[i], end);
   while (s->heads.size) {
      struct node *node = choose(s, cycle);
      cycle = MAX2(cycle, node->ready) + 1;
      util_dynarray_foreach(&node->edges, struct edge, edge) {
         struct node *child = edge->child;
         child->ready = MAX2(child->ready, cycle - 1 + edge->latency);
         child->parents--;
         add_head(s, child, end);
      }
      count_use(s, node);
      list_add(&node->instr->link, before);
      before = &node->instr->link;
      while (lowest < count && s->nodes[lowest].chosen) {
         lowest++;
         if (end < count) {
            end++;
            add_head(s, &s->nodes[end - 1], end);
         }
      }
   }
   ralloc_free(s->nodes);
}

/* Initializes the arrays of live components for the start and the end of the block, and counts the
 * reads of each component.
 */
static void
enter_block(struct scheduler *s, struct sgc_block *block)
{
   s->num_live = 0;
   util_dynarray_foreach(&block->live_in, struct sgc_live_reg, r) {
      u_foreach_bit(c, r->mask)
         s->live[4 * r->reg + c] = true;
      s->num_live += util_bitcount(r->mask);
   }
   util_dynarray_foreach(&block->live_out, struct sgc_live_reg, r) {
      u_foreach_bit(c, r->mask)
         s->live_out[4 * r->reg + c] = true;
   }
   sgc_foreach_instr(block, instr) {
      sgc_foreach_src(instr, i) {
         if (instr->src[i].file != SGPU_FILE_TEMP)
            continue;
         u_foreach_bit(c, sgc_src_read_mask(instr, i))
            s->uses_left[4 * instr->src[i].index + c]++;
      }
   }
}

/* Clears everything that enter_block() and the scheduling of the block have set in the arrays. */
static void
leave_block(struct scheduler *s, struct sgc_block *block)
{
   util_dynarray_foreach(&block->live_in, struct sgc_live_reg, r)
      memset(&s->live[4 * r->reg], 0, 4 * sizeof(*s->live));
   util_dynarray_foreach(&block->live_out, struct sgc_live_reg, r)
      memset(&s->live_out[4 * r->reg], 0, 4 * sizeof(*s->live_out));
   sgc_foreach_instr(block, instr) {
      if (instr->dst.file == SGPU_FILE_TEMP)
         memset(&s->live[4 * instr->dst.index], 0, 4 * sizeof(*s->live));
      sgc_foreach_src(instr, i) {
         if (instr->src[i].file == SGPU_FILE_TEMP)
            memset(&s->uses_left[4 * instr->src[i].index], 0, 4 * sizeof(*s->uses_left));
      }
   }
}

static void
schedule_block(struct scheduler *s, struct sgc_block *block)
{
   struct sgc_instr *first = NULL;
   unsigned count = 0;

   enter_block(s, block);
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
   leave_block(s, block);
}

bool
sgc_schedule(struct sgc_program *p)
{
   struct scheduler *s = sgc_zalloc(p, p, struct scheduler);
   const unsigned n = 4 * MAX2(p->num_regs, 1);

   s->p = p;
   s->limit = p->vp1 ? 4 * 6 : 4 * 24;
   s->places = sgc_zalloc_array(p, s, struct place, n + PLACE_ARRAY + p->num_arrays);
   util_dynarray_init(&s->readers, s);
   util_dynarray_init(&s->heads, s);
   s->live = sgc_zalloc_array(p, s, bool, n);
   s->live_out = sgc_zalloc_array(p, s, bool, n);
   s->uses_left = sgc_zalloc_array(p, s, unsigned, n);

   sgc_compute_liveness(p);
   sgc_foreach_block(p, block)
      schedule_block(s, block);
   ralloc_free(s);
   return true;
}
