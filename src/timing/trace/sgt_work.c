/* SPDX-License-Identifier: MIT */
/*
 * Validates and builds struct sgt_work.
 */
#include "trace/sgt_work.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "trace/sgt_array.h"
#include "trace/sgt_hash.h"

struct sgt_work_builder {
   struct sgt_work work;
   uint64_t max_programs, max_warps, max_runs, max_accesses, max_quads, max_lines, max_operations,
      max_constants, max_changed;
   bool failed;
};

static void
free_arrays(struct sgt_work *w)
{
   for (uint32_t i = 0; i < w->num_programs; i++)
      sgt_program_destroy(w->programs[i]);
   free(w->programs);
   free(w->warps);
   free(w->runs);
   free(w->accesses);
   free(w->quads);
   free(w->lines);
   free(w->constants);
   free(w->changed);
   free(w->operations);
}

void
sgt_work_destroy(struct sgt_work *work)
{
   if (!work)
      return;
   free_arrays(work);
   free(work);
}

/* -- checks ------------------------------------------------------------------------------- */

static bool
access_fits(const struct sgt_instr *instr, enum sgt_access_kind kind)
{
   const struct sgpu_opcode_info *op = sgpu_opcode_info(instr->opcode);

   switch (instr->pipe) {
   case SGT_PIPE_TEXTURE:
      return kind == SGT_ACCESS_TEXTURE;
   case SGT_PIPE_SHARED:
      return kind == SGT_ACCESS_SHARED;
   case SGT_PIPE_CONST:
      return kind == SGT_ACCESS_CONST;
   default:
      if (op->flags & SGPU_OPF_ATOMIC)
         return kind == SGT_ACCESS_ATOMIC;
      return kind == (op->flags & SGPU_OPF_DST ? SGT_ACCESS_LOAD : SGT_ACCESS_STORE);
   }
}

static const char *
check_runs(const struct sgt_work *w, const struct sgt_warp *warp)
{
   const struct sgt_program *program = w->programs[warp->program];
   uint32_t access = 0;

   for (uint32_t i = 0; i < warp->num_runs; i++) {
      const struct sgt_run *run = &w->runs[warp->first_run + i];
      if (!run->count || (uint64_t)run->pc + run->count > program->num_instrs)
         return "a run leaves its program";
      if (!run->lanes || run->lanes & ~warp->lanes)
         return "a run has lanes that its warp does not have";
      for (uint32_t pc = run->pc; pc < run->pc + run->count; pc++) {
         if (!(program->instrs[pc].flags & SGT_INSTR_ACCESS))
            continue;
         if (access == warp->num_accesses)
            return "an access is missing";
         if (!access_fits(&program->instrs[pc], w->accesses[warp->first_access + access++].kind))
            return "an access does not match its instruction";
      }
   }
   return access == warp->num_accesses ? NULL : "accesses without instructions";
}

static const char *
check_lines(const struct sgt_work *w)
{
   for (uint32_t i = 0; i < w->num_accesses; i++) {
      if (w->accesses[i].first_line + w->accesses[i].num_lines > w->num_lines)
         return "an access has lines that do not exist";
      if (w->accesses[i].lanes > 32)
         return "an access of more lanes than a warp has";
   }
   return NULL;
}

static const char *
check_constants(const struct sgt_work *w)
{
   uint32_t constants = 0, changed = 0;

   for (uint32_t i = 0; i < w->num_operations; i++) {
      const struct sgt_operation_work *o = &w->operations[i];
      if (o->first_constants != constants || o->num_constants > w->num_constants - constants)
         return "the operations' constants are not in order";
      constants += o->num_constants;
   }
   for (uint32_t i = 0; i < w->num_constants; i++) {
      const struct sgt_constants *c = &w->constants[i];
      uint64_t line = 0;
      if (c->first_changed != changed || c->num_changed > w->num_changed - changed)
         return "changed lines of constants are not in order";
      for (; changed < c->first_changed + c->num_changed; changed++) {
         const struct sgt_changed *l = &w->changed[changed];
         if (l->first < line || !l->count ||
             ((uint64_t)l->first + l->count - 1) * SGT_CONST_LINE_BYTES >= c->bytes)
            return "changed lines are not in their constants";
         line = (uint64_t)l->first + l->count;
      }
      if (c->stage >= SGT_STAGES || !c->bytes || (!c->version && c->num_changed))
         return "constants without a stage or bytes, or a first version with changes";
   }
   return constants == w->num_constants && changed == w->num_changed
             ? NULL
             : "constants without an operation";
}

const char *
sgt_work_check(const struct sgt_work *w)
{
   uint32_t warps = 0, runs = 0, accesses = 0, quads = 0;
   const char *error = check_lines(w);

   error = error ? error : check_constants(w);

   for (uint32_t i = 0; i < w->num_operations; i++) {
      const struct sgt_operation_work *o = &w->operations[i];
      if (o->first_warp != warps || o->num_warps > w->num_warps - warps)
         return "the operations' warps are not in order";
      for (; warps < o->first_warp + o->num_warps; warps++) {
         if (w->warps[warps].operation != i)
            return "a warp belongs to another operation";
      }
   }
   for (uint32_t i = 0; i < w->num_warps && !error; i++) {
      const struct sgt_warp *warp = &w->warps[i];
      if (warp->program >= w->num_programs || !warp->lanes)
         return "a warp without program or lanes";
      if (warp->first_run != runs || warp->first_access != accesses || warp->first_quad != quads ||
          warp->num_runs > w->num_runs - runs || warp->num_accesses > w->num_accesses - accesses ||
          warp->num_quads > w->num_quads - quads || warp->num_quads > 8 ||
          warp->first_fetch + warp->num_fetch > w->num_lines)
         return "the parts of a warp are not in order";
      error = check_runs(w, warp);
      runs += warp->num_runs;
      accesses += warp->num_accesses;
      quads += warp->num_quads;
   }
   if (error)
      return error;
   return warps == w->num_warps && runs == w->num_runs && accesses == w->num_accesses &&
                quads == w->num_quads
             ? NULL
             : "parts without a warp";
}

/* -- builder ------------------------------------------------------------------------------ */

struct sgt_work_builder *
sgt_work_builder_create(void)
{
   return calloc(1, sizeof(struct sgt_work_builder));
}

void
sgt_work_builder_destroy(struct sgt_work_builder *b)
{
   if (!b)
      return;
   free_arrays(&b->work);
   free(b);
}

/* Appends an element to an array of the work and returns it. Returns NULL if this or an earlier
 * allocation failed.
 */
static void *
work_append(struct sgt_work_builder *b, void *array, uint64_t *max, uint32_t *num, size_t size)
{
   if (b->failed || *num == UINT32_MAX ||
       !sgt_array_reserve(array, max, (uint64_t)*num + 1, size)) {
      b->failed = true;
      return NULL;
   }
   return *(char **)array + size * (*num)++;
}
#define APPEND(b, array)                                                       \
   work_append(b, &(b)->work.array, &(b)->max_##array, &(b)->work.num_##array, \
               sizeof(*(b)->work.array))

static bool
add_lines(struct sgt_work_builder *b, const sgt_line *lines, uint32_t num)
{
   struct sgt_work *w = &b->work;

   if (b->failed ||
       !sgt_array_reserve(&w->lines, &b->max_lines, w->num_lines + num, sizeof(*w->lines))) {
      b->failed = true;
      return false;
   }
   if (num)
      memcpy(w->lines + w->num_lines, lines, num * sizeof(*lines));
   w->num_lines += num;
   return true;
}

/* Returns the last warp, or NULL if an allocation has failed. */
static struct sgt_warp *
latest_warp(struct sgt_work_builder *b)
{
   assert(b->failed || b->work.num_warps);
   return b->failed ? NULL : &b->work.warps[b->work.num_warps - 1];
}

/* Completes the last warp. If the warp has no runs, adds a run over the whole program. */
static void
end_warp(struct sgt_work_builder *b)
{
   struct sgt_work *w = &b->work;
   const struct sgt_warp *warp = w->num_warps && !b->failed ? latest_warp(b) : NULL;

   if (!warp || warp->num_runs)
      return;
   const uint32_t count = w->programs[warp->program]->num_instrs;
   if (count)
      sgt_work_builder_run(b, 0, count, warp->lanes);
}

uint64_t
sgt_work_builder_bytes(const struct sgt_work_builder *b)
{
   return b->max_programs * sizeof(*b->work.programs) + b->max_warps * sizeof(*b->work.warps) +
          b->max_runs * sizeof(*b->work.runs) + b->max_accesses * sizeof(*b->work.accesses) +
          b->max_quads * sizeof(*b->work.quads) + b->max_lines * sizeof(*b->work.lines) +
          b->max_operations * sizeof(*b->work.operations);
}

uint32_t
sgt_work_builder_program(struct sgt_work_builder *b, struct sgt_program *program)
{
   struct sgt_program **p = program ? APPEND(b, programs) : NULL;

   b->failed |= !p;
   if (!p) {
      sgt_program_destroy(program);
      return 0;
   }
   *p = program;
   return b->work.num_programs - 1;
}

void
sgt_work_builder_operation(struct sgt_work_builder *b, uint32_t group_bytes, uint32_t group_warps)
{
   end_warp(b);
   struct sgt_operation_work *o = APPEND(b, operations);
   if (!o)
      return;
   *o = (struct sgt_operation_work){
      .first_warp = b->work.num_warps,
      .first_constants = b->work.num_constants,
      .group_bytes = group_bytes,
      .group_warps = group_warps,
   };
}

void
sgt_work_builder_vertices(struct sgt_work_builder *b, uint32_t vertices)
{
   assert(b->failed || b->work.num_operations);
   if (!b->failed)
      b->work.operations[b->work.num_operations - 1].vertices += vertices;
}

void
sgt_work_builder_constants(struct sgt_work_builder *b, const struct sgt_constants *constants)
{
   struct sgt_constants *c = APPEND(b, constants);

   if (!c)
      return;
   assert(b->work.num_operations && constants->stage < SGT_STAGES && constants->bytes);
   *c = *constants;
   c->pad = 0;
   c->first_changed = b->work.num_changed;
   c->num_changed = 0;
   b->work.operations[b->work.num_operations - 1].num_constants++;
}

void
sgt_work_builder_changed(struct sgt_work_builder *b, uint32_t first, uint32_t count)
{
   struct sgt_changed *l = APPEND(b, changed);

   if (!l)
      return;
   assert(b->work.num_constants && count);
   *l = (struct sgt_changed){ first, count };
   b->work.constants[b->work.num_constants - 1].num_changed++;
}

void
sgt_work_builder_warp(struct sgt_work_builder *b, uint32_t program, uint32_t lanes, uint32_t group)
{
   struct sgt_work *w = &b->work;

   end_warp(b);
   struct sgt_warp *warp = APPEND(b, warps);
   if (!warp)
      return;
   assert(w->num_operations && program < w->num_programs && lanes);
   *warp = (struct sgt_warp){
      .operation = w->num_operations - 1,
      .program = program,
      .lanes = lanes,
      .group = group,
      .first_run = w->num_runs,
      .first_access = w->num_accesses,
      .first_quad = w->num_quads,
      .first_fetch = w->num_lines,
   };
   w->operations[w->num_operations - 1].num_warps++;
}

void
sgt_work_builder_run(struct sgt_work_builder *b, uint32_t pc, uint32_t count, uint32_t lanes)
{
   struct sgt_warp *warp = latest_warp(b);
   struct sgt_run *run = warp ? APPEND(b, runs) : NULL;

   if (!run)
      return;
   assert(count && (uint64_t)pc + count <= b->work.programs[warp->program]->num_instrs);
   assert(lanes && !(lanes & ~warp->lanes));
   *run = (struct sgt_run){ pc, count, lanes };
   warp->num_runs++;
}

void
sgt_work_builder_access(struct sgt_work_builder *b, const struct sgt_access *access,
                        const sgt_line *lines, uint32_t num)
{
   struct sgt_warp *warp = latest_warp(b);
   struct sgt_access *a = warp ? APPEND(b, accesses) : NULL;

   if (!a)
      return;
   assert(num <= UINT16_MAX && access->kind < SGT_ACCESS_KINDS);
   *a = *access;
   a->first_line = b->work.num_lines;
   a->num_lines = num;
   a->pad = 0;
   warp->num_accesses++;
   add_lines(b, lines, num);
}

void
sgt_work_builder_quad(struct sgt_work_builder *b, const struct sgt_quad *quad)
{
   struct sgt_warp *warp = latest_warp(b);
   struct sgt_quad *q = warp ? APPEND(b, quads) : NULL;

   if (!q)
      return;
   *q = *quad;
   warp->num_quads++;
}

void
sgt_work_builder_fetch(struct sgt_work_builder *b, const sgt_line *lines, uint32_t num,
                       uint32_t attributes)
{
   struct sgt_warp *warp = latest_warp(b);
   const uint64_t first = b->work.num_lines;

   if (!warp || !add_lines(b, lines, num))
      return;
   assert(!warp->num_fetch);
   warp->first_fetch = first;
   warp->num_fetch = num;
   warp->attributes = attributes;
}

static uint64_t
hash_work(const struct sgt_work *w)
{
   const uint64_t numbers[] = { w->num_programs,   w->num_warps,     w->num_runs,
                                w->num_accesses,   w->num_quads,     w->num_lines,
                                w->num_operations, w->num_constants, w->num_changed };
   XXH64_state_t state;

   XXH64_reset(&state, 0);
   XXH64_update(&state, numbers, sizeof(numbers));
   for (uint32_t i = 0; i < w->num_programs; i++)
      XXH64_update(&state, &w->programs[i]->hash, sizeof(w->programs[i]->hash));
   XXH64_update(&state, w->warps, w->num_warps * sizeof(*w->warps));
   XXH64_update(&state, w->runs, w->num_runs * sizeof(*w->runs));
   XXH64_update(&state, w->accesses, w->num_accesses * sizeof(*w->accesses));
   for (uint32_t i = 0; i < w->num_quads; i++) {
      const struct sgt_quad *q = &w->quads[i];
      const uint32_t words[8] = { q->x, q->y, q->item, q->covered, q->kept };
      XXH64_update(&state, words, sizeof(words));
   }
   XXH64_update(&state, w->lines, w->num_lines * sizeof(*w->lines));
   XXH64_update(&state, w->constants, w->num_constants * sizeof(*w->constants));
   XXH64_update(&state, w->changed, w->num_changed * sizeof(*w->changed));
   XXH64_update(&state, w->operations, w->num_operations * sizeof(*w->operations));
   return XXH64_digest(&state);
}
/* Structs must not have padding if their bytes are hashed. */
static_assert(sizeof(struct sgt_warp) == 10 * 4 + 8 + 2 * 4, "holes");
static_assert(sizeof(struct sgt_run) == 3 * 4, "holes");
static_assert(sizeof(struct sgt_access) == 16, "holes");
static_assert(sizeof(struct sgt_operation_work) == 7 * 4, "holes");
static_assert(sizeof(struct sgt_constants) == 6 * 4, "holes");

struct sgt_work *
sgt_work_builder_finish(struct sgt_work_builder *b)
{
   end_warp(b);
   struct sgt_work *work = b->failed ? NULL : malloc(sizeof(*work));
   if (!work) {
      b->failed = true;
      return NULL;
   }
   b->work.hash = hash_work(&b->work);
   *work = b->work;
   memset(b, 0, sizeof(*b));
   b->failed = true;
   return work;
}
