/* SPDX-License-Identifier: MIT */
/*
 * Decisions about the order of fragments: every key is compared with a model of one pixel.
 *
 * The model draws three fragments in program order, in the other five orders, and with delayed
 * shading. The rule of a key may allow the other orders only if no choice of depths, colours and
 * drops makes a difference to program order. Its role may allow delayed shading under the same
 * condition.
 */
#include "common/sgd_order.h"
#include "rop_test.h"

#define FRAGMENTS 3
#define DEPTHS 3 /* depths are 0 to 2; 1 is stored before the first fragment */
#define KEY_BITS 14

struct fragment {
   unsigned number; /* position in program order, from 1 */
   int depth;       /* depth of the primitive */
   int own_depth;   /* depth that the program writes, if the key has this */
   bool dropped;    /* dropped by the program, if the key has this */
};

struct pixel {
   int depth, stencil;
   unsigned depth_from; /* number of the fragment that wrote the depth, or 0 */
   unsigned color[2];   /* parts of the colour that a partial mask writes, and keeps */
   unsigned memory;     /* result of the programs' stores, which depends on their order */
   unsigned counted;
};

static struct sgd_order_key
key_of(unsigned bits, enum sgpu_compare func)
{
   return (struct sgd_order_key){
      .masks = bits & 1 ? 0xf0f : 0,
      .partial = bits >> 1 & 1,
      .reads_color = bits >> 2 & 1,
      .reads_target = bits >> 3 & 1,
      .multisample = bits >> 4 & 1,
      .smooth = bits >> 5 & 1,
      .depth_test = bits >> 6 & 1,
      .depth_write = bits >> 7 & 1,
      .stencil_test = bits >> 8 & 1,
      .ps_drops = bits >> 9 & 1,
      .ps_writes_depth = bits >> 10 & 1,
      .ps_writes_stencil = bits >> 11 & 1,
      .ps_writes_memory = bits >> 12 & 1,
      .ps_reads_warp = bits >> 13 & 1,
      .depth_func = func,
   };
}

/* Returns false for keys that no state has, with properties of absent parts. */
static bool
possible(const struct sgd_order_key *key)
{
   if (key->depth_write && !key->depth_test)
      return false;
   if (!key->depth_test && key->depth_func != SGPU_COMPARE_ALWAYS)
      return false;
   return key->masks || !(key->partial || key->reads_color || key->smooth);
}

static bool
compare(enum sgpu_compare func, int a, int b)
{
   switch (func) {
   case SGPU_COMPARE_NEVER:
      return false;
   case SGPU_COMPARE_LESS:
      return a < b;
   case SGPU_COMPARE_EQUAL:
      return a == b;
   case SGPU_COMPARE_LEQUAL:
      return a <= b;
   case SGPU_COMPARE_GREATER:
      return a > b;
   case SGPU_COMPARE_NOTEQUAL:
      return a != b;
   case SGPU_COMPARE_GEQUAL:
      return a >= b;
   default:
      return true;
   }
}

/* Tests a fragment. If `numbers`, fragments with equal depths are decided by their numbers, as the
 * rule requires.
 */
static bool
test(const struct sgd_order_key *key, struct pixel *p, const struct fragment *f, int depth,
     bool numbers)
{
   bool passes = !key->depth_test || compare(key->depth_func, depth, p->depth);

   if (numbers && depth == p->depth) {
      const bool last = key->depth_func == SGPU_COMPARE_LEQUAL ||
                        key->depth_func == SGPU_COMPARE_GEQUAL;
      passes = last ? f->number > p->depth_from : f->number < p->depth_from;
   }
   if (passes && key->depth_write) {
      p->depth = depth;
      p->depth_from = f->number;
   }
   /* A stencil operation whose result depends on all earlier fragments. */
   if (key->stencil_test)
      p->stencil = 11 * p->stencil + 2 * f->number + passes;
   p->counted += passes;
   return passes;
}

static void
store(const struct sgd_order_key *key, struct pixel *p, const struct fragment *f)
{
   unsigned value = f->number;

   if (!key->masks)
      return;
   if (key->reads_color || key->reads_target)
      value += 5 * p->color[0];
   p->color[0] = value;
   if (!key->partial)
      p->color[1] = value;
}

static bool
tests_late(const struct sgd_order_key *key)
{
   return key->ps_drops || key->ps_writes_depth || key->ps_writes_stencil || key->ps_writes_memory;
}

static void
draw(const struct sgd_order_key *key, struct pixel *p, const struct fragment *f, bool numbers)
{
   const int depth = key->ps_writes_depth ? f->own_depth : f->depth;

   if (!tests_late(key)) {
      if (test(key, p, f, depth, numbers))
         store(key, p, f);
      return;
   }
   if (key->ps_writes_memory)
      p->memory = 5 * p->memory + f->number + (key->reads_target ? p->color[0] : 0);
   if (!(key->ps_drops && f->dropped) && test(key, p, f, depth, numbers))
      store(key, p, f);
}

static const struct pixel before = { .depth = 1, .color = { 7, 8 } };

/* Chooses fragments: the depth, the depth of the program and the drop of fragment i are digit i of
 * `choice` in base 12.
 */
#define CHOICES (12 * 12 * 12)

static void
choose(struct fragment f[FRAGMENTS], unsigned choice)
{
   for (unsigned i = 0; i < FRAGMENTS; i++, choice /= 12) {
      f[i].number = i + 1;
      f[i].depth = choice % 3;
      f[i].own_depth = choice / 3 % 2;
      f[i].dropped = choice / 6 % 2;
   }
}

/* Returns whether the fragment has a choice that this key ignores. */
static bool
redundant(const struct sgd_order_key *key, const struct fragment *f)
{
   return (f->own_depth && !key->ps_writes_depth) || (f->dropped && !key->ps_drops);
}

static bool
same_picture(const struct pixel *a, const struct pixel *b)
{
   return a->depth == b->depth && a->stencil == b->stencil && a->color[0] == b->color[0] &&
          a->color[1] == b->color[1] && a->memory == b->memory;
}

/* Returns whether all orders of three fragments have the same picture as program order. */
static bool
any_order(const struct sgd_order_key *key, bool numbers)
{
   static const uint8_t orders[6][FRAGMENTS] = { { 0, 1, 2 }, { 0, 2, 1 }, { 1, 0, 2 },
                                                 { 1, 2, 0 }, { 2, 0, 1 }, { 2, 1, 0 } };
   for (unsigned choice = 0; choice < CHOICES; choice++) {
      struct fragment f[FRAGMENTS];
      struct pixel want = before;

      choose(f, choice);
      if (redundant(key, &f[0]) || redundant(key, &f[1]) || redundant(key, &f[2]))
         continue;
      for (unsigned i = 0; i < FRAGMENTS; i++)
         draw(key, &want, &f[i], false);
      for (unsigned o = 1; o < 6; o++) {
         struct pixel got = before;
         for (unsigned i = 0; i < FRAGMENTS; i++)
            draw(key, &got, &f[orders[o][i]], numbers);
         if (!same_picture(&got, &want))
            return false;
      }
   }
   return true;
}

static void
test_rule(void **state)
{
   unsigned by_depth = 0, by_program = 0;

   for (unsigned bits = 0; bits < 1 << KEY_BITS; bits++) {
      for (unsigned func = 0; func < 8; func++) {
         const struct sgd_order_key key = key_of(bits, func);
         if (!possible(&key))
            continue;
         const struct sgd_order order = sgd_decide_order(&key);

         if (order.rule != SGD_ORDER_PROGRAM) {
            static const uint8_t rules[8] = {
               [SGPU_COMPARE_LESS] = SGD_ORDER_LOWEST,
               [SGPU_COMPARE_LEQUAL] = SGD_ORDER_LOWEST_LAST,
               [SGPU_COMPARE_GREATER] = SGD_ORDER_HIGHEST,
               [SGPU_COMPARE_GEQUAL] = SGD_ORDER_HIGHEST_LAST,
            };
            assert_int_equal(order.rule, rules[func]);
            assert_false(key.ps_reads_warp);
            if (!any_order(&key, true))
               fail_msg("key %04x, func %u: the depth does not decide", bits, func);
            by_depth++;
            continue;
         }
         by_program++;
         /* Fragments that a program drops or moves keep program order, although their final depths
          * could decide. The model has no warps.
          */
         if (key.ps_drops || key.ps_writes_depth || key.ps_writes_stencil || key.ps_reads_warp)
            continue;
         const bool writes = key.masks || key.depth_write || key.stencil_test;
         if (!writes && !key.ps_writes_memory)
            continue;
         if (key.depth_func == SGPU_COMPARE_NEVER && !key.stencil_test && !key.ps_writes_memory)
            continue;
         if (key.depth_func == SGPU_COMPARE_EQUAL && !key.masks && !key.stencil_test &&
             !key.ps_writes_memory)
            continue;
         const bool ordered = func == SGPU_COMPARE_LESS || func == SGPU_COMPARE_LEQUAL ||
                              func == SGPU_COMPARE_GREATER || func == SGPU_COMPARE_GEQUAL;
         /* The program samples its target, but nothing stores a colour. */
         if (key.reads_target && !key.masks && !key.ps_writes_memory)
            continue;
         if (any_order(&key, ordered && key.depth_write))
            fail_msg("key %04x, func %u: the depth could decide", bits, func);
      }
   }
   assert_true(by_depth == 40 && by_program > 100);
}

/* Draws fragments with their keys. Each is tested in program order. Shading is delayed for roles
 * that allow it, and stores only fragments that no later one has replaced.
 */
static void
draw_later(const struct sgd_order_key *const key[FRAGMENTS], const uint8_t role[FRAGMENTS],
           const struct fragment *f, struct pixel *p)
{
   int waits = -1;

   for (unsigned i = 0; i < FRAGMENTS; i++) {
      if (role[i] == SGD_ORDER_LATER) {
         if (test(key[i], p, &f[i], f[i].depth, false))
            waits = i;
         continue;
      }
      if (role[i] == SGD_ORDER_MIXES && waits >= 0) {
         store(key[waits], p, &f[waits]);
         waits = -1;
      }
      const unsigned counted = p->counted;
      draw(key[i], p, &f[i], false);
      if (role[i] == SGD_ORDER_NOW && p->counted != counted)
         waits = -1;
   }
   if (waits >= 0)
      store(key[waits], p, &f[waits]);
}

/* Returns whether delayed shading by these roles has the same effects as shading in program order.
 */
static bool
may_wait(const struct sgd_order_key *const key[FRAGMENTS], const uint8_t role[FRAGMENTS])
{
   for (unsigned choice = 0; choice < CHOICES; choice++) {
      struct fragment f[FRAGMENTS];
      struct pixel want = before, got = before;

      choose(f, choice);
      if (redundant(key[0], &f[0]) || redundant(key[1], &f[1]) || redundant(key[2], &f[2]))
         continue;
      for (unsigned i = 0; i < FRAGMENTS; i++)
         draw(key[i], &want, &f[i], false);
      draw_later(key, role, f, &got);
      if (!same_picture(&got, &want) || got.counted != want.counted)
         return false;
   }
   return true;
}

/* Each key in each place between two other fragments that may be shaded later. Any fragment hides
 * one of these; only nearer fragments hide the other one.
 */
static void
test_role(void **state)
{
   const struct sgd_order_key flat = key_of(1, SGPU_COMPARE_ALWAYS);
   const struct sgd_order_key solid = key_of(1 | 3 << 6, SGPU_COMPARE_LEQUAL);
   unsigned count[4] = { 0 };

   assert_int_equal(sgd_decide_order(&flat).role, SGD_ORDER_LATER);
   assert_int_equal(sgd_decide_order(&solid).role, SGD_ORDER_LATER);
   for (unsigned bits = 0; bits < 1 << KEY_BITS; bits++) {
      for (unsigned func = 0; func < 8; func++) {
         const struct sgd_order_key key = key_of(bits, func);
         if (!possible(&key))
            continue;
         const uint8_t role = sgd_decide_order(&key).role;
         const struct sgd_order_key *const keys[2][FRAGMENTS] = { { &flat, &key, &solid },
                                                                  { &solid, &key, &key } };
         const uint8_t roles[2][FRAGMENTS] = { { SGD_ORDER_LATER, role, SGD_ORDER_LATER },
                                               { SGD_ORDER_LATER, role, role } };

         count[role]++;
         for (unsigned i = 0; i < 2; i++) {
            if (!may_wait(keys[i], roles[i]))
               fail_msg("key %04x, func %u: role %u changes the picture", bits, func, role);
         }

         /* If a role requires shading in place, the next weaker role must change the picture. The
          * model of one pixel cannot decide about samples, warps and coverage.
          */
         if (role < SGD_ORDER_NOW || key.multisample || key.smooth || key.ps_reads_warp)
            continue;
         if (key.depth_func == SGPU_COMPARE_NEVER || key.ps_writes_memory ||
             (key.reads_target && !key.masks))
            continue;
         /* Skip values that no test reads, or that the model does not have. */
         const bool depth_matters = key.depth_test &&
                                    (key.depth_func != SGPU_COMPARE_ALWAYS || key.depth_write);
         if (role == SGD_ORDER_NOW && !key.ps_drops && !(key.ps_writes_depth && depth_matters))
            continue;
         const uint8_t other = role - 1;
         const uint8_t wrong[2][FRAGMENTS] = { { SGD_ORDER_LATER, other, SGD_ORDER_LATER },
                                               { SGD_ORDER_LATER, other, other } };
         if (may_wait(keys[0], wrong[0]) && may_wait(keys[1], wrong[1]))
            fail_msg("key %04x, func %u: role %u is too strict", bits, func, role);
      }
   }
   for (unsigned i = 0; i < 4; i++)
      assert_true(count[i] > 20);
}

static void
test_facts(void **state)
{
   const struct sgd_order_key key = { .masks = 0x40f, .reads_color = true };
   struct sgd_order order = sgd_decide_order(&key);

   assert_int_equal(order.masks, 0x40f);
   assert_int_equal(order.targets, 5);
   assert_true(order.reads);

   const struct sgd_order_key solid = key_of(1 | 3 << 6, SGPU_COMPARE_LEQUAL);
   order = sgd_decide_order(&solid);
   assert_int_equal(order.rule, SGD_ORDER_LOWEST_LAST);
   assert_false(order.reads);
   const struct sgd_order samples = sgd_order_counted(order, false, true);
   assert_int_equal(samples.rule, SGD_ORDER_PROGRAM);
   assert_int_equal(samples.role, SGD_ORDER_LATER);
   assert_int_equal(sgd_order_counted(order, true, false).role, SGD_ORDER_NOW);
   assert_int_equal(sgd_order_counted(order, true, false).rule, SGD_ORDER_PROGRAM);
   assert_int_equal(sgd_order_counted(order, false, false).role, SGD_ORDER_LATER);

   /* Bit 2 * s + d of the operation is its result for source s and destination d. */
   for (unsigned op = 0; op < 16; op++) {
      bool reads = false;
      for (unsigned s = 0; s < 2; s++)
         reads |= (op >> (2 * s) & 1) != (op >> (2 * s + 1) & 1);
      assert_int_equal(sgd_logic_reads(op), reads);
   }
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_rule),
      cmocka_unit_test(test_role),
      cmocka_unit_test(test_facts),
   };
   return cmocka_run_group_tests_name("order", tests, NULL, NULL);
}
