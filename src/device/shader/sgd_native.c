/* SPDX-License-Identifier: MIT */
/*
 * Shader core: translated programs.  Machine code executes a warp while its lanes agree, the
 * interpreter where they part, until they meet.
 */
#include "sgd_native.h"
#include "sgd_observe.h"
#include "sgpu_flow.h"
#include "util/macros.h"

/* Instructions that may be issued before the interpreter takes over: the watchdog may stop it
 * behind any control instruction.  Between two branches back, machine code issues each
 * instruction at most twice.
 */
static uint64_t
program_limit(const struct sgd_warp *w)
{
   const uint64_t watchdog = w->worker->watchdog;
   const uint64_t margin = 2 * (uint64_t)w->shader->num_instrs;
   return watchdog > margin ? watchdog - margin : 0;
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

/* The entries of the stack are the open points of instruction n, with all lanes. */
static ALWAYS_INLINE bool
lanes_agree(const struct sgd_warp *w, uint32_t n, uint64_t issued, uint64_t limit)
{
   SGD_OBSERVE(return false;)
   const struct sgd_interp *interp = sgd_interp(w);
   const struct sgd_translation *t = interp->translation;
   if (!t->ways[n].entry || issued >= limit || !sgd_exec_fits(w))
      return false;
   int32_t point = t->ways[n].point;
   for (unsigned d = w->depth; d-- > 0;) {
      const struct sgd_entry *e = &w->stack[d];
      if (point < 0 || e->lanes != w->exec || e->target != interp->ins[point].target ||
          e->kind != entry_kind(&interp->ins[point]))
         return false;
      point = t->ways[point].point;
   }
   return point == SGPU_FLOW_NO_POINT;
}

bool
sgd_lanes_agree(const struct sgd_warp *w, uint32_t n, uint64_t issued)
{
   const struct sgd_translation *t = sgd_interp(w)->translation;
   return t && t->program && lanes_agree(w, n, issued, program_limit(w));
}

/* Where machine code leaves a warp to the interpreter. */
static void
make_stack(struct sgd_warp *w, uint32_t n)
{
   const struct sgd_interp *interp = sgd_interp(w);
   const struct sgd_way *ways = interp->translation->ways;
   uint32_t depth = 0;
   for (int32_t p = ways[n].point; p >= 0; p = ways[p].point)
      depth++;
   w->depth = depth;
   for (int32_t p = ways[n].point; p >= 0; p = ways[p].point) {
      w->stack[--depth] = (struct sgd_entry){
         .lanes = w->exec,
         .target = interp->ins[p].target,
         .kind = entry_kind(&interp->ins[p]),
      };
   }
}

/* From w->pc on.  True: the warp has ended. */
static ALWAYS_INLINE bool
run_program(struct sgd_warp *w, uint64_t limit)
{
   const struct sgd_translation *t = sgd_interp(w)->translation;
   const uint64_t before = w->issued;
   uint64_t *counters = w->worker->counters;

   w->depth = 0;
   const uint32_t next = t->program(w, &sgd_native_calls, limit,
                                    (const uint8_t *)t->code + t->ways[w->pc].entry,
                                    sgd_num_chunks(w->exec));
   counters[SGPU_COUNTER_INSTRUCTIONS] += w->issued - before;
   counters[SGPU_COUNTER_NATIVE_INSTRUCTIONS] += w->issued - before;
   counters[SGPU_COUNTER_NATIVE_WARPS] += !before && w->issued;
   if (next == SGD_PROGRAM_ENDED) {
      w->running &= ~w->exec;
      w->exec = 0;
   }
   if (!w->exec)
      return true;
   make_stack(w, next);
   w->pc = next;
   return false;
}

static __attribute__((noinline)) enum sgd_warp_result
run_parts(struct sgd_warp *w, uint64_t limit)
{
   const struct sgd_translation *t = sgd_interp(w)->translation;
   if (limit != SGD_NO_LIMIT || !t || !t->program)
      return sgd_run_regions(w, limit);
   const uint64_t most = program_limit(w);
   for (;;) {
      if (!(w->keep & ~w->exec) && lanes_agree(w, w->pc, w->issued, most) && run_program(w, most))
         return SGD_WARP_ENDED;
      const enum sgd_warp_result result = sgd_run_regions(w, limit);
      if (result != SGD_WARP_SUSPENDED)
         return result;
   }
}

/* Most programs are one region from their start to their end. */
enum sgd_warp_result
sgd_run_translated(struct sgd_warp *w, uint64_t limit)
{
   const struct sgd_translation *t = sgd_interp(w)->translation;
   if (!t || !t->whole)
      return run_parts(w, limit);
   const struct sgd_native *n = t->regions;
   if (limit <= n->length || w->pc || w->keep & ~w->exec || !sgd_exec_fits(w))
      return sgd_run_regions(w, limit);
   uint64_t *counters = w->worker->counters;
   n->full(w->file, NULL, sgd_num_chunks(w->exec));
   w->running &= ~w->exec;
   w->exec = 0;
   w->issued = n->length;
   counters[SGPU_COUNTER_INSTRUCTIONS] += n->length;
   counters[SGPU_COUNTER_NATIVE_INSTRUCTIONS] += n->length;
   counters[SGPU_COUNTER_NATIVE_WARPS]++;
   return SGD_WARP_ENDED;
}
