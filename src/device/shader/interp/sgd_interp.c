/* SPDX-License-Identifier: MIT */
/*
 * Shader core: the interpreter (Lindholm 2008, SIMT with a synchronization stack).
 *
 * Instructions execute for all 32 lanes if no inactive lane still needs its registers. Otherwise
 * the result goes to core->result first, and only the active lanes are copied to the destination.
 * The registers of killed lanes and of lanes that never ran can be overwritten, so operations over
 * quads read those as zeros.
 */
#include "shader/interp/sgd_exec.h"
#include "shader/interp/sgd_native.h"
#include "common/sgd_observe.h"
#include "shader/interp/sgd_shader_observe.h"
#include "util/macros.h"

const uint32_t sgd_lane_bit[SGD_WARP] = {
   1u << 0,  1u << 1,  1u << 2,  1u << 3,  1u << 4,  1u << 5,  1u << 6,  1u << 7,
   1u << 8,  1u << 9,  1u << 10, 1u << 11, 1u << 12, 1u << 13, 1u << 14, 1u << 15,
   1u << 16, 1u << 17, 1u << 18, 1u << 19, 1u << 20, 1u << 21, 1u << 22, 1u << 23,
   1u << 24, 1u << 25, 1u << 26, 1u << 27, 1u << 28, 1u << 29, 1u << 30, 1u << 31,
};

/* The functions that run_warp() calls must be inlined in each of its copies. */
#define SGD_INTERP_INLINE inline __attribute__((always_inline))

/* Executes an arithmetic instruction that needs more than the call of its handler. */
static SGD_INTERP_INLINE void
run_alu(struct sgd_warp *w, const struct sgd_ins *i, uint32_t mask)
{
   uint8_t *m = w->file;
   const bool direct = !(w->keep & ~mask) && !(i->flags & (SGD_INS_HAZARD | SGD_INS_REL_DST));
   uint8_t *dst = direct ? m : sgd_result_base(w, i);
   const struct sgd_ins *arith = i;
   struct sgd_ins copy;

   if (i->flags & SGD_INS_LOAD)
      sgd_load_operands(w, i);
   if ((i->flags & SGD_INS_QUAD) && sgd_absent_lanes(w)) {
      /* Absent lanes must read as zero, with the modifiers of the source applied. */
      const uint32_t absent = sgd_absent_lanes(w);
      const uint32_t zero = sgd_absent_value(w, i, 0);
      memcpy(&copy, i, offsetof(struct sgd_ins, native));
      for (unsigned n = 0; n < i->num_comps; n++) {
         const uint32_t *from = sgd_lanes(m, i->comp[n].a);
         uint32_t *to = sgd_operand(w, 0)->c[i->dcomp[n]];
         SGD_EACH_LANE(l) {
            to[l] = sgd_select(absent & sgd_lane_bit[l], zero, from[l]);
         }
         copy.comp[n].a = (uint32_t)((uint8_t *)to - m);
      }
      arith = &copy;
   }

   sgd_handler_table[i->handler](m, arith, dst);
   if (i->flags & SGD_INS_SAT)
      sgd_saturate(i, dst);
   if (!direct)
      sgd_merge(w, i, mask);
}

static SGD_INTERP_INLINE void
run_load(struct sgd_warp *w, const struct sgd_ins *i, uint32_t mask)
{
   uint8_t *m = w->file;
   const bool direct = !(w->keep & ~mask) && !(i->flags & SGD_INS_REL_DST);
   uint8_t *dst = direct ? m : sgd_result_base(w, i);

   if (i->flags & SGD_INS_LOAD)
      sgd_load_operands(w, i);
   if (SGD_OBSERVED_LEVEL)
      sgd_shader_observe_memory(w, i, mask);
   if (i->kind == SGD_INS_LDC)
      sgd_load_const(w, i, dst, mask);
   else if (i->kind == SGD_INS_LDV)
      sgd_load_vertex(w, i, dst);
   else if (i->kind == SGD_INS_LDO)
      sgd_load_output(w, i, dst);
   else if (i->kind == SGD_INS_LDP)
      sgd_load_patch(w, i, dst);
   else if (i->kind == SGD_INS_LDT)
      sgd_load_target(w, i, dst);
   else
      sgd_load_local(w, i, dst, mask);
   if (!direct)
      sgd_merge(w, i, mask);
}

/* Executes any instruction except for control flow, for the lanes in `mask`. */
static SGD_INTERP_INLINE void
run_plain(struct sgd_warp *w, const struct sgd_ins *i, uint32_t mask)
{
   w->worker->position.ins = i;
   switch ((enum sgd_ins_kind)i->kind) {
   case SGD_INS_ALU:
   case SGD_INS_PRED:
      if (mask)
         run_alu(w, i, mask);
      break;
   case SGD_INS_TEX:
      if (unlikely(sgd_position_counts(&w->worker->position)))
         sgd_count_texture(w, i, mask);
      if (mask)
         sgd_run_texture(w, i, mask);
      w->worker->counters[SGPU_COUNTER_TEXTURE_OPS]++;
      if (SGD_OBSERVED_LEVEL)
         sgd_shader_observe_access(w, i, mask);
      break;
   case SGD_INS_IPA:
      if (mask)
         sgd_run_interpolation(w, i, mask);
      break;
   case SGD_INS_SUBGROUP:
      if (mask)
         sgd_run_subgroup(w, i, mask);
      break;
   case SGD_INS_LDC:
   case SGD_INS_LDL:
   case SGD_INS_LDV:
   case SGD_INS_LDO:
   case SGD_INS_LDP:
   case SGD_INS_LDT:
      if (mask)
         run_load(w, i, mask);
      if (SGD_OBSERVED_LEVEL)
         sgd_shader_observe_access(w, i, mask);
      break;
   case SGD_INS_STL:
      if (mask)
         sgd_store_local(w, i, mask);
      if (SGD_OBSERVED_LEVEL)
         sgd_shader_observe_access(w, i, mask);
      break;
   case SGD_INS_STP:
      if (mask)
         sgd_store_patch(w, i, mask);
      if (SGD_OBSERVED_LEVEL)
         sgd_shader_observe_access(w, i, mask);
      break;
   case SGD_INS_STORAGE:
      if (mask)
         sgd_run_storage(w, i, mask);
      if (SGD_OBSERVED_LEVEL)
         sgd_shader_observe_access(w, i, mask);
      break;
   case SGD_INS_IMAGE:
      if (mask)
         sgd_run_image(w, i, mask);
      if (SGD_OBSERVED_LEVEL)
         sgd_shader_observe_access(w, i, mask);
      break;
   case SGD_INS_EMIT:
      if (mask && w->worker->stage_io)
         w->worker->stage_io->emit(w->worker, i->target, mask);
      break;
   case SGD_INS_CUT:
      if (mask && w->worker->stage_io)
         w->worker->stage_io->cut(w->worker, i->target, mask);
      break;
   case SGD_INS_NOP:
      break;
   default:
      unreachable("a control instruction");
   }
}

/*
 * Control flow
 */

static bool
push(struct sgd_warp *w, enum sgd_entry_kind kind, uint32_t target, uint32_t lanes)
{
   if (unlikely(w->depth >= w->shader->stack_size))
      return false;
   w->stack[w->depth++] = (struct sgd_entry){ .lanes = lanes, .target = target, .kind = kind };
   return true;
}

/* Pops entries from the stack until an entry has lanes, and continues these lanes at the target of
 * the entry. Returns NULL if the stack has no such entry.
 */
static const struct sgd_ins *
resume(struct sgd_warp *w)
{
   while (w->depth) {
      const struct sgd_entry *e = &w->stack[--w->depth];
      if (e->lanes) {
         w->exec = e->lanes;
         return sgd_decoded(w)->ins + e->target;
      }
   }
   w->exec = 0;
   return NULL;
}

static void
leave_all(struct sgd_warp *w, uint32_t lanes)
{
   w->exec &= ~lanes;
   w->running &= ~lanes;
   for (unsigned n = 0; n < w->depth; n++)
      w->stack[n].lanes &= ~lanes;
}

/* Implements BRK and CONT: removes the lanes from all stack entries above the innermost entry of
 * the given kind.
 */
static void
leave_to(struct sgd_warp *w, enum sgd_entry_kind kind, uint32_t lanes)
{
   w->exec &= ~lanes;
   for (unsigned n = w->depth; n-- > 0 && w->stack[n].kind != kind;)
      w->stack[n].lanes &= ~lanes;
}

/* Implements KIL and DMT: discards the pixels of `lanes`. Ends all quads that have no pixels left,
 * and if `end` is set, also the lanes in `lanes`.
 */
static void
lose_pixels(struct sgd_warp *w, uint32_t lanes, bool end)
{
   w->live &= ~lanes;
   uint32_t ends = sgd_whole_quads(lanes) & ~sgd_whole_quads(w->live);
   if (end)
      ends |= lanes;
   w->keep &= ~ends;
   leave_all(w, ends);

   if (w->shader->sysvals_read & (1u << SGPU_SYS_HELPER)) {
      uint32_t *helper = w->sys[SGPU_SYS_HELPER].c[0];
      SGD_EACH_LANE(l) {
         helper[l] |= lanes & sgd_lane_bit[l] ? ~0u : 0;
      }
   }
}

/* Executes BRK, CONT, EXIT, KIL, DMT or the end of the program for the lanes in `mask`. */
static SGD_INTERP_INLINE void
leave(struct sgd_warp *w, const struct sgd_ins *i, uint32_t mask)
{
   switch ((enum sgd_ins_kind)i->kind) {
   case SGD_INS_BRK:
      leave_to(w, SGD_ENTRY_BREAK, mask);
      break;
   case SGD_INS_CONT:
      leave_to(w, SGD_ENTRY_CONTINUE, mask);
      break;
   case SGD_INS_EXIT:
   case SGD_INS_END:
      leave_all(w, mask);
      break;
   case SGD_INS_KIL:
      lose_pixels(w, mask, true);
      break;
   case SGD_INS_DMT:
      lose_pixels(w, mask, false);
      break;
   default:
      unreachable("lanes leave nothing there");
   }
}

/* Executes a control flow instruction for the lanes in `mask`. Returns the next instruction, or
 * NULL if no lanes are left. Sets *ok to false if the stack overflows, which can't happen in
 * validated programs.
 */
static SGD_INTERP_INLINE const struct sgd_ins *
run_control(struct sgd_warp *w, const struct sgd_ins *i, uint32_t mask, bool *ok)
{
   switch ((enum sgd_ins_kind)i->kind) {
   case SGD_INS_BRA:
      if (mask == 0)
         return i + 1;
      if (mask != w->exec) {
         *ok = push(w, SGD_ENTRY_PENDING, i->target, mask);
         w->exec &= ~mask;
         return i + 1;
      }
      return sgd_decoded(w)->ins + i->target;
   case SGD_INS_SSY:
      *ok = push(w, SGD_ENTRY_MEET, i->target, w->exec);
      return i + 1;
   case SGD_INS_PBK:
      *ok = push(w, SGD_ENTRY_BREAK, i->target, w->exec);
      return i + 1;
   case SGD_INS_PCNT:
      *ok = push(w, SGD_ENTRY_CONTINUE, i->target, w->exec);
      return i + 1;
   case SGD_INS_SYNC:
      return resume(w);
   default:
      leave(w, i, mask);
      break;
   }
   return w->exec ? i + 1 : resume(w);
}

static SGD_INTERP_INLINE bool
can_run_native(const struct sgd_warp *w, const struct sgd_native *n)
{
   return (!n->quad || sgd_whole_quads(w->exec) == w->exec) && (n->masked || !(w->keep & ~w->exec));
}

/* Executes the machine code of a region. */
static SGD_INTERP_INLINE void
run_native(struct sgd_warp *w, const struct sgd_native *n)
{
   const uint32_t kept = w->keep & ~w->exec;
   const uint32_t chunks = sgd_num_chunks(w->exec | kept);
   if (likely(!kept)) {
      n->full(w->file, NULL, chunks, sgd_first_lane(w->file, w->exec));
      return;
   }
   n->masked(w->file, &w->exec, chunks, sgd_first_lane(w->file, w->exec));
}

/* Returns true if i is a branch or exit that can be skipped because no lane takes it. */
static SGD_INTERP_INLINE bool
is_passed(const struct sgd_warp *w, const struct sgd_ins *i)
{
   switch ((enum sgd_ins_kind)i->kind) {
   case SGD_INS_BRA:
   case SGD_INS_BRK:
   case SGD_INS_CONT:
   case SGD_INS_EXIT:
   case SGD_INS_KIL:
      return !sgd_guarded_lanes(w, i);
   default:
      return false;
   }
}

/* Returns true if the warp must be stopped. Called if the warp has issued more instructions than
 * the worker's watchdog allows. If the watchdog timer expired for an earlier operation, rearms the
 * watchdog and lets the warp continue.
 */
static __attribute__((noinline)) bool
stops(const struct sgd_warp *w, uint64_t issued)
{
   struct sgd_worker *worker = w->worker;
   const uint64_t overdue = atomic_load_explicit(&worker->overdue, memory_order_acquire);

   if (overdue && overdue == atomic_load_explicit(&worker->operation, memory_order_relaxed))
      return true;
   if (!sgd_worker_watchdog(worker) && worker->armed)
      sgd_worker_arm(worker, worker->armed);
   return issued > sgd_worker_watchdog(worker);
}

static SGD_INTERP_INLINE bool
is_over(const struct sgd_warp *w, uint64_t issued)
{
   return unlikely(issued > sgd_worker_watchdog(w->worker)) && stops(w, issued);
}

/* Implements sgd_execute_fn. This function is inlined four times, so that instructions are counted
 * only if there is a limit, and that only translated programs look for machine code.
 */
static SGD_INTERP_INLINE enum sgd_warp_result
run_warp(struct sgd_warp *w, const bool translated, const bool limited, const uint64_t limit)
{
   uint8_t *m = w->file;
   const struct sgd_ins *i = sgd_decoded(w)->ins + w->pc;
   /* `issued` includes all instructions before this one */
   const struct sgd_ins *since = i;
   uint64_t issued = w->issued, native = 0;
   enum sgd_warp_result result = SGD_WARP_ENDED;
   bool ok = true;
   /* Only used at the observed level: the first of the instructions that haven't been
    * recorded yet, and the lanes that execute them.
    */
   const struct sgd_ins *first = i;
   uint32_t lanes = w->exec;

   do {
      uint64_t left = 0;
      if (limited) {
         left = limit - (issued - w->issued) - (uint64_t)(i - since);
         if (!left) {
            issued += (uint64_t)(i - since);
            w->pc = sgd_instr_index(w, i);
            if (SGD_OBSERVED_LEVEL)
               sgd_shader_observe_run(w, first, i, lanes);
            result = SGD_WARP_SUSPENDED;
            break;
         }
      }
      if (translated && i->native) {
         const struct sgd_native *n = &sgd_decoded(w)->translation->regions[i->native - 1];
         if ((!limited || left >= n->length) && can_run_native(w, n) &&
             (!n->jump ||
              issued + (uint64_t)(i - since) + n->span <= sgd_worker_watchdog(w->worker))) {
            if (n->operands)
               sgd_load_operands(w, i);
            run_native(w, n);
            native += n->length;
            if (n->jump) {
               issued += (uint64_t)(i - since) + n->length;
               since = i = sgd_decoded(w)->ins + n->next;
            } else {
               i += n->length;
            }
            while (!limited && is_passed(w, i) &&
                   issued + (uint64_t)(i - since) < sgd_worker_watchdog(w->worker))
               i++;
            continue;
         }
      }
      if (likely(i->run && !(w->keep & ~w->exec))) {
         const struct sgd_ins *end = i + (limited ? MIN2(left, i->run) : i->run);
         do {
            sgd_handler_table[i->handler](m, i, m);
         } while (++i != end);
         continue;
      }

      const uint32_t mask = sgd_guarded_lanes(w, i);
      switch ((enum sgd_ins_kind)i->kind) {
      case SGD_INS_CLK:
         if (mask)
            sgd_run_clock(w, i, mask, issued + (uint64_t)(i - since));
         i++;
         break;
      case SGD_INS_BAR:
         issued += (uint64_t)(i - since) + 1;
         w->pc = sgd_instr_index(w, i) + 1;
         result = is_over(w, issued) ? SGD_WARP_STOPPED : SGD_WARP_BARRIER;
         if (SGD_OBSERVED_LEVEL)
            sgd_shader_observe_run(w, first, i + 1, lanes);
         i = NULL;
         break;
      case SGD_INS_BRA:
      case SGD_INS_SSY:
      case SGD_INS_SYNC:
      case SGD_INS_PBK:
      case SGD_INS_BRK:
      case SGD_INS_PCNT:
      case SGD_INS_CONT:
      case SGD_INS_EXIT:
      case SGD_INS_KIL:
      case SGD_INS_DMT:
      case SGD_INS_END:
         /* The watchdog is checked only after control flow instructions. Straight-line code is
          * short, and only control flow can loop forever.
          */
         issued += (uint64_t)(i - since) + (i->kind != SGD_INS_END);
         const struct sgd_ins *control = i;
         i = run_control(w, i, mask, &ok);
         if (SGD_OBSERVED_LEVEL)
            sgd_shader_observe_control(w, control, i, &first, &lanes);
         since = i;
         if (unlikely(!ok || (i && is_over(w, issued)))) {
            if (SGD_OBSERVED_LEVEL)
               sgd_shader_observe_run(w, first, i, lanes);
            w->pc = i ? sgd_instr_index(w, i) : 0;
            result = SGD_WARP_STOPPED;
            i = NULL;
         }
         if (translated && !limited && i && sgd_can_run_program(w, sgd_instr_index(w, i), issued)) {
            w->pc = sgd_instr_index(w, i);
            result = SGD_WARP_SUSPENDED;
            i = NULL;
         }
         break;
      default:
         run_plain(w, i, mask);
         i++;
         break;
      }
   } while (i);

   w->worker->counters[SGPU_COUNTER_INSTRUCTIONS] += issued - w->issued;
   if (translated) {
      w->worker->counters[SGPU_COUNTER_NATIVE_WARPS] += !w->issued;
      w->worker->counters[SGPU_COUNTER_NATIVE_INSTRUCTIONS] += native;
   }
   w->issued = issued;
   return result;
}

enum sgd_warp_result
sgd_interpret(struct sgd_warp *w, uint64_t limit)
{
   w->worker->position.left = SGD_LEFT_COLD;
   return likely(limit == SGD_NO_LIMIT) ? run_warp(w, false, false, 0)
                                        : run_warp(w, false, true, limit);
}

enum sgd_warp_result
sgd_warm_up(struct sgd_warp *w, uint64_t limit)
{
   const uint64_t before = w->issued;
   const enum sgd_warp_result result = sgd_interpret(w, limit);
   sgd_heat_add(sgd_decoded(w)->heat, w->issued - before);
   return result;
}

enum sgd_warp_result
sgd_run_regions(struct sgd_warp *w, uint64_t limit)
{
   return likely(limit == SGD_NO_LIMIT) ? run_warp(w, true, false, 0)
                                        : run_warp(w, true, true, limit);
}

static void
native_other(struct sgd_warp *w, const struct sgd_ins *i)
{
   run_plain(w, i, sgd_guarded_lanes(w, i));
}

static uint32_t
native_kill(struct sgd_warp *w, const struct sgd_ins *i)
{
   lose_pixels(w, sgd_guarded_lanes(w, i), i->kind == SGD_INS_KIL);
   const bool goes_on = w->exec && sgd_exec_fits(w);
   return goes_on ? sgd_num_chunks(w->exec) : 0;
}

static uint32_t
native_leave(struct sgd_warp *w, const struct sgd_ins *i)
{
   leave(w, i, sgd_guarded_lanes(w, i));
   return w->exec;
}

const struct sgd_native_calls sgd_native_calls = {
   .texture = sgd_native_texture,
   .operands = sgd_load_operands,
   .other = native_other,
   .kill = native_kill,
   .part = sgd_make_stack,
   .leave = native_leave,
};
