/* SPDX-License-Identifier: MIT */
/*
 * Shader core, machine code of the translator: shared by the interpreter and what calls it.
 */
#ifndef SGD_NATIVE_H
#define SGD_NATIVE_H

#include "sgd_exec.h"
#include "sgd_translate.h"

extern const struct sgd_native_calls sgd_native_calls;

/* sgd_execute_fn: the interpreter, with machine code of regions.  Without a limit, it suspends
 * the warp where sgd_can_run_program() is true.
 */
sgd_execute_fn sgd_run_regions;

/* Chunks of eight lanes to the last one of `lanes`, which are not none: warps fill from lane 0
 * on.
 */
static inline uint32_t
sgd_num_chunks(uint32_t lanes)
{
   return SGD_WARP / 8 - (uint32_t)__builtin_clz(lanes) / 8;
}

/* Whether all regions of the program are for the lanes that execute. */
static inline bool
sgd_exec_fits(const struct sgd_warp *w)
{
   return !sgd_interp(w)->translation->quad || sgd_whole_quads(w->exec) == w->exec;
}

/* What of the warp's program can be run so. */
struct sgd_begun sgd_begin_native(const struct sgd_warp *w);

/* Executes begun->whole for the lanes of `active`, which are not none. */
static ALWAYS_INLINE void
sgd_run_whole(const struct sgd_native *whole, uint8_t *file, uint32_t active, uint64_t *counters)
{
   whole->full(file, NULL, sgd_num_chunks(active));
   counters[SGPU_COUNTER_INSTRUCTIONS] += whole->length;
   counters[SGPU_COUNTER_NATIVE_INSTRUCTIONS] += whole->length;
   counters[SGPU_COUNTER_NATIVE_WARPS]++;
}

/* Instructions that may be issued before the interpreter takes over: the watchdog may stop it
 * behind any control instruction.  Between two branches back, machine code issues each
 * instruction at most twice.
 */
static inline uint64_t
sgd_program_limit(const struct sgd_warp *w, uint64_t margin)
{
   const uint64_t watchdog = sgd_worker_watchdog(w->worker);
   return watchdog > margin ? watchdog - margin : 0;
}

/* Instructions that machine code issues before the interpreter looks whether the warp is to stop:
 * some tenths of a second where all of them are the dearest.
 */
#define SGD_NATIVE_SLICE (UINT64_C(1) << 18)

/* From w->pc on, whose code `entry` is.  True: the warp has ended; else *next is the instruction
 * to go on with.
 */
static ALWAYS_INLINE bool
sgd_execute_program(struct sgd_warp *w, sgd_program_fn *program, const void *entry, uint64_t limit,
                    uint32_t *next)
{
   const uint64_t before = w->issued;
   uint64_t *counters = w->worker->counters;

   w->depth = 0;
   *next = program(w, &sgd_native_calls, MIN2(limit, before + SGD_NATIVE_SLICE), entry,
                   sgd_num_chunks(w->exec));
   counters[SGPU_COUNTER_INSTRUCTIONS] += w->issued - before;
   counters[SGPU_COUNTER_NATIVE_INSTRUCTIONS] += w->issued - before;
   counters[SGPU_COUNTER_NATIVE_WARPS] += !before && w->issued;
   if (*next == SGD_PROGRAM_ENDED) {
      w->running &= ~w->exec;
      w->exec = 0;
   }
   return !w->exec;
}

/* Goes on with a warp that machine code has left at instruction `next`; `limit` is the code's. */
enum sgd_warp_result sgd_run_left(struct sgd_warp *w, uint32_t next, uint64_t limit);

bool sgd_lanes_agree(const struct sgd_warp *w, uint32_t n, uint64_t issued);

/* Whether machine code of the program can go on at an instruction, with so many issued. */
static inline bool
sgd_can_run_program(const struct sgd_warp *w, uint32_t n, uint64_t issued)
{
   return !(w->keep & ~w->exec) && sgd_lanes_agree(w, n, issued);
}

#endif
