/* SPDX-License-Identifier: MIT */
/*
 * Decides which programs are translated to machine code, when, and on which thread.
 *
 * With SGPU_EXEC=auto, the interpreter counts the instructions that it executes for each program.
 * Once a program has executed a certain multiple of its length, it is considered hot, and waits for
 * the translator thread. This thread always picks the waiting program with the most executed
 * instructions.
 *
 * The machine code is published by storing code->execute with release semantics. A warp reads
 * code->execute once, and uses this function until it ends or reaches a barrier. The interpreter
 * and the machine code produce exactly the same results.
 */
#include "control/cp/sgd_translator.h"

#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>

#include "shader/program/sgd_decode.h"
#include "common/sgd_lock.h"
#include "control/cp/sgd_cp_profile.h"
#include "control/cp/sgd_shader_cache.h"
#include "common/sgd_time.h"
#include "shader/translate/sgd_translate.h"
#include "shader/program/sgd_translation.h"
#include "util/macros.h"
#include "util/u_thread.h"

/* Number of warps (of a program without loops) after which the program is hot. Translating an
 * instruction takes as long as interpreting it for about a hundred warps, according to
 * docs/performance.md. With a lower limit, too much time would be spent on programs that are rarely
 * used.
 */
#define WARM_UP 96
/* Added to the process's nice value for the translator thread. If the thread shares a CPU with a
 * worker, it gets about a tenth of the CPU time.
 */
#define NICE 10

static void
tell(const struct sgd_translator *t, const char *text)
{
   if (t->print)
      fprintf(stderr, "sgpu: jit: %s\n", text);
}

static bool
translate(struct sgd_translator *t, struct sgd_shader *shader)
{
   const uint64_t start = sgd_time_ns();
   const bool ok = sgd_translate(shader, t->ops->run_translated, t->ops->avx512);
   const uint64_t time = sgd_time_ns() - start;
   __atomic_fetch_add(&t->time_ns, time, __ATOMIC_RELAXED);
   if (!ok)
      return false;
   const struct sgd_translation *made = ((struct sgd_decoded *)shader->code)->translation;
   __atomic_fetch_add(&t->programs, 1, __ATOMIC_RELAXED);
   __atomic_fetch_add(&t->regions, made->num_regions, __ATOMIC_RELAXED);
   __atomic_fetch_add(&t->bytes, made->size, __ATOMIC_RELAXED);
   if (t->print)
      sgd_print_translation(shader, time);
   if (t->perf_map)
      sgd_map_translation(shader);
   sgd_profile_code(t->profile, shader, time);
   return true;
}

/* Makes code with lookups. Returns false if there is none. */
static bool
translate_lookups(struct sgd_translator *t, struct sgd_shader *shader,
                  const struct sgd_lookup_forms *forms)
{
   const uint64_t start = sgd_time_ns();
   const bool ok = sgd_translate_lookups(shader, forms, t->ops->avx512);
   const uint64_t time = sgd_time_ns() - start;

   __atomic_fetch_add(&t->time_ns, time, __ATOMIC_RELAXED);
   if (!ok)
      return false;
   const struct sgd_decoded *decoded = (const struct sgd_decoded *)shader->code;
   const struct sgd_translation *made = decoded->translation->with_lookups;
   __atomic_fetch_add(&t->regions, made->num_regions, __ATOMIC_RELAXED);
   __atomic_fetch_add(&t->bytes, made->size, __ATOMIC_RELAXED);
   if (t->print)
      sgd_print_lookups(shader, time);
   if (t->perf_map)
      sgd_map_lookups(shader);
   return true;
}

/* Makes the code with lookups for which workers have asked. */
static void
translate_asked(struct sgd_translator *t, struct sgd_shader *shader)
{
   struct sgd_heat *heat = ((struct sgd_decoded *)shader->code)->heat;

   for (unsigned n = 0; n < SGD_HEAT_ASKS; n++) {
      if (__atomic_load_n(&heat->asked[n], __ATOMIC_ACQUIRE) && !(heat->refused >> n & 1) &&
          !translate_lookups(t, shader, heat->lookups[n]))
         heat->refused |= 1u << n;
   }
}

/* Returns true if the interpreter still counts the program's instructions. */
static bool
is_warming_up(const struct sgd_translator *t, const struct sgd_shader *shader)
{
   return __atomic_load_n(&shader->code->execute, __ATOMIC_ACQUIRE) == t->ops->warm_up;
}

/* Removes the hottest program from the list of waiting programs, and returns it, or NULL if the
 * list is empty. Called with the lock held.
 */
static struct sgd_shader *
take_hottest(struct sgd_translator *t)
{
   struct sgd_heat *best = NULL;
   int64_t least = 0;
   list_for_each_entry(struct sgd_heat, heat, &t->waiting, link) {
      const int64_t left = __atomic_load_n(&heat->left, __ATOMIC_RELAXED);
      if (!best || left < least) {
         best = heat;
         least = left;
      }
   }
   if (!best)
      return NULL;
   list_del(&best->link);
   best->waiting = false;
   return best->shader;
}

static void *
translator_main(void *data)
{
   struct sgd_translator *t = data;

   u_thread_setname("sgpu:jit");
   /* On Linux, setpriority() only affects the calling thread. */
   setpriority(PRIO_PROCESS, 0, getpriority(PRIO_PROCESS, 0) + NICE);
   const bool able = sgd_can_translate();
   if (!able)
      tell(t, "the system refuses executable memory");

   pthread_mutex_lock(&t->lock);
   while (!t->stopping) {
      struct sgd_shader *shader = take_hottest(t);
      if (!shader) {
         pthread_cond_wait(&t->wake, &t->lock);
         continue;
      }
      t->current = shader;
      pthread_mutex_unlock(&t->lock);
      if (!is_warming_up(t, shader))
         translate_asked(t, shader);
      else if (!able || !translate(t, shader))
         __atomic_store_n(&shader->code->execute, t->ops->interpret, __ATOMIC_RELEASE);
      pthread_mutex_lock(&t->lock);
      t->current = NULL;
      sgd_shader_unref(shader);
   }
   pthread_mutex_unlock(&t->lock);
   return NULL;
}

/* Adds a program to the list for the translator thread. Called with the lock held. */
static void
enqueue(struct sgd_translator *t, struct sgd_heat *heat)
{
   /* The new thread inherits the worker's signal mask, so it doesn't handle signals of the
    * application.
    */
   if (!t->started)
      t->started = pthread_create(&t->thread, NULL, translator_main, t) == 0;
   if (t->started && !heat->waiting) {
      __atomic_fetch_add(&heat->shader->refs, 1, __ATOMIC_RELAXED);
      list_addtail(&heat->link, &t->waiting);
      heat->waiting = true;
      pthread_cond_signal(&t->wake);
   }
}

/* Callback for sgd_heat.hot */
static void
wait_for_translation(struct sgd_heat *heat)
{
   struct sgd_translator *t = heat->translator;

   /* Don't block on the lock: the translator thread has a low priority and may be preempted while
    * it holds the lock. Try again after about one more warp.
    */
   if (pthread_mutex_trylock(&t->lock)) {
      __atomic_store_n(&heat->left, heat->shader->num_instrs, __ATOMIC_RELAXED);
      return;
   }
   enqueue(t, heat);
   pthread_mutex_unlock(&t->lock);
}

/* Callback for sgd_heat.ask. If the lock is held elsewhere, a worker asks again later. */
static void
ask_for_lookups(struct sgd_heat *heat, const struct sgd_lookup_forms *forms, uint32_t hash)
{
   struct sgd_translator *t = heat->translator;
   unsigned n = 0;

   if (pthread_mutex_trylock(&t->lock))
      return;
   while (n < SGD_HEAT_ASKS && heat->asked[n] && heat->asked[n] != hash)
      n++;
   if (n < SGD_HEAT_ASKS && !heat->asked[n]) {
      heat->lookups[n] = malloc(sizeof(*forms));
      if (heat->lookups[n]) {
         *heat->lookups[n] = *forms;
         enqueue(t, heat);
      }
      if (heat->lookups[n] && t->started) {
         __atomic_store_n(&heat->asked[n], hash, __ATOMIC_RELEASE);
      } else {
         free(heat->lookups[n]);
         heat->lookups[n] = NULL;
      }
   }
   pthread_mutex_unlock(&t->lock);
}

void
sgd_translator_init(struct sgd_translator *t, const struct sgpu_device_params *params,
                    enum sgpu_host_level level, const struct sgd_arch_ops *ops)
{
   t->ops = ops;
   t->exec = params->exec;
   t->print = params->print_translations;
   t->perf_map = params->perf_map;
   pthread_mutex_init(&t->lock, NULL);
   pthread_cond_init(&t->wake, NULL);
   list_inithead(&t->waiting);
   if (t->exec == SGPU_EXEC_INTERP)
      return;
   /* Levels below v3 lack AVX2. The level for observers is below v3, too, because its interpreter
    * must record each instruction.
    */
   if (level < SGPU_HOST_V3) {
      tell(t, "the engines' host level has no machine code");
      t->exec = SGPU_EXEC_INTERP;
   } else if (t->exec == SGPU_EXEC_JIT && !sgd_can_translate()) {
      tell(t, "the system refuses executable memory");
      t->exec = SGPU_EXEC_INTERP;
   }
}

void
sgd_translator_finish(struct sgd_translator *t)
{
   if (t->started) {
      pthread_mutex_lock(&t->lock);
      t->stopping = true;
      pthread_cond_signal(&t->wake);
      pthread_mutex_unlock(&t->lock);
      pthread_join(t->thread, NULL);
   }
   list_for_each_entry(struct sgd_heat, heat, &t->waiting, link)
      sgd_shader_unref(heat->shader);
   pthread_cond_destroy(&t->wake);
   pthread_mutex_destroy(&t->lock);
}

bool
sgd_translator_before_fork(struct sgd_translator *t, uint64_t deadline)
{
   return sgd_lock_before(&t->lock, deadline);
}

void
sgd_translator_after_fork(struct sgd_translator *t)
{
   pthread_mutex_unlock(&t->lock);
}

/* Lets the program become hot again after one more warp, or ask for lookups again, and drops a
 * reference to the program.
 */
static void
cool_down(const struct sgd_translator *t, struct sgd_shader *shader)
{
   struct sgd_heat *heat = ((struct sgd_decoded *)shader->code)->heat;

   heat->waiting = false;
   if (is_warming_up(t, shader))
      __atomic_store_n(&heat->left, shader->num_instrs, __ATOMIC_RELAXED);
   for (unsigned n = 0; n < SGD_HEAT_ASKS; n++) {
      __atomic_store_n(&heat->asked[n], 0, __ATOMIC_RELAXED);
      free(heat->lookups[n]);
      heat->lookups[n] = NULL;
   }
   heat->refused = 0;
   sgd_shader_unref(shader);
}

void
sgd_translator_after_fork_child(struct sgd_translator *t)
{
   pthread_mutex_unlock(&t->lock);
   pthread_cond_init(&t->wake, NULL);
   t->started = false;
   list_for_each_entry_safe(struct sgd_heat, heat, &t->waiting, link) {
      list_del(&heat->link);
      cool_down(t, heat->shader);
   }
   if (t->current)
      cool_down(t, t->current);
   t->current = NULL;
}

void
sgd_translator_add(struct sgd_translator *t, struct sgd_shader *shader)
{
   struct sgd_decoded *decoded = (struct sgd_decoded *)shader->code;

   sgd_profile_program(t->profile, shader);
   if (t->exec == SGPU_EXEC_INTERP)
      return;
   decoded->heat = malloc(sizeof(*decoded->heat));
   if (decoded->heat)
      *decoded->heat = (struct sgd_heat){
         .left = (int64_t)WARM_UP * shader->num_instrs,
         .hot = wait_for_translation,
         .ask = ask_for_lookups,
         .translator = t,
         .shader = shader,
      };
   if (t->exec == SGPU_EXEC_JIT)
      translate(t, shader);
   else if (decoded->heat)
      shader->code->execute = t->ops->warm_up;
}

void
sgd_translator_count(const struct sgd_translator *t, uint64_t *values)
{
   values[SGPU_COUNTER_PROGRAMS_TRANSLATED] = __atomic_load_n(&t->programs, __ATOMIC_RELAXED);
   values[SGPU_COUNTER_REGIONS_TRANSLATED] = __atomic_load_n(&t->regions, __ATOMIC_RELAXED);
   values[SGPU_COUNTER_TRANSLATED_BYTES] = __atomic_load_n(&t->bytes, __ATOMIC_RELAXED);
   values[SGPU_COUNTER_TRANSLATE_NS] = __atomic_load_n(&t->time_ns, __ATOMIC_RELAXED);
}
