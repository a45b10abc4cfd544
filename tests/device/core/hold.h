/* SPDX-License-Identifier: MIT */
/*
 * Holds a worker in the middle of its work for as long as a test wants, so that
 * no test here depends on the speed of anything: the worker reads a page that
 * faults until it is released.
 */
#ifndef HOLD_H
#define HOLD_H

#include <errno.h>
#include <signal.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

#include "device_test.h"

/* The page that holds its readers, and the pipes: one on which a reader reports that
 * it is held, one that releases it.
 */
static struct {
   uint8_t *page;
   size_t size;
   int arrived[2], go_on[2];
   struct sigaction before;
} hold;

static inline void
on_fault(int signal, siginfo_t *info, void *context)
{
   const uint8_t *p = info->si_addr;
   char c = 0;

   /* A fault of the test's own: the access is made again without this handler. */
   if (p < hold.page || p >= hold.page + hold.size) {
      sigaction(signal, &(struct sigaction){ .sa_handler = SIG_DFL }, NULL);
      return;
   }
   const int error = errno;
   if (write(hold.arrived[1], &c, 1) != 1 || read(hold.go_on[0], &c, 1) != 1)
      _exit(1);
   errno = error;
}

/* From here on readers of the buffer's first page wait for hold_release(). */
static inline void
hold_begin(struct sgpu_bo *bo)
{
   const struct sigaction action = { .sa_sigaction = on_fault, .sa_flags = SA_SIGINFO };

   hold.page = sgpu_bo_map(bo);
   hold.size = SGPU_PAGE_SIZE;
   assert_int_equal(pipe(hold.arrived), 0);
   assert_int_equal(pipe(hold.go_on), 0);
   assert_int_equal(sigaction(SIGSEGV, &action, &hold.before), 0);
   assert_int_equal(mprotect(hold.page, hold.size, PROT_NONE), 0);
}

/* Returns when a worker is held. */
static inline void
hold_wait(void)
{
   char c;
   assert_int_equal(read(hold.arrived[0], &c, 1), 1);
}

static inline void
hold_release(void)
{
   char c = 0;
   assert_int_equal(mprotect(hold.page, hold.size, PROT_READ | PROT_WRITE), 0);
   assert_int_equal(write(hold.go_on[1], &c, 1), 1);
}

static inline void
hold_end(void)
{
   assert_int_equal(sigaction(SIGSEGV, &hold.before, NULL), 0);
   for (unsigned i = 0; i < 2; i++) {
      close(hold.arrived[i]);
      close(hold.go_on[i]);
   }
}

static inline uint64_t
counter(struct sgpu_device *dev, const char *name)
{
   uint64_t values[128];
   assert_true(sgpu_counter_count() <= 128);
   sgpu_device_read_counters(dev, values);
   for (unsigned i = 0; i < sgpu_counter_count(); i++) {
      if (!strcmp(sgpu_counter_get_info(i)->name, name))
         return values[i];
   }
   fail_msg("no counter %s", name);
   return 0;
}

/* Returns only when the condition holds; the test's own time-out is the limit. */
#define WAIT_UNTIL(condition)                                       \
   do {                                                             \
      while (!(condition))                                          \
         nanosleep(&(struct timespec){ .tv_nsec = 1000000 }, NULL); \
   } while (0)

#endif
