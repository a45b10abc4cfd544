/* SPDX-License-Identifier: MIT */
/*
 * Free ranges of the address space, compared with a map of units. Allocated ranges are aligned,
 * were free, and are the lowest that fit. Freed ranges can be allocated again; at the end, the
 * whole space can be allocated.
 */
#include "../../unit.h"
#include "control/memory/sgd_holes.h"

enum { FIRST = 5, UNITS = 300, RANGES = 60 };

static bool used[FIRST + UNITS];

static bool
is_free(uint64_t address, uint64_t size)
{
   if (address + size > FIRST + UNITS)
      return false;
   for (uint64_t i = 0; i < size; i++) {
      if (used[address + i])
         return false;
   }
   return true;
}

/* Returns the first address of the lowest free range that fits, or 0 if there is none. */
static uint64_t
lowest(uint64_t size, uint64_t alignment)
{
   for (uint64_t a = FIRST; a < FIRST + UNITS; a++) {
      if (a % alignment == 0 && is_free(a, size))
         return a;
   }
   return 0;
}

static void
random_ranges(void **state)
{
   static const unsigned alignments[] = { 1, 2, 3, 8, 16 };
   struct {
      uint64_t address, size;
   } range[RANGES] = { { 0 } };
   uint32_t random = 1;
   unsigned refused = 0;
   struct sgd_holes holes;

   assert_true(sgd_holes_init(&holes, FIRST, UNITS));
   for (unsigned step = 0; step < 100000; step++) {
      random = random * 1664525u + 1013904223u;
      const unsigned i = (random >> 8) % RANGES;
      if (range[i].address) {
         sgd_holes_give(&holes, range[i].address, range[i].size);
         memset(used + range[i].address, false, range[i].size);
         range[i].address = 0;
      } else {
         const unsigned alignment = alignments[(random >> 16) % 5];
         range[i].size = 1 + (random >> 20) % 24;
         if (step % 3) {
            range[i].address = lowest(range[i].size, alignment);
            assert_int_equal(sgd_holes_take(&holes, range[i].size, alignment), range[i].address);
         } else {
            const uint64_t a = FIRST + (random >> 12) % UNITS;
            range[i].address = is_free(a, range[i].size) ? a : 0;
            assert_int_equal(sgd_holes_take_at(&holes, a, range[i].size), range[i].address != 0);
         }
         memset(used + range[i].address, true, range[i].address ? range[i].size : 0);
         refused += !range[i].address;
      }
   }
   /* Some allocations failed, and some succeeded. */
   assert_in_range(refused, 1, 50000);

   for (unsigned i = 0; i < RANGES; i++) {
      if (range[i].address)
         sgd_holes_give(&holes, range[i].address, range[i].size);
   }
   assert_int_equal(sgd_holes_take(&holes, UNITS, 1), FIRST);
   assert_int_equal(sgd_holes_take(&holes, 1, 1), 0);
   sgd_holes_finish(&holes);
}

int
main(void)
{
   const struct CMUnitTest tests[] = { cmocka_unit_test(random_ranges) };
   return cmocka_run_group_tests(tests, NULL, NULL);
}
