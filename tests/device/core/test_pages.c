/* SPDX-License-Identifier: MIT */
/*
 * Memory of buffers: each new buffer has zeros, the process has few mappings in spite of many
 * buffers, and freed memory returns to the host.
 */
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#include "device_test.h"

#define PAGE SGPU_PAGE_SIZE

static struct sgpu_device *dev;

static unsigned
mappings(void)
{
   FILE *f = fopen("/proc/self/maps", "r");
   unsigned lines = 0;

   assert_non_null(f);
   for (int c; (c = getc(f)) != EOF;)
      lines += c == '\n';
   fclose(f);
   return lines;
}

/* Returns the number of bytes in resident pages. */
static uint64_t
resident(const uint8_t *memory, uint64_t size)
{
   unsigned char pages[4096];
   uint64_t sum = 0;

   assert_true(size / PAGE <= sizeof(pages));
   /* mincore() fails if nothing is mapped there. */
   if (mincore((void *)memory, size, pages))
      return 0;
   for (uint64_t i = 0; i < size / PAGE; i++)
      sum += pages[i] & 1 ? PAGE : 0;
   return sum;
}

static bool
is_zero(const uint8_t *p, uint64_t size)
{
   return !p[0] && !memcmp(p, p + 1, size - 1);
}

/* Allocates buffers of some pages and frees every other one, which leaves as many holes as buffers.
 */
static void
test_many(void **state)
{
   enum { COUNT = 6000 };
   static struct sgpu_bo *bos[COUNT];
   const unsigned before = mappings();

   for (unsigned i = 0; i < COUNT; i++) {
      bos[i] = test_bo(dev, 20000);
      *(uint8_t *)sgpu_bo_map(bos[i]) = 1;
   }
   for (unsigned i = 0; i < COUNT; i += 2)
      sgpu_bo_destroy(bos[i]);
   assert_true(mappings() < before + COUNT / 20);
   for (unsigned i = 0; i < COUNT; i += 2) {
      bos[i] = test_bo(dev, 20000);
      assert_true(is_zero(sgpu_bo_map(bos[i]), 20000));
   }
   for (unsigned i = 0; i < COUNT; i++)
      sgpu_bo_destroy(bos[i]);
   assert_true(mappings() <= before + 2);
   assert_int_equal(sgpu_device_get_param(dev, SGPU_PARAM_MEMORY_USED), 0);
}

static uint32_t
next_random(void)
{
   static uint32_t x = 1;

   x ^= x << 13;
   x ^= x >> 17;
   return x ^= x << 5;
}

/* Buffers of random sizes are created, filled and destroyed in random order. */
static void
test_random(void **state)
{
   enum { COUNT = 60, ROUNDS = 1500 };
   struct sgpu_bo *bos[COUNT] = { NULL };

   for (unsigned i = 0; i < ROUNDS; i++) {
      struct sgpu_bo **bo = &bos[next_random() % COUNT];
      if (*bo) {
         const uint8_t *p = sgpu_bo_map(*bo);
         const uint64_t size = sgpu_bo_size(*bo);
         assert_true(p[0] == 0xa5 && !memcmp(p, p + 1, size - 1));
         sgpu_bo_destroy(*bo);
         *bo = NULL;
         continue;
      }
      const uint64_t size = 1 + next_random() % (UINT64_C(1) << (8 + next_random() % 15));
      *bo = test_bo(dev, size);
      assert_true(is_zero(sgpu_bo_map(*bo), size));
      memset(sgpu_bo_map(*bo), 0xa5, size);
   }
   for (unsigned i = 0; i < COUNT; i++)
      sgpu_bo_destroy(bos[i]);
   assert_int_equal(sgpu_device_get_param(dev, SGPU_PARAM_MEMORY_USED), 0);
}

/* Memory of a destroyed buffer returns to the host, for small and large buffers next to one that
 * stays.
 */
static void
test_returned(void **state)
{
   static const uint64_t sizes[] = { 20000, 100 * PAGE, 3000 * PAGE };

   struct sgpu_bo *first = test_bo(dev, PAGE);
   for (unsigned i = 0; i < 3; i++) {
      const uint64_t size = sizes[i] / PAGE * PAGE;
      struct sgpu_bo *bo = test_bo(dev, size), *behind = test_bo(dev, PAGE);
      uint8_t *p = sgpu_bo_map(bo);
      memset(p, 1, size);
      assert_int_equal(resident(p, size), size);
      sgpu_bo_destroy(bo);
      assert_int_equal(resident(p, size), 0);
      sgpu_bo_destroy(behind);
   }
   sgpu_bo_destroy(first);
}

/* The host does not drop locked pages. New buffers have zeros in spite of this. */
static void
test_locked(void **state)
{
   struct sgpu_bo *first = test_bo(dev, PAGE), *bo = test_bo(dev, 4 * PAGE);
   const uint64_t address = sgpu_bo_address(bo);
   uint8_t *p = sgpu_bo_map(bo);
   const bool locked = !mlock(p, 4 * PAGE);

   memset(p, 1, 4 * PAGE);
   sgpu_bo_destroy(bo);
   bo = test_bo(dev, 4 * PAGE);
   assert_int_equal(sgpu_bo_address(bo), address);
   assert_true(is_zero(sgpu_bo_map(bo), 4 * PAGE));
   sgpu_bo_destroy(bo);
   sgpu_bo_destroy(first);
   if (!locked)
      skip();
}

/* Shared memory of the program in the middle of the device's address space. */
static void
test_shared(void **state)
{
   const int fd = memfd_create("shared", 0);
   assert_true(fd >= 0 && !ftruncate(fd, 8 * PAGE));
   uint8_t *shared = mmap(NULL, 8 * PAGE, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
   assert_true(shared != MAP_FAILED);
   close(fd);

   struct sgpu_bo *first = test_bo(dev, PAGE), *bo;
   for (unsigned i = 0; i < 3; i++) {
      assert_int_equal(sgpu_bo_create_shared(dev, shared, 8 * PAGE, "shared", &bo), 0);
      const uint64_t address = sgpu_bo_address(bo);
      struct sgpu_bo *behind = test_bo(dev, PAGE);
      memset(sgpu_bo_map(bo), 0x77 + i, 8 * PAGE);
      sgpu_bo_destroy(bo);
      bo = test_bo(dev, 8 * PAGE);
      assert_int_equal(sgpu_bo_address(bo), address);
      assert_true(is_zero(sgpu_bo_map(bo), 8 * PAGE));
      memset(sgpu_bo_map(bo), 1, 8 * PAGE);
      assert_true(shared[0] == 0x77 + i && !memcmp(shared, shared + 1, 8 * PAGE - 1));
      sgpu_bo_destroy(bo);
      sgpu_bo_destroy(behind);
   }
   sgpu_bo_destroy(first);
   munmap(shared, 8 * PAGE);
}

static int
begin(void **state)
{
   dev = test_device(1, SGPU_DISPATCH_OOO_SPLIT, 0);
   return 0;
}

static int
end(void **state)
{
   sgpu_device_destroy(dev);
   return 0;
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_many),   cmocka_unit_test(test_random), cmocka_unit_test(test_returned),
      cmocka_unit_test(test_locked), cmocka_unit_test(test_shared),
   };
   return cmocka_run_group_tests_name("pages", tests, begin, end);
}
