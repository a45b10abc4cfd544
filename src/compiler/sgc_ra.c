/* SPDX-License-Identifier: MIT */
/*
 * Register allocation: graph colouring with Mesa's util/register_allocate.
 *
 * A node is a virtual register with all its components.  A colour is a machine
 * register and a set of its components: 15 per register, and two colours conflict
 * when they share a component.  The class of a node is the sets that it may have:
 * any of its size, in order (all of its results can move), a pair (64-bit values), or
 * exactly its own components (texture operations, LIT and loads write each component
 * at its own place).
 *
 * Arrays come first: they take R0 and up for the whole program.  Registers that do
 * not fit are spilled to scratch memory, and the colouring starts again.
 */

#include "c11/threads.h"
#include "sgc_ir.h"
#include "util/register_allocate.h"

#define NUM_SETS 15               /* non-empty sets of components */
#define PAIR_CLASS (4 + NUM_SETS) /* after those by size and by exact set */
#define NUM_CLASSES (PAIR_CLASS + 1)
#define SMALL_FILE 64 /* registers tried first */
#define MIN_FILE 16   /* registers that arrays must leave */
#define SPILLS_A_ROUND 4

static unsigned
class_by_size(unsigned size)
{
   return size - 1;
}

static unsigned
class_by_set(unsigned set)
{
   return 4 + set - 1;
}

static bool
class_has(unsigned class, unsigned set)
{
   if (class == PAIR_CLASS)
      return set == 3 || set == 12;
   return class < 4 ? util_bitcount(set) == class + 1 : set == class - 4 + 1;
}

/* q[b][c]: the number of colours of class b that one of class c conflicts with, at
 * most.
 */
static void
fill_conflicts(unsigned q[NUM_CLASSES][NUM_CLASSES])
{
   for (unsigned b = 0; b < NUM_CLASSES; b++) {
      for (unsigned c = 0; c < NUM_CLASSES; c++) {
         q[b][c] = 0;
         for (unsigned set = 1; set <= NUM_SETS; set++) {
            unsigned count = 0;
            if (!class_has(c, set))
               continue;
            for (unsigned other = 1; other <= NUM_SETS; other++)
               count += class_has(b, other) && (set & other);
            q[b][c] = MAX2(q[b][c], count);
         }
      }
   }
}

static struct ra_regs *
make_register_set(void *mem_ctx, unsigned size)
{
   struct ra_regs *regs = ra_alloc_reg_set(mem_ctx, size * NUM_SETS, false);
   unsigned conflicts[NUM_CLASSES][NUM_CLASSES];
   unsigned *rows[NUM_CLASSES];

   for (unsigned c = 0; c < NUM_CLASSES; c++) {
      struct ra_class *class = ra_alloc_reg_class(regs);
      for (unsigned r = 0; r < size * NUM_SETS; r++) {
         if (class_has(c, r % NUM_SETS + 1))
            ra_class_add_reg(class, r);
      }
      rows[c] = conflicts[c];
   }
   for (unsigned r = 0; r < size; r++) {
      for (unsigned a = 1; a <= NUM_SETS; a++) {
         for (unsigned b = 1; b < a; b++) {
            if (a & b)
               ra_add_reg_conflict(regs, r * NUM_SETS + a - 1, r * NUM_SETS + b - 1);
         }
      }
   }
   fill_conflicts(conflicts);
   ra_set_finalize(regs, rows);
   return regs;
}

/* The sets of nearly all programs; they live as long as the process. */
static struct ra_regs *vp1_set, *small_set;
static once_flag sets_once = ONCE_FLAG_INIT;

static void
make_common_sets(void)
{
   vp1_set = make_register_set(NULL, SGPU_VP1_TEMPS);
   small_set = make_register_set(NULL, SMALL_FILE);
}

static struct ra_regs *
register_set(void *mem_ctx, unsigned size)
{
   call_once(&sets_once, make_common_sets);
   if (size == SGPU_VP1_TEMPS)
      return vp1_set;
   return size == SMALL_FILE ? small_set : make_register_set(mem_ctx, size);
}

struct allocation {
   struct sgc_program *p;
   unsigned *sets; /* components in use, by register */
   bool *fixed;
   bool *pair; /* some result takes a whole pair */
   float *cost;
   unsigned (*place)[2]; /* machine register and set */
};

static void
find_classes(struct allocation *a)
{
   struct sgc_program *p = a->p;

   a->sets = sgc_zalloc_array(p, a, unsigned, p->num_regs);
   a->fixed = sgc_zalloc_array(p, a, bool, p->num_regs);
   a->pair = sgc_zalloc_array(p, a, bool, p->num_regs);
   a->cost = sgc_zalloc_array(p, a, float, p->num_regs);
   sgc_foreach_block(p, block) {
      float weight = 1.0f;
      for (unsigned d = 0; d < MIN2(block->loop_depth, 5); d++)
         weight *= 10.0f;
      sgc_foreach_instr(block, instr) {
         if (instr->dst.file == SGPU_FILE_TEMP) {
            a->sets[instr->dst.index] |= instr->dst.mask;
            a->cost[instr->dst.index] += weight;
            if (!sgc_can_move_result(instr)) {
               if (sgc_is_one_pair(instr))
                  a->pair[instr->dst.index] = true;
               else
                  a->fixed[instr->dst.index] = true;
            }
         }
         sgc_foreach_src(instr, s) {
            if (instr->src[s].file == SGPU_FILE_TEMP) {
               a->sets[instr->src[s].index] |= sgc_src_read_mask(instr, s);
               a->cost[instr->src[s].index] += weight;
            }
         }
      }
   }
}

static void
add_interferences(struct allocation *a, struct ra_graph *graph)
{
   struct sgc_program *p = a->p;
   const unsigned words = BITSET_WORDS(4 * MAX2(p->num_regs, 1));
   BITSET_WORD *live = sgc_zalloc_array(p, a, BITSET_WORD, words);

   sgc_compute_liveness(p);
   sgc_foreach_block(p, block) {
      memcpy(live, block->live_out, words * sizeof(*live));
      sgc_foreach_instr_rev(block, instr) {
         if (instr->dst.file == SGPU_FILE_TEMP) {
            unsigned last = instr->dst.index, bit;
            BITSET_FOREACH_SET(bit, live, 4 * p->num_regs) {
               if (bit / 4 != last && bit / 4 != (unsigned)instr->dst.index)
                  ra_add_node_interference(graph, instr->dst.index, bit / 4);
               last = bit / 4;
            }
         }
         sgc_liveness_step(instr, live);
      }
   }
}

static unsigned
class_of(const struct allocation *a, unsigned reg, unsigned set)
{
   if (a->fixed[reg] || (a->pair[reg] && set != 3 && set != 12))
      return class_by_set(set);
   return a->pair[reg] ? PAIR_CLASS : class_by_size(util_bitcount(set));
}

/* Colours with `size` machine registers.  If that fails, spill (may be NULL) is the
 * best registers to spill, -1 behind the last.
 */
static bool
colour(struct allocation *a, unsigned size, int spill[SPILLS_A_ROUND])
{
   struct sgc_program *p = a->p;
   struct ra_regs *regs = register_set(a, size);
   struct ra_graph *graph = ra_alloc_interference_graph(regs, p->num_regs);
   bool ok;

   /* For when an allocation below fails. */
   ralloc_steal(a, graph);

   for (unsigned r = 0; r < p->num_regs; r++) {
      const unsigned set = MAX2(a->sets[r], 1);
      const unsigned class = class_of(a, r, set);
      ra_set_node_class(graph, r, ra_get_class_from_index(regs, class));
      ra_set_node_spill_cost(graph, r, r < p->first_spill_reg ? a->cost[r] : 0.0f);
   }
   add_interferences(a, graph);
   ok = ra_allocate(graph);
   if (ok) {
      for (unsigned r = 0; r < p->num_regs; r++) {
         a->place[r][0] = ra_get_node_reg(graph, r) / NUM_SETS;
         a->place[r][1] = ra_get_node_reg(graph, r) % NUM_SETS + 1;
      }
   } else if (spill) {
      for (unsigned i = 0; i < SPILLS_A_ROUND; i++) {
         spill[i] = ra_get_best_spill_node(graph);
         if (spill[i] >= 0)
            ra_set_node_spill_cost(graph, spill[i], 0.0f);
      }
   }
   ralloc_free(graph);
   return ok;
}

/* map[c]: the machine component of component c. */
static void
component_map(const struct allocation *a, unsigned reg, uint8_t map[4])
{
   unsigned set = a->place[reg][1];

   for (unsigned c = 0; c < 4; c++)
      map[c] = 0;
   u_foreach_bit(c, a->sets[reg])
      map[c] = u_bit_scan(&set);
}

static void
assign(struct allocation *a, unsigned array_size)
{
   struct sgc_program *p = a->p;
   uint8_t map[4];

   sgc_foreach_block(p, block) {
      sgc_foreach_instr(block, instr) {
         sgc_foreach_src(instr, s) {
            struct sgc_src *src = &instr->src[s];
            if (src->file == SGC_FILE_ARRAY) {
               src->file = SGPU_FILE_TEMP;
               src->index += p->arrays[src->array].base;
               src->array = 0;
            } else if (src->file == SGPU_FILE_TEMP) {
               const unsigned positions = sgc_src_positions(instr, s);
               const unsigned first = positions ? ffs(positions) - 1 : 0;
               unsigned swizzle = 0;
               component_map(a, src->index, map);
               for (unsigned pos = 0; pos < 4; pos++) {
                  const unsigned from = positions & (1u << pos) ? pos : first;
                  swizzle |= map[sgpu_swizzle_get(src->swizzle, from)] << (2 * pos);
               }
               src->swizzle = swizzle;
               src->index = a->place[src->index][0] + array_size;
            }
         }
         if (instr->dst.file == SGC_FILE_ARRAY) {
            instr->dst.file = SGPU_FILE_TEMP;
            instr->dst.index += p->arrays[instr->dst.array].base;
            instr->dst.array = 0;
         } else if (instr->dst.file == SGPU_FILE_TEMP) {
            bool identity = true;
            component_map(a, instr->dst.index, map);
            u_foreach_bit(c, instr->dst.mask)
               identity &= map[c] == c;
            instr->dst.index = a->place[instr->dst.index][0] + array_size;
            if (!identity)
               sgc_move_result(instr, map);
         }
      }
   }
}

static unsigned
place_arrays(struct sgc_program *p)
{
   unsigned size = 0;
   for (unsigned i = 0; i < p->num_arrays; i++) {
      p->arrays[i].base = size;
      size += p->arrays[i].size;
   }
   return size;
}

/* All registers, to test spilling. */
static void
spill_all(struct sgc_program *p)
{
   const unsigned num = p->num_regs;
   p->first_spill_reg = num;
   for (unsigned r = 0; r < num; r++)
      sgc_spill(p, r);
}

bool
sgc_allocate(struct sgc_program *p)
{
   const unsigned array_size = place_arrays(p);
   const unsigned limit = p->vp1 ? SGPU_VP1_TEMPS : SGPU_TEMP_SIZE;
   bool ok = false;

   p->first_spill_reg = ~0u;
   assert(!p->vp1 || !array_size);
   if (!p->vp1 && array_size + MIN_FILE > limit) {
      sgc_error(p, "arrays leave too few temporaries");
      return false;
   }
   if ((p->debug & SGPU_COMPILER_SPILLALL) && !p->vp1)
      spill_all(p);

   struct allocation *a;
   for (;;) {
      int spill[SPILLS_A_ROUND];
      a = sgc_zalloc(p, p, struct allocation);
      a->p = p;
      a->place = sgc_alloc(p, a, sizeof(*a->place), p->num_regs);
      find_classes(a);
      if (!p->vp1 && array_size + SMALL_FILE <= limit)
         ok = colour(a, SMALL_FILE, NULL);
      if (!ok)
         ok = colour(a, limit - array_size, spill);
      if (ok)
         break;
      if (p->vp1 || spill[0] < 0) {
         sgc_error(p,
                   p->vp1 ? "more than 12 temporaries" : "more temporaries than the machine has");
         ralloc_free(a);
         return false;
      }
      if (p->first_spill_reg == ~0u)
         p->first_spill_reg = p->num_regs;
      for (unsigned i = 0; i < SPILLS_A_ROUND && spill[i] >= 0; i++)
         sgc_spill(p, spill[i]);
      ralloc_free(a);
   }

   unsigned count = 0;
   const bool check = p->validate;
   struct sgc_instr *before = check ? sgc_record_operands(p, a, &count) : NULL;
   const unsigned num_regs = p->num_regs;
   assign(a, array_size);
   p->num_temps = array_size;
   for (unsigned r = 0; r < num_regs; r++) {
      if (a->sets[r])
         p->num_temps = MAX2(p->num_temps, array_size + a->place[r][0] + 1);
   }
   p->num_regs = SGPU_TEMP_SIZE;
   p->allocated = true;
   if (check) {
      const char *error = sgc_check_allocation(p, before, count, num_regs);
      if (error)
         sgc_error(p, error);
   }
   ralloc_free(a);
   return true;
}
