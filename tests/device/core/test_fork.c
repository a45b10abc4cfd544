/* SPDX-License-Identifier: MIT */
/*
 * A device across fork(): parent and child each finish their copy of the work that is under way. A
 * device in virtual time is dead in the child: its calls return errors, and none of them hangs.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include "device_test.h"

#define SIZE 1024
#define CLEARS 50
#define SECONDS 60

static struct sgpu_device *dev;
static struct sgpu_queue *queue;
static struct test_surface target;
static uint64_t seqno;

static void
submit_clears(uint32_t first)
{
   struct stream s;

   stream_begin(&s, dev, queue);
   for (unsigned i = 0; i < CLEARS; i++)
      emit_clear(&s, &target, first + i, 0, 0, SIZE, SIZE);
   seqno = stream_submit(&s);
}

static bool
has(uint32_t value)
{
   bool same = true;

   for (unsigned i = 0; i < SIZE; i += 93)
      same &= *(uint32_t *)test_element(&target, i, SIZE - 1 - i) == value;
   return same;
}

static void
begin(const struct sgpu_device_params *params)
{
   assert_int_equal(sgpu_device_create(params, &dev), 0);
   queue = test_queue(dev);
   target = test_surface(dev, SGPU_FORMAT_R32_UINT, SGPU_LAYOUT_TILED, SIZE, SIZE);
}

static void
end(void)
{
   sgpu_queue_destroy(queue);
   sgpu_bo_destroy(target.bo);
   sgpu_device_destroy(dev);
}

/* Runs a function in a child, and checks that it returns true.  `working`: workers of this process
 * have work.
 */
static void
in_child(bool (*run)(void), bool working)
{
   /* ThreadSanitizer forbids new threads in the child of a process with threads. */
#ifdef __SANITIZE_THREAD__
   return;
#endif
   /* GCC's AddressSanitizer does not take the locks of its allocator at a fork, so the child would
    * deadlock if another thread allocated memory at that time.
    */
#ifdef __SANITIZE_ADDRESS__
   if (working)
      return;
#endif
   const pid_t pid = fork();
   if (pid == 0) {
      alarm(SECONDS);
      _exit(!run());
   }
   int status;
   assert_true(pid > 0);
   assert_int_equal(waitpid(pid, &status, 0), pid);
   assert_int_equal(status, 0);
}

static bool
waits(void)
{
   if (sgpu_queue_wait(queue, seqno, UINT64_MAX) || !has(CLEARS - 1))
      return false;
   submit_clears(1000);
   const bool ok = !sgpu_queue_wait(queue, seqno, UINT64_MAX) && has(1000 + CLEARS - 1);
   end();
   return ok;
}

/* The child makes no call that waits. */
static bool
polls(void)
{
   while (sgpu_queue_completed(queue) < seqno)
      usleep(1000);
   return has(CLEARS - 1) && !sgpu_bo_busy(target.bo);
}

static bool
waits_for_buffer(void)
{
   return !sgpu_bo_wait(target.bo, UINT64_MAX) && has(CLEARS - 1);
}

/* sgpu_queue_destroy() waits for the work of the queue. */
static bool
ends(void)
{
   sgpu_queue_destroy(queue);
   const bool ok = has(CLEARS - 1);
   sgpu_bo_destroy(target.bo);
   sgpu_device_destroy(dev);
   return ok;
}

static bool
leaves(void)
{
   sgpu_device_destroy(dev);
   return true;
}

static bool
has_a_child(void)
{
   const pid_t pid = fork();
   int status;

   if (pid == 0) {
      alarm(SECONDS);
      _exit(!waits());
   }
   return waitpid(pid, &status, 0) == pid && status == 0 && waits();
}

static bool
makes_another(void)
{
   struct sgpu_device *old = dev;

   begin(&(struct sgpu_device_params){ .threads = 2, .dispatch = SGPU_DISPATCH_OOO_SPLIT });
   submit_clears(7);
   const bool ok = !sgpu_queue_wait(queue, seqno, UINT64_MAX) && has(7 + CLEARS - 1);
   end();
   sgpu_device_destroy(old);
   return ok;
}

static void
test_under_way(void **state)
{
   static bool (*const children[])(void) = {
      waits, polls, waits_for_buffer, ends, leaves, has_a_child, makes_another,
   };

   for (unsigned i = 0; i < sizeof(children) / sizeof(*children); i++) {
      begin(
         &(struct sgpu_device_params){ .threads = 1 + i % 3, .dispatch = SGPU_DISPATCH_OOO_SPLIT });
      submit_clears(0);
      in_child(children[i], true);
      assert_int_equal(sgpu_queue_wait(queue, seqno, UINT64_MAX), 0);
      assert_true(has(CLEARS - 1));
      submit_clears(500);
      assert_int_equal(sgpu_queue_wait(queue, seqno, UINT64_MAX), 0);
      assert_true(has(500 + CLEARS - 1));
      end();
   }
}

static bool
begins(void)
{
   submit_clears(0);
   return waits();
}

/* Forks before any submission, when the device has no threads, and after the work has ended. */
static void
test_idle(void **state)
{
   begin(&(struct sgpu_device_params){ .threads = 2, .dispatch = SGPU_DISPATCH_OOO_SPLIT });
   in_child(begins, false);
   submit_clears(0);
   assert_int_equal(sgpu_queue_wait(queue, seqno, UINT64_MAX), 0);
   in_child(begins, false);
   end();
}

static bool
is_dead(void)
{
   const struct sgpu_submit submit = { .address = 0 };
   struct sgpu_bo *bo;
   uint64_t n;
   const bool ok = sgpu_device_get_param(dev, SGPU_PARAM_DEAD) == 1 &&
                   sgpu_queue_wait(queue, seqno, UINT64_MAX) == 0 &&
                   sgpu_queue_submit(queue, &submit, &n) == -ENODEV &&
                   sgpu_bo_create(dev, 4096, "", &bo) == -ENODEV && !sgpu_bo_busy(target.bo);

   end();
   return ok;
}

static bool
is_dead_twice(void)
{
   const pid_t pid = fork();
   int status;

   if (pid == 0) {
      alarm(SECONDS);
      _exit(!is_dead());
   }
   return waitpid(pid, &status, 0) == pid && status == 0 && is_dead();
}

static void
test_dead(void **state)
{
   begin(&(struct sgpu_device_params){
      .threads = 2, .dispatch = SGPU_DISPATCH_OOO_SPLIT, .virtual_threads = true });
   submit_clears(0);
   assert_int_equal(sgpu_device_get_param(dev, SGPU_PARAM_DEAD), 0);
   in_child(is_dead, true);
   in_child(is_dead_twice, true);
   assert_int_equal(sgpu_queue_wait(queue, seqno, UINT64_MAX), 0);
   assert_true(has(CLEARS - 1));
   end();
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_under_way),
      cmocka_unit_test(test_idle),
      cmocka_unit_test(test_dead),
   };
   return cmocka_run_group_tests_name("fork", tests, NULL, NULL);
}
