/* SPDX-License-Identifier: MIT */
/*
 * Shader core: execution of translated programs. The interpreter executes the instructions that
 * machine code leaves to it, and stops warps.
 */
#include "shader/interp/sgd_native.h"
#include "common/sgd_observe.h"
#include "sgpu_flow.h"
#include "util/bitscan.h"
#include "util/macros.h"

static inline uint64_t
program_margin(const struct sgd_warp *w)
{
   return 2 * (uint64_t)w->shader->num_instrs;
}

static uint64_t
program_limit(const struct sgd_warp *w)
{
   return sgd_program_limit(w, program_margin(w));
}

static enum sgd_entry_kind
entry_kind(const struct sgd_ins *opens)
{
   switch ((enum sgd_ins_kind)opens->kind) {
   case SGD_INS_SSY:
      return SGD_ENTRY_MEET;
   case SGD_INS_PBK:
      return SGD_ENTRY_BREAK;
   default:
      return SGD_ENTRY_CONTINUE;
   }
}

/* Returns true if machine code can continue at instruction n, because control flow is uniform. In
 * this case, the stack has exactly the entries of the points that are open at instruction n, and
 * each entry has all executing lanes.
 */
static ALWAYS_INLINE bool
lanes_agree(const struct sgd_warp *w, uint32_t n, uint64_t issued, uint64_t limit)
{
   if (SGD_OBSERVED_LEVEL)
      return false;
   const struct sgd_decoded *decoded = sgd_decoded(w);
   const struct sgd_translation *t = decoded->translation;
   if (!t->entries[n].offset || issued >= limit || !sgd_exec_fits(w))
      return false;
   int32_t point = t->entries[n].point;
   for (unsigned d = w->depth; d-- > 0;) {
      const struct sgd_entry *e = &w->stack[d];
      if (point < 0 || e->lanes != w->exec || e->target != decoded->ins[point].target ||
          e->kind != entry_kind(&decoded->ins[point]))
         return false;
      point = t->entries[point].point;
   }
   return point == SGPU_FLOW_NO_POINT;
}

/* Returns true if machine code for divergent lanes can continue at instruction n. */
static ALWAYS_INLINE bool
can_part(const struct sgd_warp *w, uint32_t n, uint64_t issued, uint64_t limit)
{
   if (SGD_OBSERVED_LEVEL)
      return false;
   return sgd_decoded(w)->translation->entries[n].divergent && issued < limit;
}

bool
sgd_can_run_program(const struct sgd_warp *w, uint32_t n, uint64_t issued)
{
   const struct sgd_translation *t = sgd_decoded(w)->translation;
   if (!t || !t->program)
      return false;
   const uint64_t limit = program_limit(w);
   return (!(w->keep & ~w->exec) && lanes_agree(w, n, issued, limit)) ||
          can_part(w, n, issued, limit);
}

static inline const void *
entry_of(const struct sgd_translation *t, uint32_t offset)
{
   return (const uint8_t *)t->code + offset;
}

void
sgd_make_stack(struct sgd_warp *w, uint32_t n)
{
   const struct sgd_decoded *decoded = sgd_decoded(w);
   const struct sgd_code_entry *entries = decoded->translation->entries;
   uint32_t depth = 0;
   for (int32_t p = entries[n].point; p >= 0; p = entries[p].point)
      depth++;
   w->depth = depth;
   for (int32_t p = entries[n].point; p >= 0; p = entries[p].point) {
      w->stack[--depth] = (struct sgd_entry){
         .lanes = w->exec,
         .target = decoded->ins[p].target,
         .kind = entry_kind(&decoded->ins[p]),
      };
   }
}

/* Sets up the warp to continue at instruction `next`, the result of machine code. */
static void
continue_at(struct sgd_warp *w, uint32_t next)
{
   if (!(next & SGD_PROGRAM_DIVERGENT))
      sgd_make_stack(w, next);
   w->pc = next & ~SGD_PROGRAM_DIVERGENT;
}

/* Runs machine code from instruction w->pc on, if it can be entered there. Returns true if the warp
 * has ended.
 */
static ALWAYS_INLINE bool
run_program(struct sgd_warp *w, uint64_t limit)
{
   const struct sgd_translation *t = sgd_decoded(w)->translation;
   uint32_t next;
   if (!(w->keep & ~w->exec) && lanes_agree(w, w->pc, w->issued, limit)) {
      const void *entry = entry_of(t, t->entries[w->pc].offset);
      if (sgd_execute_program(w, t->program, entry, limit, w->exec, &next))
         return true;
   } else if (can_part(w, w->pc, w->issued, limit)) {
      const void *entry = entry_of(t, t->entries[w->pc].divergent);
      if (sgd_execute_program(w, t->program, entry, limit, w->running, &next))
         return true;
   } else {
      return false;
   }
   continue_at(w, next);
   return false;
}

/* Runs a warp in machine code, and in the interpreter where machine code can't be entered. `limit`
 * is the result of program_limit().
 */
static __attribute__((noinline)) enum sgd_warp_result
run_divergent(struct sgd_warp *w, uint64_t limit)
{
   w->worker->position.left = w->pc;
   for (;;) {
      const enum sgd_warp_result result = sgd_run_regions(w, SGD_NO_LIMIT);
      if (result != SGD_WARP_SUSPENDED)
         return result;
      if (run_program(w, limit))
         return SGD_WARP_ENDED;
      w->worker->position.left = w->pc;
   }
}

static __attribute__((noinline)) enum sgd_warp_result
run_parts(struct sgd_warp *w, uint64_t limit)
{
   const struct sgd_translation *t = sgd_decoded(w)->translation;
   if (limit != SGD_NO_LIMIT || !t || !t->program)
      return sgd_run_regions(w, limit);
   const uint64_t most = program_limit(w);
   if (run_program(w, most))
      return SGD_WARP_ENDED;
   return run_divergent(w, most);
}

enum sgd_warp_result
sgd_run_left(struct sgd_warp *w, uint32_t next, uint64_t limit)
{
   continue_at(w, next);
   return run_divergent(w, limit);
}

/* Fast path for programs that consist of a single region, as most programs do. */
enum sgd_warp_result
sgd_run_translated(struct sgd_warp *w, uint64_t limit)
{
   const struct sgd_translation *t = sgd_decoded(w)->translation;
   if (!t || !t->whole)
      return run_parts(w, limit);
   const struct sgd_native *n = t->regions;
   if (limit <= n->length || w->pc || w->keep & ~w->exec || !sgd_exec_fits(w))
      return sgd_run_regions(w, limit);
   sgd_run_whole(n, w->file, w->exec, w->worker->counters);
   w->running &= ~w->exec;
   w->exec = 0;
   w->issued = n->length;
   return SGD_WARP_ENDED;
}

struct sgd_begun
sgd_begin_native(const struct sgd_warp *w)
{
   struct sgd_begun begun = { 0 };
   if (SGD_OBSERVED_LEVEL)
      return begun;
   if (__atomic_load_n(&w->code->execute, __ATOMIC_ACQUIRE) != sgd_run_translated)
      return begun;
   const struct sgd_translation *t = sgd_decoded(w)->translation;
   if (!t)
      return begun;
   t = sgd_code_with_lookups(w, t);
   begun.quad = t->quad;
   begun.clears = w->code->num_presets | w->code->scratch_count;
   if (t->whole) {
      begun.whole = t->regions;
      begun.length = t->regions->length;
      begun.same = !t->regions->textures &&
                   !(w->shader->inputs_read | w->shader->sysvals_read | w->shader->reads_warp);
   } else if (t->program && t->entries[0].offset && t->entries[0].point == SGPU_FLOW_NO_POINT) {
      begun.program = t->program;
      begun.entry = entry_of(t, t->entries[0].offset);
      begun.margin = program_margin(w);
   }
   return begun;
}
