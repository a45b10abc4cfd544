/* SPDX-License-Identifier: MIT */
/*
 * Tests of the shader cores: random instructions.
 */
#include "random_code.h"

#include <stdio.h>

#include "../../unit.h"

static uint8_t bank0[BANK_BYTES], bank1[64];

void
random_prelude(struct code *code)
{
   code->temps = NUM_R;
   code->scratch = SCRATCH;
   code->literal_base = LITERAL_BASE;
   code->num_literals = NUM_LITERALS;
   for (unsigned n = 0; n < NUM_R; n++)
      code_add(code, op1(SGPU_OP_MOV, dst(SGPU_FILE_TEMP, n), src(SGPU_FILE_INPUT, n)));
   code_add(code, op1(SGPU_OP_ARI, dst(SGPU_FILE_ADDR, 0), src(SGPU_FILE_INPUT, 8)));
   for (unsigned p = 0; p < 4; p++) {
      struct sgpu_instr i = op2(SGPU_OP_ISETP, dst(SGPU_FILE_PRED, p), src(SGPU_FILE_INPUT, 9 + p),
                                src(SGPU_FILE_CONST, 15));
      i.cond = SGPU_COND_NE;
      code_add(code, i);
   }
}

void
random_epilogue(struct code *code)
{
   for (unsigned n = 0; n < 8; n++) {
      code_add(code,
               op1(SGPU_OP_MOV, dst(SGPU_FILE_OUTPUT, SGPU_PO_COLR0 + n), src(SGPU_FILE_TEMP, n)));
   }
}

static struct sgpu_src
random_src(struct rng *r, const struct sgpu_opcode_info *info, unsigned s)
{
   struct sgpu_src v = { 0 };
   v.swizzle = rng_u32(r);
   if (info->src_scalar & (1 << s))
      v.swizzle = sgpu_swizzle_replicate(rng_below(r, 4));
   else if (rng_chance(r, 30))
      v.swizzle = SGPU_SWIZZLE_XYZW;

   const unsigned what = rng_below(r, 100);
   if (what < 45) {
      v.file = SGPU_FILE_TEMP;
      v.index = rng_below(r, NUM_R);
   } else if (what < 55) {
      v.file = SGPU_FILE_INPUT;
      v.index = rng_below(r, 8);
   } else if (what < 80) {
      v.file = SGPU_FILE_CONST;
      v.index = rng_below(r, LITERAL_BASE + NUM_LITERALS);
   } else if (what < 85) {
      v.file = SGPU_FILE_SYS;
      v.index = SGPU_SYS_POSITION;
   } else if (what < 90 && info->src_type[s] != SGPU_TYPE_FLOAT) {
      v.file = SGPU_FILE_ADDR;
   } else {
      static const uint8_t files[] = { SGPU_FILE_TEMP, SGPU_FILE_INPUT, SGPU_FILE_CONST };
      v.file = files[rng_below(r, 3)];
      v.rel = true;
      v.relcomp = rng_below(r, 4);
      v.index = (int)rng_below(r, 24) - 8;
      if (v.file == SGPU_FILE_TEMP && v.index >= NUM_R)
         v.index = 0;
   }
   if (info->src_mods & (1 << s)) {
      v.neg = rng_chance(r, 30);
      v.abs = rng_chance(r, 20);
   }
   return v;
}

bool
stays_in_warp(enum sgpu_opcode op)
{
   switch (sgpu_opcode_info(op)->kind) {
   case SGPU_KIND_CTL:
   case SGPU_KIND_TEX:
   case SGPU_KIND_IMG:
   case SGPU_KIND_IPA:
   case SGPU_KIND_PIXEL:
      return false;
   case SGPU_KIND_MEM:
      return op == SGPU_OP_LDC || op == SGPU_OP_LDL || op == SGPU_OP_STL;
   default:
      return op != SGPU_OP_CLK;
   }
}

struct sgpu_instr
random_operands(struct rng *r, enum sgpu_opcode op)
{
   const struct sgpu_opcode_info *info = sgpu_opcode_info(op);
   struct sgpu_instr i = sgpu_instr_init(op);
   for (unsigned s = 0; s < info->num_srcs; s++)
      i.src[s] = random_src(r, info, s);
   /* Two operands in the same register, which tests aliasing. */
   if (info->num_srcs > 1 && rng_chance(r, 10) && !(info->src_scalar & 3) &&
       info->src_type[0] == info->src_type[1] && i.src[0].file != SGPU_FILE_ADDR) {
      i.src[1].file = i.src[0].file;
      i.src[1].index = i.src[0].index;
      i.src[1].rel = i.src[0].rel;
      i.src[1].relcomp = i.src[0].relcomp;
   }

   if (info->flags & SGPU_OPF_DST) {
      static const uint8_t pairs[] = { 3, 12, 15 };
      i.dst.mask = sgpu_type_is_wide(info->dst_type) ? pairs[rng_below(r, 3)]
                                                     : 1 + rng_below(r, 15);
      if (info->dst_type == SGPU_TYPE_PRED) {
         i.dst.file = SGPU_FILE_PRED;
         i.dst.index = rng_below(r, 4);
      } else if (info->dst_type == SGPU_TYPE_ADDR) {
         i.dst.file = SGPU_FILE_ADDR;
      } else {
         i.dst.file = SGPU_FILE_TEMP;
         i.dst.index = rng_below(r, NUM_R);
         if (rng_chance(r, 8)) {
            i.dst.rel = true;
            i.dst.relcomp = rng_below(r, 4);
         }
      }
   } else if (info->flags & SGPU_OPF_WMASK) {
      i.dst.mask = 1 + rng_below(r, 15);
   }

   i.sat = (info->flags & SGPU_OPF_SAT) && rng_chance(r, 20);
   i.zmul = (info->flags & SGPU_OPF_ZMUL) && rng_chance(r, 30);
   if (info->mod == SGPU_MOD_COND)
      i.cond = rng_below(r, 8);
   if (rng_chance(r, 15)) {
      i.guard = (struct sgpu_guard){
         .en = true, .not = rng_chance(r, 50), .reg = rng_below(r, 4), .comp = rng_below(r, 4)
      };
   }
   if (info->payload == SGPU_PAYLOAD_REDUCE) {
      i.reduction = rng_below(r, SGPU_NUM_REDUCTIONS);
      i.cluster = rng_below(r, 6);
   }
   if (info->kind == SGPU_KIND_MEM) {
      i.offset = rng_below(r, 80);
      if (rng_chance(r, 20)) {
         i.src[0] = sgpu_instr_init(op).src[0];
         i.offset = rng_below(r, SCRATCH - 15);
      }
      if (op == SGPU_OP_LDC) {
         i.unit = rng_below(r, 3);
         if (rng_chance(r, 20)) {
            i.urel = true;
            i.urelcomp = rng_below(r, 4);
         }
      }
   }
   return i;
}

struct sgpu_instr
random_instr(struct rng *r, bool quads)
{
   for (;;) {
      const unsigned op = rng_below(r, SGPU_NUM_OPCODES);
      const struct sgpu_opcode_info *info = sgpu_opcode_info(op);
      if (!info->name || !stays_in_warp(op) ||
          ((info->kind == SGPU_KIND_QUAD || info->kind == SGPU_KIND_WARP) && !quads))
         continue;
      return random_operands(r, op);
   }
}

/* Returns bank 0 as a version whose lines are in reverse order in memory. */
static struct sgd_bank
in_lines(unsigned log2)
{
   enum { MOST = BANK_BYTES / 16 + 1 };
   static uint8_t memory[64 * MOST];
   static _Alignas(8) uint8_t space[sizeof(struct sgd_const_version) + MOST * sizeof(uint8_t *)];
   struct sgd_const_version *v = (struct sgd_const_version *)space;
   const unsigned line = 1u << log2, lines = (BANK_BYTES + line - 1) / line;

   for (unsigned i = 0; i < lines; i++) {
      uint8_t *to = memory + (lines - 1 - i) * line;
      v->line[i] = to;
      memcpy(to, bank0 + i * line, MIN2(BANK_BYTES - i * line, line));
   }
   return (struct sgd_bank){ .version = v, .size = BANK_BYTES, .line_log2 = log2 };
}

void
random_warp(struct rng *r, struct warp *warp, bool whole)
{
   memset(warp, 0, sizeof(*warp));
   for (unsigned n = 0; n < 32; n++) {
      for (unsigned c = 0; c < 4; c++) {
         for (unsigned l = 0; l < SGD_WARP; l++)
            warp->in[n].c[c][l] = rng_value(r);
      }
   }
   /* Addresses are small, sometimes the same in all lanes, sometimes any number. */
   for (unsigned c = 0; c < 4; c++) {
      const uint32_t same = rng_below(r, 20) - 6;
      const bool uniform = rng_chance(r, 30);
      for (unsigned l = 0; l < SGD_WARP; l++) {
         warp->in[8].c[c][l] = uniform ? same : rng_below(r, 20) - 6;
         if (rng_chance(r, 1))
            warp->in[8].c[c][l] = rng_u32(r);
      }
   }
   for (unsigned p = 9; p < 13; p++) {
      for (unsigned c = 0; c < 4; c++) {
         const unsigned chance = rng_below(r, 3) * 50;
         for (unsigned l = 0; l < SGD_WARP; l++)
            warp->in[p].c[c][l] = rng_chance(r, chance);
         /* Lanes of some chunks alone, because divergent warps skip chunks without lanes. */
         const uint32_t chunks = rng_below(r, 3) ? 15 : rng_below(r, 16);
         for (unsigned l = 0; l < SGD_WARP; l++)
            warp->in[p].c[c][l] &= chunks >> l / 8;
      }
   }
   for (unsigned c = 0; c < 4; c++) {
      for (unsigned l = 0; l < SGD_WARP; l++)
         warp->sys[SGPU_SYS_POSITION].c[c][l] = rng_value(r);
   }
   warp->active = rng_chance(r, 50) ? ~0u : rng_u32(r) | rng_u32(r);
   if (whole) {
      uint32_t quads = warp->active & 0x11111111u;
      warp->active = quads ? quads * 15 : 15;
   }
   if (!warp->active)
      warp->active = 1;
   warp->live = warp->active;

   for (unsigned n = 0; n < BANK_BYTES; n += 4) {
      const uint32_t v = rng_value(r);
      memcpy(bank0 + n, &v, 4);
   }
   for (unsigned n = 0; n < sizeof(bank1); n += 4) {
      const uint32_t v = rng_value(r);
      memcpy(bank1 + n, &v, 4);
   }
   warp->env.banks[0] = (struct sgd_bank){ .ptr = bank0, .size = BANK_BYTES };
   warp->env.banks[1] = (struct sgd_bank){ .ptr = bank1, .size = sizeof(bank1) };
   if (bank0[0] & 1)
      warp->env.banks[0] = in_lines(bank0[0] & 2 ? SGD_CONST_FINE_LOG2 : SGD_CONST_LINE_LOG2);
}

uint64_t
hash_outputs(const struct sgd_vec out[64], uint32_t lanes)
{
   uint64_t h = 0xcbf29ce484222325ull;
   for (unsigned o = 0; o < 8; o++) {
      for (unsigned c = 0; c < 4; c++) {
         for (unsigned l = 0; l < SGD_WARP; l++) {
            if (lanes & (1u << l))
               h = (h ^ out[o].c[c][l]) * 0x100000001b3ull;
         }
      }
   }
   return h;
}

void
print_code(const struct code *code)
{
   static const char files[] = "RvocsAP_";
   for (uint32_t n = 0; n < code->count; n++) {
      const struct sgpu_instr *i = &code->instr[n];
      const struct sgpu_opcode_info *info = sgpu_opcode_info(i->opcode);
      fprintf(stderr, "%4u: ", n);
      if (i->guard.en)
         fprintf(stderr, "(%sP%u.%c) ", i->guard.not ? "!" : "", i->guard.reg,
                 "xyzw"[i->guard.comp]);
      fprintf(stderr, "%s%s%s cond %u  %c%u%s mask %x", info->name, i->sat ? "_sat" : "",
              i->zmul ? "_z" : "", i->cond, files[i->dst.file], i->dst.index,
              i->dst.rel ? "+A" : "", i->dst.mask);
      for (unsigned s = 0; s < info->num_srcs; s++) {
         const struct sgpu_src *v = &i->src[s];
         fprintf(stderr, ", %s%s%c%d%s.", v->neg ? "-" : "", v->abs ? "|" : "", files[v->file],
                 v->index, v->rel ? "+A" : "");
         for (unsigned c = 0; c < 4; c++)
            fputc("xyzw"[sgpu_swizzle_get(v->swizzle, c)], stderr);
      }
      fprintf(stderr, "  target %u unit %u offset %u\n", i->target, i->unit, i->offset);
   }
}

void
check_code(struct test_worker *tw, const struct code *code, struct warp *warp, bool lockstep)
{
   struct level levels[MAX_LEVELS];
   const unsigned num_levels = test_levels(levels);
   struct sgd_vec *expected = malloc(64 * sizeof(*expected));
   uint32_t expected_live;
   uint64_t issued = 0;
   const char *error;

   struct sgd_shader *shader = code_load(code, &error);
   if (!shader) {
      print_code(code);
      fail_msg("refused: %s", error);
   }
   assert_true(reference_run(code, warp, lockstep, 100000, expected, &expected_live));

   for (unsigned v = 0; v < num_levels; v++) {
      test_run(tw, &levels[v], shader, warp);
      assert_true(warp->ok);
      if (v && warp->issued != issued) {
         print_code(code);
         fail_msg("%s: %u instructions, should be %u", levels[v].name, (unsigned)warp->issued,
                  (unsigned)issued);
      }
      issued = warp->issued;
      /* A helper lane ends when its quad has no live pixel left. */
      const uint32_t lanes = warp->live_out;
      if (lanes != expected_live) {
         print_code(code);
         fail_msg("%s: live lanes %08x, should be %08x", levels[v].name, lanes, expected_live);
      }
      for (unsigned o = 0; o < 8; o++) {
         for (unsigned c = 0; c < 4; c++) {
            for (unsigned l = 0; l < SGD_WARP; l++) {
               if (!(lanes & (1u << l)) || warp->out[o].c[c][l] == expected[o].c[c][l])
                  continue;
               print_code(code);
               fail_msg("%s: active %08x: COLR%u.%c lane %u is %08x, should be %08x",
                        levels[v].name, warp->active, o, "xyzw"[c], l, warp -> out[o].c[c][l],
                        expected[o].c[c][l]);
            }
         }
      }
   }
   sgd_shader_destroy(shader);
   free(expected);
}
