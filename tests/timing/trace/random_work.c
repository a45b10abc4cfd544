/* SPDX-License-Identifier: MIT */
/*
 * Random work.  A program is a tree of straight pieces, branches and loops.  A warp walks through
 * it with random decisions, in the order that the synchronization stack prescribes (docs/isa.md).
 */
#include "asm_work.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "isa_random.h"
#include "util/bitscan.h"
#include "util/macros.h"

#define MAX_INSTRS 4096
#define MAX_DEPTH 3
#define NUM_TEMPS 8

enum piece_kind { STRAIGHT, BRANCH, LOOP, KILL, BARRIER };

/* A piece of a program that begins at instruction `pc`. */
struct piece {
   enum piece_kind kind;
   uint32_t pc, count;          /* STRAIGHT: number of instructions; not used by other kinds */
   uint32_t jump;               /* BRANCH: index of its BRA; LOOP: index of its BRK */
   uint32_t first_end;          /* BRANCH: index of the SYNC of the side that falls through */
   uint32_t second_end;         /* BRANCH: index of the SYNC of the other side */
   uint32_t bodies[2], nums[2]; /* first piece and number of pieces in each body */
};

struct tree {
   struct piece *pieces;
   uint32_t num_pieces;
   uint32_t (*instrs)[4];
   uint32_t num_instrs;
   uint32_t top, num_top;
};

struct maker {
   struct isa_random r;
   const struct test_random_params *params;
   struct tree *tree;
};

static uint32_t
below(struct maker *m, uint32_t end)
{
   return isa_random_below(&m->r, end);
}

/* -- programs --------------------------------------------------------------------------- */

static uint32_t
add_instr(struct maker *m, const struct sgpu_instr *instr)
{
   struct tree *t = m->tree;

   assert(t->num_instrs < MAX_INSTRS);
   if (sgpu_instr_pack(instr, t->instrs[t->num_instrs]))
      abort();
   return t->num_instrs++;
}

static uint32_t
add_control(struct maker *m, enum sgpu_opcode opcode, bool guarded)
{
   struct sgpu_instr instr = sgpu_instr_init(opcode);

   if (guarded) {
      instr.guard.en = true;
      instr.guard.reg = below(m, 4);
      instr.guard.comp = below(m, 4);
   }
   return add_instr(m, &instr);
}

static void
set_target(struct maker *m, uint32_t pc, uint32_t target)
{
   struct sgpu_instr instr;

   if (sgpu_instr_unpack(m->tree->instrs[pc], &instr))
      abort();
   instr.target = target;
   if (sgpu_instr_pack(&instr, m->tree->instrs[pc]))
      abort();
}

/* Returns a random instruction that the stage accepts.  It uses few registers, so that it depends
 * on others.
 */
static struct sgpu_instr
random_instr(struct maker *m)
{
   static const uint16_t common[] = {
      SGPU_OP_MOV, SGPU_OP_MUL, SGPU_OP_ADD, SGPU_OP_MAD, SGPU_OP_MAD,   SGPU_OP_DP3,
      SGPU_OP_DP4, SGPU_OP_MAX, SGPU_OP_RCP, SGPU_OP_RSQ, SGPU_OP_SLT,   SGPU_OP_IADD,
      SGPU_OP_SHL, SGPU_OP_SEL, SGPU_OP_LIT, SGPU_OP_EX2, SGPU_OP_FSETP, SGPU_OP_ARL,
   };
   static const uint16_t memory[] = { SGPU_OP_TEX, SGPU_OP_TXL, SGPU_OP_LDC,
                                      SGPU_OP_LDB, SGPU_OP_STB, SGPU_OP_LDS,
                                      SGPU_OP_STS, SGPU_OP_ATB, SGPU_OP_IPAC };

   for (;;) {
      const uint32_t which = below(m, 16);
      const unsigned opcode = which == 0  ? isa_random_opcode(&m->r)
                              : which < 4 ? memory[below(m, ARRAY_SIZE(memory))]
                                          : common[below(m, ARRAY_SIZE(common))];
      struct sgpu_instr instr = isa_random_instr(&m->r, opcode);
      if (sgpu_opcode_info(opcode)->kind == SGPU_KIND_CTL)
         continue;
      if (instr.dst.file == SGPU_FILE_TEMP)
         instr.dst.index %= NUM_TEMPS;
      /* Relative temporaries wait for all other operations, so make them rare. */
      instr.dst.rel = instr.dst.rel && !below(m, 16);
      instr.dst.relcomp = instr.dst.rel ? instr.dst.relcomp : 0;
      for (unsigned s = 0; s < 3; s++) {
         struct sgpu_src *src = &instr.src[s];
         src->rel = src->rel && !below(m, 8);
         src->relcomp = src->rel ? src->relcomp : 0;
         if (src->file == SGPU_FILE_CONST || src->file == SGPU_FILE_INPUT)
            src->index = abs(src->index) % 16;
         else if (src->file == SGPU_FILE_TEMP)
            src->index = abs(src->index) % NUM_TEMPS;
      }
      instr.guard.en &= !below(m, 4);
      if (!instr.guard.en)
         memset(&instr.guard, 0, sizeof(instr.guard));

      uint32_t words[1][4], where;
      struct sgpu_program alone = { .stage = m->params->stage,
                                    .num_temps = NUM_TEMPS,
                                    .scratch_size = 256,
                                    .num_instrs = 1,
                                    .instrs = words };
      if (!sgpu_instr_pack(&instr, words[0]) && !sgpu_program_gather(&alone, &where))
         return instr;
   }
}

static uint32_t make_pieces(struct maker *m, unsigned depth, uint32_t length, uint32_t *num);

static void
make_piece(struct maker *m, uint32_t at, enum piece_kind kind, unsigned depth, uint32_t length)
{
   struct piece p = { .kind = kind, .pc = m->tree->num_instrs };

   switch (kind) {
   case STRAIGHT:
      for (p.count = 0; p.count < length; p.count++) {
         const struct sgpu_instr instr = random_instr(m);
         add_instr(m, &instr);
      }
      break;
   case BRANCH:
      add_control(m, SGPU_OP_SSY, false);
      p.jump = add_control(m, SGPU_OP_BRA, true);
      p.bodies[0] = make_pieces(m, depth + 1, length / 2, &p.nums[0]);
      p.first_end = add_control(m, SGPU_OP_SYNC, false);
      set_target(m, p.jump, m->tree->num_instrs);
      p.bodies[1] = make_pieces(m, depth + 1, length / 2, &p.nums[1]);
      p.second_end = add_control(m, SGPU_OP_SYNC, false);
      set_target(m, p.pc, m->tree->num_instrs);
      break;
   case LOOP:
      add_control(m, SGPU_OP_PBK, false);
      p.bodies[0] = make_pieces(m, depth + 1, length, &p.nums[0]);
      p.jump = add_control(m, SGPU_OP_BRK, true);
      set_target(m, add_control(m, SGPU_OP_BRA, false), p.pc + 1);
      set_target(m, p.pc, m->tree->num_instrs);
      break;
   case KILL:
      add_control(m, m->params->stage == SGPU_STAGE_PIXEL ? SGPU_OP_KIL : SGPU_OP_EXIT, true);
      break;
   case BARRIER:
      add_control(m, SGPU_OP_BAR, false);
      break;
   }
   m->tree->pieces[at] = p;
}

/* Makes a sequence of pieces with about `length` instructions in total.  Returns the index of the
 * first one.
 */
static uint32_t
make_pieces(struct maker *m, unsigned depth, uint32_t length, uint32_t *num)
{
   const uint32_t first = m->tree->num_pieces;
   const enum sgpu_stage stage = m->params->stage;

   *num = 1 + (depth < MAX_DEPTH ? below(m, 4) : 0);
   m->tree->num_pieces += *num;
   for (uint32_t i = 0; i < *num; i++) {
      const uint32_t part = length / *num + 1, which = below(m, 8);
      enum piece_kind kind = STRAIGHT;
      if (depth < MAX_DEPTH && part > 4 && which < 3)
         kind = which < 2 ? BRANCH : LOOP;
      else if (which == 3 && stage != SGPU_STAGE_COMPUTE)
         kind = KILL;
      else if (which == 4 && stage == SGPU_STAGE_COMPUTE && depth == 0)
         kind = BARRIER;
      make_piece(m, first + i, kind, depth, part);
   }
   return first;
}

static struct sgt_program *
make_program(struct maker *m, struct tree *tree)
{
   tree->pieces = calloc(MAX_INSTRS, sizeof(*tree->pieces));
   tree->instrs = calloc(MAX_INSTRS, sizeof(*tree->instrs));
   if (!tree->pieces || !tree->instrs)
      abort();
   m->tree = tree;
   tree->top = make_pieces(m, 0, m->params->length, &tree->num_top);

   struct sgpu_program program = { .stage = m->params->stage,
                                   .num_temps = NUM_TEMPS,
                                   .scratch_size = 256,
                                   .num_instrs = tree->num_instrs,
                                   .instrs = tree->instrs };
   uint32_t where;
   if (sgpu_program_gather(&program, &where))
      abort();
   struct sgt_program *p = sgt_program_create(&program);
   if (!p)
      abort();
   return p;
}

/* -- warps ------------------------------------------------------------------------------ */

struct walk {
   struct maker *m;
   struct sgt_work_builder *b;
   const struct sgt_program *program;
   const struct tree *tree;
   uint32_t alive;
   uint32_t pc, count, lanes; /* the run that is being extended */
};

static void
end_run(struct walk *w)
{
   if (w->count)
      sgt_work_builder_run(w->b, w->pc, w->count, w->lanes);
   w->count = 0;
}

static void
make_access(struct walk *w, const struct sgt_instr *instr, uint32_t lanes)
{
   static const uint8_t kinds[SGT_PIPE_COUNT] = {
      [SGT_PIPE_TEXTURE] = SGT_ACCESS_TEXTURE,
      [SGT_PIPE_SHARED] = SGT_ACCESS_SHARED,
      [SGT_PIPE_CONST] = SGT_ACCESS_CONST,
   };
   const struct sgpu_opcode_info *op = sgpu_opcode_info(instr->opcode);
   struct maker *m = w->m;
   struct sgt_access a = { .kind = kinds[instr->pipe] };
   sgt_line lines[64];
   uint32_t num = 0;

   if (instr->pipe == SGT_PIPE_MEMORY)
      a.kind = op->flags & SGPU_OPF_ATOMIC ? SGT_ACCESS_ATOMIC
               : op->flags & SGPU_OPF_DST  ? SGT_ACCESS_LOAD
                                           : SGT_ACCESS_STORE;
   /* The guard may leave only some lanes, or none. */
   if (instr->guard != SGT_REG_NONE) {
      for (uint32_t l = lanes; l; l &= l - 1)
         lanes &= below(m, 4) ? ~0u : ~(l & -l);
   }
   uint32_t quads = 0;
   for (unsigned q = 0; q < 8; q++)
      quads |= lanes >> (4 * q) & 15 ? 1u << q : 0;
   a.lanes = a.kind == SGT_ACCESS_TEXTURE ? 4 * util_bitcount(quads) : util_bitcount(lanes);
   a.bytes = a.kind == SGT_ACCESS_TEXTURE ? 1 << below(m, 5) : 4 * (1 + below(m, 4));

   if (a.kind != SGT_ACCESS_SHARED) {
      const uint32_t base = below(m, m->params->lines);
      u_foreach_bit(q, quads) {
         const uint32_t most = a.kind == SGT_ACCESS_CONST ? 1 : 1 + below(m, 4);
         for (uint32_t i = 0; i < most; i++) {
            const uint64_t line = (base + below(m, 4)) % m->params->lines;
            const sgt_line entry = SGT_LINE(64 * line, q);
            bool there = false;
            for (uint32_t k = 0; k < num; k++)
               there |= lines[k] == entry;
            if (!there)
               lines[num++] = entry;
         }
      }
   }
   if (a.kind == SGT_ACCESS_TEXTURE)
      a.work = a.lanes * below(m, 5);
   else if (a.kind == SGT_ACCESS_SHARED && lanes)
      a.work = 1 + below(m, a.lanes);
   else if (a.kind == SGT_ACCESS_ATOMIC && lanes)
      a.work = 1 + below(m, a.lanes);
   sgt_work_builder_access(w->b, &a, lines, num);
}

static void
step(struct walk *w, uint32_t pc, uint32_t lanes)
{
   if (w->count && (pc != w->pc + w->count || lanes != w->lanes))
      end_run(w);
   if (!w->count) {
      w->pc = pc;
      w->lanes = lanes;
   }
   w->count++;
   if (w->program->instrs[pc].flags & SGT_INSTR_ACCESS)
      make_access(w, &w->program->instrs[pc], lanes);
}

/* Returns none, all or some of the lanes. */
static uint32_t
some(struct maker *m, uint32_t lanes)
{
   switch (below(m, 3)) {
   case 0:
      return 0;
   case 1:
      return lanes;
   default:
      return lanes & (below(m, 1u << 16) | below(m, 1u << 16) << 16);
   }
}

static void
walk_pieces(struct walk *w, uint32_t first, uint32_t num, uint32_t lanes)
{
   for (uint32_t i = first; i < first + num; i++) {
      const struct piece *p = &w->tree->pieces[i];
      uint32_t active = lanes & w->alive, taken;

      if (!active)
         return;
      switch (p->kind) {
      case STRAIGHT:
         for (uint32_t n = 0; n < p->count; n++)
            step(w, p->pc + n, active);
         break;
      case BRANCH:
         taken = some(w->m, active);
         step(w, p->pc, active);
         step(w, p->jump, active);
         walk_pieces(w, p->bodies[0], p->nums[0], active & ~taken);
         if (active & ~taken & w->alive)
            step(w, p->first_end, active & ~taken & w->alive);
         walk_pieces(w, p->bodies[1], p->nums[1], taken);
         if (taken & w->alive)
            step(w, p->second_end, taken & w->alive);
         break;
      case LOOP:
         step(w, p->pc, active);
         for (unsigned turn = 0; active; turn++) {
            walk_pieces(w, p->bodies[0], p->nums[0], active);
            active &= w->alive;
            if (active)
               step(w, p->jump, active);
            active &= turn < 3 ? ~some(w->m, active) : 0;
            if (active)
               step(w, p->jump + 1, active);
         }
         break;
      case KILL:
         step(w, p->pc, active);
         w->alive &= ~(active & below(w->m, 1u << 16) & below(w->m, 1u << 16));
         break;
      case BARRIER:
         step(w, p->pc, active);
         break;
      }
   }
}

static void
make_warp(struct maker *m, struct sgt_work_builder *b, const struct sgt_program *program,
          const struct tree *tree, uint32_t number, uint32_t group, uint32_t index)
{
   static const uint32_t starts[] = { ~0u, ~0u, 0xff, 1, 0x0f0f00f0, 0x7fffffff };
   const uint32_t lanes = starts[below(m, ARRAY_SIZE(starts))];
   struct walk w = { m, b, program, tree, lanes };

   sgt_work_builder_warp(b, index, lanes, group);
   if (m->params->stage == SGPU_STAGE_PIXEL) {
      for (unsigned q = 0; q < 8; q++) {
         if (!(lanes >> (4 * q) & 15))
            continue;
         sgt_work_builder_quad(b, &(struct sgt_quad){ .x = 2 * (q % 4) + 8 * (number % 64),
                                                      .y = 2 * (q / 4) + 4 * (number / 64),
                                                      .covered = lanes >> (4 * q) & 15,
                                                      .kept = lanes >> (4 * q) & 15 });
      }
   } else if (m->params->stage == SGPU_STAGE_VERTEX) {
      const sgt_line line = SGT_LINE(64 * below(m, m->params->lines), 0);
      sgt_work_builder_fetch(b, &line, 1, program->num_inputs);
      sgt_work_builder_vertices(b, util_bitcount(lanes));
   }
   walk_pieces(&w, tree->top, tree->num_top, lanes);
   end_run(&w);
}

struct sgt_work *
test_random_work(const struct test_random_params *params)
{
   struct maker m = { .r = { params->seed * 2 + 1 }, .params = params };
   struct sgt_work_builder *b = sgt_work_builder_create();
   struct tree *trees = calloc(params->programs, sizeof(*trees));
   const struct sgt_program **programs = calloc(params->programs, sizeof(*programs));
   const uint32_t group_warps = MAX2(params->group_warps, 1);

   if (!b || !trees || !programs)
      abort();
   /* The first random numbers of neighbouring seeds are similar. */
   for (unsigned i = 0; i < 16; i++)
      below(&m, 2);
   for (uint32_t i = 0; i < params->programs; i++) {
      struct sgt_program *p = make_program(&m, &trees[i]);
      programs[i] = p;
      sgt_work_builder_program(b, p);
   }
   sgt_work_builder_operation(b, params->stage == SGPU_STAGE_COMPUTE ? 1024 : 0, group_warps);
   for (uint32_t w = 0, index = 0; w < params->warps; w++) {
      /* All warps of a group execute the same program. */
      if (w % group_warps == 0)
         index = below(&m, params->programs);
      make_warp(&m, b, programs[index], &trees[index], w, w / group_warps, index);
   }
   struct sgt_work *work = sgt_work_builder_finish(b);
   if (!work || sgt_work_check(work))
      abort();
   sgt_work_builder_destroy(b);
   for (uint32_t i = 0; i < params->programs; i++) {
      free(trees[i].pieces);
      free(trees[i].instrs);
   }
   free(trees);
   free(programs);
   return work;
}
