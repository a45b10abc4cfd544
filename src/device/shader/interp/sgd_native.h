/* SPDX-License-Identifier: MIT */
/*
 * Shader core: internal header for the execution of translated programs.
 */
#ifndef SGD_NATIVE_H
#define SGD_NATIVE_H

#include "shader/interp/sgd_exec.h"
#include "shader/program/sgd_translation.h"

extern const struct sgd_native_calls sgd_native_calls;

/* Implements sgd_execute_fn. Interprets the program, but runs its regions as machine code. If there
 * is no limit, suspends the warp as soon as sgd_can_run_program() returns true.
 */
sgd_execute_fn sgd_run_regions;

/* Returns the number of eight-lane chunks that machine code must process to include the last lane
 * in `lanes`, which must be nonzero. Warps are filled starting at lane 0.
 */
static inline uint32_t
sgd_num_chunks(uint32_t lanes)
{
   return SGD_WARP / 8 - (uint32_t)__builtin_clz(lanes) / 8;
}

/* Returns the argument `lane` of sgd_native_fn. `lanes` must be nonzero. */
static inline const uint8_t *
sgd_first_lane(const uint8_t *file, uint32_t lanes)
{
   return file + sizeof(uint32_t) * (unsigned)__builtin_ctz(lanes);
}

/* Returns true if the executing lanes are suitable for all regions of the program. Some regions
 * need whole quads.
 */
static inline bool
sgd_exec_fits(const struct sgd_warp *w)
{
   return !sgd_decoded(w)->translation->quad || sgd_whole_quads(w->exec) == w->exec;
}

/* Returns the code that the program's warps should start in: `t`, or that with the most lookups.
 * Asks for code if there is none for all lookups that are possible. The profiler counts texture
 * operations that are calls.
 */
const struct sgd_translation *sgd_code_with_lookups(const struct sgd_warp *w,
                                                    const struct sgd_translation *t);

/* Returns the machine code that can run the warp's program from its first instruction. */
struct sgd_begun sgd_begin_native(const struct sgd_warp *w);

/* Executes the machine code of a whole program for the lanes in `active`, which must be nonzero. */
static ALWAYS_INLINE void
sgd_run_whole(const struct sgd_native *whole, uint8_t *file, uint32_t active, uint64_t *counters)
{
   whole->full(file, NULL, sgd_num_chunks(active), sgd_first_lane(file, active));
   counters[SGPU_COUNTER_INSTRUCTIONS] += whole->length;
   counters[SGPU_COUNTER_NATIVE_INSTRUCTIONS] += whole->length;
   counters[SGPU_COUNTER_NATIVE_WARPS]++;
   counters[SGPU_COUNTER_TEXTURE_OPS] += whole->textures;
}

/* Returns the number of instructions that machine code may issue before the interpreter takes over.
 * The interpreter can stop a warp after any control flow instruction, but machine code checks the
 * limit only at backward branches, where waiting lanes continue, and in each round of the function
 * of a loop. It issues each instruction at most twice in between, which
 * `margin` accounts for.
 */
static inline uint64_t
sgd_program_limit(const struct sgd_warp *w, uint64_t margin)
{
   const uint64_t watchdog = sgd_worker_watchdog(w->worker);
   return watchdog > margin ? watchdog - margin : 0;
}

/* Maximum number of instructions that machine code issues before the interpreter checks whether the
 * warp must be stopped. They take a few tenths of a second if all of them are of the slowest kind.
 */
#define SGD_NATIVE_SLICE (UINT64_C(1) << 18)

/* Runs a program's machine code from instruction w->pc on, whose code is at `entry`. `lanes` are
 * all lanes that can execute. Returns true if the warp has ended. Otherwise sets *next to the
 * result of the code.
 */
static ALWAYS_INLINE bool
sgd_execute_program(struct sgd_warp *w, sgd_program_fn *program, const void *entry, uint64_t limit,
                    uint32_t lanes, uint32_t *next)
{
   const uint64_t before = w->issued;
   uint64_t *counters = w->worker->counters;

   *next = program(w, &sgd_native_calls, MIN2(limit, before + SGD_NATIVE_SLICE), entry,
                   sgd_num_chunks(lanes));
   counters[SGPU_COUNTER_INSTRUCTIONS] += w->issued - before;
   counters[SGPU_COUNTER_NATIVE_INSTRUCTIONS] += w->issued - before;
   counters[SGPU_COUNTER_NATIVE_WARPS] += !before && w->issued;
   if (*next == SGD_PROGRAM_ENDED) {
      w->running &= ~w->exec;
      w->exec = 0;
   }
   return !w->exec;
}

/* Continues a warp that machine code has left with the result `next`. `limit` must be the limit
 * that was passed to the machine code.
 */
enum sgd_warp_result sgd_run_left(struct sgd_warp *w, uint32_t next, uint64_t limit);

/* Fills the synchronization stack for instruction n, while all lanes agree. */
void sgd_make_stack(struct sgd_warp *w, uint32_t n);

/* Returns true if machine code can continue the warp at instruction n, after `issued` instructions.
 */
bool sgd_can_run_program(const struct sgd_warp *w, uint32_t n, uint64_t issued);

#endif
