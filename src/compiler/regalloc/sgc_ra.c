/* SPDX-License-Identifier: MIT */
/*
 * Register allocation by graph colouring (sgc_color.c).
 *
 * Each node is a virtual register with all of its components. A colour is a hardware register and
 * one of the 15 non-empty sets of its components. Two colours conflict if they have a component in
 * common. The class of a node is the list of sets it can be assigned:
 *
 *    - all sets of the same size, if all of its writes can be moved to other components; the order
 *      of the components is preserved
 *    - a pair, xy or zw, for 64-bit values
 *    - only the set of its virtual components, if some instruction writes fixed components, e.g.
 *      texture operations, LIT and loads
 *
 * Arrays occupy the registers starting at R0 for the whole program. If colouring fails, some
 * registers are spilled to scratch memory and colouring is retried. If more components are live
 * than the register file has, registers are spilled before the first attempt, which keeps the size
 * of the graph linear in the size of the program.
 */

#include "regalloc/sgc_color.h"

#define SMALL_FILE 64    /* number of registers to try first */
#define MIN_FILE 16      /* minimum number of registers not used by arrays */
#define SPILLS_A_ROUND 4 /* number of registers to spill after a failed colouring */
/* number of rounds after which the number of spills is doubled in every round */
#define SMALL_ROUNDS 8

/* Lower the limit on live components if the registers have more interferences than this. */
#define MAX_EDGES (8 << 20)
#define LEAST_LIVE (4 * 64) /* minimum value of the lowered limit */

struct allocation {
   struct sgc_program *p;
   unsigned *sets; /* for each register, a bitmask of the components in use */
   /* set for registers with a result that can't be moved to other components */
   bool *fixed;
   bool *pair; /* set for registers with a result that needs a component pair */
   /* number of reads and writes of each register, weighted by loop depth */
   float *cost;
   struct sgc_color *place; /* assigned colour of each register */
   struct sgc_graph *graph;
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

static unsigned
class_of(const struct allocation *a, unsigned reg, unsigned set)
{
   if (a->fixed[reg] || (a->pair[reg] && set != 3 && set != 12))
      return sgc_class_by_set(set);
   return a->pair[reg] ? SGC_PAIR_CLASS : sgc_class_by_size(util_bitcount(set));
}

static void
build_graph(struct allocation *a)
{
   struct sgc_program *p = a->p;

   a->graph = sgc_graph_create(p, a);
   for (unsigned r = 0; r < p->num_regs; r++)
      a->graph->class[r] = class_of(a, r, MAX2(a->sets[r], 1));

   sgc_compute_liveness(p);
   struct sgc_live *live = sgc_live_create(p, a);
   sgc_foreach_block(p, block) {
      sgc_live_start(live, &block->live_out);
      sgc_foreach_instr_rev(block, instr) {
         if (instr->dst.file == SGPU_FILE_TEMP) {
            for (unsigned i = 0; i < live->num; i++)
               sgc_graph_add(a->graph, instr->dst.index, live->regs[i]);
         }
         sgc_live_step(live, instr);
      }
   }
   sgc_graph_finish(a->graph);
}

/*
 * Spilling
 */

struct candidate {
   float score;
   unsigned reg;
};

static int
compare_candidates(const void *a, const void *b)
{
   const struct candidate *x = a, *y = b;
   if (x->score != y->score)
      return x->score > y->score ? -1 : 1;
   return x->reg < y->reg ? -1 : x->reg > y->reg;
}

/* Stores up to `most` registers in regs[], best candidates for spilling first, and returns their
 * number. Only considers registers that have a colour, and the register `failed`, for which no
 * colour was left.
 */
static unsigned
choose_spills(struct allocation *a, unsigned size, unsigned failed, unsigned *regs, unsigned most)
{
   struct sgc_program *p = a->p;
   struct candidate *candidates = sgc_zalloc_array(p, a, struct candidate, p->num_regs);
   unsigned num = 0;

   for (unsigned r = 0; r < MIN2(p->num_regs, p->first_spill_reg); r++) {
      if (a->cost[r] <= 0.0f || (!a->place[r].set && r != failed))
         continue;
      const float score = sgc_graph_benefit(a->graph, size, r) / a->cost[r];
      if (score > 0.0f)
         candidates[num++] = (struct candidate){ score, r };
   }
   qsort(candidates, num, sizeof(*candidates), compare_candidates);
   num = MIN2(num, most);
   for (unsigned i = 0; i < num; i++)
      regs[i] = candidates[i].reg;
   ralloc_free(candidates);
   return num;
}

/* Sets map[c] to the hardware component assigned to component c of a virtual register. */
static void
component_map(const struct allocation *a, unsigned reg, uint8_t map[4])
{
   unsigned set = a->place[reg].set;

   for (unsigned c = 0; c < 4; c++)
      map[c] = 0;
   u_foreach_bit(c, a->sets[reg])
      map[c] = u_bit_scan(&set);
}

/* Replaces virtual registers and arrays with hardware registers. */
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
               src->index = a->place[src->index].reg + array_size;
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
            instr->dst.index = a->place[instr->dst.index].reg + array_size;
            if (!identity)
               sgc_move_result(instr, map);
         }
      }
   }
}

/* Assigns registers to the arrays and returns the number of registers they occupy. */
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

/* Spills every register, for testing. */
static void
spill_all(struct sgc_program *p)
{
   const unsigned num = p->num_regs;
   p->first_spill_reg = num;
   for (unsigned r = 0; r < num; r++)
      sgc_spill(p, &r, 1);
}

/* Tries to colour the graph with `size` registers. On failure, spills some registers and returns
 * false.
 */
static bool
try(struct allocation *a, unsigned size, unsigned round)
{
   struct sgc_program *p = a->p;
   unsigned failed;

   a->place = sgc_zalloc_array(p, a, struct sgc_color, p->num_regs);
   find_classes(a);
   build_graph(a);
   if (SMALL_FILE < size && sgc_graph_color(a->graph, SMALL_FILE, a->place, &failed))
      return true;
   if (sgc_graph_color(a->graph, size, a->place, &failed))
      return true;
   if (p->vp1) {
      sgc_error(p, "more than 12 temporaries");
      return false;
   }

   const unsigned doubled = round < SMALL_ROUNDS ? 0 : MIN2(round - SMALL_ROUNDS + 1, 16);
   const unsigned most = SPILLS_A_ROUND << doubled;
   unsigned *regs = sgc_zalloc_array(p, a, unsigned, most);
   const unsigned num = choose_spills(a, size, failed, regs, most);
   if (!num) {
      sgc_error(p, "more temporaries than the machine has");
      return false;
   }
   p->first_spill_reg = MIN2(p->first_spill_reg, p->num_regs);
   /* If there are only a few spills, spill one register at a time. New registers are then numbered
    * by spilled register instead of by position in the program, which changes the colouring order.
    */
   for (unsigned i = 0; i < num && !doubled; i++)
      sgc_spill(p, &regs[i], 1);
   if (doubled)
      sgc_spill(p, regs, num);
   return false;
}

bool
sgc_allocate(struct sgc_program *p)
{
   const unsigned array_size = place_arrays(p);
   const unsigned limit = p->vp1 ? SGPU_VP1_TEMPS : SGPU_TEMP_SIZE;
   struct allocation *a;

   p->first_spill_reg = ~0u;
   assert(!p->vp1 || !array_size);
   if (!p->vp1 && array_size + MIN_FILE > limit) {
      sgc_error(p, "arrays leave too few temporaries");
      return false;
   }
   if ((p->debug & SGPU_COMPILER_SPILLALL) && !p->vp1)
      spill_all(p);
   else if (!p->vp1)
      sgc_limit_live(p, 4 * (limit - array_size), LEAST_LIVE, MAX_EDGES);

   for (unsigned round = 0;; round++) {
      a = sgc_zalloc(p, p, struct allocation);
      a->p = p;
      if (try(a, limit - array_size, round))
         break;
      ralloc_free(a);
      if (p->error)
         return false;
   }

   unsigned count = 0;
   const bool check = p->validate;
   struct sgc_instr *before = check ? sgc_record_operands(p, a, &count) : NULL;
   const unsigned num_regs = p->num_regs;
   assign(a, array_size);
   p->num_temps = array_size;
   for (unsigned r = 0; r < num_regs; r++) {
      if (a->sets[r])
         p->num_temps = MAX2(p->num_temps, array_size + a->place[r].reg + 1);
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
