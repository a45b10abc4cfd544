/* SPDX-License-Identifier: MIT */
/*
 * Concurrent work: submissions that return before their work ends, operations that overtake earlier
 * ones, and queues that wait for each other.
 */
#define _GNU_SOURCE
#include "hold.h"

#define HELD_SIZE 4096

static uint32_t
last_word(struct sgpu_bo *bo)
{
   return __atomic_load_n((uint32_t *)sgpu_bo_map(bo) + HELD_SIZE / 4 - 1, __ATOMIC_RELAXED);
}

/* A submission returns before its work ends. A later, independent operation of it ends before an
 * earlier one. Two workers are busy at once.
 */
static void
test_overtaking(void **state)
{
   struct sgpu_device *dev = test_device(2, SGPU_DISPATCH_OOO_SPLIT, 0);
   struct stream s;

   struct sgpu_queue *queue = test_queue(dev);
   struct sgpu_bo *held = test_bo(dev, HELD_SIZE), *copy = test_bo(dev, HELD_SIZE);
   struct sgpu_bo *other = test_bo(dev, HELD_SIZE);
   memset(sgpu_bo_map(held), 0x33, HELD_SIZE);

   hold_begin(held);
   stream_begin(&s, dev, queue);
   emit_copy_buffer(&s, copy, held, HELD_SIZE);
   emit_fill(&s, other, HELD_SIZE, 1234);
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

/* In order, no operation begins before the earlier ones have ended. */
static void
test_in_order(void **state)
{
   struct sgpu_device *dev = test_device(2, SGPU_DISPATCH_INORDER, 0);
   struct stream s;

   struct sgpu_queue *queue = test_queue(dev);
   struct sgpu_bo *held = test_bo(dev, HELD_SIZE), *copy = test_bo(dev, HELD_SIZE);
   struct sgpu_bo *other = test_bo(dev, HELD_SIZE);

   hold_begin(held);
   stream_begin(&s, dev, queue);
   emit_copy_buffer(&s, copy, held, HELD_SIZE);
   emit_fill(&s, other, HELD_SIZE, 1234);
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

/* Work that waits for a fence of another queue begins after that fence, while a third queue without
 * waits is not delayed.
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
      q[i] = test_queue(dev);

   hold_begin(held);
   stream_begin(&s, dev, q[0]);
   emit_copy_buffer(&s, copy, held, HELD_SIZE);
   const struct sgpu_fence fence = { q[0], stream_submit(&s) };
   hold_wait();

   stream_begin(&s, dev, q[1]);
   emit_fill(&s, after, HELD_SIZE, 5);
   seqno = stream_submit_after(&s, &fence);

   stream_begin(&s, dev, q[2]);
   emit_fill(&s, free_of_it, HELD_SIZE, 6);
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

static unsigned
count_of(const char *text, const char *what)
{
   unsigned n = 0;
   for (text = strstr(text, what); text; text = strstr(text + 1, what))
      n++;
   return n;
}

/* The time line has the submissions and the work of each thread, one event a line. */
static void
test_time_line(void **state)
{
   char path[] = "/tmp/sgpu-time-line-XXXXXX", text[65536];
   struct sgpu_device_params params;
   struct sgpu_device *dev;
   struct stream s;

   close(mkstemp(path));
   sgpu_device_params_from_env(&params);
   snprintf(params.trace, sizeof(params.trace), "%s", path);
   assert_int_equal(sgpu_device_create(&params, &dev), 0);
   struct sgpu_queue *queue = test_queue(dev);
   struct sgpu_bo *bo = test_bo(dev, HELD_SIZE);
   for (unsigned i = 0; i < 3; i++) {
      stream_begin(&s, dev, queue);
      emit_fill(&s, bo, HELD_SIZE, i);
      stream_run(&s);
   }
   sgpu_queue_destroy(queue);
   sgpu_bo_destroy(bo);
   sgpu_device_destroy(dev);

   FILE *file = fopen(path, "r");
   assert_non_null(file);
   text[fread(text, 1, sizeof(text) - 1, file)] = 0;
   fclose(file);
   unlink(path);
   assert_true(!strncmp(text, "[\n{", 3));
   assert_int_equal(count_of(text, "\"ph\":\"b\""), 3);
   assert_int_equal(count_of(text, "\"ph\":\"e\""), 3);
   assert_int_equal(count_of(text, "\"name\":\"submit\""), 3);
   assert_int_equal(count_of(text, "\"name\":\"tile\""), 3);
   assert_int_equal(count_of(text, "\"name\":\"commands\""), 3);
   assert_int_equal(count_of(text, "\n{"), count_of(text, "},\n"));
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_overtaking),
      cmocka_unit_test(test_in_order),
      cmocka_unit_test(test_fence_holds),
      cmocka_unit_test(test_time_line),
   };
   return cmocka_run_group_tests_name("overlap", tests, NULL, NULL);
}
