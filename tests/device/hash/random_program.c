/* SPDX-License-Identifier: MIT */
/*
 * Random programs. Loops count in a register that no other instruction writes.
 */
#include "random_program.h"

#define COUNTER 24 /* first counter: R24 and the following registers count nested loops */
#define MAX_DEPTH 4

struct generator {
   struct isa_random *r;
   enum sgpu_stage stage;
   unsigned num_textures;
   struct sgpu_instr *instrs;
   unsigned count;
   unsigned loops; /* number of loops around the current place */
};

static unsigned
space(const struct generator *g)
{
   return RANDOM_PROGRAM_MAX - 64 - g->count;
}

static struct sgpu_instr *
add(struct generator *g, struct sgpu_instr instr)
{
   g->instrs[g->count] = instr;
   return &g->instrs[g->count++];
}

static struct sgpu_instr *
add_control(struct generator *g, enum sgpu_opcode opcode)
{
   return add(g, sgpu_instr_init(opcode));
}

static struct sgpu_src
scalar(enum sgpu_file file, unsigned index)
{
   return (struct sgpu_src){
      .file = file,
      .index = (int16_t)index,
      .swizzle = (uint8_t)sgpu_swizzle_replicate(0),
   };
}

static struct sgpu_guard
random_guard(struct generator *g)
{
   struct sgpu_guard guard = { .en = true };
   guard.not = isa_random_below(g->r, 2);
   guard.reg = (uint8_t)isa_random_below(g->r, 4);
   guard.comp = (uint8_t)isa_random_below(g->r, 4);
   return guard;
}

/* Returns whether a program with only this instruction is legal. */
static bool
stands_alone(const struct generator *g, const struct sgpu_instr *instr)
{
   uint32_t words[1][4], where;
   struct sgpu_program program = {
      .stage = g->stage,
      .num_temps = RANDOM_PROGRAM_TEMPS,
      .scratch_size = RANDOM_PROGRAM_SCRATCH,
      .num_instrs = 1,
      .instrs = words,
   };
   return !sgpu_instr_pack(instr, words[0]) && !sgpu_program_gather(&program, &where);
}

static void
restrict_operands(struct generator *g, struct sgpu_instr *i)
{
   if (g->stage == SGPU_STAGE_COMPUTE && i->dst.file == SGPU_FILE_OUTPUT)
      i->dst.file = SGPU_FILE_TEMP;
   if (i->dst.file == SGPU_FILE_TEMP) {
      i->dst.index %= 8;
      i->dst.rel = false;
      i->dst.relcomp = 0;
   } else if (i->dst.file == SGPU_FILE_OUTPUT) {
      i->dst.index = g->stage == SGPU_STAGE_PIXEL
                        ? SGPU_PO_COLR0
                        : (uint8_t)(SGPU_VO_GEN0 + isa_random_below(g->r, 3));
      i->dst.rel = false;
      i->dst.relcomp = 0;
   }
   for (unsigned s = 0; s < 3; s++) {
      struct sgpu_src *src = &i->src[s];
      if (src->file == SGPU_FILE_TEMP && !src->rel)
         src->index %= 8;
      else if (src->file == SGPU_FILE_INPUT && !src->rel && isa_random_below(g->r, 8))
         src->index %= 4;
      else if (src->file == SGPU_FILE_CONST && !src->rel && isa_random_below(g->r, 8))
         src->index %= 64;
      else if (src->rel && isa_random_below(g->r, 4))
         src->index = (int16_t)isa_random_below(g->r, 16);
   }
   const struct sgpu_opcode_info *info = sgpu_opcode_info(i->opcode);
   if (info->kind == SGPU_KIND_TEX && g->num_textures) {
      i->unit = (uint8_t)(i->unit % g->num_textures);
      i->sampler = (uint8_t)(i->sampler % g->num_textures);
   }
   if (i->opcode == SGPU_OP_LDV && isa_random_below(g->r, 8))
      i->unit %= 4;
   if (g->stage == SGPU_STAGE_TESS_CTRL && i->opcode == SGPU_OP_LDO && isa_random_below(g->r, 8))
      i->unit = (uint8_t)(SGPU_VO_GEN0 + i->unit % 3);
   if (info->payload == SGPU_PAYLOAD_MEM) {
      const bool vertex = i->opcode == SGPU_OP_LDV || i->opcode == SGPU_OP_LDO;
      const bool patch = i->opcode == SGPU_OP_LDP || i->opcode == SGPU_OP_STP;
      i->offset %= vertex ? 4 : patch ? SGPU_MAX_PATCH_OUTPUTS + 2 : 256;
   }
   if (info->payload == SGPU_PAYLOAD_VERTEX_STREAM && isa_random_below(g->r, 4))
      i->unit = 0;
}

/* Returns a random operation of those that only geometry and tessellation programs have. */
static unsigned
own_opcode(struct generator *g)
{
   static const enum sgpu_opcode geometry[] = {
      SGPU_OP_LDV, SGPU_OP_LDV, SGPU_OP_LDV, SGPU_OP_EMITV, SGPU_OP_EMITV, SGPU_OP_CUT,
   };
   static const enum sgpu_opcode control[] = {
      SGPU_OP_LDV, SGPU_OP_LDO, SGPU_OP_LDO, SGPU_OP_LDP, SGPU_OP_STP, SGPU_OP_STP,
   };
   const unsigned n = isa_random_below(g->r, 6);
   return g->stage == SGPU_STAGE_GEOMETRY    ? geometry[n]
          : g->stage == SGPU_STAGE_TESS_CTRL ? control[n]
          : n % 2                            ? SGPU_OP_LDV
                                             : SGPU_OP_LDP;
}

/* Returns a random operation. Excludes operations on buffers and images, since scenes have none. */
static unsigned
any_opcode(struct generator *g)
{
   for (;;) {
      const unsigned opcode = isa_random_opcode(g->r);
      const struct sgpu_opcode_info *info = sgpu_opcode_info(opcode);
      const bool memory = info->kind == SGPU_KIND_IMG ||
                          (info->kind == SGPU_KIND_MEM && opcode >= SGPU_OP_LDB &&
                           opcode <= SGPU_OP_ATS) ||
                          opcode == SGPU_OP_ATBW || opcode == SGPU_OP_ATSW;
      if (!memory && opcode != SGPU_OP_BAR)
         return opcode;
   }
}

struct sgpu_instr
random_memory(struct isa_random *r, enum sgpu_stage stage)
{
   static const enum sgpu_opcode opcodes[] = {
      SGPU_OP_LDB, SGPU_OP_STB, SGPU_OP_ATB,  SGPU_OP_SZB,  SGPU_OP_LDI, SGPU_OP_STI,
      SGPU_OP_ATI, SGPU_OP_SZI, SGPU_OP_ATBW, SGPU_OP_LDS,  SGPU_OP_STS, SGPU_OP_ATS,
      SGPU_OP_LDS, SGPU_OP_STS, SGPU_OP_BAR,  SGPU_OP_ATSW,
   };
   struct generator g = { .r = r, .stage = stage };
   const unsigned count = stage == SGPU_STAGE_COMPUTE ? sizeof(opcodes) / sizeof(opcodes[0]) : 9;

   for (;;) {
      struct sgpu_instr i = isa_random_instr(r, opcodes[isa_random_below(r, count)]);
      restrict_operands(&g, &i);
      if (isa_random_below(r, 8))
         i.unit %= 8;
      if (i.opcode != SGPU_OP_LDS && i.opcode != SGPU_OP_STS && i.opcode != SGPU_OP_ATS &&
          i.opcode != SGPU_OP_ATSW)
         i.offset %= 4096;
      if (stands_alone(&g, &i))
         return i;
   }
}

static void
statement(struct generator *g)
{
   const bool reads_vertices = sgpu_stage_reads_vertices(g->stage);
   for (;;) {
      const bool own = reads_vertices && isa_random_below(g->r, 4) == 0;
      const unsigned opcode = own ? own_opcode(g) : any_opcode(g);
      const struct sgpu_opcode_info *info = sgpu_opcode_info(opcode);
      if ((info->flags & SGPU_OPF_GS) && !own)
         continue;
      if (info->kind == SGPU_KIND_CTL && !own && opcode != SGPU_OP_NOP && opcode != SGPU_OP_DMT &&
          (opcode != SGPU_OP_KIL || isa_random_below(g->r, 4)))
         continue;
      if (info->kind == SGPU_KIND_TEX && !g->num_textures)
         continue;
      struct sgpu_instr i = isa_random_instr(g->r, opcode);
      restrict_operands(g, &i);
      if ((opcode == SGPU_OP_KIL || opcode == SGPU_OP_DMT) && !i.guard.en)
         i.guard = random_guard(g);
      if (stands_alone(g, &i)) {
         add(g, i);
         return;
      }
   }
}

static void block(struct generator *g, unsigned depth);

static void
branch(struct generator *g, unsigned depth)
{
   const unsigned ssy = g->count;
   add_control(g, SGPU_OP_SSY);
   const unsigned bra = g->count;
   add_control(g, SGPU_OP_BRA)->guard = random_guard(g);
   block(g, depth + 1);
   add_control(g, SGPU_OP_SYNC);
   g->instrs[bra].target = g->count;
   block(g, depth + 1);
   add_control(g, SGPU_OP_SYNC);
   g->instrs[ssy].target = g->count;
}

static void
loop(struct generator *g, unsigned depth)
{
   const unsigned counter = COUNTER + g->loops++;
   struct sgpu_instr i = sgpu_instr_init(SGPU_OP_MOV);
   i.dst = (struct sgpu_dst){ .file = SGPU_FILE_TEMP, .index = (uint8_t)counter, .mask = 1 };
   i.src[0] = scalar(SGPU_FILE_CONST, RANDOM_PROGRAM_ZERO);
   add(g, i);

   const unsigned pbk = g->count;
   add_control(g, SGPU_OP_PBK);
   const unsigned top = g->count;
   i = sgpu_instr_init(SGPU_OP_FSETP);
   i.cond = SGPU_COND_GE;
   i.dst = (struct sgpu_dst){ .file = SGPU_FILE_PRED, .index = 3, .mask = 1 };
   i.src[0] = scalar(SGPU_FILE_TEMP, counter);
   i.src[1] = scalar(SGPU_FILE_CONST, RANDOM_PROGRAM_LOOPS);
   add(g, i);
   add_control(g, SGPU_OP_BRK)->guard = (struct sgpu_guard){ .en = true, .reg = 3 };
   i = sgpu_instr_init(SGPU_OP_ADD);
   i.dst = (struct sgpu_dst){ .file = SGPU_FILE_TEMP, .index = (uint8_t)counter, .mask = 1 };
   i.src[0] = scalar(SGPU_FILE_TEMP, counter);
   i.src[1] = scalar(SGPU_FILE_CONST, RANDOM_PROGRAM_ONE);
   add(g, i);

   const bool point = isa_random_below(g->r, 2);
   const unsigned pcnt = g->count;
   if (point)
      add_control(g, SGPU_OP_PCNT);
   block(g, depth + 1);
   if (point) {
      add_control(g, SGPU_OP_CONT)->guard = random_guard(g);
      block(g, depth + 1);
      add_control(g, SGPU_OP_CONT);
      g->instrs[pcnt].target = g->count;
   } else {
      add_control(g, SGPU_OP_BRK)->guard = random_guard(g);
   }
   add_control(g, SGPU_OP_BRA)->target = top;
   g->instrs[pbk].target = g->count;
   g->loops--;
}

static void
block(struct generator *g, unsigned depth)
{
   for (unsigned n = 1 + isa_random_below(g->r, 6); n > 0 && space(g) > 16; n--) {
      const unsigned what = isa_random_below(g->r, 16);
      if (what == 0 && depth < MAX_DEPTH)
         branch(g, depth);
      else if (what == 1 && depth < MAX_DEPTH)
         loop(g, depth);
      else
         statement(g);
   }
}

/* Appends an instruction that loads input n: from a vertex of the primitive if the stage has
 * several, otherwise from the stage's own inputs.
 */
static void
add_input(struct generator *g, enum sgpu_file file, unsigned index, unsigned n, unsigned vertex)
{
   const bool reads_vertices = sgpu_stage_reads_vertices(g->stage);
   struct sgpu_instr i = sgpu_instr_init(reads_vertices ? SGPU_OP_LDV : SGPU_OP_MOV);
   i.dst = (struct sgpu_dst){ .file = (uint8_t)file, .index = (uint8_t)index, .mask = 15 };
   if (reads_vertices) {
      i.unit = (uint8_t)n;
      i.offset = vertex;
   } else {
      i.src[0] = (struct sgpu_src){ .file = SGPU_FILE_INPUT,
                                    .index = (int16_t)n,
                                    .swizzle = SGPU_SWIZZLE_XYZW };
   }
   add(g, i);
}

unsigned
random_program(struct isa_random *r, enum sgpu_stage stage, unsigned num_textures,
               struct sgpu_instr *instrs)
{
   struct generator g = {
      .r = r,
      .stage = stage,
      .num_textures = num_textures,
      .instrs = instrs,
   };
   const bool pixel = stage == SGPU_STAGE_PIXEL, control = stage == SGPU_STAGE_TESS_CTRL;

   /* Initialize registers with values that differ from lane to lane. */
   for (unsigned n = 0; n < 4; n++) {
      if (stage != SGPU_STAGE_COMPUTE) {
         add_input(&g, SGPU_FILE_TEMP, n, n, n);
         continue;
      }
      struct sgpu_instr i = sgpu_instr_init(SGPU_OP_MOV);
      i.dst = (struct sgpu_dst){ .file = SGPU_FILE_TEMP, .index = (uint8_t)n, .mask = 15 };
      i.src[0] = (struct sgpu_src){
         .file = SGPU_FILE_SYS,
         .index = n % 2 ? SGPU_SYS_LOCAL_ID : SGPU_SYS_GROUP_ID,
         .swizzle = SGPU_SWIZZLE_XYZW,
      };
      add(&g, i);
   }
   for (unsigned n = 0; n < 3; n++)
      block(&g, 0);
   if (stage == SGPU_STAGE_COMPUTE)
      return g.count;

   struct sgpu_instr i = sgpu_instr_init(SGPU_OP_XOR);
   i.dst = (struct sgpu_dst){ .file = SGPU_FILE_OUTPUT,
                              .mask = 15,
                              .index = pixel ? SGPU_PO_COLR0 : SGPU_VO_GEN0 };
   i.src[0] = (struct sgpu_src){ .file = SGPU_FILE_TEMP, .swizzle = SGPU_SWIZZLE_XYZW };
   i.src[1] = i.src[0];
   i.src[1].index = 1;
   add(&g, i);
   if (!pixel)
      add_input(&g, SGPU_FILE_OUTPUT, SGPU_VO_HPOS, 0, 0);
   for (unsigned n = 0; n < 2 && control && isa_random_below(r, 2); n++) {
      i = sgpu_instr_init(SGPU_OP_STP);
      i.dst.mask = 15;
      i.offset = n;
      i.src[1] = (struct sgpu_src){ .file = SGPU_FILE_TEMP, .swizzle = SGPU_SWIZZLE_XYZW };
      add(&g, i);
   }
   for (unsigned n = 1; n < 4 && stage == SGPU_STAGE_GEOMETRY; n++) {
      add_control(&g, SGPU_OP_EMITV);
      add_input(&g, SGPU_FILE_OUTPUT, SGPU_VO_HPOS, 0, n);
   }
   return g.count;
}
