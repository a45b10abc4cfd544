/* SPDX-License-Identifier: MIT */
/*
 * Queues take turns: if long pieces of work of one queue occupy all workers, the work of another
 * queue is done nevertheless.
 */
#define _GNU_SOURCE
#include "hold.h"

#define SIZE 4096

static struct sgpu_queue *
new_queue(struct sgpu_device *dev)
{

   struct sgpu_queue *queue = test_queue(dev);
   assert_int_equal(sgpu_queue_set_budget(queue, 0), 0);
   return queue;
}

/* Runs `count` frames of several operations on the queue. */
static void
run_frames(struct sgpu_device *dev, struct sgpu_queue *queue, unsigned count)
{
   struct sgpu_bo *bo = test_bo(dev, SIZE), *copy = test_bo(dev, SIZE);

   for (uint32_t n = 1; n <= count; n++) {
      struct stream s;
      stream_begin(&s, dev, queue);
      emit_fill(&s, bo, SIZE, n);
      emit_copy_buffer(&s, copy, bo, SIZE);
      stream_run(&s);
      assert_int_equal(((uint32_t *)sgpu_bo_map(copy))[SIZE / 4 - 1], n);
   }
   sgpu_bo_destroy(bo);
   sgpu_bo_destroy(copy);
}

static void
check_turns(unsigned threads)
{
   struct sgpu_device *dev = test_device(threads, SGPU_DISPATCH_OOO_SPLIT_BREAK, 0);
   struct sgpu_queue *slow = new_queue(dev), *fast = new_queue(dev), *third = new_queue(dev);
   struct sgpu_bo *held = test_bo(dev, SIZE), *to[4];
   struct stream s;

   run_frames(dev, fast, 1);
   hold_begin(held);
   stream_begin(&s, dev, slow);
   for (unsigned i = 0; i < threads; i++) {
      to[i] = test_bo(dev, SIZE);
      emit_copy_buffer(&s, to[i], held, SIZE);
   }
   const uint64_t seqno = stream_submit(&s);
   for (unsigned i = 0; i < threads; i++)
      hold_wait();
   run_frames(dev, fast, 3);
   run_frames(dev, third, 3);
   run_frames(dev, fast, 3);
   assert_true(sgpu_queue_completed(slow) < seqno);

   for (unsigned i = 0; i < threads; i++)
      hold_release();
   assert_int_equal(sgpu_queue_wait(slow, seqno, UINT64_MAX), 0);
   hold_end();
   run_frames(dev, slow, 2);
   for (unsigned i = 0; i < threads; i++)
      sgpu_bo_destroy(to[i]);
   sgpu_bo_destroy(held);
   sgpu_queue_destroy(third);
   sgpu_queue_destroy(fast);
   sgpu_queue_destroy(slow);
   sgpu_device_destroy(dev);
}

static void
test_one_worker(void **state)
{
   check_turns(1);
}

static void
test_workers(void **state)
{
   check_turns(2);
   check_turns(4);
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_one_worker),
      cmocka_unit_test(test_workers),
   };
   return cmocka_run_group_tests_name("turns", tests, NULL, NULL);
}
