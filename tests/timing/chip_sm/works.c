/* SPDX-License-Identifier: MIT */
/*
 * Programs and works, made by hand and at random.
 */
#include "scene.h"

#include <stdlib.h>

#include "util/bitscan.h"
#include "util/macros.h"
#include "util/u_math.h"

/* -- programs ----------------------------------------------------------------------------- */

void
program_begin(struct program_builder *b, enum sgpu_stage stage)
{
   b->program = calloc(1, sizeof(*b->program));
   if (!b->program)
      abort();
   b->program->stage = stage;
}

static struct sgt_instr *
add_instr(struct program_builder *b, uint32_t opcode, enum sgt_pipe pipe)
{
   struct sgt_program *p = b->program;
   p->instrs = more(p->instrs, p->num_instrs, sizeof(*p->instrs));
   struct sgt_instr *instr = &p->instrs[p->num_instrs++];
   *instr = (struct sgt_instr){
      .opcode = opcode, .pipe = pipe, .guard = SGT_REG_NONE, .first_uop = p->num_uops
   };
   instr->dst.file = SGPU_FILE_NONE;
   for (unsigned s = 0; s < 3; s++)
      instr->src[s].file = SGPU_FILE_NONE;
   return instr;
}

static struct sgt_uop *
add_uop(struct program_builder *b, enum sgt_pipe pipe, uint32_t dst)
{
   struct sgt_program *p = b->program;
   p->uops = more(p->uops, p->num_uops, sizeof(*p->uops));
   struct sgt_uop *uop = &p->uops[p->num_uops++];
   *uop = (struct sgt_uop){
      .pipe = pipe,
      .dst = dst,
      .dsts = dst != SGT_REG_NONE,
      .src = { SGT_REG_NONE, SGT_REG_NONE, SGT_REG_NONE },
      .instr = p->num_instrs - 1,
   };
   p->instrs[p->num_instrs - 1].num_uops++;
   return uop;
}

struct sgt_uop *
program_op(struct program_builder *b, enum sgt_pipe pipe, uint32_t opcode, uint32_t dst,
           uint32_t src0, uint32_t src1)
{
   struct sgt_instr *instr = add_instr(b, opcode, pipe);
   struct sgt_uop *uop = add_uop(b, pipe, dst);
   uop->src[0] = src0;
   uop->src[1] = src1;
   uop->flags = SGT_UOP_LAST;
   if (pipe == SGT_PIPE_TEXTURE || pipe == SGT_PIPE_MEMORY || pipe == SGT_PIPE_SHARED ||
       pipe == SGT_PIPE_CONST) {
      uop->flags |= SGT_UOP_ACCESS;
      instr->flags |= SGT_INSTR_ACCESS;
   }
   if (opcode == SGPU_OP_BAR)
      instr->flags |= SGT_INSTR_BARRIER;
   return uop;
}

void
program_chain(struct program_builder *b, uint32_t num, enum sgt_pipe pipe, uint32_t opcode,
              uint32_t dst, uint32_t src1)
{
   for (uint32_t i = 0; i < num; i++)
      program_op(b, pipe, opcode, dst, dst, src1);
}

void
program_stream(struct program_builder *b, uint32_t num, enum sgt_pipe pipe, uint32_t opcode)
{
   for (uint32_t i = 0; i < num; i++)
      program_op(b, pipe, opcode, i % 64, SGT_REG_NONE, SGT_REG_NONE);
}

struct sgt_work *
program_work(struct program_builder *b, uint32_t warps, uint32_t group_warps)
{
   struct sgt_work_builder *w = sgt_work_builder_create();
   const uint32_t program = sgt_work_builder_program(w, b->program);
   sgt_work_builder_operation(w, 0, group_warps);
   for (uint32_t i = 0; i < warps; i++)
      sgt_work_builder_warp(w, program, UINT32_MAX, group_warps ? i / group_warps : i);
   struct sgt_work *work = sgt_work_builder_finish(w);
   sgt_work_builder_destroy(w);
   if (!work)
      abort();
   return work;
}

/* -- random works ------------------------------------------------------------------------- */

static uint32_t
below(struct sgt_random *r, uint32_t n)
{
   return sgt_random_below(r, n);
}

static uint32_t
random_register(struct sgt_random *r)
{
   const uint32_t kind = below(r, 12);
   if (kind == 0)
      return SGT_REG_PRED + below(r, 4);
   if (kind == 1)
      return SGT_REG_ADDR + below(r, 4);
   if (kind < 4)
      return SGT_REG_NONE;
   return below(r, 24);
}

static struct sgt_program *
random_program(struct sgt_random *r, enum sgpu_stage stage)
{
   static const uint16_t alu[] = { SGPU_OP_MAD, SGPU_OP_MUL, SGPU_OP_ADD };
   struct program_builder b;
   program_begin(&b, stage);
   const uint32_t num = 1 + below(r, below(r, 4) ? 40 : 150);
   const uint32_t mix = below(r, 4); /* programs have different mixes of operations */
   for (uint32_t i = 0; i < num; i++) {
      enum sgt_pipe pipe = SGT_PIPE_ALU;
      if (below(r, 4) < mix)
         pipe = below(r, SGT_PIPE_COUNT);
      const bool access = pipe == SGT_PIPE_TEXTURE || pipe == SGT_PIPE_MEMORY ||
                          pipe == SGT_PIPE_SHARED || pipe == SGT_PIPE_CONST;
      uint32_t opcode = SGPU_OP_MOV;
      if (pipe == SGT_PIPE_ALU)
         opcode = alu[below(r, ARRAY_SIZE(alu))];
      const bool barrier = pipe == SGT_PIPE_CONTROL && below(r, 2) && stage != SGPU_STAGE_PIXEL;
      const uint32_t at = b.program->num_instrs;
      add_instr(&b, opcode, pipe);
      const bool constant = !access && below(r, 3) == 0;
      const uint32_t uops = pipe == SGT_PIPE_CONTROL && !barrier && below(r, 2) ? 0
                                                                                : 1 + below(r, 4);
      for (uint32_t u = 0; u < uops; u++) {
         uint32_t dst = random_register(r);
         struct sgt_uop *uop = add_uop(&b, pipe, dst);
         for (unsigned s = 0; s < 3; s++)
            uop->src[s] = random_register(r);
         if (constant)
            uop->flags |= SGT_UOP_CONST;
         if (below(r, 40) == 0)
            uop->flags |= SGT_UOP_ANY;
         if (u + 1 < uops)
            continue;
         uop->flags |= SGT_UOP_LAST;
         if (access) {
            uop->flags |= SGT_UOP_ACCESS;
            uop->src[0] = below(r, 20);
            uop->more = below(r, 4);
            if (dst < 20)
               uop->dsts = 1 + below(r, 4);
         }
      }
      struct sgt_instr *instr = &b.program->instrs[at];
      if (access)
         instr->flags |= SGT_INSTR_ACCESS;
      if (barrier)
         instr->flags |= SGT_INSTR_BARRIER;
      if (below(r, 8) == 0)
         instr->guard = SGT_REG_PRED + below(r, 4);
      if (below(r, 20) == 0)
         instr->address = below(r, 16);
      for (unsigned s = 0; constant && s < 1 + below(r, 3); s++) {
         instr->src[s].file = SGPU_FILE_CONST;
         instr->src[s].index = below(r, below(r, 2) ? 16 : 1000);
      }
   }
   b.program->num_inputs = stage == SGPU_STAGE_PIXEL ? below(r, 12) : 0;
   return b.program;
}

static void
random_access(struct sgt_work_builder *b, struct sgt_random *r, enum sgt_pipe pipe, uint32_t lanes)
{
   struct sgt_access a = { .lanes = util_bitcount(lanes), .bytes = 4 };
   sgt_line lines[64];
   if (below(r, 10) == 0)
      a.lanes = 0;
   uint32_t num = !a.lanes ? 0 : below(r, below(r, 3) ? 8 : 33);
   switch (pipe) {
   case SGT_PIPE_TEXTURE:
      a.kind = SGT_ACCESS_TEXTURE;
      a.work = below(r, 65);
      break;
   case SGT_PIPE_SHARED:
      a.kind = SGT_ACCESS_SHARED;
      a.work = below(r, 4) ? 2 : below(r, 40);
      num = 0;
      break;
   case SGT_PIPE_CONST:
      a.kind = SGT_ACCESS_CONST;
      num = a.lanes ? below(r, 6) : 0;
      break;
   default:
      a.kind = SGT_ACCESS_LOAD + below(r, 3);
      a.work = 1 + below(r, 8);
      break;
   }
   const bool scratch = a.kind != SGT_ACCESS_CONST && below(r, 6) == 0;
   for (uint32_t i = 0; i < num; i++)
      lines[i] = SGT_LINE((scratch ? SGT_SCRATCH : 0) +
                             (uint64_t)below(r, below(r, 2) ? 6 : 4000) * 64,
                          below(r, 8));
   sgt_work_builder_access(b, &a, lines, num);
}

struct sgt_work *
random_work(struct sgt_random *r)
{
   static const enum sgpu_stage stages[] = { SGPU_STAGE_VERTEX,    SGPU_STAGE_TESS_CTRL,
                                             SGPU_STAGE_TESS_EVAL, SGPU_STAGE_GEOMETRY,
                                             SGPU_STAGE_PIXEL,     SGPU_STAGE_COMPUTE };
   struct sgt_work_builder *b = sgt_work_builder_create();
   const uint32_t operations = 1 + below(r, 4);
   for (uint32_t o = 0; o < operations; o++) {
      const enum sgpu_stage stage = stages[below(r, ARRAY_SIZE(stages))];
      struct sgt_program *p = random_program(r, stage);
      const uint32_t program = sgt_work_builder_program(b, p);
      const uint32_t group_warps = stage == SGPU_STAGE_COMPUTE ? 1 + below(r, 4) : 0;
      const uint32_t warps = MAX2(group_warps, 1) * (1 + below(r, 10));
      sgt_work_builder_operation(b, 0, group_warps);
      for (uint32_t w = 0; w < warps; w++) {
         const uint32_t lanes = below(r, 3) ? UINT32_MAX : 1 | sgt_random_next(r);
         sgt_work_builder_warp(b, program, lanes, w / MAX2(group_warps, 1));
         const uint32_t runs = 1 + below(r, 6);
         uint32_t pc = 0;
         for (uint32_t i = 0; i < runs; i++) {
            if (below(r, 3) == 0)
               pc = below(r, p->num_instrs);
            const uint32_t count = 1 + below(r, p->num_instrs - pc);
            const uint32_t part = lanes & sgt_random_next(r);
            sgt_work_builder_run(b, pc, count, below(r, 2) && part ? part : lanes);
            for (uint32_t n = pc; n < pc + count; n++)
               if (p->instrs[n].flags & SGT_INSTR_ACCESS)
                  random_access(b, r, p->instrs[n].pipe, lanes);
            pc = (pc + count) % p->num_instrs;
         }
      }
   }
   struct sgt_work *work = sgt_work_builder_finish(b);
   sgt_work_builder_destroy(b);
   if (!work)
      abort();
   return work;
}

void
random_params(struct sgt_sm_params *p, struct sgt_random *r)
{
   sgt_sm_params_init(p);
   if (below(r, 4) == 0)
      return;
   p->warps = below(r, 3) ? 24 : 4 + below(r, 29);
   p->threads = 32 * p->warps;
   p->groups = 1 + below(r, 8);
   p->launch = below(r, 6);
   p->sps = 1u << below(r, 6);
   p->sfus = 1 + below(r, 4);
   p->interp = 1 + below(r, 8);
   p->multipliers = 1 + below(r, 8);
   p->dual = below(r, 3);
   uint32_t *latencies[] = { &p->alu_latency,    &p->sfu_latency,   &p->interp_latency,
                             &p->shared_latency, &p->const_latency, &p->tex_return,
                             &p->mem_return,     &p->fetch_latency, &p->jump,
                             &p->barrier };
   for (unsigned i = 0; i < ARRAY_SIZE(latencies); i++)
      *latencies[i] = 1 + below(r, below(r, 8) ? 30 : 700);
   p->banks = below(r, 3) ? 0 : 1 + below(r, 16);
   p->bank_cycles = below(r, 4);
   for (unsigned i = 0; i < SGT_SM_CLASSES; i++)
      p->level_class[i] = below(r, SGT_SM_LEVELS);
   uint32_t *levels[] = { &p->level_alu, &p->level_mul, &p->level_sfu, &p->level_transfer };
   for (unsigned i = 0; i < ARRAY_SIZE(levels); i++)
      *levels[i] = below(r, SGT_SM_LEVELS);
   p->order = below(r, 3);
   p->patience = below(r, 3) * below(r, 300);
   p->fetch_width = 1 + below(r, 8);
   p->buffer = p->fetch_width + below(r, 12);
   p->op_bytes = 4u << below(r, 3);
   p->icache_ways = 1 + below(r, 4);
   p->icache_bytes = 64 * p->icache_ways << below(r, 5);
   p->const_ways = 1 + below(r, 4);
   p->const_bytes = 64 * p->const_ways << below(r, 5);
   p->const_scope = below(r, 3);
   p->prologue = below(r, 3);
   p->textures = 1 + below(r, 64);
   p->accesses = 1 + below(r, 64);
   p->coalesce = below(r, 3);
}
