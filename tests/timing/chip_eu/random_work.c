/* SPDX-License-Identifier: MIT */
/*
 * Random parameters, programs and works.
 */
#include "random_work.h"

#include <assert.h>
#include <stdlib.h>

#include "util/macros.h"

static uint32_t
below(struct sgt_random *r, uint32_t n)
{
   return sgt_random_below(r, n);
}

static bool
one_in(struct sgt_random *r, uint32_t n)
{
   return !below(r, n);
}

void
random_params(struct sgt_random *r, struct sgt_eu_params *p)
{
   static const uint8_t threads[] = { 2, 4, 8, 16, 16, 32, 64 };
   static const uint8_t widths[] = { 4, 8, 16, 32, 32, 32 };
   sgt_eu_params_init(p);
   do {
      p->threads = threads[below(r, ARRAY_SIZE(threads))];
      p->width = widths[below(r, ARRAY_SIZE(widths))];
   } while (p->threads * p->width < 32);
   p->two_arbiters = !one_in(r, 3);
   p->broadcast = !one_in(r, 3);
   p->fetch_select = one_in(r, 2) ? SGT_EU_FETCH_LONGEST : SGT_EU_FETCH_OLDEST;
   p->queue = 1 + below(r, 8);
   p->code_sets = 1 << below(r, 3);
   p->code_ways = 1 + below(r, 4);
   p->fetch_latency = 1 + below(r, 8);
   p->predecode = !one_in(r, 4);
   p->fuse = !one_in(r, 3);
   p->const_latency = 1 + below(r, 6);
   p->const_fifo = 1 + below(r, 8);
   p->const_in_order = one_in(r, 2);
   p->const_blocking = one_in(r, 4);
   p->const_scope = below(r, 3);
   p->constants.sets = 1 << below(r, 3);
   p->constants.ways = 1 + below(r, 3);
   p->constants.contexts = 1 + below(r, 3);
   p->constants.versions = 1 + below(r, 3);
   p->constants.mapping = below(r, 64);
   p->attr_latency = 1 + below(r, 5);
   p->attr_fifo = 1 + below(r, 4);
   p->attr_entries = one_in(r, 2) ? 0 : 64 + below(r, 64);
   p->two_files = !one_in(r, 3);
   p->banks = 1 << below(r, 4);
   p->reg_latency = 1 + below(r, 3);
   p->alus = 1 + below(r, 3);
   p->alu_interval = 1 + below(r, 3);
   p->alu_latency = 1 + below(r, 6);
   p->sfu_interval = 1 + below(r, 5);
   p->sfu_latency = 1 + below(r, 10);
   p->interp_interval = 1 + below(r, 3);
   p->interp_latency = 1 + below(r, 5);
   p->jump_latency = 1 + below(r, 4);
   p->output = 1 + below(r, 6);
   p->accesses = 1 + below(r, 8);
}

static struct sgt_operand
operand(struct sgt_random *r, enum sgpu_file file, unsigned size)
{
   return (struct sgt_operand){ .file = file, .mask = 1 + below(r, 15), .index = below(r, size) };
}

static struct sgt_operand
random_source(struct sgt_random *r, enum sgpu_stage stage)
{
   const struct sgt_operand none = { .file = SGPU_FILE_NONE };
   struct sgt_operand o;
   switch (below(r, 12)) {
   case 0:
   case 1:
      return none;
   case 2:
   case 3:
      o = operand(r, SGPU_FILE_CONST, 40);
      o.relative = one_in(r, 16);
      return o;
   case 4:
   case 5:
      return stage == SGPU_STAGE_COMPUTE ? none : operand(r, SGPU_FILE_INPUT, 6);
   default:
      o = operand(r, SGPU_FILE_TEMP, 10);
      o.relative = one_in(r, 40);
      return o;
   }
}

static struct sgt_instr
random_instr(struct sgt_random *r, enum sgpu_stage stage)
{
   struct sgt_instr i = {
      .opcode = SGPU_OP_ADD,
      .pipe = SGT_PIPE_ALU,
      .dst = operand(r, SGPU_FILE_TEMP, 10),
      .guard = SGT_REG_NONE,
   };
   for (unsigned s = 0; s < 3; s++)
      i.src[s] = random_source(r, stage);
   if (one_in(r, 10))
      i.guard = SGT_REG_PRED + below(r, 16);
   switch (below(r, 16)) {
   case 0:
      i.pipe = SGT_PIPE_SFU;
      break;
   case 1:
   case 2:
      i.opcode = SGPU_OP_MOV;
      i.src[1].file = i.src[2].file = SGPU_FILE_NONE;
      i.dst = operand(r, one_in(r, 2) ? SGPU_FILE_OUTPUT : SGPU_FILE_TEMP, 10);
      break;
   case 3:
   case 4:
      i.opcode = SGPU_OP_TEX;
      i.pipe = SGT_PIPE_TEXTURE;
      i.flags = SGT_INSTR_ACCESS;
      i.src[0] = operand(r, SGPU_FILE_TEMP, 10);
      i.src[1].file = i.src[2].file = SGPU_FILE_NONE;
      break;
   case 5:
      i.pipe = SGT_PIPE_MEMORY;
      i.flags = SGT_INSTR_ACCESS;
      if (one_in(r, 2))
         i.dst.file = SGPU_FILE_NONE;
      break;
   case 6:
      i.pipe = SGT_PIPE_SHARED;
      i.flags = SGT_INSTR_ACCESS;
      break;
   case 7:
      i.pipe = SGT_PIPE_CONST;
      i.flags = SGT_INSTR_ACCESS;
      i.src[1].file = i.src[2].file = SGPU_FILE_NONE;
      if (i.src[0].file != SGPU_FILE_TEMP)
         i.src[0].file = SGPU_FILE_NONE;
      break;
   case 8:
      i.dst = operand(r, SGPU_FILE_OUTPUT, 8);
      break;
   case 9:
      i.dst = operand(r, one_in(r, 2) ? SGPU_FILE_PRED : SGPU_FILE_ADDR, 1);
      break;
   case 10:
      if (stage == SGPU_STAGE_PIXEL) {
         i.pipe = SGT_PIPE_INTERP;
         i.src[0] = operand(r, SGPU_FILE_INPUT, 6);
         i.src[2].file = SGPU_FILE_NONE;
      }
      break;
   case 11:
      i.pipe = SGT_PIPE_CONTROL;
      i.flags = SGT_INSTR_JUMP;
      i.dst.file = i.src[0].file = i.src[1].file = i.src[2].file = SGPU_FILE_NONE;
      break;
   case 12:
      if (one_in(r, 6))
         i.dst.relative = true;
      break;
   default:
      break;
   }
   if (one_in(r, 30))
      i.address = 1;
   return i;
}

static struct sgt_program *
random_program(struct sgt_random *r)
{
   static const enum sgpu_stage stages[] = { SGPU_STAGE_VERTEX, SGPU_STAGE_PIXEL, SGPU_STAGE_PIXEL,
                                             SGPU_STAGE_COMPUTE };
   struct sgt_program *p = calloc(1, sizeof(*p));
   assert(p);
   p->stage = stages[below(r, ARRAY_SIZE(stages))];
   p->num_instrs = 2 + below(r, 40);
   p->instrs = calloc(p->num_instrs, sizeof(*p->instrs));
   assert(p->instrs);
   for (uint32_t i = 0; i < p->num_instrs; i++) {
      p->instrs[i] = random_instr(r, p->stage);
      /* Often use the result of the previous instruction. */
      if (i && one_in(r, 3) && p->instrs[i].src[0].file == SGPU_FILE_TEMP &&
          p->instrs[i - 1].dst.file == SGPU_FILE_TEMP) {
         p->instrs[i].src[0] = p->instrs[i - 1].dst;
         p->instrs[i].src[0].relative = false;
      }
      for (unsigned s = 0; s < 3; s++)
         if (p->instrs[i].src[s].file == SGPU_FILE_INPUT)
            p->inputs[p->instrs[i].src[s].index] |= 15;
   }
   struct sgt_instr *last = &p->instrs[p->num_instrs - 1];
   *last = (struct sgt_instr){
      .opcode = SGPU_OP_EXIT,
      .pipe = SGT_PIPE_CONTROL,
      .flags = SGT_INSTR_JUMP | SGT_INSTR_END,
      .guard = SGT_REG_NONE,
      .dst.file = SGPU_FILE_NONE,
   };
   for (unsigned s = 0; s < 3; s++)
      last->src[s].file = SGPU_FILE_NONE;
   if (one_in(r, p->stage == SGPU_STAGE_COMPUTE ? 2 : 8)) {
      const uint32_t bar = below(r, p->num_instrs - 1);
      p->instrs[bar] = *last;
      p->instrs[bar].opcode = SGPU_OP_BAR;
      p->instrs[bar].flags = SGT_INSTR_BARRIER;
   }
   return p;
}

static void
add_access(struct sgt_random *r, struct sgt_work_builder *b, const struct sgt_instr *i)
{
   sgt_line lines[8];
   const uint32_t num = below(r, 9);
   struct sgt_access access = { .lanes = one_in(r, 8) ? 0 : 32, .bytes = 4, .work = below(r, 5) };
   switch (i->pipe) {
   case SGT_PIPE_TEXTURE:
      access.kind = SGT_ACCESS_TEXTURE;
      break;
   case SGT_PIPE_SHARED:
      access.kind = SGT_ACCESS_SHARED;
      break;
   case SGT_PIPE_CONST:
      access.kind = SGT_ACCESS_CONST;
      break;
   default:
      access.kind = i->dst.file == SGPU_FILE_NONE ? SGT_ACCESS_STORE
                    : one_in(r, 3)                ? SGT_ACCESS_ATOMIC
                                                  : SGT_ACCESS_LOAD;
   }
   for (uint32_t n = 0; n < num; n++)
      lines[n] = n && one_in(r, 3) ? lines[n - 1] : SGT_LINE(0x10000 + 64 * below(r, 64), n);
   sgt_work_builder_access(b, &access, lines, num);
}

static void
add_run(struct sgt_random *r, struct sgt_work_builder *b, const struct sgt_program *p, uint32_t pc,
        uint32_t count, uint32_t lanes)
{
   sgt_work_builder_run(b, pc, count, lanes);
   for (uint32_t i = pc; i < pc + count; i++)
      if (p->instrs[i].flags & SGT_INSTR_ACCESS)
         add_access(r, b, &p->instrs[i]);
}

static bool
has_barrier(const struct sgt_program *p)
{
   for (uint32_t i = 0; i < p->num_instrs; i++)
      if (p->instrs[i].flags & SGT_INSTR_BARRIER)
         return true;
   return false;
}

static void
add_warp(struct sgt_random *r, struct sgt_work_builder *b, const struct sgt_program *p,
         uint32_t program, uint32_t group, uint32_t lanes)
{
   sgt_work_builder_warp(b, program, lanes, group);
   if (has_barrier(p) || one_in(r, 2)) {
      add_run(r, b, p, 0, p->num_instrs, lanes);
      return;
   }
   const uint32_t runs = 1 + below(r, 6);
   uint32_t pc = 0;
   for (uint32_t i = 0; i < runs; i++) {
      const uint32_t count = 1 + below(r, p->num_instrs - pc);
      uint32_t some = lanes & (uint32_t)sgt_random_next(r);
      add_run(r, b, p, pc, count, i && some ? some : lanes);
      pc = one_in(r, 3) && pc + count < p->num_instrs ? pc + count : below(r, p->num_instrs);
   }
}

/* Adds constants of one of three contexts of the stage, which sometimes change. */
static void
add_constants(struct sgt_random *r, struct sgt_work_builder *b, const struct sgt_program *p,
              uint32_t (*versions)[3], bool (*begun)[3])
{
   const uint32_t number = below(r, 3), lines = 2 + below(r, 12);
   const bool changes = begun[p->stage][number] && one_in(r, 2);
   begun[p->stage][number] = true;
   versions[p->stage][number] += changes;
   sgt_work_builder_constants(b, &(struct sgt_constants){
                                    .context = p->stage * 3 + number,
                                    .version = versions[p->stage][number],
                                    .bytes = lines * SGT_CONST_LINE_BYTES,
                                    .stage = p->stage,
                                 });
   for (uint32_t line = 0; changes && line < lines; line += 2 + below(r, 4))
      sgt_work_builder_changed(b, line, 1);
}

struct sgt_work *
random_work(struct sgt_random *r, const struct sgt_eu_params *p)
{
   struct sgt_program *programs[4];
   struct sgt_work_builder *b = sgt_work_builder_create();
   const uint32_t num_programs = 1 + below(r, 4), operations = 1 + below(r, 5);
   /* Maximum number of warps in a workgroup. */
   const uint32_t most = MAX2(p->threads * p->width / 32, 1);
   uint32_t versions[SGT_STAGES][3] = { 0 };
   bool begun[SGT_STAGES][3] = { 0 };

   for (uint32_t i = 0; i < num_programs; i++)
      sgt_work_builder_program(b, programs[i] = random_program(r));
   for (uint32_t o = 0; o < operations; o++) {
      const uint32_t program = below(r, num_programs);
      const bool groups = has_barrier(programs[program]) &&
                          programs[program]->stage == SGPU_STAGE_COMPUTE;
      const uint32_t size = groups ? 1 + below(r, MIN2(most, 4)) : 1;
      const uint32_t warps = groups ? size * (1 + below(r, 3)) : 1 + below(r, 10);
      sgt_work_builder_operation(b, 0, groups ? size : 0);
      if (!one_in(r, 4))
         add_constants(r, b, programs[program], versions, begun);
      for (uint32_t w = 0; w < warps; w++) {
         uint32_t lanes = one_in(r, 3) ? (uint32_t)sgt_random_next(r) : ~0u;
         add_warp(r, b, programs[program], program, w / size, lanes ? lanes : 1);
      }
   }
   struct sgt_work *work = sgt_work_builder_finish(b);
   assert(work);
   sgt_work_builder_destroy(b);
   return work;
}
