/* SPDX-License-Identifier: MIT */
#include "asm_work.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sgpu_asm.h"
#include "util/bitscan.h"
#include "util/macros.h"

struct sgt_program *
test_program(const char *text)
{
   struct sgpu_program program;
   struct sgpu_asm_error error;

   if (!sgpu_asm_program(text, strlen(text), &program, &error)) {
      fprintf(stderr, "%u:%u: %s\n%s\n", error.line, error.column, error.text, text);
      abort();
   }
   struct sgt_program *p = sgt_program_create(&program);
   if (!p)
      abort();
   sgpu_program_finish(&program);
   return p;
}

static enum sgt_access_kind
access_kind(const struct sgt_instr *instr)
{
   const struct sgpu_opcode_info *op = sgpu_opcode_info(instr->opcode);

   switch (instr->pipe) {
   case SGT_PIPE_TEXTURE:
      return SGT_ACCESS_TEXTURE;
   case SGT_PIPE_SHARED:
      return SGT_ACCESS_SHARED;
   case SGT_PIPE_CONST:
      return SGT_ACCESS_CONST;
   default:
      if (op->flags & SGPU_OPF_ATOMIC)
         return SGT_ACCESS_ATOMIC;
      return op->flags & SGPU_OPF_DST ? SGT_ACCESS_LOAD : SGT_ACCESS_STORE;
   }
}

static void
straight_access(struct sgt_work_builder *b, const struct sgt_instr *instr, uint32_t warp,
                uint32_t lanes)
{
   struct sgt_access a = { .kind = access_kind(instr), .lanes = util_bitcount(lanes), .bytes = 4 };
   sgt_line lines[8];
   unsigned num = 0;

   for (unsigned quad = 0; quad < 8; quad++) {
      const uint64_t address = 4096ull * warp;
      if (!(lanes >> (4 * quad) & 15))
         continue;
      if (a.kind == SGT_ACCESS_TEXTURE) {
         a.lanes = 4 * (num + 1);
         lines[num++] = SGT_LINE(address + 64 * quad, quad);
      } else if (a.kind <= SGT_ACCESS_ATOMIC) {
         lines[num++] = SGT_LINE(address + 64 * (quad / 4), quad);
      } else if (a.kind == SGT_ACCESS_CONST && !num) {
         lines[num++] = SGT_LINE(address, quad);
      }
   }
   if (a.kind == SGT_ACCESS_TEXTURE)
      a.work = a.lanes;
   else if (a.kind == SGT_ACCESS_SHARED)
      a.work = !!(lanes & 0xffff) + !!(lanes >> 16);
   else if (a.kind == SGT_ACCESS_ATOMIC)
      a.work = 1;
   sgt_work_builder_access(b, &a, lines, num);
}

struct sgt_work *
test_straight_work(const char *text, uint32_t warps, uint32_t lanes)
{
   struct sgt_work_builder *b = sgt_work_builder_create();
   struct sgt_program *p = test_program(text);

   if (!b)
      abort();
   sgt_work_builder_program(b, p);
   sgt_work_builder_operation(b, 0, 1);
   for (uint32_t w = 0; w < warps; w++) {
      sgt_work_builder_warp(b, 0, lanes, w);
      for (uint32_t pc = 0; pc < p->num_instrs; pc++) {
         if (p->instrs[pc].flags & SGT_INSTR_ACCESS)
            straight_access(b, &p->instrs[pc], w, lanes);
      }
   }
   struct sgt_work *work = sgt_work_builder_finish(b);
   if (!work || sgt_work_check(work))
      abort();
   sgt_work_builder_destroy(b);
   return work;
}
