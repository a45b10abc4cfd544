/* SPDX-License-Identifier: MIT */
/*
 * Tests the scalar operations of instructions: random instructions of every opcode are compared
 * with the registers that they read and write; counts are compared with papers and manuals; order
 * and saved values are checked.
 */
#include "../../unit.h"
#include "asm_work.h"
#include "isa_random.h"
#include "sgpu_scalar.h"
#include "util/bitscan.h"

/* A set of registers of the files: one byte per register. */
struct set {
   uint8_t has[SGT_REG_COUNT];
};

static void
set_operand(struct set *set, const struct sgt_operand *o, bool gaps)
{
   const unsigned base = o->file == SGPU_FILE_TEMP   ? SGT_REG_TEMP + 4 * o->index
                         : o->file == SGPU_FILE_ADDR ? SGT_REG_ADDR
                                                     : SGT_REG_PRED + 4 * o->index;
   if ((o->file != SGPU_FILE_TEMP && o->file != SGPU_FILE_ADDR && o->file != SGPU_FILE_PRED) ||
       o->relative || !o->mask)
      return;
   const unsigned first = ffs(o->mask) - 1, end = util_last_bit(o->mask);
   for (unsigned c = first; c < end; c++)
      set->has[base + c] |= gaps || o->mask >> c & 1;
}

/* Returns a program with only this instruction, which need not be valid for a stage. */
static struct sgt_program *
program_of(const struct sgpu_instr *instr)
{
   static uint32_t words[1][4];
   struct sgpu_program program = { .instrs = words, .num_instrs = 1 };

   assert_null(sgpu_instr_pack(instr, words[0]));
   struct sgt_program *p = sgt_program_create(&program);
   assert_non_null(p);
   return p;
}

/* Checks conditions that hold for the operations of every instruction. */
static void
check_instr(const struct sgpu_instr *instr)
{
   const struct sgpu_opcode_info *op = sgpu_opcode_info(instr->opcode);
   const unsigned way = sgpu_scalar_infos[instr->opcode].way;
   struct sgt_program *p = program_of(instr);
   const struct sgt_instr *i = &p->instrs[0];
   struct set reads = { { 0 } }, writes = { { 0 } }, read = { { 0 } }, written = { { 0 } };
   bool any = false, constant = false, access = false;

   assert_int_equal(i->opcode, instr->opcode);
   assert_int_equal(i->num_uops, p->num_uops);
   assert_int_equal(i->num_uops == 0, way == SGPU_SCALAR_FOLDED);
   assert_true(p->num_uops <= SGPU_SCALAR_MOST);
   for (unsigned s = 0; s < 3; s++) {
      assert_int_equal(i->src[s].file == SGPU_FILE_NONE, sgpu_src_read_mask(op, instr, s) == 0);
      set_operand(&reads, &i->src[s], false);
      any |= i->src[s].file == SGPU_FILE_TEMP && i->src[s].relative;
      constant |= i->src[s].file == SGPU_FILE_CONST;
   }
   any |= i->dst.file == SGPU_FILE_TEMP && i->dst.relative;
   set_operand(&writes, &i->dst, way == SGPU_SCALAR_VECTOR);

   bool uop_any = false, uop_constant = false;
   for (unsigned n = 0; n < p->num_uops; n++) {
      const struct sgt_uop *u = &p->uops[n];
      assert_int_equal(u->instr, 0);
      assert_true(u->pipe < SGT_PIPE_COUNT);
      assert_int_equal(!!(u->flags & SGT_UOP_LAST), n + 1 == p->num_uops);
      for (unsigned s = 0; s < 3; s++) {
         for (unsigned r = 0; r < sgt_uop_reads(u, s); r++) {
            const unsigned reg = u->src[s] + r;
            assert_true(reg < SGT_REG_COUNT);
            /* An operation only reads what another one has written, or what the instruction names.
             */
            if (reg >= SGT_REG_INNER)
               assert_true(written.has[reg]);
            else if (way != SGPU_SCALAR_VECTOR)
               assert_true(written.has[reg] || reads.has[reg]);
            read.has[reg] = 1;
         }
      }
      assert_int_equal(u->dsts == 0, u->dst == SGT_REG_NONE);
      for (unsigned r = 0; r < u->dsts; r++)
         written.has[u->dst + r] = 1;
      access |= u->flags & SGT_UOP_ACCESS;
      uop_any |= u->flags & SGT_UOP_ANY;
      uop_constant |= u->flags & SGT_UOP_CONST;
      if (u->flags & SGT_UOP_ACCESS)
         assert_true(u->flags & SGT_UOP_LAST);
   }
   for (unsigned r = 0; r < SGT_REG_INNER; r++) {
      if (reads.has[r] && p->num_uops)
         assert_true(read.has[r]);
      assert_int_equal(written.has[r], writes.has[r]);
   }
   for (unsigned r = SGT_REG_INNER; r < SGT_REG_COUNT; r++)
      assert_int_equal(written.has[r], read.has[r]); /* no result is unused */
   assert_int_equal(any, uop_any);
   assert_int_equal(constant, uop_constant);
   assert_int_equal(!!(i->flags & SGT_INSTR_CONST), constant);
   assert_int_equal(!!(i->flags & SGT_INSTR_ACCESS), access);
   assert_int_equal(!!(i->flags & SGT_INSTR_VP1), !!(op->flags & SGPU_OPF_VP1));
   assert_int_equal(i->guard == SGT_REG_NONE, !instr->guard.en);
   assert_int_equal(i->address, sgpu_instr_addr_read_mask(instr));
   sgt_program_destroy(p);
}

static void
every_opcode(void **state)
{
   struct isa_random r = { 1 };

   for (unsigned opcode = 0; opcode < SGPU_NUM_OPCODES; opcode++) {
      if (!sgpu_opcode_infos[opcode].name)
         continue;
      for (unsigned n = 0; n < 200; n++) {
         struct sgpu_instr instr = isa_random_instr(&r, opcode);
         check_instr(&instr);
         /* The same with few registers, so that results and sources overlap. */
         if (instr.dst.file == SGPU_FILE_TEMP)
            instr.dst.index %= 2;
         for (unsigned s = 0; s < 3; s++) {
            if (instr.src[s].file == SGPU_FILE_TEMP && !instr.src[s].rel)
               instr.src[s].index %= 2;
         }
         check_instr(&instr);
      }
   }
}

/* Computes the values of an instruction's operations symbolically: the value of a register is a
 * hash of how it was computed.  Sources must have their values from before the instruction.
 */
static void
order(void **state)
{
   struct isa_random r = { 7 };

   for (unsigned n = 0; n < 50000; n++) {
      const unsigned opcode = isa_random_opcode(&r);
      const unsigned way = sgpu_scalar_infos[opcode].way;
      struct sgpu_instr instr = isa_random_instr(&r, opcode);
      struct sgpu_instr apart;
      if (instr.dst.file != SGPU_FILE_TEMP || instr.dst.rel || way == SGPU_SCALAR_VECTOR ||
          way == SGPU_SCALAR_FOLDED)
         continue;
      for (unsigned s = 0; s < sgpu_opcode_infos[opcode].num_srcs; s++) {
         if (instr.src[s].file == SGPU_FILE_INPUT &&
             sgpu_opcode_infos[opcode].kind != SGPU_KIND_IPA)
            instr.src[s].file = SGPU_FILE_TEMP;
         instr.src[s].rel = false;
         instr.src[s].relcomp = 0;
         instr.src[s].index = instr.src[s].file == SGPU_FILE_TEMP ? 5 : 0;
      }
      instr.dst.index = 5;
      apart = instr;
      apart.dst.index = 6;

      /* In `apart`, results have separate registers, so its result is the correct one. */
      struct sgt_program *p = program_of(&instr), *q = program_of(&apart);
      uint64_t value[SGT_REG_COUNT], other[SGT_REG_COUNT];
      for (unsigned i = 0; i < SGT_REG_COUNT; i++)
         value[i] = other[i] = i + 1;
      const struct sgt_program *programs[2] = { p, q };
      uint64_t *values[2] = { value, other };
      for (unsigned k = 0; k < 2; k++) {
         for (unsigned i = 0; i < programs[k]->num_uops; i++) {
            const struct sgt_uop *u = &programs[k]->uops[i];
            uint64_t sum = 0;
            unsigned srcs = 0;
            for (unsigned s = 0; s < 3; s++) {
               if (u->src[s] == SGT_REG_NONE)
                  continue;
               srcs++;
               sum = sum * 0x9e3779b97f4a7c15u + values[k][u->src[s]];
            }
            /* A move that saves a value keeps it. */
            const bool saves = u->dst >= SGT_REG_INNER + SGPU_SCALAR_INNERS;
            assert_true(!saves || srcs == 1);
            if (!saves)
               sum = (sum ^ sum >> 29) * 0xbf58476d1ce4e5b9u + u->pipe + 1;
            values[k][u->dst] = sum;
         }
      }
      for (unsigned c = 0; c < 4; c++) {
         if (instr.dst.mask >> c & 1)
            assert_true(value[4 * 5 + c] == other[4 * 6 + c]);
      }
      assert_true(p->num_uops <= q->num_uops + 4);
      sgt_program_destroy(p);
      sgt_program_destroy(q);
   }
}

/* Checks the number of operations of a program for each kind of pipe. */
static void
expect_counts(const char *text, unsigned alu, unsigned sfu, unsigned others)
{
   struct sgt_program *p = test_program(text);
   unsigned counts[SGT_PIPE_COUNT] = { 0 };

   for (unsigned n = 0; n < p->num_uops; n++)
      counts[p->uops[n].pipe]++;
   assert_int_equal(counts[SGT_PIPE_ALU], alu);
   assert_int_equal(counts[SGT_PIPE_SFU], sfu);
   assert_int_equal(p->num_uops - alu - sfu, others);
   sgt_program_destroy(p);
}

static void
counts(void **state)
{
   /* Lindholm 2001, section 3.7.3: LIT compared with about 10 other operations. */
   expect_counts("!!SGVP1.0 LIT R0, v[0]; END", 8, 3, 0);
   expect_counts("!!SGVP1.0 LIT R0.y, v[0]; END", 1, 0, 0);
   /* CUDA Programming Guide 1.1: cycles per warp, 4 for an ALU operation and 16 for an SFU
    * operation.
    */
   expect_counts("!!SGVP1.0 MAD R0.x, v[0], v[1], v[2]; END", 1, 0, 0);
   expect_counts("!!SGVP1.0 RCP R0.x, v[0].x; END", 0, 1, 0);
   expect_counts("!!SGVP1.0 RSQ R0.x, v[0].x; END", 0, 1, 0);
   expect_counts("!!SGVP1.0 LG2 R0.x, v[0].x; END", 0, 1, 0);
   expect_counts("!!SGVP1.0 EX2 R0.x, v[0].x; END", 0, 2, 0);
   expect_counts("!!SGVP1.0 SIN R0.x, v[0].x; END", 0, 2, 0);
   expect_counts("!!SGVP1.0 SQRT R0.x, v[0].x; END", 0, 2, 0);
   expect_counts("!!SGVP1.0 IMUL R0.x, v[0].x, v[1].x; END", 4, 0, 0);
   /* Products: one operation per component. */
   expect_counts("!!SGVP1.0 DP4 R0.x, v[0], v[1]; END", 4, 0, 0);
   expect_counts("!!SGVP1.0 DP3 R0.x, v[0], v[1]; END", 3, 0, 0);
   expect_counts("!!SGVP1.0 DPH R0.x, v[0], v[1]; END", 4, 0, 0);
   expect_counts("!!SGVP1.0 DP2 R0.x, v[0], v[1]; END", 2, 0, 0);
   expect_counts("!!SGVP1.0 MUL R0.xyz, v[0], v[1]; END", 3, 0, 0);
   /* A result for three components takes two moves; for outputs, which nothing reads, three. */
   expect_counts("!!SGVP1.0 DP3 R0.xyz, v[0], v[1]; END", 5, 0, 0);
   expect_counts("!!SGVP1.0 RCP o[TEX0].xyz, v[0].x; END", 3, 1, 0);
   expect_counts("!!SGFP1.0 TEX R0, v[0], tex[0], smp[0], 2D; END", 0, 0, 1);
   expect_counts("!!SGVP1.0 DADD R0, v[0], v[1]; END", 16, 0, 0);
   expect_counts("!!SGVP1.0 RED.IADD R0.x, v[0], 32; END", 12, 0, 0);
   expect_counts("!!SGVP1.0 NOP; EXIT; END", 0, 0, 0);
   expect_counts("!!SGFP1.0 IPAC R0.xy, v[0]; END", 2, 1, 3);
   /* No value is lost, with the right order or with a saved value. */
   expect_counts("!!SGVP1.0 TEMPS 1; MOV R0.xyz, R0.yzww; END", 3, 0, 0);
   expect_counts("!!SGVP1.0 TEMPS 1; MOV R0.yzw, R0.xxyz; END", 3, 0, 0);
   expect_counts("!!SGVP1.0 TEMPS 1; MOV R0.xy, R0.yxzw; END", 3, 0, 0);
}

/* Tests that a dot product is a chain. */
static void
chain(void **state)
{
   struct sgt_program *p = test_program("!!SGVP1.0 DP4 R2.x, R0, R1; MUL R3.y, R2.x, c[4].z; END");

   assert_int_equal(p->num_instrs, 2);
   assert_int_equal(p->num_uops, 5);
   for (unsigned c = 0; c < 4; c++) {
      const struct sgt_uop *u = &p->uops[c];
      assert_int_equal(u->src[0], SGT_REG_TEMP + c);
      assert_int_equal(u->src[1], SGT_REG_TEMP + 4 + c);
      assert_int_equal(u->src[2], c ? SGT_REG_INNER : SGT_REG_NONE);
      assert_int_equal(u->dst, c < 3 ? SGT_REG_INNER : SGT_REG_TEMP + 8);
   }
   const struct sgt_uop *u = &p->uops[4];
   assert_int_equal(u->instr, 1);
   assert_int_equal(u->src[0], SGT_REG_TEMP + 8);
   assert_int_equal(u->src[1], SGT_REG_NONE);
   assert_int_equal(u->flags, SGT_UOP_CONST | SGT_UOP_LAST);
   assert_int_equal(p->instrs[1].flags & SGT_INSTR_CONST, SGT_INSTR_CONST);
   assert_int_equal(p->instrs[1].src[1].index, 4);
   assert_int_equal(p->instrs[1].src[1].mask, 4);
   /* R0, R1, R2.x, R3.y, and the sum. */
   assert_int_equal(p->num_scalars, 4 + 4 + 1 + 1 + 1);
   sgt_program_destroy(p);
}

static void
vectors(void **state)
{
   struct sgt_program *p = test_program("!!SGFP1.0 TEMPS 4;\n"
                                        "(!P1.z) TXD R2.yz, v[0], R1, tex[0], smp[0], 2D;\n"
                                        "STB buf[0][R3.y + 16].xyz, R0;\n"
                                        "MOV R[A0.z + 1].x, R0.x;\n"
                                        "MUL o[COLR0].xy, R2.yzzz, v[1];\n"
                                        "END");
   const struct sgt_uop *u = p->uops;

   assert_int_equal(p->num_uops, 5);
   assert_int_equal(u[0].pipe, SGT_PIPE_TEXTURE);
   assert_int_equal(u[0].dst, SGT_REG_TEMP + 9);
   assert_int_equal(u[0].dsts, 2);
   assert_int_equal(u[0].src[0], SGT_REG_NONE);
   assert_int_equal(u[0].src[1], SGT_REG_TEMP + 4);
   assert_int_equal(sgt_uop_reads(&u[0], 0), 0);
   assert_int_equal(sgt_uop_reads(&u[0], 1), 4);
   assert_int_equal(p->instrs[0].guard, SGT_REG_PRED + 4 + 2);
   assert_int_equal(p->instrs[1].guard, SGT_REG_NONE);
   assert_int_equal(u[1].pipe, SGT_PIPE_MEMORY);
   assert_int_equal(u[1].dsts, 0);
   assert_int_equal(u[1].src[0], SGT_REG_TEMP + 13);
   assert_int_equal(sgt_uop_reads(&u[1], 0), 1);
   assert_int_equal(u[1].src[1], SGT_REG_TEMP);
   assert_int_equal(sgt_uop_reads(&u[1], 1), 3);
   assert_int_equal(u[2].flags, SGT_UOP_ANY | SGT_UOP_LAST);
   assert_int_equal(u[2].dst, SGT_REG_NONE);
   assert_int_equal(p->instrs[2].address, 4);
   assert_int_equal(p->num_scalars, 16);
   assert_int_equal(p->inputs[0], 3);
   assert_int_equal(p->inputs[1], 3);
   assert_int_equal(p->num_inputs, 4);
   assert_int_equal(p->num_outputs, 2);
   sgt_program_destroy(p);
}

static void
control(void **state)
{
   struct sgt_program *p = test_program("!!SGCP1.0 TEMPS 1;\n"
                                        "SSY there;\n"
                                        "(P0.x) BRA other;\n"
                                        "STS sh[0].x, R0;\n"
                                        "other: SYNC;\n"
                                        "there:\n"
                                        "BAR;\n"
                                        "LDS R0.x, sh[4];\n"
                                        "LDC R0.y, cb[1][R0.x];\n"
                                        "EXIT;\n"
                                        "END");
   static const struct {
      uint8_t flags, pipe, uops;
   } expected[] = {
      { 0, SGT_PIPE_CONTROL, 1 },
      { SGT_INSTR_JUMP, SGT_PIPE_CONTROL, 1 },
      { SGT_INSTR_ACCESS, SGT_PIPE_SHARED, 1 },
      { SGT_INSTR_JUMP, SGT_PIPE_CONTROL, 0 },
      { SGT_INSTR_BARRIER, SGT_PIPE_CONTROL, 1 },
      { SGT_INSTR_ACCESS, SGT_PIPE_SHARED, 1 },
      { SGT_INSTR_ACCESS, SGT_PIPE_CONST, 1 },
      { SGT_INSTR_JUMP | SGT_INSTR_END, SGT_PIPE_CONTROL, 0 },
   };

   assert_int_equal(p->num_instrs, 8);
   for (unsigned n = 0; n < 8; n++) {
      assert_int_equal(p->instrs[n].flags, expected[n].flags);
      assert_int_equal(p->instrs[n].pipe, expected[n].pipe);
      assert_int_equal(p->instrs[n].num_uops, expected[n].uops);
   }
   sgt_program_destroy(p);

   struct sgt_program *a = test_program("!!SGVP1.0 MOV R0, c[0]; END");
   struct sgt_program *same = test_program("!!SGVP1.0 MOV R0, c[0]; END");
   struct sgt_program *b = test_program("!!SGVP1.0 MOV R0, c[1]; END");
   assert_true(a->hash == same->hash);
   assert_true(a->hash != b->hash);
   sgt_program_destroy(a);
   sgt_program_destroy(same);
   sgt_program_destroy(b);
   sgt_program_destroy(NULL);
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
      cmocka_unit_test(every_opcode), cmocka_unit_test(order),   cmocka_unit_test(counts),
      cmocka_unit_test(chain),        cmocka_unit_test(vectors), cmocka_unit_test(control),
   };
   return cmocka_run_group_tests(tests, NULL, NULL);
}
