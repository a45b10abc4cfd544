/* SPDX-License-Identifier: MIT */
/*
 * Holds a worker in the middle of its work until the test releases it, so that tests do not depend
 * on the speed of the machine. The worker reads a page that faults until it is released.
 */
#ifndef HOLD_H
#define HOLD_H

#include <errno.h>
#include <signal.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

#include "device_test.h"

/* The page that holds its readers, and two pipes. A reader reports on `arrived` that it is held,
 * and waits for a byte on `go_on`.
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

   /* For a fault outside of the page, restore the default action. The access is repeated then. */
   if (p < hold.page || p >= hold.page + hold.size) {
      sigaction(signal, &(struct sigaction){ .sa_handler = SIG_DFL }, NULL);
      return;
   }
   const int error = errno;
   if (write(hold.arrived[1], &c, 1) != 1 || read(hold.go_on[0], &c, 1) != 1)
      _exit(1);
   errno = error;
}

/* Makes readers of the buffer's first page wait for hold_release(). */
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

/* Waits until a reader is held. */
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

/* Polls until the condition holds. Only the time limit of the test ends it earlier. */
#define WAIT_UNTIL(condition)                                       \
   do {                                                             \
      while (!(condition))                                          \
         nanosleep(&(struct timespec){ .tv_nsec = 1000000 }, NULL); \
   } while (0)

#endif
