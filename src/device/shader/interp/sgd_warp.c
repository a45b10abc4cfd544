/* SPDX-License-Identifier: MIT */
/*
 * Shader core: runs warps from start to end, in particular the worker's own warp.
 */
#include <stdlib.h>

#include "observe/records/sgd_observe_work.h"
#include "shader/interp/sgd_exec.h"
#include "shader/interp/sgd_native.h"
#include "common/sgd_observe.h"
#include "util/macros.h"

/* Copies the constants that the program addresses directly to the register file. Words beyond the
 * end of bank 0 are 0. The bank can end anywhere, even inside a vector.
 */
static void
fetch_constants(struct sgd_warp *w)
{
   const struct sgd_shader *shader = w->shader;
   const struct sgd_code *code = w->code;
   const struct sgd_bank *bank = &w->env->banks[0];
   uint32_t(*consts)[4] = (uint32_t(*)[4])(w->file + code->layout.base[SGPU_FILE_CONST]);
   const unsigned num_bank = code->num_bank_consts;

   if (bank->size >= code->bank_bytes && !bank->line_log2) {
      for (unsigned n = 0; n < num_bank; n++)
         memcpy(consts[n], bank->ptr + 16 * (size_t)code->consts[n], 16);
   } else if (bank->size >= code->bank_bytes) {
      for (unsigned n = 0; n < num_bank; n++)
         memcpy(consts[n], sgd_bank_byte(bank, 16 * (uint32_t)code->consts[n]), 16);
   } else {
      for (unsigned n = 0; n < num_bank; n++) {
         const size_t at = 16 * (size_t)code->consts[n];
         memset(consts[n], 0, 16);
         if (at < bank->size)
            memcpy(consts[n], sgd_bank_byte(bank, at), MIN2(bank->size - at, 16) & ~(size_t)3);
      }
   }

   const uint32_t *literals = shader->words + 4 * (size_t)shader->num_instrs;
   for (unsigned n = num_bank; n < code->num_consts; n++) {
      const uint32_t literal = code->consts[n] - shader->literal_base;
      if (literal < shader->num_literals)
         memcpy(consts[n], literals + 4 * (size_t)literal, 16);
      else
         memset(consts[n], 0, 16);
   }
}

void
sgd_warp_init(struct sgd_warp *w, const struct sgd_shader *shader, const struct sgd_env *env,
              uint8_t *file)
{
   const struct sgd_file_layout *layout = &shader->code->layout;

   w->shader = shader;
   w->code = shader->code;
   w->env = env;
   w->file = file;
   w->in = (struct sgd_vec *)sgd_lanes(file, layout->base[SGPU_FILE_INPUT]);
   w->out = (struct sgd_vec *)sgd_lanes(file, layout->base[SGPU_FILE_OUTPUT]);
   w->sys = (struct sgd_vec *)sgd_lanes(file, layout->base[SGPU_FILE_SYS]);
   w->scratch = sgd_lanes(file, layout->size);
   w->shared = NULL;
   w->shared_size = 0;
   w->stack = shader->stack_size <= SGD_OWN_STACK ? w->own : NULL;
   w->exec = 0;
   fetch_constants(w);
}

static void
clear_registers(struct sgd_warp *w)
{
   const struct sgd_preset *preset = w->code->presets;
   const struct sgd_preset *end = preset + w->code->num_presets;
   uint8_t *file = w->file;

   for (; preset != end; preset++) {
      uint32_t *lanes = sgd_lanes(file, preset->offset);
      const uint32_t value = preset->value;
      SGD_EACH_LANE(l) {
         lanes[l] = value;
      }
   }
   if (w->code->scratch_count)
      memset(&w->scratch[SGD_WARP * (size_t)w->code->scratch_first], 0,
             sizeof(uint32_t[SGD_WARP]) * w->code->scratch_count);
}

static inline void
clear_predicates(uint8_t *file)
{
   memset(sgd_lanes(file, SGD_FILE_PRED), 0, SGD_FILE_PRED_SIZE);
}

static inline void
start(struct sgd_warp *w, uint32_t active, uint32_t live)
{
   w->exec = w->running = w->keep = active;
   w->live = live & active;
   w->depth = 0;
   w->pc = 0;
   w->issued = 0;
   clear_predicates(w->file);
}

void
sgd_warp_start(struct sgd_warp *w, uint32_t active, uint32_t live)
{
   start(w, active, live);
   clear_registers(w);
}

/* Calls the interpreter, or machine code once the translator has published it. */
static inline enum sgd_warp_result
execute(struct sgd_warp *w, uint64_t limit)
{
   return __atomic_load_n(&w->code->execute, __ATOMIC_ACQUIRE)(w, limit);
}

enum sgd_warp_result
sgd_warp_run(struct sgd_warp *w, struct sgd_worker *worker, uint64_t limit)
{
   if (!w->exec)
      return SGD_WARP_ENDED;
   w->worker = worker;
   worker->position.shader = w->shader;
   if (SGD_OBSERVED_LEVEL)
      sgd_observe_warp(worker, w->shader, w->exec, w->issued != 0);
   return execute(w, limit);
}

void
sgd_warp_abandon(struct sgd_warp *w)
{
   const uint32_t lanes = w->running;

   for (unsigned o = 0; o < w->code->layout.num_out; o++) {
      if (!(w->shader->outputs_written >> o & 1))
         continue;
      for (unsigned c = 0; c < 4; c++) {
         uint32_t *out = w->out[o].c[c];
         SGD_EACH_LANE(l) {
            out[l] = sgd_select(lanes & sgd_lane_bit[l], c == 3 ? SGD_ONE_BITS : 0, out[l]);
         }
      }
   }
   w->live &= ~lanes;
   w->exec = w->running = 0;
   w->depth = 0;
}

/* Grows the stack of the core. Returns false if the allocation fails, in which case the program
 * must not run.
 */
static __attribute__((noinline)) bool
grow_stack(struct sgd_core *core, uint32_t size)
{
   if (core->stack_size < size) {
      free(core->stack);
      core->stack = malloc(size * sizeof(*core->stack));
      core->stack_size = core->stack ? size : 0;
   }
   core->warp.stack = core->stack;
   return core->stack;
}

/* Returns memory for the register file and scratch memory of a program that need more than
 * core->file, or NULL if an allocation fails.
 */
static __attribute__((noinline)) uint8_t *
grow_file(struct sgd_core *core, size_t size)
{
   if (core->large_file_size < size) {
      free(core->large_file);
      core->large_file = aligned_alloc(64, size);
      core->large_file_size = core->large_file ? size : 0;
      /* Lanes that never run have stale registers, but no undefined ones. */
      if (core->large_file)
         memset(core->large_file, 0, size);
   }
   return core->large_file;
}

void
sgd_shader_begin(struct sgd_worker *worker, const struct sgd_shader *shader,
                 const struct sgd_env *env)
{
   struct sgd_core *core = worker->core;
   const uint32_t size = shader->file_size;
   uint8_t *file = core->file;

   if (unlikely(size > sizeof(core->file)))
      file = grow_file(core, size);
   sgd_warp_init(&core->warp, shader, env, file ? file : core->file);
   worker->position.shader = shader;
   /* Without a stack, run_warp() reports that memory is missing. */
   if (unlikely(!file)) {
      core->warp.stack = NULL;
      core->begun = (struct sgd_begun){ 0 };
      return;
   }
   core->begun = (struct sgd_begun){ 0 };
   core->warp.worker = worker;
   if (likely(core->warp.stack) || grow_stack(core, shader->stack_size))
      core->begun = sgd_begin_native(&core->warp);
}

/*
 * The functions below run the worker's own warp. Most programs need only machine code, or only
 * start() and execute(), so all other code is kept out of line.
 */

__attribute__((noinline)) void
sgd_warp_stop(struct sgd_warp *w)
{
   struct sgd_worker *worker = w->worker;

   if (worker->stop.reason == SGD_STOP_NONE) {
      worker->stop = (struct sgd_stop_info){
         .reason = SGD_STOP_WATCHDOG,
         .stage = w->shader->stage,
         .program = w->shader->key,
         .pc = w->pc,
      };
   }
   sgd_worker_arm(worker, sgd_watchdog_after_stop(sgd_worker_watchdog(worker)));
   sgd_warp_abandon(w);
}

/* Continues a warp that has reached a barrier. It need not wait, because it is the only warp. Also
 * handles a warp that was stopped.
 */
static __attribute__((noinline)) void
run_on(struct sgd_warp *w, enum sgd_warp_result result)
{
   while (result == SGD_WARP_BARRIER)
      result = execute(w, SGD_NO_LIMIT);
   if (result == SGD_WARP_STOPPED)
      sgd_warp_stop(w);
}

/* Continues a warp after machine code has left it before the end of the program. */
static __attribute__((noinline)) void
leave_native(struct sgd_warp *w, uint32_t next, uint64_t limit)
{
   const enum sgd_warp_result result = sgd_run_left(w, next, limit);
   if (result != SGD_WARP_ENDED)
      run_on(w, result);
}

/* Runs a program that can't start in machine code. */
static __attribute__((noinline)) bool
run_warp(struct sgd_worker *worker, uint32_t active, uint32_t *live)
{
   struct sgd_warp *w = &worker->core->warp;
   const struct sgd_shader *shader = w->shader;

   if (unlikely(!w->stack)) {
      worker->stop.reason = SGD_STOP_MEMORY;
      return false;
   }
   start(w, active, *live);
   w->worker = worker;
   if (w->code->num_presets | w->code->scratch_count)
      clear_registers(w);
   if (SGD_OBSERVED_LEVEL)
      sgd_observe_warp(worker, shader, active, false);
   const enum sgd_warp_result result = execute(w, SGD_NO_LIMIT);
   if (unlikely(result != SGD_WARP_ENDED))
      run_on(w, result);
   *live = w->live;
   return true;
}

void
sgd_shader_run_all(struct sgd_worker *worker)
{
   struct sgd_core *core = worker->core;

   clear_predicates(core->warp.file);
   if (unlikely(core->begun.clears))
      clear_registers(&core->warp);
   core->begun.whole->full(core->warp.file, NULL, SGD_WARP / 8, core->warp.file);
}

bool
sgd_shader_run(struct sgd_worker *worker, const struct sgd_shader *shader,
               const struct sgd_env *env, uint32_t active, uint32_t *live)
{
   struct sgd_core *core = worker->core;
   struct sgd_warp *w = &core->warp;
   const struct sgd_begun *begun = &core->begun;

   assert(w->shader == shader && w->env == env);
   if (active == 0)
      return true;
   worker->position.left = SGD_LEFT_UNKNOWN;
   if (begun->quad && sgd_whole_quads(active) != active)
      return run_warp(worker, active, live);
   if (begun->whole) {
      clear_predicates(w->file);
      if (unlikely(begun->clears))
         clear_registers(w);
      sgd_run_whole(begun->whole, w->file, active, worker->counters);
      *live &= active;
      return true;
   }
   if (!begun->program)
      return run_warp(worker, active, live);
   start(w, active, *live);
   w->worker = worker;
   if (unlikely(begun->clears))
      clear_registers(w);
   const uint64_t limit = sgd_program_limit(w, begun->margin);
   uint32_t next = 0;
   if (unlikely(!limit ||
                !sgd_execute_program(w, begun->program, begun->entry, limit, active, &next)))
      leave_native(w, next, limit);
   *live = w->live;
   return true;
}
