/* SPDX-License-Identifier: MIT */
/*
 * Interface between a test program and the driver with failing allocations.  The program defines
 * and exports sgpu_failing; the driver looks it up when it is loaded.
 */
#ifndef TEST_FAILING_H
#define TEST_FAILING_H

#include <stdatomic.h>
#include <stdbool.h>

struct failing {
   /* Number of the next allocation that fails, counted from 1; 0: no allocation fails. */
   atomic_int countdown;
   /* All later allocations fail, too. */
   bool for_ever;
   atomic_int failures;
   /* Number of memory blocks that the driver's code holds. */
   atomic_int blocks;
};

extern struct failing sgpu_failing;

#endif
