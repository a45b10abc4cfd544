/* SPDX-License-Identifier: MIT */
/*
 * Translator: threads that add machine code to the shared executable memory and remove it.
 * ThreadSanitizer sees whether they share data without a lock.
 */
#include <pthread.h>

#include "../../rounds.h"
#include "../../unit.h"
#include "shader/translate/sgd_exec_memory.h"
#include "util/macros.h"

#define THREADS 4
#define HELD 3 /* pieces of code that a thread holds at a time */

static void *
add_and_remove(void *data)
{
   const unsigned thread = (uintptr_t)data;
   struct sgd_exec_block *blocks[HELD] = { NULL };
   const uint8_t *places[HELD] = { NULL };
   uint8_t code[HELD][5000];
   size_t sizes[HELD];
   uintptr_t wrong = 0;

   for (unsigned i = 0; i < TEST_ROUNDS(2000); i++) {
      const unsigned h = i % HELD;
      if (blocks[h]) {
         wrong += memcmp(places[h], code[h], sizes[h]) != 0;
         sgd_exec_remove(blocks[h]);
      }
      sizes[h] = 1 + (i * 131 + thread * 977) % sizeof(code[h]);
      memset(code[h], i * THREADS + thread, sizes[h]);
      places[h] = sgd_exec_add(code[h], sizes[h], &blocks[h]);
      if (!places[h])
         return (void *)(uintptr_t)1;
      wrong += (uintptr_t)places[h] % 64 != 0;
   }
   for (unsigned h = 0; h < HELD; h++)
      sgd_exec_remove(blocks[h]);
   return (void *)wrong;
}

static void
test_threads(void **state)
{
   pthread_t threads[THREADS];

   for (uintptr_t i = 0; i < THREADS; i++)
      assert_int_equal(pthread_create(&threads[i], NULL, add_and_remove, (void *)i), 0);
   for (unsigned i = 0; i < THREADS; i++) {
      void *wrong;
      assert_int_equal(pthread_join(threads[i], &wrong), 0);
      assert_null(wrong);
   }
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_threads),
   };
   return cmocka_run_group_tests_name("shader exec", tests, NULL, NULL);
}
