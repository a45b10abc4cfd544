/* SPDX-License-Identifier: MIT */
/*
 * Translator: emits accesses to scratch memory at variable addresses, for lanes that agree.
 *
 * The addresses of all lanes are compared first. At one address, the words of all lanes are a
 * vector for each chunk. Loads from other addresses are gathers. The interpreter's functions
 * (sgd_scratch.c) execute everything else: scattered stores, warps with fewer than 32 lanes, and
 * addresses that are out of bounds for all lanes. Registers are those of sgd_emit_program.c.
 */
#include <stddef.h>

#include "common/sgd_shader.h"
#include "common/sgd_warp.h"
#include "shader/translate/sgd_emit_flow.h"
#include "util/macros.h"

#define CHUNK 32 /* bytes of a chunk in a register component or word of scratch memory */
#define WORD ((int32_t)sizeof(uint32_t[SGD_WARP]))
#define NUM_CHUNKS ((int32_t)(SGD_WARP / 8))

/* vector registers */
enum { ADDRESS, INDEX, LIMIT, VALUE, LANES, MASK };

struct access {
   const struct sgd_ins *ins;
   const struct sgpu_instr *instr;
   int32_t scratch;    /* offset of the scratch memory from the register file */
   uint32_t words;     /* number of words in scratch memory */
   unsigned num, most; /* number of words, and the largest of `comp` */
   /* words after the address, and register file offsets of what is loaded or stored */
   unsigned comp[4];
   int32_t reg[4];
};

static bool
find_access(const struct sgd_flow *e, uint32_t n, struct access *a)
{
   const struct sgd_ins *ins = &e->decoded->ins[n];
   if ((ins->kind != SGD_INS_LDL && ins->kind != SGD_INS_STL) ||
       ins->flags & (SGD_INS_GUARD | SGD_INS_LOAD | SGD_INS_REL_DST))
      return false;
   *a = (struct access){
      .ins = ins,
      .instr = &e->decoded->instr[n],
      .scratch = (int32_t)e->decoded->code.layout.size,
      .words = e->scratch_words,
   };
   for (unsigned c = 0; c < (ins->kind == SGD_INS_LDL ? ins->num_comps : 4); c++) {
      const bool load = ins->kind == SGD_INS_LDL;
      if (!load && !(ins->mask & 1 << c))
         continue;
      a->comp[a->num] = load ? ins->dcomp[c] : c;
      a->most = MAX2(a->most, a->comp[a->num]);
      a->reg[a->num++] = (int32_t)(load ? ins->comp[c].d : ins->comp[c].b);
   }
   return a->instr->src[0].file != SGPU_FILE_NONE && a->num && a->words > 3;
}

/* Emits a jump that is taken unless all 32 lanes have one address. */
static size_t
jump_if_differ(struct sgd_flow *e, int32_t at)
{
   sgd_x86_splat(e->x, ADDRESS, sgd_rm_mem(SGD_R13, at));
   for (int32_t k = 0; k < NUM_CHUNKS; k++) {
      sgd_x86_vector(e->x, SGD_VPCMPEQD, 0, k ? INDEX : MASK, ADDRESS,
                     sgd_rm_mem(SGD_R13, at + k * CHUNK), 0);
      if (k)
         sgd_x86_vector(e->x, SGD_VPAND, 0, MASK, MASK, sgd_rm_reg(INDEX), 0);
   }
   sgd_x86_signs(e->x, SGD_RAX, MASK);
   sgd_x86_compare32_value(e->x, SGD_RAX, 0xff);
   return sgd_x86_jump(e->x, SGD_X86_NE);
}

/* Emits the access at an address that all lanes have in common. Returns a jump that is taken if it
 * is out of bounds.
 */
static size_t
emit_same(struct sgd_flow *e, const struct access *a)
{
   struct sgd_x86 *x = e->x;
   sgd_x86_get32(x, SGD_RAX, SGD_R13, (int32_t)a->ins->comp[0].a);
   sgd_x86_add32_value(x, SGD_RAX, a->instr->offset);
   sgd_x86_shift_right32(x, SGD_RAX, 2);
   sgd_x86_compare32_value(x, SGD_RAX, a->words - a->most);
   const size_t outside = sgd_x86_jump(x, SGD_X86_AE);
   sgd_x86_mul(x, SGD_RAX, SGD_RAX, WORD);
   sgd_x86_add_to(x, SGD_RAX, SGD_R13);
   for (unsigned n = 0; n < a->num; n++) {
      for (int32_t k = 0; k < NUM_CHUNKS; k++) {
         const int32_t disp = a->scratch + (int32_t)a->comp[n] * WORD + k * CHUNK;
         const struct sgd_x86_rm memory = sgd_rm_mem(SGD_RAX, disp);
         const struct sgd_x86_rm reg = sgd_rm_mem(SGD_R13, a->reg[n] + k * CHUNK);
         const bool load = a->ins->kind == SGD_INS_LDL;
         sgd_x86_load(x, VALUE, load ? memory : reg);
         sgd_x86_store(x, load ? reg : memory, VALUE);
      }
   }
   return outside;
}

/* Emits a load from addresses that differ. Words out of bounds are 0. */
static void
emit_gathers(struct sgd_flow *e, const struct access *a)
{
   struct sgd_x86 *x = e->x;
   static const uint32_t lanes[8] = { 0, 1, 2, 3, 4, 5, 6, 7 };
   sgd_x86_load(x, LANES, sgd_rm_const(sgd_flow_const(e, lanes)));
   for (int32_t k = 0; k < NUM_CHUNKS; k++) {
      const uint32_t offset = a->instr->offset;
      sgd_x86_load(x, ADDRESS, sgd_rm_mem(SGD_R13, (int32_t)a->ins->comp[0].a + k * CHUNK));
      if (offset)
         sgd_x86_vector(x, SGD_VPADDD, 0, ADDRESS, ADDRESS, sgd_rm_const(sgd_flow_word(e, offset)),
                        0);
      /* The index counts words of 32 lanes. Words and sizes are less than 2^31, so that signed
       * comparisons serve.
       */
      sgd_x86_vector(x, SGD_VPSRLD, 2, ADDRESS, 0, sgd_rm_reg(ADDRESS), 0);
      sgd_x86_vector(x, SGD_VPSLLD, 5, INDEX, 0, sgd_rm_reg(ADDRESS), 0);
      sgd_x86_vector(x, SGD_VPADDD, 0, INDEX, INDEX, sgd_rm_reg(LANES), 0);
      for (unsigned n = 0; n < a->num; n++) {
         sgd_x86_load(x, LIMIT, sgd_rm_const(sgd_flow_word(e, a->words - a->comp[n])));
         sgd_x86_vector(x, SGD_VPCMPGTD, 0, MASK, LIMIT, sgd_rm_reg(ADDRESS), 0);
         sgd_x86_vector(x, SGD_VPXOR, 0, VALUE, VALUE, sgd_rm_reg(VALUE), 0);
         sgd_x86_gather(x, VALUE, SGD_R13, INDEX,
                        a->scratch + (int32_t)a->comp[n] * WORD + k * CHUNK, MASK);
         sgd_x86_store(x, sgd_rm_mem(SGD_R13, a->reg[n] + k * CHUNK), VALUE);
      }
   }
}

bool
sgd_emit_memory(struct sgd_flow *e, uint32_t n)
{
   struct sgd_x86 *x = e->x;
   struct access a;
   if (!find_access(e, n, &a))
      return false;

   sgd_x86_get32(x, SGD_RAX, SGD_RBX, offsetof(struct sgd_warp, exec));
   sgd_x86_add32(x, SGD_RAX, 1);
   const size_t some = sgd_x86_jump(x, SGD_X86_NE);
   const size_t differ = jump_if_differ(e, (int32_t)a.ins->comp[0].a);
   const size_t outside = emit_same(e, &a);
   const size_t done = sgd_x86_jump(x, SGD_X86_ALWAYS);
   size_t gathered = 0;
   sgd_x86_land(x, differ, x->size);
   if (a.ins->kind == SGD_INS_LDL) {
      emit_gathers(e, &a);
      gathered = sgd_x86_jump(x, SGD_X86_ALWAYS);
   }
   sgd_x86_land(x, some, x->size);
   sgd_x86_land(x, outside, x->size);
   sgd_x86_zero_upper(x);
   sgd_flow_call(e, offsetof(struct sgd_native_calls, other), a.ins);
   sgd_x86_land(x, done, x->size);
   if (gathered)
      sgd_x86_land(x, gathered, x->size);
   sgd_x86_zero_upper(x);
   return true;
}
