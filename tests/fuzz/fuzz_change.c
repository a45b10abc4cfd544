/* SPDX-License-Identifier: MIT */
/*
 * Memory that changes while the device uses it: the areas and the stream.
 *
 * On x86-64, accesses to them are not allowed and fault. The signal handler writes other values to
 * nearby words, allows the access, and lets this single instruction continue. So each instruction
 * sees other values than the previous one. On other hosts, a thread writes to the memory meanwhile,
 * and timing decides which reads see these writes.
 */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE /* for REG_EFL */
#endif
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <ucontext.h>

#include "fuzz_submission.h"

static uint32_t
next(uint64_t *state)
{
   *state = *state * 6364136223846793005ull + 1442695040888963407ull;
   return (uint32_t)(*state >> 32);
}

/* Returns a value that is likely to matter: a restart index, a large or small index, a count. */
static uint32_t
any_word(uint64_t *state)
{
   const uint32_t r = next(state);

   switch (r % 8) {
   case 0:
   case 1:
      return ~0u;
   case 2:
      return 0;
   case 3:
      return r >> 28;
   case 4:
      return (r >> 8 & 0xff) * 0x01010101;
   case 5:
      return 0x3f800000;
   default:
      return next(state);
   }
}

#if defined(__x86_64__)

#define PAGE 4096
#define TRAP_FLAG 0x100

/* Maximum number of faults of a submission. After these, its memory is accessible as usual. */
#define MOST_FAULTS 2000

/* distance from the fault within which words change, in bytes */
#define NEAR 64

static struct {
   uint8_t *first, *last;
   bool rare; /* changes rarely, since programs and packets should mostly be valid */
} range[NUM_AREAS + 1];
static struct sigaction former;
static atomic_uint faults;
static atomic_bool closed;
static _Atomic uint64_t seed = 1;
/* One in `rate` accesses to the submission's memory changes words. If each access did, packets
 * would rarely pass their first check.
 */
static uint32_t rate;

/* Pages that the current instruction has made accessible. */
static _Thread_local uint8_t *opened[64];
static _Thread_local unsigned num_opened;

static void
protect(int access)
{
   for (unsigned i = 0; i < NUM_AREAS + 1; i++)
      mprotect(range[i].first, (size_t)(range[i].last - range[i].first), access);
}

static void
change_words(uint8_t *at, unsigned i)
{
   uint64_t state = atomic_fetch_add(&seed, 0x9e3779b97f4a7c15ull);
   uint8_t *page = (uint8_t *)((uintptr_t)at & ~(uintptr_t)(PAGE - 1));

   if (range[i].rare) {
      if (next(&state) % 2048 == 0)
         *(volatile uint32_t *)((uintptr_t)at & ~(uintptr_t)3) ^= 1u << next(&state) % 32;
      return;
   }
   if (next(&state) % rate)
      return;
   for (int n = -NEAR; n < NEAR; n += 4) {
      uint8_t *word = (uint8_t *)((uintptr_t)at & ~(uintptr_t)3) + n;
      if (word >= page && word < page + PAGE && next(&state) % 2)
         *(volatile uint32_t *)word = any_word(&state);
   }
}

static void
fault(int number, siginfo_t *info, void *context)
{
   ucontext_t *u = context;
   uint8_t *at = info->si_addr;
   unsigned i = 0;

   while (i < NUM_AREAS + 1 && (at < range[i].first || at >= range[i].last))
      i++;
   if (i == NUM_AREAS + 1 || num_opened == sizeof(opened) / sizeof(opened[0])) {
      /* Not an access of the device. The next fault goes to the sanitizer, or ends the process. */
      sigaction(SIGSEGV, &former, NULL);
      return;
   }
   if (atomic_fetch_add(&faults, 1) >= MOST_FAULTS) {
      atomic_store(&closed, false);
      protect(PROT_READ | PROT_WRITE);
      return;
   }
   uint8_t *page = (uint8_t *)((uintptr_t)at & ~(uintptr_t)(PAGE - 1));
   mprotect(page, PAGE, PROT_READ | PROT_WRITE);
   change_words(at, i);
   opened[num_opened++] = page;
   u->uc_mcontext.gregs[REG_EFL] |= TRAP_FLAG;
}

static void
behind(int number, siginfo_t *info, void *context)
{
   ucontext_t *u = context;

   while (num_opened) {
      num_opened--;
      if (atomic_load(&closed))
         mprotect(opened[num_opened], PAGE, PROT_NONE);
   }
   /* Another thread has reached the limit of faults, so all pages stay accessible. */
   if (!atomic_load(&closed))
      protect(PROT_READ | PROT_WRITE);
   u->uc_mcontext.gregs[REG_EFL] &= ~TRAP_FLAG;
}

void
fuzz_change_begin(void)
{
   struct sigaction action = { .sa_flags = SA_SIGINFO | SA_NODEFER };

   for (unsigned i = 0; i < NUM_AREAS + 1; i++) {
      const bool stream = i == NUM_AREAS;
      range[i].rare = stream || i == AREA_PROGRAMS;
      range[i].first = sgpu_bo_map(stream ? fuzz_world.stream : fuzz_world.areas[i]);
      range[i].last = range[i].first + (stream ? STREAM_WORDS * 4 : AREA_SIZE);
   }
   action.sa_sigaction = fault;
   sigaction(SIGSEGV, &action, &former);
   action.sa_sigaction = behind;
   sigaction(SIGTRAP, &action, NULL);
}

void
fuzz_change_during(bool works)
{
   rate = 1u << 3 * (atomic_fetch_add(&seed, 1) % 3);
   atomic_store(&faults, 0);
   atomic_store(&closed, works);
   protect(works ? PROT_NONE : PROT_READ | PROT_WRITE);
}

#else

static atomic_bool works_now, over;
static pthread_t thread;

static void *
change(void *data)
{
   uint64_t state = 1;

   while (!atomic_load(&over)) {
      volatile uint32_t *words = sgpu_bo_map(fuzz_world.areas[next(&state) % NUM_AREAS]);
      const uint32_t first = next(&state) % (AREA_SIZE / 4), count = 1 + next(&state) % 256;

      for (uint32_t i = first; i < AREA_SIZE / 4 && i < first + count; i++) {
         const uint32_t former = words[i];
         if (!atomic_load_explicit(&works_now, memory_order_relaxed))
            break;
         words[i] = any_word(&state);
         if (count & 1)
            words[i] = former;
      }
   }
   return NULL;
}

static void
end(void)
{
   atomic_store(&over, true);
   pthread_join(thread, NULL);
}

void
fuzz_change_begin(void)
{
   fuzz_require(!pthread_create(&thread, NULL, change, NULL), "no thread");
   atexit(end);
}

void
fuzz_change_during(bool works)
{
   atomic_store(&works_now, works);
}

#endif
