/* SPDX-License-Identifier: MIT */
/*
 * Shader core: the machine that runs a warp (Lindholm 2008, SIMT with a
 * synchronization stack), one host level.
 *
 * An instruction is executed for all 32 lanes where nothing of the lanes that
 * do not take part is needed any more, and through machine->result and a merge
 * else.  Lanes that have been killed, or never ran, are overwritten freely;
 * operations over quads see them as zeros.
 */
#include <stdlib.h>

#include "sgd_exec.h"
#include "sgd_worker.h"
#include "util/macros.h"

const uint32_t sgd_lane_bit[SGD_WARP] = {
   1u << 0,  1u << 1,  1u << 2,  1u << 3,  1u << 4,  1u << 5,  1u << 6,  1u << 7,
   1u << 8,  1u << 9,  1u << 10, 1u << 11, 1u << 12, 1u << 13, 1u << 14, 1u << 15,
   1u << 16, 1u << 17, 1u << 18, 1u << 19, 1u << 20, 1u << 21, 1u << 22, 1u << 23,
   1u << 24, 1u << 25, 1u << 26, 1u << 27, 1u << 28, 1u << 29, 1u << 30, 1u << 31,
};

/* Constants that the program names, to where its instructions find them.  Bank
 * 0 may end anywhere, even inside a vector: what is missing is zero.
 */
static void
fetch_constants(struct sgd_machine *m, const struct sgd_shader *shader, const struct sgd_env *env)
{
   const struct sgd_code *code = shader->decoded;
   const struct sgd_span *bank = &env->banks[0];
   uint32_t(*consts)[4] = m->consts;
   const unsigned num_bank = code->num_bank_consts;

   if (bank->size >= code->bank_bytes) {
      for (unsigned n = 0; n < num_bank; n++)
         memcpy(consts[n], bank->ptr + 16 * (size_t)code->consts[n], 16);
   } else {
      for (unsigned n = 0; n < num_bank; n++) {
         const size_t at = 16 * (size_t)code->consts[n];
         memset(consts[n], 0, 16);
         if (at < bank->size)
            memcpy(consts[n], bank->ptr + at, MIN2(bank->size - at, 16) & ~(size_t)3);
      }
   }

   const uint32_t *literals = shader->code + 4 * (size_t)shader->num_instrs;
   for (unsigned n = num_bank; n < code->num_consts; n++) {
      const uint32_t literal = code->consts[n] - shader->literal_base;
      if (literal < shader->num_literals)
         memcpy(consts[n], literals + 4 * (size_t)literal, 16);
      else
         memset(consts[n], 0, 16);
   }
}

void
sgd_shader_begin(struct sgd_worker *worker, const struct sgd_shader *shader,
                 const struct sgd_env *env)
{
   fetch_constants(worker->machine, shader, env);
   worker->machine->constants_of = shader;
}

static bool
prepare(struct sgd_warp *w)
{
   struct sgd_machine *m = w->m;
   const struct sgd_code *code = w->code;

   if (m->constants_of != w->shader) {
      fetch_constants(m, w->shader, w->env);
      m->constants_of = NULL;
   }
   memset(m->pred, 0, sizeof(m->pred));
   for (unsigned n = 0; n < code->num_presets; n++) {
      uint32_t *lanes = sgd_lanes((uint8_t *)m, code->presets[n].offset);
      const uint32_t value = code->presets[n].value;
      SGD_EACH_LANE(l) {
         lanes[l] = value;
      }
   }

   const uint32_t scratch = w->shader->scratch_size;
   if (scratch) {
      if (m->scratch_size < scratch) {
         free(m->scratch);
         m->scratch_size = 0;
         m->scratch = malloc((size_t)SGD_WARP * scratch);
         if (!m->scratch)
            return false;
         m->scratch_size = scratch;
      }
      memset(m->scratch, 0, (size_t)SGD_WARP * scratch);
   }
   return true;
}

/* Arithmetic that is more than its handler. */
static void
run_alu(struct sgd_warp *w, const struct sgd_ins *i, uint32_t mask)
{
   uint8_t *m = (uint8_t *)w->m;
   const bool direct =
      !(w->keep & ~mask) && !(i->flags & (SGD_INS_HAZARD | SGD_INS_REL_DST));
   uint8_t *dst = direct ? m : m + (offsetof(struct sgd_machine, result) - i->reg);
   const struct sgd_ins *arith = i;
   struct sgd_ins copy;

   if (i->flags & SGD_INS_LOAD)
      sgd_load_operands(w, i);
   if ((i->flags & SGD_INS_QUAD) && sgd_absent_lanes(w)) {
      /* Registers of absent lanes read as zeros, before modifiers. */
      const uint32_t absent = sgd_absent_lanes(w);
      const uint32_t zero = sgd_absent_value(w, i, 0);
      copy = *i;
      for (unsigned n = 0; n < i->num_comps; n++) {
         const uint32_t *from = sgd_lanes(m, i->comp[n].a);
         uint32_t *to = w->m->operand[0].c[i->dcomp[n]];
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

static void
run_load(struct sgd_warp *w, const struct sgd_ins *i, uint32_t mask)
{
   uint8_t *m = (uint8_t *)w->m;
   const bool direct = !(w->keep & ~mask) && !(i->flags & SGD_INS_REL_DST);
   uint8_t *dst = direct ? m : m + (offsetof(struct sgd_machine, result) - i->reg);

   if (i->flags & SGD_INS_LOAD)
      sgd_load_operands(w, i);
   if (i->kind == SGD_INS_LDC)
      sgd_load_const(w, i, dst);
   else if (i->kind == SGD_INS_LDV)
      sgd_load_vertex(w, i, dst);
   else
      sgd_load_local(w, i, dst);
   if (!direct)
      sgd_merge(w, i, mask);
}

/*
 * Control flow
 */

static bool
push(struct sgd_warp *w, enum sgd_entry_kind kind, uint32_t target, uint32_t lanes)
{
   if (w->depth == SGD_STACK_SIZE)
      return false;
   w->stack[w->depth++] = (struct sgd_entry){ .lanes = lanes, .target = target, .kind = kind };
   return true;
}

/* Pops until an entry has lanes, which go on at its target.  NULL: none has. */
static const struct sgd_ins *
resume(struct sgd_warp *w)
{
   while (w->depth) {
      const struct sgd_entry *e = &w->stack[--w->depth];
      if (e->lanes) {
         w->exec = e->lanes;
         return w->code->ins + e->target;
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

/* BRK, CONT: to the innermost entry of that kind. */
static void
leave_to(struct sgd_warp *w, enum sgd_entry_kind kind, uint32_t lanes)
{
   w->exec &= ~lanes;
   for (unsigned n = w->depth; n-- > 0 && w->stack[n].kind != kind;)
      w->stack[n].lanes &= ~lanes;
}

/* Lanes lose their pixel; where no lane of a quad has one any more, all its
 * lanes end.  Registers of lanes that end this way are of no use to anyone.
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
      uint32_t *helper = w->m->sys[SGPU_SYS_HELPER].c[0];
      SGD_EACH_LANE(l) {
         helper[l] |= lanes & sgd_lane_bit[l] ? ~0u : 0;
      }
   }
}

static inline uint32_t
guarded_lanes(const struct sgd_warp *w, const struct sgd_ins *i)
{
   if (!(i->flags & SGD_INS_GUARD))
      return w->exec;
   const uint32_t p = w->m->pred[i->guard / 4][i->guard % 4];
   return w->exec & (i->flags & SGD_INS_GUARD_NOT ? ~p : p);
}

/* Executes a control instruction at i for the lanes of `mask`; returns where to
 * go on, NULL when no lane is left.  *ok is cleared when the stack is full,
 * which checked programs cannot make it.
 */
static const struct sgd_ins *
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
      return w->code->ins + i->target;
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
      unreachable("not a control instruction");
   }
   return w->exec ? i + 1 : resume(w);
}

static bool
run(struct sgd_warp *w)
{
   uint8_t *m = (uint8_t *)w->m;
   const struct sgd_ins *i = w->code->ins;
   const struct sgd_ins *since = i;      /* counted up to here */
   uint64_t issued = 0, textures = 0;
   bool ok = true;

   while (i) {
      if (likely(i->run && !(w->keep & ~w->exec))) {
         const struct sgd_ins *end = i + i->run;
         do {
            sgd_handler_table[i->handler](m, i, m);
         } while (++i != end);
         continue;
      }

      const uint32_t mask = guarded_lanes(w, i);
      switch ((enum sgd_ins_kind)i->kind) {
      case SGD_INS_ALU:
      case SGD_INS_PRED:
         if (mask)
            run_alu(w, i, mask);
         i++;
         break;
      case SGD_INS_TEX:
         if (mask)
            sgd_run_texture(w, i, mask);
         textures++;
         i++;
         break;
      case SGD_INS_IPA:
         if (mask)
            sgd_run_interpolation(w, i, mask);
         i++;
         break;
      case SGD_INS_LDC:
      case SGD_INS_LDL:
      case SGD_INS_LDV:
         if (mask)
            run_load(w, i, mask);
         i++;
         break;
      case SGD_INS_STL:
         if (mask)
            sgd_store_local(w, i, mask);
         i++;
         break;
      case SGD_INS_EMIT:
         if (mask && w->worker->stage_io)
            w->worker->stage_io->emit(w->worker, i->target, mask);
         i++;
         break;
      case SGD_INS_CUT:
         if (mask && w->worker->stage_io)
            w->worker->stage_io->cut(w->worker, i->target, mask);
         i++;
         break;
      case SGD_INS_NOP:
         i++;
         break;
      default:
         /* Straight runs are short; only what may repeat is watched. */
         issued += (uint64_t)(i - since) + (i->kind != SGD_INS_END);
         i = run_control(w, i, mask, &ok);
         since = i;
         if (unlikely(issued > w->worker->watchdog || !ok)) {
            w->worker->stopped = SGD_STOP_WATCHDOG;
            i = NULL;
            ok = false;
         }
         break;
      }
   }
   w->worker->counters[SGPU_COUNTER_INSTRUCTIONS] += issued;
   w->worker->counters[SGPU_COUNTER_TEXTURE_OPS] += textures;
   return ok;
}

bool
sgd_shader_run(struct sgd_worker *worker, const struct sgd_shader *shader,
               const struct sgd_env *env, uint32_t active, uint32_t *live)
{
   struct sgd_warp w;
   w.m = worker->machine;
   w.worker = worker;
   w.shader = shader;
   w.code = shader->decoded;
   w.env = env;
   w.exec = w.running = w.keep = active;
   w.live = *live & active;
   w.depth = 0;

   if (active == 0)
      return true;
   if (!prepare(&w)) {
      worker->stopped = SGD_STOP_MEMORY;
      return false;
   }
   const bool ok = run(&w);
   *live = w.live;
   return ok;
}
