/* SPDX-License-Identifier: MIT */
/*
 * The end of submissions: buffers after a submission has passed, and threads that wait for a
 * buffer.
 */
#include <pthread.h>

#include "control/core/sgd_device.h"
#include "hold.h"

#define BUFFERS 256
#define SIZE 4096

/* After a submission has passed, it does not use its buffers any more, also if no thread has waited
 * for it: the addresses of destroyed buffers are free.
 */
static void
test_addresses(void **state)
{
   struct sgpu_device *dev = test_device(1, SGPU_DISPATCH_OOO_SPLIT, 0);
   struct sgpu_bo *bos[BUFFERS];
   struct stream s;

   struct sgpu_queue *queue = test_queue(dev);
   stream_begin(&s, dev, queue);
   bos[0] = s.bo;
   for (unsigned i = 1; i < BUFFERS; i++)
      bos[i] = test_bo(dev, SIZE);
   EMIT(&s, FILL_BUFFER, cfg) {
      cfg.destination = sgpu_bo_address(bos[1]);
      cfg.size = SIZE;
      cfg.pattern_size = 4;
   }
   const struct sgpu_submit submit = {
      .address = sgpu_bo_address(s.bo),
      .words = s.count,
      .bos = bos,
      .num_bos = BUFFERS,
   };
   for (unsigned n = 0; n < 500; n++) {
      struct sgpu_bo **const bo = &bos[1 + n * 7 % (BUFFERS - 1)];
      const uint64_t address = sgpu_bo_address(*bo);
      uint64_t seqno;

      assert_int_equal(sgpu_queue_submit(queue, &submit, &seqno), 0);
      while (sgpu_queue_completed(queue) < seqno)
         ;
      assert_false(sgpu_bo_busy(*bo));
      sgpu_bo_destroy(*bo);
      assert_int_equal(sgpu_bo_create_at(dev, address, SIZE, "test", bo), 0);
   }
   for (unsigned i = 0; i < BUFFERS; i++)
      sgpu_bo_destroy(bos[i]);
   sgpu_queue_destroy(queue);
   sgpu_device_destroy(dev);
}

static void *
wait_for_buffer(void *bo)
{
   return sgpu_bo_wait(bo, UINT64_MAX) ? NULL : bo;
}

static bool
has_helper(struct sgpu_device *dev)
{
   pthread_mutex_lock(&dev->sched.lock);
   const bool has = dev->sched.helper != NULL;
   pthread_mutex_unlock(&dev->sched.lock);
   return has;
}

/* A thread that waits for a buffer without a time limit may run work. A thread with a limit does
 * not, and returns in time.
 */
static void
test_buffer(void **state)
{
   struct sgpu_device *dev = test_device(2, SGPU_DISPATCH_OOO_SPLIT, 0);
   struct sgpu_bo *held = test_bo(dev, SIZE), *copy = test_bo(dev, SIZE);
   struct stream s;
   pthread_t thread;
   void *result;

   struct sgpu_queue *queue = test_queue(dev);
   hold_begin(held);
   stream_begin(&s, dev, queue);
   emit_copy_buffer(&s, copy, held, SIZE);
   stream_submit(&s);
   hold_wait();
   assert_int_equal(sgpu_bo_wait(copy, 0), -ETIME);
   assert_int_equal(sgpu_bo_wait(copy, 100000), -ETIME);
   assert_false(has_helper(dev));
   assert_int_equal(pthread_create(&thread, NULL, wait_for_buffer, copy), 0);
   WAIT_UNTIL(has_helper(dev));
   assert_int_equal(sgpu_bo_wait(copy, 100000), -ETIME);
   assert_true(sgpu_bo_busy(copy));
   hold_release();
   pthread_join(thread, &result);
   assert_ptr_equal(result, copy);
   assert_false(sgpu_bo_busy(copy));
   assert_false(has_helper(dev));
   hold_end();

   sgpu_queue_destroy(queue);
   sgpu_bo_destroy(held);
   sgpu_bo_destroy(copy);
   sgpu_device_destroy(dev);
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_addresses),
      cmocka_unit_test(test_buffer),
   };
   return cmocka_run_group_tests_name("passed", tests, NULL, NULL);
}
