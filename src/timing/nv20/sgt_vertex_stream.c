/* SPDX-License-Identifier: MIT */
/*
 * Builds vertex streams, which are the input of a vertex engine.
 */
#include "nv20/sgt_vertex_stream.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "trace/sgt_array.h"
#include "trace/sgt_work.h"
#include "util/bitscan.h"
#include "util/macros.h"

const char *const sgt_vertex_class_names[SGT_VERTEX_CLASSES] = {
   [SGT_VERTEX_MOVE] = "move",       [SGT_VERTEX_DOT] = "dot",
   [SGT_VERTEX_COMPARE] = "compare", [SGT_VERTEX_SPECIAL] = "special",
   [SGT_VERTEX_BEYOND] = "beyond",
};

static unsigned
slot_of(unsigned opcode)
{
   return opcode >= SGT_VERTEX_FIRST_OPCODE && opcode < SGT_VERTEX_FIRST_OPCODE + SGT_VERTEX_OPCODES
             ? opcode - SGT_VERTEX_FIRST_OPCODE
             : SGT_VERTEX_OTHER;
}

enum sgt_vertex_class
sgt_vertex_class_of(unsigned i)
{
   if (i == SGT_VERTEX_OTHER)
      return SGT_VERTEX_BEYOND;
   switch (SGT_VERTEX_FIRST_OPCODE + i) {
   case SGPU_OP_MOV:
   case SGPU_OP_MUL:
   case SGPU_OP_ADD:
   case SGPU_OP_MAD:
      return SGT_VERTEX_MOVE;
   case SGPU_OP_DP3:
   case SGPU_OP_DP4:
      return SGT_VERTEX_DOT;
   case SGPU_OP_RCP:
   case SGPU_OP_RSQ:
   case SGPU_OP_EXP:
   case SGPU_OP_LOG:
   case SGPU_OP_LIT:
      return SGT_VERTEX_SPECIAL;
   default:
      return SGT_VERTEX_COMPARE;
   }
}

/* Number of MUL and MAD instructions that multiply a constant by a single component of a register,
 * for each register and component. Temporaries come first, followed by inputs.
 */
struct products {
   uint32_t num[SGPU_TEMP_SIZE + SGPU_INPUT_SIZE][4];
};

static bool
is_whole_constant(const struct sgpu_src *src)
{
   return src->file == SGPU_FILE_CONST &&
          sgpu_swizzle_get(src->swizzle, 0) != sgpu_swizzle_get(src->swizzle, 1);
}

static void
note_product(struct products *p, const struct sgpu_instr *instr)
{
   if (instr->opcode != SGPU_OP_MUL && instr->opcode != SGPU_OP_MAD)
      return;
   for (unsigned s = 0; s < 2; s++) {
      const struct sgpu_src *src = &instr->src[s];
      const unsigned comp = sgpu_swizzle_get(src->swizzle, 0);
      bool repeats = !src->rel && is_whole_constant(&instr->src[!s]);
      for (unsigned c = 1; c < 4; c++)
         repeats &= sgpu_swizzle_get(src->swizzle, c) == comp;
      if (repeats && src->file == SGPU_FILE_TEMP && src->index < SGPU_TEMP_SIZE)
         p->num[src->index][comp]++;
      else if (repeats && src->file == SGPU_FILE_INPUT && src->index < SGPU_INPUT_SIZE)
         p->num[SGPU_TEMP_SIZE + src->index][comp]++;
   }
}

static uint32_t
count_columns(const struct products *p)
{
   uint32_t sum = 0;
   for (unsigned i = 0; i < ARRAY_SIZE(p->num); i++) {
      const uint32_t *n = p->num[i];
      sum += n[0] && n[1] && n[2] ? n[0] + n[1] + n[2] + n[3] : 0;
   }
   return sum;
}

bool
sgt_vertex_program_describe(struct sgt_vertex_program *p, const struct sgpu_program *program)
{
   struct products products = { .num = { { 0 } } };

   *p = (struct sgt_vertex_program){
      .base = program->vp1,
      .inputs = program->info.inputs_read,
      .outputs = MAX2(util_bitcount64(program->info.outputs_written), 1),
      .instructions = MAX2(program->num_instrs, 1),
   };
   for (uint32_t i = 0; i < program->num_instrs; i++) {
      struct sgpu_instr instr;
      if (sgpu_instr_unpack(program->instrs[i], &instr))
         return false;
      p->opcodes[slot_of(instr.opcode)]++;
      note_product(&products, &instr);
   }
   p->columns = count_columns(&products);
   return program->stage == SGPU_STAGE_VERTEX;
}

bool
sgt_vertex_program_cracked(struct sgt_vertex_program *p, const struct sgt_program *program)
{
   uint64_t outputs = 0;

   *p = (struct sgt_vertex_program){
      .base = program->vp1,
      .instructions = MAX2(program->num_instrs, 1),
   };
   for (unsigned i = 0; i < SGT_VERTEX_ATTRIBUTES; i++)
      p->inputs |= (program->inputs[i] != 0) << i;
   for (uint32_t i = 0; i < program->num_instrs; i++) {
      const struct sgt_instr *instr = &program->instrs[i];
      p->opcodes[slot_of(instr->opcode)]++;
      if (instr->dst.file == SGPU_FILE_OUTPUT)
         outputs |= 1ull << (instr->dst.index & 63);
   }
   p->outputs = MAX2(util_bitcount64(outputs), 1);
   return program->stage == SGPU_STAGE_VERTEX;
}

void
sgt_vertex_stream_init(struct sgt_vertex_stream *s)
{
   memset(s, 0, sizeof(*s));
}

void
sgt_vertex_stream_finish(struct sgt_vertex_stream *s)
{
   free(s->programs);
   free(s->vertices);
   free(s->writes);
   sgt_vertex_stream_init(s);
}

bool
sgt_vertex_stream_program(struct sgt_vertex_stream *s, const struct sgt_vertex_program *p)
{
   if (!sgt_array_reserve(&s->programs, &s->room_programs, s->num_programs + 1,
                          sizeof(*s->programs)))
      return false;
   s->programs[s->num_programs++] = *p;
   return true;
}

/* Adds a vertex that executes `instructions` instructions of a program. The caller must update
 * s->opcodes.
 */
static struct sgt_vertex *
add_vertex(struct sgt_vertex_stream *s, uint32_t program, uint32_t instructions, uint32_t writes)
{
   if (!sgt_array_reserve(&s->vertices, &s->room_vertices, s->num_vertices + 1,
                          sizeof(*s->vertices)) ||
       !sgt_array_reserve(&s->writes, &s->room_writes, s->num_writes + writes, 1))
      return NULL;
   struct sgt_vertex *v = &s->vertices[s->num_vertices++];
   *v = (struct sgt_vertex){ program, instructions, writes };
   s->instructions += instructions;
   s->base_vertices += s->programs[program].base;
   return v;
}

bool
sgt_vertex_stream_add(struct sgt_vertex_stream *s, const uint8_t *writes, uint32_t num)
{
   const uint32_t program = s->num_programs - 1;
   const struct sgt_vertex_program *p = &s->programs[program];

   if (!add_vertex(s, program, p->instructions, num + 1))
      return false;
   for (uint32_t i = 0; i < num; i++)
      s->writes[s->num_writes++] = writes[i];
   s->writes[s->num_writes++] = 0;
   for (unsigned i = 0; i <= SGT_VERTEX_OTHER; i++)
      s->opcodes[i] += p->opcodes[i];
   return true;
}

bool
sgt_vertex_stream_add_mask(struct sgt_vertex_stream *s, uint16_t attributes)
{
   uint8_t writes[SGT_VERTEX_ATTRIBUTES];
   uint32_t num = 0;

   u_foreach_bit(i, attributes & ~1u)
      writes[num++] = i;
   return sgt_vertex_stream_add(s, writes, num);
}

/* Adds the vertices of a warp. `program` is the index of the warp's program in the stream. */
static bool
add_warp(struct sgt_vertex_stream *s, const struct sgt_work *work, const struct sgt_warp *warp,
         uint32_t program)
{
   const struct sgt_program *code = work->programs[warp->program];
   uint32_t executed[32] = { 0 };

   for (uint32_t i = 0; i < warp->num_runs; i++) {
      const struct sgt_run *run = &work->runs[warp->first_run + i];
      u_foreach_bit64(lane, run->lanes)
         executed[lane] += run->count;
      const uint32_t lanes = util_bitcount(run->lanes);
      for (uint32_t pc = run->pc; pc < run->pc + run->count && pc < code->num_instrs; pc++)
         s->opcodes[slot_of(code->instrs[pc].opcode)] += lanes;
   }
   const struct sgt_vertex_program *p = &s->programs[program];
   const uint16_t attributes = p->inputs & ~1u;
   const uint32_t num_writes = util_bitcount(attributes) + 1;
   u_foreach_bit64(lane, warp->lanes) {
      const uint32_t instructions = warp->num_runs ? MAX2(executed[lane], 1) : p->instructions;
      if (!add_vertex(s, program, instructions, num_writes))
         return false;
      u_foreach_bit(i, attributes)
         s->writes[s->num_writes++] = i;
      s->writes[s->num_writes++] = 0;
      for (unsigned i = 0; i <= SGT_VERTEX_OTHER && !warp->num_runs; i++)
         s->opcodes[i] += p->opcodes[i];
   }
   return true;
}

bool
sgt_vertex_stream_add_work(struct sgt_vertex_stream *s, const struct sgt_work *work, char *error,
                           size_t error_size)
{
   /* For each program in `work`, 1 plus its index in the stream, or 0 if it has not been added yet.
    */
   uint32_t *numbers = calloc(MAX2(work->num_programs, 1), sizeof(*numbers));
   bool ok = numbers != NULL;

   snprintf(error, error_size, "out of memory");
   for (uint32_t i = 0; ok && i < work->num_warps; i++) {
      const struct sgt_warp *warp = &work->warps[i];
      const struct sgt_program *code = work->programs[warp->program];
      struct sgt_vertex_program p;
      if (code->stage != SGPU_STAGE_VERTEX)
         continue;
      for (unsigned n = SGT_VERTEX_ATTRIBUTES; ok && n < SGPU_INPUT_SIZE; n++) {
         if (!code->inputs[n])
            continue;
         snprintf(error, error_size, "a program reads attribute %u; the engine has 16", n);
         ok = false;
      }
      if (ok && !numbers[warp->program]) {
         sgt_vertex_program_cracked(&p, code);
         ok = sgt_vertex_stream_program(s, &p);
         numbers[warp->program] = s->num_programs;
      }
      ok = ok && add_warp(s, work, warp, numbers[warp->program] - 1);
   }
   free(numbers);
   return ok;
}
