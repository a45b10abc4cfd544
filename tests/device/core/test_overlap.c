/* SPDX-License-Identifier: MIT */
/*
 * What goes on at the same time: submissions that return before their work
 * ends, operations that overtake earlier ones, queues that wait for each
 * other. One worker is held in the middle of a copy for as long as a test
 * wants, so that nothing here depends on how fast anybody is.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <signal.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

#include "device_test.h"

#define HELD_SIZE 4096

/* The buffer whose first page holds whoever reads it, and the pipes by which
 * that one says that it is there and learns that it may go on.
 */
static struct {
   uint8_t *page;
   size_t size;
   int arrived[2], go_on[2];
   struct sigaction before;
} hold;

static void
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

/* From here on who reads the buffer waits for hold_release(). */
static void
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
static void
hold_wait(void)
{
   char c;
   assert_int_equal(read(hold.arrived[0], &c, 1), 1);
}

static void
hold_release(void)
{
   char c = 0;
   assert_int_equal(mprotect(hold.page, hold.size, PROT_READ | PROT_WRITE), 0);
   assert_int_equal(write(hold.go_on[1], &c, 1), 1);
}

static void
hold_end(void)
{
   assert_int_equal(sigaction(SIGSEGV, &hold.before, NULL), 0);
   for (unsigned i = 0; i < 2; i++) {
      close(hold.arrived[i]);
      close(hold.go_on[i]);
   }
}

static void
emit_copy_buffer(struct stream *s, struct sgpu_bo *to, struct sgpu_bo *from)
{
   EMIT(s, COPY_BUFFER, cfg) {
      cfg.source = stream_use(s, from);
      cfg.destination = stream_use(s, to);
      cfg.size = HELD_SIZE;
   }
}

static void
emit_fill(struct stream *s, struct sgpu_bo *bo, uint32_t value)
{
   EMIT(s, FILL_BUFFER, cfg) {
      cfg.destination = stream_use(s, bo);
      cfg.size = HELD_SIZE;
      cfg.pattern_size = 4;
      cfg.pattern_0 = value;
   }
}

static uint32_t
last_word(struct sgpu_bo *bo)
{
   return __atomic_load_n((uint32_t *)sgpu_bo_map(bo) + HELD_SIZE / 4 - 1, __ATOMIC_RELAXED);
}

static uint64_t
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

/* Ends only when what is said happens; if it never does, the test's own time is
 * its limit.
 */
#define WAIT_UNTIL(condition)                                                                      \
   do {                                                                                            \
      while (!(condition))                                                                         \
         nanosleep(&(struct timespec){ .tv_nsec = 1000000 }, NULL);                                \
   } while (0)

/* A submission returns before its work ends; a later, independent operation of
 * it ends before the earlier one; two workers are busy at once.
 */
static void
test_overtaking(void **state)
{
   struct sgpu_device *dev = test_device(2, SGPU_DISPATCH_OOO_SPLIT, 0);
   struct sgpu_queue *queue;
   struct stream s;

   assert_int_equal(sgpu_queue_create(dev, &queue), 0);
   struct sgpu_bo *held = test_bo(dev, HELD_SIZE), *copy = test_bo(dev, HELD_SIZE);
   struct sgpu_bo *other = test_bo(dev, HELD_SIZE);
   memset(sgpu_bo_map(held), 0x33, HELD_SIZE);

   hold_begin(held);
   stream_begin(&s, dev, queue);
   emit_copy_buffer(&s, copy, held);
   emit_fill(&s, other, 1234);
   const uint64_t seqno = stream_submit(&s);
   hold_wait();
   WAIT_UNTIL(counter(dev, "overtakes") == 1);
   assert_int_equal(last_word(other), 1234);
   assert_int_equal(last_word(copy), 0);
   assert_true(sgpu_queue_completed(queue) < seqno);
   assert_int_equal(sgpu_queue_wait(queue, seqno, 0), -ETIME);
   assert_true(sgpu_bo_busy(copy));
   hold_release();

   assert_int_equal(sgpu_queue_wait(queue, seqno, UINT64_MAX), 0);
   assert_true(sgpu_queue_completed(queue) >= seqno);
   assert_false(sgpu_bo_busy(copy));
   assert_int_equal(last_word(copy), 0x33333333);
   assert_int_equal(counter(dev, "overtakes"), 1);
   assert_int_equal(counter(dev, "busy_max"), 2);
   hold_end();

   sgpu_queue_destroy(queue);
   sgpu_bo_destroy(held);
   sgpu_bo_destroy(copy);
   sgpu_bo_destroy(other);
   sgpu_device_destroy(dev);
}

/* In order, nothing begins before what is earlier has ended. */
static void
test_in_order(void **state)
{
   struct sgpu_device *dev = test_device(2, SGPU_DISPATCH_INORDER, 0);
   struct sgpu_queue *queue;
   struct stream s;

   assert_int_equal(sgpu_queue_create(dev, &queue), 0);
   struct sgpu_bo *held = test_bo(dev, HELD_SIZE), *copy = test_bo(dev, HELD_SIZE);
   struct sgpu_bo *other = test_bo(dev, HELD_SIZE);

   hold_begin(held);
   stream_begin(&s, dev, queue);
   emit_copy_buffer(&s, copy, held);
   emit_fill(&s, other, 1234);
   const uint64_t seqno = stream_submit(&s);
   hold_wait();
   assert_int_equal(last_word(other), 0);
   hold_release();
   assert_int_equal(sgpu_queue_wait(queue, seqno, UINT64_MAX), 0);
   assert_int_equal(last_word(other), 1234);
   assert_int_equal(counter(dev, "overtakes"), 0);
   hold_end();

   sgpu_queue_destroy(queue);
   sgpu_bo_destroy(held);
   sgpu_bo_destroy(copy);
   sgpu_bo_destroy(other);
   sgpu_device_destroy(dev);
}

/* Work of a queue that waits for a fence of another begins after that, while a
 * third queue that waits for nobody goes on.
 */
static void
test_fence_holds(void **state)
{
   struct sgpu_device *dev = test_device(2, SGPU_DISPATCH_OOO_SPLIT, 0);
   struct sgpu_queue *q[3];
   struct sgpu_bo *held = test_bo(dev, HELD_SIZE), *copy = test_bo(dev, HELD_SIZE);
   struct sgpu_bo *after = test_bo(dev, HELD_SIZE), *free_of_it = test_bo(dev, HELD_SIZE);
   struct stream s;
   uint64_t seqno;

   for (unsigned i = 0; i < 3; i++)
      assert_int_equal(sgpu_queue_create(dev, &q[i]), 0);

   hold_begin(held);
   stream_begin(&s, dev, q[0]);
   emit_copy_buffer(&s, copy, held);
   const struct sgpu_fence fence = { q[0], stream_submit(&s) };
   hold_wait();

   stream_begin(&s, dev, q[1]);
   emit_fill(&s, after, 5);
   const struct sgpu_submit submit = {
      .address = sgpu_bo_address(s.bo), .words = s.count, .bos = s.bos, .num_bos = s.num_bos,
      .waits = &fence, .num_waits = 1,
   };
   assert_int_equal(sgpu_queue_submit(q[1], &submit, &seqno), 0);
   sgpu_bo_destroy(s.bo);

   stream_begin(&s, dev, q[2]);
   emit_fill(&s, free_of_it, 6);
   stream_run(&s);
   assert_int_equal(last_word(free_of_it), 6);
   assert_int_equal(last_word(after), 0);
   assert_true(sgpu_queue_completed(q[1]) < seqno);

   hold_release();
   assert_int_equal(sgpu_queue_wait(q[1], seqno, UINT64_MAX), 0);
   assert_int_equal(last_word(after), 5);
   assert_true(sgpu_queue_completed(q[0]) >= fence.seqno);
   hold_end();

   for (unsigned i = 0; i < 3; i++)
      sgpu_queue_destroy(q[i]);
   sgpu_bo_destroy(held);
   sgpu_bo_destroy(copy);
   sgpu_bo_destroy(after);
   sgpu_bo_destroy(free_of_it);
   sgpu_device_destroy(dev);
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_overtaking),
      cmocka_unit_test(test_in_order),
      cmocka_unit_test(test_fence_holds),
   };
   return cmocka_run_group_tests_name("overlap", tests, NULL, NULL);
}
