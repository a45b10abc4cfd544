/* SPDX-License-Identifier: MIT */
/*
 * Places literals in the CONST file, after the user constants. All values of an operand must be in
 * the same register. Equal values share a component. A new value goes to the first register with
 * enough free components.
 *
 * If there is not enough space for all literals, instructions compute the rest of them from their
 * bytes. A table in the CONST file has all possible values of a byte.
 */

#include "ir/sgc_builder.h"
#include "util/hash_table.h"

#define NO_PLACE UINT32_MAX
/* number of registers for the values 0 to 255 and the factor 256 */
#define TABLE_REGS (256 / 4 + 1)

/* The literal registers that contain a particular value. */
struct holders {
   struct util_dynarray regs; /* array of register indices (unsigned) */
};

struct pool {
   struct sgc_program *p;
   uint8_t *used;              /* bitmask of the used components of each literal register */
   unsigned room;              /* allocated size of `used` and p->literals, in registers */
   unsigned limit;             /* maximum number of literal registers */
   struct hash_table *holders; /* map from value_key() to struct holders */
   /* first_free[n]: all registers below this index have fewer than n free components */
   unsigned first_free[5];
   struct util_dynarray places; /* array of struct place: literal sources that have been placed */
   unsigned table;              /* index of the table's first register, or NO_PLACE */
};

/* A source whose literal has been placed in the CONST file. */
struct place {
   struct sgc_instr *instr;
   unsigned s;             /* index of the source */
   struct sgc_src literal; /* original value of the source */
};

static const void *
value_key(uint32_t value)
{
   return (const void *)(uintptr_t)((uint64_t)value << 1 | 1);
}

/* Returns the component of a literal register that contains the value, or -1 if none does. */
static int
find_literal(const struct pool *pool, unsigned reg, uint32_t value)
{
   u_foreach_bit(c, pool->used[reg]) {
      if (pool->p->literals[reg][c] == value)
         return c;
   }
   return -1;
}

/* Stores the distinct values of a literal source in values[], and returns their number. */
static unsigned
distinct(const struct sgc_src *src, unsigned positions, uint32_t values[4])
{
   unsigned n = 0;
   u_foreach_bit(pos, positions) {
      const uint32_t value = src->imm[sgpu_swizzle_get(src->swizzle, pos)];
      bool known = false;
      for (unsigned i = 0; i < n; i++)
         known |= values[i] == value;
      if (!known)
         values[n++] = value;
   }
   return n;
}

/* Returns how many of the n values a literal register doesn't contain. */
static unsigned
missing(const struct pool *pool, unsigned reg, const uint32_t *values, unsigned n)
{
   unsigned count = 0;
   for (unsigned i = 0; i < n; i++)
      count += find_literal(pool, reg, values[i]) < 0;
   return count;
}

static struct holders *
holders_of(struct pool *pool, uint32_t value)
{
   struct hash_entry *entry = _mesa_hash_table_search(pool->holders, value_key(value));
   return entry ? entry->data : NULL;
}

static void
add_value(struct pool *pool, unsigned reg, uint32_t value)
{
   struct sgc_program *p = pool->p;
   const unsigned c = ffs(~pool->used[reg]) - 1;
   struct holders *holders = holders_of(pool, value);

   pool->used[reg] |= 1u << c;
   p->literals[reg][c] = value;
   if (!holders) {
      holders = sgc_zalloc(p, pool->holders, struct holders);
      util_dynarray_init(&holders->regs, pool->holders);
      if (!_mesa_hash_table_insert(pool->holders, value_key(value), holders))
         sgc_out_of_memory(p);
   }
   sgc_append(p, &holders->regs, unsigned, reg);
}

static unsigned
add_register(struct pool *pool)
{
   struct sgc_program *p = pool->p;

   if (p->num_literals == pool->room) {
      pool->room = MAX2(16, 2 * pool->room);
      p->literals = sgc_realloc(p, p, p->literals, sizeof(*p->literals), pool->room);
      pool->used = sgc_realloc(p, p, pool->used, sizeof(*pool->used), pool->room);
   }
   memset(p->literals[p->num_literals], 0, sizeof(*p->literals));
   pool->used[p->num_literals] = 0;
   return p->num_literals++;
}

/* Returns the index of the first register with n free components, or the number of registers if
 * there is none.
 */
static unsigned
first_free(struct pool *pool, unsigned n)
{
   unsigned *at = &pool->first_free[n];
   while (*at < pool->p->num_literals && 4 - util_bitcount(pool->used[*at]) < n)
      ++*at;
   return *at;
}

/* Places all n values in the same register and returns its index. Prefers the register that already
 * contains the most values and has enough free components for the rest. If there is no such
 * register, adds one. Returns NO_PLACE if the limit on registers has been reached.
 */
static unsigned
place(struct pool *pool, const uint32_t *values, unsigned n)
{
   struct sgc_program *p = pool->p;
   unsigned best = first_free(pool, n), best_missing = n;

   for (unsigned i = 0; i < n; i++) {
      const struct holders *holders = holders_of(pool, values[i]);
      if (!holders)
         continue;
      util_dynarray_foreach(&holders->regs, unsigned, reg) {
         const unsigned m = missing(pool, *reg, values, n);
         p->work++;
         if (util_bitcount(pool->used[*reg]) + m > 4)
            continue;
         if (m < best_missing || (m == best_missing && *reg < best)) {
            best = *reg;
            best_missing = m;
         }
      }
   }
   if (best == p->num_literals) {
      if (p->num_literals >= pool->limit)
         return NO_PLACE;
      best = add_register(pool);
   }
   for (unsigned i = 0; i < n; i++) {
      if (find_literal(pool, best, values[i]) < 0)
         add_value(pool, best, values[i]);
   }
   return best;
}

/*
 * Literals without a place
 */

static void
make_table(struct pool *pool)
{
   if (pool->table != NO_PLACE)
      return;
   pool->table = pool->p->num_literals;
   for (unsigned i = 0; i < TABLE_REGS; i++) {
      const unsigned reg = add_register(pool);
      pool->used[reg] = 15;
      for (unsigned c = 0; c < 4; c++)
         pool->p->literals[reg][c] = 4 * i + c;
   }
}

/* Returns a source that reads `number`, from 0 to 256, from the table. */
static struct sgc_src
table_src(const struct pool *pool, unsigned number)
{
   struct sgc_src src = sgc_src_make(SGPU_FILE_CONST,
                                     pool->p->num_user_constants + pool->table + number / 4);
   return sgc_comp(src, number % 4);
}

/* Emits instructions that assemble the values of a literal source from bytes in the table. */
static void
compute_source(struct pool *pool, struct sgc_instr *instr, unsigned s)
{
   struct sgc_program *p = pool->p;
   struct sgc_src *src = &instr->src[s];
   const unsigned positions = sgc_src_positions(instr, s);
   struct sgc_builder b = sgc_builder_before(p, instr);
   const unsigned reg = sgc_new_reg(p);
   uint32_t values[4] = { 0 };
   unsigned swizzle = 0;

   make_table(pool);
   const unsigned n = distinct(src, positions, values);
   for (unsigned i = 0; i < n; i++) {
      const struct sgc_dst dst = sgc_dst_reg(reg, 1u << i);
      unsigned byte = 3;
      while (byte && !(values[i] >> (8 * byte)))
         byte--;
      sgc_mov_to(&b, dst, table_src(pool, values[i] >> (8 * byte)));
      while (byte-- > 0)
         sgc_imad_to(&b, dst, sgc_comp(sgc_reg(reg), i), table_src(pool, 256),
                     table_src(pool, values[i] >> (8 * byte) & 0xff));
   }
   for (unsigned pos = 0; pos < 4; pos++) {
      const unsigned from = positions & (1u << pos) ? pos : ffs(positions) - 1;
      const uint32_t value = src->imm[sgpu_swizzle_get(src->swizzle, from)];
      for (unsigned i = 0; i < n; i++) {
         if (values[i] == value)
            swizzle |= i << (2 * pos);
      }
   }
   src->file = SGPU_FILE_TEMP;
   src->index = reg;
   src->swizzle = swizzle;
   memset(src->imm, 0, sizeof(src->imm));
}

/* Places a literal source in the CONST file. Returns false if there is not enough space. */
static bool
place_source(struct pool *pool, struct sgc_instr *instr, unsigned s)
{
   struct sgc_src *src = &instr->src[s];
   const unsigned positions = sgc_src_positions(instr, s);
   uint32_t values[4] = { 0 };

   assert(positions);
   unsigned n = distinct(src, positions, values);
   const unsigned reg = place(pool, values, n);
   if (reg == NO_PLACE)
      return false;
   const struct place place = { instr, s, *src };
   sgc_append(pool->p, &pool->places, struct place, place);
   const unsigned first = ffs(positions) - 1;
   unsigned swizzle = 0;
   for (unsigned pos = 0; pos < 4; pos++) {
      const unsigned from = positions & (1u << pos) ? pos : first;
      const uint32_t value = src->imm[sgpu_swizzle_get(src->swizzle, from)];
      swizzle |= find_literal(pool, reg, value) << (2 * pos);
   }
   src->file = SGPU_FILE_CONST;
   src->index = pool->p->num_user_constants + reg;
   src->swizzle = swizzle;
   memset(src->imm, 0, sizeof(src->imm));
   return true;
}

/* If all values of a float literal are negative, stores their absolute values and sets the neg
 * modifier, so that e.g. 1.0 and -1.0 share a component.
 */
static void
normalize_sign(struct sgc_instr *instr, unsigned s)
{
   struct sgc_src *src = &instr->src[s];
   const unsigned positions = sgc_src_positions(instr, s);
   bool all = true;

   if (!sgc_src_takes_mods(instr, s) || sgc_info(instr)->src_type[s] != SGPU_TYPE_FLOAT)
      return;
   u_foreach_bit(pos, positions)
      all &= src->imm[sgpu_swizzle_get(src->swizzle, pos)] >> 31;
   if (!all || src->neg || src->abs)
      return;
   for (unsigned c = 0; c < 4; c++)
      src->imm[c] &= 0x7fffffff;
   src->neg = true;
}

/* Places literals in up to `limit` registers. If they don't all fit, returns false. If the table
 * already exists, skips the literals that don't fit instead, and returns true.
 */
static bool
place_all(struct pool *pool, unsigned limit)
{
   pool->limit = limit;
   /* Place sources with many values first, because they need registers with many free components.
    */
   for (unsigned n = 4; n >= 1; n--) {
      sgc_foreach_block(pool->p, block) {
         sgc_foreach_instr(block, instr) {
            sgc_foreach_src(instr, s) {
               uint32_t values[4];
               if (instr->src[s].file != SGC_FILE_IMM)
                  continue;
               if (n == 4)
                  normalize_sign(instr, s);
               if (distinct(&instr->src[s], sgc_src_positions(instr, s), values) == n &&
                   !place_source(pool, instr, s) && pool->table == NO_PLACE)
                  return false;
            }
         }
      }
   }
   return true;
}

/* Undoes place_all(): restores the literal sources and empties the pool. */
static void
take_back(struct pool *pool)
{
   util_dynarray_foreach(&pool->places, struct place, place)
      place->instr->src[place->s] = place->literal;
   util_dynarray_clear(&pool->places);
   _mesa_hash_table_clear(pool->holders, NULL);
   memset(pool->first_free, 0, sizeof(pool->first_free));
   pool->p->num_literals = 0;
}

/* Creates the table and places as many literals as possible in the registers after it. Emits
 * instructions that compute the other literals from the table.
 */
static void
place_some(struct pool *pool, unsigned limit)
{
   struct sgc_program *p = pool->p;

   make_table(pool);
   place_all(pool, limit);
   sgc_foreach_block(p, block) {
      sgc_foreach_instr_safe(block, instr) {
         sgc_foreach_src(instr, s) {
            if (instr->src[s].file == SGC_FILE_IMM)
               compute_source(pool, instr, s);
         }
      }
   }
}

bool
sgc_place_literals(struct sgc_program *p)
{
   const unsigned size = p->vp1 ? SGPU_VP1_CONSTANTS : SGPU_CONST_SIZE;
   const unsigned limit = size - MIN2(size, p->num_user_constants);
   struct pool pool = { .p = p, .table = NO_PLACE };

   pool.holders = _mesa_pointer_hash_table_create(p);
   if (!pool.holders)
      sgc_out_of_memory(p);
   util_dynarray_init(&pool.places, pool.holders);
   if (!place_all(&pool, limit)) {
      if (p->vp1 || limit < TABLE_REGS) {
         sgc_error(p, p->vp1 ? "more than 96 constants" : "more constants than c[] has");
      } else {
         take_back(&pool);
         place_some(&pool, limit);
      }
   }
   if (p->num_user_constants > size)
      sgc_error(p, p->vp1 ? "more than 96 constants" : "more constants than c[] has");
   ralloc_free(pool.used);
   ralloc_free(pool.holders);
   return p->num_literals > 0;
}
