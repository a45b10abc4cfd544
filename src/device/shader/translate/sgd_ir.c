/* SPDX-License-Identifier: MIT */
/*
 * Translator: builds the nodes of a region, using value numbering, and finds the nodes that are
 * live.
 */
#include "shader/translate/sgd_ir.h"

#include <assert.h>
#include <string.h>

#include "shader/translate/sgd_ir_facts.h"
#include "shader/translate/sgd_ir_fold.h"
#include "sgpu_fp.h"
#include "util/macros.h"

void
sgd_ir_init(struct sgd_ir *ir)
{
   ir->num_nodes = ir->num_stores = 0;
   ir->full = false;
   ir->instr = 0;
   memset(ir->hash, 0, sizeof(ir->hash));
   for (unsigned l = 0; l < 8; l++)
      ir->consts[SGD_IR_LANE_BITS][l] = 1u << l;
   ir->num_consts = 1;
}

static uint32_t
hash_of(const struct sgd_ir_node *n)
{
   uint32_t h = n->kind * 31u + n->op;
   h = h * 0x9e3779b1u + n->imm;
   for (unsigned s = 0; s < 3; s++)
      h = (h ^ n->src[s]) * 0x85ebca6bu;
   h = (h ^ n->where) * 0xc2b2ae35u;
   return h ^ h >> 15;
}

static bool
same_node(const struct sgd_ir_node *a, const struct sgd_ir_node *b)
{
   return a->kind == b->kind && a->op == b->op && a->imm == b->imm && a->where == b->where &&
          a->src[0] == b->src[0] && a->src[1] == b->src[1] && a->src[2] == b->src[2];
}

/* Returns the index of the node in the hash table, or the index at which it must be inserted. */
static uint32_t
find_node(const struct sgd_ir *ir, const struct sgd_ir_node *n)
{
   const uint32_t size = ARRAY_SIZE(ir->hash);
   uint32_t at = hash_of(n) % size;
   while (ir->hash[at] && !same_node(&ir->nodes[ir->hash[at] - 1], n))
      at = (at + 1) % size;
   return at;
}

static uint16_t
add_node(struct sgd_ir *ir, const struct sgd_ir_node *n)
{
   const uint32_t at = find_node(ir, n);
   if (ir->hash[at])
      return ir->hash[at] - 1;
   if (ir->num_nodes == SGD_IR_MAX_NODES) {
      ir->full = true;
      return 0;
   }
   ir->nodes[ir->num_nodes] = *n;
   ir->nodes[ir->num_nodes].facts = sgd_ir_facts(ir, n);
   ir->nodes[ir->num_nodes].instr = ir->instr;
   ir->hash[at] = ir->num_nodes + 1;
   return ir->num_nodes++;
}

bool
sgd_ir_is_word(const struct sgd_ir *ir, uint16_t node, uint32_t word)
{
   const uint32_t *c = sgd_ir_words(ir, node);
   return c && c[0] == word && c[1] == word && c[2] == word && c[3] == word;
}

/* Returns true if the operation is a blend of a with b that replaces NaNs by the canonical NaN. */
static bool
is_canon(const struct sgd_ir *ir, enum sgd_x86_op op, uint16_t a, uint16_t b, uint16_t c)
{
   const struct sgd_ir_node *test = &ir->nodes[c];
   return (op == SGD_VPBLENDVB || op == SGD_VBLENDVPS) && test->kind == SGD_IR_OP &&
          test->op == SGD_VCMPPS && (test->imm == SGD_CMP_UNORD || test->imm == SGD_CMP_NEQ) &&
          test->src[0] == a && test->src[1] == a && sgd_ir_is_word(ir, b, SGPU_FP_NAN_BITS);
}

uint16_t
sgd_ir_op(struct sgd_ir *ir, enum sgd_x86_op op, unsigned imm, uint16_t a, uint16_t b, uint16_t c)
{
   if (is_canon(ir, op, a, b, c)) {
      const struct sgd_ir_node n = { .kind = SGD_IR_CANON, .src = { a, b } };
      return ir->nodes[a].facts & SGD_FACT_CANON ? a : add_node(ir, &n);
   }
   struct sgd_ir_node n = { .kind = SGD_IR_OP, .op = op, .imm = imm, .src = { a, b, c } };
   const uint16_t simpler = sgd_ir_fold(ir, &n);
   return simpler != SGD_IR_NONE ? simpler : add_node(ir, &n);
}

uint16_t
sgd_ir_free(struct sgd_ir *ir, uint16_t node)
{
   const struct sgd_ir_node n = { .kind = SGD_IR_FREE, .src = { node } };
   return ir->nodes[node].facts & SGD_FACT_NUMBER ? node : add_node(ir, &n);
}

uint16_t
sgd_ir_gather(struct sgd_ir *ir, uint16_t offsets, uint32_t base)
{
   const struct sgd_ir_node n = { .kind = SGD_IR_GATHER, .src = { offsets }, .where = base };
   return add_node(ir, &n);
}

uint16_t
sgd_ir_leaf(struct sgd_ir *ir, enum sgd_ir_kind kind, uint32_t where)
{
   const struct sgd_ir_node n = { .kind = kind, .where = where };
   return add_node(ir, &n);
}

int
sgd_ir_find_load(const struct sgd_ir *ir, uint32_t offset)
{
   const struct sgd_ir_node n = { .kind = SGD_IR_LOAD, .where = offset };
   return ir->hash[find_node(ir, &n)] - 1;
}

uint16_t
sgd_ir_const(struct sgd_ir *ir, const uint32_t words[4])
{
   uint32_t n = SGD_IR_LANE_BITS + 1;
   while (n < ir->num_consts && memcmp(ir->consts[n], words, 16))
      n++;
   if (n == ir->num_consts) {
      if (n == SGD_IR_MAX_CONSTS) {
         ir->full = true;
         return 0;
      }
      memcpy(ir->consts[n], words, 16);
      memcpy(ir->consts[n] + 4, words, 16);
      ir->num_consts++;
   }
   return sgd_ir_leaf(ir, SGD_IR_CONST, n);
}

uint16_t
sgd_ir_word(struct sgd_ir *ir, uint32_t word)
{
   const uint32_t words[4] = { word, word, word, word };
   return sgd_ir_const(ir, words);
}

void
sgd_ir_store(struct sgd_ir *ir, uint32_t offset, uint16_t value, bool pred)
{
   assert(ir->nodes[value].kind != SGD_IR_FREE); /* results must have canonical NaNs */
   if (ir->num_stores == SGD_IR_MAX_STORES) {
      ir->full = true;
      return;
   }
   ir->stores[ir->num_stores++] = (struct sgd_ir_store){ offset, value, pred };
}

/* Returns true if NaNs in source s of n must have the exact payload and sign, given the
 * requirements on the result of n.
 */
static bool
wants_exact(const struct sgd_ir *ir, const struct sgd_ir_node *n, unsigned s)
{
   if (n->kind == SGD_IR_FREE)
      return false;
   if (n->kind == SGD_IR_CANON)
      return s != 0;
   if (n->kind == SGD_IR_GATHER)
      return true;
   if (n->facts & SGD_FACT_BLIND)
      return n->exact;
   switch ((enum sgd_x86_nan)sgd_x86_info[n->op].nan) {
   case SGD_NAN_BLIND:
      return n->exact;
   case SGD_NAN_EXACT:
      return false;
   case SGD_NAN_DATA:
      return s == 2 || n->exact;
   case SGD_NAN_BITS:
      break;
   }
   /* Changing only the sign of a NaN yields another NaN, so these operations need an exact source
    * only if the result must be exact.
    */
   const uint16_t other = n->src[s ^ 1];
   if ((n->op == SGD_VPXOR && sgd_ir_is_word(ir, other, SGPU_FP_SIGN_BIT)) ||
       (n->op == SGD_VPAND && sgd_ir_is_word(ir, other, ~SGPU_FP_SIGN_BIT)))
      return n->exact;
   return true;
}

/* Returns true if the users of the node can use its first source instead. */
static bool
is_copy(const struct sgd_ir_node *n)
{
   return n->kind == SGD_IR_FREE || (n->kind == SGD_IR_CANON && !n->exact);
}

void
sgd_ir_optimize(struct sgd_ir *ir)
{
   for (uint32_t i = 0; i < ir->num_nodes; i++) {
      ir->nodes[i].uses = 0;
      ir->nodes[i].exact = false;
   }
   for (uint32_t i = 0; i < ir->num_stores; i++) {
      ir->nodes[ir->stores[i].value].uses++;
      ir->nodes[ir->stores[i].value].exact = true;
   }
   /* Process the nodes backwards, since each node comes after its sources. */
   for (uint32_t i = ir->num_nodes; i-- > 0;) {
      struct sgd_ir_node *n = &ir->nodes[i];
      if (!n->uses)
         continue;
      for (unsigned s = 0; s < sgd_ir_num_srcs(n); s++)
         ir->nodes[n->src[s]].exact |= wants_exact(ir, n, s);
      if (is_copy(n)) {
         /* Count a use of the source instead, because the loop below makes the users refer to it.
          */
         ir->nodes[n->src[0]].uses++;
         continue;
      }
      for (unsigned s = 0; s < sgd_ir_num_srcs(n); s++)
         ir->nodes[n->src[s]].uses++;
   }
   for (uint32_t i = 0; i < ir->num_nodes; i++) {
      struct sgd_ir_node *n = &ir->nodes[i];
      if (!n->uses)
         continue;
      for (unsigned s = 0; s < sgd_ir_num_srcs(n); s++) {
         struct sgd_ir_node *from = &ir->nodes[n->src[s]];
         if (is_copy(from))
            n->src[s] = from->src[0];
      }
   }
   for (uint32_t i = 0; i < ir->num_nodes; i++) {
      struct sgd_ir_node *n = &ir->nodes[i];
      if (is_copy(n))
         n->uses = 0;
   }
}

/* Starts a region with the constants of another one. */
static void
init_like(struct sgd_ir *ir, const struct sgd_ir *from)
{
   sgd_ir_init(ir);
   memcpy(ir->consts, from->consts, from->num_consts * sizeof(from->consts[0]));
   ir->num_consts = from->num_consts;
}

void
sgd_ir_permute(struct sgd_ir *to, const struct sgd_ir *from, const uint16_t *order, uint32_t count)
{
   uint16_t now[SGD_IR_MAX_NODES];

   init_like(to, from);
   for (uint32_t k = 0; k < count; k++) {
      struct sgd_ir_node n = from->nodes[order[k]];
      for (unsigned s = 0; s < sgd_ir_num_srcs(&n); s++)
         n.src[s] = now[n.src[s]];
      n.uses = 0;
      to->instr = n.instr;
      now[order[k]] = add_node(to, &n);
      to->nodes[now[order[k]]].uses += from->nodes[order[k]].uses;
      to->nodes[now[order[k]]].exact |= n.exact;
   }
   for (uint32_t i = 0; i < from->num_stores; i++) {
      const struct sgd_ir_store *s = &from->stores[i];
      sgd_ir_store(to, s->offset, now[s->value], s->pred);
   }
}

void
sgd_ir_pair(struct sgd_ir *pair, const struct sgd_ir *ir, unsigned chunks, uint16_t *to)
{
   uint16_t second[SGD_IR_MAX_NODES];

   init_like(pair, ir);
   for (uint32_t i = 0; i < ir->num_nodes; i++) {
      if (!ir->nodes[i].uses && ir->nodes[i].kind != SGD_IR_KEEP)
         continue;
      pair->instr = ir->nodes[i].instr;
      for (unsigned chunk = 0; chunk <= chunks; chunk += chunks) {
         uint16_t *now = chunk ? second : to;
         struct sgd_ir_node n = ir->nodes[i];
         for (unsigned s = 0; s < sgd_ir_num_srcs(&n); s++)
            n.src[s] = now[n.src[s]];
         if (n.kind == SGD_IR_LOAD || n.kind == SGD_IR_KEEP)
            n.where += SGD_IR_CHUNK * chunk;
         else if (n.kind == SGD_IR_PRED)
            n.where += chunk;
         n.uses = 0;
         now[i] = add_node(pair, &n);
         pair->nodes[now[i]].uses += ir->nodes[i].uses;
         pair->nodes[now[i]].exact |= ir->nodes[i].exact;
      }
   }
   for (uint32_t i = 0; i < ir->num_stores; i++) {
      const struct sgd_ir_store *s = &ir->stores[i];
      sgd_ir_store(pair, s->offset, to[s->value], s->pred);
      sgd_ir_store(pair, s->offset + chunks * (s->pred ? 1 : SGD_IR_CHUNK), second[s->value],
                   s->pred);
   }
}
