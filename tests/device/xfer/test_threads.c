/* SPDX-License-Identifier: MIT */
/*
 * A tile whose elements are stored while another thread reads it: a thread that sees the tile as
 * stored finds its elements in memory. On x86-64, where processors do not reorder stores, only a
 * compiler can break this.
 */
#include <pthread.h>
#include <sched.h>

#include "rop_test.h"
#include "common/sgd_tile_meta.h"

static struct sgd_worker worker;
static struct rop_level levels[3];
static unsigned num_levels;

static void *
read_tile(void *data)
{
   const struct sgd_surface *s = data;
   const struct sgd_tile_meta *m = sgd_tile_meta(s, 0, 0, 0);

   while (sgd_left_out(s, 0, 0, 0))
      sched_yield();
   for (uint32_t i = 0; i < SGD_TILE * SGD_TILE; i++) {
      if (memcmp(s->base + i * s->bpe, m->value, s->bpe))
         return data;
   }
   return NULL;
}

static void
test_stored(void **state)
{
   for (unsigned n = 0; n < 20; n++) {
      struct sgd_surface s;
      struct rop_memory memory;
      struct sgd_tile_meta record = { .cleared = SGD_TILE_CLEARED };
      pthread_t thread;
      void *wrong;

      rop_surface(&s, &memory, PIPE_FORMAT_R8G8B8A8_UNORM, SGD_TILE, SGD_TILE, 1, 1);
      memset(memory.data, 0, memory.size);
      memset(record.value, n + 1, sizeof(record.value));
      s.meta = (uint8_t *)&record;
      s.meta_layer = sgpu_metadata_layer(SGD_TILE, SGD_TILE);
      s.fast_clear = true;
      assert_true(s.meta_layer <= sizeof(record));

      const struct sgd_xfer resolve = { .kind = SGD_XFER_RESOLVE, .u.resolve = s };
      const struct SGPU_RECT pixel = { 0, 0, 1, 1 };
      assert_int_equal(pthread_create(&thread, NULL, read_tile, &s), 0);
      levels[n % num_levels].xfer_run(&worker, &resolve, &pixel, 0);
      assert_int_equal(pthread_join(thread, &wrong), 0);
      assert_null(wrong);
      free(memory.data);
   }
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_stored),
   };

   num_levels = rop_levels(levels);
   return cmocka_run_group_tests_name("xfer threads", tests, NULL, NULL);
}
