/* SPDX-License-Identifier: MIT */
#include "subgroup_model.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum type { FLOAT, INT, UINT, DOUBLE, BOOL, NUM_TYPES };
enum arithmetic { ADD, MUL, MIN, MAX, AND, OR, XOR, NUM_ARITHMETIC };
enum way {
   ALL,
   INCLUSIVE,
   EXCLUSIVE,
   CLUSTERED_1,
   CLUSTERED_2,
   CLUSTERED_4,
   CLUSTERED_8,
   NUM_WAYS
};
enum move {
   BROADCAST,
   BROADCAST_FIRST,
   SHUFFLE,
   SHUFFLE_XOR,
   SHUFFLE_UP,
   SHUFFLE_DOWN,
   QUAD_BROADCAST,
   QUAD_HORIZONTAL,
   QUAD_VERTICAL,
   QUAD_DIAGONAL,
   ALL_EQUAL,
   NUM_MOVES,
};
enum single {
   ELECT,
   VOTE_ALL,
   VOTE_ANY,
   EQUAL_CONSTANTS,
   BALLOT,
   INVERSE_BALLOT,
   BIT_EXTRACT,
   BIT_COUNT,
   BIT_COUNT_INCLUSIVE,
   BIT_COUNT_EXCLUSIVE,
   FIND_LSB,
   FIND_MSB,
   EQ_MASK,
   GE_MASK,
   GT_MASK,
   LE_MASK,
   LT_MASK,
   NUM_SINGLES,
};

/* An operation: arithmetic, a move of values, or a single one.  `vector` is set for values with three
 * components.
 */
struct operation {
   enum { ARITHMETIC, MOVE, SINGLE } kind;
   unsigned op;
   enum type type;
   enum way way;
   bool vector;
};

static struct operation operations[1000];
static unsigned num_operations;

static bool
has(enum type type, enum arithmetic op)
{
   return type == BOOL ? op >= AND : type == INT || type == UINT || op < AND;
}

static void
add(struct operation o)
{
   if (num_operations == sizeof operations / sizeof operations[0])
      abort();
   operations[num_operations++] = o;
}

unsigned
subgroup_count(void)
{
   if (num_operations)
      return num_operations;
   for (unsigned op = 0; op < NUM_SINGLES; op++)
      add((struct operation){ SINGLE, op });
   for (unsigned type = 0; type < NUM_TYPES; type++) {
      for (unsigned op = 0; op < NUM_MOVES; op++) {
         add((struct operation){ MOVE, op, type });
         if (op % 3 == type % 3)
            add((struct operation){ MOVE, op, type, .vector = true });
      }
      for (unsigned op = 0; op < NUM_ARITHMETIC; op++) {
         for (unsigned way = 0; way < NUM_WAYS && has(type, op); way++) {
            add((struct operation){ ARITHMETIC, op, type, way });
            if ((op + way) % 4 == 0)
               add((struct operation){ ARITHMETIC, op, type, way, .vector = true });
         }
      }
   }
   return num_operations;
}

/*
 * Text
 */

const char *const subgroup_functions =
   "uint scramble(uint x) {\n"
   "   x ^= x >> 16; x *= 0x7feb352du; x ^= x >> 15; x *= 0x846ca68bu; return x ^ (x >> 16);\n"
   "}\n"
   "float float_of(uint h) { return uintBitsToFloat((h & 0x80ffffffu) | 0x3f000000u); }\n"
   "int int_of(uint h) { return int(h); }\n"
   "uint uint_of(uint h) { return h * 2654435761u; }\n"
   "bool bool_of(uint h) { return h % 3u != 0u; }\n"
   "double double_of(uint h) {\n"
   "   return packDouble2x32(uvec2(scramble(h), (h & 0x801fffffu) | 0x3fe00000u));\n"
   "}\n"
   "void put(int v) { put(uint(v)); }\n"
   "void put(bool v) { put(v ? 1u : 0u); }\n"
   "void put(float v) { put(floatBitsToUint(v)); }\n"
   "void put(double v) { uvec2 w = unpackDouble2x32(v); put(w.x); put(w.y); }\n"
   "void put(vec3 v) { put(v.x); put(v.y); put(v.z); }\n"
   "void put(ivec3 v) { put(v.x); put(v.y); put(v.z); }\n"
   "void put(uvec3 v) { put(v.x); put(v.y); put(v.z); }\n"
   "void put(bvec3 v) { put(v.x); put(v.y); put(v.z); }\n"
   "void put(dvec3 v) { put(v.x); put(v.y); put(v.z); }\n"
   "void put(uvec4 v) { put(v.x); put(v.y); put(v.z); put(v.w); }\n";

static const char *const type_names[] = { "float", "int", "uint", "double", "bool" };
static const char *const vector_names[] = { "vec3", "ivec3", "uvec3", "dvec3", "bvec3" };
static const char *const arithmetic_names[] = { "Add", "Mul", "Min", "Max", "And", "Or", "Xor" };
static const char *const way_names[] = { "", "Inclusive", "Exclusive", "Clustered" };
static const char *const move_names[][2] = {
   [BROADCAST] = { "subgroupBroadcast", ", 2u" },
   [BROADCAST_FIRST] = { "subgroupBroadcastFirst", "" },
   [SHUFFLE] = { "subgroupShuffle", ", hash % gl_SubgroupSize" },
   [SHUFFLE_XOR] = { "subgroupShuffleXor", ", 5u" },
   [SHUFFLE_UP] = { "subgroupShuffleUp", ", 3u" },
   [SHUFFLE_DOWN] = { "subgroupShuffleDown", ", 2u" },
   [QUAD_BROADCAST] = { "subgroupQuadBroadcast", ", 1u" },
   [QUAD_HORIZONTAL] = { "subgroupQuadSwapHorizontal", "" },
   [QUAD_VERTICAL] = { "subgroupQuadSwapVertical", "" },
   [QUAD_DIAGONAL] = { "subgroupQuadSwapDiagonal", "" },
   [ALL_EQUAL] = { "subgroupAllEqual", "" },
};
static const char *const single_texts[] = {
   [ELECT] = "subgroupElect()",
   [VOTE_ALL] = "subgroupAll(hash % 8u != 0u)",
   [VOTE_ANY] = "subgroupAny(hash % 8u == 0u)",
   [EQUAL_CONSTANTS] = "subgroupAllEqual(bool_of(hash * 0u))",
   [BALLOT] = "subgroupBallot(bool_of(hash))",
   [INVERSE_BALLOT] = "subgroupInverseBallot(subgroupBallot(bool_of(hash)))",
   [BIT_EXTRACT] =
      "subgroupBallotBitExtract(subgroupBallot(bool_of(hash)), hash % gl_SubgroupSize)",
   [BIT_COUNT] = "subgroupBallotBitCount(subgroupBallot(bool_of(hash)))",
   [BIT_COUNT_INCLUSIVE] = "subgroupBallotInclusiveBitCount(subgroupBallot(bool_of(hash)))",
   [BIT_COUNT_EXCLUSIVE] = "subgroupBallotExclusiveBitCount(subgroupBallot(bool_of(hash)))",
   [FIND_LSB] = "subgroupBallotFindLSB(subgroupBallot(true))",
   [FIND_MSB] = "subgroupBallotFindMSB(subgroupBallot(true))",
   [EQ_MASK] = "gl_SubgroupEqMask",
   [GE_MASK] = "gl_SubgroupGeMask",
   [GT_MASK] = "gl_SubgroupGtMask",
   [LE_MASK] = "gl_SubgroupLeMask",
   [LT_MASK] = "gl_SubgroupLtMask",
};

const char *
subgroup_text(unsigned n)
{
   static char buffer[400];
   const struct operation *o = &operations[n];
   const char *type = type_names[o->type];
   char value[200];

   snprintf(value, sizeof value, "%s_of(hash)", type);
   if (o->vector)
      snprintf(value, sizeof value, "%s(%s_of(hash), %s_of(hash ^ 21u), %s_of(hash + 3u))",
               vector_names[o->type], type, type, type);
   if (o->kind == SINGLE) {
      snprintf(buffer, sizeof buffer, "put(%s);", single_texts[o->op]);
   } else if (o->kind == MOVE) {
      snprintf(buffer, sizeof buffer, "put(%s(%s%s));", move_names[o->op][0], value,
               move_names[o->op][1]);
   } else {
      char cluster[20] = "";
      if (o->way >= CLUSTERED_1)
         snprintf(cluster, sizeof cluster, ", %uu", 1u << (o->way - CLUSTERED_1));
      snprintf(buffer, sizeof buffer, "put(subgroup%s%s(%s%s));",
               way_names[o->way < CLUSTERED_1 ? o->way : 3], arithmetic_names[o->op], value,
               cluster);
   }
   return buffer;
}

/*
 * Values and results.  A value is the bits of a float, an integer, a double or a boolean.
 */

static uint32_t
scramble(uint32_t x)
{
   x ^= x >> 16;
   x *= 0x7feb352du;
   x ^= x >> 15;
   x *= 0x846ca68bu;
   return x ^ x >> 16;
}

static uint64_t
value_of(enum type type, uint32_t h)
{
   switch (type) {
   case FLOAT:
      return (h & 0x80ffffffu) | 0x3f000000u;
   case INT:
      return h;
   case UINT:
      return h * 2654435761u;
   case DOUBLE:
      return scramble(h) | (uint64_t)((h & 0x801fffffu) | 0x3fe00000u) << 32;
   default:
      return h % 3 != 0;
   }
}

static float
to_float(uint64_t bits)
{
   const uint32_t word = (uint32_t)bits;
   float value;
   memcpy(&value, &word, sizeof value);
   return value;
}

static uint64_t
from_float(float value)
{
   uint32_t word;
   memcpy(&word, &value, sizeof word);
   return word;
}

static double
to_double(uint64_t bits)
{
   double value;
   memcpy(&value, &bits, sizeof value);
   return value;
}

static uint64_t
from_double(double value)
{
   uint64_t bits;
   memcpy(&bits, &value, sizeof bits);
   return bits;
}

static uint64_t
combine(enum type type, enum arithmetic op, uint64_t a, uint64_t b)
{
   if (type == FLOAT && op <= MUL)
      return from_float(op == ADD ? to_float(a) + to_float(b) : to_float(a) * to_float(b));
   if (type == DOUBLE && op <= MUL)
      return from_double(op == ADD ? to_double(a) + to_double(b) : to_double(a) * to_double(b));
   const bool less = type == FLOAT    ? to_float(a) < to_float(b)
                     : type == DOUBLE ? to_double(a) < to_double(b)
                     : type == INT    ? (int32_t)a < (int32_t)b
                                      : a < b;
   switch (op) {
   case ADD:
      return (uint32_t)(a + b);
   case MUL:
      return (uint32_t)(a * b);
   case MIN:
      return less ? a : b;
   case MAX:
      return less ? b : a;
   case AND:
      return a & b;
   case OR:
      return a | b;
   default:
      return a ^ b;
   }
}

static uint64_t
identity(enum type type, enum arithmetic op)
{
   switch (op) {
   case MUL:
      return type == FLOAT ? from_float(1.0f) : type == DOUBLE ? from_double(1.0) : 1;
   case MIN:
      return type == FLOAT    ? from_float(INFINITY)
             : type == DOUBLE ? from_double(INFINITY)
             : type == INT    ? INT32_MAX
                              : UINT32_MAX;
   case MAX:
      return type == FLOAT    ? from_float(-INFINITY)
             : type == DOUBLE ? from_double(-INFINITY)
             : type == INT    ? 0x80000000u
                              : 0;
   case AND:
      return type == BOOL ? 1 : UINT32_MAX;
   default:
      return 0;
   }
}

/* Returns the hash from which component c of a lane's value is computed. */
static uint32_t
hash_of(const struct subgroup *s, unsigned lane, unsigned c)
{
   const uint32_t hash = scramble(s->id[lane]);

   return c == 0 ? hash : c == 1 ? hash ^ 21u : hash + 3u;
}

static uint64_t
arithmetic_result(const struct operation *o, const struct subgroup *s, unsigned lane, unsigned c)
{
   const unsigned size = o->way >= CLUSTERED_1 ? 1u << (o->way - CLUSTERED_1) : s->size;
   const unsigned from = lane / size * size;
   const unsigned end = o->way == INCLUSIVE ? lane + 1 : o->way == EXCLUSIVE ? lane : from + size;
   uint64_t result = identity(o->type, o->op);
   bool any = false;

   for (unsigned k = from; k < end; k++) {
      if (!s->active[k])
         continue;
      const uint64_t value = value_of(o->type, hash_of(s, k, c));
      result = any ? combine(o->type, o->op, result, value) : value;
      any = true;
   }
   return result;
}

static unsigned
first_lane(const struct subgroup *s)
{
   unsigned lane = 0;

   while (!s->active[lane])
      lane++;
   return lane;
}

/* Returns the lane from which a lane gets its result.  It may be no lane of the subgroup. */
static unsigned
source_lane(enum move op, const struct subgroup *s, unsigned lane)
{
   switch (op) {
   case BROADCAST:
      return 2;
   case BROADCAST_FIRST:
      return first_lane(s);
   case SHUFFLE:
      return hash_of(s, lane, 0) % s->size;
   case SHUFFLE_XOR:
      return lane ^ 5;
   case SHUFFLE_UP:
      return lane - 3;
   case SHUFFLE_DOWN:
      return lane + 2;
   case QUAD_BROADCAST:
      return (lane & ~3u) | 1;
   case QUAD_HORIZONTAL:
      return lane ^ 1;
   case QUAD_VERTICAL:
      return lane ^ 2;
   default:
      return lane ^ 3;
   }
}

static bool
all_equal(const struct subgroup *s, enum type type, unsigned c)
{
   const uint64_t first = value_of(type, hash_of(s, first_lane(s), c));
   bool equal = true;

   for (unsigned k = 0; k < s->size; k++)
      equal &= !s->active[k] || value_of(type, hash_of(s, k, c)) == first;
   return equal;
}

static void
set_bit(uint32_t words[4], unsigned lane)
{
   words[lane / 32] |= 1u << lane % 32;
}

/* Sets the result of an operation of enum single.  `words` are zeros. */
static unsigned
single_result(enum single op, const struct subgroup *s, unsigned lane, uint32_t words[MAX_RESULT])
{
   unsigned count = 0, before = 0, first = MAX_SUBGROUP, last = 0;
   uint32_t ballot[4] = { 0 };
   bool all = true, any = false;

   for (unsigned k = 0; k < s->size; k++) {
      const bool vote = s->active[k] && value_of(BOOL, hash_of(s, k, 0));
      const bool greater = op == GE_MASK ? k >= lane : k > lane;
      const bool less = op == LE_MASK ? k <= lane : k < lane;
      if (op == EQ_MASK                    ? k == lane
          : op == GE_MASK || op == GT_MASK ? greater
                                           : less && op >= LE_MASK)
         set_bit(words, k);
      if (!s->active[k])
         continue;
      if (vote)
         set_bit(ballot, k);
      count += vote;
      before += vote && k < lane;
      first = first < k ? first : k;
      last = k;
      all &= hash_of(s, k, 0) % 8 != 0;
      any |= hash_of(s, k, 0) % 8 == 0;
   }
   const bool own = value_of(BOOL, hash_of(s, lane, 0));
   const unsigned bit = hash_of(s, lane, 0) % s->size;
   if (op >= EQ_MASK)
      return 4;
   words[0] = op == ELECT                 ? lane == first
              : op == VOTE_ALL            ? all
              : op == VOTE_ANY            ? any
              : op == EQUAL_CONSTANTS     ? true
              : op == INVERSE_BALLOT      ? own
              : op == BIT_EXTRACT         ? ballot[bit / 32] >> bit % 32 & 1
              : op == BIT_COUNT           ? count
              : op == BIT_COUNT_INCLUSIVE ? before + own
              : op == BIT_COUNT_EXCLUSIVE ? before
              : op == FIND_LSB            ? first
                                          : last;
   if (op == BALLOT)
      memcpy(words, ballot, sizeof ballot);
   return op == BALLOT ? 4 : 1;
}

unsigned
subgroup_result(unsigned n, const struct subgroup *s, unsigned lane, uint32_t words[MAX_RESULT],
                bool *defined)
{
   const struct operation *o = &operations[n];
   const unsigned comps = o->vector ? 3 : 1;
   unsigned num = 0;

   memset(words, 0, MAX_RESULT * sizeof words[0]);
   *defined = true;
   if (o->kind == SINGLE)
      return single_result(o->op, s, lane, words);
   if (o->kind == MOVE && o->op == ALL_EQUAL) {
      words[0] = true;
      for (unsigned c = 0; c < comps; c++)
         words[0] &= all_equal(s, o->type, c);
      return 1;
   }
   for (unsigned c = 0; c < comps; c++) {
      uint64_t value;
      if (o->kind == ARITHMETIC) {
         value = arithmetic_result(o, s, lane, c);
      } else {
         const unsigned from = source_lane(o->op, s, lane);
         *defined = from < s->size && s->active[from];
         value = *defined ? value_of(o->type, hash_of(s, from, c)) : 0;
      }
      words[num++] = (uint32_t)value;
      if (o->type == DOUBLE)
         words[num++] = (uint32_t)(value >> 32);
   }
   return num;
}
